"""Texts that must not leave. A table is full of them, and everything the program says or writes is searched.

    identifier   cells of a column that is dropped because it names people
    dropped      cells of a column that the plan does not name, with undeclared = "drop"
    unmapped     cells that mean nothing, with unmapped = "suppress"
    seed         the text that the key is made from
    rare         a concept that one record has: public reports name it only where the release does

Used by test_canaries.py for some plans, and by scripts/canaries for all of them.
"""

import gzip
import itertools
import os
import pathlib
import random
import subprocess

MARK = "Kanarie"
SEED = f"{MARK}-seed-7151"
RARE = f"{MARK}-rare"
NOWHERE = [f"{MARK}-identifier", f"{MARK}-dropped", SEED]
UNMAPPED = f"{MARK}-unmapped"

# What is masked, and how; those with sets mask the sensitive column.
METHODS = {
    "noise": 'method = "noise"\nalpha = 0.5',
    "correlated": 'method = "noise"\nalpha = 0.3\ncorrelated = true\nreference = "root"',
    "draw-by": 'method = "noise"\nalpha = 0.5\ndraw_by = "person"',
    "naive": 'method = "naive"',
    "probabilistic": 'method = "probabilistic"',
    "swap": 'method = "swap"\nk = 5',
    "dynamic": 'method = "swap"\nk = 5\nalgorithm = "dynamic"',
    "random-swap": 'method = "random-swap"',
    "distributional": 'method = "distributional-swap"\nk = 5',
    "fuse": 'method = "fuse"\nk = 3',
    "recode": 'method = "recode"\nk = 5',
    "generalize": 'method = "generalize"\nk = 3\nsuppression = 0.2',
    "cells": 'method = "generalize"\nk = 3\nsuppress = "cells"',
    "microaggregate": 'method = "microaggregate"\nk = 3',
    "ean": 'method = "ean"',
    "an": 'method = "an"\nl = 3',
}
FORMATS = ["csv", "csv.gz", "parquet"]
EXTRAS = {"plain": "", "shuffled": "shuffle = true\n", "missing as a value": 'missing = "category"\n'}

PLAN = """undeclared = "drop"
{top}
[ontology.o]
source = "edges:ontology.csv"
[column.person]
role = "identifier"
[column.first]
role = "quasi-identifier"
ontology = "o"
unmapped = "suppress"
[column.second]
role = "quasi-identifier"
ontology = "o"
[column.secret]
role = "sensitive"
{categories}
[mask]
{mask}
"""


def ontology(concepts):
    links = "".join(f"c{i},{'' if i == 0 else f'c{(i - 1) // 3}'},\n" for i in range(concepts))
    return f"child,parent,label\n{links}rare,c4,{RARE}\n"


