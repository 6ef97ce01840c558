"""semveil fit and apply: the two halves of mask, with a model between them."""

import os
import stat

import pytest

from clinic import IDS, LEAVES, PLAN, SECOND, as_csv, files, mask, parsed, prepare, rows

SEED = "correct horse battery"


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


def fit(program, *more, model="m.model"):
    return program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", model, *more)


def apply(program, *more, table="table.csv", out="applied.csv"):
    program.ok("apply", table, "--model", "m.model", "-o", out, "--quiet", *more)
    return (program.folder / out).read_bytes().decode()


@pytest.mark.parametrize("plan", [PLAN, PLAN + SECOND, 'missing = "category"\n' + PLAN,
                                  "shuffle = true\n" + PLAN, 'release = "r"\n' + PLAN,
                                  PLAN.replace("alpha", 'draw_by = "patient"\nalpha'),
                                  PLAN.replace("alpha", "correlated = true\nalpha") + SECOND,
                                  PLAN.replace("alpha", 'reference = "pair"\nalpha') + SECOND,
                                  PLAN.replace('"noise"\nalpha = 0.5', '"probabilistic"')],
                         ids=["one", "two", "category", "shuffle", "release", "draw_by", "correlated",
                              "pair", "probabilistic"])
def test_fit_and_apply_are_mask(clinic, plan):
    clinic.write("plan.toml", plan)
    fit(clinic, "--seed", SEED)
    whole = mask(clinic, "--seed", SEED)
    assert apply(clinic) == whole
    for more in (["--threads", "3"], ["--batch-rows", "7"]):
        assert apply(clinic, *more) == whole


def test_a_model_needs_neither_the_plan_nor_the_ontology_nor_the_table(clinic):
    fit(clinic)
    first = apply(clinic, "--release", "r")
    for name in ("plan.toml", "disease.csv"):
        (clinic.folder / name).unlink()
    assert apply(clinic, "--release", "r") == first


def test_only_the_owner_can_read_a_model(clinic):
    clinic.write("m.model", "old")
    (clinic.folder / "m.model").chmod(0o644)
    text = fit(clinic)
    assert stat.S_IMODE(os.stat(clinic.folder / "m.model").st_mode) == 0o600
    assert "The model holds the key and original values" in text
    assert b"secret: holds the key and original values" in (clinic.folder / "m.model").read_bytes()[:200]


def test_fit_tells_what_the_model_holds(clinic):
    result = clinic.json("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model")
    assert result.keys() >= {"model", "bytes", "records", "method", "parameters", "columns", "holds_key"}
    assert result["bytes"] == (clinic.folder / "m.model").stat().st_size
    assert (result["records"], result["columns"], result["holds_key"]) == (200, ["diagnosis"], True)
    words = [line.split() for line in fit(clinic).splitlines()]
    assert ["records", "200"] in words and ["columns", "diagnosis"] in words


# ---- Keys ---------------------------------------------------------------------------------------

def test_a_key_can_be_kept_apart_from_the_model(clinic):
    text = fit(clinic, "--no-key", "--key-out", "the.key")
    assert "the.key" in text and "The model holds original values" in text
    digits = clinic.read("the.key")
    assert len(digits) == 65 and int(digits, 16) and digits.strip() not in text
    assert stat.S_IMODE(os.stat(clinic.folder / "the.key").st_mode) == 0o600
    message = clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "applied.csv")
    assert message.startswith("semveil: m.model: ") and "(--key-file)" in message
    assert "applied.csv" not in files(clinic)
    first = apply(clinic, "--key-file", "the.key")
    assert apply(clinic, "--key-file", "the.key") == first


def test_a_seed_stands_for_the_key(clinic):
    fit(clinic, "--no-key", "--seed", SEED, "--key-out", "the.key")
    assert apply(clinic, "--seed", SEED) == mask(clinic, "--seed", SEED)
    assert apply(clinic, "--key-file", "the.key") == apply(clinic, "--seed", SEED)


