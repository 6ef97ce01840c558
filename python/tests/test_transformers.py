"""The methods as transformers: scikit-learn's own checks, and what is semveil's."""

import copy
import functools
import pickle

import numpy
import pandas
import polars
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import semveil as sv
from clinic import LEAVES
from semveil import transformers

CLASSES = transformers.CLASSES
KEYS = {
    "Noise": {"alpha": 0.5}, "Swap": {"k": 3}, "Fuse": {"k": 2}, "Recode": {"k": 2}, "Microaggregate": {"k": 2},
    "Generalize": {"k": 2}, "Ean": {"categories": {"ontology": "ontology 1", "depth": 2}, "l": 2}, "Naive": {},
    "Probabilistic": {}, "RandomSwap": {}, "DistributionalSwap": {"k": 3}, "An": {"l": 2}, "Round": {"base": 2},
    "Code": {"top": 2}, "Level": {"level": 1},
}


@pytest.fixture(autouse=True)
def in_folder(folder):
    return folder


@pytest.fixture
def frame():
    return pandas.DataFrame({"diagnosis": [LEAVES[i * i % len(LEAVES)] for i in range(120)],
                             "second": [LEAVES[i % len(LEAVES)] for i in range(120)]})


def test_every_method_has_its_keys_here():
    assert sorted(KEYS) == sorted(CLASSES)


# ---- scikit-learn's checks ----------------------------------------------------------------------

# The checks' tables are numbers. Here they mean values of a small hierarchy, and come back as numbers.
VALUES = numpy.array(LEAVES, dtype=object)
PLACES = {name: float(i) for i, name in enumerate(sorted({n for n in LEAVES} | {"Infection", "Injury", "Disease",
                                                                                "Chronic disease"}))}


def as_texts(numbers):
    places = numpy.floor(numpy.nan_to_num(numpy.abs(numpy.asarray(numbers, dtype=float))) * 7).astype(int)
    return VALUES[places % len(VALUES)]


def as_numbers(masked):
    return numpy.vectorize(lambda cell: PLACES.get(str(cell).split("|")[0], 0.0), otypes=[float])(masked)


@functools.cache
def checked_class(cls):
    class Checked(cls):
        def _table(self, X):
            if transformers._is_frame(X):
                X = pandas.DataFrame(as_texts(X), columns=X.columns, index=X.index)
            else:
                X = as_texts(X)
            return super()._table(X)

        def transform(self, X):
            return as_numbers(super().transform(X))

    Checked.__name__ = Checked.__qualname__ = f"Checked{cls.__name__}"
    return Checked


ONTOLOGY_FILE = "edges:disease.csv"
EXPECTED = {
    "check_estimators_pickle": "a fitted transformer holds its key and does not leave the process",
    "check_methods_sample_order_invariance": "what comes out depends on the row a value stands in",
    "check_methods_subset_invariance": "another table is another release, with errors of its own",
}


def expected_failures(estimator):
    about = estimator._about
    out = dict(EXPECTED)
    if not (about["draws_per_cell"] or about["deals"]):
        del out["check_methods_sample_order_invariance"]
    if about["recodes"]:
        del out["check_methods_subset_invariance"]
    if about["looks_up"] or about["deals"]:
        out["check_fit_idempotent"] = "a table other than the fitted one is refused"
    return out


def checked(names):
    return [checked_class(CLASSES[name])(ontology=ONTOLOGY_FILE, seed="s", **KEYS[name]) for name in names]


# One of each shape, then the others. Recodings of numbers have nothing to do with hierarchies.
FIRST = ["Noise", "Swap", "Fuse", "Ean"]
OTHERS = [name for name in CLASSES if name not in (*FIRST, "Round", "Code")]


