"""Ontologies whose values are individuals without labels, as people make them for one table."""

import re

import pytest

from clinic import parsed

HEAD = """<?xml version="1.0"?>
<rdf:RDF xmlns="http://example.org/people#" xml:base="http://example.org/people"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<owl:Ontology rdf:about="http://example.org/people"/>
"""
GENDERS = ["Male", "Female"]
JOBS = {"Craft": ["Baker", "Tailor", "Carpenter", "Smith"], "Care": ["Nurse", "Doctor", "Midwife"],
        "Office": ["Clerk", "Lawyer", "Accountant", "Teller"], "Field": ["Farmer", "Shepherd", "Gardener"]}


def ontology():
    text = HEAD
    for name, above in [("Attribute", None), ("Gender", "Attribute"), ("Job", "Attribute"),
                        *((job, "Job") for job in JOBS)]:
        inside = f'<rdfs:subClassOf rdf:resource="#{above}"/>' if above else ""
        text += f'<owl:Class rdf:about="#{name}">{inside}</owl:Class>\n'
    for value, of in [(g, "Gender") for g in GENDERS] + [(v, j) for j, vs in JOBS.items() for v in vs]:
        text += f'<owl:NamedIndividual rdf:about="#{value}"><rdf:type rdf:resource="#{of}"/></owl:NamedIndividual>\n'
    return text + "</rdf:RDF>\n"


VALUES = [v for vs in JOBS.values() for v in vs]
PLAN = """seed = "s"
[ontology.people]
source = "people.owl"
[column.gender]
role = "quasi-identifier"
ontology = "people"
root = "Gender"
[column.job]
role = "quasi-identifier"
ontology = "people"
root = "Job"
[mask]
"""


@pytest.fixture
def people(semveil):
    semveil.write("people.owl", ontology())
    semveil.write("table.csv", "gender,job,n\n" + "".join(
        f"{GENDERS[i % 2]},{VALUES[i * i % len(VALUES)]},{i}\n" for i in range(80)))
    return semveil


def test_individuals_map_by_the_last_part_of_their_iri(people):
    for column, distinct in (("gender", 2), ("job", len(set(i * i % len(VALUES) for i in range(80))))):
        result = people.json("map", "table.csv", "--column", column, "--ontology", "people.owl")
        assert (result["mapped"], result["unmapped"], result["distinct"]) == (80, 0, distinct)
        assert "why" not in result
    tree = people.ok("ontology", "tree", "people.owl", "Gender")
    assert "Male" in tree and "Female" in tree
    info = people.json("ontology", "info", "people.owl")
    assert {"what": "individuals", "count": 16} in info["contents"]


@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.5', 'method = "swap"\nk = 4',
                                    'method = "generalize"\nk = 4', 'method = "microaggregate"\nk = 4',
                                    'method = "fuse"\nk = 4'])
def test_no_iri_is_written_where_the_cells_had_words(people, method):
    people.write("plan.toml", PLAN + method + "\n")
    people.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    out = parsed(people.read("out.csv"))
    assert set(out["gender"]) <= {"Male", "Female", "Gender"}
    assert set(out["job"]) <= {*VALUES, *JOBS, "Job"}


def test_iris_stay_iris_where_most_cells_are(people):
    people.write("table.csv", "gender,job,n\n" + "".join(
        f"http://example.org/people#{GENDERS[i % 2]},{VALUES[i % len(VALUES)]},{i}\n" for i in range(40)))
    people.write("plan.toml", PLAN + 'method = "noise"\nalpha = 0.5\n')
    people.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    out = parsed(people.read("out.csv"))
    assert all(c.startswith("http://example.org/people#") for c in out["gender"])
    assert not any("http" in c for c in out["job"])


# ---- Why nothing matched ------------------------------------------------------------------------

def why(program, values, *more, source="people.owl"):
    program.write("other.csv", "c,n\n" + "".join(f"{v},1\n" for v in values))
    arguments = ["map", "other.csv", "--column", "c", "--ontology", source, *more]
    reasons = program.json(*arguments)["why"]
    text = " ".join(program.ok(*arguments).split())
    text = re.sub(r" \(--[^)]*\)", "", text)  # the options that the command line adds
    assert "Nothing matched:" in text and all(" ".join(r.split()) in text for r in reasons)
    return reasons


def test_what_the_ontology_has_is_told(people):
    (reason,) = why(people, ["M", "W"])
    assert "7 classes, 16 individuals" in reason and "no label" in reason
    assert "\"Accountant\"" in reason


def test_values_outside_the_root_are_told(people):
    (reason,) = why(people, ["Baker", "Smith"], "--root", "Gender")
    assert "2 of 2 values are known" in reason and "leave the root of the domain out" in reason
    told = people.ok("map", "other.csv", "--column", "c", "--ontology", "people.owl", "--root", "Gender")
    assert "leave the root of the domain (--root) out" in " ".join(told.split())


def test_names_in_another_language_are_told(people):
    people.write("liver.ttl", '@prefix owl: <http://www.w3.org/2002/07/owl#> .\n'
                 '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n'
                 '<http://x#a> a owl:Class ; rdfs:label "liver"@en, "Leber"@de .\n')
    reasons = why(people, ["Leber"], source="owl:liver.ttl")
    assert any("1 names in other languages" in r and "lang=" in r for r in reasons)
    assert people.json("map", "other.csv", "--column", "c", "--ontology", "owl:liver.ttl?lang=de")["mapped"] == 1


def test_codes_of_another_ontology_are_told(people):
    people.write("d.obo", "format-version: 1.2\n\n[Term]\nid: D:1\nname: flu\nxref: ICD10CM:J11\n")
    reasons = why(people, ["J11", "J12"], source="obo:d.obo")
    assert "1 of 2 values" in reasons[0] and "cross-references" in reasons[0]
    assert people.json("map", "other.csv", "--column", "c", "--ontology", "obo:d.obo", "--via", "xref")["mapped"] == 1
    reasons = why(people, ["E11.9", "I10"])
    assert "2 of 2 values are built like codes" in reasons[0]


def test_where_something_matches_nothing_is_explained(people):
    people.write("other.csv", "c,n\nMale,1\nM,2\n")
    arguments = ["map", "other.csv", "--column", "c", "--ontology", "people.owl"]
    assert "why" not in people.json(*arguments)
    assert "Nothing matched" not in people.ok(*arguments)
