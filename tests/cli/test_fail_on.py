"""--fail-on: a script stops where a finding of a severity stands, and nothing is left behind."""

import pytest

from clinic import PLAN, as_csv, prepare, rows

DROPPED = 'undeclared = "drop"\nseed = "s"\n'


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


def plan(program, text):
    program.write("plan.toml", text)


def is_there(program, name):
    return (program.folder / name).exists()


def test_a_warning_stops_a_release_and_leaves_nothing(clinic):
    """The column note is nearly unique and comes out as it is: a warning."""
    mask = ("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--trace", "trace.csv", "--seed", "s")
    done = clinic.run(*mask, "--fail-on", "warning")
    assert done.returncode == 3 and "nearly-unique-released" in done.stderr
    assert not is_there(clinic, "out.csv") and not is_there(clinic, "trace.csv")
    assert "Not written" in done.stdout and "Written to" not in done.stdout  # the summary is told all the same
    assert clinic.run(*mask, "--fail-on", "danger").returncode == 0
    assert is_there(clinic, "out.csv") and is_there(clinic, "trace.csv")


def test_a_file_that_was_there_stays(clinic):
    clinic.write("out.csv", "old\n")
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--fail-on", "warning", "--json")
    assert done.returncode == 3 and clinic.read("out.csv") == "old\n"


def test_a_danger_stops_where_warnings_are_let_through(clinic):
    clinic.write("table.csv", as_csv(rows(200) + [["p", "Mr Smith", "Flu", "c", "n"]]))
    plan(clinic, PLAN.replace('role = "quasi-identifier"', 'role = "quasi-identifier"\nunmapped = "keep"', 1))
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--fail-on", "danger")
    assert done.returncode == 3 and "texts-released" in done.stderr and not is_there(clinic, "out.csv")
    assert "nearly-unique" not in done.stderr


def test_fit_and_apply(clinic):
    clinic.write("table.csv", as_csv([r[:2] + [r[1]] + r[3:] for r in rows(200)]))  # second tells diagnosis
    fit = ("fit", "table.csv", "--plan", "plan.toml", "-o", "m")
    done = clinic.run(*fit, "--fail-on", "warning")
    assert done.returncode == 3 and "column-tells-masked" in done.stderr and not is_there(clinic, "m")
    clinic.ok(*fit, "--fail-on", "danger")
    clinic.write("table.csv", as_csv(rows(150) + [["p", "Mr Smith", "Flu", "c", "n"]]))
    plan(clinic, PLAN.replace('role = "quasi-identifier"', 'role = "quasi-identifier"\nunmapped = "keep"', 1))
    clinic.ok(*fit, "--quiet")
    apply = ("apply", "table.csv", "--model", "m", "-o", "out.csv")
    done = clinic.run(*apply, "--fail-on", "danger")
    assert done.returncode == 3 and "texts-released" in done.stderr and not is_there(clinic, "out.csv")
    clinic.ok(*apply, "--quiet")


def test_an_audit_writes_its_report_and_fails(clinic):
    audit = ("audit", "table.csv", "table.csv", "--plan", "plan.toml", "--report", "r.html", "--fail-on", "danger")
    done = clinic.run(*audit)
    assert done.returncode == 3 and "column-not-masked" in done.stderr and is_there(clinic, "r.html")
    plan(clinic, DROPPED + PLAN.split("[mask]")[0] + '[mask]\nmethod = "fuse"\nk = 5\n')
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--fail-on", "danger", "--quiet")


def test_other_severities_are_refused(clinic):
    assert clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "o.csv", "--fail-on", "note").returncode == 2


def test_a_misspelt_option_is_answered_with_the_nearest(clinic):
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--supression", "0.1")
    assert done.returncode == 2 and "the nearest option is --suppression" in done.stderr
    assert "--threads" in clinic.run("describe", "table.csv", "--plan", "plan.toml", "--thread=2").stderr


def test_a_file_that_is_replaced_is_told(clinic):
    mask = ("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "in place of" not in clinic.ok(*mask)
    assert "in place of the file that was there" in clinic.ok(*mask)