@parametrize_with_checks(checked(FIRST), expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@parametrize_with_checks(checked(OTHERS), expected_failed_checks=expected_failures)
def test_scikit_learn_checks_of_the_others(estimator, check):
    check(estimator)


# ---- Ours ---------------------------------------------------------------------------------------

def test_the_fitted_table_is_masked_as_mask_does(frame):
    plan = {"ontology": {"d": "edges:disease.csv"},
            "column": {name: {"role": "quasi-identifier", "ontology": "d"} for name in frame},
            "mask": {"method": "noise", "alpha": 0.5, "correlated": True}}
    expected = sv.mask(frame, plan, seed="s").table
    noise = sv.Noise(alpha=0.5, correlated=True, ontology="edges:disease.csv", seed="s")
    pandas.testing.assert_frame_equal(noise.fit_transform(frame), expected)
    pandas.testing.assert_frame_equal(noise.transform(frame), expected)
    masked = noise.transform(polars.from_pandas(frame))
    assert isinstance(masked, polars.DataFrame)
    assert masked["second"].to_list() == expected["second"].tolist()
    assert (noise.fit_transform(frame.to_numpy(dtype=object)) == noise.transform(frame.to_numpy(dtype=object))).all()


def test_two_other_tables_share_no_errors(frame):
    noise = sv.Noise(alpha=2, ontology="edges:disease.csv", seed="s").fit(frame)
    one, two = frame.iloc[:60].reset_index(drop=True), frame.iloc[60:].reset_index(drop=True)
    other = one.copy()
    other.loc[59, "second"] = two.loc[0, "second"] if two.loc[0, "second"] != one.loc[59, "second"] else "Gout"
    first, second = noise.transform(one), noise.transform(other)
    assert not first.equals(second)
    pandas.testing.assert_frame_equal(first, noise.transform(one))


@pytest.mark.parametrize("name", ["Swap", "Fuse", "RandomSwap", "Generalize"])
def test_what_looks_up_or_deals_out_refuses_other_tables(frame, name):
    masking = CLASSES[name](ontology="edges:disease.csv", **KEYS[name]).fit(frame)
    masking.transform(frame)
    with pytest.raises(sv.GuaranteeError):
        masking.transform(frame.iloc[:50])


def test_look_ups_mask_other_tables_that_hold_what_was_promised(frame):
    fuse = sv.Fuse(k=2, ontology="edges:disease.csv", recheck=True).fit(frame)
    twice = pandas.concat([frame, frame], ignore_index=True)
    assert len(fuse.transform(twice)) == 240


def test_sets_come_out_as_columns_with_names(frame):
    ean = sv.Ean(l=2, categories={"ontology": "ontology 1", "depth": 2}, output="columns",
                 ontology="edges:disease.csv", columns={"second": {"role": "other"}})
    out = ean.fit_transform(frame)
    assert list(out.columns) == list(ean.get_feature_names_out()) == ["diagnosis_1", "diagnosis_2", "second"]


def test_inside_a_pipeline_a_column_transformer_and_a_cross_validation(frame):
    y = numpy.arange(120) % 2
    masked = ColumnTransformer([("masked", sv.Noise(alpha=0.3, ontology="edges:disease.csv", seed="s"),
                                 ["diagnosis", "second"])], verbose_feature_names_out=False)
    masked.set_output(transform="pandas")
    assert list(masked.fit_transform(frame).columns) == ["diagnosis", "second"]
    pipeline = make_pipeline(masked, OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    assert len(cross_val_score(pipeline, frame, y, cv=3)) == 3


def test_output_is_chosen(frame):
    noise = sv.Noise(alpha=0.3, ontology="edges:disease.csv").set_output(transform="polars")
    assert isinstance(noise.fit_transform(frame), polars.DataFrame)


def test_numbers_need_no_ontology():
    ages = numpy.array([[20.0, 1], [30, 2], [40, 3], [50, 4]] * 30)
    out = sv.Microaggregate(k=3).fit_transform(ages)
    assert out.shape == ages.shape and out.dtype == ages.dtype
    assert (numpy.unique(out, axis=0, return_counts=True)[1] >= 3).all()


def test_parameters_are_the_methods_keys(frame):
    noise = sv.Noise(alpha=0.3)
    assert noise.get_params()["reference"] == "mean"
    assert clone(noise.set_params(alpha=0.7)).alpha == 0.7
    with pytest.raises(TypeError):
        sv.Noise(beta=1)
    with pytest.raises(sv.PlanError, match="alpha"):
        sv.Noise(ontology="edges:disease.csv").fit(frame)
    with pytest.raises(sv.PlanError, match="third"):
        sv.Noise(alpha=1, ontology={"third": "edges:disease.csv"}).fit(frame)


def test_secrets_stay(frame):
    noise = sv.Noise(alpha=0.3, ontology="edges:disease.csv", seed="quince-and-barley")
    assert "quince" not in repr(noise)
    assert pickle.loads(pickle.dumps(noise)).alpha == 0.3
    noise.fit(frame)
    assert "quince" not in repr(noise)
    with pytest.raises(TypeError, match="key"):
        pickle.dumps(noise)
    assert copy.deepcopy(noise) is noise
