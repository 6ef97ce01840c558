"""semveil audit: which records belong together, and what came through as it was.

Tables are those of clinic.py (generated, 200 records), and Adult where the test says so."""

import csv
import gzip
import io
import random

import pytest

from clinic import LEAVES, PLAN, SECOND, as_csv, mask, parsed, prepare, rows
from conftest import data_file

TWO = PLAN + SECOND
# Everything is masked: no other column is in the table.
ALONE = "diagnosis,second"
NO_MASK = TWO.split("[mask]")[0] + SECOND


def audit(program, *more, original="table.csv", masked="out.csv", plan="plan.toml"):
    return program.json("audit", original, masked, "--plan", plan, "--edition", "steward", *more)


def refused(program, *more, original="table.csv", masked="out.csv"):
    return " ".join(program.fails(1, "audit", original, masked, "--plan", "plan.toml", *more).split())


def finding(found, name):
    return next((f for f in found["findings"] if f["id"] == name), None)


def shuffled(program, source="out.csv", name="mixed.csv", seed=3):
    """The rows in another order, and the row map of that."""
    header, *lines = program.read(source).splitlines()
    order = list(range(len(lines)))
    random.Random(seed).shuffle(order)
    program.write(name, "\n".join([header] + [lines[i] for i in order]) + "\n")
    program.write("map.csv", "output_row,input_row\n" + "".join(f"{o},{i}\n" for o, i in enumerate(order)))
    return name


def changed(program, change, name="out.csv", source="out.csv"):
    table = list(csv.reader(io.StringIO(program.read(source))))
    for i, row in enumerate(table[1:]):
        change(i, row)
    program.write(name, "".join(",".join(row) + "\n" for row in table))


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, plan=TWO)


@pytest.fixture
def alone(semveil):
    """Two columns, both masked."""
    prepare(semveil, plan=TWO)
    semveil.write("table.csv", as_csv([r[1:3] for r in rows(200)], ALONE))
    return semveil


# ---- By position --------------------------------------------------------------------------------

def test_a_release_in_order_is_paired_by_position(clinic):
    mask(clinic)
    found = audit(clinic)
    assert (found["pairing"], found["paired"]) == ("position", 200)
    assert found["unmasked"] == ["patient", "city", "note"] and found["changed"] == []
    assert finding(found, "paired-on-trust") is None and finding(found, "column-changed") is None


def test_a_shuffled_release_is_not_audited_by_position(clinic):
    mask(clinic)
    true = audit(clinic)["linkage"]
    mixed = shuffled(clinic)
    message = refused(clinic, masked=mixed)
    assert "mixed.csv" in message and "table.csv" in message
    assert "note" in message and "in another order" in message
    for remedy in ("--row-map", "--key", "--unpaired"):
        assert remedy in message
    assert not any(leaf in message for leaf in LEAVES)
    # With the remedies the figures are those of the release in order.
    for how in (("--row-map", "map.csv"), ("--key", "note")):
        found = audit(clinic, *how, masked=mixed)
        assert found["linkage"]["semantic"] == pytest.approx(true["semantic"], abs=1e-12)
        assert found["unmasked"] == ["patient", "city", "note"] and found["changed"] == []


def test_a_key_that_stands_twice_in_a_table_pairs_nobody(clinic):
    mask(clinic)
    for twice in ("out.csv", "table.csv"):
        changed(clinic, lambda i, r: i == 7 and r.__setitem__(4, "003"), name="twice.csv", source=twice)
        names = {"out.csv": {"masked": "twice.csv"}, "table.csv": {"original": "twice.csv"}}[twice]
        message = refused(clinic, "--key", "note", **names)
        assert "record 8 has the same key as an earlier one" in message and "twice.csv" in message


def test_unpaired_tells_what_needs_no_pairs(clinic):
    mask(clinic)
    whole = audit(clinic)
    found = audit(clinic, "--unpaired", masked=shuffled(clinic))
    assert found["pairing"] == "none" and found["paired"] == 0 and "needs no pairs" in found["unpaired_why"]
    assert found["columns"]["diagnosis"]["rmse"] is None and found["linkage"]["semantic"] is None
    assert found["unmasked"] == [] and found["changed"] == []  # nobody compared
    assert found["classes"]["uniques"] == whole["classes"]["uniques"]
    assert found["columns"]["diagnosis"]["total_variation"] == whole["columns"]["diagnosis"]["total_variation"]
    assert found["lm"] == whole["lm"]


