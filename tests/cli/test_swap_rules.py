"""semveil and swapping: what is refused, what a demand asks for, what is told of frequent values."""

import pytest

from clinic import LEAVES, PLAN, SECOND, as_csv, files, rows
from test_swap import AGE, AGED, SEED, aged, apply, clinic, fit, plan, prepare, told  # noqa: F401

DEMAND = 'demand = "probabilistic-k"\n'
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv"]


# ---- Demands ------------------------------------------------------------------------------------

def test_a_demand_needs_every_quasi_identifier(clinic):
    same = [["p", "Flu", "Gout", "c", str(i)] for i in range(40)]
    clinic.write("table.csv", as_csv(same))
    clinic.write("plan.toml", plan(mask=DEMAND + 'columns = ["diagnosis"]'))
    message = clinic.fails(3, *MASK)
    assert "quasi-identifier is not swapped" in message and "plan.toml" in message
    assert "a.csv" not in files(clinic)


def test_a_demand_cannot_be_met_beside_kept_values(clinic):
    records = [["p", "Flu", "Gout", "c", str(i)] for i in range(40)]
    clinic.write("plan.toml", plan(mask=DEMAND, column='unmapped = "keep"\n'))
    clinic.write("table.csv", as_csv(records))
    assert told(clinic)[0]["risk"] <= 1 / 5  # nothing is kept
    records[3][1] = "warp core"
    clinic.write("table.csv", as_csv(records))
    message = clinic.fails(3, *MASK)
    assert "kept as they are" in message and "diagnosis" in message and "a.csv" not in files(clinic)


# ---- Numbers ------------------------------------------------------------------------------------

def test_missing_numbers_are_no_category(clinic):
    text = plan(columns=SECOND + AGE, mask='columns = ["age"]', top='missing = "category"\n')
    prepare(clinic, aged(), text, AGED)
    told(clinic)  # none is missing
    records = aged()
    records[6][5] = ""
    clinic.write("table.csv", as_csv(records, AGED))
    message = clinic.fails(1, *MASK)
    assert "missing numbers" in message and "age" in message and "a.csv" not in files(clinic)


def test_a_number_that_was_not_fitted_is_exit_3(clinic):
    prepare(clinic, aged(), plan(columns=SECOND + AGE, mask='columns = ["age"]'), AGED)
    fit(clinic)
    for cell, code in (("1000", 3), ("old", 1)):
        records = aged()
        records[6][5] = cell
        clinic.write("later.csv", as_csv(records, AGED))
        message = clinic.fails(code, "apply", "later.csv", "--model", "m.model", "-o", "a.csv",
                               "--release", "r")
        assert "later.csv:8" in message and "age" in message


def test_another_order_of_numbers_needs_a_release(clinic):
    prepare(clinic, aged(), plan(columns=SECOND + AGE, mask='columns = ["age"]'), AGED)
    fit(clinic)
    clinic.write("later.csv", as_csv(aged()[::-1], AGED))
    assert "--release" in clinic.fails(2, "apply", "later.csv", "--model", "m.model", "-o", "a.csv")
    apply(clinic, "--release", "r", table="later.csv")


def test_missing_numbers_are_described(clinic):
    """Also where no other column is counted with them."""
    clinic.write("table.csv", "age\n" + "".join(f"{20 + i % 5}\n" for i in range(40)) + "?\n" * 7)
    clinic.write("plan.toml", 'missing_values = ["?"]\n' + AGE
                 + '[mask]\nmethod = "swap"\nk = 5\ncolumns = ["age"]\n')
    before = clinic.json("describe", "table.csv", "--plan", "plan.toml")
    after = told(clinic)[0]
    assert before["columns"]["age"]["missing"] == 7
    for name in before.keys() & after.keys() - {"columns", "seconds", "findings"}:
        assert before[name] == after[name]
    for figure in before["columns"]["age"].keys() & after["columns"]["age"].keys():
        assert before["columns"]["age"][figure] == after["columns"]["age"][figure]


