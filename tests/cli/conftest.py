"""Runs the program in a folder of its own, with a cache of its own, and checks what every run keeps."""

import json
import os
import pathlib
import subprocess

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


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"SKIPPED {report.nodeid}: {report.longrepr[2]}")
