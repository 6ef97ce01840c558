"""semveil audit: who can be singled out and who finds himself, against slow counterparts; for each figure
a release that is unsafe in exactly that way and one that is not."""

import collections
import csv
import gzip
import itertools
import random

import pytest

from clinic import IDS, LABELS, PARENT, as_csv, mask, parsed, prepare, rows, way_up
from conftest import data_file
from test_audit import SENSITIVE, TWO, audit, tuples, unmasked

COLUMNS = ("diagnosis", "second")


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, plan=TWO + SENSITIVE)


def fits(value, released):
    return value == released or IDS[released] in way_up(IDS[value])


def who_fit(people, guess):
    return [i for i, person in enumerate(people)
            if all(fits(value, wanted) for value, wanted in zip(person, guess))]


def singling(found):
    return next(a for a in found["attacks"] if a["name"] == "singling-out")


def write_release(program, records, name="out.csv"):
    table = parsed(program.read("table.csv"))
    for j, column in enumerate(COLUMNS):
        table[column] = [r[j] for r in records]
    program.write(name, as_csv([list(r) for r in zip(*table.values())]))


def expect_guesses(attack, originals, released):
    guesses = [r for r in released if len(who_fit(released, r)) == 1]
    right = [who_fit(originals, r) for r in guesses]
    right = [found[0] for found in right if len(found) == 1]
    assert attack["guesses"] == attack["tried"] == len(guesses)
    if not guesses:
        return
    assert attack["rate"] == pytest.approx(len(right) / len(guesses), abs=1e-12)
    assert attack["pointed_at"] == pytest.approx(len(set(right)) / len(originals), abs=1e-12)


# ---- Singling out -------------------------------------------------------------------------------

def unique_records(clinic):
    """A table in which everybody is alone."""
    pairs = list(itertools.product([v for v in IDS if IDS[v] not in PARENT.values()], repeat=2))[:40]
    clinic.write("table.csv", as_csv([[f"p{i}", a, b, f"city {i % 5}", f"{i:03}"]
                                      for i, (a, b) in enumerate(pairs)]))
    return pairs


def test_an_unchanged_release_is_singled_out_every_time(clinic):
    originals = unique_records(clinic)
    unmasked(clinic)
    attack = singling(audit(clinic))
    expect_guesses(attack, originals, originals)
    assert attack["rate"] == 1 and attack["risk"] == 1 and attack["pointed_at"] == 1
    assert [a["columns"] for a in attack["by_columns"]] == [1]  # of two columns


def test_a_lifted_release_in_which_everybody_is_alone_is_not_called_safe(clinic):
    """One of the two lifted: by equality no guess was right, and the risk 0."""
    originals = unique_records(clinic)[:4] + [("Gout", "Cut")]
    clinic.write("table.csv", as_csv([[f"p{i}", a, b, f"city {i}", f"{i:03}"]
                                      for i, (a, b) in enumerate(originals)]))
    released = [(LABELS[PARENT[IDS[a]]], b) for a, b in originals]
    write_release(clinic, released)
    found = audit(clinic)
    attack = singling(found)
    expect_guesses(attack, originals, released)
    assert attack["rate"] == 1 and attack["risk"] > 0.5
    assert found["linkage"]["own_among_alike"] == 1  # by equality nobody found himself


AGES = """[ontology.place]
source = "edges:place.csv"

[column.town]
role = "quasi-identifier"
ontology = "place"
root = "P"

[column.age]
role = "quasi-identifier"
type = "numeric"
"""


