"""What lies between the measures and the verbs: which tables, columns and editions figures are of."""

import hashlib
import os

import pytest

import set_clinic
from clinic import IDS, LEAVES, ONTOLOGY, PLAN, SECOND, as_csv, files, mask, parsed, prepare, rows
from test_audit import SENSITIVE, TWO, audit, clinic, steward, tuples, unmasked


def release(program, change, name="out.csv"):
    """The table with its records changed by hand."""
    records = [list(r) for r in rows(200)]
    for i, r in enumerate(records):
        change(i, r)
    program.write(name, as_csv(records))


def test_two_texts_that_mean_nothing_differ(clinic):
    release(clinic, lambda i, r: r.__setitem__(1, "Xyzzy" if i == 0 else r[1]), "table.csv")
    release(clinic, lambda i, r: r.__setitem__(1, "Plugh" if i == 0 else r[1]))
    column = steward(clinic)["columns"]["diagnosis"]
    assert column["unchanged"] == 199 / 200 and column["mean_distance"] == 1 / 200
    assert column["left_unmapped"] == 0


def mode(program, name):
    return (program.folder / name).stat().st_mode & 0o777


def test_a_stewards_report_is_the_owners(clinic):
    for edition, expected in (("steward", 0o600), ("public", 0o644)):
        how = ("--edition", edition, "--quiet")
        clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--report", edition + "m.html", *how)
        clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", edition + "a.html", *how)
        assert (mode(clinic, edition + "m.html"), mode(clinic, edition + "a.html")) == (expected, expected)


def test_a_stewards_comparison_is_the_owners(clinic):
    clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--try", "naive", "--report", "c.html",
              "--edition", "steward", "--quiet")
    assert mode(clinic, "c.html") == 0o600


def test_a_column_that_is_not_swapped_is_known_in_the_window(clinic):
    how = ("--method", "random-swap", "--columns", "diagnosis")
    mask(clinic, *how)
    second = parsed(clinic.read("table.csv"))["second"]
    assert audit(clinic, *how)["linkage"]["window"] == pytest.approx(len(set(second)) / 200, abs=1e-9)


def test_correlations_are_over_records_complete_in_both_tables(clinic):
    release(clinic, lambda i, r: r.__setitem__(2, "" if i % 4 == 1 else r[2]))
    found = steward(clinic)["pairs"][0]
    kept = [r for i, r in enumerate(rows(200)) if i % 4 != 1]
    clinic.write("kept.csv", as_csv(kept))
    alone = steward(clinic, original="kept.csv", masked="kept.csv")["pairs"][0]
    assert found["correlation_original"] == pytest.approx(alone["correlation_original"], abs=1e-12)
    assert found["correlation_original"] == pytest.approx(found["correlation_masked"], abs=1e-12)


def test_no_report_of_a_release_that_was_not_named(clinic):
    with open("/dev/full", "w") as full:
        done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--report",
                          "r.html", "--json", stdout=full)
    assert done.returncode != 0
    assert "out.csv" not in files(clinic) and "r.html" not in files(clinic)


@pytest.mark.parametrize("form", ["joined", "columns"])
def test_sets_are_paired_by_key(semveil, form):
    set_clinic.prepare(semveil, set_clinic.PLAN.replace("[mask]", '[column.note]\nrole = "other"\n[mask]'))
    semveil.ok(*set_clinic.MASK, "--sets", form, "--quiet")
    by_place = audit(semveil, "--sets", form)
    lines = semveil.read("out.csv").splitlines()
    semveil.write("out.csv", "\n".join(lines[:1] + lines[:0:-1]) + "\n")
    by_key = audit(semveil, "--sets", form, "--key", "note")
    assert by_key["paired"] == 150
    for key in ("channels", "category_diversity", "columns", "linkage"):
        assert by_key[key] == by_place[key]


def test_suppressed_records_are_in_no_class(clinic):
    def change(i, r):
        r[1:3] = ["", ""] if i < 2 else ["Infection", "Injury"]
    release(clinic, change)
    found = steward(clinic)
    assert found["classes"]["suppressed"] == 2
    assert found["privacy"]["sensitive"]["city"]["l"] == 5


