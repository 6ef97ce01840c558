"""Noise on columns of numbers: models, streams, parts of a table, traces, audits; and what is refused."""

import csv
import math
import random
import statistics

import pytest

from clinic import LEAVES, ONTOLOGY, parsed

ROWS = 3000
PLAN = """
[ontology.disease]
source = "edges:disease.csv"

[column.diagnosis]
role = "quasi-identifier"
ontology = "disease"
root = "D"

[column.age]
role = "quasi-identifier"
type = "numeric"

[column.dose]
role = "other"
type = "numeric"
decimals = 1

[mask]
method = "noise"
alpha = 0.3
columns = ["diagnosis", "age", "dose"]
"""
CORRELATED = PLAN + "correlated = true\n"


def records():
    draw = random.Random(4)
    out = []
    for i in range(ROWS):
        age = draw.randint(18, 90)
        dose = round(200 - 2 * age + draw.uniform(-20, 20), 1)
        out.append([LEAVES[min(11, (age - 18) // 7)], "" if i == 7 else str(age), str(dose)])
    return out


def as_table(rows):
    return "diagnosis,age,dose\n" + "".join(",".join(row) + "\n" for row in rows)


@pytest.mark.parametrize("mean, deviation, alpha, weak", [(1000, 100, 1, False), (0.5, 0.01, 0.005, True)])
def test_weak_noise_is_measured_beside_the_column_in_its_own_unit(semveil, mean, deviation, alpha, weak):
    """Distances are parts of the column's range: 100 of some 600, 0.01 of some 0.06."""
    draw = random.Random(5)
    semveil.write("table.csv", "a\n" + "".join(f"{draw.gauss(mean, deviation):.4f}\n" for _ in range(500)))
    semveil.write("plan.toml", '[column.a]\nrole = "quasi-identifier"\ntype = "numeric"\n'
                               f'[mask]\nmethod = "noise"\ncolumns = ["a"]\nalpha = {alpha}\n')
    semveil.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--quiet")
    found = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    told = [f for f in found["findings"] if f["id"] == "noise-weak"]
    assert len(told) == weak
    for finding in told:
        assert finding["severity"] == "danger"
        assert finding["figures"]["error"] == pytest.approx(math.sqrt(alpha), rel=0.01)


@pytest.fixture
def people(semveil):
    semveil.write("disease.csv", ONTOLOGY)
    semveil.write("plan.toml", PLAN)
    semveil.write("correlated.toml", CORRELATED)
    semveil.write("table.csv", as_table(records()))
    return semveil


def numbers(semveil, name, column):
    return [float(cell) for cell in parsed(semveil.read(name))[column] if cell]


def pearson(a, b):
    return statistics.correlation(a, b)


def mask(people, plan="plan.toml", out="out.csv", *more):
    return people.json("mask", "table.csv", "--plan", plan, "-o", out, "--seed", "s", *more)


def test_numbers_are_moved_within_their_range_and_keep_mean_and_decimals(people):
    told = mask(people)
    for column, decimals in (("age", 0), ("dose", 1)):
        before, after = (numbers(people, name, column) for name in ("table.csv", "out.csv"))
        assert min(before) <= min(after) and max(after) <= max(before)
        unit = max(before) - min(before)
        moved = [abs(a - b) for a, b in zip(before, after, strict=True)]
        assert sum(m > 0 for m in moved) > 0.8 * ROWS
        assert abs(statistics.fmean(before) - statistics.fmean(after)) < 0.03 * unit
        assert told["columns"][column]["rmse"] == pytest.approx(
            math.sqrt(statistics.fmean((m / unit) ** 2 for m in moved)), rel=1e-6)
        texts = [cell for cell in parsed(people.read("out.csv"))[column] if cell]
        assert {len(text.partition(".")[2]) for text in texts} == {decimals}
    assert parsed(people.read("out.csv"))["age"][7] == ""


def test_errors_have_alpha_times_the_variance_where_the_range_is_free(people):
    """The variance of 3000 normal errors is within 18 % of its own in all but 1e-10 of the samples."""
    people.write("free.toml", PLAN + 'range = "free"\n')
    mask(people, "free.toml")
    for column in ("age", "dose"):
        before, after = (numbers(people, name, column) for name in ("table.csv", "out.csv"))
        errors = [b - a for a, b in zip(before, after, strict=True)]
        assert statistics.fmean(e * e for e in errors) == pytest.approx(0.3 * statistics.pvariance(before), rel=0.18)
        assert min(after) < min(before) or max(after) > max(before)


def test_correlated_errors_keep_the_sign_that_distances_do_not_have(people):
    moved = {}
    for plan in ("plan.toml", "correlated.toml"):
        people.write("free.toml", people.read(plan) + 'range = "free"\n')
        mask(people, "free.toml")
        pairs = [row for row in zip(*(parsed(people.read(name))[c] for name in ("table.csv", "out.csv")
                                      for c in ("age", "dose")), strict=True) if row[0]]
        ages, doses = ([float(row[2 + j]) - float(row[j]) for row in pairs] for j in (0, 1))
        moved[plan] = pearson(ages, doses)
    assert abs(moved["plan.toml"]) < 0.11, "six deviations"
    assert moved["correlated.toml"] < -0.9


@pytest.mark.parametrize("plan", ["plan.toml", "correlated.toml"])
def test_a_model_masks_as_mask_does_and_takes_numbers_it_has_not_seen(people, plan):
    mask(people, plan)
    people.ok("fit", "table.csv", "--plan", plan, "-o", "m.svm", "--seed", "s", "--quiet")
    people.ok("apply", "table.csv", "--model", "m.svm", "-o", "again.csv", "--quiet")
    assert people.read("again.csv") == people.read("out.csv")
    stream = "diagnosis,age,dose\nFlu,44.5,13.37\nBurn,45,\n"
    out = people.ok("apply", "-", "--model", "m.svm", "-o", "-", "--release", "later", "--quiet", stdin=stream)
    rows = list(csv.reader(out.splitlines()))[1:]
    assert 18 <= float(rows[0][1]) <= 90 and rows[1][2] == "" and len(rows) == 2
    again = ["apply", "-", "--model", "m.svm", "-o", "-", "--release", "later", "--again"]
    assert people.ok(*again, "--quiet", stdin=stream) == out
    for cell, code in (("91", 3), ("old", 1)):
        done = people.run(*again, stdin=f"diagnosis,age,dose\nFlu,{cell},1\n")
        assert done.returncode == code and "age" in done.stderr


def test_threads_do_not_matter(people):
    mask(people, "correlated.toml")
    mask(people, "correlated.toml", "more.csv", "--threads", "3")
    assert people.read("more.csv") == people.read("out.csv")


def test_a_trace_tells_number_error_and_what_came_out(people):
    mask(people, "plan.toml", "out.csv", "--trace", "trace.csv")
    rows = list(csv.DictReader(people.read("trace.csv").splitlines()))
    before, after = (parsed(people.read(name)) for name in ("table.csv", "out.csv"))
    ages = [row for row in rows if row["column"] == "age"]
    assert len(ages) == ROWS - 1
    for row in ages[:200]:
        i = int(row["row"])
        assert (row["value"], row["replacement"], row["reference"]) == (before["age"][i], after["age"][i], "")
        y = float(row["value"]) + float(row["error"])
        while not 18 <= y <= 90:
            y = 36 - y if y < 18 else 180 - y
        assert abs(float(row["replacement"]) - y) <= 0.5 + 1e-9


def test_an_audit_knows_the_channel_of_numbers(people):
    mask(people, "plan.toml")
    audit = ("audit", "table.csv", "out.csv", "--plan", "plan.toml", *people.in_order("table.csv"),
             "--edition", "steward")
    told = people.json(*audit)
    assert "method-verified" in {f["id"] for f in told["findings"]}
    risks = {tuple(channel["columns"]): channel for channel in told["channels"]}
    assert risks[("age",)]["how"] == "exact" and risks[("age",)]["worst"] < 0.5
    age = told["columns"]["age"]
    assert age["variance_expected"] == pytest.approx(1.3 * statistics.pvariance(numbers(people, "table.csv", "age")))
    assert age["target_rmse"] == pytest.approx(
        math.sqrt(0.3 * statistics.pvariance(numbers(people, "table.csv", "age"))) / 72)
    # A number that the method cannot have written.
    rows = people.read("out.csv").splitlines()
    first, _, rest = rows[5].split(",")
    rows[5] = f"{first},33.3,{rest}"
    people.write("out.csv", "\n".join(rows) + "\n")
    assert "method-contradicted" in {f["id"] for f in people.json(*audit)["findings"]}


def test_comparisons_try_noise_on_numbers(people):
    told = people.json("compare", "table.csv", "--plan", "plan.toml", "--seed", "s",
                       "--try", "noise alpha=0.1 columns=age+dose", "--try", "noise alpha=1 columns=age+dose")
    tried = [r for r in told["releases"] if r["configuration"].get("method") == "noise"]
    assert [r["configuration"]["alpha"] for r in tried] == [0.1, 1]
    assert tried[0]["loss"] < tried[1]["loss"]


def test_pairs_and_dates_are_refused_in_words(people):
    people.write("pair.toml", PLAN + 'reference = "pair"\n')
    done = people.run("mask", "table.csv", "--plan", "pair.toml", "-o", "out.csv")
    assert done.returncode == 1 and 'reference = "pair" is for words' in done.stderr
    people.write("date.toml", PLAN.replace('type = "numeric"\n\n[column.dose]', 'type = "date"\n\n[column.dose]'))
    done = people.run("mask", "table.csv", "--plan", "date.toml", "-o", "out.csv")
    assert done.returncode == 1 and "noise masks concepts and numbers" in done.stderr


def test_words_alone_keep_their_bytes_beside_numbers_that_are_not_masked(people):
    words = PLAN.replace('columns = ["diagnosis", "age", "dose"]', 'columns = ["diagnosis"]')
    people.write("words.toml", words)
    people.write("plain.toml", words.replace('type = "numeric"\ndecimals = 1\n', ""))
    mask(people, "words.toml", "a.csv")
    mask(people, "plain.toml", "b.csv")
    assert people.read("a.csv") == people.read("b.csv")
