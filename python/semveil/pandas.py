"""pandas frames, without pyarrow: columns cross as codes and distinct values."""

from __future__ import annotations

import datetime

import numpy
import pandas

from . import _core
from .errors import DataError
from .frames import StreamFrame, check_names

# The others of a table are looked at in their first rows alone: what tells a masked column is found there.
SAMPLED = 16_384

_NUMBERS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f2": "e", "f4": "f",
            "f8": "g"}
_DTYPES = {code: kind for kind, code in _NUMBERS.items()}


class PandasFrame(StreamFrame):
    """A pandas frame; what comes out has its index, its order of columns and their types."""

    def __init__(self, table):
        super().__init__(table)
        self.names = [str(name) for name in table.columns]
        check_names(self.names)

    def is_number(self, name):
        return self.table.iloc[:, self.names.index(name)].dtype.kind in "iuf"

    def crossing(self, wanted, whole=False):
        rows = len(self.table)
        out = _core.TableOfColumns(rows)
        for i, name in enumerate(self.names):
            column = self.table.iloc[:, i]
            if name in wanted:
                _add(out, name, column)
            else:
                _add_other(out, name, column, whole)
        return out

    def rebuilt(self, release, changed, rows):
        names = _core.column_names(release)
        read = _core.read_columns(release, [n for n in names if n in changed or n not in self.names])
        index = self.table.index if rows is None else self.table.index.take(rows)
        columns = {}
        for name in names:
            if name in read:
                old = self.table.iloc[:, self.names.index(name)] if name in self.names else None
                columns[name] = _series(_cells(read[name], old), index)
            else:
                column = self.table.iloc[:, self.names.index(name)]
                columns[name] = column if rows is None else column.take(rows)
        out = pandas.DataFrame(columns, index=index, copy=False)
        kept = {str(label): label for label in self.table.columns}
        labels = [kept.get(name, name) for name in names]
        out.columns = pandas.Index(labels, name=self.table.columns.name)
        if all(a is b for a, b in zip(labels, self.table.columns)) and len(labels) == len(self.table.columns):
            out.columns = self.table.columns
        out.attrs = dict(self.table.attrs)
        return out


def from_stream(table):
    """Any table as a pandas frame."""
    names = _core.column_names(table)
    read = _core.read_columns(table, names)
    return pandas.DataFrame({name: _series(_cells(read[name], None), None) for name in names})


def _series(cells, index):
    # pandas would guess what objects are.
    dtype = object if isinstance(cells, numpy.ndarray) and cells.dtype == object else None
    return pandas.Series(cells, index=index, dtype=dtype, copy=False)


# Since pandas 3 texts have a type of their own.
_HAS_STR = int(pandas.__version__.split(".")[0]) >= 3


def _is_text_type(dtype):
    return isinstance(dtype, pandas.StringDtype) or str(dtype).startswith(("string", "large_string"))


# ---- In -----------------------------------------------------------------------------------------

def _validity(missing):
    """The bitmap of cells that are there, and how many are not."""
    nulls = int(missing.sum())
    return (numpy.packbits(~missing, bitorder="little") if nulls else None), nulls


def _add(out, name, column):
    dtype = column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        categories = column.cat.categories
        if len(categories) and not all(isinstance(c, str) for c in categories):
            _add(out, name, column.astype(categories.dtype))
        else:
            _add_codes(out, name, column.cat.codes.to_numpy(), list(categories))
    elif isinstance(dtype, pandas.DatetimeTZDtype) or dtype.kind == "M":
        zone = str(dtype.tz) if isinstance(dtype, pandas.DatetimeTZDtype) else ""
        values = column.dt.tz_convert("UTC").dt.tz_localize(None) if zone else column
        unit = numpy.datetime_data(values.dtype)[0]
        _add_fixed(out, name, f"ts{unit[0]}:{zone}" if unit in ("s", "ms", "us", "ns") else "tss:",
                   values.to_numpy().view("i8"), values.isna().to_numpy())
    elif dtype.kind == "m":
        unit = numpy.datetime_data(dtype)[0]
        _add_fixed(out, name, f"tD{unit[0]}", column.to_numpy().view("i8"), column.isna().to_numpy())
    elif dtype == bool or str(dtype) == "boolean":
        missing = column.isna().to_numpy()
        bits = numpy.packbits(column.fillna(False).to_numpy(dtype=bool), bitorder="little")
        validity, nulls = _validity(missing)
        out.add(name, "b", [validity, bits], nulls)
    elif dtype.kind in "iuf" and hasattr(dtype, "numpy_dtype"):  # nullable
        missing = column.isna().to_numpy()
        values = column.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        _add_fixed(out, name, _NUMBERS[dtype.numpy_dtype.str[1:]], values, missing)
    elif dtype.kind in "iuf":
        _add_fixed(out, name, _NUMBERS[dtype.str[1:]], column.to_numpy(), column.isna().to_numpy())
    elif dtype == object or _is_text_type(dtype):
        _add_texts(out, name, column)
    else:
        raise DataError(f"a column of type {dtype} cannot be masked or described: make texts, numbers or dates of it",
                        column=name)


