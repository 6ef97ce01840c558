"""Columns of dates: read as ISO 8601 or a format writes them, described, swapped, averaged, fused, and kept in the
type of their column."""

import datetime
import random

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from clinic import LEAVES, ONTOLOGY, parsed

ROWS = 300
FIRST = datetime.date(2019, 1, 1)
PLAN = """
[ontology.disease]
source = "edges:disease.csv"

[column.diagnosis]
role = "quasi-identifier"
ontology = "disease"
root = "D"

[column.admitted]
role = "quasi-identifier"
type = "date"
{form}
[mask]
method = "{method}"
k = 5
columns = ["diagnosis", "admitted"]
"""


def dates(seed=1):
    draw = random.Random(seed)
    return [FIRST + datetime.timedelta(days=draw.randrange(700)) for _ in range(ROWS)]


def write(semveil, texts, method, form="", name="plan.toml"):
    semveil.write("disease.csv", ONTOLOGY)
    semveil.write(name, PLAN.format(method=method, form=form))
    rows = [f"{LEAVES[i % 12]},{text}" for i, text in enumerate(texts)]
    semveil.write("table.csv", "diagnosis,admitted\n" + "\n".join(rows) + "\n")
    return semveil


def mask(semveil, out="out.csv", table="table.csv"):
    semveil.ok("mask", table, "--plan", "plan.toml", "-o", out, "--seed", "s", "--quiet")
    return parsed(semveil.read(out))["admitted"] if out.endswith(".csv") else None


@pytest.mark.parametrize(("form", "spelt"), [("", "%Y-%m-%d"), ('format = "%d.%m.%Y"\n', "%d.%m.%Y"),
                                             ('format = "%d %b %Y"\n', "%d %b %Y")])
def test_a_swap_keeps_every_date_and_how_it_is_written(semveil, form, spelt):
    texts = [day.strftime(spelt) for day in dates()]
    write(semveil, texts, "swap", form)
    out = mask(semveil)
    assert sorted(out) == sorted(texts) and out != texts


def test_means_of_dates_are_days_half_to_even(semveil):
    days = dates()
    write(semveil, [day.isoformat() for day in days], "microaggregate")
    semveil.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--row-map", "map.csv", "--seed", "s",
               "--quiet")
    out = parsed(semveil.read("out.csv"))
    groups = {}
    for i, key in enumerate(zip(out["diagnosis"], out["admitted"], strict=True)):
        groups.setdefault(key, []).append(days[i])
    checked = 0
    for (_, text), members in groups.items():
        assert len(members) >= 5
        if len(members) >= 10:
            continue  # may be two groups that came out alike
        total = sum((day - datetime.date(1970, 1, 1)).days for day in members)
        mean = round(total / len(members))  # Python's rounding is half to even, and small quotients are exact enough
        assert text == (datetime.date(1970, 1, 1) + datetime.timedelta(days=mean)).isoformat()
        checked += 1
    assert checked > 10


def test_fusing_takes_dates_that_exist_and_makes_classes(semveil):
    texts = [day.isoformat() for day in dates()]
    write(semveil, texts, "fuse")
    out = mask(semveil)
    assert set(out) <= set(texts)
    table = parsed(semveil.read("out.csv"))
    classes = {}
    for key in zip(table["diagnosis"], table["admitted"], strict=True):
        classes[key] = classes.get(key, 0) + 1
    assert min(classes.values()) >= 5


def test_times_are_parts_of_a_day_and_zones_stay(semveil):
    texts = [f"{day.isoformat()}T{i % 24:02}:30+0{1 + i % 2}:00" for i, day in enumerate(dates())]
    write(semveil, texts, "swap")
    assert sorted(mask(semveil)) == sorted(texts)
    write(semveil, texts, "microaggregate")
    assert {text[10:] for text in mask(semveil)} == {"T00:00+01:00"}


def test_models_know_the_form_of_their_dates(semveil):
    texts = [day.strftime("%d.%m.%Y") for day in dates()]
    write(semveil, texts, "microaggregate", 'format = "%d.%m.%Y"\n')
    mask(semveil)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.svm", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.svm", "-o", "again.csv", "--quiet")
    assert semveil.read("again.csv") == semveil.read("out.csv")
    semveil.write("other.csv", "diagnosis,admitted\nFlu,2019-01-01\n")
    done = semveil.run("apply", "other.csv", "--model", "m.svm", "-o", "x.csv", "--release", "r")
    assert done.returncode == 1 and "not a date" in done.stderr


