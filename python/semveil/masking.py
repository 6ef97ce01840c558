"""mask, fit and apply."""

from __future__ import annotations

import json
import os

from . import _core, frames
from .plan import Plan


def mask(table, plan, *, seed=None, release=None, threads=None, output=None, trace=None, row_map=None, progress=None,
         **keys) -> Release:
    """Masks a table.

    `table`: a data frame, anything with `__arrow_c_stream__`, or a path. `plan`: a path, a dict, or a `Plan`; further
    keywords replace keys of its [mask] (`alpha=0.5`). Without a `seed` a fresh key is drawn; with one the same table
    is masked alike again. `release` names this release. With `output` the masked table goes to that file.
    `trace`, `row_map`: files that undo the release; keep them secret. `progress`: True, or a function of what is
    done, how much, and of how much.
    """
    plan = Plan(plan).with_mask(**keys) if keys else Plan(plan)
    frame = frames.frame_of(table)
    options = _options(release, threads, output, trace, row_map, frame, plan._core.shuffles)
    core = _with_progress(progress, lambda tell: _core.mask(frame.crossing(set(plan.column_names)), frame.name,
                                                            plan._core, seed, options, tell))
    return Release(core, frame, options.output)


def fit(table, plan, *, seed=None, release=None, threads=None, progress=None, **keys) -> Model:
    """The first half of `mask`: learns from a table. `table` may be None where the plan declares statistics."""
    plan = Plan(plan).with_mask(**keys) if keys else Plan(plan)
    options = _options(release, threads, None, None, None, None, False)
    if table is None:
        return Model(_core.fit(None, "", plan._core, seed, options, None))
    frame = frames.frame_of(table)
    return Model(_with_progress(progress, lambda tell: _core.fit(frame.crossing(set(plan.column_names)), frame.name,
                                                                 plan._core, seed, options, tell)))


class Model:
    """What a method learned, ready to mask. It holds the key and values of the table: it is as secret as that."""

    def __init__(self, core):
        self._core = core

    method = property(lambda self: self._core.method, doc="The method's name.")
    masked_columns = property(lambda self: self._core.masked_columns, doc="The columns that are masked.")

    def apply(self, table, *, release=None, first_row=0, recheck=False, output=None, trace=None, row_map=None,
              threads=None, progress=None) -> Release:
        """The second half of `mask`.

        Two tables must not share their errors: give every table but the fitted one a `release` of its own.
        `recheck`: a method that looks values up masks another table, if what comes out holds what was promised.
        """
        frame = frames.frame_of(table)
        options = _options(release, threads, output, trace, row_map, frame, self._core.shuffles)
        options.first_row = first_row
        options.recheck = recheck
        core = _with_progress(progress, lambda tell: _core.apply(self._core, frame.crossing(None), frame.name,
                                                                 options, tell))
        return Release(core, frame, options.output)

    def __reduce_ex__(self, protocol):
        raise TypeError("a model holds its key and values of the table it was fitted on, which pickle would write in "
                        "the clear: use .save(path), which only you can read, or .to_bytes(key=False)")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<semveil.Model: {self.method} of {', '.join(self.masked_columns)}>"


class Release:
    """A masked table and what is known of it: `.table`, `.summary`, `.findings`, `.model`."""

    def __init__(self, core, frame, output):
        self._core = core
        self._frame = frame
        self._output = output
        self._table = None

    @property
    def table(self):
        """The masked table, of the type that went in; None where it went to a file."""
        if self._table is None and self._core.in_memory:
            self._table = self._frame.rebuilt(self._core, set(self._core.changed_columns), self._rows())
        return self._table

    @property
    def summary(self) -> dict:
        """What was done, what it cost and what is left, for the steward: the JSON of `semveil mask`."""
        return json.loads(self._core.json(False))

    @property
    def findings(self) -> list[dict]:
        """What a person must know before the release is signed, the most severe first."""
        return self._core.findings()

    @property
    def model(self) -> Model:
        """What masked the table."""
        return Model(self._core.model)

    def to_dict(self) -> dict:
        """What anybody may see of the summary."""
        return json.loads(self._core.json(True))

    def _rows(self):
        data = self._core.rows
        if not data:
            return None
        import numpy
        rows = numpy.frombuffer(data, dtype="u8").astype("i8")
        return None if (rows == numpy.arange(len(rows))).all() and not self._core.dropped_records else rows

    def __repr__(self):
        told = self.to_dict()
        return f"<semveil.Release: {told['method']}, {told['records']} records>"


def _options(release, threads, output, trace, row_map, frame, shuffles):
    options = _core.ReleaseOptions()
    options.release = release or ""
    options.threads = threads or os.cpu_count() or 1
    options.output = os.fspath(output) if output is not None else ""
    options.trace = os.fspath(trace) if trace is not None else ""
    options.row_map = os.fspath(row_map) if row_map is not None else ""
    options.keep_rows = frame is not None and not options.output
    return options


def _with_progress(progress, work):
    """`progress`: None, True (a bar of tqdm), or a function."""
    if progress is True:
        from .progress import bar
        with bar() as tell:
            return work(tell)
    return work(progress or None)
