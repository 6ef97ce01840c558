"""One column, several ontologies: a pair is as far apart as in the one where it is closest."""

import itertools
import json

import pytest

PETS = "child,parent\ncat,pet\ndog,pet\npet,thing\nmouse,thing\n"
TECH = "child,parent\nmouse,device\nkeyboard,device\ncat,software\nscreen,device\n"


def table(values):
    return "thing\n" + "".join(value + "\n" for value in values)


PLAN = """seed = "s"
[ontology.pets]
source = "edges:pets.csv"
[ontology.tech]
source = "edges:tech.csv"
[column.thing]
role = "quasi-identifier"
ontology = ["pets", "tech"]
{more}
[mask]
{mask}
"""


@pytest.fixture
def shop(semveil):
    semveil.write("pets.csv", PETS)
    semveil.write("tech.csv", TECH)
    semveil.write("t.csv", table(["cat"] * 6 + ["dog"] * 5 + ["mouse"] * 7 + ["keyboard"] * 4 +
                                 ["screen"] * 3))
    return semveil


def plan(shop, mask, more=""):
    shop.write("p.toml", PLAN.format(mask=mask, more=more))
    return "p.toml"


def single(shop, a, b, ontology, root=None):
    """The distance in one ontology, or None where it does not know both."""
    more = ["--root", root] if root else []
    run = shop.run("distance", a, b, "--ontology", f"edges:{ontology}.csv", "--json", *more)
    return json.loads(run.stdout)["distance"] if run.returncode == 0 else None


def test_distance_is_that_of_the_closest_ontology(shop):
    for a, b in itertools.product(["cat", "dog", "mouse", "keyboard", "screen"], repeat=2):
        both = shop.json("distance", a, b, "--ontology", "edges:pets.csv", "--ontology",
                         "edges:tech.csv")
        known = [d for d in (single(shop, a, b, "pets"), single(shop, a, b, "tech"))
                 if d is not None]
        assert both["distance"] == (min(known) if known else 1), (a, b)
        assert (both["ontology"] is None) == (not known)
    assert shop.json("distance", "dog", "screen", "--ontology", "edges:pets.csv", "--ontology",
                     "edges:tech.csv")["lcs"] is None


def test_a_term_that_no_ontology_knows_is_refused(shop):
    error = shop.fails(1, "distance", "cat", "xyzzy", "--ontology", "edges:pets.csv", "--ontology",
                       "edges:tech.csv")
    assert "xyzzy" in error


def test_pairs_are_answered_line_by_line(shop):
    shop.write("pairs.csv", "a,b\ncat,dog\nmouse,keyboard\ndog,screen\n")
    lines = shop.ok("distance", "--pairs", "pairs.csv", "--ontology", "edges:pets.csv",
                    "--ontology", "edges:tech.csv", "--json").splitlines()
    answers = [json.loads(line) for line in lines]
    assert [a["ontology"] for a in answers] == ["edges:pets.csv", "edges:tech.csv", None]
    assert answers[2]["distance"] == 1


@pytest.mark.parametrize("mask", ['method = "swap"\nk = 3', 'method = "swap"\nalgorithm = "fixed"\nk = 3',
                                  'method = "fuse"\nk = 5', 'method = "recode"\nk = 5',
                                  'method = "random-swap"'])
def test_methods_that_work_with_distances_take_it(shop, mask):
    path = plan(shop, mask)
    result = shop.json("mask", "t.csv", "--plan", path, "-o", "out.csv")
    assert result["columns"]["thing"]["unmapped"] == 0
    before, after = (sorted(shop.read(name).splitlines()[1:]) for name in ("t.csv", "out.csv"))
    assert set(after) <= set(before)
    if "swap" in mask:
        assert after == before
    if "fuse" in mask:
        assert min(after.count(value) for value in set(after)) >= 5
    # What the files show is what mask told.
    audit = shop.json("audit", "t.csv", "out.csv", "--plan", path)
    assert audit["columns"]["thing"]["rmse"] == pytest.approx(result["columns"]["thing"]["rmse"],
                                                              abs=1e-9)
    shop.ok("fit", "t.csv", "--plan", path, "-o", "model")
    shop.ok("apply", "t.csv", "--model", "model", "-o", "again.csv")
    assert shop.read("again.csv") == shop.read("out.csv")