class Canaries:
    """A folder with tables and plans; `leaks` collects what was found where it must not be."""

    def __init__(self, folder, program, records=160, concepts=60, seed=1):
        self.folder = pathlib.Path(folder)
        self.program = pathlib.Path(program).resolve()
        self.env = {**os.environ, "SEMVEIL_CACHE_DIR": str(self.folder / "cache"),
                    "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "temp")}
        self.env.pop("XDG_CACHE_HOME", None)
        self.leaks, self.runs, self.searched, self.refused = [], 0, 0, []
        self.passes_words = False  # the columns of words come through as they are
        (self.folder / "temp").mkdir()
        self._write(random.Random(seed), records, concepts)
        self.inputs = set(self._files())

    def _write(self, pick, records, concepts):
        def record(i):
            first = f"{UNMAPPED}-{i}" if i % 40 == 39 else f"c{pick.randrange(concepts // 2, concepts)}"
            if i == records // 2:
                first = "rare"
            return [f"{MARK}-identifier-{i}", first, f"c{pick.randrange(concepts // 2, concepts)}",
                    f"s{pick.randrange(12)}", f"{MARK}-dropped-{i}"]
        rows = [["person", "first", "second", "secret", "note"], *map(record, range(records))]
        text = "".join(",".join(row) + "\n" for row in rows)
        (self.folder / "table.csv").write_text(text)
        (self.folder / "table.csv.gz").write_bytes(gzip.compress(text.encode()))
        (self.folder / "torn.csv").write_text(text + f"{MARK}-identifier-x,{MARK}-dropped-y\n")
        (self.folder / "control.csv").write_text(text)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            pass
        else:
            columns = dict(zip(rows[0], zip(*rows[1:])))
            pyarrow.parquet.write_table(pyarrow.table({k: list(v) for k, v in columns.items()}),
                                        self.folder / "table.parquet")
        (self.folder / "ontology.csv").write_text(ontology(concepts))
        (self.folder / "seed.txt").write_text(SEED)
        (self.folder / "secret.categories").write_text("s0,s1,s2,s3\ns4,s5,s6,s7\ns8,s9,s10,s11\n")

    def _files(self):
        return [p for p in self.folder.rglob("*") if p.is_file() and "cache" not in p.parts]

    def run(self, what, *arguments, steward=False, public=False, released=b""):
        """One command; everything that it said and wrote is searched. A model and a steward's edition
        are as secret as the table: they may know what is not mapped."""
        done = subprocess.run([self.program, *arguments], cwd=self.folder, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.runs += 1
        said = f"{what}: {arguments[0]}"
        self.search(f"{said}: standard output", done.stdout, public, released, steward)
        self.search(f"{said}: standard error", done.stderr, public, released)
        for file in set(self._files()) - self.inputs:
            is_secret = file.suffix == ".model" or file.name == "steward.html"
            self.search(f"{said}: {file.name}", contents(file),
                        public and file.suffix == ".html", released, is_secret)
        return done

    def search(self, where, found, public=False, released=b"", is_secret=False):
        self.searched += 1
        forbidden = list(NOWHERE)
        if not is_secret and not self.passes_words:
            forbidden.append(UNMAPPED)
        if public and RARE.encode() not in released:
            forbidden.append(RARE)
        self.leaks += [f"{where}: {text}" for text in forbidden if text.encode() in found]

    def forget(self):
        for file in set(self._files()) - self.inputs:
            file.unlink()

    def plan(self, method, top):
        mask = METHODS[method]
        sets = self.passes_words = method in ("ean", "an")
        text = PLAN.format(top=top, mask=mask,
                           categories='categories = "secret.categories"\n' if sets else "")
        (self.folder / "plan.toml").write_text(text)
        self.inputs.add(self.folder / "plan.toml")

    def try_all(self, method, form, top=""):
        """Every verb on one plan and one form of the table."""
        self.plan(method, top)
        table, out = f"table.{form}", f"out.{form}"
        if not (self.folder / table).exists():
            return
        what = f"{method}, {form}, {top.strip() or 'plain'}"
        with_plan = ["--plan", "plan.toml", "--seed-file", "seed.txt"]
        masked = self.run(what, "mask", table, *with_plan, "-o", out, "--row-map", "rows.csv",
                          "--report", "mask.html", "--json")
        if masked.returncode != 0:
            self.refused.append(f"{what}: {masked.stderr.decode().strip()}")
            self.forget()
            return
        released = contents(self.folder / out)
        self.search(f"{what}: public report", contents(self.folder / "mask.html"), True, released)
        self.run(what, "mask", table, *with_plan, "-o", f"again.{form}", "--verbose")
        self.run(what, "fit", table, *with_plan, "-o", "m.model", "--no-key", "--key-out", "key")
        self.run(what, "apply", table, "--model", "m.model", "--key-file", "key", "-o",
                 f"applied.{form}")
        self.run(what, "describe", table, "--plan", "plan.toml", "--json")
        pair = ["audit", table, out, "--plan", "plan.toml", "--row-map", "rows.csv"]
        for edition in ("public", "steward"):
            self.run(what, *pair, "--report", f"{edition}.html", "--edition", edition, "--json",
                     steward=edition == "steward")
        self.search(f"{what}: public audit", contents(self.folder / "public.html"), True, released)
        self.run(what, *pair, "--quiet")
        self.forget()

    def try_the_rest(self):
        """What does not hang on a method: proposals, comparisons, errors of the quiet."""
        self.plan("noise", "")
        seeded = ["--seed-file", "seed.txt"]
        for arguments in (
                ["plan", "table.csv", "-o", "new.toml", "--no-method", *seeded],
                ["advise", "table.csv", "--plan", "plan.toml", *seeded],
                ["compare", "table.csv", "--plan", "plan.toml", "--try", "noise alpha=0.1,0.5",
                 "--try", "fuse k=3", "--report", "compare.html", *seeded],
                ["map", "table.csv", "--column", "second", "--ontology", "edges:ontology.csv",
                 "-o", "map.csv"],
                ["mask", "torn.csv", "--plan", "plan.toml", "-o", "out.csv", "--quiet", *seeded],
                ["describe", "torn.csv", "--plan", "plan.toml", "--quiet"],
                ["map", "torn.csv", "--column", "person", "--ontology", "edges:ontology.csv", "--quiet",
                 "-o", "/dev/null"]):
            self.run("the rest", *arguments)
        self.forget()


def contents(file):
    """All that whoever opens the file may find: its bytes, and what they unpack to."""
    raw = file.read_bytes()
    if raw.startswith(b"\x1f\x8b"):
        raw += gzip.decompress(raw)
    if raw.startswith(b"PAR1"):
        import pyarrow.parquet
        table = pyarrow.parquet.read_table(file)
        raw += repr(table.to_pydict()).encode() + str(table.schema).encode()
    return raw


def every_plan():
    return itertools.product(METHODS, FORMATS, EXTRAS.items())