@pytest.mark.parametrize("origin", [["--seed", SEED], []], ids=["seed", "fresh key"])
def test_another_key_than_that_of_the_fit_is_exit_1(clinic, origin):
    """Its release would look right, and be undone by nobody, nor agree with any other."""
    fit(clinic, "--no-key", "--key-out", "the.key", *origin)
    clinic.write("other.key", "0" * 63 + "1\n")
    for wrong in (["--key-file", "other.key"], ["--seed", SEED + "y"]):
        message = clinic.fails(1, "apply", "table.csv", "--model", "m.model", "-o", "a.csv", *wrong)
        assert "m.model: this is not the key that the model was fitted with" in message
        assert "a.csv" not in files(clinic)


def test_a_key_is_not_lost(clinic):
    message = clinic.fails(2, "fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--no-key")
    assert "--key-out" in message and "m.model" not in files(clinic)


@pytest.mark.parametrize("options, named", [
    (["-o", "-"], "standard output"),
    (["-o", "m.model", "--no-key", "--key-out", "-"], "standard output"),
    (["-o", "m.model", "--key-out", "k"], "--no-key"),
    (["-o", "m.model", "--no-key", "--key-out", "m.model"], "same name"),
    (["-o", "table.csv"], "would replace the input"),
    (["-o", "plan.toml"], "would replace the input"),
    (["-o", "disease.csv"], "would replace the input"),
    ([], "--output"),
], ids=lambda part: " ".join(part) if isinstance(part, list) else None)
def test_a_wrong_command_line_of_fit_is_exit_2(clinic, options, named):
    before = files(clinic)
    assert named in clinic.fails(2, "fit", "table.csv", "--plan", "plan.toml", *options)
    assert files(clinic) == before


@pytest.mark.parametrize("content", ["", "12", "x" * 64, "0" * 63, "0" * 65])
def test_a_wrong_key_file_is_exit_1_and_not_quoted(clinic, content):
    fit(clinic, "--no-key", "--key-out", "the.key")
    clinic.write("bad.key", content)
    message = clinic.fails(1, "apply", "table.csv", "--model", "m.model", "-o", "a.csv", "--key-file",
                           "bad.key")
    assert "bad.key" in message and (not content or content not in message)


def test_a_model_that_holds_its_key_takes_no_other(clinic):
    fit(clinic)
    clinic.write("other.key", "0" * 63 + "1\n")
    message = clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "a.csv", "--key-file",
                           "other.key")
    assert "key" in message and "a.csv" not in files(clinic)


def test_the_seed_and_the_key_appear_nowhere(clinic):
    clinic.write("plan.toml", f'seed = "{SEED}"\n' + PLAN)
    clinic.write("seed.txt", SEED + "\n")
    fit(clinic, "--no-key", "--key-out", "the.key")
    key = clinic.read("the.key").strip()
    secrets = [SEED.encode(), key.encode(), key.upper().encode(), bytes.fromhex(key)]
    runs = [["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--trace", "t.csv", *more]
            for more in ([], ["--json"], ["--seed-file", "seed.txt"], ["--seed", SEED])]
    runs.append(["fit", "table.csv", "--plan", "plan.toml", "-o", "keyless.model", "--no-key"])
    runs.append(["fit", "table.csv", "--plan", "plan.toml", "-o", "keyless.model", "--no-key", "--json"])
    runs.append(["apply", "table.csv", "--model", "keyless.model", "-o", "a.csv", "--seed", SEED])
    runs.append(["describe", "table.csv", "--plan", "plan.toml"])
    runs.append(["mask", "table.csv", "--plan", "plan.toml", "-o", "none/out.csv"])  # a failure
    for arguments in runs:
        done = clinic.run(*arguments)
        said = done.stdout.encode() + done.stderr.encode()
        assert not any(secret in said for secret in secrets), arguments
    for name in ("out.csv", "t.csv", "keyless.model", "a.csv"):
        content = (clinic.folder / name).read_bytes()
        assert not any(secret in content for secret in secrets), name
    fit(clinic)
    assert SEED.encode() not in (clinic.folder / "m.model").read_bytes()


