"""Work is stopped, told of and done twice at once; forks and ends of the interpreter do it no harm."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pandas
import pyarrow
import pytest

import semveil as sv
from clinic import LEAVES
from test_frames import PLAN


@pytest.fixture(autouse=True)
def in_folder(folder):
    return folder


@pytest.fixture(scope="module")
def long_table():
    """Masking it takes seconds: enough tuples that an audit compares them all."""
    rows = 3_000_000
    cells = pyarrow.array([LEAVES[i * i % len(LEAVES)] for i in range(997)])
    repeated = pyarrow.concat_arrays([cells] * (rows // 997))
    return pyarrow.table({"diagnosis": repeated, "row": pyarrow.array(range(len(repeated)))})


def mask_until_stopped(table):
    while True:
        sv.mask(table, PLAN)


def test_ctrl_c_stops_what_would_never_end(long_table):
    thread = threading.Thread(target=lambda: (time.sleep(0.3), os.kill(os.getpid(), signal.SIGINT)))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        mask_until_stopped(long_table)
    thread.join()


def test_progress_comes_from_the_callers_thread(long_table):
    told = []
    sv.mask(long_table, PLAN, progress=lambda what, done, whole: told.append((threading.get_ident(), what, done)))
    assert told
    assert {ident for ident, _, _ in told} == {threading.get_ident()}


def test_what_a_callback_raises_comes_back(long_table):
    class Enough(Exception):
        pass

    def tell(what, done, whole):
        raise Enough

    with pytest.raises(Enough):
        sv.mask(long_table, PLAN, progress=tell)


def test_two_threads_mask_at_once_and_alike():
    frame = pandas.DataFrame({"diagnosis": [LEAVES[i * i % len(LEAVES)] for i in range(20_000)]})
    expected = sv.mask(frame, PLAN, seed="s").table
    found = [None] * 4

    def work(i):
        found[i] = sv.mask(frame, PLAN, seed="s").table

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in found:
        pandas.testing.assert_frame_equal(one, expected)


def test_other_threads_run_meanwhile(long_table):
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sv.mask(long_table, PLAN)
    done.set()
    thread.join()
    assert counted > 10


def in_child(queue, frame):
    queue.put(sv.mask(frame, PLAN, seed="s").table["diagnosis"].tolist())


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_children_mask_as_their_parent(way):
    frame = pandas.DataFrame({"diagnosis": [LEAVES[i * i % len(LEAVES)] for i in range(200)]})
    expected = sv.mask(frame, PLAN, seed="s").table["diagnosis"].tolist()
    context = multiprocessing.get_context(way)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue, frame))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0


ENDING = """
import sys, threading, time
import pyarrow
import semveil as sv

table = pyarrow.table({"diagnosis": ["Flu", "Cold", "Burn"] * 2_000_000})
plan = {"ontology": {"disease": "edges:disease.csv"},
        "column": {"diagnosis": {"role": "quasi-identifier", "ontology": "disease", "root": "D"}},
        "mask": {"method": "noise", "alpha": 0.5}}

def work():
    while True:
        sv.mask(table, plan)

thread = threading.Thread(target=work, daemon=True)
thread.start()
time.sleep(0.5)
print("ends")
sys.exit(7)
"""


def test_the_interpreter_ends_while_a_thread_masks(folder):
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(sv.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", ENDING], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=60)
    assert (done.stdout, done.stderr) == ("ends\n", "")
    assert done.returncode == 7
