"""semveil mask, fit and apply by ean and an: every set is what was promised, by taking it apart here
once more."""

import collections
import csv
import gzip
import io
import json

import pytest

from clinic import LEAVES, as_csv, parsed, rows
from set_clinic import CATEGORIES, FILE, MASK, PLAN, csv_line, cut, masked, prepare, sets_of, truth


# ---- The property -------------------------------------------------------------------------------

@pytest.mark.parametrize("draw", ["uniform", "frequency"])
def test_every_set_has_one_value_of_each_category_and_the_true_one(semveil, draw):
    prepare(semveil, records=rows(150))
    result = semveil.json(*MASK, "--draw", draw)
    sets = sets_of(semveil)
    for true, values in zip(truth(semveil), sets, strict=True):
        assert true in values
        assert sorted(CATEGORIES[value] for value in values) == [0, 1, 2]
    seen = {value for values in sets for value in values}
    assert ("Rabies" in seen) == (draw == "uniform")  # nobody has it: it has no frequency
    positions = collections.Counter(v.index(t) for t, v in zip(truth(semveil), sets))
    assert len(positions) == 3  # the true value is anywhere
    column = result["columns"]["diagnosis"]
    assert (column["l"], column["categories"], column["distinct"]) == (3, 3, len(seen))
    before, after = parsed(semveil.read("table.csv")), parsed(semveil.read("out.csv"))
    for name in ("patient", "second", "city", "note"):
        assert before[name] == after[name]


def test_fewer_values_than_categories_come_from_different_ones(semveil):
    prepare(semveil)
    semveil.ok(*MASK, "--l", "2")
    pairs = collections.Counter()
    for true, values in zip(truth(semveil), sets_of(semveil), strict=True):
        assert len(values) == 2 and true in values
        assert CATEGORIES[values[0]] != CATEGORIES[values[1]]
        pairs[frozenset(CATEGORIES[v] for v in values)] += 1
    assert len(pairs) == 3


def test_an_takes_any_other_values(semveil):
    prepare(semveil, masked('method = "an"\nl = 4\n'))
    semveil.ok(*MASK)
    related = 0
    for true, values in zip(truth(semveil), sets_of(semveil), strict=True):
        assert true in values and len(set(values)) == 4
        related += len({CATEGORIES[v] for v in values}) < 3
    assert related > 0
    assert not any("Rabies" in values for values in sets_of(semveil))
    semveil.ok(*MASK, "--categories", "disease.categories")  # whose values are the domain then
    assert any("Rabies" in values for values in sets_of(semveil))


def test_the_posterior_is_that_of_the_definition(semveil):
    prepare(semveil)
    counts = collections.Counter(truth(semveil))
    sizes = collections.Counter(CATEGORIES.values())
    in_category = collections.Counter()
    for value, count in counts.items():
        in_category[CATEGORIES[value]] += count
    weights = {
        ("ean", "uniform"): lambda v: counts[v] * sizes[CATEGORIES[v]],
        ("ean", "frequency"): lambda v: in_category[CATEGORIES[v]],
        ("an", ""): lambda v: counts[v],
    }
    for (method, draw), weight in weights.items():
        more = ["--draw", draw] if draw else ["--l", "3"]
        result = semveil.json(*MASK, "--method", method, *more)
        posteriors = [weight(true) / sum(weight(v) for v in values)
                      for true, values in zip(truth(semveil), sets_of(semveil))]
        likeliest = [max(weight(v) for v in values) / sum(weight(v) for v in values)
                     for values in sets_of(semveil)]
        told = result["columns"]["diagnosis"]["posterior"]
        assert told["mean"] == pytest.approx(sum(posteriors) / len(posteriors), abs=1e-9)
        assert told["worst"] == pytest.approx(max(posteriors), abs=1e-12)
        assert told["likeliest"] == pytest.approx(sum(likeliest) / len(likeliest), abs=1e-9)


def test_categories_of_equal_counts_drawn_by_frequency_tell_exactly_one_in_l(semveil):
    records = [[f"p{i}", LEAVES[i % 12], "Flu", "c", "n"] for i in range(120)]
    prepare(semveil, records=records)
    told = semveil.json(*MASK, "--draw", "frequency")["columns"]["diagnosis"]["posterior"]
    assert told == {key: pytest.approx(1 / 3, abs=1e-10) for key in ("mean", "worst", "likeliest")}


