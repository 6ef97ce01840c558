"""The summary of a release: the page a data steward signs."""

import pytest

from clinic import LEAVES, PLAN, SECOND, as_csv, mask, parsed, prepare, rows

IDENTIFIER = '[column.patient]\nrole = "identifier"\n'


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, plan=PLAN + SECOND)


def summary(program, *more, verb="mask"):
    given = ["--model", "m.model"] if verb == "apply" else ["--plan", "plan.toml"]
    text = program.ok(verb, "table.csv", *given, "-o", "out.csv", *more)
    assert max(map(len, text.splitlines())) <= 100
    assert not any(line != line.rstrip() for line in text.splitlines())
    return text


def words(text):
    return [line.split() for line in text.splitlines()]


def one_line(text):
    return " ".join(text.split())


def block(text, column):
    """The lines about a column, by their first word."""
    part = text[text.index(f"\nColumn {column}\n"):].split("\n\n")[0]
    return {line.split()[0]: line.split()[1:] for line in part.splitlines()[2:]}


def test_it_tells_what_was_done(clinic):
    text = summary(clinic, "--seed", "s")
    assert "table.csv: masked by noise\n" in text
    assert ["records", "200"] in words(text)
    assert ["columns", "diagnosis,", "second"] in words(text)
    assert "alpha 0.5" in text and "reference mean" in text and "correlated false" in text
    assert ["ontology", "disease:", "edges:disease.csv"] in words(text)
    assert "keep: missing cells stay missing" in text
    assert "Written to out.csv" in text


def test_noise_that_misses_its_aim_is_warned_of(clinic):
    assert "misses its aim" not in summary(clinic, "--seed", "s")
    clinic.write("disease.csv", "child,parent,label\nD,,Disease\nD1,D,Infection\nD2,D,Injury\n")
    clinic.write("table.csv", as_csv([[p, ["Infection", "Injury"][i % 2], "Injury", c, n]
                                      for i, (p, _, _, c, n) in enumerate(rows(200))]))
    clinic.write("plan.toml", PLAN)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s",
                         "--alpha", "0.05")
    told = result["columns"]["diagnosis"]
    asked = next(f for f in result["findings"] if f["id"] == "noise-misses-rmse")["figures"]["target_rmse"]
    assert told["rmse"] > 1.5 * told["target_rmse"]
    text = one_line(summary(clinic, "--seed", "s", "--alpha", "0.05"))
    assert (f"The noise on diagnosis misses its aim: the RMSE is {told['rmse']:.4g}, and "
            f"{asked:.4g} was asked for. The domain has too few concepts as near as that. Where values "
            "change more than the errors ask") in text


def test_figures_before_and_after_stand_beside_their_aims(clinic):
    clinic.ok("describe", "table.csv", "--plan", "plan.toml", "--quiet")
    before = clinic.json("describe", "table.csv", "--plan", "plan.toml")
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    text = summary(clinic, "--seed", "s")
    for name in ("diagnosis", "second"):
        told, was, now = block(text, name), before["columns"][name], result["columns"][name]
        assert told["variance"][:3] == [f"{was['variance']:.4f}", f"{now['variance']:.4f}",
                                        f"{1.5 * was['variance']:.4f}"]
        assert told["RMSE"][:2] == [f"{now['rmse']:.4f}", f"{now['target_rmse']:.4f}"]
        assert told["distinct"] == [str(was["distinct"]), str(now["distinct"])]
        assert was["mean"]["label"].split()[0] == told["mean"][0]
        assert told["changed"][:3] == [str(now["changed"]), "of", "200"]
        assert f"{now['changed'] / 2:.2f}" in told["changed"]
        assert told["truncated"][0] == str(now["truncated"])
        assert told["missing"][0] == "0" and told["unmapped"] == ["none"]
    pair = f"{before['pairs'][0]['distance_correlation']:.4f}"
    assert ["diagnosis", "second", pair, f"{result['pairs'][0]['distance_correlation']:.4f}"] in words(text)
    classes = [before["classes"], result["classes"]]
    assert ["classes", *(str(c["count"]) for c in classes)] in words(text)
    assert [*"records alone in their class".split(), *(str(c["uniques"]) for c in classes)] in words(text)


def test_records_with_one_possible_origin_come_first(semveil):
    prepare(semveil)
    semveil.write("disease.csv", "child,parent\na,D\nb,D\n")
    semveil.write("table.csv", as_csv([["p", d, "x", "c", "n"] for d in ("a", "b") * 50]))
    result = semveil.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    text = summary(semveil, "--seed", "s")
    assert (result["single_origin"] > 0) == text.startswith("WARNING")
    if result["single_origin"]:
        assert f"{result['single_origin']} of 100 records" in one_line(text)


def test_without_such_records_there_is_no_such_warning(clinic):
    clinic.write("plan.toml", "shuffle = true\n" + PLAN + SECOND + IDENTIFIER +
                 '[column.note]\nrole = "identifier"\n')
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    text = summary(clinic, "--seed", "s")
    told = [f["id"] for f in result["findings"] if f["severity"] in ("danger", "warning")]
    assert text.count("WARNING  ") + text.count("DANGER   ") == len(told)
    assert ("single-origin" in told) == (result["single_origin"] > 0)
    assert (result["single_origin"] == 0) == ("that only one original value" not in one_line(text))