def test_advise_passes_over_numbers(clinic):
    prepare(clinic, aged(), plan(columns=SECOND + AGE, mask='columns = ["age", "diagnosis"]'), AGED)
    advice = clinic.json("advise", "table.csv", "--plan", "plan.toml")["advice"]
    swap = next(one for one in advice if one["method"] == "swap")
    assert "dynamic" in str(swap)  # one column of words
    clinic.write("plan.toml", plan(columns=SECOND + AGE))
    advice = clinic.json("advise", "table.csv", "--plan", "plan.toml")["advice"]
    assert "multivariate" in str(next(one for one in advice if one["method"] == "swap"))


# ---- Missing cells ------------------------------------------------------------------------------

def test_missing_cells_keep_their_spelling(clinic):
    records = rows(60)
    for i in range(0, 60, 6):
        records[i][1] = "NA" if i % 4 else "?"
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", plan(top='missing_values = ["?", "NA"]\n'))
    _, after = told(clinic)
    for i in range(0, 60, 6):
        assert after["diagnosis"][i] == records[i][1]


# ---- Records left out ---------------------------------------------------------------------------

def test_a_value_of_records_left_out_is_none_of_the_table(clinic):
    records = rows(60)
    records[7][1:3] = ["Gout", ""]
    records = [r for i, r in enumerate(records) if r[1] != "Gout" or i == 7]
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", plan(top='missing = "drop-record"\n', mask='columns = ["diagnosis"]'))
    fit(clinic, "--seed", SEED)
    told(clinic)
    assert apply(clinic) == clinic.read("out.csv")
    assert "Gout" not in {r.split(",")[1] for r in clinic.read("out.csv").splitlines()}


# ---- What is told -------------------------------------------------------------------------------

@pytest.mark.parametrize("method, frequent", [("multivariate", True), ("dynamic", True),
                                              ("random", False)])
def test_the_summary_tells_of_frequent_values(clinic, method, frequent):
    clinic.write("table.csv", as_csv([["p", LEAVES[i % 5], LEAVES[i % 5], "c", "n"] for i in range(100)]))
    clinic.write("plan.toml", plan(method))
    k = [] if method == "random" else ["--k", "19"]
    text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", SEED, *k)
    assert (text.count("frequent   100 cells") == 2) == frequent
    if frequent:
        text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--k", "20")
        assert "frequent " not in text


def test_the_summary_warns_only_above_one_in_k(clinic):
    same = [["p", "Flu", "Gout", "c", str(i)] for i in range(40)]
    clinic.write("table.csv", as_csv(same))
    for k, warns in (("40", False), ("41", True)):  # the risk is 1/40
        text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--k", k)
        assert ("does not make it 1/k" in text) == warns


def test_the_summary_tells_unchanged_uniques(clinic):
    clinic.write("table.csv", as_csv(rows(40)))
    arguments = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", SEED, "--k", "2"]
    result, lines = clinic.json(*arguments), clinic.ok(*arguments).split("\n")
    assert 0 < result["unchanged_uniques"] < result["uniques_before"]
    for title, figure in (("alone with their values", "uniques_before"),
                          ("come out as they were", "unchanged_uniques")):
        line = next(line for line in lines if title in line)
        assert line.split()[-1] == str(result[figure])


def test_a_long_trace_has_every_line_once(clinic):
    clinic.write("table.csv", as_csv(rows(40000)))
    clinic.write("plan.toml", plan("random"))
    told(clinic, "--trace", "t.csv")
    text = clinic.read("t.csv")
    assert len(text) > 1 << 20  # it is written in pieces
    lines = text.splitlines()
    assert (len(lines), len(set(lines))) == (40001, 40001)


# ---- Another method than the plan's -------------------------------------------------------------

def test_keys_of_the_old_method_are_left_out_but_no_options(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    message = clinic.fails(2, *MASK, "--method", "swap", "--k", "5", "--alpha", "0.5")
    assert "--alpha" in message and "a.csv" not in files(clinic)
    clinic.write("plan.toml", plan(mask="alpha = 0.5"))  # the plan's own method does not take it
    assert "alpha" in clinic.fails(1, *MASK)
    assert "alpha" in clinic.fails(1, *MASK, "--method", "swap")
