"""semveil advise and compare: what is proposed was tried, every quasi-identifier counts, and nothing is
called best without a limit of risk. Tables are generated; where it says so, Adult with ARX's hierarchies."""

import gzip
import random
import re

import pytest

from conftest import DATA

SEED = "correct horse battery"


def write(program, name, header, records, ontologies, columns):
    """A table, its ontologies (name: links) and its plan (column: keys)."""
    program.write(name + ".csv", header + "\n" + "".join(",".join(r) + "\n" for r in records))
    plan = ""
    for ontology, links in ontologies.items():
        program.write(f"{ontology}.csv", "child,parent\n" + "".join(f"{c},{p}\n" for c, p in links))
        plan += f'[ontology.{ontology}]\nsource = "edges:{ontology}.csv"\n'
    for column, keys in columns.items():
        plan += f"[column.{column}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
    program.write(name + ".toml", plan)


def quasi(ontology=None, **more):
    keys = {"role": '"quasi-identifier"'} | more
    return keys | ({"ontology": f'"{ontology}"'} if ontology else {})


def advise(program, name, *more):
    return program.json("advise", name + ".csv", "--plan", name + ".toml", "--seed", SEED, *more)


def compare(program, name, *more):
    return program.json("compare", name + ".csv", "--plan", name + ".toml", "--seed", SEED, *more)


def jobs():
    """A domain of two levels, and its leaves."""
    links = [(f"g{a}", "Job") for a in range(5)]
    leaves = [f"g{a}j{b}" for a in range(5) for b in range(6)]
    return links + [(leaf, leaf[:2]) for leaf in leaves], leaves


@pytest.fixture
def people(semveil):
    """Four quasi-identifiers, one of them with an ontology; most records are alone."""
    links, leaves = jobs()
    draw = random.Random(1)
    records = [[draw.choice(leaves), str(draw.randint(18, 80)), f"{draw.randint(10, 60)}000",
                draw.choice("fm"), draw.choice(["flu", "gout", "burn"])] for _ in range(1200)]
    write(semveil, "people", "job,age,zip,sex,illness", records, {"jobs": links},
          {"job": quasi("jobs"), "age": quasi(type='"numeric"'), "zip": quasi(), "sex": quasi(),
           "illness": {"role": '"sensitive"'}})
    return semveil


@pytest.fixture
def flat(semveil):
    """Two columns of flat hierarchies, correlated: nothing is farther than one step."""
    draw = random.Random(5)
    records = []
    for _ in range(1500):
        job = min(int(draw.expovariate(0.35)), 11)
        town = job if draw.random() < 0.35 else min(int(draw.expovariate(0.3)), 11)
        records.append([f"j{job}", f"t{town}"])
    write(semveil, "flat", "job,town", records,
          {"jobs": [(f"j{i}", "J") for i in range(12)], "towns": [(f"t{i}", "T") for i in range(12)]},
          {"job": quasi("jobs"), "town": quasi("towns")})
    return semveil


@pytest.fixture
def comb(semveil):
    """Two columns of one deep and narrow domain: errors around the partner move the correlation."""
    links, leaves, above = [], [], "D"
    for a in range(12):
        links.append((f"c{a}", above))
        above = f"c{a}"
        leaves += [f"c{a}l{b}" for b in range(3)]
        links += [(leaf, above) for leaf in leaves[-3:]]
    draw = random.Random(3)
    records = []
    for _ in range(1500):
        first = draw.choice(leaves)
        records.append([first, first if draw.random() < 0.3 else draw.choice(leaves)])
    write(semveil, "comb", "first,second", records, {"domain": links},
          {"first": quasi("domain"), "second": quasi("domain")})
    return semveil


CLASSES = {"fuse", "microaggregate", "generalize"}


# ---- Every quasi-identifier counts --------------------------------------------------------------

