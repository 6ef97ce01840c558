"""semveil map: what becomes of the values of a column."""

import os

import pytest

TABLE = "id,hobby\n1,ski\n2,Skiing\n3,SKI\n4,\n5,Skying\n6,ski\n7,read\n"
HOW = {"file", "xref", "id", "code", "label", "synonym", "normalised", "lemma", "stem", "unmapped", "outside"}


def arguments(*more, table="table.csv"):
    return ["map", table, "--column", "hobby", "--ontology", "edges:hobbies.csv", *more]


@pytest.fixture
def survey(semveil):
    semveil.write("table.csv", TABLE)
    return semveil


def test_json_counts_records_missing_and_unmapped_ones(survey):
    result = survey.json(*arguments())
    assert result.keys() == {"records", "missing", "distinct", "mapped", "unmapped", "how", "values",
                             "findings"}
    counts = {key: result[key] for key in ("records", "missing", "distinct", "mapped", "unmapped")}
    assert counts == {"records": 7, "missing": 1, "distinct": 5, "mapped": 5, "unmapped": 1}
    assert result["how"].keys() == HOW
    assert result["how"]["id"] == {"values": 2, "records": 3}
    assert result["how"]["unmapped"] == {"values": 1, "records": 1}


def test_json_tells_each_value_the_most_frequent_first(survey):
    values = survey.json(*arguments())["values"]
    assert [(v["value"], v["count"], v["how"]) for v in values] == [
        ("ski", 2, "id"), ("SKI", 1, "normalised"), ("Skiing", 1, "label"),
        ("Skying", 1, "unmapped"), ("read", 1, "id")]
    assert values[0] == {"value": "ski", "count": 2, "how": "id",
                         "concept": {"id": "ski", "label": "Skiing"}, "senses": ["ski"]}
    assert values[3] == {"value": "Skying", "count": 1, "how": "unmapped", "concept": None,
                         "senses": [], "suggestions": [{"text": "Skiing", "id": "ski"}]}


def test_people_see_shares_and_what_is_not_understood(survey):
    lines = survey.ok(*arguments()).splitlines()
    assert lines[0] == "table.csv, column 'hobby': 7 records, 5 distinct values, 1 missing"
    rows = [line.split() for line in lines]
    assert ["how", "values", "records", "share"] in rows
    assert ["id", "2", "3", "50.00", "%"] in rows
    assert ["Skying", "1", "Skiing", "(ski)"] in rows


def test_unmapped_values_are_reported_and_no_failure(survey):
    survey.write("table.csv", "hobby\nxyzzy\nplugh\n")
    result = survey.json(*arguments())
    assert (result["mapped"], result["unmapped"]) == (0, 2)
    assert "1 more" in survey.ok(*arguments("--show", "1"))


def test_a_column_of_missing_values_maps_to_nothing(survey):
    survey.write("table.csv", 'hobby,x\n,1\n"",2\n')
    result = survey.json(*arguments())
    assert (result["records"], result["missing"], result["values"]) == (2, 2, [])
    assert "nan" not in survey.ok(*arguments())


def test_a_header_alone_is_a_table_without_records(survey):
    survey.write("table.csv", "hobby\n")
    assert survey.json(*arguments())["records"] == 0


def test_values_outside_the_domain_are_told_from_unknown_ones(survey):
    result = survey.json(*arguments("--root", "culture"))
    how = {v["value"]: v["how"] for v in result["values"]}
    assert how == {"ski": "outside", "SKI": "outside", "Skiing": "outside", "Skying": "unmapped",
                   "read": "id"}
    assert (result["mapped"], result["unmapped"]) == (1, 5)
    assert "(outside the domain)" in survey.ok(*arguments("--root", "culture"))


def test_the_company_of_the_column_decides_between_senses(semveil):
    def chosen(company, *more):
        semveil.write("table.csv", f"hobby\nRunning\n{company}\n{company}\n")
        values = semveil.json(*arguments(*more))["values"]
        running = next(v for v in values if v["value"] == "Running")
        assert running["senses"] == ["run", "run2"]
        return running["concept"]["id"]

    assert chosen("Skiing") == "run" and chosen("Reading") == "run2"
    assert chosen("Reading", "--senses", "first") == "run"
    assert chosen("Reading", "--measure", "path") == "run2"


def test_a_root_keeps_the_senses_inside_it(semveil):
    semveil.write("table.csv", "hobby\nRunning\nski\nski\n")
    values = semveil.json(*arguments("--root", "culture"))["values"]
    running = next(v for v in values if v["value"] == "Running")
    assert (running["concept"]["id"], running["senses"]) == ("run2", ["run2"])


def test_an_ambiguous_root_lists_the_concepts(survey):
    message = survey.fails(1, *arguments("--root", "Running"))
    assert "\n  run Running" in message and "\n  run2 Running" in message


def test_the_number_of_threads_changes_no_byte(semveil):
    words = ["Running", "Reading", "Skiing", "Skying", "sport", "Culture", "x y z", "ski", "Redaing"]
    rows = [f"{i},{words[i * i % 9]}{'!' * (i % 5)}\n" for i in range(2000)]
    semveil.write("table.csv", "id,hobby\n" + "".join(rows))
    outputs = {(semveil.ok(*arguments("--json", "-o", "m.csv", "--threads", n)), semveil.read("m.csv"))
               for n in ("1", "2", "7")}
    assert len(outputs) == 1


