#!/usr/bin/python3
"""Writes test/data/vocabulary_cases.tsv: what PyTorch and NumPy give for the everyday functions on arrays.

usage: test/data/vocabulary_cases.py

The format is that of index_cases.tsv; a function with several results has them as the last arrays. Needs python3-torch and
python3-numpy.
"""
import pathlib
import random
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")
chance = random.Random(27)
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


def listed(values):
    return ",".join(map(str, values))


for rank in (1, 2, 3):
    for turn in range(6):
        shape = extents(rank)
        x = numbers(shape)
        add("flatten", 0, "", x, torch.flatten(t(x)))
        add("ravel", 0, "", x, np.ravel(x))
        add("atleast_1d", 0, "", x, torch.atleast_1d(t(x)))
        add("atleast_2d", 0, "", x, torch.atleast_2d(t(x)))
        add("atleast_3d", 0, "", x, torch.atleast_3d(t(x)))
        add("flipud", 0, "", x, torch.flipud(t(x)))
        add("dstack", 0, "", x, torch.dstack((t(x), t(x) + 1)))
        other = numbers([chance.randint(1, 3) if a == 1 else e for a, e in enumerate(shape)])
        add("column_stack", 0, "", x, other, torch.column_stack((t(x), t(other))))
        y = x.copy()
        if turn % 3 == 1:
            y.reshape(-1)[0] += 1
        if turn % 3 == 2:
            y = y[:1]
        add("array_equal", 0, "", x, y, np.array(np.array_equal(x, y)))
        others = numbers([chance.randint(0, 4)])
        add("isin", 0, turn % 2, x, others, torch.isin(t(x), t(others), invert=bool(turn % 2)))
        edges = np.unique(numbers([6]))
        for right in (0, 1):
            add("digitize", 0, right, x, edges, np.digitize(x, edges, right=bool(right)))
            add("digitize", 0, right, x, edges[::-1], np.digitize(x, edges[::-1], right=bool(right)))
        if len(edges) > 1:
            for density in (0, 1):
                add("histogram", 0, density, x, edges, torch.histogram(t(x), t(edges), density=bool(density))[0])
            add("histogram_weights", 0, 0, x, edges, x * x, torch.histogram(t(x), t(edges), weight=t(x * x))[0])
        values = numbers([len(edges)])
        add("interp", 0, "", x + 0.5, edges, values, np.interp(x + 0.5, edges, values))
        add("interp_ends", 0, "-9,7", x, edges, values, np.interp(x, edges, values, -9, 7))
        classes = np.abs(x).astype(np.int64)
        add("one_hot", -1, "", classes, torch.nn.functional.one_hot(t(classes)))
        add("one_hot", 7, "", classes, torch.nn.functional.one_hot(t(classes), 7))
        holes = numbers(shape, 0.4)
        add("nansum", 0, "all", holes, torch.nansum(t(holes)))
        add("nanmedian_all", 0, "", holes, torch.nanmedian(t(holes)))
        for q in (0, 30, 50, 100):
            add("percentile_all", 0, q, x, np.array(np.percentile(x, q)))
        pairs = [(i, j) for i in range(-rank, rank) for j in range(-rank, rank)]
        i, j = chance.choice(pairs)
        add("swapaxes", i, j, x, np.swapaxes(x, i, j))
        add("moveaxis", i, j, x, np.moveaxis(x, i, j))
        axis = chance.randint(-rank, rank - 1)
        wide = numbers([6 if a == axis % rank else e for a, e in enumerate(shape)])
        add("unflatten", axis, "2,-1", wide, np.reshape(wide, [n for a, e in enumerate(wide.shape) for n in ((2, 3) if a == axis % rank else (e,))]))
        add("expand_dims", axis, "", x, np.expand_dims(x, axis))
        for part, expected in enumerate(torch.unbind(t(x), axis)):
            add("unbind", axis, part, x, expected)
        count = chance.randint(1, 5)
        for part, expected in enumerate(torch.tensor_split(t(wide), count, axis)):
            add("tensor_split", axis, f"{count},{part}", wide, expected)
        ends = [chance.randint(-8, 8) for _ in range(2)]
        for part, expected in enumerate(torch.tensor_split(t(wide), ends, axis)):
            add("tensor_split_at", axis, f"{ends[0]},{ends[1]},{part}", wide, expected)
        split = [("hsplit", torch.hsplit, 0 if rank == 1 else 1)]
        split += [("vsplit", torch.vsplit, 0)] if rank > 1 else []
        split += [("dsplit", torch.dsplit, 2)] if rank > 2 else []
        for name, call, along in split:
            even = numbers([6 if a == along else e for a, e in enumerate(shape)])
            for part, expected in enumerate(call(t(even), 3)):
                add(name, 0, f"3,{part}", even, expected)
        low, high = torch.aminmax(t(x), dim=axis)
        add("aminmax", axis, "", x, low, high)
        low, high = torch.aminmax(t(x))
        add("aminmax_all", 0, "", x, low, high)
        add("ptp", axis, "", x, np.ptp(x, axis))
        for order in (1, 2, 3):
            add("diff", axis, order, wide, torch.diff(t(wide), order, axis))
        add("diff", axis, 2, x, torch.diff(t(x), 2, axis))
        add("trapezoid", axis, 0.5, x, torch.trapezoid(t(x), dx=0.5, dim=axis))
        points = np.cumsum(1 + np.abs(numbers([wide.shape[axis]])))
        add("trapezoid_x", axis, "", wide, points, np.trapz(wide, points, axis=axis))
        add("cumulative_trapezoid", axis, 2, wide, torch.cumulative_trapezoid(t(wide), dx=2, dim=axis))
        begin = np.full([1 if a == axis % rank else e for a, e in enumerate(shape)], 3.0)
        add("cumulative_sum", axis, 3, x, np.cumsum(np.concatenate([begin, x], axis), axis))
        add("cumulative_prod", axis, 3, x, np.cumprod(np.concatenate([begin, x], axis), axis))
        add("nansum", axis, "", holes, torch.nansum(t(holes), axis))
        add("nanprod", axis, "", holes, np.nanprod(holes, axis))
        add("nanmean", axis, "", holes, torch.nanmean(t(holes), axis))
        add("nanmax", axis, "", holes, np.nanmax(holes, axis))
        add("nanmin", axis, "", holes, np.nanmin(holes, axis))
        for correction in (0, 1):
            add("nanvar", axis, correction, holes, np.nanvar(holes, axis, ddof=correction))
            add("nanstd", axis, correction, holes, np.nanstd(holes, axis, ddof=correction))
        value, place = torch.nanmedian(t(holes), axis)
        add("nanmedian", axis, "", holes, value)
        for q in (0.0, 0.25, 0.5, 1.0):
            for how in ("linear", "lower", "higher", "nearest", "midpoint"):
                add("nanquantile", axis, f"{q},{how}", holes, torch.nanquantile(t(holes), q, axis, interpolation=how))
            add("percentile", axis, 100 * q, x, np.percentile(x, 100 * q, axis))
            add("nanpercentile", axis, 100 * q, holes, np.nanpercentile(holes, 100 * q, axis))
        add("most_frequent", axis, "", wide, *torch.mode(t(wide), axis))
        add("logcumsumexp", axis, "", x, torch.logcumsumexp(t(x), axis))
        if rank > 1:
            add("fliplr", 0, "", x, torch.fliplr(t(x)))
            shift = chance.randint(-3, 3)
            add("trace", shift, "", x, np.trace(x, shift))
        if rank <= 2:
            data = numbers([chance.randint(2, 4), 6][2 - rank:])
            for correction in (0, 1):
                add("cov", 0, correction, data, torch.cov(t(data), correction=correction))
            add("corrcoef", 0, "", data, torch.corrcoef(t(data)))
    if rank > 1:
        x = numbers(extents(rank))
        add("flatten_from_1", 0, "", x, torch.flatten(t(x), 1))
        add("flatten_to_1", 0, "", x, torch.flatten(t(x), 0, 1))
    if rank == 3:
        for source, to in (([0, 1], [-1, -2]), ([2, 0], [0, 1]), ([1, 2], [0, 2])):
            x = numbers(extents(3))
            add("moveaxis_two", 0, listed(source + to), x, np.moveaxis(x, source, to))

