"""The cache folder makes later runs faster and never changes an answer."""

import os
import shutil

import pytest

TREE = ["ontology", "tree", "edges:hobbies.csv", "ski"]


def cached(semveil):
    return sorted(p for p in semveil.cache.rglob("*") if p.is_file())


def change_unseen(semveil, old, new):
    """Changes the source so that size, inode and time stay: only its content tells."""
    path = semveil.folder / "hobbies.csv"
    before = path.stat()
    content = path.read_bytes()
    assert len(old) == len(new) and content.count(old) == 1
    with open(path, "r+b") as file:
        file.write(content.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_first_run_fills_the_cache_and_the_second_uses_it(semveil):
    assert semveil.json(*TREE)["label"] == "Skiing"
    files = {p: p.stat().st_mtime_ns for p in cached(semveil)}
    assert {p.suffix for p in files} == {".svo", ".key"}
    change_unseen(semveil, b"Skiing", b"Skying")
    assert semveil.json(*TREE)["label"] == "Skiing"
    assert semveil.json(*TREE, "--no-cache")["label"] == "Skying"
    assert {p: p.stat().st_mtime_ns for p in cached(semveil)} == files


def test_a_changed_source_is_read_anew(semveil):
    semveil.ok(*TREE)
    source = semveil.read("hobbies.csv")
    semveil.write("hobbies.csv", source.replace("Skiing", "Skating"))
    assert semveil.json(*TREE)["label"] == "Skating"
    semveil.write("hobbies.csv", source + "golf,sport,Golf\n")
    assert semveil.json("ontology", "info", "edges:hobbies.csv")["concepts"] == 7


def test_a_touched_source_is_still_the_same(semveil):
    answer = semveil.ok(*TREE)
    os.utime(semveil.folder / "hobbies.csv", (1, 1))
    assert semveil.ok(*TREE) == answer


def test_one_file_read_in_two_ways_does_not_mix(semveil):
    semveil.write("both.csv", "child,parent\nc,parent\n")
    edges = semveil.json("ontology", "info", "edges:both.csv")
    vgh = semveil.json("ontology", "info", "vgh:both.csv")
    assert (edges["format"], vgh["format"]) == ("edges", "vgh")
    assert semveil.json("ontology", "info", "edges:both.csv")["format"] == "edges"


def test_deleting_the_cache_is_harmless(semveil):
    answer = semveil.ok(*TREE)
    shutil.rmtree(semveil.cache)
    assert semveil.ok(*TREE) == answer and cached(semveil)
    for path in cached(semveil):
        path.unlink()
        assert semveil.ok(*TREE) == answer


def test_no_cache_leaves_no_trace(semveil):
    semveil.ok(*TREE, "--no-cache")
    assert not semveil.cache.exists() and not (semveil.folder / "home").exists()


@pytest.mark.parametrize("damage", [
    lambda b: b"", lambda b: b"garbage", lambda b: b[: len(b) // 2],
    lambda b: b[: len(b) // 2] + bytes([b[len(b) // 2] ^ 0x10]) + b[len(b) // 2 + 1:]],
    ids=["empty", "garbage", "cut", "altered"])
@pytest.mark.parametrize("suffix", [".svo", ".key"])
def test_a_damaged_cache_heals(semveil, suffix, damage):
    answer = semveil.ok(*TREE)
    whole = {p: p.read_bytes() for p in cached(semveil)}
    broken = next(p for p in whole if p.suffix == suffix)
    broken.write_bytes(damage(whole[broken]))
    assert semveil.ok(*TREE) == answer
    assert {p: p.read_bytes() for p in cached(semveil)} == whole


def test_a_snapshot_of_something_else_in_the_cache_is_noticed(semveil):
    answer = semveil.ok(*TREE)
    semveil.ok("ontology", "snapshot", "edges:nervous.csv", "-o", "other.svo", "--no-cache")
    [entry] = [p for p in cached(semveil) if p.suffix == ".svo"]
    shutil.copy(semveil.folder / "other.svo", entry)
    assert semveil.ok(*TREE) == answer


@pytest.mark.parametrize("place", ["/dev/null/cache", "hobbies.csv"])
def test_a_cache_that_cannot_be_written_is_no_failure(semveil, place):
    expected = semveil.ok(*TREE, "--no-cache")
    assert semveil.ok(*TREE, env={**semveil.env, "SEMVEIL_CACHE_DIR": place}) == expected


def test_it_works_without_a_home(semveil):
    env = {k: v for k, v in semveil.env.items() if k not in ("HOME", "SEMVEIL_CACHE_DIR")}
    assert semveil.ok(*TREE, env=env) == semveil.ok(*TREE, "--no-cache")
    assert not semveil.cache.exists()


def test_the_cache_is_where_the_environment_says(semveil):
    env = {k: v for k, v in semveil.env.items() if k != "SEMVEIL_CACHE_DIR"}
    semveil.ok(*TREE, env=env)
    assert list((semveil.folder / "home/.cache/semveil").iterdir())
    semveil.ok(*TREE, env={**env, "XDG_CACHE_HOME": str(semveil.folder / "xdg")})
    assert list((semveil.folder / "xdg/semveil").iterdir())
    assert not semveil.cache.exists()
