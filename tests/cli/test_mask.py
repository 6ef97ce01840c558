"""semveil mask: what the released table looks like, byte by byte."""

import csv
import re

import pyarrow as pa
import pyarrow.parquet
import pytest

from clinic import (IDS, LABELS, LEAVES, ONTOLOGY, PLAN, SECOND, as_csv, distance, files, mask,
                    parsed, prepare, rows)


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


# ---- What is not masked keeps its bytes ---------------------------------------------------------

CELLS = ["007", "1.0", "1e5", "NA", "null", "2024-01-02", " blanks ", "", "-0", "'", '"quoted"',
         '"a, b"', '"say ""no"""', '"two\nlines"', '""', "Zürich", "\t"]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "BOM"])
@pytest.mark.parametrize("unended", [False, True], ids=["ended", "unended"])
def test_all_other_bytes_are_copied(clinic, end, start, unended):
    lines = [f"{cell},{LEAVES[i % len(LEAVES)]},{cell}" for i, cell in enumerate(CELLS * 3)]
    head = f'{start}a,"diagnosis",b{end}'
    text = head + end.join(lines) + ("" if unended else end)
    clinic.write("table.csv", text)
    out = mask(clinic, "--seed", "s")
    assert out.startswith(head) and out != text
    # The masked cells cut out, nothing differs.
    cut = re.compile(",(" + "|".join(map(re.escape, LABELS.values())) + "),")
    assert cut.sub(",X,", out) == cut.sub(",X,", text)


def test_masked_cells_are_labels_of_the_domain_and_most_are_changed(clinic):
    before, after = parsed(clinic.read("table.csv")), parsed(mask(clinic, "--seed", "s"))
    assert set(after["diagnosis"]) <= set(IDS)
    changed = sum(a != b for a, b in zip(before["diagnosis"], after["diagnosis"]))
    assert changed > 150  # every error that is not 0 changes its cell
    for name in ("patient", "second", "city", "note"):
        assert before[name] == after[name]


def test_a_label_that_needs_quotes_gets_them(semveil):
    prepare(semveil)
    semveil.write("disease.csv", ONTOLOGY.replace("Flu", '"Flu, ""real"""'))
    semveil.write("table.csv", as_csv([["p", "D11", "x", "c", "n"], ["p", "D12", "x", "c", "n"]] * 40))
    semveil.write("plan.toml", PLAN.replace('root = "D"', 'root = "D1"\nwrite = "label"'))
    out = mask(semveil, "--seed", "s")
    assert ',"Flu, ""real""",' in out and 'Flu, "real"' in set(parsed(out)["diagnosis"])


# ---- The same bytes, and other bytes ------------------------------------------------------------

def test_threads_and_batches_change_no_byte(clinic):
    clinic.write("table.csv", as_csv(rows(3000)))
    clinic.write("plan.toml", PLAN.replace("alpha", "correlated = true\nalpha") + SECOND)
    outputs = {mask(clinic, "--seed", "s", "--threads", threads, *batch)
               for threads in ("1", "2", "7")
               for batch in ([], *(["--batch-rows", n] for n in ("1", "7", "1000")))}
    assert len(outputs) == 1


def test_the_same_seed_gives_the_same_bytes_and_nothing_else_does(clinic):
    first = mask(clinic, "--seed", "s")
    assert mask(clinic, "--seed", "s") == first
    others = [mask(clinic, "--seed", "t"), mask(clinic, "--seed", "s", "--release", "r"),
              mask(clinic, "--seed", "s", "--release", "q"), mask(clinic), mask(clinic)]
    assert len({first, *others}) == 6


def test_a_seed_may_stand_in_the_plan_on_the_command_line_or_in_a_file(clinic):
    given = mask(clinic, "--seed", "two words")
    for text in ("two words", "two words\n"):
        clinic.write("seed.txt", text)
        assert mask(clinic, "--seed-file", "seed.txt") == given
    clinic.write("seed.txt", "two words\n\n")
    assert mask(clinic, "--seed-file", "seed.txt") != given
    clinic.write("plan.toml", 'seed = "two words"\n' + PLAN)
    assert mask(clinic) == given
    assert mask(clinic, "--seed", "other") != given


