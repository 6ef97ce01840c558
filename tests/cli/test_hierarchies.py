"""Columns whose hierarchy nobody wrote: levels, losses and classes are counted here once more."""

import collections
import csv
import datetime
import io
import random

import pytest

COLUMNS = ["id", "age", "zip", "sex", "admitted", "rate", "illness"]
ROLES = {"age": 'type = "numeric"\n', "zip": "", "sex": "", "admitted": ""}


def table(count=240, seed=1):
    draw = random.Random(seed)
    first = datetime.date(2019, 3, 1)
    return [[f"p{i}", str(draw.randint(17, 90)), f"0{draw.randint(2100, 2299)}", draw.choice(["male", "female"]),
             (first + datetime.timedelta(days=draw.randint(0, 1500))).isoformat(),
             f"{draw.randint(0, 99) / 100:.2f}", draw.choice(["flu", "gout", "acne"])] for i in range(count)]


def as_csv(records):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([COLUMNS, *records])
    return out.getvalue()


def parsed(text):
    return list(csv.DictReader(io.StringIO(text)))


def plan(columns, mask, top=""):
    text = top + '[column.id]\nrole = "identifier"\n'
    for name, keys in columns.items():
        text += f'[column.{name}]\nrole = "quasi-identifier"\n{keys}'
    return text + f"[mask]\n{mask}\n"


MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s"]


def masked(program, records, text, *more):
    program.write("table.csv", as_csv(records))
    program.write("plan.toml", text)
    return program.json(*MASK, *more), parsed(program.read("out.csv"))


def smallest(rows, names):
    return min(collections.Counter(tuple(row[name] for name in names) for row in rows).values())


def holds(text, value, column):
    """Whether a released text can stand for the value."""
    if text in ("*", value):
        return True
    if column == "age":
        low, high = text.strip("[)").split(", ")
        return int(low) <= int(value) < int(high)
    if column == "zip":
        return value.startswith(text.rstrip("*")) and len(text) == 5
    if column == "admitted":
        day = datetime.date.fromisoformat(value)
        iso = day.isocalendar()
        return text in (f"{day:%Y-%m}", f"{day.year}-Q{(day.month + 2) // 3}", f"{day.year}",
                        f"{day.year // 10 * 10}s", f"{iso[0]}-W{iso[1]:02}", f"{iso[0]}")
    return False


# ---- Generalising -------------------------------------------------------------------------------

@pytest.mark.parametrize("scope", ["local", "full-domain"])
@pytest.mark.parametrize("k", [2, 7])
def test_generalize_makes_what_nobody_wrote(semveil, scope, k):
    records = table()
    told, rows = masked(semveil, records, plan(ROLES, f'method = "generalize"\nk = {k}\nscope = "{scope}"'))
    assert smallest(rows, ROLES) >= k
    for before, after in zip(records, rows, strict=True):
        for name in ROLES:
            assert holds(after[name], before[COLUMNS.index(name)], name)
    rules = {name: told["columns"][name]["hierarchy"] for name in ROLES}
    assert {name: rule["rule"] for name, rule in rules.items()} == {
        "age": "{intervals = 5}", "zip": '"prefix"', "sex": '"flat"', "admitted": '"date"'}
    assert all(rule["chosen"] for rule in rules.values())
    said = [finding for finding in told["findings"] if finding["id"] == "hierarchy-chosen"]
    assert sorted(finding["columns"][0] for finding in said) == sorted(ROLES)
    assert "{intervals = 5}, chosen by the values" in semveil.ok(*MASK, "--verbose")


def test_what_the_plan_says_is_not_chosen(semveil):
    columns = {"age": 'hierarchy = {cuts = [18, 65], as = "{low}-{last}"}\n', "zip": 'hierarchy = "flat"\n',
               "admitted": 'hierarchy = "date"\ncalendar = "week"\n', "sex": 'hierarchy = "prefix"\n'}
    told, rows = masked(semveil, table(), plan(columns, 'method = "generalize"\nk = 60\nscope = "full-domain"'))
    assert not [f for f in told["findings"] if f["id"] == "hierarchy-chosen"]
    assert {row["age"] for row in rows} <= {"<18", "18-64", "65+", "<65", "*"}
    assert told["columns"]["admitted"]["hierarchy"] == {"rule": '"date"', "by_weeks": True, "chosen": False}
    assert all(row["zip"] == "*" or len(row["zip"]) == 5 for row in rows)


