"""semveil ontology info, search, tree; and what is wrong with an ontology's file."""

import gzip

import pytest

# What others rely on; more keys may stand beside them.
INFO_KEYS = {"concepts", "links", "roots", "max_depth", "multi_parent", "labels", "load_ms"}


def test_info_counts_without_the_virtual_root(semveil):
    info = semveil.json("ontology", "info", "edges:hobbies.csv")
    assert INFO_KEYS <= info.keys()
    load_ms = info["load_ms"]
    assert isinstance(load_ms, (int, float)) and load_ms >= 0
    assert {key: info[key] for key in INFO_KEYS - {"load_ms"}} == {
        "concepts": 6, "links": 4, "roots": 2, "max_depth": 2, "multi_parent": 0, "labels": 6}


def test_info_counts_links_once_and_concepts_with_several_parents(semveil):
    semveil.write("dag.csv", "child,parent\na,root\nb,root\nc,a\nc,b\nc,a\n")
    info = semveil.json("ontology", "info", "edges:dag.csv")
    assert (info["links"], info["multi_parent"], info["roots"], info["max_depth"]) == (4, 1, 1, 3)
    assert {"what": "repeated links", "count": 1} in info["left_out"]


def test_info_says_the_same_to_people(semveil):
    lines = semveil.ok("ontology", "info", "edges:hobbies.csv").splitlines()
    assert lines[0].startswith("edges:hobbies.csv")
    figures = {" ".join(line.split()[:-1]): line.split()[-1] for line in lines if line[:2] == "  "}
    assert figures["concepts"] == "6" and figures["is-a links"] == "4" and figures["roots"] == "2"


def test_an_obo_file_is_known_by_its_ending_also_when_packed(semveil):
    obo = ("format-version: 1.2\n\n[Term]\nid: X:1\nname: disease\n\n"
           "[Term]\nid: X:2\nname: flu\nsynonym: \"grippe\" EXACT []\nis_a: X:1 ! disease\n\n"
           "[Term]\nid: X:3\nname: old\nis_obsolete: true\n")
    semveil.write("small.obo", obo)
    semveil.write("small.obo.gz", gzip.compress(obo.encode()))
    for source in ("small.obo", "obo:small.obo", "small.obo.gz"):
        info = semveil.json("ontology", "info", source)
        assert (info["concepts"], info["links"], info["labels"]) == (2, 1, 3)
    tree = semveil.json("ontology", "tree", "small.obo", "grippe")
    assert (tree["id"], tree["label"], tree["synonyms"]) == ("X:2", "flu", ["grippe"])


def test_a_generalisation_hierarchy_is_an_ontology(semveil):
    semveil.write("ages.csv", "34;30-39;*\n35;30-39;*\n47;40-49;*\n")
    info = semveil.json("ontology", "info", "vgh:ages.csv")
    assert (info["concepts"], info["links"], info["roots"], info["max_depth"]) == (6, 5, 1, 3)


def test_search_puts_the_equal_name_first(semveil):
    semveil.write("names.csv", "child,parent\nrun,sport\nprune,sport\nrunning,sport\n")
    found = semveil.json("ontology", "search", "edges:names.csv", "run")
    assert found.keys() == {"text", "hits"} and found["text"] == "run"
    assert [hit["id"] for hit in found["hits"]] == ["run", "running", "prune"]
    assert {"id", "label", "matched", "depth", "definition"} == found["hits"][0].keys()
    assert found["hits"][0]["depth"] == 2


def test_search_shows_one_line_for_each_concept_and_says_when_there_may_be_more(semveil):
    lines = semveil.ok("ontology", "search", "edges:hobbies.csv", "running").splitlines()
    assert len(lines) == 2 and lines[0].startswith("run ") and lines[1].startswith("run2 ")
    shown = semveil.ok("ontology", "search", "edges:hobbies.csv", "running", "--limit", "1")
    assert len(shown.splitlines()) == 2 and "--limit" in shown


def test_search_without_a_hit_is_no_failure(semveil):
    assert semveil.json("ontology", "search", "edges:hobbies.csv", "xyzzy")["hits"] == []
    assert "xyzzy" in semveil.ok("ontology", "search", "edges:hobbies.csv", "xyzzy")


