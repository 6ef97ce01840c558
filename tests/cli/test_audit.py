"""semveil audit: figures of any pair of tables, against slow counterparts and what mask itself tells."""

import collections
import csv
import io
import itertools
import math
import random
import re

import pytest

from clinic import IDS, LEAVES, ONTOLOGY, PLAN, SECOND, as_csv, class_sizes, distance, files, mask
from clinic import mean, parsed, prepare, rows

TWO = PLAN + SECOND
SENSITIVE = '\n[column.city]\nrole = "sensitive"\n'


def audit(program, *more, original="table.csv", masked="out.csv", plan="plan.toml"):
    return program.json("audit", original, masked, "--plan", plan, *more)


def steward(program, *more, **how):
    return audit(program, "--edition", "steward", *more, **how)


@pytest.fixture
def clinic(semveil):
    """Two diagnoses that are masked, and a city that is sensitive."""
    return prepare(semveil, plan=TWO + SENSITIVE)


def unmasked(program):
    program.write("out.csv", program.read("table.csv"))


def tuples(text, columns=("diagnosis", "second")):
    return list(zip(*(parsed(text)[c] for c in columns)))


def record_distance(a, b):
    return sum(distance(IDS[x], IDS[y]) for x, y in zip(a, b)) / len(a)


# ---- Against slow counterparts ------------------------------------------------------------------

def test_columns_as_their_definitions_say(clinic):
    mask(clinic)
    before, after = (parsed(clinic.read(f)) for f in ("table.csv", "out.csv"))
    found = steward(clinic)
    assert found["records_original"] == found["records_masked"] == found["paired"] == 200
    assert found["pairing"] == "position"
    for name in ("diagnosis", "second"):
        column = found["columns"][name]
        was, now = [IDS[v] for v in before[name]], [IDS[v] for v in after[name]]
        moved = [distance(x, z) for x, z in zip(was, now)]
        assert column["rmse"] == pytest.approx(math.sqrt(sum(d * d for d in moved) / 200), abs=1e-9)
        assert column["mean_distance"] == pytest.approx(sum(moved) / 200, abs=1e-9)
        assert column["semantic_quality"] == pytest.approx(1 - sum(moved) / 200, abs=1e-9)
        assert column["unchanged"] == sum(x == z for x, z in zip(was, now)) / 200
        assert column["mean_shift"] == pytest.approx(distance(mean(was), mean(now)), abs=1e-9)
        assert column["mean_original"]["id"] == mean(was)
        assert column["mean_masked"]["id"] == mean(now)
        shares = {v: (was.count(v), now.count(v)) for v in set(was + now)}
        variation = sum(abs(p - q) for p, q in shares.values()) / 400
        assert column["total_variation"] == pytest.approx(variation, abs=1e-9)
        affinity = sum(math.sqrt(p * q) for p, q in shares.values()) / 200
        assert column["hellinger"] == pytest.approx(math.sqrt(max(0, 1 - affinity)), abs=1e-7)
        assert sum(column["distances"]) == 200
        expected = collections.Counter(min(19, int(d * 20 + 1e-9)) for d in moved)
        assert column["distances"] == [expected[i] for i in range(20)]


def test_public_figures_have_three_digits_in_texts_too(clinic):
    """Four would end in a digit that says nothing; a steward is told the figures that mask tells."""
    told = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    audit = ("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--no-attacks")
    about = re.findall(r"≈(0\.0*([1-9]\d*)?)", clinic.ok(*audit))
    assert len(about) > 4 and all(len(digits) == 3 for _, digits in about)
    variance = re.findall(r"variance +(0\.\d{4}) +(0\.\d{4})", told)
    shown = clinic.ok(*audit, "--edition", "steward")
    assert len(variance) == 2 and all(re.search(rf"{before} +{after}", shown) for before, after in variance)


