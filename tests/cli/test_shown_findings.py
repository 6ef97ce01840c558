"""What a person is shown of findings: remedies that were not taken already, one line for what is alike."""

import pytest

import set_clinic
from clinic import PLAN, SECOND, as_csv, prepare, rows

MASK = ("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
AUDIT = ("audit", "table.csv", "out.csv", "--plan", "plan.toml")


def words(text):
    return " ".join(text.split())


def report(program, *more):
    program.ok(*AUDIT, "--report", "r.html", "--quiet", *more)
    return program.read("r.html")


def remedies(program):
    return [part.split("</span>")[0] for part in report(program).split("What can be done: ")[1:]]


def test_sets_are_not_advised_to_take_a_greater_alpha_or_sets(semveil):
    """People are found by the city and note, which sets leave as they are."""
    records = [[f"p{i}", r[1], r[2], f"c{i}", r[4]] for i, r in enumerate(rows(150))]
    set_clinic.prepare(semveil, records=records)
    semveil.ok(*MASK, "--quiet")
    told = remedies(semveil)
    assert any("mask these, too, by a method that makes groups" in each for each in told)
    assert not any("alpha" in each or "(ean)" in each or "swaps" in each for each in told)


@pytest.mark.parametrize("method, has, lacks", [("noise", "greater alpha", "greater k"), ("swap", "greater k", "alpha")])
def test_a_stronger_parameter_is_that_of_the_method(semveil, method, has, lacks):
    settings = {"noise": "alpha = 0.001", "swap": "k = 1"}[method]
    prepare(semveil, plan='seed = "s"\n' + PLAN.split("[mask]")[0] + SECOND + f'[mask]\nmethod = "{method}"\n{settings}\n')
    semveil.ok(*MASK, "--quiet")
    told = [each for each in remedies(semveil) if "advise tries" in each]
    assert told and all(has in each and lacks not in each for each in told)


def test_columns_that_are_masked_together_are_not_advised_to_be(semveil):
    """Errors of three times the variance leave less of a correlation, drawn together or not."""
    records = [[r[0], r[1], r[1], r[3], r[4]] for r in rows(200)]
    for more, told in (("", "(correlated = true)"), ("correlated = true\n", "masked together already")):
        prepare(semveil, plan='seed = "s"\n' + PLAN.split("[mask]")[0] + SECOND + f'[mask]\nmethod = "noise"\nalpha = 3\n{more}')
        semveil.write("table.csv", as_csv(records))
        shown = words(semveil.ok(*MASK))
        assert "shows a weaker correlation of diagnosis and second" in shown and told in shown
        assert ("(correlated = true)" in shown) == (more == "")


def test_demands_of_columns_are_named_where_the_option_means_another(semveil):
    prepare(semveil)
    message = semveil.fails(2, *MASK, "--method", "swap", "--k", "5", "--demand", "l=3")
    assert "demand = {l = 3}" in message and "nearest" not in message


def test_notes_that_say_the_same_are_one_line(semveil):
    """Nothing is demanded of either sensitive column."""
    secret = '[column.city]\nrole = "sensitive"\n[column.second]\nrole = "sensitive"\ntype = "text"\n'
    prepare(semveil, plan=PLAN.split("[mask]")[0] + secret + '[mask]\nmethod = "fuse"\nk = 5\n')
    semveil.ok(*MASK, "--quiet")
    shown = words(semveil.ok(*AUDIT))
    assert shown.count("Nothing is promised of") == 1 and "Nothing is promised of second and city" in shown
    assert report(semveil).count("Nothing is promised of") == 1
    told = [f["columns"] for f in semveil.json(*AUDIT)["findings"] if f["id"] == "diversity-not-promised"]
    assert sorted(map(tuple, told)) in ([("city",), ("second",)], [("second", "city")])


def test_senses_of_several_columns_are_one_note(semveil):
    prepare(semveil, plan='seed = "s"\n' + PLAN + SECOND)
    semveil.write("disease.csv", (semveil.folder / "disease.csv").read_text() + "D35,D3,Flu\n")
    told = [f for f in semveil.json(*MASK)["findings"] if f["id"] == "senses-chosen"]
    assert [(f["columns"], f["figures"]) for f in told] == [(["diagnosis", "second"], {"values": 2})]


def test_columns_with_suppressed_cells_did_not_come_through(semveil):
    """Eight have the same, one is alone and suppressed: diagnosis is otherwise as it was."""
    records = [[f"p{i}", "Cut" if i == 8 else "Flu", "x", "c", f"n{i}"] for i in range(9)]
    prepare(semveil, plan=PLAN.split("[mask]")[0] + '[mask]\nmethod = "generalize"\nscope = "local"\nk = 3\nsuppression = 0.2\n')
    semveil.write("table.csv", as_csv(records))
    semveil.ok(*MASK, "--quiet")
    assert "" in [line.split(",")[1] for line in semveil.read("out.csv").splitlines()]
    assert semveil.json(*AUDIT)["unmasked"] == ["patient", "second", "city", "note"]
    shown = words(semveil.ok(*AUDIT))
    assert "came through as they were: patient, second, city, note" in shown
    assert "diagnosis: missing 0 before, 1 after" in shown
    assert "0 cells before, 1 after" in words(semveil.ok(*MASK))


def test_sentences_of_the_public_edition_have_the_rounded_figures(semveil):
    """1,237 people with a name of their own: the JSON says 1,240, and so does the sentence beside it."""
    semveil.write("table.csv", "name,job\n" + "".join(f"n{i},{'ab'[i % 2]}\n" for i in range(1237)) + "x,a\nx,b\n" * 200)
    semveil.write("plan.toml", '[column.name]\nrole = "quasi-identifier"\ntype = "text"\n[column.job]\nrole = "sensitive"\ntype = "text"\n')
    for edition, uniques in (("public", 1240), ("steward", 1237)):
        told = semveil.json("audit", "table.csv", "table.csv", "--plan", "plan.toml", "--no-attacks", "--edition", edition)
        assert told["classes"]["uniques"] == uniques
        alone = next(f for f in told["findings"] if f["id"] == "uniques-released")
        assert alone["figures"]["uniques"] == uniques and f"{uniques:,} released records are alone" in alone["text"]


def test_a_finding_is_headed_by_its_severity(semveil):
    """A note names the person, and every record shares its masked values with others."""
    text = PLAN.replace('method = "noise"\nalpha = 0.5', 'method = "fuse"\nk = 3')
    prepare(semveil, plan='person = "patient"\nallow_linked_rows = true\nseed = "s"\n[column.patient]\nrole = "identifier"\n' + text)
    semveil.write("table.csv", as_csv([[*r[:4], f"account of {r[0]}"] for r in rows(200)]))
    told = semveil.json(*MASK)["findings"]
    severities = [f["severity"] for f in told if f["severity"] in ("danger", "warning")]
    assert "danger" in severities
    shown = [line.split()[0] for line in semveil.ok(*MASK).splitlines() if line.startswith(("DANGER  ", "WARNING  "))]
    assert shown == [severity.upper() for severity in severities]
