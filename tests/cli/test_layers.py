"""Includes go one way: src/layers.txt names the layers, and every #include keeps to it."""

import pathlib
import re

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def ranks(text):
    """The line that each folder stands in, from 0."""
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {folder: rank for rank, line in enumerate(lines) for folder in line}


LAYERS = ranks((PROJECT / "src/layers.txt").read_text())


def sources(*folders):
    return [path for folder in folders for path in sorted((PROJECT / folder).rglob("*")) if path.suffix in (".cc", ".h")]


def upward(folder, text, layers):
    """The includes of a file in that folder of src/ that it must not have."""
    wrong = []
    for include in INCLUDE.findall(text):
        other = include.split("/")[0]
        if other in ("semveil", folder):
            continue
        if other not in layers or layers[other] >= layers[folder]:
            wrong.append(include)
    return wrong


def test_every_folder_of_src_is_a_layer():
    folders = {path.name for path in (PROJECT / "src").iterdir() if path.is_dir()}
    assert folders == set(LAYERS)


def test_includes_go_one_way():
    wrong = {}
    for path in sources("src"):
        found = upward(path.relative_to(PROJECT / "src").parts[0], path.read_text(), LAYERS)
        if found:
            wrong[str(path.relative_to(PROJECT))] = found
    assert not wrong


@pytest.mark.parametrize("folder", ["include", "cli"])
def test_public_headers_and_the_program_see_nothing_but_public_headers(folder):
    wrong = {}
    for path in sources(folder):
        beside = {other.name for other in path.parent.iterdir()}
        for include in INCLUDE.findall(path.read_text()):
            if not include.startswith("semveil/") and not (folder == "cli" and include in beside):
                wrong.setdefault(str(path.relative_to(PROJECT)), []).append(include)
    assert not wrong


def test_an_include_upward_or_sideways_is_seen():
    layers = ranks("low\nleft right\n# a comment\n\nhigh\n")
    assert upward("left", '#include "low/a.h"\n#include "left/b.h"\n#include "semveil/c.h"\n', layers) == []
    assert upward("left", '#include "high/a.h"\n', layers) == ["high/a.h"]
    assert upward("left", '#include "right/a.h"\n', layers) == ["right/a.h"]
    assert upward("left", '#include "nowhere/a.h"\n', layers) == ["nowhere/a.h"]
