#!/usr/bin/env python3
"""The programs of examples/cookbook, each against NumPy: a program writes its inputs and results as .npy files, and what
NumPy makes of the same inputs must be the results. Reports by TAP.

usage: cookbook_test.py FOLDER_OF_PROGRAMS
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

root = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(root / "tools"), str(root / "examples/cookbook")]
import by_numpy  # noqa: E402
from tap import Tap  # noqa: E402

programs = pathlib.Path(sys.argv[1])
tap = Tap()


def difference(name, got, wanted):
    if got.shape != wanted.shape:
        return f"{name} has shape {got.shape}, not {wanted.shape}"
    if name == "steps":
        off = np.count_nonzero(got != wanted)
        return None if off <= got.size // 100 else f"{off} of {got.size} steps differ"
    tolerance = 1e-5 if got.dtype == np.float32 else 1e-9
    if np.allclose(got, wanted, rtol=tolerance, atol=tolerance):
        return None
    return f"{name} differs by up to {np.abs(got - wanted).max()}"


for function in by_numpy.PROGRAMS:
    name = function.__name__
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([str(programs / f"cookbook_{name}"), folder], capture_output=True, text=True, check=False, timeout=300)
        arrays = {path.stem: np.load(path) for path in pathlib.Path(folder).glob("*.npy")}
        if done.returncode != 0:
            tap.case(f"{name} runs", f"status {done.returncode}\n{done.stdout}{done.stderr}")
            continue
        wanted = function(arrays)
        missing = [key for key in wanted if key not in arrays]
        problems = [f"no {key}.npy" for key in missing]
        problems += [p for key in wanted if key in arrays for p in [difference(key, arrays[key], wanted[key])] if p]
        tap.case(f"{name} gives what NumPy gives", "\n".join(problems) or None)
        for tree in pathlib.Path(folder).glob("*.svg"):
            same = (root / f"docs/pictures/cookbook_{tree.name}").read_text() == tree.read_text()
            tap.case(f"the picture of {name} in docs/pictures is as drawn", None if same else f"run the program in a folder, and copy {tree.name}")
tap.finish()