def loss_of(rows, records, name):
    """lm by its definition, from the released texts alone."""
    place = COLUMNS.index(name)
    values = sorted({record[place] for record in records})
    total = 0
    for record, row in zip(records, rows, strict=True):
        text = row[name]
        if text == record[place]:
            continue
        if text == "*":
            total += 1
        elif name == "age":
            ages = [int(value) for value in values]
            low, high = (int(end) for end in text.strip("[)").split(", "))
            total += (min(high, max(ages)) - max(low, min(ages))) / (max(ages) - min(ages))
        else:
            below = sum(value.startswith(text.rstrip("*")) for value in values)
            total += (below - 1) / (len(values) - 1)
    return total / len(records)


@pytest.mark.parametrize("scope", ["local", "full-domain"])
def test_an_interval_loses_its_width_and_a_prefix_its_values(semveil, scope):
    names = ["age", "zip", "sex"]
    records = table()
    columns = {"age": "hierarchy = {intervals = 5}\n", "zip": 'hierarchy = "prefix"\n', "sex": 'hierarchy = "flat"\n'}
    text = plan(columns, f'method = "generalize"\nk = 5\nscope = "{scope}"')
    told, rows = masked(semveil, records, text)
    expected = [loss_of(rows, records, name) for name in names]
    assert told["generalize"]["loss"] == pytest.approx(sum(expected) / 3, abs=1e-9)
    audit = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition", "steward")
    assert audit["lm"] == pytest.approx(sum(expected) / 3, abs=1e-9)
    assert all(column["unmapped_masked"] == 0 for column in audit["columns"].values())


@pytest.mark.parametrize("named", ["", 'hierarchy = "date"\n'])
def test_dates_of_another_format_become_months_and_years(semveil, named):
    records = table()
    written = [[*row[:4], datetime.date.fromisoformat(row[4]).strftime("%d.%m.%Y"), *row[5:]] for row in records]
    columns = {"admitted": f'type = "date"\nformat = "%d.%m.%Y"\n{named}'}
    told, rows = masked(semveil, written, plan(columns, 'method = "generalize"\nk = 5\nscope = "local"'))
    assert told["columns"]["admitted"]["hierarchy"]["rule"] == '"date"'
    assert all(holds(after["admitted"], before[4], "admitted") for before, after in zip(records, rows, strict=True))
    assert smallest(rows, ["admitted"]) >= 5 and len({row["admitted"] for row in rows}) > 3
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "again.csv", "--quiet")
    assert parsed(semveil.read("again.csv")) == rows


# ---- Other methods ------------------------------------------------------------------------------

@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.4', 'method = "swap"\nk = 5', 'method = "fuse"\nk = 4',
                                    'method = "recode"\nk = 4', 'method = "microaggregate"\nk = 4',
                                    'method = "naive"', 'method = "probabilistic"', 'method = "generalize"\nk = 4'])
def test_every_method_takes_them_and_a_model_keeps_them(semveil, method):
    columns = {"age": "hierarchy = {intervals = 5}\n", "zip": 'hierarchy = "prefix"\n',
               "admitted": 'hierarchy = "date"\n', "sex": 'hierarchy = "flat"\n'}
    told, rows = masked(semveil, table(), plan(columns, method))
    assert len(rows) == 240
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    (semveil.folder / "plan.toml").rename(semveil.folder / "kept.toml")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "again.csv", "--quiet")
    assert semveil.read("again.csv") == semveil.read("out.csv")
    (semveil.folder / "kept.toml").rename(semveil.folder / "plan.toml")
    audit = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    assert audit["paired"] == 240
    assert not [finding for finding in audit["findings"] if finding["id"] == "method-contradicted"]


