"""Every rule of a plan still binds when the table is masked by a model, or later ones are."""

import json

import pytest

from clinic import PLAN, SECOND, as_csv, mask, parsed, prepare, rows

SEED = "rules"
IDENTIFIER = '[column.patient]\nrole = "identifier"\n'


def gaps(records):
    """Some cells of both diagnoses are missing, not the same ones."""
    return [[p, "" if i % 7 == 2 else a, "" if i % 5 == 1 else b, c, n]
            for i, (p, a, b, c, n) in enumerate(records)]


def column(rule):
    return PLAN.replace('root = "D"', f'root = "D"\n{rule}')


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


def fit(clinic, *more, table="table.csv"):
    clinic.ok("fit", table, "--plan", "plan.toml", "-o", "m.model", "--seed", SEED, "--quiet", *more)


def apply(clinic, *more, table="table.csv"):
    clinic.ok("apply", table, "--model", "m.model", "-o", "a.csv", "--quiet", *more)
    return (clinic.folder / "a.csv").read_bytes().decode()


@pytest.mark.parametrize("plan", [
    PLAN + IDENTIFIER,
    'undeclared = "drop"\n' + PLAN,
    column('deny = ["Flu", "Cold", "Burn"]'),
    column("min_depth = 3"),
    column("leaves_only = true"),
    column('write = "id"'),
    column('measure = "path"'),
    column('measure = "lin"\nic = "sanchez"'),
    column('domain = "branches"'),
    'missing_values = ["", "n/a"]\n' + PLAN,
    'missing = "drop-record"\n' + PLAN,
    'missing = "drop-record"\n' + PLAN + SECOND,
    'missing = "drop-record"\nshuffle = true\n' + PLAN + SECOND,
    'missing = "category"\n' + PLAN + SECOND + 'unmapped = "suppress"\n',
    PLAN + SECOND + '[column.city]\nrole = "quasi-identifier"\n',
])
def test_a_model_masks_the_fitted_table_as_the_plan_does(clinic, plan):
    records = [[p, "n/a" if "n/a" in plan and i % 9 == 4 else a, b, c, n]
               for i, (p, a, b, c, n) in enumerate(gaps(rows(200)))]
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", plan)
    fit(clinic)
    assert apply(clinic) == mask(clinic, "--seed", SEED)


def later(clinic, text):
    clinic.write("later.csv", text)
    return "apply", "later.csv", "--model", "m.model", "-o", "a.csv", "--release", "r"


def test_a_later_table_meets_the_rule_for_unmapped_values(clinic):
    clinic.write("plan.toml", column('unmapped = "suppress"'))
    fit(clinic)
    clinic.ok(*later(clinic, "diagnosis\nFlu\nno such thing\n"))
    released = parsed(clinic.read("a.csv"))["diagnosis"]
    assert released[0] != "" and released[1] == ""
    clinic.write("plan.toml", PLAN)
    fit(clinic)
    message = clinic.fails(1, *later(clinic, "diagnosis\nFlu\nno such thing\n"))
    assert "later.csv:3" in message and "no such thing" in message


def test_a_later_table_meets_the_rule_for_missing_cells(clinic):
    clinic.write("plan.toml", 'missing = "error"\n' + PLAN)
    fit(clinic)
    assert "record 2" in clinic.fails(1, *later(clinic, "diagnosis,note\nFlu,1\n,2\n"))


def test_a_later_table_meets_the_decisions_of_the_mapping_file(clinic):
    clinic.write("own.csv", "value,concept\nthe usual,Flu\n")
    clinic.write("plan.toml", column('mapping = "own.csv"\nwrite = "id"'))
    fit(clinic)
    (clinic.folder / "own.csv").unlink()
    clinic.ok(*later(clinic, "diagnosis\nthe usual\n"), "--trace", "t.csv")
    assert parsed(clinic.read("t.csv"))["value"] == ["D11"]


def test_columns_may_come_in_another_order(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    fit(clinic)
    records = rows(60)
    clinic.write("later.csv", as_csv(records))
    clinic.write("swapped.csv", as_csv([[p, b, a, c, n] for p, a, b, c, n in records],
                                       "patient,second,diagnosis,city,note"))
    straight = parsed(apply(clinic, "--release", "r", table="later.csv"))
    swapped = parsed(apply(clinic, "--release", "r", table="swapped.csv"))
    assert swapped == straight


def errors(clinic, *more, table="table.csv"):
    clinic.ok("mask", table, "--plan", "plan.toml", "-o", "o.csv", "--seed", SEED, "--trace", "t.csv",
              "--quiet", *more)
    return parsed(clinic.read("t.csv"))["error"]


def test_tables_that_differ_at_all_share_no_errors(clinic):
    """One cell, the order of the rows, the strength of the noise: each gives other errors."""
    first = errors(clinic)
    records = rows(200)
    changed = [list(r) for r in records]
    changed[17][1] = "Gout" if changed[17][1] != "Gout" else "Flu"
    clinic.write("changed.csv", as_csv(changed))
    clinic.write("turned.csv", as_csv(records[::-1]))
    others = [errors(clinic, table="changed.csv"), errors(clinic, table="turned.csv"),
              errors(clinic, "--release", "another")]
    for other in others:
        assert len(other) == len(first)
        assert not any(a == b for a, b in zip(first, other))
    stronger = [float(e) for e in errors(clinic, "--alpha", "2")]  # four times the variance
    assert not any(abs(float(a) * 2 - b) < 1e-9 for a, b in zip(first, stronger))


def test_a_part_of_the_fitted_table_needs_a_release(clinic):
    fit(clinic)
    message = clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "a.csv",
                           "--first-row", "5")
    assert "--release" in message


