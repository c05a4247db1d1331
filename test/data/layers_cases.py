#!/usr/bin/python3
"""Writes test/data/layers_cases.tsv: what PyTorch gives for layers of neural networks.

usage: test/data/layers_cases.py

The format is that of index_cases.tsv: function, number of axes, parameter, arrays of which the last is the result. Needs
python3-torch.
"""
import pathlib
import random

import numpy as np
import torch
import torch.nn.functional as F

chance = random.Random(49)
lines = []


def text(x):
    x = x.detach().numpy()
    values = (repr(float(v)) for v in x.reshape(-1))
    return ",".join(map(str, x.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axes, parameter, *arrays):
    lines.append("\t".join([function, str(axes), ",".join(map(str, parameter)), *(text(a) for a in arrays)]))


def numbers(*shape):
    size = int(np.prod(shape))
    return torch.tensor([float(chance.randint(-9, 9)) for _ in range(size)], dtype=torch.float64).reshape(shape)


def each(axes, low, high):
    return [chance.randint(low, high) for _ in range(axes)]


for axes in (1, 2, 3):
    conv = getattr(F, f"conv{axes}d")
    for turn in range({1: 20, 2: 20, 3: 6}[axes]):
        groups = chance.choice([1, 1, 2, 3])
        channels, outputs = groups * chance.randint(1, 2), groups * chance.randint(1, 2)
        kernel, stride, padding, dilation = each(axes, 1, 3), each(axes, 1, 3), each(axes, 0, 2), each(axes, 1, 2)
        size = [max(chance.randint(1, 6), d * (k - 1) + 1 - 2 * p) for k, p, d in zip(kernel, padding, dilation)]
        same = int(turn % 5 == 4)
        if same:
            stride, padding = [1] * axes, [0] * axes
        x, w = numbers(chance.randint(1, 3), channels, *size), numbers(outputs, channels // groups, *kernel).requires_grad_()
        y = conv(x, w, None, stride, "same" if same else padding, dilation, groups)
        gradient = numbers(*y.shape)
        (y * gradient).sum().backward()
        add("conv_weight", axes, [*kernel, *stride, *padding, *dilation, groups, same], x, gradient, w.grad)

for turn in range(12):
    shape = [chance.randint(1, 3), 6, *each(turn % 3, 1, 4)]
    x, mean, weight, bias, var = numbers(*shape), numbers(6), numbers(6), numbers(6), numbers(6).abs() + 0.5
    add("batch_norm", len(shape), [], x, mean, var, F.batch_norm(x, mean, var, eps=1e-3))
    add("batch_norm", len(shape), [], x, mean, var, weight, bias, F.batch_norm(x, mean, var, weight, bias, eps=1e-3))
    shape[2:] = [n + 1 for n in shape[2:]]
    groups = chance.choice([1, 2, 3])
    x = numbers(*shape)
    add("group_norm", len(shape), [groups], x, F.group_norm(x, groups, eps=1e-3))
    add("group_norm", len(shape), [groups], x, weight, bias, F.group_norm(x, groups, weight, bias, eps=1e-3))

for turn in range(8):
    n, inputs, size = chance.randint(1, 3), chance.randint(1, 5), chance.randint(1, 4)
    x, h, c = numbers(n, inputs) / 9, numbers(n, size) / 9, numbers(n, size) / 9
    for gates, cell in ((4, "lstm_cell"), (3, "gru_cell")):
        w, v, b, d = (numbers(gates * size, *more) / 9 for more in ((inputs,), (size,), (), ()))
        for bias in ((), (b, d)):
            if cell == "lstm_cell":
                add(cell, 2, [], x, h, c, w, v, *bias, torch.stack(torch.lstm_cell(x, (h, c), w, v, *bias)))
            else:
                add(cell, 2, [], x, h, w, v, *bias, torch.gru_cell(x, h, w, v, *bias))

path = pathlib.Path(__file__).with_name("layers_cases.tsv")
path.write_text("\n".join(lines) + "\n")
print(f"{path.name}: {len(lines)} lines")