def test_the_loss_is_that_of_the_paper(semveil):
    prepare(semveil)
    result = semveil.json(*MASK)
    assert result["columns"]["diagnosis"]["information_loss"] == pytest.approx(2 / 3)
    assert result["information_loss"] == pytest.approx(2 / 3 / 2)  # with one quasi-identifier
    column = result["columns"]["diagnosis"]
    assert "mean" not in column and "variance" not in column
    assert result["privacy"]["sensitive"]["diagnosis"] == {
        "l": None, "entropy_l": None, "recursive_c": None, "t": None}
    assert result["privacy"]["k"] == result["classes"]["smallest"] == 30


# ---- Forms --------------------------------------------------------------------------------------

def test_every_form_has_the_same_sets(semveil):
    prepare(semveil)
    semveil.ok(*MASK)
    joined = sets_of(semveil)
    semveil.ok(*MASK, "--sets", "list")
    assert [json.loads(cell) for cell in parsed(semveil.read("out.csv"))["diagnosis"]] == joined
    semveil.ok(*MASK, "--sets", "columns")
    table = parsed(semveil.read("out.csv"))
    assert list(table)[:5] == ["patient", "diagnosis_1", "diagnosis_2", "diagnosis_3", "second"]
    assert [list(v) for v in zip(*(table[f"diagnosis_{i}"] for i in (1, 2, 3)))] == joined
    semveil.ok(*MASK, "--set-separator", " / ")
    assert sets_of(semveil, separator=" / ") == joined


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather", "csv.gz", "tsv"])
@pytest.mark.parametrize("form", ["joined", "list", "columns"])
def test_every_format_has_the_same_sets(semveil, ending, form):
    prepare(semveil)
    semveil.ok(*MASK, "--sets", form)
    expected = parsed(semveil.read("out.csv"))
    result = semveil.json(*MASK[:-1], f"out.{ending}", "--sets", form)
    assert result["reread"]
    path = semveil.folder / f"out.{ending}"
    if ending == "csv.gz":
        assert parsed(gzip.decompress(path.read_bytes()).decode()) == expected
        return
    if ending == "tsv":
        table = list(csv.reader(io.StringIO(path.read_text()), delimiter="\t"))
        assert {name: list(cells) for name, *cells in zip(*table)} == expected
        return
    pytest.importorskip("pyarrow")
    import pyarrow.feather
    import pyarrow.parquet
    table = pyarrow.parquet.read_table(str(path)) if ending == "parquet" else \
        pyarrow.feather.read_table(str(path))
    assert table.column_names == list(expected)
    for name in table.column_names:
        cells = table[name].to_pylist()
        if form == "list" and name == "diagnosis":
            assert cells == [json.loads(cell) for cell in expected[name]]
        else:
            assert cells == expected[name]


