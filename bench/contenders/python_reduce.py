#!/usr/bin/python3
"""NumPy's and numexpr's side of the reductions in bench/reduce.cpp: calls what python_reduce.cpp asks for, over memory that both see.

Lines on the standard input, answered by a line each:
  make LIBRARY CASE THREADS FILE SHAPE:OFFSET:TYPE ...      the last one is the output
  run N
"""
import mmap
import sys

import numpy as np

try:
    import numexpr as ne
except ImportError:
    ne = None


def numpy_calls(case, a, o):
    x = a[0]
    if case == "softmax_rows":
        def f():
            np.subtract(x, x.max(1, keepdims=True), out=o)
            np.exp(o, out=o)
            np.divide(o, o.sum(1, keepdims=True), out=o)
    elif case == "layer_norm":
        t = np.empty_like(o)

        def f():
            np.subtract(x, x.mean(1, keepdims=True), out=o)
            np.square(o, out=t)
            np.divide(o, np.sqrt(t.mean(1, keepdims=True) + np.float32(1e-5)), out=o)
            np.multiply(o, a[1], out=o)
            np.add(o, a[2], out=o)
    elif case == "normalize":
        def f(): np.divide(x, x.sum(), out=o)
    elif case in ("row_sums", "column_sums"):
        axis = int(case == "row_sums")

        def f(): np.sum(x, axis, out=o)
    elif case == "full_sum":
        def f(): o[0] = x.sum()
    elif case in ("square_distance_rows", "pairwise"):
        t = np.empty(np.broadcast_shapes(x.shape, a[1].shape), np.float32)

        def f():
            np.subtract(x, a[1], out=t)
            np.square(t, out=t)
            np.sum(t, t.ndim - 1, out=o)
    elif case == "argmax_rows":
        def f(): np.argmax(x, 1, out=o)
    elif case == "cumsum_rows":
        def f(): np.cumsum(x, 1, out=o)
    else:
        return None
    return f


def numexpr_calls(case, a, o):
    x = a[0]
    if case == "softmax_rows":
        def f():
            m = x.max(1, keepdims=True)
            ne.evaluate("exp(x - m)", {"x": x, "m": m}, out=o)
            ne.evaluate("o / s", {"o": o, "s": o.sum(1, keepdims=True)}, out=o)
    elif case == "layer_norm":
        n, e = np.float32(x.shape[1]), np.float32(1e-5)

        def f():
            m = x.mean(1, keepdims=True)
            v = ne.evaluate("sum((x - m) * (x - m), axis=1)", {"x": x, "m": m})[:, None].astype(np.float32)
            ne.evaluate("(x - m) / sqrt(v / n + e) * g + h", {"x": x, "m": m, "v": v, "n": n, "e": e, "g": a[1], "h": a[2]}, out=o)
    elif case == "normalize":
        def f(): ne.evaluate("x / s", {"x": x, "s": x.sum()}, out=o)
    elif case in ("row_sums", "column_sums"):
        text = "sum(x, axis=%d)" % (case == "row_sums")

        def f(): o[...] = ne.evaluate(text, {"x": x})
    elif case == "full_sum":
        def f(): o[0] = ne.evaluate("sum(x)", {"x": x})
    elif case in ("square_distance_rows", "pairwise"):
        text = "sum((x - y) * (x - y), axis=%d)" % (max(x.ndim, a[1].ndim) - 1)

        def f(): o[...] = ne.evaluate(text, {"x": x, "y": a[1]})
    else:
        return None
    return f


def main():
    calls, made = [], {"numpy": numpy_calls, "numexpr": numexpr_calls}
    print(np.__version__, ne.__version__ if ne else "-", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "run":
            f = calls[int(words[1])]
            for _ in range(int(words[2])):
                f()
            print("done", flush=True)
            continue
        library, case, threads, path = words[1:5]
        with open(path, "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        arrays = []
        for text in words[5:]:
            shape, offset, kind = text.split(":")
            extents = [int(n) for n in shape.split(",")]
            arrays.append(np.ndarray(extents, kind, memory, int(offset)))
        if library == "numexpr" and ne:
            ne.set_num_threads(int(threads))
        f = made[library](case, arrays[:-1], arrays[-1]) if library == "numpy" or ne else None
        calls.append(f)
        print(len(calls) - 1 if f else -1, flush=True)


main()
