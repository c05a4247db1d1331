#!/usr/bin/python3
"""Writes test/data/decompositions_cases.tsv: what PyTorch, NumPy and SciPy give for linear algebra that is needed less often.

usage: test/data/decompositions_cases.py

The format is that of index_cases.tsv; a function with several results has them as the last arrays. Needs python3-torch,
python3-numpy and python3-scipy.
"""
import pathlib
import random
import warnings

import numpy as np
import scipy.linalg
import scipy.spatial.distance
import torch

warnings.simplefilter("ignore")
chance = random.Random(274)
lines = []


def numbers(shape, low=-4, high=4):
    return np.array([float(chance.randint(low, high)) for _ in range(int(np.prod(shape)))]).reshape(shape)


def regular(n, stack=()):
    """Integers; the diagonal is larger than the rest of its row."""
    x = numbers((*stack, n, n))
    return x + np.eye(n) * (4 * n + 1)


def text(array):
    array = np.asarray(array)
    values = (repr(float(x)) for x in array.reshape(-1)) if array.dtype.kind == "f" else (str(int(x)) for x in array.reshape(-1))
    return ",".join(map(str, array.shape)) + ":" + ",".join(v[:-2] if v.endswith(".0") else v for v in values)


def add(function, axis, parameter, *arrays):
    lines.append("\t".join([function, str(axis), str(parameter), *(text(a.numpy() if torch.is_tensor(a) else a) for a in arrays)]))


def t(a):
    return torch.from_numpy(np.array(a, order="C"))


