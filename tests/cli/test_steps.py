"""Several methods in one plan: `[[mask]]` steps, and cell recodings that are done before them."""

import collections
import itertools

import pytest

from clinic import LABELS, PARENT, IDS, ONTOLOGY, as_csv, files, mask, parsed, rows

TOP = """
[ontology.disease]
source = "edges:disease.csv"

[column.patient]
role = "identifier"
"""

HEADER = "patient,diagnosis,second,third,age,note"


def column(name, role="quasi-identifier", more='ontology = "disease"\nroot = "D"'):
    return f'\n[column.{name}]\nrole = "{role}"\n{more}\n'


NUMERIC = 'type = "numeric"'
COLUMNS = TOP + column("diagnosis") + column("second") + column("third", "sensitive")
AGED = COLUMNS + column("age", "other", NUMERIC)


def step(method, **keys):
    lines = [f'method = "{method}"']
    for key, value in keys.items():
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, (str, list)):
            value = repr(value).replace("'", '"')
        lines.append(f"{key} = {value}")
    return "\n[[mask]]\n" + "\n".join(lines) + "\n"


def table(count):
    """As the clinic's, with a third diagnosis and an age."""
    out = []
    for i, (patient, first, second, _, note) in enumerate(rows(count)):
        third = rows(count)[(i * 5 + 3) % count][1]
        out.append([patient, first, second, third, str((i * 37 + i // 3) % 99), note])
    return out


def prepare(program, plan, count=120):
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(table(count), HEADER))
    program.write("plan.toml", plan)
    return program


def masked(program, plan, *more, **options):
    program.write("plan.toml", plan)
    return parsed(mask(program, "--seed", "s", *more, **options))


def smallest(columns):
    return min(collections.Counter(zip(*columns)).values())


# ---- Steps know nothing of each other ------------------------------------------------------------

METHODS = {
    "noise": {"alpha": 0.5}, "naive": {}, "probabilistic": {}, "random-swap": {},
    "distributional-swap": {"k": 3}, "swap": {"k": 3}, "fuse": {"k": 3, "partial": True},
    "recode": {"k": 3}, "generalize": {"k": 3, "partial": True},
    "microaggregate": {"k": 3, "partial": True}, "ean": {"l": 2, "categories": "groups.txt"},
    "an": {"l": 3},
}
GROUPS = "Flu, Cold, Measles, Mumps\nFracture, Burn, Sprain, Cut\nAsthma, Diabetes, Gout, Arthritis\n"


@pytest.fixture
def program(semveil):
    return semveil


@pytest.fixture
def alone(program):
    """What each method makes of one column, by method and column."""
    prepare(program, COLUMNS)
    program.write("groups.txt", GROUPS)
    known = {}

    def of(method, name):
        if (method, name) not in known:
            plan = COLUMNS + step(method, columns=[name], **METHODS[method])
            known[method, name] = masked(program, plan)[name]
        return known[method, name]
    return of


def test_every_pair_of_steps_masks_as_each_does_alone_in_any_order(program, alone):
    for a, b in itertools.combinations_with_replacement(METHODS, 2):
        first = step(a, columns=["diagnosis"], **METHODS[a])
        second = step(b, columns=["third"], **METHODS[b])
        out = masked(program, COLUMNS + first + second)
        assert out["diagnosis"] == alone(a, "diagnosis"), (a, b)
        assert out["third"] == alone(b, "third"), (a, b)
        assert out["second"] == [row[2] for row in table(120)]
        assert masked(program, COLUMNS + second + first) == out, (a, b)


def test_steps_of_one_method_draw_apart(program):
    prepare(program, COLUMNS)
    program.write("table.csv", as_csv([[p, f, f, f, a, n] for p, f, _, _, a, n in table(120)], HEADER))
    out = masked(program, COLUMNS + step("noise", alpha=0.5, columns=["diagnosis"]) +
                 step("noise", alpha=0.5, columns=["second"]))
    assert out["diagnosis"] != out["second"]


def test_one_step_is_the_plan_s_only_one(program):
    prepare(program, COLUMNS)
    single = COLUMNS + '\n[mask]\nmethod = "noise"\nalpha = 0.5\n'
    listed = COLUMNS + step("noise", alpha=0.5)
    assert masked(program, single) == masked(program, listed)


def test_threads_and_batches_do_not_matter(program):
    prepare(program, COLUMNS)
    plan = COLUMNS + step("generalize", k=4) + step("swap", k=3, columns=["third"])
    out = masked(program, plan)
    assert masked(program, plan, "--threads", "3", "--batch-rows", "7") == out


# ---- What is verified, and refused ---------------------------------------------------------------

def test_k_is_that_of_the_whole_output(program):
    prepare(program, COLUMNS)
    out = masked(program, COLUMNS + step("generalize", k=5) +
                 step("noise", alpha=0.3, columns=["third"]))
    assert smallest([out["diagnosis"], out["second"]]) >= 5


def test_a_quasi_identifier_left_to_noise_is_refused_unless_partial(program):
    prepare(program, COLUMNS)
    steps = step("noise", alpha=0.3, columns=["second"])
    program.write("plan.toml", COLUMNS + step("generalize", k=5) + steps)
    error = program.fails(3, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "second" in error and "partial = true" in error
    assert "out.csv" not in files(program)
    program.write("plan.toml", COLUMNS + step("generalize", k=5, partial=True) + steps)
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    out = parsed((program.folder / "out.csv").read_text())
    first = told["findings"][0]
    assert first["id"] == "partial-classes"
    assert first["figures"]["k"] == smallest([out["diagnosis"], out["second"]]) == \
        told["classes"]["smallest"]
    assert smallest([out["diagnosis"]]) >= 5
    assert [s["method"] for s in told["steps"]] == ["generalize", "noise"]
    assert told["method"] == "generalize + noise"


def test_diversity_is_that_of_the_released_values(program):
    prepare(program, COLUMNS)
    demanding = TOP + column("diagnosis") + column("second") + column(
        "third", "sensitive", 'ontology = "disease"\nroot = "D"\ndemand = {l = 3}')
    out = masked(program, demanding + step("generalize", k=5) +
                 step("swap", k=3, columns=["third"]))
    values = collections.defaultdict(set)
    for row in zip(out["diagnosis"], out["second"], out["third"]):
        values[row[:2]].add(row[2])
    assert min(map(len, values.values())) >= 3
    # All become one value: no class has three.
    program.write("plan.toml", demanding + step("generalize", k=5) +
                  step("microaggregate", k=120, columns=["third"], partial=True))
    program.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    program.write("plan.toml", demanding + step("generalize", k=5) +
                  step("recode", k=120, columns=["third"]))
    error = program.fails(3, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "third" in error and "nothing was released" in error


def test_nothing_can_be_demanded_of_sets(program):
    prepare(program, COLUMNS)
    demanding = TOP + column("diagnosis") + column("second") + column(
        "third", "sensitive", 'ontology = "disease"\nroot = "D"\ndemand = {l = 3}')
    program.write("plan.toml", demanding + step("generalize", k=5) + step("an", l=3))
    error = program.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "third" in error and "leave the demand out" in error


def test_a_column_stands_in_one_step(program):
    prepare(program, COLUMNS)
    program.write("plan.toml", COLUMNS + step("noise", alpha=0.5, columns=["diagnosis", "second"]) +
                  step("naive", columns=["second"]))
    error = program.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "second" in error and "two steps" in error


# ---- AN of the EAN paper: generalised quasi-identifiers and added values -------------------------

def test_an_of_the_paper_is_a_plan_of_two_steps(program):
    prepare(program, COLUMNS)
    plan = COLUMNS + step("generalize", k=4) + step("an", l=3)
    program.write("plan.toml", plan)
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    out = parsed((program.folder / "out.csv").read_text())
    assert smallest([out["diagnosis"], out["second"]]) >= 4
    original = table(120)
    for row, cell, d in zip(original, out["third"], out["diagnosis"]):
        values = cell.split("|")
        assert len(set(values)) == 3 and row[3] in values
        way, concept = [], IDS[row[1]]
        while concept:
            way.append(LABELS[concept])
            concept = PARENT[concept]
        assert d in way  # the value or a broader one
    ids = {f["id"] for f in told["findings"]}
    assert {"classes-verified", "sets-verified", "groups-of-this-table", "sets-drawn-by-row"} <= ids
    assert 0 < told["information_loss"] < 1
    audited = program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    assert {"k-verified", "sets-verified"} <= {f["id"] for f in audited["findings"]}


# ---- Recodings -----------------------------------------------------------------------------------

def recoded(program, *steps, count=120):
    prepare(program, AGED + "".join(steps), count)
    return parsed(mask(program, "--seed", "s"))["age"]


def ages(count=120):
    return [int(row[4]) for row in table(count)]


def half_to_even(x, base):
    below, rest = divmod(x, base)
    return (below + (2 * rest > base or (2 * rest == base and below % 2))) * base


@pytest.mark.parametrize("base", [5, 10, 2, 100])
def test_round_is_half_to_even(program, base):
    expected = [str(half_to_even(x, base)) for x in ages()]
    assert recoded(program, step("round", base=base, columns=["age"])) == expected


def test_round_of_decimals_is_as_by_hand(program):
    prepare(program, AGED + step("round", base=0.1, columns=["age"]))
    program.write("table.csv", as_csv([["p", "Flu", "Flu", "Flu", text, "n"] for text in
                                       ("0.35", "0.25", "-0.05", "1e1", "", "0.3500001", "7")], HEADER))
    out = parsed(mask(program))["age"]
    assert out == ["0.4", "0.2", "0.0", "10.0", "", "0.4", "7.0"]


def test_code_by_bound_mean_and_text(program):
    keys = {"bottom": 18, "top": 80, "columns": ["age"]}
    assert recoded(program, step("code", **keys)) == [str(min(max(x, 18), 80)) for x in ages()]
    low, high = [x for x in ages() if x < 18], [x for x in ages() if x > 80]
    means = [half_to_even(sum(part), len(part)) // len(part) for part in (low, high)]
    assert recoded(program, step("code", **keys, **{"as": "mean"})) == \
        [str(means[0] if x < 18 else means[1] if x > 80 else x) for x in ages()]
    assert recoded(program, step("code", **keys, **{"as": "text"})) == \
        ["18-" if x <= 18 else "80+" if x >= 80 else str(x) for x in ages()]


@pytest.mark.parametrize("how", ["bound", "mean", "text"])
def test_a_model_codes_as_mask_does_at_the_bounds_too(program, how):
    prepare(program, AGED + step("code", bottom=18, top=80, columns=["age"], **{"as": how}))
    assert {18, 80} <= set(ages())
    out = mask(program, "--seed", "s")
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "a.model", "--seed", "s", "--quiet")
    program.ok("apply", "table.csv", "--model", "a.model", "-o", "again.csv", "--quiet")
    assert (program.folder / "again.csv").read_text() == out


def test_recodings_are_done_in_the_written_order(program):
    code, to_tens = step("code", top=47, columns=["age"]), step("round", base=10, columns=["age"])
    assert recoded(program, code, to_tens) == [str(half_to_even(min(x, 47), 10)) for x in ages()]
    assert recoded(program, to_tens, code) == [str(min(half_to_even(x, 10), 47)) for x in ages()]


def test_changed_cells_are_told_and_nothing_is_promised(program):
    prepare(program, AGED + step("round", base=5, columns=["age"]))
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert told["recoded"] == [{"column": "age", "method": "round", "cells": 120,
                                "changed": sum(x % 5 > 0 for x in ages())}]
    assert "cells-recoded" in {f["id"] for f in told["findings"]}
    assert "every-column-masked" not in {f["id"] for f in told["findings"]}
    assert "recoded" in program.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")


def test_changed_cells_are_those_of_released_records(program):
    prepare(program, 'missing = "drop-record"\n' + AGED + step("round", base=5, columns=["age"]))
    records = table(120)
    for record in records[::4]:
        record[1] = ""
    program.write("table.csv", as_csv(records, HEADER))
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    kept = [x for i, x in enumerate(ages()) if i % 4]
    assert told["dropped_records"] == 30
    assert told["recoded"] == [{"column": "age", "method": "round", "cells": 90,
                                "changed": sum(x % 5 > 0 for x in kept)}]


def test_steps_are_fitted_on_the_recoded_table(program):
    numbers = TOP + column("age", "quasi-identifier", NUMERIC)
    together = step("round", base=10, columns=["age"]) + step("microaggregate", k=30)
    prepare(program, numbers + together)
    out = parsed(mask(program))["age"]
    rounded = [row[:4] + [str(half_to_even(int(row[4]), 10))] + row[5:] for row in table(120)]
    program.write("table.csv", as_csv(rounded, HEADER))
    program.write("plan.toml", numbers + step("microaggregate", k=30))
    assert parsed(mask(program))["age"] == out


ANIMALS = "child,parent\nanimal,\ndog,animal\ncat,animal\npoodle,dog\ntoy poodle,poodle\n"


@pytest.mark.parametrize(("level", "after"), [(1, ["poodle", "poodle", "dog", "cat"]), (2, ["dog", "dog", "dog", "cat"]),
                                              (3, ["animal"] * 4), (9, ["animal"] * 4)])
def test_a_level_counts_from_the_deepest_value(program, level, after):
    """docs/formats/plan.md, Levels; and help and explanations say so."""
    program.write("animals.csv", ANIMALS)
    program.write("table.csv", "animal\ntoy poodle\npoodle\ndog\ncat\n")
    plan = '[ontology.a]\nsource = "edges:animals.csv"\n' + '[column.animal]\nontology = "a"\nroot = "animal"\n'
    assert masked(program, plan + step("level", level=level, columns=["animal"]))["animal"] == after
    said = program.json("plan", "--check", "plan.toml")["sentences"][-1]["text"]
    assert "counted from its deepest value" in said and "levels above it" not in said
    shown = " ".join(program.ok("mask", "--help").split())
    assert "counted from the deepest of them" in shown and "so many levels above it" not in shown


def test_a_fixed_level_is_a_recoding(program):
    prepare(program, COLUMNS + step("generalize", level=1, columns=["diagnosis"]) +
            step("noise", alpha=0.5, columns=["second"]))
    out = parsed(mask(program, "--seed", "s"))
    assert out["diagnosis"] == [LABELS[PARENT[IDS[row[1]]]] for row in table(120)]
    assert out["second"] != [row[2] for row in table(120)]
    # What stands there now can be masked by one step.
    program.write("plan.toml", COLUMNS + step("generalize", level=1, columns=["diagnosis"]) +
                  step("naive", columns=["diagnosis"]))
    again = set(parsed(mask(program, "--seed", "s"))["diagnosis"])
    assert again == {"Infection", "Injury", "Chronic disease"}


@pytest.mark.parametrize("keys, said", [
    ({"columns": ["diagnosis"], "base": 5}, "numbers"),
    ({"base": 5}, "columns"),
    ({"columns": ["age"]}, "base"),
])
def test_what_round_needs(program, keys, said):
    prepare(program, AGED + step("round", **keys))
    assert said in program.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")


# ---- Models, parts of the way, comparisons -------------------------------------------------------

BOTH = AGED + step("code", top=70, columns=["age"]) + step("generalize", k=4) + \
    step("noise", alpha=0.5, columns=["third"])


def test_a_model_masks_as_mask_does(program):
    prepare(program, BOTH)
    out = mask(program, "--seed", "s")
    told = program.json("fit", "table.csv", "--plan", "plan.toml", "-o", "a.model", "--seed", "s")
    assert [s["method"] for s in told["steps"]] == ["code", "generalize", "noise"]
    program.ok("apply", "table.csv", "--model", "a.model", "-o", "again.csv")
    assert (program.folder / "again.csv").read_text() == out


def test_a_model_of_recodings_and_noise_takes_a_stream(program):
    prepare(program, AGED + step("round", base=5, columns=["age"]) +
            step("noise", alpha=0.5, columns=["third"]))
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "a.model", "--seed", "s")
    text = as_csv([["p", "Flu", "Flu", "Gout", age, "n"] for age in ("133", "", "7", "998")], HEADER)
    out = parsed(program.ok("apply", "-", "--model", "a.model", "-o", "-", "--release", "r", "--quiet", stdin=text))
    assert out["age"] == ["135", "", "5", "1000"] and out["diagnosis"] == ["Flu"] * 4


def test_a_stream_is_refused_where_a_step_looks_up_or_deals(program):
    for other in (step("generalize", k=4, columns=["diagnosis"], partial=True),
                  step("swap", k=3, columns=["diagnosis"])):
        prepare(program, COLUMNS + other + step("noise", alpha=0.5, columns=["third"]))
        program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "a.model", "--seed", "s")
        program.fails(2, "apply", "-", "--model", "a.model", "-o", "-", "--release", "r",
                      stdin=as_csv(table(120), HEADER))


def test_each_step_has_a_trace_of_its_own(program):
    prepare(program, COLUMNS + step("fuse", k=3) + step("noise", alpha=0.5, columns=["third"]))
    mask(program, "--seed", "s", "--trace", "trace.csv")
    heads = [(program.folder / f"trace.{i}.csv").read_text().split("\n")[0] for i in (1, 2)]
    assert heads == ["step,size,partner_size,similarity,from,to",
                     "row,column,value,error,reference,replacement,rule"]
    # The only one that has a trace keeps the name.
    program.write("plan.toml", COLUMNS + step("generalize", k=3) +
                  step("noise", alpha=0.5, columns=["third"]))
    mask(program, "--seed", "s", "--trace", "one.csv")
    assert (program.folder / "one.csv").read_text().startswith("row,column,value")


def test_compare_tries_steps_that_a_plus_joins(program):
    prepare(program, COLUMNS + step("noise", alpha=0.5, columns=["third"]))
    told = program.json("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", "--try",
                        "generalize k=3,5 + noise alpha=0.3 columns=third", "--try",
                        "noise alpha=0.5 columns=diagnosis+second")
    labels = [one["label"] for one in told["releases"]]
    assert all(one["risk"] is not None and one["loss"] is not None for one in told["releases"])
    assert any("generalize" in label and " + noise" in label for label in labels)
    assert sum(" + noise" in label for label in labels) == 2
    program.fails(2, "compare", "table.csv", "--plan", "plan.toml", "--try", "generalize k=3 +")


def test_options_belong_to_the_step_that_takes_them(program):
    prepare(program, BOTH)
    out = mask(program, "--seed", "s", "--alpha", "0.9")
    program.write("plan.toml", BOTH.replace("alpha = 0.5", "alpha = 0.9"))
    assert mask(program, "--seed", "s") == out
    for option in (["--method", "naive"], ["--columns", "third"], ["--l", "3"]):
        program.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", "x.csv", *option)
    program.write("plan.toml", COLUMNS + step("fuse", k=3, columns=["diagnosis"], partial=True) +
                  step("generalize", k=3, columns=["second"], partial=True))
    error = program.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", "x.csv", "--k", "4")
    assert "2 of the plan's steps" in error


def test_audits_of_several_steps(program):
    prepare(program, BOTH)
    mask(program, "--seed", "s")
    told = program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    ids = {f["id"] for f in told["findings"]}
    assert {"k-verified", "method-verified"} <= ids
    assert "column-changed" not in ids  # the plan recodes it


@pytest.mark.parametrize("role, more, after", [
    ("quasi-identifier", NUMERIC, step("generalize", k=4, columns=["age"], partial=True)),
    ("quasi-identifier", NUMERIC + "\nhierarchy = {intervals = 10}", step("generalize", k=4)),
    ("other", NUMERIC, step("round", base=10, columns=["age"])),
    ("other", NUMERIC, step("code", bottom=5, columns=["age"]))])
def test_texts_of_code_are_no_numbers_for_the_steps_that_follow(program, role, more, after):
    columns = COLUMNS.replace('role = "quasi-identifier"', 'role = "other"') + column("age", role, more)
    prepare(program, columns)
    for text, code in (("text", 1), ("bound", 0)):
        before = step("code", top=70, columns=["age"], **{"as": text})
        program.write("plan.toml", columns + before + after)
        done = program.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
        assert done.returncode == code, done.stderr
        assert ("the texts of code are no numbers" in done.stderr) == (text == "text")


def test_texts_of_code_may_come_last(program):
    out = recoded(program, step("round", base=10, columns=["age"]), step("code", top=70, columns=["age"], **{"as": "text"}))
    assert "70+" in out and "60" in out


def test_steps_are_told_in_the_order_of_the_plan(program):
    number = column("weight", "other", NUMERIC)
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv([[*row, str(i % 90)] for i, row in enumerate(table(60))], HEADER + ",weight"))
    program.write("plan.toml", AGED + number + step("round", base=10, columns=["age", "weight"]) +
                  step("code", top=50, columns=["weight"]) + step("code", top=70, columns=["age"]) + step("generalize", k=3))
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert [(s["method"], s["columns"]) for s in told["steps"]] == [
        ("round", ["age", "weight"]), ("code", ["weight"]), ("code", ["age"]), ("generalize", ["diagnosis", "second"])]
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    assert program.json("apply", "table.csv", "--model", "m.model", "-o", "out.csv")["steps"] == told["steps"]
    program.write("plan.toml", AGED + number + step("round", base=10, columns=["age", "weight"]))
    assert program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")["parameters"]["base"] == 10
