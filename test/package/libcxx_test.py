#!/usr/bin/env python3
"""A few programs with the standard library that the library was built with, other than the usual one. Reports by TAP, and
ends with totals.

usage: libcxx_test.py SOURCE_ROOT BUILD_ROOT COMPILER...
"""
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
build = pathlib.Path(sys.argv[2]).resolve()
compiler = sys.argv[3:]
folder = source / "test" / "package" / "libcxx"


def problem_of(program, scratch):
    """None where the program is built, runs and says that all is right."""
    out = pathlib.Path(scratch) / program.stem
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "broadloom"], capture_output=True, text=True, check=True,
        env={**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")},
    ).stdout.split()
    standard = "-std=c++23" if "mdspan" in program.stem else "-std=c++20"
    for command in ([*compiler, standard, "-O1", program, "-o", out, *flags], [out]):
        done = subprocess.run([str(word) for word in command], cwd=scratch, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{done.stdout}{done.stderr}(exit status {done.returncode})"
    return None


def foreign_libraries():
    """None where the library needs no other standard library than its own."""
    library = (build / "lib" / "libbroadloom.so").resolve()
    needed = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    wrong = [line.split()[1] for line in needed.splitlines() if "NEEDED" in line and ("libstdc++" in line or "tbb" in line)]
    return f"the library needs {wrong}" if wrong or "libc++" not in needed else None


passed = failed = 0
with tempfile.TemporaryDirectory() as scratch:
    for name, check in [("the library needs its own standard library only", foreign_libraries)] + [
        (path.stem, lambda path=path: problem_of(path, scratch)) for path in sorted(folder.glob("*.cpp"))
    ]:
        problem = check()
        print(f"{'ok' if problem is None else 'FAIL'}   {name}", flush=True)
        if problem:
            print(problem[:4000])
        passed, failed = passed + (problem is None), failed + (problem is not None)
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or passed < 2 else 0)
