#!/usr/bin/env python3
"""NumPy's and numba's share of the benchmark of linear algebra: reads the name of a workload from each line of its input, does it,
and answers with a line, "ok", or "no" where it has nothing for it.

Arrays are made when a workload is first named; results go to arrays that exist, where there is a way to say so. Started by
broadloom_linalg_bench. Needs python3-numpy, and python3-numba for what begins with "numba ".
"""
import sys

import numpy as np

try:
    import numba
except ImportError:
    numba = None

chance = np.random.default_rng(1)
made = {}


def some(kind, *shape):
    return chance.standard_normal(shape).astype(kind)


def regular(kind, count, n):
    a = some(kind, count, n, n)
    return (a + a.transpose(0, 2, 1)) / 8 + kind(n) * np.eye(n, dtype=kind)


if numba:

    @numba.njit(parallel=True, fastmath=True)
    def products(a, b, c):
        n = b.shape[0]
        for m in numba.prange(a.shape[0]):
            for i in range(n):
                for j in range(n):
                    s = np.float32(0)
                    for k in range(n):
                        s += a[m, i, k] * b[k, j]
                    c[m, i, j] = s

    @numba.njit(parallel=True)
    def solutions(a, b, x):
        n = a.shape[1]
        for m in numba.prange(a.shape[0]):
            w = a[m].copy()
            y = b[m].copy()
            for k in range(n):
                p = k
                for i in range(k + 1, n):
                    if abs(w[i, k]) > abs(w[p, k]):
                        p = i
                if p != k:
                    for j in range(n):
                        w[k, j], w[p, j] = w[p, j], w[k, j]
                    y[k], y[p] = y[p], y[k]
                for i in range(k + 1, n):
                    f = w[i, k] / w[k, k]
                    for j in range(k + 1, n):
                        w[i, j] -= f * w[k, j]
                    y[i] -= f * y[k]
            for i in range(n - 1, -1, -1):
                s = y[i]
                for j in range(i + 1, n):
                    s -= w[i, j] * x[m, j]
                x[m, i] = s / w[i, i]

    @numba.njit(parallel=True)
    def definite(a, b, x):
        n = a.shape[1]
        for m in numba.prange(a.shape[0]):
            l = a[m].copy()
            for j in range(n):
                d = l[j, j]
                for k in range(j):
                    d -= l[j, k] * l[j, k]
                d = np.sqrt(d)
                l[j, j] = d
                for i in range(j + 1, n):
                    s = l[i, j]
                    for k in range(j):
                        s -= l[i, k] * l[j, k]
                    l[i, j] = s / d
            for i in range(n):
                s = b[m, i]
                for k in range(i):
                    s -= l[i, k] * x[m, k]
                x[m, i] = s / l[i, i]
            for i in range(n - 1, -1, -1):
                s = x[m, i]
                for k in range(i + 1, n):
                    s -= l[k, i] * x[m, k]
                x[m, i] = s / l[i, i]


def make(name):
    who, what = name.split(" ", 1)
    words = what.split()
    if words[0] == "matmul":
        kind, n = (np.float32 if words[1] == "f32" else np.float64), int(words[2])
        a, b, c = some(kind, n, n), some(kind, n, n), np.empty((n, n), kind)
        return (lambda: np.matmul(a, b, out=c)) if who == "numpy" else None
    if what.startswith("(32,1"):
        a, b, c = some(np.float32, 32, 1, 64, 64), some(np.float32, 1, 8, 64, 64), np.empty((32, 8, 64, 64), np.float32)
        return (lambda: np.matmul(a, b, out=c)) if who == "numpy" else None
    if what.startswith("relu"):
        x, w, b, c = some(np.float32, 4096, 512), some(np.float32, 512, 512), some(np.float32, 512), np.empty((4096, 512), np.float32)

        def layer():
            np.matmul(x, w, out=c)
            np.add(c, b, out=c)
            np.maximum(c, 0, out=c)

        return layer if who == "numpy" else None
    if words[0] == "million":
        n = int(words[1][0])
        a = regular(np.float32, 1000000, n)
        if words[2] == "products":
            b, c = some(np.float32, n, n), np.empty_like(a)
            return (lambda: np.matmul(a, b, out=c)) if who == "numpy" else (lambda: products(a, b, c))
        b, x = some(np.float32, 1000000, n), np.empty((1000000, n), np.float32)
        return (lambda: np.linalg.solve(a, b[..., None])) if who == "numpy" else (lambda: solutions(a, b, x))
    if "Cholesky" in what:
        a, b, x = regular(np.float64, 10000, 16), some(np.float64, 10000, 16), np.empty((10000, 16))
        # NumPy has no solution from the factor.
        return (lambda: (np.linalg.cholesky(a), np.linalg.solve(a, b[..., None]))) if who == "numpy" else (lambda: definite(a, b, x))
    return None


for line in sys.stdin:
    name = line.strip()
    if name not in made:
        made.clear()
        made[name] = make(name) if numba or not name.startswith("numba") else None
    if made[name]:
        made[name]()
    print("ok" if made[name] else "no", flush=True)