def test_hostile_values_come_out_whole(semveil):
    hostile = ['a, b', 'say "x"', "tab\there", "naïve ☃", "=1+1", "x y"]
    prepare(semveil, categories="".join(csv_line(hostile[i:i + 2]) for i in (0, 2, 4)))
    semveil.write("table.csv", "diagnosis,city\n" + "".join(csv_line([v, "c"]) for v in hostile * 5))
    for form in ("joined", "list", "columns"):
        semveil.ok(*MASK, "--sets", form)
        table = list(csv.DictReader(io.StringIO(semveil.read("out.csv"))))
        for true, row in zip(hostile * 5, table, strict=True):
            values = {"joined": lambda r: r["diagnosis"].split("|"),
                      "list": lambda r: json.loads(r["diagnosis"]),
                      "columns": lambda r: [r[f"diagnosis_{i}"] for i in (1, 2, 3)]}[form](row)
            assert true in values and len(values) == 3
            assert sorted(hostile.index(v) // 2 for v in values) == [0, 1, 2]
    # A category is a line: a value with a line end cannot be named there.
    hostile[2] = "line\nend"
    semveil.write("disease.categories", "".join(csv_line(hostile[i:i + 2]) for i in (0, 2, 4)))
    message = semveil.fails(1, *MASK)
    assert "disease.categories:2" in message


def test_a_new_column_must_not_meet_an_old_one(semveil):
    prepare(semveil)
    semveil.write("table.csv", semveil.read("table.csv").replace("city", "diagnosis_2", 1))
    semveil.write("plan.toml", PLAN.replace("column.city", "column.diagnosis_2"))
    message = semveil.fails(1, *MASK, "--sets", "columns")
    assert "diagnosis_2" in message and not (semveil.folder / "out.csv").exists()


def test_blanks_around_values_do_not_count(semveil):
    records = rows(60)
    for i, record in enumerate(records):
        record[1] = [" ", "", "  "][i % 3] + record[1] + ["", " "][i % 2]
    prepare(semveil, records=records)
    semveil.ok(*MASK)
    for true, values in zip(truth(semveil), sets_of(semveil), strict=True):
        assert true.strip() in values
        assert all(value == value.strip() for value in values)  # else the blanks tell the true one


def test_blanks_around_concepts_do_not_count_either(semveil):
    records = rows(60)
    for i, record in enumerate(records):
        record[1] = " " + record[1] if i % 4 else record[1]
    cut(semveil, "count = 3", records=records)
    semveil.ok(*MASK)
    assert all(value == value.strip() for values in sets_of(semveil) for value in values)


# ---- Missing cells and records ------------------------------------------------------------------

def test_a_missing_value_leaves_an_empty_cell(semveil):
    records = rows(60)
    for i in (3, 10, 44):
        records[i][1] = ""
    prepare(semveil, records=records)
    for form in ("joined", "list", "columns"):
        result = semveil.json(*MASK, "--sets", form)
        assert result["columns"]["diagnosis"]["missing"] == 3
        assert result["columns"]["diagnosis"]["cells"] == 57
        table = parsed(semveil.read("out.csv"))
        for name in [name for name in table if name.startswith("diagnosis")]:
            assert [i for i, cell in enumerate(table[name]) if cell == ""] == [3, 10, 44]


@pytest.mark.parametrize("form", ["joined", "list", "columns"])
def test_missing_cells_are_written_as_the_plan_says(semveil, form):
    records = rows(60)
    for i in (3, 10, 44):
        records[i][1] = "NA"
    prepare(semveil, 'missing_values = ["NA"]\n' + PLAN, records=records)
    result = semveil.json(*MASK, "--sets", form)
    assert result["columns"]["diagnosis"]["missing"] == 3
    table = parsed(semveil.read("out.csv"))
    for name in [name for name in table if name.startswith("diagnosis")]:
        assert [i for i, cell in enumerate(table[name]) if cell == "NA"] == [3, 10, 44]


def test_records_left_out_for_another_cell_are_in_no_figure(semveil):
    records = rows(60)
    for i in (0, 1, 2, 3, 4):
        records[i][3] = ""
    prepare(semveil, 'missing = "drop-record"\n' + PLAN, records=records)
    column = semveil.json(*MASK)["columns"]["diagnosis"]
    assert column["cells"] == 55 == len(sets_of(semveil))
    kept = [record[1] for record in records[5:]]
    counts, sizes = collections.Counter(kept), collections.Counter(CATEGORIES.values())
    weight = lambda v: counts[v] * sizes[CATEGORIES[v]]
    mean = sum(weight(true) / sum(weight(v) for v in values)
               for true, values in zip(kept, sets_of(semveil))) / 55
    assert column["posterior"]["mean"] == pytest.approx(mean, abs=1e-9)


def test_records_without_a_value_can_be_left_out(semveil):
    records = rows(60)
    for i in (3, 10, 44):
        records[i][1] = ""
    prepare(semveil, 'missing = "drop-record"\n' + PLAN, records=records)
    result = semveil.json(*MASK)
    assert result["dropped_records"] == 3 and result["columns"]["diagnosis"]["missing"] == 0
    assert len(sets_of(semveil)) == 57 and None not in sets_of(semveil)
    # Classes are those of the records that are left.
    cities = collections.Counter(parsed(semveil.read("out.csv"))["city"])
    assert result["classes"] == {"count": 5, "smallest": min(cities.values()), "uniques": 0}


def test_missing_can_be_an_error(semveil):
    records = rows(20)
    records[7][1] = ""
    prepare(semveil, 'missing = "error"\n' + PLAN, records=records)
    assert "record 8" in semveil.fails(1, *MASK)


# ---- The same bytes -----------------------------------------------------------------------------

def test_threads_and_batches_change_nothing(semveil):
    prepare(semveil)
    semveil.ok(*MASK)
    expected = semveil.read("out.csv")
    for more in (["--threads", "2"], ["--threads", "7", "--batch-rows", "3"], ["--batch-rows", "1"]):
        semveil.ok(*MASK, *more)
        assert semveil.read("out.csv") == expected
    semveil.ok(*MASK, "--quiet")
    assert semveil.read("out.csv") == expected
    assert semveil.run(*MASK[:-1], "-").stdout == expected
    (semveil.folder / "deeper").mkdir()  # nor where the plan lies
    for name in ("plan.toml", "disease.categories"):
        semveil.write("deeper/" + name, semveil.read(name))
    semveil.ok("mask", "table.csv", "--plan", "deeper/plan.toml", "-o", "out.csv")
    assert semveil.read("out.csv") == expected


def test_fit_and_apply_are_mask_in_two_steps(semveil):
    prepare(semveil)
    semveil.ok(*MASK)
    expected = semveil.read("out.csv")
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    (semveil.folder / "disease.categories").unlink()
    result = semveil.json("apply", "table.csv", "--model", "model", "-o", "out.csv")
    assert semveil.read("out.csv") == expected and result["reread"]
    assert result["columns"]["diagnosis"]["l"] == 3
    # A stream: values of the categories, whether or not the fit saw them, and no others.
    header = "patient,diagnosis,second,city,note\n"
    done = semveil.run("apply", "-", "--model", "model", "-o", "-", "--release", "later",
                       stdin=header + "p,Rabies,Flu,c,n\np,,Flu,c,n\n")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "Rabies" in lines[1].split(",")[1].split("|") and lines[2] == "p,,Flu,c,n"
    done = semveil.run("apply", "-", "--model", "model", "-o", "-", "--release", "much later",
                       stdin=header + "p,Plague,Flu,c,n\n")
    assert done.returncode == 1 and "Plague" in done.stderr and ":2" in done.stderr


@pytest.mark.parametrize("more", [["--set-separator", " / "], ["--sets", "list"],
                                  ["--sets", "columns"]])
def test_a_model_knows_how_sets_are_written(semveil, more):
    prepare(semveil)
    semveil.ok(*MASK, *more)
    expected = semveil.read("out.csv")
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model", *more)
    semveil.ok("apply", "table.csv", "--model", "model", "-o", "out.csv")
    assert semveil.read("out.csv") == expected


def test_another_table_needs_a_release_of_its_own(semveil):
    prepare(semveil)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    semveil.write("other.csv", as_csv(rows(149)))
    apply = ["apply", "other.csv", "--model", "model", "-o", "out.csv"]
    assert "--release" in semveil.fails(2, *apply)
    assert "--release" in semveil.fails(2, "apply", "-", "--model", "model", "-o", "-",
                                        stdin=as_csv(rows(3)))
    semveil.ok(*apply, "--release", "other")
    semveil.write("plan.toml", PLAN + 'draw_by = "patient"\n')
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    semveil.ok(*apply)


def test_a_result_alone_does_not_tell_classes_of_sets(semveil):
    prepare(semveil, masked('method = "ean"\ncategories = "disease.categories"\n'
                            'columns = ["diagnosis"]\n').replace('"sensitive"',
                                                                '"quasi-identifier"'))
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    result = semveil.json("apply", "table.csv", "--model", "model", "-o", "out.csv")
    assert result["classes"] == {"count": None, "smallest": None, "uniques": None}
    assert result["privacy"]["k"] is None


def test_models_drawn_by_frequency_refuse_what_they_would_draw_for_nobody(semveil):
    prepare(semveil)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model", "--draw", "frequency")
    done = semveil.run("apply", "-", "--model", "model", "-o", "-", "--release", "later",
                       stdin="patient,diagnosis,second,city,note\np,Rabies,Flu,c,n\n")
    assert done.returncode == 3 and "Rabies" in done.stderr and "p,Rabies" not in done.stdout


def test_models_of_concepts_refuse_what_has_no_category(semveil):
    cut(semveil, 'roots = ["D1", "D2"]', records=[r for r in rows(90) if CATEGORIES[r[1]] < 2])
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    done = semveil.run("apply", "-", "--model", "model", "-o", "-", "--release", "later",
                       stdin="patient,diagnosis,second,city,note\np,Asthma,Flu,c,n\n")
    assert done.returncode == 1 and "Asthma" in done.stderr and "p,Asthma" not in done.stdout


def test_a_posterior_is_told_only_for_the_fitted_frequencies(semveil):
    prepare(semveil)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    apply = ["apply", "table.csv", "--model", "model", "-o", "out.csv"]
    told = semveil.json(*apply)["columns"]["diagnosis"]["posterior"]
    assert told == semveil.json(*MASK)["columns"]["diagnosis"]["posterior"]
    semveil.write("table.csv", as_csv(rows(150)[:140]))
    result = semveil.json(*apply, "--release", "later")
    assert result["columns"]["diagnosis"]["posterior"] is None
    assert "other frequencies" in semveil.ok(*apply, "--release", "later")


# ---- Released again -----------------------------------------------------------------------------

def intersected(program, one, other):
    return [set(a) & set(b) for a, b in zip(sets_of(program, one), sets_of(program, other))]


def test_two_releases_tell_the_values_unless_drawn_by_person(semveil):
    prepare(semveil, PLAN.replace('seed = "s"\n', 'seed = "s"\nrelease = "one"\n'))
    text = semveil.ok(*MASK[:-1], "one.csv")
    assert "Release these records once" in text and "draw_by" in text
    semveil.ok(*MASK[:-1], "two.csv", "--release", "two")
    left = intersected(semveil, "one.csv", "two.csv")
    expected = semveil.json(*MASK)["columns"]["diagnosis"]["revealed_by_two"]
    assert f"for {100 * expected:.3g} % of the records" in " ".join(text.split())
    # Of 150 records that each are given away or not: within 5 deviations, 6e-7 by chance.
    share = sum(len(values) == 1 for values in left) / 150
    assert abs(share - expected) < 5 * (expected * (1 - expected) / 150) ** 0.5
    assert all(true in values for true, values in zip(truth(semveil), left))
    assert sum(len(values) == 1 for values in left) > 75  # of 150: most are undone

    semveil.write("plan.toml", semveil.read("plan.toml") + 'draw_by = "patient"\n')
    text = semveil.ok(*MASK[:-1], "one.csv")
    assert "Release these records again only by a model" in text
    assert semveil.json(*MASK)["columns"]["diagnosis"]["revealed_by_two"] is None
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "model")
    assert "RELEASE THESE" not in semveil.ok("apply", "table.csv", "--model", "model", "-o", "m.csv")
    assert semveil.read("m.csv") == semveil.read("one.csv")
    semveil.ok(*MASK[:-1], "two.csv", "--release", "two")
    assert semveil.read("one.csv") == semveil.read("two.csv")
    # And a later table with other records: the same person and value, the same set.
    later = rows(150)[60:] + rows(10)
    semveil.write("table.csv", as_csv(later))
    semveil.ok(*MASK[:-1], "three.csv", "--release", "three")
    known = {}
    for name in ("one.csv", "three.csv"):
        patients = parsed(semveil.read(name))["patient"]
        originals = [r[1] for r in (rows(150) if name == "one.csv" else later)]
        for key, values in zip(zip(patients, originals), sets_of(semveil, name), strict=True):
            assert known.setdefault(key, values) == values


