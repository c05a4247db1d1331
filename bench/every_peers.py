#!/usr/bin/env python3
"""PyTorch's and NumPy's share of bench/every: the same operands as every.hpp, and calls timed within this process.

A line each on the standard input: "prepare SIZE ROWS COLUMNS TYPE" makes operands; "run PEER EXPRESSION" answers as every.hpp's rows do: the first call's
nanoseconds, 0, how many numbers and their sum, or "no" and the error; "time NANOSECONDS" answers the time of a call of the last expression.
The time of calling an empty lambda is taken off.
"""
import itertools
import math
import re
import sys
import time

import numpy as np

try:
    import torch
    import torch.nn.functional as functional
except ImportError:
    torch = functional = None

TYPES = {"f32": np.float32, "f64": np.float64, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "c64": np.complex64,
         "c128": np.complex128, "f16": np.float16, "bool": np.bool_}


def mixed(n, seed):
    i = np.arange(n, dtype=np.int64).astype(np.uint32)
    x = i * np.uint32(2654435761) + np.uint32(seed * 40503)
    x ^= x >> np.uint32(15)
    x *= np.uint32(2246822519)
    return x ^ (x >> np.uint32(13))


def unit(n, seed):
    return (mixed(n, seed) >> np.uint32(8)) / 16777216.0


