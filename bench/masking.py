"""Masking whole tables beside Arrow's copy and `cat` of the same file, one thread each that computes;
Arrow reads ahead on another one, we read ahead and write behind.

    bench/masking.py [RECORDS] [sets]   default 10,000,000: about 500 MB of CSV in a temporary folder;
                                        `sets`: only what ean takes
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "build", "release", "semveil")
PYTHON = os.path.join(ROOT, ".venv", "bin", "python")
COPY = os.path.join(ROOT, "bench", "peers", "arrow_copy.py")
WORDNET = "/usr/share/wordnet/data.noun"
VALUES = 1000
RUNS = 5

PLAN = """
[ontology.words]
source = "wordnet"
[column.word]
role = "quasi-identifier"
ontology = "words"
{root}
[mask]
method = "noise"
alpha = 0.3
"""


SETS = """
[column.word]
role = "sensitive"
[mask]
method = "ean"
categories = "words.categories"
"""
L = 5


def row(what, figure, target=None):
    print(f"  {what:<52}{figure:>22}   {'' if target is None else 'target ' + target}", flush=True)


def concept_ids(root=None):
    """Ids of nouns, or of those at or below a synset's offset."""
    children, ids = {}, []
    with open(WORDNET, encoding="utf-8") as file:
        for line in file:
            if line.startswith(" "):
                continue
            fields = line.split(" ")
            ids.append(fields[0])
            at = 4 + 2 * int(fields[3], 16)
            for i in range(int(fields[at])):
                pointer, parent = fields[at + 1 + 4 * i], fields[at + 2 + 4 * i]
                if pointer in ("@", "@i"):
                    children.setdefault(parent, []).append(fields[0])
    if root is None:
        return ids
    below, queue = {root}, [root]
    while queue:
        for child in children.get(queue.pop(), []):
            if child not in below:
                below.add(child)
                queue.append(child)
    return sorted(below)


def write_table(path, records, ids, values=VALUES):
    """Six short columns, about 50 bytes a record; the words as often as words are (Zipf)."""
    words = [f"{i}-n" for i in random.Random(values).sample(ids, values)]
    draw = random.Random(records)
    column = draw.choices(words, weights=[1 / (i + 3) for i in range(values)], k=1 << 18)
    others = [f"{draw.randint(18, 95)},{draw.choice('MF')},{draw.randint(10000, 99999)},"
              f"{draw.uniform(0, 1e6):.4f},2026-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
              for _ in range(1 << 16)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("word,age,sex,zip,amount,date\n")
        for first in range(0, records, 1 << 16):
            shift = draw.randrange(1 << 16)
            rows = min(1 << 16, records - first)
            out.write("".join(f"{column[(first * 7 + i * 31) % (1 << 18)]},"
                              f"{others[(shift + i) % (1 << 16)]}\n" for i in range(rows)))
    return words


def seconds(command, **options):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    return time.perf_counter() - start


def best(measure):
    return min(measure() for _ in range(RUNS))


def in_turn(*measures):
    """The least of each, run one after the other so that a busy moment hits all."""
    least = [float("inf")] * len(measures)
    for _ in range(RUNS):
        for i, measure in enumerate(measures):
            least[i] = min(least[i], measure())
    return least


def mask(table, plan, target, *more):
    def run():
        if os.path.exists(target):
            os.unlink(target)
        return seconds([PROGRAM, "mask", table, "--plan", plan, "-o", target, "--threads", "1",
                        "--no-progress", *more])
    return run


def copy(table, target):
    def run():
        if os.path.exists(target):
            os.unlink(target)
        out = subprocess.run([PYTHON, COPY, table, target], check=True, capture_output=True,
                             text=True)
        return float(out.stdout)
    return run


def cat(table, target):
    def run():
        if os.path.exists(target):
            os.unlink(target)
        with open(target, "wb") as out:
            start = time.perf_counter()
            subprocess.run(["cat", table], check=True, stdout=out)
            return time.perf_counter() - start
    return run


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))


