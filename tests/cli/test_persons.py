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


# ---- Single cells -------------------------------------------------------------------------------

CELLS = 'method = "generalize"\nsuppress = "cells"'


@pytest.mark.parametrize("k", [2, 5])
def test_cells_are_emptied_until_k_persons_are_alike(semveil, k):
    prepare(semveil, several(400, 90), plan(CELLS, k, columns=SECOND + PATIENT, top=PERSON))
    every_class = {"sensitive": {"city": {}}}  # the empty one, too
    assert checked(semveil, k, **every_class) == []
    after = parsed(semveil.read("out.csv"))
    assert sum(cell != "" for name in QUASI for cell in after[name]) > 100
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    semveil.ok("apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet")
    assert semveil.read("applied.csv") == semveil.read("out.csv")
    semveil.write("plan.toml", plan(CELLS, k, columns=SECOND + PATIENT))  # rows are not enough
    assert checked(semveil, k, **every_class) != []


@pytest.mark.parametrize("demand", [{"l": "3"}, {"l": "2.5", "kind": "entropy"},
                                    {"l": "2", "kind": "recursive", "c": "1.5"}, {"t": "0.45"}])
def test_cells_are_emptied_until_persons_meet_demands(semveil, demand):
    written = ", ".join(f'{key} = "{v}"' if key == "kind" else f"{key} = {v}" for key, v in demand.items())
    prepare(semveil, several(300, 60, seed=3),
            plan(CELLS, 3, columns=SECOND + PATIENT + sensitive("city", f"{{{written}}}"), top=PERSON))
    assert checked(semveil, 3, sensitive={"city": demand}) == []
    after = parsed(semveil.read("out.csv"))
    assert sum(cell != "" for name in QUASI for cell in after[name]) > 30


def test_empty_cells_that_match_everything_count_persons(semveil):
    records = several(200, 50)
    prepare(semveil, records, plan(CELLS, 4, columns=SECOND + PATIENT, top=PERSON + 'missing = "wildcard"\n'))
    told = semveil.json(*MASK)
    after = parsed(semveil.read("out.csv"))
    cells = list(zip(after["diagnosis"], after["second"]))
    whose = collections.defaultdict(set)
    for record, own in zip(records, cells):
        whose[own].add(record[0])
    alone = [own for own in cells if len(whose[own]) == 1]
    assert told["findings"][0]["id"] == "alone-as-written" and len(alone) > len(set(alone)) > 0
    assert told["findings"][0]["figures"]["records"] == len(alone)
    for own in set(cells):
        match = {record[0] for record, other in zip(records, cells)
                 if all(a == b or not a or not b for a, b in zip(own, other))}
        assert len(match) >= 4
    assert sum(cell == "" for own in cells for cell in own) < len(records)


def test_whoever_has_one_row_loses_the_same_cells(semveil):
    records = several(150, 40, seed=5)
    for i, record in enumerate(records):
        record[0] = f"q{(i * 7) % len(records)}"
    for rule, demand in (("keep", "demand = {l = 2}\n"), ("wildcard", "")):
        text = f'missing = "{rule}"\n' + plan(
            CELLS, 3, columns=SECOND + PATIENT + '\n[column.city]\nrole = "sensitive"\n' + demand)
        prepare(semveil, records, text)
        semveil.ok(*MASK, "--quiet")
        without = semveil.read("out.csv")
        semveil.write("plan.toml", PERSON + text)
        semveil.ok(*MASK, "--quiet")
        assert semveil.read("out.csv") == without


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
    for i, record in enumerate(records):  # the same cells, of two persons
        record[0] = f"p{i % 2}"
    semveil.write("table.csv", as_csv(records))
    assert "persons" in semveil.fails(3, *apply)
    records[3][0] = ""
    semveil.write("table.csv", as_csv(records))
    assert "record 4 has no person" in semveil.fails(1, *apply)


