"""Errors say where and what, and never quote a cell."""

import pickle
import traceback

import pandas
import polars
import pyarrow
import pytest

import semveil as sv

SECRET = "Schmidt-Rottluff"


def raised(table, plan="plan.toml", **keys):
    with pytest.raises(sv.SemveilError) as caught:
        sv.mask(table, plan, seed="s", **keys)
    return caught.value


def test_a_value_that_means_nothing_is_told_apart_from_the_message(folder, table):
    table["diagnosis"][17] = SECRET
    error = raised(pandas.DataFrame(table))
    assert isinstance(error, sv.DataError)
    assert error.code == 1
    assert error.column == "diagnosis"
    assert error.value == SECRET
    assert error.row == 17
    assert error.remedy and error.remedy in str(error)
    shown = "".join(traceback.format_exception(error)) + str(error) + repr(error) + repr(error.args)
    assert SECRET not in shown
    assert SECRET not in repr(pickle.dumps(error))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_plan_is_wrong_with_file_and_line(folder, table):
    (folder / "plan.toml").write_text("[mask]\nmethod = 'noisy'\n")
    error = raised(pandas.DataFrame(table))
    assert isinstance(error, sv.PlanError)
    assert (error.file, error.line, error.code) == ("plan.toml", 2, 1)
    assert "noise" in str(error)


@pytest.mark.parametrize("make", [pyarrow.table, polars.DataFrame, lambda table: pandas.DataFrame(table, dtype="category")])
def test_every_frame_tells_the_row(folder, table, make):
    table["diagnosis"][23] = table["diagnosis"][40] = SECRET
    assert raised(make(table)).row == 23


def test_a_plan_of_a_dict_has_no_lines(folder, table):
    error = raised(pandas.DataFrame(table), plan={"mask": {"method": "noisy"}})
    assert isinstance(error, sv.PlanError)
    assert (error.file, error.line) == (None, None)


def test_a_promise_that_cannot_be_kept(folder, table):
    error = raised(pandas.DataFrame(table), plan={
        "ontology": {"disease": {"source": "edges:disease.csv"}},
        "column": {"diagnosis": {"role": "quasi-identifier", "ontology": "disease", "root": "D"}},
        "mask": {"method": "fuse", "k": 500}})
    assert isinstance(error, sv.GuaranteeError)
    assert error.code == 3


def test_a_cell_of_another_type_is_named_by_column_and_row(folder, table):
    frame = pandas.DataFrame(table, dtype=object)
    frame.loc[5, "second"] = 7
    error = raised(frame)
    assert isinstance(error, sv.DataError)
    assert (error.column, error.row) == ("second", 5)


def test_two_columns_of_one_name_are_refused(folder, table):
    frame = pandas.DataFrame(table)
    frame.columns = ["diagnosis", "diagnosis", "second", "city", "note"]
    error = raised(frame)
    assert isinstance(error, sv.DataError)
    assert error.column == "diagnosis"
    assert "two columns" in str(error)