def test_where_records_are_unique_a_method_that_forms_classes_is_proposed(people):
    told = advise(people, "people")
    assert told["quasi_identifiers"] == ["job", "age", "zip", "sex"]
    assert told["uniques"] > 1000 and told["records"] == told["tried_on"] == 1200
    first = told["advice"][0]
    assert first["method"] in CLASSES and first["unmasked_quasi_identifiers"] == []
    assert first["trial"]["uniques"] == 0 and first["trial"]["risk"] <= 0.2
    for name in told["quasi_identifiers"]:
        assert name in first["why"]
    text = people.ok("advise", "people.csv", "--plan", "people.toml")
    assert "4 quasi-identifiers: job, age, zip, sex" in text and "unique" in text


def test_what_a_proposal_does_not_mask_is_told_and_is_a_risk(people):
    told = advise(people, "people")
    others = [a for a in told["advice"] + told["passed_over"] if a["method"] in ("noise", "swap")]
    assert others
    for other in others:
        assert other["unmasked_quasi_identifiers"] == ["age", "zip", "sex"]
        assert other["trial"]["risk"] > 0.5  # three columns tell nearly everybody
    assert "leaves as they are: age, zip, sex" in people.ok("advise", "people.csv", "--plan",
                                                            "people.toml")


def test_without_any_ontology_classes_are_still_advised(people):
    people.write("bare.csv", people.read("people.csv"))
    people.write("bare.toml", '[column.zip]\nrole = "quasi-identifier"\n'
                              '[column.sex]\nrole = "quasi-identifier"\n')
    told = advise(people, "bare")
    assert {a["method"] for a in told["advice"]} <= CLASSES and told["advice"]
    people.ok("advise", "bare.csv", "--plan", "bare.toml", "--max-risk", "0.25")


def test_advice_without_a_seed_is_the_same_every_time(people):
    once = people.json("advise", "people.csv", "--plan", "people.toml")
    assert people.json("advise", "people.csv", "--plan", "people.toml", "--threads", "3") == once


def adult(program):
    header = ["age", "education", "occupation", "native-country", "salary"]
    names = ("age workclass fnlwgt education education-num marital-status occupation relationship race sex "
             "capital-gain capital-loss hours native-country salary").split()
    path = DATA / "adult/adult.data.gz"
    if not path.exists():
        pytest.skip(f"NO DATA: {path}")
    lines = [line.strip().split(", ") for line in gzip.open(path, "rt") if line.strip() and "?" not in line]
    places = [names.index(column) for column in header]
    program.write("adult.csv", ",".join(header) + "\n" +
                  "".join(",".join(line[i] for i in places) + "\n" for line in lines))
    plan = '[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n[column.salary]\nrole = "sensitive"\n'
    for column in header[1:4]:
        hierarchy = DATA / f"arx-hierarchies/adult_hierarchy_{column}.csv"
        plan += (f'[ontology.{column}]\nsource = "vgh:{hierarchy}"\n[column.{column}]\n'
                 f'role = "quasi-identifier"\nontology = "{column}"\n')
    program.write("adult.toml", plan)


def test_on_adult_thousands_of_unique_records_are_seen(semveil):
    adult(semveil)
    told = advise(semveil, "adult")
    assert told["uniques"] > 3000 and len(told["quasi_identifiers"]) == 4
    assert 19_000 < told["tried_on"] < 21_000 < told["records"]
    assert told["advice"][0]["method"] in CLASSES
    assert told["advice"][0]["trial"]["uniques"] == 0


# ---- What is proposed does what it is for -------------------------------------------------------

def test_errors_around_the_partner_are_passed_over_where_they_move_the_correlation(comb):
    told = advise(comb, "comb", "--keep", "correlation")
    assert all(a["parameters"].get("reference") != "pair" for a in told["advice"])
    passed = next(a for a in told["passed_over"] if a["parameters"].get("reference") == "pair")
    moved = re.search(r"first and second from (0\.\d+) to (0\.\d+)", passed["why_not"])
    assert abs(float(moved[1]) - float(moved[2])) > 0.1


def test_on_flat_hierarchies_swapping_keeps_the_correlation_and_the_root_does_not(flat):
    told = advise(flat, "flat", "--keep", "correlation")
    methods = [a["method"] for a in told["advice"]]
    assert "swap" in methods and "noise" not in methods
    swap = told["advice"][methods.index("swap")]
    assert swap["trial"]["losses"]["correlation"] < 0.02
    root = next(a for a in told["passed_over"] if a["parameters"].get("reference") == "root")
    assert "could not be had" in root["why_not"] or "correlation" in root["why_not"]


