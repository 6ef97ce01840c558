"""Dates moved by one number of days for each person: intervals, offsets, and what tells the shift."""

import csv
import datetime
import io
import random

import pytest

FIRST = datetime.date(2020, 1, 1)
DAY = datetime.timedelta(days=1)
PLAN = """
person = "patient"

[column.patient]
role = "identifier"

[column.admitted]
type = "date"

[column.discharged]
type = "date"

[mask]
method = "shift"
shift = {days}
columns = ["admitted", "discharged"]
"""
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]


def visits(persons=60, seed=1):
    """Some persons have one visit, some five: (patient, admitted, discharged)."""
    draw = random.Random(seed)
    rows = []
    for person in range(persons):
        for _ in range(draw.randint(1, 5)):
            admitted = FIRST + draw.randrange(1400) * DAY
            rows.append([f"p{person}", admitted, admitted + draw.randrange(30) * DAY])
    draw.shuffle(rows)
    return rows


def as_csv(names, rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([names, *rows])
    return out.getvalue()


def prepare(program, rows, names=("patient", "admitted", "discharged"), plan=PLAN, days=30):
    program.write("table.csv", as_csv(names, rows))
    program.write("plan.toml", plan.format(days=days))


def offsets(rows, text):
    """By person the days that each cell moved, over rows and columns."""
    out = {}
    for before, after in zip(rows, csv.DictReader(io.StringIO(text)), strict=True):
        for place, name in ((1, "admitted"), (2, "discharged")):
            moved = (datetime.date.fromisoformat(after[name]) - before[place]).days
            out.setdefault(before[0], set()).add(moved)
    return out


def ids(told):
    return [finding["id"] for finding in told["findings"]]


def test_all_dates_of_a_person_move_alike(semveil):
    rows = visits()
    prepare(semveil, rows)
    told = semveil.json(*MASK, "--seed", "s")
    moved = offsets(rows, semveil.read("out.csv"))
    assert all(len(days) == 1 for days in moved.values())
    all_days = [days for (days,) in moved.values()]
    assert len(set(all_days)) > 20 and min(all_days) >= -30 and max(all_days) <= 30
    assert "patient" not in semveil.read("out.csv").splitlines()[0]
    assert told["recoded"][0]["method"] == "shift" and told["shifted"]["columns"] == ["admitted", "discharged"]
    assert "shift-known-by-one-date" in ids(told)


def test_offsets_of_20000_persons_are_uniform(semveil):
    """Chi-square over 2N + 1 offsets, N = 10: 20 degrees of freedom, p = 0.001 at 45.31; the key is fixed."""
    rows = [[f"person {i}", FIRST, FIRST] for i in range(20_000)]
    prepare(semveil, rows, days=10)
    semveil.ok(*MASK, "--seed", "uniform", "--quiet")
    counts = [0] * 21
    for (days,) in offsets(rows, semveil.read("out.csv")).values():
        counts[days + 10] += 1
    expected = 20_000 / 21
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    assert 0 < chi_square < 45.31
    counts[0], counts[1] = counts[0] + 200, counts[1] - 200  # a bias that must be seen
    assert sum((count - expected) ** 2 / expected for count in counts) > 45.31


def test_a_model_shifts_alike_in_all_releases(semveil):
    rows = visits()
    prepare(semveil, rows)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    apply = ["apply", "table.csv", "--model", "m.model", "--quiet"]
    semveil.ok(*apply, "-o", "one.csv", "--release", "first")
    semveil.ok(*apply, "-o", "two.csv", "--release", "second")
    assert semveil.read("one.csv") == semveil.read("two.csv")
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    assert semveil.read("out.csv") == semveil.read("one.csv")
    semveil.ok(*MASK, "--seed", "another", "--quiet")
    assert semveil.read("out.csv") != semveil.read("one.csv")


@pytest.mark.parametrize("threads", ["1", "4"])
def test_threads_do_not_matter(semveil, threads):
    prepare(semveil, visits(400))
    semveil.ok(*MASK, "--seed", "s", "--quiet", "--threads", threads)
    first = semveil.read("out.csv")
    semveil.ok(*MASK, "--seed", "s", "--quiet", "--threads", "2")
    assert semveil.read("out.csv") == first


def test_times_zones_and_formats_stay(semveil):
    rows = [["a", "28.2.2024 10:30", "2024-02-28T23:59:59.5+01:00"], ["a", "1.3.2024 08:00", "2024-03-01"]]
    plan = PLAN.replace('[column.admitted]\ntype = "date"', '[column.admitted]\ntype = "date"\nformat = "%d.%m.%Y %H:%M"')
    prepare(semveil, rows, plan=plan, days=3)
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    after = list(csv.DictReader(io.StringIO(semveil.read("out.csv"))))
    assert after[0]["admitted"].endswith(" 10:30") and after[0]["discharged"].endswith("T23:59:59.5+01:00")
    first = datetime.datetime.strptime(after[0]["admitted"], "%d.%m.%Y %H:%M")
    second = datetime.datetime.strptime(after[1]["admitted"], "%d.%m.%Y %H:%M")
    assert second - first == datetime.datetime(2024, 3, 1, 8) - datetime.datetime(2024, 2, 28, 10, 30)
    moved = (first.date() - datetime.date(2024, 2, 28)).days
    assert after[1]["discharged"] == (datetime.date(2024, 3, 1) + moved * DAY).isoformat()


def test_missing_dates_stay_missing_and_missing_persons_are_refused(semveil):
    prepare(semveil, [["a", "2024-01-01", ""], ["a", "", "2024-05-05"]])
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    after = list(csv.DictReader(io.StringIO(semveil.read("out.csv"))))
    assert after[0]["discharged"] == after[1]["admitted"] == ""
    prepare(semveil, [["a", "2024-01-01", ""], ["", "", "2024-05-05"]])
    (semveil.folder / "out.csv").unlink(missing_ok=True)
    assert "has no person" in semveil.fails(1, *MASK, "--seed", "s")
    assert not (semveil.folder / "out.csv").exists()


# ---- What tells the shift -----------------------------------------------------------------------

LEAKS = {
    "weekday": lambda row: row[1].strftime("%A"),
    "year": lambda row: str(row[1].year),
    "month": lambda row: row[1].strftime("%Y-%m"),
    "age": lambda row: str((datetime.date(2024, 6, 30) - row[1]).days * 4 // 1461),
    "day and month": lambda row: row[1].strftime("%d/%m"),
    "year and quarter": lambda row: f"{(row[1].month + 2) // 3}/{row[1].year}",
    "season": lambda row: ("winter", "spring", "summer", "autumn")[row[1].month % 12 // 3],
    "season by the sun": lambda row: ("winter", "spring", "summer", "autumn", "winter")[
        sum((row[1].month, row[1].day) >= begin for begin in ((3, 21), (6, 21), (9, 23), (12, 22)))],
    "half-year": lambda row: f"{row[1].year}-H{(row[1].month + 5) // 6}",
    "third of a year": lambda row: "abc"[(row[1].month - 1) // 4],
    "weekend": lambda row: str(row[1].weekday() >= 5),
    # One cell in fifteen is wrong.
    "quarter with slips": lambda row: f"{(row[1].month + 2) // 3 if row[1].toordinal() % 15 else 0}/{row[1].year}",
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_column_that_tells_the_shift_is_found(semveil, leak):
    rows = [[*row, LEAKS[leak](row)] for row in visits(200)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "extra"))
    told = semveil.json(*MASK, "--seed", "s")
    finding = next(f for f in told["findings"] if f["id"] == "shift-told")
    assert finding["severity"] == "danger" and finding["columns"] == ["extra", "admitted"]
    (semveil.folder / "out.csv").unlink(missing_ok=True)
    assert semveil.run(*MASK, "--seed", "s", "--fail-on", "danger").returncode == 3
    assert not (semveil.folder / "out.csv").exists()


def test_an_age_at_a_visit_tells_the_birth(semveil):
    draw = random.Random(3)
    rows = []
    for patient, admitted, _ in visits(200):
        born = datetime.date(1940, 1, 1) + draw.randrange(20_000) * DAY
        age = admitted.year - born.year - ((admitted.month, admitted.day) < (born.month, born.day))
        rows.append([patient, admitted, born, str(age)])
    prepare(semveil, rows, ("patient", "admitted", "discharged", "age"))
    told = semveil.json(*MASK, "--seed", "s")
    assert "shift-told" in ids(told)


def test_dates_that_nobody_declared_are_found(semveil):
    rows = [[*row, row[1] + 3 * DAY] for row in visits(100)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "seen"))
    told = semveil.json(*MASK, "--seed", "s")
    finding = next(f for f in told["findings"] if f["id"] == "dates-not-shifted")
    assert finding["columns"] == ["seen"] and finding["severity"] == "danger"


def test_each_recoded_column_is_looked_at_as_it_comes_out_itself(semveil):
    """Two columns of the same texts: rounded to thousands a score tells nothing, and a year that stays all."""
    draw = random.Random(7)
    rows = [[*row, str(draw.choice([2020, 2021, 2022, 2023])), str(row[1].year)] for row in visits(200)]
    plan = PLAN.replace("[mask]", '[column.score]\ntype = "numeric"\n\n[column.year]\ntype = "numeric"\n\n[[mask]]') + (
        '\n[[mask]]\nmethod = "round"\nbase = 1000\ncolumns = ["score"]\n'
        '\n[[mask]]\nmethod = "round"\nbase = 1\ncolumns = ["year"]\n')
    prepare(semveil, rows, ("patient", "admitted", "discharged", "score", "year"), plan=plan)
    told = semveil.json(*MASK, "--seed", "s")
    assert [f["columns"] for f in told["findings"] if f["id"] == "shift-told"] == [["year", "admitted"]]


def test_a_table_without_leaks_has_no_such_finding(semveil):
    draw = random.Random(5)
    rows = [[*row, draw.choice("ABC"), str(draw.randint(1, 90))] for row in visits(200)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "ward", "score"))
    told = semveil.json(*MASK, "--seed", "s")
    assert not {"shift-told", "dates-not-shifted"} & set(ids(told))


def test_what_goes_with_the_person_and_not_with_the_date_tells_nothing(semveil):
    """A person's date of birth goes with their sex and town in all of their rows."""
    draw = random.Random(7)
    usual = [(datetime.date(1940, 1, 1) + draw.randrange(20_000) * DAY, draw.choice("FM"),
              draw.choice(["Lleida", "Vic", "Girona", "Reus"]), draw.choice(["no"] * 19 + ["yes"]))
             for _ in range(120)]
    rows = []
    for patient, admitted, _ in visits(120):
        born, *others = usual[int(patient[1:])]
        rows.append([patient, admitted, born, *others])
    prepare(semveil, rows, ("patient", "admitted", "discharged", "sex", "town", "smokes"))
    told = semveil.json(*MASK, "--seed", "s")
    assert not {"shift-told", "dates-not-shifted"} & set(ids(told))


AUDIT = ["audit", "table.csv", "out.csv", "--plan", "plan.toml"]
OF_PERSONS = {"shift-told", "dates-not-shifted", "alone-by-intervals", "intervals-hidden", "rows-linked"}


def of_persons(told):
    return [(f["id"], f["columns"], f["figures"]) for f in told["findings"] if f["id"] in OF_PERSONS]


def test_an_audit_finds_what_mask_finds_of_shifts(semveil):
    rows = [[*row, LEAKS["weekday"](row), row[1] + 3 * DAY] for row in visits(60)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "extra", "seen"))
    masked = semveil.json(*MASK, "--seed", "s", "--row-map", "rows.csv")
    told = semveil.json(*AUDIT, "--row-map", "rows.csv")
    assert of_persons(told) == of_persons(masked)
    assert {"shift-told", "dates-not-shifted"} <= set(ids(told)) and "told-by-mask-alone" not in ids(told)


def test_an_audit_that_cannot_look_at_shifts_says_so_in_its_verdict(semveil):
    prepare(semveil, [[*row, LEAKS["weekday"](row)] for row in visits(60)],
            ("patient", "admitted", "discharged", "extra"))
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    told = semveil.json(*AUDIT, "--unpaired", "--report", "page.html")
    note = next(f for f in told["findings"] if f["id"] == "told-by-mask-alone")
    assert note["severity"] == "note" and note["figures"] == {"shifted": 1}
    assert "This verdict is incomplete" in semveil.read("page.html")


@pytest.mark.parametrize("is_told", [True, False])
def test_the_report_of_masking_counts_the_dangers_of_the_run(semveil, is_told):
    draw = random.Random(9)
    rows = [[*row, LEAKS["weekday"](row) if is_told else draw.choice("ABC")] for row in visits(60)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "extra"))
    told = semveil.json(*MASK, "--seed", "s", "--report", "page.html")
    page = semveil.read("page.html")
    dangers = {f["id"] for f in told["findings"] if f["severity"] == "danger"}
    assert dangers == ({"shift-told"} if is_told else set())
    assert ("One finding stands against signing" in page) == is_told
    assert ("No finding stands against signing" in page) != is_told
    assert "incomplete" not in page


