"""What a release discloses (EAN's Table I), and what a record with sets lost (its eq 2)."""

import pytest

from clinic import ONTOLOGY, as_csv

HEADER = "id,town,job,disease"  # who is who is beyond doubt
TOWNS = """[ontology.place]
source = "edges:place.csv"

[column.town]
role = "quasi-identifier"
ontology = "place"
root = "P"
"""
PLACES = ("child,parent,label\nP,,Anywhere\nN,P,North\nS,P,South\n"
          "a,N,Aix\nb,N,Bonn\nc,S,Cork\nd,S,Dole\n")
DISEASE = """
[column.disease]
role = "sensitive"
categories = "kinds.csv"
levels = "grave.csv"
"""
KINDS = "flu, HIV, cold\nulcer, gastritis, cancer\n"
GRAVE = "# harmless, grave\nflu, cold, ulcer, gastritis\nHIV, cancer, plague\n"
SIX = ["flu", "HIV", "cold", "ulcer", "gastritis", "cancer"]


def prepare(program, plan, records, released=None, header=HEADER):
    program.write("place.csv", PLACES)
    program.write("kinds.csv", KINDS)
    program.write("grave.csv", GRAVE)
    program.write("plan.toml", plan)
    program.write("table.csv", as_csv(numbered(records), header))
    if released is not None:
        program.write("out.csv", as_csv(numbered(released), header))
    return program


def numbered(records):
    return [[str(i), *r] for i, r in enumerate(records)]


def audit(program, *more):
    return program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition",
                        "steward", *more)


def told(found, attack):
    return next(d for d in found["disclosures"] if d["name"] == attack)


def even(times=10):
    return [[town, "x", disease] for _ in range(times)
            for town in ("Aix", "Bonn", "Cork", "Dole") for disease in SIX]


def test_a_release_like_its_frequencies_protects(semveil):
    prepare(semveil, TOWNS + DISEASE, even(), even())
    found = audit(semveil)
    for attack in ("attribute", "skewness", "similarity", "sensitivity"):
        assert told(found, attack)["protects"] == "yes", attack
        assert told(found, attack)["about"] == "disease"
    assert told(found, "attribute")["fewest"] == 6
    assert told(found, "similarity")["fewest"] == 2 and found["category_diversity"] == 2
    assert not [f for f in found["findings"] if f["id"].startswith("class-shares")]


def test_a_class_that_shares_its_value_is_told_whatever_its_size(semveil):
    records = even(30) + [["Dole", "y", "HIV"]] * 40
    plan = TOWNS + DISEASE + '\n[column.job]\nrole = "quasi-identifier"\n'
    prepare(semveil, plan, records, records)
    found = audit(semveil)
    assert told(found, "attribute")["worst"] == 1
    assert told(found, "attribute")["protects"] == "on average"
    finding = next(f for f in found["findings"] if f["id"] == "secret-shared")
    assert finding["severity"] == "danger" and finding["columns"] == ["disease"]
    assert finding["figures"] == {"classes": 1, "records": 40}
    # Said once: whoever knows the value knows its category and level.
    assert not [f for f in found["findings"] if f["id"].startswith("class-shares")]
    text = semveil.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    text = " ".join(text.split())
    assert "In one group of records that look alike (40 records) everybody has the same value of disease" in text
    assert "HIV" not in finding["text"]


def test_a_class_of_one_category_or_level_is_told(semveil):
    of = {"Aix": SIX[:3], "Bonn": SIX[3:]}
    records = [[t, "x", d] for _ in range(20) for t in of for d in of[t]]
    prepare(semveil, TOWNS + DISEASE, records, records)
    found = audit(semveil)
    assert told(found, "similarity")["protects"] == "no" and found["category_diversity"] == 1
    assert told(found, "sensitivity")["protects"] == "yes"
    finding = next(f for f in found["findings"] if f["id"] == "class-shares-category")
    assert finding["severity"] == "warning" and finding["figures"] == {"people": 120}
    assert "knows the category, though not the value" in finding["text"]
    of = {"Aix": ["HIV", "cancer"], "Bonn": ["flu", "cold", "ulcer", "gastritis"]}
    records = [[t, "x", d] for _ in range(20) for t in of for d in of[t]]
    prepare(semveil, TOWNS + DISEASE, records, records)
    found = audit(semveil)
    assert told(found, "sensitivity")["protects"] == "no"
    assert told(found, "similarity")["protects"] == "yes"
    finding = next(f for f in found["findings"] if f["id"] == "class-shares-level")
    assert finding["columns"] == ["disease"] and finding["figures"] == {"people": 120}


