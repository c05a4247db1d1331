#!/usr/bin/env python3
"""Runs the fuzz programs of a build folder in rounds, each with a fresh seed, until the time is over, and adds up their cases.

usage: fuzz.py --minutes N [--seed S] BUILD_FOLDER [NAME...]
       fuzz.py --trees N [--seed S] [--cases C] [--torch] BUILD_FOLDER

The programs are the tests fuzz/*_fuzz_test, or those of them whose name contains a NAME. A failure ends the run: what the
program printed has the seed, the shrunk case and the command that repeats it.

With --trees, N random expression trees (tools/write_trees.py) are written, compiled and run in pieces of 30, each tree with C
cases; failures are printed, kept in BUILD_FOLDER/trees and counted. With --torch each node is compared with PyTorch as well.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

import run_tests


PIECE = 30


def compile_command(build):
    """How the build folder compiles tree_fuzz_test.cpp, without its file names and precompiled header."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    entry = next(e for e in entries if e["file"].endswith("fuzz/tree_fuzz_test.cpp"))
    words = shlex.split(entry["command"])
    command, skip = [], 0
    for word in words:
        if skip:
            skip -= 1
        elif word in ("-o", "-c", "-MF", "-MQ", "-include", "-include-pch"):
            skip = 1
        elif word not in ("-MD", "-fpch-preprocess"):
            command.append(word)
    return command


