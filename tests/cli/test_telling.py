"""Columns that are released as they are and tell what another one hides."""

import csv
import gzip
import io

import pytest

from clinic import LEAVES, PLAN, prepare
from conftest import data_file

WARNING = "Not masked, and tells what is masked: "


def title(diagnosis):
    return f'"{diagnosis}, so called ""{diagnosis.lower()}"""'


def table(count=200):
    lines = ["id,diagnosis,title,area,same"]
    for i in range(count):
        diagnosis = LEAVES[(i * i + i // 7) % len(LEAVES)]
        lines.append(f"{i},{diagnosis},{title(diagnosis)},{i % 5},x")
    return "\n".join(lines) + "\n"


@pytest.fixture
def clinic(semveil):
    prepare(semveil)
    semveil.write("table.csv", table())
    return semveil


def mask(program, *more, table="table.csv", out="out.csv", **how):
    return program.json("mask", table, "--plan", "plan.toml", "-o", out, *more, **how)


def one_line(text):
    return " ".join(text.split())


def test_a_title_tells_its_code_and_ids_and_constants_do_not(clinic):
    assert mask(clinic)["tells"] == {"title": [{"column": "diagnosis", "records": 1}]}
    text = one_line(clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"))
    assert f"{WARNING}title tells diagnosis in 100.00 % of the records." in text
    assert not any(leaf.lower() in text.lower().split("column diagnosis")[0] for leaf in LEAVES)


def test_a_column_that_is_dropped_or_masked_tells_nothing(clinic):
    for rest in ('[column.title]\nrole = "identifier"\n', None):
        clinic.write("plan.toml", PLAN + rest if rest else 'undeclared = "drop"\n' + PLAN)
        assert mask(clinic)["tells"] == {}
        assert WARNING not in clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")


def test_a_sensitive_column_that_is_not_masked_is_released_too(clinic):
    clinic.write("plan.toml", PLAN + '[column.title]\nrole = "sensitive"\n')
    assert mask(clinic)["tells"]["title"][0]["column"] == "diagnosis"


def test_fit_says_so_before_a_model_is_used_and_apply_does_not_look(clinic):
    given = ("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model")
    assert clinic.json(*given)["tells"] == {"title": [{"column": "diagnosis", "records": 1}]}
    assert one_line(clinic.ok(*given)).startswith(f"WARNING {WARNING}title tells diagnosis")
    assert clinic.json("apply", "table.csv", "--model", "m.model", "-o", "out.csv")["tells"] is None


def test_standard_input_and_other_formats_are_looked_at_alike(clinic):
    told = mask(clinic)["tells"]
    assert mask(clinic, table="-", stdin=table())["tells"] == told
    clinic.write("table.csv.gz", gzip.compress(table().encode()))
    assert mask(clinic, "--batch-rows", "3", table="table.csv.gz")["tells"] == told
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: run scripts/setup")
    import pyarrow.parquet as parquet
    columns = {name: [row[name] for row in csv.DictReader(io.StringIO(table()))]
               for name in ("id", "diagnosis", "title", "area")}
    # Lists have no text: nobody looks at them, and the others are looked at all the same.
    columns["marks"] = [[1, 2]] * 200
    parquet.write_table(pyarrow.table(columns), clinic.folder / "table.parquet")
    assert mask(clinic, table="table.parquet", out="out.parquet")["tells"] == told


def test_with_the_summary_on_standard_error_the_warning_is_there(clinic):
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "-")
    assert done.returncode == 0 and WARNING in one_line(done.stderr) and WARNING not in done.stdout
    assert clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet") == ""


def test_descriptions_of_synthea_tell_their_codes(semveil):
    conditions = data_file("synthea/california-2202/conditions.csv.gz")
    with gzip.open(conditions, "rt") as file:
        codes = sorted({row["CODE"] for row in csv.DictReader(file)})
    semveil.write("codes.csv", "child,parent\n" + "".join(f"{c},g{int(c) % 9}\n" for c in codes) +
                  "".join(f"g{i},all\n" for i in range(9)))
    semveil.write("plan.toml", """
[ontology.codes]
source = "edges:codes.csv"
[column.CODE]
role = "quasi-identifier"
ontology = "codes"
[mask]
method = "noise"
alpha = 0.5
""")
    told = mask(semveil, table=conditions)["tells"]
    assert list(told) == ["DESCRIPTION"]
    assert told["DESCRIPTION"][0]["column"] == "CODE" and told["DESCRIPTION"][0]["records"] > 0.99
