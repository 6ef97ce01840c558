"""semveil and classes: several sensitive columns, demands and suppression through models, what a recheck
refuses, and what is told of it."""

import collections
import csv
import io
import json
import math

import pyarrow as pa
import pyarrow.parquet
import pytest

from clinic import SECOND, as_csv, files, parsed, rows
from test_classes import AGE, MASK, NOTE, classes, plan, prepare, told

APPLY = ["apply", "later.csv", "--model", "m.model", "-o", "later-out.csv"]
FORMING = ["fuse", "local", "full-domain", "microaggregate"]


def sensitive(name, demand="", more=""):
    said = f"demand = {demand}\n" if demand else ""
    return f'\n[column.{name}]\nrole = "sensitive"\n{more}{said}'


def fit(program, records, text):
    prepare(program, records, text)
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")


def alike(count, diagnosis="Flu", city="c", note="n"):
    return [["p", diagnosis, "Gout", city, note] for _ in range(count)]


# ---- Several sensitive columns ------------------------------------------------------------------

@pytest.mark.parametrize("method", FORMING)
def test_every_demand_is_met(semveil, method):
    records = rows(150)
    for i, record in enumerate(records):
        record[3], record[4] = f"city {i % 5}", "y" if i % 11 == 0 else "x"
    prepare(semveil, records, plan(method, 3, columns=SECOND + sensitive("city", "{l = 2}")
                                   + sensitive("note", "{l = 2}")))
    result, after = told(semveil)
    members = collections.defaultdict(set)
    for first, second, note in zip(after["diagnosis"], after["second"], after["note"]):
        members[first, second].add(note)
    assert all(len(notes) == 2 for notes in members.values())
    assert result["privacy"]["sensitive"]["note"]["l"] == 2


def test_a_recheck_looks_at_every_demand(semveil):
    records = alike(3, city="a", note="x") + alike(3, city="b", note="y")
    text = plan("fuse", 3, columns=SECOND + sensitive("city", "{l = 2}") + sensitive("note", "{l = 2}"))
    fit(semveil, records, text)
    for column in (3, 4):
        later = [list(r) for r in records]
        for record in later:
            record[column] = "same"
        semveil.write("later.csv", as_csv(later))
        assert ("city" if column == 3 else "note") in semveil.fails(3, *APPLY, "--recheck")
        assert "later-out.csv" not in files(semveil)


def test_every_sensitive_cell_of_few_suppressed_records_goes(semveil):
    text = plan("suppressing", 3, columns=SECOND + NOTE + sensitive("city"))
    fit(semveil, alike(30) + alike(1, "Cut", "town", "secret"), text)
    result, after = told(semveil)
    assert [after[c][30] for c in ("diagnosis", "second", "city", "note")] == [""] * 4
    assert result["columns"]["note"]["missing"] == result["columns"]["city"]["missing"] == 1
    assert "quasi-identifiers and sensitive cells are empty" in semveil.ok(*MASK)
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert semveil.read("applied.csv") == semveil.read("out.csv")


def test_sensitive_cells_that_stay_are_told_to_stay(semveil):
    singles = [r for leaf in ("Cut", "Burn", "Cold") for r in alike(1, leaf)]
    prepare(semveil, alike(30) + singles, plan("suppressing", 3, columns=SECOND + NOTE))
    text = semveil.ok(*MASK)
    assert "quasi-identifiers are empty" in text and "and sensitive cells" not in text


def test_typed_columns_keep_their_type_where_cells_are_emptied(semveil):
    prepare(semveil, alike(2), plan("suppressing", 3, columns=SECOND + sensitive("salary")))
    table = pa.table({"diagnosis": ["Flu"] * 30 + ["Cut"], "second": ["Gout"] * 31,
                      "salary": pa.array([*range(30), 999], pa.int64()), "tags": [["a"]] * 31})
    pa.parquet.write_table(table, semveil.folder / "t.parquet")
    semveil.ok("mask", "t.parquet", "--plan", "plan.toml", "-o", "o.parquet", "--quiet")
    out = pa.parquet.read_table(semveil.folder / "o.parquet")
    assert out.schema.field("salary").type == pa.int64()
    assert out["salary"].to_pylist() == [*range(30), None]
    assert out["tags"].to_pylist() == table["tags"].to_pylist()
    assert b"999" not in (semveil.folder / "o.parquet").read_bytes()


