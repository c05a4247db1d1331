#!/usr/bin/env python3
"""Compares what the compiler does for statements of a few families with a record: instructions, which load does not change. Reports by TAP.

usage: compile_growth.py SOURCE_ROOT COMPILER...          a case for each: at most 3 % over bench/compile_record.txt
       compile_growth.py SOURCE_ROOT --write COMPILER...  writes that record

The header is precompiled, so that a count is of the statements; `include` is that header alone. The record is of one version of
GCC: with another compiler, or without valgrind, the cases are skipped.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(root / "tools"), str(root / "bench")]
import compile_cost  # noqa: E402
from compile_families import BROADLOOM, FAMILIES  # noqa: E402
from tap import Tap  # noqa: E402

RECORD = root / "bench/compile_record.txt"
MOST_GROWTH = 1.03
INCLUDE = "include"
# What has a file of its own: one statement of each of these families. More files would count more finely, and take longer.
FILES = {INCLUDE: [], "assignment and indexing": ["`o = e`", "indexings"], "reductions": ["`sum(e)`", "`sum(e, 1)`, rows"], "products": ["products"]}


def version(compiler):
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def read_record():
    lines = RECORD.read_text().splitlines()
    return lines[0], {name: int(count) for count, name in (line.split(" ", 1) for line in lines[1:])}


def count(compiler, name, folder):
    """Millions of instructions for a file."""
    way = [*compiler, "-std=c++20", "-O2", "-DNDEBUG", "-w", *BROADLOOM.flags]
    header = folder / "all.hpp"
    if name != INCLUDE and not header.exists():
        header.write_text(BROADLOOM.include)
        subprocess.run([*way, "-x", "c++-header", str(header), "-o", str(header) + ".gch"], check=True)
    text = BROADLOOM.text([statement for family in FILES[name] for statement in FAMILIES[family](BROADLOOM, 1)])
    source = folder / "statement.cpp"
    source.write_text(text if name == INCLUDE else text.replace(BROADLOOM.include, '#include "all.hpp"\n'))
    return round(compile_cost.instructions([*way, "-c", str(source), "-o", str(folder / "statement.o")]) / 1e6)


def problem_of(counted, recorded):
    """What is wrong with a count of millions of instructions, or None."""
    if recorded is None:
        return "it has no record: write one by tools/compile_growth.py . --write g++"
    if counted > MOST_GROWTH * recorded:
        return f"{counted} million instructions of the compiler, {(counted / recorded - 1) * 100:.1f} % more than the {recorded} on record"
    return None


def main():
    writes = "--write" in sys.argv
    # A compiler cache in front of it would count nothing.
    compiler = [word for word in sys.argv[2:] if word != "--write" and not word.endswith("ccache")]
    names = list(FILES)
    tap = Tap()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        if writes:
            counts = [f"{count(compiler, name, folder)} {name}" for name in names]
            RECORD.write_text("\n".join([version(compiler), *counts]) + "\n")
            return
        recorded_version, recorded = read_record()
        reason = None
        if version(compiler) != recorded_version:
            reason = f"the record is of {recorded_version}"
        elif shutil.which("valgrind") is None:
            reason = "valgrind was not found"
        tap.case("a growth of 4 % is a failure, one of 2 % is none",
                 None if problem_of(1040, 1000) and not problem_of(1020, 1000) and problem_of(1, None) else "it is not")
        gone = sorted(set(recorded) - set(names))
        tap.case("the record names files that there are", f"gone: {', '.join(gone)}" if gone else None)
        for name in names:
            if reason:
                tap.skip(name, reason)
                continue
            counted = count(compiler, name, folder)
            known = recorded.get(name)
            change = f", {(counted / known - 1) * 100:+.1f} %" if known else ""
            tap.case(f"{name}: {counted} million instructions{change}", problem_of(counted, known))
    tap.finish()


if __name__ == "__main__":
    main()