def test_a_release_may_stand_in_the_plan(clinic):
    given = mask(clinic, "--seed", "s", "--release", "2026-Q4")
    clinic.write("plan.toml", 'release = "2026-Q4"\n' + PLAN)
    assert mask(clinic, "--seed", "s") == given
    assert mask(clinic, "--seed", "s", "--release", "2027-Q1") != given


def test_another_table_has_other_errors(clinic):
    before = parsed(mask(clinic, "--seed", "s"))["diagnosis"]
    clinic.write("table.csv", as_csv([*rows(200), ["p", "Flu", "Flu", "c", "n"]]))
    after = parsed(mask(clinic, "--seed", "s"))["diagnosis"]
    assert sum(a != b for a, b in zip(before, after)) > 50


def test_draw_by_gives_a_person_the_same_replacement_in_every_row_and_release(clinic):
    by = ["--seed", "s", "--draw-by", "patient"]
    clinic.write("table.csv", as_csv([[f"p{i % 40}", LEAVES[i % 3], "x", "c", "n"]
                                      for i in range(480)]))
    seen = {}
    for more in ([], ["--release", "r"]):
        out = parsed(mask(clinic, *by, *more))
        for i, (person, to) in enumerate(zip(out["patient"], out["diagnosis"])):
            assert seen.setdefault((person, LEAVES[i % 3]), to) == to
    assert len(seen) == 120
    assert len({seen[p, LEAVES[0]] for p, v in seen if v == LEAVES[0]}) > 1  # not one for all


def test_draw_by_holds_in_a_table_that_grew(clinic):
    by = ["--seed", "s", "--draw-by", "patient", "--alpha", "0.2"]
    few = [[f"p{i}", LEAVES[i % len(LEAVES)], "x", "c", "n"] for i in range(240)]
    clinic.write("table.csv", as_csv(few))
    before = parsed(mask(clinic, *by))["diagnosis"]
    clinic.write("table.csv", as_csv(few * 2))  # the same distribution: the same model
    assert parsed(mask(clinic, *by))["diagnosis"] == before * 2


# ---- Rules of the plan --------------------------------------------------------------------------

def test_identifiers_are_dropped(clinic):
    clinic.write("plan.toml", PLAN + '[column.patient]\nrole = "identifier"\n')
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert list(parsed(clinic.read("out.csv"))) == ["diagnosis", "second", "city", "note"]
    assert result["dropped"] == ["patient"] and result["unmasked"] == ["second", "city", "note"]


def test_undeclared_columns_can_be_dropped_or_refused(clinic):
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN)
    assert list(parsed(mask(clinic))) == ["diagnosis"]
    clinic.write("plan.toml", 'undeclared = "error"\n' + PLAN)
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "new.csv")
    assert "table.csv:1:" in message and "patient" in message and not (clinic.folder / "new.csv").exists()


WITH_GAPS = [["p", "" if i % 4 == 0 else LEAVES[i % len(LEAVES)], "x", "c", f"{i}"] for i in range(200)]


def test_missing_cells_stay_missing(clinic):
    clinic.write("table.csv", as_csv(WITH_GAPS))
    out = parsed(mask(clinic))
    assert [i for i, d in enumerate(out["diagnosis"]) if d == ""] == list(range(0, 200, 4))


def test_missing_as_a_category_takes_part(clinic):
    clinic.write("table.csv", as_csv(WITH_GAPS))
    clinic.write("plan.toml", 'missing = "category"\n' + PLAN)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    out = parsed(clinic.read("out.csv"))
    assert result["columns"]["diagnosis"]["cells"] == 200
    assert [i for i, d in enumerate(out["diagnosis"]) if d == ""] != list(range(0, 200, 4))


def test_records_with_missing_cells_can_be_left_out(clinic):
    clinic.write("table.csv", as_csv(WITH_GAPS))
    clinic.write("plan.toml", 'missing = "drop-record"\n' + PLAN)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    out = parsed(clinic.read("out.csv"))
    assert out["note"] == [str(i) for i in range(200) if i % 4]
    assert (result["records"], result["dropped_records"]) == (150, 50)


