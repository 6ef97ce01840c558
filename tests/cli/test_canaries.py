"""No text that must stay comes out, whatever the method, the format and the verb."""

import pytest

from canaries import FORMATS, MARK, METHODS, RARE, Canaries
from conftest import PROGRAM


@pytest.fixture
def canaries(tmp_path):
    return Canaries(tmp_path, PROGRAM)


@pytest.mark.parametrize("at, method", list(enumerate(METHODS)))
def test_nothing_that_must_stay_comes_out(canaries, at, method):
    canaries.try_all(method, FORMATS[at % len(FORMATS)], "shuffle = true\n" if at % 2 else "")
    assert canaries.leaks == []
    assert canaries.refused == [] and canaries.searched > 40


def test_nothing_comes_out_of_the_other_verbs(canaries):
    canaries.try_the_rest()
    assert canaries.leaks == [] and canaries.runs >= 7


@pytest.mark.parametrize("spoilt, found", [
    ('undeclared = "drop"', "dropped"),
    ('role = "identifier"', "identifier"),
])
def test_a_leak_is_found(canaries, spoilt, found):
    """The search, on plans that let something out."""
    canaries.plan("noise", "")
    plan = canaries.folder / "plan.toml"
    plan.write_text(plan.read_text().replace(spoilt, spoilt.split()[0] + (
        ' = "keep"' if "undeclared" in spoilt else ' = "other"')))
    canaries.run("spoilt", "mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv")
    assert any(f"{MARK}-{found}" in leak for leak in canaries.leaks)


def test_what_only_the_original_has_is_searched_for_in_public_editions(canaries):
    canaries.search("a report", f"… {RARE} …".encode(), public=True, released=b"c1,c2")
    canaries.search("a release that has it", f"… {RARE} …".encode(), public=True,
                    released=RARE.encode())
    assert len(canaries.leaks) == 1
