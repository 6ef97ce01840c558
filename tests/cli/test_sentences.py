"""The program's own sentences: they can be read once, and those of the library name no option."""

import re

from test_docs import HARD, ROOT

LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
SPOKEN = ("cli", "src/figures", "src/report", "src/compare", "src/reproduce", "src/audit", "src/release", "src/mapping")
# "who" that goes on with a word of knowing and is nobody: "someone who knows" is somebody.
NOBODY = re.compile(r"(?:by|for|beside|resists) who (?!fits)\w|(?:^|[.;:,(] )[Ww]ho (?:guesses|looks|takes) ")
# An option in a sentence. A key's own option is data, and a report's style has variables.
OPTION = re.compile(r"(?<![\w-])--[a-z]")
DATA = re.compile(r'\.option = "--[a-z-]+"')


def sources(*folders):
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".cc", ".h"))


def literals(text):
    """The texts of a source file, the parts of each put together."""
    text = re.sub(r"^\s*#include.*$|//.*$", "", text, flags=re.MULTILINE)
    for found in LITERALS.finditer(text):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found.group()))


def test_sentences_can_be_read_once():
    hard = [(path.name, text) for path in sources(*SPOKEN) for text in literals(path.read_text())
            if HARD.search(text) or NOBODY.search(text)]
    assert hard == []


def test_the_library_names_no_option():
    named = [(path.name, text) for path in sources("src", "include") if path.name != "style.cc"
             for text in literals(DATA.sub("", path.read_text())) if OPTION.search(text)]
    assert named == []


def test_words_of_the_option_table_are_spoken_by_the_library():
    """A sentence that was changed would lose its option in silence."""
    table = (ROOT / "cli/option_names.cc").read_text()
    words = re.findall(r'^    \{"([^"]+)", "[^"]+"\},$', table, re.MULTILINE)
    spoken = "\n".join(text for path in sources("src") for text in literals(path.read_text()))
    assert len(words) > 15
    assert [each for each in words if each not in spoken and each.capitalize() not in spoken] == []


def test_what_is_wrong_is_seen():
    assert list(literals('f("a "\n  "b", "c");  // "d"')) == ["a b", "c"]
    assert HARD.search("Of the rows none is left.") and NOBODY.search("found by who knows the swap")
    assert OPTION.search("use --row-map") and not OPTION.search("a -- b, k--n")
