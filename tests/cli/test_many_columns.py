"""With many masked columns a summary has a row a column; --verbose prints the block of each."""

import pytest

from clinic import LEAVES, ONTOLOGY, SECOND

NAMES = [f"d{i}" for i in range(5)]
SOURCE = '[ontology.disease]\nsource = "edges:disease.csv"\n'
COLUMNS = "".join(SECOND.replace("second", name) for name in NAMES)
METHODS = {
    "noise": 'method = "noise"\nalpha = 0.5\n',
    "swap": 'method = "swap"\nk = 5\n',
    "fuse": 'method = "fuse"\nk = 3\n',
    "naive": 'method = "naive"\n',
    "an": f'method = "an"\nl = 2\ncolumns = {NAMES}\n'.replace("'", '"'),
}


def prepared(semveil, names=NAMES, method="noise"):
    semveil.write("disease.csv", ONTOLOGY)
    lines = [",".join(LEAVES[(i * (j + 2) + i // 7) % 12] if i % 9 or j else "" for j in range(len(names)))
             for i in range(120)]
    semveil.write("table.csv", "\n".join([",".join(names), *lines]) + "\n")
    semveil.write("plan.toml", SOURCE + "".join(SECOND.replace("second", name) for name in names) +
                  "[mask]\n" + METHODS[method])
    return semveil


def run(semveil, verb, *more):
    given = {"mask": ["--plan", "plan.toml", "-o", "out.csv", "--seed", "s"],
             "fit": ["--plan", "plan.toml", "-o", "m.model", "--seed", "s"],
             "apply": ["--model", "m.model", "-o", "out.csv"],
             "describe": ["--plan", "plan.toml"]}[verb]
    text = semveil.ok(verb, "table.csv", *given, *more)
    assert max(map(len, text.splitlines())) <= 100
    assert not any(line != line.rstrip() for line in text.splitlines())
    return text


def tables(text):
    """Of every table whose first column is the column's name, its head and its rows by name."""
    found, head = [], None
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["column"]:
            head = {}
            found.append((line, head))
        elif head is not None and words and words[0] in NAMES:
            head[words[0]] = words[1:]
        else:
            head = None
    return found


@pytest.mark.parametrize("method", METHODS)
def test_many_columns_are_a_row_each(semveil, method):
    text = run(prepared(semveil, method=method), "mask")
    assert "\nColumn d0\n" not in text and "\nColumns (each in detail: --verbose)\n" in text
    found = tables(text)
    assert found and all(list(rows) == NAMES for _, rows in found)


def test_the_rows_hold_what_json_tells(semveil):
    text = run(prepared(semveil), "mask")
    told = semveil.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")["columns"]
    (cells_head, cells), (figures_head, figures) = tables(text)
    assert cells_head.split() == ["column", "changed", "distinct", "after", "missing"]
    assert figures_head.split() == ["column", "RMSE", "asked", "for", "mean", "distance", "variance", "after",
                                    "aimed", "at"]
    for name, now in told.items():
        assert cells[name][-1] == str(now["missing"]) and cells[name][-2] == str(now["distinct"])
        assert figures[name][0] == f"{now['rmse']:.4f}" and figures[name][1] == f"{now['target_rmse']:.4f}"
        assert figures[name][4] == f"{now['variance']:.4f}"


@pytest.mark.parametrize("rule, head, told", [("suppress", "emptied", "3"), ("keep", "AS IT WAS", "3")])
def test_texts_that_mean_nothing_are_told_by_what_became_of_them(semveil, rule, head, told):
    prepared(semveil)
    lines = semveil.read("table.csv").splitlines()
    odd = [line.split(",") for line in lines]
    for row in (10, 20, 31):
        odd[row][1] = f"warp core {row}"
    semveil.write("table.csv", "".join(",".join(line) + "\n" for line in odd))
    plan = semveil.read("plan.toml")
    semveil.write("plan.toml", plan.replace("[column.d1]\n", f'[column.d1]\nunmapped = "{rule}"\n'))
    heads, cells = tables(run(semveil, "mask"))[0]
    assert heads.endswith(head)
    assert {name: row[-1] for name, row in cells.items()} == {name: told if name == "d1" else "-" for name in NAMES}


def test_swaps_tell_who_found_no_partner_and_noise_does_not(semveil):
    assert "no partner" in tables(run(prepared(semveil, method="swap"), "mask"))[0][0]
    assert "no partner" not in run(prepared(semveil), "mask")


def test_verbose_prints_the_block_of_each_column(semveil):
    text = run(prepared(semveil), "mask", "--verbose")
    assert all(f"\nColumn {name}\n" in text for name in NAMES) and tables(text) == []


def test_few_columns_stay_as_they_are(semveil):
    prepared(semveil, NAMES[:3])
    text = run(semveil, "mask")
    assert "\nColumn d0\n" in text and tables(text) == []
    assert text.split("\nWritten")[0] == run(semveil, "mask", "--verbose").split("\nWritten")[0]


def test_only_the_pairs_that_moved_most_are_shown(semveil):
    prepared(semveil)

    def pairs(text):
        part = text.partition("\nDistance correlation")[2].partition("\n\n")[0]
        return [line.split() for line in part.splitlines()[2:]]

    everything = pairs(run(semveil, "mask", "--verbose"))
    text = run(semveil, "mask")
    assert "(the 6 of 10 pairs that moved most; all with --verbose)" in text and len(everything) == 10
    moved = sorted((abs(float(after.strip("~")) - float(before.strip("~"))) for _, _, before, after in everything))
    shown = [abs(float(after.strip("~")) - float(before.strip("~"))) for _, _, before, after in pairs(text)]
    assert shown == pytest.approx(moved[::-1][:6], abs=2e-4)


def test_fit_and_apply_have_rows_too(semveil):
    prepared(semveil)
    text = run(semveil, "fit")
    ((head, rows),) = tables(text)
    assert head.split() == ["column", "mean", "variance"] and list(rows) == NAMES
    assert "\nColumn d0\n" not in run(semveil, "apply") and "\nColumn d0\n" in run(semveil, "apply", "--verbose")
    prepared(semveil, NAMES[:3])
    assert tables(run(semveil, "fit")) == [] and len(tables(run(semveil, "fit", "--verbose"))) == 1


def test_describe_leaves_domains_to_verbose(semveil):
    prepared(semveil)
    short, whole = run(semveil, "describe"), run(semveil, "describe", "--verbose")
    assert "Their domains: --verbose" in short and len(tables(short)) == 2
    assert "--verbose" not in whole and len(tables(whole)) == 3
    prepared(semveil, NAMES[:3])
    assert run(semveil, "describe") == run(semveil, "describe", "--verbose")


def test_audit_shows_all_pairs_only_when_asked(semveil):
    prepared(semveil)
    run(semveil, "mask")
    audit = ["audit", "table.csv", "out.csv", "--plan", "plan.toml", "--no-attacks", "--clusters", "0",
             *semveil.in_order("table.csv")]
    short, whole = semveil.ok(*audit), semveil.ok(*audit, "--verbose")
    assert "the 6 of 10 pairs that moved most" in " ".join(short.split())
    assert "moved most" not in whole and len(whole.splitlines()) == len(short.splitlines()) + 3


@pytest.mark.parametrize("verb", ["mask", "describe"])
def test_json_does_not_change(semveil, verb):
    prepared(semveil)
    more = ["-o", "out.csv", "--seed", "s"] if verb == "mask" else []
    args = [verb, "table.csv", "--plan", "plan.toml", *more]
    plain, verbose = semveil.json(*args), semveil.json(*args, "--verbose")
    plain.pop("seconds", None), verbose.pop("seconds", None)
    assert plain == verbose
