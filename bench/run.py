"""Runs the benchmarks and NLTK beside them and prints one table with targets and ratios."""
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "release")
os.environ.setdefault("SEMVEIL_DATA", os.path.join(ROOT, "..", "shared", "data"))


def google_benchmark(only, repetitions=5):
    command = [os.path.join(BUILD, "semveil_bench"), "--benchmark_format=json",
               f"--benchmark_repetitions={repetitions}", "--benchmark_report_aggregates_only=true",
               "--benchmark_min_time=0.2", f"--benchmark_filter={only}"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [b for b in json.loads(out)["benchmarks"]
            if b.get("aggregate_name", "median") == "median" and "error_occurred" not in b]


def command_ms(arguments, environment, runs=15, before=None):
    taken = []
    for _ in range(runs):
        if before:
            before()
        start = time.perf_counter()
        subprocess.run(arguments, check=True, env=environment, stdout=subprocess.DEVNULL)
        taken.append((time.perf_counter() - start) * 1e3)
    return statistics.median(taken)


def peak_mb(arguments):
    """Most memory the command held, from the kernel's account of it."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
            "stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)")
    out = subprocess.run([sys.executable, "-c", code, *arguments], check=True,
                         capture_output=True, text=True).stdout
    return float(out)


def row(what, figure, target=None):
    is_remark = target is not None and target.startswith(("grew", "plain read"))
    target_text = "" if target is None else target if is_remark else f"target {target}"
    print(f"  {what:<52}{figure:>22}   {target_text}", flush=True)


def nltk_pairs():
    peer = os.path.join(ROOT, "bench", "peers", "nltk_pairs.py")
    try:
        return float(subprocess.run(["/usr/bin/python3", peer], check=True, capture_output=True,
                                    text=True).stdout)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"  NLTK could not be measured: {error}", file=sys.stderr)
        return None


def print_pairs():
    print("One pair at a time (random pairs, one thread)")
    wordnet = None
    for b in google_benchmark("one_to_one"):
        rate = b["pairs_per_second"]
        target = "≥ 10 (stretch 40)" if b["label"] == "wu-palmer wordnet" else None
        if target:
            wordnet = rate
        row(b["label"], f"{rate / 1e6:.1f} million/s", target)
    nltk = nltk_pairs()
    if nltk and wordnet:
        row("NLTK wup_similarity, wordnet, same run", f"{nltk:,.0f} /s")
        row("ratio, wu-palmer", f"{wordnet / nltk:,.0f} ×", "≥ 1,000 ×")


def print_sweeps():
    print("\nOne to all (distances as doubles), and 16 sources at once (exact 16-bit keys)")
    for b in google_benchmark("one_to_all|many_to_all"):
        many = b["name"].startswith("many")
        target = None
        if b["label"] == "wu-palmer wordnet":
            target = "≥ 6" if many else "≥ 1"
        row(("16 sources, " if many else "") + b["label"],
            f"{b['distances_per_second'] / 1e9:.2f} billion/s", target)
    print("\nAll pairs of a list (doubles)")
    for b in google_benchmark("^matrix"):
        size = int(b["name"].split("_")[0].split("/")[3])
        target = "≤ 15 ms" if size == 2000 and "wordnet" in b["label"] else None
        row(f"{size:,} concepts, {b['label']}", f"{b['real_time']:.2f} ms", target)


def print_loaders():
    print("\nLoaders over one generated taxonomy of 30,000 concepts, and a plain read of the same bytes")
    speed = {b["run_name"]: b["bytes_per_second"] / 1e6
             for b in google_benchmark("^(loader|plain_read)/", repetitions=3)}
    for name, rate in speed.items():
        kind, what = name.split("/", 1)
        if kind == "loader":
            plain = speed[f"plain_read/{what}"]
            row(what, f"{rate:,.0f} MB/s", f"plain read {plain:,.0f} MB/s, {plain / rate:,.0f} ×")
    print("\nA generated SNOMED CT release: 350,000 concepts, 1.2 million relationships")
    targets = {"rf2_load": "≤ 3,000 ms", "rf2_snapshot_open": "≤ 1 ms"}
    for b in google_benchmark("^rf2_", repetitions=3):
        name = b["run_name"].split("/")[0]
        rate = f", {b['bytes_per_second'] / 1e6:,.0f} MB/s" if "bytes_per_second" in b else ""
        row(name.replace("_", " "), f"{b['real_time']:,.2f} ms{rate}", targets.get(name))


def print_statistics():
    print("\nStatistics over WordNet (wu-palmer); columns of 1,000,000 records for correlations")
    targets = {"correlation/1000/1": "≤ 2,000 ms, ≤ 200 MB"}
    # One process each, so that the peak of memory is its own.
    for case in ("mean/1000/1", "mean/10000/1", "mean/80000/1", "mean/80000/2",
                 "correlation/1000/1", "correlation/1000/2", "mixed_correlation/1000",
                 "numeric_correlation/1000000"):
        for b in google_benchmark(f"^{case}(/real_time)?$"):
            name, values, *threads = case.split("/")
            what = f"{name.replace('_', ' ')}, {int(values):,} values"
            if threads and threads[0] != "1":
                what += f", {threads[0]} threads"
            row(what, f"{b['real_time']:.0f} ms, {b['peak_megabytes']:.0f} MB", targets.get(case))


def print_noise():
    print("\nSemantic noise, one column of 1,000 distinct values over a whole ontology")
    for b in google_benchmark("^noise_"):
        if b["name"].startswith("noise_fit"):
            row(f"fit, {b['label']}", f"{b['real_time']:.0f} ms")
        else:
            row(f"mask a record, {b['label']}", f"{b['records_per_second'] / 1e6:.1f} million/s")


def print_swap():
    print("\nRank swapping, generated DAG of 350,000 concepts (one thread)")
    targets = {"swap_one_column/dynamic/1000/50": "≤ 3 s",
               "swap_three_columns/60000/10/iterations:1": "≤ 60 s, ≤ 1,000 MB"}
    # One process each, so that the peak of memory is its own.
    for case in ("swap_one_column/dynamic/1000/50", "swap_one_column/dynamic/1000/5000",
                 "swap_one_column/fixed/1000/50", "swap_three_columns/60000/10/iterations:1",
                 "swap_three_columns/60000/1000/iterations:1", "swap_many_values/iterations:1",
                 "swap_ties/iterations:1"):
        for b in google_benchmark(f"^{case}$", repetitions=1 if "iterations" in case else 3):
            name = case.split("/")[0].removeprefix("swap_").replace("_", " ")
            name += " (fixed)" if "fixed" in case else ""
            row(f"{name}, {b['label']}", f"{b['real_time'] / 1e3:.2f} s, {b['peak_megabytes']:.0f} MB",
                targets.get(case))
    for columns in (1, 3):
        first = None
        for records in (1000, 10_000, 100_000, 1_000_000):
            case = f"^swap_growth/{columns}/{records}/iterations:1$"
            for b in google_benchmark(case, repetitions=1):
                seconds = b["real_time"] / 1e3
                first = first or (records, seconds)
                paper = (records / first[0]) ** 2 * math.log(records) / math.log(first[0])
                row(f"{columns} column{'s' * (columns > 1)}, {b['label']}", f"{seconds:.3f} s",
                    None if records == first[0] else
                    f"grew {seconds / first[1]:,.0f} ×; n² log n: {paper:,.0f} ×")


CLASSES = [  # benchmark, name, target or what others were measured at
    ("fuse_paper/5", "fuse, the paper's survey, k = 5", "ms; the paper 1.6 s + 6.33 min"),
    ("fuse_three_columns/1/iterations:1", "fuse, 20,000 tuples of 3 columns", "≤ 10 s"),
    ("fuse_five_columns/1/iterations:1", "fuse, 1 million, 60,000 tuples of 5 columns",
     "≤ 60 s, ≤ 2,000 MB"),
    ("generalize_adult/full_domain", "generalize Adult, 8 columns, full-domain, 5 %",
     "≤ 0.7 s; ARX 0.71-1.26 s"),
    ("generalize_adult/local", "generalize Adult, 8 columns, local, k = 5",
     "≤ 1 s, loss ≤ 0.050; ARX 3.1 s, 0.057"),
    ("generalize_million/full_domain/iterations:1", "1 million, columns apart, full-domain, 5 %",
     "≤ 10 s; ARX 29 s"),
    ("generalize_million/local/iterations:1", "1 million, columns apart, local, k = 5", None),
    ("generalize_large_taxonomy/iterations:1", "local, 3 columns of 1,000 values in a DAG", None),
    ("microaggregate_adult/k:3/semantic:0", "microaggregate Adult, 12 columns, k = 3, 0/1",
     "≤ 1 s; µ-ANT 2.2-2.5 s"),
    ("microaggregate_adult/k:3/semantic:1", "the same by meaning", "≤ 1 s"),
    ("means_of_groups_in_wordnet", "means of 10,000 groups in WordNet", None),
    ("minimal_uniques_adult", "minimal uniques, Adult, 8 columns", "≤ 1 s"),
    ("minimal_uniques_wide/0/iterations:1", "minimal uniques, 20 columns x 100,000", "≤ 30 s"),
    ("minimal_uniques_wide/1/iterations:1", "the same, 20 values in every column", "≤ 30 s"),
]


def print_classes():
    print("\nMethods that form classes, and who is alone (one thread; those of others were measured elsewhere)")
    # One process each, so that the peak of memory is its own.
    for case, name, target in CLASSES:
        for b in google_benchmark(f"^{case}$", repetitions=1 if "iterations" in case else 3):
            more = [f"{b['peak_megabytes']:.0f} MB"] if "peak_megabytes" in b else []
            more += [f"loss {b['loss']:.4f}"] if "loss" in b else []
            row(name, ", ".join([f"{b['real_time'] / 1e3:.3f} s", *more]), target)


def print_loading():
    print("\nReading")
    for b in google_benchmark("wordnet_from_text|snapshot"):
        label = b.get("label", "")
        if b["name"].startswith("wordnet_from_text"):
            row("WordNet nouns from text", f"{b['real_time']:.1f} ms", "≤ 80 ms")
            row("  held in memory", f"{b['megabytes']:.1f} MB")
        elif b["name"].startswith("snapshot_open"):
            row(f"snapshot, {label}: open", f"{b['real_time']:.3f} ms", "≤ 1 ms")
            row("  file", f"{b['megabytes']:.1f} MB")
        else:
            row(f"snapshot, {label}: first verified distance", f"{b['real_time']:.2f} ms",
                "≤ 10 ms" if label == "generated" else None)


def print_command():
    print("\nsemveil distance dog cat --ontology wordnet, from start to end")
    program = os.path.join(BUILD, "semveil")
    question = [program, "distance", "dog", "cat", "--ontology", "wordnet"]
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, SEMVEIL_CACHE_DIR=cache)
        command_ms(question, environment, runs=3)
        row("with a cached snapshot", f"{command_ms(question, environment):.1f} ms", "≤ 20 ms")

        def forget():
            shutil.rmtree(cache)
            os.mkdir(cache)

        row("without one, which is then kept", f"{command_ms(question, environment, before=forget):.1f} ms",
            "≤ 100 ms")
        row("peak memory", f"{peak_mb(question + ['--no-cache']):.0f} MB")


if __name__ == "__main__":
    print_pairs()
    print_sweeps()
    print_statistics()
    print_noise()
    print_swap()
    print_classes()
    print_loading()
    print_loaders()
    print_command()
    subprocess.run([sys.executable, os.path.join(ROOT, "bench", "masking.py")], check=True)
