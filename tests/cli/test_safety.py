import subprocess

from conftest import PROGRAM


def test_a_table_is_not_replaced_by_its_mapping_file(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    message = semveil.fails(2, "map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv",
                            "-o", "t.csv")
    assert "would replace the input" in message
    assert (semveil.folder / "t.csv").read_text() == "hobby\nski\n"


def test_an_ontology_is_not_replaced_either(semveil):
    text = "child,parent\nski,sport\n"
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", text)
    for verb in (("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv"),
                 ("ontology", "snapshot", "edges:o.csv")):
        assert "would replace the input" in semveil.fails(2, *verb, "-o", "o.csv")
        assert semveil.read("o.csv") == text


def test_a_reader_that_goes_away_leaves_no_file(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    command = (f"{PROGRAM} map t.csv --column hobby --ontology edges:o.csv -o m.csv | true; "
               "exit ${PIPESTATUS[0]}")
    done = subprocess.run(["bash", "-c", command], cwd=semveil.folder, env=semveil.env)
    left = sorted(p.name for p in semveil.folder.iterdir())
    assert not any(name.startswith(".semveil") for name in left)
    assert ("m.csv" in left) == (done.returncode == 0)


def test_a_closed_standard_error_is_no_crash(semveil):
    done = subprocess.run(["bash", "-c", f"{PROGRAM} distance a b --ontology edges:none.csv 2>&-"],
                          cwd=semveil.folder, env=semveil.env)
    assert done.returncode == 1


def test_column_names_are_hidden_with_quiet(semveil):
    semveil.write("t.csv", "Alice,HIV\nBob,flu\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    arguments = ("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv")
    assert "Alice" in semveil.fails(1, *arguments)
    assert "Alice" not in semveil.fails(1, *arguments, "--quiet")


def test_a_source_may_be_a_pipe(semveil):
    obo = "[Term]\nid: A:1\nname: a\n"
    for _ in range(5):
        assert semveil.json("ontology", "info", "obo:/dev/stdin", stdin=obo)["concepts"] == 1


def test_no_file_appears_when_the_summary_cannot_be_printed(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    with open("/dev/full", "w") as full:
        for verb in (("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv"),
                     ("ontology", "snapshot", "edges:o.csv")):
            assert semveil.run(*verb, "-o", "out", stdout=full).returncode == 4
            assert sorted(p.name for p in semveil.folder.iterdir() if "out" in p.name) == []


def test_names_of_an_edge_list_without_labels_are_suggested(semveil):
    semveil.write("o.csv", "child,parent\nNeuropathy,Disorder\n")
    message = semveil.fails(1, "distance", "Neuropatyh", "Disorder", "--ontology", "edges:o.csv")
    assert "did you mean Neuropathy" in message
    quiet = semveil.fails(1, "distance", "Neuropatyh", "Disorder", "--ontology", "edges:o.csv",
                          "--quiet")
    assert "europat" not in quiet


def test_control_characters_of_a_cell_do_not_reach_the_terminal(semveil):
    semveil.write("t.csv", "hobby\n\x1b[31mski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    shown = semveil.ok("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv")
    assert "\x1b" not in shown and "\\x1b[31mski" in shown


def test_nor_do_those_of_a_pair(semveil):
    semveil.write("o.csv", "child,parent\nski,sport\n")
    semveil.write("p.csv", "a,b\n\x1b[31mski,ski\x1b[0m\n")
    semveil.write("m.csv", "child,parent\n\x1b[31mski,ski\x1b[0m\n")
    shown = semveil.ok("distance", "--pairs", "p.csv", "--ontology", "edges:m.csv")
    assert "\x1b" not in shown and shown.count("\\x1b") >= 2


def test_working_verbs_take_the_common_options(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    common = ("--threads", "2", "--batch-rows", "10", "--seed", "x", "--no-progress", "--json")
    plain = semveil.json("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv")
    assert semveil.json("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv",
                        *common[:-1]) == plain
    semveil.ok("distance", "ski", "sport", "--ontology", "edges:o.csv", *common)
