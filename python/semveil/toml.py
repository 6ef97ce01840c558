"""Plans as TOML: what a dict of a plan's shape says, written for the library to read."""

from __future__ import annotations

import datetime
import numbers
import os
from collections.abc import Mapping

from .errors import PlanError


def text(value: str) -> str:
    """A basic string, with its quotes."""
    out = []
    for c in value:
        if c in "\"\\":
            out.append("\\" + c)
        elif ord(c) < 0x20 or ord(c) == 0x7F:
            out.append(f"\\u{ord(c):04X}")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def value(of, key: str) -> str:
    """One value; `key` is what an error calls it."""
    if isinstance(of, bool) or type(of).__name__ == "bool_":
        return "true" if of else "false"
    if isinstance(of, numbers.Integral):
        return str(int(of))
    if isinstance(of, numbers.Real):
        return repr(float(of))
    if isinstance(of, (str, os.PathLike)):
        return text(os.fspath(of))
    if isinstance(of, datetime.date):
        return text(of.isoformat())
    if isinstance(of, Mapping):
        return "{" + ", ".join(f"{text(str(k))} = {value(v, f'{key}.{k}')}" for k, v in of.items()) + "}"
    if isinstance(of, (list, tuple)) or hasattr(of, "tolist"):
        return "[" + ", ".join(value(v, key) for v in (of.tolist() if hasattr(of, "tolist") else of)) + "]"
    raise PlanError(f"{key}: a plan has no values of type {type(of).__name__}: give a text, a number, True or False, "
                    "a list or a dict")


def document(plan: Mapping) -> str:
    """A plan's dict as TOML. Keys that are None are left out."""
    lines = []
    tables = []
    for key, of in plan.items():
        if of is None:
            continue
        if key == "mask" and isinstance(of, (list, tuple)):
            tables += [("[[mask]]", "mask", step) for step in of]
        elif isinstance(of, Mapping) and key in ("ontology", "column"):
            for name, table in of.items():
                if key == "ontology" and isinstance(table, (str, os.PathLike)):
                    table = {"source": table}
                tables.append((f"[{key}.{text(str(name))}]", f"{key}.{name}", table))
        elif isinstance(of, Mapping):
            tables.append((f"[{_name(key)}]", str(key), of))
        else:
            lines.append(f"{_name(key)} = {value(of, str(key))}")
    for head, path, table in tables:
        if not isinstance(table, Mapping):
            raise PlanError(f"{path}: a dict was expected, and not a value of type {type(table).__name__}")
        lines += ["", head]
        lines += [f"{_name(k)} = {value(v, f'{path}.{k}')}" for k, v in table.items() if v is not None]
    return "\n".join(lines) + "\n"


def _name(key) -> str:
    key = str(key)
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else text(key)
