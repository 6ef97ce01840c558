"""Files that appear whole or not at all."""

from __future__ import annotations

import os

from . import _core


def write_text(path, text: str, *, only_owner: bool = False):
    """Writes a file; one that is there stays as it was until the new one is complete."""
    _core.write_file(os.fspath(path), text, only_owner)