def test_values_that_the_fit_did_not_see_are_placed_by_the_rule(semveil):
    columns = {"age": "hierarchy = {intervals = 5}\n", "zip": 'hierarchy = "prefix"\n',
               "admitted": 'hierarchy = "date"\n'}
    masked(semveil, table(), plan(columns, 'method = "noise"\nalpha = 0.4'))
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    fresh = [["n", "33.5", "02999", "male", "2019-03-02", "0.1", "flu"]]
    semveil.write("new.csv", as_csv(fresh))
    semveil.ok("apply", "new.csv", "--model", "m.model", "-o", "new.out.csv", "--release", "r", "--quiet")
    fresh[0][1] = "young"
    semveil.write("new.csv", as_csv(fresh))
    message = semveil.fails(1, "apply", "new.csv", "--model", "m.model", "-o", "x.csv", "--release", "r", "--quiet")
    assert "means no concept of the domain" in message


@pytest.mark.parametrize("keys, cell, told", [
    ('hierarchy = "date"\n', "2020-02-30", "is no date of the calendar as 2024-02-29"),
    ('hierarchy = "date"\ntype = "date"\nformat = "%d.%m.%Y"\n', "2020-02-28",
     "is no date of the calendar of the format %d.%m.%Y"),
    ("hierarchy = {intervals = 5}\n", "1,5", "numbers have a point and no other mark")])
def test_what_has_no_place_in_a_made_hierarchy_is_told_as_what_it_is(semveil, keys, cell, told):
    records = [[row[0], "40", *row[2:4], row[4], *row[5:]] for row in table(40)]
    name = "age" if "intervals" in keys else "admitted"
    if "format" in keys:
        for row in records:
            row[4] = ".".join(reversed(row[4].split("-")))
    records[7][COLUMNS.index(name)] = cell
    semveil.write("table.csv", as_csv(records))
    semveil.write("plan.toml", plan({name: keys}, 'method = "generalize"\nk = 4'))
    message = semveil.fails(1, *MASK)
    assert told in message and "table.csv:9" in message and "did you mean" not in message
    if name == "admitted":
        assert "format" in message


def test_numbers_stay_numbers_for_methods_that_take_them(semveil):
    columns = {"age": 'type = "numeric"\nhierarchy = {intervals = 5}\n'}
    told, rows = masked(semveil, table(), plan(columns, 'method = "microaggregate"\nk = 5'))
    assert "hierarchy" not in told["columns"]["age"]
    assert all(float(row["age"]) for row in rows)
    told, rows = masked(semveil, table(), plan(columns, 'method = "noise"\nalpha = 0.3'))
    assert "hierarchy" not in told["columns"]["age"]
    assert all(float(row["age"]) for row in rows)
    told, rows = masked(semveil, table(), plan(columns, 'method = "generalize"\nk = 5'))
    assert told["columns"]["age"]["hierarchy"]["rule"] == "{intervals = 5}"


def test_describe_and_compare_know_them(semveil):
    columns = {"age": "hierarchy = {intervals = 5}\n", "zip": 'hierarchy = "prefix"\n', "sex": ""}
    semveil.write("table.csv", as_csv(table()))
    semveil.write("plan.toml", plan(columns, 'method = "generalize"\nk = 5'))
    assert semveil.json("describe", "table.csv", "--plan", "plan.toml")["columns"]["age"]["domain"]
    told = semveil.json("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", "--try", "generalize k=3,9",
                        "--try", "noise alpha=0.3", "--try", "fuse k=3")
    assert len(told["releases"]) == 4
    assert all(release["risk"] is not None and release["loss"] is not None for release in told["releases"])


# ---- What cannot be -----------------------------------------------------------------------------

