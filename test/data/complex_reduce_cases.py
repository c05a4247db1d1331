#!/usr/bin/python3
# Writes complex_reduce_cases.tsv: what reductions and running ones give for complex numbers, in memory of every kind:
# contiguous, transposed, sliced, flipped, expanded, empty, with NaN and infinities.
#
#   test/data/complex_reduce_cases.py > test/data/complex_reduce_cases.tsv      (needs python3-torch and python3-numpy)
#
# Lines, tab-separated; extents and strides with commas, "-" where there are none:
#   data <type> re,im re,im ...                        memory of the lines that follow
#   <function> <type> <parameter> <axis|all> <keepdim> <extents> <strides> <offset> <result type> <result extents> r r ...
# A result r is part or part,part of a number; a part is nan, inf, -inf or x~b: the value of the formula in 64 bits of
# mantissa (rational where it matters) and a bound of the error: depth(n) u sum|x| for a sum of n (u half an ulp of 1, depth
# the most additions an element goes through), 3 n u |product| for a product, and what follows from these. The script fails
# where NumPy's or PyTorch's own result is not within 8 bounds, has another shape, or is not the same special value.
import math
import sys
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")
np.seterr(all="ignore")
torch.set_num_threads(1)
rng = np.random.default_rng(27)
NAN, INF = math.nan, math.inf
TYPES = {"c64": (np.complex64, np.float32), "c128": (np.complex128, np.float64)}
NORMS = (2, 1, 0, 3, INF, -INF)
# PyTorch, and NumPy's prod, multiply the first element by 1 + 0i, which makes NaN of an infinite part; ours begin with it.
FROM_FIRST = ("prod", "cumprod")
counts = {}


def depth(n):
    return 0 if n <= 1 else min(n, 512) // 4 + 4 + math.ceil(math.log2(max(1, n / 512)) + 1)


def parts(x):
    return (x.real, x.imag) if np.iscomplexobj(x) else (x,)


def joined(xs):
    return ",".join(map(str, xs)) or "-"


def number(kind, x):
    x = float(x)
    return "nan" if x != x else "inf" if x == INF else "-inf" if x == -INF else ("%.9g" if kind == "c64" else "%.17g") % x


def wide(x):
    return x.astype(np.clongdouble)


def sums(v, axis, keep, u):
    s = np.sum(v, axis=axis, keepdims=keep)
    n = v.size if axis is None else v.shape[axis]
    b = [depth(n) * u * np.sum(np.abs(p), axis=axis, keepdims=keep) for p in parts(v)]
    return s, b, n


def truth(name, v, parameter, axis, keep, u):
    n = v.size if axis is None else v.shape[axis]
    if name == "sum":
        return sums(v, axis, keep, u)[:2]
    if name == "prod":
        p = np.prod(v, axis=axis, keepdims=keep)
        return p, [3 * n * u * np.abs(p)] * 2
    if name == "mean":
        s, b, n = sums(v, axis, keep, u)
        m = s / np.longdouble(n) if n else s * NAN
        return m, [x / max(n, 1) + 2 * u * np.abs(p) for x, p in zip(b, parts(m))]
    if name in ("var", "std"):
        m = np.mean(v, axis=axis, keepdims=True) if n else None
        d = np.abs(v - m) ** 2 if n else np.abs(v)
        free = max(n - parameter, 0)
        s = np.sum(d, axis=axis, keepdims=keep)
        r = s / np.longdouble(free) if free else np.where(s == 0, NAN, INF).astype(np.longdouble) + 0 * s
        off = (depth(n) + 2) * u * np.max(np.abs(v), axis=axis, keepdims=keep) if n else 0 * s
        b = 2 * (depth(n) + 6) * u * np.abs(r) + (n / free if free else 1) * off**2
        if name == "var":
            return r, [b]
        root = np.sqrt(r)
        return root, [np.where(root > 0, np.minimum(b / np.where(root > 0, root, 1), np.sqrt(b)), np.sqrt(b)) + u * root]
    if name == "norm":
        a = np.abs(v)
        if parameter == 0:
            r = np.sum(a != 0, axis=axis, keepdims=keep).astype(np.longdouble)
            return r, [0 * r]
        if parameter in (INF, -INF):
            r = (np.max if parameter > 0 else np.min)(a, axis=axis, keepdims=keep)
            return r, [2 * u * r]
        r = np.sum(a**parameter, axis=axis, keepdims=keep) ** (1 / np.longdouble(parameter))
        return r, [(depth(n) + 8 * parameter) * u * r]
    if name == "cumsum":
        s = np.cumsum(v, axis=axis)
        return s, [v.shape[axis] * u * np.cumsum(np.abs(p), axis=axis) for p in parts(v)]
    p = np.cumprod(v, axis=axis)
    return p, [3 * v.shape[axis] * u * np.abs(p)] * 2


