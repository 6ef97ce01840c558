"""What grows: large ontologies, dense ones, and very many different values. Prints time and memory of each case,
or the refusal.

    bench/growth.py [SCALE]     default 1: a dense ontology of 6,000 concepts and 590,000 links, one of 2 million
                                concepts with 20,000 different values, 5 million different texts
"""
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "release", "semveil")
MEASURED = """import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([done.returncode, done.stderr, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024], sys.stdout)
"""
WORDS = """[ontology.h]
source = "edges:links.csv"
[column.x]
role = "sensitive"
ontology = "h"
[mask]
method = "noise"
alpha = 0.5
columns = ["x"]
"""
TEXTS = """[column.x]
role = "quasi-identifier"
[mask]
method = "{method}"
k = 3
columns = ["x"]
"""


def write(folder, name, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.writelines(lines)


def dense(folder, scale):
    concepts, parents, drawn = int(6000 * scale), int(100 * scale), random.Random(1)
    links = [f"c{c},c{p}\n" for c in range(1, concepts) for p in drawn.sample(range(c), min(c, parents))]
    write(folder, "links.csv", ["child,parent\n", *links])
    write(folder, "t.csv", ["x\n", *(f"c{drawn.randrange(concepts)}\n" for _ in range(20_000))])
    write(folder, "plan.toml", [WORDS])


def large(folder, scale):
    concepts, drawn = int(2_000_000 * scale), random.Random(1)
    values = drawn.sample(range(concepts), int(20_000 * scale))
    write(folder, "links.csv", ["child,parent\n", *(f"c{c},c{(c - 1) // 6}\n" for c in range(1, concepts))])
    write(folder, "t.csv", ["x\n", *(f"c{values[i % len(values)]}\n" for i in range(100_000))])
    write(folder, "plan.toml", [WORDS])


def texts(method):
    def prepare(folder, scale):
        write(folder, "t.csv", ["x\n", *(f"text {i}\n" for i in range(int(5_000_000 * scale)))])
        write(folder, "plan.toml", [TEXTS.format(method=method)])
    return prepare


def main():
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1
    for what, prepare in {"noise, dense ontology": dense, "noise, large ontology": large,
                          "fuse, texts": texts("fuse"), "microaggregate, texts": texts("microaggregate")}.items():
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder, scale)
            done = subprocess.run(
                [sys.executable, "-c", MEASURED, PROGRAM, "mask", "t.csv", "--plan", "plan.toml", "-o", "out.csv",
                 "--quiet", "--no-cache"], cwd=folder, capture_output=True, text=True, check=True)
        code, error, seconds, mib = json.loads(done.stdout)
        print(f"  {what:<24}{seconds:>8.1f} s{mib:>8} MiB   {'exit ' + str(code) + ' ' + error.strip() if code else ''}",
              flush=True)


if __name__ == "__main__":
    main()
