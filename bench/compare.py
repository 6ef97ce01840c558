"""How long `compare` takes on Adult: the complete records of adult.data, eight quasi-identifiers with
ARX's hierarchies, the usual configurations without their sets.

    bench/compare.py [THREADS]     needs $SEMVEIL_DATA; default 2 threads
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.environ.get("SEMVEIL_BIN") or os.path.join(ROOT, "build", "release", "semveil")
COLUMNS = ("age workclass fnlwgt education education-num marital-status occupation relationship race "
           "sex capital-gain capital-loss hours-per-week native-country income").split()
QUASI_IDENTIFIERS = "sex age race marital-status education native-country workclass occupation".split()
TARGET = 120  # seconds


def write_adult(folder, data):
    """The table, and the plan that names the hierarchies."""
    with gzip.open(os.path.join(data, "adult", "adult.data.gz"), "rt", encoding="utf-8") as source, \
            open(os.path.join(folder, "adult.csv"), "w", encoding="utf-8") as out:
        out.write(",".join(COLUMNS) + "\n")
        for line in source:
            if line.strip() and "?" not in line:
                out.write(",".join(cell.strip() for cell in line.split(",")) + "\n")
    hierarchies = os.path.join(os.path.abspath(data), "arx-hierarchies")
    with open(os.path.join(folder, "plan.toml"), "w", encoding="utf-8") as out:
        for name in QUASI_IDENTIFIERS:
            out.write(f'[ontology.{name}]\nsource = "vgh:{hierarchies}/adult_hierarchy_{name}.csv"\n'
                      f'[column.{name}]\nrole = "quasi-identifier"\nontology = "{name}"\n')
        out.write('[column.income]\nrole = "sensitive"\n')


def main():
    threads = sys.argv[1] if len(sys.argv) > 1 else "2"
    data = os.environ.get("SEMVEIL_DATA")
    if not data:
        sys.exit("compare.py: SEMVEIL_DATA is not set: there is no Adult to compare on")
    with tempfile.TemporaryDirectory() as folder:
        write_adult(folder, data)
        start = time.perf_counter()
        done = subprocess.run([PROGRAM, "compare", "adult.csv", "--plan", "plan.toml", "--seed", "adult",
                               "--threads", threads, "--no-progress", "--json"],
                              cwd=folder, check=True, stdout=subprocess.PIPE)
        seconds = time.perf_counter() - start
    told = json.loads(done.stdout)
    print(f"  compare of {len(told['releases'])} configurations on Adult, {told['records']} records, "
          f"{threads} threads: {seconds:.1f} s   target {TARGET} s")
    for release in told["releases"]:
        risks = "  ".join(f"{k} {v:.4f}" for k, v in release["risks"].items())
        print(f"    {'*' if release['best'] else ' '} {release['label']:<42}{risks}"
              f"{release.get('failure', '')}")


if __name__ == "__main__":
    main()
