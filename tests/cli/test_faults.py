"""System calls that fail, and kills at any of them: all files of a command are new, or none is."""

import collections
import concurrent.futures
import errno
import os
import shutil
import subprocess

import pytest

from conftest import PROGRAM
from faulting import COMMANDS, KILL, OUTPUTS, RECORD, STAYS, Fault, Faults, compiled, contents, modes_of


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    library = compiled(folder)
    if library is None:
        pytest.skip("no C compiler is installed: no fault can be made")
    return Faults(folder, PROGRAM, library)


@pytest.mark.parametrize("verb", COMMANDS)
def test_all_outputs_or_none(faults, verb):
    chosen = list(faults.some_faults(verb))  # scripts/torture tries all
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(faults.check, chosen))
    wrong = [(fault, result[1]) for fault, result in zip(chosen, results) if result[1]]
    assert wrong == []
    codes = collections.Counter(result[0] for result in results)
    assert codes[4] > 10 and codes[0] > 0 and codes[-9] > 10, codes


def logged(faults, place, arguments, nameless=True):
    log = place / "calls.log"
    code, said, complained = faults.run(place, arguments, faults.environment(nameless, log=log))
    assert (code, complained) == (0, "")
    return [line.split(" ", 2) for line in log.read_text().splitlines()], said


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("verb", COMMANDS)
def test_bytes_are_on_the_disk_before_the_name_is(faults, verb, nameless):
    place = faults.run_folder(verb, old=True)
    calls, _ = logged(faults, place, COMMANDS[verb], nameless)
    renames = [(at, inode, to) for at, (call, inode, to) in enumerate(calls) if call == "rename"]
    not_replaced = {RECORD, STAYS} if verb == "apply" else set()
    assert len(renames) == len(OUTPUTS[verb].keys() - not_replaced)
    for at, inode, to in renames:
        assert ["fsync", inode, "file"] in calls[:at], f"{to} has its name before its bytes"
        assert [call for call in calls[at:] if call[0] == "fsync"][0][2] == "folder"
    # All are complete before one has its name, secrets have theirs first, and the old files stay
    # until the end.
    first = renames[0][0]
    if verb == "apply":
        record = str((place / "out" / RECORD).stat().st_ino)
        assert ["fsync", record, "file"] in calls[:first]
    assert ["file"] not in [call[2:] for call in calls[first:] if call[0] == "fsync"]
    assert os.path.basename(renames[-1][2]) in ("released.csv", "model")


@pytest.mark.parametrize("verb", COMMANDS)
def test_without_syncing_nothing_waits_for_the_disk(faults, verb):
    calls, _ = logged(faults, faults.run_folder(verb, old=False), [*COMMANDS[verb], "--no-sync"])
    names = {call[0] for call in calls}
    assert "rename" in names and "fsync" not in names


@pytest.mark.parametrize("verb", COMMANDS)
def test_that_it_is_written_is_said_last(faults, verb):
    """And what is done is done, also where that cannot be said."""
    place = faults.run_folder(verb, old=True)
    calls, said = logged(faults, place, COMMANDS[verb])
    names = [call[0] for call in calls]
    last = len(names) - 1 - names[::-1].index("rename")
    assert names[last:].count("say") == 1 and "Written to" in said.strip().splitlines()[-1]
    failing = faults.run_folder(verb, old=True)
    code, said, complained = faults.run(failing, COMMANDS[verb], faults.environment(
        call="say", at=names.count("say"), error=errno.EIO))
    assert (code, "Written to" in said) == (0, False)
    assert complained == "semveil: the files were written, but standard output cannot be written to\n"
    unnamed = faults.run_folder(verb, old=True)
    code, said, _ = faults.run(unnamed, COMMANDS[verb], faults.environment(
        call="rename", at=1, error=errno.EIO))
    assert (code, "Written to" in said) == (4, False)


def test_file_systems_without_links_keep_the_old_files(faults):
    """There they are renamed away, and back where the last rename fails."""
    faults.learn("fit", True)
    place = faults.run_folder("fit", old=True)
    env = faults.environment(call="link", at=2, error=errno.EPERM)  # 1: the new file's own name
    code, _, complained = faults.run(place, COMMANDS["fit"], env)
    assert (code, complained) == (0, "")
    assert contents(place) == faults.new["fit"] and modes_of(place) == OUTPUTS["fit"]


