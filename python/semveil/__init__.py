"""semveil masks columns of words in tables so that no person can be picked out.

>>> import semveil as sv
>>> release = sv.mask(table, "plan.toml")
>>> release.table
"""

from __future__ import annotations

import atexit
import os

from . import _core
from .errors import DataError, GuaranteeError, PlanError, SemveilError, UsageError
from .figures import Advice, Audit, Comparison, Description, advise, audit, compare, describe
from .masking import Model, Release, fit, mask
from .ontology import Distance, Mapping, Ontology
from .plan import Plan
from .table import Table

__version__ = _core.version
__all__ = ["Advice", "Audit", "Comparison", "DataError", "Description", "Distance", "GuaranteeError", "Mapping", "Model",
           "Ontology", "Plan", "PlanError", "Release", "SemveilError", "Table", "UsageError", "advise", "audit",
           "compare", "describe", "fit", "mask"]

# Work of other threads is ended before the interpreter goes; a child of fork() has none of it.
atexit.register(_core.end_all_work)
os.register_at_fork(after_in_child=_core.forget_all_work)


def __getattr__(name):
    # Transformers need scikit-learn, which nothing else here does.
    if name[:1].isupper() or name == "transformers":
        import importlib
        try:
            transformers = importlib.import_module(".transformers", __name__)
        except ImportError as error:
            if error.name and error.name.split(".")[0] != "sklearn":
                raise
            raise AttributeError(f"semveil has no {name}; if a transformer is meant, install scikit-learn") from None
        if name == "transformers":
            return transformers
        if name in transformers.CLASSES:
            return transformers.CLASSES[name]
    raise AttributeError(f"module 'semveil' has no attribute {name!r}")