def test_who_is_alone_by_the_days_between_is_counted(semveil):
    rows = [["a", FIRST, FIRST + DAY], ["b", FIRST + 9 * DAY, FIRST + 10 * DAY], ["c", FIRST, FIRST + 5 * DAY]]
    prepare(semveil, rows)
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward")
    assert told["shifted"]["persons"] == 3 and told["shifted"]["alone"] == 1  # a and b are alike
    assert "alone-by-intervals" in ids(told)
    prepare(semveil, rows[:2])
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward")
    assert told["shifted"]["alone"] == 0 and "alone-by-intervals" not in ids(told)


ONE_COLUMN = ("patient", "admitted")
OF_ADMISSIONS = """
person = "patient"
{top}
[column.patient]
role = "{role}"

[column.admitted]
type = "date"

[mask]
method = "shift"
shift = {{days}}
columns = ["admitted"]
"""


@pytest.mark.parametrize(("role", "top", "linked"), [
    ("identifier", "", False), ("other", "", True), ("pseudonym", "allow_linked_rows = true", True)])
def test_days_between_rows_are_seen_where_something_links_them(semveil, role, top, linked):
    rows = [[f"p{i}", FIRST + (40 * i + day) * DAY] for i in range(4) for day in (0, 3 + i)]
    prepare(semveil, rows, ONE_COLUMN, OF_ADMISSIONS.format(role=role, top=top))
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward", "--row-map", "rows.csv")
    shifted = told["shifted"]
    assert (shifted["links_rows"], shifted["persons"], shifted["alone"]) == (linked, 4 * linked, 4 * linked)
    assert ("alone-by-intervals" in ids(told)) == linked
    assert ("intervals-hidden" in ids(told)) != linked
    audited = semveil.json(*AUDIT, "--row-map", "rows.csv", "--edition", "steward")
    assert of_persons(audited) == of_persons(told)