def test_columns_that_pass_through_are_named_the_telling_ones_loudly(clinic):
    text = one_line(summary(clinic))
    assert "Not masked, released as they are: patient, city and note" in text
    loud = text[text.index("Not masked, and"):].split(". ")[0]
    assert "note" in loud and "city" not in loud and "patient" not in loud
    clinic.write("plan.toml", 'undeclared = "drop"\n' + PLAN + SECOND)
    text = summary(clinic)
    assert "Every column that is released is masked" in text and "Not masked" not in text
    assert ["left", "out", "patient,", "city,", "note"] in words(text)


def test_shuffling_is_recommended_unless_it_is_done(clinic):
    assert "shuffle = true in the plan is recommended" in one_line(summary(clinic))
    clinic.write("plan.toml", "shuffle = true\n" + PLAN + SECOND)
    text = one_line(summary(clinic))
    assert "recommended" not in text and "random order" in text


def test_a_seeded_run_says_what_a_seed_is_worth(clinic):
    warning = "who guesses the seed can undo the release"
    assert warning in one_line(summary(clinic, "--seed", "s"))
    clinic.write("seed.txt", "s")
    assert warning in one_line(summary(clinic, "--seed-file", "seed.txt"))
    assert warning not in one_line(summary(clinic))
    clinic.write("plan.toml", 'seed = "s"\n' + PLAN)
    assert warning in one_line(summary(clinic))


def test_only_with_draw_by_releases_are_said_to_agree(clinic):
    assert "releases agree" not in one_line(summary(clinic, "--seed", "s"))
    assert "do not agree" in one_line(summary(clinic, "--seed", "s"))
    assert "these releases agree" in one_line(summary(clinic, "--seed", "s", "--draw-by", "patient"))
    # A key that is thrown away makes no second release.
    assert "these releases agree" not in one_line(summary(clinic, "--draw-by", "patient"))


def test_no_cell_of_the_table_is_told(clinic):
    clinic.write("plan.toml", PLAN.replace('root = "D"', 'root = "D"\nunmapped = "suppress"'))
    clinic.write("table.csv", as_csv([[f"Alice{i}", "Secretitis" if i % 9 == 0 else LEAVES[i % 12],
                                       "hush", f"Hiddenville {i}", f"n{i}"] for i in range(90)]))
    text = summary(clinic)
    for secret in ("Alice", "Secretitis", "hush", "Hiddenville"):
        assert secret not in text
    assert block(text, "diagnosis")["unmapped"][:3] == ["10", "cells", "emptied"]


def test_records_left_out_are_counted(clinic):
    clinic.write("plan.toml", 'missing = "drop-record"\n' + PLAN)
    clinic.write("table.csv", as_csv([["p", "" if i % 4 == 0 else LEAVES[i % 12], "x", "c", "n"]
                                      for i in range(100)]))
    text = summary(clinic)
    assert "25 left out for a missing cell" in one_line(text)
    assert "drop-record: " in text


def test_sensitive_columns_are_told_before_and_after(clinic):
    clinic.write("plan.toml", PLAN + '[column.city]\nrole = "sensitive"\n')
    told = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")
    text = summary(clinic, "--seed", "s")
    l_after = told["privacy"]["sensitive"]["city"]["l"]
    (line,) = [line for line in words(text) if line[:3] == ["city", "distinct", "l"]]
    assert line[-1] == str(l_after)


def test_long_and_many_names_stay_on_the_page(semveil):
    prepare(semveil)
    long = "diagnosis " * 12
    semveil.write("table.csv", as_csv(rows(60), HEADER_OF_LONG.format(long.strip())))
    semveil.write("plan.toml", PLAN.replace("[column.diagnosis]", f'[column."{long.strip()}"]'))
    text = summary(semveil)
    assert long.strip() not in text and "diagnosis diagnosis" in text


HEADER_OF_LONG = "patient,{},second,city,note"


def test_a_cell_cannot_move_the_cursor(semveil):
    prepare(semveil)
    semveil.write("table.csv", as_csv(rows(60), "patient,diagnosis,second,city,\x1b[31mnote"))
    assert "\x1b" not in summary(semveil)


def test_baselines_have_no_aims(clinic):
    clinic.write("plan.toml", PLAN.replace('"noise"\nalpha = 0.5', '"naive"'))
    text = summary(clinic)
    assert "masked by naive" in text and "aimed at" not in text and "(1 + alpha)" not in text


def test_apply_has_a_summary_too(clinic):
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    text = one_line(summary(clinic, "--release", "r", verb="apply"))
    assert "table.csv: masked by noise" in text and "who holds the model can undo the release" in text
    assert "shuffle = true in the plan is recommended" in text and "'r'" in text


def test_quiet_prints_nothing(clinic):
    assert clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet") == ""
    assert len(parsed(clinic.read("out.csv"))["diagnosis"]) == 200
    assert mask(clinic)
