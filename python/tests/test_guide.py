"""docs/python.md is run, every block, and prints what it shows."""

import doctest
import re

import pytest

from conftest import PROJECT

GUIDE = PROJECT / "docs/python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_guide_prints_what_it_shows(tmp_path, monkeypatch):
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(PROJECT / "samples")
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 10
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", str(GUIDE), 0)
    told = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    result = runner.run(test, out=told.append)
    assert result.failed == 0, "".join(told)
