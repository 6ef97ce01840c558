"""A small table of diagnoses, its ontology and its plan, for the verbs that mask; and slow, obviously
correct counterparts of the figures they tell."""

import csv
import io
import itertools
import math

# id, parent, label; depth of the root is 1.
DISEASES = [
    ("D", "", "Disease"),
    ("D1", "D", "Infection"), ("D11", "D1", "Flu"), ("D12", "D1", "Cold"), ("D13", "D1", "Measles"),
    ("D14", "D1", "Mumps"),
    ("D2", "D", "Injury"), ("D21", "D2", "Fracture"), ("D22", "D2", "Burn"), ("D23", "D2", "Sprain"),
    ("D24", "D2", "Cut"),
    ("D3", "D", "Chronic disease"), ("D31", "D3", "Asthma"), ("D32", "D3", "Diabetes"),
    ("D33", "D3", "Gout"), ("D34", "D3", "Arthritis"),
]
IDS = {label: key for key, _, label in DISEASES}
LABELS = {key: label for key, _, label in DISEASES}
PARENT = {key: parent for key, parent, _ in DISEASES}
LEAVES = [label for key, _, label in DISEASES if key not in PARENT.values()]
ONTOLOGY = "child,parent,label\n" + "".join(f"{c},{p},{label}\n" for c, p, label in DISEASES)

HEADER = "patient,diagnosis,second,city,note"
PLAN = """
[ontology.disease]
source = "edges:disease.csv"

[column.diagnosis]
role = "quasi-identifier"
ontology = "disease"
root = "D"

[mask]
method = "noise"
alpha = 0.5
"""
SECOND = """
[column.second]
role = "quasi-identifier"
ontology = "disease"
root = "D"
"""


def rows(count):
    """Records in which the second diagnosis tends to be near the first."""
    out = []
    for i in range(count):
        first = LEAVES[(i * i + i // 7) % len(LEAVES)]
        second = first if i % 3 == 0 else LEAVES[(LEAVES.index(first) + i % 4) % len(LEAVES)]
        out.append([f"p{i // 4}", first, second, f"city {i % 5}", f"{i:03}"])
    return out


def as_csv(records, header=HEADER):
    return header + "\n" + "".join(",".join(r) + "\n" for r in records)


def parsed(text):
    """Header and columns by name."""
    table = list(csv.reader(io.StringIO(text)))
    return {name: [row[j] for row in table[1:]] for j, name in enumerate(table[0])}


def prepare(program, count=200, plan=PLAN):
    program.write("disease.csv", ONTOLOGY)
    program.write("table.csv", as_csv(rows(count)))
    program.write("plan.toml", plan)
    return program


def mask(program, *more, table="table.csv", out="out.csv", plan="plan.toml"):
    """The text of the masked table."""
    program.ok("mask", table, "--plan", plan, "-o", out, "--quiet", *more)
    return (program.folder / out).read_bytes().decode()


def files(program):
    return sorted(p.name for p in program.folder.iterdir() if p.name not in ("cache", "home"))


# ---- Slow counterparts --------------------------------------------------------------------------

def way_up(concept):
    way = [concept]
    while PARENT[way[-1]]:
        way.append(PARENT[way[-1]])
    return way


def distance(a, b):
    """Wu-Palmer (framework paper, eq 11-12)."""
    up_a, up_b = way_up(a), way_up(b)
    subsumer = next(c for c in up_a if c in up_b)
    depth = len(way_up(subsumer))
    return 1 - 2 * depth / (2 * depth + up_a.index(subsumer) + up_b.index(subsumer))


def mean(values):
    """Ties: most frequent, shallowest, smallest id."""
    return min(PARENT, key=lambda c: (round(sum(distance(c, v) for v in values), 9),
                                      -values.count(c), len(way_up(c)), c))


def variance(values):
    m = mean(values)
    return sum(distance(v, m) ** 2 for v in values) / len(values)


def distance_covariance(a, b):
    def centred(values):
        n = len(values)
        d = [[distance(x, y) for y in values] for x in values]
        row = [sum(r) / n for r in d]
        total = sum(row) / n
        return [[d[i][j] - row[i] - row[j] + total for j in range(n)] for i in range(n)]

    product = sum(x * y for p, q in zip(centred(a), centred(b)) for x, y in zip(p, q))
    return math.sqrt(max(0, product)) / len(a)


def class_sizes(*columns):
    return sorted(len(list(g)) for _, g in itertools.groupby(sorted(zip(*columns))))
