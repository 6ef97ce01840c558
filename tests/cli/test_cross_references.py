"""Codes of one ontology mapped into another: --via and the plan's via."""

import csv
import gzip
import io
import json

import pytest

from conftest import DATA

DISEASES = """format-version: 1.2

[Term]
id: D:1
name: disease

[Term]
id: D:2
name: diabetes
xref: SNOMEDCT_US_2023_03_01:73211009
xref: ICD10CM:E10.9
xref: ICD10CM:E11.9
is_a: D:1

[Term]
id: D:3
name: type 2 diabetes
xref: SNOMEDCT_US_2023_03_01:44054006
xref: ICD10CM:E11.9
is_a: D:2

[Term]
id: D:4
name: influenza
xref: SNOMEDCT_US_2023_03_01:6142004
xref: OMIM:44054006
is_a: D:1
"""


@pytest.fixture
def clinic(semveil):
    semveil.write("d.obo", DISEASES)
    return semveil


def values_of(clinic, table, via, *more):
    clinic.write("t.csv", table)
    result = clinic.json("map", "t.csv", "--column", "code", "--ontology", "d.obo", "--via", via,
                         *more)
    return {v["value"]: (v["how"], v["senses"]) for v in result["values"]}, result


def test_codes_lead_to_the_concepts_that_refer_to_them(clinic):
    values, result = values_of(clinic, "code\n44054006\n73211009\n99999\n6142004\n6142004\n",
                               "xref:snomedct")
    assert values == {"44054006": ("xref", ["D:3"]), "73211009": ("xref", ["D:2"]),
                      "6142004": ("xref", ["D:4"]), "99999": ("unmapped", [])}
    assert result["how"]["xref"] == {"values": 3, "records": 4}
    assert result["how"]["unmapped"] == {"values": 1, "records": 1}


def test_without_a_source_every_one_counts_and_a_cell_may_name_its_own(clinic):
    values, _ = values_of(clinic, "code\n44054006\nSNOMEDCT:44054006\nOMIM:44054006\nX:44054006\n",
                          "xref")
    assert values["44054006"] == ("xref", ["D:3", "D:4"])
    assert values["SNOMEDCT:44054006"] == ("xref", ["D:3"])
    assert values["OMIM:44054006"] == ("xref", ["D:4"])
    assert values["X:44054006"] == ("unmapped", [])


def test_codes_with_and_without_dots_are_one_and_several_concepts_are_senses(clinic):
    values, _ = values_of(clinic, "code\nE11.9\ne119\nE10.9\n", "xref:ICD10CM")
    assert values == {"E11.9": ("xref", ["D:2", "D:3"]), "e119": ("xref", ["D:2", "D:3"]),
                      "E10.9": ("xref", ["D:2"])}


def test_a_file_of_two_columns_serves_as_well(clinic):
    clinic.write("m.csv", "local,doid\nA1,D:2\nA1,influenza\nb.2,D:3\n")
    values, _ = values_of(clinic, "code\nA1\nB2\nC\n", "m.csv")
    assert values == {"A1": ("xref", ["D:2", "D:4"]), "B2": ("xref", ["D:3"]),
                      "C": ("unmapped", [])}


@pytest.mark.parametrize("content, place, words", [
    ("code,concept\nA1,D:9\n", "m.csv:2", "no concept"),
    ("code,concept\n,D:2\n", "m.csv:2", "the code is empty"),
    ("code,concept,more\nA1,D:2,x\n", "m.csv:1", "two were expected"),
    ("code,concept\n", "m.csv", "no line in it"),
])
def test_a_wrong_file_is_refused_with_its_line(clinic, content, place, words):
    clinic.write("m.csv", content)
    clinic.write("t.csv", "code\nA1\n")
    error = clinic.fails(1, "map", "t.csv", "--column", "code", "--ontology", "d.obo", "--via",
                         "m.csv")
    assert place in error and words in error


def test_an_ontology_without_such_references_says_so(clinic):
    clinic.write("t.csv", "code\nA1\n")
    error = clinic.fails(1, "map", "t.csv", "--column", "code", "--ontology", "d.obo", "--via",
                         "xref:MESH")
    assert "MESH" in error
    clinic.fails(1, "map", "t.csv", "--column", "code", "--ontology", "edges:hobbies.csv", "--via",
                 "xref")


PLAN = """seed = "s"
[ontology.disease]
source = "d.obo"
[column.code]
role = "quasi-identifier"
ontology = "disease"
via = "{via}"
unmapped = "suppress"
[mask]
method = "noise"
alpha = 0.2
"""


