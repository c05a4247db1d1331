#!/usr/bin/python3
"""Writes test/data/fourier_cases.tsv: what PyTorch gives for Fourier transforms.

usage: test/data/fourier_cases.py

The format is that of index_cases.tsv: function, axis, parameter, arrays of which the last is the result. Of complex arrays
the last axis has real and imaginary parts. The parameter is n (0: all), the norm, and whether the operand is complex; for
transforms of several axes the lengths, the axes and the same. Needs python3-torch.
"""
import pathlib
import random

import torch

chance = random.Random(276)
lines = []
norms = ["backward", "ortho", "forward"]


def text(x):
    if x.is_complex():
        x = torch.view_as_real(x.resolve_conj())
    values = (repr(float(v)) for v in x.reshape(-1))
    return ",".join(map(str, x.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axis, parameter, *arrays):
    lines.append("\t".join([function, str(axis), parameter, *(text(a) for a in arrays)]))


def numbers(shape, is_complex):
    size = 1
    for n in shape:
        size *= n
    part = lambda: torch.tensor([float(chance.randint(-9, 9)) for _ in range(size)], dtype=torch.float64).reshape(shape)
    return torch.complex(part(), part()) if is_complex else part()


for function in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    real = function in ("rfft", "ihfft")
    doubles = function in ("irfft", "hfft")
    for rank in (1, 2, 3):
        for turn in range(16):
            shape = [chance.randint(1, 4) for _ in range(rank)]
            axis = chance.randint(-rank, rank - 1)
            shape[axis] = chance.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13] if rank > 1 else list(range(1, 18)) + [23, 37])
            n = chance.choice([0, 0, 1, 2, 3, 5, 8, 11, 16])
            if doubles and n == 0 and shape[axis] == 1:
                n = 1
            is_complex = not real and turn % 4 != 3
            norm = turn % 3
            x = numbers(shape, is_complex)
            y = getattr(torch.fft, function)(x, n or None, axis, norms[norm])
            add(function, axis, f"{n},{norm},{int(is_complex)}", x, y)
    for turn in range(12):
        rank = 2 + turn % 2
        axes = [(-2, -1), (0, 1), (1, 0)][turn % 3]
        shape = [chance.randint(2, 6) for _ in range(rank)]
        lengths = [chance.randint(1, 6) for _ in axes] if turn % 4 > 1 else None
        is_complex = not real and turn % 5 != 3
        x = numbers(shape, is_complex)
        norm = chance.randint(0, 2)
        y = getattr(torch.fft, function + "n")(x, lengths, axes, norms[norm])
        add(function + "n", turn % 3, f"{norm},{int(is_complex)}," + ",".join(map(str, lengths or [0, 0])), x, y)
        shape = [chance.randint(2, 4) for _ in range(1 + turn % 3)]
        x = numbers(shape, is_complex)
        add(function + "_all", 0, f"{norm},{int(is_complex)}", x, getattr(torch.fft, function + "n")(x, norm=norms[norm]))
for n in (1, 2, 3, 8, 9):
    for d in (1.0, 0.5, 3.0):
        add("fftfreq", n, str(d), torch.fft.fftfreq(n, d, dtype=torch.float64))
        add("rfftfreq", n, str(d), torch.fft.rfftfreq(n, d, dtype=torch.float64))
for rank in (1, 2, 3):
    for turn in range(4):
        x = numbers([chance.randint(1, 5) for _ in range(rank)], False)
        axis = chance.randint(-rank, rank - 1)
        add("fftshift", axis, "", x, torch.fft.fftshift(x, axis))
        add("ifftshift", axis, "", x, torch.fft.ifftshift(x, axis))
        add("fftshift_all", 0, "", x, torch.fft.fftshift(x))
        add("ifftshift_all", 0, "", x, torch.fft.ifftshift(x))

path = pathlib.Path(__file__).with_name("fourier_cases.tsv")
path.write_text("\n".join(lines) + "\n")
print(f"{path.name}: {len(lines)} lines")
