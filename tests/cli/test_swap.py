"""semveil mask, fit, apply and advise by swapping: values change places, and nothing else happens."""

import collections
import csv
import io

import pyarrow as pa
import pyarrow.parquet
import pytest

from clinic import IDS, LEAVES, ONTOLOGY, PLAN, SECOND, as_csv, distance, files, mask, parsed, rows

SEED = "correct horse battery"
METHODS = {
    "multivariate": 'method = "swap"\nk = 5',
    "extend": 'method = "swap"\nk = 5\nexhausted = "extend"',
    "dynamic": 'method = "swap"\nk = 30\nalgorithm = "dynamic"',
    "fixed": 'method = "swap"\nk = 5\nalgorithm = "fixed"',
    "random": 'method = "random-swap"',
    "distributional": 'method = "distributional-swap"\nk = 30',
}
AGE = '\n[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n'


def plan(method="multivariate", columns=SECOND, top="", column="", mask=""):
    """The clinic's plan with another method; `column` is said of the diagnosis, `mask` in [mask]."""
    text = PLAN.replace('method = "noise"\nalpha = 0.5', METHODS.get(method, method) + "\n" + mask)
    return top + text.replace('root = "D"\n', 'root = "D"\n' + column) + columns


def prepare(program, records, text=None, header="patient,diagnosis,second,city,note"):
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(records, header))
    program.write("plan.toml", plan() if text is None else text)
    return program


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, rows(200))


def told(program, *more, table="table.csv", out="out.csv"):
    """The JSON of a run, and the columns it wrote."""
    result = program.json("mask", table, "--plan", "plan.toml", "-o", out, "--seed", SEED, *more)
    return result, parsed(program.read(out))


def fit(program, *more):
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet", *more)


def apply(program, *more, table="table.csv", out="applied.csv"):
    program.ok("apply", table, "--model", "m.model", "-o", out, "--quiet", *more)
    return (program.folder / out).read_bytes().decode()


def counts(values):
    return collections.Counter(values)


# ---- Values change places -----------------------------------------------------------------------

@pytest.mark.parametrize("method", METHODS)
def test_every_column_keeps_its_values(clinic, method):
    clinic.write("plan.toml", plan(method))
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic)
    assert list(before) == list(after)
    for name in before:
        assert counts(before[name]) == counts(after[name])
        assert (before[name] == after[name]) == (name not in ("diagnosis", "second"))
    changed = {name: sum(a != b for a, b in zip(before[name], after[name]))
               for name in ("diagnosis", "second")}
    assert {name: result["columns"][name]["changed"] for name in changed} == changed
    assert result["changed"] == sum(changed.values())
    assert result["method"] == METHODS[method].split('"')[1]


def test_the_figures_of_single_columns_stay(clinic):
    before = clinic.json("describe", "table.csv", "--plan", "plan.toml")["columns"]
    after = told(clinic)[0]["columns"]
    for name in ("diagnosis", "second"):
        for figure in ("distinct", "missing", "mean", "variance", "distance_variance"):
            assert before[name][figure] == after[name][figure]


def test_rmse_is_that_of_the_files(clinic):
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic)
    for name in ("diagnosis", "second"):
        squares = [distance(IDS[a], IDS[b]) ** 2 for a, b in zip(before[name], after[name])]
        assert result["columns"][name]["rmse"] == pytest.approx((sum(squares) / 200) ** 0.5, abs=1e-9)


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_tables_of_types_are_swapped_alike(clinic, form):
    whole = mask(clinic, "--seed", SEED)
    columns = parsed(clinic.read("table.csv"))
    columns["note"] = [int(n) for n in columns["note"]]
    pyarrow.parquet.write_table(pa.table(columns), clinic.folder / "table.parquet")
    clinic.ok("mask", "table.parquet", "--plan", "plan.toml", "-o", f"out.{form}", "--seed", SEED,
              "--quiet")
    path = clinic.folder / f"out.{form}"
    out = (pyarrow.parquet.read_table(path) if form == "parquet"
           else pa.ipc.open_file(path).read_all()).to_pydict()
    assert out["note"] == columns["note"]  # whole numbers still
    for name in ("patient", "diagnosis", "second", "city"):
        assert out[name] == parsed(whole)[name]


