"""Tables of every form in and out, pipes, and a stream that is answered line by line."""

import gzip
import os
import select
import subprocess
import threading

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from clinic import IDS, PLAN, as_csv, files, mask, parsed, prepare, rows
from conftest import PROGRAM

TEXT = as_csv(rows(200))


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


def unpack_zstd(content):
    return pa.input_stream(pa.BufferReader(content), compression="zstd").read()


def pack_zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(content)
    return sink.getvalue().to_pybytes()


def arrow_table():
    return pa.table({name: pa.array(values) for name, values in parsed(TEXT).items()})


def write_table(path):
    name = path.name
    if name.endswith(".parquet"):
        pyarrow.parquet.write_table(arrow_table(), path)
    elif name.endswith((".arrow", ".feather")):
        pyarrow.feather.write_feather(arrow_table(), path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(TEXT.encode()))
    elif name.endswith(".zst"):
        path.write_bytes(pack_zstd(TEXT.encode()))
    else:
        path.write_text(TEXT.replace(",", "\t") if ".tsv" in name else TEXT)


def read_columns(path):
    name = path.name
    if name.endswith(".parquet"):
        return pyarrow.parquet.read_table(path).to_pydict()
    if name.endswith((".arrow", ".feather")):
        return pyarrow.feather.read_table(path).to_pydict()
    content = path.read_bytes()
    if name.endswith(".gz"):
        content = gzip.decompress(content)
    if name.endswith(".zst"):
        content = unpack_zstd(content)
    text = content.decode()
    return parsed(text.replace("\t", ",") if ".tsv" in name else text)


FORMS = ["t.csv", "t.csv.gz", "t.csv.zst", "t.tsv", "t.parquet", "t.arrow", "t.feather"]


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_any_form_is_masked_alike_and_keeps_its_form(clinic, form):
    expected = parsed(mask(clinic, "--seed", "s"))
    write_table(clinic.folder / form)
    out = "out" + form[1:]
    clinic.ok("mask", form, "--plan", "plan.toml", "-o", out, "--seed", "s", "--quiet")
    assert read_columns(clinic.folder / out) == expected


@pytest.mark.parametrize("into", FORMS)
@pytest.mark.parametrize("form", ["t.csv", "t.parquet"])
def test_the_ending_of_the_output_tells_its_form(clinic, form, into):
    expected = parsed(mask(clinic, "--seed", "s"))
    write_table(clinic.folder / form)
    clinic.ok("mask", form, "--plan", "plan.toml", "-o", "out" + into[1:], "--seed", "s", "--quiet")
    assert read_columns(clinic.folder / ("out" + into[1:])) == expected


def test_types_of_other_columns_survive_in_parquet(clinic):
    table = pa.table({"diagnosis": ["Flu", "Cold", None] * 20, "n": pa.array(range(60), pa.int16()),
                      "x": [0.1, None, 2.5] * 20, "t": pa.array([0] * 60, pa.timestamp("ms"))})
    pyarrow.parquet.write_table(table, clinic.folder / "t.parquet")
    clinic.ok("mask", "t.parquet", "--plan", "plan.toml", "-o", "out.parquet", "--quiet")
    out = pyarrow.parquet.read_table(clinic.folder / "out.parquet")
    assert out.drop_columns("diagnosis").equals(table.drop_columns("diagnosis"))
    assert out["diagnosis"].to_pylist()[2::3] == [None] * 20
    assert set(out["diagnosis"].to_pylist()) - {None} <= set(IDS)


# ---- mask from and to pipes ---------------------------------------------------------------------

def test_standard_input_is_masked_as_the_file_is(clinic):
    expected = mask(clinic, "--seed", "s")
    for name, content in (("out.csv", TEXT.encode()), ("out.csv", gzip.compress(TEXT.encode()))):
        clinic.ok("mask", "-", "--plan", "plan.toml", "-o", name, "--seed", "s", "--quiet", stdin=content)
        got = (clinic.folder / name).read_bytes()
        assert (gzip.decompress(got) if got.startswith(b"\x1f\x8b") else got).decode() == expected


