"""semveil distance: values that can be worked out by hand, and what it says when it cannot answer."""

from math import log

import pytest

KEYS = ["a", "b", "measure", "distance", "similarity", "lcs", "path_a", "path_b"]
ROOT = "Disorder of nervous system"


def ask(semveil, a, b, *more, source="edges:nervous.csv"):
    return semveil.json("distance", a, b, "--ontology", source, *more)


def test_the_json_has_its_keys_and_types(semveil):
    answer = ask(semveil, "Coma", "Hepatic coma")
    assert list(answer) == KEYS
    assert answer["a"] == {"id": "Coma", "label": "Coma"}
    assert answer["b"] == {"id": "Hepatic coma", "label": "Hepatic coma"}
    assert answer["measure"] == "wu-palmer"
    assert answer["lcs"] == {"id": "Coma", "label": "Coma", "depth": 2}
    assert (answer["path_a"], answer["path_b"]) == (0, 1)
    assert answer["distance"] == 1 - 4 / 5 and answer["similarity"] == 1 - answer["distance"]


# Semantic noise paper, figures 2 and 3.
@pytest.mark.parametrize("a, b, printed", [
    ("Coma", ROOT, 0.33), ("Coma", "Hepatic coma", 0.20), ("Coma", "Hypoglycemic coma", 0.20),
    ("Coma", "Neuropathy", 0.50), ("Coma", "Coma", 0.00), ("Neuropathy", ROOT, 0.33),
    ("Neuropathy", "Coma", 0.50), ("Neuropathy", "Hepatic coma", 0.60)])
def test_the_worked_example_comes_out_as_printed(semveil, a, b, printed):
    there, back = ask(semveil, a, b), ask(semveil, b, a)
    assert round(there["distance"], 2) == printed
    assert back["distance"] == there["distance"] and back["path_a"] == there["path_b"]


def test_numbers_have_full_precision(semveil):
    assert ask(semveil, "Hepatic coma", "Hypoglycemic coma")["distance"] == 1 - 4 / 6


# Framework paper, section 4.2: a common subsumer at depth 6 with two children, printed as 0.14.
def test_two_children_of_a_concept_at_depth_6_are_a_seventh_apart(semveil):
    chain = "".join(f"c{i + 1},c{i}\n" for i in range(1, 6))
    semveil.write("deep.csv", "child,parent\n" + chain + "gingivitis,c6\ngastritis,c6\n")
    answer = ask(semveil, "gingivitis", "gastritis", source="edges:deep.csv")
    assert answer["lcs"]["depth"] == 6 and answer["distance"] == pytest.approx(1 / 7, abs=1e-15)


# Coma against Hepatic coma: depth(LCS) 2, D 3, N 5; Seco: IC(Coma) = 1 - ln 3 / ln 5, IC(leaf) = 1.
COMA = 1 - log(3) / log(5)


# Features: {root, Coma} of {root, Coma, Hepatic coma}; depths 2 and 3, so that gamma is 2/5; around
# Coma its parent, itself and two children, around Hepatic coma two of these; no definitions.
@pytest.mark.parametrize("measure, value", [
    ("wu-palmer", 1 / 5), ("wu-palmer-edges", 1 / 3), ("path", 1 / 4),
    ("leacock-chodorow", log(2) / log(6)), ("resnik", 1 - COMA),
    ("lin", 1 - 2 * COMA / (COMA + 1)), ("jiang-conrath", (1 - COMA) / 2),
    ("sanchez", log(1 + 1 / 3) / log(2)), ("tversky", 1 - (2 / 2.6 + 2 / 2.4) / 2),
    ("rodriguez-egenhofer", 1 - (2 / 2.8 + 2 / 3.2) / 2 / 2), ("x-similarity", 1 / 3)])
def test_every_measure_follows_its_formula(semveil, measure, value):
    answer = ask(semveil, "Coma", "Hepatic coma", "--measure", measure)
    assert answer["measure"] == measure and answer["distance"] == pytest.approx(value, abs=1e-12)
    assert ask(semveil, "Coma", "Coma", "--measure", measure)["distance"] == 0


# Names 0, no features; around them 2/2.8 and 2/3.2.
def test_rodriguez_egenhofer_has_weights(semveil):
    def weighed(*weights):
        return ask(semveil, "Coma", "Hepatic coma", "--measure", "rodriguez-egenhofer", "--weights", *weights)["distance"]
    around = (2 / 2.8 + 2 / 3.2) / 2
    assert weighed("0.5", "0", "0.5") == pytest.approx(1 - around / 2, abs=1e-12)
    assert weighed("0.2", "0.2", "0.6") == pytest.approx(1 - 0.6 * around / 0.8, abs=1e-12)
    assert weighed("0", "0", "1") == pytest.approx(1 - around, abs=1e-12)
    assert weighed("0.333333", "0.333333", "0.333334") == pytest.approx(1 - around / 2, abs=1e-5)


