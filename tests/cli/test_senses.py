"""Words with several senses: the closest counts, in masking as in `distance`."""

import csv
import io
import itertools
import json
import random
import re

import pytest

WORDS = ["dollar", "money", "bank", "crane", "bat", "mouse", "spring", "plant"]

PLAN = """seed = "s"
[ontology.words]
source = "{source}"
[column.word]
role = "quasi-identifier"
ontology = "words"
{more}
[mask]
{mask}
"""

# bat: an animal or a club; crane: a bird or a machine; seal: an animal or a stamp.
SENSES = """child,parent,label
thing,,thing
animal,thing,animal
tool,thing,tool
bird,animal,bird
bat1,animal,bat
crane1,bird,crane
sparrow,bird,sparrow
seal1,animal,seal
bat2,tool,bat
crane2,tool,crane
hammer,tool,hammer
seal2,tool,seal
stamp,tool,stamp
"""


def table(values):
    return "word\n" + "".join(value + "\n" for value in values)


def put(program, mask, more="", source="wordnet", name="p.toml"):
    program.write(name, PLAN.format(source=source, mask=mask, more=more))
    return name


def rows(program, name):
    return list(csv.DictReader(io.StringIO(program.read(name))))


def distance(program, a, b, *more):
    return program.json("distance", a, b, "--ontology", "wordnet", *more)["distance"]


@pytest.fixture
def words(wordnet):
    wordnet.write("t.csv", table(word for n, word in enumerate(WORDS) for _ in range(2 + n % 3)))
    return wordnet


@pytest.fixture
def zoo(semveil):
    semveil.write("senses.csv", SENSES)
    semveil.write("t.csv", table(["bat"] * 4 + ["crane"] * 3 + ["sparrow"] * 5 + ["hammer"] * 2 +
                                 ["seal"] * 3))
    return semveil


def word_of(program):
    """From what a trace writes, the senses of a word joined by +, back to the word."""
    mapping = program.json("map", "t.csv", "--column", "word", "--ontology", "wordnet")
    return {frozenset(value["senses"]): value["value"] for value in mapping["values"]}


def test_fuse_joins_at_the_similarity_that_distance_tells(words):
    words.ok("mask", "t.csv", "--plan", put(words, 'method = "fuse"\nk = 5'), "-o", "out.csv",
             "--trace", "trace.csv")
    names = word_of(words)
    steps = rows(words, "trace.csv")
    assert steps and any("+" in step["from"] for step in steps)
    for step in steps:
        a, b = (names[frozenset(json.loads(step[side])[0].split("+"))] for side in ("from", "to"))
        assert float(step["similarity"]) == pytest.approx(1 - distance(words, a, b), abs=1e-12)


def test_dollar_and_money_are_close_whatever_else_the_column_speaks_of(words):
    """Among animals and nurses one concept per value joined them at a similarity of 0.308."""
    words.write("t.csv", table(["dollar"] * 2 + ["money"] * 2 + ["lion"] * 30 + ["nurse"] * 30))
    words.ok("mask", "t.csv", "--plan", put(words, 'method = "fuse"\nk = 4'), "-o", "out.csv",
             "--trace", "trace.csv")
    [step] = rows(words, "trace.csv")
    assert float(step["similarity"]) == pytest.approx(7 / 9)
    assert set(words.read("out.csv").splitlines()[1:5]) in ({"dollar"}, {"money"})


@pytest.mark.parametrize("algorithm", ["fixed", "dynamic"])
def test_swap_measures_alike(words, algorithm):
    words.ok("mask", "t.csv", "--plan",
             put(words, f'method = "swap"\nk = 3\nalgorithm = "{algorithm}"'), "-o", "out.csv",
             "--trace", "trace.csv")
    before = words.read("t.csv").splitlines()[1:]
    swaps = [row for row in rows(words, "trace.csv") if row["distance"] and row["partner"]]
    assert swaps
    after = words.read("out.csv").splitlines()[1:]
    told = words.json("audit", "t.csv", "out.csv", "--plan", "p.toml", *words.in_order("t.csv"))
    mean = sum(distance(words, a, b) ** 2 for a, b in zip(before, after)) / len(before)
    assert told["columns"]["word"]["rmse"] == pytest.approx(mean ** 0.5, abs=1e-12)


@pytest.mark.parametrize("mask", ['method = "fuse"\nk = 5', 'method = "recode"\nk = 5',
                                  'method = "swap"\nk = 3', 'method = "random-swap"'])
