#!/usr/bin/env python3
"""Prints the table that format_test.cpp reads: arrays, print options, and the text NumPy writes for them.

usage: test/tensor/format_cases.py > test/data/format_cases.txt   (NumPy 1.24)

Each case is
    array DTYPE SHAPE precision threshold edge_items line_width suppress_small
    values HEX HEX ...      the bits of the elements; they repeat from the start if the array has more elements
    text N                  followed by N lines, each behind a "|" that keeps spaces at the ends visible
Complex values are two numbers each. SHAPE is "()" or "2,3".
"""
import itertools
import sys

import numpy as np

NAMES = {
    "bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
}
DEFAULTS = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False)
random = np.random.RandomState(20240229)
count = 0


def bits(name, values):
    values = np.ascontiguousarray(values, dtype=NAMES[name])
    part = {"c64": "float32", "c128": "float64"}.get(name)
    if part:
        values = values.view(part)
    width = values.dtype.itemsize
    return " ".join("%0*x" % (2 * width, int(x)) for x in values.view("u%d" % width))


def emit(name, shape, values, **options):
    global count
    values = np.asarray(values, dtype=NAMES[name]).reshape(-1)
    options = {**DEFAULTS, **options}
    size = int(np.prod(shape, dtype=np.int64))
    array = np.resize(values, size).reshape(shape) if size else np.zeros(shape, NAMES[name])
    with np.printoptions(**options):
        text = str(array) if array.ndim else str(array[()])
    lines = text.split("\n")
    print("array", name, ",".join(map(str, shape)) or "()", options["precision"], options["threshold"],
          options["edgeitems"], options["linewidth"], int(options["suppress"]))
    print("values", bits(name, values))
    print("text", len(lines))
    for line in lines:
        print("|" + line)
    count += 1


def integers(name, n):
    limits = np.iinfo(NAMES[name])
    kind = random.randint(4)
    if kind == 0:
        return random.randint(0, 10, n)
    if kind == 1:
        return random.randint(max(limits.min, -100), 100, n)
    if kind == 2:
        return [[limits.min, limits.max, 0, 1][random.randint(4)] for _ in range(n)]
    raw = random.bytes(n * np.dtype(NAMES[name]).itemsize)
    return np.frombuffer(raw, NAMES[name])


def floats(name, n):
    real = {"c64": "float32", "c128": "float64"}.get(name, NAMES[name])
    kind = random.randint(13)
    if kind == 0:
        x = random.randint(-9, 10, n).astype(real)
    elif kind == 1:
        x = random.randint(-40, 40, n) / 8
    elif kind == 2:
        x = random.uniform(-1, 1, n)
    elif kind == 3:
        x = random.normal(0, 30, n)
    elif kind == 4:
        x = 10.0 ** random.randint(-4, 8, n) * random.randint(1, 10, n)
    elif kind == 5:
        x = 10.0 ** random.uniform(-30, 30, n)
    elif kind == 6:
        whole = "u4" if real == "float32" else "u8"
        with np.errstate(all="ignore"):
            return np.frombuffer(random.bytes(n * np.dtype(whole).itemsize), real)
    elif kind == 7:
        x = np.array([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf])[random.randint(0, 6, n)]
    elif kind == 8:
        x = np.where(random.randint(0, 3, n) == 0, np.nan, random.uniform(-5, 5, n))
    elif kind == 9:
        x = 2.0 ** random.randint(-40, 27, n)
    elif kind == 10:
        x = random.randint(1, 100, n) / 100
    elif kind == 11:
        x = random.uniform(2e6, 9.99e7, n)
    else:
        x = random.uniform(1, 9999, n).round(random.randint(0, 4))
    return x.astype(real)


def values_for(name, n):
    if name == "bool":
        return random.randint(0, 2, n) == 1
    if name in ("c64", "c128"):
        out = np.empty(n, NAMES[name])
        out.real = floats(name, n)
        out.imag = floats(name, n)
        return out
    return floats(name, n) if name in ("f32", "f64") else integers(name, n)


