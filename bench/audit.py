"""Audits of whole tables, beside a plain read of both files in the same run.

    bench/audit.py      with $SEMVEIL_DATA also Adult

A million records of five columns with 30,000 distinct tuples, masked by fusion; and Adult's 30,162
records on 8 attributes. bench/compare.py compares configurations on the same table.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

from compare import write_adult

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "release", "semveil")
RECORDS = 1_000_000
TUPLES = 30_000
COLUMNS = 5
VALUES = 60


def row(what, figure, target=None):
    print(f"  {what:<58}{figure:>18}   {'' if target is None else 'target ' + target}", flush=True)


def timed(command):
    """Seconds, and the most memory in MB."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def read_alone(*paths):
    began = time.perf_counter()
    for path in paths:
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass
    return time.perf_counter() - began


def generated(folder):
    """A taxonomy of words, a table over it, and a plan."""
    draw = random.Random(8)
    with open(os.path.join(folder, "words.csv"), "w", encoding="utf-8") as file:
        file.write("child,parent\nword,\n")
        file.writelines(f"g{g},word\n" for g in range(8))
        file.writelines(f"w{v},g{v % 8}\n" for v in range(VALUES))
    tuples = [",".join(f"w{draw.randrange(VALUES)}" for _ in range(COLUMNS)) for _ in range(TUPLES)]
    with open(os.path.join(folder, "table.csv"), "w", encoding="utf-8") as file:
        file.write(",".join(f"c{j}" for j in range(COLUMNS)) + "\n")
        file.writelines(tuples[min(int(draw.expovariate(1) * TUPLES / 8), TUPLES - 1)
                               if i >= TUPLES else i] + "\n" for i in range(RECORDS))
    with open(os.path.join(folder, "plan.toml"), "w", encoding="utf-8") as file:
        file.write('[ontology.words]\nsource = "edges:words.csv"\n')
        for j in range(COLUMNS):
            role = "sensitive" if j == COLUMNS - 1 else "quasi-identifier"
            file.write(f'[column.c{j}]\nrole = "{role}"\nontology = "words"\nroot = "word"\n')
        file.write('[mask]\nmethod = "fuse"\nk = 5\n')


def generated_tables():
    print(f"Audit of {RECORDS:,} records, {COLUMNS} columns, {TUPLES:,} distinct tuples, 2 threads")
    with tempfile.TemporaryDirectory() as folder:
        generated(folder)
        path = {n: os.path.join(folder, n) for n in ("table.csv", "out.csv", "plan.toml")}
        subprocess.run([PROGRAM, "mask", path["table.csv"], "--plan", path["plan.toml"], "-o",
                        path["out.csv"], "--quiet", "--seed", "bench"], check=True)
        alone = read_alone(path["table.csv"], path["out.csv"])
        seconds, memory = timed([PROGRAM, "audit", path["table.csv"], path["out.csv"], "--plan",
                                 path["plan.toml"], "--quiet", "--threads", "2"])
        row("audit, everything", f"{seconds:.1f} s", "60 s")
        row("most memory", f"{memory:.0f} MB", "2,000 MB")
        row("beside a plain read of both files", f"{seconds / alone:.0f} ×")
        seconds, _ = timed([PROGRAM, "audit", path["table.csv"], path["out.csv"], "--plan",
                            path["plan.toml"], "--quiet", "--threads", "2", "--no-attacks",
                            "--clusters", "0"])
        row("without attacks and clusters", f"{seconds:.1f} s")


def adult(folder, data):
    write_adult(folder, data)
    path = {n: os.path.join(folder, n) for n in ("adult.csv", "out.csv", "plan.toml")}
    how = ["--plan", path["plan.toml"], "--method", "fuse", "--k", "5", "--quiet", "--threads", "2"]
    subprocess.run([PROGRAM, "mask", path["adult.csv"], *how, "-o", path["out.csv"], "--seed",
                    "bench"], check=True)
    print("Adult, 8 quasi-identifiers, 2 threads")
    audit = [PROGRAM, "audit", path["adult.csv"], path["out.csv"], *how, "--clusters", "0"]
    seconds, memory = timed(audit)
    without, _ = timed([*audit, "--no-attacks"])
    row("audit, no clusters", f"{seconds:.1f} s")
    row("of it linkage by meaning, attacks, contributions", f"{seconds - without:.1f} s",
        "3 s for linkage alone")
    row("most memory", f"{memory:.0f} MB")


if __name__ == "__main__":
    generated_tables()
    if "SEMVEIL_DATA" in os.environ:
        with tempfile.TemporaryDirectory() as scratch:
            adult(scratch, os.environ["SEMVEIL_DATA"])
    else:
        print("audit.py: SEMVEIL_DATA is not set: there is no Adult to audit")
