"""semveil mask, fit and apply by fuse, recode, generalize and microaggregate: what is promised holds for
what was written, by counting it here once more."""

import collections
import csv
import io
import json
import math

import pytest

from clinic import (IDS, LABELS, LEAVES, ONTOLOGY, PARENT, PLAN, SECOND, as_csv, distance,
                    files, parsed, rows, way_up)

CLASSING = {
    "fuse": 'method = "fuse"',
    "fuse by size": 'method = "fuse"\nguide = "discernibility"',
    "fuse by record": 'method = "fuse"\nguide = "random-record"',
    "fuse by chance": 'method = "fuse"\nguide = "random"\nheuristics = 0',
    "local": 'method = "generalize"',
    "full-domain": 'method = "generalize"\nscope = "full-domain"',
    "suppressing": 'method = "generalize"\nscope = "full-domain"\nsuppression = 0.2',
    "microaggregate": 'method = "microaggregate"',
}
RECODING = {
    "recode": 'method = "recode"',
    "recoding": 'method = "recode"\nalgorithm = "recoding"',
    "recoding to any": 'method = "recode"\nalgorithm = "recoding"\ntarget = "any"',
}
AGED = "patient,diagnosis,second,city,note,age"
AGE = '\n[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n'
CITY = '\n[column.city]\nrole = "quasi-identifier"\n'
NOTE = '\n[column.note]\nrole = "sensitive"\n'
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]


def plan(method, k=3, columns=SECOND, top="", column="", mask=""):
    text = PLAN.replace('method = "noise"\nalpha = 0.5',
                        {**CLASSING, **RECODING}.get(method, method) + f"\nk = {k}\n{mask}")
    return top + text.replace('root = "D"\n', 'root = "D"\n' + column) + columns


def prepare(program, records, text, header="patient,diagnosis,second,city,note"):
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(records, header))
    program.write("plan.toml", text)
    return program


def told(program, *more):
    result = program.json(*MASK, "--seed", "s", *more)
    return result, parsed(program.read("out.csv"))


def classes(table, *names):
    """Records by combination of values; those without any are suppressed."""
    found = collections.Counter(zip(*(table[name] for name in names)))
    return found, found.pop(("",) * len(names), 0)


def aged(count=120):
    return [[*record, str(20 + (i * 7) % 41)] for i, record in enumerate(rows(count))]


EMPTY = '\n[column.city]\nrole = "sensitive"\n'


@pytest.mark.parametrize(("rare", "is_shared"), [("", False), ("city 1", True)])
@pytest.mark.parametrize("top", ['missing = "category"\n', ""])
def test_empty_cells_are_no_shared_secret(semveil, rare, is_shared, top):
    """In the group of burns nobody has a city, or everybody the same; the others differ."""
    records = [[f"p{i}", "Flu", "Flu", f"city {i % 3}", "n"] for i in range(9)]
    records += [[f"q{i}", "Burn", "Burn", rare, "n"] for i in range(4)]
    prepare(semveil, records, plan("fuse", 3, columns=SECOND + EMPTY, top=top))
    for told in (semveil.json(*MASK, "--seed", "s"), semveil.json("audit", "table.csv", "out.csv", "--plan",
                                                                   "plan.toml")):
        shared = [f for f in told["findings"] if f["id"] == "secret-shared"]
        assert [f["figures"] for f in shared] == ([{"classes": 1, "records": 4}] if is_shared else [])


# ---- k ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("k", [2, 5, 20])
@pytest.mark.parametrize("method", CLASSING)
def test_every_combination_has_k_records(semveil, method, k):
    prepare(semveil, rows(150), plan(method, k))
    result, after = told(semveil)
    sizes, suppressed = classes(after, "diagnosis", "second")
    assert sizes and min(sizes.values()) >= k
    assert result["classes"] == {"count": len(sizes), "smallest": min(sizes.values()), "uniques": 0}
    assert result["suppressed"] == suppressed
    before = parsed(semveil.read("table.csv"))
    assert min(classes(before, "diagnosis", "second")[0].values()) < k
    for name in ("patient", "city", "note"):
        assert before[name] == after[name]