# ---- Demands beside suppressed, missing and unmapped cells --------------------------------------

def test_closeness_counts_what_was_suppressed(semveil):
    """One record of 31 is suppressed, and the class lies 1/31 from the whole."""
    text = plan("suppressing", 3, columns=SECOND + sensitive("city", "{t = 0.04}"))
    records = alike(20, city="a") + alike(10, city="b")
    fit(semveil, records + alike(1, "Cut", "z"), text)
    result, after = told(semveil)
    assert result["suppressed"] == 1 and after["city"][30] == ""
    semveil.write("later.csv", as_csv(records + alike(2, "Cut", "z")))  # 2/32 is beyond 0.04
    assert "city" in semveil.fails(3, *APPLY, "--recheck")


def test_texts_without_a_meaning_are_sensitive_values_too(semveil):
    column = sensitive("second", "{l = 2}", 'ontology = "disease"\n')
    records = [["p", "Flu", other, "c", "n"] for other in ["Gout"] * 3 + ["warp core"] * 3]
    prepare(semveil, records, plan("fuse", 3, columns=column))
    result, _ = told(semveil)
    assert result["privacy"]["sensitive"]["second"]["l"] == 2


def test_few_records_may_be_left_out(semveil):
    records = alike(20) + alike(2, "")
    prepare(semveil, records, plan("fuse", 4, top='missing = "drop-record"\n'))
    result, after = told(semveil)
    assert len(after["diagnosis"]) == 20 and result["dropped_records"] == 2


def test_a_demanded_column_is_not_masked(semveil):
    text = plan("fuse", 3, columns=SECOND + sensitive("city", "{l = 2}"),
                mask='columns = ["diagnosis", "second", "city"]\n')
    prepare(semveil, rows(60), text)
    assert "city" in semveil.fails(1, *MASK)


# ---- What a recheck refuses ---------------------------------------------------------------------

def test_other_sensitive_values_are_another_table(semveil):
    text = plan("fuse", 3, columns=SECOND + sensitive("city", "{l = 2}"))
    fit(semveil, alike(3, city="a") + alike(3, city="b"), text)
    semveil.write("later.csv", as_csv(alike(2, city="a") + alike(4, city="b")))
    assert "--recheck" in semveil.fails(3, *APPLY)
    semveil.ok(*APPLY, "--recheck", "--quiet")
    semveil.write("later.csv", as_csv(alike(2, city="a") + alike(4, city="new")))
    semveil.ok(*APPLY, "--recheck", "--quiet")


@pytest.mark.parametrize("demand, refused", [("{t = 0.1}", [5, 1]), ("{t = 0.1}", None),
                                             ('{l = 2, kind = "recursive", c = 2}', [5, 1]),
                                             ('{l = 2, kind = "recursive", c = 6}', None),
                                             ('{l = 1.9, kind = "entropy"}', [5, 1])])
def test_a_model_keeps_its_demands(semveil, demand, refused):
    """Two classes; the first is skewed later."""
    def table(first):
        return (alike(first[0], city="a") + alike(first[1], city="b")
                + alike(3, "Cut", "a") + alike(3, "Cut", "b"))

    fit(semveil, table([3, 3]), plan("fuse", 3, columns=SECOND + sensitive("city", demand)))
    semveil.write("later.csv", as_csv(table(refused or [3, 3]) * 2))
    if refused:
        assert "city" in semveil.fails(3, *APPLY, "--recheck")
    else:
        semveil.ok(*APPLY, "--recheck", "--quiet")


def test_recode_verifies_every_column(semveil):
    pairs = [("Flu", "Gout")] * 4 + [("Flu", "Cut")] * 4 + [("Cold", "Gout")] * 4
    fit(semveil, [["p", *pair, "c", "n"] for pair in pairs], plan("recode", 4))
    semveil.write("later.csv", as_csv([["p", *pair, "c", "n"] for pair in pairs[:5] + pairs[8:]]))
    assert "second" in semveil.fails(3, *APPLY, "--recheck")


