"""The methods as transformers of scikit-learn: one class each, made from what the method says of itself.

`Noise(alpha=0.3, ontology="wordnet")` in a `Pipeline`, a `ColumnTransformer` or a cross-validation. `transform` of
the fitted table masks it as `semveil.mask` does. Any other table, as a fold of a cross-validation, is masked under a
name of its own, so that no two tables share errors.
"""

from __future__ import annotations

import hashlib
import inspect
import json

import numpy
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core, arrays, frames, masking
from .errors import PlanError
from .plan import Plan

# Beside the method's own keys. None: not said.
_COMMON = {
    "ontology": "a source as for `Ontology.open`, or a dict of them by column; None: columns are numbers or texts",
    "columns": "by column a dict of the plan's column keys, as `{'job': {'root': 'person.n.01'}}`",
    "missing": "what is done with missing cells: keep, category, wildcard or error",
    "seed": "decides on what is drawn: the same seed and the same table, the same cells; None: a fresh key",
    "release": "the name of the release; other tables than the fitted one get names that begin with it",
}


class Masking(TransformerMixin, BaseEstimator):
    """What all of these transformers do."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.requires_fit = True
        return tags

    def fit(self, X, y=None):
        """Learns from a table: a data frame, or a 2-d array, whose columns are called x0, x1, …"""
        X = self._checked(X, reset=True)
        table, self._names_in = self._table(X)
        plan = self._plan(table)
        if self._about["releases_sets"]:
            # How many columns come out, the release alone tells.
            release = masking.mask(table, plan, seed=self.seed)
            self._model, self._names_out = release.model, _core.column_names(release._core)
        else:
            self._model, self._names_out = masking.fit(table, plan, seed=self.seed), list(self._names_in)
        self._digest = _digest(table)
        self.plan_ = plan
        return self

    def transform(self, X):
        """Masks a table."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        table, _ = self._table(X)
        digest = _digest(table)
        options = {}
        if digest != self._digest:
            if self._about["draws_per_cell"]:
                options["release"] = f"{self.release or ''}/{digest}"
            options["recheck"] = getattr(self, "recheck", False)
        return self._model.apply(table, **options).table

    def get_feature_names_out(self, input_features=None):
        """The names of the columns that come out."""
        check_is_fitted(self)
        from sklearn.utils.validation import _check_feature_names_in
        _check_feature_names_in(self, input_features)
        if input_features is not None and self._names_out == self._names_in:
            return numpy.asarray(input_features, dtype=object)
        return numpy.asarray(self._names_out, dtype=object)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_model")

    def __getstate__(self):
        if hasattr(self, "_model"):
            raise TypeError("a fitted transformer holds its key and values of the table it was fitted on, which "
                            "pickle would write in the clear: pickle it before it is fitted, or use semveil.fit and "
                            "Model.save(path), which only you can read")
        return super().__getstate__()

    def __copy__(self):
        return self if hasattr(self, "_model") else _unfitted(self)

    def __deepcopy__(self, memo):
        return self if hasattr(self, "_model") else _unfitted(self)

    def __repr__(self, *arguments, **keys):
        if self.seed is None:
            return super().__repr__(*arguments, **keys)
        shown = _unfitted(self)
        shown.seed = "<secret>"
        return super(Masking, shown).__repr__(*arguments, **keys)

    # ---- Tables -------------------------------------------------------------------------------------------------

    def _checked(self, X, reset):
        # One record can hide among no others.
        least = 2 if reset and not self._about["recodes"] else 1
        if _is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        return validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=least)

    def _table(self, X):
        """What is masked, and the names of its columns."""
        if _is_frame(X):
            return X, [str(name) for name in X.columns]
        names = [f"x{i}" for i in range(X.shape[1])]
        return arrays.Array(X, names), names

    def _plan(self, table):
        role = "sensitive" if self._about["releases_sets"] else "quasi-identifier"
        sources = self.ontology if isinstance(self.ontology, dict) else dict.fromkeys(self._names_in, self.ontology)
        said = {str(name): dict(keys) for name, keys in (self.columns or {}).items()}
        for what, names in (("ontology", sources), ("columns", said)):
            unknown = [name for name in names if str(name) not in self._names_in]
            if unknown:
                raise PlanError(f"{what}: the table has no column {unknown[0]!r}: it has "
                                f"{', '.join(self._names_in)}")
        if self.missing == "drop-record":
            raise PlanError("missing: a transformer gives as many rows as it gets: drop the records before")
        ontologies, columns = {}, {}
        for name in self._names_in:
            column = columns[name] = {"role": role, **said.get(name, {})}
            source = sources.get(name)
            if source is not None and "ontology" not in column:
                ontologies.setdefault(source, f"ontology {len(ontologies) + 1}")
                column["ontology"] = ontologies[source]
            elif "type" not in column and "ontology" not in column and frames.frame_of(table).is_number(name):
                column["type"] = "numeric"
        mask = {"method": self._about["name"]}
        if self._about["recodes"]:  # the plan names their columns one by one
            mask["columns"] = [name for name, of in columns.items() if of["role"] != "other" and
                               (self._about["takes_numbers"] and of.get("type") == "numeric" or
                                self._about["takes_concepts"] and "ontology" in of)]
        for key in self._about["keys"]:
            value = getattr(self, _python_name(key["name"]))
            if value is not None and value != _default(key):
                mask[key["name"]] = value
        return Plan({"release": self.release, "missing": self.missing,
                     "ontology": {name: {"source": source} for source, name in ontologies.items()},
                     "column": columns, "mask": mask})


