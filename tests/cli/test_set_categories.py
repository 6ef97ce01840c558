"""What sets are made of and what is said of them: categories from files and ontologies, what is wrong
with them, several columns, advice."""

import collections
import re

import pytest

from clinic import IDS, PARENT, rows
from set_clinic import (CATEGORIES, FILE, MASK, ONTOLOGY_PLAN, PLAN, cut,
                        masked, prepare, sets_of, truth)


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
    text = " ".join(semveil.ok(*MASK).split())  # of several lines
    assert "1 of 13 values in the categories of diagnosis occurs nowhere in the column" in text


def test_advise_proposes_frequency_and_balanced_categories(semveil):
    text = PLAN.split("[mask]")[0].replace(
        'role = "sensitive"\n', 'role = "sensitive"\nontology = "disease"\n')
    prepare(semveil, text.replace('seed = "s"', ONTOLOGY_PLAN))
    advice = semveil.json("advise", "table.csv", "--plan", "plan.toml")["advice"]
    assert [a["method"] for a in advice][-1] == "ean"  # after what is for quasi-identifiers
    advice = advice[-1:]
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
