"""Who is to blame: the system (exit 4), or what a file holds (exit 1). However few bytes a read gives."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess

import pytest

from conftest import PROGRAM, PROJECT

# Reads of the file that GUEST names give an error (GUEST_HOW = eio) from the byte GUEST_FROM on, or
# at most three bytes (GUEST_HOW = short).
LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_guest(int file) {
  struct stat a, b;
  const char* name = getenv("GUEST");
  return name != NULL && fstat(file, &a) == 0 && stat(name, &b) == 0 && a.st_ino == b.st_ino &&
         a.st_dev == b.st_dev;
}
static int fails(off_t from, size_t size) {
  return strcmp(getenv("GUEST_HOW"), "eio") == 0 &&
         from + (off_t)size > (off_t)atoll(getenv("GUEST_FROM"));
}
static size_t some(size_t size) {
  return strcmp(getenv("GUEST_HOW"), "short") == 0 && size > 3 ? 3 : size;
}

ssize_t read(int file, void* to, size_t size) {
  ssize_t (*real)(int, void*, size_t) = dlsym(RTLD_NEXT, "read");
  if (is_guest(file)) {
    if (fails(lseek(file, 0, SEEK_CUR), size)) { errno = EIO; return -1; }
    size = some(size);
  }
  return real(file, to, size);
}
ssize_t pread(int file, void* to, size_t size, off_t from) {
  ssize_t (*real)(int, void*, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
  if (is_guest(file)) {
    if (fails(from, size)) { errno = EIO; return -1; }
    size = some(size);
  }
  return real(file, to, size, from);
}
ssize_t pread64(int file, void* to, size_t size, off_t from) { return pread(file, to, size, from); }
/* No mapping: what is read is read by the functions above. */
void* mmap(void* at, size_t size, int how, int flags, int file, off_t from) {
  void* (*real)(void*, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  if (file >= 0 && is_guest(file)) { errno = ENODEV; return (void*)-1; }
  return real(at, size, how, flags, file, from);
}
void* mmap64(void* at, size_t size, int how, int flags, int file, off_t from) {
  return mmap(at, size, how, flags, file, from);
}
"""

