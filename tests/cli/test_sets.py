"""semveil mask, fit and apply by ean and an: every set is what was promised, by taking it apart here
once more."""

import collections
import csv
import gzip
import io
import json
import re

import pytest

from clinic import IDS, LEAVES, ONTOLOGY, PARENT, as_csv, parsed, rows

CATEGORIES = {
    "Flu": 0, "Cold": 0, "Measles": 0, "Mumps": 0, "Rabies": 0,  # nobody has rabies
    "Fracture": 1, "Burn": 1, "Sprain": 1, "Cut": 1,
    "Asthma": 2, "Diabetes": 2, "Gout": 2, "Arthritis": 2,
}
FILE = """# what is related
Flu, Cold,Measles , "Mumps", Rabies
Fracture,Burn,Sprain,Cut
Asthma,Diabetes,Gout,Arthritis
"""
PLAN = """
seed = "s"

[column.diagnosis]
role = "sensitive"

[column.city]
role = "quasi-identifier"

[mask]
method = "ean"
categories = "disease.categories"
"""
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]


def prepare(program, text=PLAN, records=None, categories=FILE):
    program.write("disease.categories", categories)
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(rows(150) if records is None else records))
    program.write("plan.toml", text)
    return program


def masked(mask, column="", top=""):
    """The plan with another [mask], and more for the column."""
    head = PLAN.split("[mask]")[0].replace('role = "sensitive"\n', 'role = "sensitive"\n' + column)
    return top + head + "[mask]\n" + mask


def sets_of(program, name="out.csv", column="diagnosis", separator="|"):
    return [cell.split(separator) if cell else None for cell in parsed(program.read(name))[column]]


def truth(program, column="diagnosis"):
    return parsed(program.read("table.csv"))[column]


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


def csv_line(values):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


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


# ---- Errors -------------------------------------------------------------------------------------

@pytest.mark.parametrize("categories, told", [
    (FILE.replace("Sprain", "Flu"), ["Flu", "disease.categories:3"]),
    (FILE.replace("Sprain,", ""), ["Sprain", "disease.categories", "table.csv:"]),
    (FILE.replace("Sprain", "Sprian"), ["Sprain", "disease.categories", "table.csv:", "Sprian"]),
    (FILE.replace("Fracture,Burn,Sprain,Cut", " , "), ["disease.categories:3", "empty"]),
    (FILE.replace("Fracture,Burn,Sprain,Cut", ""), ["disease.categories:3", "empty"]),
    (FILE.replace("Burn", ""), ["disease.categories:3"]),
    (FILE.replace('"Mumps"', '"Mumps'), ["disease.categories:2"]),
    (FILE.replace("Cold", "Cold, Co|ld"), ["Co|ld", "disease.categories:2", "separator"]),
    (FILE.replace("Rabies", "Rab|ies"), ["Rab|ies", "separator"]),  # nobody has it
    (FILE.replace("Cold", "Cold, NA"), ["NA", "disease.categories:2", "missing"]),
    ("# nothing\n", ["disease.categories"]),
    ("Flu\n", ["disease.categories"]),
])
def test_wrong_categories_are_told_with_value_and_line(semveil, categories, told):
    prepare(semveil, 'missing_values = ["", "NA"]\n' + PLAN, categories=categories)
    message = semveil.fails(1, *MASK)
    for part in told:
        assert part in message
    assert not (semveil.folder / "out.csv").exists()
    if told[0] in CATEGORIES:  # values are for the terminal
        assert told[0] not in semveil.fails(1, *MASK, "--quiet")


@pytest.mark.parametrize("mask, told", [
    ('method = "ean"\n', "categories"),
    ('method = "an"\n', "needs l"),
    ('method = "ean"\ncategories = "nowhere"\n', "nowhere"),
    ('method = "ean"\ncategories = {count = 3}\n', "ontology"),
    ('method = "ean"\ncategories = {ontology = "disease"}\n', "roots"),
    ('method = "ean"\ncategories = {ontology = "disease", count = 3, depth = 2}\n', "one of"),
    ('method = "ean"\ncategories = {ontology = "diseases", count = 3}\n', "nearest"),
    ('method = "ean"\ncategories = {ontologie = "disease", count = 3}\n', "ontology"),
    ('method = "ean"\ncategories = {ontology = "disease", roots = ["D1"]}\n', "at least two"),
    ('method = "ean"\ncategories = "disease.categories"\nl = 4\n', "3 categories"),
    ('method = "ean"\ncategories = "disease.categories"\nl = 1\n', "from 2"),
    ('method = "an"\nl = 13\n', "12 values"),
    ('method = "an"\nl = 3\ndraw = "frequency"\n', "does not take draw"),
    ('method = "ean"\ncategories = "disease.categories"\nk = 4\n', "does not take k"),
    ('method = "ean"\ncategories = "disease.categories"\noutput = "json"\n', "joined"),
    ('method = "ean"\ncategories = "disease.categories"\noutput = "list"\nseparator = ";"\n',
     "joined"),
    ('method = "ean"\ncategories = "disease.categories"\nseparator = "\\n"\n', "separator"),
    ('method = "ean"\ncategories = "disease.categories"\nseparator = "u"\n', "disease.categories:2"),
])
def test_wrong_plans_are_told(semveil, mask, told):
    text = masked(mask, top='[ontology.disease]\nsource = "edges:disease.csv"\n')
    prepare(semveil, text.replace('seed = "s"', "", 1))
    message = semveil.fails(1, *MASK)
    assert told in message and not (semveil.folder / "out.csv").exists()