def test_figures_are_those_that_mask_tells(clinic):
    told = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    found = steward(clinic)
    for name in ("diagnosis", "second"):
        for key in ("rmse", "target_rmse"):
            expected = told["columns"][name][key]
            assert found["columns"][name][key] == pytest.approx(expected, rel=1e-9)
        assert found["columns"][name]["variance_masked"] == pytest.approx(
            told["columns"][name]["variance"], rel=1e-12)
    pairs = {(p["a"], p["b"]): p for p in found["pairs"]}
    for pair in told["pairs"]:
        assert pairs[pair["a"], pair["b"]]["correlation_masked"] == pytest.approx(
            pair["distance_correlation"], abs=1e-12)
    assert found["privacy"] == told["privacy"]
    assert found["classes"]["count"] == told["classes"]["count"]
    assert found["classes"]["smallest"] == told["classes"]["smallest"]


def test_semantic_linkage_shares_ties(clinic):
    mask(clinic)
    before, after = tuples(clinic.read("table.csv")), tuples(clinic.read("out.csv"))

    def linked(held, looked_up):
        """P of each record, by combination of those that are held."""
        out = collections.defaultdict(list)
        for mine, own in zip(held, looked_up):
            away = [round(record_distance(mine, other), 9) for other in looked_up]
            found = round(record_distance(mine, own), 9) == min(away)
            out[mine].append(1 / away.count(min(away)) if found else 0)
        return out

    def surest(links):
        return max(sum(each) / len(each) for each in links.values())

    links = linked(after, before)
    found = audit(clinic)["linkage"]
    assert found["semantic"] == pytest.approx(sum(map(sum, links.values())) / len(before), abs=1e-12)
    assert found["worst"] == pytest.approx(max(surest(links), surest(linked(before, after))), abs=1e-12)
    kept = sum(1 / before.count(t) for t, z in zip(before, after) if t == z)
    assert found["equality"] == pytest.approx(kept / len(before), abs=1e-12)
    assert found["baseline"] == 1 / 200


def test_an_unmasked_table_scores_its_true_uniqueness(clinic):
    unmasked(clinic)
    before = tuples(clinic.read("table.csv"))
    sizes = class_sizes(*zip(*before))
    found = audit(clinic)
    by_name = {a["name"]: a for a in found["attacks"]}
    assert found["linkage"]["semantic"] == pytest.approx(len(sizes) / len(before), abs=1e-12)
    assert by_name["singling-out"]["guesses"] == sizes.count(1)
    assert by_name["singling-out"]["rate"] == (1 if 1 in sizes else None)
    assert by_name["linkability"]["rate"] == pytest.approx(len(sizes) / len(before), abs=1e-12)
    assert found["classes"]["prosecutor"] == 1 / min(sizes)
    assert found["classes"]["marketer"] == pytest.approx(len(sizes) / len(before))
    assert found["semantic_quality"] == 1 and found["partition_distance"] == 0
    assert found["columns"]["diagnosis"]["rmse"] == 0
    assert sorted(found["unmasked"]) == ["city", "diagnosis", "note", "patient", "second"]


def test_a_release_that_the_plan_did_not_make_is_told(clinic):
    """Nothing was masked, whatever the plan says: its channel would be a lie."""
    unmasked(clinic)
    found = audit(clinic)
    assert {c["how"] for c in found["channels"]} <= {"observed"}
    assert any("DOES NOT COME FROM THE PLAN'S METHOD" in note for note in found["notes"])
    assert sum("IS NOT MASKED" in note for note in found["notes"]) == 2
    mask(clinic)
    found = audit(clinic)
    assert {c["how"] for c in found["channels"]} == {"exact"} and not found["notes"]


def test_identifiers_that_are_still_there_are_told(clinic):
    clinic.write("plan.toml", TWO + '[column.patient]\nrole = "identifier"\n')
    mask(clinic)
    assert audit(clinic)["identifiers"] == []
    unmasked(clinic)
    found = audit(clinic)
    assert found["identifiers"] == ["patient"]
    assert any("patient IDENTIFIES PEOPLE" in note for note in found["notes"])


