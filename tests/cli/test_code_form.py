"""Codes of a classification: the form they come out in, and which of them may be drawn."""

import csv
import gzip
import random

import pytest

from clinic import parsed
from conftest import data_file

ICD9 = "icd9cm/icd9cm_tree.csv.gz"
ICD10 = "icd10cm/icd10cm_tabular_2021.xml.gz"
ICD10_ORDER = "icd10cm/icd10cm-order-Jan-2021.txt.gz"
RECORDS = 600


def dotted(code):
    """As ICD-9 is printed: categories under E have four characters."""
    category = 4 if code.startswith("E") else 3
    return code if len(code) <= category else code[:category] + "." + code[category:]


def icd9_nodes():
    with gzip.open(data_file(ICD9), "rt") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def nodes():
    return icd9_nodes()


def stays(codes, rare, count=RECORDS):
    """A generated column: most cells dotted, one in ten in another form."""
    draw = random.Random(20)
    cells = []
    for _ in range(count):
        code = draw.choice(codes)
        cells.append(rare(code) if draw.random() < 0.1 else dotted(code))
    return cells


def write(program, cells, source, method='method = "noise"\nalpha = 0.3', column=""):
    program.write("stays.csv", "dx,n\n" + "".join(f"{c},{i}\n" for i, c in enumerate(cells)))
    program.write("plan.toml", f'seed = "s"\n[ontology.icd]\nsource = "{source}"\n[column.dx]\n'
                               f'role = "quasi-identifier"\nontology = "icd"\n{column}\n[mask]\n{method}\n')


def masked(program, *more):
    program.ok("mask", "stays.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet", *more)
    return parsed(program.read("out.csv"))["dx"]


def plain(code):
    return code.replace(".", "").upper()


SWAP = 'method = "swap"\nk = 5'
METHODS = {
    "noise": 'method = "noise"\nalpha = 0.3',
    "swap": SWAP,
    "fuse": 'method = "fuse"\nk = 5',
    "microaggregate": 'method = "microaggregate"\nk = 5',
    "naive": 'method = "naive"',
}


@pytest.mark.parametrize("method", METHODS)
def test_icd9_codes_come_out_with_the_dot_that_most_cells_have(semveil, nodes, method):
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::90]
    cells = stays(codes, rare=lambda c: c)
    assert any("." not in c for c in cells) and sum("." in c for c in cells) > 0.8 * RECORDS
    write(semveil, cells, "icd9cm:" + data_file(ICD9), METHODS[method])
    out = masked(semveil)
    # Longer than its category, a code has its dot, changed or not.
    long = [c for c in out if len(plain(c)) > (4 if c.startswith("E") else 3)]
    assert len(long) > RECORDS / 4
    assert all(c == dotted(plain(c)) for c in long)
    assert len({plain(c) for c in out}) == len(set(out)), "one spelling per concept"
    # What comes out is understood as a code again, and by the audit.
    if method != "naive":  # whose columns are independent of the original
        audit = semveil.json("audit", "stays.csv", "out.csv", "--plan", "plan.toml")
        assert audit["columns"]["dx"]["rmse"] is not None
    semveil.write("back.csv", "dx,n\n" + "".join(f"{c},1\n" for c in sorted(set(out))))
    back = semveil.json("map", "back.csv", "--column", "dx", "--ontology", "icd9cm:" + data_file(ICD9))
    assert back["unmapped"] == 0 and all(len(v["senses"]) == 1 for v in back["values"])


def test_codes_without_dots_stay_without(semveil, nodes):
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::90]
    draw = random.Random(1)
    cells = [dotted(c) if draw.random() < 0.1 else c for c in draw.choices(codes, k=RECORDS)]
    write(semveil, cells, "icd9cm:" + data_file(ICD9), SWAP)
    assert not any("." in c for c in masked(semveil))


def test_a_swapped_code_does_not_carry_its_rare_spelling_along(semveil, nodes):
    """One hospital writes its own code without the dot: who finds it so elsewhere knows its origin."""
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::150]
    cells = [dotted(c) for c in codes * 4] + [codes[0] for _ in range(9)]  # codes[0]: mostly without
    write(semveil, cells, "icd9cm:" + data_file(ICD9), SWAP)
    out = masked(semveil)
    assert codes[0] not in out and dotted(codes[0]) in out


@pytest.mark.parametrize("method", ["noise", "swap"])
def test_icd10_codes_come_out_as_most_cells_write_them(semveil, method):
    with gzip.open(data_file(ICD10_ORDER), "rt") as file:
        codes = [line[6:14].strip() for line in file if line[14] == "1" and line[6] in "EIJ"][::40]
    draw = random.Random(3)
    # Most in small letters and without a dot, some as the classification writes them.
    cells = [c[:3] + "." + c[3:] if draw.random() < 0.2 and len(c) > 3 else c.lower()
             for c in draw.choices(codes, k=RECORDS)]
    write(semveil, cells, "icd10cm:" + data_file(ICD10), METHODS[method])
    out = masked(semveil)
    assert all(c == c.lower() and "." not in c for c in out)
    semveil.write("back.csv", "dx,n\n" + "".join(f"{c},1\n" for c in sorted(set(out))))
    back = semveil.json("map", "back.csv", "--column", "dx", "--ontology", "icd10cm:" + data_file(ICD10))
    assert back["unmapped"] == 0 and back["how"]["code"]["values"] == len(set(out)) - \
        back["how"]["id"]["values"]