def test_records_left_out_leave_the_others_as_they_are(clinic):
    """Alike in every form, with and without shuffling, however the table is cut."""
    clinic.write("table.csv", as_csv(WITH_GAPS))
    for top in ("", "shuffle = true\n"):
        clinic.write("plan.toml", top + 'missing = "drop-record"\n' + PLAN)
        whole = mask(clinic, "--seed", "s")
        assert sorted(parsed(whole)["note"], key=int) == [str(i) for i in range(200) if i % 4]
        assert whole.count("\n") == 151
        for more in (["--batch-rows", "1"], ["--batch-rows", "7", "--threads", "3"]):
            assert mask(clinic, "--seed", "s", *more) == whole
        for out in ("out.parquet", "out.arrow"):
            clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", out, "--seed", "s", "--quiet")
            # And from there, with types of its own, nothing is left to leave out.
            clinic.ok("mask", out, "--plan", "plan.toml", "-o", "again.csv", "--quiet")
            assert sorted(parsed(clinic.read("again.csv"))["note"], key=int) == \
                [str(i) for i in range(200) if i % 4]
        clinic.write("all.csv", as_csv(WITH_GAPS))
        convert(clinic.folder / "all.csv", clinic.folder / "all.parquet")
        for out in ("out.parquet", "out.arrow", "out.csv"):
            clinic.ok("mask", "all.parquet", "--plan", "plan.toml", "-o", out, "--seed", "s", "--quiet")
        notes = pyarrow.parquet.read_table(clinic.folder / "out.parquet")["note"].to_pylist()
        assert sorted(notes, key=int) == [str(i) for i in range(200) if i % 4]


def convert(source, target):
    columns = parsed(source.read_text())
    columns["diagnosis"] = [d or None for d in columns["diagnosis"]]
    pyarrow.parquet.write_table(pa.table(columns), target)


def test_missing_cells_can_be_an_error(clinic):
    clinic.write("table.csv", as_csv(WITH_GAPS))
    clinic.write("plan.toml", 'missing = "error"\n' + PLAN)
    message = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "diagnosis" in message and "missing" in message and "out.csv" not in files(clinic)


def test_other_texts_can_mean_missing(clinic):
    gaps = [[p, d or "n/a", s, c, n] for p, d, s, c, n in WITH_GAPS]
    clinic.write("table.csv", as_csv(gaps))
    clinic.write("plan.toml", 'missing_values = ["n/a"]\n' + PLAN)
    out = parsed(mask(clinic))
    assert [i for i, d in enumerate(out["diagnosis"]) if d == "n/a"] == list(range(0, 200, 4))


STRANGE = [["p", "Flue" if i == 7 else "warp core" if i == 9 else LEAVES[i % len(LEAVES)], "x", "c", "n"]
           for i in range(100)]


def with_rule(rule):
    return PLAN.replace('root = "D"', f'root = "D"\nunmapped = "{rule}"')


def test_unmapped_values_are_an_error_that_lists_them(clinic):
    clinic.write("table.csv", as_csv(STRANGE))
    clinic.write("out.csv", "precious")
    arguments = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]
    message = clinic.fails(1, *arguments)
    assert "table.csv:9:" in message and "column 'diagnosis'" in message and '"Flue"' in message
    assert "Flu (D11)" in message and '"warp core"' in message and "unmapped" in message
    quiet = clinic.fails(1, *arguments, "--quiet")
    assert "Flue" not in quiet and "warp" not in quiet and "table.csv:9:" in quiet
    assert clinic.read("out.csv") == "precious"


def test_unmapped_values_can_be_emptied_generalized_or_kept(clinic):
    clinic.write("table.csv", as_csv(STRANGE))
    for rule, expected in (("suppress", ["", ""]), ("generalize", ["Disease"] * 2),
                           ("keep", ["Flue", "warp core"])):
        clinic.write("plan.toml", with_rule(rule))
        result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
        out = parsed(clinic.read("out.csv"))["diagnosis"]
        assert [out[7], out[9]] == expected
        told = {"suppress": "suppressed", "generalize": "generalized", "keep": "kept"}[rule]
        cells = result["columns"]["diagnosis"]["unmapped_cells"]
        assert cells == {k: 2 if k == told else 0 for k in ("suppressed", "generalized", "kept")}


