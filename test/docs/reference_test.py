#!/usr/bin/python3
"""The reference has an entry for every public name. Where libclang's Python module is missing, this is skipped. Reports by TAP.

usage: reference_test.py SOURCE_ROOT
"""
import importlib.util
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))

if importlib.util.find_spec("clang") is None:
    print("ok 1 - every public name has an entry # SKIP python3-clang-19 is not installed\n1..1")
    sys.exit(0)

import reference  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
count, missing = reference.write(root, None)
tap.case("the headers have public names", None if count > 500 else f"only {count} were found")
tap.case("every public name has an entry", "\n".join(["write a comment above:"] + missing) if missing else None)
for formula, latex in (("plus(x, y)", "x + y"), ("times(plus(x, y), x)", r"(x + y) \cdot x"),
                       ("minus(x, minus(y, z))", "x - (y - z)"), ("over(each<X>(1), root(x))", r"\frac{1}{\sqrt{x}}")):
    tap.case(f"{formula} is written as mathematics", None if reference.latex(formula) == latex else reference.latex(formula))
tap.finish()