@pytest.mark.parametrize("method", METHODS)
def test_threads_and_batches_change_no_byte(clinic, method):
    clinic.write("table.csv", as_csv(rows(1500)))
    clinic.write("plan.toml", plan(method))
    outputs = {mask(clinic, "--seed", SEED, "--threads", threads, "--batch-rows", batch)
               for threads in ("1", "2", "7") for batch in ("1", "7", "1000")}
    assert len(outputs) == 1


def test_other_seeds_and_releases_swap_otherwise(clinic):
    outputs = [mask(clinic, "--seed", SEED), mask(clinic, "--seed", "other"), mask(clinic),
               mask(clinic, "--seed", SEED, "--release", "r")]
    assert len(set(outputs)) == 4


def test_standard_input_is_masked_as_the_file_is(clinic):
    done = clinic.run("mask", "-", "--plan", "plan.toml", "-o", "-", "--seed", SEED, "--quiet",
                      stdin=clinic.read("table.csv"))
    assert done.returncode == 0 and done.stdout == mask(clinic, "--seed", SEED)


def test_shuffled_rows_are_the_same_rows(clinic):
    straight = mask(clinic, "--seed", SEED)
    clinic.write("plan.toml", plan(top="shuffle = true\n"))
    shuffled = mask(clinic, "--seed", SEED)
    assert shuffled != straight and sorted(shuffled.split("\n")) == sorted(straight.split("\n"))


