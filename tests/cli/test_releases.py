"""What `apply` records beside a model, and what it refuses because of that."""

import json
import os
import re
import resource
import select
import shutil
import signal
import stat
import subprocess

import pytest

from clinic import PLAN, SECOND, as_csv, files, prepare, rows
from conftest import PROGRAM

SEED = "correct horse battery"
RECORD = "m.model.releases"
ROWS = rows(300)
TABLE, LATER = as_csv(ROWS[:200]), as_csv(ROWS[100:300])  # of as many rows


@pytest.fixture
def clinic(semveil):
    return prepare(semveil)


@pytest.fixture
def fitted(clinic):
    clinic.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", SEED, "--quiet")
    clinic.write("later.csv", LATER)
    return clinic


def refit(program, plan):
    program.write("plan.toml", plan)
    program.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", SEED, "--quiet")


def arguments(table="table.csv", *more, out="out.csv"):
    return ["apply", table, "--model", "m.model", "-o", out, *more]


def apply(program, *args, **how):
    program.ok(*arguments(*args, **how), "--quiet")
    return program.read(how.get("out", "out.csv"))


def lines(program, record=RECORD):
    path = program.folder / record
    return path.read_text().splitlines()[1:] if path.exists() else []


def recorded(program):
    """First row, row behind the last, whether the table is known, name."""
    out = []
    for line in lines(program):
        _, _, first, end, table, _, name = line.split(" ")
        out.append((int(first), int(end), table != "-", name))
    return out


def refused(program, *args, stdin=""):
    before = files(program), lines(program)
    message = program.fails(3, *arguments(*args, out="refused.csv"), stdin=stdin)
    assert (files(program), lines(program)) == before
    return message


# ---- Which releases ------------------------------------------------------------------------------

def test_another_table_under_the_same_name_is_refused(fitted):
    apply(fitted, "table.csv", "--release", "2026")
    assert recorded(fitted) == [(0, 200, True, "2026")]
    message = refused(fitted, "later.csv", "--release", "2026")
    assert message.startswith(f"semveil: {RECORD}: the release '2026' of this model has the rows 0 to 199")
    assert "a new release name (--release)" in message and "released again (--again)" in message
    assert "the number of the first row (--first-row): 200" in message
    apply(fitted, "later.csv", "--release", "2027")
    assert recorded(fitted)[1:] == [(0, 200, True, "2027")]


def test_the_same_table_gets_the_same_bytes_and_no_second_line(fitted):
    first = apply(fitted, "table.csv", "--release", "2026")
    before = lines(fitted)
    assert apply(fitted, "table.csv", "--release", "2026") == first
    # Its format and the columns that are not masked do not matter.
    fitted.write("wide.tsv", TABLE.replace(",", "\t").replace("city", "town"))
    apply(fitted, "wide.tsv", "--release", "2026", out="wide.out.tsv")
    assert lines(fitted) == before and len(before) == 1


@pytest.mark.parametrize("change", ["a cell", "two rows change places", "one row more"])
def test_a_table_that_differs_a_little_is_another(fitted, change):
    apply(fitted, "table.csv", "--release", "r")
    records = [list(record) for record in ROWS[:200]]
    if change == "a cell":
        records[7][1] = "Gout" if records[7][1] != "Gout" else "Flu"
    elif change == "one row more":
        records = ROWS[:201]
    else:
        other = next(i for i in range(200) if records[i][1] != records[0][1])
        records[0], records[other] = records[other], records[0]
    fitted.write("changed.csv", as_csv(records))
    refused(fitted, "changed.csv", "--release", "r")


def test_the_fitted_table_needs_no_name_and_is_recorded(fitted):
    apply(fitted)
    apply(fitted)
    assert recorded(fitted) == [(0, 200, True, "")]