@pytest.mark.parametrize("method", RECODING)
def test_recode_gives_every_value_k_records(semveil, method):
    records = rows(90)
    for i, rare in enumerate(LEAVES[:5]):
        records[i][1] = rare
    records = [r for r in records if r[1] in LEAVES[:9]]
    prepare(semveil, records, plan(method, 7))
    result, after = told(semveil)
    for name in ("diagnosis", "second"):
        counts = collections.Counter(after[name])
        assert min(counts.values()) >= 7
        assert set(counts) <= set(LEAVES)
    sizes, _ = classes(after, "diagnosis", "second")
    assert result["classes"]["smallest"] == min(sizes.values())
    text = semveil.ok(*MASK)
    assert "Every value of diagnosis and second has at least 7 records" in " ".join(text.split())


@pytest.mark.parametrize("method", [m for m in CLASSING if m.startswith("fuse")])
def test_a_fused_tuple_was_in_the_table(semveil, method):
    prepare(semveil, rows(150), plan(method, 5))
    before, (_, after) = parsed(semveil.read("table.csv")), told(semveil)
    assert set(zip(after["diagnosis"], after["second"])) <= set(
        zip(before["diagnosis"], before["second"]))


def test_k_of_1_changes_nothing(semveil):
    for method in ("fuse", "recode", "local", "full-domain"):
        prepare(semveil, rows(60), plan(method, 1))
        result, after = told(semveil)
        assert result["changed"] == 0
        assert after["diagnosis"] == parsed(semveil.read("table.csv"))["diagnosis"]


@pytest.mark.parametrize("method", [*CLASSING, *RECODING])
def test_k_beyond_the_records_is_refused(semveil, method):
    prepare(semveil, rows(20), plan(method, 21))
    message = semveil.fails(3, *MASK)
    assert "k = 21" in message and "20 records" in message
    assert "out.csv" not in files(semveil)


@pytest.mark.parametrize("method", [*CLASSING, *RECODING])
def test_k_must_be_said(semveil, method):
    prepare(semveil, rows(20), plan(method).replace("k = 3\n", ""))
    assert "needs k" in semveil.fails(1, *MASK)


@pytest.mark.parametrize("method", [*CLASSING, *RECODING])
def test_the_same_bytes_for_any_threads_batches_and_by_a_model(semveil, method):
    prepare(semveil, rows(150), plan(method, 4, columns=SECOND + NOTE))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    expected = semveil.read("out.csv")
    for more in (["--threads", "2"], ["--threads", "7", "--batch-rows", "3"]):
        semveil.ok(*MASK, "--quiet", "--seed", "s", *more)
        assert semveil.read("out.csv") == expected
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet", "--seed", "s")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert semveil.read("applied.csv") == expected


# ---- Generalisation -----------------------------------------------------------------------------

def test_full_domain_levels_are_depths(semveil):
    """The clinic's values lie at depth 3: level 1 is depth 2, level 2 the root."""
    records = [["p", LEAVES[i % 12], "Flu", "c", str(i)] for i in range(24)]
    prepare(semveil, records, plan("full-domain", 3))
    result, after = told(semveil)
    assert result["generalize"] == {"levels": {"diagnosis": 1, "second": 0}, "suppressed": 0,
                                    "loss": pytest.approx((3 / 11 + 0) / 2)}
    for record, cell in zip(records, after["diagnosis"]):
        assert cell == LABELS[PARENT[IDS[record[1]]]]
    assert set(after["second"]) == {"Flu"}


