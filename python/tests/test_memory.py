"""Masking one of many columns adds the masked column and little else: the others are not copied."""

import os
import pathlib
import subprocess
import sys

import pytest

import semveil as sv

PROGRAM = """
import resource, sys
import numpy, pyarrow
import semveil as sv
sys.path.insert(0, CLINIC)
from clinic import LEAVES

rows, kind = int(sys.argv[1]), sys.argv[2]
texts = pyarrow.array([f"{i:032}" for i in range(100_000)])
cells = pyarrow.array([LEAVES[i * i % len(LEAVES)] for i in range(100_000)])
columns = {f"t{i}": pyarrow.concat_arrays([texts] * (rows // 100_000)) for i in range(10)}
columns |= {f"n{i}": pyarrow.array(numpy.arange(rows)) for i in range(9)}
columns["diagnosis"] = pyarrow.concat_arrays([cells] * (rows // 100_000))
table = pyarrow.table(columns)
if kind == "polars":
    import polars
    table = polars.from_arrow(table)
    del columns
plan = {"ontology": {"disease": "edges:disease.csv"},
        "column": {"diagnosis": {"role": "quasi-identifier", "ontology": "disease", "root": "D"}},
        "mask": {"method": "noise", "alpha": 0.5}}
sv.mask(table[:1000] if kind == "polars" else table.slice(0, 1000), plan)  # what is loaded once
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out = sv.mask(table, plan).table
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = out["diagnosis"].nbytes if kind == "pyarrow" else out["diagnosis"].estimated_size()
print((after - before) * 1024, size)
"""


def added(folder, rows, kind):
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(sv.__file__).parents[1])}
    clinic = str(pathlib.Path(__file__).resolve().parents[2] / "tests/cli")
    done = subprocess.run([sys.executable, "-c", PROGRAM.replace("CLINIC", repr(clinic)), str(rows), kind], cwd=folder,
                          env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    more, column = map(int, done.stdout.split())
    return more - column


def most(rows):
    """4 bytes for each masked cell are kept beside it, in case the release is written or audited; what the
    allocator holds back differs by some megabytes from run to run."""
    return 100e6 + 4 * rows + 10e6


@pytest.mark.parametrize("kind", ["pyarrow", "polars"])
def test_one_of_twenty_columns(folder, kind):
    assert added(folder, 1_000_000, kind) < most(1_000_000)  # the table has 430 MB


@pytest.mark.thorough
def test_one_of_twenty_columns_of_two_gigabytes(folder):
    assert added(folder, 4_700_000, "pyarrow") < most(4_700_000)
