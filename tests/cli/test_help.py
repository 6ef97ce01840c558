"""The help of every verb: sentences for people, grouped, on a page; nothing of the library that reads
the command line."""

import re

import pytest

from conftest import source

PAGE = 100
# How CLI11 writes types, checks and rules between options.
JARGON = re.compile(r"Excludes:|Needs:|REQUIRED|\b[A-Z]{2,}:|:\{|\bUINT\b|\bINT\b|\bFLOAT\b|\[[^\]]*\]=|=\S+ \.\.\.| \.\.\.|"
                    r"\bNONNEGATIVE\b|\bPOSITIVE\b| \| ")
OPTION = re.compile(r"^  ((?:-\w, )?--[a-z][a-z-]*)(?: \S+| \[NAME\])*?(?:  +(.*))?$")
WITH_METHODS = ("mask", "fit", "audit")


def listed_verbs(text):
    part = text.partition("\nVerbs (each has --help):\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", part, re.MULTILINE)


def all_verbs(semveil, path=()):
    """Every verb and nested verb, and those that packages use."""
    below = listed_verbs(semveil.ok(*path, "--help"))
    hidden = ["man", "completions"] if not path else []
    yield list(path)
    for name in below + hidden:
        yield from all_verbs(semveil, (*path, name))


def before_examples(text):
    return text.partition("\nExamples:\n")[0]


def options_of(text):
    """Every option with its sentence, which may go on in further lines."""
    found = []
    for line in before_examples(text).splitlines():
        match = OPTION.match(line)
        if match:
            found.append([match.group(1), match.group(2) or ""])
        elif found and line.startswith(" " * 20):
            found[-1][1] += " " + line.strip()
    return [(name, sentence.strip()) for name, sentence in found]


def test_nested_verbs_are_walked_over(semveil):
    paths = [" ".join(path) for path in all_verbs(semveil)]
    assert {"", "mask", "audit", "reproduce", "ontology", "ontology info", "ontology diff", "man"} <= set(paths)


def test_no_line_is_wider_than_a_page_and_no_jargon_is_left(semveil):
    for path in all_verbs(semveil):
        text = semveil.ok(*path, "--help")
        assert [line for line in text.splitlines() if len(line) > PAGE] == [], path
        assert not any(line != line.rstrip() for line in text.splitlines()), path
        if path:
            assert [found.group() for found in JARGON.finditer(before_examples(text))] == [], path
            assert text.count("\nExamples:\n  semveil ") == 1, path


def test_every_option_is_told_by_sentences(semveil):
    for path in all_verbs(semveil):
        options = options_of(semveil.ok(*path, "--help"))
        assert "-h, --help" in dict(options), path
        for name, sentence in options:
            assert re.match(r"[A-Z].*(\.|…)$", sentence), (path, name, sentence)


def test_defaults_are_named_in_words(semveil):
    options = dict(options_of(semveil.ok("audit", "--help")))
    assert options["--clusters"].endswith("Default: 14.")
    assert "public (the default) or steward" in options["--edition"]
    assert options["--key"].endswith("Not together with --row-map or --unpaired.")
    assert dict(options_of(semveil.ok("mask", "--help")))["--plan"].endswith("Required.")
    keep = dict(options_of(semveil.ok("compare", "--help")))["--keep"]
    assert "mean, variance, correlation (the default) or distribution" in keep


# ---- Methods ------------------------------------------------------------------------------------

def keys_by_method():
    """Options, or keys that only plans have, by method: as the table of [mask] has them, which a test
    compares with the methods."""
    text = source("docs/formats/plan.md").partition("\n## `[mask]`\n")[2].partition("\n### ")[0]
    keys, last = {}, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 5 or cells[0] in ("key", "---"):
            continue
        last = cells[0].strip("`") or last
        if last in ("method", "columns", "draw_by"):
            continue
        named = re.search(r"on the command line `(--[a-z-]+)`", cells[4])
        option = named.group(1) if named else "--" + last.replace("_", "-")
        for method in cells[3].split(", "):
            keys.setdefault(method, set()).add(last if last in ("covariance", "digest") else option)
    return keys


def methods_of(text):
    """What stands under the heading of each method."""
    parts = re.split(r"^Method ([a-z-]+):\n", before_examples(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("verb", WITH_METHODS)
def test_every_key_stands_under_the_heading_of_its_method(semveil, verb):
    shown, keys = methods_of(semveil.ok(verb, "--help")), keys_by_method()
    assert len(keys) > 8 and set(keys) <= set(shown)
    for method, part in shown.items():
        wanted = keys.get(method, set())
        in_plans = re.findall(r"^  In plans only: (.*)\.$", part, re.MULTILINE)
        told = {name for name, _ in options_of(part)} | {key for line in in_plans for key in line.split(", ")}
        assert told == wanted, method
        assert wanted or "takes no options" in part


def test_a_key_is_told_as_the_method_means_it(semveil):
    shown = methods_of(semveil.ok("mask", "--help"))
    swap, fuse = (dict(options_of(shown[name])) for name in ("swap", "fuse"))
    assert "Usually 5 to 50. Needed, unless --p is given." in swap["--k"]
    assert "Usually 3 to 20. Needed." in fuse["--k"]
    assert "multivariate (the default)" in swap["--algorithm"]
    assert "From 0 to 3. Default: 3." in fuse["--heuristics"]
    assert "the default, is --no-partial" in fuse["--partial"]


def test_general_options_come_before_methods(semveil):
    text = semveil.ok("mask", "--help")
    heads = ["\nOptions:\n", "\nReport:\n", "\nHow it runs and what it prints:\n", "\nMasking, in place",
             "\nMethod noise:\n", "\nExamples:\n"]
    places = [text.index(head) for head in heads]
    assert places == sorted(places)


def test_jargon_is_seen():
    for text in ("--edition TEXT:{public,steward}=public", "--threads UINT:INT in [1 - 1024]=1",
                 "--missing TEXT ...", "Excludes: --key", "mean | variance"):
        assert JARGON.search(text), text
