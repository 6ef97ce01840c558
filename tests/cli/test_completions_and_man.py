"""What packages install beside the program: shell completions and the manual page."""

import shutil
import subprocess

import pytest


def completions(semveil, shell):
    return semveil.write(f"semveil.{shell}", semveil.ok("completions", shell))


def complete(semveil, *words):
    """What bash offers for the last word."""
    script = completions(semveil, "bash")
    done = subprocess.run(
        ["bash", "-c", f'source ./{script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _semveil; '
         'printf "%s\\n" "${COMPREPLY[@]}"', "bash", "semveil", *words],
        cwd=semveil.folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_can_read_the_script(semveil):
    script = completions(semveil, "bash")
    subprocess.run(["bash", "-n", script], cwd=semveil.folder, check=True)


@pytest.mark.parametrize("words, offered", [
    (["dist"], ["distance"]),
    (["ontology", "s"], ["search", "snapshot"]),
    (["ontology", "info", "--q"], ["--quiet"]),
    (["distance", "dog", "cat", "--me"], ["--measure"]),
    (["map", "--thr"], ["--threads"]),
    (["map", "table.csv", "--map"], ["--mapping"]),
    (["map", "hobb"], ["hobbies.csv"]),
    (["mask", "table.csv", "--no-c"], ["--no-correlated", "--no-cache"]),
    (["fit", "--key"], ["--key-out"]),
    (["apply", "--key"], ["--key-file"]),
    (["desc"], ["describe"]),
    (["advise", "--ke"], ["--keep"]),
    (["--vers"], ["--version"]),
], ids=lambda words: " ".join(words))
def test_bash_completes_verbs_options_and_files(semveil, words, offered):
    assert complete(semveil, *words) == offered


def test_all_verbs_are_offered_and_the_hidden_ones_are_not(semveil):
    offered = complete(semveil, "")
    assert {"ontology", "distance", "map", "plan", "describe", "advise", "mask", "fit", "apply",
            "reproduce"} <= set(offered)
    assert not {"man", "completions"} & set(offered)


@pytest.mark.parametrize("shell, check", [("zsh", ["zsh", "-n"]), ("fish", ["fish", "-n"])])
def test_other_shells_get_a_script_too(semveil, shell, check):
    script = completions(semveil, shell)
    assert "distance" in semveil.read(script) and "snapshot" in semveil.read(script)
    if shutil.which(shell):
        subprocess.run([*check, script], cwd=semveil.folder, check=True)


def rendered(semveil, *command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    semveil.write("semveil.1", semveil.ok("man"))
    done = subprocess.run([*command, "semveil.1"], cwd=semveil.folder, capture_output=True, text=True,
                          env={**semveil.env, "MANWIDTH": "120", "LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("command", [("man", "--warnings", "-l"), ("groff", "-k", "-man", "-ww", "-Tutf8")],
                         ids=["man", "groff"])
def test_the_manual_page_renders_without_warnings(semveil, command):
    assert "ontology snapshot" in rendered(semveil, *command)


def test_the_manual_page_shows_every_verb_as_its_help_does(semveil):
    page = semveil.ok("man").replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
    for verb in ("ontology info", "ontology search", "ontology tree", "ontology snapshot", "distance",
                 "map", "plan", "describe", "advise", "mask", "fit", "apply", "reproduce"):
        assert semveil.ok(*verb.split(), "--help").strip() in page