def _unfitted(estimator):
    from sklearn.base import clone
    return clone(estimator)


def _is_frame(X):
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "__arrow_c_stream__"))


def _digest(table):
    """Tells tables apart: 32 hexadecimal digits of all cells, in their order."""
    frame = frames.frame_of(table)
    crossing = frame.crossing((), whole=True)
    names = _core.column_names(crossing)
    read = _core.read_columns(crossing, names)
    out = hashlib.blake2b(digest_size=16)
    for name in names:
        kind, data, more = read[name]
        for part in (name, kind, data if isinstance(data, bytearray) else json.dumps(data),
                     more if isinstance(more, bytearray) else json.dumps(more)):
            part = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else bytes(part)
            out.update(len(part).to_bytes(8, "little") + part)
    return out.hexdigest()


# ---- Classes ----------------------------------------------------------------------------------------------------

def _python_name(key):
    """A key as a parameter: `as` is a word of Python's."""
    import keyword
    return key + "_" if keyword.iskeyword(key) else key


def _default(key):
    # Flags, numbers and texts are the same in TOML and in JSON.
    return json.loads(key["default"]) if key["default"] else None


def _class_of(about):
    keys = {_python_name(key["name"]): (_default(key), key) for key in about["keys"]}
    extra = dict.fromkeys(_COMMON)
    if about["looks_up"]:
        extra["recheck"] = False
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                   for name, default in [*((n, d) for n, (d, _) in keys.items()), *extra.items()]]
    signature = inspect.Signature(parameters)

    def __init__(self, **given):
        bound = signature.bind(self, **given)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature
    name = "".join(part.capitalize() for part in about["name"].split("-"))
    cls = type(name, (Masking,), {"__init__": __init__, "_about": about, "__module__": __name__,
                                  "__doc__": _docstring(about, keys)})
    return name, cls


def _docstring(about, keys):
    lines = [about["promise"], "", about["no_promise"], "", "Parameters", "----------"]
    for name, (default, key) in keys.items():
        kind = key["type"] + (": " + ", ".join(key["choices"]) if key["choices"] else "")
        lines += [f"{name} : {kind}" + (f", default {default!r}" if default is not None else ""),
                  f"    {key['help']}" + (f" (usual: {key['usual']})" if key["usual"] else "")]
    for name, what in _COMMON.items():
        lines += [f"{name} :", f"    {what}"]
    if about["looks_up"]:
        lines += ["recheck : bool, default False", "    masks other tables than the fitted one, too, if what comes out "
                  "holds what was promised"]
    return "\n".join(lines)


# Recodings of dates need to know persons, which no transformer does.
CLASSES = dict(_class_of(about) for about in _core.methods() if not (about["recodes"] and about["takes_dates"]))
globals().update(CLASSES)
__all__ = [*CLASSES, "Masking"]
