"""A table is masked cell by cell as the program masks it."""

import csv
import io

import pandas
import polars
import pyarrow
import pytest

import semveil as sv


def by_program(program, folder, *options):
    program("mask", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "out.csv", "--quiet", *options)
    return list(csv.reader(io.StringIO((folder / "out.csv").read_text())))


def as_rows(frame):
    return [list(frame.columns), *frame.astype(str).values.tolist()]


FRAMES = {
    "pandas": lambda table: pandas.DataFrame(table),
    "pandas objects": lambda table: pandas.DataFrame(table, dtype=object),
    "pandas categories": lambda table: pandas.DataFrame(table, dtype="category"),
    "pyarrow": lambda table: pyarrow.table(table),
    "pyarrow batch": lambda table: pyarrow.RecordBatch.from_pydict(table),
    "polars": lambda table: polars.DataFrame(table),
    "polars, lazy": lambda table: polars.DataFrame(table).lazy(),
    "polars categories": lambda table: polars.DataFrame(table, schema_overrides={"diagnosis": polars.Categorical}),
}


def plain(masked):
    """Rows of texts, header first."""
    if hasattr(masked, "to_pydict"):
        masked = pandas.DataFrame(masked.to_pydict())
    elif hasattr(masked, "to_dict") and not isinstance(masked, pandas.DataFrame):
        masked = pandas.DataFrame(masked.to_dict(as_series=False))
    return as_rows(masked)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("keys", [{}, {"method": "swap", "k": 4}, {"method": "fuse", "k": 3},
                                  {"method": "generalize", "k": 3}, {"method": "microaggregate", "k": 3},
                                  {"method": "recode", "k": 3}, {"method": "naive"}],
                         ids=lambda keys: keys.get("method", "noise"))
def test_every_frame_is_masked_as_the_program_masks_the_file(program, folder, table, frame, keys):
    # What belongs to noise alone stands in the plan.
    if keys:
        (folder / "plan.toml").write_text((folder / "plan.toml").read_text().replace("alpha = 0.5\n", ""))
    expected = by_program(program, folder, *(part for k, v in keys.items() for part in (f"--{k}", v)))
    release = sv.mask(FRAMES[frame](table), "plan.toml", seed="s", **keys)
    assert plain(release.table) == expected


def test_a_path_is_masked_as_the_program_masks_it(program, folder):
    expected = by_program(program, folder)
    release = sv.mask("table.csv", "plan.toml", seed="s")
    assert plain(release.table.to_pandas()) == expected
    sv.mask("table.csv", "plan.toml", seed="s", output="too.csv")
    assert (folder / "too.csv").read_bytes() == (folder / "out.csv").read_bytes()
