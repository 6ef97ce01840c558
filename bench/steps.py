"""Two steps in one plan beside each alone: one survey, one fit and one pass must cost at most 1.1 times
both fits alone and one pass over the table.

    bench/steps.py [RECORDS]            default 1,000,000
"""
import os
import random
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "release", "semveil")
RUNS = 3
BRANCHES, LEAVES = 12, 8

COLUMNS = """
[ontology.tree]
source = "edges:tree.csv"
""" + "".join(f"""
[column.{name}]
role = "{role}"
ontology = "tree"
root = "top"
""" for name, role in (("a", "quasi-identifier"), ("b", "quasi-identifier"), ("c", "sensitive")))
GENERALIZE = '\n[[mask]]\nmethod = "generalize"\nk = 5\n'
NOISE = '\n[[mask]]\nmethod = "noise"\ncolumns = ["c"]\nalpha = 0.3\n'


def prepare(folder, records):
    with open(os.path.join(folder, "tree.csv"), "w", encoding="utf-8") as file:
        file.write("child,parent\n")
        for branch in range(BRANCHES):
            file.write(f"g{branch},top\n")
            for leaf in range(LEAVES):
                file.write(f"v{branch}x{leaf},g{branch}\n")
    drawn = random.Random(1)
    values = [f"v{branch}x{leaf}" for branch in range(BRANCHES) for leaf in range(LEAVES)]
    with open(os.path.join(folder, "table.csv"), "w", encoding="utf-8") as file:
        file.write("id,a,b,c,note\n")
        for row in range(records):
            cells = ",".join(drawn.choices(values, k=3))
            file.write(f"{row},{cells},some text that is copied\n")
    for name, steps in (("generalize", GENERALIZE), ("noise", NOISE), ("both", GENERALIZE + NOISE)):
        with open(os.path.join(folder, name + ".toml"), "w", encoding="utf-8") as file:
            file.write(COLUMNS + steps)


def seconds(folder, *words):
    best = None
    for _ in range(RUNS):
        begin = time.perf_counter()
        subprocess.run([PROGRAM, *words, "--quiet", "--threads", "1"], cwd=folder, check=True)
        took = time.perf_counter() - begin
        best = took if best is None else min(best, took)
    return best


def main():
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, records)

        def fit(plan):
            return seconds(folder, "fit", "table.csv", "--plan", plan + ".toml", "-o", "x.model")

        def mask(plan):
            return seconds(folder, "mask", "table.csv", "--plan", plan + ".toml", "-o", "x.csv")

        generalize, noise, both = fit("generalize"), fit("noise"), mask("both")
        one_pass = mask("noise") - noise
        allowed = generalize + noise + one_pass
        for what, took in (("fit, generalize", generalize), ("fit, noise", noise),
                           ("one pass, noise", one_pass), ("both steps, mask", both)):
            print(f"  {what:<30}{took:>10.2f} s")
        print(f"  {'both / (fits + one pass)':<30}{both / allowed:>10.2f}     target at most 1.1")


if __name__ == "__main__":
    main()
