"""WordNet's nouns and the Disease Ontology, where they are installed."""

import pytest

from conftest import data_file


def info(program, source):
    figures = program.json("ontology", "info", source)
    return {key: figures[key] for key in ("concepts", "links", "roots", "max_depth", "multi_parent")}


def test_the_disease_ontology_of_2024_is_counted_right(semveil):
    assert info(semveil, data_file("doid/doid-2024-01-31.obo.gz")) == {
        "concepts": 11501, "links": 15995, "roots": 1, "max_depth": 14, "multi_parent": 4220}


def test_a_snapshot_of_the_disease_ontology_answers_as_the_file(semveil):
    source = data_file("doid/doid-2024-01-31.obo.gz")
    semveil.ok("ontology", "snapshot", source, "-o", "doid.svo", "--quiet")
    for measure in ("wu-palmer", "lin"):
        answers = {semveil.ok("distance", "DOID:9352", "DOID:9744", "--ontology", s, "--measure",
                              measure, "--json") for s in (source, "doid.svo")}
        assert len(answers) == 1


def test_wordnet_is_counted_right(wordnet):
    assert info(wordnet, "wordnet") == {
        "concepts": 82115, "links": 84427, "roots": 1, "max_depth": 20, "multi_parent": 2213}


def test_a_part_of_wordnet_is_that_below_a_sense(wordnet):
    part = info(wordnet, "wordnet?root=animal.n.01")
    assert part == info(wordnet, "wordnet?root=00015388-n") and part["concepts"] < 82115
    assert info(wordnet, "wordnet?root=domestic_dog.n.1") == info(wordnet, "wordnet?root=02084071-n")
    pair = ("distance", "dog.n.01", "cat.n.01", "--ontology")
    assert wordnet.json(*pair, "wordnet?root=animal.n.01")["distance"] == \
        wordnet.json(*pair, "wordnet", "--root", "animal.n.01")["distance"]
    for nothing in ("animal.n.09", "animal.v.01", "animal.n.00"):
        assert nothing in wordnet.fails(1, "ontology", "info", f"wordnet?root={nothing}")


@pytest.mark.parametrize("spelling", ["02084071-n", "02084071", "dog.n.01", "domestic dog"])
def test_wordnet_concepts_have_several_spellings(wordnet, spelling):
    tree = wordnet.json("ontology", "tree", "wordnet", spelling)
    assert (tree["id"], tree["label"]) == ("02084071-n", "dog")
    assert "Canis familiaris" in tree["synonyms"] and tree["definition"]


def test_a_wordnet_word_with_several_senses_lists_them(wordnet):
    message = wordnet.fails(1, "distance", "cat", "mouse", "--ontology", "wordnet", "--root", "dog")
    assert '"dog": means 7 concepts' in message
    assert "\n  02084071-n dog: " in message and "frump" in message


def test_wordnet_distances_take_the_closest_senses(wordnet):
    answer = wordnet.json("distance", "dog", "cat", "--ontology", "wordnet")
    by_id = wordnet.json("distance", answer["a"]["id"], answer["b"]["id"], "--ontology", "wordnet")
    assert answer == by_id
    first = wordnet.json("distance", "dog.n.01", "cat.n.01", "--ontology", "wordnet")
    assert answer["distance"] <= first["distance"]
    assert first["lcs"]["label"] == "carnivore" and (first["path_a"], first["path_b"]) == (2, 2)


def test_wordnet_maps_inflected_words_and_resolves_senses(wordnet):
    wordnet.write("animals.csv", "animal\nCats\nmice\ndog\nhorse\ngirafe\n")
    run = ["map", "animals.csv", "--column", "animal", "--ontology", "wordnet"]
    values = {v["value"]: v for v in wordnet.json(*run)["values"]}
    assert values["mice"]["how"] == values["Cats"]["how"] == "lemma"
    assert values["dog"]["concept"]["id"] == "02084071-n" and len(values["dog"]["senses"]) == 7
    assert values["girafe"]["suggestions"][0]["text"] == "giraffe"
    inside = wordnet.json(*run, "--root", "animal.n.01")
    assert {v["value"]: v["how"] for v in inside["values"]}["horse"] == "label"


def test_the_number_of_threads_changes_no_byte_on_wordnet(wordnet):
    words = "bank crane bat mouse seal ring pitcher bass club bark spring note organ cell plant"
    rows = "".join(f"{word}{ending}\n" for word in words.split() for ending in ("", "s", "x"))
    wordnet.write("words.csv", "word\n" + rows * 3)
    outputs = {wordnet.ok("map", "words.csv", "--column", "word", "--ontology", "wordnet", "--threads",
                          n, "-o", "-", "--quiet") for n in ("1", "2", "7")}
    assert len(outputs) == 1


def test_a_wordnet_folder_may_be_named(wordnet):
    message = wordnet.fails(1, "ontology", "info", "wordnet:.")
    assert "data.noun" in message
