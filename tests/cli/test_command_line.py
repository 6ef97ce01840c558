"""What holds for every verb: help, --json, --quiet, exit codes, standard output."""

import re

import pytest

from conftest import one_object

VERBS = {
    "info": ["ontology", "info", "edges:hobbies.csv"],
    "search": ["ontology", "search", "edges:hobbies.csv", "ski"],
    "tree": ["ontology", "tree", "edges:hobbies.csv", "ski"],
    "snapshot": ["ontology", "snapshot", "edges:hobbies.csv", "-o", "out.svo"],
    "distance": ["distance", "ski", "run", "--ontology", "edges:hobbies.csv"],
    "pairs": ["distance", "--pairs", "pairs.csv", "--ontology", "edges:hobbies.csv"],
    "map": ["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv"],
    "plan": ["plan", "table.csv", "-o", "out.toml"],
    "check": ["plan", "--check", "plan.toml"],
    "describe": ["describe", "table.csv", "--plan", "plan.toml"],
    "advise": ["advise", "table.csv", "--plan", "plan.toml"],
    "mask": ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"],
    "fit": ["fit", "table.csv", "--plan", "plan.toml", "-o", "out.model"],
    "apply": ["apply", "table.csv", "--model", "hobby.model", "-o", "out.csv"],
}
PLAN = """[ontology.hobbies]
source = "edges:hobbies.csv"
[column.hobby]
role = "quasi-identifier"
ontology = "hobbies"
[mask]
method = "noise"
alpha = 0.3
"""
every_verb = pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS.keys())


@pytest.fixture
def prepared(semveil):
    semveil.write("table.csv", "hobby\nski\nrun\n")
    semveil.write("pairs.csv", "a,b\nski,run\n")
    semveil.write("plan.toml", PLAN)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "hobby.model", "--quiet")
    return semveil


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_the_verbs_and_the_exit_codes(semveil, option):
    text = semveil.ok(option)
    assert all(f"\n  {verb} " in text for verb in ("ontology", "distance", "map", "plan", "describe", "advise",
                                                    "mask", "fit", "apply", "reproduce"))
    assert "Exit codes" in text and "Examples" in text


@pytest.mark.parametrize("verb", [["ontology"], ["ontology", "info"], ["ontology", "search"],
                                  ["ontology", "tree"], ["ontology", "snapshot"], ["distance"],
                                  ["map"], ["plan"], ["describe"], ["advise"], ["mask"], ["fit"], ["apply"],
                                  ["reproduce"], ["completions"], ["man"]], ids=" ".join)
def test_every_verb_has_help_with_an_example(semveil, verb):
    text = semveil.ok(*verb, "--help")
    assert "Usage: semveil " + " ".join(verb) in text
    assert "Examples:\n  semveil " in text


@pytest.mark.parametrize("verb", ["describe", "advise", "mask", "fit", "apply"])
def test_verbs_that_work_on_tables_tell_their_memory_and_take_the_common_options(semveil, verb):
    text = semveil.ok(verb, "--help")
    assert "Memory: " in text and max(map(len, text[text.index("Examples:"):].splitlines())) <= 100
    for option in ("--threads", "--batch-rows", "--no-progress", "--seed", "--json", "--quiet",
                   "--no-cache", "--temp-dir"):
        assert option in text


def test_version_is_one_line(semveil):
    assert re.fullmatch(r"semveil \d+(\.\d+)+\S*\n", semveil.ok("--version"))


@every_verb
def test_a_human_gets_text(prepared, verb):
    text = prepared.ok(*verb)
    assert text.endswith("\n") and not text.startswith("{")


@every_verb
def test_json_is_one_object_and_nothing_else(prepared, verb):
    one_object(prepared.ok(*verb, "--json"))


@every_verb
def test_quiet_prints_nothing_on_success(prepared, verb):
    assert prepared.ok(*verb, "--quiet") == ""


@every_verb
def test_json_is_printed_also_when_quiet(prepared, verb):
    one_object(prepared.ok(*verb, "--json", "--quiet"))


@every_verb
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_a_full_disk_behind_standard_output_is_exit_4(prepared, verb, more):
    with open("/dev/full", "wb") as full:
        done = prepared.run(*verb, *more, stdout=full)
    assert done.returncode == 4 and "standard output cannot be written to" in done.stderr


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["map", "--help"], ["man"],
                                  ["completions", "bash"]], ids=" ".join)