def test_independently_shuffled_columns_score_about_nothing(clinic):
    columns = parsed(clinic.read("table.csv"))
    shuffle = random.Random(5)
    for name in ("diagnosis", "second", "city"):
        shuffle.shuffle(columns[name])
    clinic.write("out.csv", as_csv(list(map(list, zip(*columns.values())))))
    found = audit(clinic)
    # 200 records in at most 144 classes: a right guess by chance has a probability of about 1/200.
    assert found["linkage"]["semantic"] < 0.03
    for attack in found["attacks"]:
        if attack["name"] == "singling-out":  # few guesses: what an interval says of them
            assert attack["rate"] is None or attack["risk_interval"][0] == 0, attack
        else:
            assert attack["risk"] < 0.1, attack
    assert found["columns"]["diagnosis"]["total_variation"] == 0


def test_classes_and_journalist(clinic):
    mask(clinic, "--method", "fuse", "--k", "5")
    released = tuples(clinic.read("out.csv"))
    original = tuples(clinic.read("table.csv"))
    sizes = class_sizes(*zip(*released))
    # Exact: beside a figure of the original the public edition rounds the release's, too.
    found = steward(clinic, "--method", "fuse", "--k", "5")
    assert found["classes"]["smallest"] == min(sizes) >= 5
    assert found["classes"]["uniques"] == 0
    assert found["discernibility"] == sum(s * s for s in sizes)
    assert found["c_avg"] == pytest.approx(200 / len(sizes) / 5)
    own = collections.Counter(r for x, r in zip(original, released) if x == r)
    chances = [own[t] / (released.count(t) * original.count(t)) for t in set(released)]
    assert found["journalist"] == pytest.approx(max(chances)) and max(chances) <= 1 / 5


def test_a_masked_table_of_anybody(clinic):
    """Generalised by hand, with texts that mean nothing, empty cells and another order of columns."""
    columns = parsed(clinic.read("table.csv"))
    parents = {v: "Infection" if IDS[v].startswith("D1") else v for v in LEAVES}
    columns["diagnosis"] = [parents[v] for v in columns["diagnosis"]]
    columns["second"] = ["" if i % 10 == 0 else "?" if i % 10 == 1 else v
                         for i, v in enumerate(columns["second"])]
    names = ["note", "second", "city", "diagnosis"]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows(zip(*(columns[n] for n in names)))
    clinic.write("out.csv", out.getvalue())
    found = audit(clinic)
    second = found["columns"]["second"]
    assert (second["missing_masked"], second["unmapped_masked"], second["left_unmapped"]) == (20, 20, 0)
    assert found["lm"] > found["lm_original"] == 0
    diagnosis = parsed(clinic.read("table.csv"))["diagnosis"]
    moved = [distance(IDS[v], IDS[parents[v]]) for v in diagnosis]
    assert found["columns"]["diagnosis"]["rmse"] == pytest.approx(
        math.sqrt(sum(d * d for d in moved) / 200))


def test_texts_that_left_as_they_were_are_counted(clinic):
    table = clinic.read("table.csv").splitlines()
    table[1] = "p0,Xyzzy,Flu,city 0,000"
    clinic.write("table.csv", "\n".join(table) + "\n")
    unmasked(clinic)
    found = audit(clinic)
    assert found["columns"]["diagnosis"]["left_unmapped"] == 1
    text = clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    assert "1 released record shows" in " ".join(text.split()) and "Xyzzy" not in text


# ---- Which records belong together --------------------------------------------------------------

def test_records_are_paired_by_key_and_row_map_alike(clinic):
    clinic.write("plan.toml", TWO + SENSITIVE)
    plain = mask(clinic, "--seed", "s")
    found = steward(clinic)
    lines = plain.splitlines()
    mixed = lines[1:]
    random.Random(3).shuffle(mixed)
    clinic.write("mixed.csv", "\n".join([lines[0]] + mixed[:150]) + "\n")
    by_key = steward(clinic, "--key", "note", masked="mixed.csv")
    assert by_key["pairing"] == "key" and by_key["paired"] == 150
    where = {line: i for i, line in enumerate(lines[1:])}
    clinic.write("map.csv", "output_row,input_row\n" + "".join(
        f"{i},{where[line]}\n" for i, line in enumerate(mixed[:150])))
    by_map = steward(clinic, "--row-map", "map.csv", masked="mixed.csv")
    assert by_map["pairing"] == "row-map"
    assert by_map["columns"] == by_key["columns"] and by_map["linkage"] == by_key["linkage"]
    whole = "\n".join([lines[0]] + mixed + lines[1:0]) + "\n"
    clinic.write("mixed.csv", whole)
    all_by_key = steward(clinic, "--key", "note", masked="mixed.csv")
    assert all_by_key["columns"] == found["columns"]
    assert all_by_key["attacks"] == found["attacks"]


