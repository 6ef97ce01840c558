"""What came in comes out: type, order of columns, index, types of cells."""

import datetime

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest

import semveil as sv
from clinic import LEAVES

PLAN = {
    "ontology": {"disease": "edges:disease.csv"},
    "column": {"diagnosis": {"role": "quasi-identifier", "ontology": "disease", "root": "D"}},
    "mask": {"method": "noise", "alpha": 0.5},
}


@pytest.fixture(autouse=True)
def in_folder(folder):
    return folder


@pytest.fixture
def cells():
    return [LEAVES[i * i % len(LEAVES)] for i in range(120)]


@pytest.fixture
def masked(cells):
    """What the cells become."""
    return sv.mask(pandas.DataFrame({"diagnosis": cells}), PLAN, seed="s").table["diagnosis"].tolist()


def mask(table, plan=PLAN, **keys):
    return sv.mask(table, plan, seed="s", **keys).table


# ---- pandas -------------------------------------------------------------------------------------

DTYPES = [object, "str", "category", "string", "string[pyarrow]", pandas.ArrowDtype(pyarrow.string()),
          pandas.ArrowDtype(pyarrow.large_string())]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pandas_keeps_the_type_of_texts(cells, masked, dtype):
    frame = pandas.DataFrame({"diagnosis": pandas.Series(cells, dtype=dtype)})
    out = mask(frame)
    assert out["diagnosis"].tolist() == masked
    if dtype != "category":
        assert out["diagnosis"].dtype == frame["diagnosis"].dtype


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pandas_keeps_missing_cells(cells, dtype):
    cells[3] = cells[77] = None
    frame = pandas.DataFrame({"diagnosis": pandas.Series(cells, dtype=dtype)})
    out = mask(frame)
    assert out["diagnosis"].isna().to_numpy().nonzero()[0].tolist() == [3, 77]


def test_released_categories_keep_their_order_and_new_ones_follow(cells, masked):
    categories = list(reversed(LEAVES)) + ["unused"]
    frame = pandas.DataFrame({"diagnosis": pandas.Categorical(cells, categories=categories)})
    out = mask(frame)["diagnosis"]
    kept = [c for c in categories if c in masked]
    assert out.cat.categories.tolist() == kept + sorted(set(masked) - set(kept))
    assert out.tolist() == masked


def test_pandas_keeps_index_order_and_other_columns(cells):
    numbers = numpy.arange(120.0)
    lists = [[i] for i in range(120)]
    frame = pandas.DataFrame({"n": numbers, "diagnosis": cells, "of lists": lists, "mixed": [1, "a"] * 60},
                             index=pandas.Index([f"r{i}" for i in range(120)], name="record"))
    out = mask(frame)
    assert list(out.columns) == list(frame.columns)
    pandas.testing.assert_index_equal(out.index, frame.index)
    for name in ("n", "of lists", "mixed"):
        pandas.testing.assert_series_equal(out[name], frame[name])
    assert numpy.shares_memory(out["n"].to_numpy(), frame["n"].to_numpy())
    assert frame["diagnosis"].tolist() == cells


def test_pandas_drops_identifiers_and_keeps_labels_that_are_no_texts(cells):
    frame = pandas.DataFrame({7: range(120), "patient": range(120), "diagnosis": cells})
    plan = {**PLAN, "column": {**PLAN["column"], "patient": {"role": "identifier"}}}
    assert list(mask(frame, plan).columns) == [7, "diagnosis"]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_shuffled_rows_take_the_others_with_them(cells, masked, kind):
    plan = {**PLAN, "shuffle": True}
    frame = pandas.DataFrame({"diagnosis": cells, "row": numpy.arange(120)}, index=numpy.arange(120) * 10)
    if kind == "pandas":
        out = mask(frame, plan)
        assert (out.index == out["row"] * 10).all()
    elif kind == "polars":
        out = mask(polars.from_pandas(frame), plan).to_pandas()
    else:
        out = mask(pyarrow.Table.from_pandas(frame, preserve_index=False), plan).to_pandas()
    assert out["row"].tolist() != list(range(120))
    assert sorted(out["row"]) == list(range(120))
    assert [masked[i] for i in out["row"]] == out["diagnosis"].tolist()


