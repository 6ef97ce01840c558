"""semveil audit --explain: every key of an audit's JSON has its words."""

import re

import pytest

from clinic import PLAN, SECOND, as_csv, mask, prepare, rows
from conftest import PROJECT, guide

SENSITIVE = '\n[column.city]\nrole = "sensitive"\n'
# Names, texts and places: nothing that was measured.
NO_FIGURES = {"role", "label", "id", "name", "about", "a", "b", "target", "column", "left", "right",
              "notes", "edition", "unpaired_why", "channels.columns"}
BY_COLUMN = {"columns", "privacy.sensitive", "privacy_original.sensitive"}


def below(json, path):
    """Every key with the keys it stands in; * for the name of a column."""
    if isinstance(json, list):
        return set().union(*(below(each, path) for each in json))
    if not isinstance(json, dict):
        return set()
    found = set()
    for key, value in json.items():
        whole = ".".join([*path.split("."), "*" if path in BY_COLUMN else key]).lstrip(".")
        # A finding's figures are explained by its own sentence.
        found |= {whole} | (set() if whole == "findings" else below(value, whole))
    return found


def paths(program):
    mask(program)
    program.write("control.csv", as_csv(rows(260)[200:]))
    found = below(program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--edition",
                               "steward", "--control", "control.csv"), "")
    return {path.replace(".*", "") for path in found}


def is_figure(path):
    return path not in NO_FIGURES and path.split(".")[-1] not in NO_FIGURES


def explained(program, name):
    return [f["name"] for f in program.json("audit", "--explain", name)["figures"]]


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, plan=PLAN + SECOND + SENSITIVE)


def test_every_key_of_an_audit_is_explained(clinic):
    found = paths(clinic)
    assert {"columns.variance_expected", "columns.distribution.pooled", "clusters.original.height",
            "privacy_original.sensitive.t", "attacks.risk_interval", "channels.half_width",
            "channels.values.worst", "risky_values.linked", "downstream.tested"} <= found
    asked = {path: clinic.run("audit", "--explain", path).returncode
             for path in sorted(found) if is_figure(path)}
    assert len(asked) > 100
    assert [path for path, code in asked.items() if code != 0] == []


def test_every_explanation_is_of_a_key(clinic):
    """No entry is left behind by a key that is gone or has another name."""
    found = paths(clinic)
    reached = {name for path in found if is_figure(path) for name in explained(clinic, path)}
    entries = {f["name"] for f in clinic.json("audit", "--explain")["figures"]}
    # Values of a name; what is told only where correlations are estimated, or of classes and sets.
    others = {"attacks.singling_out", "attacks.linkability", "attacks.inference", "pairs.sampled",
              "disclosures.fewest"}
    others |= {f"columns.numeric.{name}" for name in ("mean", "deviation", "min", "max", "quantiles")}  # of numbers
    others |= {f"disclosures.{name}" for name in ("identity", "membership", "attribute", "skewness",
                                                  "similarity", "sensitivity")}
    assert entries - reached - others == set()


@pytest.mark.parametrize("name, entries", [
    ("mean_original", {"columns.mean", "columns.numeric.mean"}),
    ("number_mean_masked", {"columns.number_mean"}),
    ("classes_original.marketer", {"classes.marketer"}),
    ("singling-out", {"attacks.singling_out"}),
    ("sampled", {"pairs.sampled", "clusters.sampled"}),
    ("worst", {"linkage.worst", "channels.worst", "channels.values.worst", "disclosures.worst"}),
    ("semantic_quality", {"semantic_quality", "columns.semantic_quality"}),
    ("downstream", {"downstream", "downstream.majority", "downstream.tested"}),
    ("contributions", {"contributions.linkage_without", "contributions.uniques_without"}),
    ("privacy_original", {"privacy.k", "privacy.uniques", "privacy.sensitive.l",
                          "privacy.sensitive.entropy_l", "privacy.sensitive.recursive_c",
                          "privacy.sensitive.t", "privacy.sensitive.most_common"}),
])
def test_keys_and_groups_of_keys(semveil, name, entries):
    assert set(explained(semveil, name)) == entries


@pytest.mark.parametrize("name", ["original", "masked.", ".", "mea", "channel", "rmse_expected"])
def test_other_names_are_refused(semveil, name):
    assert "channels.vulnerability" in semveil.fails(2, "audit", "--explain", name)


def test_the_manual_shows_what_is_printed(semveil):
    manual = (PROJECT / "docs/audit.md").read_text()
    command = "$ semveil audit --explain linkage.semantic\n"
    shown = manual.split(command)[1].split("```")[0]
    assert shown == semveil.ok("audit", "--explain", "linkage.semantic")


def test_findings_are_explained(semveil):
    for name in sorted(guide()):
        assert name in explained(semveil, name)
        told = semveil.ok("audit", "--explain", name)
        assert not re.search(r"\binf\b|\bnan\b|: \.|  \.|\b0 of 0\b", told), told
    shown = {name: " ".join(semveil.ok("audit", "--explain", name).split())
             for name in ("told-by-mask-alone", "swap-risk-above-k", "shift-told", "alone-as-written")}
    assert "Not looked at here: which columns tell by how many days" in shown["told-by-mask-alone"]
    assert "k = N does not make it 1/k that" in shown["swap-risk-above-k"]
    assert "tells something of the true dates in OTHER" in shown["shift-told"]
    assert "N records of N are alone as they are written" in shown["alone-as-written"]
    told = " ".join(semveil.ok("audit", "--explain", "rows-linked").split())
    assert "(rows-linked)" in told and "Drop the column" in told and "(classes.smallest)" in told
    assert "N of the first N rows" in " ".join(semveil.ok("audit", "--explain", "rows-may-be-persons").split())


@pytest.mark.parametrize("word, entry", [
    ("recursive", "privacy.sensitive.recursive_c"), ("surest link", "linkage.worst"), ("smallest class", "classes.prosecutor"),
    ("finding oneself", "linkage.own_among_alike")])
def test_words_of_demands_and_comparisons_are_explained(semveil, word, entry):
    assert entry in explained(semveil, word)


def printed_words():
    """Labels of the tables that audits and summaries print: literals of the code that prints them."""
    found = set()
    for name in ("audit_text", "summary", "column_table", "set_summary", "risk_summary"):
        source = (PROJECT / f"cli/{name}.cc").read_text()
        for call in re.findall(r"(?:\.add\(\s*\{|[^_]row\(|risk_row\()([^;]*?);", source, re.S):
            found |= set(re.findall(r'(?<![\w(])"([^"{}]+)"', re.sub(r"name_cell\([^)]*\)", "", call)))
        found |= set(re.findall(r'wrapped\(\s*"  ([a-z][a-z ]+?) +"', source))
        found |= set(re.findall(r'^      \{"([^"]+)",', source, re.M))
    # What stands between two literals of one call is code.
    words = {word.strip() for word in found if not re.search(r"\n|->|figure\(", word)}
    return words - {"", "-", ",", "of", "≈", "~"}


def test_every_word_on_the_screen_is_explained(semveil):
    words = printed_words()
    assert {"mean moved", "by nearest meaning", "no partner", "leaks, bits", "emptied", "records alone in their class",
            "the surest link by meaning", "truncated", "RMSE"} <= words and len(words) > 80
    assert [word for word in sorted(words) if semveil.run("audit", "--explain", word).returncode != 0] == []
    told = semveil.ok("audit", "--explain", "No Partner")
    assert "found nobody within reach" in told and "formula" not in told
    assert explained(semveil, "by nearest meaning") == ["linkage.semantic"]