@pytest.mark.parametrize("batch", ["0", "7"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_row_map_of_mask_undoes_its_shuffling(clinic, form, batch):
    table = clinic.read("table.csv").splitlines()
    table[3] = table[3].replace(table[3].split(",")[1], "", 1)  # a record that is left out
    clinic.write("table.csv", "\n".join(table) + "\n")
    clinic.write("plan.toml", 'shuffle = true\nmissing = "drop-record"\nundeclared = "keep"\n' + TWO)
    out = "out." + form
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", out, "--row-map", "rows.csv",
              "--quiet", "--batch-rows", batch)
    assert (clinic.folder / "rows.csv").stat().st_mode & 0o777 == 0o600
    by_map = steward(clinic, "--row-map", "rows.csv", masked=out)
    by_key = steward(clinic, "--key", "note", masked=out)
    assert by_map["paired"] == 199
    assert by_map["columns"] == by_key["columns"]
    unpaired = steward(clinic, masked=out)
    assert unpaired["pairing"] == "none" and "row map" in unpaired["unpaired_why"]
    assert unpaired["columns"]["diagnosis"]["rmse"] is None
    # In public it is left out where the key leaves few values out of the release.
    whole = steward(clinic, masked=out)
    assert whole["columns"]["diagnosis"]["total_variation"] is not None
    assert whole["pairing"] == "none" and "200" in whole["unpaired_why"]
    assert unpaired["linkage"]["semantic"] is None
    assert unpaired["lm"] is not None
    assert unpaired["classes"]["count"] == by_map["classes"]["count"]


@pytest.mark.parametrize("content, told", [
    ("output_row,input_row\n0,0\n", "row 1 of the released table is not in the row map"),
    ("output_row,input_row\n" + "0,0\n0,1\n", "row 0 comes twice"),
    ("output_row,input_row\n0,0\n1,0\n", "row 0 of the original comes twice"),
    ("output_row,input_row\n0,200\n", "the original table has no row 200"),
    ("output_row,input_row\n200,0\n", "the released table has no row 200"),
    ("output_row,input_row\nx,0\n", "a row is not a number"),
])
def test_a_wrong_row_map_is_refused(clinic, content, told):
    mask(clinic)
    clinic.write("map.csv", content)
    message = clinic.fails(1, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--row-map",
                           "map.csv", "--report", "report.html")
    assert told in message and "map.csv" in message
    assert "report.html" not in files(clinic)


def test_keys_must_tell_records_apart(clinic):
    mask(clinic)
    twice = clinic.fails(1, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--key", "city")
    assert "table.csv:2" in twice and "same key" in twice and "city" in twice and "--row-map" in twice
    none = clinic.fails(1, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--key", "nope")
    assert "nope" in none


# ---- Control ------------------------------------------------------------------------------------

def test_a_control_group_tells_what_would_be_guessed_anyway(semveil):
    semveil.write("disease.csv", ONTOLOGY)
    everybody = rows(400)
    semveil.write("table.csv", as_csv(everybody[:200]))
    semveil.write("others.csv", as_csv(everybody[200:]))
    semveil.write("plan.toml", TWO + SENSITIVE)
    unmasked(semveil)
    found = audit(semveil, "--control", "others.csv")
    assert found["control"] is True
    for attack in found["attacks"]:
        if attack["rate"] is None:
            continue
        assert attack["control"] is not None
        c = attack["control"]
        assert attack["risk"] == pytest.approx(max(0, (attack["rate"] - c) / (1 - c)), abs=1e-9)
        low, high = attack["risk_interval"]
        assert low <= attack["risk"] <= high
    assert audit(semveil)["control"] is False


# ---- Channels -----------------------------------------------------------------------------------

def test_the_channel_of_baselines_tells_nothing(clinic):
    for method in ("naive", "probabilistic"):
        mask(clinic, "--method", method)
        found = audit(clinic, "--method", method)
        for channel in found["channels"]:
            if len(channel["columns"]) > 1:
                continue
            assert channel["how"] == "exact"
            assert channel["vulnerability"] == pytest.approx(channel["prior"], rel=2e-3)
            assert channel["leakage"] == pytest.approx(0, abs=1e-9)


def test_the_channel_of_a_swap_is_its_flow(clinic):
    how = ("--method", "swap", "--k", "5")
    mask(clinic, *how)
    before, after = (parsed(clinic.read(f))["diagnosis"] for f in ("table.csv", "out.csv"))
    flow = collections.Counter(zip(before, after))
    guess = sum(max(c for (x, z), c in flow.items() if z == released) for released in set(after))
    found = next(c for c in steward(clinic, *how)["channels"] if c["columns"] == ["diagnosis"])
    assert found["how"] == "observed"
    assert found["vulnerability"] == pytest.approx(guess / 200)
    assert found["prior"] == pytest.approx(max(collections.Counter(before).values()) / 200)
    own = sum(c * c / after.count(z) for (x, z), c in flow.items())
    assert found["expected"] == pytest.approx(own / 200)


def test_sets_are_audited(semveil):
    semveil.write("disease.csv", ONTOLOGY)
    semveil.write("table.csv", as_csv(rows(300)))
    categories = {}
    for label in LEAVES:
        categories.setdefault(IDS[label][:2], []).append(label)
    semveil.write("d.categories", "".join(", ".join(v) + "\n" for v in categories.values()))
    semveil.write("plan.toml", PLAN.replace("quasi-identifier", "sensitive").replace(
        'method = "noise"\nalpha = 0.5', 'method = "ean"\ncategories = "d.categories"\nl = 3'))
    expected = None
    for form in ("joined", "list", "columns"):
        told = semveil.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed",
                            "s", "--sets", form)
        found = audit(semveil, "--sets", form)
        assert found["category_diversity"] == 3
        assert found["columns"]["diagnosis"]["information_loss"] == pytest.approx(2 / 3)
        assert found["columns"]["diagnosis"]["distinct_original"] == len(LEAVES)
        assert found["columns"]["diagnosis"]["distinct_masked"] == len(LEAVES)
        assert "privacy" in found
        channel = found["channels"][0]
        assert channel["columns"] == ["diagnosis"]
        assert expected is None or channel == expected
        expected = channel
        assert told["columns"]["diagnosis"] is not None


# ---- Editions -----------------------------------------------------------------------------------

def test_the_public_edition_shows_no_value_that_the_release_lacks(clinic):
    columns = parsed(clinic.read("table.csv"))
    columns["diagnosis"] = ["Infection"] * 200
    columns["second"] = ["Injury"] * 200
    clinic.write("out.csv", as_csv(list(map(list, zip(*columns.values())))))
    shown = clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--json")
    for leaf in LEAVES:
        assert leaf not in shown
    assert "Infection" in shown
    kept = clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--json", "--edition",
                     "steward")
    assert any(leaf in kept for leaf in LEAVES)


def test_1000_planted_values_are_nowhere(semveil):
    """Values of the original that the release does not contain: in no output but the steward's."""
    canaries = [f"Canary{i:04}x{i * 7919 % 1000:03}" for i in range(1000)]
    semveil.write("birds.csv", "child,parent,label\nB,,Bird\nS,B,Singer\nW,B,Wader\n" + "".join(
        f"{c},{'SW'[i % 2]},{c}\n" for i, c in enumerate(canaries)))
    semveil.write("table.csv", "bird,place,ring\n" + "".join(
        f"{c},{'north' if i % 3 else 'south'},r{i}\n" for i, c in enumerate(canaries)))
    semveil.write("plan.toml", """
[ontology.birds]
source = "edges:birds.csv"
[column.bird]
role = "quasi-identifier"
ontology = "birds"
root = "B"
[column.place]
role = "sensitive"
[column.ring]
role = "identifier"
[mask]
method = "generalize"
k = 50
""")
    shown = {}
    semveil.ok("ontology", "info", "edges:birds.csv")
    done = semveil.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.parquet", "--report",
                       "report.html")
    assert done.returncode == 0
    shown["mask"] = done.stdout + done.stderr
    for what in (("--json",), (), ("--report", "audit.html")):
        done = semveil.run("audit", "table.csv", "out.parquet", "--plan", "plan.toml", *what)
        assert done.returncode == 0, done.stderr
        shown["audit " + " ".join(what)] = done.stdout + done.stderr
    for name in ("out.parquet", "report.html", "audit.html"):
        shown[name] = (semveil.folder / name).read_bytes().decode("latin-1")
    compare = semveil.run("compare", "table.csv", "--plan", "plan.toml", "--try",
                          "generalize k=20,50", "--try", "fuse k=20", "--report", "compare.html")
    assert compare.returncode == 0, compare.stderr
    shown["compare"] = compare.stdout + compare.stderr
    shown["compare.html"] = semveil.read("compare.html")
    failed = semveil.run("mask", "table.csv", "--plan", "plan.toml", "--k", "5000", "-o", "no.csv",
                         "--quiet")
    assert failed.returncode == 3
    shown["error"] = failed.stdout + failed.stderr
    for where, text in shown.items():
        leaked = [c for c in canaries if c in text]
        assert not leaked, f"{where}: {leaked[:3]} and {len(leaked) - 3} more"
    steward_sees = semveil.ok("audit", "table.csv", "out.parquet", "--plan", "plan.toml", "--json",
                              "--edition", "steward")
    assert any(c in steward_sees for c in canaries), "the test could not fail"


