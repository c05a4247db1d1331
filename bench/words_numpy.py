#!/usr/bin/env python3
"""NumPy's share of bench/words.cpp: reads the name of a workload from each line of its input, does it, and answers with a line.

Needs python3-numpy.
"""
import numpy as np

from numpy_worker import serve

chance = np.random.default_rng(1)


def complexes(kind, *shape):
    return (chance.standard_normal(shape) + 1j * chance.standard_normal(shape)).astype(kind)


def floats(n):
    return chance.standard_normal(n, dtype=np.float32)


def top(k):
    x = floats(1000000)

    def run():
        at = np.argpartition(x, -k)[-k:]
        at = at[np.argsort(x[at])[::-1]]
        return x[at], at

    return run


def of(function, x, **named):
    return lambda: function(x, **named)


makers = {
    "fft of 1024 lines": lambda: of(np.fft.fft, complexes(np.complex128, 1024, 1024)),
    "fft of 2^20": lambda: of(np.fft.fft, complexes(np.complex128, 1 << 20)),
    "fft of 2^20, one thread": lambda: of(np.fft.fft, complexes(np.complex128, 1 << 20)),
    "unique of 1e6": lambda: of(np.unique, floats(1000000)),
    "unique, 900 values": lambda: of(np.unique, np.round(floats(1000000) * 100)),
    "topk 100 of 1e6": lambda: top(100),
    "topk 5000 of 1e6": lambda: top(5000),
    "complex sum of rows": lambda: of(np.sum, complexes(np.complex64, 4096, 1024), axis=1),
    "complex sum of columns": lambda: of(np.sum, complexes(np.complex64, 4096, 1024), axis=0),
    "complex prod of columns": lambda: of(np.prod, complexes(np.complex64, 4096, 1024), axis=0),
    "complex prod of rows": lambda: of(np.prod, complexes(np.complex64, 4096, 1024), axis=1),
    "complex var of rows": lambda: of(np.var, complexes(np.complex64, 4096, 1024), axis=1, ddof=1),
    "own maxima, leading axis": lambda: of(np.max, floats(1 << 23).reshape(16, 512, 1024), axis=0),
    "own maxima, middle axis": lambda: of(np.max, floats(1 << 23).reshape(16, 512, 1024), axis=1),
    "own maxima, in order": lambda: of(np.max, floats(1 << 23).reshape(16, 512, 1024), axis=1),
}
serve(makers)