def run_trees(options):
    build = pathlib.Path(options.build).resolve()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 30)
    program = "reference/pytorch_trees_test" if options.torch else "fuzz/tree_fuzz_test"
    tests = [test for test in run_tests.listed(options.build) if test["name"] in (program, "fuzz/tree_fuzz_test")]
    tests.sort(key=lambda test: test["name"] != program)
    if not tests or tests[0]["name"] != program:
        sys.exit(f"there is no {program} in {options.build}: it needs libtorch and GCC")
    if run_tests.build_all(tests[:1], options.build, options.jobs):
        sys.exit(f"not built: {program}")
    parts = (["test/reference/reference.pytorch_trees_test.p/pytorch_trees_test.cpp.o", "test/reference/libtorch_nodes.a",
              "test/reference/libreference_support.a"] if options.torch else ["test/fuzz.tree_fuzz_test.p/fuzz_tree_fuzz_test.cpp.o"])
    others = ["-ltorch_cpu", "-lc10"] if options.torch else []
    command = compile_command(build)
    folder = build / "trees"
    folder.mkdir(exist_ok=True)
    types = folder / "types"
    types.unlink(missing_ok=True)
    pieces = (options.trees + PIECE - 1) // PIECE
    print(f"seed {seed}: {pieces * PIECE} trees in {pieces} pieces, {options.cases} cases a tree", flush=True)

    def piece(k):
        name = folder / f"trees_{seed + k}"
        source, compiled = name.with_suffix(".cpp"), name.with_suffix(".o")
        subprocess.run([sys.executable, "tools/write_trees.py", "--seed", str(seed + k), "--trees", str(PIECE), str(source)], check=True)
        # Steps of the library, or a kernel for each formula (test/meson.build).
        level = "-O1" if k % 2 else "-O0"
        done = subprocess.run(command + [level, "-c", str(source), "-o", str(compiled)], cwd=build, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            flags = [word for word in command if word.startswith("-fsanitize")]
            start = 1 + (command[0].endswith("ccache"))
            done = subprocess.run(
                command[:start] + flags + ["-o", str(name), str(compiled), *parts,
                                           "test/libtree_support.a", "test/libtest_main.a", "-Llib", "-lbroadloom", *others,
                                           "-lboost_unit_test_framework", "-ltbb", "-pthread", f"-Wl,-rpath,{build}/lib"],
                cwd=build, capture_output=True, text=True, check=False)
        compiled.unlink(missing_ok=True)
        if done.returncode != 0:
            return 0, 0, 0, f"{source} does not compile:\n" + done.stderr[:3000]
        env = {**os.environ, **tests[0]["env"], "BROADLOOM_FUZZ_SEED": str(seed + (k << 24)),
               "BROADLOOM_FUZZ_CASES": str(options.cases * PIECE), "BROADLOOM_FUZZ_TYPES": str(types)}
        ran = subprocess.run([str(name), "--log_level=error", "--report_level=no", "--color_output=no"], env=env,
                             capture_output=True, text=True, errors="replace", check=False)
        if ran.returncode != 0:
            return 0, 0, 0, ran.stdout + ran.stderr
        name.unlink()
        source.unlink()
        cases = re.search(r"^fuzz trees: (\d+) cases", ran.stdout, re.MULTILINE)
        evaluations = re.search(r"^evaluations of trees: (\d+)", ran.stdout, re.MULTILINE)
        nodes = re.search(r"^nodes compared with PyTorch: (\d+)", ran.stdout, re.MULTILINE)
        return int(cases.group(1)), int(evaluations.group(1)), int(nodes.group(1)) if nodes else 0, None

    cases = evaluations = with_torch = failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, compared, nodes, failure in pool.map(piece, range(pieces)):
            cases += done
            evaluations += compared
            with_torch += nodes
            if failure:
                failures += 1
                print(failure, flush=True)
    distinct = len(set(types.read_text(encoding="utf-8").split())) if types.exists() else 0
    nodes = f" {with_torch} nodes with PyTorch," if options.torch else ""
    print(f"{cases} cases, {evaluations} evaluations,{nodes} of {distinct} types of trees, seed {seed}, {failures} pieces failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("names", nargs="*", help="only the programs whose name contains one of these words")
    parser.add_argument("--minutes", type=float, default=1, help="how long all of them run together")
    parser.add_argument("--seed", type=int, help="the seed of the first round; drawn and printed unless given")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--trees", type=int, help="so many random expression trees instead")
    parser.add_argument("--torch", action="store_true", help="and compare each node with PyTorch")
    parser.add_argument("--cases", type=int, default=70, help="cases of each tree, of about five evaluations each")
    options = parser.parse_intermixed_args()
    if options.trees:
        return run_trees(options)

    tests = [test for test in run_tests.listed(options.build) if re.fullmatch(r"fuzz/\w+_fuzz_test", test["name"])]
    tests = run_tests.selected(tests, options.names)
    if not tests:
        sys.exit("no fuzz program has a name with " + " or ".join(options.names or ["fuzz"]))
    broken = run_tests.build_all(tests, options.build, options.jobs)
    if broken:
        sys.exit("not built: " + " ".join(sorted(broken)))

    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    print(f"seed {seed}, {len(tests)} programs, {options.minutes:g} minutes", flush=True)
    end = time.monotonic() + 60 * options.minutes
    cases = collections.Counter()
    rounds = 0
    while time.monotonic() < end:
        for test in tests:
            left = end - time.monotonic()
            if left <= 0:
                break
            # Seeds of cases follow each other, so those of rounds lie far apart.
            env = {**os.environ, **test["env"], "BROADLOOM_FUZZ_SEED": str(seed + (rounds << 24))}
            env["BROADLOOM_FUZZ_SECONDS"] = str(max(1, min(5, round(left / len(tests)))))
            done = subprocess.run(
                test["cmd"] + ["--log_level=error", "--report_level=no"],
                cwd=test["workdir"], env=env, capture_output=True, text=True, errors="replace", check=False)
            for name, count in re.findall(r"^fuzz (\S+): (\d+) cases", done.stdout, re.MULTILINE):
                cases[test["name"] + " " + name] += int(count)
            if done.returncode != 0:
                print(done.stdout + done.stderr)
                sys.exit(f"{test['name']} failed with exit status {done.returncode}")
        rounds += 1
    for name, count in sorted(cases.items()):
        print(f"{name}: {count} cases")
    print(f"{sum(cases.values())} cases in {rounds} rounds, seed {seed}, no failure")
    return 0


if __name__ == "__main__":
    sys.exit(main())
