"""semveil plan: a proposal is a plan that can be read and masks, gives a reason for every line and quotes no
cell; --check says in sentences what a plan does."""

import itertools
import random
import stat

import pytest

from conftest import PROJECT

PLACES = """child,parent
Ahrn,North
Bree,North
Cott,South
Dunn,South
North,Realm
South,Realm
"""


def visits(persons=60, seed=1):
    """Persons with several visits: a key, a name, a date, a town, an age, codes and a marker."""
    dice = random.Random(seed)
    lines = ["patient,name,visit_date,town,age,diagnosis_code,weight,remark"]
    for person in range(persons):
        town, age = dice.choice(["Ahrn", "Bree", "Cott", "Dunn"]), dice.randint(20, 80)
        for _ in range(dice.randint(1, 4)):
            day = f"2024-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
            code = dice.choice(["E11.9", "I10", "J45.0", "M54.5", "F32.9", "N18.3"])
            shown_age = dice.choice([age, age, age, "?"])
            lines.append(f"P{person:04},Surname{person},{day},{town},{shown_age},{code},"
                         f"{dice.randint(1, 900) / 10},secretword{dice.randint(1, 9)}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def clinic(semveil):
    semveil.write("visits.csv", visits())
    semveil.write("places.csv", PLACES)
    return semveil


def proposed(program, *more):
    return program.json("plan", "visits.csv", "--ontology", "places=edges:places.csv", "--no-cache", *more)


def columns(found):
    return {column["name"]: column for column in found["columns"]}


def test_roles_types_and_ontologies_have_reasons(clinic):
    found = columns(proposed(clinic))
    roles = {name: column["role"] for name, column in found.items()}
    assert roles == {"patient": "identifier", "name": "identifier", "visit_date": "quasi-identifier",
                     "town": "quasi-identifier", "age": "quasi-identifier", "diagnosis_code": "sensitive",
                     "weight": "sensitive", "remark": "sensitive"}
    kinds = {name: column["kind"] for name, column in found.items()}
    assert kinds["visit_date"] == "date" and kinds["age"] == "numeric" and kinds["diagnosis_code"] == "icd-10"
    assert found["diagnosis_code"]["type"] == "nominal" and found["diagnosis_code"]["wanted"] == "icd-10"
    assert all(column["role_why"] and column["kind_why"] for column in found.values())
    town = found["town"]["ontology"]
    assert (town["ontology"], town["root"], town["values"]) == ("places", "Realm", 4)
    assert all(column["ontology"] is None for name, column in found.items() if name != "town")


def test_markers_and_persons_are_found(clinic):
    found = proposed(clinic)
    assert [(m["text"], m["columns"], m["proposed"]) for m in found["missing_markers"]] == [("?", ["age"], True)]
    assert 'missing_values = ["", "?"]' in found["plan"]
    assert (found["person"]["column"], found["person"]["persons"]) == ("patient", 60)
    assert found["uniques"]["persons"] == 60
    assert set(found["uniques"]["quasi_identifiers"]) == {"visit_date", "town", "age"}
    assert found["uniques"]["largest"] == 2


def test_classes_are_said_to_be_of_persons_where_these_are_counted(clinic):
    written = " ".join(proposed(clinic)["plan"].replace("#", "").split())
    assert 'person = "patient"' in written
    assert "with those of at least 4 other persons" in written and "at least 4 others" not in written


def test_a_marker_that_is_a_value_elsewhere_is_left_to_a_person(semveil):
    rows = "".join(f"{i % 7},{'NA' if i % 3 else 'SA'}{i % 5}\n" for i in range(40))
    semveil.write("t.csv", "children,label\nX,X\nX,Y\n" + rows)
    marker, = semveil.json("plan", "t.csv", "--no-cache")["missing_markers"]
    assert (marker["text"], marker["proposed"]) == ("X", False)


@pytest.mark.parametrize("marker, others", [
    ("-9", ["0", "3", "12"]), ("N", ["1", "2", "7"]), ("99", ["cat", "dog", "lion"]), ("NULL", ["a", "b"]),
    (" ", ["a", "b"]), ("n/a", ["3.5", "2.5"])])
def test_markers_are_known_by_their_company(semveil, marker, others):
    semveil.write("t.csv", "x\n" + "".join(f"{cell}\n" for cell in [marker, *others] * 9))
    found, = semveil.json("plan", "t.csv", "--no-cache", "--no-method")["missing_markers"]
    assert (found["text"], found["cells"], found["proposed"]) == (marker, 9, True)


@pytest.mark.parametrize("cells", [["-3", "-9", "4"], ["90+", "1", "2"], ["99", "7", "cat", "dog", "cow"],
                                   ["NA", "DE", "FR", "US", "GB", "IT", "ES"]])
def test_values_are_no_markers(semveil, cells):
    semveil.write("t.csv", "x\n" + "".join(f"{cell}\n" for cell in cells * 9))
    assert semveil.json("plan", "t.csv", "--no-cache", "--no-method")["missing_markers"] == []


def test_minimal_uniques_are_those_of_persons(clinic):
    """Counted again, by persons: alone in one of their rows, and by no part of the set."""
    found = proposed(clinic, "--no-method")["uniques"]
    header, *rows = [line.split(",") for line in clinic.read("visits.csv").splitlines()]
    places = [header.index(name) for name in found["quasi_identifiers"]]

    def alone(columns):
        owners = {}
        for row in rows:
            owners.setdefault(tuple(row[c] for c in columns), set()).add(row[0])
        return {next(iter(persons)) for persons in owners.values() if len(persons) == 1}

    wanted = {}
    for size in (1, 2):
        for columns in itertools.combinations(places, size):
            parts = [alone(part) for part in itertools.combinations(columns, size - 1) if part]
            if minimal := alone(columns).difference(*parts):
                wanted[frozenset(header[c] for c in columns)] = len(minimal)
    assert {frozenset(entry["columns"]): entry["persons"] for entry in found["sets"]} == wanted
    assert wanted


def test_two_columns_of_one_name_are_refused(semveil):
    semveil.write("t.csv", "a,a\n1,2\n")
    assert "called 'a'" in semveil.fails(1, "plan", "t.csv")


def test_the_file_is_the_owners_alone_and_quotes_no_cell(clinic):
    clinic.ok("plan", "visits.csv", "-o", "plan.toml", "--ontology", "places=edges:places.csv", "--quiet")
    assert stat.S_IMODE((clinic.folder / "plan.toml").stat().st_mode) == 0o600
    text = clinic.read("plan.toml")
    for row in clinic.read("visits.csv").splitlines()[1:]:
        for cell in row.split(","):
            assert len(cell) < 4 or cell not in text, cell


def test_without_a_file_the_plan_is_printed(clinic):
    text = clinic.ok("plan", "visits.csv", "--no-cache")
    assert text.startswith("# A plan to start from") and '[column.age]' in text
    assert text == clinic.ok("plan", "-", "--no-cache", stdin=clinic.read("visits.csv")).replace("for -:", "for visits.csv:")


@pytest.mark.parametrize("table", ["visits", "hobbies", "numbers", "one"])
def test_every_proposal_can_be_read_explained_and_masks(clinic, table):
    if table == "hobbies":
        clinic.write("hobbies_table.csv", (PROJECT / "samples/hobbies.csv").read_bytes())
        name = "hobbies_table.csv"
    elif table == "numbers":
        name = clinic.write("numbers.csv", "age,income,sex\n" + "".join(
            f"{20 + i % 50},{1000 + 7 * i}.5,{'MF'[i % 2]}\n" for i in range(120)))
    elif table == "one":
        name = clinic.write("one.csv", "town\n" + "Ahrn\nBree\nCott\n" * 12)
    else:
        name = "visits.csv"
    found = clinic.json("plan", name, "-o", "plan.toml")
    assert found["file"] == "plan.toml" and found["plan"] == clinic.read("plan.toml")
    assert found["method"] is not None, found["no_method_why"]
    sentences = clinic.json("plan", "--check", "plan.toml")["sentences"]
    assert len([s for s in sentences if s["about"].startswith("column ")]) == len(found["columns"])
    assert sentences[-1]["about"] == "mask" and found["method"]["method"] in sentences[-1]["text"]
    clinic.ok("mask", name, "--plan", "plan.toml", "-o", "released.csv", "--quiet")
    header = clinic.read("released.csv").splitlines()[0].split(",")
    dropped = {c["name"] for c in found["columns"] if c["role"] == "identifier"}
    assert not dropped & set(header)


def test_a_given_ontology_is_named_from_the_plans_folder(clinic):
    (clinic.folder / "plans").mkdir()
    clinic.ok("plan", "visits.csv", "-o", "plans/p.toml", "--ontology", "places=edges:places.csv", "--quiet")
    clinic.ok("plan", "--check", "plans/p.toml", "--quiet")


def test_an_ontology_used_before_is_found_in_the_cache(clinic):
    clinic.ok("ontology", "info", "edges:places.csv", "--quiet")
    town = columns(clinic.json("plan", "visits.csv"))["town"]["ontology"]
    assert town["ontology"] == "places"
    assert columns(clinic.json("plan", "visits.csv", "--no-cache"))["town"]["ontology"] is None


def test_a_table_without_names_is_told(semveil):
    semveil.write("t.csv", "39,Private,40\n" + "".join(f"{i % 60 + 20},Private,40\n" for i in range(50)))
    found = semveil.json("plan", "t.csv", "--no-cache")
    assert found["header_is_data"] and "looks like a record" in found["plan"]
    head = " ".join(found["plan"].split("[column")[0].replace("\n#", "").split())
    assert "its cells stand here as names of columns" in head and "is quoted" not in head
    told = " ".join(semveil.ok("plan", "t.csv", "--no-cache", "-o", "plan.toml").split())
    assert "its cells stand in the plan as names of columns: write a line of names in front" in told


@pytest.mark.parametrize("cells", [
    ("Ida Moe,1987-03-04,ida@example.org", lambda i: f"Name{i} Moe,19{10 + i}-03-1{i % 10},n{i}@example.org"),
    ("1042,Bonn,1", lambda i: f"{1100 + 7 * i},{['Bonn', 'Trier'][i % 2]},{i % 3}")])
def test_a_first_line_of_dates_and_addresses_is_no_line_of_names(semveil, cells):
    first, row = cells
    semveil.write("t.csv", "\n".join([first, *map(row, range(60))]) + "\n")
    assert semveil.json("plan", "t.csv", "--no-cache", "--no-method")["header_is_data"]


def test_a_plan_says_that_names_are_the_first_line(clinic):
    """Whether they are a record nobody can always tell; so nothing is claimed of them."""
    head = " ".join(clinic.json("plan", "visits.csv", "--no-method")["plan"].split("[column")[0].replace("\n#", "").split())
    assert "The names of the columns are what the first line holds. No other cell is quoted" in head
    assert "looks like a record" not in head


def test_columns_called_alike_may_be_a_record(semveil):
    semveil.write("t.csv", "39,0,0\n" + "40,0,1\n" * 30)
    message = semveil.fails(1, "plan", "t.csv", "--no-cache")
    assert "two columns are called '0'" in message and "write a line of names in front of it" in message


EMPTY = ["death_date", "note", "town_2", "score_2", "latitude", "nothing"]


@pytest.fixture
def with_empty(semveil):
    """Columns without a value, with names that say this and that, and some of series."""
    towns = ["Bonn", "Trier", "Essen"]
    rows = [f"N{i} Moe,{20 + i % 40},{towns[i % 3]},{i % 9},{['flu', 'gout'][i % 2]}" + "," * (len(EMPTY) + 1) for i in range(120)]
    semveil.write("t.csv", "\n".join(["name,age,town_1,score_1,diagnosis," + ",".join([*EMPTY, "middle_name"]), *rows]) + "\n")
    return semveil


def test_columns_without_a_value_are_no_work(with_empty):
    found = with_empty.json("plan", "t.csv", "--no-cache")
    told = columns(found)
    for name in EMPTY:
        assert (told[name]["role"], told[name]["type"]) == ("other", "nominal"), name
        assert "no cell says anything" in told[name]["role_why"], name
    assert "With values it would be quasi-identifier, as the name says when something happened" in told["death_date"]["role_why"]
    assert "With values" not in told["nothing"]["role_why"]
    assert told["middle_name"]["role"] == "identifier"
    assert found["uniques"]["quasi_identifiers"] == ["age", "town_1"]
    blocks = {block.split("]")[0]: block for block in found["plan"].split("[column.")[1:]}
    for name in EMPTY:
        keys = [line.split(" = ")[0] for line in blocks[name].split("\n[")[0].splitlines()[1:] if line and line[0] != "#"]
        assert keys == ["role"] and "demand" not in blocks[name].split("\n[")[0], name


def test_an_empty_table_is_told_as_one(semveil):
    semveil.write("t.csv", "name,age,town\n")
    found = semveil.json("plan", "t.csv", "--no-cache")
    assert [column["role"] for column in found["columns"]] == ["identifier", "other", "other"]


def test_two_proposals_of_one_method_are_told_apart(semveil):
    """Noise on towns of which nothing is near another, drawn in two ways, is passed over twice."""
    rows = [f"{20 + i * i % 50},{['Bonn', 'Trier', 'Essen', 'Ulm'][i % 4]},{'a' if i % 50 < 25 else 'b'}" for i in range(200)]
    semveil.write("t.csv", "\n".join(["age,town,place", *rows]) + "\n")
    plan = semveil.json("plan", "t.csv", "--no-cache")["plan"]
    lines = [line for line in plan.split("What else was looked at:\n")[1].splitlines() if line.startswith("#   ")]
    assert len(lines) >= 2 and len(set(lines)) == len(lines), lines
    assert any(line.startswith("#   noise with alpha = ") for line in lines)


def test_why_a_method_cannot_be_had_names_the_column(semveil):
    rows = [f"{20 + i % 40},{['Bonn', 'Trier'][i % 2]},same" for i in range(200)]
    semveil.write("t.csv", "\n".join(["age,town,place", *rows]) + "\n")
    semveil.write("plan.toml", "".join(f'[column.{name}]\nrole = "quasi-identifier"\nhierarchy = "flat"\n'
                                       for name in ("age", "town", "place")))
    told = semveil.json("advise", "t.csv", "--plan", "plan.toml")
    passed = [each["why_not"] for each in told["passed_over"] if "cannot be had" in each["why_not"]]
    assert passed and all("column 'place': " in why for why in passed)


def test_of_a_column_that_finds_records_no_two_things_are_said(semveil):
    """A weight is no quasi-identifier; but where every record has another one, it is as good as a key."""
    rows = [f"{20 + i % 40},{['Bonn', 'Trier'][i % 2]},{70000 + 37 * i if i % 4 else 99},{i % 5}" for i in range(200)]
    semveil.write("t.csv", "\n".join(["age,town,fnlwgt,wgt", *rows]) + "\n")
    found = semveil.json("plan", "t.csv", "--no-cache", "-o", "plan.toml")
    told = columns(found)
    assert told["fnlwgt"]["role"] == "other" and "nobody" not in told["fnlwgt"]["role_why"]
    block = {part.split("]")[0]: " ".join(part.replace("\n#", "").split()) for part in found["plan"].split("[column.")[1:]}
    warned = "whoever does know one finds the record, and the masking will warn of it"
    assert warned in block["fnlwgt"] and warned not in block["wgt"] and told["wgt"]["role"] == "other"
    shown = " ".join(semveil.ok("mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv").split())
    assert "more than half of the values are distinct: fnlwgt" in shown


def test_columns_of_a_series_are_alike(semveil):
    rows = "".join(f"{['cat', 'dog', 'lion', 'mouse', 'horse'][i % 5]},{'cow' if i == 3 else ''}\n" for i in range(30))
    semveil.write("t.csv", "animal_1,animal_2\n" + rows)
    first, second = semveil.json("plan", "t.csv", "--no-cache")["columns"]
    assert (first["role"], first["type"]) == (second["role"], second["type"])


def test_an_identifier_among_a_series_stays_one(semveil):
    """Two columns of a series are words; the third holds addresses of mail, which nobody may release."""
    words = ["phone", "post", "visit"]
    rows = "".join(f"{words[i % 3]},{words[i // 3 % 3]},someone{i}@example.org\n" for i in range(30))
    semveil.write("t.csv", "contact_1,contact_2,contact_3\n" + rows)
    found = semveil.json("plan", "t.csv", "--no-cache", "--no-method")["columns"]
    assert [column["role"] for column in found] == ["quasi-identifier", "quasi-identifier", "identifier"]


def test_markers_tell_nobody_apart(semveil):
    """One person has ?, another n/a: these are missing cells, and no values that somebody is alone by."""
    towns = ["Ahrn", "Bree", "Cott", "Dunn"]
    cells = [towns[i % 4] for i in range(36)] + ["?", "n/a"] * 2
    persons = [i // 3 for i in range(36)] + [90, 91, 90, 91]
    semveil.write("t.csv", "patient,town,age\n" + "".join(
        f"P{who},{cell},{30 + i % 2}\n" for i, (who, cell) in enumerate(zip(persons, cells, strict=True))))
    found = semveil.json("plan", "t.csv", "--no-cache", "--no-method")
    assert {m["text"] for m in found["missing_markers"] if m["proposed"]} == {"?", "n/a"}
    assert (found["uniques"]["persons"], found["uniques"]["uniques"]) == (14, 0)


def test_the_same_table_gets_the_same_plan(clinic):
    found = proposed(clinic)
    assert found == proposed(clinic, "--threads", "2")
    clinic.ok("plan", "visits.csv", "--ontology", "places=edges:places.csv", "--no-cache", "-o", "p.toml", "--quiet")
    assert clinic.read("p.toml") == found["plan"]


@pytest.mark.parametrize("args", [[], ["visits.csv", "--check", "plan.toml"], ["visits.csv", "--ontology", "places.csv"],
                                  ["visits.csv", "--ontology", "a=edges:places.csv", "--ontology", "a=edges:places.csv"],
                                  ["visits.csv", "-o", "visits.csv"]])
def test_what_cannot_be_meant_is_refused(clinic, args):
    clinic.write("plan.toml", "[column.town]\n")
    clinic.fails(2, "plan", *args)


@pytest.mark.parametrize("option", [["-o", "p.toml"], ["--ontology", "p=edges:places.csv"], ["--keep", "variance"],
                                    ["--no-method"], ["--seed", "s"], ["--seed-file", "seed"], ["--temp-dir", "."],
                                    ["--no-sync"]])
def test_check_takes_nothing_of_a_proposal(clinic, option):
    clinic.write("plan.toml", "[column.town]\n")
    clinic.write("seed", "s")
    said = clinic.fails(2, "plan", "--check", "plan.toml", *option)
    assert "excludes" in said and "--check" in said and {"-o": "--output"}.get(option[0], option[0]) in said
    assert not (clinic.folder / "p.toml").exists()


def test_check_tells_what_is_wrong(clinic):
    clinic.write("wrong.toml", "[column.town]\nrolle = \"identifier\"\n")
    assert "rolle" in clinic.fails(1, "plan", "--check", "wrong.toml")
    clinic.write("root.toml", '[ontology.p]\nsource = "edges:places.csv"\n[column.town]\nontology = "p"\nroot = "Moon"\n')
    assert "town" in clinic.fails(1, "plan", "--check", "root.toml")


def test_check_speaks_in_sentences(clinic):
    clinic.write("plan.toml", 'seed = "x"\nmissing = "drop-record"\n[ontology.p]\nsource = "edges:places.csv"\n'
                 '[column.patient]\nrole = "identifier"\n[column.town]\nrole = "quasi-identifier"\nontology = "p"\n'
                 '[column.age]\nrole = "sensitive"\ndemand = {l = 3}\n[mask]\nmethod = "generalize"\nk = 5\n')
    text = clinic.ok("plan", "--check", "plan.toml").replace("\n  ", " ")
    for part in ("can undo the masking", "is left out", "It is an identifier, and is dropped", "It is masked",
                 "3 values or more", "The method is generalize with k = 5"):
        assert part in text, part


# ---- What columns are not -----------------------------------------------------------------------

def of_columns(program, **cells):
    """The proposal for columns of these cells, as many of each."""
    lines = [";".join(cells), *(";".join(row) for row in zip(*cells.values()))]
    program.write("t.csv", "\n".join(lines) + "\n")
    found = program.json("plan", "t.csv", "--no-cache", "--no-method")
    return columns(found), found


def test_dates_are_dates_whatever_their_name(semveil):
    days = [f"2022-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(200)]
    found, told = of_columns(semveil, admission=days, visit_us=[f"{d[5:7]}/{d[8:]}/{d[:4]}" for d in days],
                             encounter=[day.replace("-", "") for day in days],
                             patient_no=[day.replace("-", "") for day in days])
    for name in ("admission", "visit_us", "encounter"):
        assert (found[name]["kind"], found[name]["role"]) == ("date", "quasi-identifier"), name
    assert 'format = "%m/%d/%Y"' in told["plan"]
    assert found["patient_no"]["role"] == "identifier"


def test_numbers_of_three_digits_are_codes_by_the_name_alone(semveil):
    numbers = [str(140 + i % 65) for i in range(300)]
    found, _ = of_columns(semveil, height_cm=numbers, lab_result=numbers, diagnosis=numbers, x=numbers)
    assert {name: column["kind"] for name, column in found.items()} == {
        "height_cm": "numeric", "lab_result": "nominal", "diagnosis": "icd-9", "x": "numeric"}
    assert not any("codes of health" in column["role_why"] for name, column in found.items() if name != "diagnosis")


def test_a_decimal_comma_is_told_and_makes_no_identifier(semveil):
    found, told = of_columns(semveil, x=[f"{1000 + 7 * i},{i % 100:02}" for i in range(300)],
                             y=["cat", "dog", "cow"] * 100)
    assert (found["x"]["type"], found["x"]["role"]) == ("nominal", "sensitive")
    assert "with a point and no other mark" in found["x"]["kind_why"]
    semveil.write("plan.toml", 'undeclared = "drop"\n[column.x]\ntype = "numeric"\n')
    message = semveil.fails(1, "describe", "t.csv", "--plan", "plan.toml")
    assert "t.csv:2" in message and "read with a point" in message


@pytest.mark.parametrize("name", ["wahlabsicht", "voting_intention", "party", "religion"])
def test_what_somebody_believes_is_sensitive(semveil, name):
    found, _ = of_columns(semveil, **{name: ["yes", "no", "other"] * 50, "y": ["cat", "dog", "cow"] * 50})
    assert found[name]["role"] == "sensitive"


@pytest.mark.parametrize("others, proposed", [
    ([str(i) for i in range(1, 301)], False), ([str(18 + i % 85) for i in range(300)], False),
    ([str(18 + i % 70) for i in range(300)], True)], ids=["a number", "ages to 102", "ages to 87"])
def test_a_marker_is_none_where_numbers_have_it(semveil, others, proposed):
    _, told = of_columns(semveil, n=others, hobby=["chess", "football", "cooking", "99", "skat"] * 60)
    marker, = told["missing_markers"]
    assert (marker["text"], marker["columns"], marker["proposed"]) == ("99", ["hobby"], proposed)
    assert ('missing_values = ["", "99"]' in told["plan"]) == proposed
    assert ("one list holds for all" in told["plan"].replace("\n# ", " ")) != proposed


def test_blanks_around_numbers_and_dates_are_read_over(semveil):
    rows = [[f" {20 + i % 50}", f" {i % 10}.{i % 7} ", f" 2020-01-{1 + i % 28:02}", f" {'MF'[i % 2]}"] for i in range(200)]
    found, told = of_columns(semveil, age=[r[0] for r in rows], gain=[r[1] for r in rows],
                             day=[r[2] for r in rows], sex=[r[3] for r in rows])
    assert [found[name]["kind"] for name in ("age", "gain", "day", "sex")] == ["numeric", "numeric", "date", "nominal"]
    assert "blanks" in found["age"]["kind_why"] and "blanks" not in found["sex"]["kind_why"]
    semveil.write("bare.csv", "\n".join(line.replace(" ", "") for line in semveil.read("t.csv").splitlines()) + "\n")
    method = '[mask]\nmethod = "swap"\nk = 5\ncolumns = ["age", "gain", "day"]\n'
    semveil.write("plan.toml", told["plan"] + method)
    semveil.ok("mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s", "--quiet")
    semveil.ok("mask", "bare.csv", "--plan", "plan.toml", "-o", "bare.out.csv", "--seed", "s", "--quiet")
    masked = semveil.read("out.csv").splitlines()
    assert not any(cell != cell.strip() for line in masked for cell in line.split(";")[:3])
    for column in range(3):
        assert sorted(line.split(";")[column] for line in masked) == \
            sorted(line.split(";")[column] for line in semveil.read("bare.out.csv").splitlines())
    recodings = "".join(f'[[mask]]\n{step}\ncolumns = ["age"]\n' for step in (
        'method = "code"\ntop = 60', 'method = "round"\nbase = 5'))
    semveil.write("plan.toml", told["plan"] + recodings)
    semveil.ok("mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet")
    ages = [line.split(";")[0] for line in semveil.read("out.csv").splitlines()[1:]]
    assert set(map(int, ages)) == {20, 25, 30, 35, 40, 45, 50, 55, 60} and not any(" " in age for age in ages)
