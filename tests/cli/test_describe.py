"""semveil describe and advise: what a table says before anything is masked."""

import pytest

from clinic import (IDS, LABELS, PLAN, SECOND, class_sizes, distance_covariance, mask, mean, parsed,
                    prepare, variance)

KEYS = {"distinct", "missing", "unmapped", "mean", "variance", "distance_variance", "domain"}


@pytest.fixture
def clinic(semveil):
    return prepare(semveil, 120, PLAN + SECOND)


def describe(program, *more):
    return program.json("describe", "table.csv", "--plan", "plan.toml", *more)


def test_figures_are_those_of_the_slow_way(clinic):
    result = describe(clinic)
    table = parsed(clinic.read("table.csv"))
    columns = {name: [IDS[v] for v in table[name]] for name in ("diagnosis", "second")}
    assert result["records"] == 120 and list(result["columns"]) == ["diagnosis", "second"]
    for name, values in columns.items():
        told = result["columns"][name]
        assert told.keys() >= KEYS
        assert (told["distinct"], told["missing"], told["unmapped"]) == (len(set(values)), 0, 0)
        assert told["mean"] == {"id": mean(values), "label": LABELS[mean(values)]}
        assert told["variance"] == pytest.approx(variance(values), abs=1e-12)
        assert told["distance_variance"] == pytest.approx(distance_covariance(values, values), abs=1e-12)
        assert told["domain"] == {"root": {"id": "D", "label": "Disease"}, "concepts": 16, "max_depth": 3,
                                  "measure": "wu-palmer"}
    (pair,) = result["pairs"]
    covariance = distance_covariance(columns["diagnosis"], columns["second"])
    scale = (distance_covariance(columns["diagnosis"], columns["diagnosis"]) *
             distance_covariance(columns["second"], columns["second"])) ** 0.5
    assert (pair["a"], pair["b"]) == ("diagnosis", "second")
    assert pair["distance_covariance"] == pytest.approx(covariance, abs=1e-12)
    assert pair["distance_correlation"] == pytest.approx(covariance / scale, abs=1e-12)
    sizes = class_sizes(columns["diagnosis"], columns["second"])
    assert result["classes"] == {"count": len(sizes), "smallest": sizes[0], "uniques": sizes.count(1)}
    assert "privacy" not in result


def test_numbers_have_full_precision(clinic):
    text = clinic.ok("describe", "table.csv", "--plan", "plan.toml", "--json")
    told = describe(clinic)["columns"]["diagnosis"]["variance"]
    assert repr(told) in text and len(repr(told)) > 10


def test_neither_an_ontology_nor_a_mask_is_needed(clinic):
    clinic.write("plan.toml", '[column.city]\n[column.note]\nrole = "other"\n')
    result = describe(clinic)
    assert list(result["columns"]) == ["city", "note"] and result["pairs"] == []
    city = result["columns"]["city"]
    assert (city["distinct"], city["missing"]) == (5, 0)
    assert all(city[key] is None for key in KEYS - {"distinct", "missing"})
    assert result["classes"] == {"count": None, "smallest": None, "uniques": None}


def test_texts_without_an_ontology_form_classes_too(clinic):
    clinic.write("plan.toml", '[column.city]\nrole = "quasi-identifier"\n')
    assert describe(clinic)["classes"] == {"count": 5, "smallest": 24, "uniques": 0}


def test_a_sensitive_column_adds_what_classes_tell_of_it(clinic):
    clinic.write("plan.toml", '[column.city]\nrole = "quasi-identifier"\n[column.patient]\n'
                 'role = "sensitive"\n')
    clinic.write("table.csv", "city,patient\na,x\na,x\na,y\na,y\nb,x\nb,z\nb,z\nb,z\n")
    privacy = describe(clinic)["privacy"]
    assert privacy.keys() == {"k", "uniques", "sensitive"} and (privacy["k"], privacy["uniques"]) == (4, 0)
    told = privacy["sensitive"]["patient"]
    assert told.keys() == {"l", "entropy_l", "recursive_c", "t"} and told["l"] == 2
    assert told["entropy_l"] == pytest.approx(1.7547653506)  # exp of the entropy of 1/4, 3/4
    assert told["recursive_c"] == pytest.approx(3)           # 3 records over 1
    assert told["t"] == pytest.approx(3 / 8)  # (1/2, 1/2, 0) and (1/4, 0, 3/4) to (3/8, 2/8, 3/8)