def test_suppressed_records_keep_their_row_and_lose_their_cells(semveil):
    records = [["p", "Flu", "Flu", "c", f"{i}"] for i in range(30)] + [["p", "Gout", "Cut", "c", "30"]]
    prepare(semveil, records, plan("suppressing", 3, columns=SECOND + NOTE))
    result, after = told(semveil)
    assert result["generalize"]["suppressed"] == result["suppressed"] == 1
    assert result["generalize"]["levels"] == {"diagnosis": 0, "second": 0}
    assert result["generalize"]["loss"] == pytest.approx(1 / 31)
    assert [after[c][30] for c in ("diagnosis", "second", "note")] == ["", "", ""]  # fewer than k
    assert after["patient"][30] == "p" and after["note"][:30] == [str(i) for i in range(30)]
    assert result["records"] == 31 and result["classes"]["count"] == 1


def test_sensitive_cells_of_many_suppressed_records_stay(semveil):
    records = [["p", "Flu", "Flu", "c", f"{i}"] for i in range(30)]
    records += [["p", leaf, other, "c", leaf] for leaf, other in
                (("Gout", "Cut"), ("Burn", "Mumps"), ("Cold", "Asthma"))]
    prepare(semveil, records, plan("suppressing", 3, columns=SECOND + NOTE))
    result, after = told(semveil)
    assert result["suppressed"] == 3
    assert after["note"][30:] == ["Gout", "Burn", "Cold"]
    assert after["diagnosis"][30:] == ["", "", ""]


def test_suppressed_records_are_no_class_of_a_single_column(semveil):
    records = [["p", "Flu", "Gout", "c", ""]] * 12 + [["p", "Cut", "Gout", "c", ""]]
    prepare(semveil, records, plan("suppressing", 3, columns=""))
    result, after = told(semveil)
    assert after["diagnosis"] == ["Flu"] * 12 + [""]
    assert result["suppressed"] == 1
    assert result["classes"] == {"count": 1, "smallest": 12, "uniques": 0}


def test_suppressed_records_lose_every_quasi_identifier(semveil):
    """Also those that are not masked."""
    records = [["p", "Flu", "Gout", "c", ""]] * 12 + [["p", "Cut", "Gout", "town", ""]]
    prepare(semveil, records, plan("suppressing", 3, columns=CITY, mask='columns = ["diagnosis"]\n'))
    _, after = told(semveil, "--partial")
    assert (after["diagnosis"][12], after["city"][12]) == ("", "")
    assert after["city"][:12] == ["c"] * 12


def test_a_recheck_counts_what_is_suppressed_there(semveil):
    singles = [["p", leaf, "Gout", "c", leaf] for leaf in ("Cut", "Burn", "Cold")]
    many = [["p", "Flu", "Gout", "c", "Flu"]] * 12
    apply = ["apply", "later.csv", "--model", "m.model", "-o", "later-out.csv", "--recheck"]
    prepare(semveil, many + singles, plan("suppressing", 3, columns=SECOND + NOTE))
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    semveil.write("later.csv", as_csv(many[:3] + singles[:1]))
    assert "suppress" in semveil.fails(3, *apply)  # one alone would show its note
    semveil.write("later.csv", as_csv(many[:3] + singles * 3))
    assert "9 of 12" in semveil.fails(3, *apply)  # beyond the limit
    assert "later-out.csv" not in files(semveil)
    semveil.write("later.csv", as_csv(many * 2 + singles))
    result = semveil.json(*apply)
    assert result["suppressed"] == 3 and result["generalize"]["loss"] is None


def test_a_snapshot_of_a_hierarchy_has_no_levels(semveil):
    semveil.write("towns.csv", "Ulm;South;*\nMunich;South;*\n")
    semveil.ok("ontology", "snapshot", "vgh:towns.csv", "-o", "towns.svo")
    semveil.write("plan.toml", '[ontology.towns]\nsource = "towns.svo"\n[column.town]\n'
                  'role = "quasi-identifier"\nontology = "towns"\n[mask]\nmethod = "generalize"\n'
                  'scope = "full-domain"\nk = 2\n')
    semveil.write("table.csv", "town\nUlm\nMunich\n")
    assert "vgh:FILE" in semveil.fails(1, *MASK)


