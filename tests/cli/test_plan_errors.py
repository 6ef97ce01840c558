"""Every way a plan or a command line can be wrong: its exit code, its message, and no output."""

import os

import pytest

from clinic import PLAN, SECOND, as_csv, files, mask, prepare


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


def arguments(*more):
    return ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", *more]


def refused(program, code, *more):
    """The message; neither a new nor a changed file."""
    program.write("out.csv", "precious")
    before = os.stat(program.folder / "out.csv")
    message = program.fails(code, *more)
    after = os.stat(program.folder / "out.csv")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    (program.folder / "out.csv").unlink()
    names = files(program)
    assert program.fails(code, *more) == message and files(program) == names
    return message


# ---- Exit 1: the plan or the data ---------------------------------------------------------------

@pytest.mark.parametrize("old, new, named", [
    ("alpha = 0.5", "alpha = -1", ["plan.toml:12", "alpha"]),
    ("alpha = 0.5", "alpah = 0.5", ["plan.toml:12", "alpah", "alpha"]),
    ("alpha = 0.5", "", ["plan.toml:10", "alpha"]),
    ("alpha = 0.5", 'alpha = "much"', ["plan.toml:12", "alpha"]),
    ('"noise"', '"nois"', ["plan.toml:11", "noise"]),
    ('"noise"', '"dp"', ["plan.toml:11", "dp"]),
    ('"noise"', '"swap"', ["plan.toml:12", "alpha", "swap"]),
    ('role = "quasi-identifier"', 'role = "quasi"', ["plan.toml:6", "quasi-identifier"]),
    ('ontology = "disease"', 'ontology = "desease"', ["plan.toml:7", "disease"]),
    ("[column.diagnosis]", "[column.diagnose]", ["table.csv:1", "diagnose", "diagnosis"]),
    ('"edges:disease.csv"', '"edges:none.csv"', ["none.csv"]),
    ('"edges:disease.csv"', '"disease.csv"', ["edges:"]),
    ('root = "D"', 'root = "Disaese"', ["diagnosis", "Disease"]),
    ('root = "D"', 'root = "D1"', ["table.csv", "diagnosis", "outside"]),
    ("[mask]", "[mask", ["plan.toml:10"]),
    ("alpha = 0.5", 'alpha = 0.5\nreference = "pair"', ["pair", "even"]),
    ("alpha = 0.5", 'alpha = 0.5\ncolumns = ["second"]', ["second"]),
    ("alpha = 0.5", 'alpha = 0.5\ndraw_by = "nobody"', ["nobody"]),
    ("alpha = 0.5", 'alpha = 0.5\ndistribution = "laplace"\ncorrelated = true', ["laplace"]),
], ids=lambda part: part if isinstance(part, str) else None)
def test_a_wrong_plan_is_exit_1_and_names_place_and_remedy(clinic, old, new, named):
    assert old in PLAN
    clinic.write("plan.toml", PLAN.replace(old, new))
    message = refused(clinic, 1, *arguments())
    assert all(part in message for part in named), message


def test_a_plan_without_a_mask_is_exit_1(clinic):
    clinic.write("plan.toml", PLAN[: PLAN.index("[mask]")])
    message = refused(clinic, 1, *arguments())
    assert "[mask]" in message and "advise" in message


def test_a_plan_that_is_not_there_is_exit_1(clinic):
    message = clinic.fails(1, "mask", "table.csv", "--plan", "none.toml", "-o", "out.csv")
    assert "none.toml" in message and "no such file" in message


@pytest.mark.parametrize("content, named", [
    (None, "no such file"), ("", "empty"), ("patient\np\n", "diagnosis"),
    ("diagnosis,diagnosis\nFlu,Cold\n", "diagnosis"), ("diagnosis,b\nFlu\n", "table.csv:2"),
    (b"diagnosis,b\nFlu,1\nCold,caf\xe9\n", "table.csv:3"), ('diagnosis,b\nFlu,"x\n', "never ends"),
], ids=["none", "empty", "column", "twice", "short", "Latin-1", "open quote"])
def test_a_wrong_table_is_exit_1(clinic, content, named):
    (clinic.folder / "table.csv").unlink()
    if content is not None:
        clinic.write("table.csv", content)
    assert named in refused(clinic, 1, *arguments())


def test_values_are_hidden_from_the_quiet(clinic):
    clinic.write("table.csv", as_csv([["p", "Secretitis", "x", "c", "n"]]))
    assert "Secretitis" in refused(clinic, 1, *arguments())
    assert "Secretitis" not in refused(clinic, 1, *arguments("--quiet"))


def test_a_numeric_column_holds_numbers(clinic):
    clinic.write("plan.toml", PLAN + '[column.city]\ntype = "numeric"\n')
    message = refused(clinic, 1, *arguments())
    assert "table.csv:2:" in message and "city" in message and "numeric" in message


# ---- Exit 2: the command line -------------------------------------------------------------------

