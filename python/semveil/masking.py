"""mask, fit and apply."""

from __future__ import annotations

import os

from . import _core, frames
from .plan import Plan
from .told import Told, is_public_edition


def mask(table, plan, *, seed=None, release=None, threads=None, output=None, trace=None, row_map=None, progress=None,
         connection=None, **keys) -> Release:
    """Masks a table.

    `table`: a data frame, anything with `__arrow_c_stream__`, an iterator of batches, or a path. `plan`: a path, a
    dict, or a `Plan`; further keywords replace keys of its [mask] (`alpha=0.5`). Without a `seed` a fresh key is
    drawn; with one the same table is masked alike again. `release` names this release. With `output` the masked table
    goes to that file. `trace`, `row_map`: files that undo the release; keep them secret. `progress`: True for a bar
    of tqdm, or a function of what is done, how much, and of how much (0: nobody knows). `connection`: of DuckDB; the
    masked table is a relation of it.
    """
    plan = Plan(plan).with_mask(**keys) if keys else Plan(plan)
    frame = frames.frame_of(table)
    options = _options(release, threads, output, trace, row_map)
    options.keep_rows = plan._core.shuffles or plan._core.drops_records
    core = with_progress(progress, frame, lambda tell: _core.mask(frame.crossing(plan.column_names), frame.name, plan._core,
                                                           seed, options, tell))
    return Release(core, frame, options, plan, connection)


def fit(table, plan, *, seed=None, release=None, threads=None, progress=None, **keys) -> Model:
    """The first half of `mask`: learns from a table. `table` may be None where the plan declares statistics."""
    plan = Plan(plan).with_mask(**keys) if keys else Plan(plan)
    options = _options(release, threads, None, None, None)
    frame = None if table is None else frames.frame_of(table)
    crossing = None if frame is None else frame.crossing(plan.column_names)
    return Model(with_progress(progress, frame, lambda tell: _core.fit(crossing, frame.name if frame else "", plan._core, seed,
                                                                options, tell)), plan)


class Model:
    """What a method learned, ready to mask. It holds the key and values of the table: it is as secret as that."""

    def __init__(self, core, plan=None, file=None):
        self._core = core
        self._plan = plan
        self._file = file

    @classmethod
    def load(cls, path, key_file=None) -> Model:
        """A model of a file. Beside the file stands which rows of which table it has masked under which name."""
        path = os.fspath(path)
        return cls(_core.Model.load(path, None if key_file is None else os.fspath(key_file)), file=path)

    @classmethod
    def from_bytes(cls, data, key_file=None) -> Model:
        """A model of what `to_bytes` gave."""
        return cls(_core.Model.from_bytes(bytes(data), None if key_file is None else os.fspath(key_file)))

    def save(self, path, key=True):
        """Writes the model, for its owner's eyes only; `key=False` leaves its key out."""
        path = os.fspath(path)
        self._core.save(path, key)
        self._file = path

    def to_bytes(self, key) -> bytes:
        """The bytes of the file, with the key or without it. They are as secret as the table."""
        return self._core.to_bytes(key)

    method = property(lambda self: self._core.method, doc="The method's name.")
    masked_columns = property(lambda self: self._core.masked_columns, doc="The columns that are masked.")

    def apply(self, table, *, release=None, first_row=0, recheck=False, output=None, trace=None, row_map=None,
              again=False, threads=None, progress=None) -> Release:
        """The second half of `mask`.

        Two tables must not share their errors: give every table but the fitted one a `release` of its own.
        `recheck`: a method that looks values up masks another table, if what comes out holds what was promised.
        `again`: rows that a release of this name had may have it again; they are known to be the same.
        """
        frame = frames.frame_of(table)
        options = _options(release, threads, output, trace, row_map)
        options.keep_rows = self._core.shuffles or self._core.drops_records
        options.first_row = first_row
        options.recheck = recheck
        options.again = again
        options.model_file = self._file or ""
        core = with_progress(progress, frame, lambda tell: _core.apply(
            self._core, frame.crossing(self._core.named_columns), frame.name, options, tell))
        return Release(core, frame, options, self._plan)

    def __reduce_ex__(self, protocol):
        raise TypeError("a model holds its key and values of the table it was fitted on, which pickle would write in "
                        "the clear: use .save(path), which only you can read, or .to_bytes(key=False)")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<semveil.Model: {self.method} of {', '.join(self.masked_columns)}>"