def test_again_lets_rows_through_and_records_them(fitted):
    whole = apply(fitted, "table.csv", "--release", "r")
    fitted.write("part.csv", as_csv(ROWS[50:60]))
    refused(fitted, "part.csv", "--release", "r", "--first-row", "50")
    part = apply(fitted, "part.csv", "--release", "r", "--first-row", "50", "--again")
    assert part.splitlines()[1:] == whole.splitlines()[51:61]
    assert recorded(fitted) == [(0, 200, True, "r"), (50, 60, True, "r")]
    apply(fitted, "part.csv", "--release", "r", "--first-row", "50")  # known now
    apply(fitted, "table.csv", "--release", "r")
    assert len(lines(fitted)) == 2


def test_a_table_that_goes_on_is_not_refused(fitted):
    whole = apply(fitted, "table.csv", "--release", "whole")
    parts = []
    for first, end in [(77, 200), (0, 77)]:
        fitted.write("part.csv", as_csv(ROWS[first:end]))
        parts.insert(0, apply(fitted, "part.csv", "--release", "r", "--first-row", str(first)))
    assert recorded(fitted)[1:] == [(77, 200, True, "r"), (0, 77, True, "r")]
    assert len({apply(fitted, "table.csv", "--release", "whole"), whole}) == 1
    refused(fitted, "part.csv", "--release", "r", "--first-row", "199")
    apply(fitted, "part.csv", "--release", "r", "--first-row", "200")


def test_a_table_without_records_has_no_rows(fitted):
    fitted.write("none.csv", as_csv([]))
    apply(fitted, "none.csv", "--release", "r")
    assert lines(fitted) == []
    apply(fitted, "table.csv", "--release", "r")


def test_a_model_that_was_fitted_anew_shares_nothing_with_the_old_one(fitted):
    apply(fitted, "table.csv", "--release", "r")
    fitted.ok("fit", "later.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", SEED, "--quiet")
    apply(fitted, "later.csv", "--release", "r")
    fitted.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", SEED, "--quiet")
    refused(fitted, "later.csv", "--release", "r")
    fitted.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")  # another key
    apply(fitted, "later.csv", "--release", "r")


@pytest.mark.parametrize("link", ["symbolic", "folder"])
def test_a_model_has_one_record_however_it_is_called(fitted, link):
    other = fitted.folder / "other"
    if link == "folder":
        other.symlink_to(".")
        name = "other/m.model"
    else:
        other.mkdir()
        (other / "x").symlink_to("../m.model")
        name = "other/x"
    apply(fitted, "table.csv", "--release", "r")
    message = fitted.fails(3, "apply", "later.csv", "--model", name, "-o", "o.csv", "--release", "r")
    assert RECORD in message


# ---- Which methods -------------------------------------------------------------------------------

def with_method(method):
    return PLAN.replace('method = "noise"\nalpha = 0.5', method)


SETS = with_method('method = "an"\nl = 3').replace('"quasi-identifier"', '"sensitive"')
SHARED = {
    "naive": with_method('method = "naive"'),
    "probabilistic": with_method('method = "probabilistic"'),
    "an": SETS,
    "two columns, one by person": PLAN.split("[mask]")[0] + SECOND + """
[[mask]]
columns = ["diagnosis"]
method = "noise"
alpha = 0.5
[[mask]]
columns = ["second"]
method = "noise"
alpha = 0.5
draw_by = "patient"
""",
}
AGREE = {
    "draw_by": PLAN.replace("alpha", 'draw_by = "patient"\nalpha'),
    "fuse": with_method('method = "fuse"\nk = 3'),
    "generalize": with_method('method = "generalize"\nk = 3'),
}


@pytest.mark.parametrize("plan", SHARED)
def test_whatever_is_drawn_by_row_is_recorded(fitted, plan):
    refit(fitted, SHARED[plan])
    apply(fitted, "later.csv", "--release", "r")
    refused(fitted, "table.csv", "--release", "r")


