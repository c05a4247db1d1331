#!/usr/bin/env python3
"""NumPy's share of the benchmark of elements of 16 bits (bench/half.cpp): milliseconds, the least of several runs into arrays
that exist.

usage: bench/half_numpy.py [ELEMENTS]       Needs python3-numpy.
"""
import sys
import time

import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 24
for kind in (np.float32, np.float16):
    a = (np.arange(n) % 1013 * 0.003 - 1).astype(kind).reshape(-1, 1024)
    b = (np.arange(n) % 619 * 0.002).astype(kind).reshape(-1, 1024)
    c, row = np.ones_like(a), np.full(1024, 0.5, kind)
    out, other, half = np.empty_like(a), np.empty_like(a), kind(0.5)

    def chain():
        np.multiply(a, b, out=out)
        np.multiply(c, half, out=other)
        np.add(out, other, out=out)
        np.subtract(out, row, out=out)

    def softmax():
        np.subtract(a, a.max(axis=1, keepdims=True), out=out)
        np.exp(out, out=out)
        np.divide(out, out.sum(axis=1, keepdims=True), out=out)

    for name, run in [("a + b", lambda: np.add(a, b, out=out)), ("a * b + c * 0.5 - row", chain), ("exp(a)", lambda: np.exp(a, out=out)),
                      ("sum of rows", lambda: a.sum(axis=1)), ("softmax", softmax)]:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            run()
            best = min(best, time.perf_counter() - start)
        print(f"{name}\t{np.dtype(kind).name}\t{best * 1e3:.3f}")