class Release(Told):
    """A masked table and what is known of it: `.table`, `.summary`, `.findings`, `.model`."""

    def __init__(self, core, frame, options, plan, connection=None):
        super().__init__(core)
        self._connection = connection
        self._frame = frame
        self._options = options
        self._plan = plan
        self._table = None

    @property
    def table(self):
        """The masked table, of the type that went in; None where it went to a file."""
        if self._table is None and self._core.in_memory:
            self._table = self._frame.rebuilt(self._core, set(self._core.changed_columns), self._rows())
            if self._connection is not None:
                self._table = self._connection.from_arrow(self._table)
        return self._table

    @property
    def summary(self) -> dict:
        """What was done, what it cost and what is left: the JSON of `semveil mask`."""
        return self.to_dict()

    @property
    def model(self) -> Model:
        """What masked the table."""
        return Model(self._core.model, self._plan)

    def audit(self, *, threads=None, progress=None):
        """What the release kept and leaves at risk, measured with what masking knows of it."""
        from .errors import UsageError
        from .figures import Audit
        if self._plan is None:
            raise UsageError("a model that was loaded has no plan: call semveil.audit with the plan")
        masked = self._core if self._core.in_memory else self._options.output
        return Audit(with_progress(progress, self._frame, lambda tell: _core.audit_release(
            self._core, self._frame.crossing(self._plan.column_names, whole=True), masked, self._plan._core, thread_count(threads), tell)))

    def report(self, path, edition="public"):
        """Writes one HTML file with figures and plots. It takes as long as an audit."""
        is_public_edition(edition)
        self.audit().report(path, edition)

    def write(self, path):
        """Writes the cells of the masked table: .csv and .tsv (also .gz, .zst); .parquet and .arrow need pyarrow."""
        from .errors import UsageError
        from .table import Table
        if not self._core.in_memory:
            raise UsageError(f"the masked table went to {self._options.output}: copy that")
        out = self.table if self._connection is None else self._core
        Table(frames.frame_of(out).crossing((), whole=True)).write(path)

    def _rows(self):
        data = self._core.rows
        if not data:
            return None
        import numpy
        return numpy.frombuffer(data, dtype="u8").astype("i8")

    def _lines(self, told):
        lines = [f"{told['records']} records masked by {told['method']}"]
        parameters = told.get("parameters") or {}
        if parameters:
            lines.append("  " + ", ".join(f"{k} = {v}" for k, v in parameters.items()))
        if "changed" in told:
            lines.append(f"  {told['changed']} cells changed")
        return lines


def thread_count(threads) -> int:
    """How many threads compute: all there are, where nothing is said. The result is the same."""
    return threads or len(os.sched_getaffinity(0))


def _options(release, threads, output, trace, row_map):
    options = _core.ReleaseOptions()
    options.release = release or ""
    options.threads = thread_count(threads)
    options.output = os.fspath(output) if output is not None else ""
    options.trace = os.fspath(trace) if trace is not None else ""
    options.row_map = os.fspath(row_map) if row_map is not None else ""
    return options


def with_progress(progress, frame, work):
    """`progress`: None, True (a bar of tqdm), or a function. `frame`: what errors are about."""
    with frames.rows_told(frame):
        return _with_progress(progress, work)


def _with_progress(progress, work):
    if progress is True:
        from .progress import bar
        with bar() as tell:
            return work(tell)
    return work(progress or None)