def test_t_moves_concepts_by_their_distance_and_numbers_by_their_range(clinic):
    clinic.write("table.csv", "city,diagnosis,x\na,Flu,0\na,Cold,0\nb,Flu,5\nb,Burn,10\n")
    head = '[ontology.disease]\nsource = "edges:disease.csv"\n[column.city]\nrole = "quasi-identifier"\n'
    clinic.write("plan.toml", head + '[column.diagnosis]\nrole = "sensitive"\nontology = "disease"\n'
                 'root = "D"\n[column.x]\nrole = "sensitive"\ntype = "numeric"\n')
    told = describe(clinic)["privacy"]["sensitive"]
    # The whole is Flu 1/2, Cold 1/4, Burn 1/4. From b (Flu 1/2, Burn 1/2) a quarter goes from Burn to
    # Cold, 1 - 2/6 apart; from a (Flu 1/2, Cold 1/2) one from Cold to Burn.
    assert told["diagnosis"]["t"] == pytest.approx(1 / 4 * 2 / 3)
    # The whole is 0 twice, 5, 10. From a, 5 of 10 and 10 of 10 for a quarter each; b the same.
    assert told["x"]["t"] == pytest.approx(3 / 8)


def test_t_has_values_that_are_not_mapped_at_one_from_all_others(clinic):
    clinic.write("table.csv", "city,diagnosis\na,Flu\na,Flu\nb,Cold\nb,qqqq\n")
    clinic.write("plan.toml", '[ontology.disease]\nsource = "edges:disease.csv"\n[column.city]\n'
                 'role = "quasi-identifier"\n[column.diagnosis]\nrole = "sensitive"\n'
                 'ontology = "disease"\nroot = "D"\n')
    # From Flu alone: a quarter to Cold, 1 - 4/6 apart, a quarter to what is not mapped.
    assert describe(clinic)["privacy"]["sensitive"]["diagnosis"]["t"] == pytest.approx(1 / 4 / 3 + 1 / 4)


def test_a_class_of_one_value_has_no_recursive_c(clinic):
    clinic.write("plan.toml", '[column.city]\nrole = "quasi-identifier"\n[column.patient]\n'
                 'role = "sensitive"\n')
    clinic.write("table.csv", "city,patient\na,x\na,x\nb,x\nb,y\n")
    told = describe(clinic)["privacy"]["sensitive"]["patient"]
    assert (told["l"], told["recursive_c"]) == (1, None)


@pytest.mark.parametrize("rule, smallest", [("keep", 1), ("category", 1), ("wildcard", 2)])
def test_the_rule_for_missing_cells_is_used_and_named(clinic, rule, smallest):
    clinic.write("plan.toml", f'missing = "{rule}"\n[column.city]\nrole = "quasi-identifier"\n')
    clinic.write("table.csv", "city,x\na,1\n,2\na,3\na,4\nb,5\n")
    result = describe(clinic)
    assert result["missing_rule"] == rule and result["columns"]["city"]["missing"] == 1
    assert result["classes"]["smallest"] == smallest
    assert f"{rule}: " in clinic.ok("describe", "table.csv", "--plan", "plan.toml")


def test_unmapped_values_are_counted_and_no_failure(clinic):
    clinic.write("table.csv", "diagnosis,second\nFlu,Cold\nwarp core,Cold\nwarp core,\n")
    result = describe(clinic)
    assert result["columns"]["diagnosis"]["unmapped"] == 2
    assert result["columns"]["second"]["missing"] == 1


def test_a_table_without_records_has_figures_that_are_null(clinic):
    clinic.write("table.csv", "diagnosis,second\n")
    result = describe(clinic)
    assert result["records"] == 0
    told = result["columns"]["diagnosis"]
    assert told["distinct"] == 0 and told["mean"] is None and told["variance"] is None


def test_people_get_aligned_tables(clinic):
    text = clinic.ok("describe", "table.csv", "--plan", "plan.toml")
    assert "\ntable.csv: 120 records\n" in text and "keep: missing cells stay missing" in text
    words = [line.split() for line in text.splitlines()]
    assert ["diagnosis", "quasi-identifier", "12", "0", "0"] in words
    assert ["diagnosis", "Disease", "(D)", "16", "3", "wu-palmer"] in words
    assert max(map(len, text.splitlines())) <= 100
    correlation = describe(clinic)["pairs"][0]["distance_correlation"]
    assert ["diagnosis", "1", f"{correlation:.4f}"] in words
    assert ["second", f"{correlation:.4f}", "1"] in words