def test_a_full_disk_is_noticed_by_help_too(semveil, args):
    with open("/dev/full", "wb") as full:
        assert semveil.run(*args, stdout=full).returncode == 4


def test_a_misspelt_verb_is_named(semveil):
    assert "there is no verb 'semveil distanse'" in semveil.fails(2, "distanse", "a", "b")
    message = semveil.fails(2, "ontology", "inof", "edges:hobbies.csv")
    assert "there is no verb 'semveil ontology inof'" in message
    assert "Try 'semveil ontology --help'" in message


@pytest.mark.parametrize("args, named", [
    ([], "required"),
    (["ontology"], "required"),
    (["--nonsense"], "required"),
    (["ontology", "info"], "SRC"),
    (["ontology", "info", "edges:hobbies.csv", "--nonsense"], "--nonsense"),
    (["ontology", "search", "edges:hobbies.csv", "ski", "--limit", "0"], "--limit"),
    (["ontology", "tree", "edges:hobbies.csv", "ski", "--levels", "x"], "--levels"),
    (["ontology", "snapshot", "edges:hobbies.csv"], "--output"),
    (["distance", "ski", "run"], "--ontology"),
    (["distance", "ski", "--ontology", "edges:hobbies.csv"], "two terms"),
    (["distance", "--ontology", "edges:hobbies.csv"], "two terms"),
    (["distance", "a", "b", "c", "--ontology", "edges:hobbies.csv"], "c"),
    (["distance", "a", "b", "--pairs", "pairs.csv", "--ontology", "edges:hobbies.csv"], "--pairs"),
    (["distance", "ski", "run", "--ontology", "edges:hobbies.csv", "--measure", "wu"], "'wu'"),
    (["distance", "ski", "run", "--ontology", "edges:hobbies.csv", "--lcs", "x"], "--lcs"),
    (["distance", "ski", "run", "--ontology", "edges:hobbies.csv", "--senses", "x"], "--senses"),
    (["distance", "ski", "run", "--ontology", "edges:hobbies.csv", "--lcs", "mica"], "mica"),
    (["map", "table.csv", "--ontology", "edges:hobbies.csv"], "--column"),
    (["map", "table.csv", "--column", "hobby"], "--ontology"),
    (["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv",
      "--threads", "0"], "--threads"),
    (["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv",
      "--measure", "wu"], "'wu'"),
    (["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv",
      "--lcs", "mica"], "mica"),
    (["map", "postgresql://host/db?table=t", "--column", "hobby", "--ontology",
      "edges:hobbies.csv"], "CSV or Parquet"),
    (["completions", "tcsh"], "bash"),
], ids=lambda part: " ".join(part) if isinstance(part, list) else part)
def test_a_wrong_command_line_is_exit_2_and_names_what_is_wrong(prepared, args, named):
    assert named in prepared.fails(2, *args)


def test_an_unknown_measure_is_answered_with_those_there_are(semveil):
    message = semveil.fails(2, *VERBS["distance"], "--measure", "cosine")
    assert "wu-palmer" in message and "jiang-conrath" in message


@pytest.mark.parametrize("name", ["links.csv", "links.csv.gz", "links.tsv"])
def test_a_table_of_links_needs_its_scheme(semveil, name):
    for verb in (["ontology", "info", name], ["distance", "a", "b", "--ontology", name]):
        message = semveil.fails(2, *verb)
        assert f"edges:{name}" in message and f"vgh:{name}" in message


@pytest.mark.parametrize("source", ["nonsense:x", "edges:", "hobbies", "hobbies.docx"])
def test_a_source_that_cannot_be_understood_is_exit_2_and_lists_the_forms(semveil, source):
    message = semveil.fails(2, "ontology", "info", source)
    assert "wordnet" in message and "obo:FILE" in message and "FILE.svo" in message


@pytest.mark.parametrize("source", ["edges:none.csv", "none.obo", "none.svo", "wordnet:none"])
def test_a_source_that_is_not_there_is_exit_1_and_named(semveil, source):
    assert "none" in semveil.fails(1, "ontology", "info", source)


@pytest.mark.parametrize("more", [["--json"], ["--quiet"], ["--json", "--quiet"]], ids=" ".join)
def test_errors_are_text_on_standard_error_whatever_the_output(semveil, more):
    message = semveil.fails(1, "ontology", "info", "edges:none.csv", *more)
    assert message == "semveil: none.csv: no such file: check the path\n"
