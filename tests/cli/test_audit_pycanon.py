"""Figures of classes on Adult against pyCANON, which finds them with pandas, record by record.

pyCANON 1.3.6 cuts the entropy's l off to a whole number, after a rounding that may be one too low,
and sorts the values of a class the wrong way round for its recursive c: of these two the classes are
pyCANON's, the definitions are written out here."""

import csv
import gzip

import pytest

from conftest import data_file

pandas = pytest.importorskip("pandas", reason="pandas is not installed: run scripts/setup")
numpy = pytest.importorskip("numpy", reason="numpy is not installed: run scripts/setup")
anonymity = pytest.importorskip("pycanon.anonymity", reason="pycanon is not installed: run scripts/setup")

COLUMNS = ["age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
           "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
           "native-country", "income"]
QUASI_IDENTIFIERS = [["sex", "race"], ["sex", "race", "marital-status"], ["income", "relationship"],
                     ["native-country"]]


@pytest.fixture(scope="module")
def adult():
    """The records without a missing cell."""
    with gzip.open(data_file("adult/adult.data.gz"), "rt") as file:
        rows = [line.strip().split(", ") for line in file if line.strip() and "?" not in line]
    table = pandas.DataFrame(rows, columns=COLUMNS)
    assert len(table) == 30162
    table["education-num"] = table["education-num"].astype(int)
    return table


def describe(program, table, quasi_identifiers, sensitive, more=""):
    table[quasi_identifiers + [sensitive]].to_csv(program.folder / "table.csv", index=False,
                                                  quoting=csv.QUOTE_MINIMAL)
    plan = "".join(f'[column.{name}]\nrole = "quasi-identifier"\n' for name in quasi_identifiers)
    program.write("plan.toml", plan + f'[column.{sensitive}]\nrole = "sensitive"\n' + more)
    return program.json("describe", "table.csv", "--plan", "plan.toml")["privacy"]


def counts_by_class(table, quasi_identifiers, sensitive):
    """Of each class that pyCANON finds, the records of each sensitive value, fewest first."""
    classes = anonymity.utils.aux_anonymity.get_equiv_class(table, quasi_identifiers)
    values = table[sensitive].to_numpy()
    return [numpy.sort(numpy.unique(values[members], return_counts=True)[1]) for members in classes]


def entropy_l(counts):
    shares = counts / counts.sum()
    return numpy.exp(-(shares * numpy.log(shares)).sum())


@pytest.mark.parametrize("sensitive", ["occupation", "education"])
@pytest.mark.parametrize("quasi_identifiers", QUASI_IDENTIFIERS, ids="+".join)
def test_figures_of_classes_are_those_of_pycanon(semveil, adult, quasi_identifiers, sensitive):
    if sensitive in quasi_identifiers:
        sensitive = "occupation"
    privacy = describe(semveil, adult, quasi_identifiers, sensitive)
    told = privacy["sensitive"][sensitive]
    assert privacy["k"] == anonymity.k_anonymity(adult, quasi_identifiers)
    assert told["l"] == anonymity.l_diversity(adult, quasi_identifiers, [sensitive])
    assert told["t"] == pytest.approx(anonymity.t_closeness(adult, quasi_identifiers, [sensitive]),
                                      abs=1e-12)
    classes = counts_by_class(adult, quasi_identifiers, sensitive)
    assert privacy["uniques"] == sum(counts.sum() == 1 for counts in classes)
    assert told["entropy_l"] == pytest.approx(min(map(entropy_l, classes)), abs=1e-9)
    cut_off = anonymity.entropy_l_diversity(adult, quasi_identifiers, [sensitive])
    assert cut_off <= told["entropy_l"] + 1e-9 and told["entropy_l"] < cut_off + 1 + 1e-9
    if told["l"] == 1:
        assert told["recursive_c"] is None
    else:
        c = max(counts[-1] / counts[:len(counts) - told["l"] + 1].sum() for counts in classes)
        assert told["recursive_c"] == pytest.approx(c, abs=1e-12)


def test_t_of_numbers_at_equal_steps_is_that_of_pycanon(semveil, adult):
    """pyCANON moves numbers by their ranks: equal steps are ranks. education-num is 1 … 16."""
    assert sorted(set(adult["education-num"])) == list(range(1, 17))
    for quasi_identifiers in (["sex", "race"], ["native-country"]):
        privacy = describe(semveil, adult, quasi_identifiers, "education-num", 'type = "numeric"\n')
        expected = anonymity.t_closeness(adult, quasi_identifiers, ["education-num"])
        assert privacy["sensitive"]["education-num"]["t"] == pytest.approx(expected, abs=1e-12)