def test_the_order_of_equal_records_does_not_tell_who_swapped(clinic):
    """Records of one tuple whose values leave it: which of them, another release decides anew."""
    clinic.write("table.csv", as_csv([["p", LEAVES[i // 20], LEAVES[i // 20], "c", "n"]
                                      for i in range(60)]))
    clinic.write("plan.toml", plan("fixed"))
    fit(clinic, "--seed", SEED)
    seen = [parsed(apply(clinic, "--release", f"{i}"))["diagnosis"] for i in range(12)]
    assert len({tuple(one) for one in seen}) == 12
    # Of the first twenty records, all alike, no release gives those in front another lot.
    kept = [[one[i] == LEAVES[0] for one in seen] for i in range(20)]
    assert all(any(one) for one in kept) and sum(not all(one) for one in kept) > 10


# ---- Rows, intervals, trace ---------------------------------------------------------------------

def replayed(columns, trace):
    """What the exchanges of a trace make of the columns."""
    out = {name: list(values) for name, values in columns.items()}
    moved = set()
    for line in trace:
        name, row = line["column"], int(line["row"])
        cells = [row] if line["partner"] == "" else [row, int(line["partner"])]
        for cell in cells:
            assert (name, cell) not in moved
            moved.add((name, cell))
        if len(cells) == 2:
            a, b = cells
            assert float(line["distance"]) == pytest.approx(
                distance(IDS[columns[name][a]], IDS[columns[name][b]]), abs=1e-9)
            out[name][a], out[name][b] = columns[name][b], columns[name][a]
        else:
            assert (line["interval"], float(line["distance"])) == ("0", 0)
    return out, moved


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("method", METHODS)
def test_the_trace_played_again_is_the_output(clinic, method, threads):
    clinic.write("plan.toml", plan(method))
    result, after = told(clinic, "--trace", "t.csv", "--threads", threads, "--batch-rows", "7")
    text = clinic.read("t.csv")
    assert text.startswith("step,column,row,partner,interval,distance\n")
    trace = list(csv.DictReader(io.StringIO(text)))
    again, moved = replayed(parsed(clinic.read("table.csv")), trace)
    assert again == after and len(moved) == 400
    kept = counts(line["column"] for line in trace if line["partner"] == "")
    for name in ("diagnosis", "second"):
        assert result["columns"][name]["no_partner"] == kept[name]
    assert result["kept"] == sum(kept.values())
    steps = [int(line["step"]) for line in trace if line["column"] == "diagnosis"]
    assert steps[0] == 0 and steps == sorted(steps)
    if method in ("multivariate", "dynamic", "fixed", "distributional"):
        k = 5 if method in ("multivariate", "fixed") else 30
        assert max(int(line["interval"]) for line in trace) <= k
    assert (clinic.folder / "t.csv").stat().st_mode & 0o777 == 0o600


def lines_of(program, method, *more):
    program.write("plan.toml", plan(method))
    result, _ = told(program, "--trace", "t.csv", *more)
    return result, list(csv.DictReader(io.StringIO(program.read("t.csv"))))


def test_whole_records_take_turns_or_column_after_column(clinic):
    _, together = lines_of(clinic, "multivariate")
    shared = counts(line["step"] for line in together)
    assert 2 in shared.values()
    assert [*shared] == sorted(shared, key=int)
    _, apart = lines_of(clinic, "dynamic")
    columns = [line["column"] for line in apart]
    assert columns == sorted(columns)  # the diagnosis first, then the second


def test_beyond_the_interval_all_but_a_last_one_find_a_partner(clinic):
    kept = lines_of(clinic, "multivariate")[0]["columns"]
    extended = lines_of(clinic, "extend")[0]["columns"]
    for name in ("diagnosis", "second"):
        assert kept[name]["no_partner"] > 1 and extended[name]["no_partner"] == 0  # 200 is even


def test_any_record_is_a_partner_of_a_random_swap(clinic):
    _, trace = lines_of(clinic, "random")
    intervals = [int(line["interval"]) for line in trace if line["column"] == "diagnosis"]
    assert intervals == list(range(199, 0, -2))


def test_a_distributional_swap_ranks_by_frequency(clinic):
    """Two far values that are equally frequent mix, two near ones that are not stay apart."""
    values = ["Flu"] * 30 + ["Cut"] * 30 + ["Cold"] * 90
    clinic.write("table.csv", as_csv([["p", value, "Gout", "c", "n"] for value in values]))
    clinic.write("plan.toml", plan("distributional"))
    _, after = told(clinic, "--k", "1")
    moves = counts(zip(values, after["diagnosis"]))
    assert moves["Flu", "Cut"] >= 5 and moves["Cold", "Cold"] >= 89
    clinic.write("plan.toml", plan("fixed"))
    _, after = told(clinic, "--k", "1")
    assert counts(zip(values, after["diagnosis"]))["Flu", "Cut"] <= 1


def test_a_trace_changes_no_byte(clinic):
    assert mask(clinic, "--seed", SEED) == mask(clinic, "--seed", SEED, "--trace", "t.csv")


def test_rows_of_the_trace_are_those_of_the_input(clinic):
    """Also where records are left out or shuffled."""
    records = rows(60)
    for i in (0, 7, 30):
        records[i][1] = ""
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", plan(top='missing = "drop-record"\nshuffle = true\n'))
    _, after = told(clinic, "--trace", "t.csv")
    trace = list(csv.DictReader(io.StringIO(clinic.read("t.csv"))))
    again, moved = replayed(parsed(clinic.read("table.csv")), trace)
    assert {row for _, row in moved} == set(range(60)) - {0, 7, 30}
    place = {note: i for i, note in enumerate(again["note"])}
    for i, note in enumerate(after["note"]):
        assert after["diagnosis"][i] == again["diagnosis"][place[note]]
        assert after["second"][i] == again["second"][place[note]]


def test_a_model_holds_no_trace(clinic):
    fit(clinic)
    before = files(clinic)
    message = clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "a.csv", "--trace", "t.csv")
    assert "mask --trace" in message and files(clinic) == before


# ---- Fit and apply ------------------------------------------------------------------------------

@pytest.mark.parametrize("text", [plan(name) for name in METHODS] + [
    plan("dynamic", columns=""), plan(top='missing = "category"\n'), plan(top="shuffle = true\n"),
    plan(top='release = "r"\n'), plan(top='missing = "drop-record"\n')],
    ids=[*METHODS, "one", "category", "shuffle", "release", "drop"])
def test_fit_and_apply_are_mask(clinic, text):
    records = rows(200)
    for i in range(0, 200, 9):
        records[i][1 + i % 2] = ""
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", text)
    fit(clinic, "--seed", SEED)
    whole = mask(clinic, "--seed", SEED)
    assert whole != clinic.read("table.csv")
    assert apply(clinic) == whole
    for more in (["--threads", "3"], ["--batch-rows", "7"]):
        assert apply(clinic, *more) == whole
    assert apply(clinic, "--release", "other") != whole


def test_apply_tells_what_mask_tells(clinic):
    fit(clinic, "--seed", SEED)
    by_apply = clinic.json("apply", "table.csv", "--model", "m.model", "-o", "a.csv")
    by_mask = told(clinic)[0]
    for name in ("kept", "uniques_before", "unchanged_uniques", "risk", "changed", "method",
                 "parameters", "records"):
        assert by_apply[name] == by_mask[name]
    for name in ("diagnosis", "second"):
        for figure in ("no_partner", "rmse", "changed", "cells"):
            assert by_apply["columns"][name][figure] == by_mask["columns"][name][figure]


@pytest.mark.parametrize("change", ["more", "fewer", "other", "pairs", "unseen"])
@pytest.mark.parametrize("more", [[], ["--release", "r"]], ids=["plain", "release"])
def test_other_frequencies_are_exit_3(clinic, change, more):
    records = rows(200)
    if change == "more":
        records.append(list(records[0]))
    elif change == "fewer":
        records.pop()
    elif change == "other":
        records[5][1] = next(leaf for leaf in LEAVES if leaf != records[5][1])
    elif change == "pairs":  # each column as it was, but not together
        records[1][2], records[2][2] = records[2][2], records[1][2]
        assert records[1][1] != records[2][1] and records[1][2] != records[2][2]
    else:
        records[5][1] = "Disease"
    fit(clinic)
    clinic.write("later.csv", as_csv(records))
    clinic.write("a.csv", "old")
    message = clinic.fails(3, "apply", "later.csv", "--model", "m.model", "-o", "a.csv", *more)
    assert "later.csv" in message and "fit" in message and clinic.read("a.csv") == "old"
    (clinic.folder / "a.csv").unlink()
    clinic.fails(3, "apply", "later.csv", "--model", "m.model", "-o", "a.csv", *more)
    assert "a.csv" not in files(clinic)


def test_another_order_needs_a_release(clinic):
    fit(clinic, "--seed", SEED)
    clinic.write("later.csv", as_csv(rows(200)[::-1]))
    message = clinic.fails(2, "apply", "later.csv", "--model", "m.model", "-o", "a.csv")
    assert "--release" in message and "a.csv" not in files(clinic)
    out = parsed(apply(clinic, "--release", "r", table="later.csv"))
    before = parsed(clinic.read("later.csv"))
    assert out["note"] == before["note"] and out["diagnosis"] != before["diagnosis"]
    for name in before:
        assert counts(out[name]) == counts(before[name])


def test_other_spellings_are_the_same_table(clinic):
    fit(clinic, "--seed", SEED)
    clinic.write("later.csv", as_csv([[p, a.upper(), IDS[b], c, n] for p, a, b, c, n in rows(200)]))
    out = parsed(apply(clinic, "--release", "r", table="later.csv"))
    assert counts(out["diagnosis"]) == counts(r[1] for r in rows(200))


@pytest.mark.parametrize("more", [[], ["--release", "r"]], ids=["plain", "release"])
def test_a_stream_is_exit_2(clinic, more):
    fit(clinic)
    message = clinic.fails(2, "apply", "-", "--model", "m.model", *more, stdin=clinic.read("table.csv"))
    assert "stream" in message


@pytest.mark.parametrize("more", [[], ["--release", "r"]], ids=["plain", "release"])
def test_a_part_of_a_table_is_exit_2(clinic, more):
    fit(clinic)
    message = clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "a.csv", "--first-row",
                           "7", *more)
    assert "part of a table" in message and "a.csv" not in files(clinic)