chance = random.Random(28)
for turn in range(24):
    data = numbers([chance.randint(2, 4), 6][turn % 4 == 3:])
    f, a = np.array([chance.randint(0, 3) for _ in range(5)] + [1]), np.abs(numbers([6])) + 0.5
    for correction in (0, 1, 2):
        add("cov_weights", 0, f"{correction},f", data, f, a, torch.cov(t(data), correction=correction, fweights=t(f)))
        add("cov_weights", 0, f"{correction},a", data, f, a, torch.cov(t(data), correction=correction, aweights=t(a)))
        both = torch.cov(t(data), correction=correction, fweights=t(f), aweights=t(a))
        numpy = np.cov(data, ddof=correction, fweights=f, aweights=a)
        assert np.allclose(both.numpy(), numpy, equal_nan=True), (both, numpy)
        add("cov_weights", 0, f"{correction},fa", data, f, a, both)

chance = random.Random(29)
for turn in range(36):
    rank = 1 + turn % 3
    x = numbers([chance.randint(3, 5) for _ in range(rank)]) / 4
    axis = chance.randint(-rank, rank - 1)
    points = np.cumsum(1 + np.abs(numbers([x.shape[axis]])))
    for order in (1, 2):
        slope = np.gradient(x, 0.5, axis=axis, edge_order=order)
        assert np.allclose(slope, torch.gradient(t(x), spacing=0.5, dim=axis, edge_order=order)[0])
        add("gradient", axis, order, x, slope)
        add("gradient_points", axis, order, x, points, np.gradient(x, points, axis=axis, edge_order=order))
    angles = numbers(x.shape) * 1.1
    add("unwrap", axis, "", angles, np.unwrap(angles, axis=axis))
    add("unwrap", axis, "4,3.5", angles, np.unwrap(angles, 3.5, axis=axis, period=4))
    bits = numbers([chance.randint(1, 19) if a == axis % rank else e for a, e in enumerate(x.shape)])
    for bit_order in ("big", "little"):
        packed = np.packbits(bits != 0, axis, bit_order)
        add("packbits", axis, bit_order, bits, packed)
        add("packbits_all", 0, bit_order, bits, np.packbits(bits != 0, None, bit_order))
        count = chance.randint(0, 30)
        add("unpackbits", axis, f"{bit_order},{count}", packed, np.unpackbits(packed, axis, count, bit_order))
        add("unpackbits", axis, f"{bit_order},-1", packed, np.unpackbits(packed, axis, None, bit_order))
    for trim in ("fb", "f", "b"):
        line = np.array([float(chance.randint(-1, 1)) * (0 < k < 5) for k in range(chance.randint(0, 8))])
        add("trim_zeros", 0, trim, line, np.trim_zeros(line, trim))
    p, q = numbers([chance.randint(1, 6)]), numbers([chance.randint(1, 4)])
    add("polyval", 0, "", x, p, np.polyval(p, x))
    add("polyadd", 0, "", p, q, np.polyadd(p, q))
    add("polysub", 0, "", p, q, np.polysub(p, q))
    add("polymul", 0, "", p, q, np.polymul(p, q))
    add("polyder", 0, turn % 3, p, np.polyder(p, turn % 3))
    add("polyint", 0, turn % 3, p, np.polyint(p, turn % 3, [2.5] * (turn % 3) or None))
    add("poly", 0, "", p, np.poly(p))
    if q[0]:
        add("polydiv", 0, "", p, q, *np.polydiv(p, q))
    zeros = np.concatenate([np.zeros(turn % 2), np.unique(numbers([chance.randint(1, 5)]))])
    found = np.roots(np.concatenate([np.zeros(turn % 3), 2 * np.poly(zeros)]))
    add("roots", turn % 3, "", zeros, np.sort(found.real))
    degree, at = chance.randint(0, 3), np.arange(7.0) + numbers([7]) / 20
    for values in (numbers([7]), numbers([7, 2])):
        add("polyfit", degree, "", at, values, np.polyfit(at, values, degree))
        weights = 0.5 + np.abs(numbers([7]))
        add("polyfit_weights", degree, "", at, values, weights, np.polyfit(at, values, degree, w=weights))
    sample = numbers([20, 3])
    edges = [np.unique(numbers([6])), np.array([-5.0, 0, 1]), np.array([-4.0, 4])]
    edges[0] = edges[0] if len(edges[0]) > 1 else edges[1]
    weights = np.abs(numbers([20]))
    for density in (0, 1):
        hist = np.histogramdd(sample, edges, density=bool(density))[0]
        if np.isfinite(hist).all():
            add("histogramdd", 0, density, sample, *edges, hist)
        hist = np.histogramdd(sample, edges, density=bool(density), weights=weights)[0]
        if np.isfinite(hist).all():
            add("histogramdd_weights", 0, density, sample, *edges, weights, hist)
        hist, left, right = np.histogram2d(sample[:, 0], sample[:, 1], [4, edges[1]], density=bool(density))
        add("histogram2d", 0, density, sample, edges[1], hist, left, right)
        counts = np.histogramdd(sample, (3, 2, 4), density=bool(density))[0]
        by_torch = torch.histogramdd(t(sample), [3, 2, 4], density=bool(density))[0].numpy()
        assert np.allclose(counts, by_torch), (counts, by_torch)
        add("histogramdd_counts", 0, density, sample, counts)

