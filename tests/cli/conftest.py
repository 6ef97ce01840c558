"""Runs the program in a folder of its own, with a cache of its own, and checks what every run keeps."""

import functools
import json
import os
import pathlib
import re
import subprocess

import jsonschema
import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SEMVEIL_BIN") or PROJECT / "build/release/semveil").resolve()
DATA = pathlib.Path(os.environ.get("SEMVEIL_DATA") or PROJECT / "../shared/data")

# The worked example of the semantic noise paper, figures 2 and 3.
NERVOUS_SYSTEM = """child,parent
Coma,Disorder of nervous system
Neuropathy,Disorder of nervous system
Hepatic coma,Coma
Hypoglycemic coma,Coma
"""

# Two roots, and one label that two concepts share.
HOBBIES = """child,parent,label
sport,,Sports
ski,sport,Skiing
run,sport,Running
culture,,Culture
read,culture,Reading
run2,culture,Running
"""


def one_object(text):
    """The JSON object that is all of the text."""
    assert text.endswith("\n") and text.count("\n") == 1, f"not one line: {text!r}"

    def without_repeated_keys(pairs):
        assert len(dict(pairs)) == len(pairs), f"a key stands twice: {pairs}"
        return dict(pairs)

    parsed = json.loads(text, object_pairs_hook=without_repeated_keys)
    assert isinstance(parsed, dict)
    return parsed


# ---- What every JSON keeps to -------------------------------------------------------------------

SEVERITIES = ["danger", "warning", "note", "promise"]
RAISED = set()  # ids of findings, by all tests of this run
NOT_RUN = []    # tests of this run that were skipped, left out or failed, and may have raised some


def source(path):
    return (PROJECT / path).read_text()


@functools.cache
def validator(verb):
    schema = json.loads(source(f"docs/json/{verb}.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@functools.cache
def guide():
    """Every id of a finding that has a sentence."""
    guides = ("finding_guide", "release_guide", "work_guide")
    return {id for name in guides for id in re.findall(r'\{\{"([a-z-]+)",', source(f"src/figures/{name}.cc"))}


@functools.cache
def documented():
    return set(re.findall(r"`([a-z-]+)`", source("docs/findings.md")))


@functools.cache
def declared_figures():
    """Figures of findings of which it is said whether anybody may see them."""
    text = source("src/report/public_figures.cc")
    lists = re.findall(r"k(?:Open|Rounded)Figures =\s*((?:\"[^\"]*\"\s*)+);", text)
    return set(" ".join("".join(re.findall(r'"([^"]*)"', each)) for each in lists).split())


def check_findings(findings):
    ranks = [SEVERITIES.index(f["severity"]) for f in findings]
    assert ranks == sorted(ranks), "the most severe come first"
    for finding in findings:
        assert finding["id"] in guide() and finding["id"] in documented(), finding
        assert finding["text"], finding
        figures = {name for name in finding["figures"] if not name.startswith("share.")}
        assert figures <= declared_figures(), finding
        RAISED.add(finding["id"])


def check_json(args, text):
    """Every line is an object as the schema of its verb has it."""
    words = [str(word) for word in args]
    verb = f"ontology-{words[1]}" if words[0] == "ontology" else words[0]
    for line in text.splitlines():
        parsed = json.loads(line)
        error = jsonschema.exceptions.best_match(validator(verb).iter_errors(parsed))
        assert error is None, f"{verb}: {error.json_path}: {error.message[:300]}"
        check_findings(parsed.get("findings", []))


class Semveil:
    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache"
        self.env = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"}
        self.env |= {"SEMVEIL_CACHE_DIR": str(self.cache), "HOME": str(folder / "home")}

    def write(self, name, content):
        """A file of the test's folder; gives its name."""
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def in_order(self, table):
        """Options that say that a release of the table has its records in its order; where nothing
        else is in it that shows so."""
        records = len((self.folder / table).read_text().splitlines()) - 1
        self.write("in_order.csv", "output_row,input_row\n" + "".join(f"{i},{i}\n" for i in range(records)))
        return "--row-map", "in_order.csv"

    def read(self, name):
        return (self.folder / name).read_text()

    def run(self, *args, stdin="", stdout=subprocess.PIPE, env=None, before=()):
        done = subprocess.run(
            [*before, PROGRAM, *args], cwd=self.folder, env=self.env if env is None else env,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            stdout=stdout, stderr=subprocess.PIPE, timeout=60)
        done.stdout = (done.stdout or b"").decode()
        done.stderr = done.stderr.decode()
        assert not list(self.folder.rglob(".semveil-*")), "a temporary file is left"
        if "--json" in args and done.stdout.startswith("{"):
            check_json(args, done.stdout)
        return done

    def ok(self, *args, **how):
        """What a run that must succeed prints."""
        done = self.run(*args, **how)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def json(self, *args, **how):
        return one_object(self.ok(*args, "--json", **how))

    def fails(self, code, *args, **how):
        """The message of a run that must fail: text on standard error, nothing on standard output."""
        done = self.run(*args, **how)
        assert done.returncode == code, f"exit {done.returncode}: {done.stderr}"
        assert done.stdout == ""
        assert done.stderr.startswith("semveil: ") and done.stderr.endswith("\n")
        assert len(done.stderr) > len("semveil: \n")
        return done.stderr


@pytest.fixture
def semveil(tmp_path):
    program = Semveil(tmp_path)
    program.write("nervous.csv", NERVOUS_SYSTEM)
    program.write("hobbies.csv", HOBBIES)
    return program


@pytest.fixture(scope="session")
def wordnet(tmp_path_factory):
    """The program with one cache for all tests on WordNet."""
    program = Semveil(tmp_path_factory.mktemp("wordnet"))
    if "no WordNet is installed" in program.run("ontology", "info", "wordnet", "--quiet").stderr:
        pytest.skip("no WordNet is installed (Debian: apt install wordnet-base)")
    return program


def data_file(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not in $SEMVEIL_DATA")
    return str(path.resolve())


def pytest_collection_modifyitems(items):
    """What is told of the whole run comes last."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


def pytest_deselected(items):
    NOT_RUN.extend(item.nodeid for item in items)


def pytest_collectreport(report):
    if report.skipped or report.failed:
        NOT_RUN.append(report.nodeid)


def pytest_runtest_logreport(report):
    if report.skipped or report.failed:
        NOT_RUN.append(report.nodeid)


def pytest_configure(config):
    config.addinivalue_line("markers", "last: runs after all others")


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"SKIPPED {report.nodeid}: {report.longrepr[2]}")
