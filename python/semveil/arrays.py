"""2-d arrays of NumPy, as transformers get them."""

from __future__ import annotations

import numpy

from . import _core
from .errors import DataError
from .frames import StreamFrame

_NUMBERS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f2": "e", "f4": "f",
            "f8": "g"}


class Array:
    """An array with names for its columns."""

    def __init__(self, cells, names):
        self.cells = cells
        self.columns = names


class ArrayFrame(StreamFrame):
    """A 2-d array of numbers, or of texts; an array comes out."""

    def is_number(self, name):
        return self.table.cells.dtype.kind in "iufb" or _are_numbers(self._column(name))

    def _column(self, name):
        return self.table.cells[:, self.table.columns.index(name)]

    def crossing(self, wanted, whole=False):
        cells = self.table.cells
        out = _core.TableOfColumns(len(cells))
        for i, name in enumerate(self.table.columns):
            column = numpy.ascontiguousarray(cells[:, i])
            if column.dtype.kind == "O" and _are_numbers(column):
                column = column.astype("f8")
            if column.dtype.kind == "b":
                column = column.astype("i1")
            if column.dtype.kind in "iuf":
                missing = numpy.isnan(column) if column.dtype.kind == "f" else numpy.zeros(len(column), dtype=bool)
                if column.dtype.str[1:] not in _NUMBERS:  # longer than doubles
                    column = column.astype("f8")
                _add(out, name, _NUMBERS[column.dtype.str[1:]], column, missing)
            else:
                _add_texts(out, name, column)
        return out

    def rebuilt(self, release, changed, rows):
        names = _core.column_names(release)
        read = _core.read_columns(release, names)
        columns = [_cells(read[name]) for name in names]
        old = self.table.cells.dtype
        if all(column.dtype.kind in "iuf" for column in columns):
            return numpy.column_stack(columns).astype(old if old.kind == "f" else numpy.result_type(*columns))
        out = numpy.empty((len(columns[0]), len(columns)), dtype=object)
        for i, column in enumerate(columns):
            out[:, i] = column
        return out


def _are_numbers(column):
    return len(column) > 0 and all(isinstance(v, (int, float, numpy.number)) or v is None for v in column)


def _add(out, name, format, values, missing):
    nulls = int(missing.sum())
    validity = numpy.packbits(~missing, bitorder="little") if nulls else None
    out.add(name, format, [validity, values], nulls)


def _add_texts(out, name, column):
    values, codes, missing = {}, numpy.zeros(len(column), dtype="i4"), numpy.zeros(len(column), dtype=bool)
    for row, cell in enumerate(column.tolist()):
        if cell is None or cell != cell:
            missing[row] = True
        elif isinstance(cell, str):
            codes[row] = values.setdefault(cell, len(values))
        else:
            raise DataError(f"row {row} of column {name!r} holds a value of type {type(cell).__name__} among texts: "
                            "make texts of all cells, or of none", column=name, row=row)
    nulls = int(missing.sum())
    validity = numpy.packbits(~missing, bitorder="little") if nulls else None
    out.add(name, "i", [validity, codes], nulls, list(values))


def _cells(read):
    kind, data, more = read
    if kind == "texts":
        return numpy.array([*more, None], dtype=object)[numpy.frombuffer(data, dtype="i4")]
    if kind == "lists":
        out = numpy.empty(len(data), dtype=object)
        out[:] = data
        return out
    of_code = {code: kind for kind, code in _NUMBERS.items()}
    values = numpy.frombuffer(data, dtype=of_code[kind])
    if more is None:
        return values
    values = values.astype("f8")
    values[numpy.frombuffer(more, dtype="i1") == 0] = numpy.nan
    return values
