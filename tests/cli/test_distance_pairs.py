"""semveil distance --pairs: many questions in one file."""

import gzip

import pytest

from conftest import one_object


def ask(semveil, *more, ontology="edges:nervous.csv", **how):
    return semveil.ok("distance", "--pairs", "pairs.csv", "--ontology", ontology, *more, **how)


def refused(semveil, *more):
    return semveil.fails(1, "distance", "--pairs", "pairs.csv", "--ontology", "edges:nervous.csv", *more)


def test_json_lines_are_the_single_answers_in_order(semveil):
    pairs = [("Coma", "Neuropathy"), ("Coma", "Coma"), ("Neuropathy", "Hepatic coma")]
    semveil.write("pairs.csv", "one,two\n" + "".join(f"{a},{b}\n" for a, b in pairs))
    lines = ask(semveil, "--json").splitlines(keepends=True)
    assert [one_object(line) for line in lines] == [
        semveil.json("distance", a, b, "--ontology", "edges:nervous.csv") for a, b in pairs]


@pytest.mark.parametrize("measure", ["wu-palmer", "path", "lin"])
def test_pairs_and_single_questions_agree_to_the_last_bit(semveil, measure):
    semveil.write("pairs.csv", "a,b\nHepatic coma,Hypoglycemic coma\n")
    single = semveil.ok("distance", "Hepatic coma", "Hypoglycemic coma", "--ontology",
                        "edges:nervous.csv", "--measure", measure, "--json")
    assert ask(semveil, "--measure", measure, "--json") == single


def test_people_get_one_line_a_pair_under_a_heading(semveil):
    semveil.write("pairs.csv", "a,b\nComa,Neuropathy\nComa,Coma\n")
    heading, first, second = ask(semveil).splitlines()
    assert heading.split()[:3] == ["distance", "a", "b"]
    assert first.split() == ["0.500000", "Coma", "Neuropathy", "Disorder", "of", "nervous", "system"]
    assert second.split() == ["0.000000", "Coma", "Coma", "Coma"]


def test_further_columns_are_ignored(semveil):
    semveil.write("pairs.csv", "a,b,rating\nComa,Neuropathy,3.5\n")
    assert one_object(ask(semveil, "--json"))["distance"] == 0.5


def test_senses_and_root_hold_for_pairs_too(semveil):
    semveil.write("pairs.csv", "a,b\nRunning,Reading\n")
    closest = one_object(ask(semveil, "--json", ontology="edges:hobbies.csv"))
    first = one_object(ask(semveil, "--json", "--senses", "first", ontology="edges:hobbies.csv"))
    inside = one_object(ask(semveil, "--json", "--root", "culture", ontology="edges:hobbies.csv"))
    assert [answer["a"]["id"] for answer in (closest, first, inside)] == ["run2", "run", "run2"]
    assert inside["lcs"]["depth"] == 1


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_a_bad_line_is_named_and_nothing_is_printed(semveil, more):
    semveil.write("pairs.csv", "a,b\nComa,Neuropathy\nComa,gout\nComa,Coma\n")
    assert refused(semveil, *more).startswith("semveil: pairs.csv:3: column 'second': \"gout\": ")


def test_lines_are_physical_lines(semveil):
    semveil.write("pairs.csv", 'a,b,note\nComa,Coma,"over\nthree\nlines"\nComa,gout,\n')
    assert refused(semveil).startswith("semveil: pairs.csv:5: ")


def test_quiet_hides_the_cell_and_keeps_the_place(semveil):
    semveil.write("pairs.csv", "a,b\nComa,gout\n")
    message = refused(semveil, "--quiet")
    assert message.startswith("semveil: pairs.csv:2: ") and "gout" not in message


def test_a_ragged_line_is_named(semveil):
    semveil.write("pairs.csv", "a,b\nComa,Coma\nComa\n")
    message = refused(semveil)
    assert message.startswith("semveil: pairs.csv:3: ") and "1 field" in message


@pytest.mark.parametrize("content, named", [("", "empty"), ("only\nComa\n", "2 columns")])
def test_a_file_without_two_columns_is_exit_1(semveil, content, named):
    semveil.write("pairs.csv", content)
    message = refused(semveil)
    assert "pairs.csv" in message and named in message


def test_a_header_alone_gives_no_answers(semveil):
    semveil.write("pairs.csv", "a,b\n")
    assert ask(semveil, "--json") == ""


def test_a_file_that_is_not_there_is_exit_1(semveil):
    assert refused(semveil) == "semveil: pairs.csv: no such file: check the path\n"


def test_pairs_may_come_packed_or_from_standard_input(semveil):
    text = "a,b\nComa,Neuropathy\n"
    semveil.write("pairs.csv", text)
    plain = ask(semveil, "--json")
    semveil.write("pairs.csv.gz", gzip.compress(text.encode()))
    for name, stdin in ("pairs.csv.gz", ""), ("-", text):
        assert plain == semveil.ok("distance", "--pairs", name, "--ontology", "edges:nervous.csv",
                                   "--json", stdin=stdin)
