"""Pseudonyms: keyed, the same for the same person, in three forms, and never two persons alike."""

import csv
import io
import re

import pytest

PLAN = """
allow_linked_rows = true
{top}
[column.patient]
role = "pseudonym"
{keys}
[column.age]
role = "quasi-identifier"
type = "numeric"

[mask]
method = "round"
base = 5
columns = ["age"]
"""
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]
FORMS = {"hex": r"[0-9a-f]{16}", "digits": r"[0-9]{12}", "words": r"([bdfghjklmnprstvz][aiou]){2}(-([bdfghjklmnprstvz][aiou]){2}){3}"}


def prepare(program, keys="", top="", persons=40, rows=3):
    lines = ["patient,age"] + [f"name {i % persons},{20 + i}" for i in range(persons * rows)]
    program.write("table.csv", "\n".join(lines) + "\n")
    program.write("plan.toml", PLAN.format(keys=keys, top=top))


def released(program, file="out.csv"):
    return [row["patient"] for row in csv.DictReader(io.StringIO(program.read(file)))]


def ids(told):
    return [finding["id"] for finding in told["findings"]]


@pytest.mark.parametrize("form", FORMS)
def test_each_person_has_one_pseudonym_of_the_form(semveil, form):
    prepare(semveil, f'format = "{form}"\n')
    told = semveil.json(*MASK, "--seed", "s")
    names = released(semveil)
    assert all(re.fullmatch(FORMS[form], name) for name in names)
    assert len(set(names)) == 40 and names == names[:40] * 3
    assert "name" not in semveil.read("out.csv")
    assert {"pseudonyms-from-seed", "pseudonyms-link-rows"} <= set(ids(told))
    assert "pseudonyms-from-seed" not in ids(semveil.json(*MASK))


def test_another_key_gives_others(semveil):
    prepare(semveil)
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    first = released(semveil)
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    assert released(semveil) == first
    semveil.ok(*MASK, "--seed", "t", "--quiet")
    assert not set(released(semveil)) & set(first)


@pytest.mark.parametrize("across", ["true", "false"])
def test_releases_agree_where_that_is_asked(semveil, across):
    prepare(semveil, f"across = {across}\n")
    told = semveil.json("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s")
    assert "pseudonyms-from-seed" in ids(told)
    for release in ("one", "two"):
        semveil.ok("apply", "table.csv", "--model", "m.model", "-o", f"{release}.csv", "--release", release, "--quiet")
    first, second = released(semveil, "one.csv"), released(semveil, "two.csv")
    assert (first == second) == (across == "true")
    if across == "false":
        assert not set(first) & set(second)


def test_a_pseudonym_that_is_too_short_is_refused_with_the_length_that_does(semveil):
    prepare(semveil, "length = 1\n")
    message = semveil.fails(1, *MASK, "--seed", "s")
    assert "two persons would have the same pseudonym" in message and not (semveil.folder / "out.csv").exists()
    length = int(re.search(r"write length = (\d+)", message)[1])
    prepare(semveil, f"length = {length}\n")
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    assert len(set(released(semveil))) == 40 and all(len(name) == length for name in released(semveil))
    prepare(semveil, f"length = {length - 1}\n")
    semveil.fails(1, *MASK, "--seed", "s")


def test_linked_rows_must_be_allowed(semveil):
    prepare(semveil)
    semveil.write("plan.toml", PLAN.format(keys="", top="").replace("allow_linked_rows = true\n", ""))
    assert "allow_linked_rows" in semveil.fails(3, *MASK, "--seed", "s")
    assert not (semveil.folder / "out.csv").exists()


