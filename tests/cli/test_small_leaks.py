"""What a release or an error would tell beside what it is meant to tell; outputs that must not meet."""

import json

import pytest

SPORTS = """child,parent,label
sport,,Sports
ski,sport,Skiing
run,sport,Running
swim,sport,Swimming
culture,,Culture
read,culture,Reading
"""

PLAN = """{top}
[ontology.h]
source = "edges:sports.csv"
[column.hobby]
role = "sensitive"
ontology = "h"
{column}
[mask]
method = "noise"
alpha = 0.1
columns = ["hobby"]
"""


@pytest.fixture
def club(semveil):
    semveil.write("sports.csv", SPORTS)
    semveil.write("plan.toml", PLAN.format(top="", column=""))
    semveil.write("shuffled.toml", PLAN.format(top="shuffle = true", column=""))
    semveil.write("club.csv", "id,hobby\n" + "".join(
        f"{i},{hobby}\n" for i, hobby in enumerate(["ski", "run", "swim", "ski", "run", "read"])))
    return semveil


def mask(*more, table="club.csv", plan="plan.toml", out="out.csv"):
    return ["mask", table, "--plan", plan, "-o", out, "--seed", "a secret", "--quiet", *more]


# ---- Line ends ----------------------------------------------------------------------------------

def mixed_ends(header_end, ends):
    hobbies = ["ski", "run", "swim", "read"]
    rows = [f"{i},{hobbies[i % 4]}{ends[i % len(ends)]}" for i in range(40)]
    return "id,hobby" + header_end + "".join(rows)