# ---- k ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["swap", "distributional-swap"])
@pytest.mark.parametrize("k", ["", "k = 0", "k = -3", "k = 2.5", 'k = "five"'])
def test_a_wrong_k_in_the_plan_is_exit_1(clinic, method, k):
    clinic.write("plan.toml", plan(f'method = "{method}"\n{k}'))
    number = clinic.read("plan.toml").split("\n").index(k or "[mask]") + 1
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv")
    assert f"plan.toml:{number}" in message and "k" in message and "a.csv" not in files(clinic)


@pytest.mark.parametrize("k", ["0", "-3", "five", "2.5", ""])
def test_a_wrong_k_on_the_command_line_names_the_option(clinic, k):
    message = clinic.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv", "--k", k)
    assert "--k" in message and "a.csv" not in files(clinic)


@pytest.mark.parametrize("method", ["multivariate", "dynamic", "fixed"])
def test_k_may_be_all_others_and_more(clinic, method):
    clinic.write("table.csv", as_csv(rows(30)))
    clinic.write("plan.toml", plan(method))
    outputs = {mask(clinic, "--seed", SEED, "--k", k) for k in ("29", "30", "1000000000")}
    # k is a parameter, and so of the key: other swaps, but swaps all.
    for text in outputs:
        assert counts(parsed(text)["diagnosis"]) == counts(r[1] for r in rows(30))