def main():
    if not np.__version__.startswith("1.24."):
        sys.exit("the table follows NumPy 1.24, this is " + np.__version__)
    np.seterr(all="ignore")
    shapes = [(), (1,), (3,), (7,), (30,), (2, 3), (3, 1), (1, 4), (2, 2, 3), (1, 3, 1, 2), (2, 1, 2, 1, 2)]

    # Every type at every shape.
    for name, shape in itertools.product(NAMES, shapes):
        emit(name, shape, values_for(name, max(1, int(np.prod(shape)))))

    # Numbers, many of them: columns of random kinds, short and long.
    for name in ("f32", "f64", "c64", "c128"):
        for _ in range(90):
            n = 1 + random.randint(9)
            emit(name, (n,), values_for(name, n))
        for _ in range(40):
            emit(name, (), values_for(name, 1))

    # Edges: empty arrays, the limits of each notation, halves, the largest and smallest numbers, signed zeros.
    for name in ("bool", "i32", "f64", "c64"):
        for shape in [(0,), (2, 0), (0, 3), (2, 0, 4)]:
            emit(name, shape, values_for(name, 1))
    for name in ("f32", "f64"):
        real = NAMES[name]
        info = np.finfo(real)
        below = np.nextafter(np.array(1e8, real), np.array(0, real))
        for values in [
            [1e8], [below], [1e-4], [9.9e-5], [1, 1000], [1, 1000.5], [1, 1001], [0.001, 1], [0.0009, 1],
            [info.max], [info.tiny], [info.smallest_subnormal], [info.max, info.smallest_subnormal, -0.0],
            [0.5, 1.5, 2.5], [0.125, 0.375], [16777216.0, 33554432.0], [50331652.0], [99999999.0], [0.1, 0.2, 0.3],
            [1 / 3], [2 / 3, 1e-3], [0.99999999999], [9.9999999999e9], [np.nan], [np.inf], [-np.inf], [np.nan, -np.inf],
            [np.nan, 1e10], [-np.inf, 1e-10], [np.inf, 123456.0], [-0.0], [0.0, 1e300 if name == "f64" else 1e30],
            [1e-10, 1], [1e16], [1e15, 1], [123456.789, 1e-3], [5e-9, 6e-9, 1], [2.0**k for k in range(0, 20, 3)],
            [2.0**-k for k in range(0, 24, 3)], [2.0**k for k in range(-100, 101, 40)],
        ]:
            values = np.array(values, real)
            emit(name, values.shape, values)
            emit(name, (), values[:1])
            emit(name, values.shape, values, suppress=True)
            for precision in (0, 1, 3, 17):
                emit(name, values.shape, values, precision=precision)
    for name in ("c64", "c128"):
        for values in [
            [1 + 2j], [1j], [-1j], [complex(-0.0, 1)], [complex(0, -0.0)], [complex(np.nan, np.inf)],
            [complex(-np.inf, np.nan)], [1e20 + 1j], [0.5 - 0.25j, 10 + 3.125j], [1e-5j, 1], [complex(1, np.nan), 12j],
            [complex(np.inf, -np.inf), 100.5j], [1 / 3 + 2j / 3],
        ]:
            values = np.array(values, NAMES[name])
            emit(name, values.shape, values)
            emit(name, (), values[:1])
            emit(name, values.shape, values, precision=2, suppress=True)

    # Summaries.
    for name, shape in itertools.product(
        ("bool", "i32", "u8", "f32", "f64", "c64"), [(1001,), (1000,), (40, 40), (7, 300), (6, 200), (3, 4, 100), (1100, 1)]
    ):
        emit(name, shape, values_for(name, 60))
    for shape in [(5,), (9, 9), (2, 9), (4, 5, 6), (7, 1, 7, 2)]:
        for edge in (1, 2, 4):
            emit("i16", shape, values_for("i16", 50), threshold=4, edgeitems=edge)
            emit("f64", shape, values_for("f64", 50), threshold=4, edgeitems=edge)

    # Lines: wrapping at widths from absurd to wide.
    for width in (1, 5, 10, 20, 40, 75, 76, 120, 300):
        for name in ("bool", "i64", "f32", "f64", "c64"):
            emit(name, (25,), values_for(name, 25), linewidth=width)
            emit(name, (2, 2, 9), values_for(name, 36), linewidth=width)
    for n in range(14, 40):
        emit("i32", (n,), np.arange(n), linewidth=75)
        emit("i32", (3, n), np.arange(10, 10 + 3 * n), linewidth=75)

    print(count, "cases", file=sys.stderr)


if __name__ == "__main__":
    main()