@pytest.mark.parametrize("spelling", ["{0}-{1}", "[{0}, {2})", "({3}; {1}]"])
def test_numbers_inside_an_interval_of_another_tool_fit(semveil, spelling):
    """Towns lifted, ages in tens: everybody is alone in what was released, and is the only one who fits."""
    semveil.write("place.csv", "child,parent,label\nP,,Anywhere\nN,P,North\nS,P,South\n"
                               "a,N,Aix\nb,N,Bonn\nc,S,Cork\nd,S,Dole\n")
    semveil.write("plan.toml", AGES)
    up = {"Aix": "North", "Bonn": "North", "Cork": "South", "Dole": "South"}
    people = [("Aix", 20), ("Cork", 29), ("Bonn", 30), ("Dole", 35), ("Bonn", 49), ("Cork", 40)]
    tens = [age // 10 * 10 for _, age in people]
    semveil.write("table.csv", as_csv([[str(i), t, str(a)] for i, (t, a) in enumerate(people)], "id,town,age"))
    released = [[str(i), up[town], '"' + spelling.format(ten, ten + 9, ten + 10, ten - 1) + '"']
                for i, ((town, _), ten) in enumerate(zip(people, tens))]
    semveil.write("out.csv", as_csv(released, "id,town,age"))
    found = audit(semveil)
    attack = singling(found)
    assert attack["guesses"] == 6 and attack["rate"] == 1 and attack["pointed_at"] == 1
    assert found["linkage"]["own_among_alike"] == 1 and found["journalist"] == 1
    # Beside an interval that two are in nobody is alone.
    semveil.write("out.csv", as_csv([[str(i), up[t], "*" if i < 4 else "40-49"]
                                     for i, (t, _) in enumerate(people)], "id,town,age"))
    found = audit(semveil)
    assert singling(found)["guesses"] == 2 and singling(found)["rate"] == 1
    assert found["linkage"]["own_among_alike_mean"] == pytest.approx((4 / 2 + 2 / 3) / 6)


def test_guesses_are_those_of_the_definition(clinic):
    for alpha in ("0.05", "0.5", "3"):
        mask(clinic, "--alpha", alpha)
        originals, released = (tuples(clinic.read(f)) for f in ("table.csv", "out.csv"))
        expect_guesses(singling(audit(clinic)), originals, released)


def test_no_guess_is_told_as_none_not_as_nothing(clinic):
    mask(clinic, "--method", "fuse", "--k", "5")
    how = ("--method", "fuse", "--k", "5")
    attack = singling(audit(clinic, *how))
    assert attack["guesses"] == 0
    for key in ("rate", "interval", "risk", "risk_interval", "pointed_at"):
        assert attack[key] is None, key
    assert all(a["rate"] is None for a in attack["by_columns"])
    text = clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", *how)
    assert "no guess" in text


def test_singling_out_needs_no_pairs(clinic):
    unique_records(clinic)
    unmasked(clinic)
    whole = singling(audit(clinic))
    lines = clinic.read("out.csv").splitlines()
    random.Random(1).shuffle(body := lines[1:-1])
    clinic.write("out.csv", "\n".join([lines[0]] + body) + "\n")
    found = audit(clinic)
    assert found["pairing"] == "none" and found["linkage"]["own_among_alike"] is None
    assert found["journalist"] is None
    assert singling(found)["rate"] == 1 and singling(found)["guesses"] == whole["guesses"] - 1
    assert found["one_origin"] == 1


def test_a_control_takes_the_place_of_the_baseline(clinic):
    originals = unique_records(clinic)
    unmasked(clinic)
    clinic.write("others.csv", clinic.read("table.csv"))
    attack = singling(audit(clinic, "--control", "others.csv"))
    assert attack["control"] == 1 and attack["risk"] == 0  # as often right of strangers
    strangers = [("Arthritis", "Arthritis")] * len(originals)
    clinic.write("others.csv", as_csv([["p", a, b, "city", str(i)] for i, (a, b) in enumerate(strangers)]))
    attack = singling(audit(clinic, "--control", "others.csv"))
    assert attack["control"] == 0 and attack["risk"] == 1
    assert attack["by_columns"][0]["columns"] == 1


# ---- Copies of one person -----------------------------------------------------------------------

def one_origin(originals, released):
    combinations = sorted(set(released))
    return sum(len(who_fit(originals, c)) == 1 for c in combinations) / len(combinations)


@pytest.mark.parametrize("method", ["fuse", "microaggregate", "recode"])
def test_copies_of_one_person_are_told(clinic, method):
    how = ("--method", method, "--k", "4")
    mask(clinic, *how)
    originals, released = (tuples(clinic.read(f)) for f in ("table.csv", "out.csv"))
    found = audit(clinic, *how)
    share = one_origin(originals, released)
    assert found["one_origin"] == pytest.approx(share, abs=1e-3)
    assert 0 <= found["one_origin_shuffled"] <= 1
    told = [f for f in found["findings"] if f["id"] == "one-origin"]
    assert len(told) == (1 if share > 0 else 0)
    for finding in told:
        assert "somebody has exactly these values" in finding["text"]
        if found["classes"]["smallest"] > 1:
            assert f"a chance of at most 1/{found['classes']['smallest']}." in finding["text"]


def test_combinations_that_many_have_are_no_finding(clinic):
    """Everybody four times over: k copies of nobody in particular."""
    records = rows(50) * 4
    clinic.write("table.csv", as_csv(records))
    how = ("--method", "fuse", "--k", "4")
    mask(clinic, *how)
    found = audit(clinic, *how)
    assert found["one_origin"] == 0
    assert not [f for f in found["findings"] if f["id"] == "one-origin"]


def test_lifted_values_are_nobodys_finding(clinic):
    how = ("--method", "generalize", "--k", "4")
    mask(clinic, *how)
    found = audit(clinic, *how)
    assert found["one_origin"] is not None
    assert not [f for f in found["findings"] if f["id"] == "one-origin"]


# ---- Who finds himself --------------------------------------------------------------------------

def chances(originals, released):
    """Journalist, finding oneself and its mean, of records paired by position."""
    people = {g: len(who_fit(originals, g)) for g in set(released)}
    journalist = []
    for g, size in collections.Counter(released).items():
        own = sum(r == g and who_fit([x], g) != [] for x, r in zip(originals, released))
        if people[g]:
            journalist.append(own / (size * people[g]))
    each = []
    for x in originals:
        alike = [i for i, r in enumerate(released) if who_fit([x], r)]
        own = sum(originals[i] == x for i in alike)
        each.append(own / (originals.count(x) * len(alike)) if own else 0)
    return max(journalist, default=None), max(each), sum(each) / len(each)


@pytest.mark.parametrize("how", [("noise", "--alpha", "0.3"), ("swap", "--k", "6"),
                                 ("fuse", "--k", "3"), ("recode", "--k", "3"),
                                 ("generalize", "--k", "3"), ("microaggregate", "--k", "3")],
                         ids=lambda how: how[0])
def test_who_finds_himself(clinic, how):
    mask(clinic, "--method", *how)
    originals, released = (tuples(clinic.read(f)) for f in ("table.csv", "out.csv"))
    found = audit(clinic, "--method", *how, "--edition", "steward")
    journalist, worst, mean = chances(originals, released)
    assert found["journalist"] == pytest.approx(journalist, abs=1e-12)
    assert found["linkage"]["own_among_alike"] == pytest.approx(worst, abs=1e-12)
    assert found["linkage"]["own_among_alike_mean"] == pytest.approx(mean, abs=1e-12)
    smallest = found["classes"]["smallest"]
    if how[0] in ("noise", "swap"):
        # 1 / smallest class is a figure of the classes there.
        assert found["classes"]["prosecutor"] == pytest.approx(worst, abs=1e-12)
        assert found["classes"]["marketer"] == pytest.approx(mean, abs=1e-12)
    else:
        assert found["classes"]["prosecutor"] == 1 / smallest
        for risk in (journalist, worst, found["linkage"]["worst"]):
            assert risk <= 1 / smallest + 1e-12
    assert found["classes_original"]["prosecutor"] == 1 / min(collections.Counter(originals).values())


def test_noise_that_changes_nobody_is_still_dangerous(clinic):
    """The prosecutor's risk of noise does not look safe where nothing was changed."""
    unique_records(clinic)
    unmasked(clinic)
    assert audit(clinic)["classes"]["prosecutor"] == 1


def test_five_copies_of_one_person_are_a_chance_of_one_in_five(clinic):
    table = [["p", "Flu", "Cold", "city", str(i)] for i in range(5)]
    table[0][1] = "Mumps"
    clinic.write("table.csv", as_csv(table))
    write_release(clinic, [("Mumps", "Cold")] * 5)
    found = audit(clinic, "--method", "fuse", "--k", "5")
    assert found["journalist"] == found["linkage"]["own_among_alike"] == pytest.approx(1 / 5)
    assert found["linkage"]["worst"] == pytest.approx(1 / 5)


# ---- Adult --------------------------------------------------------------------------------------

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")


def adult(program):
    names = ("age workclass fnlwgt education education-num marital-status occupation relationship race sex "
             "capital-gain capital-loss hours-per-week native-country income").split()
    folder = data_file("arx-hierarchies/adult_hierarchy_age.csv").rsplit("/", 1)[0]
    plan = ""
    for name in QUASI:
        plan += (f'[ontology.{name}]\nsource = "vgh:{folder}/adult_hierarchy_{name}.csv"\n'
                 f'[column.{name}]\nrole = "quasi-identifier"\nontology = "{name}"\n')
    out = []
    with gzip.open(data_file("adult/adult.data.gz"), "rt") as lines:
        for record in csv.reader(lines, skipinitialspace=True):
            if len(record) == len(names) and "?" not in record:
                cells = dict(zip(names, record))
                out.append([cells[name] for name in QUASI])
    program.write("table.csv", as_csv(out, header=",".join(QUASI)))
    program.write("plan.toml", plan)


@pytest.mark.parametrize("k, share", [("2", 0.474), ("5", 0.300)])
def test_fused_adult_shows_people_though_nobody_can_be_guessed(semveil, k, share):
    """Shares counted by hand: these eight columns, ARX's hierarchies, complete records."""
    adult(semveil)
    how = ("--method", "fuse", "--k", k)
    mask(semveil, "--seed", "1", *how)
    found = audit(semveil, "--clusters", "0", *how)
    assert singling(found)["rate"] is None
    people, released = (collections.Counter(semveil.read(f).splitlines()[1:])
                        for f in ("table.csv", "out.csv"))
    by_hand = sum(people[r] == 1 for r in released) / len(released)
    assert by_hand == pytest.approx(share, abs=0.01)
    assert found["one_origin"] == pytest.approx(by_hand, abs=1e-3)
    assert found["one_origin_shuffled"] < found["one_origin"] / 2
    assert [f["id"] for f in found["findings"]].count("one-origin") == 1
    for risk in (found["journalist"], found["linkage"]["own_among_alike"], found["linkage"]["worst"]):
        assert 0 < risk <= 1 / int(k) + 1e-12
