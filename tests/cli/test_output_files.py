"""Files appear whole or not at all, and what stood there before survives a failure."""

import os
import shutil
import stat
import threading

import pytest

MAP = ["map", "table.csv", "--column", "hobby", "--ontology", "edges:hobbies.csv", "-o"]
SNAPSHOT = ["ontology", "snapshot", "edges:hobbies.csv", "-o"]
both = pytest.mark.parametrize("verb", [MAP, SNAPSHOT], ids=["map", "snapshot"])


@pytest.fixture
def survey(semveil):
    semveil.write("table.csv", "hobby\nski\n")
    return semveil


def spoil(program):
    program.write("table.csv", "hobby\nski\nrun,too much\n")
    program.write("hobbies.csv", "child,parent\nski,ski\n")


@both
def test_a_failure_leaves_no_file(survey, verb):
    spoil(survey)
    survey.fails(1, *verb, "out")
    assert not (survey.folder / "out").exists()


@both
def test_a_failure_leaves_the_file_that_was_there(survey, verb):
    spoil(survey)
    survey.write("out", "precious")
    before = os.stat(survey.folder / "out")
    survey.fails(1, *verb, "out")
    after = os.stat(survey.folder / "out")
    assert survey.read("out") == "precious"
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@both
def test_success_replaces_the_file_that_was_there(survey, verb):
    survey.ok(*verb, "fresh", "--quiet")
    survey.write("out", "old " * 10000)
    survey.ok(*verb, "out", "--quiet")
    assert (survey.folder / "out").read_bytes() == (survey.folder / "fresh").read_bytes()


@both
def test_a_missing_folder_is_exit_4(survey, verb):
    for more in ([], ["--json"], ["--quiet"]):
        message = survey.fails(4, *verb, "none/out", *more)
        assert message == "semveil: none/out: the folder to write to does not exist: make it first\n"
    assert not (survey.folder / "none").exists()


@both
def test_a_folder_is_no_output_file(survey, verb):
    (survey.folder / "out").mkdir()
    assert "out: this is a folder" in survey.fails(4, *verb, "out")


@both
def test_a_folder_without_permission_is_exit_4(survey, verb):
    before = ()
    if os.geteuid() == 0:  # root without its privileges
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and there is no setpriv to forbid it")
        before = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    folder = survey.folder / "closed"
    folder.mkdir()
    (folder / "out").write_text("precious")
    folder.chmod(0o555)
    for name in ("closed/out", "closed/new"):
        message = survey.fails(4, *verb, name, before=before)
        assert message.startswith(f"semveil: {name}: no permission to write here")
    folder.chmod(0o755)
    assert (folder / "out").read_text() == "precious" and os.listdir(folder) == ["out"]


@both
def test_a_link_stays_a_link(survey, verb):
    (survey.folder / "deep").mkdir()
    survey.write("deep/real", "old")
    (survey.folder / "link").symlink_to("deep/real")
    survey.ok(*verb, "link", "--quiet")
    assert (survey.folder / "link").is_symlink()
    assert (survey.folder / "deep/real").read_bytes() != b"old"


@both
def test_a_pipe_is_written_to_and_stays(survey, verb):
    survey.ok(*verb, "plain", "--quiet")
    pipe = survey.folder / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    survey.ok(*verb, "pipe", "--quiet")
    reader.join(timeout=10)
    assert got == [(survey.folder / "plain").read_bytes()]
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)


def test_a_private_file_stays_private(survey):
    survey.write("out", "old")
    (survey.folder / "out").chmod(0o600)
    survey.ok(*MAP, "out", "--quiet")
    assert stat.S_IMODE(os.stat(survey.folder / "out").st_mode) == 0o600


def test_a_full_disk_behind_a_dash_is_exit_4(survey):
    with open("/dev/full", "wb") as full:
        done = survey.run(*MAP, "-", "--quiet", stdout=full)
    assert done.returncode == 4 and "cannot be written" in done.stderr


def test_a_snapshot_does_not_go_to_standard_output(survey):
    message = survey.fails(2, *SNAPSHOT, "-")
    assert "name a file" in message and not (survey.folder / "-").exists()
