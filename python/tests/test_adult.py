"""Every method on the Adult data: the program's cells, from a data frame.

The program masks a CSV file in its plain form; the frame holds the same cells as texts, or as numbers and dates.
"""

import csv
import gzip
import json

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import semveil as sv
from conftest import DATA
from semveil import _core, toml

ADULT = DATA / "adult/adult.data.gz"
HIERARCHIES = DATA / "arx-hierarchies"
COLUMNS = {0: "age", 3: "education", 5: "marital-status", 9: "sex", 14: "salary-class"}

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason=f"the data are not at {ADULT}: set SEMVEIL_DATA")

METHODS = {
    "noise": {"alpha": 0.3, "correlated": True},
    "swap": {"k": 5},
    "fuse": {"k": 5},
    "recode": {"k": 50},
    "microaggregate": {"k": 5},
    "generalize": {"k": 5},
    "ean": {"columns": ["education"], "categories": {"ontology": "education", "depth": 2}, "l": 3},
    "an": {"columns": ["education"], "l": 3},
    "naive": {},
    "probabilistic": {},
    "random-swap": {},
    "distributional-swap": {"k": 5},
    "round": {"columns": ["age"], "base": 10},
    "code": {"columns": ["age"], "top": 80, "bottom": 20},
    "level": {"columns": ["education"], "level": 1},
    "shift": {"columns": ["born"], "shift": 30},
}


@pytest.fixture(scope="module")
def adult():
    """All cells as texts, and a date of birth that is made of the age."""
    with gzip.open(ADULT, "rt") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    out = {name: [row[i] for row in rows] for i, name in COLUMNS.items()}
    out["born"] = [f"{1994 - int(age)}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i, age in enumerate(out["age"])]
    out["record"] = [str(i // 2) for i in range(len(rows))]
    return out


def plan_of(method):
    columns = {name: {"role": "quasi-identifier", "ontology": name} for name in ("education", "marital-status", "sex")}
    plan = {"ontology": {name: f"vgh:{HIERARCHIES}/adult_hierarchy_{name}.csv" for name in columns},
            "column": columns, "mask": {"method": method, **METHODS[method]}}
    if method in ("ean", "an"):
        columns["education"]["role"] = "sensitive"
    if method in ("round", "code"):
        columns["age"] = {"role": "quasi-identifier", "type": "numeric"}
    if method == "shift":
        columns["born"] = {"role": "quasi-identifier", "type": "date"}
        plan["person"] = "record"
        columns["record"] = {"role": "identifier"}
    return plan


@pytest.fixture(scope="module")
def files(adult, tmp_path_factory):
    folder = tmp_path_factory.mktemp("adult")
    table = pyarrow.table(adult)
    with open(folder / "adult.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(adult)
        writer.writerows(zip(*adult.values()))
    pyarrow.parquet.write_table(table, folder / "adult.parquet")
    return folder


def test_every_method_is_tried():
    assert sorted(METHODS) == sorted(m["name"] for m in _core.methods())


FRAMES = [pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda table: pandas.DataFrame(table, dtype="category"),
          lambda table: pandas.DataFrame(table, dtype=object)]


@pytest.mark.parametrize("method", METHODS)
def test_a_frame_is_masked_byte_for_byte_as_a_file(method, adult, files, program, folder):
    (folder / "adult.toml").write_text(toml.document(plan_of(method)))
    program("mask", files / "adult.csv", "--plan", "adult.toml", "--seed", "s", "-o", "theirs.csv", "--quiet")
    make = FRAMES[list(METHODS).index(method) % len(FRAMES)]
    sv.mask(make(adult), "adult.toml", seed="s").write("ours.csv")
    assert (folder / "ours.csv").read_bytes() == (folder / "theirs.csv").read_bytes()


@pytest.mark.parametrize("method", ["noise", "swap", "fuse", "ean"])
def test_a_frame_is_masked_cell_by_cell_as_a_parquet_file(method, files, program, folder):
    (folder / "adult.toml").write_text(toml.document(plan_of(method)))
    program("mask", files / "adult.parquet", "--plan", "adult.toml", "--seed", "s", "-o", "theirs.parquet", "--quiet")
    ours = sv.mask(pandas.read_parquet(files / "adult.parquet"), plan_of(method), seed="s").table
    theirs = pyarrow.parquet.read_table(folder / "theirs.parquet")
    assert list(ours.columns) == theirs.column_names
    for name in theirs.column_names:
        assert ours[name].astype(str).tolist() == [str(cell) for cell in theirs[name].to_pylist()]


def test_typed_columns_are_masked_as_texts_of_them_are(adult):
    frame = pandas.DataFrame(adult).astype({"age": "int64"})
    assert frame["age"].dtype == "int64"
    texts = sv.mask(pandas.DataFrame(adult), plan_of("round"), seed="s").table
    numbers = sv.mask(frame, plan_of("round"), seed="s").table
    assert numbers["age"].dtype == "int64"
    assert numbers["age"].astype(str).tolist() == texts["age"].tolist()


def test_a_plan_that_was_made_here_is_a_plan_there(adult, files, program, folder):
    plan = sv.Plan(plan_of("noise"))
    (folder / "again.toml").write_text(plan.to_toml(folder))
    program("mask", files / "adult.csv", "--plan", "again.toml", "--seed", "s", "-o", "theirs.csv", "--quiet")
    sv.mask(pandas.DataFrame(adult), plan, seed="s").write("ours.csv")
    assert (folder / "ours.csv").read_bytes() == (folder / "theirs.csv").read_bytes()
    summary = sv.mask(pandas.DataFrame(adult), plan, seed="s").steward().to_dict()
    assert json.dumps(summary)