def test_a_column_that_links_rows_shows_the_days_between_them(semveil):
    rows = [[f"p{i}", FIRST + (40 * i + day) * DAY, f"account {i}"] for i in range(4) for day in (0, 3 + i)]
    prepare(semveil, rows, (*ONE_COLUMN, "account"), OF_ADMISSIONS.format(role="identifier", top=""))
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward")
    assert told["shifted"]["links_rows"] and told["shifted"]["alone"] == 4
    prepare(semveil, [[*row[:2], "same"] for row in rows], (*ONE_COLUMN, "account"),
            OF_ADMISSIONS.format(role="identifier", top=""))
    assert not semveil.json(*MASK, "--seed", "s")["shifted"]["links_rows"]


def test_days_between_are_those_of_released_records(semveil):
    """Without the record that is left out, b is like a."""
    rows = [["a", FIRST, FIRST + DAY, "x"], ["b", FIRST + 9 * DAY, FIRST + 10 * DAY, "x"],
            ["b", FIRST + 40 * DAY, FIRST + 47 * DAY, ""]]
    plan = 'missing = "drop-record"\n' + PLAN.replace("[mask]", '[column.ward]\nrole = "quasi-identifier"\n\n[mask]')
    prepare(semveil, rows, ("patient", "admitted", "discharged", "ward"), plan=plan)
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward")
    assert told["dropped_records"] == 1
    assert (told["shifted"]["persons"], told["shifted"]["alone"]) == (2, 0)


