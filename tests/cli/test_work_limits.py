"""Work that would take days is refused before it begins, with an estimate and a way to go on."""

import pytest

PLAN = """[ontology.h]
source = "edges:h.csv"
[column.hobby]
role = "quasi-identifier"
ontology = "h"
[column.town]
role = "quasi-identifier"
[mask]
"""
METHODS = {
    "noise": 'method = "noise"\nalpha = 0.5\ncolumns = ["hobby"]\n',
    "fuse": 'method = "fuse"\nk = 3\n',
    "fuse-random": 'method = "fuse"\nk = 3\nguide = "random"\n',
    "recode": 'method = "recode"\nk = 6\nalgorithm = "recoding"\n',
    "recode-heuristic": 'method = "recode"\nk = 6\n',
    "microaggregate": 'method = "microaggregate"\nk = 3\n',
}
TINY = "0.00000000001"  # hours


@pytest.fixture
def club(semveil):
    semveil.write("h.csv", "child,parent\n" + "".join(f"h{i},h{(i - 1) // 3}\n" for i in range(1, 200)))
    semveil.write("t.csv", "hobby,town,n\n" + "".join(f"h{i % 150},town {i % 120},{i}\n" for i in range(500)))
    return semveil


@pytest.mark.parametrize("method", METHODS)
def test_an_estimate_beyond_what_is_allowed_is_a_refusal(club, method):
    club.write("plan.toml", PLAN + METHODS[method])
    mask = ["mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--quiet"]
    message = club.fails(1, *mask, "--max-work", TINY)
    assert message.startswith("semveil: t.csv: ") and "of one processor, and 1e-11 are allowed: " in message
    assert message.endswith("or allow more hours of work (--max-work)\n")
    assert not (club.folder / "out.csv").exists()
    club.ok(*mask)
    usual = club.read("out.csv")
    club.ok(*mask, "--max-work", "1000000")
    assert club.read("out.csv") == usual


def test_what_is_allowed_is_a_number_of_hours(club):
    club.write("plan.toml", PLAN + METHODS["fuse"])
    for wrong in ("0", "-1", "long"):
        assert "--max-work" in club.fails(2, "fit", "t.csv", "--plan", "plan.toml", "-o", "m", "--max-work", wrong)


def test_a_comparison_tells_which_method_was_refused(club):
    club.write("plan.toml", PLAN + METHODS["fuse"])
    out = club.ok("compare", "t.csv", "--plan", "plan.toml", "--try", "fuse k=3", "--try", "naive",
                  "--max-work", TINY)
    assert "of one processor" in out