# ---- Other tables -------------------------------------------------------------------------------

def test_another_table_needs_a_release(clinic):
    fit(clinic, "--seed", SEED)
    clinic.write("later.csv", as_csv(rows(50)))
    message = clinic.fails(2, "apply", "later.csv", "--model", "m.model", "-o", "a.csv")
    assert "--release" in message and "a.csv" not in files(clinic)
    first = apply(clinic, "--release", "r", table="later.csv")
    assert apply(clinic, "--release", "r", table="later.csv") == first
    assert apply(clinic, "--release", "q", table="later.csv") != first


def test_a_stream_needs_a_release_too(clinic):
    fit(clinic)
    message = clinic.fails(2, "apply", "-", "--model", "m.model", stdin=clinic.read("table.csv"))
    assert "--release" in message


def test_a_table_in_parts_is_masked_as_the_whole(clinic):
    fit(clinic)
    whole = apply(clinic, "--release", "r")
    records = rows(200)
    clinic.write("part1.csv", as_csv(records[:77]))
    clinic.write("part2.csv", as_csv(records[77:]))
    first = apply(clinic, "--release", "r", "--again", table="part1.csv")
    second = apply(clinic, "--release", "r", "--again", "--first-row", "77", table="part2.csv")
    assert first + second.split("\n", 1)[1] == whole
    assert apply(clinic, "--release", "r", "--again", table="part2.csv") != second


def test_values_that_the_fit_did_not_see_are_mapped(clinic):
    fit(clinic)
    clinic.write("later.csv", as_csv([["p", "FLU", "x", "c", "n"], ["p", "D3", "x", "c", "n"]]))
    out = parsed(apply(clinic, "--release", "r", table="later.csv"))
    assert set(out["diagnosis"]) <= set(IDS)


def test_unknown_values_are_exit_1(clinic):
    fit(clinic)
    clinic.write("later.csv", as_csv([["p", "Flu", "x", "c", "n"], ["p", "warp core", "x", "c", "n"]]))
    arguments = ["apply", "later.csv", "--model", "m.model", "-o", "a.csv", "--release", "r"]
    message = clinic.fails(1, *arguments)
    assert "later.csv:3:" in message and "warp core" in message and "diagnosis" in message
    assert "warp core" not in clinic.fails(1, *arguments, "--quiet")
    assert "a.csv" not in files(clinic)


def test_a_table_without_the_masked_column_is_exit_1(clinic):
    fit(clinic)
    clinic.write("later.csv", "patient\np\n")
    message = clinic.fails(1, "apply", "later.csv", "--model", "m.model", "-o", "a.csv", "--release", "r")
    assert "diagnosis" in message and "later.csv" in message


def test_apply_tells_and_traces_as_mask_does(clinic):
    fit(clinic, "--seed", SEED)
    told = clinic.json("apply", "table.csv", "--model", "m.model", "-o", "a.csv", "--trace", "a.trace")
    mask(clinic, "--seed", SEED, "--trace", "m.trace")
    assert clinic.read("a.trace") == clinic.read("m.trace")
    assert told.keys() >= {"records", "columns", "method", "parameters", "changed", "truncated",
                           "seconds", "single_origin", "unmasked", "dropped"}
    assert told["records"] == 200 and told["columns"]["diagnosis"]["rmse"] > 0


def test_classes_are_told_only_where_all_quasi_identifiers_are_known(clinic):
    """Classes over some of them would look larger than they are."""
    clinic.write("plan.toml", PLAN + '[column.note]\nrole = "quasi-identifier"\n')
    fit(clinic)
    classes = clinic.json("apply", "table.csv", "--model", "m.model", "-o", "a.csv")["classes"]
    assert classes["uniques"] in (200, None)