def test_local_classes_carry_what_they_have_in_common(semveil):
    prepare(semveil, rows(150), plan("local", 4))
    before, (result, after) = parsed(semveil.read("table.csv")), told(semveil)
    assert result["generalize"]["levels"] is None
    members = collections.defaultdict(list)
    for i, key in enumerate(zip(after["diagnosis"], after["second"])):
        members[key].append(i)
    for (first, second), records in members.items():
        for name, cell in (("diagnosis", first), ("second", second)):
            common = [c for c in way_up(IDS[before[name][records[0]]])
                      if all(c in way_up(IDS[before[name][i]]) for i in records)]
            assert cell == LABELS[common[0]]


def test_a_vgh_has_the_levels_of_its_file(semveil):
    semveil.write("towns.csv", "Ulm;South;*\nMunich;South;*\nKiel;North;*\nLübeck;North;*\nBonn;Bonn;*\n")
    semveil.write("plan.toml", '[ontology.towns]\nsource = "vgh:towns.csv"\n[column.town]\n'
                  'role = "quasi-identifier"\nontology = "towns"\n[mask]\nmethod = "generalize"\n'
                  'scope = "full-domain"\nk = 2\n')
    semveil.write("table.csv", "town\nUlm\nMunich\nKiel\nKiel\nBonn\nBonn\n")
    result, after = told(semveil)
    assert result["generalize"]["levels"] == {"town": 1}
    assert after["town"] == ["South", "South", "North", "North", "Bonn", "Bonn"]
    assert result["generalize"]["loss"] == pytest.approx(4 / 6 * 1 / 4)
    assert result["columns"]["town"]["domain"]["root"]["label"] == "*"


def test_generalize_makes_a_hierarchy_where_none_is_named(semveil):
    for column, name in ((AGE, "age"), (CITY, "city")):
        prepare(semveil, aged(), plan("local", columns=SECOND + column), AGED)
        result, after = told(semveil)
        sizes, _ = classes(after, "diagnosis", "second", name)
        assert result["classes"]["smallest"] == min(sizes.values()) > 1
        assert name in [c for f in result["findings"] if f["id"] == "hierarchy-chosen" for c in f["columns"]]


# ---- Numbers and texts --------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["fuse", "microaggregate"])
def test_numbers_and_texts_form_classes_too(semveil, method):
    prepare(semveil, aged(), plan(method, 4, columns=SECOND + AGE + CITY), AGED)
    before, (result, after) = parsed(semveil.read("table.csv")), told(semveil)
    sizes, _ = classes(after, "diagnosis", "second", "age", "city")
    assert min(sizes.values()) >= 4 and result["classes"]["smallest"] == min(sizes.values())
    assert set(after["city"]) <= set(before["city"])
    if method == "fuse":
        assert set(after["age"]) <= set(before["age"])
    else:
        assert abs(sum(map(int, after["age"])) - sum(map(int, before["age"]))) <= len(before["age"]) / 2


def test_numeric_centroids_are_rounded_half_to_even(semveil):
    semveil.write("plan.toml", AGE + '[mask]\nmethod = "microaggregate"\nk = 2\n')
    for cells, decimals, centroid in ((["1", "2"], "", "2"), (["2", "3"], "", "2"),
                                      (["1.0", "1.5"], "", "1.2"), (["1.0", "1.5"], "decimals = 2\n", "1.25"),
                                      (["0.25", "0.30"], "", "0.28"), (["-1", "-2"], "", "-2"),
                                      (["1e-6", "3e-6"], "", "0.000002"), (["1.5e1", "2e1"], "", "18")):
        semveil.write("plan.toml", AGE + decimals + '[mask]\nmethod = "microaggregate"\nk = 2\n')
        semveil.write("table.csv", "age\n" + "\n".join(cells) + "\n")
        _, after = told(semveil)
        assert after["age"] == [centroid, centroid]


# ---- Missing and unmapped -----------------------------------------------------------------------