@pytest.mark.parametrize("keys, word", [
    ('hierarchy = "flatt"', "flat"),
    ("hierarchy = {intervals = 0}", "intervals"),
    ("hierarchy = {interval = 5}", "intervals"),
    ("hierarchy = {intervals = 5, cuts = [1]}", "one of"),
    ("hierarchy = {}", "one of"),
    ("hierarchy = {cuts = [5, 5]}", "ascend"),
    ("hierarchy = {cuts = []}", "cuts: expected"),
    ('hierarchy = {intervals = 5, as = "{low}"}', "both ends"),
    ('hierarchy = {intervals = 0.5, as = "{low}-{last}"}', "whole"),
    ('hierarchy = "flat"\nontology = "x"', "leave one of the two out"),
    ('hierarchy = "flat"\nroot = "x"', "root needs an ontology"),
    ('hierarchy = "flat"\ncalendar = "week"', "calendar is for dates"),
    ('hierarchy = "prefix"\ntype = "numeric"', "intervals"),
])
def test_a_wrong_hierarchy_is_told(semveil, keys, word):
    semveil.write("table.csv", as_csv(table(20)))
    semveil.write("plan.toml", '[ontology.x]\nsource = "edges:nervous.csv"\n'
                  + plan({"age": keys + "\n"}, 'method = "generalize"\nk = 2'))
    assert word in semveil.fails(1, *MASK)


def test_a_value_that_the_rule_cannot_read_is_told(semveil):
    records = table(40)
    records[7][1] = "old"
    semveil.write("table.csv", as_csv(records))
    semveil.write("plan.toml", plan({"age": "hierarchy = {intervals = 5}\n"}, 'method = "generalize"\nk = 2'))
    message = semveil.fails(1, *MASK)
    assert "1 value (1 record) means no concept" in message and "correct them in the table" in message
    semveil.write("plan.toml", plan({"age": 'hierarchy = {intervals = 5}\nunmapped = "suppress"\n'},
                                    'method = "generalize"\nk = 2'))
    semveil.ok(*MASK, "--quiet")


# ---- Single cells -------------------------------------------------------------------------------

CELLS = 'method = "generalize"\nk = {}\nsuppress = "cells"\n'


def matching(rows, names):
    """By record: how many match it, an empty cell matching everything."""
    cells = [[row[name] for name in names] for row in rows]
    return [sum(all(a == b or not a or not b for a, b in zip(one, other, strict=True)) for other in cells)
            for one in cells]


@pytest.mark.parametrize("k", [2, 5])
def test_cells_are_emptied_until_k_are_alike(semveil, k):
    names = ["age", "zip", "sex"]
    records = table()
    levels = "levels = {age = 1, zip = 2}\n"
    told, rows = masked(semveil, records, plan(dict.fromkeys(names, ""), CELLS.format(k) + levels))
    assert smallest(rows, names) >= k
    assert told["generalize"]["levels"] == {"age": 1, "zip": 2, "sex": 0}
    empty = {name: sum(row[name] == "" for row in rows) for name in names}
    assert 0 < sum(empty.values()) < 3 * len(rows)
    for before, after in zip(records, rows, strict=True):
        assert after["sex"] in ("", before[3])
        assert after["zip"] in ("", before[2][:3] + "**")
    said = {f["columns"][0]: f["figures"]["cells"] for f in told["findings"] if f["id"] == "cells-emptied"}
    assert said == {name: count for name, count in empty.items() if count}
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "again.csv", "--quiet")
    assert semveil.read("again.csv") == semveil.read("out.csv")


def test_weights_keep_cells(semveil):
    names = ["age", "sex"]
    text = plan(dict.fromkeys(names, ""), CELLS.format(4) + "weights = {%s = 9}\n")
    emptied = {}
    for kept in names:
        _, rows = masked(semveil, table(), text % kept)
        emptied[kept] = {name: sum(row[name] == "" for row in rows) for name in names}
    assert emptied["sex"]["sex"] <= emptied["age"]["sex"]
    assert emptied["age"]["age"] < emptied["sex"]["age"]


def test_wildcards_say_first_who_is_alone(semveil):
    names = ["age", "zip", "sex"]
    text = plan(dict.fromkeys(names, ""), CELLS.format(3), 'missing = "wildcard"\n')
    told, rows = masked(semveil, table(), text)
    assert min(matching(rows, names)) >= 3
    alone = sum(n == 1 for n in collections.Counter(tuple(row[name] for name in names) for row in rows).values())
    first = told["findings"][0]
    assert alone > 0 and (first["id"], first["figures"]["records"]) == ("alone-as-written", alone)
    whole, kept = masked(semveil, table(), plan(dict.fromkeys(names, ""), CELLS.format(3)))
    assert smallest(kept, names) >= 3
    assert "alone-as-written" not in [finding["id"] for finding in whole["findings"]]


