"""Commands whose system calls fail, or that are killed at one: what must hold afterwards.

Used by test_faults.py for some of the calls, and by scripts/torture for all of them.
"""

import collections
import errno
import itertools
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess

PLAN = """
[ontology.o]
source = "edges:ontology.csv"
[column.first]
role = "quasi-identifier"
ontology = "o"
[mask]
method = "noise"
alpha = 0.5
"""
KILL = 0  # in place of an errno
ERRORS = {  # of each call: how it may fail
    "open": [errno.EIO, errno.ENOSPC],
    "write": [errno.ENOSPC, errno.EIO],
    "fsync": [errno.EIO],
    "link": [errno.EIO, errno.EPERM, errno.ENOSPC],
    "rename": [errno.EIO, errno.EBUSY],
    "close": [errno.EIO],
    "chmod": [errno.EPERM],
    "say": [errno.EIO],
}
OUTPUTS = {  # of each verb: the files it writes, and how secret they are
    "mask": {"released.csv": 0o644, "trace.csv": 0o600, "rows.csv": 0o600, "report.html": 0o644},
    "fit": {"model": 0o600, "key": 0o600},
    "apply": {"released.csv": 0o644, "trace.csv": 0o600, "model.releases": 0o600, "model": 0o600},
}
RECORD = "model.releases"  # gets a line, and is not replaced; an empty one is none
STAYS = "model"            # of apply: must be there, and is only read
COMMANDS = {
    "mask": ["mask", "../table.csv", "--plan", "../plan.toml", "--seed", "s", "-o", "out/released.csv",
             "--trace", "out/trace.csv", "--row-map", "out/rows.csv", "--report", "out/report.html"],
    "fit": ["fit", "../table.csv", "--plan", "../plan.toml", "--seed", "s", "-o", "out/model",
            "--no-key", "--key-out", "out/key"],
    "apply": ["apply", "../table.csv", "--model", "out/model", "--release", "r", "-o", "out/released.csv",
              "--trace", "out/trace.csv"],
}
LEFTOVER = re.compile(r"\.semveil-[0-9a-f]{24}\.(tmp|old)")

Fault = collections.namedtuple("Fault", "verb nameless old call at error onwards")


