"""The installed library: its headers, a program that is built with it in both usual ways, its symbols."""

import concurrent.futures
import os
import re
import shutil
import subprocess

import pytest

from conftest import PROGRAM, PROJECT

CONSUMER = PROJECT / "tests/install"
TABLE = "hobby,town\nSkiing,Ulm\nRunning,Ulm\nSkiing,Kiel\n"
# The compiler of the installed library: a sanitizer's library needs the sanitizer's compiler.
COMPILER = "g++"


def run(*command, **how):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **how)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder after it was installed and moved."""
    build = PROGRAM.parent
    if not (build / "cmake_install.cmake").exists():
        pytest.skip(f"{build} is no build folder: nothing to install")
    if "SEMVEIL_SANITIZE:STRING=\n" not in (build / "CMakeCache.txt").read_text():
        pytest.skip("what is built with a sanitizer is not installed")
    if not (build / "libsemveil.so").exists():
        pytest.skip("the shared library is not built")
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", build, "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")


@pytest.fixture(scope="module")
def consumers(installed, tmp_path_factory):
    """The program built by CMake, and with what pkg-config says."""
    folder = tmp_path_factory.mktemp("consumer")
    run("cmake", "-S", CONSUMER, "-B", folder / "cmake", f"-DCMAKE_CXX_COMPILER={COMPILER}",
        f"-DCMAKE_PREFIX_PATH={installed}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", folder / "cmake")
    flags = run("pkg-config", "--cflags", "--libs", "semveil",
                env={**os.environ, "PKG_CONFIG_PATH": str(installed / "lib/pkgconfig")}).split()
    run(COMPILER, "-std=c++20", CONSUMER / "consumer.cc", "-o", folder / "by_pkg_config", *flags,
        f"-Wl,-rpath,{installed / 'lib'}")
    return [folder / "cmake/consumer", folder / "by_pkg_config"]


def test_a_program_is_built_by_cmake_and_by_pkg_config(consumers, tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    for consumer in consumers:
        assert run(consumer, "table.csv", "hobby", cwd=tmp_path) == "2 of 3\n"


def test_the_table_backend_is_found_beside_the_library(consumers, tmp_path):
    """Not beside the program, which is somewhere else, nor in the current folder."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    import pyarrow
    parquet.write_table(pyarrow.table({"hobby": ["Skiing", "Running", "Skiing"]}), tmp_path / "t.parquet")
    (tmp_path / "libsemveil_arrow.so").write_text("planted\n")
    for consumer in consumers:
        shutil.copy(tmp_path / "libsemveil_arrow.so", consumer.parent)
        env = {k: v for k, v in os.environ.items() if k != "SEMVEIL_BACKEND"}
        assert run(consumer, "t.parquet", "hobby", cwd=tmp_path, env=env) == "2 of 3\n"


def test_an_error_is_told(consumers, tmp_path):
    done = subprocess.run([consumers[0], "none.csv", "hobby"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "no such file: check the path\n")


def test_every_header_compiles_alone(installed, tmp_path):
    """With nothing but tl-expected and fmt: the others' headers are errors."""
    for package in ["nlohmann/json.hpp", "arrow/api.h", "CLI/CLI.hpp", "unicode/unistr.h", "zlib.h"]:
        (tmp_path / "forbidden" / package).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "forbidden" / package).write_text(f"#error {package} is not public\n")
    headers = sorted((installed / "include/semveil").glob("*.h"))
    assert [h.name for h in headers] == sorted(h.name for h in (PROJECT / "include/semveil").glob("*.h"))

    def compile_alone(header):
        return subprocess.run(
            [COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", tmp_path / "forbidden",
             "-I", installed / "include", "-x", "c++", "-"],
            input=f"#include <semveil/{header.name}>\n", capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, done in zip(headers, pool.map(compile_alone, headers)):
            assert done.returncode == 0, f"{header.name}: {done.stderr}"


def test_every_header_shows_its_namespace():
    """Else nothing that it declares could be linked."""
    for header in (PROJECT / "include/semveil").glob("*.h"):
        if header.name == "arrow_c.h":  # Arrow's structs, which are C's
            continue
        opened = re.findall(r"^namespace .*semveil \{$", header.read_text(), re.MULTILINE)
        assert set(opened) == {'namespace [[gnu::visibility("default")]] semveil {'}, header.name


def test_only_public_names_are_symbols(installed):
    listed = run("nm", "-DC", "--defined-only", installed / "lib/libsemveil.so.0").splitlines()
    names = [line.split(maxsplit=2)[2] for line in listed]
    assert any(name.startswith("semveil::Table::open(") for name in names)
    assert any(name.startswith("semveil::Model::fit(") for name in names)
    for name in names:  # that of a template has its result before it
        own = re.match(r"((typeinfo( name)?|vtable|VTT) for |.*thunk to )?semveil::", name)
        assert own or re.match(r"[^(]+ semveil::\w+<", name), name
    # Some of what only the sources declare.
    for hidden in ["check_stop", "Spool::", "FuseSearch::", "LineReader::", "in_parallel"]:
        assert not [name for name in names if name.startswith(f"semveil::{hidden}")], hidden


def test_no_file_names_where_it_was_built_or_installed(installed):
    for file in [*installed.glob("lib/cmake/semveil/*"), installed / "lib/pkgconfig/semveil.pc"]:
        text = file.read_text()
        assert str(PROJECT) not in text and str(installed.parent) not in text, file