def test_a_category_fills_no_class(semveil):
    records = alike(5) + alike(5, "")
    for rule, code in (("category", 3), ("wildcard", 0)):
        fit(semveil, records, plan("fuse", 4, top=f'missing = "{rule}"\n'))
        semveil.write("later.csv", as_csv(alike(5) + alike(1, "")))
        assert semveil.run(*APPLY, "--recheck").returncode == code


def test_unseen_texts_without_a_meaning_are_missing(semveil):
    text = plan("fuse", 3, column='unmapped = "suppress"\n')
    fit(semveil, alike(5) + alike(5, "warp core"), text)
    semveil.write("later.csv", as_csv(alike(5) + alike(4, "flux") + alike(1, "warp core")))
    semveil.ok(*APPLY, "--recheck", "--quiet")
    assert parsed(semveil.read("later-out.csv"))["diagnosis"] == ["Flu"] * 5 + [""] * 5


def test_a_recheck_lets_no_few_suppressed_records_show_sensitive_cells(semveil):
    """Three suppressed records hide each other; one of them alone would show whose note it is."""
    singles = [r for leaf in ("Cut", "Burn", "Cold") for r in alike(1, leaf)]
    fit(semveil, alike(30) + singles, plan("suppressing", 3, columns=SECOND + NOTE))
    semveil.write("later.csv", as_csv(alike(30) + singles))
    semveil.ok(*APPLY, "--recheck", "--quiet")
    semveil.write("later.csv", as_csv(alike(30) + singles[:2]))
    (semveil.folder / "later-out.csv").unlink()
    assert "2 records are suppressed, fewer than k = 3" in semveil.fails(3, *APPLY, "--recheck")
    assert "later-out.csv" not in files(semveil)


def test_recode_verifies_missing_cells_that_only_the_new_table_has(semveil):
    fit(semveil, alike(5), plan("recode", 4, top='missing = "category"\n'))
    semveil.write("later.csv", as_csv(alike(5) + alike(1, "")))
    assert semveil.run(*APPLY, "--recheck").returncode in (1, 3)
    assert "later-out.csv" not in files(semveil)


# ---- Figures and cells --------------------------------------------------------------------------

def test_what_means_nothing_becomes_the_root(semveil):
    prepare(semveil, alike(3) + alike(3, "warp core"),
            plan("fuse", 3, column='unmapped = "generalize"\n'))
    assert told(semveil)[1]["diagnosis"] == ["Flu"] * 3 + ["Disease"] * 3


def test_numbers_are_compared_in_deviations(semveil):
    ages = [20] * 6 + [21] * 3 + [60, 62]
    semveil.write("plan.toml", AGE + 'decimals = 2\n[mask]\nmethod = "microaggregate"\nk = 2\n')
    semveil.write("table.csv", "age\n" + "".join(f"{age}\n" for age in ages))
    result, after = told(semveil)
    mean = sum(ages) / len(ages)
    deviation = math.sqrt(sum((age - mean) ** 2 for age in ages) / len(ages))
    error = math.sqrt(sum((age - float(z)) ** 2 for age, z in zip(ages, after["age"])) / len(ages))
    assert after["age"][-2:] == ["61.00", "61.00"]
    assert result["columns"]["age"]["rmse"] == pytest.approx(error / deviation)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert semveil.read("applied.csv") == semveil.read("out.csv")


@pytest.mark.parametrize("loss, expected", [("lm", 3 / 11 / 2), ("lm-geometric", math.sqrt(14 / 11) - 1),
                                            ("ncp", 4 / 12 / 2), ("discernibility", 3 * 8 ** 2)])
def test_the_loss_is_the_chosen_one(semveil, loss, expected):
    from clinic import LEAVES
    records = [["p", LEAVES[i % 12], "Flu", "c", "n"] for i in range(24)]
    prepare(semveil, records, plan("full-domain", 3, mask=f'loss = "{loss}"\n'))
    assert told(semveil)[0]["generalize"]["loss"] == pytest.approx(expected)