def by_torch(name, v, parameter, axis, keep):
    x = torch.from_numpy(v.copy())
    dims = list(range(v.ndim)) if axis is None else [axis]
    if name in ("sum", "mean"):
        return getattr(torch, name)(x, dims, keepdim=keep)
    if name == "prod":
        return torch.prod(x) if axis is None else torch.prod(x, axis, keepdim=keep)
    if name in ("var", "std"):
        return getattr(torch, name)(x, dims, unbiased=bool(parameter), keepdim=keep)
    if name == "norm":
        return torch.linalg.vector_norm(x, parameter, dims, keepdim=keep)
    return getattr(torch, name)(x, axis)


def by_numpy(name, v, parameter, axis, keep):
    if name in ("sum", "mean", "prod"):
        return getattr(np, name)(v, axis=axis, keepdims=keep)
    if name in ("var", "std"):
        return getattr(np, name)(v, axis=axis, ddof=parameter, keepdims=keep)
    if name == "norm":
        return np.linalg.norm(v if axis is not None else v.reshape(-1), parameter, axis=axis if axis is not None else None) if not keep else None
    return getattr(np, name)(v, axis=axis)


def from_first(name, v, axis):
    v = np.moveaxis(v, axis, 0)
    steps = [v[0]]
    for x in v[1:]:
        a, r = steps[-1], np.empty_like(x)
        r.real = a.real * x.real - a.imag * x.imag
        r.imag = a.real * x.imag + a.imag * x.real
        steps.append(r)
    return steps[-1] if name == "prod" else np.moveaxis(np.array(steps), 0, axis)


def agree(name, who, theirs, value, bound, real, text):
    theirs = np.asarray(theirs)
    if theirs.shape != value.shape:
        sys.exit(f"{who}: {text}: shape {theirs.shape} instead of {value.shape}")
    for t, w, b in zip(parts(theirs), parts(value), bound):
        t, w = t.astype(np.longdouble), w.astype(np.longdouble)
        same = (np.isnan(t) & np.isnan(w)) | (t == w) | (np.abs(t - w) <= 8 * (b + np.finfo(real).tiny))
        if not same.all():
            sys.exit(f"{who}: {text}: {theirs} instead of {value}")
        counts[who] = counts.get(who, 0) + 1


def add(name, kind, memory, extents, strides, offset, parameter=0, axis=None, keep=False):
    complexes, real = TYPES[kind]
    v = np.lib.stride_tricks.as_strided(memory[offset:], extents, [s * memory.itemsize for s in strides]).copy()
    u = np.longdouble(2.0) ** (-24 if kind == "c64" else -53)
    if v.size == 0 and (name in ("var", "std") or name == "norm" and parameter < 0 or name == "norm" and parameter == INF):
        return
    value, bound = truth(name, wide(v), parameter, axis, keep, u)
    value = np.asarray(value)
    bound = [np.broadcast_to(np.asarray(b, dtype=np.longdouble), value.shape) for b in bound]
    specials = not np.isfinite(v).all()
    text = f"{name} of {kind} {v.tolist()}, {parameter}, axis {axis}"
    if specials or name == "mean" and v.size == 0:  # the special values are PyTorch's, in its own type
        t = from_first(name, v, axis) if name in FROM_FIRST else np.asarray(by_torch(name, v, parameter, axis, keep))
        value = np.where(np.isfinite(t) & np.isfinite(value), value, t)
    if not (specials and name in FROM_FIRST):
        agree(name, "PyTorch", by_torch(name, v, parameter, axis, keep), value, bound, real, text)
    numpy = by_numpy(name, v, parameter, axis, keep)
    if numpy is not None and not specials:
        agree(name, "NumPy", numpy, value, bound, real, text)
    flat = [p.reshape(-1) for p in parts(value)]
    limits = [b.reshape(-1) for b in bound]
    results = []
    for i in range(value.size):
        texts = []
        for p, b in zip(flat, limits):
            x = number(kind, p[i])
            texts.append(x if x in ("nan", "inf", "-inf") or p[i] == 0 and b[i] == 0 else f"{x}~{float(b[i] * 1.001 + 2 * u * abs(p[i])):.2e}")
        results.append(",".join(texts))
    result_kind = kind if np.iscomplexobj(value) else {"c64": "f32", "c128": "f64"}[kind]
    print(name, kind, number(kind, parameter) if parameter in (INF, -INF) else parameter, "all" if axis is None else axis,
          int(keep), joined(extents), joined(strides), offset, result_kind, joined(value.shape), " ".join(results), sep="\t")


