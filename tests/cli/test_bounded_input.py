"""Files that are small and hold much, or never end, are refused before they cost anything."""

import gzip
import json
import os
import subprocess
import sys
import threading
import zipfile

import pytest

from conftest import PROGRAM

PLAN = """[ontology.h]
source = "edges:hobbies.csv"
[column.hobby]
role = "sensitive"
ontology = "h"
{column}
[mask]
method = "noise"
alpha = 0.5
columns = ["hobby"]
"""
SECONDS, MIB = 2, 200


@pytest.fixture
def club(semveil):
    semveil.write("plan.toml", PLAN.format(column=""))
    semveil.write("t.csv", "hobby,n\nski,1\nrun,2\nread,3\n")
    return semveil


# A process counts the memory of the one that it was made from, too: this one is small.
MEASURED = """import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([done.returncode, done.stdout.decode(), done.stderr.decode(), used.ru_maxrss // 1024,
           used.ru_utime + used.ru_stime], sys.stdout)
"""


def measured(program, *args):
    """Exit code, both outputs, MiB and seconds of processor time."""
    done = subprocess.run([sys.executable, "-c", MEASURED, PROGRAM, *args], cwd=program.folder, env=program.env,
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def cheap(program, *args):
    """The error of a run that may take neither long nor much memory."""
    code, out, error, mib, seconds = measured(program, *args)
    assert (code, out) == (1, ""), (code, error)
    assert mib < MIB and seconds < SECONDS, f"{mib} MiB, {seconds} s: {error}"
    return error


def gzip_bomb(program, name, line):
    """A packed file of a MiB that unpacks to a GiB."""
    member = gzip.compress((line * ((1 << 25) // len(line))).encode())
    program.write(name, member * 32)
    assert len(member) * 32 < 4 << 20
    return name


def zip_bomb(program, name, inner, line):
    with zipfile.ZipFile(program.folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(inner, line * ((1 << 26) // len(line)))
    return name


@pytest.mark.parametrize("source, name, line", [
    ("obo:", "b.obo.gz", "! a comment of an ontology\n"),
    ("edges:", "b.csv.gz", "ski,sport\n"),
    ("owl:", "b.ttl.gz", "# a comment of an ontology\n"),
    ("mesh:", "b.xml.gz", "<!-- a comment of an ontology -->\n"),
    ("", "b.svo", "semveil\n"),
])
def test_an_ontology_that_unpacks_to_gigabytes_is_refused(club, source, name, line):
    gzip_bomb(club, name, line)
    message = cheap(club, "ontology", "info", source + name, "--no-cache")
    if message.startswith(f"semveil: {name}: "):
        assert "200 times" in message and "unpack them first" in message
    else:  # a loader that reads line by line says sooner that these lines are no ontology
        assert message.startswith(f"semveil: {name}:")


@pytest.mark.parametrize("source, inner, line", [
    ("obo:", "b.obo", "! a comment of an ontology\n"),
])
def test_an_archive_that_unpacks_to_gigabytes_is_refused(club, source, inner, line):
    zip_bomb(club, "b.zip", inner, line)
    message = cheap(club, "ontology", "info", source + "b.zip", "--no-cache")
    assert message.startswith(f"semveil: b.zip/{inner}: ") and "200 times" in message


def test_a_packed_plan_or_mapping_that_unpacks_to_gigabytes_is_refused(club):
    gzip_bomb(club, "plan.gz", "# a comment of a plan\n")
    assert "200 times" in cheap(club, "mask", "t.csv", "--plan", "plan.gz", "-o", "out.csv")
    gzip_bomb(club, "map.csv.gz", "ski,ski,sport\n")
    club.write("plan.toml", PLAN.format(column='mapping = "map.csv.gz"'))
    assert "200 times" in cheap(club, "mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv")


def test_a_table_may_be_as_long_as_the_disk(club):
    """A packed table of many equal rows is none that is made to fill a memory."""
    row = f"ski,{'x' * 2000}\n"
    club.write("t.csv.gz", gzip.compress(("hobby,n\nrun,1\n" + row * 20000).encode()))
    assert (club.folder / "t.csv.gz").stat().st_size * 200 < 20000 * len(row)
    club.ok("mask", "t.csv.gz", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--quiet")
    assert len(club.read("out.csv").splitlines()) == 20002


# ---- What does not end --------------------------------------------------------------------------

def verb_of(what, path):
    mask = ["mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv"]
    return {"plan": ["mask", "t.csv", "--plan", path, "-o", "out.csv"],
            "mapping": mask,
            "seed": [*mask, "--seed-file", path],
            "key": ["apply", "t.csv", "--model", "m.model", "--key-file", path, "-o", "out.csv"],
            "model": ["apply", "t.csv", "--model", path, "-o", "out.csv"],
            "edges": ["ontology", "info", f"edges:{path}"],
            "obo": ["ontology", "info", f"obo:{path}"],
            "owl": ["ontology", "info", f"owl:{path}"],
            "snapshot": ["ontology", "info", path]}[what]


@pytest.mark.parametrize("what", ["plan", "mapping", "seed", "key", "model", "edges", "obo", "owl", "snapshot"])
@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_what_does_not_end_is_refused(club, what, kind):
    if what == "key":
        club.ok("fit", "t.csv", "--plan", "plan.toml", "-o", "m.model", "--no-key", "--key-out", "a.key", "--quiet")
    name = "endless.svo" if what == "snapshot" else "endless"
    endless = club.folder / name
    if kind == "device":
        endless.symlink_to("/dev/zero")
    else:
        os.mkfifo(endless)
    if what == "mapping":
        club.write("plan.toml", PLAN.format(column=f'mapping = "{name}"'))
    enough = threading.Event()

    def feed():
        try:
            with open(endless, "wb", buffering=0) as pipe:
                while not enough.is_set():
                    pipe.write(b"# no end\n" * 10000)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=feed, daemon=True)
    if kind == "pipe":
        writer.start()
    try:
        message = cheap(club, *verb_of(what, name))
    finally:
        enough.set()
    assert message.startswith(f"semveil: {name}:") and "\n" not in message[:-1]


@pytest.mark.parametrize("verb", ["mask", "fit", "apply", "describe", "plan", "audit", "compare", "map"])
def test_a_table_without_lines_is_refused_before_it_fills_a_disk(club, verb):
    club.ok("fit", "t.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    (club.folder / "endless").symlink_to("/dev/zero")
    with_plan = ["--plan", "plan.toml"]
    more = {"mask": [*with_plan, "-o", "out.csv"], "fit": [*with_plan, "-o", "n.model"],
            "apply": ["--model", "m.model", "--release", "r", "-o", "out.csv"], "describe": with_plan, "plan": [],
            "audit": ["t.csv", *with_plan], "compare": with_plan,
            "map": ["--column", "hobby", "--ontology", "edges:hobbies.csv"]}[verb]
    message = cheap(club, verb, "endless", *more)
    assert message.startswith("semveil: endless:1: ")


def test_a_first_line_without_end_is_refused(club):
    """Text may come from another program without end, too."""
    os.mkfifo(club.folder / "t.pipe")
    enough = threading.Event()

    def feed():
        try:
            with open(club.folder / "t.pipe", "wb", buffering=0) as pipe:
                while not enough.is_set():
                    pipe.write(b"hobby," * 10000)
        except BrokenPipeError:
            pass

    threading.Thread(target=feed, daemon=True).start()
    try:
        message = cheap(club, "mask", "t.pipe", "--plan", "plan.toml", "-o", "out.csv")
    finally:
        enough.set()
    assert message == "semveil: t.pipe:1: the first line does not end within 64 MiB: is this a table?\n"


@pytest.mark.parametrize("packed", [False, True])
def test_a_table_through_a_pipe_is_read_as_ever(club, packed):
    table = b"hobby,n\n" + b"ski,1\nrun,2\nread,3\n" * 50000
    club.write("long.csv", table)
    mask = ["mask", "--plan", "plan.toml", "--seed", "s", "--quiet"]
    club.ok(*mask, "long.csv", "-o", "file.csv")
    os.mkfifo(club.folder / "t.pipe")
    content = gzip.compress(table) if packed else table
    threading.Thread(target=(club.folder / "t.pipe").write_bytes, args=[content], daemon=True).start()
    club.ok(*mask, "t.pipe", "-o", "pipe.csv")
    assert club.read("pipe.csv") == club.read("file.csv")


def test_a_short_pipe_is_read_as_ever(club):
    """A key or a plan may come from another program."""
    for name, content in {"plan.pipe": PLAN.format(column=""), "seed.pipe": "a secret\n"}.items():
        os.mkfifo(club.folder / name)
        threading.Thread(target=(club.folder / name).write_text, args=[content], daemon=True).start()
    club.ok("mask", "t.csv", "--plan", "plan.pipe", "--seed-file", "seed.pipe", "-o", "out.csv", "--quiet")


def test_a_plan_is_no_longer_than_a_plan(club):
    with open(club.folder / "long.toml", "wb") as file:
        file.truncate(3 << 30)
    assert "16 MiB" in cheap(club, "mask", "t.csv", "--plan", "long.toml", "-o", "out.csv")


# ---- Very many columns --------------------------------------------------------------------------

def test_a_table_of_very_many_columns_is_masked(club):
    columns = 100_000
    def row(hobby, cell):
        return ",".join([hobby, *([cell] * (columns - 1))]) + "\n"
    club.write("wide.csv", ",".join(["hobby", *(f"c{i}" for i in range(1, columns))]) + "\n" +
               row("ski", "x") + row("run", "y") + row("read", "x"))
    code, _, error, mib, _ = measured(club, "mask", "wide.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    assert (code, error) == (0, "") and mib < 500, f"{mib} MiB"
    before, after = ((club.folder / name).read_bytes().splitlines() for name in ("wide.csv", "out.csv"))
    assert [line.split(b",", 1)[1] for line in before] == [line.split(b",", 1)[1] for line in after]


def test_a_header_of_more_columns_than_any_table_is_refused(club):
    club.write("wide.csv", "hobby" + ",c" * 1_000_000 + "\n")
    message = cheap(club, "mask", "wide.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert message.startswith("semveil: wide.csv:1: ") and "1000001 columns" in message and "separator" in message
