"""What steps, recodings, hierarchies, numbers, dates and persons do together in one plan."""

import collections
import csv
import io
import random
import statistics

import pytest

import person_checker

COLUMNS = ["patient", "age", "zip", "sex", "visit", "weight", "illness"]
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s"]
PLAN = """{top}
[column.patient]
role = "identifier"
[column.age]
role = "quasi-identifier"
type = "numeric"
hierarchy = {{intervals = 5}}
[column.zip]
role = "quasi-identifier"
hierarchy = "prefix"
[column.sex]
role = "quasi-identifier"
[column.visit]
type = "date"
[column.weight]
type = "numeric"
[column.illness]
role = "sensitive"
"""
LEVEL = '[[mask]]\nmethod = "generalize"\ncolumns = ["age"]\nlevel = 2\n'
ROUND = '[[mask]]\nmethod = "round"\ncolumns = ["age"]\nbase = 2\n'
CLASSES = '[[mask]]\nmethod = "generalize"\nk = 4\n'
NOISE = '[[mask]]\nmethod = "noise"\ncolumns = ["weight"]\nalpha = 0.3\n'
SWAP = '[[mask]]\nmethod = "random-swap"\ncolumns = ["visit"]\n'


def records(persons=80, rows=300, seed=3):
    draw = random.Random(seed)
    usual = [(draw.randint(17, 90), f"0{draw.randint(2100, 2139)}", draw.choice(["male", "female"]))
             for _ in range(persons)]
    out = []
    for i in range(rows):
        who = i if i < persons else draw.randrange(persons)
        age, code, sex = usual[who]
        day = f"202{draw.randint(0, 3)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}"
        out.append([f"p{who}", str(age), code, sex, day, f"{draw.randint(400, 990) / 10}",
                    draw.choice(["flu", "gout", "acne"])])
    return out


def prepare(program, steps, top="", rows=None):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([COLUMNS, *(rows or records())])
    program.write("table.csv", out.getvalue())
    program.write("plan.toml", PLAN.format(top=top) + steps)


def released(program, name="out.csv"):
    return list(csv.DictReader(io.StringIO(program.read(name))))


def smallest(rows, names=("age", "zip", "sex")):
    return min(collections.Counter(tuple(row[name] for name in names) for row in rows).values())


def test_a_level_of_a_made_hierarchy_is_a_recoding(semveil):
    prepare(semveil, LEVEL)
    told = semveil.json(*MASK)
    for before, after in zip(records(), released(semveil), strict=True):
        low, high = after["age"].strip("[)").split(", ")
        assert int(high) - int(low) == 10 and int(low) <= int(before[1]) < int(high)
        assert after["zip"] == before[2]
    assert told["records"] == 300


def test_what_a_level_leaves_can_be_generalised_and_applied(semveil):
    prepare(semveil, LEVEL + CLASSES)
    semveil.ok(*MASK, "--quiet")
    rows = released(semveil)
    assert smallest(rows) >= 4
    assert all(row["age"] == "*" or row["age"].startswith("[") for row in rows)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "again.csv", "--quiet")
    assert semveil.read("again.csv") == semveil.read("out.csv")


def test_rounded_numbers_are_seen_by_their_hierarchy(semveil):
    prepare(semveil, ROUND + CLASSES)
    told = semveil.json(*MASK)
    assert smallest(released(semveil)) >= 4
    assert told["columns"]["age"]["hierarchy"]["rule"] == "{intervals = 5}"


def test_numbers_dates_and_classes_are_masked_each_by_its_step(semveil):
    prepare(semveil, CLASSES + NOISE + SWAP)
    semveil.ok(*MASK, "--quiet")
    rows = released(semveil)
    assert smallest(rows) >= 4
    assert sorted(row["visit"] for row in rows) == sorted(record[4] for record in records())
    moved = [float(row["weight"]) - float(record[5]) for row, record in zip(rows, records(), strict=True)]
    assert sum(abs(error) > 1 for error in moved) > 100
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "again.csv", "--quiet")
    assert semveil.read("again.csv") == semveil.read("out.csv")