def test_a_model_counts_persons_again_of_every_step(semveil):
    """The groups of the first step have four persons by now, those of the second one each."""
    records = [[f"p{i % 6}", LEAVES[0], LEAVES[i // 6], f"city {i % 5}", "n"] for i in range(24)]
    steps = "".join(f'[[mask]]\nmethod = "microaggregate"\nk = 3\npartial = true\ncolumns = ["{name}"]\n'
                    for name in QUASI)
    text = plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON)
    start = text.index("[mask]")
    prepare(semveil, records, text[:start] + text[text.index("[column.second]"):] + steps)
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    apply = ["apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet"]
    semveil.ok(*apply)
    for i, record in enumerate(records):
        record[0] = f"p{i // 6}"
    semveil.write("table.csv", as_csv(records))
    assert "fewer than k = 3 persons, the smallest 1" in semveil.fails(3, *apply)


def test_a_model_counts_the_persons_of_suppressed_records_again(semveil):
    """Four records of one person are no group in which sensitive cells may be shown."""
    rare = [["Gout", "Burn"], ["Burn", "Asthma"], ["Cut", "Mumps"], ["Asthma", "Cold"]]
    records = [[f"p{i % 10}", "Flu", "Flu", f"city {i % 3}", "n"] for i in range(40)]
    records += [[f"r{i}", *cells, f"city {i % 3}", "n"] for i, cells in enumerate(rare)]
    city = '\n[column.city]\nrole = "sensitive"\n'
    prepare(semveil, records, plan("suppressing", 3, columns=SECOND + PATIENT + city, top=PERSON))
    assert semveil.json(*MASK, "--seed", "s")["suppressed"] == 4
    semveil.ok("fit", "table.csv", "--plan", "plan.toml", "-o", "m.model", "--seed", "s", "--quiet")
    apply = ["apply", "table.csv", "--model", "m.model", "-o", "applied.csv", "--quiet"]
    semveil.ok(*apply)
    assert "city 1" in semveil.read("applied.csv").splitlines()[-3]
    for record in records[40:]:
        record[0] = "r0"
    semveil.write("table.csv", as_csv(records))
    assert "1 person is suppressed, fewer than k = 3" in semveil.fails(3, *apply)


# ---- Rows that are linked -----------------------------------------------------------------------

def found(result, name):
    return next((f for f in result["findings"] if f["id"] == name), None)


def linked(records):
    for record in records:
        record[4] = f"account of {record[0]}"
    return records


@pytest.mark.parametrize("method", ["fuse", "local", "microaggregate", "recode"])
def test_a_column_of_one_person_each_is_refused(semveil, method):
    records = linked(several(200, 50))
    text = plan(method, 3, columns=SECOND + PATIENT, top=PERSON)
    prepare(semveil, records, text)
    said = semveil.fails(3, *MASK)
    assert "note links the rows of a person" in said and "out.csv" not in files(semveil)
    semveil.write("plan.toml", "allow_linked_rows = true\n" + text)
    result = semveil.json(*MASK, "--seed", "s")
    assert result["findings"][0]["id"] == "rows-linked"
    after = parsed(semveil.read("out.csv"))
    rows = collections.defaultdict(list)
    for record, first, second in zip(records, after["diagnosis"], after["second"]):
        rows[record[0]].append((first, second))
    alone = collections.Counter(tuple(sorted(own)) for own in rows.values())
    assert result["findings"][0]["figures"] == {
        "alone": sum(1 for count in alone.values() if count == 1), "persons": len(rows),
        "linked": sum(1 for own in rows.values() if len(own) > 1)}


def test_one_shared_value_does_not_hide_that_the_others_link(semveil):
    records = linked(several(200, 50))
    for record in records:  # two persons share an account: theirs joins nobody's rows alone
        if record[0] == "p3":
            record[4] = "account of p2"
    text = plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON)
    prepare(semveil, records, text)
    rows_of = collections.Counter(record[0] for record in records)
    several_rows = {who for who, count in rows_of.items() if count > 1}
    joined = len(several_rows - {"p2", "p3"})
    assert f"note links the rows of a person ({joined} of {len(several_rows)} who" in semveil.fails(3, *MASK)
    assert "out.csv" not in files(semveil)
    semveil.write("plan.toml", "allow_linked_rows = true\n" + text)
    told = found(semveil.json(*MASK, "--seed", "s"), "rows-linked")
    assert told["figures"]["linked"] == joined and f"of {joined} persons" in told["text"]


@pytest.mark.parametrize(("owners", "refused"), [(4, False), (6, True)])
def test_values_that_many_share_link_from_one_person_in_twenty_on(semveil, owners, refused):
    """A hundred persons of three rows; some have a ward of their own, which is all three rows'."""
    records = several(100, 100) + several(100, 100, seed=2) + several(100, 100, seed=3)
    for record in records:
        who = int(record[0][1:])
        record[4] = f"own {who}" if who < owners else f"ward {who % 7}"
    prepare(semveil, records, plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON))
    if refused:
        assert f"note links the rows of a person ({owners} of 100 who" in semveil.fails(3, *MASK)
    else:
        assert found(semveil.json(*MASK), "rows-linked") is None