def print_masking(records):
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        with open(at("plan.toml"), "w", encoding="utf-8") as plan:
            plan.write(PLAN.format(root=""))
        with open(at("person.toml"), "w", encoding="utf-8") as plan:
            plan.write(PLAN.format(root='root = "person.n.01"'))
        print(f"\nMasking one column, {records:,} records, {VALUES:,} values, WordNet's 82,115 nouns "
              f"(one thread, best of {RUNS})")
        table = at("table.csv")
        write_table(table, records, concept_ids())
        size = os.path.getsize(table)
        ours, silent, arrow, floor = in_turn(
            mask(table, at("plan.toml"), at("masked.csv")),
            mask(table, at("plan.toml"), at("masked.csv"), "--quiet"),
            copy(table, at("copy.csv")), cat(table, at("cat.csv")))
        row(f"CSV, {size / 1e6:,.0f} MB: both passes and the summary",
            f"{ours:.2f} s, {2 * size / ours / 1e6:,.0f} MB/s")
        row("  records masked", f"{records / ours / 1e6:.2f} million/s")
        row("  with --quiet (no figures of the result)", f"{silent:.2f} s")
        row("Arrow's copy, all columns as text", f"{arrow:.2f} s")
        row("cat into a file", f"{floor:.2f} s")
        row("ratio to Arrow's copy, --quiet", f"{silent / arrow:.2f} ×", "≤ 0.75 × (stretch 0.5)")
        row("ratio to Arrow's copy, with the summary", f"{ours / arrow:.2f} ×")

        subprocess.run([PROGRAM, "mask", table, "--plan", at("plan.toml"), "-o", at("a.csv"),
                        "--seed", "bench", "--quiet"], check=True)
        subprocess.run([PROGRAM, "mask", table, "--plan", at("plan.toml"), "-o", at("b.csv"),
                        "--seed", "bench", "--quiet"], check=True, preexec_fn=limited)
        same = subprocess.run(["cmp", "-s", at("a.csv"), at("b.csv")], check=False).returncode == 0
        row("the same bytes within 512 MB of address space", "yes" if same else "NO", "yes")
        for name in ("a.csv", "b.csv", "copy.csv", "cat.csv", "masked.csv"):
            os.unlink(at(name))

        convert = ("import sys, pyarrow.csv as c, pyarrow.parquet as p; "
                   "p.write_table(c.read_csv(sys.argv[1]), sys.argv[2])")
        subprocess.run([PYTHON, "-c", convert, table, at("table.parquet")], check=True)
        ours, arrow = in_turn(mask(at("table.parquet"), at("plan.toml"), at("m.parquet"), "--quiet"),
                              copy(at("table.parquet"), at("c.parquet")))
        row("Parquet: both passes, --quiet", f"{ours:.2f} s")
        row("Arrow's copy", f"{arrow:.2f} s")
        row("ratio", f"{ours / arrow:.2f} ×", "≤ 1.2 ×")

        print_growth(at, records, table)


def print_growth(at, records, table):
    """Two sizes tell what a record costs and what is paid once, for the fit of 1,000 values."""
    print("\nHow it grows (--quiet)")
    few = records // 10
    for what, root, plan in (("82,115 concepts", None, "plan.toml"),
                             ("person: 10,297 concepts", "00007846", "person.toml")):
        write_table(at("few.csv"), few, concept_ids(root))
        if root is not None:  # else it is the table
            write_table(table, records, concept_ids(root))
        short, long = in_turn(mask(at("few.csv"), at(plan), at("s.csv"), "--quiet"),
                              mask(table, at(plan), at("s.csv"), "--quiet"))
        each = (long - short) / (records - few)
        row(f"{few:,} and {records:,} records, {what}", f"{short:.3f} s, {long:.3f} s")
        row("  a record costs", f"{each * 1e9:.0f} ns", "the same in both")
        row("  fit, and what else is paid once", f"{short - each * few:.3f} s")


def print_sets(records):
    """Both passes of ean and the one that verifies, beside a copy of what they wrote."""
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        with open(at("plan.toml"), "w", encoding="utf-8") as plan:
            plan.write(SETS)
        for values in (60, VALUES):
            words = write_table(at("table.csv"), records, concept_ids(), values)
            with open(at("words.categories"), "w", encoding="utf-8") as file:
                for i in range(L):
                    file.write(",".join(words[i::L]) + "\n")
            mask(at("table.csv"), at("plan.toml"), at("sets.csv"), "--quiet")()
            size = os.path.getsize(at("sets.csv"))
            ours, told, arrow = in_turn(
                mask(at("table.csv"), at("plan.toml"), at("sets.csv"), "--quiet"),
                mask(at("table.csv"), at("plan.toml"), at("sets.csv")),
                copy(at("sets.csv"), at("copy.csv")))
            print(f"\nSets of {L} for one column, {records:,} records, {values:,} values "
                  f"(one thread, best of {RUNS})")
            row(f"ean, {size / 1e6:,.0f} MB written and read again, --quiet", f"{ours:.2f} s")
            row("  with the summary", f"{told:.2f} s")
            row("Arrow's copy of what was written, all as text", f"{arrow:.2f} s")
            row("ratio to Arrow's copy, --quiet", f"{ours / arrow:.2f} ×", "≤ 1 × (stretch 0.5)")
            row("ratio to Arrow's copy, with the summary", f"{told / arrow:.2f} ×")


if __name__ == "__main__":
    RECORDS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    if "sets" not in sys.argv:
        print_masking(RECORDS)
    print_sets(RECORDS)