def test_fuse_joins_what_any_ontology_calls_close(shop):
    # keyboard and screen are siblings in tech, cat and dog in pets.
    shop.write("t.csv", table(["cat"] * 3 + ["dog"] * 2 + ["keyboard"] * 3 + ["screen"] * 2))
    shop.ok("mask", "t.csv", "--plan", plan(shop, 'method = "fuse"\nk = 5'), "-o", "out.csv")
    cells = shop.read("out.csv").splitlines()[1:]
    pets, tech = set(cells[:5]), set(cells[5:])
    assert len(pets) == 1 and pets <= {"cat", "dog"}
    assert len(tech) == 1 and tech <= {"keyboard", "screen"}


def test_rmse_is_the_root_mean_square_of_these_distances(shop):
    path = plan(shop, 'method = "random-swap"')
    result = shop.json("mask", "t.csv", "--plan", path, "-o", "out.csv")
    cells = list(zip(*(shop.read(name).splitlines()[1:] for name in ("t.csv", "out.csv"))))
    known = {}
    for a, b in set(cells):
        answer = [d for d in (single(shop, a, b, "pets", "thing"), single(shop, a, b, "tech"))
                  if d is not None]
        known[a, b] = min(answer) if answer else 1
    rmse = (sum(known[pair] ** 2 for pair in cells) / len(cells)) ** 0.5
    assert result["columns"]["thing"]["rmse"] == pytest.approx(rmse, abs=1e-9)


@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.3', 'method = "generalize"\nk = 2',
                                    'method = "microaggregate"\nk = 2', 'method = "naive"',
                                    'method = "probabilistic"'])
def test_methods_that_need_one_taxonomy_refuse_it(shop, method):
    error = shop.fails(1, "mask", "t.csv", "--plan", plan(shop, method), "-o", "out.csv")
    assert "needs one taxonomy" in error and "p.toml:" in error
    assert not (shop.folder / "out.csv").exists()


@pytest.mark.parametrize("more, words", [
    ('root = "pet"', "root belongs to one ontology"),
    ('min_depth = 2', "needs a single ontology"),
    ('via = "xref"', "needs a single ontology"),
    ('write = "label"', "as the data has it"),
])
def test_keys_that_speak_of_one_taxonomy_are_refused(shop, more, words):
    error = shop.fails(1, "mask", "t.csv", "--plan", plan(shop, 'method = "fuse"\nk = 5', more),
                       "-o", "out.csv")
    assert words in error


def test_an_unknown_or_repeated_name_is_refused(shop):
    shop.write("p.toml", PLAN.format(mask='method = "fuse"\nk = 5', more="")
               .replace('"pets", "tech"', '"pets", "teck"'))
    assert "tech" in shop.fails(1, "mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")
    shop.write("p.toml", PLAN.format(mask='method = "fuse"\nk = 5', more="")
               .replace('"pets", "tech"', '"pets", "pets"'))
    assert "twice" in shop.fails(1, "mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")


def test_unmapped_values_follow_the_policy(shop):
    shop.write("t.csv", shop.read("t.csv") + "xyzzy\n")
    path = plan(shop, 'method = "fuse"\nk = 5')
    assert "xyzzy" in shop.fails(1, "mask", "t.csv", "--plan", path, "-o", "out.csv")
    path = plan(shop, 'method = "fuse"\nk = 1', 'unmapped = "suppress"')
    shop.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    assert "xyzzy" not in shop.read("out.csv")


def test_columns_may_have_different_ontologies(shop):
    shop.write("two.csv", "a,b\n" + "cat,mouse\ndog,keyboard\ncat,screen\n" * 4)
    shop.write("p.toml", """seed = "s"
[ontology.pets]
source = "edges:pets.csv"
[ontology.tech]
source = "edges:tech.csv"
[column.a]
role = "quasi-identifier"
ontology = ["tech", "pets"]
[column.b]
role = "quasi-identifier"
ontology = "tech"
[mask]
method = "fuse"
k = 4
""")
    result = shop.json("mask", "two.csv", "--plan", "p.toml", "-o", "out.csv")
    assert result["classes"]["smallest"] >= 4


def test_a_control_changes_nothing_that_is_told_of_the_pair(shop):
    """Its values lie higher up, but have no say in what distances are."""
    path = plan(shop, 'method = "swap"\nk = 3')
    shop.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    shop.write("control.csv", table(["pet", "thing", "device", "cat", "xyzzy", "CAT"] * 3))
    alone, beside = (shop.json("audit", "t.csv", "out.csv", "--plan", path, *more)
                     for more in ([], ["--control", "control.csv"]))
    assert alone["columns"] == beside["columns"]
    assert alone["linkage"] == beside["linkage"]


