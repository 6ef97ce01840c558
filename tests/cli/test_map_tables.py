"""semveil map reads one table in every format alike; Arrow is loaded for Parquet and IPC only."""

import bz2
import gzip
import io
import lzma
import zipfile

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

ROWS = [("1", "ski"), ("2", "x\ny"), ("3", ""), ("4", "Skiing"), ("5", "ski"), ("6", 'say "hi"'),
        ("7", "Sports, all")]


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',;\t\n"') else text


def as_text(separator=",", newline="\n"):
    rows = [("id", "hobby"), *ROWS]
    return newline.join(separator.join(map(quoted, row)) for row in rows) + newline


def zstd(text):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(text.encode())
    return sink.getvalue().to_pybytes()


def zipped(content):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("table.csv", content)
    return sink.getvalue()


def as_arrow():
    return pa.table({"id": [int(i) for i, _ in ROWS], "hobby": [h or None for _, h in ROWS]})


def parquet(folder, name):
    pa.parquet.write_table(as_arrow(), folder / name, row_group_size=3)


def parquet_dictionary(folder, name):
    table = as_arrow()
    table = table.set_column(1, "hobby", table["hobby"].dictionary_encode())
    pa.parquet.write_table(table, folder / name)


def feather(folder, name):
    pa.feather.write_feather(as_arrow(), folder / name, compression="lz4")


