"""Progress as a bar, where tqdm is installed."""

from __future__ import annotations

import contextlib


@contextlib.contextmanager
def bar():
    """A function of what is done, how much, and of how much (0: nobody knows)."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(leave=False) as shown:
        def tell(what, done, whole):
            if shown.desc != f"{what}: ":
                shown.reset(total=whole or None)
                shown.set_description(what)
            shown.total = whole or None
            shown.n = done
            shown.refresh()
        yield tell
