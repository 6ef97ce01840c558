"""Ctrl-C and SIGTERM: work stops soon, with an exit code of its own, and nothing is left behind."""

import os
import signal
import subprocess
import time

import pytest

from cancelling import MEDIAN, METHODS, WORST, Stopping
from conftest import PROGRAM

# The thread sanitizer makes everything many times slower.
PATIENCE = 10 if "TSAN_OPTIONS" in os.environ else 1


@pytest.fixture(scope="module")
def stopping(tmp_path_factory):
    return Stopping(tmp_path_factory.mktemp("stopping"), PROGRAM, records=2500, concepts=1000)


@pytest.mark.parametrize("verb", ["fit", "apply", "audit", "compare"])
def test_thirty_stops_at_random_moments(stopping, verb):
    stopping.late.clear()
    stopping.stop_often(verb, list(METHODS), 30)
    median, worst = stopping.figures()
    assert median <= MEDIAN * PATIENCE, median
    assert worst[0] <= WORST * PATIENCE, worst


def ended_soon(running, number=signal.SIGINT):
    """The exit code after a signal to a command that waits, and what it said."""
    time.sleep(0.3 * PATIENCE)
    assert running.poll() is None, "it did not wait"
    began = time.monotonic()
    running.send_signal(number)
    running.wait(20)  # before its input is closed, which would end it, too
    assert time.monotonic() - began <= WORST * PATIENCE
    return running.returncode, running.communicate()[1].decode()


WAITING = {
    "a pipe": ["mask", "-", "--plan", "noise.toml", "-o", "new.csv"],
    "a stream": ["apply", "-", "--model", "noise.model", "--release", "r", "-o", "new.csv"],
    "a pipe with a name": ["mask", "fifo", "--plan", "noise.toml", "-o", "new.csv"],
    "somebody who reads": ["mask", "table.csv", "--plan", "noise.toml", "-o", "fifo"],
    "an ontology from a pipe": ["ontology", "info", "edges:fifo"],
    "pairs from a pipe": ["map", "-", "--column", "first", "--ontology", "edges:ontology.csv"],
}


@pytest.mark.parametrize("what", WAITING)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_waiting_for_a_pipe_is_stopped(stopping, what, number):
    stopping.prepare("noise")
    if not (stopping.folder / "fifo").exists():
        os.mkfifo(stopping.folder / "fifo")
    before = stopping.files()
    running = stopping.start(WAITING[what], stdin=subprocess.PIPE)
    assert ended_soon(running, number) == (128 + number, "semveil: stopped before the work was done\n")
    assert stopping.files() == before


def test_a_named_pipe_is_still_read_and_written(stopping):
    """That a wait can be stopped changes nothing for whoever is not stopped."""
    if not (stopping.folder / "fifo").exists():
        os.mkfifo(stopping.folder / "fifo")
    arguments = ["--plan", "noise.toml", "--seed", "s", "--quiet"]
    stopping.run(["mask", "table.csv", *arguments, "-o", "by_name.csv"])
    reading = stopping.start(["mask", "fifo", *arguments, "-o", "by_pipe.csv"])
    time.sleep(0.1)
    with open(stopping.folder / "fifo", "wb") as fifo:
        fifo.write((stopping.folder / "table.csv").read_bytes())
    assert reading.wait(20) == 0
    writing = stopping.start(["mask", "table.csv", *arguments, "-o", "fifo"])
    time.sleep(0.1)
    released = (stopping.folder / "fifo").read_bytes()
    assert writing.wait(20) == 0
    expected = (stopping.folder / "by_name.csv").read_bytes()
    assert released == expected
    assert (stopping.folder / "by_pipe.csv").read_bytes() == expected
    for name in ["by_name.csv", "by_pipe.csv"]:
        (stopping.folder / name).unlink()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_reader_that_does_not_read_is_not_waited_for(stopping, ending):
    table = "large.csv"  # far more than a pipe holds
    header, *records = (stopping.folder / "table.csv").read_text().splitlines()
    many = [f"{record}.{i}" for i in range(40) for record in records]
    (stopping.folder / table).write_text("\n".join([header, *many]) + "\n")
    if ending == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        csv = pytest.importorskip("pyarrow.csv")
        parquet.write_table(csv.read_csv(stopping.folder / table), stopping.folder / "large.parquet")
        table = "large.parquet"
    running = stopping.start(["mask", table, "--plan", "noise.toml", "-o", "-", "--quiet"],
                             stdout=subprocess.PIPE)
    time.sleep(2 * PATIENCE)  # until the pipe is full
    assert running.poll() is None
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 130
    assert time.monotonic() - began <= WORST * PATIENCE
    running.stdout.close()
    running.stderr.close()


def test_what_a_stream_has_flushed_stays(stopping):
    stopping.prepare("noise")
    lines = (stopping.folder / "table.csv").read_text().splitlines()
    running = stopping.start(["apply", "-", "--model", "noise.model", "--release", "r", "--quiet"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    running.stdin.write(f"{lines[0]}\n{lines[1]}\n".encode())
    running.stdin.flush()
    answered = running.stdout.readline() + running.stdout.readline()
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 130  # before its input is closed, which would end it, too
    assert running.communicate()[0] == b""
    assert answered.decode().startswith(lines[0])
    assert answered.endswith(b"note 0\n")


def test_a_second_signal_ends_at_once(stopping):
    """Here the first cannot: the program is held."""
    running = stopping.start(["mask", "-", "--plan", "noise.toml", "-o", "new.csv"],
                             stdin=subprocess.PIPE)
    time.sleep(0.3 * PATIENCE)
    running.send_signal(signal.SIGSTOP)
    running.send_signal(signal.SIGINT)
    running.send_signal(signal.SIGTERM)
    running.send_signal(signal.SIGCONT)
    assert running.wait(20) in (130, 143)
    running.stdin.close()
    running.stderr.close()
    assert not (stopping.folder / "new.csv").exists()


def test_a_signal_that_is_ignored_stays_so(stopping):
    """As a shell does for what it runs in the background."""
    running = subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", PROGRAM, "mask", "-", "--plan", "noise.toml",
         "-o", "ignored.csv", "--quiet"],
        cwd=stopping.folder, env=stopping.env, stdin=subprocess.PIPE)
    time.sleep(0.3 * PATIENCE)
    running.send_signal(signal.SIGINT)
    running.communicate((stopping.folder / "table.csv").read_bytes(), timeout=60)
    assert running.returncode == 0
    (stopping.folder / "ignored.csv").unlink()