@pytest.mark.parametrize("plan", AGREE)
def test_what_agrees_on_purpose_or_is_not_drawn_is_not_recorded(fitted, plan):
    refit(fitted, AGREE[plan])
    recheck = [] if plan == "draw_by" else ["--recheck"]
    for table in ("table.csv", "later.csv"):
        done = fitted.run(*arguments(table, *recheck, "--release", "r", "--json"))
        if done.returncode == 0:
            assert "recorded" not in json.loads(done.stdout)
            assert "release-not-recorded" not in done.stdout
        else:  # classes of another table may not be had
            assert table == "later.csv" and RECORD not in done.stderr
    assert not (fitted.folder / RECORD).exists()


def test_values_are_dealt_out_to_one_table_of_a_name(fitted):
    """A table of the same frequencies may be another one: what swapped would be the same."""
    refit(fitted, with_method('method = "swap"\nalgorithm = "fixed"\nk = 4'))
    apply(fitted, "table.csv", "--release", "r")
    fitted.write("turned.csv", as_csv(ROWS[:200][::-1]))
    message = refused(fitted, "turned.csv", "--release", "r")
    assert "--first-row" not in message, "a swap has no parts"
    apply(fitted, "turned.csv", "--release", "q")


def test_shuffled_rows_of_two_tables_do_not_come_in_the_same_order(fitted):
    """Although nothing else is drawn: row by row they would be joined."""
    refit(fitted, "shuffle = true\n" + AGREE["generalize"])
    fitted.write("turned.csv", as_csv(ROWS[:200][::-1]))
    apply(fitted, "table.csv")
    apply(fitted, "table.csv")
    assert recorded(fitted) == [(0, 200, True, "")]
    assert "the release without a name" in refused(fitted, "turned.csv")
    apply(fitted, "turned.csv", "--release", "q")


def test_pseudonyms_of_a_release_are_of_one_table(fitted):
    refit(fitted, 'allow_linked_rows = true\n[column.patient]\nrole = "pseudonym"\n')
    apply(fitted, "table.csv", "--release", "r")
    fitted.write("others.csv", TABLE.replace("p1,", "q1,"))
    refused(fitted, "others.csv", "--release", "r")


def test_mask_records_nothing(fitted):
    for seed in ([], ["--seed", "s"]):
        fitted.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "masked.csv", *seed)
    assert not [name for name in files(fitted) if "releases" in name]


# ---- Streams, pipes, standard output -------------------------------------------------------------

def stream(program, text, *more, code=0):
    done = program.run("apply", "-", "--model", "m.model", "--quiet", *more, stdin=text)
    assert done.returncode == code, done.stderr
    return done


def test_a_stream_that_goes_on_is_not_refused(fitted):
    shutil.copy(fitted.folder / "m.model", fitted.folder / "copy.model")  # it has no record
    fitted.ok("apply", "table.csv", "--model", "copy.model", "-o", "whole.csv", "--release", "r", "--quiet")
    whole = fitted.read("whole.csv")
    first = stream(fitted, as_csv(ROWS[:77]), "--release", "r").stdout
    second = stream(fitted, as_csv(ROWS[77:200]), "--release", "r", "--first-row", "77").stdout
    assert first + second.split("\n", 1)[1] == whole
    assert recorded(fitted)[-1] == (77, 200, True, "r")


def test_a_stream_whose_first_row_had_the_name_says_nothing(fitted):
    stream(fitted, TABLE, "--release", "r")
    before = lines(fitted)
    for text in (TABLE, LATER):  # nobody knows yet that it is the same
        done = stream(fitted, text, "--release", "r", code=3)
        assert done.stdout == "" and "'r'" in done.stderr and "--again" in done.stderr
    assert lines(fitted) == before
    assert stream(fitted, TABLE, "--release", "r", "--again").stdout
    # What a stream had is known at its end: as a file it is the same table.
    apply(fitted, "table.csv", "--release", "r")
    refused(fitted, "later.csv", "--release", "r")


