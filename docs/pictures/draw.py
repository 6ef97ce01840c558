"""Draws the pictures of the README as SVG, from what the program says. No libraries needed.

    python3 docs/pictures/draw.py build/release/semveil
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = {  # concept: (column, row, parent); all below "carnivore" in WordNet 3.0
    "carnivore.n.01": (3.5, 0, None),
    "canine.n.02": (1.5, 1, "carnivore.n.01"),
    "feline.n.01": (4.5, 1, "carnivore.n.01"),
    "bear.n.01": (6.5, 1, "carnivore.n.01"),
    "dog.n.01": (0.5, 2, "canine.n.02"),
    "wolf.n.01": (1.5, 2, "canine.n.02"),
    "fox.n.01": (2.5, 2, "canine.n.02"),
    "cat.n.01": (4, 2, "feline.n.01"),
    "lion.n.01": (5.2, 3, "big_cat.n.01"),
    "big_cat.n.01": (5.2, 2, "feline.n.01"),
    "ice_bear.n.01": (6.5, 2, "bear.n.01"),
    "poodle.n.01": (0, 3, "dog.n.01"),
    "puppy.n.01": (1.1, 3, "dog.n.01"),
}
INK, PAPER, LINE = "#1f2933", "#ffffff", "#9aa5b1"


def distances(program, source):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as pairs:
        pairs.write("a,b\n" + "".join(f"{source},{c}\n" for c in TREE))
        pairs.flush()
        out = subprocess.run([program, "distance", "--pairs", pairs.name, "--ontology", "wordnet",
                              "--root", "carnivore.n.01", "--json"],
                             check=True, capture_output=True, text=True).stdout
    return {c: json.loads(line) for c, line in zip(TREE, out.splitlines())}


def shade(distance):
    """Near is deep green, far is pale."""
    near, far = (46, 125, 91), (232, 240, 236)
    mix = [round(n + (f - n) * min(1, distance / 0.72)) for n, f in zip(near, far)]
    return "#%02x%02x%02x" % tuple(mix)


def text(x, y, content, size=14, fill=INK, anchor="middle", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{content}</text>')


def page(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif">'
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>' + "".join(parts) + "</svg>\n")


def draw_tree(program):
    found = distances(program, "dog.n.01")
    place = {c: (70 + column * 112, 100 + row * 92) for c, (column, row, _) in TREE.items()}
    parts = [text(24, 34, "How far is each word from “dog”?", 19, anchor="start", weight="bold"),
             text(24, 56, "Wu-Palmer distance inside “carnivore”; the darker, the closer in meaning",
                  13, "#52606d", "start")]
    for c, (_, _, parent) in TREE.items():
        if parent:
            (x, y), (px, py) = place[c], place[parent]
            parts.append(f'<path d="M{px:.0f} {py + 20} C{px:.0f} {py + 55} {x:.0f} {y - 55} '
                         f'{x:.0f} {y - 20}" fill="none" stroke="{LINE}" stroke-width="1.5"/>')
    for c, (x, y) in place.items():
        distance = found[c]["distance"]
        dark = distance < 0.35
        own = c == "dog.n.01"
        parts.append(f'<rect x="{x - 50:.0f}" y="{y - 20}" width="100" height="42" rx="8" '
                     f'fill="{shade(distance)}" stroke="{INK if own else LINE}" '
                     f'stroke-width="{2.5 if own else 1}"/>')
        colour = "#ffffff" if dark else INK
        parts.append(text(x, y - 2, found[c]["b"]["label"], 14, colour, weight="bold"))
        parts.append(text(x, y + 15, f"{distance:.2f}", 12, colour))
    return page(900, 430, parts)


if __name__ == "__main__":
    with open(os.path.join(HERE, "distances.svg"), "w", encoding="utf-8") as out:
        out.write(draw_tree(sys.argv[1]))