def test_audit_and_mask_tell_what_distance_tells(words, mask):
    path = put(words, mask)
    result = words.json("mask", "t.csv", "--plan", path, "-o", "out.csv")
    before, after = (words.read(name).splitlines()[1:] for name in ("t.csv", "out.csv"))
    squares = [distance(words, a, b) ** 2 for a, b in zip(before, after)]
    expected = (sum(squares) / len(squares)) ** 0.5
    assert result["columns"]["word"]["rmse"] == pytest.approx(expected, abs=1e-9)
    audit = words.json("audit", "t.csv", "out.csv", "--plan", path, *words.in_order("t.csv"))
    assert audit["columns"]["word"]["rmse"] == pytest.approx(expected, abs=1e-9)
    # And without a word about the method.
    words.write("bare.toml", words.read(path).split("[mask]")[0])
    bare = words.json("audit", "t.csv", "out.csv", "--plan", "bare.toml",
                      *words.in_order("t.csv"))
    assert bare["columns"]["word"]["rmse"] == pytest.approx(expected, abs=1e-9)


def test_an_ontology_named_twice_tells_nothing_else(words):
    mask = 'method = "fuse"\nk = 5'
    words.ok("mask", "t.csv", "--plan", put(words, mask), "-o", "once.csv", "--trace", "once.tr")
    words.write("twice.toml", words.read("p.toml").replace(
        '[column.word]', '[ontology.again]\nsource = "wordnet"\n[column.word]').replace(
            'ontology = "words"', 'ontology = ["words", "again"]'))
    words.ok("mask", "t.csv", "--plan", "twice.toml", "-o", "twice.csv", "--trace", "twice.tr")
    once, twice = ([row["similarity"] for row in rows(words, name)]
                   for name in ("once.tr", "twice.tr"))
    assert once == twice


def test_a_root_is_a_root_for_distances_of_values(words):
    words.write("t.csv", table(["bat"] * 3 + ["crane"] * 3 + ["mouse"] * 3))
    words.ok("mask", "t.csv", "--plan", put(words, 'method = "fuse"\nk = 5', 'root = "animal.n.01"'),
             "-o", "out.csv", "--trace", "trace.csv")
    pairs = itertools.combinations(["bat", "crane", "mouse"], 2)
    known = {round(1 - distance(words, a, b, "--root", "animal.n.01"), 12) for a, b in pairs}
    assert {round(float(row["similarity"]), 12) for row in rows(words, "trace.csv")} <= known


def test_values_with_the_same_senses_are_one_and_others_at_distance_0_are_not(zoo):
    zoo.write("t.csv", table(["bat"] * 3 + ["BAT"] * 2 + ["bat1"] * 2 + ["hammer"] * 5))
    path = put(zoo, 'method = "fuse"\nk = 2', source="edges:senses.csv")
    zoo.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    cells = zoo.read("out.csv").splitlines()[1:]
    assert cells == ["bat"] * 5 + ["bat1"] * 2 + ["hammer"] * 5
    assert zoo.json("distance", "bat", "bat1", "--ontology", "edges:senses.csv")["distance"] == 0
    told = zoo.json("describe", "t.csv", "--plan", path)
    assert told["classes"]["count"] == 3


def test_means_are_concepts(zoo):
    """The values are birds and animals: so is the mean, in describe, mask and audit."""
    path = put(zoo, 'method = "swap"\nk = 3', source="edges:senses.csv")
    described = zoo.json("describe", "t.csv", "--plan", path)["columns"]["word"]
    assert described["mean"]["id"] in {"animal", "bird", "thing"}
    assert described["domain"]["root"]["id"] == "thing" and described["domain"]["concepts"] == 13
    result = zoo.json("mask", "t.csv", "--plan", path, "-o", "out.csv")["columns"]["word"]
    assert result["mean"] == described["mean"]
    audit = zoo.json("audit", "t.csv", "out.csv", "--plan", path, *zoo.in_order("t.csv"))
    assert audit["columns"]["word"]["mean_shift"] == 0
    assert audit["lm"] == 0  # leaves, all of them


def test_cells_that_are_written_as_concepts_are_concepts(zoo):
    path = put(zoo, 'method = "fuse"\nk = 5', 'write = "id"', source="edges:senses.csv")
    result = zoo.json("mask", "t.csv", "--plan", path, "-o", "out.csv", "--trace", "trace.csv")
    assert "+" not in zoo.read("trace.csv")
    audit = zoo.json("audit", "t.csv", "out.csv", "--plan", path, *zoo.in_order("t.csv"))
    assert audit["columns"]["word"]["rmse"] == pytest.approx(result["columns"]["word"]["rmse"],
                                                             abs=1e-9)


@pytest.mark.parametrize("mask", ['method = "fuse"\nk = 5', 'method = "recode"\nk = 5',
                                  'method = "swap"\nk = 3'])
