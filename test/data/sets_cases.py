#!/usr/bin/python3
"""Writes test/data/sets_cases.tsv: what PyTorch and NumPy give for sets, less usual orders, lists of indices, and parts put into arrays.

usage: test/data/sets_cases.py

The format is that of index_cases.tsv; a function with several results has them as the last arrays. Needs python3-torch and
python3-numpy.
"""
import pathlib
import random
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")
chance = random.Random(275)
lines = []


def extents(rank, low=1, high=4):
    return [chance.randint(low, high) for _ in range(rank)]


def numbers(shape, nan=0.0, low=-5, high=5):
    values = [float("nan") if chance.random() < nan else float(chance.randint(low, high)) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=np.float64).reshape(shape)


def places(shape, low, high):
    return np.array([chance.randint(low, high) for _ in range(int(np.prod(shape)))], dtype=np.int64).reshape(shape)


def text(array):
    array = np.asarray(array)
    values = (repr(float(x)) for x in array.reshape(-1)) if array.dtype.kind == "f" else (str(int(x)) for x in array.reshape(-1))
    return ",".join(map(str, array.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axis, parameter, *arrays):
    lines.append("\t".join([function, str(axis), str(parameter), *(text(a.numpy() if torch.is_tensor(a) else a) for a in arrays)]))


def t(a):
    return torch.from_numpy(np.array(a, order="C"))


def listed(*values):
    return ",".join("none" if v is None else str(v) for v in values)


for rank in (1, 2, 3):
    for turn in range(12):
        shape = extents(rank, 0 if turn == 11 else 1)
        x = numbers(shape)
        few = numbers(shape, low=0, high=1)
        axis = chance.randint(-rank, rank - 1)
        size = x.size
        # Sets
        holes = numbers(extents(rank, 0, 3), 0.25)
        other = numbers([chance.randint(0, 6)], 0.2)
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
            add(name, 0, "", holes, other, getattr(np, name)(holes, other))
        plain = numbers([chance.randint(0, 9)])
        add("intersect1d_indices", 0, "", x, plain, *np.intersect1d(x, plain, return_indices=True))
        # Distinct slices
        for data in (few, numbers([5 if a == axis % rank else e for a, e in enumerate(shape)], low=0, high=1)):
            if data.size > 0:
                # PyTorch 1.13 compares slices of three axes column by column, later versions and NumPy row by row
                values, inverse, counts = np.unique(data, return_inverse=True, return_counts=True, axis=axis)
                if rank < 3:
                    assert np.array_equal(values, torch.unique(t(data), dim=axis).numpy())
                add("unique_axis", axis, "", data, values, inverse, counts)
                values, inverse, counts = torch.unique_consecutive(t(data), return_inverse=True, return_counts=True, dim=axis)
                add("unique_consecutive_axis", axis, "", data, values, inverse, counts)
        repeated = numbers(extents(rank, 1, 4), 0.1, 0, 1)
        values, inverse, counts = torch.unique_consecutive(t(repeated), return_inverse=True, return_counts=True)
        add("unique_consecutive", 0, "", repeated, values, inverse, counts)
        # Order
        keys = numbers([chance.randint(1, 3), *shape], 0.1, 0, 2)
        if rank < 3:
            add("lexsort", axis, "", keys, np.lexsort(keys, axis))
        add("lexsort_two", -1, "", few, x, np.lexsort((few, x)))
        if shape[axis] > 0:
            order = np.argsort(x, axis, kind="stable")
            k = chance.randint(-shape[axis], shape[axis] - 1)
            add("partition", axis, k, x, np.take(np.sort(x, axis), [k], axis))
        edges = numbers([chance.randint(1, 8)], 0.1)
        sorter = np.argsort(edges, kind="stable")
        for right in (0, 1):
            # NaN is the largest, which PyTorch's binary search does not know
            add("searchsorted_sorter", 0, right, edges, sorter, x, np.searchsorted(edges, x, ("left", "right")[right], sorter))
        many = numbers([*shape[:-1], 5])
        sorter = np.argsort(many, -1, kind="stable")
        add("searchsorted_sorter", 0, turn % 2, many, sorter, x, torch.searchsorted(t(many), t(x), sorter=t(sorter), right=bool(turn % 2)))
        # Lists
        add("flatnonzero", 0, "", few, np.flatnonzero(few))
        condition = numbers([max(0, shape[axis] - turn % 3)], low=0, high=1)
        add("compress", axis, "", condition, x, np.compress(condition, x, axis))
        condition = numbers([max(0, size - turn % 3)], low=0, high=1)
        add("compress_all", 0, "", condition, x, np.compress(condition, x))
        dims = extents(3, 1, 5)
        where = places(shape, 0, int(np.prod(dims)) - 1)
        parts = np.unravel_index(where, dims)
        add("unravel_index", 0, listed(*dims), where, *parts)
        add("ravel_multi_index", 0, listed(*dims, "raise"), *parts, where)
        for mode in ("wrap", "clip"):
            wild = [places(shape, -9, 9) for _ in dims]
            add("ravel_multi_index", 0, listed(*dims, mode), *wild, np.ravel_multi_index(wild, dims, mode))
        # Parts put into arrays
        n = chance.randint(0, 6) if size else 0
        for accumulate in (0, 1):
            at, values = places([n], -size, size - 1), numbers([n])
            add("put", 0, accumulate, x, at, values, t(x).put_(t(at), t(values), accumulate=bool(accumulate)))
        extent = shape[axis]
        count = chance.randint(0, 5) if extent else 0
        at = places([count], 0, extent - 1)
        source = numbers([count if a == axis % rank else e for a, e in enumerate(shape)])
        if size:
            for how in ("prod", "mean", "amax", "amin"):
                for include in (0, 1):
                    add("index_reduce", axis, listed(how, include), x, at, source,
                        t(x).index_reduce_(axis, t(at), t(source), how, include_self=bool(include)))
            i = chance.randint(-extent, extent - 1)
            part = numbers(np.take(x, i, axis).shape)
            if rank > 1:
                add("select_scatter", axis, i, x, part, torch.select_scatter(t(x), t(part), axis, i))
        start, stop = (chance.choice([None, *range(-6, 7)]) for _ in range(2))
        step = chance.randint(1, 3)
        view = np.moveaxis(np.moveaxis(x, axis, 0)[start:stop:step], 0, axis)
        part = numbers(view.shape)
        add("slice_scatter", axis, listed(start, stop, step), x, part, torch.slice_scatter(t(x), t(part), axis, start, stop, step))
        if rank > 1:
            shift = chance.randint(-4, 4)
            first, second = chance.sample(range(rank), 2)
            first, second = first - rank * (turn % 2), second
            part = numbers(np.diagonal(x, shift, first, second).shape)
            add("diagonal_scatter", shift, listed(first, second), x, part, torch.diagonal_scatter(t(x), t(part), shift, first, second))
            for wrap in (0, 1):
                square = numbers([shape[0]] * rank) if rank > 2 else numbers([chance.randint(1, 13), chance.randint(1, 4)])
                add("fill_diagonal", 7, wrap, square, t(square).fill_diagonal_(7, bool(wrap)))

for rows in range(5):
    for columns in range(5):
        for shift in range(-5, 6, 1 + (rows + columns) % 2):
            add("tril_indices", shift, listed(rows, columns), torch.tril_indices(rows, columns, shift))
            add("triu_indices", shift, listed(rows, columns), torch.triu_indices(rows, columns, shift))
for n in range(6):
    for r in range(1, 5):
        for again in (0, 1):
            x = numbers([n])
            add("combinations", r, again, x, torch.combinations(t(x), r, bool(again)).reshape(-1, r))

chance = random.Random(276)
for turn in range(36):
    shape, dims = extents(1 + turn % 3), extents(3, 1, 5)
    where = places(shape, 0, int(np.prod(dims)) - 1)
    parts = np.unravel_index(where, dims, order="F")
    add("unravel_index_F", 0, listed(*dims), where, *parts)
    add("ravel_multi_index_F", 0, listed(*dims, "raise"), *parts, where)
    for mode in ("wrap", "clip"):
        wild = [places(shape, -9, 9) for _ in dims]
        add("ravel_multi_index_F", 0, listed(*dims, mode), *wild, np.ravel_multi_index(wild, dims, mode, order="F"))

(pathlib.Path(__file__).resolve().parent / "sets_cases.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
