"""Models: the second half of mask, exchanged with the program."""

import copy
import pickle

import pandas
import pytest

import semveil as sv
from test_same_cells import by_program, plain


@pytest.fixture
def frame(table):
    return pandas.DataFrame(table)


def test_a_fitted_model_masks_as_mask_does(program, folder, frame):
    model = sv.fit(frame, "plan.toml", seed="s")
    assert plain(model.apply(frame).table) == by_program(program, folder)


def test_a_model_of_the_program_is_applied(program, folder, frame):
    program("fit", "table.csv", "--plan", "plan.toml", "--seed", "s", "-o", "model", "--quiet")
    model = sv.Model.load("model")
    assert plain(model.apply(frame).table) == by_program(program, folder)


def test_the_program_applies_a_model(program, folder, frame):
    sv.fit(frame, "plan.toml", seed="s").save("model")
    assert (folder / "model").stat().st_mode & 0o777 == 0o600
    expected = by_program(program, folder)
    program("apply", "table.csv", "--model", "model", "-o", "out.csv", "--quiet")
    assert by_program(program, folder) == expected


def test_another_table_needs_a_name_of_its_own(folder, frame):
    model = sv.fit(frame, "plan.toml", seed="s")
    other = frame.iloc[50:].reset_index(drop=True)
    with pytest.raises(sv.SemveilError) as caught:
        model.apply(other)
    assert isinstance(caught.value, sv.UsageError)
    assert len(model.apply(other, release="second").table) == 150


def test_bytes_are_a_model(folder, frame):
    model = sv.fit(frame, "plan.toml", seed="s")
    again = sv.Model.from_bytes(model.to_bytes(key=True))
    assert plain(again.apply(frame).table) == plain(model.apply(frame).table)
    with pytest.raises(sv.SemveilError):
        sv.Model.from_bytes(model.to_bytes(key=False)).apply(frame)


def test_a_model_is_not_pickled_and_is_its_own_copy(folder, frame):
    model = sv.fit(frame, "plan.toml", seed="s")
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(model)
    assert copy.copy(model) is copy.deepcopy(model) is model


def test_a_seed_is_shown_nowhere(folder, frame):
    secret = "quince-and-barley"
    release = sv.mask(frame, "plan.toml", seed=secret)
    shown = [repr(release), release._repr_html_(), str(release.steward().to_dict()), repr(release.model)]
    assert secret not in "".join(shown)