class Operands:
    """Operands by name, made when they are first asked for."""

    def __init__(self, n, r, c, kind):
        self.n, self.r, self.c, self.side, self.kind = n, r, c, round(math.sqrt(n)), np.dtype(kind)

    def anything(self, seed, *extents, kind=None):
        kind = np.dtype(kind or self.kind)
        n = math.prod(extents)
        if kind == np.bool_:
            x = (mixed(n, seed) >> np.uint32(9)) & np.uint32(1)
        elif kind.kind in "iu":
            x = (mixed(n, seed) % np.uint32(200)).astype(np.int64) - (100 if kind.kind == "i" else 0)
        elif kind.kind == "c":
            x = (unit(n, seed) * 4 - 2) + 1j * (unit(n, seed + 100) * 4 - 2)
        else:
            x = unit(n, seed) * 4 - 2
        return x.astype(kind).reshape(extents)

    def positive(self, seed, *extents):
        n = math.prod(extents)
        if self.kind.kind in "iu":
            x = 1 + mixed(n, seed) % np.uint32(100)
        else:
            x = (unit(n, seed) * 0.98 + 0.01).astype(np.float32)
        return x.astype(self.kind).reshape(extents)

    def ascending(self, n, floating):
        if self.kind.kind in "iu":
            floating = np.arange(n) * 200 // (n - 1) - (100 if self.kind.kind == "i" else 0)
        return floating.astype(self.kind)

    def places(self, seed, below, *extents):
        return (mixed(math.prod(extents), seed).astype(np.int64) % below).reshape(extents)

    def make(self, name):
        n, r, c, side, kind = self.n, self.r, self.c, self.side, self.kind
        pair = np.result_type(kind, np.complex64)
        edge, depth = max(4, int(math.sqrt(n / 8))), max(4, int((n / 2) ** (1 / 3) + 1e-9))
        a, b = np.divmod(np.arange(side * side), side) if name in ("low", "spd") else (None, None)
        if name == "low":
            return np.where(a == b, 2.0, np.where(a < b, 0.0, unit(side * side, 39) / side)).astype(kind).reshape(side, side)
        if name == "spd":
            order = np.minimum(a, b) * side + np.maximum(a, b)
            return (unit(side * side, 40)[order] / side + 2.0 * (a == b)).astype(kind).reshape(side, side)
        return {
            "v": lambda: self.anything(1, n), "w": lambda: self.anything(2, n), "u": lambda: self.positive(3, n), "t": lambda: self.positive(4, n),
            "y": lambda: self.anything(5, n), "m": lambda: self.anything(6, r, c), "p": lambda: self.anything(7, r, c),
            "ym": lambda: self.anything(8, r, c), "mu": lambda: self.positive(9, r, c), "row_of": lambda: self.anything(10, c),
            "column_of": lambda: self.anything(11, r), "q": lambda: self.anything(12, side, side), "q2": lambda: self.anything(13, side, side),
            "qv": lambda: self.anything(14, side), "yq": lambda: self.anything(15, side, side), "mask": lambda: self.anything(16, n, kind=np.bool_),
            "mmask": lambda: self.anything(17, r, c, kind=np.bool_), "at": lambda: self.places(18, n, n), "row_at": lambda: self.places(19, r, r),
            "column_at": lambda: self.places(20, c, r, c), "few": lambda: self.places(21, 100, n),
            "few_values": lambda: (mixed(n, 22) % np.uint32(100)).astype(kind),
            "edges": lambda: self.ascending(101, np.arange(101, dtype=np.float32) * np.float32(0.04) - np.float32(2)),
            "heights": lambda: self.anything(23, 101), "rising": lambda: self.ascending(n, np.arange(n) * 4 / n - 2), "taps": lambda: self.anything(24, 31),
            "small_stack": lambda: (self.anything(25, n) + np.where(np.arange(n) % 16 % 5 == 0, 8, 0)).astype(kind).reshape(n // 16, 4, 4),
            "points": lambda: self.anything(26, n // 3, 3), "points2": lambda: self.anything(27, n // 3, 3),
            "quats": lambda: self.anything(28, n // 4, 4), "quats2": lambda: self.anything(29, n // 4, 4), "cloud": lambda: self.anything(30, side, 16),
            "z": lambda: self.anything(31, n, kind=pair), "zm": lambda: self.anything(32, r, c, kind=pair),
            "line_of": lambda: self.anything(33, 2, 4, max(8, n // 8)), "line_kernel": lambda: self.anything(34, 4, 4, 3),
            "image": lambda: self.anything(35, 2, 4, edge, edge), "image_kernel": lambda: self.anything(36, 4, 4, 3, 3),
            "volume": lambda: self.anything(37, 1, 2, depth, depth, depth), "volume_kernel": lambda: self.anything(38, 2, 2, 3, 3, 3),
            "batch": lambda: self.anything(41, max(1, n // 64), 64), "carried": lambda: self.anything(42, max(1, n // 64), 64),
            "gates4": lambda: self.anything(43, 256, 64), "gates3": lambda: self.anything(44, 192, 64), "channels": lambda: self.positive(45, c),
            "g": lambda: np.random.default_rng(1),
        }[name]()


class Names(dict):
    """The names of an expression: operands, as arrays of the peer."""

    def __init__(self, operands, peer):
        super().__init__(np=np, torch=torch, F=functional, n=operands.n, r=operands.r, c=operands.c, side=operands.side)
        self.operands, self.peer = operands, peer

    def __missing__(self, name):
        if not re.fullmatch(r"[a-z]\w*", name):
            raise KeyError(name)
        made = self.operands.make(name)
        if self.peer == "torch" and isinstance(made, np.ndarray):
            made = torch.from_numpy(made)
        self[name] = made
        return made


def seen(result):
    """How many numbers, and their sum, as every.hpp's `seen`."""
    while isinstance(result, (tuple, list)) and len(result) > 0:
        result = result[0]
    if torch is not None and isinstance(result, torch.Tensor):
        result = result.resolve_conj().numpy()
    if not isinstance(result, (np.ndarray, np.generic, int, float)):
        return -1, 0.0
    x = np.asarray(result)
    if x.dtype.kind not in "biuf":
        return x.size, 0.0
    x = x.astype(np.float64)
    return x.size, float(x[np.isfinite(x)].sum())


def spent(run, calls):
    again = itertools.repeat(None, calls)
    start = time.perf_counter_ns()
    for _ in again:
        run()
    return time.perf_counter_ns() - start


def main():
    np.seterr(all="ignore")
    threads = int(sys.argv[1])
    if torch is not None:
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
    empty = min(spent(lambda: None, 10000) / 10000 for _ in range(20))
    names, run, guess = {}, None, 1e6
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "prepare":
            *sizes, kind = rest.split()
            names = {peer: Names(Operands(*map(int, sizes), TYPES[kind]), peer) for peer in ("torch", "numpy")} if kind in TYPES else {}
            print("ready", flush=True)
        elif word == "run":
            peer, _, expression = rest.partition(" ")
            try:
                if peer == "torch" and torch is None:
                    raise ImportError("torch is not installed")
                run = eval("lambda: " + expression, names[peer])  # noqa: S307, expressions of bench/every.txt
                for name in re.findall(r"[A-Za-z_]\w*", expression):
                    try:
                        names[peer][name]
                    except KeyError:
                        pass
                start = time.perf_counter_ns()
                result = run()
                cold = time.perf_counter_ns() - start
                count, total = seen(result)
                del result
                run()
                guess = spent(run, 1)
                print(f"{cold} 0 {count} {total!r}", flush=True)
            except Exception as error:  # noqa: BLE001, whatever a peer says
                print("no " + " ".join(f"{type(error).__name__}: {error}".split())[:200], flush=True)
        elif word == "time":
            calls = max(1, int(float(rest) / max(guess, 1)))
            if calls > 1:
                run()
            guess = spent(run, calls) / calls
            print(max(guess - empty, 0.1), flush=True)


if __name__ == "__main__":
    main()
