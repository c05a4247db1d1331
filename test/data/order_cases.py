#!/usr/bin/env python3
"""Writes test/data/order_cases.tsv: what PyTorch and NumPy give for joining, rearranging, ordering and counting.

usage: test/data/order_cases.py

The format is that of index_cases.tsv; a function with two results has them as the last two arrays. Needs python3-torch and
python3-numpy.
"""
import itertools
import pathlib
import random
from fractions import Fraction

import numpy as np
import torch

chance = random.Random(9)
lines = []


def extents(rank, low=1, high=4):
    return [chance.randint(low, high) for _ in range(rank)]


def numbers(shape, nan=0.0):
    values = [float("nan") if chance.random() < nan else float(chance.randint(-5, 5)) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=np.float64).reshape(shape)


def text(array):
    array = np.asarray(array)
    values = (repr(float(x)) for x in array.reshape(-1)) if array.dtype.kind == "f" else (str(int(x)) for x in array.reshape(-1))
    return ",".join(map(str, array.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axis, parameter, *arrays):
    lines.append("\t".join([function, str(axis), str(parameter), *(text(a.numpy() if torch.is_tensor(a) else a) for a in arrays)]))


def t(a):
    return torch.from_numpy(np.array(a, order="C"))


for rank in (1, 2, 3):
    for axis in range(rank):
        for turn in range(4):
            shape = extents(rank)
            x = numbers(shape)
            signed = axis - rank if turn % 2 else axis
            other = numbers([chance.randint(1, 3) if a == axis else e for a, e in enumerate(shape)])
            add("cat", signed, "", x, other, x, np.concatenate([x, other, x], axis))
            add("stack", signed, "", x, x + 1, np.stack([x, x + 1], axis))
            counts = [chance.randint(0, 2) for _ in range(rank)] if turn == 3 else [chance.randint(1, 3) for _ in range(rank)]
            add("tile", 0, ",".join(map(str, counts)), x, np.tile(x, counts))
            n = chance.randint(1, 3)
            add("repeat_interleave", signed, n, x, np.repeat(x, n, axis))
            each = np.array([chance.randint(0, 3) for _ in range(shape[axis])])
            add("repeat_each", signed, "", x, each, np.repeat(x, each, axis))
            shift = chance.randint(-7, 7)
            add("roll", signed, shift, x, np.roll(x, shift, axis))
            data = numbers([chance.randint(1, 9) if a == axis else e for a, e in enumerate(shape)], 0.2 if turn > 1 else 0)
            for down in (0, 1):
                add("sort", signed, down, data, *torch.sort(t(data), dim=axis, descending=bool(down), stable=True))
            k = chance.randint(1, data.shape[axis])
            plain = numbers(data.shape)
            order = np.argsort(plain, axis, kind="stable")
            add("kthvalue", signed, k, plain, np.take(np.take_along_axis(plain, order, axis), k - 1, axis), np.take(order, k - 1, axis))
            # of equal elements those that come first
            for largest in (0, 1):
                o = np.argsort(-plain if largest else plain, axis, kind="stable").take(range(k), axis)
                add("topk", signed, f"{k},{largest}", plain, np.take_along_axis(plain, o, axis), o)
            add("median", signed, "", data, torch.median(t(data), dim=axis)[0])
            for q, how in itertools.product((0.0, 0.3, 0.5, 1.0), ("linear", "lower", "higher", "nearest", "midpoint")):
                add("quantile", signed, f"{q},{how}", data, torch.quantile(t(data), q, dim=axis, interpolation=how))
            add("cummax", signed, "", data, *torch.cummax(t(data), axis))
            add("cummin", signed, "", data, *torch.cummin(t(data), axis))
    for turn in range(6):
        x = numbers(extents(rank, 1, 5))
        values, inverse, counts = torch.unique(t(x), return_inverse=True, return_counts=True)
        add("unique", 0, "", x, values, inverse, counts)
        edges = np.sort(numbers([6]))
        for right in (0, 1):
            add("searchsorted", 0, right, edges, x, torch.searchsorted(t(edges), t(x), right=bool(right)))
        mask = numbers(extents(rank, 1, 4)) * np.round(numbers([1]) / 5)
        add("nonzero", 0, "", mask, torch.nonzero(t(mask)))
        bins = chance.randint(1, 6)
        add("histc", 0, f"{bins},0,0", x, torch.histc(t(x), bins))
        add("histc", 0, f"{bins},-3,4", x, torch.histc(t(x), bins, -3, 4))
for rank in (2, 3):
    for shift in range(-3, 4):
        x = numbers(extents(rank, 2, 4))
        add("triu", 0, shift, x, torch.triu(t(x), shift))
        add("tril", 0, shift, x, torch.tril(t(x), shift))
        add("rot90", 0, shift, x, np.rot90(x, shift))
    for turn in range(12):
        x = numbers(extents(rank, 2, 4))
        amounts = [chance.randint(0, 3) for _ in range(4)]
        numpy_amounts = [(0, 0)] * (rank - 2) + [(amounts[2], amounts[3]), (amounts[0], amounts[1])]
        parameter = ",".join(map(str, amounts))
        add("pad_constant", 7, parameter, x, np.pad(x, numpy_amounts, constant_values=7))
        add("pad_replicate", 0, parameter, x, np.pad(x, numpy_amounts, mode="edge"))
        amounts = [chance.randint(0, n - 1) for n in (x.shape[-1], x.shape[-1], x.shape[-2], x.shape[-2])]
        numpy_amounts = [(0, 0)] * (rank - 2) + [(amounts[2], amounts[3]), (amounts[0], amounts[1])]
        parameter = ",".join(map(str, amounts))
        add("pad_reflect", 0, parameter, x, np.pad(x, numpy_amounts, mode="reflect"))
        add("pad_circular", 0, parameter, x, np.pad(x, numpy_amounts, mode="wrap"))
        amounts = [chance.randint(-1, 1) for _ in range(4)]
        x = numbers(extents(rank, 3, 4))
        add("pad_constant", 7, ",".join(map(str, amounts)), x, torch.nn.functional.pad(t(x), amounts, value=7))
for shift in (-2, 0, 1):
    x = numbers([3])
    add("diag", 0, shift, x, np.diag(x, shift))
    x = numbers([3, 4])
    add("diag", 0, shift, x, np.diag(x, shift))
    for first, second in ((-2, -1), (0, 1), (2, 0), (1, 0)):
        add("diag_embed", 0, f"{shift},{first},{second}", x, torch.diag_embed(t(x), shift, first, second))
for turn in range(10):
    x = np.array([chance.randint(0, 6) for _ in range(chance.randint(0, 12))], dtype=np.int64)
    weights = numbers([len(x)])
    add("bincount", 0, turn, x, np.bincount(x, minlength=turn))
    add("bincount_weights", 0, turn, x, weights, np.bincount(x, weights, minlength=turn))
a, b = numbers([3]), numbers([2])
add("cartesian_prod", 0, "", a, b, torch.cartesian_prod(t(a), t(b)))
for k, grid in enumerate(torch.meshgrid(t(a), t(b), indexing="ij")):
    add("meshgrid", k, "", a, b, grid)
for k, grid in enumerate(torch.meshgrid(t(a), t(b), indexing="xy")):
    add("meshgrid_xy", k, "", a, b, grid)
for rank in (1, 2, 3):
    for turn in range(8):
        x = numbers(extents(rank, 1, 4))
        shift = chance.randint(-5, 15)
        add("roll_flat", 0, shift, x, np.roll(x, shift))
        shifts, axes = [chance.randint(-5, 5) for _ in range(2)], [chance.randint(-rank, rank - 1) for _ in range(2)]
        add("roll_two", 0, ",".join(map(str, shifts + axes)), x, np.roll(x, shifts, axes))
        index = np.array([chance.randint(-x.size, x.size - 1) for _ in range(6)], dtype=np.int64).reshape([(6,), (2, 3), (1, 3, 2)][rank - 1])
        add("take_along_flat", 0, "", x, index, np.take_along_axis(x, index.reshape(-1), None))
        shape = extents(rank, 2, 4)
        choices = [numbers([1 if chance.random() < 0.3 else n for n in shape][first:]) for first in (0, 0, rank - 1)]
        index = np.array([chance.randint(-6, 6) for _ in range(int(np.prod(shape)))], dtype=np.int64).reshape(shape)
        for how in ("raise", "wrap", "clip"):
            within = index % 3 if how == "raise" else index
            add("choose_arrays", 0, how, within, *choices, np.choose(within, choices, mode=how))

# The numbers of PyTorch's own extremal tests, and of the range's ends: all pairs, in rows and in columns, and PyTorch's five of its test
# of extremal values in reductions in the middle of a row.
BIG, TINY, INF, NAN = np.finfo(np.float64).max, np.finfo(np.float64).tiny, np.inf, np.nan
EXTREMAL = [0.0, -0.0, 1.0, -1.0, 1e20, -1e20, BIG, -BIG, TINY, -TINY, INF, -INF, NAN]


def between(low, high, weight):
    """PyTorch's and NumPy's are NaN or infinite where high - low is (docs/internals/decisions.md)."""
    if weight == 0 or low == high or np.isnan(low):
        return low
    if np.isinf(low) or np.isinf(high):
        return low + high
    exact = Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(weight)
    return exact.numerator / exact.denominator


pairs = np.array([(a, b) for a in EXTREMAL for b in EXTREMAL])
middle = np.array([[0.5, -2.0, x, 3.0, 1.25] for x in (0.0, 1.0, NAN, INF, -INF, BIG, -BIG)])
for x, axis in ((pairs, 1), (pairs.T, 0), (middle, -1), (middle.T, 0)):
    for down in (0, 1):
        ordered = torch.sort(t(x), dim=axis, descending=bool(down), stable=True)
        add("sort", axis, down, x, *ordered)
        for k in (1, 2):
            add("topk", axis, f"{k},{down}", x, *(r.numpy().take(range(k), axis) for r in ordered))
            if not down:
                add("kthvalue", axis, k, x, *(r.numpy().take(k - 1, axis) for r in ordered))
    add("median", axis, "", x, torch.median(t(x), dim=axis)[0])
    add("cummax", axis, "", x, *torch.cummax(t(x), axis))
    add("cummin", axis, "", x, *torch.cummin(t(x), axis))
    lines_of = np.moveaxis(np.sort(x, axis), axis, -1)
    for q in (0.0, 0.5, 1.0):
        at = q * (x.shape[axis] - 1)
        low, high = int(np.floor(at)), int(np.ceil(at))
        ours = np.array([NAN if np.isnan(r).any() else between(r[low], r[high], at - low) for r in lines_of.tolist()])
        theirs = torch.quantile(t(x), q, dim=axis).numpy()
        differs = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
        # a number and an infinity in each order, two equal infinities, -BIG and BIG
        assert not np.isfinite(theirs[differs]).any() and differs.sum() == (24 if len(lines_of) > 7 else int(q != 0.5)), differs.sum()
        add("quantile", axis, f"{q},linear", x, ours)
        for how in ("lower", "higher", "nearest"):
            add("quantile", axis, f"{q},{how}", x, torch.quantile(t(x), q, dim=axis, interpolation=how))
edges = np.sort(EXTREMAL[:-1])
for right in (0, 1):
    add("searchsorted", 0, right, edges, np.array(EXTREMAL), torch.searchsorted(t(edges), t(EXTREMAL), right=bool(right)))
values, inverse, counts = torch.unique(t(EXTREMAL[:-1] * 2), return_inverse=True, return_counts=True)
add("unique", 0, "", np.array(EXTREMAL[:-1] * 2), values, inverse, counts)
add("nonzero", 0, "", pairs, torch.nonzero(t(pairs)))

(pathlib.Path(__file__).resolve().parent / "order_cases.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