@pytest.mark.parametrize("spoil", [lambda b: b[:-1000], lambda b: b[:40], lambda b: b"", lambda b: b"x" + b,
                                   lambda b: b[:300] + bytes([b[300] ^ 1]) + b[301:]],
                         ids=["cut", "short", "empty", "shifted", "one bit"])
def test_a_damaged_model_is_exit_1(clinic, spoil):
    fit(clinic)
    whole = (clinic.folder / "m.model").read_bytes()
    assert len(whole) > 2000
    clinic.write("m.model", spoil(whole))
    assert "m.model" in clinic.fails(1, "apply", "table.csv", "--model", "m.model", "-o", "a.csv")


@pytest.mark.parametrize("options, named", [
    ([], "-o"),
    (["-o", "-", "--json"], "--json"),
    (["-o", "table.csv"], "would replace the input"),
    (["-o", "m.model"], "would replace the input"),
    (["-o", "a.csv", "--trace", "a.csv"], "same name"),
    (["-o", "a.csv", "--trace", "-"], "standard output"),
    (["-o", "a.csv", "--first-row", "-1"], "--first-row"),
    (["-o", "a.csv", "--seed", "s", "--key-file", "k"], "one of them"),
], ids=lambda part: " ".join(part) if isinstance(part, list) else None)
def test_a_wrong_command_line_of_apply_is_exit_2(clinic, options, named):
    fit(clinic)
    before = files(clinic)
    assert named in clinic.fails(2, "apply", "table.csv", "--model", "m.model", *options)
    assert files(clinic) == before


def test_apply_without_a_model_is_exit_2_and_a_missing_one_exit_1(clinic):
    assert "--model" in clinic.fails(2, "apply", "table.csv", "-o", "a.csv")
    assert "none.model" in clinic.fails(1, "apply", "table.csv", "--model", "none.model", "-o", "a.csv")


def test_leaves_that_were_never_seen_are_masked_within_the_domain(clinic):
    clinic.write("table.csv", as_csv([["p", d, "x", "c", "n"] for d in LEAVES[:4] * 30]))
    fit(clinic)
    clinic.write("later.csv", as_csv([["p", d, "x", "c", "n"] for d in LEAVES]))
    out = parsed(apply(clinic, "--release", "r", table="later.csv"))
    assert set(out["diagnosis"]) <= set(IDS)


# ---- Without a table ----------------------------------------------------------------------------

def declared(clinic, plan, *options):
    """The plan with the statistics that a fit on the table tells."""
    clinic.write("plan.toml", plan)
    told = clinic.json("fit", "table.csv", "--plan", "plan.toml", "-o", "table.model", "--seed", SEED)["statistics"]
    for name, of in told["columns"].items():
        plan = plan.replace(f"[column.{name}]\n", f'[column.{name}]\nmean = "{of["mean"]}"\nvariance = {of["variance"]!r}\n')
    mask_keys = f'digest = "{told["digest"]}"\n'
    if told["covariance"]:
        mask_keys += f"covariance = {told['covariance']}\n"
    return plan.replace("alpha", mask_keys + "alpha")


CORRELATED = PLAN.replace("alpha", "correlated = true\nalpha") + SECOND
STATISTICS = [PLAN, PLAN + SECOND, CORRELATED, 'release = "r"\n' + PLAN, 'missing = "category"\n' + PLAN,
              PLAN.replace("alpha", 'reference = "root"\nalpha'),
              CORRELATED.replace("alpha", 'reference = "pair"\nalpha'),
              PLAN.replace("alpha", 'draw_by = "patient"\nalpha'),
              PLAN.replace("alpha", 'distribution = "laplace"\nties = "first"\nalpha')]


@pytest.mark.parametrize("plan", STATISTICS, ids=["one", "two", "correlated", "release", "category", "root", "pair",
                                                  "draw_by", "laplace"])