@pytest.mark.parametrize("header_end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("drop", ["", '[column.id]\nrole = "identifier"\n'], ids=["two columns", "one left"])
def test_shuffled_rows_have_one_line_end(club, header_end, drop):
    """A row that kept its own would be known again by it."""
    club.write("mixed.csv", mixed_ends(header_end, ["\n", "\r\n", "\n"])[:-1])  # the last has none
    club.write("drop.toml", PLAN.format(top="shuffle = true", column="") + drop)
    club.ok(*mask(table="mixed.csv", plan="drop.toml"))
    released = (club.folder / "out.csv").read_bytes().decode()
    assert released.count(header_end) == released.count("\n") == 41
    assert released.count("\r") == (41 if header_end == "\r\n" else 0)
    assert released.endswith(header_end)


def test_rows_in_order_keep_their_line_ends(club):
    club.write("mixed.csv", mixed_ends("\n", ["\n", "\r\n", "\n"]))
    club.ok(*mask(table="mixed.csv"))
    def ends(name):
        return [line.endswith(b"\r\n") for line in (club.folder / name).read_bytes().splitlines(True)]
    assert ends("out.csv") == ends("mixed.csv")


# ---- Denied concepts ----------------------------------------------------------------------------

def test_a_denied_concept_is_no_mean(club):
    """Of skiing, running and swimming the mean is Sports, unless the plan denies it."""
    plain = club.json("describe", "club.csv", "--plan", "plan.toml")["columns"]["hobby"]
    assert plain["mean"]["id"] == "sport"
    club.write("deny.toml", PLAN.format(top="", column='deny = ["Sports"]'))
    released = json.loads(club.ok(*mask("--json", "--report", "r.html", plan="deny.toml")))["columns"]["hobby"]
    described = club.json("describe", "club.csv", "--plan", "deny.toml")["columns"]["hobby"]
    audited = club.json("audit", "club.csv", "out.csv", "--plan", "deny.toml")["columns"]["hobby"]
    means = [released["mean"], described["mean"], audited["mean_original"], audited["mean_masked"]]
    assert "sport" not in {mean["id"] for mean in means if mean is not None}, means
    assert described["mean"]["id"] in ("ski", "run", "swim")
    texts = [club.ok(*[word for word in mask(plan="deny.toml") if word != "--quiet"], "--verbose"),
             club.ok("describe", "club.csv", "--plan", "deny.toml"),
             club.ok("audit", "club.csv", "out.csv", "--plan", "deny.toml"), club.read("r.html")]
    for text in texts:
        assert "Sports" not in text and "sport" not in text.replace("sports.csv", "").replace("transport", ""), text
    # What is measured is measured from the mean that the data have.
    assert described["variance"] == plain["variance"]


# ---- Outputs that meet --------------------------------------------------------------------------

@pytest.mark.parametrize("links", [
    {"link": "real"},
    {"link": "other", "other": "real"},
    {"link": "folder/../real"},
    {"link": "folder/up/real", "folder/up": ".."},
], ids=["a link", "two links", "by a folder", "by a linked folder"])
@pytest.mark.parametrize("first", [True, False], ids=["output", "trace"])
def test_a_dangling_link_leads_to_the_other_output(club, links, first):
    (club.folder / "folder").mkdir()
    for name, target in links.items():
        (club.folder / name).symlink_to(target)
    out, trace = ("link", "real") if first else ("real", "link")
    message = club.fails(2, *mask("--trace", trace, out=out))
    assert message.startswith(f"semveil: {trace}: two outputs have the same name")
    assert not (club.folder / "real").exists()


def test_links_to_different_files_are_both_written(club):
    (club.folder / "link").symlink_to("real")
    (club.folder / "other").symlink_to("elsewhere")
    club.ok(*mask("--trace", "other", out="link"))
    assert club.read("real").startswith("id,hobby\n") and "elsewhere" in {
        path.name for path in club.folder.iterdir()}
    assert (club.folder / "link").is_symlink() and (club.folder / "other").is_symlink()


def test_links_in_a_circle_are_refused(club):
    (club.folder / "link").symlink_to("other")
    (club.folder / "other").symlink_to("link")
    done = club.run(*mask("--trace", "other", out="link"))
    assert done.returncode in (2, 4) and done.stderr


# ---- Names of columns ---------------------------------------------------------------------------

SECRET = "has_hiv_Mr_Smith"


def test_quiet_errors_name_no_column_that_the_plan_does_not_name(club):
    club.write("named.csv", f"hobby,{SECRET}\nski,yes\nrun,no\n")
    club.write("error.toml", PLAN.format(top='undeclared = "error"', column=""))
    refused = mask(table="named.csv", plan="error.toml")
    assert SECRET not in club.fails(1, *refused)
    assert SECRET in club.fails(1, *[word for word in refused if word != "--quiet"])
    # Two columns of one name, a column that is not there, rows of another length.
    club.write("twice.csv", f"hobby,{SECRET},{SECRET}\nski,a,b\n")
    assert SECRET not in club.run(*mask(table="twice.csv")).stderr
    club.write("none.csv", f"Hobby,{SECRET}\nski,a\n")
    assert SECRET not in club.fails(1, *mask(table="none.csv"))
    club.write("short.csv", f"hobby,{SECRET}\nski\n")
    assert SECRET not in club.fails(1, *mask(table="short.csv"))
    assert SECRET not in club.fails(1, "audit", "club.csv", "named.csv", "--plan", "error.toml", "--quiet")
    club.write("foreign.csv", f"{SECRET}\na\n")
    assert SECRET not in club.fails(1, "audit", "club.csv", "foreign.csv", "--plan", "plan.toml", "--quiet")
    # A model, too, knows what its plan declared.
    club.write("right.csv", "hobby\nski\nrun\nswim\n")
    club.ok("fit", "right.csv", "--plan", "error.toml", "-o", "m.model", "--seed", "a secret", "--quiet")
    apply = ["apply", "named.csv", "--model", "m.model", "-o", "o.csv", "--release", "second"]
    assert SECRET not in club.fails(1, *apply, "--quiet")
    assert SECRET in club.fails(1, *apply)


def test_an_error_lists_few_columns(club):
    names = [f"column_{i:04}" for i in range(3000)]
    club.write("wide.csv", ",".join(names) + "\n" + ",".join("x" for _ in names) + "\n")
    message = club.fails(1, *[word for word in mask(table="wide.csv") if word != "--quiet"])
    assert "column_0019 and 2980 more" in message and "column_0020" not in message
    message = club.fails(1, "audit", "club.csv", "wide.csv", "--plan", "plan.toml")
    assert "column_0019 and 2980 more" in message and "column_0020" not in message