def test_1000_spellings_stay_in_the_table_and_its_mapping(semveil):
    """Texts that only the table and the steward's mapping file have: in nothing that is written."""
    canaries = [f"Spelt{i:04}y{i * 7919 % 1000:03}" for i in range(1000)]
    semveil.write("birds.csv", "child,parent,label\nB,,Bird\n" + "".join(
        f"k{i},B,Kind {i}\n" for i in range(40)))
    semveil.write("birds.map.csv", "value,concept\n" + "".join(
        f"{c},k{i % 40}\n" for i, c in enumerate(canaries)))
    semveil.write("table.csv", "bird\n" + "".join(f"{c}\n" for c in canaries))
    semveil.write("plan.toml", '''
[ontology.birds]
source = "edges:birds.csv"
[column.bird]
role = "quasi-identifier"
ontology = "birds"
root = "B"
mapping = "birds.map.csv"
[mask]
method = "noise"
alpha = 0.5
''')
    given = {p.name for p in semveil.folder.iterdir()}
    semveil.ok("ontology", "snapshot", "edges:birds.csv", "-o", "birds.svo")
    printed = semveil.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.parquet", "--report",
                         "steward.html", "--edition", "steward", "--row-map", "rows.csv")
    printed += semveil.ok("audit", "table.csv", "out.parquet", "--plan", "plan.toml", "--json", "--row-map",
                          "rows.csv")
    # In a flat domain noise puts every value as far away as a stranger's: no order is seen.
    printed += semveil.fails(1, "audit", "table.csv", "out.parquet", "--plan", "plan.toml")
    printed += semveil.fails(1, "audit", "table.csv", "none.csv", "--plan", "plan.toml")
    assert not [c for c in canaries if c in printed]
    made = [p for p in semveil.folder.rglob("*") if p.is_file() and p.name not in given]
    assert {"birds.svo", "out.parquet", "steward.html"} < {p.name for p in made}
    for file in made:
        content = file.read_bytes().decode("latin-1")
        assert not [c for c in canaries if c in content], file


