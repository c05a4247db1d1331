#!/usr/bin/env python3
"""The benchmarks' own side compiles: what it uses of the library changes, and nothing else builds it. By TAP.

usage: bench_test.py SOURCE_ROOT BUILD_ROOT COMPILER [ARGUMENT...]
"""
import concurrent.futures
import pathlib
import subprocess
import sys

root, build, compiler = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

# Those that use most of it, without a peer's headers, which a machine need not have.
SOURCES = ["maths.cpp", "contenders/broadloom.cpp", "contenders/broadloom_reduce.cpp"]
DEFINED = [f'-D{name}="."' for name in ("BENCH_NAME", "BENCH_FLAGS", "BENCH_FOLDER", "BENCH_MODULE")]


def problems_of(name):
    run = subprocess.run(
        compiler + ["-std=c++20", "-fsyntax-only", "-march=x86-64-v3", "-w", *DEFINED, "-I", root / "include", "-I", build / "include", root / "bench" / name],
        capture_output=True, text=True)
    return run.stderr if run.returncode != 0 else None


tap = Tap()
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for name, problems in zip(SOURCES, pool.map(problems_of, SOURCES)):
        tap.case(f"bench/{name} compiles", problems)
tap.finish()