@pytest.mark.parametrize("steps", [CLASSES, CLASSES + 'suppress = "cells"\n', ROUND + CLASSES, LEVEL + CLASSES, CLASSES + NOISE,
                                   '[[mask]]\nmethod = "microaggregate"\nk = 4\n' + NOISE,
                                   ROUND + '[[mask]]\nmethod = "fuse"\nk = 4\n' + NOISE])
def test_every_step_that_forms_classes_counts_persons(semveil, steps):
    # Weights of one row each link nothing; those of the release are drawn, or stay.
    prepare(semveil, steps, top='person = "patient"')
    semveil.ok(*MASK, "--quiet", "--row-map", "rows.csv")
    folder = semveil.folder
    assert person_checker.check(
        person_checker.read(folder / "table.csv"), person_checker.read(folder / "out.csv"),
        person_checker.read_map(folder / "rows.csv"), person="patient", quasi=["age", "zip", "sex"], k=4) == []


def test_a_recoded_column_links_rows_as_it_comes_out(semveil):
    """Numbers of visits are unlike each other; rounded to hundreds they are the persons."""
    rows = records()
    for i, row in enumerate(rows):
        row[5] = str(int(row[0][1:]) * 1000 + i % 1000 / 1000)
    prepare(semveil, CLASSES, top='person = "patient"', rows=rows)
    semveil.ok(*MASK, "--quiet")
    steps = '[[mask]]\nmethod = "round"\ncolumns = ["weight"]\nbase = 100\n' + CLASSES
    prepare(semveil, steps, top='person = "patient"', rows=rows)
    assert "weight" in semveil.fails(3, *MASK)
    prepare(semveil, steps, top='person = "patient"\nallow_linked_rows = true', rows=rows)
    told = semveil.json(*MASK)
    assert told["findings"][0]["id"] == "rows-linked"


def test_a_column_drawn_by_person_links_rows(semveil):
    """Many have a weight in common; with an error of its own for each person it is a name."""
    rows = records()
    for row in rows:
        row[5] = f"{60 + int(row[0][1:]) % 7}.1234"
    by_person = NOISE + 'draw_by = "patient"\n'
    prepare(semveil, CLASSES + by_person, top='person = "patient"', rows=rows)
    said = semveil.fails(3, *MASK)
    assert "weight" in said and "leave draw_by out" in said
    prepare(semveil, CLASSES + by_person, top='person = "patient"\nallow_linked_rows = true', rows=rows)
    first = semveil.json(*MASK)["findings"][0]
    assert (first["id"], first["columns"]) == ("rows-linked", ["weight"])
    whose = collections.defaultdict(set)
    for record, row in zip(rows, released(semveil), strict=True):
        whose[row["weight"]].add(record[0])
    assert len(whose) < len(rows) and all(len(persons) == 1 for persons in whose.values())
    prepare(semveil, CLASSES + NOISE, top='person = "patient"', rows=rows)  # drawn by row
    semveil.ok(*MASK, "--quiet")


@pytest.mark.parametrize("top", ["", 'person = "patient"'])
@pytest.mark.parametrize("recoding", [ROUND.replace("base = 2", "base = 10"), LEVEL])
def test_classes_before_masking_are_those_of_the_cells_as_they_came(semveil, recoding, top):
    rows = records()
    for i, row in enumerate(rows):
        row[1] = f"{row[1]}.{i:03}"  # no two are alike
    prepare(semveil, recoding + CLASSES, top=top, rows=rows)
    classes = semveil.json("describe", "table.csv", "--plan", "plan.toml")["classes"]
    assert classes["count"] == len(rows) and classes["smallest"] == 1
    assert classes["uniques"] == (80 if top else len(rows))
    text = semveil.ok(*MASK)
    assert ["classes", "300"] in [line.split()[:2] for line in text.splitlines()]
    assert smallest(released(semveil)) >= 4
    # What was not recoded is counted as ever.
    steps = recoding.replace('["age"]', '["weight"]') if "round" in recoding else ""
    prepare(semveil, steps + CLASSES, top=top)
    sizes = collections.Counter(tuple(record[1:4]) for record in records())
    classes = semveil.json("describe", "table.csv", "--plan", "plan.toml")["classes"]
    assert classes["count"] == len(sizes)