def test_seeds_are_told_nowhere(clinic):
    secret = "tell nobody 4711"
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", secret,
              "--report", "report.html", "--edition", "steward", "--quiet")
    html = clinic.read("report.html")
    assert secret not in html and "&lt;secret&gt;" in html


# ---- Reports ------------------------------------------------------------------------------------

def test_a_report_is_one_file_that_loads_nothing(clinic):
    there = files(clinic)
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--report", "a.html",
              "--quiet")
    clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", "b.html", "--quiet")
    for name in ("a.html", "b.html"):
        html = clinic.read(name)
        assert html.startswith("<!DOCTYPE html>")
        for outside in ("http://", "https://", "<script", "<link", "@import", "url("):
            assert outside not in html.replace("http://www.w3.org/2000/svg", ""), outside
    assert files(clinic) == sorted(there + ["a.html", "b.html", "out.csv"])


def test_reports_are_the_same_bytes_for_any_threads(clinic):
    mask(clinic)
    texts = []
    for threads in ("1", "2"):
        clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", "r.html",
                  "--quiet", "--threads", threads)
        texts.append(clinic.read("r.html"))
        texts.append(clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--json",
                               "--threads", threads))
    assert texts[0] == texts[2] and texts[1] == texts[3]


def test_no_report_without_a_release(clinic):
    message = clinic.fails(3, "mask", "table.csv", "--plan", "plan.toml", "--method", "fuse", "--k",
                           "500", "-o", "out.csv", "--report", "report.html")
    assert "500" in message
    assert "report.html" not in files(clinic) and "out.csv" not in files(clinic)
    piped = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "-", "--report", "r.html")
    assert piped.returncode == 2 and piped.stdout == "" and "r.html" not in files(clinic)
    clinic.fails(2, "audit", "table.csv", "table.csv", "--plan", "plan.toml", "--report", "-")