PLAN = """[ontology.h]
source = "edges:hobbies.csv"
[column.hobby]
role = "sensitive"
ontology = "h"
[mask]
method = "noise"
alpha = 0.5
columns = ["hobby"]
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler (cc): reads that fail are not tested")
    folder = tmp_path_factory.mktemp("reads")
    (folder / "reads.c").write_text(LIBRARY)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", "reads.so", "reads.c", "-ldl"], cwd=folder, check=True)
    return folder / "reads.so"


@pytest.fixture
def clinic(semveil):
    semveil.write("plan.toml", PLAN)
    semveil.write("t.csv", "hobby,n\n" + "".join(f"{h},{i}\n" for i, h in enumerate(["ski", "run", "read"] * 200)))
    return semveil


def guest(program, library, name, how, first=0):
    return program.env | {"LD_PRELOAD": str(library), "GUEST": str(program.folder / name), "GUEST_HOW": how,
                          "GUEST_FROM": str(first)}


def mask(table, out="out.csv", plan="plan.toml"):
    return ["mask", table, "--plan", plan, "-o", out, "--seed", "a secret", "--quiet"]


def parquet(program):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    hobby = ["ski", "run", "read"] * 2000
    table = pa.table({"hobby": hobby, "n": list(range(6000)), "note": [f"note {i}" for i in range(6000)]})
    pq.write_table(table, program.folder / "t.parquet", row_group_size=1000, compression="none")
    with pa.OSFile(str(program.folder / "t.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table, 1000)
    return (program.folder / "t.parquet").stat().st_size


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.arrow"])
def test_a_table_that_cannot_be_read_is_exit_4(clinic, library, name):
    parquet(clinic)
    size = (clinic.folder / name).stat().st_size
    for first in (0, size // 3, size - 4):
        message = clinic.fails(4, *mask(name, "out" + pathlib.Path(name).suffix), env=guest(clinic, library, name, "eio", first))
        assert message.startswith(f"semveil: {name}: ") and "Input/output error; look at the disk" in message, (first, message)
    # By another name, and without one that could be opened again.
    with open(clinic.folder / name, "rb") as file:
        done = subprocess.run([PROGRAM, *mask("-", "out" + pathlib.Path(name).suffix)], cwd=clinic.folder, stdin=file,
                              env=guest(clinic, library, name, "eio", size // 3), capture_output=True, text=True, timeout=60)
        assert done.returncode == 4 and done.stderr.startswith("semveil: standard input: "), done.stderr
        assert "/proc/" not in done.stderr


@pytest.mark.parametrize("name", ["plan.toml", "hobbies.csv", "m.model", "h.svo"])
def test_a_file_that_cannot_be_read_is_exit_4(clinic, library, name):
    clinic.ok("fit", "t.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    clinic.ok("ontology", "snapshot", "edges:hobbies.csv", "-o", "h.svo", "--quiet")
    verb = {"m.model": ["apply", "t.csv", "--model", "m.model", "-o", "out.csv"],
            "h.svo": ["ontology", "info", "h.svo"]}.get(name, [*mask("t.csv"), "--no-cache"])
    message = clinic.fails(4, *verb, env=guest(clinic, library, name, "eio"))
    assert message.startswith(f"semveil: {name}: ") and "Input/output error; look at the disk" in message


REMEDY = "get it or write it again; else use CSV"


def test_a_damaged_parquet_file_is_exit_1_by_its_name(clinic):
    parquet(clinic)
    whole = (clinic.folder / "t.parquet").read_bytes()
    for at in (len(whole) // 3, len(whole) // 2, len(whole) - 60):
        clinic.write("bad.parquet", whole[:at] + b"\xff" * 40 + whole[at + 40:])
        done = clinic.run(*mask("bad.parquet", "out.parquet"))
        if done.returncode != 0:
            assert done.returncode == 1 and done.stderr.startswith("semveil: bad.parquet: "), done.stderr
            assert REMEDY in done.stderr, done.stderr
    clinic.write("cut.parquet", whole[: len(whole) // 2])
    message = clinic.fails(1, *mask("cut.parquet", "out.parquet"))
    assert message.startswith("semveil: cut.parquet: ") and REMEDY in message
    clinic.write("cut.arrow", (clinic.folder / "t.arrow").read_bytes()[:900])
    message = clinic.fails(1, *mask("cut.arrow", "out.arrow"))
    assert message.startswith("semveil: cut.arrow: ") and REMEDY in message
    message = clinic.fails(1, *mask("-", "out.parquet"), stdin=whole[: len(whole) // 2])
    assert message.startswith("semveil: standard input: ") and "/proc/" not in message


# ---- Short reads --------------------------------------------------------------------------------

def test_a_short_read_changes_nothing(clinic, library):
    """Three bytes at a time: tables of all formats, packed or not, and what belongs to them."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import gzip
    parquet(clinic)
    clinic.write("t.csv.gz", gzip.compress(clinic.read("t.csv").encode()))
    for name in ("parquet", "arrow"):  # nothing but the first bytes tells what they are
        shutil.copy(clinic.folder / f"t.{name}", clinic.folder / f"{name}_table")
    shutil.copy(clinic.folder / "t.csv.gz", clinic.folder / "gzip_table")
    with pa.OSFile(str(clinic.folder / "stream_table"), "wb") as file:
        table = pa.table({"hobby": ["ski", "run"] * 100})
        with pa.ipc.new_stream(file, table.schema) as out:
            out.write_table(table)
    for name in ("t.csv", "gzip_table", "parquet_table", "arrow_table", "stream_table"):
        clinic.ok(*mask(name, "whole"))
        clinic.ok(*mask(name, "slow"), env=guest(clinic, library, name, "short"))
        assert (clinic.folder / "slow").read_bytes() == (clinic.folder / "whole").read_bytes(), name
    clinic.ok(*mask("t.csv", "whole"))
    import zipfile
    with zipfile.ZipFile(clinic.folder / "h.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("h.obo", "format-version: 1.2\n" + "".join(
            f"\n[Term]\nid: X:{i}\nname: concept {i}\n" + (f"is_a: X:{i // 2}\n" if i else "") for i in range(90)))
    clinic.ok("fit", "t.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    clinic.ok("ontology", "snapshot", "edges:hobbies.csv", "-o", "h.svo", "--quiet")
    for name, verb in {"h.zip": ["ontology", "info", "obo:h.zip", "--no-cache"], "h.svo": ["ontology", "info", "h.svo"],
                       "hobbies.csv": ["ontology", "info", "edges:hobbies.csv", "--no-cache"],
                       "plan.toml": mask("t.csv", "slow"),
                       "m.model": ["apply", "t.csv", "--model", "m.model", "-o", "o.csv", "--quiet"]}.items():
        slow, quick = clinic.ok(*verb, env=guest(clinic, library, name, "short")), clinic.ok(*verb)
        assert re.sub(r"[0-9.]+ m?s\b", "", slow) == re.sub(r"[0-9.]+ m?s\b", "", quick), name
    assert clinic.read("slow") == clinic.read("whole")


def test_a_pipe_may_give_few_bytes(clinic):
    """What stands still in the middle of the bytes that tell a format."""
    parquet(clinic)
    for name in ("t.parquet", "t.arrow", "t.csv"):
        content = (clinic.folder / name).read_bytes()
        program = subprocess.Popen([PROGRAM, *mask("-", "out")], cwd=clinic.folder, env=clinic.env,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for byte in content[:7]:
            os.write(program.stdin.fileno(), bytes([byte]))
        assert program.communicate(content[7:], timeout=60)[1] == b"" and program.returncode == 0
        clinic.ok(*mask(name, "whole"))
        assert (clinic.folder / "out").read_bytes() == (clinic.folder / "whole").read_bytes()


# ---- Forged files -------------------------------------------------------------------------------

def xxh3(data):
    try:
        library = ctypes.CDLL("libxxhash.so.0")
    except OSError:
        pytest.skip("there is no libxxhash.so.0: files cannot be forged")
    library.XXH3_64bits.restype = ctypes.c_uint64
    library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return library.XXH3_64bits(bytes(data), len(data))


SECTIONS = 18


def sealed_snapshot(content):
    """With the checksums that belong to it."""
    out = bytearray(content)
    for at in range(32, 32 + 24 * SECTIONS, 24):
        offset, size = struct.unpack_from("<QQ", out, at)
        struct.pack_into("<Q", out, at + 16, xxh3(out[offset:offset + size]))
    struct.pack_into("<Q", out, 24, 0)
    struct.pack_into("<Q", out, 24, xxh3(out[: 32 + 24 * SECTIONS]))
    return bytes(out)


def test_a_forged_snapshot_is_exit_1(clinic):
    clinic.ok("ontology", "snapshot", "edges:hobbies.csv", "-o", "h.svo", "--quiet")
    whole = (clinic.folder / "h.svo").read_bytes()
    assert sealed_snapshot(whole) == whole
    refused = 0
    for section in range(SECTIONS):
        offset, size = struct.unpack_from("<QQ", whole, 32 + 24 * section)
        for place, byte in ((0, 0xFF), (size - 1, 0xFF), (size // 2, 0)):
            if size == 0:
                continue
            forged = bytearray(whole)
            forged[offset + place] = byte
            clinic.write("forged.svo", sealed_snapshot(forged))
            done = clinic.run("ontology", "convert", "forged.svo", "-o", "out.obo")
            assert done.returncode in (0, 1), (section, place, done.returncode, done.stderr)
            refused += done.returncode
    assert refused > 15


def test_a_damaged_model_is_told_as_one(clinic):
    """Whichever of its bytes are others, and wherever it ends: also in the ontology that it holds."""
    clinic.ok("fit", "t.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    whole = (clinic.folder / "m.model").read_bytes()
    begin = whole.index(b"semveil\n", 64)
    places = [*range(40, begin, begin // 12), *range(begin, len(whole), (len(whole) - begin) // 40), len(whole) - 1]
    told = 0
    for place in places:
        for damaged in (whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1:], whole[:place]):
            clinic.write("bad.model", damaged)
            done = clinic.run("apply", "t.csv", "--model", "bad.model", "-o", "out.csv", "--quiet")
            if done.returncode == 0:  # a byte of padding, or of the name of a version
                assert len(damaged) == len(whole)
                continue
            told += 1
            assert done.returncode == 1 and done.stderr.startswith("semveil: bad.model: "), (place, done.stderr)
            assert "snapshot" not in done.stderr and "or fit it anew" in done.stderr, (place, done.stderr)
    assert told > 80


def test_a_forged_model_is_exit_1(clinic):
    """Every value of its description, by one that cannot be."""
    clinic.write("swap.toml", PLAN.replace('role = "sensitive"', 'role = "quasi-identifier"').replace(
        'method = "noise"\nalpha = 0.5', 'method = "swap"\nk = 3'))
    clinic.ok("fit", "t.csv", "--plan", "swap.toml", "-o", "m.model", "--quiet")
    whole = (clinic.folder / "m.model").read_bytes()
    begin = whole.index(b'{"')
    size, checksum = struct.unpack_from("<QQ", whole, begin - 16)
    description = whole[begin:begin + size]
    assert checksum == xxh3(description)
    wrong = {str: ["", "x"], int: [-1, 2**62], float: [-1, 1e300], bool: [7], type(None): [7], list: [[7]], dict: [7]}
    refused = tried = 0

    def forge(parent, key):
        nonlocal refused, tried
        was = parent[key]
        for value in wrong[type(was)]:
            parent[key] = value
            forged = json.dumps(parsed, separators=(",", ":")).encode()
            padding = b"\0" * (-(begin + len(forged)) % 64)
            rest = whole[begin + size + (-(begin + size) % 64):]
            clinic.write("forged.model", whole[: begin - 16] + struct.pack("<QQ", len(forged), xxh3(forged)) + forged +
                         padding + rest)
            done = clinic.run("apply", "t.csv", "--model", "forged.model", "-o", "out.csv", "--quiet")
            assert done.returncode in (0, 1, 2, 3), (key, value, done.returncode, done.stderr)
            refused += done.returncode == 1
            tried += 1
        parent[key] = was

    parsed = json.loads(description)
    for key in parsed:
        forge(parsed, key)
    for list_of in ("steps", "columns", "ontologies"):
        for key in parsed[list_of][0]:
            forge(parsed[list_of][0], key)
    assert tried > 60 and refused > 30


# ---- Tight memory -------------------------------------------------------------------------------

def limited(program, kib, *args):
    done = program.run(*args, before=("bash", "-c", f"ulimit -v {kib}; exec \"$@\"", "limited"))
    return done


def test_too_little_memory_is_exit_4(clinic, wordnet):
    """Never a signal, whichever allocation is the first that fails."""
    parquet(clinic)
    big = "hobby,n\n" + "".join(f"{h},{i} {'x' * 50}\n" for i, h in enumerate(["ski", "run", "read"] * 20000))
    clinic.write("big.csv", big)
    clinic.write("wordnet.toml", PLAN.replace("edges:hobbies.csv", "wordnet"))
    clinic.write("animals.csv", "hobby\ndog\ncat\nhorse\n")
    unseeded = ["--plan", "plan.toml", "--quiet", "-o"]  # a seed takes 64 MiB by itself
    work = {"arrow": ["mask", "t.arrow", *unseeded, "out.arrow"], "csv": ["mask", "big.csv", *unseeded, "out.csv"], "parquet": ["mask", "t.parquet", *unseeded, "out.parquet"],
            "wordnet": ["mask", "animals.csv", "--plan", "wordnet.toml", "--no-cache", "--quiet", "-o", "out.csv"]}
    for name, verb in work.items():
        codes = []
        for kib in (40000, 70000, 90000, 104000, 117000, 130000, 135000, 141000, 150000, 159000, 165000, 169000, 172000,
                    176000, 190000, 400000):
            done = limited(clinic, kib, *verb)
            if done.returncode == 127 or "error while loading shared libraries" in done.stderr:
                continue  # the program did not begin
            codes.append(done.returncode)
            if done.returncode != 0:
                assert done.returncode == 4, (name, kib, done.returncode, done.stderr)
                # The loader tells it in its own words, "failed to map segment"; an allocator complains, too.
                sentence = r"(<jemalloc>: [^\n]*\n)*semveil: [^\n]*(memory|map)[^\n]*\n"
                assert re.fullmatch(sentence, done.stderr), (name, kib, done.stderr)
                assert "map segment" in done.stderr or "raise the limit (ulimit -v)" in done.stderr, (name, kib, done.stderr)
        assert 4 in codes, (name, codes)


# ---- What can be done ---------------------------------------------------------------------------

def literals(name):
    """What messages begin with that are made by the function; of several lines one text."""
    call = re.compile(rf'\b{name}\(\s*(?:fmt::format\(\s*|std::string\()?((?:"(?:[^"\\]|\\.)*"\s*)+)(.)')
    for folder in ("src", "cli"):
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.suffix in (".cc", ".h"):
                for found in call.finditer(path.read_text()):
                    # What is joined to it says more, which is looked at in runs.
                    yield path, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found[1])), found[2] != ")" or "std::string(" in found[0]


def test_every_error_of_the_system_says_what_can_be_done():
    """Who reads that memory or a disk fails can do something about it: it stands behind a colon or semicolon."""
    told = list(literals("system_error"))
    assert len(told) > 25
    without = [f"{path.name}: {text}" for path, text, is_joined in told if not is_joined and not re.search("[:;]", text)]
    assert without == []
    assert not [path for path, text, _ in told if "enough memory" in text and path.name not in ("memory_error.h", "main.cc")]
