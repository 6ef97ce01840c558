"""describe, advise, audit, compare: the figures of the program, by the same schema."""

import json

import jsonschema
import pandas
import pytest

import semveil as sv
from conftest import PROJECT


@pytest.fixture
def frame(table):
    return pandas.DataFrame(table)


def check(told, verb):
    schema = json.loads((PROJECT / f"docs/json/{verb}.schema.json").read_text())
    jsonschema.validate(told, schema)


def test_a_description_is_the_programs(program, frame):
    described = sv.describe(frame, "plan.toml")
    told = described.steward().to_dict()
    assert told == json.loads(program("describe", "table.csv", "--plan", "plan.toml", "--json"))
    check(told, "describe")
    assert list(described.to_pandas().index) == ["diagnosis", "second"]
    assert "diagnosis" in repr(described) and "<strong>" in described._repr_html_()


def test_a_release_tells_what_the_program_tells(program, frame):
    told = sv.mask(frame, "plan.toml", seed="s").steward().to_dict()
    theirs = json.loads(program("mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv", "--json"))
    check(told, "mask")
    for one in (told, theirs):
        one.pop("seconds")
    assert told == theirs


def test_an_audit_is_the_programs(program, folder, frame):
    program("mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv", "--quiet")
    masked = pandas.read_csv("out.csv", dtype=str, keep_default_na=False)
    found = sv.audit(frame, masked, "plan.toml")
    theirs = json.loads(program("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--json", "--edition", "steward"))
    told = found.steward().to_dict()
    check(told, "audit")
    assert told == theirs
    public = json.loads(program("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--json"))
    assert found.to_dict() == public
    assert list(found.to_pandas().index) == ["diagnosis", "second"]
    assert found._repr_html_().startswith("<iframe srcdoc=")


def test_a_release_is_audited_with_what_masking_knows(folder, frame):
    release = sv.mask(frame, "plan.toml", seed="s")
    release.report("report.html")
    page = (folder / "report.html").read_text()
    assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
    assert release.audit().to_dict()["columns"]["diagnosis"]["rmse"] > 0


def test_a_comparison_is_the_programs(program, folder, frame):
    tries = ["noise alpha=0.1,0.5", "swap k=4"]
    compared = sv.compare(frame, "plan.toml", tries, seed="s")
    theirs = json.loads(program("compare", "table.csv", "--plan", "plan.toml", "--try", tries[0], "--try", tries[1],
                                "--seed", "s", "--json"))
    told = compared.steward().to_dict()
    check(told, "compare")
    told["table"] = theirs["table"]
    assert told == theirs
    assert len(compared.to_pandas()) == 4
    assert "noise alpha 0.1" in repr(compared)
    assert compared.verdict == theirs["verdict"]


def test_advice_is_the_programs(program, folder, frame):
    advice = sv.advise(frame, "plan.toml")
    theirs = json.loads(program("advise", "table.csv", "--plan", "plan.toml", "--json"))
    assert advice.to_dict() == theirs
    check(theirs, "advise")
    plan = sv.Plan("plan.toml")
    assert sv.Plan({"ontology": {"disease": "edges:disease.csv"},
                    "column": {"diagnosis": {"role": "quasi-identifier", "ontology": "disease"}},
                    "mask": advice.mask}).method == advice.mask["method"]
    assert plan.method == "noise"


def test_values_are_mapped_as_the_program_maps_them(program, folder, frame):
    values = frame["diagnosis"].tolist() + ["Flue", None]
    mapping = sv.Ontology.open("edges:disease.csv").map(values)
    assert mapping.unmapped == {"Flue": ["Flu"]}
    assert mapping.coverage == 200 / 201
    mapping.write("diagnosis.map.csv")
    program("map", "table.csv", "--column", "diagnosis", "--ontology", "edges:disease.csv", "-o", "theirs.csv")
    theirs = pandas.read_csv("theirs.csv", keep_default_na=False, dtype=str).set_index("value")
    ours = mapping.to_pandas().astype(str).set_index("value")
    assert ours.drop("Flue").to_dict() == theirs.to_dict()
    assert (folder / "diagnosis.map.csv").read_text().splitlines()[0] == "value,count,concept,label,how,senses,suggestions"


def test_concepts_are_found_and_shown(program, folder):
    diseases = sv.Ontology.open("edges:disease.csv")
    assert diseases.search("fract")[0]["label"] == "Fracture"
    assert diseases.tree("Injury") == json.loads(program("ontology", "tree", "edges:disease.csv", "Injury", "--json"))


def test_plots_are_drawn(folder, frame):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    compared = sv.compare(frame, "plan.toml", ["noise alpha=0.1,0.5"])
    labels = {text.get_text() for text in compared.plot().axes[0].texts}
    assert labels == {"noise alpha 0.1", "noise alpha 0.5"}
    found = sv.mask(frame, "plan.toml").audit()
    distances = found.plot("distances")
    assert [plot.get_title() for plot in distances.axes] == ["diagnosis", "second"]
    heights = sum(bar.get_height() for bar in distances.axes[0].patches)
    assert heights == sum(found.to_dict()["columns"]["diagnosis"]["distances"])
    drawn = found.steward().plot("distributions", columns=["second"])
    assert [plot.get_title() for plot in drawn.axes] == ["second"]
    with pytest.raises(sv.UsageError, match="distances"):
        found.plot("pies")
