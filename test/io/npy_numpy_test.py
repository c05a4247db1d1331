#!/usr/bin/env python3
"""Files that NumPy writes, of every element type, order of axes and of bytes, and format version, go through Broadloom
and come back to NumPy. Reports by TAP.

usage: npy_numpy_test.py SOURCE_ROOT ECHO_PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

source, echo = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(source / "tools"))
from tap import Tap  # noqa: E402

types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
         "complex64", "complex128", "float16"]
shapes = [(), (0,), (1,), (5,), (3, 0), (2, 3), (1, 7), (4, 3, 5)]
random = np.random.default_rng(7)
tap = Tap()

with tempfile.TemporaryDirectory() as folder:
    for name in types:
        problems, files = [], []
        for shape in shapes:
            for order in "CF":
                for byte_order in "<>":
                    for version in ((1, 0), (2, 0)):
                        size = int(np.prod(shape)) * np.dtype(name).itemsize
                        raw = random.bytes(size) if name != "bool" else bytes(random.integers(0, 2, size, dtype=np.uint8))
                        array = np.frombuffer(raw, dtype=name).reshape(shape, order=order).astype(
                            np.dtype(name).newbyteorder(byte_order), order=order)
                        given = pathlib.Path(folder) / f"{name}_{len(files)}.npy"
                        with open(given, "wb") as file:
                            np.lib.format.write_array(file, array, version=version)
                        files.append((array, order, byte_order, given, given.with_suffix(".got")))
        # One process for all files of a type.
        arguments = [str(word) for array, _, _, given, got in files for word in (array.ndim, given, got)]
        done = subprocess.run([echo, name, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            problems.append(f"{done.stdout}{done.stderr}(exit status {done.returncode})")
        for array, order, byte_order, given, got in files:
            mapped = got.with_suffix(".got.mapped")
            for path in [got] * got.exists() + [mapped] * mapped.exists():
                back = np.load(path)
                same = back.dtype == np.dtype(name) and back.shape == array.shape and \
                    back.tobytes() == array.astype(name).tobytes()
                if not same:
                    problems.append(f"{array.shape} {order} {byte_order} {path.name}: {array} came back as {back}")
            if not got.exists():
                problems.append(f"{array.shape} {order} {byte_order}: was not written")
            if byte_order == "<" and name != "bool" and not mapped.exists():
                problems.append(f"{array.shape} {order}: was not mapped")
        tap.case(f"{len(files)} files of {name} come back as NumPy wrote them", "\n".join(problems[:5]) or None)
tap.finish()