def test_releases_are_shuffled_differently(clinic):
    clinic.write("plan.toml", "shuffle = true\n" + PLAN)
    orders = [parsed(mask(clinic, "--seed", SEED, "--release", name))["note"] for name in "rq"]
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])


# ---- Records that are left out ------------------------------------------------------------------

@pytest.mark.parametrize("more", [[], ["--batch-rows", "7", "--threads", "3"]])
@pytest.mark.parametrize("columns", [PLAN, PLAN + SECOND])
def test_records_left_out_are_in_no_figure(clinic, columns, more):
    records = gaps(rows(200))
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", 'missing = "drop-record"\n' + columns)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", SEED,
                         "--trace", "t.csv", *more)
    both = columns != PLAN
    kept = [r for r in records if r[1] and (r[2] or not both)]
    assert parsed(clinic.read("out.csv"))["note"] == [r[4] for r in kept]
    assert result["records"] == len(kept)
    assert result["dropped_records"] == len(records) - len(kept)
    assert len(parsed(clinic.read("t.csv"))["row"]) == len(kept) * (2 if both else 1)
    described = clinic.json("describe", "out.csv", "--plan", "plan.toml")
    for name, figures in result["columns"].items():
        assert figures["missing"] == 0
        for key in ("mean", "variance", "distance_variance", "distinct"):
            assert figures[key] == pytest.approx(described["columns"][name][key]), (name, key)
    assert result["classes"] == described["classes"]
    aims = ("covariance_expected", "covariance_error")  # of noise: no describing tells them
    assert [{k: v for k, v in p.items() if k not in aims} for p in result["pairs"]] == described["pairs"]


def test_blank_lines_do_not_depend_on_batches(clinic):
    clinic.write("table.csv", as_csv(gaps(rows(40))).replace("\np3", "\n\np3"))
    clinic.write("plan.toml", 'missing = "drop-record"\n' + PLAN)
    first = mask(clinic, "--seed", SEED)
    for size in "123":
        assert mask(clinic, "--seed", SEED, "--batch-rows", size) == first


def test_a_missing_cell_of_any_quasi_identifier_is_an_error(clinic):
    clinic.write("table.csv", as_csv([[p, a, b, "" if n == "005" else c, n]
                                      for p, a, b, c, n in rows(20)]))
    clinic.write("plan.toml", 'missing = "error"\n' + PLAN +
                 '[column.city]\nrole = "quasi-identifier"\n')
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "record 6" in message and "city" in message


def test_values_of_records_left_out_are_not_drawn(clinic):
    records = [["p", "Gout", "", "c", "0"]] + [r for r in rows(300) if r[1] != "Gout"]
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", ('missing = "drop-record"\n' + PLAN + SECOND).replace(
        'method = "noise"\nalpha = 0.5', 'method = "naive"'))
    assert "Gout" not in parsed(mask(clinic, "--seed", SEED))["diagnosis"]


# ---- What the figures are of --------------------------------------------------------------------

@pytest.mark.parametrize("rule", ["generalize", "keep", "suppress"])
def test_figures_of_the_result_hold_for_unmapped_cells_too(clinic, rule):
    records = [[p, "no such thing" if i % 11 == 3 else a, b, c, n]
               for i, (p, a, b, c, n) in enumerate(rows(200))]
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", column(f'unmapped = "{rule}"') + SECOND)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", SEED)
    described = clinic.json("describe", "out.csv", "--plan", "plan.toml")
    for key in ("mean", "variance", "distinct", "missing", "unmapped"):
        assert result["columns"]["diagnosis"][key] == pytest.approx(
            described["columns"]["diagnosis"][key]), key
    assert result["classes"] == described["classes"]


def test_a_label_that_two_concepts_share_carries_the_id(clinic):
    clinic.write("disease.csv", clinic.read("disease.csv").replace("D12,D1,Cold", "D12,D1,Flu"))
    clinic.write("table.csv", "diagnosis\n" + "".join(f"{i}\n" for i in ("D11", "D12", "D13", "D21") * 50))
    clinic.write("plan.toml", column('write = "label"\nleaves_only = true'))
    released = set(parsed(mask(clinic, "--seed", SEED))["diagnosis"])
    assert "Flu" not in released and {"Flu (D11)", "Flu (D12)"} & released


def test_a_label_that_the_mapping_file_gives_to_another_carries_the_id(clinic):
    clinic.write("own.csv", "value,concept\nCold,Burn\n")
    clinic.write("plan.toml", column('mapping = "own.csv"'))
    clinic.write("table.csv", as_csv([r for r in rows(200) if r[1] != "Cold"]))
    released = set(parsed(mask(clinic, "--seed", SEED))["diagnosis"])
    assert "Cold" not in released and "Cold (D12)" in released


def test_a_column_of_words_with_some_ids_is_written_as_words(clinic):
    records = [[p, "D11" if i % 5 == 0 else a, b, c, n] for i, (p, a, b, c, n) in enumerate(rows(200))]
    clinic.write("table.csv", as_csv(records))
    assert not any(v.startswith("D1") for v in parsed(mask(clinic))["diagnosis"])


def test_a_record_without_a_person_cannot_be_drawn_by_person(clinic):
    clinic.write("table.csv", as_csv([["" if n == "005" else p, a, b, c, n]
                                      for p, a, b, c, n in rows(20)]))
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv",
                           "--draw-by", "patient")
    assert "record 6" in message


def test_a_constant_column_that_stays_has_one_origin(clinic):
    clinic.write("table.csv", "diagnosis,note\n" + "".join(f"Flu,{i}\n" for i in range(14)))
    result = json.loads(clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv",
                                  "--allow-unmasked", "--json"))
    assert result["single_origin"] == 14