@pytest.mark.parametrize("via", ["xref:SNOMEDCT", "m.csv"])
def test_a_plan_masks_and_its_model_maps_alike(clinic, via):
    clinic.write("m.csv", "code,concept\n44054006,D:3\n73211009,D:2\n6142004,D:4\n")
    clinic.write("t.csv", "code\n" + "44054006\n73211009\n6142004\n6142004\n99\n" * 20)
    clinic.write("p.toml", PLAN.format(via=via))
    result = clinic.json("mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")
    assert result["columns"]["code"]["unmapped"] == 0
    cells = [cell.strip('"') for cell in clinic.read("out.csv").splitlines()[1:]]
    # A column that came as codes leaves as ids of the ontology.
    assert set(cells) <= {"D:1", "D:2", "D:3", "D:4", ""} and cells.count("") == 20
    clinic.ok("fit", "t.csv", "--plan", "p.toml", "-o", "model")
    clinic.ok("apply", "t.csv", "--model", "model", "-o", "again.csv")
    assert clinic.read("again.csv") == clinic.read("out.csv")
    clinic.write("new.csv", "code\n44054006\n")
    clinic.ok("apply", "new.csv", "--model", "model", "--release", "2", "-o", "new.out.csv")
    assert clinic.read("new.out.csv").splitlines()[1].startswith("D:")


@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.3', 'method = "swap"\nk = 20',
                                    'method = "fuse"\nk = 5'])
def test_synthea_conditions_go_through_the_disease_ontology(semveil, method):
    folder = DATA / "synthea/california-2202"
    if not folder.exists() or not (DATA / "doid").exists():
        pytest.skip("synthea and doid in $SEMVEIL_DATA")
    with gzip.open(folder / "conditions.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    semveil.write("t.csv", "code\n" + "".join(row["CODE"] + "\n" for row in rows))
    doid = DATA / "doid/doid-2016-09-01.obo.gz"
    mapped = semveil.json("map", "t.csv", "--column", "code", "--ontology", str(doid), "--via",
                          "xref:SNOMEDCT")
    assert mapped["records"] == 20512 and mapped["distinct"] == 136
    covered = mapped["how"]["xref"]
    # 16 of the codes are in the release of 2024, 38 in both together.
    assert 22 <= covered["values"] <= 38 and 2000 <= covered["records"] <= 4967
    semveil.write("p.toml", f"""seed = "s"
[ontology.disease]
source = "{doid}"
[column.code]
role = "quasi-identifier"
ontology = "disease"
via = "xref:SNOMEDCT"
unmapped = "suppress"
[mask]
{method}
""")
    result = semveil.json("mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")
    cells = semveil.read("out.csv").splitlines()[1:]
    assert len(cells) == 20512
    before = semveil.json("describe", "t.csv", "--plan", "p.toml")
    assert before["columns"]["code"]["unmapped"] == 20512 - covered["records"]
    assert result["changed"] > 0


def test_sources_of_another_name_are_not_meant(clinic):
    clinic.write("d.obo", DISEASES.replace("xref: OMIM:44054006", "xref: ICD10:E11.9"))
    values, _ = values_of(clinic, "code\nE11.9\nICD10:E11.9\nICD10CM:E11.9\n", "xref:ICD10")
    assert values == {"E11.9": ("xref", ["D:4"]), "ICD10:E11.9": ("xref", ["D:4"]),
                      "ICD10CM:E11.9": ("unmapped", [])}


def test_only_codes_like_those_of_icd_lose_their_dot(clinic):
    clinic.write("m.csv", "code,concept\n1.1.1.10,D:2\n1.1.11.0,D:3\n250.0,D:4\n")
    values, _ = values_of(clinic, "code\n1.1.1.10\n1.1.11.0\n11110\n2500\n25.00\n", "m.csv")
    assert values == {"1.1.1.10": ("xref", ["D:2"]), "1.1.11.0": ("xref", ["D:3"]),
                      "11110": ("unmapped", []), "2500": ("xref", ["D:4"]),
                      "25.00": ("unmapped", [])}


def test_a_file_without_a_header_does_not_lose_its_first_line(clinic):
    clinic.write("m.csv", "A1,D:2\nA2,D:3\n")
    clinic.write("t.csv", "code\nA1\n")
    error = clinic.fails(1, "map", "t.csv", "--column", "code", "--ontology", "d.obo", "--via",
                         "m.csv")
    assert "m.csv:1" in error and "header" in error


def test_ids_that_masking_writes_are_read_back_as_they_are(clinic):
    """A code of the file that is the number of another concept's id."""
    clinic.write("m.csv", "code,concept\n3,D:2\n2,D:4\n4,D:3\n")
    clinic.write("t.csv", "code\n" + "3\n2\n4\n4\n" * 20)
    clinic.write("p.toml", PLAN.format(via="m.csv").replace("alpha = 0.2", "alpha = 0.5")
                 .replace('ontology = "disease"\n', 'ontology = "disease"\nroot = "D:1"\n'))
    result = clinic.json("mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")
    audit = clinic.json("audit", "t.csv", "out.csv", "--plan", "p.toml",
                        *clinic.in_order("t.csv"))
    assert result["columns"]["code"]["domain"]["concepts"] == 4
    assert audit["columns"]["code"]["rmse"] == pytest.approx(result["columns"]["code"]["rmse"],
                                                             abs=1e-9)