def test_an_audit_counts_wildcards_as_masking_does(semveil):
    """Who lost every cell matches everybody: three keep theirs, and four empty records are like each of them."""
    names = ["age", "zip", "sex"]
    groups = [["30", "08001", "f"]] * 5 + [["50", "09001", "m"]] * 3 + [[f"6{i}", f"1{i}0{i}{i}", f"x{i}"] for i in range(4)]
    records = [[f"p{i}", *cells, "2020-01-01", "0", "flu" if i % 2 else "gout"] for i, cells in enumerate(groups)]
    told, rows = masked(semveil, records, plan(dict.fromkeys(names, ""), CELLS.format(5), 'missing = "wildcard"\n'))
    empty = [row for row in rows if not any(row[name] for name in names)]
    by_hand = min(matching(rows, names))
    assert len(empty) == 4 and told["classes"]["smallest"] == by_hand == 5
    found = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    assert (found["classes"]["smallest"], found["classes"]["suppressed"]) == (by_hand, 0)
    assert found["classes"]["count"] == told["classes"]["count"]
    raised = [f["id"] for f in found["findings"]]
    assert "k-verified" in raised and not {"k-missed", "uniques-released"} & set(raised)
    # Whoever looks himself up finds the empty records, too: his own among four, or beside them.
    own = [1 / sum(all(b in (a, "") for a, b in zip(cells, (row[name] for name in names))) for row in rows)
           for cells in groups]
    assert found["linkage"]["own_among_alike"] == pytest.approx(max(own)) == pytest.approx(1 / 4)
    text = " ".join(semveil.ok(*MASK).split())
    assert "4 cells in each of age, zip and sex were emptied" in text


@pytest.mark.parametrize("mask, word", [
    (CELLS.format(3) + 'scope = "local"', "scope has no say"),
    (CELLS.format(3) + "suppression = 0.1", "suppression has no say"),
    ('method = "generalize"\nk = 3\nlevels = {sex = 1}', "levels needs suppress"),
    (CELLS.format(3) + "levels = {sex = 0.5}", "whole"),
    (CELLS.format(3) + "levels = {illness = 1}", "no column that is masked"),
    (CELLS.format(3) + "weights = {sex = 0}", "weights"),
    (CELLS.format(3) + "levels = {sex = 9}", "there is no level 9"),
])
def test_what_cells_cannot_do_is_told(semveil, mask, word):
    semveil.write("table.csv", as_csv(table(40)))
    semveil.write("plan.toml", plan({"age": "", "sex": ""}, mask))
    assert word in semveil.fails(1, *MASK)


def demanding(demand, top=""):
    return plan({"age": "", "sex": ""}, CELLS.format(3),
                top + f'[column.illness]\nrole = "sensitive"\ndemand = {{{demand}}}\n')


def test_cells_are_emptied_until_demands_are_met(semveil):
    names, kept = ["age", "sex"], {}
    for l in (1, 2, 3):
        _, rows = masked(semveil, table(), demanding(f"l = {l}"))
        classes = collections.defaultdict(list)
        for row in rows:
            classes[row["age"], row["sex"]].append(row["illness"])
        assert all(len(own) >= 3 and len(set(own)) >= l for own in classes.values())
        kept[l] = sum(row[name] != "" for row in rows for name in names)
    assert kept[1] >= kept[2] >= kept[3] > 0


def test_a_demand_that_no_cells_can_meet_is_refused(semveil):
    semveil.write("table.csv", as_csv(table(40)))
    semveil.write("plan.toml", demanding("l = 99"))
    assert "not even all records together" in semveil.fails(3, *MASK)


def test_nothing_is_demanded_where_empty_cells_match_everything(semveil):
    semveil.write("table.csv", as_csv(table(40)))
    semveil.write("plan.toml", demanding("l = 2", 'missing = "wildcard"\n'))
    said = semveil.fails(1, *MASK)
    assert "illness" in said and "forms no classes" in said