# The numbers of PyTorch's own extremal tests, and of the range's ends: all pairs.
np.seterr(all="ignore")
BIG, TINY = np.finfo(np.float64).max, np.finfo(np.float64).tiny
EXTREMAL = [0.0, -0.0, 1.0, -1.0, 1e20, -1e20, BIG, -BIG, TINY, -TINY, np.inf, -np.inf, np.nan]
pairs = np.array([(a, b) for a in EXTREMAL for b in EXTREMAL])
for x, axis in ((pairs, 1), (pairs.T, 0)):
    add("nansum", axis, "", x, torch.nansum(t(x), axis))
    for name in ("nanprod", "nanmean", "nanmax", "nanmin"):
        add(name, axis, "", x, getattr(np, name)(x, axis))
    for correction in (0, 1):
        add("nanvar", axis, correction, x, np.nanvar(x, axis, ddof=correction))
        add("nanstd", axis, correction, x, np.nanstd(x, axis, ddof=correction))
    add("nanmedian", axis, "", x, torch.nanmedian(t(x), axis)[0])
    for how in ("lower", "higher", "nearest"):
        add("nanquantile", axis, f"0.5,{how}", x, torch.nanquantile(t(x), 0.5, axis, interpolation=how))
    add("aminmax", axis, "", x, *torch.aminmax(t(x), dim=axis))
    add("ptp", axis, "", x, np.ptp(x, axis))
    add("diff", axis, 1, x, torch.diff(t(x), 1, axis))
    add("logcumsumexp", axis, "", x, torch.logcumsumexp(t(x), axis))

(pathlib.Path(__file__).resolve().parent / "vocabulary_cases.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
