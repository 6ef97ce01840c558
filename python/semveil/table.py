"""The table that comes out where what went in is no data frame."""

from __future__ import annotations


class Table:
    """A table in memory that any data frame library reads, as often as it likes (`__arrow_c_stream__`)."""

    def __init__(self, stream):
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema=None):
        return self._stream.__arrow_c_stream__(requested_schema)

    def to_pandas(self):
        """As a pandas frame."""
        from . import frames
        return frames.to_pandas(self)

    def to_polars(self):
        """As a polars frame."""
        import polars
        return polars.DataFrame(self)

    def to_arrow(self):
        """As a pyarrow table."""
        import pyarrow
        return pyarrow.table(self)

    def __repr__(self):
        from . import _core
        names = _core.column_names(self)
        return f"<semveil.Table: {', '.join(names)}>"
