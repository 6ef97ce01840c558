"""describe, advise, audit and compare."""

from __future__ import annotations

import os

from . import _core, frames
from .masking import thread_count, with_progress
from .plan import Plan
from .told import Page, Told, figure, text_table


def describe(table, plan, *, threads=None, progress=None) -> Description:
    """Semantic statistics of a table, and its risk before masking. The plan needs neither an ontology nor [mask]."""
    plan, frame = Plan(plan), frames.frame_of(table)
    return Description(with_progress(progress, frame, lambda tell: _core.describe(
        frame.crossing(plan.column_names), frame.name, plan._core, thread_count(threads), tell)))


class Description(Told):
    """What a table says: `.to_dict()`, `.to_pandas()` (a row a column), `.findings`."""

    def to_pandas(self):
        """A row for each column of the plan."""
        import pandas
        columns = self.to_dict()["columns"]
        rows = []
        for name, of in columns.items():
            row = {k: v for k, v in of.items() if not isinstance(v, (dict, list))}
            row["mean"] = (of.get("mean") or {}).get("label") if isinstance(of.get("mean"), dict) else of.get("mean")
            rows.append({"column": name, **row})
        return pandas.DataFrame(rows).set_index("column") if rows else pandas.DataFrame()

    def _lines(self, told):
        lines = [f"{told['records']} records"]
        rows = [["column", "distinct", "missing", "mean", "variance"]]
        for name, of in told["columns"].items():
            mean = of.get("mean")
            rows.append([name, of.get("distinct"), of.get("missing"),
                         figure(mean.get("label") if isinstance(mean, dict) else mean), of.get("variance")])
        lines += text_table(rows)
        classes = told.get("classes")
        if classes:
            lines.append(f"  classes: {classes.get('count')}, the smallest of {classes.get('smallest')}, "
                         f"{classes.get('uniques')} unique")
        return lines


def advise(table, plan, *, keep="means", seed=None, threads=None, progress=None) -> Advice:
    """Which method fits this table and purpose, and why. `keep`: means, correlation or distributions."""
    plan, frame = Plan(plan), frames.frame_of(table)
    return Advice(with_progress(progress, frame, lambda tell: _core.advise(
        frame.crossing(plan.column_names), frame.name, plan._core, keep, seed, thread_count(threads), tell)))


class Advice(Told):
    """What comes into question, the best first. It speaks of a table that nobody has masked: keep it to yourself."""

    def to_dict(self):
        import json
        return json.loads(self._core.json())

    @property
    def mask(self) -> dict | None:
        """[mask] of what is advised first, as `Plan.with_mask` takes it; None: nothing is."""
        advice = self.to_dict()["advice"]
        return {"method": advice[0]["method"], **advice[0]["parameters"]} if advice else None

    def to_pandas(self):
        """A row for each proposal."""
        import pandas
        return pandas.DataFrame([{"method": a["method"], "parameters": a["parameters"], "why": a["why"],
                                  "risk": (a["trial"] or {}).get("risk"), "loss": (a["trial"] or {}).get("loss")}
                                 for a in self.to_dict()["advice"]])

    def _lines(self, told):
        lines = [f"to keep the {told['keep']} foremost"]
        for one in told["advice"]:
            parameters = ", ".join(f"{k} = {v}" for k, v in one["parameters"].items())
            lines.append(f"  {one['method']}{': ' + parameters if parameters else ''}")
            lines.append(f"    {one['why']}")
        return lines