for turn in range(8):
    sizes = [chance.randint(1, 4) for _ in range(8)]
    n, m = chance.randint(1, 6), chance.randint(1, 6)
    # Tensors
    a, b = numbers(sizes[:3]), numbers([sizes[1], sizes[2], sizes[3]])
    add("tensordot", 2, "", a, b, torch.tensordot(t(a), t(b), 2))
    b = numbers([sizes[2], sizes[3]])
    add("tensordot", 1, "", a, b, np.tensordot(a, b, 1))
    b = numbers([sizes[2], sizes[4], sizes[0]])
    add("tensordot_axes", 0, "", a, b, torch.tensordot(t(a), t(b), ([0, -1], [2, 0])))
    chain = [numbers([sizes[i], sizes[i + 1]]) for i in range(5)]
    for count in (2, 3, 5):
        add("multi_dot", count, "", *chain[:count], torch.linalg.multi_dot([t(x) for x in chain[:count]]))
    add("multi_dot_vectors", 3, "", chain[0][0], chain[1], chain[2][:, 0], np.array(np.linalg.multi_dot([chain[0][0], chain[1], chain[2][:, 0]])))
    x = numbers([2, 3, 2, 3]) + (np.eye(6) * 30).reshape(2, 3, 2, 3)
    b = numbers([2, 3])
    add("tensorsolve", 0, "", x, b, np.linalg.tensorsolve(x, b))
    add("tensorinv", 2, "", x, torch.linalg.tensorinv(t(x), 2))
    wide = regular(6).reshape(6, 2, 3)
    add("tensorinv", 1, "", wide, np.linalg.tensorinv(wide, 1))
    # Forms, lengths, distances
    x = numbers([m, n])
    add("block_diag", 0, "", x, x[0], x.T, torch.block_diag(t(x), t(x[0]), t(x.T)))
    v = numbers([n])
    for increasing in (0, 1):
        add("vander", n, increasing, v, np.vander(v, increasing=bool(increasing)))
        add("vander", m, increasing, v, torch.vander(t(v), m, bool(increasing)))
    add("vander_stack", m, 1, x, torch.linalg.vander(t(x), N=max(m, 2))) if m > 1 else None
    square = numbers([n, n])
    add("logdet", 0, "", square, torch.logdet(t(square)))
    stack = regular(n, (2, 3)) * np.array([1, -1, 1]).reshape(3, 1, 1)
    add("logdet", 0, "", stack, torch.logdet(t(stack)))
    for p in (0, 1, 2, 3, 0.5, float("inf"), float("-inf")):
        add("vector_norm", 0, p, x, torch.linalg.vector_norm(t(x), p))
        add("vector_norm_axis", -1, p, x, torch.linalg.vector_norm(t(x), p, -1))
    k = chance.randint(1, 5)
    for p in (0, 1, 2, 2.5, float("inf")):
        left, right = numbers([m, k]), numbers([n, k])
        add("cdist", 0, p, left, right, torch.cdist(t(left), t(right), p, compute_mode="donot_use_mm_for_euclid_dist"))
        left, right = numbers([2, m, k]), numbers([1, n, k])
        add("cdist", 0, p, left, right, torch.cdist(t(left), t(right), p, compute_mode="donot_use_mm_for_euclid_dist"))
    # Checked factorisations, of stacks in which some matrices are singular or not definite
    for size in (1, 3, n, 20):
        mixed = regular(size, (5,))
        for bad in chance.sample(range(5), 2):
            i = chance.randint(0, size - 1)
            mixed[bad, :, i] = 0
            mixed[bad, i, :] = 0
        good, info = torch.linalg.inv_ex(t(mixed))
        good[info != 0] = float("nan")
        if size < 20:
            add("inv_ex", 0, "", mixed, good, info)
        b = numbers([5, size, 2])
        x, info = torch.linalg.solve_ex(t(mixed), t(b))
        x[info != 0] = float("nan")
        add("solve_ex", 0, "", mixed, b, x, info)
        definite = mixed + np.swapaxes(mixed, -1, -2)
        l, info = torch.linalg.cholesky_ex(t(definite))
        l[info != 0] = float("nan")
        add("cholesky_ex", 0, "", definite, l, info)
    # Decompositions
    symmetric = numbers([n, n])
    symmetric = symmetric + symmetric.T
    first = chance.randint(0, n - 1)
    count = chance.randint(1, n - first)
    values, vectors = scipy.linalg.eigh(symmetric, subset_by_index=(first, first + count - 1))
    add("eigh_subset", first, count, symmetric, values)
    tall, right = numbers([m, n]), numbers([m, 3])
    x, _, rank, s = np.linalg.lstsq(tall, right, rcond=None)
    add("lstsq_full", 0, "", tall, right, x, ((right - tall @ x)**2).sum(0), np.array(rank), s)
    if turn % 2 and min(m, n) > 1:
        tall[:, -1] = tall[:, 0]
        x, _, rank, s = np.linalg.lstsq(tall, right, rcond=None)
        add("lstsq_full", 0, "", tall, right, x, ((right - tall @ x)**2).sum(0), np.array(rank), s)
    size = chance.randint(2, 9)
    lower, upper = chance.randint(0, size - 1), chance.randint(0, size - 1)
    bands = numbers([lower + upper + 1, size])
    bands[upper] += 30
    b = numbers([size, 2])
    add("solve_banded", lower, upper, bands, b, scipy.linalg.solve_banded((lower, upper), bands, b))
    for stack in ((), (2,)):
        s = numbers((*stack, n, n))
        s = s + np.swapaxes(s, -1, -2) + np.eye(n) * 0.5
        ld, pivots = torch.linalg.ldl_factor(t(s))
        b = numbers((*stack, n, 2))
        add("ldl", 0, "", s, b, ld, pivots, torch.linalg.ldl_solve(ld, pivots, t(b)))
    # Functions of matrices
    for x in (regular(n), regular(n) / 64, np.triu(numbers([n, n])) + np.eye(n) * 5, scipy.linalg.expm(numbers([n, n]) / 3), np.eye(n) * 3,
              np.diag(np.arange(1.0, n + 1)) + np.eye(n, k=1) * 1000):
        add("sqrtm", 0, "", x, np.real_if_close(scipy.linalg.sqrtm(x), 1e6))
        add("logm", 0, "", x, np.real_if_close(scipy.linalg.logm(x), 1e6))
    whole = numbers([n, n], -3, 3)
    for power in (0, 1, 2, 5):
        add("matrix_power", power, "", whole, np.linalg.matrix_power(whole.astype(np.int64), power))

chance = random.Random(277)
for turn in range(8):
    for moved in ((0,), (1, 0), (0, 2)):
        x = numbers([2, 3, 2, 3]) + (np.eye(6) * 30).reshape(2, 3, 2, 3)
        kept = [k for k in range(4) if k not in moved]
        x = np.moveaxis(x, range(4), [*kept, *moved]) if len(moved) == 2 else x
        shape = [x.shape[k] for k in range(4) if k not in moved]
        if int(np.prod(shape)) ** 2 != x.size:
            continue
        b = numbers(shape)
        add("tensorsolve_axes", 0, ",".join(map(str, moved)), x, b, np.linalg.tensorsolve(x, b, moved))
    n = chance.randint(2, 7)
    x = numbers([n, n]) / 2
    for sort in ("lhp", "rhp"):
        form, _, count = scipy.linalg.schur(x, sort=sort)
        add("schur_real", 0, sort, x, np.abs(form), np.array(count))
    for sort in ("lhp", "rhp", "iuc", "ouc"):
        form, _, count = scipy.linalg.schur(x, "complex", sort=sort)
        add("schur_complex", 0, sort, x, np.abs(form), np.array(count))

(pathlib.Path(__file__).resolve().parent / "decompositions_cases.tsv").write_text("\n".join(lines) + "\n")
print(len(lines), "lines")