def test_the_person_may_have_a_pseudonym(semveil):
    """Counted by person, written by pseudonym; the shift of dates hangs on the person, not on the pseudonym."""
    rows = [(f"name {i % 20}", f"2024-01-{1 + i % 28:02}") for i in range(80)]
    semveil.write("table.csv", "\n".join(["patient,seen", *map(",".join, rows)]) + "\n")
    plan = ('person = "patient"\nallow_linked_rows = true\n[column.patient]\nrole = "pseudonym"\n'
            '[column.seen]\ntype = "date"\n[mask]\nmethod = "shift"\nshift = 20\ncolumns = ["seen"]\n')
    semveil.write("plan.toml", plan)
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    with_pseudonyms = [row["seen"] for row in csv.DictReader(io.StringIO(semveil.read("out.csv")))]
    assert len(set(released(semveil))) == 20
    semveil.write("plan.toml", plan.replace('"pseudonym"', '"identifier"'))
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    assert [row["seen"] for row in csv.DictReader(io.StringIO(semveil.read("out.csv")))] == with_pseudonyms


@pytest.mark.parametrize(("keys", "said"), [
    ('format = "runes"\n', "format"),
    ("length = 0\n", "length"),
    ("length = 65\n", "length"),
    ('type = "numeric"\nlength = 9\n', "pseudonym"),
])
def test_wrong_keys_are_told(semveil, keys, said):
    prepare(semveil, keys)
    assert said in semveil.fails(1, *MASK, "--seed", "s")


def test_a_plan_may_be_explained(semveil):
    prepare(semveil)
    assert "gets pseudonyms" in semveil.ok("plan", "--check", "plan.toml").replace("\n", " ").replace("  ", " ")


def test_a_plan_without_a_mask_gives_pseudonyms_all_the_same(semveil):
    prepare(semveil)
    semveil.write("plan.toml", 'allow_linked_rows = true\n[column.patient]\nrole = "pseudonym"\n')
    done = semveil.run(*MASK, "--seed", "s", "--quiet")
    assert done.returncode == 0 and "name" not in semveil.read("out.csv")


def test_another_table_of_a_model_needs_the_name_of_its_release(semveil):
    """Else two releases would have the same pseudonyms, and nobody asked for that."""
    prepare(semveil)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    prepare(semveil, persons=41)
    apply = ["apply", "table.csv", "--model", "m.model", "-o", "out.csv", "--quiet"]
    assert "--release" in semveil.fails(2, *apply)
    semveil.ok(*apply, "--release", "next")


def test_classes_beside_pseudonyms_count_persons(semveil):
    prepare(semveil)
    plan = PLAN.replace('method = "round"\nbase = 5\n', 'method = "microaggregate"\nk = 3\n')
    semveil.write("plan.toml", plan.format(keys="", top=""))
    assert 'person = "COLUMN"' in semveil.fails(1, *MASK, "--seed", "s")
    semveil.write("plan.toml", plan.format(keys="", top='person = "patient"'))
    told = semveil.json(*MASK, "--seed", "s")
    assert "rows-linked" in ids(told)


@pytest.mark.parametrize("table", ["table.csv", "nothing.csv"])
def test_a_model_without_its_key_says_so_before_any_cell_is_read(semveil, table):
    prepare(semveil)
    semveil.write("nothing.csv", "patient,age\n")
    text = semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--no-key", "--key-out", "the.key")
    assert "apply --key-file the.key" in text
    message = semveil.fails(2, "apply", table, "--model", "m.model", "--release", "r", "-o", "out.csv")
    assert message.startswith("semveil: m.model: the model was written without its key") and "(--key-file)" in message
    assert not (semveil.folder / "out.csv").exists()
    semveil.ok("apply", table, "--model", "m.model", "--release", "r", "-o", "out.csv", "--key-file", "the.key", "--quiet")


def test_what_is_fitted_is_told_by_step(semveil):
    prepare(semveil)
    lines = [line.split() for line in semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model").splitlines()]
    assert ["step", "pseudonym", "of", "patient:", "across", "false,", "format", "hex"] in lines
    assert ["step", "round", "of", "age:", "base", "5"] in lines
    assert not any(line[:1] == ["parameters"] for line in lines)
