"""Ontologies: what words mean, and how far apart meanings are."""

from __future__ import annotations

import json
import os

from . import _core


class Distance:
    """How far apart two terms are, and why: `.distance`, `.similarity`, `.a`, `.b`, `.lcs`, `.measure`."""

    def __init__(self, told: dict, drawing: str):
        self._told = told
        self._drawing = drawing

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._told:
            raise AttributeError(name)
        return self._told[name]

    def __float__(self):
        return self._told["distance"]

    def to_dict(self) -> dict:
        """What `semveil distance --json` says."""
        return dict(self._told)

    def __repr__(self):
        told = self._told
        return (f"{told['a']['label']} ({told['a']['id']}), {told['b']['label']} ({told['b']['id']})\n"
                f"distance {told['distance']:.6g} ({told['measure']})\n{self._drawing}")


class Ontology:
    """An ontology that is open: `Ontology.open("wordnet")`, `"obo:doid.obo"`, `"edges:jobs.csv"`, `"jobs.svo"`."""

    def __init__(self, core: _core.Ontology):
        self._core = core
        self._distances = {}

    @classmethod
    def open(cls, source: str | os.PathLike) -> Ontology:
        """Opens a source; the first time may take seconds, then a snapshot in the cache is used."""
        return cls(_core.Ontology.open(os.fspath(source)))

    @property
    def source(self) -> str:
        return self._core.source

    def distance(self, a: str, b: str, **measure) -> Distance:
        """How far apart two terms or ids are in meaning.

        Keywords, as options of `semveil distance`: `root`, `measure`, `ic`, `lcs`, `weights`, `senses`.
        """
        told, drawing = self._measured(measure).explain(a, b)
        return Distance(json.loads(told), drawing)

    def distances(self, a: str, others, **measure):
        """From one term to each of `others`, as a NumPy array."""
        others = list(others)
        return _array(self._measured(measure).rows([a], others))

    def matrix(self, values, **measure):
        """Of all pairs of values, as a square NumPy array."""
        values = list(values)
        return _array(self._measured(measure).rows(values, values)).reshape(len(values), len(values))

    def __repr__(self):
        return f"<semveil.Ontology {self.source}>"

    def _measured(self, measure: dict):
        how = {"root": "", "measure": "wu-palmer", "ic": "seco", "lcs": "deepest", "weights": None,
               "senses": "closest"}
        unknown = [key for key in measure if key not in how]
        if unknown:
            raise TypeError(f"there is no keyword {unknown[0]!r}: there are {', '.join(how)}")
        how.update(measure)
        key = tuple((k, tuple(v) if isinstance(v, (list, tuple)) else v) for k, v in how.items())
        if key not in self._distances:
            self._distances[key] = self._core.distances(**how)
        return self._distances[key]


def _array(data):
    import numpy
    return numpy.frombuffer(data, dtype=numpy.float64)
