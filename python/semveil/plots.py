"""Plots of figures, where matplotlib is installed."""

from __future__ import annotations

from .errors import UsageError

# Blue for what was, orange for what is: told apart by people who see no red or green, too.
BEFORE, AFTER, QUIET = "#3b6fb6", "#d9822b", "#9a9a9a"


def _axes(rows, axes, height=3.0):
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    if axes is not None:
        return axes.figure, [axes] * rows
    figure, made = pyplot.subplots(rows, 1, figsize=(7, height * rows), squeeze=False, layout="constrained")
    return figure, list(made[:, 0])


def of_comparison(told: dict, axes=None):
    """The risk-utility map."""
    figure, (plot, *_) = _axes(1, axes, 4.5)
    nothing = told["do_nothing"]
    rows = [row for row in told["releases"] if row.get("risk") is not None and row.get("loss") is not None]
    best = [row for row in rows if row.get("not_dominated")]
    plot.scatter([r["risk"] for r in rows if r not in best], [r["loss"] for r in rows if r not in best], color=QUIET,
                 label="dominated")
    plot.scatter([r["risk"] for r in best], [r["loss"] for r in best], color=AFTER, label="not dominated")
    if nothing.get("risk") is not None:
        plot.scatter([nothing["risk"]], [0], marker="x", color=BEFORE, label="do nothing")
    for row in rows:
        plot.annotate(row["label"], (row["risk"], row["loss"]), fontsize=8, xytext=(4, 4), textcoords="offset points")
    if told.get("max_risk") is not None:
        plot.axvline(told["max_risk"], color=BEFORE, linestyle=":", label="limit of risk")
    plot.set_xlabel(f"risk ({told['risk']})")
    plot.set_ylabel(f"loss (half RMSE, half {told['keep']})")
    plot.legend(fontsize=8)
    return figure


def of_audit(told: dict, what: str, columns=None, axes=None):
    """Values before and after, or how far apart they are, by column."""
    kinds = {"distributions": ("distribution", _distribution), "distances": ("distances", _distances)}
    if what not in kinds:
        raise UsageError(f"there is no plot {what!r}: there are {', '.join(kinds)}")
    key, draw = kinds[what]
    shown = {name: of for name, of in told["columns"].items()
             if of.get(key) and (columns is None or name in columns)}
    if not shown:
        raise UsageError(f"no column has {what} that this edition may show: .steward() may show more")
    figure, plots = _axes(len(shown), axes)
    for plot, (name, of) in zip(plots, shown.items()):
        draw(plot, name, of[key])
    return figure


_MOST = 20  # values of a column, the most frequent


def _distribution(plot, name, shares):
    shares = sorted(shares, key=lambda s: -max(s["original"] or 0, s["masked"] or 0))[:_MOST]
    places = range(len(shares))
    plot.bar([p - 0.2 for p in places], [s["original"] or 0 for s in shares], 0.4, color=BEFORE, label="before")
    plot.bar([p + 0.2 for p in places], [s["masked"] or 0 for s in shares], 0.4, color=AFTER, label="after")
    plot.set_xticks(list(places), [s["label"] for s in shares], rotation=45, ha="right", fontsize=8)
    plot.set_ylabel("share of the records")
    plot.set_title(name)
    plot.legend(fontsize=8)


def _distances(plot, name, counts):
    width = 1 / len(counts)
    plot.bar([(i + 0.5) * width for i in range(len(counts))], counts, width * 0.9, color=AFTER)
    plot.set_xlabel("distance of the released value from the original one")
    plot.set_ylabel("records")
    plot.set_title(name)
