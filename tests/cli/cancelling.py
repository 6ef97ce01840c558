"""Commands that are stopped at random moments: what they need, and what must hold afterwards.

Used by test_cancel.py for some of each, and by scripts/cancel for all of them.
"""

import os
import pathlib
import random
import signal
import statistics
import subprocess
import time

# Plans by name: what is masked, and how.
WORDS, SETS = "words", "sets"
METHODS = {
    "noise": (WORDS, 'method = "noise"\nalpha = 0.5'),
    "correlated": (WORDS, 'method = "noise"\nalpha = 0.3\ncorrelated = true\nreference = "root"'),
    "naive": (WORDS, 'method = "naive"'),
    "probabilistic": (WORDS, 'method = "probabilistic"'),
    "swap": (WORDS, 'method = "swap"\nk = 20'),
    "dynamic": (WORDS, 'method = "swap"\nk = 10\nalgorithm = "dynamic"'),
    "fixed": (WORDS, 'method = "swap"\nk = 10\nalgorithm = "fixed"'),
    "random-swap": (WORDS, 'method = "random-swap"'),
    "distributional": (WORDS, 'method = "distributional-swap"\nk = 10'),
    "fuse": (WORDS, 'method = "fuse"\nk = 3'),
    "recode": (WORDS, 'method = "recode"\nk = 20'),
    "generalize": (WORDS, 'method = "generalize"\nk = 5'),
    "full-domain": (WORDS, 'method = "generalize"\nk = 5\nscope = "full-domain"\nsuppression = 0.05'),
    "microaggregate": (WORDS, 'method = "microaggregate"\nk = 5'),
    "ean": (SETS, 'method = "ean"'),
    "an": (SETS, 'method = "an"\nl = 3'),
}
# What `compare` tries; those that only draw need no search.
TRIES = {
    "noise": "noise alpha=0.1,0.3", "correlated": "noise alpha=0.3 correlated=true reference=root",
    "naive": "naive", "probabilistic": "probabilistic", "swap": "swap k=5,20",
    "dynamic": "swap k=10 algorithm=dynamic", "fixed": "swap k=10 algorithm=fixed",
    "random-swap": "random-swap", "distributional": "distributional-swap k=10", "fuse": "fuse k=3",
    "recode": "recode k=20", "generalize": "generalize k=5",
    "full-domain": "generalize k=5 scope=full-domain suppression=0.05",
    "microaggregate": "microaggregate k=5", "ean": "ean", "an": "an l=3",
}
VERBS = ["fit", "apply", "audit", "compare"]
MEDIAN, WORST = 0.2, 1.0  # seconds from the signal to the end

COLUMNS = """
[ontology.o]
source = "edges:ontology.csv"
[column.first]
role = "quasi-identifier"
ontology = "o"
[column.second]
role = "quasi-identifier"
ontology = "o"
[column.secret]
role = "sensitive"
"""


