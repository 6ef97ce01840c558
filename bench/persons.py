"""What counting persons costs beside counting rows: `mask` with and without `person`, every method that
forms classes.

    bench/persons.py [RECORDS] [PERSONS]   default 1,000,000 rows of 300,000 persons, 8 columns
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("SEMVEIL_BIN") or os.path.join(ROOT, "build", "release", "semveil")
COLUMNS = 8
VALUES = 9  # a column: three below each of three
K = 5
MOST = 2.0  # times
METHODS = {
    "recode": 'method = "recode"',
    "generalize, full-domain": 'method = "generalize"\nscope = "full-domain"\nsuppression = 0.05',
    "generalize, local": 'method = "generalize"',
    "fuse": 'method = "fuse"',
    "microaggregate": 'method = "microaggregate"',
}


def write_table(path, records, persons):
    """Persons mostly stay what they are, and few values are frequent, so that tuples repeat."""
    draw = random.Random(1)
    shares = [2.0 ** -v for v in range(VALUES)]
    usual = [draw.choices(range(VALUES), shares, k=COLUMNS) for _ in range(persons)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("person," + ",".join(f"c{j}" for j in range(COLUMNS)) + "\n")
        for i in range(records):
            who = i if i < persons else draw.randrange(persons)
            cells = list(usual[who])
            if draw.random() < 0.3:
                cells[draw.randrange(COLUMNS)] = draw.choices(range(VALUES), shares)[0]
            out.write(f"{who}," + ",".join(f"v{c}" for c in cells) + "\n")


def write_plan(folder, method, by_person):
    lines = ["child,parent", "all,"]
    lines += [f"g{g},all" for g in range(3)] + [f"v{v},g{v % 3}" for v in range(VALUES)]
    with open(os.path.join(folder, "tree.csv"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    text = 'person = "person"\n' if by_person else ""
    text += '[ontology.tree]\nsource = "edges:tree.csv"\n[column.person]\nrole = "identifier"\n'
    for j in range(COLUMNS):
        text += f'[column.c{j}]\nrole = "quasi-identifier"\nontology = "tree"\nroot = "all"\n'
    with open(os.path.join(folder, "plan.toml"), "w", encoding="utf-8") as out:
        out.write(f"{text}[mask]\n{method}\nk = {K}\n")


def seconds(folder, method, by_person):
    write_plan(folder, method, by_person)
    before = time.monotonic()
    subprocess.run([PROGRAM, "mask", "table.csv", "--plan", "plan.toml", "-o", "out.csv", "--seed", "s",
                    "--quiet", "--threads", "1"], cwd=folder, check=True)
    return time.monotonic() - before


def main():
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    persons = int(sys.argv[2]) if len(sys.argv) > 2 else 300_000
    with tempfile.TemporaryDirectory() as folder:
        write_table(os.path.join(folder, "table.csv"), records, persons)
        print(f"{records:,} rows of {persons:,} persons, {COLUMNS} columns, k = {K}; one thread")
        for name, method in METHODS.items():
            rows, people = seconds(folder, method, False), seconds(folder, method, True)
            print(f"  {name:<26}{rows:>8.1f} s of rows{people:>8.1f} s of persons{people / rows:>7.2f} x"
                  f"   target at most {MOST} x", flush=True)
    print(f"  most memory {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
