"""Ontologies: the figures of the program, in NumPy arrays."""

import json

import numpy
import pytest

import semveil as sv
from clinic import LEAVES, distance, IDS


@pytest.fixture
def diseases(folder):
    return sv.Ontology.open("edges:disease.csv")


def test_a_distance_is_the_programs(diseases, program):
    told = diseases.distance("Flu", "Burn")
    assert told.to_dict() == json.loads(program("distance", "Flu", "Burn", "--ontology", "edges:disease.csv", "--json"))
    assert float(told) == told.distance == distance(IDS["Flu"], IDS["Burn"])
    assert told.lcs["label"] == "Disease"


def test_the_drawing_is_the_programs(diseases, program):
    drawn = repr(diseases.distance("Flu", "Cold")).splitlines()[-3:]
    assert drawn == program("distance", "Flu", "Cold", "--ontology", "edges:disease.csv").splitlines()[-3:]


def test_a_matrix_holds_every_distance(diseases):
    matrix = diseases.matrix(LEAVES)
    expected = [[distance(IDS[a], IDS[b]) for b in LEAVES] for a in LEAVES]
    numpy.testing.assert_allclose(matrix, expected, rtol=1e-15)
    assert (diseases.distances("Flu", LEAVES) == matrix[LEAVES.index("Flu")]).all()


def test_a_term_that_is_not_known(diseases):
    with pytest.raises(sv.DataError) as caught:
        diseases.distance("Flu", "Flue")
    assert caught.value.value == "Flue"
    assert "Flu" in caught.value.hint
    assert "Flue" not in str(caught.value)