class Stopping:
    """A folder with tables, models and masked tables that commands are run on and stopped."""

    def __init__(self, folder, program, records, concepts, seed=1):
        self.folder = pathlib.Path(folder)
        self.program = pathlib.Path(program).resolve()
        self.random = random.Random(seed)
        self.took = {}  # by command: how long it runs when nobody stops it
        # Without a cache, ontologies are loaded each time: that can be stopped, too.
        self.env = {**os.environ, "SEMVEIL_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": ""}
        self.late, self.stopped, self.finished = [], 0, 0
        self._write(records, concepts)

    def _write(self, records, concepts):
        pick = self.random
        edges = "".join(f"c{i},{'' if i == 0 else f'c{(i - 1) // 4}'}\n" for i in range(concepts))
        (self.folder / "ontology.csv").write_text("child,parent\n" + edges)
        leaves = range(concepts // 4 + 1, concepts)
        common = [pick.choice(leaves) for _ in range(len(leaves) // 8 + 1)]

        def record(i):
            first, second = pick.choice(common), pick.choice(common)
            return f"c{first},c{second if i % 3 else first},s{pick.randrange(30)},note {i}\n"
        (self.folder / "table.csv").write_text(
            "first,second,secret,note\n" + "".join(map(record, range(records))))
        (self.folder / "secret.categories").write_text(
            "".join(",".join(f"s{i}" for i in range(at, at + 6)) + "\n" for at in range(0, 30, 6)))
        for name, (columns, mask) in METHODS.items():
            more = 'categories = "secret.categories"\n' if columns == SETS else ""
            (self.folder / f"{name}.toml").write_text(f"{COLUMNS}{more}[mask]\n{mask}\n")

    def command(self, verb, method):
        plan = ["--plan", f"{method}.toml"]
        return {
            "fit": ["fit", "table.csv", *plan, "--seed", "s", "-o", "new.model"],
            "apply": ["apply", "table.csv", "--model", f"{method}.model", "-o", "new.csv"],
            "audit": ["audit", "table.csv", f"{method}.csv", *plan, "--report", "new.html"],
            "compare": ["compare", "table.csv", *plan, "--try", TRIES[method], "--seed", "s",
                        "--report", "new.html"],
        }[verb] + ["--threads", "2"]

    def start(self, arguments, **how):
        # Whoever runs the tests in the background ignores Ctrl-C, and what they start would, too.
        return subprocess.Popen(
            [self.program, *arguments], cwd=self.folder, env=self.env, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **how})

    def run(self, arguments):
        began = time.monotonic()
        running = self.start(arguments)
        said = running.communicate(timeout=600)[1].decode()
        assert running.returncode == 0, f"{arguments}: {said}"
        return time.monotonic() - began

    def prepare(self, method):
        """The model and the masked table of a method; how long its commands take."""
        if (self.folder / f"{method}.csv").exists():
            return
        for verb, made in [("fit", f"{method}.model"), ("apply", f"{method}.csv")]:
            self.took[verb, method] = self.run(self.command(verb, method))
            (self.folder / self.command(verb, method)[-3]).rename(self.folder / made)

    def files(self):
        return {p: p.stat().st_mtime_ns for p in self.folder.rglob("*")}

    def stop(self, verb, method, number=signal.SIGINT):
        """Stops a command at a random moment and checks what it leaves; seconds until it ended."""
        self.prepare(method)
        command = self.command(verb, method)
        if (verb, method) not in self.took:
            before = self.files()
            self.took[verb, method] = self.run(command)
            for file in self.files().keys() - before.keys():
                file.unlink()
        before = self.files()
        running = self.start(command)
        time.sleep(self.random.uniform(0, 0.95 * self.took[verb, method]))
        began = time.monotonic()
        running.send_signal(number)
        said = running.communicate(timeout=60)[1].decode()
        seconds = time.monotonic() - began
        if running.returncode == 0:  # it was done before, or its commit had begun
            self.finished += 1
            for file in self.files().keys() - before.keys():
                file.unlink()
            return None
        assert running.returncode in (128 + number, -number), f"{running.returncode}: {said}"
        # A signal that comes before the program has begun ends it as it ends any.
        if running.returncode > 0:
            assert said == "semveil: stopped before the work was done\n", said
        assert self.files() == before, f"{command}: files are left"
        self.stopped += 1
        self.late.append((seconds, verb, method))
        return seconds

    def stop_often(self, verb, methods, times):
        """As often as wanted, the methods in turn."""
        stopped, tried = 0, 0
        while stopped < times:
            stopped += self.stop(verb, methods[tried % len(methods)],
                                 signal.SIGTERM if tried % 5 == 4 else signal.SIGINT) is not None
            tried += 1
            assert tried < 4 * times + 10, f"{verb}: it is done before it can be stopped"

    def figures(self):
        seconds = [one[0] for one in self.late]
        return statistics.median(seconds), max(self.late)