def test_a_missing_column_is_answered_with_those_there_are(survey):
    message = survey.fails(1, "map", "table.csv", "--column", "hoby", "--ontology", "edges:hobbies.csv")
    assert "table.csv:1:" in message and "'hoby'" in message and "id, hobby" in message


def test_two_columns_of_the_same_name_are_refused(survey):
    survey.write("table.csv", "hobby,hobby\nski,run\n")
    message = survey.fails(1, *arguments())
    assert "table.csv:1:" in message and "'hobby'" in message and "rename" in message


@pytest.mark.parametrize("content, line, named", [
    ("id,hobby\n1,ski\n2\n", 3, "1 field"),
    ("id,hobby\n1,ski\n2,run,3\n", 3, "3 fields"),
    ('id,hobby\n1,"a\nb"\n2\n', 4, "1 field"),
    ('id,hobby\r\n1,ski\r\n2\r\n', 3, "1 field"),
    ('id,hobby\n1,"ski\n', 2, "never ends"),
    (b"id,hobby\n1,ski\n2,caf\xe9\n", 3, "UTF-8"),
], ids=["too short", "too long", "after a quoted newline", "CRLF", "open quote", "Latin-1"])
def test_a_wrong_row_is_exit_1_with_file_and_line(survey, content, line, named):
    survey.write("table.csv", content)
    for more in ([], ["--json"], ["--quiet"]):
        message = survey.fails(1, *arguments(*more))
        assert message.startswith(f"semveil: table.csv:{line}: ") and named in message


def test_an_empty_table_is_exit_1(survey):
    survey.write("table.csv", "")
    assert "table.csv: the table is empty" in survey.fails(1, *arguments())


def test_a_table_that_is_not_there_is_exit_1(survey):
    for name in ("none.csv", "none.parquet"):
        message = survey.fails(1, *arguments(table=name))
        assert name in message and "no such file" in message


def test_a_folder_is_no_table(survey):
    (survey.folder / "folder.csv").mkdir()
    assert "this is a folder" in survey.fails(1, *arguments(table="folder.csv"))


# ---- Missing values, a plan, who may read, who reads on -----------------------------------------

def test_texts_may_stand_for_missing_values(survey):
    survey.write("table.csv", "id,hobby\n1,ski\n2,?\n3,n/a\n4,\n5,?\n")
    result = survey.json(*arguments("--missing", "?"))
    assert (result["missing"], result["mapped"], result["unmapped"]) == (3, 1, 1)
    result = survey.json(*arguments("--missing", "?", "--missing", "n/a"))
    assert (result["missing"], result["mapped"], result["unmapped"]) == (4, 1, 0)


PLAN = """missing_values = ["?", ""]
[csv]
separator = ";"
[ontology.hobbies]
source = "edges:hobbies.csv"
[column.hobby]
role = "quasi-identifier"
ontology = "hobbies"
mapping = "mine.csv"
"""


def test_a_plan_says_what_the_command_line_leaves_open(survey):
    survey.write("table.csv", "id;hobby\n1;ski\n2;?\n3;Skying\n")
    survey.write("mine.csv", "value,concept\nSkying,ski\n")
    survey.write("plan.toml", PLAN)
    result = survey.json("map", "table.csv", "--column", "hobby", "--plan", "plan.toml")
    assert (result["missing"], result["mapped"], result["unmapped"]) == (1, 2, 0)
    assert result["how"]["file"] == {"values": 1, "records": 1}
    # With an ontology of its own it only reads the table by the plan.
    result = survey.json(*arguments("--plan", "plan.toml"))
    assert (result["missing"], result["mapped"], result["unmapped"]) == (1, 1, 1)
    result = survey.json(*arguments("--plan", "plan.toml", "--missing", "Skying"))
    assert (result["missing"], result["mapped"], result["unmapped"]) == (1, 1, 1)
    assert "--ontology" in survey.fails(1, "map", "table.csv", "--column", "id", "--plan", "plan.toml")
    assert "--ontology" in survey.fails(2, "map", "table.csv", "--column", "hobby")


def test_a_mapping_file_is_for_its_owner_alone(survey):
    for name in ("out.csv", "out.toml"):
        survey.ok(*arguments("-o", name, "--quiet"))
        assert (survey.folder / name).stat().st_mode & 0o777 == 0o600


def closed_early(program, *args):
    """A run whose reader goes away before it prints: exit code and standard error."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = program.run(*args, stdout=closed)
    return done.returncode, done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(survey):
    survey.write("pairs.csv", "a,b\n" + "ski,read\n" * 20000)
    for args in (arguments(), arguments("--json"), arguments("-o", "-"), ["--help"], ["map", "--help"],
                 ["ontology", "tree", "edges:hobbies.csv", "ski"], ["ontology", "search", "edges:hobbies.csv", "ski"],
                 ["ontology", "info", "edges:hobbies.csv"], ["reproduce"], ["man"], ["completions", "bash"],
                 ["distance", "--pairs", "pairs.csv", "--ontology", "edges:hobbies.csv"]):
        assert closed_early(survey, *args)[0] == 0, args
        # The table's summary goes to standard error, which is open.
        if args[-1] != "-":
            assert closed_early(survey, *args)[1] == "", args
    # What was asked for is written all the same.
    assert closed_early(survey, *arguments("-o", "out.csv")) == (0, "")
    assert (survey.folder / "out.csv").exists()