def test_a_demand_of_the_masked_column_is_refused(semveil):
    prepare(semveil, masked('method = "ean"\ncategories = "disease.categories"\n',
                            column="demand = {l = 2}\n"))
    assert "demand" in semveil.fails(1, *MASK)


@pytest.mark.parametrize("cell", ["  ", " NA"])
def test_a_cell_that_is_missing_but_for_its_blanks_is_told(semveil, cell):
    records = rows(20)
    records[7][1] = cell
    prepare(semveil, 'missing_values = ["", "NA"]\n' + PLAN, records=records)
    message = semveil.fails(1, *MASK)
    assert "table.csv:9" in message and "missing_values" in message


@pytest.mark.parametrize("rule", ["category", "wildcard"])
def test_missing_is_no_value_of_a_set(semveil, rule):
    prepare(semveil, f'missing = "{rule}"\n' + PLAN)
    assert "drop-record" in semveil.fails(1, *MASK)


def test_values_must_come_apart_where_they_were_joined(semveil):
    """With `aba` between them, `x` and `ba` would come apart as `x` and ``, or not at all."""
    prepare(semveil, categories="x,y\nz,ab\n")
    semveil.write("table.csv", "diagnosis,city\nx,c\ny,c\nz,c\nab,c\n")
    message = semveil.fails(1, *MASK, "--set-separator", "aba")
    assert "disease.categories:2" in message and "ab" in message
    semveil.ok(*MASK, "--set-separator", "aca")


def test_there_is_no_trace(semveil):
    prepare(semveil)
    assert "trace" in semveil.fails(2, *MASK, "--trace", "trace.csv")


# ---- Categories from an ontology ----------------------------------------------------------------

ONTOLOGY_PLAN = '[ontology.disease]\nsource = "edges:disease.csv"\n'


def cut(program, how, column="", **more):
    text = masked(f'method = "ean"\ncategories = {{ontology = "disease", {how}}}\n', column)
    return prepare(program, text.replace('seed = "s"', 'seed = "s"\n' + ONTOLOGY_PLAN), **more)


@pytest.mark.parametrize("how", ['roots = ["D1", "Injury", "D3"]', "depth = 2", "count = 3"])
def test_categories_are_cut_from_the_ontology(semveil, how):
    cut(semveil, how)
    semveil.ok(*MASK)
    for true, values in zip(truth(semveil), sets_of(semveil), strict=True):
        assert true in values and len(values) == 3
        if "count" not in how:
            assert len({PARENT[IDS[value]] for value in values}) == 3
    seen = {value for values in sets_of(semveil) for value in values}
    assert seen == set(truth(semveil))  # only what occurs


def test_balanced_categories_are_balanced(semveil):
    cut(semveil, "count = 4")
    result = semveil.json(*MASK, "--draw", "frequency")
    told = result["columns"]["diagnosis"]
    counts = collections.Counter(truth(semveil))
    assert told["l"] == told["categories"] == 4
    assert told["posterior"]["worst"] <= max(1.25 / 4, max(counts.values()) / 150) + 1e-9


@pytest.mark.parametrize("how, told", [
    ('roots = ["D1", "D2"]', "Asthma"),
    ('roots = ["D1", "D2", "D3", "D11"]', "D11"),
    ('roots = ["D1", "D2", "D3", "Plague"]', "Plague"),
    ("count = 40", "12"),
    ("depth = 1", "at least 2 categories"),
])
def test_cuts_that_cannot_be_are_told(semveil, how, told):
    cut(semveil, how)
    message = semveil.fails(1, *MASK)
    assert told in message and not (semveil.folder / "out.csv").exists()