def test_only_records_whose_value_is_not_shared_are_counted_by_category(semveil):
    """Bonn shares the value; Aix the category alone."""
    of = {"Aix": SIX[:3], "Bonn": ["ulcer"] * 2, "Cork": SIX, "Dole": SIX}
    records = [[t, "x", d] for _ in range(20) for t in of for d in of[t]]
    prepare(semveil, TOWNS + DISEASE, records, records)
    found = {f["id"]: f for f in audit(semveil)["findings"]}
    assert found["secret-shared"]["figures"] == {"classes": 1, "records": 40}
    assert found["class-shares-category"]["figures"] == {"people": 60}


def test_membership_needs_a_control(semveil):
    prepare(semveil, TOWNS + DISEASE, even(), even())
    assert not [d for d in audit(semveil)["disclosures"] if d["name"] == "membership"]
    north = [r for r in even() if r[0] in ("Aix", "Bonn")]
    south = [r for r in even() if r[0] in ("Cork", "Dole")]
    prepare(semveil, TOWNS + DISEASE, north, north)
    semveil.write("control.csv", as_csv(numbered(south), HEADER))
    found = told(audit(semveil, "--control", "control.csv"), "membership")
    assert (found["in"], found["control"], found["average"]) == (1, 0, 1)
    assert found["baseline"] == 0 and found["protects"] == "no"
    # Lifted to the top, everybody fits.
    prepare(semveil, TOWNS + DISEASE, north, [["Anywhere", "x", r[2]] for r in north])
    found = told(audit(semveil, "--control", "control.csv"), "membership")
    assert (found["in"], found["control"], found["protects"]) == (1, 1, "yes")


def test_a_suppressed_record_is_nobody_that_all_fit(semveil):
    """Where missing cells are wildcards, one suppressed record seemed to let the control in as well."""
    north = [r for r in even() if r[0] in ("Aix", "Bonn")]
    released = [["", *north[0][1:]]] + north[1:]
    prepare(semveil, 'missing = "wildcard"\n' + TOWNS + DISEASE, north, released)
    semveil.write("control.csv", as_csv(numbered(r for r in even() if r[0] in ("Cork", "Dole")), HEADER))
    found = told(audit(semveil, "--control", "control.csv"), "membership")
    assert (found["in"], found["control"], found["protects"]) == (1, 0, "no")
    # Without a pair's word for it, too.
    found = told(audit(semveil, "--control", "control.csv", "--unpaired"), "membership")
    assert (found["control"], found["protects"]) == (0, "no")


def test_finding_oneself_is_identity_disclosure(semveil):
    prepare(semveil, TOWNS + DISEASE, even(), even())
    safe = told(audit(semveil), "identity")
    assert safe["protects"] == "yes" and safe["worst"] == pytest.approx(1 / 60)
    assert safe["baseline"] == pytest.approx(1 / 240)
    records = [["Aix", "x", "flu"], ["Bonn", "x", "cold"], ["Cork", "x", "ulcer"]]
    prepare(semveil, TOWNS + '\n[column.disease]\nrole = "sensitive"\n', records, records)
    unsafe = told(audit(semveil), "identity")
    assert unsafe["average"] == unsafe["worst"] == 1 and unsafe["protects"] == "no"


# ---- Sets ---------------------------------------------------------------------------------------

SETS = """
[mask]
method = "ean"
categories = "kinds.csv"
"""


def masked(program, *more):
    return program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s",
                        *more)


def test_sets_of_every_category_tell_no_category(semveil):
    prepare(semveil, TOWNS + DISEASE + SETS, even())
    masked(semveil)
    found = audit(semveil)
    assert told(found, "similarity")["protects"] == "yes"
    assert told(found, "similarity")["fewest"] == 2
    assert told(found, "attribute")["protects"] == "no"  # 1/2 of six values
    assert told(found, "attribute")["average"] == pytest.approx(1 / 2)
    assert told(found, "attribute")["baseline"] == pytest.approx(1 / 6)
    # AN puts relatives together.
    an = TOWNS + DISEASE.replace('categories = "kinds.csv"\n', "") + '[mask]\nmethod = "an"\nl = 2\n'
    prepare(semveil, an, even())
    masked(semveil)
    assert not [d for d in audit(semveil)["disclosures"] if d["name"] == "similarity"]
    assert told(audit(semveil), "attribute")["protects"] == "no"


