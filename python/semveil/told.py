"""What tables, releases and audits say of themselves."""

from __future__ import annotations

import copy
import html
import json


class Told:
    """Figures of something, in one of two editions.

    What a notebook shows is passed on, so this shows what anybody may see: no value of the original that the release
    does not contain, and figures of the original with three digits. `.steward()` is the other edition.
    """

    def __init__(self, core):
        self._core = core
        self._is_public = True

    def steward(self):
        """The same with everything that only the steward of the table may see."""
        other = copy.copy(self)
        other._is_public = False
        return other

    @property
    def edition(self) -> str:
        """`public` or `steward`."""
        return "public" if self._is_public else "steward"

    def to_dict(self) -> dict:
        """What the program's `--json` says, by the same schema (docs/json)."""
        return json.loads(self._core.json(self._is_public))

    @property
    def findings(self) -> list[dict]:
        """What a person must know before the release is signed, the most severe first."""
        return self.to_dict().get("findings", [])

    def _lines(self, told: dict) -> list[str]:
        raise NotImplementedError

    def __repr__(self):
        told = self.to_dict()
        lines = self._lines(told)
        return "\n".join(lines + _findings_lines(told.get("findings", [])))

    def _repr_html_(self):
        told = self.to_dict()
        head, *lines = self._lines(told)
        out = [f"<p><strong>{html.escape(head)}</strong></p>"]
        if lines:
            out.append(f"<pre>{html.escape(chr(10).join(lines))}</pre>")
        return "\n".join(out) + _findings_html(told.get("findings", []))


class Page(Told):
    """Figures that have a report: a notebook shows it as it is."""

    def report(self, path, edition=None):
        """Writes the report, one HTML file with everything inside it."""
        from .files import write_text
        edition = edition or self.edition
        write_text(path, self._core.html(is_public_edition(edition)), only_owner=edition == "steward")

    def _repr_html_(self):
        page = html.escape(self._core.html(self._is_public), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc"></iframe>'


def is_public_edition(edition: str) -> bool:
    """Whether a name of an edition means the public one."""
    if edition not in ("public", "steward"):
        from .errors import UsageError
        raise UsageError(f"there is no edition {edition!r}: write public or steward")
    return edition == "public"


def text_table(rows: list[list]) -> list[str]:
    """Rows as lines, numbers to the right; the first row is the header."""
    shown = [[figure(cell) for cell in row] for row in rows]
    right = [all(isinstance(row[i], (int, float, type(None))) for row in rows[1:]) for i in range(len(rows[0]))]
    widths = [max(len(row[i]) for row in shown) for i in range(len(rows[0]))]
    return ["  " + "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)).rstrip()
            for row in shown]


def figure(value) -> str:
    """A figure as people read it; - where there is none."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


_MOST = 8  # findings that are shown


def _findings_lines(findings):
    grave = [f for f in findings if f["severity"] != "note"]
    lines = [f"  {f['severity']}: {f['text']}" for f in grave[:_MOST]]
    left = len(findings) - len(grave[:_MOST])
    if left:
        lines.append(f"  {left} more in .findings")
    return lines


def _findings_html(findings):
    if not findings:
        return ""
    items = "".join(f"<li><em>{html.escape(f['severity'])}</em>: {html.escape(f['text'])}</li>" for f in findings)
    return f"<ul>{items}</ul>"
