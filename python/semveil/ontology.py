"""Ontologies: what words mean, and how far apart meanings are."""

from __future__ import annotations

import collections
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

    def search(self, text: str, most: int = 20) -> list[dict]:
        """Concepts by part of a name, the best first."""
        return json.loads(self._core.search(text, most))["hits"]

    def tree(self, concept: str) -> dict:
        """A concept with its parents, its children, its depth and its definition."""
        return json.loads(self._core.tree(concept))

    def map(self, values, *, column: str = "values", mapping=None, via: str = "", **measure) -> Mapping:
        """What values mean: each with its concept, or with suggestions where it has none.

        `values`: texts, None for missing ones. `mapping`: a mapping file. Further keywords as for `distance`.
        """
        counts = collections.Counter(values.tolist() if hasattr(values, "tolist") else values)
        missing = sum(n for v, n in counts.items() if v is None or v != v or v == "")
        texts = [(v, n) for v, n in counts.items() if not (v is None or v != v or v == "")]
        return Mapping(*self._core.map(texts, missing, column, os.fspath(mapping) if mapping is not None else "", via,
                                       **_how(measure)))

    def __repr__(self):
        return f"<semveil.Ontology {self.source}>"

    def _measured(self, measure: dict):
        how = _how(measure)
        key = tuple((k, tuple(v) if isinstance(v, (list, tuple)) else v) for k, v in how.items())
        if key not in self._distances:
            self._distances[key] = self._core.distances(**how)
        return self._distances[key]


class Mapping:
    """Values and what they mean: `.to_pandas()`, `.coverage`, `.unmapped`, `.write("column.map.csv")`."""

    def __init__(self, told: str, csv: str):
        self._told = json.loads(told)
        self._csv = csv

    @property
    def coverage(self) -> float:
        """The share of the cells with a value that mean something."""
        present = self._told["records"] - self._told["missing"]
        return self._told["mapped"] / present if present else 1.0

    @property
    def unmapped(self) -> dict[str, list[str]]:
        """Values without a meaning, each with what may be meant."""
        return {v["value"]: [s["text"] if isinstance(s, dict) else s for s in v.get("suggestions", [])]
                for v in self._told["values"] if v["how"] in ("unmapped", "outside")}

    def to_dict(self) -> dict:
        """What `semveil map --json` says."""
        return dict(self._told)

    def to_pandas(self):
        """A row for each value."""
        import io

        import pandas
        return pandas.read_csv(io.StringIO(self._csv), dtype={"value": str, "concept": str, "label": str},
                               keep_default_na=False)

    def write(self, path):
        """Writes the mapping file, to be corrected by hand and named in a plan."""
        from .files import write_text
        write_text(path, self._csv)

    def __repr__(self):
        told = self._told
        return f"<semveil.Mapping: {told['distinct']} values, {self.coverage:.1%} of the cells have a meaning>"


def _how(measure: dict) -> dict:
    how = {"root": "", "measure": "wu-palmer", "ic": "seco", "lcs": "deepest", "weights": None, "senses": "closest"}
    unknown = [key for key in measure if key not in how]
    if unknown:
        raise TypeError(f"there is no keyword {unknown[0]!r}: there are {', '.join(how)}")
    how.update(measure)
    return how


def _array(data):
    import numpy
    return numpy.frombuffer(data, dtype=numpy.float64)
