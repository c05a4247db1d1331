#!/usr/bin/env python3
"""Checks that the law of static shapes looks at every public view and function. By TAP.

usage: static_shapes_names_test.py SOURCE_ROOT

The public names are those of function objects in namespace broadloom in the headers of the folders below; the law's are
those that test/law/static_shapes_*_test.cpp gives to keeps<...>("name", ...). A new function is reported until the law
looks at it, or the table says why it does not.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from tap import Tap

folders = ["expr", "fn", "index", "linalg", "reduce", "tensor"]

# What has no shape of its own, and why.
without_a_shape = {
    "an argument of slice": ["none", "end", "choices"],
    "an option": ["keepdim", "of_type", "accumulate_in", "compensated", "any_order", "complete", "reduced", "frobenius", "nuclear",
                  "with_indices", "column_major", "fweights", "aweights", "bins"],
    "lists of coefficients, whose number is not known": ["polyval", "polyadd", "polysub", "polymul", "polydiv", "polyder", "polyint", "poly",
                                                         "roots", "polyfit"],
    "sizes follow from elements, or from numbers": ["mgrid", "ogrid", "trim_zeros", "histogram2d", "histogramdd", "packbits", "unpackbits"],
    "the shape is an argument": ["empty", "zeros", "ones", "arange", "linspace", "eye", "rand", "randn", "from", "adopt", "iota",
                                 "lazy_linspace", "tri"],
    "the shape is what is asked for": ["named", "unnamed", "expects", "align", "transpose_to", "einsum_to"],  # test/expr/named_test.cpp
    "a truth": ["allclose", "array_equal"],
    "evaluated batch by batch": ["for_each_batch"],
    "elements and their indices": ["ndenumerate"],
    "the rank is known to the run only": ["visit_rank", "visit_ranks"],
    "written in place": ["put_along_dim", "put_along_axis"],
    "no function: its calls are refused": ["place"],
}


def public_names(text):
    """Names of objects declared in namespace broadloom itself, not in a namespace inside."""
    inside = []
    for line in text.splitlines():
        opened = re.match(r"(?:inline )?namespace ([\w:]+) \{", line)
        if opened:
            inside.append(opened.group(1))
        elif re.match(r"\}  // namespace", line) and inside:
            inside.pop()
        elif inside == ["broadloom"] and re.match(r"\} \w+\{\};|inline constexpr .*\w+\{.*\}[;,]", line):
            yield from re.findall(r"\b(\w+)\{\}", line) or re.findall(r"\b(\w+)\{", line)[:1]


def law_names(text):
    return re.findall(r'\bkeeps<[^"{]*>\(\s*"(\w+)"', text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    tap = Tap()
    public = {}
    for folder in folders:
        for path in sorted((root / "include" / "broadloom" / folder).glob("*.hpp")):
            for name in public_names(path.read_text()):
                public.setdefault(name, f"{folder}/{path.name}")
    reductions = (root / "include" / "broadloom" / "plan" / "reductions.def").read_text()
    for name in re.findall(r"^BROADLOOM_REDUCTION\((\w+),", reductions, re.MULTILINE):
        public.setdefault(name, "plan/reductions.def")
    looked_at = set()
    for path in sorted((root / "test" / "law").glob("static_shapes_*_test.cpp")):
        looked_at.update(law_names(path.read_text()))
    excused = {name for names in without_a_shape.values() for name in names}
    # Forms in place give back the array they were given.
    missing = [
        f"{name} ({where})" for name, where in sorted(public.items())
        if name not in looked_at and name not in excused and not name.endswith("_")
    ]
    tap.case("the headers' names are read", None if {"flip", "sum", "matmul", "sort"} <= public.keys() else str(public))
    tap.case("the law looks at every view and function",
             "not looked at by any static_shapes_*_test.cpp:\n" + "\n".join(missing) if missing else None)
    stale = sorted(name for name in excused if name not in public)
    tap.case("the table of those without a shape has no name too many",
             "no such name: " + ", ".join(stale) if stale else None)
    tap.finish()


if __name__ == "__main__":
    main()
