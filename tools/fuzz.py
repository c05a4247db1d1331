#!/usr/bin/env python3
"""Runs the fuzz programs of a build folder in rounds, each with a fresh seed, until the time is over, and adds up their cases.

usage: fuzz.py --minutes N [--seed S] BUILD_FOLDER [NAME...]

The programs are the tests fuzz/*_fuzz_test, or those of them whose name contains a NAME. A failure ends the run: what the
program printed has the seed, the shrunk case and the command that repeats it.
"""
import argparse
import collections
import os
import random
import re
import subprocess
import sys
import time

import run_tests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("names", nargs="*", help="only the programs whose name contains one of these words")
    parser.add_argument("--minutes", type=float, default=1, help="how long all of them run together")
    parser.add_argument("--seed", type=int, help="the seed of the first round; drawn and printed unless given")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_intermixed_args()

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
