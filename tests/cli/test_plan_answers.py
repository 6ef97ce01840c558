"""semveil plan on ten tables, beside answers that were written before it existed (tests/propose/answers.txt): 90 % of the
columns are right for roles, for types and for ontologies, each counted apart, and no identifier is missed."""

import gzip
import pathlib

import pytest

from conftest import PROJECT, data_file

ADULT = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
         "capital-loss,hours-per-week,native-country,income\n")
KINDS = {"zip": "postcode", "snomed": "snomed", "icd-9": "icd-9", "icd-10": "icd-10", "mesh": "mesh"}
# The misses, and why they stay.
KNOWN = {
    ("adult/adult.data.gz", "age", "ontology"): "numbers have no ontology in a plan; intervals serve them",
    ("adult/adult.data.gz", "hours-per-week", "role"): "working hours count as work, which colleagues know",
    ("synthea/ohdsi-small/encounters.csv.gz", "ENCOUNTERCLASS", "role"): "what was done is secret rather than known",
    ("synthea/ohdsi-small/encounters.csv.gz", "BASE_ENCOUNTER_COST", "role"): "costs are money",
    ("synthea/california-2202/patients.csv.gz", "ETHNICITY", "ontology"): "WordNet knows 23 of its 24 words",
    **{(f"synthea/{table}.csv.gz", column, "ontology"): "the Disease Ontology knows less than half of it by name"
       for table, column in [("california-2202/careplans", "REASONDESCRIPTION"), ("california-2202/conditions", "DESCRIPTION"),
                             ("ohdsi-small/encounters", "REASONDESCRIPTION"), ("ohdsi-small/procedures", "REASONDESCRIPTION")]},
}


def answers():
    tables = {}
    for line in (PROJECT / "tests/propose/answers.txt").read_text().splitlines():
        if not line.startswith("#"):
            table, *answer = line.split("\t")
            tables.setdefault(table, []).append(answer)
    return tables


def file_of(program, table):
    if table.startswith("samples/"):
        return str(PROJECT / table)
    path = data_file(table)
    if not table.startswith("adult/"):
        return path
    with gzip.open(path, "rt") as lines:  # it has no line of names
        program.write("adult.csv", ADULT + "".join(line.replace(", ", ",") for line in lines if line.strip()))
    return "adult.csv"


def given():
    hierarchies = sorted(pathlib.Path(data_file("arx-hierarchies/README.md")).parent.glob("*.csv"))
    sources = [f"{path.stem}=vgh:{path}" for path in hierarchies]
    sources.append("doid=obo:" + data_file("doid/doid-2024-01-31.obo.gz"))
    sources.append("snomed=rf2:" + data_file("snomed-rf2-sample"))
    return [word for source in sources for word in ("--ontology", source)]


def found_ontology(column):
    if column["ontology"] is not None:
        name = column["ontology"]["ontology"]
        return {"words": "wordnet"}.get(name, name)
    return column["wanted"] or "none"


@pytest.fixture(scope="module")
def misses(wordnet):
    out, count = set(), 0
    for table, columns in answers().items():
        found = wordnet.json("plan", file_of(wordnet, table), *given(), "--no-method", "--no-cache")["columns"]
        assert [column["name"] for column in found] == [answer[0] for answer in columns], table
        for column, (name, role, kind, codes, ontology) in zip(found, columns):
            count += 1
            right = {"role": column["role"] == role,
                     "type": column["type"] == kind and (codes == "-" or column["kind"] == KINDS[codes]),
                     "ontology": found_ontology(column) == ontology.removesuffix(".csv")}
            out |= {(table, name, what) for what, is_right in right.items() if not is_right}
            assert role != "identifier" or column["role"] == "identifier", f"{table}: {name} is missed"
    return out, count


@pytest.mark.parametrize("what", ["role", "type", "ontology"])
def test_nine_of_ten_columns_are_right(misses, what):
    wrong = [miss for miss in misses[0] if miss[2] == what]
    assert misses[1] == 130
    assert len(wrong) <= 0.1 * misses[1], wrong


def test_every_miss_is_explained(misses):
    assert misses[0] == set(KNOWN)
