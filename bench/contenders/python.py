#!/usr/bin/python3
"""The side of NumPy, numexpr and numba: calls what python.cpp asks for, over memory that both see.

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
try:
    import numba
except ImportError:
    numba = None

RATE, VOLATILITY = np.float32(0.02), np.float32(0.3)


def numpy_calls(case, a, o):
    x = a[0]
    if case in ("add_big", "outer"):
        def f(): np.add(x, a[1], out=o)
    elif case == "addcmul_bcast":
        def f():
            np.multiply(a[1], a[2], out=o)
            np.add(o, x, out=o)
    elif case in ("chain_f32", "chain_f64"):
        t, c = np.empty_like(o), o.dtype.type(1.5)

        def f():
            np.multiply(a[1], a[2], out=o)
            np.add(x, o, out=o)
            np.subtract(o, a[3], out=o)
            np.multiply(a[4], a[4], out=t)
            np.add(t, c, out=t)
            np.divide(o, t, out=o)
    elif case == "batchnorm":
        def f():
            np.subtract(x, a[1], out=o)
            np.multiply(o, a[2], out=o)
            np.multiply(o, a[3], out=o)
            np.add(o, a[4], out=o)
    elif case == "transpose_add":
        def f(): np.add(x, a[1].T, out=o)
    elif case == "strided":
        def f(): np.multiply(x[::2, ::3], a[1], out=o)
    elif case == "where_clamp":
        t = np.empty(o.shape, bool)

        def f():
            np.greater(x, a[1], out=t)
            np.copyto(o, a[1])
            np.clip(a[2], np.float32(0), np.float32(1), out=o, where=t)
    elif case == "int_add_compare":
        t = np.empty_like(x)

        def f():
            np.add(x, a[1], out=t)
            np.greater(t, a[2], out=o.view(bool))
    elif case == "hoist":
        def f():
            np.multiply(x, np.exp(a[1]), out=o)
            np.add(o, np.log(a[2]), out=o)
    elif case in ("mixed_channels", "mixed_flat"):
        def f(): np.multiply(x, a[1], out=o, casting="unsafe")
    elif case == "softmax_rows":
        def f():
            np.subtract(x, x.max(1, keepdims=True), out=o)
            np.exp(o, out=o)
            np.divide(o, o.sum(1, keepdims=True), out=o)
    elif case == "layer_norm":
        t = np.empty_like(o)

        def f():
            np.subtract(x, x.mean(1, keepdims=True), out=o)
            np.square(o, out=t)
            np.multiply(o, 1 / np.sqrt(t.mean(1, keepdims=True) + np.float32(1e-5)), out=o)
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
    names = dict(zip("abcde", a))
    one_pass = {
        "add_big": "a + b",
        "outer": "a + b",
        "addcmul_bcast": "a + b * c",
        "batchnorm": "(a - b) * c * d + e",
        "int_add_compare": "(a + b) > c",
    }
    if case in one_pass:
        to = o.view(bool) if case == "int_add_compare" else o

        def f(): ne.evaluate(one_pass[case], names, out=to)
    elif case in ("chain_f32", "chain_f64"):
        names["k"] = o.dtype.type(1.5)

        def f(): ne.evaluate("(a + b * c - d) / (e * e + k)", names, out=o)
    elif case == "transpose_add":
        names["b"] = a[1].T

        def f(): ne.evaluate("a + b", names, out=o)
    elif case == "strided":
        names["a"] = x[::2, ::3]

        def f(): ne.evaluate("a * b", names, out=o)
    elif case == "where_clamp":
        names.update(l=np.float32(0), h=np.float32(1))

        def f(): ne.evaluate("where(a > b, where(c < l, l, where(c > h, h, c)), b)", names, out=o)
    elif case == "hoist":
        def f(): ne.evaluate("a * s + t", {"a": x, "s": np.exp(a[1]), "t": np.log(a[2])}, out=o)
    elif case == "softmax_rows":
        def f():
            m = x.max(1, keepdims=True)
            ne.evaluate("exp(x - m)", {"x": x, "m": m}, out=o)
            ne.evaluate("o / s", {"o": o, "s": o.sum(1, keepdims=True)}, out=o)
    elif case == "layer_norm":
        n, e = np.float32(x.shape[1]), np.float32(1e-5)

        def f():
            m = x.mean(1, keepdims=True)
            v = ne.evaluate("sum((x - m) * (x - m), axis=1)", {"x": x, "m": m})[:, None].astype(np.float32)
            s = 1 / np.sqrt(v / n + e)
            ne.evaluate("(x - m) * s * g + h", {"x": x, "m": m, "s": s, "g": a[1], "h": a[2]}, out=o)
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


def numba_loops():
    """The loops of long arrays, compiled when they are called first."""
    import math
    from numba import njit, prange

    loop = njit(parallel=True, error_model="numpy")
    half, root_half, zero, one = np.float32(0.5), np.float32(0.5 ** 0.5), np.float32(0), np.float32(1)
    drift = RATE + VOLATILITY * VOLATILITY * half

    @loop
    def add_big(a, b, o):
        for i in prange(o.size):
            o[i] = a[i] + b[i]

    @loop
    def addcmul_bcast(a, b, c, o):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                for k in range(o.shape[2]):
                    o[i, j, k] = a[i, 0, k] + b[0, j, k] * c[i, j, 0]

    def chain(k):
        @loop
        def f(a, b, c, d, e, o):
            for i in prange(o.size):
                o[i] = (a[i] + b[i] * c[i] - d[i]) / (e[i] * e[i] + k)
        return f

    @loop
    def outer(x, y, o):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = x[i, 0] + y[0, j]

    @loop
    def batchnorm(x, m, r, g, b, o):
        for u in prange(o.shape[0] * o.shape[1]):
            n, c = u // o.shape[1], u % o.shape[1]
            for i in range(o.shape[2]):
                for j in range(o.shape[3]):
                    o[n, c, i, j] = (x[n, c, i, j] - m[c, 0, 0]) * r[c, 0, 0] * g[c, 0, 0] + b[c, 0, 0]

    @loop
    def transpose_add(a, b, o):
        t = 32
        for u in prange(o.shape[0] // t):
            for v in range(o.shape[1] // t):
                for i in range(u * t, u * t + t):
                    for j in range(v * t, v * t + t):
                        o[i, j] = a[i, j] + b[j, i]

    @loop
    def black_scholes(s, k, t, o):
        for i in prange(o.size):
            w = VOLATILITY * math.sqrt(t[i])
            d1 = (math.log(s[i] / k[i]) + drift * t[i]) / w
            n1 = half + half * math.erf(d1 * root_half)
            n2 = half + half * math.erf((d1 - w) * root_half)
            o[i] = s[i] * n1 - k[i] * math.exp(-RATE * t[i]) * n2

    @loop
    def strided(a, b, o):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = a[2 * i, 3 * j] * b[i, j]

    @loop
    def where_clamp(a, b, c, o):
        for i in prange(o.size):
            o[i] = min(max(c[i], zero), one) if a[i] > b[i] else b[i]

    @loop
    def int_add_compare(a, b, c, o):
        for i in prange(o.size):
            o[i] = np.int32(a[i] + b[i]) > c[i]

    @loop
    def hoist(x, b, c, o):
        scale = np.exp(b)
        for i in prange(o.shape[0]):
            shift = math.log(c[i, 0])
            for j in range(o.shape[1]):
                o[i, j] = x[i, j] * scale[0, j] + shift

    @loop
    def mixed_channels(x, s, o):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                for k in range(o.shape[2]):
                    o[i, j, k] = np.uint8(np.float32(x[i, j, k]) * s[k])

    @loop
    def mixed_flat(x, s, o):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = np.uint8(np.float32(x[i, j]) * s[i, j])

    made = [add_big, addcmul_bcast, outer, batchnorm, transpose_add, black_scholes, strided, where_clamp,
            int_add_compare, hoist, mixed_channels, mixed_flat]
    return {f.__name__: f for f in made} | {"chain_f32": chain(np.float32(1.5)), "chain_f64": chain(np.float64(1.5))}


def numba_calls(case, a, o, loops=[]):
    if not loops:
        loops.append(numba_loops())
    loop = loops[0].get(case)
    return loop and (lambda: loop(*a, o))


def main():
    calls = []
    made = {"numpy": numpy_calls, "numexpr": ne and numexpr_calls, "numba": numba and numba_calls}
    print(np.__version__, ne.__version__ if ne else "-", numba.__version__ if numba else "-", flush=True)
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
        if library == "numexpr":
            ne.set_num_threads(int(threads))
        if library == "numba":
            numba.set_num_threads(int(threads))
        f = made[library](case, arrays[:-1], arrays[-1])
        calls.append(f)
        print(len(calls) - 1 if f else -1, flush=True)


main()