def test_with_a_dash_the_table_is_on_standard_output_and_the_summary_on_standard_error(clinic):
    expected = mask(clinic, "--seed", "s")
    before = files(clinic)
    done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "-", "--seed", "s")
    assert (done.returncode, done.stdout) == (0, expected)
    assert "masked by noise" in done.stderr and "standard output" in done.stderr
    quiet = clinic.run("mask", "-", "--plan", "plan.toml", "-o", "-", "--seed", "s", "--quiet", stdin=TEXT)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, expected, "")
    assert files(clinic) == before


def test_json_and_a_dash_both_want_standard_output(clinic):
    message = clinic.fails(2, "mask", "table.csv", "--plan", "plan.toml", "-o", "-", "--json")
    assert "--json" in message and "-o -" in message


def test_bad_input_from_a_pipe_writes_nothing(clinic):
    bad = TEXT + "too,short\n"
    message = clinic.fails(1, "mask", "-", "--plan", "plan.toml", "-o", "-", stdin=bad)
    assert "standard input:202:" in message
    clinic.fails(1, "mask", "-", "--plan", "plan.toml", "-o", "out.csv", stdin=bad)
    assert "out.csv" not in files(clinic)


def test_the_spool_may_lie_elsewhere_and_leaves_nothing(clinic):
    (clinic.folder / "spool").mkdir()
    clinic.ok("mask", "-", "--plan", "plan.toml", "-o", "out.csv", "--quiet", "--temp-dir", "spool",
              stdin=TEXT)
    assert os.listdir(clinic.folder / "spool") == []
    message = clinic.fails(4, "mask", "-", "--plan", "plan.toml", "-o", "new.csv", "--temp-dir", "none",
                           stdin=TEXT)
    assert "none" in message and "new.csv" not in files(clinic)


def test_a_pipe_and_a_device_are_written_to(clinic):
    expected = mask(clinic, "--seed", "s")
    pipe = clinic.folder / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "pipe", "--seed", "s", "--quiet")
    reader.join(timeout=10)
    assert got == [expected]
    clinic.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "/dev/null", "--quiet")


def test_a_full_disk_is_exit_4(clinic):
    message = clinic.fails(4, "mask", "table.csv", "--plan", "plan.toml", "-o", "/dev/full")
    assert "/dev/full" in message
    with open("/dev/full", "wb") as full:
        done = clinic.run("mask", "table.csv", "--plan", "plan.toml", "-o", "-", "--quiet", stdout=full)
    assert done.returncode == 4


# ---- Progress -----------------------------------------------------------------------------------

def on_a_terminal(program, *args):
    """What a run writes to standard error where that is a terminal."""
    ours, theirs = os.openpty()
    done = subprocess.run([PROGRAM, *args], cwd=program.folder, env=program.env, stderr=theirs,
                          stdout=subprocess.DEVNULL, timeout=60)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # the other side is closed and everything was read
        pass
    os.close(ours)
    assert done.returncode == 0
    return said.decode()


def test_progress_is_one_line_on_a_terminal_and_cleared_at_the_end(clinic):
    arguments = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]
    said = on_a_terminal(clinic, *arguments)
    assert "\rreading  100 %" in said and "\rmasking  100 %" in said and " MB" in said
    assert said.endswith("\r\x1b[K") and "\n" not in said
    assert on_a_terminal(clinic, *arguments, "--no-progress") == ""
    assert on_a_terminal(clinic, *arguments, "--quiet") == ""


# ---- apply, line by line ------------------------------------------------------------------------

