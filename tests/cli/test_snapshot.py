"""Snapshots answer as their source does, and a damaged one is refused by every verb."""

import re

import pytest


@pytest.fixture
def snapshot(semveil):
    semveil.write("table.csv", "hobby\nski\nRunning\nSkying\nread\n")
    semveil.ok("ontology", "snapshot", "edges:hobbies.csv", "-o", "hobbies.svo", "--quiet")
    return semveil


def verbs(source):
    return {
        "info": ["ontology", "info", source],
        "search": ["ontology", "search", source, "run"],
        "tree": ["ontology", "tree", source, "sport"],
        "snapshot": ["ontology", "snapshot", source, "-o", "again.svo"],
        "distance": ["distance", "Running", "Reading", "--ontology", source],
        "map": ["map", "table.csv", "--column", "hobby", "--ontology", source],
    }


def test_the_answer_names_the_file_and_its_size(snapshot):
    size = (snapshot.folder / "hobbies.svo").stat().st_size
    again = ["ontology", "snapshot", "edges:hobbies.csv", "-o", "again.svo"]
    assert snapshot.json(*again) == {"snapshot": "again.svo", "bytes": size}
    assert snapshot.ok(*again).startswith(f"again.svo: {size:,} bytes")


def test_snapshots_of_one_source_are_equal(snapshot):
    first = (snapshot.folder / "hobbies.svo").read_bytes()
    for source, more in ("edges:hobbies.csv", "--no-cache"), ("hobbies.svo", "--quiet"):
        snapshot.ok("ontology", "snapshot", source, "-o", "again.svo", more)
        assert (snapshot.folder / "again.svo").read_bytes() == first


@pytest.mark.parametrize("verb", ["search", "tree", "distance", "map"])
def test_a_snapshot_answers_as_its_source(snapshot, verb):
    source = snapshot.ok(*verbs("edges:hobbies.csv")[verb], "--json")
    assert source == snapshot.ok(*verbs("hobbies.svo")[verb], "--json")


def test_info_counts_the_same(snapshot):
    source, copy = (snapshot.json("ontology", "info", s) for s in ("edges:hobbies.csv", "hobbies.svo"))
    del source["load_ms"], copy["load_ms"]
    assert source == copy


@pytest.mark.parametrize("measure", ["wu-palmer", "lin"])
def test_distances_are_identical_in_a_domain_and_with_any_measure(snapshot, measure):
    more = ["--root", "culture", "--measure", measure, "--json"]
    source, copy = (snapshot.ok(*verbs(s)["distance"], *more) for s in ("edges:hobbies.csv", "hobbies.svo"))
    assert source == copy


DAMAGES = {
    "empty": lambda b: b"",
    "text": lambda b: b"child,parent\n" * 100,
    "cut in the header": lambda b: b[:40],
    "cut in the middle": lambda b: b[: len(b) // 2],
    "without its last byte": lambda b: b[:-1],
    "longer": lambda b: b + b"\0",
    "altered at the start": lambda b: b[:9] + bytes([b[9] ^ 1]) + b[10:],
    "altered in the middle": lambda b: b[:-700] + bytes([b[-700] ^ 0x40]) + b[-699:],
    "altered at the end": lambda b: b[:-5] + bytes([b[-5] ^ 0x20]) + b[-4:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_snapshot_is_refused_by_every_verb(snapshot, damage):
    whole = (snapshot.folder / "hobbies.svo").read_bytes()
    snapshot.write("bad.svo", damage(whole))
    for verb in verbs("bad.svo").values():
        message = snapshot.fails(1, *verb)
        assert message.startswith("semveil: bad.svo: ") and re.search("make (it anew|one)", message)
    assert not (snapshot.folder / "again.svo").exists()


def test_no_altered_byte_goes_unnoticed(snapshot):
    whole = (snapshot.folder / "hobbies.svo").read_bytes()
    for at in range(0, len(whole), 13):
        snapshot.write("bad.svo", whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:])
        snapshot.fails(1, *verbs("bad.svo")["distance"], "--json")