def test_dropped_records_take_the_others_with_them(cells):
    cells[5] = None
    plan = {**PLAN, "missing": "drop-record"}
    frame = pandas.DataFrame({"diagnosis": cells, "row": numpy.arange(120)})
    expected = [i for i in range(120) if i != 5]
    out = mask(frame, plan)
    assert out.index.tolist() == out["row"].tolist() == expected
    assert mask(polars.from_pandas(frame), plan)["row"].to_list() == expected
    assert mask(pyarrow.Table.from_pandas(frame), plan)["row"].to_pylist() == expected


NUMBERS = [numpy.array([20, 30, 40] * 40, dtype="i8"), numpy.array([20, 30, 40] * 40, dtype="u1"),
           numpy.array([20.5, 30, 40] * 40), numpy.array([20.5, 30, 40] * 40, dtype="f4"),
           pandas.array([20, 30, None] * 40, dtype="Int64"), pandas.array([20.5, 30, None] * 40, dtype="Float64"),
           numpy.array([20.5, 30, numpy.nan] * 40)]


@pytest.mark.parametrize("numbers", NUMBERS, ids=lambda n: f"{n.dtype}")
def test_numbers_are_masked_as_in_pyarrow(numbers):
    plan = {"column": {"age": {"role": "quasi-identifier", "type": "numeric"}},
            "mask": {"method": "microaggregate", "k": 3}}
    frame = pandas.DataFrame({"age": numbers})
    out = mask(frame, plan)["age"]
    theirs = mask(pyarrow.Table.from_pandas(frame), plan)["age"].to_pylist()
    assert [None if pandas.isna(x) else x for x in out] == theirs
    assert out.dtype.kind in "iuf"


DATES = [
    pandas.Series(pandas.date_range("2024-01-01", periods=120)),
    pandas.Series(pandas.date_range("2024-01-01", periods=120, unit="s")),
    pandas.Series(pandas.date_range("2024-01-01", periods=120, tz="Europe/Madrid")),
    pandas.Series([datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(120)]),
]


@pytest.mark.parametrize("dates", DATES, ids=["ns", "s", "zone", "date"])
def test_dates_keep_their_type(dates):
    plan = {"column": {"born": {"role": "quasi-identifier", "type": "date"}},
            "mask": {"method": "microaggregate", "k": 3}}
    out = mask(pandas.DataFrame({"born": dates}), plan)["born"]
    theirs = mask(pyarrow.Table.from_pandas(pandas.DataFrame({"born": dates})), plan)["born"]
    assert out.tolist() == theirs.to_pandas().tolist()
    if dates.dtype != object:
        assert out.dtype == dates.dtype


def test_sets_come_out_as_lists(cells):
    (open("sets.categories", "w")).write("".join(f"{leaf},{leaf[0] < 'F'}\n" for leaf in LEAVES))
    plan = {"ontology": {"disease": "edges:disease.csv"},
            "column": {"diagnosis": {"role": "sensitive", "ontology": "disease", "root": "D"}},
            "mask": {"method": "ean", "categories": {"ontology": "disease", "depth": 2}, "l": 2, "output": "list"}}
    out = mask(pandas.DataFrame({"diagnosis": cells}), plan)["diagnosis"]
    assert all(len(found) == 2 and cell in found for cell, found in zip(cells, out))
    plan["mask"]["output"] = "columns"
    out = mask(pandas.DataFrame({"a": 1, "diagnosis": cells, "b": 2}), plan)
    assert list(out.columns) == ["a", "diagnosis_1", "diagnosis_2", "b"]


# ---- Shapes -------------------------------------------------------------------------------------

MAKERS = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_one_row_and_many_columns(make):
    plan = {**PLAN, "mask": {"method": "noise", "alpha": 0.5, "allow_unmasked": True}}
    table = {f"c{i}": [str(i)] for i in range(300)} | {"diagnosis": ["Flu"]}
    out = mask(make(table), plan)
    names = out.column_names if isinstance(out, pyarrow.Table) else list(out.columns)
    assert names == list(table)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_an_empty_table(make):
    with pytest.raises(sv.SemveilError) as caught:
        mask(make({"diagnosis": numpy.array([], dtype=str) if make is pandas.DataFrame else []}))
    assert caught.value.code in (1, 3)


# ---- polars and pyarrow -------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", [polars.String, polars.Categorical, polars.Enum(LEAVES)], ids=str)
def test_polars_keeps_the_type(cells, masked, dtype):
    frame = polars.DataFrame({"n": range(120), "diagnosis": cells}, schema_overrides={"diagnosis": dtype})
    out = mask(frame)
    assert out["diagnosis"].cast(polars.String).to_list() == masked
    if isinstance(dtype, polars.Enum):
        kept = [leaf for leaf in LEAVES if leaf in masked]
        assert out["diagnosis"].dtype == polars.Enum(kept + sorted(set(masked) - set(kept)))
    else:
        assert out["diagnosis"].dtype == dtype
    assert out["n"].to_list() == list(range(120))


