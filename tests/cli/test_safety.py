def test_a_table_is_not_replaced_by_its_mapping_file(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    message = semveil.fails(2, "map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv",
                            "-o", "t.csv")
    assert "would replace the input" in message
    assert (semveil.folder / "t.csv").read_text() == "hobby\nski\n"


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


def test_working_verbs_take_the_common_options(semveil):
    semveil.write("t.csv", "hobby\nski\n")
    semveil.write("o.csv", "child,parent\nski,sport\n")
    common = ("--threads", "2", "--batch-rows", "10", "--seed", "x", "--no-progress", "--json")
    plain = semveil.json("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv")
    assert semveil.json("map", "t.csv", "--column", "hobby", "--ontology", "edges:o.csv",
                        *common[:-1]) == plain
    semveil.ok("distance", "ski", "sport", "--ontology", "edges:o.csv", *common)
