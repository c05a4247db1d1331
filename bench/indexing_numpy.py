#!/usr/bin/env python3
"""NumPy's share of the indexing benchmark: reads the name of a workload from each line of its input, does it, and answers with a line.

Arrays are made when a workload is first named; results go to arrays that exist, where NumPy has a way to say so. Started by
broadloom_bench_indexing. Needs python3-numpy.
"""
import numpy as np

from numpy_worker import serve

chance = np.random.default_rng(1)


def matrix(*shape):
    return chance.standard_normal(shape, dtype=np.float32)


def gather(axis):
    x, at, n = matrix(4096, 4096), chance.integers(0, 4096, (4096, 4096)), 4096
    out, one = np.empty_like(x), np.arange(n)

    def run():
        out[...] = x[one[:, None], at] if axis == 1 else x[at, one]

    return run


def select_rows():
    x, at = matrix(200000, 128), chance.integers(0, 200000, 100000)
    out = np.empty((100000, 128), np.float32)
    return lambda: np.take(x, at, 0, out, "clip")


def embedding_bag():
    table, ids, w = matrix(1000000, 64), chance.integers(0, 1000000, (4096, 32)), matrix(4096, 32, 1)
    out = np.empty((4096, 64), np.float32)
    return lambda: np.sum(table[ids] * w, 1, out=out)


def scatter_add(bins):
    at, s, out = chance.integers(0, bins, 4000000), matrix(4000000), np.zeros(bins, np.float32)
    return lambda: np.add.at(out, at, s)


def cat():
    x, y, out = matrix(1024, 4096), matrix(1024, 4096), np.empty((4096, 4096), np.float32)
    return lambda: np.concatenate([x + y, x * y, x - y, x * np.float32(2)], 0, out)


def sort_rows():
    x = matrix(8192, 1024)

    def run():
        order = np.argsort(x, 1, "stable")
        return np.take_along_axis(x, order, 1), order

    return run


def top_rows():
    x = matrix(8192, 1024)

    def run():
        some = np.argpartition(-x, 16, 1)[:, :16]
        values = np.take_along_axis(x, some, 1)
        order = np.argsort(-values, 1)
        return np.take_along_axis(values, order, 1), np.take_along_axis(some, order, 1)

    return run


def select():
    x, mask = matrix(16000000), chance.random(16000000) < 0.5
    return lambda: x[mask]


makers = {
    "gather axis 1": lambda: gather(1),
    "gather axis 0": lambda: gather(0),
    "index_select rows": select_rows,
    "embedding bag": embedding_bag,
    "scatter_add few": lambda: scatter_add(4000000),
    "scatter_add many": lambda: scatter_add(1000),
    "cat": cat,
    "sort rows": sort_rows,
    "topk": top_rows,
    "boolean select": select,
}
serve(makers)
