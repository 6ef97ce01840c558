"""Counts k, l and t of a release in persons, from the files alone and without a line of semveil.

    python person_checker.py original.csv released.csv rows.csv --person patient --quasi age,sex --k 5
                             [--sensitive diagnosis:l=3,kind=entropy,c=4,t=0.2] [--by-column]

persons(g)  the different values of the person column in a class: rows with equal quasi-identifiers
r_v         persons of g with value v in g; somebody with two values counts with both
l           values with r_v > 0; exp of the entropy of r_v / sum r; r_1 < c (r_l + r_(l+1) + ...)
t           half the sum of |r_v / sum r - R_v / sum R|, R counted alike over the whole table; of
            numbers (numeric=1) the area between the two cumulated shares / range

Rows without any quasi-identifier are suppressed: no class, and their sensitive cells are empty, or all
of them together are a class of k persons with what is demanded.
"""

import argparse
import collections
import csv
import math
import sys

TOLERANCE = 1e-9


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_map(path):
    """Row of the original by row of the release."""
    return {int(line["output_row"]): int(line["input_row"]) for line in read(path)}


def persons_by_value(members, column):
    """r_v of some rows, each a pair (person, row)."""
    whose = collections.defaultdict(set)
    for person, row in members:
        if row[column] != "":
            whose[row[column]].add(person)
    return {value: len(persons) for value, persons in whose.items()}


def entropy(r):
    total = sum(r.values())
    return -sum(n / total * math.log(n / total) for n in r.values())


def closeness(r, whole, numeric):
    total, all_of_them = sum(r.values()), sum(whole.values())
    gap = {v: r.get(v, 0) / total - n / all_of_them for v, n in whole.items()}
    if not numeric:
        return sum(abs(g) for g in gap.values()) / 2
    values = sorted(whole, key=float)
    reach = float(values[-1]) - float(values[0])
    cumulated = area = 0
    for here, there in zip(values, values[1:]):
        cumulated += gap[here]
        area += abs(cumulated) * (float(there) - float(here))
    return area / reach if reach else 0


def misses(r, demand, whole):
    """What of a demand a class with these r_v misses."""
    if not r:
        return []
    out = []
    if "l" in demand:
        most = sorted(r.values(), reverse=True)
        l = float(demand["l"])
        kind = demand.get("kind", "distinct")
        if kind == "distinct" and len(r) < l:
            out.append(f"{len(r)} values instead of {l}")
        if kind == "entropy" and entropy(r) < math.log(l) - TOLERANCE:
            out.append(f"an entropy of {entropy(r)}")
        if kind == "recursive":
            rest = sum(most[int(l) - 1:])
            if not most[0] < float(demand.get("c", 4)) * rest:
                out.append(f"{most[0]} of one value, and {rest} of the rest")
    if "t" in demand:
        t = closeness(r, whole, demand.get("numeric"))
        if t > float(demand["t"]) + TOLERANCE:
            out.append(f"t = {t}")
    return out


def classes_of(rows, columns):
    found = collections.defaultdict(list)
    for person, row in rows:
        found[tuple(row[c] for c in columns)].append((person, row))
    return found


def check(original, released, rows, *, person, quasi, k, sensitive=None, by_column=False):
    """All violations, as texts; tables are lists of dictionaries."""
    sensitive = sensitive or {}
    whose = [(original[rows[i]][person], row) for i, row in enumerate(released)]
    wholes = {}
    for column in sensitive:
        wholes[column] = persons_by_value([(original[rows[i]][person], original[rows[i]])
                                           for i in range(len(released))], column)
    wrong = []
    for columns in ([[c] for c in quasi] if by_column else [quasi]):
        for cells, members in classes_of(whose, columns).items():
            count = len({p for p, _ in members})
            if all(cell == "" for cell in cells):
                if by_column or all(row[c] == "" for _, row in members for c in sensitive):
                    continue
            if count < k:
                wrong.append(f"{columns}: {len(members)} rows of {count} persons")
            for column, demand in sensitive.items():
                for miss in misses(persons_by_value(members, column), demand, wholes[column]):
                    wrong.append(f"{column}: {miss}")
    return wrong


def demands_of(texts):
    out = {}
    for text in texts or []:
        column, _, said = text.partition(":")
        out[column] = dict(part.split("=") for part in said.split(",") if part)
    return out


def main():
    parser = argparse.ArgumentParser(description="Counts k, l and t of a release in persons.")
    for name in ("original", "released", "rows"):
        parser.add_argument(name)
    parser.add_argument("--person", required=True)
    parser.add_argument("--quasi", required=True)
    parser.add_argument("--k", type=int, required=True)
    parser.add_argument("--sensitive", action="append")
    parser.add_argument("--by-column", action="store_true")
    said = parser.parse_args()
    wrong = check(read(said.original), read(said.released), read_map(said.rows), person=said.person,
                  quasi=said.quasi.split(","), k=said.k, sensitive=demands_of(said.sensitive),
                  by_column=said.by_column)
    print("\n".join(wrong[:20]) if wrong else "0 violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
