#!/usr/bin/env python3
"""What notices that an expression outlives what it refers to: clang, BROADLOOM_CHECKED and valgrind, each of the kinds that the table in
docs/guide/lifetime.md says. By TAP.

usage: dangling_test.py SOURCE_ROOT [PROGRAM CHECKED_PROGRAM]

Each function of dangling.cpp is one kind. clang only parses the file; the programs are made of it, without and with -DBROADLOOM_CHECKED, at -O0.
The column of AddressSanitizer was measured by hand: build it with -fsanitize=address, and run it with a number.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

tap = Tap()
source = root / "test/docs/dangling.cpp"
kinds, line_kind, kind = {}, {}, None
for number, line in enumerate(source.read_text().splitlines(), 1):
    head = re.match(r"// (\d+): (.*)", line)
    if head:
        kind = int(head.group(1))
        kinds[kind] = head.group(2)
    elif line.startswith("// Overwrites"):
        kind = None
    line_kind[number] = kind

rows = {}
for line in (root / "docs/guide/lifetime.md").read_text().splitlines():
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    if re.fullmatch(r"\d+", cells[0]) and len(cells) == 6:
        rows[int(cells[0])] = cells[1:]
tap.case("the page has a row for each kind", None if {k: v[0] for k, v in rows.items()} == kinds else f"{rows}\n{kinds}")

compilers = [name for name in ("clang++-19", "clang++-16", "clang++-14") if shutil.which(name)]
for compiler in compilers[:1]:
    run = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{root}/include", str(source)],
                         capture_output=True, text=True)
    lines = [int(n) for n in re.findall(r"dangling\.cpp:(\d+):\d+: warning: ", run.stderr)]
    warned = {line_kind[n] for n in lines}
    tap.case("the file is right but for these warnings", run.stderr if run.returncode or None in warned else None)
    said = {k for k, cells in rows.items() if cells[1] == "warns"}
    tap.case("clang warns of the kinds that the page says", None if warned == said else f"only clang: {sorted(warned - said)}, only the page: {sorted(said - warned)}")
if not compilers:
    tap.skip("clang warns of the kinds that the page says", "clang is not installed")


def compare(name, column, word, found):
    said = {k for k, cells in rows.items() if cells[column] == word}
    tap.case(name, None if found == said else f"only found: {sorted(found - said)}, only the page: {sorted(said - found)}")


def call(command):
    """What each kind does, and in which process."""
    run = subprocess.run([*command, *map(str, kinds)], capture_output=True, text=True, env={**os.environ, "BROADLOOM_ISA": "v3", "BROADLOOM_THREADS": "1"})
    lines = re.findall(r"^(\d+) (\d+) (.*)$", run.stdout, re.M)
    said = {int(kind): what for kind, _, what in lines}
    problem = None if run.returncode == 0 and said.keys() == kinds.keys() and "no such kind" not in said.values() else run.stdout + run.stderr
    return said, {pid: int(kind) for kind, pid, _ in lines}, run.stderr, problem


if len(sys.argv) > 2:
    program, checked = sys.argv[2:]
    said, _, _, problem = call([checked])
    tap.case("each kind runs with BROADLOOM_CHECKED", problem)
    compare("BROADLOOM_CHECKED throws for the kinds that the page says", 2, "throws", {k for k, what in said.items() if what in ("lifetime_error", "another exception")})
    if shutil.which("valgrind") is None:
        tap.skip("valgrind finds the kinds that the page says", "valgrind is not installed")
    else:
        said, kind_of, text, problem = call(["valgrind", "--error-limit=no", "--num-callers=8", program])
        tap.case("each kind runs under valgrind", problem)
        # Reads of memory that was given back. What was on the stack it finds by luck only.
        found = {kind_of.get(m[1]) for m in re.finditer(r"^==(\d+)== Invalid read.*\n(?:==\1==  .*\n)+", text, re.M) if "free'd" in m[0]}
        compare("valgrind finds the kinds that the page says", 4, "finds it", found)
tap.finish()