@pytest.mark.parametrize("method", ["noise", "naive"])
def test_unmapped_values_are_no_missing_ones_where_missing_is_a_value(clinic, method):
    clinic.write("table.csv", as_csv([[p, "" if i % 8 == 0 else d, *more]
                                      for i, (p, d, *more) in enumerate(STRANGE)]))
    clinic.write("plan.toml", 'missing = "category"\n' + with_rule("suppress"))
    for seed in "abcdefgh":
        mask(clinic, "--seed", seed, "--method", method)
        out = parsed(clinic.read("out.csv"))["diagnosis"]
        assert [out[7], out[9]] == ["", ""]


def test_a_mapping_file_decides(clinic):
    clinic.write("table.csv", as_csv(STRANGE))
    clinic.write("map.csv", "value,concept\nFlue,D11\nwarp core,D22\n")
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nmapping = "map.csv"'))
    assert set(parsed(mask(clinic))["diagnosis"]) <= set(IDS)


def test_cells_are_written_as_the_plan_says(clinic):
    shouted = [[p, d.upper() if i % 3 else d, s, c, n] for i, (p, d, s, c, n) in enumerate(rows(200))]
    clinic.write("table.csv", as_csv(shouted))

    def written(write, *more):
        plan = PLAN.replace('root = "D"', f'root = "D"\nwrite = "{write}"').replace("alpha = 0.5", "")
        clinic.write("plan.toml", plan)
        return parsed(mask(clinic, "--seed", "s", *more))["diagnosis"]

    labels, ids = written("label", "--alpha", "0.5"), written("id", "--alpha", "0.5")
    assert set(labels) <= set(IDS) and [IDS[label] for label in labels] == ids
    data = written("data", "--method", "naive")  # baselines know data only
    assert set(data) <= {leaf.upper() for leaf in LEAVES}


def test_a_column_of_ids_stays_one(clinic):
    clinic.write("table.csv", as_csv([[p, IDS[d], s, c, n] for p, d, s, c, n in rows(200)]))
    assert set(parsed(mask(clinic))["diagnosis"]) <= set(LABELS)


@pytest.mark.parametrize("method", ["naive", "probabilistic"])
def test_baselines_release_values_of_the_data_only(clinic, method):
    clinic.write("plan.toml", PLAN.replace('"noise"', f'"{method}"').replace("alpha = 0.5", ""))
    out = parsed(mask(clinic, "--seed", "s"))["diagnosis"]
    assert set(out) <= set(LEAVES) and out != parsed(clinic.read("table.csv"))["diagnosis"]


@pytest.mark.parametrize("name", ["out.xlsx", "out.sav", "out.json", "out.csv.bz2", "out.csv.XZ",
                                  "out.zip", "out.tar.gz", "out.xlsx.gz"])
def test_a_name_that_promises_another_format_is_refused(clinic, name):
    message = clinic.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", name)
    assert name in message and "(also .gz, .zst)" in message and ".parquet" in message
    assert not (clinic.folder / name).exists()


def test_shuffled_rows_are_the_same_rows_in_another_order(clinic):
    plain = mask(clinic, "--seed", "s").splitlines()
    clinic.write("plan.toml", "shuffle = true\n" + PLAN)
    shuffled = mask(clinic, "--seed", "s").splitlines()
    assert shuffled[0] == plain[0] and shuffled != plain and sorted(shuffled) == sorted(plain)
    assert mask(clinic, "--seed", "s", "--threads", "3", "--batch-rows", "7").splitlines() == shuffled
    assert mask(clinic, "--seed", "t").splitlines() != shuffled


# ---- [mask] on the command line -----------------------------------------------------------------