def test_drawing_by_few_persons_is_told(semveil):
    prepare(semveil, PLAN + 'draw_by = "city"\n')
    assert "has few persons: 5 persons in the first 150 records" in \
        " ".join(semveil.ok(*MASK).split())
    assert "has few persons" not in semveil.ok(*MASK, "--draw-by", "patient")


def test_sets_that_give_their_value_away_are_told(semveil):
    """Whose second diagnosis is the same as the first can stand for nothing else."""
    records = [[f"p{i}", LEAVES[i % 12], LEAVES[i % 12], "c", "n"] for i in range(120)]
    text = masked('method = "ean"\ncategories = "disease.categories"\n')
    prepare(semveil, text.replace("[column.city]",
                                  '[column.second]\nrole = "sensitive"\n\n[column.city]'),
            records=records)
    told = semveil.ok(*MASK)
    assert "Some sets give their value away: diagnosis and second" in " ".join(told.split())
    prepare(semveil)
    assert "GIVE THEIR VALUE AWAY" not in semveil.ok(*MASK)


def test_other_categories_draw_other_sets(semveil):
    """Else what stands at the same place in two releases would be the true value."""
    prepare(semveil)
    semveil.ok(*MASK)
    places = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    semveil.write("disease.categories", FILE.replace("Burn", "Cold").replace("Flu, Cold", "Flu, Burn"))
    semveil.ok(*MASK)
    again = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    # Of 150, 50 agree by chance; 100 or more would with a chance of 1e-17.
    assert sum(a == b for a, b in zip(places, again)) < 100
    # Nor do those of a column's own categories.
    semveil.write("own", FILE)
    semveil.write("plan.toml", PLAN.replace('role = "sensitive"\n',
                                            'role = "sensitive"\ncategories = "own"\n'))
    semveil.ok(*MASK)
    first = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    semveil.write("own", FILE.replace("Burn", "Cold").replace("Flu, Cold", "Flu, Burn"))
    semveil.ok(*MASK)
    again = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    assert sum(a == b for a, b in zip(first, again)) < 100