def test_figures_stand_beside_every_proposal(people):
    text = people.ok("advise", "people.csv", "--plan", "people.toml", "--seed", SEED)
    for proposal in advise(people, "people")["advice"]:
        trial = proposal["trial"]
        if trial is None:
            continue
        parts = trial["loss_parts"]
        assert trial["loss"] == pytest.approx(((parts["rmse"] or 0) + (parts["keep"] or 0)) / 2)
        assert f'risk {trial["risk"]:.4f} ({trial["risk_name"]})' in text


# ---- --max-risk ---------------------------------------------------------------------------------

def milder_that_pass(told, found, most):
    return [t for t in told["tried"] if t["configuration"]["method"] == "noise"
            and t["risk"] is not None and t["risk"] <= most
            and {**t["configuration"], "alpha": 0} == {**found["configuration"], "alpha": 0}
            and t["configuration"]["alpha"] < found["configuration"]["alpha"]]


def test_the_mildest_parameter_that_meets_the_demand_is_found(comb):
    # Means stay in every one of them: their loss tells them not apart, the RMSE does.
    told = advise(comb, "comb", "--max-risk", "0.95", "--keep", "mean")
    found = told["tried"][told["found"] - 1]
    assert found["loss"] == min(t["loss"] for t in told["tried"]
                                if t["risk"] is not None and t["risk"] <= 0.95)
    noise = [t for t in told["tried"] if t["configuration"]["method"] == "noise" and t["risk"] <= 0.95]
    assert {5, 0.1} & {t["configuration"]["alpha"] for t in noise}
    if found["configuration"]["method"] == "noise":
        assert not milder_that_pass(told, found, 0.95) and found["configuration"]["alpha"] <= 0.1


def test_the_risk_is_the_greatest_of_those_that_apply_and_is_named(comb):
    told = advise(comb, "comb", "--max-risk", "0.5")
    names = {"noise": {"guessing all columns", "linkage by meaning"},
             "swap": {"finding oneself", "linkage by meaning", "linkage by window"},
             "fuse": {"smallest class", "surest link"},
             "microaggregate": {"smallest class", "surest link"},
             "generalize": {"smallest class", "surest link"}}
    for tried in told["tried"]:
        if tried["risk"] is None:
            continue
        assert set(tried["greatest_of"]) == names[tried["configuration"]["method"]]
        assert tried["risk"] == max(tried["greatest_of"].values())
        assert tried["greatest_of"][tried["risk_name"]] == tried["risk"]


def test_who_is_found_for_certain_is_not_proposed_whatever_risk_is_limited(people):
    people.write("pair.csv", people.read("people.csv"))
    people.write("pair.toml", people.read("people.toml").split("[column.zip]")[0])
    told = advise(people, "pair", "--max-risk", "0.2", "--risk", "linkage", "--keep", "distribution")
    certain = [t for t in told["tried"] if t["configuration"]["method"] == "swap"
               and t["greatest_of"]["finding oneself"] == 1 and t["risk"] <= 0.2]
    assert certain  # they keep to the limit, and somebody is found
    assert told["tried"][told["found"] - 1] not in certain


# ---- compare ------------------------------------------------------------------------------------

TRIES = ("--try", "noise alpha=0.1", "--try", "swap k=5", "--try", "fuse k=2,5")


def test_nothing_is_called_best_without_a_limit(people):
    told = compare(people, "people", *TRIES)
    assert told["best"] is None and not any(r["best"] for r in told["releases"])
    assert any(r["not_dominated"] for r in told["releases"])
    assert "Not dominated" in told["verdict"] and "No limit of risk" in told["verdict"]
    text = people.ok("compare", "people.csv", "--plan", "people.toml", "--seed", SEED, *TRIES,
                     "--report", "page.html")
    page = people.read("page.html")
    assert not re.search(r"\bbest\b", text.lower()) and 'class="yes"' not in page
    assert "not dominated" in text and "not dominated" in page