def audit(original, masked, plan, *, key=None, row_map=None, control=None, target=None, clusters=14, attacks=True,
          unpaired=False, threads=None, progress=None) -> Audit:
    """Utility and risk of any masked table, whoever masked it.

    Records belong together by position, by the column `key` or by the file `row_map`. `control`: other records of
    the population, never masked. `attacks=False` leaves out what costs the most time.
    """
    plan = Plan(plan)
    first, second = frames.frame_of(original), frames.frame_of(masked)
    options = _core.AuditOptions()
    options.key = key or ""
    options.row_map = os.fspath(row_map) if row_map is not None else ""
    options.target = target or ""
    options.clusters = clusters
    options.attacks = attacks
    options.unpaired = unpaired
    options.threads = thread_count(threads)
    third = None if control is None else frames.frame_of(control).crossing(plan.column_names, whole=True)
    return Audit(with_progress(progress, first, lambda tell: _core.audit(
        first.crossing(plan.column_names, whole=True), _named(first, "the original table"), second.crossing(plan.column_names, whole=True),
        _named(second, "the masked table"), plan._core, third, options, tell)))


def _named(frame, name):
    return name if frame.name == "the table" else frame.name


class Audit(Page):
    """What a masked table kept, and what risk it leaves: `.to_dict()`, `.to_pandas()`, `.report(path)`, `.plot()`."""

    def to_pandas(self):
        """A row for each masked column."""
        import pandas
        rows = [{"column": name, **{k: v for k, v in of.items() if not isinstance(v, (dict, list))}}
                for name, of in self.to_dict()["columns"].items()]
        return pandas.DataFrame(rows).set_index("column") if rows else pandas.DataFrame()

    def plot(self, what="distributions", **axes):
        """`distributions` of values before and after, or `distances` between them, by column."""
        from . import plots
        return plots.of_audit(self.to_dict(), what, **axes)

    def _lines(self, told):
        lines = [f"audit of {told.get('records', told.get('records_original', ''))} records".replace("  ", " ")]
        rows = [["column", "rmse", "mean shift", "total variation"]]
        for name, of in told["columns"].items():
            rows.append([name, of.get("rmse"), of.get("mean_shift"), of.get("total_variation")])
        return lines + text_table(rows)


def compare(table, plan, tries=(), *, holdout=None, risk="greatest", keep="correlation", max_risk=None, clusters=0,
            seed=None, threads=None, progress=None) -> Comparison:
    """Several methods and parameters on one table: what each would keep and leave at risk.

    `tries`: as `["noise alpha=0.1,0.5", "swap k=5,10"]`; none: the usual ones. `holdout`: the share of the records
    that are set aside as control.
    """
    plan, frame = Plan(plan), frames.frame_of(table)
    options = _core.CompareOptions()
    options.tries = [tries] if isinstance(tries, str) else list(tries)
    options.risk = risk
    options.keep = keep
    options.most = max_risk
    options.clusters = clusters
    options.holdout = holdout or 0
    options.threads = thread_count(threads)
    return Comparison(with_progress(progress, frame, lambda tell: _core.compare(
        frame.crossing(plan.column_names), frame.name, plan._core, seed, options, tell)))


class Comparison(Page):
    """Methods side by side: `.to_pandas()`, `.verdict`, `.plot()` (the risk-utility map), `.report(path)`."""

    @property
    def verdict(self) -> str:
        """What can be said of it in a sentence."""
        return self._core.verdict()

    def to_pandas(self):
        """A row for each configuration; row 0 is the table unchanged."""
        import pandas
        told = self.to_dict()
        rows = [{k: v for k, v in row.items() if not isinstance(v, (dict, list))}
                for row in [told["do_nothing"], *told["releases"]]]
        return pandas.DataFrame(rows)

    def plot(self, **axes):
        """The risk-utility map: every configuration by its risk and its loss."""
        from . import plots
        return plots.of_comparison(self.to_dict(), **axes)

    def _lines(self, told):
        rows = [["", "configuration", "risk", "loss"]]
        for row in [told["do_nothing"], *told["releases"]]:
            rows.append(["*" if row.get("not_dominated") else "", row.get("label") or "the table unchanged",
                         row.get("risk"), row.get("loss")])
        return [f"{told['records']} records, {len(told['releases'])} configurations", *text_table(rows),
                f"  {told['verdict']}"]
