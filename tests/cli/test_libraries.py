"""Shared libraries come from where the system or the installation keeps them, never from the current
folder. What we build is hardened, as its headers tell."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import PROGRAM, PROJECT

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is not installed")
BACKEND = PROGRAM.parent / "libsemveil_arrow.so"
LIBRARY = PROGRAM.parent / "libsemveil.so"


def entries(file, tag):
    listed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(rf"\({tag}\).*\[(.*)\]", listed)


def assert_no_current_folder(file):
    assert entries(file, "RPATH") == [], file
    for path in entries(file, "RUNPATH"):
        for place in path.split(":"):
            assert place.startswith(("/", "$ORIGIN")), f"{file}: {path!r}"


def needed(file):
    """Every library that the file loads, by name: its own and those of its libraries."""
    listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^\s*(\S+\.so\S*) =>", listed, re.MULTILINE))


@pytest.mark.parametrize("file", [PROGRAM, LIBRARY], ids=lambda file: file.name)
def test_no_library_with_a_network_is_loaded(file):
    loaded = needed(file)
    assert len(loaded) > 5 and len(loaded) < 25, sorted(loaded)
    assert not [name for name in loaded
                if re.search(r"curl|gnutls|ssl|ssh|krb5|ldap|nghttp|rtmp|libxml2|libxslt", name)]


def plant(folder, names):
    """Files that end a program which tries to load them."""
    for name in names:
        (folder / name).write_text("planted\n")


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, file], capture_output=True, text=True,
                          check=True).stdout


def is_sanitized(file):
    return re.search(r"__(asan|tsan|ubsan)_", readelf("--dyn-syms", file)) is not None


def assert_stack_holds_no_code(file):
    stack = re.search(r"GNU_STACK\s.*\s(RW?E?)\s+0x", readelf("-l", file))
    assert stack is not None and stack.group(1) == "RW", f"{file}: its stack may hold code"


def assert_hardened(file):
    """By headers: of no fixed address, all of its tables closed, no code on the stack."""
    assert re.search(r"Type:\s+DYN", readelf("-h", file)), f"{file} is for one address"
    assert "GNU_RELRO" in readelf("-l", file), file
    flags = readelf("-d", file)
    assert re.search(r"BIND_NOW|FLAGS_1.*\bNOW\b", flags), f"{file} binds symbols late"
    assert "(RPATH)" not in flags, file
    assert_stack_holds_no_code(file)


def assert_checked(file, copies):
    """By the functions that it calls: those of the stack protector and, in place of plain copies, of
    _FORTIFY_SOURCE."""
    called = readelf("--dyn-syms", file)
    assert "__stack_chk_fail" in called, f"{file} does not look after its stack"
    assert not copies or re.search(r"\b__\w+_chk\b", called.replace("__stack_chk", "")), file


@pytest.mark.parametrize("file, copies", [(PROGRAM, True), (BACKEND, False), (LIBRARY, True)],
                         ids=["program", "backend", "library"])
def test_what_is_built_is_hardened(file, copies):
    assert_hardened(file)
    if is_sanitized(PROGRAM):
        pytest.skip("the sanitizers check more than the stack protector and _FORTIFY_SOURCE")
    assert_checked(file, copies)


def test_a_file_that_is_not_hardened_is_noticed(tmp_path):
    """The checks above, on one that has nothing of it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    flags = ["-no-pie", "-fno-stack-protector", "-Wl,-z,norelro", "-Wl,-z,lazy", "-Wl,-z,execstack"]
    subprocess.run([compiler, *flags, "a.c", "-o", "a"], cwd=tmp_path, check=True, capture_output=True)
    for check in (assert_hardened, assert_stack_holds_no_code, lambda file: assert_checked(file, True)):
        with pytest.raises(AssertionError):
            check(tmp_path / "a")


@pytest.mark.parametrize("file", [PROGRAM, BACKEND, LIBRARY], ids=["program", "backend", "library"])
def test_no_empty_place_in_the_run_path(file):
    assert_no_current_folder(file)


def test_libraries_planted_beside_the_data_are_not_loaded(semveil):
    names = needed(PROGRAM) | needed(BACKEND) | {BACKEND.name, "librtmp.so.1"}
    assert len(names) > 10
    semveil.write("table.csv", "hobby\nreading\n")
    semveil.write("plan.toml", '[column.hobby]\nrole = "quasi-identifier"\n')
    semveil.ok("describe", "table.csv", "--plan", "plan.toml")
    plant(semveil.folder, names)
    semveil.ok("describe", "table.csv", "--plan", "plan.toml")
    # A table that asks for the backend: what it says is of the table, not of a library.
    semveil.write("table.parquet", b"PAR1 no table PAR1")
    said = semveil.fails(1, "describe", "table.parquet", "--plan", "plan.toml")
    assert "table.parquet" in said and "ELF" not in said


def test_an_empty_place_is_noticed(tmp_path):
    """The check above, on a file that has one."""
    if shutil.which("patchelf") is None:
        pytest.skip("patchelf is not installed")
    file = shutil.copy(BACKEND, tmp_path / "bad.so")
    subprocess.run(["patchelf", "--set-rpath", "$ORIGIN::", file], check=True)
    with pytest.raises(AssertionError):
        assert_no_current_folder(file)


def test_the_installed_folder_can_be_moved_and_looks_inside_itself_alone(tmp_path):
    build = PROGRAM.parent
    if not (build / "cmake_install.cmake").exists():
        pytest.skip(f"{build} is no build folder: nothing to install")
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path / "first"],
                   check=True, capture_output=True)
    moved = (tmp_path / "first").rename(tmp_path / "moved")
    libraries = [f for f in (moved / "lib/semveil").iterdir() if not f.is_symlink()]
    assert len(libraries) > 10
    for file in [moved / "bin/semveil", moved / "lib/libsemveil.so.0", *libraries]:
        assert_no_current_folder(file)
        assert str(PROJECT) not in ":".join(entries(file, "RUNPATH")), file
        assert_stack_holds_no_code(file)  # also those that others have built
    for file in [moved / "bin/semveil", moved / "lib/libsemveil.so.0", moved / "lib/semveil" / BACKEND.name]:
        assert_hardened(file)
    listed = subprocess.run(["ldd", moved / "bin/semveil"], capture_output=True, text=True,
                            check=True).stdout
    assert "not found" not in listed
    shown = subprocess.run([moved / "bin/semveil", "--version"], capture_output=True, text=True,
                           env={"PATH": os.environ["PATH"]}, check=True)
    assert "semveil" in shown.stdout
    backend = subprocess.run(["ldd", moved / "lib/semveil/libsemveil_arrow.so"],
                             capture_output=True, text=True, check=True).stdout
    assert re.search(r"libparquet\S* => " + re.escape(str(moved)), backend), backend
