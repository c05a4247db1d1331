#!/usr/bin/env python3
"""Which expressions that outlive what they refer to clang warns of: those that the table in docs/guide/lifetime.md says. By TAP.

usage: dangling_test.py SOURCE_ROOT

Each function of dangling.cpp is one kind. clang only parses the file. Other columns of the table were measured with it by hand:
build it with -DBROADLOOM_CHECKED, with -fsanitize=address, and without for valgrind, and run it with a number.
"""
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
tap.finish()