class Conversation:
    """A running `apply -`; each line written is answered before the next one is."""

    def __init__(self, program, *more):
        self.process = subprocess.Popen(
            [PROGRAM, "apply", "-", "--model", "m.model", "--release", "r", "--quiet", *more],
            cwd=program.folder, env=program.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0)
        self.pending = b""

    def write(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def answer(self, seconds=20):
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            assert ready, "no answer"
            more = self.process.stdout.read(4096)
            assert more, "the program ended"
            self.pending += more
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode()

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        said = self.process.stderr.read().decode()
        return self.process.wait(timeout=20), self.pending + rest, said


@pytest.fixture
def fitted(clinic):
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    return clinic


def test_a_stream_is_answered_line_by_line(fitted):
    fitted.ok("apply", "table.csv", "--model", "m.model", "--release", "r", "-o", "whole.csv", "--quiet")
    expected = fitted.read("whole.csv").splitlines()
    lines = TEXT.splitlines()
    for threads in ("1", "3"):
        talk = Conversation(fitted, "--threads", threads, "--again")
        talk.write(lines[0])
        talk.write(lines[1])
        assert [talk.answer(), talk.answer()] == expected[:2]
        for line, answer in zip(lines[2:40], expected[2:40]):
            talk.write(line)
            assert talk.answer() == answer
        assert talk.end() == (0, b"", "")


def test_a_stream_stops_at_the_first_bad_line_and_what_was_written_stays(fitted):
    lines = TEXT.splitlines()
    talk = Conversation(fitted)
    talk.write(lines[0])
    talk.write(lines[1])
    assert talk.answer() == lines[0] and talk.answer()
    talk.write("too,short")
    code, rest, said = talk.end()
    assert (code, rest) == (1, b"") and "standard input:3:" in said


@pytest.mark.parametrize("bad", ["too,short", "1,2,3,4,5,6,7,8,9,10", 'stray"quote,x'])
def test_nothing_behind_a_bad_line_comes_out_unmasked(fitted, bad):
    lines = TEXT.splitlines()
    text = "\n".join([*lines[:3], bad, *lines[3:]]) + "\n"
    fitted.write("bad.csv", text)
    apply = ("apply", "--model", "m.model", "--release", "r", "--quiet", "-o")
    fitted.ok(*apply, "whole.csv", "table.csv")
    good = fitted.read("whole.csv").splitlines()[:3]
    done = fitted.run(*apply, "-", "-", "--again", stdin=text)
    assert done.returncode == 1 and ":4:" in done.stderr
    assert done.stdout.splitlines() == good
    whole = fitted.run(*apply, "-", "bad.csv", "--again")  # is read as a whole before anything leaves
    assert whole.returncode == 1 and ":4:" in whole.stderr and whole.stdout == ""


def test_a_stream_of_a_header_alone_is_one(fitted):
    done = fitted.run("apply", "-", "--model", "m.model", "--release", "r", "--quiet",
                      stdin=TEXT.splitlines()[0] + "\n")
    assert (done.returncode, done.stdout) == (0, TEXT.splitlines()[0] + "\n")


def test_the_summary_of_a_stream_comes_at_its_end_on_standard_error(fitted):
    done = fitted.run("apply", "-", "--model", "m.model", "--release", "r", stdin=TEXT)
    assert done.returncode == 0 and done.stdout.splitlines()[0] == TEXT.splitlines()[0]
    assert len(done.stdout.splitlines()) == 201 and "standard input: masked by noise" in done.stderr


def test_a_stream_may_go_to_a_file(fitted):
    fitted.ok("apply", "-", "--model", "m.model", "--release", "r", "-o", "out.csv", stdin=TEXT)
    fitted.ok("apply", "table.csv", "--model", "m.model", "--release", "r", "-o", "same.csv", "--quiet")
    assert fitted.read("out.csv") == fitted.read("same.csv")


def test_a_stream_cannot_be_shuffled(clinic):
    clinic.write("plan.toml", "shuffle = true\n" + PLAN)
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    message = clinic.fails(2, "apply", "-", "--model", "m.model", "--release", "r", stdin=TEXT)
    assert "shuffle" in message
