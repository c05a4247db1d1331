#!/usr/bin/python3
"""Writes test/data/signal_cases.tsv: what PyTorch gives for convolutions, pooling, interpolation, fold and unfold, and NumPy
for convolve and correlate.

usage: test/data/signal_cases.py

The format is that of index_cases.tsv: function, number of axes, parameter, arrays of which the last is the result. The
parameter is a list of numbers, in the order of the calls below. Needs python3-torch and python3-numpy.
"""
import pathlib
import random

import numpy as np
import torch
import torch.nn.functional as F

chance = random.Random(2760)
lines = []


def text(x):
    x = x.detach().numpy() if torch.is_tensor(x) else np.asarray(x)
    values = (repr(float(v)) for v in x.reshape(-1))
    return ",".join(map(str, x.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axes, parameter, *arrays):
    lines.append("\t".join([function, str(axes), ",".join(map(str, parameter)), *(text(a) for a in arrays)]))


def numbers(*shape, low=-9, high=9):
    size = int(np.prod(shape))
    return torch.tensor([float(chance.randint(low, high)) for _ in range(size)], dtype=torch.float64).reshape(shape)


def each(axes, low, high):
    return [chance.randint(low, high) for _ in range(axes)]


most = {1: 12, 2: 6, 3: 4}
for axes in (1, 2, 3):
    conv, transpose = getattr(F, f"conv{axes}d"), getattr(F, f"conv_transpose{axes}d")
    for turn in range({1: 40, 2: 40, 3: 12}[axes]):
        groups = chance.choice([1, 1, 2, 3])
        channels, outputs = groups * chance.randint(1, 2), groups * chance.choice([1, 2, 5])
        kernel, stride, padding, dilation = each(axes, 1, 3), each(axes, 1, 3), each(axes, 0, 2), each(axes, 1, 2)
        size = [max(chance.randint(1, most[axes]), d * (k - 1) + 1 - 2 * p) for k, p, d in zip(kernel, padding, dilation)]
        batch = [] if turn % 4 == 3 else [chance.randint(0 if turn % 8 == 0 else 1, 2)]
        x, w = numbers(*batch, channels, *size), numbers(outputs, channels // groups, *kernel)
        bias = numbers(outputs) if turn % 2 else None
        same = int(turn % 5 == 4)
        if same:
            stride, padding = [1] * axes, [0] * axes
        y = conv(x, w, bias, stride, "same" if same else padding, dilation, groups)
        add("conv", axes, [*stride, *padding, *dilation, groups, same, len(batch)], x, w, *([bias] if bias is not None else []), y)
        if turn % 2 == 0:
            w = numbers(channels, outputs // groups, *kernel)
            more = [chance.randint(0, max(s, d) - 1) for s, d in zip(stride, dilation)]
            size = [max(n, 2) for n in size]
            out = [(n - 1) * s - 2 * p + d * (k - 1) + m + 1 for n, s, p, d, k, m in zip(size, stride, padding, dilation, kernel, more)]
            if min(out) < 1:
                continue
            x = numbers(*batch, channels, *size)
            y = transpose(x, w, bias, stride, padding, more, groups, dilation)
            add("conv_transpose", axes, [*stride, *padding, *dilation, groups, *more, len(batch)], x, w,
                *([bias] if bias is not None else []), y)
    for turn in range({1: 30, 2: 30, 3: 10}[axes]):
        kernel, stride, dilation = each(axes, 1, 4), each(axes, 1, 3), each(axes, 1, 2)
        padding = [chance.randint(0, k // 2) for k in kernel]
        ceil = turn % 2
        size = [max(chance.randint(1, most[axes]), d * (k - 1) + 1 - 2 * p, k if axes == 3 else k - 2 * p) for k, p, d in zip(kernel, padding, dilation)]
        batch = [] if turn % 4 == 3 else [chance.randint(1, 2)]
        x = numbers(*batch, 2, *size)
        if turn % 6 == 5:
            x.reshape(-1)[1] = float("nan")
        if turn % 7 == 6:
            stride = kernel
        y = getattr(F, f"max_pool{axes}d")(x, kernel, stride, padding, dilation, bool(ceil))
        add("max_pool", axes, [*kernel, *stride, *padding, *dilation, ceil, len(batch)], x, y)
        values, places = getattr(F, f"max_pool{axes}d")(x, kernel, stride, padding, dilation, bool(ceil), return_indices=True)
        add("max_pool_indices", axes, [*kernel, *stride, *padding, *dilation, ceil, len(batch)], x, values, places)
        include, divisor = chance.randint(0, 1), chance.choice([0, 0, 3]) if axes > 1 else 0
        arguments = [x, kernel, stride, padding, bool(ceil), bool(include)] + ([divisor or None] if axes > 1 else [])
        add("avg_pool", axes, [*kernel, *stride, *padding, ceil, include, divisor, len(batch)], x, getattr(F, f"avg_pool{axes}d")(*arguments))
        sizes = each(axes, 1, 7)
        add("adaptive_avg_pool", axes, [*sizes, len(batch)], x, getattr(F, f"adaptive_avg_pool{axes}d")(x, sizes))
        values, places = getattr(F, f"adaptive_max_pool{axes}d")(x, sizes, return_indices=True)
        add("adaptive_max_pool_indices", axes, [*sizes, len(batch)], x, values, places)
        add("adaptive_max_pool", axes, [*sizes, len(batch)], x, getattr(F, f"adaptive_max_pool{axes}d")(x, sizes))
    linear = {1: "linear", 2: "bilinear", 3: "trilinear"}[axes]
    for turn in range({1: 12, 2: 12, 3: 4}[axes]):
        x = numbers(chance.randint(1, 2), 2, *each(axes, 1, most[axes]))
        sizes = each(axes, 1, 9)
        add("nearest", axes, sizes, x, F.interpolate(x, sizes, mode="nearest"))
        add("nearest_exact", axes, sizes, x, F.interpolate(x, sizes, mode="nearest-exact"))
        add("area", axes, sizes, x, F.interpolate(x, sizes, mode="area"))
        for align in (0, 1):
            add("linear", axes, [align, *sizes], x, F.interpolate(x, sizes, mode=linear, align_corners=bool(align)))
            if axes == 2:
                add("cubic", axes, [align, *sizes], x, F.interpolate(x, sizes, mode="bicubic", align_corners=bool(align)))
        for factor in (2, 1.7):
            add("nearest_scale", axes, [factor], x, F.interpolate(x, scale_factor=factor, mode="nearest"))
            add("linear_scale", axes, [factor], x, F.interpolate(x, scale_factor=factor, mode=linear, align_corners=False))

for turn in range(24):
    kernel, stride, padding, dilation = each(2, 1, 3), each(2, 1, 3), each(2, 0, 2), each(2, 1, 2)
    size = [max(chance.randint(1, 6), d * (k - 1) + 1 - 2 * p) for k, p, d in zip(kernel, padding, dilation)]
    batch = [] if turn % 4 == 3 else [chance.randint(1, 2)]
    x = numbers(*batch, 2, *size)
    if not batch:
        y = F.unfold(x.unsqueeze(0), kernel, dilation, padding, stride)[0]
        z = F.fold(y.unsqueeze(0), size, kernel, dilation, padding, stride)[0]
    else:
        y = F.unfold(x, kernel, dilation, padding, stride)
        z = F.fold(y, size, kernel, dilation, padding, stride)
    parameter = [*kernel, *dilation, *padding, *stride, len(batch)]
    add("unfold", 2, parameter, x, y)
    add("fold", 2, [*size, *parameter], y, z)

for rank in (1, 2, 3):
    for turn in range(8):
        shape = [chance.randint(1, 4) for _ in range(rank)]
        axis = chance.randint(-rank, rank - 1)
        shape[axis] = chance.randint(3, 8)
        size, step = chance.randint(1, 3), chance.randint(1, 4)
        x = numbers(*shape).requires_grad_()
        w = x.unfold(axis, size, step)
        weights = numbers(*w.shape)
        (w * weights).sum().backward()
        add("fold_windows", axis, [shape[axis], step], weights, x.grad)

for turn in range(60):
    a, v = numbers(chance.randint(1, 9)).numpy(), numbers(chance.randint(1, 9)).numpy()
    mode = turn % 3
    name = ["full", "same", "valid"][mode]
    add("convolve", 1, [mode], a, v, np.convolve(a, v, name))
    add("correlate", 1, [mode], a, v, np.correlate(a, v, name))

path = pathlib.Path(__file__).with_name("signal_cases.tsv")
path.write_text("\n".join(lines) + "\n")
print(f"{path.name}: {len(lines)} lines")