@pytest.mark.parametrize("method", METHODS)
def test_one_record_stays(clinic, method):
    clinic.write("table.csv", as_csv(rows(1)))
    clinic.write("plan.toml", plan(method))
    result, _ = told(clinic)
    assert clinic.read("out.csv") == as_csv(rows(1))
    assert (result["uniques_before"], result["unchanged_uniques"], result["risk"]) == (1, 1, 1)
    assert result["kept"] == 2


@pytest.mark.parametrize("method", METHODS)
def test_a_table_without_records_is_one(clinic, method):
    clinic.write("table.csv", as_csv([]))
    clinic.write("plan.toml", plan(method))
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    assert (done.returncode, clinic.read("out.csv")) == (0, as_csv([]))


@pytest.mark.parametrize("method", METHODS)
def test_equal_records_have_nothing_to_exchange(clinic, method):
    same = [["p", "Flu", "Gout", "c", str(i)] for i in range(40)]
    clinic.write("table.csv", as_csv(same))
    clinic.write("plan.toml", plan(method))
    result, _ = told(clinic)
    assert clinic.read("out.csv") == as_csv(same)
    assert (result["changed"], result["uniques_before"], result["risk"]) == (0, 0, 1 / 40)


@pytest.mark.parametrize("method, changes", [("multivariate", False), ("dynamic", False), ("fixed", True)])
def test_values_more_frequent_than_k_meet_their_like(clinic, method, changes):
    """Paper, Table 5: with k = 2 nothing changes; a fixed ranking crosses the borders of values."""
    clinic.write("table.csv", as_csv([["p", LEAVES[i % 5], LEAVES[i % 5], "c", "n"] for i in range(100)]))
    clinic.write("plan.toml", plan(method))
    result, _ = told(clinic, "--k", "2")
    assert (result["changed"] > 0) == changes
    assert (result["columns"]["diagnosis"]["rmse"] > 0) == changes


# ---- Missing and unmapped cells -----------------------------------------------------------------

def with_gaps(count=120):
    records = rows(count)
    for i in range(0, count, 5):
        records[i][1] = ""
    for i in range(0, count, 15):
        records[i][2] = ""
    return records


def gaps(values):
    return [i for i, value in enumerate(values) if value == ""]


@pytest.mark.parametrize("method", METHODS)
def test_missing_cells_stay_where_they_are(clinic, method):
    clinic.write("table.csv", as_csv(with_gaps()))
    clinic.write("plan.toml", plan(method))
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic, "--batch-rows", "7")
    for name in ("diagnosis", "second"):
        assert gaps(after[name]) == gaps(before[name]) != []
        assert counts(after[name]) == counts(before[name])
        assert result["columns"][name]["missing"] == len(gaps(before[name]))


@pytest.mark.parametrize("method", METHODS)
def test_missing_as_a_category_changes_places_too(clinic, method):
    clinic.write("table.csv", as_csv(with_gaps()))
    clinic.write("plan.toml", plan(method, top='missing = "category"\n'))
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic)
    for name in ("diagnosis", "second"):
        assert counts(after[name]) == counts(before[name])
        # A cell that is missing before and after takes no part.
        assert result["columns"][name]["cells"] == sum(x != "" or z != "" for x, z in zip(before[name], after[name]))
    if method in ("fixed", "random", "distributional"):
        assert gaps(after["diagnosis"]) != gaps(before["diagnosis"])


