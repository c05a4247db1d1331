#!/usr/bin/env python3
"""What compilers say of the mistakes of new users in test/fail/mistakes.txt: how many lines, and whether the spelling that works is among them.

usage: mistakes.py SOURCE_ROOT COMPILER...     a test, by TAP: each names the remedy in at most 30 lines, half of them in at most 10
       mistakes.py --table SOURCE_ROOT         the lines that g++ and clang++-19 give for each, longest first, and the median
       mistakes.py --show SOURCE_ROOT NAME     all that both say of one
"""
import concurrent.futures
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from check_compile_fail import command_for, kind_of, quoted_line
from tap import Tap

MOST, MEDIAN = 30, 10
# What users include; the headers of the standard library first, as they mostly stand, so that what compilers say of those is as short as
# it is for them.
FIRST = "".join(
    f"#include <{name}>\n"
    for name in ("algorithm cstdio iostream ranges string vector broadloom/broadloom.hpp broadloom/index/index_lists.hpp broadloom/linalg.hpp broadloom/random.hpp").split()
)
FRAME = """namespace bl = broadloom;
void use(bl::dtensor<float, 2>& x, bl::dtensor<float, 1>& v, bl::dtensor<int, 1>& k, bl::generator& g) {{
{}
}}
"""


def read(root):
    """Of each mistake: name, what compilers are to say, a program, and the most lines where they may be more than MOST."""
    text = (root / "test" / "fail" / "mistakes.txt").read_text()
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, *lines = part.rstrip().splitlines()
        notes = [re.fullmatch(r"(says|at most|header)(?: (gcc|clang))?: (.+)", line) for line in lines]
        says = [(m.group(2), m.group(3)) for m in notes if m and m.group(1) == "says"]
        most = {m.group(2): int(m.group(3)) for m in notes if m and m.group(1) == "at most"}
        headers = "".join(f"#include <broadloom/{m.group(3)}>\n" for m in notes if m and m.group(1) == "header")
        code = "\n".join(line for line, m in zip(lines, notes) if m is None)
        found.append((name, says, headers + FRAME.format(code), most))
    return found


def precompiled(root, compiler, kind, folder):
    """The flags that put what users include before a file. (GCC forgets which warnings a precompiled header turns off.)"""
    header = pathlib.Path(folder) / f"{kind}.hpp"
    header.write_text(FIRST)
    out = f"{header}.{'gch' if kind == 'gcc' else 'pch'}"
    command = [*command_for(root, compiler), "-Wall", "-Wextra", "-x", "c++-header", str(header), "-o", out]
    subprocess.run(command, capture_output=True, check=True)
    return ["-include", str(header), "-Wno-psabi"] if kind == "gcc" else ["-include-pch", out]


def said(root, compiler, kind, flags, folder, number, program):
    """What a compiler says of a mistake: all lines."""
    path = pathlib.Path(folder) / f"{kind}_{number}.cpp"
    path.write_text(program)
    command = [*command_for(root, compiler), "-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-parameter", "-Wunused-result", *flags, "-fsyntax-only", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # What includes the precompiled header is no file of a user's.
    return [line for line in done.stderr.splitlines() if not re.search(rf"/{kind}\.hpp:\d+[:,]?$", line)]


def all_said(root, compiler, mistakes):
    """The lines for each mistake, in order."""
    kind = kind_of(compiler)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("BROADLOOM_JOBS", "2"))) as pool:
        flags = precompiled(root, compiler, kind, folder)
        return list(pool.map(lambda i: said(root, compiler, kind, flags, folder, i, mistakes[i][2]), range(len(mistakes))))


def wrong(lines, says, kind, most=MOST):
    """What is wrong with a message as a text, or None."""
    words = "\n".join(line for line in lines if not quoted_line.match(line))
    problems = [f"no words match '{regex}'" for only, regex in says if only in (None, kind) and not re.search(regex, words)]
    if not lines:
        problems.append("it compiles without a word")
    if len(lines) > most:
        problems.append(f"{len(lines)} lines, at most {most} are allowed")
    return "\n".join([*problems, f"--- {kind}", *lines[:most]]) if problems else None


def hints_inside(root, compiler):
    """Public names of other headers than broadloom.hpp, for which a compiler suggests one that is not public."""
    page = (root / "docs" / "from" / "namespaces.md").read_text()
    rows = page[page.index("## Our names by header"):].split("\n## ")[0]
    names = [name for row in re.findall(r"^\| `[^`]+` \|(.*)", rows, re.M) for name in re.findall(r"`(\w+)`", row)]
    code = "#include <broadloom/broadloom.hpp>\nvoid use() {\n" + "".join(f"broadloom::{name};\n" for name in names) + "}\n"
    kind = ["-ferror-limit=0"] if kind_of(compiler) == "clang" else []
    done = subprocess.run([*command_for(root, compiler), "-fsyntax-only", *kind, "-x", "c++", "-"], input=code, capture_output=True, text=True, check=False)
    return len(names), [line for line in done.stderr.splitlines() if re.search(r"did you mean .*(detail|runtime)::", line)]


def main():
    if sys.argv[1:2] and sys.argv[1] in ("--table", "--show"):
        root = pathlib.Path(sys.argv[2]).resolve()
        mistakes = [m for m in read(root) if sys.argv[3:] in ([], [m[0]])]
        gcc, clang = (all_said(root, [c], mistakes) for c in ("g++", "clang++-19"))
        if sys.argv[1] == "--show":
            print("\n".join(gcc[0] + [""] + clang[0]))
            return
        rows = sorted(((len(g), len(c), m) for g, c, m in zip(gcc, clang, mistakes)), key=lambda r: -max(r[:2]))
        for (g, c, (name, says, *_)), (first, second) in zip(rows, [(gcc[mistakes.index(r[2])], clang[mistakes.index(r[2])]) for r in rows]):
            silent = [kind for kind, lines in (("gcc", first), ("clang", second)) if wrong(lines[:MOST], says, kind)]
            print(f"{g:4} {c:4}  {name}{'  without the remedy: ' + ', '.join(silent) if silent else ''}")
        print(f"{statistics.median(len(g) for g in gcc):4} {statistics.median(len(c) for c in clang):4}  median of {len(mistakes)}")
    elif len(sys.argv) > 2:
        root, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
        kind, mistakes, tap = kind_of(compiler), read(root), Tap()
        every = all_said(root, compiler, mistakes)
        for (name, says, _, most), lines in zip(mistakes, every):
            tap.case(f"{name}: the message has the remedy, in few lines ({kind})", wrong(lines, says, kind, most.get(kind, MOST)))
        count, hints = hints_inside(root, compiler)
        tap.case(f"of {count} names without their header none is taken for one that is not public ({kind})", "\n".join(hints) or None if count > 100 else "the page has no names")
        median = statistics.median(len(lines) for lines in every)
        tap.case(f"half of the messages have at most {MEDIAN} lines ({kind})", None if median <= MEDIAN else f"the median is {median}")
        tap.finish()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