@pytest.mark.parametrize("measure, weights, code", [
    ("rodriguez-egenhofer", ["0.5", "0.5", "0.5"], 2), ("rodriguez-egenhofer", ["1", "1", "-1"], 2),
    ("path", ["0.5", "0", "0.5"], 2), ("rodriguez-egenhofer", ["0", "1", "0"], 1)])
def test_weights_that_mean_nothing_are_refused(semveil, measure, weights, code):
    message = semveil.fails(code, "distance", "Coma", "Hepatic coma", "--ontology", "edges:nervous.csv",
                            "--measure", measure, "--weights", *weights)
    assert "weight" in message


# IC(Coma) = ln 4 - ln(2/2 + 1) = ln 2 and IC(leaf) = ln 4.
@pytest.mark.parametrize("measure, value", [("resnik", 1 / 2), ("lin", 1 / 3),
                                            ("jiang-conrath", 1 / 4)])
def test_the_information_content_may_be_sanchez(semveil, measure, value):
    answer = ask(semveil, "Coma", "Hepatic coma", "--measure", measure, "--ic", "sanchez")
    assert answer["distance"] == pytest.approx(value, abs=1e-12)


def test_the_information_content_may_come_from_a_file(semveil):
    semveil.write("freq.dat", "# counts\nsport 100\nski 50\nrun 10\nculture 100\n")
    answer = ask(semveil, "sport", "ski", "--root", "sport", "--measure", "lin", "--ic", "freq.dat",
                 source="edges:hobbies.csv")
    assert answer["distance"] == 1  # the root says nothing
    answer = ask(semveil, "ski", "run", "--measure", "jiang-conrath", "--ic", "freq.dat",
                 source="edges:hobbies.csv")
    ski, run, sport = (-log(n / 200) for n in (50, 10, 100))
    assert answer["distance"] == pytest.approx((ski + run - 2 * sport) / (2 * run), abs=1e-12)


@pytest.mark.parametrize("content, named", [
    ("sport 100\nski many\n", ':2: "many": '), ("sport 100\nski -1\n", ':2: "-1": '),
    ("sport 100\ngolf 3\n", ':2: "golf": '), ("ski 3\n", ": the root of the domain")])
def test_a_wrong_frequency_file_is_exit_1_with_its_line(semveil, content, named):
    semveil.write("freq.dat", content)
    message = semveil.fails(1, "distance", "ski", "run", "--ontology", "edges:hobbies.csv",
                            "--root", "sport", "--measure", "lin", "--ic", "freq.dat")
    assert f"freq.dat{named}" in message


def test_a_frequency_file_that_is_not_there_is_exit_1(semveil):
    assert "none.dat: no such file" in semveil.fails(
        1, "distance", "ski", "run", "--ontology", "edges:hobbies.csv", "--measure", "lin",
        "--ic", "none.dat")


def test_mica_takes_the_subsumer_that_says_most(semveil):
    crowd = "".join(f"z{i},deep\n" for i in range(20))
    semveil.write("dag.csv", "child,parent\nmiddle,root\ndeep,middle\nrare,root\n" + crowd +
                  "x,deep\nx,rare\ny,deep\ny,rare\n")
    for more, lcs in ([], "deep"), (["--lcs", "deepest"], "deep"), (["--lcs", "mica"], "rare"):
        answer = ask(semveil, "x", "y", "--measure", "lin", *more, source="edges:dag.csv")
        assert answer["lcs"]["id"] == lcs
    assert answer["distance"] == pytest.approx(log(3) / log(26), abs=1e-12)


def test_the_common_subsumer_of_two_roots_is_virtual(semveil):
    answer = ask(semveil, "ski", "culture", source="edges:hobbies.csv")
    assert answer["lcs"] == {"id": None, "label": "(top)", "depth": 1}
    assert (answer["path_a"], answer["path_b"], answer["distance"]) == (2, 1, 1 - 2 / 5)
    text = semveil.ok("distance", "ski", "culture", "--ontology", "edges:hobbies.csv")
    assert "(top) (virtual root), depth 1" in text


def test_nobody_can_ask_for_the_virtual_root(semveil):
    semveil.fails(1, "distance", "(top)", "ski", "--ontology", "edges:hobbies.csv")


def test_depths_count_from_the_root_of_the_domain(semveil):
    answer = ask(semveil, "Hepatic coma", "Hypoglycemic coma", "--root", "Coma")
    assert answer["lcs"] == {"id": "Coma", "label": "Coma", "depth": 1}
    assert answer["distance"] == 1 / 2