def drawn(kind, n, holes=False):
    x = (rng.normal(size=n) + 1j * rng.normal(size=n)).astype(TYPES[kind][0])
    if holes:
        special = [complex(INF, 1), complex(-INF, 2), complex(1, NAN), complex(0, INF), complex(NAN, 0), complex(-0.0, 0.0)]
        for i in range(len(x)):
            if rng.random() < 0.25:
                x[i] = special[rng.integers(len(special))]
    print("data", kind, " ".join(number(kind, e.real) + "," + number(kind, e.imag) for e in x.tolist()), sep="\t")
    return x


def layouts(rank):
    e = [int(n) for n in rng.integers(1, 6, size=rank)]
    c = [1] * rank
    for a in range(rank - 2, -1, -1):
        c[a] = c[a + 1] * e[a + 1]
    size = int(np.prod(e))
    yield e, c, 0, size
    if rank > 1:
        yield e[::-1], c[::-1], 0, size
    yield e, [2 * s for s in c], 1, 2 * size
    yield e, [-s for s in c], size - 1, size
    yield e, [0] + c[1:], 0, size
    yield [0] + e[1:], c, 0, max(size, 1)


for kind in TYPES:
    for rank in (1, 2, 3):
        for extents, strides, offset, size in layouts(rank):
            memory = drawn(kind, size)
            for keep in (False, True):
                for axis in [None] + list(range(rank)):
                    if axis is None and keep:
                        continue
                    for name in ("sum", "prod", "mean") if not keep else ("sum",):
                        add(name, kind, memory, extents, strides, offset, 0, axis, keep)
                    for correction in (0, 1) if not keep else (1,):
                        add("var", kind, memory, extents, strides, offset, correction, axis, keep)
                        add("std", kind, memory, extents, strides, offset, correction, axis, keep)
                    for p in NORMS if not keep else (2,):
                        add("norm", kind, memory, extents, strides, offset, p, axis, keep)
            for axis in range(rank):
                add("cumsum", kind, memory, extents, strides, offset, 0, axis)
                add("cumprod", kind, memory, extents, strides, offset, 0, axis)
    for n in (7, 33, 700):  # vectors, lanes and strips
        for extents, strides, axis in (([n], [1], 0), ([n, 3], [3, 1], 0), ([3, n], [n, 1], 1), ([2, n], [1, 2], 1)):
            memory = drawn(kind, int(np.prod(extents)))
            for name in ("sum",) + (("mean", "prod", "cumsum", "cumprod") if n < 40 else ()):
                add(name, kind, memory, extents, strides, 0, 0, axis)
            add("var", kind, memory, extents, strides, 0, 1, axis)
            add("norm", kind, memory, extents, strides, 0, 2, axis)
    for turn in range(12):  # special values; products of two, whose value no order changes
        memory = drawn(kind, 12, holes=True)
        for name in ("sum", "mean", "cumsum"):
            add(name, kind, memory, [3, 4], [4, 1], 0, 0, turn % 2)
        for p in (2, 1, 0, INF, -INF):
            add("norm", kind, memory, [3, 4], [4, 1], 0, p, turn % 2)
        for correction in (0, 1):
            add("var", kind, memory, [3, 4], [4, 1], 0, correction, turn % 2)
        add("prod", kind, memory, [2, 6], [6, 1], 0, 0, 0)
        add("cumprod", kind, memory, [6, 2], [2, 1], 0, 0, 1)
print(counts, file=sys.stderr)
