"""semveil reproduce where the public data is not there: what a stranger is told."""

import gzip
import hashlib

import pytest

from conftest import DATA


def test_every_missing_file_is_told_with_its_source_and_checksum(semveil):
    message = semveil.fails(1, "reproduce", "noise-adult", "swap", "fuse", "ean", "--data", "mine")
    listed = semveil.json("reproduce", "--data", "mine")["data"]
    assert len(listed) == 12 and all(f["state"] == "missing" for f in listed)
    for file in listed:
        assert f"mine/{file['path']}\n" in message
        assert file["published"] in message and file["sha256"] in message
    assert "noise-adult, swap, fuse, ean need 12 public files" in message
    assert "SEMVEIL_DATA" in message and "--part 1" in message
    assert message.count("published: ") == 12, "each once"


def test_a_part_that_needs_no_data_is_run_without(semveil):
    assert semveil.json("reproduce", "ean", "--part", "1", "--data", "mine")["experiment"] == "ean"
    message = semveil.fails(1, "reproduce", "ean", "--part", "3", "--data", "mine")
    assert message.count("published: ") == 2


def test_the_list_says_of_every_file_whether_it_is_there(semveil):
    """A file with another content than the figures are of is told, too."""
    hierarchy = semveil.folder / "mine" / "arx-hierarchies"
    hierarchy.mkdir(parents=True)
    (hierarchy / "adult_hierarchy_sex.csv").write_text("Male;*\n")
    listed = {f["path"]: f for f in semveil.json("reproduce", "--data", "mine")["data"]}
    assert listed["arx-hierarchies/adult_hierarchy_sex.csv"]["state"] == "other"
    text = semveil.ok("reproduce", "--data", "mine")
    assert "arx-hierarchies/adult_hierarchy_sex.csv  there, with OTHER CONTENT" in text
    assert "adult/adult.data.gz  MISSING" in text
    env = semveil.env | {"SEMVEIL_DATA": "elsewhere"}
    assert semveil.json("reproduce", env=env)["data_folder"] == "elsewhere"


def test_the_checksums_are_those_of_the_data(semveil):
    there = 0
    for file in semveil.json("reproduce", "--data", str(DATA.resolve()))["data"]:
        path = DATA / file["path"]
        if not path.exists():
            assert file["state"] == "missing"
            continue
        there += 1
        content = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"], path
        assert file["state"] == "there"
    if there == 0:
        pytest.skip("no public data in $SEMVEIL_DATA")
