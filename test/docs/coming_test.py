#!/usr/bin/python3
"""Runs both sides of the tables of docs/coming and compares what they print. Reports by TAP.

usage: coming_test.py SOURCE_ROOT BUILD_ROOT COMPILER...     compares our sides with test/data/coming_*.txt
       coming_test.py SOURCE_ROOT --record                   writes these files, with NumPy and PyTorch
"""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

TABLES = ("numpy", "pytorch")
START = """#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>
#include <iostream>
namespace bl = broadloom;
int main() {
bl::dtensor<double, 2> x{{1, 4, 2}, {3, 0.5, 6}}, m{{2, 1}, {1, 3}};
bl::dtensor<double, 1> y{1, 2, 4};
bl::dtensor<bl::index, 1> i{3, 0, 2, 2};
"""


def record_of(table):
    return root / f"test/data/coming_{table}.txt"


def rows(table):
    text = (root / f"docs/coming/{table}.md").read_text()
    return [(a.replace("\\|", "|"), b.replace("\\|", "|")) for a, b in re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", text, re.M)]


def record():
    import numpy as np  # pylint: disable=import-outside-toplevel
    import torch  # pylint: disable=import-outside-toplevel
    arrays = {"x": np.array([[1, 4, 2], [3, 0.5, 6]]), "y": np.array([1.0, 2, 4]), "m": np.array([[2.0, 1], [1, 3]]), "i": np.array([3, 0, 2, 2])}
    for table in TABLES:
        names = {"np": np, "torch": torch, **{n: torch.from_numpy(a) if table == "pytorch" else a for n, a in arrays.items()}}
        record_of(table).write_text("".join(
            f"## {theirs}\n{np.asarray(eval(theirs, names))}\n" for theirs, _ in rows(table)))  # pylint: disable=eval-used


def main():
    if sys.argv[2] == "--record":
        return record()
    wanted = {(table, part.split("\n", 1)[0]): part.split("\n", 1)[1] for table in TABLES
              for part in record_of(table).read_text().split("## ")[1:]}
    every = [(table, theirs, ours) for table in TABLES for theirs, ours in rows(table)]
    build, compiler = pathlib.Path(sys.argv[2]), sys.argv[3:]
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        source, program = pathlib.Path(scratch) / "rows.cpp", pathlib.Path(scratch) / "rows"
        source.write_text(START + "".join(f"std::cout << \"## {number}\\n\" << bl::eval({ours}) << '\\n';\n"
                                          for number, (_, _, ours) in enumerate(every)) + "}\n")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "broadloom"], check=True, capture_output=True, text=True,
                               env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}).stdout.split()
        built = subprocess.run(compiler + ["-std=c++20", str(source), "-o", str(program)] + flags, capture_output=True, text=True, check=False)
        tap.case("our sides compile", built.stderr if built.returncode else None)
        if built.returncode == 0:
            ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
            printed = [part.split("\n", 1)[1] for part in ran.stdout.split("## ")[1:]]
            for (table, theirs, ours), got in zip(every, printed + [""] * len(every)):
                tap.case(f"{theirs} prints as {ours}", None if got == wanted.get((table, theirs)) else f"{got}theirs:\n{wanted.get((table, theirs))}")
    tap.finish()


if __name__ == "__main__":
    main()