def test_local_suppression_goes_up_to_its_limit(semveil):
    records = alike(8) + alike(1, "Cut") + alike(1, "Asthma")
    prepare(semveil, records, plan("local", 3, mask="suppression = 0.2\n", columns=""))
    result, after = told(semveil)
    assert result["suppressed"] == 2 and after["diagnosis"] == ["Flu"] * 8 + ["", ""]


def test_filled_and_emptied_cells_are_told(semveil):
    prepare(semveil, alike(5) + alike(1, ""), plan("fuse", 2))
    assert "1 got a value" in semveil.ok(*MASK)
    prepare(semveil, alike(1) + alike(5, ""), plan("fuse", 2))
    assert "1 lost theirs" in semveil.ok(*MASK)


def test_recode_traces_each_column_in_its_own_ids(semveil):
    semveil.write("hobby.csv", "child,parent,label\nH,,Hobby\nH1,H,Chess\nH2,H,Golf\n")
    text = plan("recode", 3, columns='\n[ontology.hobby]\nsource = "edges:hobby.csv"\n[column.second]\n'
                'role = "quasi-identifier"\nontology = "hobby"\n')
    records = [["p", "Flu", "Chess", "c", "n"]] * 4 + [["p", "Cold", "Golf", "c", "n"]]
    prepare(semveil, records, text)
    told(semveil, "--trace", "trace.csv")
    lines = list(csv.DictReader(io.StringIO(semveil.read("trace.csv"))))
    assert [json.loads(line["from"]) + json.loads(line["to"]) for line in lines] == [
        ["D12", "D11"], ["H2", "H1"]]


def test_classes_are_told_without_a_description_of_other_columns(semveil):
    prepare(semveil, rows(60), plan("fuse", 3))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    quiet = semveil.read("out.csv")
    assert told(semveil) and semveil.read("out.csv") == quiet
    sizes, _ = classes(parsed(quiet), "diagnosis", "second")
    assert min(sizes.values()) >= 3


def test_missing_cells_are_spelt_alike(semveil):
    """A rare word for nothing would single its record out."""
    records = alike(5) + alike(3, "") + alike(1, "?")
    prepare(semveil, records, plan("recode", 3, top='missing_values = ["", "?"]\n'))
    assert told(semveil)[1]["diagnosis"] == ["Flu"] * 5 + [""] * 4


def test_what_is_left_to_find_people_by_is_told_first(semveil):
    prepare(semveil, rows(60), plan("fuse", 3, mask='columns = ["diagnosis"]\n'))
    text = semveil.ok(*MASK, "--partial")
    assert text.startswith("WARNING") and "Quasi-identifiers are not masked: second" in text


def test_unmapped_cells_are_told_as_what_they_were_taken_for(semveil):
    records = alike(5) + alike(1, "warp core")
    prepare(semveil, records, plan("fuse", 3))
    message = semveil.fails(1, *MASK)
    assert '"suppress" or "generalize"' in message and '"keep"' not in message
    prepare(semveil, records, plan("fuse", 3, column='unmapped = "suppress"\n'))
    assert "1 cell taken as missing, and got a value" in semveil.ok(*MASK)


def test_only_cells_that_are_empty_afterwards_are_called_emptied(semveil):
    """One unknown text among many Flu gets their value, five of them make a class of missing cells."""
    for texts, emptied in ((1, 0), (5, 5)):
        prepare(semveil, alike(5) + alike(texts, "warp core"), plan("fuse", 3, column='unmapped = "suppress"\n'))
        shown = semveil.ok(*MASK)
        assert parsed(semveil.read("out.csv"))["diagnosis"].count("") == emptied
        assert ("5 cells emptied" in shown) == (emptied == 5) and ("got a value" in shown) == (emptied == 0)
        result = semveil.json(*MASK)
        assert result["columns"]["diagnosis"]["unmapped_cells"]["suppressed"] == emptied


def test_a_table_without_records_has_no_classes(semveil):
    prepare(semveil, [], plan("fuse", 3))
    assert "no records" in semveil.fails(3, *MASK)