@pytest.mark.parametrize("missing", ["keep", "category"])
def test_a_model_masks_as_mask_does(zoo, mask, missing):
    zoo.write("t.csv", zoo.read("t.csv") + '""\n' * 6)
    path = put(zoo, mask, source="edges:senses.csv")
    zoo.write(path, f'missing = "{missing}"\n' + zoo.read(path))
    zoo.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    zoo.ok("fit", "t.csv", "--plan", path, "-o", "model")
    zoo.ok("apply", "t.csv", "--model", "model", "-o", "again.csv")
    assert zoo.read("again.csv") == zoo.read("out.csv")


def test_a_model_knows_other_spellings_of_its_values(zoo):
    path = put(zoo, 'method = "fuse"\nk = 5', source="edges:senses.csv")
    zoo.ok("fit", "t.csv", "--plan", path, "-o", "model")
    zoo.write("other.csv", zoo.read("t.csv").replace("bat\n", "BAT\n").replace("seal\n", "Seal\n"))
    zoo.ok("apply", "other.csv", "--model", "model", "-o", "other.out")
    zoo.ok("apply", "t.csv", "--model", "model", "-o", "out.csv")
    assert zoo.read("other.out") == zoo.read("out.csv")
    zoo.write("new.csv", zoo.read("t.csv") + "stamp\n" * 5)
    assert "stamp" in zoo.fails(1, "apply", "new.csv", "--model", "model", "-o", "no.csv",
                                "--recheck")


def concepts_in_trace(program, name):
    return [row["value"] for row in rows(program, name)]


@pytest.mark.parametrize("root", ["", "entity.n.01"])
def test_a_word_that_comes_later_means_what_it_would_have_meant(wordnet, root):
    """The rest of the column counts with all its senses, not with those it was settled on."""
    all_words = ["bank", "crane", "bat", "mouse", "spring", "plant", "seal", "mole", "pitcher",
                 "horn", "star", "palm", "bass", "ring", "jam", "club", "iron", "dollar", "entity"]
    more = f'root = "{root}"' if root else ""
    plan = put(wordnet, 'method = "noise"\nalpha = 0.3', more)
    for later in ["mouse", "spring", "star", "bass", "dollar"]:
        seen = [word for word in all_words if word != later]
        wordnet.write("seen.csv", table(seen * 2))
        wordnet.write("all.csv", table(seen * 2 + [later]))
        wordnet.ok("fit", "seen.csv", "--plan", plan, "-o", "model")
        wordnet.ok("apply", "all.csv", "--model", "model", "--release", "r", "-o", "out.csv",
                   "--trace", "later.csv")
        wordnet.ok("mask", "all.csv", "--plan", plan, "-o", "out.csv", "--trace", "fitted.csv")
        assert concepts_in_trace(wordnet, "later.csv")[-1] == \
            concepts_in_trace(wordnet, "fitted.csv")[-1], later


def test_an_audit_with_a_control_of_other_words(zoo):
    path = put(zoo, 'method = "swap"\nk = 3', source="edges:senses.csv")
    zoo.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    zoo.write("control.csv", table(["stamp", "seal", "bird", "xyzzy", "bat2"] * 3))
    alone, beside = (zoo.json("audit", "t.csv", "out.csv", "--plan", path, *zoo.in_order("t.csv"), *more)
                     for more in ([], ["--control", "control.csv"]))
    assert alone["columns"] == beside["columns"]


def test_unmapped_values_become_the_root(zoo):
    zoo.write("t.csv", zoo.read("t.csv") + "xyzzy\n" * 5)
    path = put(zoo, 'method = "fuse"\nk = 5', 'unmapped = "generalize"', source="edges:senses.csv")
    zoo.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    assert zoo.read("out.csv").splitlines()[-5:] == ["thing"] * 5