def test_a_fitted_model_keeps_the_form(semveil, nodes):
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::90]
    write(semveil, stays(codes, rare=lambda c: c), "icd9cm:" + data_file(ICD9))
    semveil.ok("fit", "stays.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    semveil.ok("apply", "stays.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert parsed(semveil.read("applied.csv"))["dx"] == masked(semveil)


# ---- Which concepts may be drawn ----------------------------------------------------------------

@pytest.mark.parametrize("method", ['method = "noise"\nalpha = 0.3', 'method = "microaggregate"\nk = 150'])
def test_headings_are_not_drawn_unless_asked_for(semveil, nodes, method):
    headings = {n["node_id"] for n in nodes if n["level"] in ("root", "chapter", "sub_chapter")}
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::90]
    cells = stays(codes, rare=lambda c: c)
    source = "icd9cm:" + data_file(ICD9)
    write(semveil, cells, source, method, 'candidates = "all"')
    before = sum(c in headings for c in masked(semveil))
    assert before > 0, "the case is one in which headings would be drawn"
    write(semveil, cells, source, method)
    assert sum(c in headings for c in masked(semveil)) == 0
    write(semveil, cells, source, method, 'candidates = "codes"')
    explicit = masked(semveil)
    assert sum(c in headings for c in explicit) == 0


def test_the_summary_tells_how_many_concepts_may_be_drawn(semveil, nodes):
    headings = sum(n["level"] in ("root", "chapter", "sub_chapter") for n in nodes)
    codes = [n["node_id"] for n in nodes if n["level"] == "subclassification"][::90]
    write(semveil, stays(codes, rare=lambda c: c), "icd9cm:" + data_file(ICD9), column='root = "ICD9CM"')
    text = semveil.ok("mask", "stays.csv", "--plan", "plan.toml", "-o", "out.csv")
    line = next(line for line in text.splitlines() if line.startswith("  drawn from"))
    assert f"{len(nodes) - headings:,} of {len(nodes):,} concepts of the domain" in line
    domain = semveil.json("mask", "stays.csv", "--plan", "plan.toml", "-o", "out.csv")["columns"]["dx"]["domain"]
    assert (domain["concepts"], domain["candidates"], domain["headings"]) == (
        len(nodes), len(nodes) - headings, headings)
    write(semveil, stays(codes, rare=lambda c: c), "icd9cm:" + data_file(ICD9),
          column='root = "ICD9CM"\ncandidates = "all"')
    assert "drawn from" not in semveil.ok("mask", "stays.csv", "--plan", "plan.toml", "-o", "out.csv")


SMALL = """node_id,parent_id,level,label
ICD9CM,,root,ICD-9-CM diagnoses
CH01,ICD9CM,chapter,Infections
SC001,CH01,sub_chapter,Intestinal infections
001,SC001,category,Cholera
0010,001,subcategory,Cholera due to vibrio cholerae
0011,001,subcategory,Cholera el tor
002,SC001,category,Typhoid
0020,002,subcategory,Typhoid fever
SC002,CH01,sub_chapter,Tuberculosis
010,SC002,category,Primary tuberculosis
0100,010,subcategory,Primary complex
"""


def small(program, cells, column="", method="method = \"noise\"\nalpha = 1"):
    program.write("small.csv", SMALL)
    write(program, cells, "icd9cm:small.csv", method, column)


def test_generalize_still_reaches_headings(semveil):
    small(semveil, ["001.0", "001.1", "002.0", "010.0"], method='method = "generalize"\nk = 4')
    assert set(masked(semveil)) == {"CH01"}


def test_distances_do_not_change_with_the_candidates(semveil):
    figures = []
    for column in ("", 'candidates = "all"'):
        small(semveil, ["001.0", "001.1", "002.0", "010.0"] * 10, column)
        described = semveil.json("describe", "stays.csv", "--plan", "plan.toml")["columns"]["dx"]
        figures.append((described["variance"], described["mean"], described["domain"]["max_depth"]))
    assert figures[0] == figures[1]


def test_a_column_of_headings_draws_headings(semveil):
    small(semveil, ["SC001", "SC002", "CH01"] * 20, 'root = "ICD9CM"')
    out = masked(semveil)
    assert set(out) & {"SC001", "SC002", "CH01", "ICD9CM"}
    assert "candidates" not in semveil.json("describe", "stays.csv", "--plan", "plan.toml")[
        "columns"]["dx"]["domain"]


def test_codes_asked_of_an_ontology_that_is_no_classification_are_an_error(semveil):
    semveil.write("table.csv", "dx,n\nski,1\nread,2\n")
    semveil.write("plan.toml", '[ontology.o]\nsource = "edges:hobbies.csv"\n[column.dx]\n'
                               'role = "quasi-identifier"\nontology = "o"\ncandidates = "codes"\n'
                               '[mask]\nmethod = "noise"\nalpha = 1\n')
    message = semveil.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "candidates" in message and "classification" in message and "'dx'" in message
    semveil.write("plan.toml", semveil.read("plan.toml").replace('"codes"', '"code"'))
    message = semveil.fails(1, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv")
    assert "codes" in message and "all" in message


def test_a_snapshot_and_a_model_know_headings(semveil):
    small(semveil, ["001.0", "001.1", "002.0", "010.0"] * 10, 'root = "ICD9CM"')
    expected = masked(semveil)
    assert not set(expected) & {"SC001", "SC002", "CH01", "ICD9CM"}
    semveil.ok("ontology", "snapshot", "icd9cm:small.csv", "-o", "small.svo", "--quiet")
    semveil.write("plan.toml", semveil.read("plan.toml").replace("icd9cm:small.csv", "small.svo"))
    assert masked(semveil) == expected
    semveil.ok("fit", "stays.csv", "--plan", "plan.toml", "-o", "m.model", "--quiet")
    semveil.ok("apply", "stays.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert parsed(semveil.read("applied.csv"))["dx"] == expected