def test_a_report_never_replaces_an_input(clinic):
    mask(clinic)
    before = clinic.read("table.csv")
    for name in ("table.csv", "out.csv", "plan.toml", "disease.csv"):
        clinic.fails(2, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", name)
    assert clinic.read("table.csv") == before


# ---- Words --------------------------------------------------------------------------------------

def test_every_figure_is_explained(clinic):
    mask(clinic)
    names = {f["name"] for f in clinic.json("audit", "--explain")["figures"]}
    assert len(names) > 30
    one = clinic.ok("audit", "--explain", "linkage.semantic")
    assert "nearest" in one
    wrong = clinic.fails(2, "audit", "--explain", "linkage.sematic")
    assert "linkage.semantic" in wrong


def test_what_is_missing_is_told(clinic):
    mask(clinic)
    assert "--plan" in clinic.fails(2, "audit", "table.csv", "out.csv")
    assert "nope.csv" in clinic.fails(1, "audit", "table.csv", "nope.csv", "--plan", "plan.toml")
    learn = clinic.fails(2, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--learn", "nope")
    assert "nope" in learn


# ---- Groups -------------------------------------------------------------------------------------

def test_groups_are_cut_where_they_part_best(clinic):
    """Infections are as far from each other as injuries and chronic diseases are: three groups."""
    def groups(found, side):
        return sum("label" in node for node in found["clusters"][side])
    clinic.write("table.csv", as_csv([[f"p{i}", leaf, "Flu", "x", "y"] for i, leaf in enumerate(LEAVES)]))
    unmasked(clinic)
    by_default, best = steward(clinic), steward(clinic, "--clusters", "auto")
    assert groups(by_default, "original") == by_default["clusters"]["count"] == len(LEAVES)  # fewer than 14
    assert groups(best, "original") == groups(best, "masked") == best["clusters"]["count"] == 3
    assert best["partition_distance"] == 0
    for wrong in "all", "-1", "3.5":
        assert "--clusters" in clinic.fails(2, "audit", "table.csv", "out.csv", "--plan", "plan.toml", "--clusters", wrong)
