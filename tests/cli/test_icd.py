"""ICD-9-CM and ICD-10-CM: both forms of each, and codes as people write them."""

import pytest

from conftest import data_file

DIABETES = """<?xml version="1.0"?>
<ICD10CM.tabular>
<version>2021</version>
<chapter>
<name>4</name>
<desc>Endocrine diseases (E00-E89)</desc>
<section id="E08-E13">
<desc>Diabetes mellitus (E08-E13)</desc>
<diag><name>E11</name><desc>Type 2 diabetes mellitus</desc>
<diag><name>E11.37</name><desc>Diabetic macular edema</desc>
<sevenChrDef><extension char="1">right eye</extension></sevenChrDef></diag>
<diag><name>E11.9</name><desc>Type 2 diabetes without complications</desc>
<inclusionTerm><note>Sugar</note></inclusionTerm></diag>
</diag>
</section>
</chapter>
</ICD10CM.tabular>
"""
CHOLERA = """node_id,parent_id,level,label
ICD9CM,,root,ICD-9-CM diagnoses
001,ICD9CM,category,Cholera
0011,001,subcategory,Cholera el tor
011,ICD9CM,category,Pulmonary tuberculosis
042,ICD9CM,category,HIV disease
"""


def mapped(program, source, values):
    program.write("table.csv", "code,n\n" + "".join(f'"{v}",1\n' for v in values))
    result = program.json("map", "table.csv", "--column", "code", "--ontology", source)
    return result, {v["value"]: (v["how"], v["senses"]) for v in result["values"]}


def test_codes_of_icd10_map_however_they_are_written(semveil):
    semveil.write("diabetes.xml", DIABETES)
    spellings = ["E119", "e11.9", " E11.9 ", "E11.9†", "E11.9+", "E11.9*", "E11.9!", "E11.9-"]
    result, values = mapped(semveil, "icd10cm:diabetes.xml",
                            ["E11.9", *spellings, "E11.-", "e1137x1", "Sugar", "E11.95", "E1.19"])
    assert values["E11.9"] == ("id", ["E11.9"])
    for spelling in spellings:
        assert values[spelling] == ("code", ["E11.9"]), spelling
    assert values["E11.-"] == ("code", ["E11"])
    assert values["e1137x1"] == ("code", ["E11.37X1"])
    assert values["Sugar"] == ("synonym", ["E11.9"])
    assert values["E11.95"] == ("unmapped", []) and values["E1.19"] == ("unmapped", [])
    assert result["how"]["code"] == {"values": 10, "records": 10}
    assert (result["mapped"], result["unmapped"]) == (12, 2)
    guess = next(v for v in result["values"] if v["value"] == "E11.95")["suggestions"]
    assert guess[0] == {"text": "E11.9", "id": "E11.9"}
    assert ["code", "10", "10"] in [
        line.split()[:3] for line in semveil.ok("map", "table.csv", "--column", "code", "--ontology",
                                                "icd10cm:diabetes.xml").splitlines()]


def test_codes_of_icd9_that_lost_their_zeros_are_ambiguous_where_two_fit(semveil):
    semveil.write("cholera.csv", CHOLERA)
    _, values = mapped(semveil, "icd9cm:cholera.csv", ["42", "1.1", "11", "001.1", "4.2"])
    assert values == {"42": ("code", ["042"]), "1.1": ("code", ["0011"]),
                      "11": ("code", ["0011", "011"]), "001.1": ("code", ["0011"]),
                      "4.2": ("unmapped", [])}
    message = semveil.fails(1, "ontology", "tree", "icd9cm:cholera.csv", "11")
    assert "means 2 concepts" in message and "0011 Cholera el tor" in message


def test_a_mapping_file_says_how_and_reads_back(semveil):
    semveil.write("diabetes.xml", DIABETES)
    semveil.write("table.csv", "code\ne119\n")
    arguments = ["map", "table.csv", "--column", "code", "--ontology", "icd10cm:diabetes.xml"]
    semveil.ok(*arguments, "-o", "mapping.csv")
    assert "e119,1,E11.9,Type 2 diabetes without complications,code,E11.9," in \
        semveil.read("mapping.csv")
    value, = semveil.json(*arguments, "--mapping", "mapping.csv")["values"]
    assert (value["how"], value["concept"]["id"]) == ("file", "E11.9")


@pytest.mark.parametrize("text", ["E11.9", "e119", "E11.9*"])
def test_a_concept_on_the_command_line_may_be_such_a_code(semveil, text):
    semveil.write("diabetes.xml", DIABETES)
    assert semveil.json("ontology", "tree", "icd10cm:diabetes.xml", text)["id"] == "E11.9"


def test_a_snapshot_understands_codes_as_its_source_does(semveil):
    semveil.write("diabetes.xml", DIABETES)
    semveil.ok("ontology", "snapshot", "icd10cm:diabetes.xml", "-o", "d.svo", "--quiet")
    assert semveil.json("ontology", "tree", "d.svo", "e119")["id"] == "E11.9"


def test_a_part_of_the_ontology_is_named_by_a_section(semveil):
    semveil.write("diabetes.xml", DIABETES)
    assert semveil.json("ontology", "info", "icd10cm:diabetes.xml?root=E08-E13")["concepts"] == 5


def test_errors_name_file_and_line(semveil):
    semveil.write("twice.xml", DIABETES.replace("E11.37", "E11.9"))
    message = semveil.fails(1, "ontology", "info", "icd10cm:twice.xml")
    assert "twice.xml:12: " in message and "line 10" in message
    semveil.write("odd.csv", CHOLERA.replace("001,ICD9CM", "001,ICD10"))
    assert "odd.csv:3: " in semveil.fails(1, "ontology", "info", "icd9cm:odd.csv")


@pytest.mark.parametrize("source, concepts, roots, contents", [
    ("icd10cm:icd10cm/icd10cm_tabular_2021.xml.gz", 95664, 22,
     {"chapters": 22, "sections": 296, "diagnoses": 45017, "inclusion terms": 11617,
      "seventh-character codes": 50341}),
    ("icd10cm:icd10cm/icd10cm-order-Jan-2021.txt.gz", 95358, 1911,
     {"codes": 95358, "categories": 1911, "billable codes": 72621}),
    ("icd9cm:icd9cm/icd9cm_tree.csv.gz", 17731, 1, {"chapters": 19, "sub-chapters": 150}),
    ("icd9cm:icd9cm/icd9cm_hierarchy.csv.gz", 17731, 1, {"chapters": 19, "billable codes": 14567}),
])
def test_the_published_files_are_counted_right(semveil, source, concepts, roots, contents):
    scheme, path = source.split(":")
    info = semveil.json("ontology", "info", f"{scheme}:{data_file(path)}")
    assert (info["concepts"], info["roots"], info["multi_parent"]) == (concepts, roots, 0)
    counted = {c["what"]: c["count"] for c in info["contents"]}
    assert {what: counted[what] for what in contents} == contents
