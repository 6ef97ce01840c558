"""A sensitive column of diagnoses in categories, for the tests of sets."""

import csv
import io

from clinic import ONTOLOGY, as_csv, parsed, rows

ONTOLOGY_PLAN = '[ontology.disease]\nsource = "edges:disease.csv"\n'
CATEGORIES = {
    "Flu": 0, "Cold": 0, "Measles": 0, "Mumps": 0, "Rabies": 0,  # nobody has rabies
    "Fracture": 1, "Burn": 1, "Sprain": 1, "Cut": 1,
    "Asthma": 2, "Diabetes": 2, "Gout": 2, "Arthritis": 2,
}
FILE = """# what is related
Flu, Cold,Measles , "Mumps", Rabies
Fracture,Burn,Sprain,Cut
Asthma,Diabetes,Gout,Arthritis
"""
PLAN = """
seed = "s"

[column.diagnosis]
role = "sensitive"

[column.city]
role = "quasi-identifier"

[mask]
method = "ean"
categories = "disease.categories"
"""
MASK = ["mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv"]


def prepare(program, text=PLAN, records=None, categories=FILE):
    program.write("disease.categories", categories)
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(rows(150) if records is None else records))
    program.write("plan.toml", text)
    return program


def masked(mask, column="", top=""):
    """The plan with another [mask], and more for the column."""
    head = PLAN.split("[mask]")[0].replace('role = "sensitive"\n', 'role = "sensitive"\n' + column)
    return top + head + "[mask]\n" + mask


def sets_of(program, name="out.csv", column="diagnosis", separator="|"):
    return [cell.split(separator) if cell else None for cell in parsed(program.read(name))[column]]


def truth(program, column="diagnosis"):
    return parsed(program.read("table.csv"))[column]


def csv_line(values):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


def cut(program, how, column="", **more):
    text = masked(f'method = "ean"\ncategories = {{ontology = "disease", {how}}}\n', column)
    return prepare(program, text.replace('seed = "s"', 'seed = "s"\n' + ONTOLOGY_PLAN), **more)