def ipc_stream(folder, name):
    table = as_arrow()
    with pa.ipc.new_stream(folder / name, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


TEXTS = {
    "plain.csv": as_text(),
    "semicolon.csv": as_text(";"),
    "tabs.tsv": as_text("\t"),
    "crlf.csv": as_text(newline="\r\n"),
    "bom.csv": "\ufeff" + as_text(newline="\r\n"),
    "unended.csv": as_text()[:-1],
    "packed.csv.gz": gzip.compress(as_text().encode()),
    "packed.tsv.gz": gzip.compress(as_text("\t").encode()),
    "packed.csv.zst": zstd(as_text()),
    "members.csv.gz": gzip.compress(as_text()[:20].encode()) + gzip.compress(as_text()[20:].encode()),
}
ARROW = {"table.parquet": parquet, "dictionary.parquet": parquet_dictionary,
         "table.feather": feather, "table.arrow": feather, "stream.arrow": ipc_stream}


def arguments(table, *more):
    return ["map", table, "--column", "hobby", "--ontology", "edges:hobbies.csv", *more]


@pytest.fixture
def expected(semveil):
    semveil.write("reference.csv", as_text())
    result = semveil.json(*arguments("reference.csv"))
    assert (result["records"], result["missing"], result["distinct"]) == (7, 1, 5)
    assert {v["value"] for v in result["values"]} == {h for _, h in ROWS if h}
    return result


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_every_form_are_the_same_table(semveil, expected, name):
    semveil.write(name, TEXTS[name])
    assert semveil.json(*arguments(name)) == expected


@pytest.mark.parametrize("name", ARROW)
def test_arrow_and_parquet_files_are_the_same_table(semveil, expected, name):
    ARROW[name](semveil.folder, name)
    assert semveil.json(*arguments(name)) == expected


def test_a_table_may_come_from_standard_input(semveil, expected):
    assert semveil.json(*arguments("-"), stdin=as_text()) == expected
    message = semveil.fails(1, *arguments("-"), stdin="id,hobby\n1,ski\n2\n")
    assert message.startswith("semveil: standard input:3: ")


def test_the_column_may_hold_numbers(semveil):
    parquet(semveil.folder, "table.parquet")
    result = semveil.json("map", "table.parquet", "--column", "id", "--ontology", "edges:hobbies.csv")
    assert [v["value"] for v in result["values"]] == ["1", "2", "3", "4", "5", "6", "7"]


def test_a_missing_column_of_a_parquet_file_is_answered_with_those_there_are(semveil):
    parquet(semveil.folder, "table.parquet")
    message = semveil.fails(1, "map", "table.parquet", "--column", "hoby", "--ontology",
                            "edges:hobbies.csv")
    assert "table.parquet" in message and "'hoby'" in message and "id, hobby" in message


@pytest.mark.parametrize("name", ["table.parquet", "table.arrow"])
def test_a_damaged_arrow_or_parquet_file_is_exit_1(semveil, name):
    ARROW[name](semveil.folder, name)
    whole = (semveil.folder / name).read_bytes()
    for content in (b"", b"id,hobby\n", whole[: len(whole) // 2]):
        semveil.write(name, content)
        assert name in semveil.fails(1, *arguments(name))


@pytest.mark.parametrize("content", [gzip.compress(as_text().encode())[:-12], zstd(as_text())[:-9]],
                         ids=["gzip", "zstd"])
def test_a_cut_packed_table_is_exit_1(semveil, content):
    semveil.write("cut.csv.gz", content)
    message = semveil.fails(1, *arguments("cut.csv.gz"))
    assert "cut.csv.gz" in message and "packed data" in message


def test_a_damaged_packed_table_is_not_taken_for_bad_csv(semveil):
    text = "id,hobby\n" + "".join(f"{i},ski\n" for i in range(100_000))
    content = bytearray(gzip.compress(text.encode(), 0))  # stored: damage shows in the text alone
    content[content.index(b"\n5000,ski") + 5] = ord(";")
    semveil.write("table.csv.gz", bytes(content))
    assert "the packed data is corrupt" in semveil.fails(1, *arguments("table.csv.gz"))
    semveil.write("table.csv.gz", gzip.compress(text.replace("\n5000,", "\n5000;").encode()))
    assert "table.csv.gz:5002" in semveil.fails(1, *arguments("table.csv.gz"))


@pytest.mark.parametrize("pack, what", [
    (bz2.compress, "a bzip2 file: unpack it first"), (lzma.compress, "an xz file: unpack it first"),
    (zipped, "a zip archive, as .xlsx and .ods files are: unpack it first, or save the sheet as CSV")])
def test_a_table_that_is_packed_in_another_way_says_how(semveil, pack, what):
    content = pack(as_text().encode())
    for name, stdin in ("table.csv", ""), ("-", content):
        semveil.write("table.csv", content)
        message = semveil.fails(1, *arguments(name), stdin=stdin)
        assert message.endswith(f": this is {what}\n")


def loads_arrow(semveil, *args):
    done = semveil.run(*args, env={**semveil.env, "LD_DEBUG": "files"})
    assert done.returncode == 0 and "libc.so" in done.stderr, "LD_DEBUG tells nothing"
    return "arrow" in done.stderr


def test_arrow_is_loaded_for_a_parquet_table(semveil):
    parquet(semveil.folder, "table.parquet")
    assert loads_arrow(semveil, *arguments("table.parquet"))


@pytest.mark.parametrize("args", [
    arguments("table.csv"),
    ["distance", "ski", "run", "--ontology", "edges:hobbies.csv"],
    ["distance", "--pairs", "pairs.csv", "--ontology", "edges:hobbies.csv"],
    ["ontology", "info", "edges:hobbies.csv"],
    ["ontology", "search", "edges:hobbies.csv", "ski"],
    ["ontology", "tree", "edges:hobbies.csv", "ski"],
    ["ontology", "snapshot", "edges:hobbies.csv", "-o", "out.svo"],
    ["--help"],
], ids=lambda args: " ".join(args[:2]))
def test_arrow_is_not_loaded_for_anything_else(semveil, args):
    semveil.write("table.csv", as_text())
    semveil.write("pairs.csv", "a,b\nski,run\n")
    assert not loads_arrow(semveil, *args)


def test_without_the_arrow_module_the_remedy_is_named(semveil):
    parquet(semveil.folder, "table.parquet")
    env = {**semveil.env, "SEMVEIL_BACKEND": str(semveil.folder / "none.so")}
    message = semveil.fails(4, *arguments("table.parquet"), env=env)
    assert "none.so" in message and "CSV" in message
