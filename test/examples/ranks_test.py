#!/usr/bin/env python3
"""Runs the examples over 1, 2, 3 and 7 ranks: each prints the same, to the last bit, as its text beside this script says.
Reports by TAP.

usage: ranks_test.py MPIRUN PROGRAM...
"""
import os
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "tools"))
from over_ranks import run  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
for program in sys.argv[2:]:
    name = os.path.basename(program)
    wanted = (here / f"{name}.txt").read_text()
    for ranks in (1, 2, 3, 7):
        status, text, errors = run(sys.argv[1], ranks, program)
        tap.case(f"{name} over {ranks} ranks", None if status == 0 and text == wanted else f"exit status {status}\n{text}{errors}\nwanted:\n{wanted}")
tap.finish()