def test_records_with_missing_cells_can_be_left_out(clinic):
    clinic.write("table.csv", as_csv(with_gaps()))
    clinic.write("plan.toml", plan(top='missing = "drop-record"\n'))
    result, after = told(clinic)
    left = [r for r in with_gaps() if r[1] and r[2]]
    assert (result["records"], result["dropped_records"]) == (len(left), 120 - len(left))
    assert after["note"] == [r[4] for r in left]
    for name, place in (("diagnosis", 1), ("second", 2)):
        assert counts(after[name]) == counts(r[place] for r in left)


def test_missing_cells_can_be_an_error(clinic):
    clinic.write("table.csv", as_csv(with_gaps()))
    clinic.write("plan.toml", plan(top='missing = "error"\n'))
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv")
    assert "table.csv" in message and "diagnosis" in message and "a.csv" not in files(clinic)


@pytest.mark.parametrize("missing", ["keep", "category"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rule, written", [("suppress", ""), ("keep", "warp core"),
                                           ("generalize", "Disease")])
def test_unmapped_cells_take_no_part(clinic, missing, method, rule, written):
    records = with_gaps()
    strange = range(1, 120, 12)
    for i in strange:
        records[i][1] = "warp core"
    clinic.write("table.csv", as_csv(records))
    clinic.write("plan.toml", plan(method, top=f'missing = "{missing}"\n',
                                   column=f'unmapped = "{rule}"\n'))
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic, "--batch-rows", "7")
    assert {after["diagnosis"][i] for i in strange} == {written}
    others = [i for i in range(120) if i not in strange]
    assert counts(after["diagnosis"][i] for i in others) == counts(before["diagnosis"][i] for i in others)
    assert counts(after["second"]) == counts(before["second"])
    if missing == "keep":
        assert gaps(after["diagnosis"][i] for i in others) == gaps(before["diagnosis"][i] for i in others)
    told_of = {"suppress": "suppressed", "keep": "kept", "generalize": "generalized"}[rule]
    assert result["columns"]["diagnosis"]["unmapped_cells"][told_of] == len(strange)
    fit(clinic, "--seed", SEED)
    assert apply(clinic) == clinic.read("out.csv")


def test_unmapped_cells_are_an_error_otherwise(clinic):
    records = rows(20)
    records[3][1] = "warp core"
    clinic.write("table.csv", as_csv(records))
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv")
    assert "table.csv:5" in message and "warp core" in message


