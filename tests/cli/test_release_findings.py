"""What masking, fitting and the verbs before it tell, as data: for every finding a table that raises it and, where
that is not plain, one that does not."""

import json

import pytest

import set_clinic
from clinic import LEAVES, ONTOLOGY, PLAN, SECOND, as_csv, parsed, prepare, rows

MASK = ("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")


def found(program, *command):
    return {f["id"]: f for f in program.json(*(command or MASK))["findings"]}


def plan(method, columns=PLAN.split("[mask]")[0], top=""):
    return top + columns + "[mask]\n" + method + "\n"


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


# ---- What is released as it is ------------------------------------------------------------------

def test_columns_that_are_not_masked(clinic):
    told = found(clinic)
    assert told["column-released-unmasked"]["columns"] == ["patient", "second", "city", "note"]
    assert told["nearly-unique-released"]["columns"] == ["note"]
    assert told["nearly-unique-released"]["severity"] == "warning"
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN)
    told = found(clinic)
    assert told["every-column-masked"]["severity"] == "promise"
    assert not {"column-released-unmasked", "nearly-unique-released"} & set(told)


def test_columns_that_came_through_are_not_all_masked(semveil):
    """The groups are large enough as they are: no cell of the area was changed."""
    semveil.write("table.csv", "area,age\n" + "".join(f"{area},{age}\n" for area in "AB" for age in range(30, 40)))
    of = '[column.%s]\nrole = "quasi-identifier"\n%s'
    semveil.write("plan.toml", of % ("area", "") + of % ("age", 'type = "numeric"\nhierarchy = {intervals = 10}\n')
                  + '[mask]\nmethod = "generalize"\nk = 5\n')
    told = found(semveil)
    assert told["nothing-to-change"]["columns"] == ["area"]
    assert "every-column-masked" not in told and "column-released-unmasked" not in told


# ---- Secrets that a class shares ----------------------------------------------------------------

SECRET = '\n[column.city]\nrole = "sensitive"\n'


def shared_by_hand(program, whose=None):
    """Classes of two or more who all have one city: how many, and how many records or persons."""
    out = parsed(program.read("out.csv"))
    cities, members = {}, {}
    for i, (diagnosis, city) in enumerate(zip(out["diagnosis"], out["city"])):
        cities.setdefault(diagnosis, set()).add(city)
        members.setdefault(diagnosis, set()).add(whose[i] if whose else i)
    shared = [len(members[d]) for d in cities if len(cities[d]) == 1 and len(members[d]) > 1]
    return len(shared), sum(shared)


def with_city_of_diagnosis(count=200):
    """Flu and gout are treated in one city each, the rest anywhere."""
    return [[r[0], r[1], r[2], r[1] if r[1] in ("Flu", "Gout") else r[3], r[4]] for r in rows(count)]


