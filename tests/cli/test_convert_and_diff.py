"""ontology convert, ontology diff, and parts of an ontology."""

import csv
import gzip
import itertools

import pytest

from conftest import DATA, HOBBIES

OBO = """format-version: 1.2
data-version: releases/7

[Term]
id: X:1
name: top, "quoted" {odd} ! mark

[Term]
id: X:2
name: left
synonym: "links \\"here\\"" EXACT []
synonym: "narrower" NARROW []
alt_id: X:20
xref: ICD10CM:E11.9
def: "A definition\\nin two lines." []
is_a: X:1

[Term]
id: X:3
name: right
is_a: X:1

[Term]
id: X:4
name: both
is_a: X:2
is_a: X:3
"""


def everything(semveil, source):
    """Concepts with parents and names, as `ontology tree` tells them."""
    concepts = {}
    for c in ("X:1", "X:2", "X:3", "X:4"):
        told = semveil.json("ontology", "tree", source, c)
        concepts[c] = told
    return concepts


@pytest.mark.parametrize("name, scheme", [("x.obo", ""), ("x.obo.gz", ""), ("x.csv", "edges:"),
                                          ("x.ttl", "skos:"), ("x.nt", "skos:"),
                                          ("x.rdf", "skos:"), ("x.nt.zst", "skos:")])
def test_what_was_converted_loads_to_the_same_distances(semveil, name, scheme):
    semveil.write("a.obo", OBO)
    semveil.ok("ontology", "convert", "a.obo", "-o", name)
    for measure in ("wu-palmer", "lin", "path"):
        for a, b in itertools.combinations(("X:1", "X:2", "X:3", "X:4"), 2):
            before, after = (semveil.json("distance", a, b, "--ontology", source, "--measure", measure)
                             for source in ("a.obo", scheme + name))
            assert before == after, (a, b, measure)


def test_obo_keeps_every_name(semveil):
    semveil.write("a.obo", OBO)
    semveil.ok("ontology", "convert", "a.obo", "-o", "b.obo")
    semveil.ok("ontology", "convert", "b.obo", "-o", "c.obo")
    assert semveil.read("b.obo") == semveil.read("c.obo")
    a, b = (semveil.json("ontology", "info", s) for s in ("a.obo", "b.obo"))
    for key in ("concepts", "links", "labels", "synonyms", "xrefs", "version"):
        assert a[key] == b[key]
    assert everything(semveil, "a.obo") == everything(semveil, "b.obo")


def test_it_says_what_the_format_has_no_place_for(semveil):
    semveil.write("a.obo", OBO)
    told = semveil.json("ontology", "convert", "a.obo", "-o", "x.csv")
    assert {c["what"]: c["count"] for c in told["left_out"]} == {
        "synonyms": 2, "definitions": 1, "cross-references": 1, "other ids": 1, "the version": 1}
    assert told["bytes"] == len((semveil.folder / "x.csv").read_bytes())


def test_the_ending_decides_and_the_source_is_not_overwritten(semveil):
    semveil.write("a.obo", OBO)
    assert ".obo" in semveil.fails(2, "ontology", "convert", "a.obo", "-o", "x.json")
    semveil.fails(2, "ontology", "convert", "a.obo", "-o", "a.obo")
    assert semveil.read("a.obo") == OBO


NEXT = OBO.replace("name: right", "name: right hand").replace("""
[Term]
id: X:4
name: both
is_a: X:2
is_a: X:3
""", """
[Term]
id: X:5
name: joined
alt_id: X:4
is_a: X:3
""").replace("alt_id: X:20\n", "").replace("id: X:2\nname: left\n", "id: X:2\nname: left\nis_a: X:3\n")


def test_diff_tells_new_gone_moved_and_renamed(semveil):
    semveil.write("a.obo", OBO)
    semveil.write("b.obo", NEXT)
    semveil.write("m.csv", "value,concept\none,X:4\ntwo,X:2\nthree,X:1\nfour,X:3\nfive,\n")
    told = semveil.json("ontology", "diff", "a.obo", "b.obo", "--mapping", "m.csv")
    assert told["concepts_before"] == told["concepts_after"] == 4 and told["unchanged"] == 1
    assert told["new"] == [{"id": "X:5", "label": "joined"}]
    assert told["gone"] == [{"id": "X:4", "label": "both", "replaced_by": ["X:5"]}]
    assert told["moved"] == [{"id": "X:2", "label": "left", "parents_before": ["X:1"],
                              "parents_after": ["X:1", "X:3"]}]
    assert told["renamed"] == [{"id": "X:3", "before": "right", "after": "right hand"}]
    assert told["touched"] == [
        {"value": "four", "concept": "X:3", "what": "renamed", "replaced_by": []},
        {"value": "one", "concept": "X:4", "what": "replaced", "replaced_by": ["X:5"]},
        {"value": "two", "concept": "X:2", "what": "moved", "replaced_by": []}]
    text = semveil.ok("ontology", "diff", "a.obo", "b.obo", "--mapping", "m.csv")
    assert "X:4" in text and "→ X:5" in text and "three" not in text


def test_nothing_changes_between_a_release_and_itself(semveil):
    semveil.write("a.obo", OBO)
    told = semveil.json("ontology", "diff", "a.obo", "a.obo")
    assert told["unchanged"] == 4 and "touched" not in told
    assert not told["new"] + told["gone"] + told["moved"] + told["renamed"]


def test_a_long_list_is_cut_and_says_so(semveil):
    semveil.write("b.csv", "child,parent\n" + "".join(f"c{i},a\n" for i in range(50)))
    semveil.write("a.csv", "child,parent\nb,a\n")
    text = semveil.ok("ontology", "diff", "edges:a.csv", "edges:b.csv", "--show", "5")
    assert "… 45 more" in text


def test_a_part_of_an_ontology_is_one_of_its_own(semveil):
    semveil.write("a.obo", OBO)
    assert semveil.json("ontology", "info", "a.obo?root=X:2")["concepts"] == 2
    assert semveil.json("ontology", "info", "a.obo?root=left")["concepts"] == 2
    part = semveil.json("distance", "X:2", "X:4", "--ontology", "a.obo?root=X:2")
    whole = semveil.json("distance", "X:2", "X:4", "--ontology", "a.obo", "--root", "X:2")
    assert part == whole
    semveil.ok("ontology", "snapshot", "a.obo?root=X:2", "-o", "part.svo")
    assert semveil.json("ontology", "info", "part.svo")["concepts"] == 2
    assert "X:9" in semveil.fails(1, "ontology", "info", "a.obo?root=X:9")
    semveil.fails(2, "ontology", "info", "a.obo?depth=3")
    semveil.fails(2, "ontology", "info", "a.obo?lang=de")


def test_two_releases_of_the_disease_ontology(semveil):
    doid = DATA / "doid"
    if not doid.exists():
        pytest.skip("doid in $SEMVEIL_DATA")
    old, new = doid / "doid-2016-09-01.obo.gz", doid / "doid-2024-01-31.obo.gz"
    told = semveil.json("ontology", "diff", str(old), str(new))
    assert told["concepts_before"] == 6971 and told["concepts_after"] == 11501
    both = told["concepts_before"] - len(told["gone"])
    assert both == told["concepts_after"] - len(told["new"])
    changed = {c["id"] for c in told["moved"]} | {c["id"] for c in told["renamed"]}
    assert told["unchanged"] == both - len(changed)


def test_a_part_of_wordnet_keeps_the_numbers_of_senses(wordnet):
    part = wordnet.json("ontology", "tree", "wordnet?root=00015388-n", "dog.n.01")
    assert part["id"] == "02084071-n"