@pytest.mark.parametrize("options, block", [
    (["--alpha", "0.2"], "alpha = 0.2"),
    (["--alpha", "1"], "alpha = 1"),
    (["--correlated"], "alpha = 0.5\ncorrelated = true"),
    (["--reference", "root"], 'alpha = 0.5\nreference = "root"'),
    (["--reference", "pair", "--pairs", "second:diagnosis"],
     'alpha = 0.5\nreference = "pair"\npairs = [["second", "diagnosis"]]'),
    (["--distribution", "laplace"], 'alpha = 0.5\ndistribution = "laplace"'),
    (["--ties", "first"], 'alpha = 0.5\nties = "first"'),
    (["--columns", "second"], 'alpha = 0.5\ncolumns = ["second"]'),
    (["--columns", "diagnosis,second"], 'alpha = 0.5\ncolumns = ["diagnosis", "second"]'),
    (["--draw-by", "patient"], 'alpha = 0.5\ndraw_by = "patient"'),
], ids=lambda part: " ".join(part) if isinstance(part, list) else None)
def test_every_key_of_mask_can_be_overridden(clinic, options, block):
    clinic.write("plan.toml", PLAN + SECOND)
    usual, overridden = mask(clinic, "--seed", "s"), mask(clinic, "--seed", "s", *options)
    clinic.write("plan.toml", PLAN.replace("alpha = 0.5", block) + SECOND)
    assert mask(clinic, "--seed", "s") == overridden
    if options != ["--columns", "diagnosis,second"]:
        assert overridden != usual


def test_a_flag_of_the_plan_can_be_taken_back(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    usual = mask(clinic, "--seed", "s")
    clinic.write("plan.toml", PLAN.replace("alpha", "correlated = true\nalpha") + SECOND)
    assert mask(clinic, "--seed", "s") != usual
    assert mask(clinic, "--seed", "s", "--no-correlated") == usual


def test_the_method_can_be_overridden(clinic):
    clinic.write("plan.toml", PLAN.replace("alpha = 0.5", ""))
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "o.csv", "--method", "naive")
    assert result["method"] == "naive"


def test_the_ontology_of_the_plan_can_be_replaced(clinic):
    (clinic.folder / "disease.csv").rename(clinic.folder / "moved.csv")
    clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    mask(clinic, "--ontology", "edges:moved.csv")


# ---- The trace ----------------------------------------------------------------------------------

def test_the_trace_tells_what_happened_to_every_cell(clinic):
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nwrite = "id"', 1) + SECOND)
    out = parsed(mask(clinic, "--seed", "s", "--trace", "trace.csv", "--columns", "diagnosis"))
    before = parsed(clinic.read("table.csv"))
    lines = list(csv.DictReader(clinic.read("trace.csv").splitlines()))
    assert list(lines[0]) == ["row", "column", "value", "error", "reference", "replacement", "rule"]
    assert [int(line["row"]) for line in lines] == list(range(200))
    for line in lines:
        row = int(line["row"])
        assert line["column"] == "diagnosis"
        assert (LABELS[line["value"]], line["replacement"]) == (before["diagnosis"][row],
                                                                out["diagnosis"][row])
        far = distance(line["value"], line["replacement"])
        if line["rule"] == "paper":
            assert far >= abs(float(line["error"])) - 1e-9
        assert line["rule"] in ("zero", "paper", "truncated", "nosign", "farthest", "alone")
        if line["reference"] and line["rule"] == "paper":
            farther = distance(line["replacement"], line["reference"]) > \
                distance(line["value"], line["reference"])
            assert farther == (float(line["error"]) > 0)
    assert (clinic.folder / "trace.csv").stat().st_mode & 0o777 == 0o600


def test_the_trace_does_not_change_the_release(clinic):
    assert mask(clinic, "--seed", "s", "--trace", "t.csv") == mask(clinic, "--seed", "s")


# ---- Figures ------------------------------------------------------------------------------------

def test_json_says_of_the_result_what_describe_says_of_it(clinic):
    clinic.write("plan.toml", PLAN + SECOND + '[column.city]\nrole = "sensitive"\n')
    told = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    found = clinic.json("describe", "out.csv", "--plan", "plan.toml")
    assert told["records"] == found["records"] == 200
    # What describe does not know: what the noise should make of the covariance.
    pairs = [{key: pair[key] for key in pair if key not in ("covariance_expected", "covariance_error")}
             for pair in told["pairs"]]
    assert pairs == found["pairs"] and told["classes"] == found["classes"]
    assert told["privacy"] == found["privacy"]
    for name, column in found["columns"].items():
        assert {key: told["columns"][name][key] for key in column} == column


