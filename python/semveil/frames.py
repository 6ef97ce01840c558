"""Tables as people have them, on their way in and out.

A frame knows two things: what crosses to the library (`crossing`), and how the caller's own object comes back with
the columns that were masked (`rebuilt`). No package is imported that the caller has not imported.
"""

from __future__ import annotations

import contextlib
import os
import sys

from . import _core
from .errors import DataError, UsageError


def frame_of(table):
    """The frame of an object that a caller gave."""
    if isinstance(table, (str, os.PathLike)):
        return PathFrame(os.fspath(table))
    for module, kind, make in (("pandas", "DataFrame", _pandas), ("pyarrow", "Table", ArrowFrame),
                               ("pyarrow", "RecordBatch", BatchFrame), ("polars", "DataFrame", PolarsFrame),
                               ("polars", "LazyFrame", lambda lazy: PolarsFrame(lazy.collect()))):
        if module in sys.modules and isinstance(table, getattr(sys.modules[module], kind)):
            return make(table)
    if f"{__package__}.arrays" in sys.modules:
        from . import arrays
        if isinstance(table, arrays.Array):
            return arrays.ArrayFrame(table)
    if hasattr(table, "__arrow_c_stream__"):
        return StreamFrame(table)
    if hasattr(table, "scanner"):  # a pyarrow dataset
        return StreamFrame(_Scanned(table))
    if hasattr(table, "__next__"):
        return IteratorFrame(table)
    raise UsageError(f"a table is a data frame, an object with __arrow_c_stream__, an iterator of these or a path, and "
                     f"not a value of type {type(table).__name__}")


def check_names(names):
    """Every column has a name of its own."""
    seen = set()
    for name in names:
        if name in seen:
            raise DataError(f"two columns are called {name!r}: give every column a name of its own", column=name)
        seen.add(name)


def _pandas(table):
    from .pandas import PandasFrame
    return PandasFrame(table)


@contextlib.contextmanager
def rows_told(frame):
    """Errors about a value also tell the first row that has it, from 0, where a table has no lines."""
    try:
        yield
    except DataError as error:
        if error.row is None and error.line is None and error.column and error.value:
            error.row = frame.row_of(error.column, error.value)
        raise


class StreamFrame:
    """Whatever has __arrow_c_stream__; comes out as a Table."""

    needs_rows = False
    name = "the table"

    def __init__(self, table):
        self.table = table

    def crossing(self, wanted, whole=False):
        """What the library reads. `wanted`: the columns that the plan names; `whole`: all cells of the others, too."""
        return self.table

    def row_of(self, column, value):
        """The first row with a text; None: nobody can tell."""
        try:
            _, codes, texts = _core.read_columns(self.crossing((column,)), [column])[column]
            code = texts.index(value)
            return memoryview(codes).cast("i").tolist().index(code)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None

    def rebuilt(self, release, changed, rows):
        """The caller's table, masked. `rows`: by row of the release that of the table; None: the same."""
        from .table import Table
        return Table(release)


class PathFrame(StreamFrame):
    """A file."""

    def __init__(self, path):
        self.table = self.name = path

    def row_of(self, column, value):
        return None


class IteratorFrame(StreamFrame):
    """An iterator of batches, each a table of some kind. It is read once, on the caller's thread."""

    def crossing(self, wanted, whole=False):
        if self.table is None:
            raise UsageError("an iterator can be read once, and it was: give the table itself")
        batches = [frame_of(batch).crossing(wanted, whole) for batch in self.table]
        self.table = None
        return _Joined(batches)


class _Joined:
    def __init__(self, batches):
        self.batches = batches

    def __arrow_c_stream__(self, requested_schema=None):
        return _core.joined_stream(self.batches)


class _Scanned:
    """A dataset, read anew each time."""

    def __init__(self, dataset):
        self.dataset = dataset

    def __arrow_c_stream__(self, requested_schema=None):
        return self.dataset.scanner().to_reader().__arrow_c_stream__(requested_schema)


class ArrowFrame(StreamFrame):
    """A pyarrow table. Its columns that are not masked are the same objects afterwards."""

    def is_number(self, name):
        import pyarrow
        kind = self.table.schema.field(name).type
        return pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)

    def crossing(self, wanted, whole=False):
        check_names(self.table.column_names)
        return self.table

    def rebuilt(self, release, changed, rows):
        import pyarrow
        out = pyarrow.table(release)
        if rows is not None:
            return out
        columns, fields = [], []
        for i, field in enumerate(out.schema):
            if field.name in changed or field.name not in self.table.column_names:
                columns.append(out.column(i))
                fields.append(field)
            else:
                columns.append(self.table.column(field.name))
                fields.append(self.table.schema.field(field.name))
        return pyarrow.table(columns, schema=pyarrow.schema(fields))


class BatchFrame(ArrowFrame):
    """A pyarrow record batch."""

    def __init__(self, batch):
        import pyarrow
        super().__init__(pyarrow.table(batch))

    def rebuilt(self, release, changed, rows):
        import pyarrow
        table = super().rebuilt(release, changed, rows).combine_chunks()
        batches = table.to_batches()
        return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)


class PolarsFrame(StreamFrame):
    """A polars frame."""

    def is_number(self, name):
        return self.table[name].dtype.is_numeric()

    def rebuilt(self, release, changed, rows):
        import polars
        out = polars.DataFrame(release)
        columns = []
        for name in out.columns:
            is_old = name in self.table.columns and name not in changed
            if is_old and rows is None:
                columns.append(self.table[name])
            elif name in self.table.columns:
                columns.append(_like_polars(out[name], self.table[name]))
            else:
                columns.append(out[name])
        return polars.DataFrame(columns)


def _like_polars(masked, old):
    """Of the type that the column had, where that is one of categories."""
    import polars
    if isinstance(old.dtype, polars.Enum):
        released = set(masked.cast(polars.String).drop_nulls().unique().to_list())
        kept = [c for c in old.dtype.categories.to_list() if c in released]
        new = sorted(released - set(kept), key=lambda text: text.encode())
        return masked.cast(polars.String).cast(polars.Enum(kept + new))
    if isinstance(old.dtype, polars.Categorical):
        return masked.cast(polars.String).cast(old.dtype)
    return masked


def to_pandas(table):
    """Any table as a pandas frame, without pyarrow."""
    from .pandas import from_stream
    return from_stream(table)