def test_thousands_of_words_with_several_senses(semveil):
    """There was a limit of 5,000 values; distances are no longer kept."""
    rng = random.Random(1)
    concepts = 10_400
    lines = ["child,parent,label", "c0,,top"]
    # Every word is the label of two concepts, at places that have nothing to do with each other.
    labels = [n // 2 for n in range(2, concepts + 2)]
    rng.shuffle(labels)
    for n in range(1, concepts + 1):
        lines.append(f"c{n},c{rng.randrange((n + 3) // 4)},w{labels[n - 1]}")
    semveil.write("many.csv", "\n".join(lines) + "\n")
    words = [f"w{n}" for n in range(1, concepts // 2 + 1)]
    semveil.write("t.csv", table(words * 2))
    plan = put(semveil, 'method = "swap"\nk = 5\nalgorithm = "fixed"', source="edges:many.csv")
    semveil.ok("mask", "t.csv", "--plan", plan, "-o", "out.csv", "--trace", "trace.csv")
    assert sorted(semveil.read("out.csv").split()) == sorted(semveil.read("t.csv").split())
    twice = put(semveil, 'method = "swap"\nk = 5\nalgorithm = "fixed"', source="edges:many.csv",
                name="twice.toml")
    semveil.write(twice, semveil.read(twice).replace(
        '[column.word]', '[ontology.again]\nsource = "edges:many.csv"\n[column.word]').replace(
            'ontology = "words"', 'ontology = ["words", "again"]'))
    done = semveil.json("mask", "t.csv", "--plan", twice, "-o", "out.csv", "--row-map", "map.csv")
    audited = semveil.json("audit", "t.csv", "out.csv", "--plan", twice, "--row-map", "map.csv",
                           "--no-attacks", "--edition", "steward")["columns"]["word"]
    assert done["columns"]["word"]["rmse"] == pytest.approx(audited["rmse"], abs=1e-9)


def test_comparison_keeps_values_and_concepts_apart(zoo):
    """noise takes concepts, swap values, of one table in one run."""
    path = put(zoo, 'method = "swap"\nk = 3', source="edges:senses.csv")
    zoo.ok("compare", "t.csv", "--plan", path, "--try", "swap k=2,3", "--try", "noise alpha=0.3",
           "--try", "fuse k=3", "--try", "generalize k=3")
    for tried, how in (("swap k=3", 'method = "swap"\nk = 3'),
                       ("noise alpha=0.3", 'method = "noise"\nalpha = 0.3'),
                       ("fuse k=3", 'method = "fuse"\nk = 3')):
        row = zoo.json("compare", "t.csv", "--plan", path, "--try", tried)["releases"][0]
        alone = put(zoo, how, source="edges:senses.csv", name="alone.toml")
        zoo.ok("mask", "t.csv", "--plan", alone, "-o", "out.csv", "--row-map", "map.csv")
        audited = zoo.json("audit", "t.csv", "out.csv", "--plan", alone, "--row-map", "map.csv",
                           "--edition", "steward")["columns"]["word"]
        assert row["loss_parts"]["rmse"] == pytest.approx(audited["rmse"], abs=1e-12), tried
    for keep in ("correlation", "distributions"):
        zoo.ok("advise", "t.csv", "--plan", path, "--keep", keep)


# ---- Named instances ----------------------------------------------------------------------------

def chosen(program, *values):
    program.write("cells.csv", table(values))
    mapped = program.json("map", "cells.csv", "--column", "word", "--ontology", "wordnet")
    return {v["value"]: v["concept"]["id"] for v in mapped["values"]}


def test_an_occupation_is_no_person_of_that_name(wordnet):
    """Fannie Farmer, an expert on cooking, lies nearer to the cook than the farmer does."""
    jobs = ["farmer", "baker", "cook", "cleaner", "teacher", "miner", "carpenter"]
    assert chosen(wordnet, *jobs)["farmer"] == "10078806-n"
    assert chosen(wordnet, "farmer")["farmer"] == "10078806-n"


def test_in_a_column_of_towns_a_town_is_meant(wordnet):
    """Paris is a herb, too, and that is no name of a single thing."""
    assert chosen(wordnet, "Paris", "London", "Madrid", "Vienna")["Paris"] == "08932568-n"


def test_a_word_that_comes_later_is_no_person_either(wordnet):
    plan = put(wordnet, 'method = "noise"\nalpha = 0.3', 'root = "person.n.01"\n')
    wordnet.write("seen.csv", table(["cook", "baker", "miner", "teacher"] * 3))
    wordnet.write("later.csv", table(["farmer"]))
    wordnet.ok("fit", "seen.csv", "--plan", plan, "-o", "m", "--seed", "s", "--quiet")
    wordnet.ok("apply", "later.csv", "--model", "m", "-o", "out.csv", "--release", "x", "--trace", "trace.csv", "--quiet")
    assert "10078806-n" in wordnet.read("trace.csv")


def test_map_shows_the_senses_that_were_taken(wordnet):
    wordnet.write("cells.csv", table(["farmer", "carpenter", "cook", "miner"]))
    shown = wordnet.ok("map", "cells.csv", "--column", "word", "--ontology", "wordnet")
    assert re.search(r"farmer +1 +3 +farmer \(10078806-n\): a person who operates a farm", shown)
    assert "carpenter" not in shown
    less = wordnet.ok("map", "cells.csv", "--column", "word", "--ontology", "wordnet", "--show", "1")
    assert "… 1 more" in less
