"""semveil compare and advise --max-risk: methods and parameters beside each other, nothing released."""

import hashlib

import pytest

from clinic import PLAN, SECOND, files, mask
from clinic import prepare as prepare_clinic

SEED = "correct horse battery"
WITHOUT_MASK = PLAN[:PLAN.index("[mask]")] + SECOND


@pytest.fixture
def clinic(semveil):
    return prepare_clinic(semveil, plan=WITHOUT_MASK)


def compare(program, *more, plan="plan.toml"):
    return program.json("compare", "table.csv", "--plan", plan, "--seed", SEED, *more)


def labels(told):
    return [release["label"] for release in told["releases"]]


def test_usual_configurations_are_compared_without_being_asked_for(clinic):
    there = files(clinic)
    told = compare(clinic)
    assert 15 <= len(told["releases"]) <= 26
    assert {"noise alpha 0.3", "swap k 10", "fuse k 5", "naive"} <= set(labels(told))
    assert told["records"] == 200 and told["held_out"] == 0
    assert any(release["not_dominated"] for release in told["releases"])
    assert files(clinic) == there


def test_every_combination_of_values_is_tried_in_the_order_given(clinic):
    told = compare(clinic, "--try", "swap k=5,10", "--try", "noise alpha=0.1,1 correlated=true")
    assert labels(told) == ["swap k 5", "swap k 10", "noise alpha 0.1, correlated",
                            "noise alpha 1, correlated"]
    assert told["releases"][2]["configuration"] == {"alpha": 0.1, "correlated": True,
                                                    "method": "noise"}


def test_those_that_nothing_dominates_are_marked(clinic):
    told = compare(clinic, "--risk", "prosecutor", "--keep", "distribution")
    points = [(r["risk"], r["loss"]) for r in told["releases"]]
    for release, (risk, loss) in zip(told["releases"], points):
        if risk is None or loss is None:
            assert not release["not_dominated"]
            continue
        beaten = any(r <= risk + 1e-9 and l <= loss + 1e-9 and (r < risk - 1e-9 or l < loss - 1e-9)
                     for r, l in points if r is not None and l is not None)
        safer = risk < told["do_nothing"]["risk"]
        assert release["not_dominated"] == (safer and not beaten)


def test_threads_change_nothing(clinic):
    assert compare(clinic, "--threads", "1") == compare(clinic, "--threads", "3")


def test_what_cannot_be_promised_is_listed(clinic):
    told = compare(clinic, "--try", "fuse k=1000", "--try", "naive")
    assert "k = 1000" in told["releases"][0]["failure"]
    assert "failure" not in told["releases"][1]
    text = clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--try", "fuse k=1000",
                     "--try", "naive")
    assert "Cannot be had" in text


@pytest.mark.parametrize("wrong, told", [
    ("nois alpha=1", "nearest is noise"),
    ("noise alhpa=1", "nearest key is alpha"),
    ("swap alpha=1", "swap does not take alpha"),
    ("noise alpha=", "has no value"),
])
def test_a_misspelt_try_is_told(clinic, wrong, told):
    done = clinic.run("compare", "table.csv", "--plan", "plan.toml", "--try", wrong)
    assert done.returncode == 2 and told in done.stderr and "--try" in done.stderr


def test_text_has_a_table_and_a_map(clinic):
    text = clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--seed", SEED)
    lines = text.splitlines()
    assert any(line.strip().startswith("*") and "alpha" in line or "k " in line for line in lines)
    assert "risk: greatest" in text and "loss: RMSE and correlation" in text
    assert all(len(line) <= 110 for line in lines)


def test_the_exported_plan_masks_as_what_was_compared(clinic):
    (clinic.folder / "deep").mkdir()
    told = compare(clinic, "--try", "swap k=5", "--try", "fuse k=5", "--export-plan", "2",
                   "deep/chosen.toml")
    assert labels(told)[1] == "fuse k 5"
    assert "seed" not in clinic.read("deep/chosen.toml")
    assert 'source = "edges:../disease.csv"' in clinic.read("deep/chosen.toml")
    clinic.write("by_hand.toml", WITHOUT_MASK + '[mask]\nmethod = "fuse"\nk = 5\n')
    chosen = mask(clinic, "--seed", SEED, plan="deep/chosen.toml")
    assert chosen == mask(clinic, "--seed", SEED, plan="by_hand.toml", out="other.csv")
    again = compare(clinic, "--try", "fuse k=5", plan="deep/chosen.toml")
    assert again["releases"][0]["risks"] == told["releases"][1]["risks"]


def test_best_can_be_exported(clinic):
    told = compare(clinic, "--export-plan", "best", "chosen.toml")
    chosen = told["releases"][told["exported"]["row"] - 1]
    assert chosen["not_dominated"] and chosen["label"] in told["exported"]["why"]
    mask(clinic, plan="chosen.toml")


def test_rows_are_shown_where_none_is_taken(clinic):
    there = files(clinic)
    asked = ("compare", "table.csv", "--plan", "plan.toml", "--seed", SEED, "--try", "swap k=2,3", "--try", "fuse k=2",
             "--max-risk", "0.0001", "--export-plan", "best", "chosen.toml", "--report", "compared.html")
    done = clinic.run(*asked)
    assert done.returncode == 3 and "--export-plan best" in done.stderr
    for row in ("1  ", "2  ", "3  "):
        assert any(line.strip().lstrip("* ").startswith(row) for line in done.stdout.splitlines()), done.stdout
    assert "swap k 3" in done.stdout and files(clinic) == there
    assert clinic.run(*asked, "--quiet").stdout == ""
    assert '"releases"' in clinic.run(*asked, "--json").stdout