def test_the_number_of_threads_changes_no_byte(clinic):
    outputs = {clinic.ok("describe", "table.csv", "--plan", "plan.toml", "--json", *more)
               for more in ([], ["--threads", "2"], ["--threads", "7", "--batch-rows", "3"])}
    assert len(outputs) == 1


def test_a_table_may_come_from_a_pipe(clinic):
    whole = describe(clinic)
    assert clinic.json("describe", "-", "--plan", "plan.toml", stdin=clinic.read("table.csv")) == whole


def test_an_ontology_may_be_given_to_a_plan_without_one(clinic):
    clinic.write("plan.toml", '[column.diagnosis]\nrole = "quasi-identifier"\n[column.city]\n')
    result = describe(clinic, "--ontology", "edges:disease.csv")
    assert result["columns"]["diagnosis"]["mean"]["id"] and result["columns"]["city"]["mean"] is None
    clinic.write("plan.toml", "[column.city]\n")
    message = clinic.fails(2, "describe", "table.csv", "--plan", "plan.toml", "--ontology",
                           "edges:disease.csv")
    assert "--ontology" in message and "plan.toml" in message


# ---- advise -------------------------------------------------------------------------------------

def advise(program, *more):
    return program.json("advise", "table.csv", "--plan", "plan.toml", *more)


TWO_DOMAINS = PLAN.replace('"D"', '"D1"') + SECOND.replace('"D"', '"D2"')


@pytest.mark.parametrize("plan, keep, correlated, reference", [
    (PLAN, "means", False, "mean"),
    (PLAN, "correlation", False, "mean"),
    (PLAN + SECOND, "means", True, "mean"),
    (PLAN + SECOND, "correlation", True, "pair"),
    (TWO_DOMAINS, "means", True, "mean"),
    (TWO_DOMAINS, "correlation", True, "root"),
], ids=["one column", "one column, correlation", "two, means", "two, correlation", "two domains",
        "two domains, correlation"])
def test_what_the_framework_paper_advises_is_tried(clinic, plan, keep, correlated, reference):
    if plan == TWO_DOMAINS:
        clinic.write("table.csv", "diagnosis,second\n" + "Flu,Burn\nCold,Cut\nMumps,Burn\n" * 20)
    clinic.write("plan.toml", plan)
    result = advise(clinic, "--keep", keep)
    assert result["keep"] == keep
    tried = [a for a in result["advice"] + result["passed_over"] if a["method"] == "noise"
             and (a["parameters"]["correlated"], a["parameters"]["reference"]) == (correlated, reference)]
    assert len(tried) == 1 and tried[0]["why"] and tried[0]["trial"]["label"]


def test_what_stands_in_the_way_of_every_trial_is_an_error(clinic):
    clinic.write("plan.toml", PLAN + SECOND.replace('"D"', '"D1"'))  # injuries mean nothing there
    assert "second" in clinic.fails(1, "advise", "table.csv", "--plan", "plan.toml")


def test_the_advised_block_can_be_pasted_into_the_plan(clinic):
    columns = PLAN[: PLAN.index("[mask]")] + SECOND
    clinic.write("plan.toml", columns)
    block = advise(clinic, "--keep", "correlation")["advice"][0]["mask"]
    text = clinic.ok("advise", "table.csv", "--plan", "plan.toml", "--keep", "correlation")
    assert block.startswith("[mask]\n") and block in text
    clinic.write("plan.toml", columns + block)
    result = clinic.json("mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    advised = advise(clinic, "--keep", "correlation")
    assert result["method"] == advised["advice"][0]["method"]


def test_without_anything_to_mask_there_is_no_advice(clinic):
    clinic.write("plan.toml", "[column.city]\n")
    assert "ontology" in clinic.fails(1, "advise", "table.csv", "--plan", "plan.toml")


def test_a_released_table_is_described_without_the_identifiers_it_lost(clinic):
    clinic.write("plan.toml", PLAN + SECOND + '[column.patient]\nrole = "identifier"\n')
    mask(clinic)
    found = clinic.json("describe", "out.csv", "--plan", "plan.toml")
    assert list(found["columns"]) == ["diagnosis", "second"]
    clinic.write("plan.toml", PLAN + SECOND + '[column.doctor]\nrole = "sensitive"\n')
    assert "'doctor'" in clinic.fails(1, "describe", "out.csv", "--plan", "plan.toml")