def test_categories_of_sets_are_not_those_of_another_columns_classes(semveil):
    """Sets of both kinds; everybody in Aix has a job of one kind."""
    jobs = {"Aix": ("smith", "baker"), "Bonn": ("smith", "nurse"), "Cork": ("nurse", "baker"),
            "Dole": ("smith", "nurse")}
    records = [[r[0], jobs[r[0]][i % 2], r[2]] for i, r in enumerate(even())]
    plan = (TOWNS + DISEASE + '\n[column.job]\nrole = "sensitive"\ncategories = "jobs.csv"\n' +
            SETS + 'columns = ["disease"]\n')
    prepare(semveil, plan, records)
    semveil.write("jobs.csv", "smith, baker\nnurse\n")
    masked(semveil)
    found = audit(semveil)
    assert found["category_diversity"] == 1  # the fewest over sets and classes
    findings = {f["id"]: f for f in found["findings"]}
    assert "sets-of-one-category" not in findings
    assert findings["sets-verified"]["figures"]["categories"] == 2
    assert findings["class-shares-category"]["columns"] == ["job"]
    # Sets of one category are told of their own column.
    kinds = {d: line.split(", ") for line in KINDS.splitlines() for d in line.split(", ")}
    released = [[r[0], r[1], "|".join([r[2], next(d for d in kinds[r[2]] if d != r[2])])] for r in records]
    semveil.write("out.csv", as_csv(numbered(released), HEADER))
    finding = next(f for f in audit(semveil)["findings"] if f["id"] == "sets-of-one-category")
    assert finding["severity"] == "danger" and finding["columns"] == ["disease"]


def test_sets_of_one_value_of_each_protect(semveil):
    prepare(semveil, TOWNS + DISEASE + SETS, even())
    semveil.write("kinds.csv", "".join(f"{d}\n" for d in SIX))
    masked(semveil)
    found = audit(semveil)
    for attack in ("attribute", "skewness", "similarity", "sensitivity"):
        assert told(found, attack)["protects"] == "yes", attack


def test_what_a_record_lost_counts_its_quasi_identifiers(semveil):
    """EAN eq 2: two towns of four leaves lifted to North, lm 1/3; the set of two, 1/2."""
    lifted = [["North" if r[0] in ("Aix", "Bonn") else r[0], *r[1:]] for r in even()]
    prepare(semveil, TOWNS + DISEASE + SETS, lifted)
    loss = (1 / 3 / 2 + 1 / 2) / 2
    assert masked(semveil)["information_loss"] == pytest.approx(loss)
    assert audit(semveil)["information_loss"] == pytest.approx(loss)
    # Beside the table that it was lifted from, too.
    semveil.write("table.csv", as_csv(numbered(even()), HEADER))
    assert audit(semveil)["information_loss"] == pytest.approx(loss)
    # Lifted to the root, 1; emptied, 1; a leaf in another's place, 0.
    released = semveil.read("out.csv").splitlines()[1:]
    for town, lm in (("Anywhere", 1), ("", 1), ("Aix", 0)):
        cells = [line.split(",") for line in released]
        semveil.write("out.csv", as_csv([[c[0], town, *c[2:]] for c in cells], HEADER))
        assert audit(semveil)["information_loss"] == pytest.approx((lm + 1 / 2) / 2), town


def test_a_cell_that_was_missing_lost_nothing(semveil):
    records = [["", *r[1:]] if i % 4 == 0 else r for i, r in enumerate(even())]
    prepare(semveil, TOWNS + DISEASE + SETS, records)
    assert masked(semveil)["information_loss"] == pytest.approx(1 / 4)
    assert audit(semveil)["information_loss"] == pytest.approx(1 / 4)
    # Whatever it becomes: lifted to the root it says no less than it did.
    cells = [line.split(",") for line in semveil.read("out.csv").splitlines()[1:]]
    semveil.write("out.csv", as_csv([[c[0], c[1] or "Anywhere", *c[2:]] for c in cells], HEADER))
    assert audit(semveil)["information_loss"] == pytest.approx(1 / 4)