@pytest.mark.parametrize("rule", ["keep", "category", "wildcard", "drop-record"])
@pytest.mark.parametrize("method", ["fuse", "local", "full-domain", "microaggregate", "recode"])
def test_missing_cells_follow_the_rule(semveil, method, rule):
    records = rows(150)
    for i in range(0, 150, 11):
        records[i][1] = ""
    prepare(semveil, records, plan(method, 4, top=f'missing = "{rule}"\n'))
    result, after = told(semveil)
    dropped = 14 if rule == "drop-record" else 0
    assert len(after["diagnosis"]) == 150 - dropped and result["dropped_records"] == dropped
    counts = collections.Counter(zip(after["diagnosis"], after["second"]))
    if method != "recode":
        assert min(counts.values()) >= 4
        return
    assert min(collections.Counter(filter(None, after["diagnosis"])).values()) >= 4
    if rule in ("keep", "wildcard"):  # they take no part
        before = parsed(semveil.read("table.csv"))
        assert [c == "" for c in before["diagnosis"]] == [c == "" for c in after["diagnosis"]]


def test_wildcards_are_told_as_such(semveil):
    """Three records with a gap match the three others, and these match them."""
    records = [["p", "Flu", "Gout", "c", ""]] * 3 + [["p", "", "Gout", "c", ""]] * 3
    prepare(semveil, records, plan("fuse", 3, top='missing = "wildcard"\n'))
    result, _ = told(semveil)
    assert result["classes"]["smallest"] == 6
    prepare(semveil, records[2:4], plan("fuse", 2, top='missing = "wildcard"\n'))
    assert semveil.json("describe", "table.csv", "--plan", "plan.toml")["classes"]["smallest"] == 2


@pytest.mark.parametrize("method", ["fuse", "microaggregate"])
def test_missing_numbers_and_texts_may_be_a_category(semveil, method):
    records = aged()
    for i in range(0, 120, 9):
        records[i][3] = records[i][5] = ""
    prepare(semveil, records,
            plan(method, 4, columns=SECOND + AGE + CITY, top='missing = "category"\n'), AGED)
    _, after = told(semveil)
    sizes = collections.Counter(zip(*(after[c] for c in ("diagnosis", "second", "age", "city"))))
    assert min(sizes.values()) >= 4


def test_missing_sensitive_cells_count_as_the_rule_says(semveil):
    """Of numbers, texts and words alike: a category is one more value."""
    for kind, (a, b) in (("", ("x", "y")), ('type = "numeric"\n', ("5", "7")),
                         ('ontology = "disease"\n', ("Flu", "Cold"))):
        records = [["p", "Flu", "Gout", "c", value] for value in (a, a, a, "", "")]
        column = f'\n[column.note]\nrole = "sensitive"\n{kind}demand = {{l = 2}}\n'
        for rule in ("keep", "category"):
            prepare(semveil, records, plan("fuse", 3, columns=SECOND + column,
                                           top=f'missing = "{rule}"\n'))
            if rule == "keep":
                assert "note" in semveil.fails(3, *MASK)
            else:
                semveil.ok(*MASK, "--quiet")


def test_left_out_records_are_not_counted(semveil):
    records = [["p", cell, "Gout", "c", ""] for cell in ["Flu"] * 3 + ["warp core"] * 3 + [""] * 4]
    prepare(semveil, records, plan("fuse", 3, column='unmapped = "suppress"\n', columns="",
                                   top='missing = "drop-record"\n'))
    result, after = told(semveil)
    assert after["diagnosis"] == ["Flu"] * 3 + [""] * 3
    # Unknown texts that were emptied are no cells, as in an audit.
    assert result["columns"]["diagnosis"]["cells"] == 3
    assert result["columns"]["diagnosis"]["unmapped_cells"]["suppressed"] == 3


