"""Plans: which column means what, and how a table is to be masked."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _core, toml
from .errors import UsageError


class Plan:
    """What the columns of a table mean, and how it is masked.

    `Plan("plan.toml")` reads a file; `Plan({...})` takes a dict of the file's shape; `Plan(column={...}, mask={...})`
    the same as keyword arguments. docs/formats/plan.md lists the keys. Paths in a file are relative to its folder,
    those of a dict to the working folder. A plan never changes: `plan.with_mask(alpha=0.5)` gives another one.
    """

    def __init__(self, source: str | os.PathLike | Mapping | Plan | None = None, /, **keys):
        if source is not None and keys:
            raise UsageError("a plan is a file, a dict or keyword arguments: give one of them")
        if isinstance(source, Plan):
            self._text, self._path, self._mask = source._text, source._path, dict(source._mask)
        elif isinstance(source, (str, os.PathLike)):
            self._text, self._path, self._mask = None, os.fspath(source), {}
        elif source is None or isinstance(source, Mapping):
            self._text, self._path, self._mask = toml.document(keys if source is None else source), None, {}
        else:
            raise UsageError(f"a plan is a path, a dict or a Plan, and not a value of type {type(source).__name__}",
)
        self._read()

    @classmethod
    def from_toml(cls, text: str) -> Plan:
        """A plan of a text. Paths in it are relative to the working folder."""
        plan = cls.__new__(cls)
        plan._text, plan._path, plan._mask = text, None, {}
        plan._read()
        return plan

    def with_mask(self, **keys) -> Plan:
        """The plan with other keys of [mask], as options of the command line replace them."""
        plan = Plan(self)
        plan._mask.update({k: v for k, v in keys.items() if v is not None})
        plan._read()
        return plan

    def to_toml(self, folder: str | os.PathLike = ".") -> str:
        """The plan as a file in `folder` would say it; without its seed."""
        return self._core.to_toml(os.fspath(folder))

    @property
    def method(self) -> str:
        """The method's name; of several steps their names, joined by " + "."""
        return self._core.method

    @property
    def column_names(self) -> list[str]:
        """The columns that the plan names."""
        return list(dict.fromkeys(self._core.column_names))

    def __repr__(self):
        return f"<semveil.Plan {self._path or 'in memory'}: {self.method or 'nothing is masked'}, " \
               f"{len(self.column_names)} columns>"

    def _read(self):
        overrides = {k: toml.value(v, k) for k, v in self._mask.items()}
        if self._text is None:
            self._core = _core.Plan.read(self._path, overrides)
        else:
            self._core = _core.Plan.parse(self._text, "the plan", overrides)