def _add_texts(out, name, column):
    try:
        codes, values = pandas.factorize(column, use_na_sentinel=True)
    except TypeError:  # a list among the cells: cannot be hashed
        row, kind = next((i, type(v).__name__) for i, v in enumerate(column) if type(v).__hash__ is None)
        raise _other_type(name, row, kind) from None
    values = list(values)
    if values and all(type(v) is datetime.date for v in values):
        days = numpy.array(values, dtype="datetime64[D]").astype("i4")
        missing = codes < 0
        _add_fixed(out, name, "tdD", days[numpy.where(missing, 0, codes)], missing)
        return
    for code, value in enumerate(values):
        if not isinstance(value, str):
            raise _other_type(name, int(numpy.argmax(codes == code)), type(value).__name__)
    _add_codes(out, name, codes, values)


def _other_type(name, row, kind):
    return DataError(f"row {row} of column {name!r} holds a value of type {kind} among texts: make texts of all cells, "
                     "or of none", column=name, row=row)


def _add_codes(out, name, codes, values):
    codes = numpy.ascontiguousarray(codes)
    validity, nulls = _validity(codes < 0)
    try:
        out.add(name, _NUMBERS[codes.dtype.str[1:]], [validity, codes], nulls, values)
    except UnicodeEncodeError:
        bad = next(i for i, v in enumerate(values) if not _is_text(v))
        row = int(numpy.argmax(codes == bad))
        raise DataError(f"row {row} of column {name!r} holds a text that is no Unicode: mend it", column=name,
                        row=row) from None


def _is_text(value):
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _add_fixed(out, name, format, values, missing):
    validity, nulls = _validity(missing)
    out.add(name, format, [validity, numpy.ascontiguousarray(values)], nulls)


def _add_other(out, name, column, whole):
    """A column that the plan does not name: of any type, and without `whole` its first rows alone."""
    if whole:
        try:
            _add(out, name, column)
            return
        except DataError:  # cells of any type, as texts
            pass
    most = len(column) if whole else SAMPLED
    head = column.iloc[:most]
    try:
        codes, values = pandas.factorize(head, use_na_sentinel=True)
    except TypeError:  # cells that cannot be hashed tell nothing here
        codes, values = numpy.full(len(head), -1), []
    codes = codes.astype("i4" if most > 2**15 else "i2")
    if len(head) < len(column):
        codes = numpy.concatenate([codes, numpy.full(len(column) - len(head), -1, dtype=codes.dtype)])
    _add_codes(out, name, codes, [str(value).encode("utf-8", "replace").decode() for value in values])


# ---- Out ----------------------------------------------------------------------------------------

def _cells(read, old):
    """The cells of a column as an array of pandas, of the type that `old` has."""
    kind, data, more = read
    if kind == "texts":
        return _texts(numpy.frombuffer(data, dtype="i4"), more, old)
    if kind == "lists":
        out = numpy.empty(len(data), dtype=object)
        out[:] = data
        return out
    missing = None if more is None else numpy.frombuffer(more, dtype="i1") == 0
    if kind == "b":
        return _fixed(numpy.frombuffer(data, dtype=bool), missing, old)
    if kind == "tdD":
        days = numpy.frombuffer(data, dtype="i4").astype("datetime64[D]").astype(object)
        if missing is not None:
            days[missing] = None
        return days
    if kind.startswith(("ts", "tD")):
        return _times(kind, numpy.frombuffer(data, dtype="i8"), missing, old)
    return _fixed(numpy.frombuffer(data, dtype=_DTYPES[kind]), missing, old)


def _texts(codes, values, old):
    if old is not None and isinstance(old.dtype, pandas.CategoricalDtype):
        released = set(values)
        kept = [c for c in old.cat.categories if c in released]
        known = set(kept)
        categories = kept + sorted((v for v in values if v not in known), key=lambda text: text.encode())
        places = {text: i for i, text in enumerate(categories)}
        moved = numpy.array([places[v] for v in values] + [-1], dtype=codes.dtype)
        return pandas.Categorical.from_codes(moved[codes], categories=categories, ordered=False)
    table = numpy.array([*values, None], dtype=object)
    cells = table[codes]
    if old is not None and old.dtype == object:
        if (codes < 0).any():
            cells[codes < 0] = _missing_like(old)
        return cells
    if old is not None and _is_text_type(old.dtype):
        return pandas.array(cells, dtype=old.dtype)
    return pandas.array(cells, dtype="str") if _HAS_STR else cells


def _missing_like(old):
    """What stands for nothing in a column of objects."""
    missing = old[old.isna().to_numpy()]
    return missing.iloc[0] if len(missing) else None


def _times(kind, values, missing, old):
    unit = {"s": "s", "m": "ms", "u": "us", "n": "ns"}[kind[2]]
    values = values.copy()
    if missing is not None:
        values[missing] = numpy.iinfo("i8").min
    array = values.view(f"{'M8' if kind.startswith('ts') else 'm8'}[{unit}]")
    zone = kind[4:]
    if kind.startswith("ts") and zone:
        out = pandas.Series(array).dt.tz_localize("UTC").dt.tz_convert(zone)
        return (out.astype(old.dtype) if old is not None else out).array
    return array


def _fixed(values, missing, old):
    nullable = old is not None and pandas.api.types.is_extension_array_dtype(old.dtype)
    if nullable:
        out = pandas.array(values, dtype=values.dtype.name.capitalize().replace("Uint", "UInt") if values.dtype != bool
                           else "boolean")
        if missing is not None:
            out[missing] = pandas.NA
        return out.astype(old.dtype) if out.dtype.kind == old.dtype.kind else out
    if missing is None:
        return values
    if values.dtype == bool:
        out = values.astype(object)
        out[missing] = None
        return out
    out = values.astype("f8") if values.dtype.kind != "f" else values.copy()
    out[missing] = numpy.nan
    return out