def test_ontologies_may_share_ids_with_other_meanings(shop):
    """The joined ids of three values are alike; a model keeps them apart."""
    shop.write("one.csv", "child,parent,label\na,r,cat\nb,r,dog\nr,,top\n")
    shop.write("two.csv", "child,parent,label\na,r,dog\nb,r,cat\nr,,top\n")
    shop.write("p.toml", """seed = "s"
[ontology.one]
source = "edges:one.csv"
[ontology.two]
source = "edges:two.csv"
[column.thing]
role = "quasi-identifier"
ontology = ["one", "two"]
[mask]
method = "swap"
k = 2
""")
    shop.write("t.csv", table(["cat", "dog", "a", "b", "top"] * 4))
    shop.ok("mask", "t.csv", "--plan", "p.toml", "-o", "out.csv")
    shop.ok("fit", "t.csv", "--plan", "p.toml", "-o", "model")
    shop.ok("apply", "t.csv", "--model", "model", "-o", "again.csv")
    assert shop.read("again.csv") == shop.read("out.csv")
    assert sorted(shop.read("out.csv").splitlines()) == sorted(shop.read("t.csv").splitlines())


@pytest.mark.parametrize("values", [["cat"], ["xyzzy"]])
@pytest.mark.parametrize("rule", ["suppress", "generalize"])
def test_one_value_or_none_that_is_known(shop, values, rule):
    shop.write("t.csv", table(values * 4 + ["plugh"] * 4))
    path = plan(shop, 'method = "fuse"\nk = 4', f'unmapped = "{rule}"')
    shop.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    shop.ok("fit", "t.csv", "--plan", path, "-o", "model")
    shop.ok("apply", "t.csv", "--model", "model", "-o", "again.csv")
    assert shop.read("again.csv") == shop.read("out.csv")
    written = shop.read("out.csv")
    assert "plugh" not in written and "nothing" not in written


def test_measures_that_are_not_symmetric_say_so(shop):
    path = plan(shop, 'method = "fuse"\nk = 5', 'measure = "tversky"')
    assert "tversky" in shop.ok("mask", "t.csv", "--plan", path, "-o", "out.csv")
    notes = shop.json("audit", "t.csv", "out.csv", "--plan", path)["notes"]
    assert any("both directions" in note for note in notes)


@pytest.mark.parametrize("measure", ["lin", "sanchez", "x-similarity"])
def test_other_measures_serve_as_well(shop, measure):
    path = plan(shop, 'method = "fuse"\nk = 5', f'measure = "{measure}"')
    result = shop.json("mask", "t.csv", "--plan", path, "-o", "out.csv")
    audit = shop.json("audit", "t.csv", "out.csv", "--plan", path)
    assert audit["columns"]["thing"]["rmse"] == pytest.approx(result["columns"]["thing"]["rmse"],
                                                              abs=1e-9)


def test_advice_and_comparison_leave_out_what_needs_one_taxonomy(shop):
    path = plan(shop, 'method = "swap"\nk = 3')
    advice = shop.ok("advise", "t.csv", "--plan", path)
    proposed, left_out = advice.split("Methods left out")
    assert "swap" in proposed and "noise" not in proposed
    assert "noise: it takes one ontology a column, and thing has several" in left_out
    shop.ok("compare", "t.csv", "--plan", path, "--try", "swap k=2,3", "--try", "fuse k=3")


def test_unmapped_values_are_told_with_what_may_be_meant(shop):
    shop.write("t.csv", shop.read("t.csv") + "keybord\n")
    error = shop.fails(1, "mask", "t.csv", "--plan", plan(shop, 'method = "fuse"\nk = 5'), "-o",
                       "out.csv")
    assert "keyboard (keyboard)" in error and "mapping =" not in error


def test_a_part_is_named_behind_the_source_from_any_folder(shop):
    (shop.folder / "plans").mkdir()
    shop.write("plans/p.toml", PLAN.format(mask='method = "fuse"\nk = 5', more="")
               .replace('"edges:pets.csv"', '"edges:../pets.csv?root=thing"')
               .replace('"edges:tech.csv"', '"edges:../tech.csv"'))
    shop.ok("mask", "t.csv", "--plan", "plans/p.toml", "-o", "out.csv")