def test_records_that_were_empty_before_are_not_suppressed(clinic):
    lines = clinic.read("table.csv").splitlines()
    for i in (3, 4, 5):
        cells = lines[i].split(",")
        lines[i] = ",".join([cells[0], "", "", *cells[3:]])
    clinic.write("table.csv", "\n".join(lines) + "\n")

    def change(i, r):
        r[1:3] = ["", ""] if i in (2, 3, 4, 5) else ["Infection", "Injury"]
    release(clinic, change)
    found = steward(clinic)
    assert found["classes_original"]["suppressed"] == 0 and found["classes"]["suppressed"] == 1
    assert (found["classes"]["count"], found["classes"]["smallest"]) == (2, 3)
    assert found["classes_original"] == {
        **found["classes_original"], **clinic.json("describe", "table.csv", "--plan", "plan.toml")["classes"]}


def test_a_released_table_is_audited_without_the_identifiers_it_lost(clinic):
    clinic.write("plan.toml", clinic.read("plan.toml") + '[column.patient]\nrole = "identifier"\n')
    mask(clinic)
    mask(clinic, table="table.csv", out="again.csv")
    clinic.ok("audit", "out.csv", "again.csv", "--plan", "plan.toml", "--quiet")
    assert "'patient'" in clinic.fails(1, "audit", "out.csv", "table.csv", "--plan", "plan.toml")


def test_the_hash_of_the_original_is_the_stewards(clinic):
    mask(clinic)
    own = hashlib.sha256((clinic.folder / "table.csv").read_bytes()).hexdigest()
    out = hashlib.sha256((clinic.folder / "out.csv").read_bytes()).hexdigest()
    for edition, shown in (("public", False), ("steward", True)):
        clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", "r.html",
                  "--edition", edition, "--quiet")
        html = clinic.read("r.html")
        assert (own in html) == shown and out in html


def test_compare_tells_what_an_audit_tells_of_dropped_records(clinic):
    release(clinic, lambda i, r: r.__setitem__(1, "" if r[2] == "Flu" else r[1]), "table.csv")
    clinic.write("plan.toml", 'missing = "drop-record"\nundeclared = "keep"\n' + TWO)
    told = clinic.json("compare", "table.csv", "--plan", "plan.toml", "--seed", "s", "--keep",
                       "distribution", "--try", "noise alpha=0.5")["releases"][0]
    mask(clinic, "--seed", "s", "--row-map", "rows.csv")
    found = steward(clinic, "--row-map", "rows.csv")
    assert found["records_masked"] < 200
    losses = [c["total_variation"] for c in found["columns"].values() if c["total_variation"] is not None]
    assert told["losses"]["distribution"] == pytest.approx(max(losses), abs=1e-12)
    moved = [c["rmse"] for c in found["columns"].values() if c["masked"]]
    assert told["loss"] == pytest.approx((sum(moved) / len(moved) + max(losses)) / 2, abs=1e-12)


def test_the_spread_that_noise_should_bring_about(clinic):
    mask(clinic)
    for column in (steward(clinic)["columns"][n] for n in ("diagnosis", "second")):
        assert column["variance_expected"] == pytest.approx(
            column["variance_original"] + column["target_rmse"] ** 2, rel=1e-12)


def test_the_journalist_knows_the_control_too(clinic):
    unmasked(clinic)
    clinic.write("others.csv", as_csv(rows(200) * 2))
    alone = audit(clinic)["journalist"]
    assert audit(clinic, "--control", "others.csv")["journalist"] == pytest.approx(alone / 3)


def test_records_that_masking_leaves_out_are_nobodys_control(clinic):
    """Incomplete people of the control add nobody where the plan drops incomplete records."""
    clinic.write("plan.toml", 'missing = "drop-record"\n' + clinic.read("plan.toml"))
    unmasked(clinic)
    others = [[p, a if i % 2 else "", b, c, n] for i, (p, a, b, c, n) in enumerate(rows(200) * 2)]
    clinic.write("others.csv", as_csv(others))
    clinic.write("complete.csv", as_csv([r for r in others if r[1]]))
    with_gaps, complete = (audit(clinic, "--control", name) for name in ("others.csv", "complete.csv"))
    assert with_gaps["attacks"] == complete["attacks"] and with_gaps["journalist"] == complete["journalist"]


