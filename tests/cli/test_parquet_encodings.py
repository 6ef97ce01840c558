"""Every encoding that Parquet has: what is not masked comes through cell by cell."""

import datetime
import decimal

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

ROWS = 700
COMPRESSIONS = ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]
VERSIONS = ["1.0", "2.0"]

# By encoding: the columns that have it, each under its own name.
NUMBERS, FLOATS = ["i32", "i64", "u16", "day", "at"], ["f32", "f64"]
TEXTS = ["hobby", "name", "note", "bytes"]
ENCODINGS = {
    "PLAIN": [*NUMBERS, *TEXTS, *FLOATS, "fixed", "yes", "price"],
    "DELTA_BYTE_ARRAY": [*TEXTS, "fixed"],
    "DELTA_LENGTH_BYTE_ARRAY": TEXTS,
    "BYTE_STREAM_SPLIT": [*FLOATS, "i32", "i64", "fixed"],
    "DELTA_BINARY_PACKED": ["i32", "i64", "day", "at"],
    "RLE": ["yes"],
    "RLE_DICTIONARY": [*NUMBERS, *TEXTS, *FLOATS, "fixed", "price"],
}
NESTED = ["list", "texts", "pair", "map"]
MASKED = [f"hobby {encoding}" for encoding, columns in ENCODINGS.items() if "hobby" in columns]
DROPPED = [f"name {encoding}" for encoding, columns in ENCODINGS.items() if "name" in columns]


def some(make, every=7):
    return [None if i % every == 3 else make(i) for i in range(ROWS)]


def cells():
    day = datetime.date(1970, 1, 1)
    return {
        "hobby": pa.array(some(lambda i: ["ski", "run", "read"][i % 3], 50)),
        "name": pa.array([f"person {i}" for i in range(ROWS)]),
        "note": pa.array(some(lambda i: f"common beginning {i * 7919 % 500}")),
        "bytes": pa.array(some(lambda i: bytes([i % 256, 0, 255])), pa.binary()),
        "fixed": pa.array(some(lambda i: f"{i:04}".encode()), pa.binary(4)),
        "i32": pa.array(some(lambda i: i * i - 1000), pa.int32()),
        "i64": pa.array(some(lambda i: (i - 350) * 10**15), pa.int64()),
        "u16": pa.array(some(lambda i: 65535 - i), pa.uint16()),
        "f32": pa.array(some(lambda i: i / 3), pa.float32()),
        "f64": pa.array(some(lambda i: -i / 7), pa.float64()),
        "yes": pa.array(some(lambda i: i % 3 == 0)),
        "day": pa.array(some(lambda i: day + datetime.timedelta(i)), pa.date32()),
        "at": pa.array(some(lambda i: i * 10**9), pa.timestamp("us", tz="UTC")),
        "price": pa.array(some(lambda i: decimal.Decimal(i) / 4), pa.decimal128(20, 2)),
        "list": pa.array(some(lambda i: [i, None, -i][: i % 4])),
        "texts": pa.array(some(lambda i: ["a", f"b{i}"][: i % 3])),
        "pair": pa.array(some(lambda i: {"x": i, "y": [f"{i}"]})),
        "map": pa.array(some(lambda i: [(f"k{i}", i)]), pa.map_(pa.string(), pa.int64())),
    }


def plan(role=None):
    text = '[ontology.h]\nsource = "edges:hobbies.csv"\n'
    text += "".join(f'[column."{name}"]\nrole = "sensitive"\nontology = "h"\n' for name in MASKED)
    text += "".join(f'[column."{name}"]\nrole = "identifier"\n' for name in DROPPED)
    if role is not None:  # of every column that has a text
        text += "".join(f'[column."{kind} {encoding}"]\nrole = "{role}"\n' for encoding, kinds in ENCODINGS.items()
                        for kind in kinds if kind not in ("hobby", "name", "bytes", "fixed"))
    return text + f'[mask]\nmethod = "noise"\nalpha = 0.5\ncolumns = {MASKED}\n'


def write(path, compression="zstd", version="1.0"):
    made = cells()
    table = pa.table({f"{kind} {encoding}": made[kind] for encoding, kinds in ENCODINGS.items() for kind in kinds}
                     | {kind: made[kind] for kind in NESTED})
    dictionaries = [name for name in table.column_names if name.endswith("RLE_DICTIONARY")]
    encoded = {f"{kind} {encoding}": encoding for encoding, kinds in ENCODINGS.items() for kind in kinds
               if encoding != "RLE_DICTIONARY"}
    pq.write_table(table, path, use_dictionary=dictionaries, column_encoding=encoded, row_group_size=300,
                   data_page_size=1024, compression=compression, data_page_version=version)
    row_group = pq.read_metadata(path).row_group(0)
    for i in range(row_group.num_columns):  # the file is what the test means
        column = row_group.column(i)
        kind, _, encoding = column.path_in_schema.partition(" ")
        assert kind in str(NESTED) or "." in kind or encoding in column.encodings, column
    return table


@pytest.mark.parametrize("version", VERSIONS)
def test_a_table_of_any_encoding_comes_through(semveil, version):
    """Texts that are masked, texts that are dropped, and all others cell by cell, in every packing."""
    semveil.write("plan.toml", plan())
    there = [name for name in COMPRESSIONS if name == "none" or pa.Codec.is_available(
        "lz4_raw" if name == "lz4" else name)]
    assert {"none", "snappy", "gzip", "zstd", "lz4"} <= set(there)
    released = None
    for compression in there:
        given = write(semveil.folder / "t.parquet", compression, version)
        semveil.ok("mask", "t.parquet", "--plan", "plan.toml", "-o", "out.parquet",
                   "--seed", "a secret", "--quiet")
        out = pq.read_table(semveil.folder / "out.parquet")
        assert out.column_names == [name for name in given.column_names if name not in DROPPED]
        masked = {}
        for name in out.column_names:
            before, after = given.column(name), out.column(name)
            if name in MASKED:
                masked[name] = after.to_pylist()
                assert after.is_null().to_pylist() == before.is_null().to_pylist()
                assert set(masked[name]) <= {None, "sport", "ski", "run", "culture", "read", "run2"}
                assert masked[name] != before.to_pylist()
            else:
                assert after.type == before.type and after.combine_chunks().equals(before.combine_chunks()), (
                    name, compression, version)
        assert released in (None, masked), "the packing decides on what is drawn"
        released = masked


@pytest.mark.parametrize("role", ["identifier", "other", "quasi-identifier"])
def test_an_encoded_column_may_have_any_role(semveil, role):
    semveil.write("plan.toml", plan(role))
    write(semveil.folder / "t.parquet")
    semveil.ok("mask", "t.parquet", "--plan", "plan.toml", "-o", "out.parquet", "--seed", "s", "--quiet")
    assert pq.read_metadata(semveil.folder / "out.parquet").num_rows == ROWS
