"""However the program ends: it says why, its exit code tells, and no file is left behind. What a kill
left is removed later, and nothing of it is in a core dump."""

import os
import resource
import signal
import time

import pytest

from conftest import PROGRAM
from faulting import COMMANDS, Faults, compiled, contents

VERBS = {
    "mask": COMMANDS["mask"],
    "fit": COMMANDS["fit"],
    "apply": ["apply", "../table.csv", "--model", "../model", "-o", "out/released.csv",
              "--trace", "out/trace.csv"],
}
STOPPED = "semveil: stopped before the work was done\n"


@pytest.fixture(scope="module")
def endings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("endings")
    library = compiled(folder)
    if library is None:
        pytest.skip("no C compiler is installed: the program cannot be held at a call")
    made = Faults(folder, PROGRAM, library)
    fit = ["fit", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "model", "--quiet"]
    assert made.run(folder, fit, made.env)[0] == 0
    return made


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


def held(endings, place, arguments, nameless, call, at, milliseconds):
    """The command, in the middle of that call."""
    log = place / "calls.log"
    env = endings.environment(nameless, call=call, at=at, delay=milliseconds, log=log)
    running = endings.start(place, arguments, env, preexec_fn=default_signals)
    for _ in range(2000):
        if log.exists() and sum(line.startswith(call) for line in log.read_text().splitlines()) >= at:
            return running
        time.sleep(0.005)
    raise AssertionError("it does not come to that call")


@pytest.mark.parametrize("nameless", [True, False], ids=["nameless", "named"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("verb", VERBS)
def test_a_signal_leaves_no_file(endings, verb, number, nameless):
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS[verb], nameless, "write", 2, 150)
    unfinished = [name for name in contents(place) if name.startswith(".semveil-")]
    assert (unfinished == []) == nameless
    running.send_signal(number)
    said = running.communicate(timeout=60)[1].decode()
    assert (running.returncode, said) == (128 + number, STOPPED)
    assert contents(place) == {}


@pytest.mark.parametrize("nameless", [True, False], ids=["nameless", "named"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_file_beyond_the_limit_leaves_no_file(endings, verb, nameless):
    def limited():
        default_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (60, 60))
    place = endings.run_folder("mask", old=False)
    running = endings.start(place, VERBS[verb], endings.environment(nameless), preexec_fn=limited)
    said = running.communicate(timeout=60)[1].decode()
    assert running.returncode == 4
    assert "the file is larger than you may write: raise the limit (ulimit -f)" in said
    assert contents(place) == {}


def test_a_terminal_that_closes_may_say_so_twice(endings):
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS["mask"], False, "write", 2, 600)
    for _ in range(2):
        running.send_signal(signal.SIGHUP)
        time.sleep(0.15)
    said = running.communicate(timeout=60)[1].decode()
    assert (running.returncode, said) == (129, STOPPED)
    assert contents(place) == {}


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_signal_that_comes_too_late_changes_nothing(endings, verb):
    """Once the first file has its name the rest is done and said, and the exit code is that of it."""
    endings.learn(verb, True)
    place = endings.run_folder(verb, old=True)
    running = held(endings, place, COMMANDS[verb], True, "rename", 1, 200)
    running.send_signal(signal.SIGTERM)
    said, complained = running.communicate(timeout=60)
    assert (running.returncode, complained) == (0, b"")
    assert b"Written to" in said and contents(place).keys() == endings.new[verb].keys()
    assert all(not content.startswith(b"old ") for content in contents(place).values())


@pytest.mark.parametrize("nameless", [True, False], ids=["nameless", "named"])
def test_a_second_signal_in_the_middle_of_naming_changes_nothing(endings, nameless):
    verb = "fit"
    endings.learn(verb, nameless)
    place = endings.run_folder(verb, old=True)
    running = held(endings, place, COMMANDS[verb], nameless, "rename", 2, 600)
    for _ in range(2):
        running.send_signal(signal.SIGINT)
        time.sleep(0.1)
    assert running.wait(60) == 0
    assert contents(place).keys() == endings.new[verb].keys()
    assert all(not content.startswith(b"old ") for content in contents(place).values())


def test_a_stop_while_bytes_go_to_the_disk_is_in_time(endings):
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS["mask"], True, "fsync", 1, 300)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[1].decode()
    assert (running.returncode, said) == (130, STOPPED)
    assert contents(place) == {}


def test_an_unfinished_file_is_private_from_its_first_moment(endings):
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS["mask"], False, "write", 1, 300)
    modes = {file.name: file.stat().st_mode & 0o777 for file in (place / "out").iterdir()}
    running.communicate(timeout=60)
    assert modes and set(modes.values()) == {0o600}
    assert (place / "out" / "released.csv").stat().st_mode & 0o777 == 0o666 & ~own_umask()


def own_umask():
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# ---- What a kill left ---------------------------------------------------------------------------