def test_declared_statistics_mask_as_the_table_they_are_of(clinic, plan):
    clinic.write("statistics.toml", declared(clinic, plan))
    told = clinic.json("fit", "--plan", "statistics.toml", "-o", "m.model", "--seed", SEED)
    assert told["records"] is None and told["statistics"]["digest"]
    assert apply(clinic) == mask(clinic, "--seed", SEED)
    clinic.write("other.csv", as_csv(rows(37)))
    clinic.ok("apply", "other.csv", "--model", "table.model", "-o", "by_table.csv", "--quiet", "--release", "next")
    by_statistics = apply(clinic, "--release", "next", table="other.csv")
    assert by_statistics == (clinic.folder / "by_table.csv").read_bytes().decode()


def test_other_statistics_or_another_digest_mask_otherwise(clinic):
    plan = declared(clinic, PLAN)
    releases = []
    for changed in (plan, plan.replace('mean = "', 'mean = "D11" # '), plan.replace("digest", "# digest"),
                    plan.replace("variance = ", "variance = 0.9 # "),
                    plan.replace("digest", "# digest").replace("variance = ", "variance = 0.5 # ")):
        clinic.write("statistics.toml", changed)
        clinic.ok("fit", "--plan", "statistics.toml", "-o", "m.model", "--seed", SEED)
        releases.append(apply(clinic, "--release", "next"))
    assert len(set(releases)) == len(releases)


def test_where_nothing_was_seen_no_origin_is_told(clinic):
    clinic.write("statistics.toml", declared(clinic, PLAN))
    text = clinic.ok("fit", "--plan", "statistics.toml", "-o", "m.model", "--seed", SEED)
    assert "fitted on the statistics that the plan declares" in text and "records" not in text
    told = clinic.json("apply", "table.csv", "--model", "m.model", "-o", "applied.csv")
    assert told["single_origin"] is None
    clinic.write("statistics.toml", declared(clinic, PLAN).replace("digest", "# digest"))
    clinic.ok("fit", "--plan", "statistics.toml", "-o", "m.model", "--seed", SEED)
    assert "--release" in clinic.fails(2, "apply", "table.csv", "--model", "m.model", "-o", "applied.csv")
    assert clinic.json("apply", "table.csv", "--model", "table.model", "-o", "applied.csv")["single_origin"] is not None


@pytest.mark.parametrize("change, code, named", [
    (lambda plan: plan.replace("variance", "# variance"), 1, "mean = "),
    (lambda plan: plan.replace("mean", "# mean"), 1, "mean = "),
    (lambda plan: plan.replace('root = "D"', ""), 1, "root = "),
    (lambda plan: plan.replace("variance = ", "variance = 0 # "), 3, "variance = 0"),
    (lambda plan: plan.replace('mean = "', 'mean = "D9" # '), 1, "D9"),
    (lambda plan: plan.replace("alpha", "correlated = true\nalpha"), 1, "covariance"),
    (lambda plan: plan.replace("alpha", "correlated = true\ncovariance = [[0.1, 0.2]]\nalpha"), 1, "covariance"),
    (lambda plan: plan.replace('"noise"', '"naive"').replace("alpha", "# alpha").replace("digest", "# digest"), 1,
     "name the table"),
    (lambda plan: plan[:plan.index("[mask]")], 1, "[mask]"),
], ids=["variance", "mean", "root", "no variance", "no concept", "no covariance", "covariance", "naive", "no mask"])
def test_statistics_that_do_not_suffice_are_refused(clinic, change, code, named):
    clinic.write("statistics.toml", change(declared(clinic, PLAN)))
    assert named in clinic.fails(code, "fit", "--plan", "statistics.toml", "-o", "m.model")


def test_statistics_and_a_table_are_one_too_many(clinic):
    clinic.write("statistics.toml", declared(clinic, PLAN))
    for verb in (["fit", "table.csv"], ["mask", "table.csv"]):
        message = clinic.fails(1, *verb, "--plan", "statistics.toml", "-o", "out")
        assert "stand for a table" in message
    assert "stand for a table" not in clinic.fails(1, "fit", "--plan", "plan.toml", "-o", "m.model")