def test_unpaired_goes_with_no_pairs(clinic):
    mask(clinic)
    for how in (("--key", "note"), ("--row-map", "map.csv")):
        assert "--unpaired" in clinic.fails(2, "audit", "table.csv", "out.csv", "--plan", "plan.toml",
                                            "--unpaired", *how)


def test_a_plan_that_shuffles_is_never_paired_by_position(clinic):
    clinic.write("plan.toml", "shuffle = true\n" + TWO)
    clinic.write("out.csv", clinic.read("table.csv"))  # though every byte agrees
    assert "the plan shuffles the rows" in refused(clinic)
    mask(clinic, "--row-map", "rows.csv")
    assert "the plan shuffles the rows" in refused(clinic)
    assert audit(clinic, "--row-map", "rows.csv")["paired"] == 200


def test_some_columns_agree(clinic):
    """`note` tells every record; `city` only five groups."""
    mask(clinic)
    changed(clinic, lambda i, r: r.__setitem__(0, f"x{i}"))  # patient
    found = audit(clinic)
    assert found["pairing"] == "position"
    assert found["changed"] == [{"column": "patient", "share": 1}]
    changed(clinic, lambda i, r: r.__setitem__(4, f"x{i}"))  # note, too: patient and city left tell nobody
    message = refused(clinic)
    assert "patient, note" in message and "city" in message and "0 %" in message


def test_a_column_of_one_value_is_no_evidence(alone):
    """All that came through agrees, and would in any order."""
    alone.write("table.csv", as_csv([[*r[1:3], "x"] for r in rows(200)], ALONE + ",country"))
    mask(alone)
    assert audit(alone)["pairing"] == "position"  # by distance
    assert "country came through, with nearly the same cell" in refused(alone, masked=shuffled(alone))


def test_flags_that_few_have_are_no_evidence(alone):
    """Each agrees in 99 % of any rows, though both together do not."""
    records = [[*r[1:3], "1" if i in (17, 90) else "0", "1" if i in (50, 151) else "0"]
               for i, r in enumerate(rows(500))]
    alone.write("table.csv", as_csv(records, ALONE + ",rare,seldom"))
    mask(alone)
    assert audit(alone)["pairing"] == "position"  # by distance
    mixed = shuffled(alone)
    was, now = (parsed(alone.read(f)) for f in ("table.csv", mixed))
    for flag in ("rare", "seldom"):
        assert 0.99 <= sum(a == b for a, b in zip(was[flag], now[flag])) / 500 < 1
    assert "rare, seldom came through, with nearly the same cell" in refused(alone, masked=mixed)
    assert "rare, seldom" in refused(alone, "--method", "naive", masked=mixed)


def test_a_flag_beside_a_column_that_tells(clinic):
    """It is left out: the pairs are believed for the other's sake."""
    records = [[*r, "1" if i == 17 else "0"] for i, r in enumerate(rows(200))]
    clinic.write("table.csv", as_csv(records, "patient,diagnosis,second,city,note,rare"))
    mask(clinic)
    assert audit(clinic)["pairing"] == "position"
    changed(clinic, lambda i, r: r.__setitem__(5, "gone"))
    found = audit(clinic)
    assert found["pairing"] == "position"
    assert found["changed"] == [{"column": "rare", "share": 1}]


def test_a_few_cells_may_differ(clinic):
    mask(clinic)
    for cells, pairs in ((2, True), (3, False)):
        # All other columns are changed, so that this one decides.
        changed(clinic, lambda i, r: (r.__setitem__(0, f"x{i}"), r.__setitem__(3, f"y{i}"),
                                      r.__setitem__(4, "z" if i < cells else r[4])), "some.csv")
        if pairs:
            shares = {c["column"]: c["share"] for c in audit(clinic, masked="some.csv")["changed"]}
            assert shares == {"patient": 1, "city": 1, "note": 0.01}
        else:  # nothing agrees; the distances still tell
            assert audit(clinic, masked="some.csv")["pairing"] == "position"


# ---- Where nothing came through -----------------------------------------------------------------