# ---- Plans --------------------------------------------------------------------------------------

def test_a_date_that_is_left_out_is_refused_unless_partial(semveil):
    plan = PLAN.replace('columns = ["admitted", "discharged"]', 'columns = ["admitted"]')
    prepare(semveil, visits(), plan=plan)
    assert "is not shifted" in semveil.fails(3, *MASK, "--seed", "s")
    assert not (semveil.folder / "out.csv").exists()
    prepare(semveil, visits(), plan=plan + "partial = true\n")
    assert "dates-not-shifted" in ids(semveil.json(*MASK, "--seed", "s"))


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "other"])
def test_a_date_of_any_role_that_is_left_out_is_refused(semveil, role):
    plan = PLAN.replace('columns = ["admitted", "discharged"]', 'columns = ["admitted"]')
    prepare(semveil, visits(), plan=plan.replace("[column.discharged]", f'[column.discharged]\nrole = "{role}"'))
    assert "is not shifted" in semveil.fails(3, *MASK, "--seed", "s")


@pytest.mark.parametrize(("old", "new", "said"), [
    ('person = "patient"\n', "", "name the column that tells persons apart"),
    ("shift = {days}\n", "", "by how many days"),
    ("shift = {days}\n", "shift = 0\n", "shift"),
    ('[column.admitted]\ntype = "date"', "[column.admitted]", "admitted"),
])
def test_plans_that_cannot_shift_are_refused_in_words(semveil, old, new, said):
    prepare(semveil, visits(), plan=PLAN.replace(old, new))
    assert said in semveil.fails(1, *MASK, "--seed", "s")
    assert not (semveil.folder / "out.csv").exists()


