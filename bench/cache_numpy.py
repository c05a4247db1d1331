#!/usr/bin/env python3
"""NumPy's share of the benchmark in cache: reads "WORK TYPE N" from each line of its input, does the work for a few
milliseconds in several rounds, and answers with the least time of one call in ns, or "no". A call from Python by itself
takes about a microsecond, which a short array shows. Started by broadloom_bench_cache.
"""
import sys
import time

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "u8": np.uint8}


def softmax(x, out, axis):
    np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=axis, keepdims=True), out=out)


def layer_norm(x, out):
    np.subtract(x, x.mean(axis=1, keepdims=True), out=out)
    np.divide(out, np.sqrt(x.var(axis=1, ddof=1, keepdims=True) + 1), out=out)


def work(name, kind, n):
    chance = np.random.default_rng(1)
    t = TYPES[kind]
    x, y, z = ((chance.random(n) * 100).astype(t) for _ in range(3))
    out = np.empty(n, t)
    two, one = t(2), t(1)
    floats = t in (np.float32, np.float64)
    m, q = (x.reshape(8, 8), x.reshape(4, 16)) if n == 64 else (None, None)
    m_out, q_out, row = np.empty((8, 8), t), np.empty((4, 16), t), np.empty(8, t)
    return {
        "sum": lambda: np.sum(x),
        "mean": lambda: np.mean(x),
        "dot": (lambda: np.dot(x, y)) if floats else lambda: np.sum(np.multiply(x, y, out=out)),
        "amax": lambda: np.max(x),
        "amin": lambda: np.min(x),
        "argmax": lambda: np.argmax(x),
        "norm": lambda: np.linalg.norm(x),
        "var": lambda: np.var(x, ddof=1),
        "add": lambda: np.add(x, y, out=out),
        "mul": lambda: np.multiply(x, y, out=out),
        "mul_add": lambda: np.add(x, np.multiply(y, z, out=out), out=out),
        "scale": lambda: np.add(np.multiply(x, two, out=out), one, out=out),
        "difference": lambda: np.abs(np.subtract(x, y, out=out), out=out),
        "larger": lambda: np.maximum(x, y, out=out),
        "choose": lambda: np.where(x > y, x, z),
        "length": lambda: np.sqrt(np.add(np.multiply(x, x, out=out), y * y, out=out), out=out),
        "mul_add_4": lambda: np.add(x, np.multiply(y, z, out=out), out=out),
        "outer_8": lambda: np.add(x[:, None], y, out=m_out),
        "mean_64": lambda: np.mean(x),
        "normalize_64": lambda: np.divide(x, x.sum(), out=out),
        "softmax_10": lambda: softmax(x, out, 0),
        "softmax_8x8": lambda: softmax(m, m_out, 1),
        "row_sums_8x8": lambda: np.sum(m, axis=1, out=row),
        "column_sums_8x8": lambda: np.sum(m, axis=0, out=row),
        "layer_norm_4x16": lambda: layer_norm(q, q_out),
    }.get(name)


for line in sys.stdin:
    name, kind, n = line.split()
    call = work(name, kind, int(n))
    if call is None:
        print("no", flush=True)
        continue
    times, least = 1, float("inf")
    for _ in range(7):
        while True:
            start = time.perf_counter_ns()
            for _ in range(times):
                call()
            spent = time.perf_counter_ns() - start
            if spent > 300000 or times > 1 << 20:
                break
            times *= 2
        least = min(least, spent / times)
    print(f"{least:.1f}", flush=True)