@pytest.mark.parametrize("how", [("noise", "--alpha", "0.5"), ("swap", "--k", "20"), ("fuse", "--k", "3"),
                                 ("microaggregate", "--k", "5"), ("generalize", "--k", "5")])
def test_masked_values_tell_pairs_from_strangers(alone, how):
    mask(alone, "--method", *how)
    found = audit(alone, "--method", *how)
    assert found["pairing"] == "position" and finding(found, "paired-on-trust") is None
    message = refused(alone, "--method", *how, masked=shuffled(alone))
    assert "no column came through" in message and "no closer to each other than strangers" in message


@pytest.mark.parametrize("method", ["naive", "probabilistic", "random-swap"])
def test_values_that_tell_nothing_are_paired_on_trust(alone, method):
    how = ("--method", method)
    mask(alone, *how)
    told = finding(audit(alone, *how), "paired-on-trust")
    assert told["severity"] == "warning" and "taken on trust" in told["text"]
    assert finding(audit(alone, *how, masked=shuffled(alone)), "paired-on-trust")


def test_no_trust_where_the_rows_are_seen_to_be_shuffled(clinic):
    """Unsafe in exactly that way: by the method's word linkage would look like guessing."""
    how = ("--method", "naive")
    mask(clinic, *how)
    assert finding(audit(clinic, *how), "paired-on-trust") is None
    assert "in another order" in refused(clinic, *how, masked=shuffled(clinic))


def test_sets_tell_by_the_values_in_them(semveil):
    import set_clinic
    set_clinic.prepare(semveil, text=set_clinic.PLAN.replace('[column.city]\nrole = "quasi-identifier"\n', ""))
    semveil.write("table.csv", as_csv([[r[1]] for r in rows(150)], "diagnosis"))
    semveil.ok(*set_clinic.MASK, "--quiet")
    assert audit(semveil)["pairing"] == "position"
    assert "no column came through" in refused(semveil, masked=shuffled(semveil))


def test_without_a_mask_columns_without_a_role_should_come_through(clinic):
    clinic.write("plan.toml", TWO.split("[mask]")[0] + SECOND)
    mask(prepare(clinic, plan=TWO))
    clinic.write("plan.toml", TWO.split("[mask]")[0] + SECOND)
    found = audit(clinic)
    assert found["unmasked"] == ["patient", "city", "note"] and found["changed"] == []
    assert "note" in refused(clinic, masked=shuffled(clinic))


def test_one_record_is_itself(semveil):
    prepare(semveil, plan=TWO)
    semveil.write("table.csv", ALONE + "\nFlu,Cold\n")
    semveil.write("out.csv", ALONE + "\nBurn,Cut\n")
    assert audit(semveil, "--no-attacks")["paired"] == 1


# ---- What came through --------------------------------------------------------------------------

@pytest.mark.parametrize("how", ["position", "key", "row-map"])
def test_overwritten_columns_are_the_first_finding(clinic, how):
    mask(clinic)
    changed(clinic, lambda i, r: (r.__setitem__(0, f"q{i}"), r.__setitem__(3, "city 0")))
    masked, more = "out.csv", ()
    if how != "position":
        masked = shuffled(clinic)
        more = ("--key", "note") if how == "key" else ("--row-map", "map.csv")
    found = audit(clinic, *more, masked=masked)
    assert found["pairing"] == how
    first = found["findings"][0]
    assert (first["id"], first["severity"]) == ("column-changed", "danger")
    assert first["columns"] == ["patient", "city"] and first["figures"] == {"share.patient": 1, "share.city": 0.8}
    assert first["text"].endswith(": patient in 100 % and city in 80 % of the records.")
    assert found["changed"] == [{"column": "patient", "share": 1}, {"column": "city", "share": 0.8}]
    assert found["unmasked"] == ["note"]
    text = " ".join(clinic.ok("audit", "table.csv", masked, "--plan", "plan.toml", *more).split())
    assert "danger: These columns should have come through as they were, but differ: patient" in text
    assert "came through as they were: note" in text


