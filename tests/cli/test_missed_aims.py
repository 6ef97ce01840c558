"""What a method did not keep is told: by mask and by audit alike. Tables are generated (clinic.py)."""

import pytest

from clinic import LEAVES, PLAN, SECOND, as_csv, distance, distance_covariance, IDS, mask, parsed, prepare, rows
from clinic import variance

TWO = PLAN + SECOND


def both(program, *how):
    """What mask and what audit tell of the same release."""
    told = program.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", *how)
    found = program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition", "steward", *how)
    return told, found


def ids(findings):
    return sorted({f["id"] for f in findings})


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, plan=TWO)


@pytest.mark.parametrize("correlated", [False, True])
def test_the_variance_aimed_at_is_one_plus_alpha_times_the_one_before(clinic, correlated):
    how = ("--correlated",) if correlated else ()
    told, found = both(clinic, *how)
    for name in ("diagnosis", "second"):
        was = [IDS[v] for v in parsed(clinic.read("table.csv"))[name]]
        before = variance(was)
        for column in (told["columns"][name], found["columns"][name]):
            assert column["variance_expected"] == pytest.approx(1.5 * before, abs=1e-9)
            if correlated:
                spread = distance_covariance(was, was)
                assert column["variance_drawn"] == pytest.approx(before + 0.5 * spread, abs=1e-9)
            else:
                assert column["variance_drawn"] is None
    text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", *how)
    assert f"{told['columns']['diagnosis']['variance_expected']:.4f}  (1 + alpha) x before" in text
    assert ("by the errors drawn" in text) == correlated


@pytest.mark.parametrize("correlated", [False, True])
def test_the_fourth_measure_of_semantic_noise(clinic, correlated):
    told, found = both(clinic, *(("--correlated",) if correlated else ()))
    before, after = ([[IDS[v] for v in parsed(clinic.read(f))[n]] for n in ("diagnosis", "second")]
                     for f in ("table.csv", "out.csv"))
    aim = 1.5 * distance_covariance(*before)
    for pair in (told["pairs"][0], found["pairs"][0]):
        assert pair["covariance_expected"] == pytest.approx(aim, abs=1e-9)
        assert pair["covariance_error"] == pytest.approx(abs(distance_covariance(*after) - aim), abs=1e-9)


def test_the_fourth_measure_is_of_noise_and_of_masked_columns(clinic):
    for how in (("--method", "naive"), ("--method", "swap", "--k", "5"), ("--columns", "diagnosis")):
        told, found = both(clinic, *how)
        for pair in (told["pairs"][0], found["pairs"][0]):
            assert pair["covariance_expected"] is None and pair["covariance_error"] is None, how


def test_in_public_the_error_does_not_give_the_covariance_back(clinic):
    mask(clinic)
    pair = clinic.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")["pairs"][0]
    assert pair["covariance_expected"] == float(f"{pair['covariance_expected']:.3g}")
    assert pair["covariance_error"] == pytest.approx(
        float(f"{abs(pair['covariance_masked'] - pair['covariance_expected']):.3g}"), rel=1e-9)


def paired_table(program, count=400):
    """Two columns that always have the same value."""
    program.write("table.csv", as_csv([["p", LEAVES[i * i % 12], LEAVES[i * i % 12], "c", f"{i}"]
                                       for i in range(count)]))


def test_a_correlation_that_a_swap_destroys_is_a_finding(clinic):
    paired_table(clinic)
    fixed = ("--method", "swap", "--k", "100", "--algorithm", "fixed")
    for which in both(clinic, *fixed):
        told = [f for f in which["findings"] if f["id"] == "correlation-moved"]
        assert len(told) == 1 and told[0]["columns"] == ["diagnosis", "second"]
        assert told[0]["figures"]["before"] == 1 and told[0]["figures"]["after"] < 0.5
        assert "a weaker correlation of diagnosis and second than the original" in told[0]["text"]


def test_swaps_are_told_by_the_limit_alone(clinic):
    """On both sides of it, fixed and multivariate."""
    seen = set()
    for k in ("2", "10", "100"):
        for algorithm in ("fixed", "multivariate"):
            told, found = both(clinic, "--method", "swap", "--k", k, "--algorithm", algorithm)
            pair = found["pairs"][0]
            moved = abs(pair["correlation_masked"] - pair["correlation_original"]) > 0.1
            seen.add(moved)
            for which in (told, found):
                assert moved == ("correlation-moved" in ids(which["findings"])), (k, algorithm)
    assert seen == {True, False}


def test_other_methods_promise_no_correlation(clinic):
    paired_table(clinic)
    for told in both(clinic, "--method", "naive"):
        assert "correlation-moved" not in ids(told["findings"])