def test_k_records_hide_one(clinic):
    names = ["five"] * 5 + ["four"] * 4 + ["three"] * 3 + ["also"] * 3
    release(clinic, lambda i, r: r.__setitem__(3, names[i] if i < len(names) else "many"), "table.csv")
    unmasked(clinic)
    found = audit(clinic, "--method", "fuse", "--k", "5")["columns"]["city"]["distribution"]
    assert [s["label"] for s in found] == ["many", "five", "other values"]


def test_what_a_distance_of_numbers_is_the_original_says(semveil):
    def table(name, numbers):
        semveil.write(name, "age,row\n" + "".join(f"{n},{i}\n" for i, n in enumerate(numbers)))
    semveil.write("plan.toml", '[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n')
    table("table.csv", range(0, 101, 10))
    table("out.csv", [150, *range(10, 101, 10)])
    assert audit(semveil)["columns"]["age"]["mean_distance"] == pytest.approx(1 / 11)
    table("out.csv", [0, 10, 20, 30, 40, 100, 60, 70, 80, 90, 150])
    assert audit(semveil)["columns"]["age"]["mean_distance"] == pytest.approx((0.5 + 0.5) / 11)


def test_a_classifier_never_sees_what_it_learns(clinic):
    unmasked(clinic)
    found = steward(clinic, "--learn", "diagnosis")["downstream"]
    assert found["target"] == "diagnosis" and found["original"] < 0.9, found


def test_information_lost_is_what_mask_tells(semveil):
    set_clinic.prepare(semveil)
    told = semveil.json(*set_clinic.MASK)
    assert audit(semveil)["information_loss"] == pytest.approx(told["information_loss"])


def test_a_stewards_report_over_a_public_one(clinic):
    mask(clinic)
    for edition in ("public", "steward"):
        clinic.ok("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--report", "r.html",
                  "--edition", edition, "--quiet")
    assert mode(clinic, "r.html") == 0o600


def test_of_two_values_nothing_gives_the_rare_one_back(semveil):
    """Rule 3: what gives a distribution of two values back is left out."""
    semveil.write("plan.toml", '[column.hiv]\nrole = "sensitive"\ntype = "numeric"\n[column.c]\nrole = "quasi-identifier"\n')
    semveil.write("table.csv", "hiv,c\n" + "".join(f"{int(i < 3)},{i % 2}\n" for i in range(100)))
    semveil.write("out.csv", "hiv,c\n" + "".join(f"{int(i < 50)},{i % 2}\n" for i in range(100)))
    column = audit(semveil)["columns"]["hiv"]
    assert column["distribution"] == [] and column["total_variation"] is None
    assert column["number_mean_original"] is None and column["mean_shift"] is None and column["ic_loss"] is None


@pytest.mark.parametrize("how", [("--method", "noise", "--alpha", "0.5"), ("--method", "fuse", "--k", "5"),
                                 ("--method", "naive"), ("--method", "microaggregate", "--k", "4")])
@pytest.mark.parametrize("missing", ["keep", "category"])
def test_missing_and_meaningless_cells_are_taken_as_mask_takes_them(semveil, how, missing):
    prepare(semveil, plan=f'missing = "{missing}"\n' + TWO.replace(
        'root = "D"\n', 'root = "D"\nunmapped = "suppress"\n'))
    release(semveil, lambda i, r: r.__setitem__(
        1, "" if i % 17 == 0 else "Xyzzy" if i == 3 else r[1]), "table.csv")
    told = semveil.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", *how)
    found = steward(semveil, *how)
    for name in ("diagnosis", "second"):
        assert found["columns"][name]["rmse"] == pytest.approx(told["columns"][name]["rmse"], abs=1e-9)
        assert found["columns"][name]["variance_masked"] == pytest.approx(
            told["columns"][name]["variance"], abs=1e-9)


def test_a_k_that_is_not_kept_is_told(clinic):
    unmasked(clinic)
    notes = audit(clinic, "--method", "fuse", "--k", "50")["notes"]
    assert any("PROMISES k = 50" in note for note in notes), notes


def test_tables_that_cannot_be_audited_are_refused(clinic):
    mask(clinic)
    clinic.write("alien.csv", "x,y\n1,2\n")
    message = clinic.fails(1, "audit", "table.csv", "alien.csv", "--plan", "plan.toml")
    assert "alien.csv:1" in message and "x, y" in message
    clinic.write("empty.csv", "patient,diagnosis,second,city,note\n")
    assert "no records" in clinic.fails(1, "audit", "table.csv", "empty.csv", "--plan", "plan.toml")