@pytest.mark.parametrize("more, named", [
    (["mask", "table.csv", "-o", "out.csv"], "--plan"),
    (["mask", "table.csv", "--plan", "plan.toml"], "--output"),
    (["mask", "--plan", "plan.toml", "-o", "out.csv"], "TABLE"),
    (arguments("--alpha", "much"), "--alpha"),
    (arguments("--alpha", "nan"), "--alpha"),
    (arguments("--alpha", "-1"), "alpha"),
    (arguments("--alpha", "0"), "alpha"),
    (arguments("--reference", "median"), "reference"),
    (arguments("--method", "nois"), "method"),
    (arguments("--ties", "last"), "ties"),
    (arguments("--distribution", "cauchy"), "distribution"),
    (arguments("--columns", "a,,b"), "--columns"),
    (arguments("--pairs", "a-b"), "--pairs"),
    (arguments("--pairs", "a:b:c"), "--pairs"),
    (arguments("--correlated", "--no-correlated"), "--no-correlated"),
    (arguments("--seed", "a", "--seed-file", "plan.toml"), "--seed"),
    (arguments("--seed", ""), "seed"),
    (arguments("--threads", "0"), "--threads"),
    (arguments("--threads", "x"), "--threads"),
    (arguments("--batch-rows", "-1"), "--batch-rows"),
    (arguments("--trace", "-"), "trace"),
    (arguments("--trace", "out.csv"), "same name"),
    (arguments("--trace", "./out.csv"), "same name"),
    (arguments("--trace", "table.csv"), "would replace the input"),
    (arguments("--nonsense"), "--nonsense"),
    (["mask", "table.csv", "--plan", "plan.toml", "-o", "-", "--json"], "--json"),
    (["describe", "table.csv"], "--plan"),
    (["advise", "table.csv"], "--plan"),
    (["advise", "table.csv", "--plan", "plan.toml", "--keep", "all"], "--keep"),
    (["fit", "table.csv", "-o", "m.model"], "--plan"),
], ids=lambda part: " ".join(part) if isinstance(part, list) else None)
def test_a_wrong_command_line_is_exit_2(clinic, more, named):
    assert named in refused(clinic, 2, *more)


@pytest.mark.parametrize("target", ["table.csv", "./table.csv", "plan.toml", "disease.csv", "map.csv",
                                    "seed.txt", "link.csv"])
def test_no_input_is_replaced(clinic, target):
    clinic.write("map.csv", "value,concept\nFlu,D11\n")
    clinic.write("seed.txt", "s")
    (clinic.folder / "link.csv").symlink_to("table.csv")
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nmapping = "map.csv"'))
    before = clinic.read(target)
    message = clinic.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", target, "--seed-file",
                           "seed.txt")
    assert "would replace the input" in message and clinic.read(target) == before


def test_an_ontology_of_the_command_line_that_cannot_be_understood_is_exit_2(clinic):
    assert "edges:" in refused(clinic, 2, *arguments("--ontology", "disease.csv"))


def test_of_several_ontologies_none_is_replaced(clinic):
    clinic.write("plan.toml", PLAN + '[ontology.other]\nsource = "wordnet"\n')
    message = refused(clinic, 2, *arguments("--ontology", "edges:disease.csv"))
    assert "--ontology" in message and "plan.toml" in message and "2" in message


def test_a_seed_file_that_is_not_there_or_empty_is_exit_1(clinic):
    assert "none.txt" in refused(clinic, 1, *arguments("--seed-file", "none.txt"))
    clinic.write("empty.txt", "\n")
    assert "empty.txt" in refused(clinic, 1, *arguments("--seed-file", "empty.txt"))


# ---- Exit 3: a guarantee ------------------------------------------------------------------------

def test_a_column_of_one_value_is_exit_3(clinic):
    clinic.write("table.csv", as_csv([["p", "Flu", "x", "c", "n"]] * 20))
    message = refused(clinic, 3, *arguments())
    assert "diagnosis" in message and "allow_unmasked" in message and "Flu" not in message
    out = mask(clinic, "--allow-unmasked")
    assert out == clinic.read("table.csv")


def test_a_domain_of_one_concept_is_exit_3(clinic):
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D11"'))
    clinic.write("table.csv", as_csv([["p", "Flu", "x", "c", "n"]] * 20))
    assert "diagnosis" in refused(clinic, 3, *arguments())


# ---- Exit 4: the system -------------------------------------------------------------------------

def test_a_missing_folder_is_exit_4(clinic):
    for verb in ("mask", "fit"):
        message = clinic.fails(4, verb, "table.csv", "--plan", "plan.toml", "-o", "none/out")
        assert message.startswith("semveil: none/out: ")
    message = refused(clinic, 4, *arguments("--trace", "none/trace.csv"))
    assert message.startswith("semveil: none/trace.csv: ")


def test_a_folder_is_no_output(clinic):
    (clinic.folder / "folder").mkdir()
    assert "folder" in clinic.fails(4, "mask", "table.csv", "--plan", "plan.toml", "-o", "folder")


def test_no_file_appears_when_the_summary_cannot_be_printed(clinic):
    for verb, more in (("mask", ["--trace", "t.csv"]), ("fit", ["--no-key", "--key-out", "k"])):
        before = files(clinic)
        with open("/dev/full", "wb") as full:
            done = clinic.run(verb, "table.csv", "--plan", "plan.toml", "-o", "new", *more, stdout=full)
        assert done.returncode == 4 and files(clinic) == before


def test_a_header_alone_masks_to_a_header_or_says_why_not(clinic):
    clinic.write("table.csv", "diagnosis,b\n")
    done = clinic.run(*arguments("--quiet"))
    if done.returncode == 0:
        assert clinic.read("out.csv") == "diagnosis,b\n"
    else:
        assert done.returncode == 3 and "out.csv" not in files(clinic)


def test_pairs_of_columns_are_checked(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    message = refused(clinic, 1, *arguments("--reference", "pair", "--pairs", "diagnosis:city"))
    assert message.startswith("semveil: --pairs: ") and "city" in message
    message = refused(clinic, 1, *arguments("--columns", "nothing"))
    assert message.startswith("semveil: --columns: ") and "nothing" in message