@pytest.mark.parametrize("method", ["fuse", "generalize", "microaggregate", "recode"])
@pytest.mark.parametrize("persons", [False, True])
def test_secrets_that_a_class_shares_are_those_of_an_audit(clinic, method, persons):
    records = with_city_of_diagnosis()
    clinic.write("table.csv", as_csv(records))
    top = 'person = "patient"\n' if persons else ""
    identifier = '\n[column.patient]\nrole = "identifier"\n' if persons else ""
    clinic.write("plan.toml", plan(f'method = "{method}"\nk = 3', PLAN.split("[mask]")[0] + SECRET + identifier, top))
    told = found(clinic, *MASK, "--row-map", "rows.csv")
    classes, members = shared_by_hand(clinic, [r[0] for r in records] if persons else None)
    assert classes > 0
    of = "persons" if persons else "records"
    assert told["secret-shared"]["figures"] == {"classes": classes, of: members}
    assert told["secret-shared"]["severity"] == "danger" and told["secret-shared"]["columns"] == ["city"]
    assert "class-shares-a-value" not in told  # it is said already
    audited = found(clinic, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--row-map", "rows.csv")
    assert audited["secret-shared"] == told["secret-shared"]
    refused = clinic.run(*MASK, "--fail-on", "danger")
    assert refused.returncode == 3 and "secret-shared" in refused.stderr
    # A model reads the sensitive column for it, too.
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m", "--quiet")
    applied = found(clinic, "apply", "table.csv", "--model", "m", "-o", "again.csv")
    assert applied["secret-shared"] == told["secret-shared"]


@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.5', 'method = "fuse"\nk = 3'])
def test_varied_or_drawn_classes_share_no_secret(clinic, method):
    """Noise puts nobody into a class; and where l is demanded, none shares its value."""
    clinic.write("table.csv", as_csv(with_city_of_diagnosis()))
    demand = "" if "noise" in method else "demand = {l = 2}\n"
    clinic.write("plan.toml", plan(method, PLAN.split("[mask]")[0] + SECRET + demand))
    assert "secret-shared" not in found(clinic)


def test_a_column_that_tells_a_masked_one(clinic):
    lines = [f"{LEAVES[i % 12]},{LEAVES[i % 12].upper()}" for i in range(200)]
    clinic.write("table.csv", "diagnosis,title\n" + "\n".join(lines) + "\n")
    told = found(clinic)["column-tells-masked"]
    assert (told["columns"], told["figures"]) == (["title", "diagnosis"], {"share.diagnosis": 1})
    assert "title tells diagnosis in 100.00 % of the records" in told["text"]
    assert "column-tells-masked" in found(clinic, "fit", "table.csv", "--plan", "plan.toml", "-o", "m")


def test_a_quasi_identifier_that_classes_leave_out(clinic):
    clinic.write("plan.toml", plan('method = "fuse"\nk = 5\ncolumns = ["diagnosis"]\npartial = true',
                                   PLAN.split("[mask]")[0] + SECOND))
    told = found(clinic)
    assert told["quasi-identifiers-unmasked"]["columns"] == ["second"]
    assert told["classes-verified"]["figures"] == {"k": 5} and told["classes-verified"]["columns"] == ["diagnosis"]


def test_texts_that_are_left_as_they_were(clinic):
    clinic.write("table.csv", as_csv(rows(200) + [["p", "Mr Smith", "Flu", "c", "n"]]))
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nunmapped = "keep"'))
    told = found(clinic)["texts-released"]
    assert (told["severity"], told["columns"], told["figures"]) == ("danger", ["diagnosis"], {"records": 1})


def test_texts_in_a_column_that_is_not_masked(clinic):
    """The rule of unmapped texts is one of masked columns."""
    clinic.write("table.csv", as_csv(rows(200) + [["p", "Flu", "Mr Smith", "c", "n"]]))
    columns = PLAN.split("[mask]")[0] + SECOND.rstrip() + '\nunmapped = "suppress"\n'
    clinic.write("plan.toml", plan('method = "noise"\nalpha = 0.5\ncolumns = ["diagnosis"]', columns))
    told = found(clinic)["texts-released"]
    assert (told["severity"], told["columns"], told["figures"]) == ("warning", ["second"], {"records": 1})
    clinic.write("plan.toml", plan('method = "noise"\nalpha = 0.5', columns))
    assert "texts-released" not in found(clinic)


def test_a_column_that_tells_the_category_of_a_set(semveil):
    """The set has one value of each category, so that who knows the category knows the value."""
    groups = {"lung": ["flu", "cold"], "skin": ["burn", "cut"], "bone": ["gout", "sprain"]}
    semveil.write("categories", "".join(", ".join(values) + "\n" for values in groups.values()))
    names = list(groups)
    lines = [f"{names[i % 3]},{groups[names[i % 3]][i // 3 % 2]},{i % 7}" for i in range(240)]
    semveil.write("table.csv", "ward,illness,room\n" + "\n".join(lines) + "\n")
    semveil.write("plan.toml", """[column.illness]
role = "sensitive"
type = "text"
[mask]
method = "ean"
categories = "categories"
""")
    told = found(semveil)["column-tells-category"]
    assert (told["severity"], told["columns"]) == ("danger", ["ward", "illness"])
    assert told["figures"] == {"share.illness": 1}
    for how in ((), ("--unpaired",)):
        audited = found(semveil, "audit", "table.csv", "out.csv", "--plan", "plan.toml", *how)
        assert audited["column-tells-category"] == told
        semveil.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", "r.html", *how)
        against = semveil.read("r.html").split("<h3>Against signing")[1].split("<h3>")[0]
        assert "ward tells the category of illness" in against
    other = [line.replace("lung", f"ward {i}").replace("skin", f"ward {i}").replace("bone", f"ward {i}")
             for i, line in enumerate(lines)]
    semveil.write("table.csv", "ward,illness,room\n" + "\n".join(other) + "\n")
    assert "column-tells-category" not in found(semveil)
    for how in ((), ("--unpaired",)):
        audited = found(semveil, "audit", "table.csv", "out.csv", "--plan", "plan.toml", *how)
        assert "column-tells-category" not in audited


def test_a_demand_that_the_method_does_not_look_at(clinic):
    columns = PLAN.split("[mask]")[0] + '[column.city]\nrole = "sensitive"\ndemand = {l = 2}\n'
    clinic.write("plan.toml", plan('method = "noise"\nalpha = 0.5', columns))
    told = found(clinic)["demand-not-looked-at"]
    assert (told["severity"], told["columns"]) == ("warning", ["city"])
    clinic.write("plan.toml", plan('method = "fuse"\nk = 5', columns))
    assert "demand-not-looked-at" not in found(clinic)


def test_classes_that_apply_cannot_count(clinic):
    clinic.write("plan.toml", plan('method = "noise"\nalpha = 0.5\ncolumns = ["diagnosis"]',
                                   PLAN.split("[mask]")[0] + SECOND))
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m")
    told = found(clinic, "apply", "table.csv", "--model", "m", "-o", "out.csv")
    assert told["classes-not-counted"]["severity"] == "note" and "no-quasi-identifiers" not in told
    assert "classes-not-counted" not in found(clinic)


def test_spellings_of_the_original(clinic):
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nwrite = "data"'))
    assert found(clinic)["write-data-betrays"]["columns"] == ["diagnosis"]


# ---- What the method did not do -----------------------------------------------------------------

def test_nothing_changed(clinic):
    clinic.write("table.csv", as_csv([["p", "Flu", "Flu", "c", str(i)] for i in range(40)]))
    clinic.write("plan.toml", plan('method = "swap"\nk = 5'))
    assert found(clinic)["no-cell-swapped"]["severity"] == "warning"
    clinic.write("plan.toml", plan('method = "fuse"\nk = 5'))
    assert found(clinic)["nothing-to-change"]["severity"] == "note"
    # A domain of one concept: noise has nothing else to draw.
    clinic.write("disease.csv", "child,parent,label\nD,,Flu\n")
    clinic.write("plan.toml", PLAN)
    assert "variance 0" in clinic.fails(3, *MASK)
    clinic.write("plan.toml", PLAN + "allow_unmasked = true\n")
    told = found(clinic)["no-cell-changed"]
    assert (told["severity"], told["columns"]) == ("warning", ["diagnosis"])


def test_swaps_that_do_not_make_it_one_in_k(clinic):
    clinic.write("table.csv", as_csv([["p", "Flu", "Gout", "c", str(i)] for i in range(40)]))
    clinic.write("plan.toml", plan('method = "swap"\nk = 41'))
    assert found(clinic)["swap-risk-above-k"]["figures"] == {"k": 41, "risk": 1 / 40}
    clinic.write("plan.toml", plan('method = "swap"\nk = 40'))
    assert "swap-risk-above-k" not in found(clinic)


def test_a_swap_keeps_a_lone_value_that_nobody_can_take(clinic):
    """All other cells are missing; where one is not, the two are swapped."""
    for other, kept in (("", True), ("Flu", False)):
        clinic.write("table.csv", as_csv([["p", "", "x", "c", str(i)] for i in range(40)] +
                                         [["q", "Gout", "x", "c", "40"], ["r", other, "x", "c", "41"]]))
        clinic.write("plan.toml", plan('method = "swap"\nk = 5'))
        told = found(clinic)
        assert ("swap-keeps-uniques" in told) == kept
        if kept:
            assert told["swap-keeps-uniques"]["severity"] == "warning"
            assert told["swap-keeps-uniques"]["figures"] == {"uniques": 1, "unchanged_uniques": 1}


def test_persons(clinic):
    clinic.write("plan.toml", PLAN + 'draw_by = "city"\n')
    told = found(clinic)
    assert told["draw-by-few-persons"]["figures"] == {"persons": 5, "records": 200}
    assert told["drawn-by-person"]["figures"] == {}
    told = found(clinic, *MASK, "--draw-by", "patient", "--seed", "s", "--correlated")
    assert "draw-by-few-persons" not in told
    assert told["drawn-by-person"]["figures"] == {"again": 1, "joined": 1}


def test_values_of_several_senses(clinic):
    clinic.write("disease.csv", ONTOLOGY + "D35,D3,Flu\n")
    told = found(clinic)["senses-chosen"]
    assert (told["columns"], told["figures"]) == (["diagnosis"], {"values": 1})
    clinic.write("plan.toml", plan('method = "swap"\nk = 5'))
    assert found(clinic)["senses-compared"]["figures"] == {"values": 1}


def test_headings_are_no_replacements(semveil):
    semveil.write("icd.claml", CLAML)
    semveil.write("table.csv", "code\n" + "".join(f"A0{i % 3}\n" for i in range(60)))
    semveil.write("plan.toml", '[ontology.icd]\nsource = "claml:icd.claml"\n[column.code]\nrole = "quasi-identifier"\n'
                               'ontology = "icd"\n[mask]\nmethod = "noise"\nalpha = 0.5\n')
    told = found(semveil)["headings-not-drawn"]
    assert told["figures"]["headings"] > 0
    assert told["figures"]["candidates"] + told["figures"]["headings"] <= told["figures"]["concepts"]


CLAML = """<?xml version="1.0" encoding="UTF-8"?>
<ClaML version="2.0.0"><Title name="icd" version="1">t</Title>
<ClassKinds><ClassKind name="chapter"/><ClassKind name="block"/><ClassKind name="category"/></ClassKinds>
<Class code="I" kind="chapter"><SubClass code="A00-A09"/><Rubric kind="preferred"><Label>Infections</Label></Rubric></Class>
<Class code="A00-A09" kind="block"><SuperClass code="I"/><SubClass code="A00"/><SubClass code="A01"/><SubClass code="A02"/>
<Rubric kind="preferred"><Label>Intestinal</Label></Rubric></Class>
<Class code="A00" kind="category"><SuperClass code="A00-A09"/><Rubric kind="preferred"><Label>Cholera</Label></Rubric></Class>
<Class code="A01" kind="category"><SuperClass code="A00-A09"/><Rubric kind="preferred"><Label>Typhoid</Label></Rubric></Class>
<Class code="A02" kind="category"><SuperClass code="A00-A09"/><Rubric kind="preferred"><Label>Other</Label></Rubric></Class>
</ClaML>
"""


# ---- Sets ---------------------------------------------------------------------------------------

def test_sets(semveil):
    set_clinic.prepare(semveil)
    told = found(semveil)
    once = told["sets-released-once"]
    assert once["columns"] == ["diagnosis"] and 0 < once["figures"]["share.diagnosis"] < 1
    assert told["sets-verified"]["figures"] == {"values": 3, "categories": 3}
    assert told["sets-hold-unused-values"]["figures"] == {"unused": 1, "values": 13}  # nobody has rabies
    assert {"sets-drawn-by-row", "other-columns-uncounted", "key-from-seed"} <= set(told)
    semveil.write("plan.toml", set_clinic.PLAN + 'draw_by = "patient"\n')
    told = found(semveil)
    assert "sets-by-one-model" in told and "sets-released-once" not in told
    assert told["drawn-by-person"]["figures"] == {"again": 1, "sets": 1}


def uneven(program, method, common=60):
    """Flu is what most have."""
    records = rows(150)
    for record in records[:common]:
        record[1] = "Flu"
    return set_clinic.prepare(program, set_clinic.masked(method), records=records)


def test_values_that_stand_out_of_their_sets(semveil):
    ean = 'method = "ean"\ncategories = "disease.categories"\n'
    assert "frequent-values-stand-out" in found(uneven(semveil, ean))
    assert "sets-of-related-values" in found(uneven(semveil, 'method = "an"\nl = 3\n'))
    told = found(uneven(semveil, ean + 'draw = "frequency"\n', common=120))
    assert told["one-value-stands-out"]["figures"]["most_frequent"] > 0.5


def test_large_categories_stand_out(semveil):
    """Ten values of one category share more than half of the records, none of them has much."""
    records = [[f"p{i}", LEAVES[i % 10 if i % 4 else 10 + i // 4 % 2], "x", "c", "n"] for i in range(200)]
    categories = ",".join(LEAVES[:10]) + "\n" + LEAVES[10] + "\n" + LEAVES[11] + "\n"
    method = 'method = "ean"\ncategories = "disease.categories"\ndraw = "frequency"\nl = 2\n'
    set_clinic.prepare(semveil, set_clinic.masked(method), records=records, categories=categories)
    assert "large-categories-stand-out" in found(semveil)


def test_sets_of_two_columns(semveil):
    records = [[f"p{i}", LEAVES[i % 12], LEAVES[i % 12], "c", "n"] for i in range(120)]
    text = set_clinic.masked('method = "ean"\ncategories = "disease.categories"\n').replace(
        "[column.city]", '[column.second]\nrole = "sensitive"\n\n[column.city]')
    set_clinic.prepare(semveil, text, records=records)
    assert found(semveil)["sets-give-values-away"]["columns"] == ["diagnosis", "second"]
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m", "--quiet")
    told = found(semveil, "apply", "table.csv", "--model", "m", "-o", "out.csv")
    assert told["belief-together-untold"]["figures"] == {}
    semveil.write("other.csv", as_csv(records[:60]))
    told = found(semveil, "apply", "other.csv", "--model", "m", "--release", "x", "-o", "out.csv")
    assert {f for f in told if f.startswith("belief")} >= {"belief-untold"}


# ---- What was verified, and who can undo it -----------------------------------------------------

def test_promises_of_classes(clinic):
    clinic.write("plan.toml", plan('method = "recode"\nk = 5'))
    assert found(clinic)["values-verified"]["figures"] == {"k": 5}
    demanding = PLAN.split("[mask]")[0] + '[column.city]\nrole = "sensitive"\ndemand = { l = 2 }\n'
    clinic.write("plan.toml", plan('method = "generalize"\nk = 5', demanding))
    told = found(clinic)
    assert told["demands-verified"]["columns"] == ["city"]
    assert {"nothing-drawn", "groups-of-this-table", "rows-in-order"} <= set(told)
    assert "k-not-promised" not in told


def test_where_the_key_comes_from(clinic):
    told = found(clinic)
    assert {"key-not-kept", "errors-drawn-by-row", "k-not-promised"} <= set(told)
    told = found(clinic, *MASK, "--seed", "s", "--trace", "trace.csv")
    assert {"key-from-seed", "trace-undoes-release"} <= set(told)
    clinic.write("plan.toml", "shuffle = true\n" + plan('method = "swap"\nk = 5'))
    assert {"rows-shuffled", "values-dealt-once"} <= set(found(clinic))
    clinic.write("plan.toml", PLAN)
    fit = ("fit", "table.csv", "--plan", "plan.toml", "-o")
    assert "model-holds-key" in found(clinic, *fit, "m")
    assert "key-from-model" in found(clinic, "apply", "table.csv", "--model", "m", "-o", "out.csv")
    assert "model-holds-values" in found(clinic, *fit, "n", "--no-key", "--key-out", "key")
    assert "key-from-file" in found(clinic, "apply", "table.csv", "--model", "n", "--key-file", "key", "-o", "out.csv")


# ---- Before masking -----------------------------------------------------------------------------

def test_what_a_description_says(clinic):
    told = found(clinic, "describe", "table.csv", "--plan", "plan.toml")
    assert set(told) == {"columns-undeclared", "columns-look-like-identifiers", "rows-may-be-persons"}
    assert told["columns-undeclared"]["columns"] == ["patient", "second", "city", "note"]
    assert told["columns-look-like-identifiers"]["columns"] == ["note"]
    shown = clinic.ok("describe", "table.csv", "--plan", "plan.toml")
    assert "WARNING" in shown and "Declare them identifiers" in " ".join(shown.split())
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN)
    assert set(found(clinic, "describe", "table.csv", "--plan", "plan.toml")) == set()
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN.split("[mask]")[0] + SECOND + "[column.note]\nrole = \"quasi-identifier\"\n")
    clinic.write("table.csv", as_csv(rows(200) + [["p", "Flue", "Cold", "c", "n"]]))
    told = found(clinic, "describe", "table.csv", "--plan", "plan.toml")
    assert told["uniques-in-table"]["figures"]["uniques"] > 0 and told["uniques-in-table"]["severity"] == "warning"
    assert told["values-unmapped"]["figures"] == {"values": 1, "records": 1}
    clinic.write("plan.toml", PLAN.replace('role = "quasi-identifier"', 'role = "other"').split("[mask]")[0])
    assert "no-quasi-identifiers" in found(clinic, "describe", "table.csv", "--plan", "plan.toml")


def test_a_description_of_too_many_values_is_estimated(semveil):
    """Distances of all values to all others are too many from some 14,000 values on."""
    values = [f"c{i}" for i in range(15_000)]
    semveil.write("wide.csv", "child,parent\n" + "".join(f"b{i},T\n" for i in range(200)) +
                  "".join(f"{value},b{i % 200}\n" for i, value in enumerate(values)))
    semveil.write("plan.toml", '[ontology.wide]\nsource = "edges:wide.csv"\n'
                               '[column.x]\nrole = "quasi-identifier"\nontology = "wide"\n')
    for few, told in ((len(values), True), (1000, False)):
        semveil.write("table.csv", "x\n" + "\n".join(values[:few]) + "\n")
        said = found(semveil, "describe", "table.csv", "--plan", "plan.toml")
        assert ("estimated-from-a-sample" in said) == told
        if told:
            assert 0 < said["estimated-from-a-sample"]["figures"]["sampled"] < len(values)


def test_a_negative_sum_under_the_root_counts_as_nothing(semveil):
    """Five concepts with the same five parents: all of one kind are nearer to the other kind than to their own, so
    that what tells the kinds apart has a negative covariance with the distances."""
    parents, children = [f"p{i}" for i in range(5)], [f"c{i}" for i in range(5)]
    semveil.write("kinds.csv", "child,parent\n" + "".join(f"{p},T\n" for p in parents) +
                  "".join(f"{c},{p}\n" for c in children for p in parents))
    semveil.write("table.csv", "which,age\n" + "".join(f"{p},20\n" for p in parents) +
                  "".join(f"{c},30\n" for c in children))
    semveil.write("plan.toml", '[ontology.kinds]\nsource = "edges:kinds.csv"\n'
                               '[column.which]\nrole = "quasi-identifier"\nontology = "kinds"\n'
                               '[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n')
    told = semveil.json("describe", "table.csv", "--plan", "plan.toml")
    assert {f["id"]: f["columns"] for f in told["findings"]}["sum-clamped"] == ["which", "age"]
    assert told["pairs"][0]["clamped"] and told["pairs"][0]["distance_covariance"] == 0


def mapped(program, *values, ontology="disease.csv", more=()):
    program.write("cells.csv", "cell\n" + "\n".join(values) + "\n")
    return found(program, "map", "cells.csv", "--column", "cell", "--ontology", ontology, *more)


def test_values_that_mean_nothing(clinic):
    told = mapped(clinic, "Flu", "Flue", "Flue", "Grippe", ontology="edges:disease.csv")
    assert told["values-unmapped"]["figures"] == {"values": 2, "records": 3}
    assert set(told) == {"values-unmapped"}
    told = mapped(clinic, "Flu", "Cold", ontology="edges:disease.csv", more=("--root", "D2"))
    assert told["values-outside-root"]["figures"] == {"values": 2, "of": 2}
    assert "codes-unknown" in mapped(clinic, "Z12", "Z13", ontology="edges:disease.csv")
    clinic.write("d.obo", "format-version: 1.2\n\n[Term]\nid: D:1\nname: flu\nxref: SCT:12345\n\n"
                          "[Term]\nid: D:2\nname: cold\nis_a: D:1\n")
    assert "values-of-references" in mapped(clinic, "12345", "SCT:12345", ontology="obo:d.obo")
    clinic.write("icd.claml", CLAML)
    assert "codes-of-another-classification" in mapped(clinic, "Z12", "Z13", ontology="claml:icd.claml")


def compared(program, *more):
    return found(program, "compare", "table.csv", "--plan", "plan.toml", "--seed", "s", *more)


def test_what_a_comparison_says(clinic):
    noise = ("--try", "noise alpha=0.5,2")
    # Twelve diagnoses, thirteen records of each or more: nobody has to be hidden, and noise tells of its column.
    assert compared(clinic, *noise)["nothing-is-safer"]["severity"] == "warning"
    clinic.write("plan.toml", PLAN + SECOND)
    assert compared(clinic, *noise)["no-limit-given"]["figures"]["not_dominated"] in (1, 2)
    told = compared(clinic, *noise, "--max-risk", "0.9")["best-within-limit"]["figures"]
    assert told["risk"] <= told["max_risk"] == 0.9 and told["row"] in (1, 2)
    none = compared(clinic, *noise, "--max-risk", "0.0001")["none-within-limit"]
    assert none["severity"] == "warning" and none["figures"]["risk"] > 0.0001


def test_rows_that_give_a_sensitive_column_away(clinic):
    """All who are in the same city share what they have: classes by the city tell it."""
    clinic.write("table.csv", as_csv([[r[0], r[1], r[3], r[3], r[4]] for r in rows(200)]))
    secret = '[column.city]\nrole = "quasi-identifier"\ntype = "text"\n[column.second]\nrole = "sensitive"\ntype = "text"\n'
    clinic.write("plan.toml", secret)
    told = compared(clinic, "--try", "fuse k=2,5")["secrets-not-in-risk"]
    assert (told["severity"], told["columns"], told["figures"]) == ("warning", ["second"], {"rows": 2, "tried": 2})
    shown = clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", "--try", "fuse k=2,5")
    assert "does not count that" in " ".join(shown.split())
    advise = ("advise", "table.csv", "--plan", "plan.toml")
    clinic.write("table.csv", as_csv([[r[0], r[1], r[3], r[3], r[4]] for r in rows(200)] + [["p", "Flu", "z", "z", "n"]]))
    assert found(clinic, *advise)["secrets-not-in-risk"]["columns"] == ["second"]
    assert "secrets-not-in-risk" in found(clinic, *advise, "--max-risk", "0.9")
    clinic.write("table.csv", as_csv([[r[0], r[1], str(i // 5 % 8), r[3], r[4]] for i, r in enumerate(rows(200))]))
    assert "secrets-not-in-risk" not in compared(clinic, "--try", "fuse k=2,5")


def test_columns_that_nobody_declared_are_told_before_masking(clinic):
    for told in (compared(clinic, "--try", "noise alpha=1"), found(clinic, "advise", "table.csv", "--plan", "plan.toml"),
                 found(clinic, "advise", "table.csv", "--plan", "plan.toml", "--max-risk", "0.9")):
        assert told["column-released-unmasked"]["columns"] == ["patient", "second", "city", "note"]
        assert told["nearly-unique-released"]["columns"] == ["note"]
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN)
    assert "column-released-unmasked" not in compared(clinic, "--try", "noise alpha=1")


def test_methods_that_are_left_out_are_told(clinic):
    """Cities have no ontology: advice tries nothing that is made of their values alone, a comparison does."""
    clinic.write("plan.toml", PLAN.split("[mask]")[0] + '[column.city]\nrole = "quasi-identifier"\ntype = "text"\n'
                 '[column.note]\nrole = "quasi-identifier"\ntype = "text"\n')
    for verb, is_tried in ((("advise",), False), (("compare",), True), (("advise", "--max-risk", "0.9"), False)):
        told = clinic.json(verb[0], "table.csv", "--plan", "plan.toml", *verb[1:])
        why = {left["method"]: left["why"] for left in told["left_out"]}
        assert ("generalize" not in why) == is_tried and "noise" not in why
        if not is_tried:
            assert "city" in why["generalize"]
        shown = clinic.ok(verb[0], "table.csv", "--plan", "plan.toml", *verb[1:])
        assert ("Methods left out" in shown) == bool(why) and all(f"{method}: " in shown for method in why)


def test_an_impossible_configuration_does_not_end_a_comparison(clinic):
    """What no plan can say, and what this table cannot have; both rows say why, and the third is measured."""
    tries = ("--try", "noise alpha=-1", "--try", "generalize k=5000", "--try", "noise alpha=0.5")
    told = clinic.json("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", *tries)
    rows_ = told["releases"]
    assert [r["row"] for r in rows_] == [1, 2, 3] and ["failure" in r for r in rows_] == [True, True, False]
    assert "alpha" in rows_[0]["failure"] and rows_[2]["risk"] is not None
    shown = clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", *tries)
    assert "cannot" in shown and "alpha" in shown
    done = clinic.run("compare", "table.csv", "--plan", "plan.toml", *tries[:4])
    assert done.returncode == 1 and "none of the 2 configurations" in done.stderr


def test_what_advice_says(clinic):
    clinic.write("plan.toml", PLAN.split("[mask]")[0] + SECOND)
    advise = ("advise", "table.csv", "--plan", "plan.toml")
    told = found(clinic, *advise)
    assert told["uniques-in-table"]["columns"] == ["diagnosis", "second"]
    told = found(clinic, *advise, "--max-risk", "0.9")["parameters-found"]["figures"]
    assert told["risk"] <= 0.9
    done = clinic.run(*advise, "--max-risk", "0.00001", "--json")
    assert done.returncode != 0 and "no-parameters-found" in done.stdout


def test_advice_that_has_nothing_to_propose(clinic):
    """A column of one value takes no noise, and a swap tears the two others apart; without that column noise is
    proposed."""
    clinic.write("table.csv", as_csv([["p", "Flu", "Cold", "Flu", "n"]] * 95 + [["p", "Gout", "Burn", "Flu", "n"]] * 5))
    advise = ("advise", "table.csv", "--plan", "plan.toml", "--seed", "s", "--keep", "correlation", "--json")
    two = PLAN.split("[mask]")[0] + SECOND
    clinic.write("plan.toml", two + SECOND.replace("second", "city"))
    done = clinic.run(*advise)
    told = json.loads(done.stdout)
    assert done.returncode != 0 and told["advice"] == []
    nothing = next(f for f in told["findings"] if f["id"] == "nothing-proposed")
    assert nothing["severity"] == "warning" and nothing["figures"] == {"passed_over": len(told["passed_over"])}
    clinic.write("plan.toml", two)
    assert "nothing-proposed" not in clinic.run(*advise).stdout
