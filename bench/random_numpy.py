#!/usr/bin/env python3
"""NumPy's share of the benchmark of random numbers: prints nanoseconds for each draw, as bench/random.cpp does.

usage: bench/random_numpy.py [LENGTH]       Needs python3-numpy.
"""
import sys
import time

import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 20
g = np.random.default_rng(1)
f32, f64 = np.empty(n, np.float32), np.empty(n)
for name, draw in [
    ("uniform f32", lambda: g.random(dtype=np.float32, out=f32)),
    ("uniform f64", lambda: g.random(out=f64)),
    ("normal f32", lambda: g.standard_normal(dtype=np.float32, out=f32)),
    ("normal f64", lambda: g.standard_normal(out=f64)),
    ("exponential f64", lambda: g.standard_exponential(out=f64)),
    ("randint i32", lambda: g.integers(0, 1000, n, dtype=np.int32)),
    ("randint i64", lambda: g.integers(0, 10**12, n)),
    ("gamma 0.5", lambda: g.standard_gamma(0.5, n)),
    ("gamma 3", lambda: g.standard_gamma(3, n)),
    ("beta 2 3", lambda: g.beta(2, 3, n)),
    ("poisson 3", lambda: g.poisson(3, n)),
    ("poisson 50", lambda: g.poisson(50, n)),
    ("binomial 10 0.3", lambda: g.binomial(10, 0.3, n)),
    ("binomial 100 0.7", lambda: g.binomial(100, 0.7, n)),
    ("randperm", lambda: g.permutation(n)),
]:
    best = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        draw()
        best = min(best, time.perf_counter() - start)
    print(f"{name}\t{best / n * 1e9:.2f}")
