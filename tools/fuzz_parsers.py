#!/usr/bin/env python3
"""Feeds mutated inputs to the programs of libFuzzer in test/fuzz/parse, one after the other, and reports by TAP.

usage: fuzz_parsers.py [--runs N] [--seconds S] [--seed S] PROGRAM...
       fuzz_parsers.py --build FOLDER [the same] [NAME...]    builds them first; only those whose name contains a NAME

Each starts from the inputs in test/fuzz/parse/corpus/NAME and the words of NAME.dict, and is to make N runs, but ends after S
seconds. An input that crashes, hangs, or violates a property fails the program: it is kept in the folder of the program.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from tap import Tap
import run_tests

HERE = pathlib.Path(__file__).resolve().parent.parent / "test" / "fuzz" / "parse"


def title_of(program):
    return re.sub(r"^fuzz\.parse\.|_target$", "", pathlib.Path(program).name)


def built(options):
    """The programs of the test in a build folder, built."""
    test = next((t for t in run_tests.listed(options.build) if t["name"] == "fuzz/parsers"), None)
    if test is None:
        sys.exit(f"{options.build} has no targets: they need clang with libFuzzer, and the sanitizers")
    programs = [word for word in test["cmd"] if word.endswith("_target")]
    programs = [p for p in programs if not options.names or any(name in title_of(p) for name in options.names)]
    root = pathlib.Path(options.build).resolve()
    names = [str(pathlib.Path(p).resolve().relative_to(root)) for p in programs]
    if subprocess.run(["ninja", "-C", options.build, f"-j{options.jobs}", "--quiet", *names], check=False).returncode:
        sys.exit("the targets could not be built")
    os.environ.update({k: v for k, v in test["env"].items() if k not in os.environ})
    return programs


def run(program, options):
    """What is wrong, or None, and what was done."""
    title = title_of(program)
    seeds, words = HERE / "corpus" / title, HERE / f"{title}.dict"
    if not seeds.is_dir() or not any(seeds.iterdir()):
        return f"there are no inputs to begin with in {seeds}", "no run"
    kept = f"{pathlib.Path(program).resolve()}-"
    with tempfile.TemporaryDirectory() as found:
        command = [program, f"-runs={options.runs}", f"-max_total_time={options.seconds}", f"-seed={options.seed}", "-timeout=20",
                   "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={kept}"]
        command += [f"-dict={words}"] if words.exists() else []
        # Little that was freed is kept from being used again: a run ends soon.
        env = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=16"}
        start = time.monotonic()
        done = subprocess.run(command + [found, str(seeds)], env=env, capture_output=True, text=True, errors="replace", check=False)
        seconds = time.monotonic() - start
    # libFuzzer counts the inputs it starts from too.
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    did = f"{runs.group(1) if runs else 0} runs in {seconds:.0f} s, {covered[-1] if covered else 0} places covered"
    if done.returncode != 0:
        return f"exit status {done.returncode}, seed {options.seed}\n" + done.stderr[-6000:], did
    if not runs or int(runs.group(1)) == 0:
        return "it made no run\n" + done.stderr[-2000:], did
    return None, did


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="the programs, or with --build words in their names")
    parser.add_argument("--build", help="the build folder")
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seconds", type=int, help="5, or with --build no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_intermixed_args()
    if options.seconds is None:
        options.seconds = 0 if options.build else 5
    programs = built(options) if options.build else options.names
    tap = Tap()
    for program in programs:
        problem, did = run(program, options)
        tap.case(f"{title_of(program)}: {did}", problem)
    tap.finish()


if __name__ == "__main__":
    main()