@pytest.mark.parametrize("allowed", [True, False])
def test_an_audit_finds_linked_rows_as_masking_does(semveil, allowed):
    """With the same figures, whoever released them: also where the plan does not allow it."""
    text = plan("fuse", 3, columns=SECOND + PATIENT, top="allow_linked_rows = true\n" + PERSON)
    prepare(semveil, linked(several(200, 50)), text)
    masked = found(semveil.json(*MASK, "--seed", "s"), "rows-linked")
    if not allowed:
        semveil.write("plan.toml", text.replace("allow_linked_rows = true\n", ""))
    told = semveil.json(*AUDIT, "--report", "page.html")
    assert found(told, "rows-linked") == masked and masked["severity"] == "danger"
    assert found(told, "told-by-mask-alone") is None
    assert "No finding stands against" not in semveil.read("page.html")
    unpaired = found(semveil.json(*AUDIT, "--unpaired"), "told-by-mask-alone")
    assert unpaired["figures"] == {"linked_rows": 1} if allowed else unpaired is None


def test_rows_that_nothing_links_are_no_finding_of_an_audit(semveil):
    prepare(semveil, several(200, 50), plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    told = semveil.json(*AUDIT)
    assert found(told, "rows-linked") is None and found(told, "told-by-mask-alone") is None


# ---- Links and rows -----------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["fuse", "local", "suppressing", "microaggregate"])
@pytest.mark.parametrize("k", [2, 5])
def test_nobody_is_linked_more_surely_than_by_one_in_k(semveil, method, k):
    """Though the first persons have most of the rows."""
    prepare(semveil, several(400, 60), plan(method, k, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s", "--row-map", "rows.csv")
    told = semveil.json(*AUDIT, "--row-map", "rows.csv", "--edition", "steward")
    figures = [told["linkage"]["worst"], told["linkage"]["own_among_alike"], told["journalist"],
               told["classes"]["prosecutor"]]
    assert max(figures) <= 1 / k + 1e-9 and told["classes"]["prosecutor"] == 1 / told["classes"]["smallest"]


@pytest.mark.parametrize(("rows", "share"), [(96, 0.96), (3, None)])
def test_most_rows_of_one_person_in_a_group_of_k_persons_are_told(semveil, rows, share):
    """Five persons look alike, and one of them has 96 of a hundred rows, or 3 of seven."""
    records = [["p0", "Flu", "Gout", f"city {i % 5}", "n"] for i in range(rows)]
    records += [[f"p{i}", "Flu", "Gout", f"city {i}", "n"] for i in range(1, 5)]
    prepare(semveil, records, plan("fuse", 5, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    told = semveil.json(*AUDIT, "--edition", "steward")
    assert told["linkage"]["worst"] == told["linkage"]["own_among_alike"] == pytest.approx(0.2)
    finding = found(told, "rows-of-one-person")
    assert (None if finding is None else finding["figures"]["share"]) == share


@pytest.mark.parametrize(("top", "unit"), [(PERSON, "persons"), ("", "records")])
def test_sentences_say_what_k_counts(semveil, top, unit):
    records = several(200, 50)
    prepare(semveil, records, plan(CELLS, 3, columns=SECOND + PATIENT, top=top))
    told = semveil.json(*MASK, "--seed", "s")
    assert f"so that every combination has k {unit}." in found(told, "cells-emptied")["text"]
    assert f"at least 3 {unit}" in found(told, "classes-verified")["text"]
    assert f"At least 3 released {unit}" in found(semveil.json(*AUDIT), "k-verified")["text"]
    without = plan(CELLS, 3, columns=SECOND + PATIENT, top=top).split("[mask]")
    semveil.write("plan.toml", without[0] + without[1][without[1].index("[column.second]"):])
    advised = semveil.json("advise", "table.csv", "--plan", "plan.toml", "--seed", "s")
    of = 50 if top else 200
    uniques = found(advised, "uniques-in-table")
    assert f"of {of} {unit} " in uniques["text"] and uniques["figures"].get("persons") == (50 if top else None)


def visited(account, persons=30):
    """Three rows of everybody."""
    return [[f"p{i}", "Flu", "Gout", "city", account(i, row)] for i in range(persons) for row in range(3)]


@pytest.mark.parametrize(("account", "is_told"), [
    (lambda i, row: f"account {i}", True),       # a third of the values of rows are different
    (lambda i, row: f"account {i // 4}", False),  # eight of thirty persons'
    (lambda i, row: f"row {i} {row}", True)])
def test_columns_that_tell_people_are_found_by_persons(semveil, account, is_told):
    prepare(semveil, visited(account),
            plan("fuse", 3, columns=SECOND + PATIENT, top="allow_linked_rows = true\n" + PERSON))
    masked = semveil.json(*MASK, "--seed", "s")
    names = lambda told, name: [f["columns"] for f in told["findings"] if f["id"] == name]
    told = semveil.json(*AUDIT)
    assert (["note"] in names(told, "column-tells-people")) == is_told
    assert (names(masked, "nearly-unique-released") == [["note"]]) == is_told
    if is_told:
        assert "finds the person" in found(told, "column-tells-people")["text"]


def test_a_quasi_identifier_that_stays_links_rows_too(semveil):
    records = [[f"p{i % 12}", "Flu", LEAVES[i % 12], f"city {i % 5}", "n"] for i in range(120)]
    text = plan("local", 3, columns=SECOND + PATIENT, top=PERSON, mask='columns = ["diagnosis"]\npartial = true\n')
    prepare(semveil, records, text)
    assert "second links the rows of a person" in semveil.fails(3, *MASK)
    # Whoever is alone by all rows is so by what stays, too.
    semveil.write("plan.toml", "allow_linked_rows = true\n" + text)
    linked_rows = found(semveil.json(*MASK, "--seed", "s"), "rows-linked")
    assert linked_rows["figures"] == {"alone": 12, "persons": 12, "linked": 12}


def test_numbers_of_rows_and_shared_values_link_nothing(semveil):
    records = several(200, 50)
    for i, record in enumerate(records):
        record[4] = f"row {i}"
    prepare(semveil, records, plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON))
    assert found(semveil.json(*MASK), "rows-linked") is None


def test_the_person_itself_must_not_be_released(semveil):
    prepare(semveil, several(200, 50), plan("fuse", 3, columns=SECOND + "\n[column.patient]\n", top=PERSON))
    assert "patient links the rows" in semveil.fails(3, *MASK)


def test_allowing_links_needs_a_person(semveil):
    prepare(semveil, several(60, 20), plan("fuse", 3, top="allow_linked_rows = true\n"))
    assert "person" in semveil.fails(1, *MASK)


# ---- What is told -------------------------------------------------------------------------------

def test_persons_and_records_are_told(semveil):
    records = several(300, 70)
    prepare(semveil, records, plan("local", 4, columns=SECOND + PATIENT + '\n[column.city]\nrole = "sensitive"\n',
                                   top=PERSON))
    result = semveil.json(*MASK, "--seed", "s")
    after = parsed(semveil.read("out.csv"))
    persons, rows = collections.defaultdict(set), collections.Counter()
    for record, first, second in zip(records, after["diagnosis"], after["second"]):
        persons[first, second].add(record[0])
        rows[first, second] += 1
    least = min(len(who) for who in persons.values())
    assert result["persons"] == 70
    assert result["classes"]["smallest"] == result["privacy"]["k"] == least >= 4
    assert result["classes"]["records"]["smallest"] == min(rows.values())
    most = max(len({r[0] for r, *cells in zip(records, after["diagnosis"], after["second"])
                    if tuple(cells) == g and r[3] == city}) / len(who)
               for g, who in persons.items() for city in {r[3] for r in records})
    assert abs(result["privacy"]["sensitive"]["city"]["most_common"] - most) < 1e-12
    assert (found(result, "class-shares-a-value") is not None) == (most == 1)
    text = semveil.ok(*MASK, "--seed", "s")
    assert "persons in the smallest (k)" in text and "4 persons" in text
    described = semveil.json("describe", "table.csv", "--plan", "plan.toml")
    original = collections.defaultdict(set)
    for record in records:
        original[record[1], record[2]].add(record[0])
    alone = {next(iter(who)) for who in original.values() if len(who) == 1}
    assert described["persons"] == 70 and described["classes"]["uniques"] == len(alone)
    assert "patient" in described["columns"]


def test_one_value_of_everybody_is_told(semveil):
    records = [[f"p{i % 4}", "Flu", "Gout", "same" if i < 4 else f"city {i}", "n"] for i in range(12)]
    prepare(semveil, records, plan("fuse", 4, columns=SECOND + PATIENT + sensitive("city", "{l = 2}"), top=PERSON))
    result = semveil.json(*MASK)
    assert result["privacy"]["sensitive"]["city"]["most_common"] == 1
    assert found(result, "class-shares-a-value")["columns"] == ["city"]


def test_a_column_that_looks_like_a_person(semveil):
    records = several(200, 50)
    counts = collections.Counter(r[0] for r in records)
    for columns in ("", PATIENT):
        prepare(semveil, records, plan("fuse", 3, columns=SECOND + columns + "\n[column.note]\nrole = \"identifier\"\n"
                                       if not columns else SECOND + columns))
        result = semveil.json(*MASK)
        told = found(result, "rows-may-be-persons")
        if columns:
            assert told["columns"] == ["patient"]
            assert told["figures"] == {"of": 200, "records": sum(c for c in counts.values() if c > 1)}
    prepare(semveil, records, plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON))
    assert found(semveil.json(*MASK), "rows-may-be-persons") is None


def test_repeated_looks_are_told_unless_draws_are_by_person(semveil):
    records = several(200, 50)
    most = max(collections.Counter(r[0] for r in records).values())
    text = plan("noise", 3, columns=PATIENT, top=PERSON).replace("noise\nk = 3", OTHERS["noise"])
    prepare(semveil, records, text)
    told = found(semveil.json(*MASK, "--seed", "s"), "rows-looked-at-together")
    figures = told["figures"]
    assert figures["most_rows"] == most
    assert figures["looks_1"] <= figures["looks_2"] <= figures["looks_5"] <= figures["looks_most"] + 0.02
    semveil.write("plan.toml", text.replace("alpha = 0.5", 'alpha = 0.5\ndraw_by = "patient"'))
    assert found(semveil.json(*MASK, "--seed", "s"), "rows-looked-at-together") is None


# ---- Audits and comparisons ---------------------------------------------------------------------

AUDIT = ["audit", "table.csv", "out.csv", "--plan", "plan.toml"]


def test_an_audit_counts_persons(semveil):
    records = several(300, 70)
    prepare(semveil, records, plan("microaggregate", 4, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    result = semveil.json(*AUDIT, "--edition", "steward")
    after = parsed(semveil.read("out.csv"))
    persons = collections.defaultdict(set)
    for record, *cells in zip(records, after["diagnosis"], after["second"]):
        persons[tuple(cells)].add(record[0])
    sizes = [len(who) for who in persons.values()]
    assert result["persons"] == 70 and result["classes"]["smallest"] == min(sizes) >= 4
    assert abs(result["classes"]["prosecutor"] - 1 / min(sizes)) < 1e-12
    greatest = collections.defaultdict(float)
    for who in persons.values():
        for person in who:
            greatest[person] = max(greatest[person], 1 / len(who))
    assert abs(result["classes"]["marketer"] - sum(greatest.values()) / 70) < 1e-12
    assert result["linkage"]["baseline"] == 1 / 70
    for name in ("journalist",):
        assert result[name] is None or result[name] <= 1 / min(sizes) + 1e-12
    rows = collections.defaultdict(collections.Counter)
    for record, *cells in zip(records, after["diagnosis"], after["second"]):
        rows[tuple(cells)][record[0]] += 1
    greatest_share = max(max(of.values()) / of.total() for of in rows.values())
    assert 0 < result["linkage"]["own_among_alike"] <= greatest_share + 1e-12
    assert result["linkage"]["worst"] <= greatest_share + 1e-12
    assert "at least" in found(result, "k-verified")["text"].lower()
    assert "persons" in found(result, "k-verified")["text"]


def test_unpaired_persons_are_not_known(semveil):
    records = several(300, 70)
    prepare(semveil, records, plan("microaggregate", 4, columns=SECOND + PATIENT, top=PERSON))
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    result = semveil.json(*AUDIT, "--unpaired")
    assert result["classes"]["smallest"] is None and result["classes"]["prosecutor"] is None
    assert found(result, "persons-not-known") is not None


def test_whoever_has_one_row_is_audited_alike(semveil):
    records = several(150, 40, seed=5)
    for i, record in enumerate(records):
        record[0] = f"q{i}"
    text = plan("fuse", 3, columns=SECOND + PATIENT + '\n[column.city]\nrole = "sensitive"\n')
    prepare(semveil, records, text)
    semveil.ok(*MASK, "--quiet", "--seed", "s")
    without = semveil.json(*AUDIT, "--edition", "steward")
    semveil.write("plan.toml", PERSON + text)
    told = semveil.json(*AUDIT, "--edition", "steward")
    for key in ("journalist", "one_origin", "linkage", "attacks", "contributions"):
        assert told[key] == pytest.approx(without[key]) if not isinstance(told[key], list) else True
    for ours, theirs in zip(told["attacks"], without["attacks"]):
        assert ours["tried"] == theirs["tried"] and ours["rate"] == pytest.approx(theirs["rate"])
    for key in ("smallest", "uniques", "prosecutor", "marketer"):
        assert told["classes"][key] == pytest.approx(without["classes"][key])


def test_a_comparison_holds_out_whole_persons(semveil):
    records = several(300, 70)
    prepare(semveil, records, plan("fuse", 3, columns=SECOND + PATIENT, top=PERSON))
    result = semveil.json("compare", "table.csv", "--plan", "plan.toml", "--try", "fuse k=3", "--seed", "s",
                          "--holdout", "0.3")
    assert result["held_out"] > 0


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


ROLES = ('person = "patient"\n[column.patient]\nrole = "identifier"\n[column.ward]\nrole = "quasi-identifier"\n'
         '[column.illness]\nrole = "sensitive"\n')


def audited(program, rows):
    """What an audit finds of a table that is released as it is, but for its persons."""
    program.write("table.csv", "patient,ward,illness\n" + "".join(f"{row}\n" for row in rows))
    program.write("out.csv", "ward,illness\n" + "".join(f"{row.split(',', 1)[1]}\n" for row in rows))
    program.write("plan.toml", ROLES)
    program.write("rows.csv", "output_row,input_row\n" + "".join(f"{i},{i}\n" for i in range(len(rows))))
    told = program.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--row-map", "rows.csv")
    return {finding["id"]: finding for finding in told["findings"]}


def test_a_control_counts_its_persons(semveil):
    """Forty rows of one stranger are one stranger more, not forty people who hide others."""
    audited(semveil, [f"{who},{ward},Flu" for who in "abcd" for ward in "AB" for _ in range(3)])
    how = [*AUDIT, "--row-map", "rows.csv"]
    header, alone = "patient,ward,illness\n", semveil.json(*how)["journalist"]
    assert alone == 1 / 4
    for rows, people in ((["x,A,Flu"] * 40 + ["x,B,Flu"], 5), (["x,A,Flu", "y,A,Flu"] * 9 + ["x,B,Flu", "z,B,Flu"], 6),
                         (["a,A,Flu"] * 40 + ["b,B,Flu"], 4)):  # a is in the table already
        semveil.write("others.csv", header + "".join(f"{row}\n" for row in rows))
        assert semveil.json(*how, "--control", "others.csv")["journalist"] == 1 / people
    semveil.write("others.csv", "ward,illness\nA,Flu\n")
    said = semveil.fails(1, *how, "--control", "others.csv")
    assert "patient" in said and "tells whose records the control's are" in said
    semveil.write("others.csv", header + "x,A,Flu\n,B,Flu\n")
    said = semveil.fails(1, *how, "--control", "others.csv")
    assert "record 2 has no person" in said and "others.csv" in said


def test_an_audit_counts_who_shares_a_secret_not_their_rows(semveil):
    """Seven rows of one woman are no group; four persons of one illness are."""
    others = [f"q{i},B,{illness}" for i, illness in enumerate(["Flu", "Cold", "Gout", "Acne"])]
    assert "secret-shared" not in audited(semveil, ["a,A,Flu"] * 7 + others)
    found = audited(semveil, [f"{who},A,Flu" for who in "abcd" for _ in range(3)] + others)["secret-shared"]
    assert found["figures"] == {"classes": 1, "persons": 4} and "4 persons" in found["text"]


def test_one_origin_counts_persons_and_a_chance_that_is_true(semveil):
    """p0 has eight of the ten records of his town: k = 3 persons, and no 1/3."""
    lines = ["p0,31,A"] * 8 + ["p1,30,A", "p2,32,A"] + [f"q{i},{50 + i % 4},B" for i in range(12)]
    semveil.write("table.csv", "patient,age,town\n" + "".join(f"{line}\n" for line in lines))
    semveil.write("plan.toml", PERSON + PATIENT + '[column.age]\nrole = "quasi-identifier"\ntype = "numeric"\n'
                               '[column.town]\nrole = "quasi-identifier"\n[mask]\nmethod = "microaggregate"\nk = 3\n')
    semveil.ok(*MASK, "--quiet", "--seed", "s", "--row-map", "rows.csv")
    told = semveil.json("audit", "table.csv", "out.csv", "--plan", "plan.toml", "--row-map", "rows.csv")
    table, out = (list(csv.DictReader(io.StringIO(semveil.read(name)))) for name in ("table.csv", "out.csv"))
    order = [int(row["input_row"]) for row in csv.DictReader(io.StringIO(semveil.read("rows.csv")))]
    shows, has = collections.defaultdict(list), collections.defaultdict(set)
    for row, at in zip(out, order, strict=True):
        shows[row["age"], row["town"]].append(table[at]["patient"])
    for row in table:
        has[row["age"], row["town"]].add(row["patient"])
    own = [shows[cells].count(next(iter(has[cells]))) / len(shows[cells]) for cells in shows if len(has[cells]) == 1]
    assert max(own) == 0.8
    finding = next(f for f in told["findings"] if f["id"] == "one-origin")
    assert finding["figures"]["share"] == pytest.approx(len(own) / len(shows), abs=1e-3)
    assert finding["figures"]["chance"] == pytest.approx(max(own))
    assert "of exactly one original person" in finding["text"] and "1/3" not in finding["text"]
    assert "a chance of at most 80 %" in finding["text"]


def test_an_audit_finds_a_value_that_everybody_of_a_class_has(semveil):
    shared = ["a,A,Flu", "a,A,Cold", "b,A,Flu", "b,A,Gout"]
    others = [f"q{i},B,{illness}" for i, illness in enumerate(["Flu", "Cold", "Gout", "Acne"])]
    assert "class-shares-a-value" in audited(semveil, shared + others)
    assert "class-shares-a-value" not in audited(semveil, ["a,A,Flu", "a,A,Cold", "b,A,Acne", "b,A,Gout", *others])


def test_an_audit_takes_no_suppressed_person_for_one_of_those_without_a_value(semveil):
    """A ward is missing of one person; three others, whose ward was emptied, hide nobody."""
    rows = [*(f"{who},A,Flu" for who in "abcd"), "e,,Cold", "f,B,Cold", "g,C,Cold", "h,D,Cold"]
    audited(semveil, rows)
    released = [row.split(",", 1)[1] if row[0] < "f" else ",Cold" for row in rows]
    semveil.write("out.csv", "ward,illness\n" + "".join(f"{row}\n" for row in released))
    semveil.write("plan.toml", 'missing = "category"\n' + ROLES)
    told = semveil.json(*AUDIT, "--row-map", "rows.csv", "--edition", "steward")
    assert [told["classes"][key] for key in ("count", "smallest", "uniques")] == [2, 1, 1]


# ---- Guesses who is a person --------------------------------------------------------------------

def guess(program, cells, columns=""):
    """What a description says, of columns that the plan does not speak of."""
    program.write("t.csv", as_csv(list(zip(*cells.values())), ",".join(cells)))
    program.write("plan.toml", '[column.q]\nrole = "quasi-identifier"\n' + columns)
    return found(program.json("describe", "t.csv", "--plan", "plan.toml"), "rows-may-be-persons")


Q = {"q": ["a", "b"] * 100}
TWICE = [f"k{i // 2}" for i in range(200)]
IDENTIFIERS = "".join(f'[column.{name}]\nrole = "identifier"\n' for name in ("patient_id", "name"))


def test_a_guess_is_worded_as_one(semveil):
    told = guess(semveil, {**Q, "patient_id": TWICE})
    assert told["severity"] == "warning" and told["columns"] == ["patient_id"]
    assert "If one value of patient_id is one person, 200 of the first 200 rows" in told["text"]
    told = guess(semveil, {**Q, "xyz": TWICE})
    assert told["severity"] == "note" and told["columns"] == ["xyz"]


@pytest.mark.parametrize("columns", ["", IDENTIFIERS])
def test_a_name_that_says_an_id_goes_first(semveil, columns):
    names = [f"Smith {i // 40}" for i in range(200)]
    told = guess(semveil, {**Q, "name": names, "patient_id": TWICE}, columns)
    assert told["columns"] == ["patient_id"]


@pytest.mark.parametrize("cells", [
    {"fnlwgt": [str(1000 + i // 3) for i in range(200)]}, {"income": [str(90 * (i // 4)) for i in range(200)]},
    {"x": [f"{i // 3}.5" for i in range(200)]},
    {"LAST": [f"Smith {i // 3}" for i in range(200)], "Id": [f"u{i}" for i in range(200)]},
    {"patient_id": [f"p{i}" for i in range(200)], "doctor": TWICE, "xyz": TWICE}],
    ids=["weights", "income", "fractions", "last names beside an id", "a row for each"])
def test_amounts_names_beside_ids_and_single_rows_are_no_persons(semveil, cells):
    assert guess(semveil, {**Q, **cells}) is None
