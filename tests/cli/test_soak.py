"""The same commands again and again: same bytes, and a stream that goes on holds no more than before."""

import subprocess
import sys

from conftest import PROGRAM, PROJECT


def test_a_short_soak():
    done = subprocess.run([sys.executable, PROJECT / "scripts/soak", "0", PROGRAM], capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the same bytes every time" in done.stdout