def test_with_a_limit_best_is_the_least_loss_within_it(people):
    told = compare(people, "people", *TRIES, "--max-risk", "0.5", "--export-plan", "best", "chosen.toml")
    within = [r for r in told["releases"] if r["risk"] is not None and r["risk"] <= 0.5]
    best = told["releases"][told["best"] - 1]
    assert best["best"] and best["loss"] == min(r["loss"] for r in within)
    assert best["uniques"] == 0
    assert told["exported"]["row"] == told["best"] and "at most 0.5" in told["exported"]["why"]
    assert best["label"] in told["verdict"]


def test_a_limit_that_nothing_keeps_to_is_told(people):
    told = compare(people, "people", *TRIES, "--max-risk", "0.01")
    assert told["best"] is None and "No row" in told["verdict"]
    done = people.run("compare", "people.csv", "--plan", "people.toml", "--seed", SEED, *TRIES,
                      "--max-risk", "0.01", "--export-plan", "best", "chosen.toml")
    assert done.returncode == 3 and "No row" in done.stderr


def test_doing_nothing_is_a_row_of_its_own(people):
    told = compare(people, "people", *TRIES)
    nothing = told["do_nothing"]
    assert nothing["row"] == 0 and nothing["loss"] == 0 and nothing["risk"] == 1
    assert nothing["uniques"] > 1000
    text = people.ok("compare", "people.csv", "--plan", "people.toml", "--seed", SEED, *TRIES)
    assert re.search(r"^ +0 +do nothing +1\.0000 +smallest class +0\.0000", text, re.M)
    # What is no safer than that is dominated by it: recode finds nothing to do here, and loses nothing.
    told = compare(people, "people", "--try", "recode k=2", *TRIES)
    assert told["releases"][0]["loss"] == 0 and told["releases"][0]["risk"] == 1
    assert all(not r["not_dominated"] for r in told["releases"] if r["risk"] == 1)


def test_a_safe_release_beside_an_unsafe_one(people):
    told = compare(people, "people", "--try", "fuse k=5", "--try", "noise alpha=0.05")
    safe, unsafe = told["releases"]
    assert safe["risk"] <= 0.2 and safe["uniques"] == 0 and safe["not_dominated"]
    assert unsafe["risk"] > 0.5 and unsafe["uniques"] > 1000


def test_attacks_are_shown_where_records_are_set_aside(people):
    told = compare(people, "people", "--try", "fuse k=5", "--holdout", "0.3")
    assert {"singling-out", "inference"} <= {a["name"] for a in told["releases"][0]["attacks"]}
    assert "attacks" not in compare(people, "people", "--try", "fuse k=5")["releases"][0]
    text = people.ok("compare", "people.csv", "--plan", "people.toml", "--seed", SEED, "--try",
                     "fuse k=5", "--holdout", "0.3", "--report", "page.html")
    assert "Attacks on the released records" in text and "inference of illness" in text
    assert "singling-out" in people.read("page.html")


def test_long_names_stay_different_and_rows_can_be_referred_to(comb):
    tries = ("--try", "noise alpha=0.3 correlated=true distribution=normal reference=root,mean ties=first,random",
             "--try", "swap k=2,3,4,5,6,7,8")
    text = comb.ok("compare", "comb.csv", "--plan", "comb.toml", "--seed", SEED, *tries, "--export-plan",
                   "b", "chosen.toml")
    assert "…" not in text
    for word in ("ties first", "ties random", "reference root", "reference mean"):
        assert text.replace("\n", " ").count(word.split()[1]) >= 2
    told = compare(comb, "comb", *tries, "--export-plan", "11", "again.toml")
    assert [r["row"] for r in told["releases"]] == list(range(1, 12))
    assert comb.read("chosen.toml") == comb.read("again.toml") and "k = 8" in comb.read("again.toml")
    assert re.search(r"^ +\*? *11 +b +swap k 8 ", text, re.M)


