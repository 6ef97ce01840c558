"""The program: `semveil` and `python -m semveil` become it."""

from __future__ import annotations

import os
import pathlib
import sys


def main():
    """Gives its place to the program that the package carries."""
    program = pathlib.Path(__file__).resolve().parent / "_native/bin/semveil"
    if not program.exists():
        sys.exit(f"semveil: the program is not in this package ({program}): install semveil again")
    os.execv(program, ["semveil", *sys.argv[1:]])


if __name__ == "__main__":
    main()
