"""The pages keep what they say: links and paths lead somewhere, examples print what is shown, the README
stays short."""
import pathlib
import re
import subprocess

import pytest

from conftest import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("bench", "cli", "docs", "include", "papers", "python", "samples", "scripts", "src", "tests")
NOT_OURS = {".git", ".venv", ".venv-python", "build"}
PAGES = sorted(page.relative_to(ROOT) for page in ROOT.glob("**/*.md")
               if not NOT_OURS & set(page.relative_to(ROOT).parts))

LINK = re.compile(r"\]\(([^()\s]+)\)")
PATH = re.compile(r"(?<![\w./:-])(?:%s)/[\w./-]*[\w/]" % "|".join(FOLDERS))
SOURCE = re.compile(r"(?<![\w./-])[a-z]\w*\.(?:cc|h)\b")


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def anchors(text):
    """What a heading is called in an address: GitHub's rule."""
    found, fenced = set(), False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = re.match(r"#+ (.*)", line)
        if heading and not fenced:
            words = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
            found.add(words.strip().replace(" ", "-"))
    return found


def broken_links(text, folder):
    for link in LINK.findall(text):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = folder / path if path else None
        if target and not target.exists():
            yield link
        elif anchor and anchor not in anchors(target.read_text("utf-8") if target else text):
            yield link


def lost_paths(text):
    return [path for path in PATH.findall(text) if not (ROOT / path).exists()]


def test_the_pages_are_found():
    assert {"README.md", "docs/architecture.md", "papers/README.md"} <= set(map(str, PAGES))


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page):
    assert list(broken_links(text_of(page), (ROOT / page).parent)) == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_paths_exist(page):
    assert lost_paths(text_of(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_source_files_are_named_with_their_folder(page):
    """A name alone cannot be checked, and has to be searched for."""
    assert SOURCE.findall(text_of(page)) == []


def test_the_readme_is_short():
    assert len(text_of("README.md").splitlines()) <= 200


# What has to be read twice: a sentence without a verb, and "who" for "someone who".
HARD = re.compile(r"(?:^|[.;:!?|] |- )Of \w|(?:^|[.;:,|(] )[Ww]ho (?:knows|holds|has|sees) ", re.MULTILINE)


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "CHANGELOG.md"], ids=str)
def test_sentences_can_be_read_once(page):
    assert [hard.group() for hard in HARD.finditer(text_of(page))] == []


# ---- Examples ------------------------------------------------------------------------------------

def examples(text):
    """Every command of a page that is shown with what it prints, and the lines that are shown."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.replace("\\\n", " ").partition("\n")
            lines = [without_time(line) for line in shown.splitlines() if line not in ("", "…")]
            if lines:
                yield command, lines


def without_time(line):
    return re.sub(r" \([\d.]+ s\)$", "", line)


def not_printed(shown, printed):
    """The first line that is shown and does not come, in this order."""
    rest = iter(without_time(line) for line in printed.splitlines())
    return next((line for line in shown if line not in rest), None)


@pytest.mark.parametrize("page", ["README.md", "docs/tour.md"])
def test_examples_print_what_is_shown(wordnet, tmp_path, page):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/semveil").symlink_to(PROGRAM)
    env = wordnet.env | {"PATH": f"{tmp_path}/bin:{wordnet.env['PATH']}"}
    run = list(examples(text_of(page)))
    assert len(run) > 2
    for command, shown in run:
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=env, timeout=120, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert (command, not_printed(shown, done.stdout)) == (command, None)


def test_what_is_wrong_is_seen():
    page = "[a](docs/nothing.md) [b](README.md#no-such-heading) [c](#here) [d](https://x.org/y)\n## Here\n"
    assert list(broken_links(page, ROOT)) == ["docs/nothing.md", "README.md#no-such-heading"]
    assert lost_paths("`src/base/nothing.cc`, `src/base/key.cc`.") == ["src/base/nothing.cc"]
    assert SOURCE.findall("`key.cc`, `src/base/key.cc`") == ["key.cc"]
    assert HARD.search("It ends. Of all values one is left.") and HARD.search("Who knows k finds it.")
    assert not HARD.search("Someone who knows k finds it, out of all.")
    page = "```console\n$ semveil a\n$ semveil b \\\n  c\n…\nx (1.3 s)\ny\n```\n"
    assert list(examples(page)) == [("semveil b    c", ["x", "y"])]
    assert not_printed(["x", "y"], "x (0.2 s)\nz\ny\n") is None
    assert not_printed(["x", "y"], "y\nx\n") == "y"
