"""semveil and persons with several rows: k, l and t count persons in every method that forms classes, by
a checker that knows nothing of semveil; whoever has one row is masked as if nobody had asked."""

import collections
import csv
import gzip
import io
import random

import pytest

import person_checker
from clinic import LEAVES, SECOND, as_csv, files, parsed
from conftest import DATA
from test_classes import AGE, CLASSING, MASK, RECODING, plan, prepare

PERSON = 'person = "patient"\n'
PATIENT = '\n[column.patient]\nrole = "identifier"\n'
QUASI = ["diagnosis", "second"]
OTHERS = {
    "noise": 'method = "noise"\nalpha = 0.5',
    "naive": 'method = "naive"',
    "swap": 'method = "swap"\nk = 5',
}


def sensitive(name, demand):
    return f'\n[column.{name}]\nrole = "sensitive"\ndemand = {demand}\n'


def several(count, persons, seed=1):
    """Rows of persons who mostly stay what they are: classes of rows are larger than of persons."""
    draw = random.Random(seed)
    usual = [(draw.choice(LEAVES), draw.choice(LEAVES), f"city {draw.randrange(5)}")
             for _ in range(persons)]
    out = []
    for i in range(count):
        who = i if i < persons else int(persons * draw.random() ** 2)
        first, second, city = usual[who]
        if draw.random() < 0.3:
            first = draw.choice(LEAVES)
        if draw.random() < 0.3:
            city = f"city {draw.randrange(5)}"
        out.append([f"p{who}", first, second, city, f"{draw.randrange(40)}"])
    return out


def checked(program, k, quasi=None, **more):
    program.ok(*MASK, "--quiet", "--seed", "s", "--row-map", "rows.csv")
    folder = program.folder
    return person_checker.check(
        person_checker.read(folder / "table.csv"), person_checker.read(folder / "out.csv"),
        person_checker.read_map(folder / "rows.csv"), person="patient", quasi=quasi or QUASI, k=k, **more)


@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("method", [*CLASSING, *RECODING])
def test_k_counts_persons(semveil, method, k):
    prepare(semveil, several(400, 90), plan(method, k, columns=SECOND + PATIENT, top=PERSON))
    assert checked(semveil, k, by_column=method in RECODING) == []
    semveil.write("plan.toml", plan(method, k, columns=SECOND + PATIENT))  # rows are not enough
    if method in ("fuse", "local", "microaggregate") and k > 2:
        assert checked(semveil, k) != []


@pytest.mark.parametrize("method", CLASSING)
@pytest.mark.parametrize("demand", [{"l": "3"}, {"l": "2.5", "kind": "entropy"},
                                    {"l": "2", "kind": "recursive", "c": "1.5"}, {"t": "0.45"}])
def test_demands_count_persons(semveil, method, demand):
    written = ", ".join(f'{key} = "{v}"' if key == "kind" else f"{key} = {v}"
                        for key, v in demand.items())
    prepare(semveil, several(300, 60, seed=3),
            plan(method, 3, columns=SECOND + PATIENT + sensitive("city", f"{{{written}}}"), top=PERSON))
    assert checked(semveil, 3, sensitive={"city": demand}) == []


@pytest.mark.parametrize("method", CLASSING)
def test_a_number_s_closeness_counts_persons(semveil, method):
    number = sensitive("note", "{t = 0.25}").replace("demand", 'type = "numeric"\ndemand')
    prepare(semveil, several(300, 60, seed=4),
            plan(method, 2, columns=SECOND + PATIENT + number, top=PERSON))
    assert checked(semveil, 2, sensitive={"note": {"t": "0.25", "numeric": True}}) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["fuse", "local", "suppressing", "microaggregate", "recoding"])
def test_generated_tables(semveil, method, seed):
    rows, persons, k = 60 + 70 * seed, 20 + 9 * seed, 2 + seed
    text = plan(method, k, columns=SECOND + PATIENT, top=PERSON + 'missing = "keep"\n')
    records = several(rows, persons, seed)
    for i in range(0, rows, 13):
        records[i][1 + i % 2] = ""
    prepare(semveil, records, text)
    if method == "recoding":  # a missing cell is no value of its own there
        assert checked(semveil, k, by_column=True) == []
    else:
        assert checked(semveil, k) == []


@pytest.mark.parametrize("method", [*CLASSING, *RECODING, *OTHERS])
def test_whoever_has_one_row_is_masked_alike(semveil, method):
    records = several(150, 40, seed=5)
    for i, record in enumerate(records):
        record[0] = f"q{(i * 7) % len(records)}"
    chosen = {**CLASSING, **RECODING, **OTHERS}[method]
    text = plan(method, 3, columns=SECOND + PATIENT + '\n[column.city]\nrole = "sensitive"\n'
                + ("demand = {l = 2}\n" if method in CLASSING else ""))
    if method in OTHERS:
        text = text.replace(f'{method}\nk = 3', chosen)
    prepare(semveil, records, text)
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    without = semveil.read("out.csv")
    semveil.write("plan.toml", PERSON + text)
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    assert semveil.read("out.csv") == without


