#!/usr/bin/env python3
"""What gdb prints of arrays, shapes and expressions. Reports by TAP.

usage: gdb_test.py SOURCE_ROOT GDB PROGRAM
"""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

tap = Tap()
gdb, program = sys.argv[2:]

WANTED = {
    "a": "float(2, 3) [[1, 2, 3], [4, 5, 6]]",
    "fixed": "int(2, 2) [[1, 2], [3, 4]]",
    "shapeless": "double without a shape",
    "none": "double(0, 3) []",
    "truth": "bool(2) [true, false]",
    "small": "signed char(2) [65, -1]",
    "z": "std::complex<float>(1) [1 + -2i]",
    "number": "double() 2.5",
    "t": "float(3, 2) [[1, 4], [2, 5], [3, 6]]",
    "back": "float(3) [6, 5, 4]",
    "fixed_t": "int(2, 2) [[1, 3], [2, 4]]",
    "s": "(2, 3)",
    "mixed": "(2, 5)",
    "all_static": "(4, 1)",
    "e": "(2, 3) = (exp(float(2, 3)) * 2) + sum(float(2, 3), axes<0>)",
    "c": "(2, 3) = float(2, 3) + (-float(2, 3) * float(2, 3))",
    "owned": "(2) = int(2) == 7",
    "a_ref": "float(2, 3) [[1, 2, 3], [4, 5, 6]]",  # references
    "s_ref": "(2, 3)",
    "c_ref": "(2, 3) = float(2, 3) + (-float(2, 3) * float(2, 3))",
}
script = ["-ex", f"source {root / 'tools/package/gdb/broadloom_gdb.py'}", "-ex", "set debuginfod enabled off",
          "-ex", "break stop_here", "-ex", "run", "-ex", "up"]
for name in WANTED:
    script += ["-ex", f"printf \"{name} is \"", "-ex", f"output {name}", "-ex", "echo \\n"]
script += ["-ex", "set print elements 5", "-ex", "printf \"many is \"", "-ex", "output many", "-ex", "echo \\n"]
done = subprocess.run([gdb, "-nx", "-batch"] + script + [program], capture_output=True, text=True, check=False, timeout=240)
seen = dict(line.split(" is ", 1) for line in done.stdout.splitlines() if " is " in line)
for name, text in (WANTED | {"many": "int(1000) [0, 1, 2, 3, 4, ...]"}).items():
    found = seen.get(name, "nothing")
    tap.case(f"gdb prints {name}", None if found == text else f"expected {text}\nfound    {found}\n{done.stderr[-2000:]}")
tap.finish()
