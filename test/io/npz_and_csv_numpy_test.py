#!/usr/bin/env python3
"""Archives and tables that NumPy writes go through Broadloom and come back to NumPy, and so do archives that only Python's
zipfile writes. Reports by TAP.

usage: npz_and_csv_numpy_test.py SOURCE_ROOT ECHO_PROGRAM
"""
import io
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

source, echo = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(source / "tools"))
from tap import Tap  # noqa: E402

types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
         "complex64", "complex128", "float16"]
shapes = [(), (0,), (5,), (3, 0), (2, 3), (4, 3, 5), (70, 300)]
random = np.random.default_rng(7)
tap = Tap()
folder = tempfile.TemporaryDirectory()
given, got = pathlib.Path(folder.name) / "given", pathlib.Path(folder.name) / "got"


def arrays():
    made = {}
    for name in types:
        for shape in shapes:
            for order in "CF":
                for byte_order in "<>":
                    size = int(np.prod(shape)) * np.dtype(name).itemsize
                    raw = random.bytes(size) if name != "bool" else bytes(random.integers(0, 2, size, dtype=np.uint8))
                    if size > 10000:  # something that is compressed
                        raw = raw[:size // 8] * 8
                    made[f"{name} {shape} {order}{byte_order}"] = np.frombuffer(raw, dtype=name).reshape(shape, order=order).astype(
                        np.dtype(name).newbyteorder(byte_order), order=order)
    return made


def run(*words):
    """What went wrong, or None."""
    done = subprocess.run([echo, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        return "without minizip"
    return None if done.returncode == 0 else done.stdout + done.stderr


def compare(expected):
    """What is other in the archive that came back."""
    with np.load(got) as back:
        if list(back.files) != list(expected):
            return f"names: {back.files[:10]}"
        for name, array in expected.items():
            b = back[name]
            if b.dtype != array.dtype.newbyteorder("=") or b.shape != array.shape or \
                    b.tobytes() != array.astype(b.dtype).tobytes():
                return f"{name}: {array} came back as {b}"
    with zipfile.ZipFile(got) as archive:
        return archive.testzip()


def member(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, array)
    return file.getvalue()


class Pipe(io.RawIOBase):
    """A file that cannot be gone back in: sizes follow the bytes."""

    def __init__(self, to):
        self.to = to

    def writable(self):
        return True

    def write(self, data):
        return self.to.write(data)


def npz():
    expected = arrays()
    for save in (np.savez, np.savez_compressed):
        for packed in ("stored", "compressed"):
            with open(given, "wb") as file:
                save(file, **expected)
            problem = run("npz", given, got, packed) or compare(expected)
            if problem == "without minizip":
                tap.case("the library was built without minizip: nothing to compare")
                return
            tap.case(f"{len(expected)} arrays of {save.__name__} come back {packed}", problem)
    # What zipfile alone writes: names without .npy, not in ASCII, a comment, sizes that follow, deflate's other levels.
    few = {"plain": np.arange(5.0), "\u00e4\u4e2d": np.arange(6, dtype="i4").reshape(2, 3), "in/a/folder": np.ones(3)}
    for level in (None, 1, 9):
        for ending in ("", ".npy"):
            with zipfile.ZipFile(given, "w", zipfile.ZIP_STORED if level is None else zipfile.ZIP_DEFLATED,
                                 compresslevel=level) as archive:
                archive.comment = b"a comment"
                for name, array in few.items():
                    archive.writestr(name + ending, member(array))
            tap.case(f"zipfile's archive, level {level}, ending '{ending}'", run("npz", given, got, "stored") or compare(few))
    np.savez(given)
    given.with_suffix(".npz").rename(given)
    tap.case("an archive of nothing", run("npz", given, got, "stored") or compare({}))
    with open(given, "wb") as file, zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in few.items():
            archive.writestr(name + ".npy", member(array))
    tap.case("an archive that was written to a pipe", run("npz", given, got, "stored") or compare(few))


def csv():
    values = np.frombuffer(random.bytes(8 * 6000), dtype="f8").reshape(1000, 6).copy()
    values[np.isnan(values)] = 0.1
    values[:6, 0] = [np.inf, -np.inf, 0.0, -0.0, 5e-324, np.finfo("f8").max]
    for type_name, dtype, table in (("f64", "f8", values), ("f32", "f4", np.clip(values, -3e38, 3e38).astype("f4")),
                                    ("i64", "i8", values.view("i8"))):
        for delimiter in (",", "\t", " ", ";"):
            for newline in ("\n", "\r\n"):
                how = "%d" if dtype == "i8" else "%.17g" if dtype == "f8" else "%.9g"
                np.savetxt(given, table, fmt=how, delimiter=delimiter, newline=newline, header="made by NumPy")
                problem = run("csv", given, got, type_name, delimiter)
                if problem is None:
                    back = np.loadtxt(got, dtype=dtype, delimiter=delimiter)
                    if back.tobytes() != table.tobytes():
                        at = np.argwhere(back.view("u1") != table.view("u1"))[0]
                        problem = f"{table[at[0]]} came back as {back[at[0]]}"
                    mine = np.loadtxt(given, dtype=dtype, delimiter=delimiter)
                    problem = problem or (None if mine.tobytes() == back.tobytes() else "loadtxt reads other numbers")
                tap.case(f"a table of {type_name}, delimiter {delimiter!r}, line end {newline!r}", problem)
    given.write_text("1,,3\n,5.5,\n# none\n,,\n7,8,9 # three\n")
    problem = run("csv", given, got, "f64", ",", "-1")
    expected = np.genfromtxt(given, delimiter=",", filling_values=-1)
    tap.case("missing fields are filled as genfromtxt fills them",
             problem or (None if np.array_equal(np.loadtxt(got, delimiter=","), expected) else got.read_text()))


npz()
csv()
folder.cleanup()
tap.finish()