NAME = ".semveil-" + "0123456789abcdef01234567"
HOUR = 3600


def leftover(place, name, age):
    file = place / "out" / name
    file.write_text("left")
    file.chmod(0o600)
    os.utime(file, (time.time() - age,) * 2)
    return file


def left_after_a_run(endings, place, **how):
    code, _, complained = endings.run(place, VERBS["apply"], endings.environment(**how))
    assert (code, complained) == (0, "")
    return {name for name in contents(place) if name not in ("released.csv", "trace.csv")}


def test_what_is_removed_and_what_is_not(endings):
    place = endings.run_folder("mask", old=False)
    leftover(place, NAME + ".tmp", 2 * HOUR)
    stays = {leftover(place, name, age).name for name, age in {
        NAME[:-1] + "8.tmp": HOUR / 2,          # somebody may still write it
        NAME[:-1] + "9.TMP": 2 * HOUR,          # other names than ours
        NAME + "0.tmp": 2 * HOUR,
        NAME[:-1] + ".tmp": 2 * HOUR,
        NAME[:-1] + "g.tmp": 2 * HOUR,
        ".semveil-notes.tmp": 2 * HOUR,
        NAME[1:] + ".tmp": 2 * HOUR,
    }.items()}
    folder = place / "out" / (NAME[:-1] + "a.tmp")
    folder.mkdir()
    os.utime(folder, (time.time() - 2 * HOUR,) * 2)
    link = place / "out" / (NAME[:-1] + "b.tmp")
    link.symlink_to("../../table.csv")
    os.utime(link, (time.time() - 2 * HOUR,) * 2, follow_symlinks=False)
    if os.geteuid() == 0:
        stays.add(leftover(place, NAME[:-1] + "c.tmp", 2 * HOUR).name)
        os.chown(place / "out" / (NAME[:-1] + "c.tmp"), 65534, 65534)
    code, _, _ = endings.run(place, VERBS["apply"], endings.environment())
    assert code == 0
    left = {name.name for name in (place / "out").iterdir()} - {"released.csv", "trace.csv"}
    assert left == stays | {folder.name, link.name}
    assert (endings.folder / "table.csv").exists()


def test_what_is_written_for_long_is_no_leftover(endings):
    """Another run, an hour later, while the first still writes."""
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS["mask"], False, "write", 2, 1500)
    written = {name for name in contents(place) if name.startswith(".semveil-")}
    assert written
    assert left_after_a_run(endings, place, nameless=False, later=10 * HOUR) == written
    running.communicate(timeout=60)
    assert running.returncode == 0
    assert contents(place).keys() == {"released.csv", "trace.csv", "rows.csv", "report.html"}


def test_what_a_kill_leaves_goes_an_hour_later(endings):
    place = endings.run_folder("mask", old=False)
    running = held(endings, place, VERBS["mask"], False, "write", 3, 5000)
    running.kill()
    running.communicate()
    killed = contents(place).keys()
    assert killed and all(name.startswith(".semveil-") for name in killed)
    assert left_after_a_run(endings, place) == set(killed)
    assert left_after_a_run(endings, place, later=2 * HOUR) == set()


def test_what_was_replaced_is_removed_only_where_it_has_its_own_name(endings):
    place = endings.run_folder("mask", old=False)
    (place / "out" / "key").write_text("a key")
    os.link(place / "out" / "key", place / "out" / (NAME + ".old"))
    last = leftover(place, NAME[:-1] + "8.old", 2 * HOUR).name
    # A backup made of links is another folder's.
    copied = leftover(place, NAME[:-1] + "9.old", 2 * HOUR).name
    (place / "backup").mkdir()
    os.link(place / "out" / copied, place / "backup" / "key")
    assert left_after_a_run(endings, place) == {"key", NAME + ".old", last, copied}  # it is young
    assert left_after_a_run(endings, place, later=2 * HOUR) == {"key", last, copied}


# ---- Memory -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options, allowed", [([], False), (["--debug-core"], True)])
def test_core_dumps(endings, options, allowed):
    place = endings.run_folder("mask", old=False)
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if limit == 0:
        pytest.skip("core dumps are forbidden here: nothing can be seen of it")
    log = place / "calls.log"
    env = endings.environment(call="write", at=1, delay=1500, log=log)
    # With another group one sees whose the files of the process are: root's where nobody may look.
    group = {"group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    running = endings.start(place, [*options, *VERBS["mask"]], env, **group,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit)))
    for _ in range(1000):
        if log.exists() and "write " in log.read_text():
            break
        time.sleep(0.005)
    limits = open(f"/proc/{running.pid}/limits").read()
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    owner = os.stat(f"/proc/{running.pid}/maps")
    running.kill()
    running.communicate()
    words = core.split()
    assert (words[4] == "0") == (not allowed), core
    mine = owner.st_gid == 65534 if group else owner.st_uid == os.geteuid()
    assert mine == allowed
