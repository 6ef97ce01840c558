"""What goes wrong, as exceptions.

`str`, `repr`, `args` and tracebacks of these never hold the text of a cell: it is in `.value` alone,
and what it may mean instead in `.hint`, both for the steward's own screen.
"""

from __future__ import annotations

from . import _core


class SemveilError(ValueError):
    """Something went wrong. Where it is known, the attributes say where.

    `code`: 1 the data or the plan is wrong, 2 the call is wrong, 3 a demanded guarantee cannot be met, 4 the
    system failed, 130 stopped. `file`, `line`: of a plan, an ontology or a table that is a file. `column`: of the
    table. `row`: from 0, of a table without lines. `remedy`: what to do about it. `value`, `hint`: a cell's text, and
    what may be meant by it.
    """

    code = 4

    def __init__(self, text: str, message: str | None = None, *, code: int | None = None, file: str | None = None,
                 line: int | None = None, row: int | None = None, column: str | None = None,
                 value: str | None = None, hint: str | None = None):
        super().__init__(text)
        self.message = text if message is None else message
        if code is not None:
            self.code = code
        self.file = file
        self.line = line
        self.row = row
        self.column = column
        self.remedy = _core.remedy_of(self.message) or None
        self.value = value
        self.hint = hint

    def __reduce__(self):
        # Values do not leave the process with it.
        kept = {k: v for k, v in self.__dict__.items() if k not in ("value", "hint")}
        return _again, (type(self), self.args[0], kept)


def _again(kind, text, kept):
    error = kind(text)
    error.__dict__.update(kept)
    return error


class DataError(SemveilError):
    """The table, the ontology or another file of data is wrong."""

    code = 1


class PlanError(SemveilError):
    """The plan is wrong."""

    code = 1


class UsageError(SemveilError):
    """The call is wrong: two arguments that exclude each other, a name that nothing has."""

    code = 2


class GuaranteeError(SemveilError):
    """What was demanded cannot be promised. There is no release."""

    code = 3
