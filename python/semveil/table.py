"""The table that comes out where what went in is no data frame."""

from __future__ import annotations

import os

from . import _core


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

    def write(self, path):
        """Writes the cells to a file: .csv and .tsv (also .gz, .zst); .parquet and .arrow need pyarrow."""
        path = os.fspath(path)
        if path.endswith((".parquet", ".arrow", ".feather")):
            _write_by_pyarrow(self.to_arrow(), path)
        else:
            _core.write_table(self, path)

    def __repr__(self):
        names = _core.column_names(self)
        return f"<semveil.Table: {', '.join(names)}>"


def _write_by_pyarrow(table, path):
    beside = f"{path}.{os.getpid()}.part"
    try:
        if path.endswith(".parquet"):
            import pyarrow.parquet
            pyarrow.parquet.write_table(table, beside)
        else:
            import pyarrow.feather
            pyarrow.feather.write_feather(table, beside, compression="uncompressed")
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
