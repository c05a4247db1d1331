#!/usr/bin/env python3
"""Each public function has a row in bench/every.txt, or a reason why not; and what misses is noticed. Reports by TAP.

usage: every_test.py SOURCE_ROOT
"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(root / "tools"), str(root / "bench")]
import every_rows  # noqa: E402
from tap import Tap  # noqa: E402

ROWS = "== ordering sets.hpp\nsort rows @f32,i32 max=16 draws | bl::sort(m, 1) | torch.sort(m, 1) | np.sort(m, 1)\n"


def of(text, names):
    """What is said of a table with these lines, for these public names beside those of the catalogue."""
    table = every_rows.read(root, ROWS + text)
    all_timed = {row.name for row in table.rows if row.derived}
    return table.faults + every_rows.uncovered(table, all_timed | {"sort", *names})


CASES = [
    ("what has a row is covered", [], lambda: of("", [])),
    ("a public name without a row", ["median has no row"], lambda: of("", ["median"])),
    ("a reason covers it", [], lambda: of("! median : only an argument\n", ["median"])),
    ("a reason must be given", ["no reason", "median has no row"], lambda: of("! median\n", ["median"])),
    ("a reason for a name that is gone", ["leaves out median, but"], lambda: of("! median : only an argument\n", [])),
    ("a row for a name that is gone", ["a row for median, which is no public name"], lambda: of("median | bl::median(v) | |\n", [])),
    ("in place as the function without _", [], lambda: of("! *_ : in place\n", ["sort_"])),
    ("in place of nothing", ["place_ has no row"], lambda: of("! *_ : in place\n", ["place_"])),
    ("a row that calls another function", ["does not call bl::median"], lambda: of("median | bl::sort(v) | |\n", ["median"])),
    ("two rows of one name", ["two rows are named"], lambda: of("sort rows | bl::sort(m, 1) | |\n", [])),
    ("a reason for a row that is behind", [], lambda: of("? sort rows : stable\n", [])),
    ("a reason at a level", [], lambda: of("? @v3 sort rows : stable\n", [])),
    ("no reason why it is behind", ["no reason: ? [@LEVEL] ROW"], lambda: of("? sort rows\n", [])),
    ("a reason for no row", ["a reason for sort lines, which is no row"], lambda: of("? sort lines : stable\n", [])),
    ("a reason for no row at a level", ["a reason for sort lines, which is no row"], lambda: of("? @v3 sort lines : stable\n", [])),
    ("a line of another form", ["not NAME | C++ | PyTorch | NumPy"], lambda: of("median | bl::median(v)\n", [])),
]

tap = Tap()
for what, expected, find in CASES:
    found = find()
    right = len(found) == len(expected) and all(part in line for part, line in zip(expected, found))
    tap.case(what, None if right else f"expected {expected}\n" + "\n".join(found))
table = every_rows.read(root, ROWS)
row = next(row for row in table.rows if row.key == "sort rows")
tap.case("a row is read", None if (row.types, row.largest, row.draws, row.headers) == (["f32", "i32"], 16, True, ["sets.hpp"]) else row)
table = every_rows.read(root, ROWS + "? sort rows : stable\n? @v3 sort rows : narrow\n")
found = [table.reason(level, "sort rows") for level in ("v3", "v4")]
tap.case("a level's own reason comes first", None if found == ["narrow", "stable"] else found)
table = every_rows.read(root)
problems = table.faults + every_rows.uncovered(table, every_rows.public_names(root))
tap.case(f"every public name has one of {len(table.rows)} rows or a reason", "\n".join(problems) or None)
tap.finish()