def test_a_description_and_an_audit_tell_dates(semveil):
    days = dates()
    write(semveil, [day.isoformat() for day in days], "microaggregate")
    told = semveil.json("describe", "table.csv", "--plan", "plan.toml")["columns"]["admitted"]["numeric"]
    epoch = datetime.date(1970, 1, 1)
    assert told["dates"] is True
    assert (told["min"], told["max"]) == ((min(days) - epoch).days, (max(days) - epoch).days)
    text = semveil.ok("describe", "table.csv", "--plan", "plan.toml")
    assert min(days).isoformat() in text and max(days).isoformat() in text
    mask(semveil)
    audit = ("audit", "table.csv", "out.csv", "--plan", "plan.toml", *semveil.in_order("table.csv"),
             "--edition", "steward")
    told = semveil.json(*audit)["columns"]["admitted"]
    assert told["numeric_masked"]["dates"] is True
    out = [datetime.date.fromisoformat(cell) for cell in parsed(semveil.read("out.csv"))["admitted"]]
    reach = (max(days) - min(days)).days
    apart = [abs((a - b).days) / reach for a, b in zip(days, out, strict=True)]
    assert told["mean_distance"] == pytest.approx(sum(apart) / len(apart), rel=1e-6)
    assert min(days).isoformat() in semveil.ok(*audit)


@pytest.mark.parametrize("method", ["swap", "microaggregate"])
@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("us"), pa.timestamp("ms", "UTC")], ids=str)
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_columns_of_dates_keep_their_type(semveil, method, kind, form):
    cells = dates() if pa.types.is_date(kind) else [
        datetime.datetime(d.year, d.month, d.day, i % 24, 30, tzinfo=datetime.timezone.utc if kind.tz else None)
        for i, d in enumerate(dates())]
    cells[3] = None
    write(semveil, [], method)
    table = pa.table({"diagnosis": [LEAVES[i % 12] for i in range(ROWS)], "admitted": pa.array(cells, kind)})
    path = semveil.folder / f"table.{form}"
    (pyarrow.parquet.write_table if form == "parquet" else pyarrow.feather.write_feather)(table, path)
    mask(semveil, f"out.{form}", f"table.{form}")
    read = pyarrow.parquet.read_table if form == "parquet" else pyarrow.feather.read_table
    out = read(semveil.folder / f"out.{form}")
    assert out.schema.field("admitted").type == kind
    if method == "swap":
        assert sorted(filter(None, out["admitted"].to_pylist())) == sorted(filter(None, cells))


@pytest.mark.parametrize("text", ["31.12.2019", "2019-02-29", "soon"])
def test_what_is_no_date_is_an_error_with_its_line(semveil, text):
    texts = [day.isoformat() for day in dates()]
    texts[4] = text
    write(semveil, texts, "swap")
    done = semveil.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert done.returncode == 1 and ":6" in done.stderr and "not a date" in done.stderr


def test_every_method_takes_dates_or_says_why_not(semveil):
    texts = [day.isoformat() for day in dates()]
    takes = {"swap", "fuse", "microaggregate", "random-swap", "distributional-swap"}
    for method in ("noise", "swap", "fuse", "recode", "microaggregate", "naive", "probabilistic", "random-swap",
                   "distributional-swap"):
        write(semveil, texts, method)
        plan = semveil.read("plan.toml")
        if method in ("naive", "probabilistic", "random-swap"):
            plan = plan.replace("k = 5\n", "")
        semveil.write("plan.toml", plan.replace("k = 5", "alpha = 1") if method == "noise" else plan)
        done = semveil.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
        if method in takes:
            assert done.returncode == 0, (method, done.stderr)
        else:
            assert done.returncode == 1 and "admitted" in done.stderr, (method, done.stderr)


@pytest.mark.parametrize(("line", "says"), [
    ('format = "%d.%m"', "a format of dates has a year"), ('format = "%Q"', "% stands before"),
    ('ontology = "disease"', "a date column has no ontology"), ("decimals = 2", "decimals is for numbers")])
def test_keys_that_do_not_fit_dates_are_errors_of_the_plan(semveil, line, says):
    write(semveil, ["2019-01-01"], "swap", line + "\n")
    done = semveil.run("describe", "table.csv", "--plan", "plan.toml")
    assert done.returncode == 1 and says in done.stderr
