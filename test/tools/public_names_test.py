#!/usr/bin/env python3
"""The script tools/public_names.py notices what is gone, moved or deprecated without a word. Reports by TAP.

usage: public_names_test.py SOURCE_ROOT
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools"))
import public_names  # noqa: E402
from tap import Tap  # noqa: E402

record = ["header broadloom/a.hpp", "name f broadloom/a.hpp", "name s::g broadloom/a.hpp", "name c.size broadloom/a.hpp",
          "name old broadloom/a.hpp deprecated"]
a, b = "broadloom/a.hpp", "broadloom/b.hpp"
all_there = {"f": (a, False), "s::g": (a, False), "c.size": (a, False), "old": (a, True)}


def without(*names, **more):
    return {**{name: value for name, value in all_there.items() if name not in names}, **more}


def problems(now, news="", headers=(a, b, "broadloom/interop/foreign.hpp"), included="", kept=()):
    """What compare says of names `now`, with these entries in CHANGELOG.md; b.hpp is included by a.hpp where `included` says so."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "include/broadloom/interop").mkdir(parents=True)
        for header in headers:
            (root / "include" / header).write_text(included if header == a else "")
        (root / "CHANGELOG.md").write_text(f"# Changes\n\n## 0.2.0\n\n{news}\n## 0.1.0\n\n- (!) `f`, `g`, `old`, `size`: of an older release\n")
        return public_names.compare(root, [*record, *kept], set(headers), now)


CASES = [
    ("nothing is gone", [], lambda: problems(all_there)),
    ("a function is gone", ["f (broadloom/a.hpp) is gone"], lambda: problems(without("f"))),
    ("one that is gone is not excused by a note", ["f (broadloom/a.hpp) is gone"], lambda: problems(without("f"), "- (!) `f` is gone\n")),
    ("a name of an inner namespace is gone", ["s::g (broadloom/a.hpp) is gone"], lambda: problems(without("s::g"))),
    ("a member is gone", ["c.size (broadloom/a.hpp) is gone"], lambda: problems(without("c.size"))),
    ("an alias without a note", ["f (broadloom/a.hpp) is deprecated now"], lambda: problems(without(f=(a, True)))),
    ("an alias with one", [], lambda: problems(without(f=(a, True)), "- `f(x)` is `h(x)` now\n")),
    ("a note of another name", ["is deprecated now"], lambda: problems(without(f=(a, True)), "- `fill(x)` is new\n")),
    ("what was deprecated goes without a note", ["old (broadloom/a.hpp), deprecated before, is gone"], lambda: problems(without("old"))),
    ("with one that breaks nobody", ["deprecated before"], lambda: problems(without("old"), "- `old` went\n")),
    ("with one that says so", [], lambda: problems(without("old"), "- (!) `old` went, as 0.1.0 said\n")),
    ("moved to another header", ["f moved from broadloom/a.hpp to broadloom/b.hpp"], lambda: problems(without(f=(b, False)))),
    ("moved to a header that the first includes", [], lambda: problems(without(f=(b, False)), included="#include <broadloom/b.hpp>\n")),
    ("a header is gone", ["the header broadloom/a.hpp is gone"],
     lambda: problems(without(f=(b, False)), headers=(b,))),
    ("what adapts a library that is not here is not looked for", [], lambda: problems(all_there, kept=["name adapted broadloom/interop/foreign.hpp"])),
]

tap = Tap()
for title, wanted, found in CASES:
    got = found()
    right = len(got) == len(wanted) and all(word in said for word, said in zip(wanted, got))
    tap.case(title, None if right else f"expected {wanted}\nfound    {got}")
tap.finish()