def test_a_stream_stops_before_rows_that_others_have(fitted):
    fitted.write("part.csv", as_csv(ROWS[150:200]))
    apply(fitted, "part.csv", "--release", "r", "--first-row", "150")
    done = stream(fitted, TABLE, "--release", "r", "--batch-rows", "10", code=3)
    assert len(done.stdout.splitlines()) == 151 and "rows 150 to 199" in done.stderr
    assert (0, 150, False, "r") == recorded(fitted)[-1]


class Running:
    """A stream that is fed line by line."""

    def __init__(self, program, *more):
        self.process = subprocess.Popen(
            [PROGRAM, "apply", "-", "--model", "m.model", "--release", "r", "--quiet", *more],
            cwd=program.folder, env=program.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, bufsize=0)
        self.ask(TABLE.splitlines()[0])

    def ask(self, *records):
        self.process.stdin.write("".join(record + "\n" for record in records).encode())
        got = b""
        while got.count(b"\n") < len(records):
            assert select.select([self.process.stdout], [], [], 30)[0], "no answer"
            got += self.process.stdout.read(65536)
        return got.decode()


def test_what_a_stream_has_answered_is_recorded_before(fitted):
    talk = Running(fitted)
    for i, record in enumerate(TABLE.splitlines()[1:40]):
        talk.ask(record)
        assert max(end for _, end, _, _ in recorded(fitted)) > i
    assert len(lines(fitted)) < 10, "few lines, however slow it comes"
    assert all(not known for _, _, known, _ in recorded(fitted))
    talk.process.stdin.close()
    assert talk.process.wait(30) == 0
    assert recorded(fitted)[-1] == (0, 39, True, "r")
    fitted.write("more.csv", as_csv(ROWS[39:50]))
    apply(fitted, "more.csv", "--release", "r", "--first-row", "39")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stream_that_is_stopped_gives_back_what_it_did_not_need(fitted, number):
    talk = Running(fitted)
    for record in TABLE.splitlines()[1:6]:
        talk.ask(record)
    talk.process.send_signal(number)
    assert talk.process.wait(30) == 128 + number
    assert recorded(fitted)[-1] == (0, 5, False, "r")
    refused(fitted, "table.csv", "--release", "r")
    fitted.write("more.csv", as_csv(ROWS[5:50]))
    apply(fitted, "more.csv", "--release", "r", "--first-row", "5")


def test_a_stream_that_is_killed_keeps_the_rows_ahead(fitted):
    talk = Running(fitted)
    for record in TABLE.splitlines()[1:6]:
        talk.ask(record)
    talk.process.kill()
    talk.process.wait(30)
    end = recorded(fitted)[-1][1]
    assert 5 <= end <= 10
    fitted.write("more.csv", as_csv(ROWS[5:50]))
    assert f"(--first-row): {end}" in refused(fitted, "more.csv", "--release", "r", "--first-row", str(end - 1))
    apply(fitted, "more.csv", "--release", "r", "--first-row", str(end))


def test_two_streams_at_once_share_no_row(fitted):
    talks = [Running(fitted, "--first-row", str(first)) for first in (0, 100)]
    for record in TABLE.splitlines()[1:20]:
        for talk in talks:
            talk.ask(record)
    for talk in talks:
        talk.process.stdin.close()
        assert talk.process.wait(30) == 0
    assert {(0, 19, True, "r"), (100, 119, True, "r")} <= set(recorded(fitted))


def test_what_goes_out_at_once_is_recorded_before(fitted):
    for name, out in (("a", "-"), ("b", "/dev/stdout")):
        for _ in range(2):
            done = fitted.run(*arguments("table.csv", "--release", name, "--quiet", out=out))
            assert done.returncode == 0 and len(done.stdout.splitlines()) == 201
        done = fitted.run(*arguments("later.csv", "--release", name, "--quiet", out=out))
        assert (done.returncode, done.stdout) == (3, "")
    assert recorded(fitted) == [(0, 200, True, "a"), (0, 200, True, "b")]
    with open("/dev/full", "wb") as full:  # nobody knows how much was read
        done = fitted.run(*arguments("table.csv", "--release", "c", "--quiet", out="-"), stdout=full)
    assert done.returncode == 4 and recorded(fitted)[-1] == (0, 200, True, "c")


