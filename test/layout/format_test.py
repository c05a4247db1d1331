#!/usr/bin/env python3
"""Every file of C++ is formatted as clang-format 19 formats it. Reports by TAP.

usage: format_test.py SOURCE_ROOT
"""
import os
import pathlib
import shutil
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from lint import misformatted, formatted  # noqa: E402
from tap import Tap  # noqa: E402

# Another version formats otherwise.
if not shutil.which("clang-format-19"):
    print("ok 1 - formatted # SKIP clang-format-19 is not installed\n1..1")
    sys.exit(0)

os.chdir(root)
tap = Tap()
for folder in formatted:
    files = sorted(str(path) for path in pathlib.Path(folder).rglob("*") if path.suffix in (".cpp", ".hpp"))
    wrong = misformatted(files)
    problem = f"run ./dev lint --fix {' '.join(wrong)}" if wrong else None
    if not files:
        problem = f"{folder} has no files of C++"
    tap.case(f"{folder} is formatted", problem)
tap.finish()
