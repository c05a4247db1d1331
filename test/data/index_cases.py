#!/usr/bin/env python3
"""Writes test/data/index_cases.tsv: what PyTorch and NumPy give for the functions of indexing.

usage: test/data/index_cases.py

A line holds the function, its axis, a parameter, and arrays as shape:elements, the last of which is the result. Needs python3-torch
and python3-numpy.
"""
import itertools
import pathlib
import random

import numpy as np
import torch

chance = random.Random(8)
lines = []


def extents(rank, low=1, high=4):
    return [chance.randint(low, high) for _ in range(rank)]


def numbers(shape):
    return np.array([chance.randint(-9, 9) for _ in range(int(np.prod(shape)))], dtype=np.float64).reshape(shape)


def positions(shape, n, low=0):
    return np.array([chance.randint(low, n - 1) for _ in range(int(np.prod(shape)))], dtype=np.int64).reshape(shape)


def text(array):
    array = np.asarray(array)
    values = (repr(float(x)) for x in array.reshape(-1)) if array.dtype.kind == "f" else (str(int(x)) for x in array.reshape(-1))
    return ",".join(map(str, array.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axis, parameter, *arrays):
    lines.append("\t".join([function, str(axis), str(parameter), *(text(a) for a in arrays)]))


def t(a):
    return torch.from_numpy(np.array(a, order="C"))


def off_axis(shape, axis, n):
    return [n if a == axis else chance.randint(1, e) for a, e in enumerate(shape)]


reductions = ["sum", "prod", "mean", "amax", "amin"]
for rank in (1, 2, 3):
    for axis in range(rank):
        for turn in range(6):
            x = extents(rank)
            n = x[axis]
            index = positions(off_axis(x, axis, chance.randint(1, 5)), n)
            data = numbers(x)
            signed_axis = axis - rank if turn % 2 else axis
            add("gather", signed_axis, "", data, index, torch.gather(t(data), signed_axis, t(index)).numpy())
            source = numbers([e + chance.randint(0, 1) for e in index.shape])
            add("scatter", signed_axis, "", data, index, source, t(data).scatter(signed_axis, t(index), t(source)).numpy())
            add("scatter_add", signed_axis, "", data, index, source, t(data).scatter_add(signed_axis, t(index), t(source)).numpy())
            add("scatter_value", signed_axis, "7", data, index, t(data).scatter(signed_axis, t(index), 7.0).numpy())
            for how, self in itertools.product(reductions, (0, 1)):
                result = t(data).scatter_reduce(signed_axis, t(index), t(source), how, include_self=bool(self))
                add("scatter_reduce", signed_axis, f"{how},{self}", data, index, source, result.numpy())
            # take_along_axis broadcasts off the axis, both ways
            lead = [1 if chance.random() < 0.3 and a != axis else e for a, e in enumerate(x)]
            shape = [chance.randint(1, 5) if a == axis else (1 if chance.random() < 0.4 else e) for a, e in enumerate(x)]
            index = positions(shape, n, -n)
            add("take_along_dim", signed_axis, "", numbers(lead), index, np.zeros(0))
            data_lead = numbers(lead)
            lines.pop()
            add("take_along_dim", signed_axis, "", data_lead, index, np.take_along_axis(
                np.broadcast_to(data_lead, [n if a == axis else max(p, q) for a, (p, q) in enumerate(zip(lead, shape))]), index, axis))
            index = positions([chance.randint(1, 5) if a == axis else e for a, e in enumerate(x)], n, -n)
            values = numbers(index.shape)
            result = data.copy()
            np.put_along_axis(result, index, values, axis)
            add("put_along_dim", signed_axis, "", data, index, values, result)
            vector = positions([chance.randint(1, 5)], n)
            add("index_select", signed_axis, "", data, vector, torch.index_select(t(data), signed_axis, t(vector)).numpy())
            source = numbers([len(vector) if a == axis else e for a, e in enumerate(x)])
            add("index_add", signed_axis, "1", data, vector, source, t(data).index_add(signed_axis, t(vector), t(source)).numpy())
            add("index_add", signed_axis, "-2", data, vector, source, t(data).index_add(signed_axis, t(vector), t(source), alpha=-2).numpy())
            add("index_copy", signed_axis, "", data, vector, source, t(data).index_copy(signed_axis, t(vector), t(source)).numpy())
            negative = positions([chance.randint(1, 3)], n, -n)
            add("index_fill", signed_axis, "3", data, negative, t(data).index_fill(signed_axis, t(negative), 3.0).numpy())
            for places in (0, 1, 2):
                index = positions(extents(places, 1, 3), n, -n)
                add("take_axis", signed_axis, "", data, index, np.take(data, index, axis=axis))
                index = positions(extents(places, 1, 3), n, -3 * n)
                index = index * 2
                for how in ("wrap", "clip"):
                    add("take_axis", signed_axis, how, data, index, np.take(data, index, axis=axis, mode=how))
                index = positions(extents(places, 1, 3), data.size, -data.size)
                add("take", 0, "", data, index, torch.take(t(data), t(index)).numpy())
            if axis == 0 and rank > 1:
                rest = [1 if chance.random() < 0.3 else e for e in x[1:]]
                choices = numbers([n, *rest])
                shape = [1 if chance.random() < 0.3 else e for e in x[1:]][chance.randint(0, rank - 1):]
                add("choose", 0, "raise", choices, index := positions(shape, n), np.choose(index, choices))
                wide = positions(shape, 3 * n, -3 * n)
                for how in ("wrap", "clip"):
                    add("choose", 0, how, choices, wide, np.choose(wide, choices, mode=how))
                # the rule of the notes is NumPy's choose for axis 0
                index = positions(x[chance.randint(1, rank):], n)
                add("gather_broadcast", 0, "", data, index, np.choose(index, data))

folder = pathlib.Path(__file__).resolve().parent
(folder / "index_cases.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
