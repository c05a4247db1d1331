#!/usr/bin/env python3
"""Every file of C++ is formatted as clang-format 19 formats it, and lint reads the commands of a build. Reports by TAP.

usage: format_test.py SOURCE_ROOT
"""
import os
import pathlib
import shutil
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from lint import foreign_includes, formatted, misformatted, without_precompiled  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
with tempfile.TemporaryDirectory() as name:
    commands = pathlib.Path(name) / "compile_commands.json"
    commands.write_text('[{"command": "g++ -I../lib -I/usr/include -I/usr/lib/mpi -fpch-preprocess -include precompiled.hpp -c a.cpp"}]')
    found = foreign_includes(name)
    tap.case("lint finds the headers of other libraries", None if found == ["-isystem/usr/lib/mpi"] else str(found))
    without_precompiled(name, name)
    left = commands.read_text()
    kept = '[{"command": "g++ -I../lib -I/usr/include -I/usr/lib/mpi -c a.cpp"}]'
    tap.case("clang-tidy is not given another compiler's precompiled header", None if left == kept else left)

# Another version formats otherwise.
if not shutil.which("clang-format-19"):
    tap.skip("formatted", "clang-format-19 is not installed")
    tap.finish()

os.chdir(root)
for folder in formatted:
    files = sorted(str(path) for path in pathlib.Path(folder).rglob("*") if path.suffix in (".cpp", ".hpp"))
    wrong = misformatted(files)
    problem = f"run ./dev lint --fix {' '.join(wrong)}" if wrong else None
    if not files:
        problem = f"{folder} has no files of C++"
    tap.case(f"{folder} is formatted", problem)
tap.finish()