def test_an_interval_lost_its_width(semveil):
    plan = '[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n' + DISEASE + SETS
    ages = [str(20 + 5 * (i % 13)) for i in range(240)]  # 20 … 80
    records = [[age, *r[1:]] for age, r in zip(ages, even())]
    prepare(semveil, plan, records, header="id,age,job,disease")
    assert masked(semveil)["information_loss"] == pytest.approx(1 / 4)
    cells = [line.split(",") for line in semveil.read("out.csv").splitlines()[1:]]
    semveil.write("out.csv", as_csv([[c[0], "20-35", *c[2:]] for c in cells], "id,age,job,disease"))
    assert audit(semveil)["information_loss"] == pytest.approx((15 / 60 + 1 / 2) / 2)


@pytest.mark.parametrize("l, printed", [(3, 0.083), (5, 0.1), (7, 0.107), (10, 0.1125)])
def test_seven_unchanged_quasi_identifiers_give_the_printed_loss(semveil, l, printed):
    columns = [f"q{i}" for i in range(7)]
    plan = "".join(f'[column.{c}]\nrole = "quasi-identifier"\n' for c in columns)
    plan += '[column.s]\nrole = "sensitive"\n[mask]\nmethod = "an"\n' + f"l = {l}\n"
    semveil.write("plan.toml", plan)
    rows = [[str(i % (j + 2)) for j in range(7)] + [f"v{i % 12}"] for i in range(60)]
    semveil.write("table.csv", as_csv(rows, ",".join([*columns, "s"])))
    assert masked(semveil)["information_loss"] == pytest.approx(printed, abs=0.0005)
    assert audit(semveil)["information_loss"] == pytest.approx(printed, abs=0.0005)


# ---- levels = "FILE" ----------------------------------------------------------------------------

def test_levels_are_checked(semveil):
    prepare(semveil, TOWNS + DISEASE, even(), even())
    run = ["audit", "table.csv", "out.csv", "--plan", "plan.toml"]
    semveil.write("grave.csv", "flu, cold, ulcer, gastritis\nHIV\n")
    message = semveil.fails(1, *run)
    assert "grave.csv" in message and "cancer" in message
    semveil.write("grave.csv", "flu, cold, ulcer, gastritis\nHIV, cancer, flu\n")
    assert "grave.csv" in semveil.fails(1, *run)
    (semveil.folder / "grave.csv").unlink()
    assert "grave.csv" in semveil.fails(1, *run)
    semveil.write("plan.toml", TOWNS.replace("root", 'levels = "grave.csv"\nroot') + DISEASE)
    assert "sensitive" in semveil.fails(1, *run)


def test_levels_of_concepts_go_by_meaning(semveil):
    semveil.write("disease.csv", ONTOLOGY)
    plan = ('[ontology.disease]\nsource = "edges:disease.csv"\n' + TOWNS +
            '\n[column.disease]\nrole = "sensitive"\nontology = "disease"\nlevels = "grave.csv"\n'
            'categories = {ontology = "disease", depth = 2}\n')
    records = [[t, "x", d] for _ in range(10) for t, of in
               (("Aix", ("Flu", "Burn")), ("Bonn", ("Asthma", "Cut"))) for d in of]
    prepare(semveil, plan, records, records)
    semveil.write("grave.csv", "D11, burn\nASTHMA, Cut, Gout\n")  # Flu by its id
    found = audit(semveil)
    assert told(found, "sensitivity")["protects"] == "no"
    assert told(found, "sensitivity")["average"] == 1 and told(found, "sensitivity")["baseline"] == 0.5
    assert told(found, "similarity")["fewest"] == 2


def test_a_plan_with_levels_comes_back(semveil):
    prepare(semveil, TOWNS + DISEASE + '\n[mask]\nmethod = "fuse"\nk = 2\n', even())
    semveil.ok("compare", "table.csv", "--plan", "plan.toml", "--try", "fuse k=2", "--export-plan",
               "1", "chosen.toml", "--seed", "s")
    assert 'levels = "grave.csv"' in semveil.read("chosen.toml")
