"""Every mechanism takes every measure and every information content, and a model measures as the fit
did. Names are shared between concepts and some definitions are missing on purpose."""

import collections
import csv
import io
import math

import pytest

from clinic import DISEASES, IDS, LEAVES, PARENT, way_up

MEASURES = ["wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow", "resnik", "lin",
            "jiang-conrath", "sanchez", "tversky", "rodriguez-egenhofer", "x-similarity",
            "gloss-vector"]
METHODS = {
    "noise": "alpha = 0.5", "naive": "", "probabilistic": "", "swap": "k = 3", "random-swap": "",
    "distributional-swap": "k = 3", "fuse": "k = 3", "recode": "k = 3", "generalize": "k = 3",
    "microaggregate": "k = 3", "an": "l = 4",
    "ean": 'categories = {ontology = "disease", count = 3}',
}
SHARED = {"Flu": ["ailment"], "Cold": ["ailment", "chill"], "Asthma": ["chill"]}
WITHOUT = {"Gout", "Mumps"}
SIGNS = ["fever", "cough", "rash", "swelling", "bruises", "stiffness"]


def obo():
    out = "format-version: 1.2\n"
    for i, (key, parent, label) in enumerate(DISEASES):
        out += f"\n[Term]\nid: X:{key}\nname: {label}\n"
        if label not in WITHOUT:  # neighbours share a sign, as some others do
            first, second = SIGNS[i // 3], SIGNS[i * i % len(SIGNS)]
            out += f'def: "An illness with {first} and often with {second}." []\n'
        out += "".join(f'synonym: "{name}" EXACT []\n' for name in SHARED.get(label, []))
        if parent:
            out += f"is_a: X:{parent}\n"
    return out


def plan(method, more, measure, ic=""):
    role = "sensitive" if method in ("ean", "an") else "quasi-identifier"
    return f"""
[ontology.disease]
source = "obo:disease.obo"

[column.diagnosis]
role = "{role}"
ontology = "disease"
root = "X:D"
measure = "{measure}"
{ic}

[mask]
method = "{method}"
{more}
"""


@pytest.fixture
def clinic(semveil):
    semveil.write("disease.obo", obo())
    cells = [LEAVES[(i * i + i // 7) % len(LEAVES)] for i in range(120)]
    semveil.write("table.csv", "diagnosis\n" + "".join(f"{cell}\n" for cell in cells))
    return semveil


def column(text):
    return [row[0] for row in csv.reader(io.StringIO(text))][1:]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("measure", MEASURES)
def test_every_mechanism_takes_every_measure(clinic, method, measure):
    clinic.write("plan.toml", plan(method, METHODS[method], measure))
    how = ["table.csv", "--plan", "plan.toml", "--seed", "s"]
    masked = clinic.ok("mask", *how, "--quiet", "-o", "-")
    assert len(column(masked)) == 120
    labels = {label for _, _, label in DISEASES} | {"*"}
    if method not in ("ean", "an"):  # whose cells are sets
        assert set(column(masked)) <= labels
    clinic.ok("fit", *how, "--quiet", "-o", "model.svm")
    assert clinic.ok("apply", "table.csv", "--model", "model.svm", "--quiet", "-o", "-") == masked


@pytest.mark.parametrize("measure", ["resnik", "lin", "jiang-conrath", "wu-palmer"])
@pytest.mark.parametrize("ic", ["data", "corpus:text.txt"])
def test_a_model_keeps_the_content_that_was_counted(clinic, measure, ic):
    clinic.write("text.txt", "flu, flu and colds. Burns; cuts; chronic diseases")
    clinic.write("plan.toml", plan("noise", "alpha = 0.5", measure, f'ic = "{ic}"'))
    how = ["table.csv", "--plan", "plan.toml", "--seed", "s", "--quiet"]
    masked = clinic.ok("mask", *how, "-o", "-")
    clinic.ok("fit", *how, "-o", "model.svm")
    (clinic.folder / "text.txt").unlink()
    assert clinic.ok("apply", "table.csv", "--model", "model.svm", "--quiet", "-o", "-") == masked


def test_a_summary_says_where_a_measure_was_made_symmetric(clinic):
    clinic.write("plan.toml", plan("noise", "alpha = 0.5", "tversky"))
    domain = clinic.json("describe", "table.csv", "--plan", "plan.toml")["columns"]["diagnosis"]["domain"]
    assert (domain["measure"], domain["symmetrised"]) == ("tversky", True)
    said = clinic.ok("describe", "table.csv", "--plan", "plan.toml")
    assert "Distances of column diagnosis are the mean of both directions" in " ".join(said.split())
    clinic.write("plan.toml", plan("noise", "alpha = 0.5", "sanchez"))
    assert "both directions" not in clinic.ok("describe", "table.csv", "--plan", "plan.toml")
    domain = clinic.json("describe", "table.csv", "--plan", "plan.toml")["columns"]["diagnosis"]["domain"]
    assert domain["measure"] == "sanchez" and "symmetrised" not in domain


def test_a_summary_names_the_measure(clinic):
    clinic.write("plan.toml", plan("noise", "alpha = 0.5", "sanchez"))
    how = ("mask", "table.csv", "--plan", "plan.toml", "-o", "masked.csv")
    assert any(line.split() == ["measure", "sanchez"] for line in clinic.ok(*how).splitlines())
    for figures in clinic.json(*how)["columns"].values():
        assert figures["domain"] is None or figures["domain"]["measure"] == "sanchez"


def test_a_text_without_terms_is_an_error_that_names_it(clinic):
    clinic.write("text.txt", "nothing to see here")
    clinic.write("plan.toml", plan("noise", "alpha = 0.5", "lin", 'ic = "corpus:text.txt"'))
    said = clinic.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "text.txt" in said and "no term of the ontology" in said


# What the text of the next tests says of leaves and what lies above them.
SAYS = {"Flu": 4, "Cold": 2, "Burn": 1, "Gout": 3, "Injury": 2}


def contents(counts):
    """By id, worked from its definition: −ln of the share at or below; what never occurs has the most."""
    share = {key: sum(n for label, n in counts.items() if key in way_up(IDS[label])) for key in PARENT}
    known = {key: -math.log(n / sum(counts.values())) for key, n in share.items() if n > 0}
    return {key: known.get(key, max(known.values())) for key in PARENT}


def lin(a, b, content):
    if a == b:
        return 0
    subsumer = next(key for key in way_up(a) if key in way_up(b))
    both = content[a] + content[b]
    return 1 - 2 * content[subsumer] / both if both > 0 else 0


@pytest.mark.parametrize("ic", ["data", "corpus:text.txt"])
@pytest.mark.parametrize("method", ["noise", "naive", "probabilistic"])
def test_what_is_counted_gives_the_distances_that_are_reported(clinic, ic, method):
    clinic.write("text.txt", ". ".join(label for label, n in SAYS.items() for _ in range(n)))
    clinic.write("plan.toml", plan(method, METHODS[method], "lin", f'ic = "{ic}"'))
    told = clinic.json("mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv")
    before, after = column(clinic.read("table.csv")), column(clinic.read("out.csv"))
    content = contents(collections.Counter(before) if ic == "data" else SAYS)
    moved = [lin(IDS[a], IDS[b], content) for a, b in zip(before, after)]
    rmse = math.sqrt(sum(d * d for d in moved) / len(moved))
    assert rmse > 0
    assert told["columns"]["diagnosis"]["rmse"] == pytest.approx(rmse, abs=1e-9)
    found = clinic.json("audit", "table.csv", "out.csv", "--plan", "plan.toml",
                        *clinic.in_order("table.csv"))
    assert found["columns"]["diagnosis"]["rmse"] == pytest.approx(rmse, abs=1e-9)


def test_the_content_of_four_records(clinic):
    """Flu, Flu, Cold, Burn: infections are 3 of 4 (content ln 4/3), flu 1/2 (ln 2), cold 1/4 (ln 4)."""
    clinic.write("table.csv", "diagnosis\nFlu\nFlu\nCold\nBurn\n")
    clinic.write("out.csv", "diagnosis\nFlu\nCold\nCold\nBurn\n")
    clinic.write("plan.toml", plan("naive", "", "lin", 'ic = "data"'))
    found = clinic.json("audit", "table.csv", "out.csv", "--plan", "plan.toml")
    moved = 1 - 2 * math.log(4 / 3) / (math.log(2) + math.log(4))
    assert found["columns"]["diagnosis"]["rmse"] == pytest.approx(math.sqrt(moved ** 2 / 4), abs=1e-12)