def test_a_concept_gets_one_spelling(clinic):
    """Else it would tell which cells stayed."""
    spellings = ["Flu", "FLU", "flu", "fLU"]
    records = [["p", spellings[i // 2 % 4] if i % 2 else "Gout", "Cut", "c", "n"] for i in range(80)]
    clinic.write("table.csv", as_csv(records))
    _, after = told(clinic)
    assert counts(after["diagnosis"]) == {"Gout": 40, "FLU": 40}  # the most frequent, then the least


# ---- Numbers ------------------------------------------------------------------------------------

AGED = "patient,diagnosis,second,city,note,age"


def aged(count=120):
    return [[*r, str(i * 13 % 97 // 2 * 2 + 20)] for i, r in enumerate(rows(count))]


@pytest.mark.parametrize("scale", ["range", "deviation"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("columns", ['["age"]', '["age", "diagnosis"]', '["diagnosis", "second", "age"]'])
def test_numbers_are_swapped_alone_or_with_words(clinic, scale, method, columns):
    prepare(clinic, aged(), plan(method, SECOND + AGE + f'scale = "{scale}"\n',
                                 mask=f"columns = {columns}"), AGED)
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic)
    for name in before:
        assert counts(before[name]) == counts(after[name])
        if name not in columns:
            assert before[name] == after[name]
    assert before["age"] != after["age"]
    ages = [int(a) for a in before["age"]]
    mean = sum(ages) / len(ages)
    unit = (max(ages) - min(ages) if scale == "range"
            else (sum((a - mean) ** 2 for a in ages) / len(ages)) ** 0.5)
    squares = [min(1, abs(int(a) - int(b)) / unit) ** 2 for a, b in zip(before["age"], after["age"])]
    assert result["columns"]["age"]["rmse"] == pytest.approx((sum(squares) / 120) ** 0.5, abs=1e-9)
    fit(clinic, "--seed", SEED)
    assert apply(clinic) == clinic.read("out.csv")


def test_near_numbers_change_places(clinic):
    prepare(clinic, aged(), plan("dynamic", SECOND + AGE, mask='columns = ["age"]'), AGED)
    near, far = told(clinic, "--k", "6")[0], told(clinic, "--k", "119")[0]
    assert near["columns"]["age"]["rmse"] < far["columns"]["age"]["rmse"] / 2


def test_a_number_has_one_spelling(clinic):
    spelled = ["1", "1.0", "1.00", "2", "2.50", "2.5", "2.5"]
    records = [[*r, spelled[i % len(spelled)]] for i, r in enumerate(rows(70))]
    prepare(clinic, records, plan("random", SECOND + AGE, mask='columns = ["age"]'), AGED)
    _, after = told(clinic)
    assert counts(float(a) for a in after["age"]) == {1: 30, 2: 10, 2.5: 30}
    assert counts(after["age"]) == {"1": 30, "2": 10, "2.5": 30}  # the most frequent, then the least
    fit(clinic, "--seed", SEED)
    records = [[*r[:5], r[5].replace("2.50", "2.5")] for r in records]
    clinic.write("later.csv", as_csv(records, AGED))
    assert counts(parsed(apply(clinic, "--release", "r", table="later.csv"))["age"]) == counts(after["age"])


def test_missing_numbers_stay_where_they_are(clinic):
    records = aged()
    for i in range(0, 120, 7):
        records[i][5] = ""
    prepare(clinic, records, plan(columns=SECOND + AGE, mask='columns = ["age", "diagnosis"]'), AGED)
    before, (_, after) = parsed(clinic.read("table.csv")), told(clinic)
    assert gaps(after["age"]) == gaps(before["age"]) != []
    assert counts(after["age"]) == counts(before["age"]) and after["age"] != before["age"]


def test_a_text_among_numbers_is_exit_1(clinic):
    records = aged(20)
    records[6][5] = "old"
    prepare(clinic, records, plan(columns=SECOND + AGE, mask='columns = ["age"]'), AGED)
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv")
    assert "table.csv:8" in message and "age" in message and "a.csv" not in files(clinic)


def test_a_number_that_was_not_fitted_is_refused(clinic):
    prepare(clinic, aged(), plan(columns=SECOND + AGE, mask='columns = ["age"]'), AGED)
    fit(clinic)
    records = aged()
    records[6][5] = "1000"
    clinic.write("later.csv", as_csv(records, AGED))
    done = clinic.run("apply", "later.csv", "--model", "m.model", "-o", "a.csv", "--release", "r")
    assert done.returncode == 3 and "later.csv" in done.stderr and "a.csv" not in files(clinic)


def test_numbers_of_parquet_keep_their_type(clinic):
    prepare(clinic, aged(), plan(columns=SECOND + AGE, mask='columns = ["age", "diagnosis"]'), AGED)
    columns = parsed(clinic.read("table.csv"))
    columns["age"] = [int(a) for a in columns["age"]]
    pyarrow.parquet.write_table(pa.table(columns), clinic.folder / "table.parquet")
    clinic.ok("mask", "table.parquet", "--plan", "plan.toml", "-o", "out.parquet", "--seed", SEED, "--quiet")
    out = pyarrow.parquet.read_table(clinic.folder / "out.parquet")
    assert counts(int(a) for a in out["age"].to_pylist()) == counts(columns["age"])


def test_some_methods_mask_no_numbers(clinic):
    text = PLAN.replace('"noise"', '"naive"').replace("alpha = 0.5", 'columns = ["age"]')
    assert text != PLAN
    prepare(clinic, aged(), text + SECOND + AGE, AGED)
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv")
    assert "age" in message and "plan.toml:" in message


# ---- What is left of the risk -------------------------------------------------------------------

def risk_of(before, after):
    """Uniques, those unchanged, and the greatest chance, from the files alone."""
    was, released = counts(before), counts(after)
    unchanged = counts(b for b, a in zip(before, after) if b == a)
    return (sum(n == 1 for n in was.values()), sum(was[b] == 1 for b in unchanged),
            max((n / was[b] / released[b] for b, n in unchanged.items()), default=0))


@pytest.mark.parametrize("method", METHODS)
def test_the_risk_is_that_of_the_files(clinic, method):
    clinic.write("plan.toml", plan(method))
    before, (result, after) = parsed(clinic.read("table.csv")), told(clinic)
    uniques, unchanged, risk = risk_of(list(zip(before["diagnosis"], before["second"])),
                                       list(zip(after["diagnosis"], after["second"])))
    assert (result["uniques_before"], result["unchanged_uniques"]) == (uniques, unchanged)
    assert result["risk"] == pytest.approx(risk, abs=1e-12)


def test_a_demand_that_is_met_is_exit_0(clinic):
    same = [["p", "Flu", "Gout", "c", str(i)] for i in range(40)]
    clinic.write("table.csv", as_csv(same))
    clinic.write("plan.toml", plan(mask='demand = "probabilistic-k"'))
    result, _ = told(clinic)
    assert result["risk"] <= 1 / 5 and result["parameters"]["demand"] == "probabilistic-k"


def test_a_demand_that_is_not_met_is_exit_3(clinic):
    clinic.write("table.csv", as_csv(rows(1)))
    arguments = ["mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv", "--seed", SEED, "--k", "2",
                 "--demand", "probabilistic-k"]
    assert told(clinic, "--k", "2")[0]["risk"] == 1
    clinic.write("a.csv", "old")
    message = clinic.fails(3, *arguments)
    assert "probabilistic-k" in message and "table.csv" in message and clinic.read("a.csv") == "old"
    (clinic.folder / "a.csv").unlink()
    clinic.fails(3, *arguments, "--trace", "t.csv")
    assert "a.csv" not in files(clinic) and "t.csv" not in files(clinic)
    clinic.fails(3, "fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", SEED,
                 "--k", "2", "--demand", "probabilistic-k")
    assert "m.model" not in files(clinic)


def test_the_summary_never_calls_k_a_guarantee(clinic):
    clinic.write("table.csv", as_csv(rows(1)))
    text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", SEED, "--k", "2")
    assert "does not make it 1/k" in text and "no partner" in text
    assert "come out as they were" in text and "guarantee" not in text.lower()


# ---- Choosing it --------------------------------------------------------------------------------

def test_advise_tries_swapping_which_keeps_every_distribution(clinic):
    def swap(*keep):
        result = clinic.json("advise", "table.csv", "--plan", "plan.toml", *keep)
        return next(one for one in result["advice"] + result["passed_over"] if one["method"] == "swap")
    proposed = swap("--keep", "distributions")
    assert "why_not" not in proposed and proposed["trial"]["loss_parts"]["keep"] == 0
    for keep in ([], ["--keep", "means"], ["--keep", "correlation"]):
        assert swap(*keep)["trial"]["risk_name"]


def test_the_command_line_may_choose_it_over_a_plan_of_noise(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    result, after = told(clinic, "--method", "swap", "--k", "5")
    assert result["method"] == "swap" and result["parameters"]["k"] == 5
    by_command = clinic.read("out.csv")
    clinic.write("plan.toml", plan())
    assert mask(clinic, "--seed", SEED) == by_command
    message = clinic.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", "a.csv", "--alpha", "0.5")
    assert "--alpha" in message


@pytest.mark.parametrize("method, parameters", [
    ("multivariate", {"k": 5, "algorithm": "multivariate", "exhausted": "keep"}),
    ("extend", {"k": 5, "algorithm": "multivariate", "exhausted": "extend"}),
    ("fixed", {"k": 5, "algorithm": "fixed", "exhausted": "keep"}),
    ("random", {}), ("distributional", {"k": 30})])
def test_parameters_are_those_that_were_used(clinic, method, parameters):
    clinic.write("plan.toml", plan(method))
    assert told(clinic)[0]["parameters"] == parameters
