#!/usr/bin/env python3
"""The example module on NumPy arrays beside NumPy and numexpr: three formulas, milliseconds, the fastest of interleaved
rounds, which other programs disturb least.

usage: python_module.py FOLDER [--rounds N] [--rows N]     FOLDER has the module `fused` (./dev bench python builds it)

Each formula's results are compared before they are timed. NumPy is written as its users write it, with a whole array for
each operation. numexpr computes pointwise parts in one pass into an array that is there, and leaves the maximum and the sum of
softmax to NumPy. Broadloom makes a new array each time, in memory that it keeps.
"""
import argparse
import os
import sys
import time

import numexpr
import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder")
parser.add_argument("--rounds", type=int, default=40)
parser.add_argument("--rows", type=int, default=4096)
arguments = parser.parse_args()
sys.path.insert(0, arguments.folder)
import fused  # noqa: E402

random = np.random.default_rng(1)
x = random.standard_normal((arguments.rows, 1024), dtype=np.float32)
mean, deviation = x.mean(0), x.std(0)
limit = np.float32(2)
eps = np.float32(1e-6)
long = random.standard_normal(arguments.rows * 1024)
out = np.zeros_like(long)
kept = np.zeros_like(x)


def numpy_softmax():
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def numexpr_softmax():
    most = x.max(1, keepdims=True)
    numexpr.evaluate("exp(x - most)", out=kept)
    total = kept.sum(1, keepdims=True)
    return numexpr.evaluate("kept / total", out=kept)


def numpy_add():
    global out
    out += 0.5 * long
    return out


def numexpr_add():
    return numexpr.evaluate("out + 0.5 * long", out=out)


def fused_add():
    fused.add_scaled(out, long, 0.5)
    return out


def numexpr_standardize():
    z = "(x - mean) / (deviation + eps)"
    return numexpr.evaluate(f"where({z} > limit, limit, where({z} < -limit, -limit, {z}))", out=kept)


formulas = {
    "`clamp((x - mean) / (deviation + eps), -2, 2)`, f32": {
        "NumPy": lambda: np.clip((x - mean) / (deviation + eps), -limit, limit),
        "numexpr": numexpr_standardize,
        "Broadloom": lambda: fused.standardize(x, mean, deviation, 2),
    },
    "`softmax(x, 1)`, f32": {"NumPy": numpy_softmax, "numexpr": numexpr_softmax, "Broadloom": lambda: fused.softmax(x)},
    "`out += 0.5 * x`, f64": {"NumPy": numpy_add, "numexpr": numexpr_add, "Broadloom": fused_add},
}

print(f"{arguments.rows} x 1024; {len(os.sched_getaffinity(0))} processors, load before {os.getloadavg()[0]:.1f}; "
      f"NumPy {np.__version__}, numexpr {numexpr.__version__} with {numexpr.nthreads} threads")
print("| formula | Broadloom | numexpr | NumPy | numexpr / Broadloom | NumPy / Broadloom |\n|---|---|---|---|---|---|")
for name, ways in formulas.items():
    results = []
    for way in ways.values():
        out[:] = 1
        results.append(np.array(way()))
    for way, result in zip(ways, results):
        np.testing.assert_allclose(result, results[0], rtol=1e-4, atol=1e-6, err_msg=f"{name}: {way}")
    times = {way: [] for way in ways}
    for _ in range(arguments.rounds):
        for way, compute in ways.items():
            start = time.perf_counter()
            compute()
            times[way].append(time.perf_counter() - start)
    best = {way: 1e3 * min(seconds) for way, seconds in times.items()}
    ours = best["Broadloom"]
    print(f"| {name} | {ours:.2f} | {best['numexpr']:.2f} | {best['NumPy']:.2f} | "
          f"{best['numexpr'] / ours:.2f} | {best['NumPy'] / ours:.2f} |")
print(f"load after {os.getloadavg()[0]:.1f}")