def test_tree_shows_parents_children_and_depth(semveil):
    assert semveil.json("ontology", "tree", "edges:nervous.csv", "Coma") == {
        "id": "Coma", "label": "Coma", "depth": 2, "definition": "", "synonyms": [],
        "parents": [{"id": "Disorder of nervous system", "label": "Disorder of nervous system"}],
        "children": [{"id": "Hepatic coma", "label": "Hepatic coma"},
                     {"id": "Hypoglycemic coma", "label": "Hypoglycemic coma"}],
        "descendants": 2}


def test_tree_draws_the_way_from_the_root(semveil):
    assert semveil.ok("ontology", "tree", "edges:nervous.csv", "Coma").splitlines()[:4] == [
        "Disorder of nervous system (Disorder of nervous system)",
        "└─ Coma (Coma)   depth 2",
        "   ├─ Hepatic coma (Hepatic coma)",
        "   └─ Hypoglycemic coma (Hypoglycemic coma)"]


def test_tree_shows_the_virtual_root_without_an_id(semveil):
    tree = semveil.json("ontology", "tree", "edges:hobbies.csv", "sport")
    assert tree["parents"] == [{"id": None, "label": "(top)"}] and tree["depth"] == 2
    assert semveil.ok("ontology", "tree", "edges:hobbies.csv", "sport").startswith("(top)\n")


def test_tree_goes_as_deep_and_wide_as_asked(semveil):
    def shown(*more):
        return semveil.ok("ontology", "tree", "edges:nervous.csv", "Disorder of nervous system", *more)

    assert "Hepatic coma" not in shown() and "2 right below" in shown()
    assert "Hepatic coma" in shown("--levels", "2")
    assert "├─" not in shown("--levels", "0")
    assert "1 more" in shown("--limit", "1")


def test_tree_of_an_ambiguous_name_lists_the_concepts(semveil):
    message = semveil.fails(1, "ontology", "tree", "edges:hobbies.csv", "Running")
    assert '"Running"' in message and "2 concepts" in message and "use the id" in message
    assert "\n  run Running" in message and "\n  run2 Running" in message


def test_tree_of_an_unknown_name_suggests_near_ones(semveil):
    message = semveil.fails(1, "ontology", "tree", "edges:hobbies.csv", "Skying")
    assert '"Skying"' in message and "\n  ski Skiing" in message


@pytest.mark.parametrize("content, line, named", [
    ("child,parent\na,b\nc\n", 3, "2 or 3"),
    ("child,parent\na,b,c,d\n", 2, "2 or 3"),
    ("child,parent\na,b\nself,self\n", 3, '"self"'),
    ("child,parent,label\na,b,one\na,c,two\n", 3, '"two"'),
    ("child,parent\na,b\n,b\n", 3, "the child is empty"),
    ("child,parent\n\"a\nb\",c\nd\n", 4, "2 or 3"),
], ids=["one field", "four fields", "self-link", "two labels", "no child", "after a quoted newline"])
def test_a_wrong_link_is_exit_1_with_file_and_line(semveil, content, line, named):
    semveil.write("wrong.csv", content)
    message = semveil.fails(1, "ontology", "info", "edges:wrong.csv")
    assert message.startswith(f"semveil: wrong.csv:{line}: ") and named in message


def test_a_cycle_names_the_concepts_on_it(semveil):
    semveil.write("wrong.csv", "child,parent\nant,bee\nbee,cow\ncow,ant\ndog,ant\n")
    message = semveil.fails(1, "ontology", "info", "edges:wrong.csv")
    assert "wrong.csv" in message and "cycle" in message and "dog" not in message
    assert all(name in message for name in ("ant", "bee", "cow"))


@pytest.mark.parametrize("content, line, named", [
    ("[Term]\nid: X:1\n\n[Term]\nid: X:1\n", 4, "X:1"),
    ("[Term]\nid: X:1\nis_a: X:9\n", 3, "X:9"),
    ("format-version: 1.2\n", None, "no [Term]"),
], ids=["duplicate id", "undeclared parent", "no term"])
def test_a_wrong_obo_file_is_exit_1(semveil, content, line, named):
    semveil.write("wrong.obo", content)
    message = semveil.fails(1, "ontology", "info", "wrong.obo")
    assert message.startswith("semveil: wrong.obo:" + (f"{line}:" if line else "")) and named in message


def test_quiet_hides_the_value_and_keeps_the_place(semveil):
    semveil.write("wrong.csv", "child,parent\nsecret,secret\n")
    message = semveil.fails(1, "ontology", "info", "edges:wrong.csv", "--quiet")
    assert message.startswith("semveil: wrong.csv:2: ") and "secret" not in message