def test_a_shifted_column_stands_in_no_other_step(semveil):
    plan = PLAN.replace("[mask]", "[[mask]]") + '[[mask]]\nmethod = "swap"\nk = 3\ncolumns = ["admitted"]\n'
    prepare(semveil, visits(), plan=plan)
    assert "stands in another step" in semveil.fails(1, *MASK, "--seed", "s")


def test_what_is_no_date_is_refused_with_its_place(semveil):
    rows = visits()
    rows[3][1] = "soon"
    prepare(semveil, rows)
    message = semveil.fails(1, *MASK, "--seed", "s")
    assert "table.csv:5" in message and "admitted" in message and "not a date" in message


def test_released_dates_are_described_as_they_come_out(semveil):
    """Classes over quasi-identifiers are those of the shifted dates."""
    rows = [[f"p{i}", FIRST, FIRST] for i in range(50)]
    plan = PLAN.replace('type = "date"', 'type = "date"\nrole = "quasi-identifier"')
    prepare(semveil, rows, plan=plan)
    told = semveil.json(*MASK, "--seed", "s", "--edition", "steward")
    after = list(csv.reader(io.StringIO(semveil.read("out.csv"))))[1:]
    classes = {}
    for row in after:
        classes[tuple(row)] = classes.get(tuple(row), 0) + 1
    assert told["classes"]["count"] == len(classes) > 10
    assert told["classes"]["smallest"] == min(classes.values())


def test_the_digits_of_a_shifted_date_tell_nothing_of_the_true_one(semveil):
    """5.3.2024 and 15.3.2024 are written alike after they moved: as the column writes, not as the cell was."""
    rows = [[f"p{i}", f"{1 + i % 28}.{1 + i % 12}.2024", "2024-01-01"] for i in range(300)]
    plan = PLAN.replace('[column.admitted]\ntype = "date"', '[column.admitted]\ntype = "date"\nformat = "%d.%m.%Y"')
    prepare(semveil, rows, plan=plan)
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    cells = [row["admitted"] for row in csv.DictReader(io.StringIO(semveil.read("out.csv")))]
    assert not [cell for cell in cells if cell.startswith("0") or ".0" in cell]


def test_a_year_of_two_digits_keeps_its_century_or_is_refused(semveil):
    rows = [[f"p{i}", "05/01/69", "2024-01-01"] for i in range(40)]
    plan = PLAN.replace('[column.admitted]\ntype = "date"', '[column.admitted]\ntype = "date"\nformat = "%d/%m/%y"')
    prepare(semveil, rows, plan=plan)
    message = semveil.fails(1, *MASK, "--seed", "s")
    assert "two digits" in message and "%Y" in message and "end of the calendar" not in message


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_shift_stays_within_the_years_that_there_are(semveil, day):
    prepare(semveil, [[f"p{i}", day, FIRST] for i in range(40)])
    message = semveil.fails(1, *MASK, "--seed", "s")
    assert "end of the calendar" in message and "0001 to 9999" in message


def test_blanks_around_a_date_are_no_part_of_it(semveil):
    prepare(semveil, [[f"p{i}", f" {FIRST} ", FIRST] for i in range(40)])
    semveil.ok(*MASK, "--seed", "s", "--quiet")
    rows = list(csv.DictReader(io.StringIO(semveil.read("out.csv"))))
    columns = [[row[name] for row in rows] for name in ("admitted", "discharged")]
    assert columns[0] == columns[1] and len(set(columns[0])) > 10


def test_a_coded_age_tells_the_birth_all_the_same(semveil):
    rows = []
    for i in range(300):
        born = datetime.date(1930, 1, 1) + (i * 131 % 30_000) * DAY
        rows.append([f"p{i}", born, FIRST, str((datetime.date(2024, 6, 30) - born).days * 4 // 1461)])
    plan = PLAN.replace("[mask]", '[column.age]\ntype = "numeric"\n\n[[mask]]') + (
        '\n[[mask]]\nmethod = "code"\ntop = 90\nas = "text"\ncolumns = ["age"]\n')
    prepare(semveil, rows, ("patient", "admitted", "discharged", "age"), plan=plan)
    finding = next(f for f in semveil.json(*MASK, "--seed", "s")["findings"] if f["id"] == "shift-told")
    assert finding["columns"] == ["age", "admitted"]


def test_quiet_runs_that_may_fail_see_the_dangers(semveil):
    rows = [[*row, LEAKS["weekday"](row)] for row in visits(200)]
    prepare(semveil, rows, ("patient", "admitted", "discharged", "extra"))
    assert semveil.run(*MASK, "--seed", "s", "--quiet", "--fail-on", "danger").returncode == 3
    assert not (semveil.folder / "out.csv").exists()
