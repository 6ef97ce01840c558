"""The ordinary figures of columns of numbers: exact, before and after, and what anybody may see of them."""

import re
import statistics

import pytest

from clinic import ONTOLOGY, LEAVES, parsed

AGES = [18 + (i * 37) % 61 + (i % 4) / 4 for i in range(120)]
PLAN = """
[ontology.disease]
source = "edges:disease.csv"

[column.diagnosis]
role = "quasi-identifier"
ontology = "disease"
root = "D"

[column.age]
role = "quasi-identifier"
type = "numeric"

[mask]
method = "swap"
k = 10
columns = ["diagnosis", "age"]
"""


@pytest.fixture
def ages(semveil):
    semveil.write("disease.csv", ONTOLOGY)
    semveil.write("plan.toml", PLAN)
    cells = [f"{LEAVES[i % 12]},{'' if i == 7 else age}" for i, age in enumerate(AGES)]
    semveil.write("table.csv", "diagnosis,age\n" + "\n".join(cells) + "\n")
    return semveil


def expected(cells):
    numbers = sorted(float(cell) for cell in cells if cell)
    def quantile(q):
        return next(x for x in numbers if sum(y <= x for y in numbers) >= q * len(numbers))
    return {"mean": pytest.approx(statistics.fmean(numbers)), "deviation": pytest.approx(statistics.stdev(numbers)),
            "min": numbers[0], "max": numbers[-1],
            "quantiles": {q: quantile(float(q)) for q in ("0.05", "0.25", "0.5", "0.75", "0.95")}}


def three_digits(x):
    """As reports write numbers."""
    return f"{x:#.3g}"


def test_a_description_tells_them(ages):
    columns = ages.json("describe", "table.csv", "--plan", "plan.toml")["columns"]
    assert columns["age"]["numeric"] == expected(parsed(ages.read("table.csv"))["age"])
    assert "numeric" not in columns["diagnosis"]
    text = ages.ok("describe", "table.csv", "--plan", "plan.toml")
    row = next(line.split() for line in text.splitlines() if line.split()[:1] == ["age"] and len(line.split()) == 10)
    assert float(row[3]) == min(AGES)


def test_a_summary_and_an_audit_tell_them_before_and_after(ages):
    told = ages.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s")["columns"]["age"]
    before, after = (expected(parsed(ages.read(name))["age"]) for name in ("table.csv", "out.csv"))
    assert (told["numeric_original"], told["numeric"]) == (before, after)
    audit = ("audit", "table.csv", "out.csv", "--plan", "plan.toml", *ages.in_order("table.csv"))
    told = ages.json(*audit, "--edition", "steward")["columns"]["age"]
    assert (told["numeric_original"], told["numeric_masked"]) == (before, after)


def test_anybody_sees_mean_and_deviation_of_the_original_with_three_digits(ages):
    ages.ok("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--quiet")
    audit = ("audit", "table.csv", "out.csv", "--plan", "plan.toml", *ages.in_order("table.csv"))
    exact = expected(parsed(ages.read("table.csv"))["age"])
    shown = ages.json(*audit)["columns"]["age"]["numeric_original"]
    assert not {"min", "max"} & set(shown) and not shown["quantiles"]
    for name in ("mean", "deviation"):
        assert shown[name] == float(f"{exact[name].expected:.3g}")
    for edition, sees in (("public", False), ("steward", True)):
        ages.ok(*audit, "--quiet", "--report", "r.html", "--edition", edition)
        numbers = ages.read("r.html").split("<h3>Numbers</h3>")[1].split("</table>")[0]
        before = numbers.split("before</span>")[1].split("</tr>")[0]
        cells = re.findall(r"<span>([^<]*)</span>", before)
        assert cells[:2] == [three_digits(exact[name].expected) for name in ("mean", "deviation")]
        secret = [exact["min"], *exact["quantiles"].values(), exact["max"]]
        assert cells[2:] == ([three_digits(x) for x in secret] if sees else ["–"] * 7)