def test_of_several_senses_the_closest_counts(semveil):
    for order in (["Running", "Reading"], ["Reading", "Running"]):
        answer = ask(semveil, *order, source="edges:hobbies.csv")
        assert {answer["a"]["id"], answer["b"]["id"]} == {"run2", "read"}
    first = ask(semveil, "Running", "Reading", "--senses", "first", source="edges:hobbies.csv")
    assert first["a"]["id"] == "run" and first["distance"] > answer["distance"]


def test_only_senses_inside_the_domain_count(semveil):
    for senses in ("closest", "first"):
        answer = ask(semveil, "Running", "Reading", "--root", "culture", "--senses", senses,
                     source="edges:hobbies.csv")
        assert answer["a"] == {"id": "run2", "label": "Running"}


def test_people_see_the_ways_that_explain_it(semveil):
    text = semveil.ok("distance", "Hepatic coma", "Neuropathy", "--ontology", "edges:nervous.csv")
    assert "distance 0.6   similarity 0.4   (wu-palmer)" in text
    assert f"{ROOT} ({ROOT}), depth 1" in text
    assert "├─ Coma ─ Hepatic coma   2 links" in text and "└─ Neuropathy   1 link\n" in text


def test_an_ambiguous_root_lists_the_concepts(semveil):
    message = semveil.fails(1, "distance", "ski", "run", "--ontology", "edges:hobbies.csv",
                            "--root", "Running")
    assert '"Running"' in message and "use the id" in message
    assert "\n  run Running" in message and "\n  run2 Running" in message


def test_an_unknown_root_is_exit_1(semveil):
    assert '"golf"' in semveil.fails(1, "distance", "ski", "run", "--ontology", "edges:hobbies.csv",
                                     "--root", "golf")


@pytest.mark.parametrize("terms", [["Skying", "run"], ["run", "Skying"]])
def test_an_unknown_term_is_quoted_with_suggestions(semveil, terms):
    message = semveil.fails(1, "distance", *terms, "--ontology", "edges:hobbies.csv")
    assert '"Skying"' in message and "did you mean Skiing" in message


def test_a_term_like_nothing_else_leads_to_the_search(semveil):
    message = semveil.fails(1, "distance", "xyzzyxyzzy", "run", "--ontology", "edges:hobbies.csv")
    assert '"xyzzyxyzzy"' in message and "semveil ontology search" in message


def test_a_term_outside_the_domain_is_told_from_an_unknown_one(semveil):
    message = semveil.fails(1, "distance", "ski", "read", "--ontology", "edges:hobbies.csv",
                            "--root", "culture")
    assert '"ski"' in message and "outside the domain 'Culture'" in message and "--root" in message


def test_quiet_hides_the_term(semveil):
    message = semveil.fails(1, "distance", "xyzzyxyzzy", "run", "--ontology", "edges:hobbies.csv",
                            "--quiet")
    assert "xyzzy" not in message and "not in the ontology" in message


def test_a_measure_that_is_not_symmetric_shows_both_directions(semveil):
    answer = ask(semveil, "Coma", "Hepatic coma", "--measure", "tversky")
    assert answer["symmetrised"] is True
    assert answer["distance_ab"] == pytest.approx(1 - 2 / 2.6, abs=1e-12)
    assert answer["distance_ba"] == pytest.approx(1 - 2 / 2.4, abs=1e-12)
    assert answer["distance"] == pytest.approx((answer["distance_ab"] + answer["distance_ba"]) / 2)
    text = semveil.ok("distance", "Coma", "Hepatic coma", "--ontology", "edges:nervous.csv",
                      "--measure", "tversky")
    assert "the mean of 0.230769 from the first to the second and 0.166667 back" in text
    assert "symmetrised" not in ask(semveil, "Coma", "Hepatic coma")


# Coma counts 1 + 1 + 2 of 5 words that are terms, Hepatic coma 1 of them.
def test_information_content_of_a_text(semveil):
    semveil.write("text.txt", "Coma: hepatic\ncoma, COMAS and comas. Neuropathy!")
    answer = ask(semveil, "Coma", "Hepatic coma", "--measure", "resnik", "--ic", "corpus:text.txt")
    assert answer["distance"] == pytest.approx(1 - log(5 / 4) / log(5), abs=1e-12)


def test_content_of_data_needs_data(semveil):
    said = semveil.fails(2, "distance", "Coma", "Neuropathy", "--ontology", "edges:nervous.csv",
                         "--measure", "lin", "--ic", "data")
    assert "counts the records of a masked column" in said


def test_gloss_vectors_need_definitions(semveil):
    error = semveil.fails(1, "distance", "ski", "run", "--ontology", "edges:hobbies.csv",
                          "--measure", "gloss-vector")
    assert "definitions" in error