def compiled(folder):
    """The library to preload; none where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    library = pathlib.Path(folder) / "faults.so"
    source = pathlib.Path(__file__).with_name("faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


class Faults:
    """A folder with inputs. Each run has a folder of its own below it, with its outputs in out/."""

    def __init__(self, folder, program, library):
        self.folder = pathlib.Path(folder)
        self.program = pathlib.Path(program).resolve()
        self.library = library
        self.numbers = itertools.count()
        # Without a cache every run does the same calls.
        self.env = {**os.environ, "SEMVEIL_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": ""}
        concepts = 40
        (self.folder / "ontology.csv").write_text("child,parent\n" + "".join(
            f"c{i},{'' if i == 0 else f'c{(i - 1) // 3}'}\n" for i in range(concepts)))
        (self.folder / "table.csv").write_text("first,note\n" + "".join(
            f"c{20 + i * 7 % 20},note {i}\n" for i in range(60)))
        (self.folder / "plan.toml").write_text(PLAN)
        self.old = {verb: {name: f"old {name}\n".encode() for name in names} for verb, names in OUTPUTS.items()}
        self.new = {}     # by verb: what its outputs are
        self.counts = {}  # by verb, and whether there are nameless files: calls of each kind

    def run_folder(self, verb, old):
        place = self.folder / f"run{next(self.numbers)}"
        (place / "out").mkdir(parents=True)
        if verb == "apply":
            self.fit_model()
        for name, mode in OUTPUTS[verb].items():
            if old or (verb, name) == ("apply", STAYS):
                (place / "out" / name).write_bytes(self.old[verb][name])
                (place / "out" / name).chmod(mode)
        return place

    def fit_model(self):
        """A model that has released something."""
        place = self.folder / "fitted"
        if place.exists():
            return
        place.mkdir()
        fit = ["fit", "../table.csv", "--plan", "../plan.toml", "--seed", "s", "-o", STAYS]
        other = [{"r": "another"}.get(word, word.replace("out/", "")) for word in COMMANDS["apply"]]
        for arguments in (fit, other):
            assert self.run(place, [*arguments, "--quiet"], self.env) == (0, "", "")
        for name in (STAYS, RECORD):
            self.old["apply"][name] = (place / name).read_bytes()

    def environment(self, nameless=True, **faults):
        env = {**self.env, "LD_PRELOAD": str(self.library)}
        if not nameless:
            env["FAULTS_NO_NAMELESS"] = "1"
        return env | {f"FAULTS_{name.upper()}": str(value) for name, value in faults.items()}

    def start(self, place, arguments, env, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
        return subprocess.Popen([self.program, *arguments], cwd=place, env=env, umask=0o022, **how)

    def run(self, place, arguments, env):
        running = self.start(place, arguments, env)
        said, complained = running.communicate(timeout=120)
        return running.returncode, said.decode(), complained.decode()

    def learn(self, verb, nameless):
        """What the verb writes, and which calls it makes."""
        if (verb, nameless) in self.counts:
            return self.counts[verb, nameless]
        place = self.run_folder(verb, old=True)
        log = self.folder / f"{verb}{nameless}.log"
        code, _, complained = self.run(place, COMMANDS[verb], self.environment(nameless, log=log))
        assert (code, complained) == (0, "")
        self.counts[verb, nameless] = collections.Counter(
            line.split()[0] for line in log.read_text().splitlines())
        self.new[verb] = contents(place)
        assert self.new[verb].keys() == OUTPUTS[verb].keys()
        shutil.rmtree(place)
        return self.counts[verb, nameless]

    def check(self, fault):
        """Runs with the fault; the exit code, and what is wrong with what it left."""
        self.learn(fault.verb, fault.nameless)
        place = self.run_folder(fault.verb, fault.old)
        before, modes = contents(place), modes_of(place)
        env = self.environment(fault.nameless, call=fault.call, at=fault.at, error=fault.error,
                               onwards=int(fault.onwards))
        code, _, complained = self.run(place, COMMANDS[fault.verb], env)
        after = contents(place)
        if fault.error == KILL:
            wrong = self.wrong_when_killed(fault, place, before, after, code)
        elif code == 0:
            wrong = self.wrong_when_done(fault, place, after)
        elif code != 4 and code != 1:
            wrong = f"exit {code}"
        elif not complained.startswith("semveil: "):
            wrong = f"it says {complained!r}"
        elif fault.onwards:  # nothing may work any more, but nothing is lost
            wrong = "".join(f"the old {name} is lost " for name in before
                            if before[name] not in after.values())
        else:
            wrong = "" if (after, modes_of(place)) == (before, modes) else f"it leaves {told(place)}"
        shutil.rmtree(place)
        return code, wrong

    def same(self, verb, name, bytes_now):
        """Whether these are the bytes of the new file. A report tells when it was made."""
        new = self.new[verb][name]
        if name == RECORD:
            return bytes_now.splitlines()[-1:] == new.splitlines()[-1:]
        if name != "report.html":
            return bytes_now == new
        return without_time(bytes_now) == without_time(new)

    def wrong_when_done(self, fault, place, after):
        outputs = OUTPUTS[fault.verb]
        if after.keys() != outputs.keys():
            return f"done, and it leaves {told(place)}"
        stale = [name for name in outputs if not self.same(fault.verb, name, after[name])]
        if stale:
            return f"done, and {stale} is not new"
        # Where a mode cannot be given, the file is as it was made.
        if fault.call != "chmod" and modes_of(place) != outputs:
            return f"done, and modes are {told(place)}"
        return ""

    def wrong_when_killed(self, fault, place, before, after, code):
        if code == 0:  # it does not come to that call
            return self.wrong_when_done(fault, place, after)
        if code != -signal.SIGKILL:
            return f"exit {code} where it should be killed"
        for name in OUTPUTS[fault.verb]:
            none = b"" if name == RECORD else None
            whole = after.get(name, none) == before.get(name, none) or (
                name in after and self.same(fault.verb, name, after[name]))
            if not whole:
                return f"{name} is neither old nor new"
        for name in after.keys() - OUTPUTS[fault.verb].keys():
            if not LEFTOVER.fullmatch(name):
                return f"{name} is left"
            mode = stat.S_IMODE(os.stat(place / "out" / name).st_mode)
            if name.endswith(".tmp") and mode != 0o600 and after[name]:  # it is made, then private
                return f"{name} is left with mode {mode:o}"
            if name.endswith(".old") and after[name] not in before.values():
                return f"{name} is none of the old files"
        if fault.verb == "apply" and not self.same("apply", RECORD, after.get(RECORD, b"")):
            unrecorded = [name for name in OUTPUTS["apply"].keys() - {RECORD}
                          if after.get(name) != before.get(name)]
            if unrecorded:
                return f"{unrecorded} is new, and nothing is recorded"
        lost = fault.verb == "fit" and fault.old and before["key"] not in after.values()
        if lost and not self.same("fit", "model", after["model"]):
            return "the old key is lost, and the new model is not there"
        return ""

    def faults(self, verb):
        """All of them."""
        for nameless in [True, False]:
            counts = self.learn(verb, nameless)
            for call, errors in ERRORS.items():
                for at in range(1, counts[call] + 1):
                    for error, old in itertools.product([*errors, KILL], [True, False]):
                        yield Fault(verb, nameless, old, call, at, error, False)
                    if call != "open":  # without that, it does not begin
                        yield Fault(verb, nameless, True, call, at, errors[0], True)

    def some_faults(self, verb):
        """Of each call the last, where files get their names, and one before."""
        for nameless in [True, False]:
            counts = self.learn(verb, nameless)
            for call, errors in ERRORS.items():
                last = counts[call]
                for at in sorted({last, (last + 1) // 2} if nameless else {last} - {0}):
                    yield Fault(verb, nameless, True, call, at, errors[at % len(errors)], False)
                    yield Fault(verb, nameless, True, call, at, KILL, False)
                    if nameless and call in ("link", "rename", "fsync", "chmod"):
                        yield Fault(verb, nameless, True, call, at, errors[0], True)


def without_time(html):
    return re.sub(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", b"", html)


def contents(place):
    return {file.name: file.read_bytes() for file in (place / "out").iterdir()}


def modes_of(place):
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in (place / "out").iterdir()}


def told(place):
    return {name: f"{mode:o}" for name, mode in sorted(modes_of(place).items())}
