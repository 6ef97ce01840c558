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