def test_a_stream_to_a_file_is_recorded_with_it(fitted):
    for _ in range(2):
        fitted.ok(*arguments("-", "--release", "r"), stdin=TABLE)
    assert recorded(fitted) == [(0, 200, True, "r")]
    message = refused(fitted, "-", "--release", "r", stdin=LATER)
    assert "'r'" in message


# ---- The file ------------------------------------------------------------------------------------

def test_the_record_quotes_no_cell_and_no_key(fitted):
    fitted.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--no-key", "--key-out", "key",
              "--quiet")
    apply(fitted, "later.csv", "--release", "r", "--key-file", "key")
    stream(fitted, TABLE, "--release", "s", "--key-file", "key")
    record = fitted.read(RECORD)
    secrets = {cell for row in ROWS for cell in row if len(cell) > 3}
    secrets |= {fitted.read("key").strip(), SEED, "diagnosis", "Disease"}
    assert not [secret for secret in secrets if secret in record]
    fingerprint = json.loads(re.search(rb'\{"recoded.*?"key_fingerprint":("[0-9a-f]+")',
                                       (fitted.folder / "m.model").read_bytes())[1])
    assert fingerprint[:32] not in record
    assert re.fullmatch(r"semveil releases 1\n([0-9a-f]{16} [0-9a-f]{32} \d+ \d+ ([0-9a-f]{64}|-) \d+ \S*\n)+",
                        record)


def test_only_the_owner_can_read_the_record(fitted):
    fitted.ok(*arguments("table.csv", "--release", "r"))
    assert stat.S_IMODE(os.stat(fitted.folder / RECORD).st_mode) == 0o600


def test_the_same_releases_give_the_same_record(fitted):
    def released():
        apply(fitted, "table.csv", "--release", "a")
        stream(fitted, LATER, "--release", "März 50 %", "--batch-rows", "9")
        record = fitted.read(RECORD)
        (fitted.folder / RECORD).unlink()
        return record

    first = released()
    assert first == released() and "M%C3%A4rz%2050%20%25" in first


def test_a_refusal_says_a_name_as_it_is(fitted):
    name = "a\tb"
    apply(fitted, "table.csv", "--release", name)
    assert "\t" not in refused(fitted, "later.csv", "--release", name)


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_torn_last_line_blocks_nobody(fitted, cut):
    apply(fitted, "table.csv", "--release", "a")
    apply(fitted, "table.csv", "--release", "b")
    path = fitted.folder / RECORD
    path.write_bytes(path.read_bytes()[:-cut])
    apply(fitted, "later.csv", "--release", "c")
    names = [name for *_, name in recorded(fitted)]
    assert names == {1: ["a", "b", "c"], 20: ["a", "c"], 200: ["c"]}[cut]


@pytest.mark.parametrize("content", ["0123456789abcdef damaged\n", "id,name\n", "semveil releases 2\n"])
def test_a_damaged_record_is_exit_1_and_stays(fitted, content):
    apply(fitted, "table.csv", "--release", "a")
    bad = fitted.read(RECORD) + content if "damaged" in content else content
    fitted.write(RECORD, bad)
    for out in ("new.csv", "-"):
        done = fitted.run(*arguments("later.csv", "--release", "b", out=out))
        assert (done.returncode, done.stdout) == (1, "") and RECORD in done.stderr
    done = stream(fitted, TABLE, "--release", "b", code=1)
    assert done.stdout == "" and fitted.read(RECORD) == bad and "new.csv" not in files(fitted)


def test_a_record_is_no_output(fitted):
    apply(fitted, "table.csv", "--release", "a")
    assert RECORD in fitted.fails(2, *arguments("table.csv", out=RECORD))


