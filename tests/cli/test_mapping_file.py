"""The mapping file: written by map, corrected by a person, passed back."""

import csv
import io
import tomllib

import pytest

HEADER = ["value", "count", "concept", "label", "how", "senses", "suggestions"]


def arguments(*more):
    return ["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv", *more]


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def survey(semveil):
    semveil.write("table.csv", 'hobby\nski\nski\nRunning\nSkying\n"a,\n""b"""\n')
    return semveil


def test_the_file_has_a_row_for_each_value(survey):
    survey.ok(*arguments("-o", "map.csv"))
    with open(survey.folder / "map.csv", newline="") as file:
        content = file.read()
    assert content.splitlines()[0].split(",") == HEADER and "\r" not in content
    rows = rows_of(content)
    assert [row["value"] for row in rows] == ["ski", "Running", "Skying", 'a,\n"b"']
    assert rows[0] == dict(zip(HEADER, ["ski", "2", "ski", "Skiing", "id", "ski", ""]))
    assert rows[1]["senses"] == "run run2" and rows[1]["concept"] == "run"
    assert rows[2] == dict(zip(HEADER, ["Skying", "1", "", "", "unmapped", "", "Skiing (ski)"]))


def test_with_a_dash_the_file_alone_goes_to_standard_output(survey):
    survey.ok(*arguments("-o", "map.csv"))
    done = survey.run(*arguments("-o", "-"))
    assert done.returncode == 0 and done.stdout == survey.read("map.csv")
    assert "column 'hobby': 5 records" in done.stderr and "written to" not in done.stderr
    assert survey.ok(*arguments("-o", "-", "--quiet")) == survey.read("map.csv")
    assert not (survey.folder / "-").exists()


def test_json_and_a_dash_exclude_each_other(survey):
    message = survey.fails(2, *arguments("-o", "-", "--json"))
    assert "--json" in message and "-o -" in message


def test_people_are_told_where_the_file_is(survey):
    assert survey.ok(*arguments("-o", "map.csv")).endswith("written to map.csv\n")


def test_what_was_written_reads_back_to_the_same_decisions(survey):
    for name in ("map.csv", "map.toml"):
        survey.ok(*arguments("-o", name))
        before = survey.json(*arguments())["values"]
        after = survey.json(*arguments("--mapping", name))["values"]
        assert [v["concept"] for v in before] == [v["concept"] for v in after]
        assert [v["how"] for v in after] == ["file", "file", "unmapped", "unmapped"]


def test_a_corrected_file_decides(survey):
    survey.ok(*arguments("-o", "map.csv"))
    text = survey.read("map.csv").replace("Running,1,run,", "Running,1,run2,")
    survey.write("map.csv", text.replace("Skying,1,,", "Skying,1,Skiing,"))
    values = {v["value"]: v for v in survey.json(*arguments("--mapping", "map.csv"))["values"]}
    assert values["Running"]["concept"]["id"] == "run2" and values["Running"]["how"] == "file"
    assert values["Skying"]["concept"]["id"] == "ski" and values["Skying"]["how"] == "file"


def test_value_and_concept_are_enough_in_any_order(survey):
    survey.write("map.csv", "concept;note;value\nski;mine;Skying\nSports (sport);;ski\n;;Running\n")
    values = {v["value"]: v for v in survey.json(*arguments("--mapping", "map.csv"))["values"]}
    assert values["Skying"]["concept"]["id"] == "ski"
    assert values["ski"]["concept"]["id"] == "sport"
    assert values["Running"]["how"] == "unmapped"  # on purpose


def test_toml_holds_the_same(survey):
    survey.ok(*arguments("-o", "map.csv"))
    survey.ok(*arguments("-o", "map.toml"))
    tables = tomllib.loads(survey.read("map.toml"))["mapping"]
    for table, row in zip(tables, rows_of(survey.read("map.csv")), strict=True):
        assert (table["value"], str(table["count"]), table["concept"], table["label"], table["how"]) == (
            row["value"], row["count"], row["concept"], row["label"], row["how"])
        assert " ".join(table["senses"]) == row["senses"]
        assert " | ".join(table.get("suggestions", [])) == row["suggestions"]


@pytest.mark.parametrize("name, content, place, named", [
    ("map.csv", "value,concept\nSkying,golf\n", ":2: column 'concept': \"golf\": ", "no concept"),
    ("map.csv", "value,concept\nski,ski\nx,Running\n", ":3: column 'concept': \"Running\": ",
     "\n  run2 Running"),
    ("map.csv", "value,concept\nx,ski\nx,run\n", ":3: column 'value': \"x\": ", "line 2"),
    ("map.csv", "value,count\nx,1\n", ":1: ", "no column concept"),
    ("map.csv", "value,concept\nx\n", ":2: ", "1 field"),
    ("map.csv", "", ": ", "empty"),
    ("map.toml", '[[mapping]]\nvalue = "x"\nconcept = "golf"\n', ":1: column 'concept': \"golf\": ",
     "no concept"),
    ("map.toml", '[[mapping]]\nvalue = "x"\n', ":1: ", "concept"),
    ("map.toml", "[[mapping]\n", ":1: ", ""),
    ("map.toml", "other = 1\n", ":1: ", "[[mapping]]"),
])
def test_a_wrong_file_is_exit_1_with_line_column_and_value(survey, name, content, place, named):
    survey.write(name, content)
    message = survey.fails(1, *arguments("--mapping", name))
    assert message.startswith(f"semveil: {name}{place}") and named in message


def test_quiet_hides_the_value_in_the_error(survey):
    survey.write("map.csv", "value,concept\nmy secret,ski\nmy secret,run\n")
    message = survey.fails(1, *arguments("--mapping", "map.csv", "--quiet"))
    assert message.startswith("semveil: map.csv:3: column 'value': ") and "secret" not in message


def test_a_mapping_file_that_is_not_there_is_exit_1(survey):
    assert "none.csv: no such file" in survey.fails(1, *arguments("--mapping", "none.csv"))