def test_numbers_in_groups_count_persons(semveil):
    records = [r + [str(20 + 3 * i % 60)] for i, r in enumerate(several(300, 70))]
    prepare(semveil, records, plan("microaggregate", 4, columns=SECOND + AGE + PATIENT, top=PERSON),
            header="patient,diagnosis,second,city,note,age")
    assert checked(semveil, 4, quasi=[*QUASI, "age"]) == []


# ---- Missing persons ----------------------------------------------------------------------------

@pytest.mark.parametrize("text", ["", "NA"])
def test_a_record_without_a_person_is_refused(semveil, text):
    records = several(60, 20)
    records[7][0] = text
    top = PERSON + ('missing_values = ["NA"]\n' if text else "")
    prepare(semveil, records, plan("fuse", 2, columns=SECOND + PATIENT, top=top))
    said = semveil.fails(1, *MASK)
    assert "1 record has no person" in said and "patient" in said
    assert "out.csv" not in files(semveil)


def test_an_empty_text_is_no_person_either(semveil):
    records = several(60, 20)
    records[7][0] = ""
    prepare(semveil, records, plan("fuse", 2, columns=SECOND + PATIENT,
                                   top=PERSON + 'missing_values = ["NA"]\n'))
    assert "no person" in semveil.fails(1, *MASK)


def test_the_person_must_be_declared(semveil):
    prepare(semveil, several(60, 20), plan("fuse", 2, top=PERSON))
    assert "[column.patient]" in semveil.fails(1, *MASK)


def test_too_few_persons_are_told(semveil):
    prepare(semveil, several(60, 4), plan("fuse", 5, columns=SECOND + PATIENT, top=PERSON))
    assert "4 persons" in semveil.fails(3, *MASK)


# ---- Models -------------------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["fuse", "local", "suppressing", "microaggregate", "recode"])
def test_a_model_counts_persons_again(semveil, method):
    records = several(200, 50)
    prepare(semveil, records, plan(method, 3, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    apply = ["apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet"]
    semveil.ok(*apply)
    assert semveil.read("applied.csv") == semveil.read("out.csv")
    for record in records:  # the same cells, of one person
        record[0] = "p0"
    semveil.write("table.csv", as_csv(records))
    assert "persons" in semveil.fails(3, *apply)
    records[3][0] = ""
    semveil.write("table.csv", as_csv(records))
    assert "record 4 has no person" in semveil.fails(1, *apply)


# ---- Synthea ------------------------------------------------------------------------------------

def conditions():
    folder = DATA / "synthea" / "california-2202"
    if not (folder / "conditions.csv.gz").exists():
        pytest.skip("no Synthea")

    def table(name):
        with gzip.open(folder / name, "rt", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    people = {row["ID"]: row for row in table("patients.csv.gz")}
    return [{"patient": row["PATIENT"], "gender": people[row["PATIENT"]]["GENDER"],
             "race": people[row["PATIENT"]]["RACE"],
             "born": people[row["PATIENT"]]["BIRTHDATE"][:3] + "0",
             "year": row["START"][:4], "condition": row["DESCRIPTION"]}
            for row in table("conditions.csv.gz")]


def hierarchy(leaves, *levels):
    """Lines of child and parent: each level lifts what the one below gives; everything is on top."""
    lines, below = [], set(leaves)
    for level in (*levels, lambda _: "all"):
        above = {c: level(c) for c in below}
        lines += [f"{c},{p}" for c, p in sorted(above.items()) if c != p]
        below = set(above.values())
    return "child,parent\n" + "\n".join([*lines, "all,"]) + "\n"


def synthea(program, method, k, demand=""):
    records = conditions()
    out = io.StringIO()
    writer = csv.DictWriter(out, records[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    program.write("table.csv", out.getvalue())
    values = {c: {r[c] for r in records} for c in ("gender", "race", "born", "year")}
    ways = {"gender": [], "race": [], "born": [lambda v: f"about {int(v) // 50 * 50}"],
            "year": [lambda v: f"{v[:3]}s", lambda v: f"century {v[:2]}"]}
    text = PERSON + '[column.patient]\nrole = "identifier"\n'
    for column, way in ways.items():
        program.write(f"{column}.csv", hierarchy(values[column], *way))
        text += (f'[ontology.{column}]\nsource = "edges:{column}.csv"\n[column.{column}]\n'
                 f'role = "quasi-identifier"\nontology = "{column}"\nroot = "all"\n')
    text += f'[column.condition]\nrole = "sensitive"\n{demand}[mask]\n{method}\nk = {k}\n'
    program.write("plan.toml", text)
    return records


@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("method", ["fuse", "local", "full-domain", "suppressing", "microaggregate",
                                    *RECODING])
def test_synthea(semveil, method, k):
    said = {"l": "2"} if method in CLASSING else None
    records = synthea(semveil, {**CLASSING, **RECODING}[method], k,
                      "demand = {l = 2}\n" if said else "")
    assert len(records) == 20512 and len({r["patient"] for r in records}) == 986
    assert checked(semveil, k, quasi=["gender", "race", "born", "year"], by_column=method in RECODING,
                   sensitive={"condition": said} if said else None) == []