def test_one_byte_is_a_change(clinic):
    mask(clinic)
    changed(clinic, lambda i, r: r.__setitem__(3, r[3].upper() if i == 7 else r[3]))
    found = audit(clinic)
    assert found["changed"] == [{"column": "city", "share": 1 / 200}]
    assert finding(found, "column-changed")["text"] == \
        "Column city should have come through as it was, but differs in 0.5 % of the records."
    assert found["unmasked"] == ["patient", "note"]


def test_a_column_that_means_the_same_is_changed_all_the_same(clinic):
    """`second` is not masked; its labels were written as ids."""
    clinic.write("plan.toml", TWO.replace("[mask]", '[mask]\ncolumns = ["diagnosis"]'))
    mask(clinic)
    from clinic import IDS
    changed(clinic, lambda i, r: r.__setitem__(2, IDS[r[2]]))
    found = audit(clinic)
    assert found["columns"]["second"]["unchanged"] == 1
    assert found["changed"] == [{"column": "second", "share": 1}] and "second" not in found["unmasked"]


def test_quotes_are_no_change(clinic):
    mask(clinic)
    changed(clinic, lambda i, r: r.__setitem__(3, f'"{r[3]}"'))
    assert audit(clinic)["changed"] == []


def test_cells_that_go_with_suppressed_records_are_no_change(clinic):
    clinic.write("plan.toml", (TWO + '\n[column.city]\nrole = "quasi-identifier"\n').replace(
        'method = "noise"\nalpha = 0.5', 'method = "generalize"\nk = 5\nsuppression = 0.3\n'
        'scope = "full-domain"\npartial = true\ncolumns = ["diagnosis", "second"]'))
    told = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert told["suppressed"] > 2
    found = audit(clinic)
    assert found["classes"]["suppressed"] == told["suppressed"]
    assert found["changed"] == [] and finding(found, "column-changed") is None


def test_a_report_of_mask_compares_as_well(clinic):
    clinic.write("plan.toml", "shuffle = true\n" + TWO)
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--report", "r.html", "--quiet")
    assert "should have come through as" not in clinic.read("r.html")


# ---- Adult --------------------------------------------------------------------------------------

def test_adult_shuffled_looks_safe_no_longer(semveil):
    """The first 3,000 records of Adult, recoded by nobody: linkage by position was next to 0."""
    names = "age,workclass,education,marital,occupation,race,sex,country".split(",")
    places = [0, 1, 3, 5, 6, 8, 9, 13]
    with gzip.open(data_file("adult/adult.data.gz"), "rt") as file:
        records = [line.strip().split(", ") for line in file if line.strip()][:3000]
    semveil.write("table.csv", as_csv([[r[p] for p in places] for r in records], ",".join(names)))
    semveil.write("out.csv", semveil.read("table.csv"))
    semveil.write("plan.toml", "".join(f'[column.{n}]\nrole = "quasi-identifier"\n' for n in names))
    fast = ("--clusters", "0", "--no-attacks")
    assert audit(semveil, *fast)["linkage"]["equality"] > 0.7
    mixed = shuffled(semveil)
    assert "no closer to each other than strangers" in refused(semveil, *fast, masked=mixed)
    assert audit(semveil, *fast, "--row-map", "map.csv", masked=mixed)["linkage"]["equality"] > 0.7


# ---- A column that tells everybody ---------------------------------------------------------------

@pytest.mark.parametrize("column, tells", [("weight", True), ("year", False)])
def test_a_column_that_came_through_and_tells_people_is_a_finding(semveil, column, tells):
    """A survey weight beside generalised columns undoes k; a year that many share does not."""
    semveil.write("town.csv", "a;*\nb;*\n")
    semveil.write("plan.toml", '[ontology.town]\nsource = "vgh:town.csv"\n[column.town]\n'
                  'role = "quasi-identifier"\nontology = "town"\n[mask]\nmethod = "generalize"\nk = 2\n')
    values = {"weight": lambda i: f"{1000 + 7 * i}", "year": lambda i: f"{2000 + i % 10}"}[column]
    semveil.write("table.csv", f"town,{column}\n" + "".join(f"{'ab'[i % 2]},{values(i)}\n" for i in range(60)))
    semveil.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    found = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")["findings"]
    told = [f for f in found if f["id"] == "column-tells-people"]
    assert [f["columns"] for f in told] == ([[column]] if tells else [])
    assert all(f["severity"] == "warning" for f in told)