def test_json_has_the_keys_others_rely_on(clinic):
    clinic.write("plan.toml", PLAN + SECOND)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv",
                         "--columns", "diagnosis", "--trace", "trace.csv")
    assert result.keys() >= {"records", "columns", "pairs", "classes", "method", "parameters", "changed",
                             "truncated", "seconds", "single_origin", "unmasked", "dropped"}
    assert (result["method"], result["parameters"]["alpha"]) == ("noise", 0.5)
    assert result["parameters"]["reference"] == "mean" and result["parameters"]["correlated"] is False
    assert result["unmasked"] == ["patient", "second", "city", "note"] and result["dropped"] == []
    column = result["columns"]["diagnosis"]
    assert column.keys() >= {"distinct", "missing", "unmapped", "mean", "variance", "distance_variance",
                             "domain", "rmse", "target_rmse"}
    assert result["columns"]["second"]["rmse"] is None
    before, after = parsed(clinic.read("table.csv")), parsed(clinic.read("out.csv"))
    moved = [distance(IDS[a], IDS[b]) for a, b in zip(before["diagnosis"], after["diagnosis"])]
    assert result["changed"] == column["changed"] == sum(d > 0 for d in moved)
    assert column["rmse"] == pytest.approx((sum(d * d for d in moved) / 200) ** 0.5, abs=1e-9)
    lines = list(csv.DictReader(clinic.read("trace.csv").splitlines()))
    errors = [float(line["error"]) for line in lines]
    before_masking = clinic.json("describe", "table.csv", "--plan", "plan.toml")["columns"]["diagnosis"]
    assert column["target_rmse"] == pytest.approx((0.5 * before_masking["variance"]) ** 0.5, rel=0.005)  # three digits
    assert (sum(e * e for e in errors) / 200) ** 0.5 == pytest.approx(column["target_rmse"], rel=0.2)
    rules = [line["rule"] for line in lines]
    assert column["rules"] == {rule: rules.count(rule) for rule in column["rules"]}
    assert result["truncated"] == sum(rules.count(r) for r in ("truncated", "nosign", "farthest"))


def test_wordnet(wordnet):
    words = ["dog", "cat", "horse", "cow", "sheep", "mouse", "goat", "pig"]
    wordnet.write("animals.csv", "animal\n" + "".join(f"{words[i * i % 8]}\n" for i in range(300)))
    wordnet.write("animals.toml", '[ontology.w]\nsource = "wordnet"\n[column.animal]\n'
                  'role = "quasi-identifier"\nontology = "w"\nroot = "animal.n.01"\n'
                  '[mask]\nmethod = "noise"\nalpha = 0.3\n')
    out = mask(wordnet, "--seed", "s", table="animals.csv", plan="animals.toml")
    told = wordnet.json("map", "out.csv", "--column", "animal", "--ontology", "wordnet",
                        "--root", "animal.n.01")
    assert told["unmapped"] == 0 and told["records"] == 300
    assert len(set(out.splitlines())) > len(words)


def test_a_full_disk_behind_the_masked_table_is_told_of_the_output(clinic):
    with open("/dev/full", "wb") as full:
        done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "--quiet", "-o", "-", stdout=full)
    assert done.returncode == 4
    assert "standard output: the disk is full" in done.stderr


def test_a_seed_is_stretched_after_what_may_be_wrong_is_known(clinic):
    """Where there is no memory to stretch it, other errors come first."""
    mask = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--threads", "1"]
    limit = ("prlimit", f"--data={60 << 20}")
    assert "stretch the seed" in clinic.fails(4, *mask, before=limit)
    assert "no such file" in clinic.fails(1, "mask", "none.csv", *mask[2:], before=limit)
    clinic.write("table.csv", "patient,second\np,Flu\n")
    assert "'diagnosis'" in clinic.fails(1, *mask, before=limit)
    assert "'diagnosis'" in clinic.fails(1, "fit", *mask[1:5], "m", *mask[6:], before=limit)