def test_noise_within_and_beyond_its_limits(clinic):
    """alpha 5 asks for more variance than the domain has."""
    for told in both(clinic, "--alpha", "5"):
        findings = {(f["id"], *f["columns"]): f for f in told["findings"]}
        for name in ("diagnosis", "second"):
            column = told["columns"][name]
            aim = column["variance_expected"]
            after = column.get("variance_masked", column.get("variance"))
            assert abs(after - aim) > 2.5 * aim / 6
            assert ("noise-misses-variance", name) in findings
    text = " ".join(clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s",
                              "--alpha", "5").split())
    assert "WARNING The noise misses the variance of diagnosis: it is " in text
    assert "Choose another alpha, reference or ontology." in text


def test_findings_are_those_of_the_limits(clinic):
    """Whatever alpha: exactly what the limits say."""
    for alpha in (0.1, 0.3, 0.5, 1, 2):
        told, found = both(clinic, "--alpha", str(alpha))
        for which in (told, found):
            for name in ("diagnosis", "second"):
                column = which["columns"][name]
                before = column["variance_expected"] / (1 + alpha)
                after = column.get("variance_masked", column.get("variance"))
                missed = abs(after - (1 + alpha) * before) > alpha * before / 2
                assert missed == any(f["id"] == "noise-misses-variance" and f["columns"] == [name]
                                     for f in which["findings"]), (alpha, name)
        for name in ("diagnosis", "second"):
            moved = found["columns"][name]["mean_shift"] > 0.1
            for which in (told, found):
                assert moved == any(f["id"] == "noise-moves-mean" and f["columns"] == [name]
                                    for f in which["findings"])
        pair = found["pairs"][0]
        moved = abs(pair["correlation_masked"] - pair["correlation_original"]) > 0.1
        for which in (told, found):
            assert moved == ("correlation-moved" in ids(which["findings"]))


@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.1, 0.5, 3])
def test_mask_and_audit_ask_for_one_rmse(clinic, alpha):
    """Not for that of the errors that happened to be drawn."""
    how = ("--alpha", str(alpha))
    missed = [[f for f in told["findings"] if f["id"] == "noise-misses-rmse"] for told in both(clinic, *how)]
    assert [f["columns"] for f in missed[0]] == [f["columns"] for f in missed[1]]
    for of_mask, of_audit in zip(*missed):
        assert of_mask["figures"]["target_rmse"] == of_audit["figures"]["target_rmse"]
        name = of_mask["columns"][0]
        before = variance([IDS[v] for v in parsed(clinic.read("table.csv"))[name]])
        assert of_mask["figures"]["target_rmse"] == float(f"{(alpha * before) ** 0.5:.3g}")
    assert missed[0] or alpha >= 0.1


# ---- draw_by ------------------------------------------------------------------------------------

def test_draw_by_joins_the_records_of_a_person(clinic):
    """Four records a person; where a person has the same value twice, so has the release."""
    clinic.write("plan.toml", TWO.replace("[mask]\n", '[mask]\ndraw_by = "patient"\n'))
    told, found = both(clinic)
    after = list(zip(*(parsed(clinic.read("out.csv"))[n] for n in ("diagnosis", "second"))))
    people = {}
    for person, released in zip(parsed(clinic.read("table.csv"))["patient"], after):
        people.setdefault(released, []).append(person)
    repeated = [p for p in people.values() if len(p) > 1]
    own = [p for p in repeated if len(set(p)) == 1]
    for which in (told, found):
        finding = [f for f in which["findings"] if f["id"] == "draw-by-links-records"]
        if own:
            assert finding[0]["figures"] == {"repeated": len(repeated), "of_one_person": len(own)}
        else:
            assert finding == []


def test_draw_by_joins_nothing_where_everybody_has_one_record(clinic):
    clinic.write("plan.toml", TWO.replace("[mask]\n", '[mask]\ndraw_by = "note"\n'))
    for told in both(clinic):
        assert "draw-by-links-records" not in ids(told["findings"])


def test_draw_by_with_visits_alike(clinic):
    clinic.write("plan.toml", TWO.replace("[mask]\n", '[mask]\ndraw_by = "patient"\n'))
    clinic.write("table.csv", as_csv([[f"p{i // 4}", LEAVES[(i // 4) % 12], LEAVES[(i // 4) * 5 % 12],
                                       "c", f"{i}"] for i in range(80)]))
    for told in both(clinic):
        finding = [f for f in told["findings"] if f["id"] == "draw-by-links-records"]
        assert len(finding) == 1 and finding[0]["figures"]["of_one_person"] > 5
        assert "Records of one person can be joined: drawn by patient" in finding[0]["text"]
    text = clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    text = " ".join(text.split())
    assert "WARNING Records of one person can be joined" in text and "Leave draw_by out" in text