def test_risk_goes_up_and_loss_to_the_right_in_text_and_page(people):
    text = people.ok("compare", "people.csv", "--plan", "people.toml", "--seed", SEED, *TRIES,
                     "--report", "page.html")
    assert "risk: greatest" in text and "loss: RMSE and correlation" in text
    page = people.read("page.html")
    assert "↑ risk (greatest)" in page and "loss (RMSE and correlation) →" in page


# ---- measure ------------------------------------------------------------------------------------

def test_measures_are_compared(comb):
    told = compare(comb, "comb", "--try", "fuse k=5 measure=wu-palmer,path,lin", "--export-plan", "3",
                   "chosen.toml")
    assert [r["label"] for r in told["releases"]] == [
        "fuse k 5, measure wu-palmer", "fuse k 5, measure path", "fuse k 5, measure lin"]
    assert comb.read("chosen.toml").count('measure = "lin"') == 2
    # All are judged by the plan's own measure.
    comb.ok("mask", "comb.csv", "--plan", "chosen.toml", "--seed", SEED, "-o", "out.csv", "--quiet")
    audited = comb.json("audit", "comb.csv", "out.csv", "--plan", "comb.toml", "--edition", "steward")
    rmse = [audited["columns"][name]["rmse"] for name in ("first", "second")]
    assert told["releases"][2]["loss_parts"]["rmse"] == pytest.approx(sum(rmse) / 2, abs=1e-9)
    wrong = comb.run("compare", "comb.csv", "--plan", "comb.toml", "--try", "fuse k=5 measure=lni")
    assert wrong.returncode != 0 and "lin" in wrong.stderr


# ---- p of swap ----------------------------------------------------------------------------------

def masked(program, *more):
    return program.json("mask", "comb.csv", "--plan", "comb.toml", "--method", "swap", "--seed", SEED,
                        "-o", "out.csv", *more)


@pytest.mark.parametrize("p, k", [(1, 15), (0.5, 8), (0.4, 6), (0.0001, 1), (100, 1500)])
def test_p_is_k_in_percent_of_the_records(comb, p, k):
    by_percent = masked(comb, "--p", str(p))
    assert by_percent["parameters"]["k"] == k and by_percent["parameters"]["p"] == p


def test_p_swaps_as_the_k_that_it_means(comb):
    comb.write("plan.toml", comb.read("comb.toml") + '[mask]\nmethod = "swap"\np = 1\n')
    comb.ok("fit", "comb.csv", "--plan", "plan.toml", "--seed", SEED, "-o", "m.model", "--quiet")
    comb.ok("mask", "comb.csv", "--plan", "plan.toml", "--seed", SEED, "-o", "out.csv", "--quiet")
    audited = comb.json("audit", "comb.csv", "out.csv", "--plan", "plan.toml")
    for k, equal in ((15, True), (3, False)):
        comb.write("by_k.toml", comb.read("comb.toml") + f'[mask]\nmethod = "swap"\nk = {k}\n')
        by_k = comb.json("audit", "comb.csv", "out.csv", "--plan", "by_k.toml")
        assert (audited["linkage"]["window"] == by_k["linkage"]["window"]) == equal
    # The file's k is not meant by who asks for p.
    comb.write("plan.toml", comb.read("comb.toml") + '[mask]\nmethod = "swap"\nk = 3\n')
    told = comb.json("mask", "comb.csv", "--plan", "plan.toml", "--seed", SEED, "--p", "1", "-o",
                     "two.csv")
    assert told["parameters"]["k"] == 15


@pytest.mark.parametrize("keys, said", [("k = 5\np = 1", "not both"), ("p = 0", "above 0"),
                                        ("p = 101", "at most 100"), ("", "p, a percentage")])
def test_exactly_one_of_k_and_p_is_given(comb, keys, said):
    comb.write("plan.toml", comb.read("comb.toml") + f'[mask]\nmethod = "swap"\n{keys}\n')
    done = comb.run("mask", "comb.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert done.returncode != 0 and said in done.stderr


def test_p_is_a_key_of_swap_alone(comb):
    done = comb.run("mask", "comb.csv", "--plan", "comb.toml", "--method", "fuse", "--p", "1", "-o", "o.csv")
    assert done.returncode == 2 and "--p" in done.stderr