def test_what_cannot_be_kept_is_not_replaced(faults):
    """No second name and no other one: a later fault could not put it back."""
    for at in (2, 4):
        fault = Fault("fit", True, True, "link", at, errno.EIO, False)
        assert faults.check(fault) == (4, "")


def mounted(faults, place, real, target, arguments, env):
    """The command where the target is a mounted file; as root, in a namespace of its own."""
    script = 'mount --bind "$0" "$1" && shift && exec "$@"'
    env = {name: value for name, value in env.items() if name != "LD_PRELOAD"}
    preload = ["env", f"LD_PRELOAD={faults.library}"]
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, real, target, *preload,
                           faults.program, *arguments],
                          cwd=place, env=env, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


MOUNTED = {"mask": "released.csv", "fit": "key", "apply": "released.csv"}


@pytest.fixture
def can_mount(tmp_path):
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can mount a file, with unshare")
    (tmp_path / "a").touch()
    tried = subprocess.run(["unshare", "-m", "mount", "--bind", tmp_path / "a", tmp_path / "a"])
    if tried.returncode != 0:
        pytest.skip("no file can be mounted here")


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_mounted_file_is_written_in_place(faults, can_mount, verb, nameless):
    faults.learn(verb, nameless)
    place = faults.run_folder(verb, old=True)
    real, name = place / "real", MOUNTED[verb]
    real.write_text("what is mounted, " * 100)
    real.chmod(0o644)
    before = real.stat().st_ino
    code, said, complained = mounted(faults, place, "real", f"out/{name}", COMMANDS[verb],
                                     faults.environment(nameless))
    assert (code, complained) == (0, "")
    assert "over the file that was there: it is mounted, so that no other can take its name" in said
    assert real.read_bytes() == faults.new[verb][name] and real.stat().st_ino == before
    assert real.stat().st_mode & 0o777 == OUTPUTS[verb][name], "a secret is for its owner alone"
    assert contents(place).keys() == OUTPUTS[verb].keys()


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_mounted_file_is_put_back(faults, can_mount, verb):
    """Whatever fails after its bytes were written over."""
    counts, old = faults.learn(verb, True), "what is mounted\n"
    failed = collections.Counter()
    cases = [(call, counts[call] + more) for call in ("write", "fsync", "rename", "close")
             for more in (-1, 0, 1)]
    for call, at in cases:
        place = faults.run_folder(verb, old=True)
        real, name = place / "real", MOUNTED[verb]
        real.write_text(old)
        real.chmod(0o640)
        before = contents(place)
        code, _, _ = mounted(faults, place, "real", f"out/{name}", COMMANDS[verb],
                             faults.environment(call=call, at=at, error=errno.EIO))
        failed[call] += code != 0
        if code == 0:
            assert real.read_bytes() == faults.new[verb][name], (call, at)
        else:
            assert (real.read_text(), contents(place)) == (old, before), (call, at)
            assert real.stat().st_mode & 0o777 == 0o640, (call, at)
    assert failed["write"] and failed["fsync"] and (verb == "mask" or failed["rename"]), failed


def test_an_old_key_outlives_a_kill_between_two_names(faults):
    faults.learn("fit", True)
    renames = faults.counts["fit", True]["rename"]
    place = faults.run_folder("fit", old=True)
    env = faults.environment(call="rename", at=renames, error=KILL)
    assert faults.run(place, COMMANDS["fit"], env)[0] == -9
    after = contents(place)
    assert after["key"] == faults.new["fit"]["key"] and after["model"] == b"old model\n"
    kept = [name for name, content in after.items() if content == b"old key\n"]
    assert len(kept) == 1 and kept[0].endswith(".old")
    # It stays, however often the program runs: it may be the last copy.
    code, _, _ = faults.run(place, COMMANDS["fit"], faults.environment(later=10**6))
    assert code == 0
    assert contents(place) == {**faults.new["fit"], kept[0]: b"old key\n"}
