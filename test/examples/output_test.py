#!/usr/bin/env python3
"""A small example prints exactly what is expected of it and ends well. Reports by TAP.

usage: output_test.py PROGRAM EXPECTED_OUTPUT [ARGUMENT...]
"""
import difflib
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from tap import Tap  # noqa: E402

program, expected_file, *arguments = sys.argv[1:]
expected = pathlib.Path(expected_file).read_text()
tap = Tap()
done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False)
if not expected.strip():
    tap.case("its expected output is written down", f"{expected_file} is empty")
tap.case("it ends with status 0 and prints no errors",
         None if done.returncode == 0 and not done.stderr else f"status {done.returncode}\n{done.stderr}")
difference = "\n".join(difflib.unified_diff(expected.splitlines(), done.stdout.splitlines(), "expected", "printed", lineterm=""))
tap.case("it prints what is expected", difference or None)
tap.finish()
