"""A small table of diagnoses, its ontology and its plan, in a folder of its own; and the program beside the library."""

import os
import pathlib
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SEMVEIL_BIN") or PROJECT / "build/release/semveil").resolve()
DATA = pathlib.Path(os.environ.get("SEMVEIL_DATA") or PROJECT / "../shared/data").resolve()
SAMPLES = PROJECT / "samples"

sys.path.insert(0, str(PROJECT / "tests/cli"))
from clinic import ONTOLOGY, PLAN, SECOND, as_csv, rows  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: takes long; `make test` leaves it to `make test-python`")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the plan, the ontology and the table stand; the working folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "disease.csv").write_text(ONTOLOGY)
    (tmp_path / "plan.toml").write_text(PLAN + SECOND)
    (tmp_path / "table.csv").write_text(as_csv(rows(200)))
    return tmp_path


@pytest.fixture
def program(folder):
    """Runs the program in the folder."""
    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


@pytest.fixture
def table():
    """The table's cells by column."""
    header = ["patient", "diagnosis", "second", "city", "note"]
    return {name: list(cells) for name, cells in zip(header, zip(*rows(200)))}
