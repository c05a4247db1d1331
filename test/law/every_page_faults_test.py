#!/usr/bin/env python3
"""No public function takes pages from the system when it is called again: every row of bench/every.txt, with one thread and with two,
where results have 64 KiB, 256 KiB and 4 MiB. Reports by TAP.

usage: every_page_faults_test.py SOURCE_ROOT BUILD_ROOT COMPILER [ARGUMENT...]
"""
import os
import pathlib
import subprocess
import sys

root, build, compiler = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

SIZES, THREADS = ("16384", "65536", "1048576"), ("1", "2")
every = [sys.executable, root / "bench/every", "--faults", "--library", build / "lib", "--build", build / "every_page_faults"]
environment = dict(os.environ, CXX=" ".join(compiler))


def problems_of(*more):
    run = subprocess.run([*every, *more], capture_output=True, text=True, env=environment)
    return None if run.returncode == 0 else run.stdout + run.stderr


tap = Tap()
tap.case("the rows compile", problems_of("--build-only"))
for threads in THREADS:
    for size in SIZES:
        tap.case(f"repeated calls of every row, {size} elements, threads: {threads}", problems_of("--threads", threads, "--sizes", size))
tap.finish()