def test_a_value_without_a_meaning_is_in_a_class(semveil):
    records = rows(100)
    records[5][1] = records[9][1] = "warp core"
    prepare(semveil, records, plan("fuse", 4))
    assert "warp core" in semveil.fails(1, *MASK)
    for rule in ("suppress", "generalize"):
        semveil.write("plan.toml", plan("fuse", 4, column=f'unmapped = "{rule}"\n'))
        result, after = told(semveil)
        assert "warp core" not in semveil.read("out.csv")
        assert min(collections.Counter(zip(after["diagnosis"], after["second"])).values()) >= 4
        unmapped = result["columns"]["diagnosis"]["unmapped_cells"]
        assert unmapped["suppressed"] == [after["diagnosis"][i] for i in (5, 9)].count("")
        assert unmapped["generalized"] == (2 if rule == "generalize" else 0)
        semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet", "--seed", "s")
        semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
        assert semveil.read("applied.csv") == semveil.read("out.csv")
    semveil.write("plan.toml", plan("fuse", 4, column='unmapped = "keep"\n'))
    assert "keep" in semveil.fails(1, *MASK)


# ---- Demands ------------------------------------------------------------------------------------

def demanding(method, demand, k=3):
    return plan(method, k, columns=SECOND + f'\n[column.city]\nrole = "sensitive"\ndemand = {demand}\n')


def sensitive_by_class(after):
    members = collections.defaultdict(collections.Counter)
    for first, second, city in zip(after["diagnosis"], after["second"], after["city"]):
        if first or second:
            members[first, second][city] += 1
    return [sorted(c.values(), reverse=True) for c in members.values()], members


@pytest.mark.parametrize("method", ["fuse", "local", "full-domain", "suppressing", "microaggregate"])
def test_demands_are_met(semveil, method):
    records = rows(150)
    for i, record in enumerate(records):
        record[3] = f"city {min(i % 7, 3)}"
    for demand in ("{l = 3}", "{p = 2}", '{l = 2.5, kind = "entropy"}',
                   '{l = 2, kind = "recursive", c = 3}', "{t = 0.3}"):
        prepare(semveil, records, demanding(method, demand))
        result, after = told(semveil)
        counts, members = sensitive_by_class(after)
        figures = result["privacy"]["sensitive"]["city"]
        whole = collections.Counter(r[3] for r in records)
        for sizes, values in zip(counts, members.values()):
            total = sum(sizes)
            assert total >= 3
            if demand == "{l = 3}":
                assert len(sizes) >= 3 and figures["l"] >= 3
            if demand == "{p = 2}":
                assert len(sizes) >= 2
            if "entropy" in demand:
                assert math.exp(-sum(n / total * math.log(n / total) for n in sizes)) >= 2.5 - 1e-9
            if "recursive" in demand:
                assert sizes[0] < 3 * sum(sizes[1:])
            if "t =" in demand:
                variation = sum(abs(values[c] / total - whole[c] / len(records)) for c in whole) / 2
                assert variation <= 0.3 + 1e-9 and figures["t"] <= 0.3 + 1e-9


@pytest.mark.parametrize("method", ["fuse", "local", "full-domain", "microaggregate"])
def test_what_cannot_be_met_is_refused(semveil, method):
    prepare(semveil, rows(100), demanding(method, "{l = 6}"))  # there are 5 cities
    message = semveil.fails(3, *MASK)
    assert "city" in message and "5" in message
    assert "out.csv" not in files(semveil)


def test_recode_refuses_demands(semveil):
    prepare(semveil, rows(100), demanding("recode", "{l = 2}"))
    assert "city" in semveil.fails(1, *MASK)


# ---- Quasi-identifiers that are left out --------------------------------------------------------

@pytest.mark.parametrize("method", ["fuse", "local", "full-domain", "microaggregate"])
def test_no_quasi_identifier_may_be_left_out(semveil, method):
    prepare(semveil, rows(100), plan(method, 4, mask='columns = ["diagnosis"]\n'))
    message = semveil.fails(3, *MASK)
    assert "second" in message and "partial" in message
    result, after = told(semveil, "--partial")
    assert min(collections.Counter(after["diagnosis"]).values()) >= 4
    sizes, _ = classes(after, "diagnosis", "second")
    assert result["classes"]["smallest"] == min(sizes.values())
    text = semveil.ok(*MASK, "--partial")
    assert text.index("Classes over all quasi-identifiers") < text.index("Promised and verified")


