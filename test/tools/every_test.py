#!/usr/bin/env python3
"""Each public function has a row in bench/every.txt, or a reason why not; and what misses is noticed. Reports by TAP.

usage: every_test.py SOURCE_ROOT
"""
import importlib.machinery
import importlib.util
import pathlib
import statistics
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(root / "tools"), str(root / "bench")]
import every_rows  # noqa: E402
from tap import Tap  # noqa: E402

sys.dont_write_bytecode = True
every = importlib.util.module_from_spec(importlib.util.spec_from_loader("every", importlib.machinery.SourceFileLoader("every", str(root / "bench/every"))))
every.__spec__.loader.exec_module(every)

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
    ("no reason why it is behind", ["no reason: ? [@LEVEL|@TYPE|@threads|@SIZE|@PROCESSOR]... ROW"], lambda: of("? sort rows\n", [])),
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
table = every_rows.read(root, ROWS + "? sort rows : stable\n? @v3 sort rows : narrow\n? @threads sort rows : shared\n? @f64 @avx2 sort rows : wide\n")
found = [table.reason("sort rows", *where) for where in (["f64", "v3"], ["v4"], ["threads", "v3"], [], ["avx2"], ["avx2", "v3", "f64"])]
tap.case("the reason of a level or a type comes first, and that of most of them",
         None if found == ["narrow", "stable", "shared", "stable", "stable", "wide"] else found)


def timed(row, faults=0, **ns):
    """A row as a process of each timed it."""
    return {"row": row, "family": "sets", "type": "f32", "size": 16, "threads": 1, "faults": faults, "ns": ns, "cold": {name: 10 * t for name, t in ns.items()}}


three = [[timed("sort", 0, ours=4, torch=2, numpy=9), timed("topk", ours=5)], [timed("sort", 2, ours=1, torch=4, numpy=9)],
         [timed("sort", 1, ours=3, torch=3), timed("topk", torch=5), timed("median", ours=2, torch=1)]]
for word, figure, expected in [("medians", statistics.median, [("sort", {"ours": 3, "torch": 3, "numpy": 9}, 30, 2, 1.0), ("topk", {"ours": 5}, 50, 0, None),
                                                               ("median", {"ours": 2, "torch": 1}, 20, 0, 2.0)]),
                               ("least", min, [("sort", {"ours": 1, "torch": 2, "numpy": 9}, 10, 2, 0.5), ("topk", {"ours": 5}, 50, 0, None),
                                               ("median", {"ours": 2, "torch": 1}, 20, 0, 2.0)])]:
    found = [(e["row"], e["ns"], e["cold"]["ours"], e["faults"], e["ratio"]) for e in every.joined(three, figure)]
    tap.case(f"{word} of processes", None if found == expected else found)
found = every.joined(three, min)[0]["processes"], [e.get("processes") for e in every.joined(three[:1], min)]
tap.case("times of each process are kept", None if found == ({"ours": [4, 1, 3], "torch": [2, 4, 3], "numpy": [9, 9]}, [None, None]) else found)


def a_run(machine="AMD EPYC, 2 threads", types=None, **of):
    return {"machine": machine, "types": types, "rows": [{**timed("sort", ours=4, torch=2), **of}]}


for run, expected in [(a_run("AMD EPYC, 2 threads, v3"), ("at v3", ["v3"])), (a_run(types="f64"), ("as f64", ["f64"])),
                      (a_run(threads=2), ("with 2 threads", ["threads"])), (a_run(size=1 << 24), ("of 16 Mi elements", ["16Mi"])),
                      (a_run("AMD EPYC, 2 threads, v3", "i32", threads=2), ("as i32, with 2 threads, at v3", ["i32", "threads", "v3"]))]:
    heading, _, where = every.facets(run)
    tap.case(f"a section of a run {expected[0]}", None if (heading, where) == expected else (heading, where))
table = every_rows.read(root)
problems = table.faults + every_rows.uncovered(table, every_rows.public_names(root))
tap.case(f"every public name has one of {len(table.rows)} rows or a reason", "\n".join(problems) or None)
tap.finish()