def test_secrets_of_classes_before_masking_are_those_of_the_cells_as_they_came(semveil):
    rows = records()
    for i, row in enumerate(rows):
        row[1] = f"{row[1]}.{i:03}"
    prepare(semveil, ROUND.replace("base = 2", "base = 50") + CLASSES, rows=rows)
    told = semveil.json("describe", "table.csv", "--plan", "plan.toml")
    assert told["columns"]["age"]["distinct"] == len(rows)
    assert told["privacy"]["sensitive"]["illness"]["l"] == 1  # who is alone has one illness


def test_a_step_that_changes_nothing_does_not_speak_for_the_recoding_before_it(semveil):
    rows = records()
    for row in rows:
        row[1], row[2] = str(int(row[1]) % 40), "02100"
    prepare(semveil, ROUND.replace("base = 2", "base = 100") + CLASSES, rows=rows)
    told = [f for f in semveil.json(*MASK)["findings"] if f["id"] == "nothing-to-change"]
    assert [(f["columns"], f["figures"]) for f in told] == [(["zip", "sex"], {}), (["age"], {"recoded": 1})]
    assert "No cell of age was changed after it was recoded" in told[1]["text"]


def test_the_column_of_persons_is_not_recoded(semveil):
    prepare(semveil, CLASSES, top='person = "weight"')
    text = semveil.read("plan.toml") + '[[mask]]\nmethod = "round"\ncolumns = ["weight"]\nbase = 5\n'
    semveil.write("plan.toml", text)
    assert "tells persons apart" in semveil.fails(1, *MASK)


def test_looks_at_one_persons_rows_are_told_of_the_step_that_draws(semveil):
    prepare(semveil, CLASSES + NOISE, top='person = "patient"')
    told = semveil.json(*MASK)
    looks = [finding for finding in told["findings"] if finding["id"] == "rows-looked-at-together"]
    assert [finding["columns"] for finding in looks] == [["weight"]]


def test_one_step_draws_by_person_beside_one_that_does_not(semveil):
    """Many looks at one weight of a person are one look, whatever other steps do."""
    rows = [[*row[:5], str(400 + int(row[0][1:])), row[6]] for row in records()]
    prepare(semveil, CLASSES + NOISE + 'draw_by = "patient"\n', rows=rows)
    told = semveil.json(*MASK)
    drawn = collections.defaultdict(set)
    for before, after in zip(rows, released(semveil), strict=True):
        drawn[before[0]].add(after["weight"])
    assert all(len(weights) == 1 for weights in drawn.values())
    assert len(set.union(*drawn.values())) > 20
    joined = next(finding for finding in told["findings"] if finding["id"] == "draw-by-links-records")
    assert 0 < joined["figures"]["of_one_person"] <= joined["figures"]["repeated"] <= 80


def test_errors_of_a_persons_numbers_average_out(semveil):
    prepare(semveil, NOISE, top='person = "patient"')
    told = semveil.json(*MASK)
    finding = next(f for f in told["findings"] if f["id"] == "rows-averaged")
    most = max(collections.Counter(record[0] for record in records()).values())
    figures = finding["figures"]
    assert finding["columns"] == ["weight"] and figures["most_rows"] == most
    weights = [float(record[5]) for record in records()]
    assert figures["deviation"] == pytest.approx((0.3 * statistics.pvariance(weights)) ** 0.5, rel=0.01)
    assert figures["averaged"] == pytest.approx(figures["deviation"] / most ** 0.5)
    assert figures["error"] == pytest.approx((0.3 / most) ** 0.5, rel=0.01)
    assert finding["severity"] == ("warning" if 0.3 / most <= 0.1 else "note")
    prepare(semveil, NOISE + 'draw_by = "patient"\n', top='person = "patient"')
    assert "rows-averaged" not in {f["id"] for f in semveil.json(*MASK)["findings"]}


def test_steps_and_new_keys_are_explained(semveil):
    prepare(semveil, LEVEL + CLASSES + NOISE, top='person = "patient"')
    text = semveil.ok("plan", "--check", "plan.toml").replace("\n  ", " ")
    for part in ("Column patient tells persons apart", "It holds dates, written as ISO 8601 does",
                 "made of its values: {intervals = 5}", "cells are recoded by level with level = 2",
                 "The method is generalize with k = 4", "The method is noise with alpha = 0.3"):
        assert part in text, part