def test_a_place_that_is_not_there_is_refused_and_nothing_is_written(clinic):
    done = clinic.run("compare", "table.csv", "--plan", "plan.toml", "--try", "naive",
                      "--export-plan", "2", "chosen.toml")
    assert done.returncode == 2 and "from 1 to 1" in done.stderr
    assert "chosen.toml" not in files(clinic)


def test_records_are_set_aside(clinic):
    told = compare(clinic, "--try", "noise alpha=0.5", "--holdout", "0.25")
    assert told["records"] + told["held_out"] == 200
    assert 20 <= told["held_out"] <= 80


def test_a_report_is_written(clinic):
    compare(clinic, "--try", "naive", "--report", "compared.html")
    assert "<html" in clinic.read("compared.html")


def test_a_stewards_report_is_the_owners_alone(clinic):
    compare(clinic, "--try", "naive", "--report", "public.html")
    compare(clinic, "--try", "naive", "--report", "steward.html", "--edition", "steward")
    modes = [(clinic.folder / name).stat().st_mode & 0o777 for name in ("public.html", "steward.html")]
    assert modes[0] & 0o044 == modes[0] & 0o044 & 0o644 and modes[1] == 0o600
    digest = hashlib.sha256((clinic.folder / "table.csv").read_bytes()).hexdigest()
    assert digest in clinic.read("steward.html") and digest not in clinic.read("public.html")
    for name in ("public.html", "steward.html"):
        page = clinic.read(name)
        assert SEED not in page and "&lt;secret&gt;" in page
        assert hashlib.sha256((clinic.folder / "disease.csv").read_bytes()).hexdigest() in page


def test_folders_are_told_to_stewards_alone(clinic):
    for edition, is_told in (("public", False), ("steward", True)):
        clinic.ok("compare", str(clinic.folder / "table.csv"), "--plan",
                  str(clinic.folder / "plan.toml"), "--try", "naive", "--quiet", "--report",
                  str(clinic.folder / "page.html"), "--edition", edition)
        page = clinic.read("page.html")
        assert "table.csv" in page and "plan.toml" in page
        assert (str(clinic.folder) in page) == is_told
        assert "a fresh key" in page


def test_a_colon_in_a_name_is_no_scheme(clinic):
    (clinic.folder / "od:d.csv").write_bytes((clinic.folder / "disease.csv").read_bytes())
    clinic.write("plan.toml", WITHOUT_MASK.replace("edges:disease.csv", "edges:od:d.csv"))
    clinic.ok("ontology", "snapshot", "edges:od:d.csv", "-o", "o:dd.svo")
    clinic.write("plan.toml", WITHOUT_MASK.replace("edges:disease.csv", "./o:dd.svo"))
    clinic.ok("compare", "table.csv", "--plan", "plan.toml", "--try", "naive", "--quiet", "--report",
              "page.html")
    digest = hashlib.sha256((clinic.folder / "o:dd.svo").read_bytes()).hexdigest()
    assert digest in clinic.read("page.html")


def test_a_limit_of_linkage_calls_nothing_best_by_which_somebody_is_found(clinic):
    """swap k = 2 has little linkage, and yet somebody's own record is found for certain."""
    prepare_clinic(clinic, 40, WITHOUT_MASK)
    told = compare(clinic, "--try", "swap k=2", "--risk", "linkage", "--max-risk", "0.99")
    row = told["releases"][0]
    assert row["risk"] < 0.99 and row["greatest_of"]["finding oneself"] == 1
    assert told["best"] is None and "found for certain" in told["verdict"]
    told = compare(clinic, "--try", "fuse k=5", "--risk", "linkage", "--max-risk", "0.99")
    assert told["best"] == 1


# ---- advise --max-risk --------------------------------------------------------------------------

def search(program, *more):
    return program.json("advise", "table.csv", "--plan", "plan.toml", "--seed", SEED, *more)


def test_the_found_parameters_have_the_demanded_risk_and_the_least_loss(clinic):
    told = search(clinic, "--max-risk", "0.2", "--risk", "prosecutor", "--keep", "distribution")
    found = told["tried"][told["found"] - 1]
    assert found["risk"] <= 0.2
    assert found["loss"] == min(t["loss"] for t in told["tried"]
                                if t["risk"] is not None and t["risk"] <= 0.2
                                and t["loss"] is not None)
    clinic.write("found.toml", WITHOUT_MASK + told["mask"])
    mask(clinic, plan="found.toml")


def test_a_risk_that_cannot_be_reached_ends_with_3_and_the_best_reached(clinic):
    done = clinic.run("advise", "table.csv", "--plan", "plan.toml", "--max-risk", "0.0001",
                      "--seed", SEED)
    assert done.returncode == 3
    assert "the least is" in done.stderr and "Tried" in done.stdout


def test_old_words_keep_working(clinic):
    for word in ("mean", "means", "variance", "correlation", "distribution", "distributions"):
        assert clinic.json("advise", "table.csv", "--plan", "plan.toml", "--keep", word)["advice"]


def test_a_risk_needs_a_limit(clinic):
    done = clinic.run("advise", "table.csv", "--plan", "plan.toml", "--risk", "linkage")
    assert done.returncode == 2 and "--max-risk" in done.stderr