# ---- Models -------------------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["fuse", "recode", "local", "full-domain", "microaggregate"])
def test_another_table_is_masked_only_if_the_promise_holds(semveil, method):
    records = rows(150)
    prepare(semveil, records, plan(method, 4))
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    apply = ["apply", "later.csv", "--model", "m.model", "-o", "later-out.csv"]
    semveil.write("later.csv", as_csv(records[::-1]))
    semveil.ok(*apply, "--quiet")  # the same counts
    semveil.write("later.csv", as_csv(records * 2))
    assert "--recheck" in semveil.fails(3, *apply)
    semveil.ok(*apply, "--quiet", "--recheck")
    after = parsed(semveil.read("later-out.csv"))
    columns = [after["diagnosis"]] if method == "recode" else [after["diagnosis"], after["second"]]
    assert min(collections.Counter(zip(*columns)).values()) >= 4
    semveil.write("later.csv", as_csv(records[:20]))
    (semveil.folder / "later-out.csv").unlink()
    assert "k = 4" in semveil.fails(3, *apply, "--recheck")
    assert "later-out.csv" not in files(semveil)


def test_a_stream_cannot_be_classed(semveil):
    prepare(semveil, rows(60), plan("fuse", 3))
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    done = semveil.run("apply", "-", "--model", "m.model", stdin=semveil.read("table.csv"))
    assert done.returncode == 2 and done.stdout == "" and "stream" in done.stderr


# ---- Traces -------------------------------------------------------------------------------------

def test_the_trace_of_fuse_leads_from_before_to_after(semveil):
    prepare(semveil, rows(150), plan("fuse", 5))
    told(semveil, "--trace", "trace.csv")
    before, after = parsed(semveil.read("table.csv")), parsed(semveil.read("out.csv"))
    lines = list(csv.DictReader(io.StringIO(semveil.read("trace.csv"))))
    assert list(lines[0]) == ["step", "size", "partner_size", "similarity", "from", "to"]
    groups = collections.Counter((IDS[a], IDS[b]) for a, b in zip(before["diagnosis"], before["second"]))
    now = {pair: pair for pair in groups}
    for i, line in enumerate(lines):
        first, second = tuple(json.loads(line["from"])), tuple(json.loads(line["to"]))
        assert int(line["step"]) == i and int(line["size"]) == groups[first] < 5
        assert int(line["partner_size"]) == groups[second]
        similarity = 1 - sum(distance(a, b) for a, b in zip(first, second)) / 2
        assert float(line["similarity"]) == pytest.approx(similarity)
        best = max(1 - sum(distance(a, b) for a, b in zip(first, other)) / 2
                   for other in groups if other != first)
        assert similarity == pytest.approx(best)
        assert groups[first] == min(groups.values())  # H1
        groups[second] += groups.pop(first)
        now = {pair: second if to == first else to for pair, to in now.items()}
    assert min(groups.values()) >= 5
    for a, b, c, d in zip(before["diagnosis"], before["second"], after["diagnosis"], after["second"]):
        assert now[IDS[a], IDS[b]] == (IDS[c], IDS[d])


def test_recode_has_a_trace_and_generalize_none(semveil):
    prepare(semveil, rows(60), plan("recode", 9))
    told(semveil, "--trace", "trace.csv")
    lines = list(csv.DictReader(io.StringIO(semveil.read("trace.csv"))))
    assert lines and all(len(json.loads(line["from"])) == 1 for line in lines)
    prepare(semveil, rows(60), plan("local", 9))
    assert "no trace" in semveil.fails(2, *MASK, "--trace", "trace.csv")