TYPES = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
         pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string())]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_pyarrow_keeps_the_type(cells, masked, kind):
    array = pyarrow.chunked_array([pyarrow.array(cells[:50]).cast(kind), pyarrow.array(cells[50:]).cast(kind)])
    table = pyarrow.table({"diagnosis": array, "n": range(120)})
    out = mask(table)
    assert out["diagnosis"].to_pylist() == masked
    assert out["diagnosis"].type == kind
    assert out["n"].chunk(0).buffers()[1].address == table["n"].chunk(0).buffers()[1].address


def test_a_slice_is_masked_alone(cells):
    table = pyarrow.table({"diagnosis": ["Gout"] * 7 + cells + ["Gout"] * 7}).slice(7, 120)
    assert mask(table)["diagnosis"].to_pylist() == mask(pyarrow.table({"diagnosis": cells}))["diagnosis"].to_pylist()


# ---- Others -------------------------------------------------------------------------------------

def test_duckdb_relations_and_datasets_come_out_as_tables(cells, masked, tmp_path):
    table = pyarrow.table({"diagnosis": cells, "n": range(120)})
    connection = duckdb.connect()
    connection.register("records", table)
    out = mask(connection.sql("select * from records"))
    assert isinstance(out, sv.Table)
    assert out.to_arrow()["diagnosis"].to_pylist() == masked
    assert connection.sql("select count(*) from out").fetchall() == [(120,)]
    assert connection.sql("select count(*) from out a, out b where a.n = b.n").fetchall() == [(120,)]
    pyarrow.parquet.write_table(table, tmp_path / "records.parquet", row_group_size=50)
    out = mask(pyarrow.dataset.dataset(tmp_path / "records.parquet"))
    assert out.to_polars()["diagnosis"].to_list() == masked


def test_a_relation_comes_back_in_its_connection(cells, masked):
    connection = duckdb.connect()
    connection.register("records", pyarrow.table({"diagnosis": cells}))
    out = mask(connection.sql("select * from records"), connection=connection)
    assert isinstance(out, duckdb.DuckDBPyRelation)
    assert [row[0] for row in out.fetchall()] == masked


def test_an_iterator_of_batches(cells, masked):
    table = pyarrow.table({"diagnosis": cells})
    assert mask(iter(table.to_batches(max_chunksize=50))).to_arrow()["diagnosis"].to_pylist() == masked
    frame = pandas.DataFrame({"diagnosis": cells})
    assert mask(frame.iloc[i:i + 50] for i in range(0, 120, 50)).to_pandas()["diagnosis"].tolist() == masked
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=50))
    assert mask(reader).to_arrow()["diagnosis"].to_pylist() == masked


def test_what_is_no_table():
    with pytest.raises(sv.UsageError, match="int"):
        mask(7)


# ---- Files --------------------------------------------------------------------------------------

def test_written_cells_are_those_of_the_program(program, folder, table):
    program("mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv", "--quiet")
    for frame in (pandas.DataFrame(table), polars.DataFrame(table), pyarrow.table(table), "table.csv"):
        sv.mask(frame, "plan.toml", seed="s").write("ours.csv")
        assert (folder / "ours.csv").read_bytes() == (folder / "out.csv").read_bytes()


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_arrow_files_are_those_of_the_program(program, folder, table, ending):
    read = pyarrow.parquet.read_table if ending == "parquet" else pyarrow.feather.read_table
    if ending == "parquet":
        pyarrow.parquet.write_table(pyarrow.table(table), "table.parquet")
    else:
        pyarrow.feather.write_feather(pyarrow.table(table), "table.arrow", compression="uncompressed")
    program("mask", f"table.{ending}", "--plan", "plan.toml", "--seed", "s", "-o", f"out.{ending}", "--quiet")
    sv.mask(f"table.{ending}", "plan.toml", seed="s").write(f"ours.{ending}")
    assert read(f"ours.{ending}").to_pydict() == read(f"out.{ending}").to_pydict()
    sv.mask(f"table.{ending}", "plan.toml", seed="s", output=f"too.{ending}")
    assert read(f"too.{ending}").to_pydict() == read(f"out.{ending}").to_pydict()