def test_the_summary_and_json_tell_that_it_is_recorded(fitted):
    text = fitted.ok(*arguments("table.csv", "--release", "r"))
    assert f"Written to out.csv; recorded in {RECORD} (" in text
    for name in ("r", "q"):  # it was, and it is
        told = json.loads(fitted.ok(*arguments("table.csv", "--release", name, "--json")))
        assert told["recorded"] is True


NOT_RECORDED = "release-not-recorded"


def not_recorded(program, *args, before=()):
    done = program.run(*args, "--json", before=before)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["recorded"] is False
    assert [f["severity"] for f in told["findings"] if f["id"] == NOT_RECORDED] == ["warning"]


def test_a_folder_that_cannot_be_written_to_is_a_finding(fitted):
    before = ()
    if os.geteuid() == 0:  # root without its privileges
        if shutil.which("setpriv") is None:
            pytest.skip("root may write everywhere, and there is no setpriv to forbid it")
        before = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    closed = fitted.folder / "closed"
    closed.mkdir()
    shutil.copy(fitted.folder / "m.model", closed)
    closed.chmod(0o555)
    call = ["apply", "later.csv", "--model", "closed/m.model", "-o", "out.csv", "--release", "r"]
    try:
        for _ in range(2):
            not_recorded(fitted, *call, before=before)
        assert os.listdir(closed) == ["m.model"]
        done = fitted.run(*call, "--fail-on", "warning", before=before)
        assert done.returncode == 3 and NOT_RECORDED in done.stderr
        # What stands there already is read all the same.
        closed.chmod(0o755)
        fitted.ok(*call, "--quiet")
        (closed / RECORD).chmod(0o400)
        closed.chmod(0o555)
        done = fitted.run(*call, before=before)
        assert done.returncode == 0 and "recorded in" in done.stdout
        done = fitted.run("apply", "table.csv", *call[2:], before=before)
        assert done.returncode == 3 and "'r'" in done.stderr
    finally:
        closed.chmod(0o755)


def test_a_name_that_leaves_no_room_is_a_finding(fitted):
    name = "m" * 250
    shutil.copy(fitted.folder / "m.model", fitted.folder / name)
    not_recorded(fitted, "apply", "table.csv", "--model", name, "-o", "out.csv", "--release", "r")
    done = fitted.run("apply", "-", "--model", name, "--release", "r", stdin=TABLE)
    assert done.returncode == 0 and "recorded nowhere" in done.stderr


def test_a_record_that_cannot_be_added_to_leaves_nothing(fitted):
    """Where only writing shows that it fails."""
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))
    apply(fitted, "table.csv", "--release", "a" * 8_700)
    before = fitted.read(RECORD)
    fitted.write("small.csv", as_csv(ROWS[:3]))
    done = subprocess.run([PROGRAM, *arguments("small.csv", "--release", "b" * 200, out="new.csv")],
                          cwd=fitted.folder, env=fitted.env, preexec_fn=limited, capture_output=True, text=True)
    assert done.returncode == 4 and RECORD in done.stderr
    assert fitted.read(RECORD) == before and "new.csv" not in files(fitted)


def test_releases_made_at_once_are_all_recorded(fitted):
    running = [subprocess.Popen([PROGRAM, *arguments("table.csv", "--release", f"r{i}", "--quiet", out=f"o{i}.csv")],
                                cwd=fitted.folder, env=fitted.env) for i in range(8)]
    assert [process.wait(120) for process in running] == [0] * 8
    assert sorted(name for *_, name in recorded(fitted)) == [f"r{i}" for i in range(8)]


def test_of_two_tables_at_once_one_gets_the_name(fitted):
    running = [subprocess.Popen([PROGRAM, *arguments(table, "--release", "r", "--quiet", out=f"{table}.out")],
                                cwd=fitted.folder, env=fitted.env, stderr=subprocess.DEVNULL)
               for table in ("table.csv", "later.csv")]
    assert sorted(process.wait(120) for process in running) == [0, 3]
    assert len(lines(fitted)) == 1 and len([name for name in files(fitted) if name.endswith(".out")]) == 1
