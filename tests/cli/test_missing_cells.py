"""One definition of missing cells: what mask tells is what audit finds, and both are worked by hand.
Tables are generated (clinic.py)."""

import math

import pytest

from clinic import IDS, PLAN, SECOND, as_csv, distance, parsed, prepare, rows

TWO = PLAN + SECOND
METHODS = [("noise", "--alpha", "0.5"), ("naive",), ("probabilistic",), ("swap", "--k", "5"), ("random-swap",),
           ("fuse", "--k", "3"), ("recode", "--k", "3"), ("microaggregate", "--k", "3"), ("generalize", "--k", "3"),
           ("generalize", "--k", "5", "--scope", "full-domain", "--suppression", "0.1"),
           ("generalize", "--k", "5", "--loss", "ncp")]


def missing_table():
    out = rows(200)
    for i, r in enumerate(out):
        r[1] = "" if i % 17 == 0 else r[1]
        r[2] = "" if i % 13 == 0 else r[2]
    return out


def leaves(concept):
    from clinic import PARENT, LEAVES
    def below(c):
        return c == concept or (PARENT[c] and below(PARENT[c]))
    return sum(bool(below(IDS[leaf])) for leaf in LEAVES)


@pytest.mark.parametrize("missing", ["keep", "category", "wildcard"])
@pytest.mark.parametrize("how", METHODS, ids=" ".join)
def test_mask_and_audit_agree_and_are_right(semveil, how, missing):
    prepare(semveil, plan=f'missing = "{missing}"\n' + TWO)
    semveil.write("table.csv", as_csv(missing_table()))
    told = semveil.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--method", *how)
    found = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition", "steward",
                         "--no-attacks", "--clusters", "0", "--method", *how)
    before, after = (parsed(semveil.read(f)) for f in ("table.csv", "out.csv"))
    lm, ncp = [], []
    for name in ("diagnosis", "second"):
        cells = [(x, z) for x, z in zip(before[name], after[name]) if x or z]
        moved = [distance(IDS[x], IDS[z]) if x and z else 1 for x, z in cells]
        rmse = math.sqrt(sum(d * d for d in moved) / len(moved))
        assert told["columns"][name]["rmse"] == pytest.approx(rmse, abs=1e-9)
        assert found["columns"][name]["rmse"] == pytest.approx(rmse, abs=1e-9)
        assert found["columns"][name]["unchanged"] == pytest.approx(sum(x == z for x, z in cells) / len(cells))
        assert told["columns"][name]["cells"] == len(cells)  # the same of which both tell shares
        assert told["columns"][name]["changed"] == sum(x != z for x, z in cells)
        had = [z for x, z in zip(before[name], after[name]) if x]
        lm.append(sum((leaves(IDS[z]) - 1) / 11 if z else 1 for z in had) / len(had))
        ncp.append(sum(0 if z and leaves(IDS[z]) == 1 else leaves(IDS[z]) / 12 if z else 1 for z in had) / len(had))
    assert found["lm"] == pytest.approx(sum(lm) / 2, abs=1e-9)
    assert found["ncp"] == pytest.approx(sum(ncp) / 2, abs=1e-9)
    assert found["lm_original"] == 0
    if how[0] == "generalize":
        loss = found["ncp"] if "ncp" in how else found["lm"]
        assert told["generalize"]["loss"] == pytest.approx(loss, abs=1e-9)


def test_a_table_worked_by_hand(semveil):
    """Missing in both: no part. Emptied: 1. Filled: 1. Kept: 0. Flu to Cold: 1 - 4/6."""
    prepare(semveil, plan=PLAN.split("[mask]")[0])
    pairs = [("", ""), ("Flu", ""), ("", "Gout"), ("Burn", "Burn"), ("Flu", "Cold"), ("Cut", "Injury")]
    for name, place in (("table.csv", 0), ("out.csv", 1)):
        semveil.write(name, "note,diagnosis\n" + "".join(f"{i},{p[place]}\n" for i, p in enumerate(pairs)))
    found = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition", "steward",
                         "--key", "note", "--clusters", "0")
    column = found["columns"]["diagnosis"]
    moved = [1, 1, 0, 1 / 3, 1 - 4 / 5]
    assert column["mean_distance"] == pytest.approx(sum(moved) / 5)
    assert column["rmse"] == pytest.approx(math.sqrt(sum(d * d for d in moved) / 5))
    # Of the four cells that had a value: emptied 1, kept 0, a leaf for a leaf 0, Injury (4 - 1) / 11.
    assert found["lm"] == pytest.approx((1 + 0 + 0 + 3 / 11) / 4)
    assert found["ncp"] == pytest.approx((1 + 0 + 0 + 4 / 12) / 4)


def test_without_pairs_nobody_knows_what_was_emptied(semveil):
    prepare(semveil, plan=TWO)
    semveil.write("table.csv", as_csv(missing_table()))
    semveil.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    unpaired = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--unpaired")
    assert unpaired["lm"] is None and unpaired["ncp"] is None
