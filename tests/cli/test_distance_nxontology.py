"""lin on Seco's content with the most informative subsumer, and Sánchez's feature measure, on 1,000
random pairs of WordNet's nouns beside nxontology. It has Lin itself; of Sánchez 2012, which no package
we know of has, it gives the share of common ancestors: sd = log2(1 + 1 - share)."""

import math
import random
from pathlib import Path

import pytest

nxontology = pytest.importorskip("nxontology", reason="nxontology is not installed: run scripts/setup")

NOUNS = Path("/usr/share/wordnet/data.noun")
pytestmark = pytest.mark.skipif(not NOUNS.exists(), reason="WordNet is not installed")


def read_nouns():
    graph = nxontology.NXOntology()
    for line in NOUNS.read_text().splitlines():
        if line.startswith("  "):
            continue
        fields = line.split("|")[0].split()
        pointers = fields[4 + 2 * int(fields[3], 16) + 1:]
        graph.graph.add_node(fields[0])
        for symbol, offset in zip(pointers[::4], pointers[1::4]):
            if symbol in ("@", "@i"):
                graph.graph.add_edge(offset, fields[0])
    graph.freeze()
    return graph


def test_a_thousand_random_pairs(semveil):
    nouns = read_nouns()
    chance = random.Random(9)
    offsets = sorted(nouns.graph.nodes)
    pairs = [(chance.choice(offsets), chance.choice(offsets)) for _ in range(1000)]
    semveil.write("pairs.csv", "a,b\n" + "".join(f"{a}-n,{b}-n\n" for a, b in pairs))

    def distances(*how):
        lines = semveil.ok("distance", "--pairs", "pairs.csv", "--ontology", "wordnet", "--json", *how)
        return [float(line.split('"distance":')[1].split(",")[0]) for line in lines.splitlines()]

    lin = distances("--measure", "lin", "--lcs", "mica")
    sanchez = distances("--measure", "sanchez")
    assert len(lin) == len(sanchez) == 1000
    for (a, b), by_lin, by_sanchez in zip(pairs, lin, sanchez):
        theirs = nouns.similarity(a, b, ic_metric="intrinsic_ic")
        assert by_lin == pytest.approx(1 - theirs.lin, abs=1e-9), (a, b)
        assert by_sanchez == pytest.approx(math.log2(2 - theirs.batet), abs=1e-9), (a, b)