def test_a_file_of_categories_speaks_of_concepts_where_the_column_does(semveil):
    records = rows(60)
    for i, record in enumerate(records):
        record[1] = record[1].upper() if i % 2 else record[1]
    text = PLAN.replace('role = "sensitive"\n', 'role = "sensitive"\nontology = "disease"\n')
    prepare(semveil, text.replace('seed = "s"', 'seed = "s"\n' + ONTOLOGY_PLAN), records=records,
            categories=FILE.replace(", Rabies", "").replace("Flu", "flu"))
    semveil.ok(*MASK)
    for true, values in zip(truth(semveil), sets_of(semveil), strict=True):
        assert true.lower() in [value.lower() for value in values]
    spellings = collections.defaultdict(set)
    for values in sets_of(semveil):
        for value in values:
            spellings[value.lower()].add(value)
    assert all(len(written) == 1 for written in spellings.values())  # one spelling each
    semveil.write("disease.categories", FILE)
    message = semveil.fails(1, *MASK)
    assert "Rabies" in message and "disease.categories:2" in message  # the ontology has none


def test_values_that_mean_nothing_are_refused_or_suppressed(semveil):
    records = rows(40)
    records[5][1] = "Unheard of"
    cut(semveil, "count = 3", records=records)
    semveil.write("plan.toml", semveil.read("plan.toml").replace(
        'role = "sensitive"\n', 'role = "sensitive"\nontology = "disease"\nunmapped = "error"\n'))
    message = semveil.fails(1, *MASK)
    assert "Unheard of" in message and '"suppress"' in message and '"keep"' not in message
    semveil.write("plan.toml", semveil.read("plan.toml").replace('"error"', '"suppress"'))
    result = semveil.json(*MASK)
    assert result["columns"]["diagnosis"]["unmapped_cells"] == {"suppressed": 1}
    assert sets_of(semveil)[5] is None and "Unheard" not in semveil.read("out.csv")
    for rule in ("keep", "generalize"):
        semveil.write("plan.toml", semveil.read("plan.toml").replace('"suppress"', f'"{rule}"'))
        assert "without others" in semveil.fails(1, *MASK)
        semveil.write("plan.toml", semveil.read("plan.toml").replace(f'"{rule}"', '"suppress"'))


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
    done = semveil.run("apply", "-", "--model", "model", "-o", "-", "--release", "later",
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
    assert "RELEASE THESE RECORDS ONCE" in text and "draw_by" in text
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
    assert "RELEASE THESE RECORDS AGAIN ONLY BY A MODEL" in text
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
    assert "HAS FEW PERSONS: 5 persons in the first 150 records" in \
        " ".join(semveil.ok(*MASK).split())
    assert "HAS FEW PERSONS" not in semveil.ok(*MASK, "--draw-by", "patient")


def test_sets_that_give_their_value_away_are_told(semveil):
    """Whose second diagnosis is the same as the first can stand for nothing else."""
    records = [[f"p{i}", LEAVES[i % 12], LEAVES[i % 12], "c", "n"] for i in range(120)]
    text = masked('method = "ean"\ncategories = "disease.categories"\n')
    prepare(semveil, text.replace("[column.city]",
                                  '[column.second]\nrole = "sensitive"\n\n[column.city]'),
            records=records)
    told = semveil.ok(*MASK)
    assert "SOME SETS GIVE THEIR VALUE AWAY: diagnosis, second" in " ".join(told.split())
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


# ---- Several columns, advice, what is said ------------------------------------------------------

def test_several_sensitive_columns_have_a_joint_risk(semveil):
    text = masked('method = "ean"\ncategories = "disease.categories"\n')
    prepare(semveil)
    semveil.write("plan.toml", text.replace(
        "[column.city]", '[column.second]\nrole = "sensitive"\n\n[column.city]'))
    result = semveil.json(*MASK)
    firsts, seconds = sets_of(semveil), sets_of(semveil, column="second")
    together = collections.Counter(zip(truth(semveil), truth(semveil, "second")))
    sizes = collections.Counter(CATEGORIES.values())
    weight = lambda a, b: together[a, b] * sizes[CATEGORIES[a]] * sizes[CATEGORIES[b]]
    posteriors = [weight(*true) / sum(weight(a, b) for a in x for b in y) for true, x, y in
                  zip(zip(truth(semveil), truth(semveil, "second")), firsts, seconds)]
    joint = result["joint"]
    assert joint["records"] == 150
    assert joint["mean"] == pytest.approx(sum(posteriors) / 150, abs=1e-9)
    assert joint["worst"] == pytest.approx(max(posteriors), abs=1e-12)
    # One column's value alone, with the sets of both known.
    alone = [sum(weight(true[0], b) for b in y) / sum(weight(a, b) for a in x for b in y)
             for true, x, y in
             zip(zip(truth(semveil), truth(semveil, "second")), firsts, seconds)]
    assert joint["columns"]["diagnosis"]["mean"] == pytest.approx(sum(alone) / 150, abs=1e-9)
    assert joint["columns"]["diagnosis"]["worst"] == pytest.approx(max(alone), abs=1e-12)
    assert joint["columns"]["diagnosis"]["mean"] > \
        result["columns"]["diagnosis"]["posterior"]["mean"]
    assert result["information_loss"] == pytest.approx((2 / 3 + 2 / 3) / 3)
    assert "all of them" in semveil.ok(*MASK)
    assert firsts != seconds


def test_figures_do_not_depend_on_threads(semveil):
    records = rows(150) * 200
    text = masked('method = "ean"\ncategories = "disease.categories"\n')
    prepare(semveil, text.replace("[column.city]",
                                  '[column.second]\nrole = "sensitive"\n\n[column.city]'),
            records=records)
    one = semveil.json(*MASK, "--threads", "1")
    several = semveil.json(*MASK, "--threads", "4", "--batch-rows", "50")
    one.pop("seconds"), several.pop("seconds")
    assert one == several and one["joint"]["records"] == 30000


def test_the_size_of_a_set_is_a_parameter_and_draws_other_sets(semveil):
    prepare(semveil)
    assert semveil.json(*MASK, "--l", "2")["parameters"]["l"] == 2
    first = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    semveil.ok(*MASK, "--draw", "frequency", "--l", "2")
    again = [values.index(true) for true, values in zip(truth(semveil), sets_of(semveil))]
    # Half of 150 by chance; 115 or more with 2e-11.
    assert sum(a == b for a, b in zip(first, again)) < 115


def test_columns_can_have_categories_of_their_own(semveil):
    text = masked('method = "ean"\ncategories = "disease.categories"\n')
    prepare(semveil, text.replace(
        "[column.city]", '[column.note]\nrole = "sensitive"\ncategories = "notes"\n\n[column.city]'))
    semveil.write("notes", "".join(
        ",".join(f"{i:03}" for i in range(150) if i % 2 == part) + "\n" for part in (0, 1)))
    result = semveil.json(*MASK)
    assert (result["columns"]["note"]["l"], result["columns"]["diagnosis"]["l"]) == (2, 3)
    for values in sets_of(semveil, column="note"):
        assert {int(value) % 2 for value in values} == {0, 1}


def test_the_command_line_goes_before_a_columns_own_categories(semveil):
    prepare(semveil, PLAN.replace('role = "sensitive"\n',
                                  'role = "sensitive"\ncategories = "nowhere"\n'))
    assert "nowhere" in semveil.fails(1, *MASK)
    semveil.ok(*MASK, "--categories", "disease.categories")


def test_a_masked_quasi_identifier_counts_once_in_the_loss(semveil):
    semveil.write("cities", "city 0,city 1\ncity 2,city 3,city 4\n")
    prepare(semveil, masked('method = "ean"\ncategories = "disease.categories"\n'
                            'columns = ["diagnosis", "city"]\n')
            .replace('role = "quasi-identifier"\n',
                     'role = "quasi-identifier"\ncategories = "cities"\n'))
    result = semveil.json(*MASK)
    assert result["information_loss"] == pytest.approx((2 / 3 + 1 / 2) / 2)


def test_listed_values_that_nobody_has_are_told(semveil):
    prepare(semveil)
    assert semveil.json(*MASK)["columns"]["diagnosis"]["unused"] == 1
    assert "1 of 13 values occurs nowhere" in semveil.ok(*MASK)


def test_advise_proposes_frequency_and_balanced_categories(semveil):
    text = PLAN.split("[mask]")[0].replace(
        'role = "sensitive"\n', 'role = "sensitive"\nontology = "disease"\n')
    prepare(semveil, text.replace('seed = "s"', ONTOLOGY_PLAN))
    advice = semveil.json("advise", "table.csv", "--plan", "plan.toml")["advice"]
    assert [a["method"] for a in advice] == ["ean"]
    assert "columns" not in advice[0]["mask"]
    assert advice[0]["parameters"]["draw"] == "frequency"
    assert 'count = 5' in advice[0]["mask"]
    semveil.write("plan.toml", semveil.read("plan.toml") + "\n" + advice[0]["mask"])
    worst = semveil.json(*MASK, "--seed", "s")["columns"]["diagnosis"]["posterior"]["worst"]
    assert f"at most {worst:.3g}" in advice[0]["why"]


def test_the_summary_tells_the_posterior_and_never_one_in_l_alone(semveil):
    prepare(semveil)
    text = semveil.ok(*MASK)
    assert "at worst" in text and "on average" in text and "read again" in text
    for line in text.splitlines():
        assert "1/l" not in line or "equally likely" in line or "near 1/l" in line
    assert re.search(r"line 2 +5 +\d+\.\d %", text)  # the categories, and how even they are
    describing = semveil.json("describe", "table.csv", "--plan", "plan.toml")
    assert describing["privacy"]["sensitive"]["diagnosis"]["l"] >= 1
