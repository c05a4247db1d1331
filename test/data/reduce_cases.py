#!/usr/bin/python3
# Writes reduce_cases.tsv: what reductions, running sums, softmax and sum_to give for arrays of eight types, in memory of every
# kind: contiguous, transposed, sliced, flipped, expanded, empty, with NaN and infinities; and for the numbers of PyTorch's own
# extremal tests (pytorch_numbers.py), all pairs, and in the middle of rows, as its test of extremal values in reductions has it.
#
#   test/data/reduce_cases.py > test/data/reduce_cases.tsv      (needs python3-torch and python3-numpy)
#
# Lines, tab-separated; extents, strides and axes with commas, "-" where there are none:
#   data <name> <type> x x ...                                  memory: integers, or floating numbers in hexadecimal
#   view <name> <data> <extents> <strides> <offset>             an array over that memory, strides in elements
#   <function> <view> <parameter> <axes> <keepdim> <result type> <result extents> r r ...
#   <function> <view> <parameter> <axes> <keepdim> error <PyTorch's sentence>
# The parameter is p, the correction, the other array, or the shape to sum to. A result r is an integer, nan, inf, -inf, or
# x~b: the exact value of the formula (from rational arithmetic or 60 digits) and a bound of the error, which follows from
#   u            half an ulp of 1: 2^-24 or 2^-53
#   depth(n)     most additions an element goes through in a sum of n: strips of 512 in lanes of 64 bytes, then pairs
#   |computed sum - sum| <= depth(n) u sum|x|, |computed product - product| <= depth(n) u |product|, both / (1 - depth(n) u)
# and 2.2 u for each exp, log and pow. Shapes, types and sentences are PyTorch's own, and its values must agree with the exact
# ones to a looser bound, or the script fails. Of the extremal numbers reduce_differences.tsv says how many elements of PyTorch's
# differ and why; another number of them fails, too.
import math
import pathlib
import re
import sys
import warnings
from collections import Counter
from decimal import Decimal as D, getcontext
from fractions import Fraction as Q

import numpy as np
import torch

import pytorch_numbers

warnings.simplefilter("ignore")
torch.set_num_threads(1)
getcontext().prec = 60

TYPES = {"bool": torch.bool, "u8": torch.uint8, "i32": torch.int32, "i64": torch.int64, "f32": torch.float32, "f64": torch.float64,
         "i8": torch.int8, "i16": torch.int16}
NAMES = {v: k for k, v in TYPES.items()}
NUMPY = {"bool": np.bool_, "u8": np.uint8, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64,
         "i8": np.int8, "i16": np.int16}
FLOATS = ("f32", "f64")
INF, NAN = math.inf, math.nan

state = 1
extremal = False


def draw(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % n


# --- memory and the arrays over it ------------------------------------------------------------------------------------

DATA, VIEWS = {}, {}


def data(name, kind, xs):
    a = np.array(xs, dtype=NUMPY[kind])
    DATA[name] = a
    texts = [float(x).hex() if kind in FLOATS else str(int(x)) for x in a]
    texts = ["nan" if x != x else t for x, t in zip(a.tolist(), texts)]
    print("data", name, kind, " ".join(texts), sep="\t")


def view(name, memory, extents, strides, offset=0):
    a = DATA[memory]
    VIEWS[name] = np.lib.stride_tricks.as_strided(a[offset:], extents, [s * a.itemsize for s in strides]).copy()
    if VIEWS[name].size:  # all of it lies inside the memory
        low = offset + sum(min(0, s * (n - 1)) for n, s in zip(extents, strides))
        high = offset + sum(max(0, s * (n - 1)) for n, s in zip(extents, strides))
        assert 0 <= low and high < len(a), name
    print("view", name, memory, joined(extents), joined(strides), offset, sep="\t")


def joined(xs):
    return ",".join(str(x) for x in xs) or "-"


def floats(kind, n, low, high):
    return [NUMPY[kind](low + (high - low) * draw(2**20) / 2**20) for _ in range(n)]


for kind in TYPES:
    if kind == "bool":
        data("bool", kind, [draw(3) > 0 for _ in range(60)])
    elif kind == "u8":
        data("u8", kind, [draw(256) for _ in range(60)])
    elif kind == "i8":
        data("i8", kind, [draw(256) - 128 for _ in range(60)])
    elif kind == "i16":
        data("i16", kind, [draw(2**16) - 2**15 for _ in range(60)])
    elif kind == "i32":
        data("i32", kind, [draw(19) - 9 for _ in range(40)] + [2**31 - 1 - draw(4) for _ in range(10)] + [-(2**31) + draw(4) for _ in range(10)])
    elif kind == "i64":
        data("i64", kind, [draw(19) - 9 for _ in range(50)] + [2**62, 2**62, 2**62, -(2**63), 5, 5, 2**40, -7, -7, 1])
    else:
        data(kind, kind, floats(kind, 60, -4, 4))
        odd = floats(kind, 60, -4, 4)
        for at, x in ((3, NAN), (9, INF), (10, -INF), (14, INF), (20, -INF), (21, -INF), (22, -INF), (23, -INF), (25, -0.0), (26, 0.0),
                      (30, NAN), (31, INF), (36, -0.0), (37, -0.0), (38, -0.0), (40, 1e9), (41, -1e9), (45, INF), (46, INF)):
            odd[at] = x
        data(kind + "_odd", kind, odd)
        data(kind + "_long", kind, floats(kind, 2100, -4, 4))

LAYOUTS = {
    "scalar": ((), (), 5),
    "line": ((24,), (1,), 0), "step": ((12,), (2,), 1), "back": ((24,), (-1,), 47), "same": ((5,), (0,), 7), "one": ((1,), (1,), 2),
    "none": ((0,), (1,), 0),
    "plane": ((4, 6), (6, 1), 30), "turned": ((6, 4), (1, 6), 0), "part": ((3, 3), (12, 2), 14), "flipped": ((4, 6), (-6, -1), 53),
    "rows": ((4, 5), (0, 1), 11), "columns": ((4, 5), (1, 0), 40), "row": ((1, 5), (5, 1), 3), "column": ((5, 1), (2, 1), 3),
    "no_rows": ((0, 3), (3, 1), 0), "no_columns": ((3, 0), (1, 1), 0),
    "cube": ((2, 3, 4), (12, 4, 1), 20), "mixed": ((4, 2, 3), (1, 12, -4), 38), "spread": ((3, 2, 5), (5, 0, 1), 9),
    "hollow": ((2, 0, 3), (3, 3, 1), 0),
}
for kind in TYPES:
    for layout, (extents, strides, offset) in LAYOUTS.items():
        if len(extents) == 2 or kind == "f32":
            view(kind + "." + layout, kind, extents, strides, offset)
    if kind in FLOATS:
        view(kind + ".odd", kind + "_odd", (10, 6), (6, 1))
        view(kind + ".odd_turned", kind + "_odd", (6, 10), (1, 6))
        view(kind + ".long", kind + "_long", (3, 700), (700, 1))
        view(kind + ".tall", kind + "_long", (700, 3), (3, 1))
        view(kind + ".tall_turned", kind + "_long", (700, 3), (1, 700))

# Pairs of extremal numbers, and PyTorch's five of its own test of reductions at a place of a row that vectors read.
EXTREMAL = ("pairs", "pairs_turned", "marked", "marked_turned", "numbers")
for kind in TYPES:
    lists = pytorch_numbers.lists(kind, TYPES[kind])
    known = [x for xs in lists.values() for x in xs]
    if kind in FLOATS:
        info = np.finfo(NUMPY[kind])
        some = [0.0, -0.0, 1.0, -1.0, 1e20, -1e20, float(info.max), -float(info.max), float(info.tiny), float(info.smallest_subnormal), INF, -INF, NAN]
        marks = [0.0, -0.0, 1.0, NAN, INF, -INF]
    else:
        some = sorted({int(x) for x in known} | ({0, 1} if kind == "bool" else {int(np.iinfo(NUMPY[kind]).min), int(np.iinfo(NUMPY[kind]).max)}))
        marks = [0, 1] if kind == "bool" else [0, 1, some[0], some[-1]]
    data(kind + "_pairs", kind, [z for x in some for y in some for z in (x, y)])
    view(kind + ".pairs", kind + "_pairs", (len(some) ** 2, 2), (2, 1))
    view(kind + ".pairs_turned", kind + "_pairs", (2, len(some) ** 2), (1, 2))
    rows = []
    for mark in marks:
        for at in (0, 18, 36):
            row = floats(kind, 37, 0.5, 2) if kind in FLOATS else [1 + draw(3) for _ in range(37)]
            rows += row[:at] + [mark] + row[at + 1:]
    data(kind + "_marked", kind, rows)
    view(kind + ".marked", kind + "_marked", (3 * len(marks), 37), (37, 1))
    view(kind + ".marked_turned", kind + "_marked", (37, 3 * len(marks)), (1, 37))
    finite = [x for x in known if abs(x) < 1e19]
    data(kind + "_numbers", kind, finite)
    view(kind + ".numbers", kind + "_numbers", (1, len(finite)), (len(finite), 1))


def is_extremal(name):
    return name.split(".")[1] in EXTREMAL


# --- exact values and bounds ------------------------------------------------------------------------------------------


class Value:
    """A result: an exact number (Fraction or Decimal) with a bound of the error, or one of inf, -inf, nan."""

    def __init__(self, x, bound=0):
        self.x, self.bound = x, bound

    def text(self, kind):
        if isinstance(self.x, float) and not math.isfinite(self.x):
            return "nan" if self.x != self.x else "inf" if self.x > 0 else "-inf"
        if abs(self.x) >= Q(float(np.finfo(NUMPY[kind]).max)) * (1 + u(kind) / 2):
            return "inf" if self.x > 0 else "-inf"
        x = float(self.x)
        b = float(self.bound) + abs(x) * (2.0**-53 if kind == "f64" else 1e-11)
        if float(self.bound) == 0 and Q(x) == self.x and (kind == "f64" or Q(float(np.float32(x))) == self.x):
            return repr(x)
        b += float(np.finfo(NUMPY[kind]).smallest_subnormal)
        return "%s~%s" % (repr(x) if kind == "f64" else "%.12g" % x, "%.2e" % (b * 1.01))


def u(kind):
    return Q(1, 2**24 if kind == "f32" else 2**53)


def depth(kind, n):
    lanes = 16 if kind == "f32" else 8
    if n <= 1:
        return 0
    strips = -(-n // 512)
    return -(-min(n, 512) // lanes) - 1 + int(math.log2(lanes)) + (strips - 1).bit_length()


def gamma(kind, n, more=0):
    k = (depth(kind, n) + more) * u(kind)
    return k / (1 - k)


def q(x):
    return Q(float(x))


def d(x):
    return D(x.numerator) / D(x.denominator) if isinstance(x, Q) else D(x)


def plain_sum(xs):
    """nan, inf, -inf, or None where all are finite."""
    if any(x != x for x in xs) or (INF in xs and -INF in xs):
        return NAN
    return INF if INF in xs else -INF if -INF in xs else None


def rounded(kind, x):
    """One operation's result, rounded once."""
    with np.errstate(all="ignore"):
        try:
            r = float(NUMPY[kind](float(x)))
        except OverflowError:
            r = INF if x > 0 else -INF
    return Value(r if math.isinf(r) else q(r))


def sum_of(kind, xs, more=0):
    odd = plain_sum(xs)
    if odd is not None:
        return Value(odd)
    if extremal and len(xs) == 2 and not more:
        return rounded(kind, q(xs[0]) + q(xs[1]))
    return Value(sum(map(q, xs), Q(0)), gamma(kind, len(xs), more) * sum((abs(q(x)) for x in xs), Q(0)))


def divided(kind, v, n):
    if isinstance(v.x, float) or n == 0:
        return Value(v.x if n else NAN)
    return Value(v.x / n, v.bound / n * (1 + u(kind)) + u(kind) * abs(v.x) / n)


def prod_of(kind, xs):
    if any(x != x for x in xs) or (any(abs(x) == INF for x in xs) and 0.0 in xs):
        return Value(NAN)
    if any(abs(x) == INF for x in xs):
        return Value(math.copysign(INF, math.prod(math.copysign(1, x) for x in xs)))
    p = math.prod(map(q, xs), start=Q(1))
    if extremal and len(xs) == 2:
        return rounded(kind, p)
    return Value(p, gamma(kind, len(xs)) * abs(p))


def var_of(kind, xs, c):
    n = len(xs)
    if plain_sum(xs) is not None or n == 0:
        return Value(NAN)
    if extremal and n == 2:  # where a step of the plain formula leaves the range, its result
        with np.errstate(all="ignore"):
            v = np.array(xs, dtype=NUMPY[kind])
            v = v - (v[0] + v[1]) / NUMPY[kind](2)
            r = (v[0] * v[0] + v[1] * v[1]) / NUMPY[kind](max(0, n - c))
        if not math.isfinite(r):
            return Value(float(r))
        if float(v[0] * v[0]) < np.finfo(NUMPY[kind]).tiny:
            return Value(q(r))
    m = sum(map(q, xs)) / n
    squares = sum(((q(x) - m) ** 2 for x in xs), Q(0))
    delta = gamma(kind, n, 1) * sum(abs(q(x)) for x in xs) / n  # error of the mean
    bound = gamma(kind, n, 5) * squares + n * delta * delta * (1 + gamma(kind, n, 5))
    left = Q(n) - q(c)
    if left <= 0:
        return Value(NAN if squares == 0 else INF)  # n is 1 or 2: the mean of equal ones is exact
    return Value(squares / left, bound / left)


def rooted(kind, v):
    if isinstance(v.x, float):
        return v
    x, b = d(v.x), d(v.bound)
    r = x.sqrt()
    low = max(D(0), x - b).sqrt()
    return Value(r, max((x + b).sqrt() - r, r - low) + r * d(u(kind)))


def norm_of(kind, xs, p):
    if p == 0:
        return Value(Q(sum(x != 0 for x in xs)))
    if any(x != x for x in xs):
        return Value(NAN)
    if p < 0 and math.isfinite(p):  # 0 has an infinite power, infinity none
        if 0.0 in xs:
            return Value(Q(0))
        xs = [x for x in xs if abs(x) != INF]
        if not xs:
            return Value(INF)
    if abs(p) == INF:
        best = (max if p > 0 else min)(map(abs, xs))
        return Value(best if best == INF else q(best))
    if any(abs(x) == INF for x in xs):
        return Value(INF)
    if p == 1:
        return sum_of(kind, [abs(x) for x in xs])
    if p == 2:
        s = sum((q(x) ** 2 for x in xs), Q(0))
        return rooted(kind, Value(s, gamma(kind, len(xs), 1) * s))
    s = sum((d(q(abs(x))) ** d(Q(p)) if x else D(0) for x in xs), D(0))
    if s == 0:
        return Value(Q(0))
    r = s ** (1 / d(Q(p)))
    relative = (d(gamma(kind, len(xs), 3)) + d(u(kind)) * abs(s.ln())) / abs(d(Q(p))) + d(u(kind)) * D("2.2")
    return Value(r, r * relative * D("1.01"))


def logsumexp_of(kind, xs):
    if any(x != x for x in xs):
        return Value(NAN)
    if INF in xs:
        return Value(INF)
    if all(x == -INF for x in xs):
        return Value(-INF)
    m = max(q(x) for x in xs if x != -INF)
    terms = [(d(q(x) - m), (d(q(x) - m)).exp()) for x in xs if x != -INF]
    s = sum(t for _, t in terms)
    relative = d(gamma(kind, len(xs))) + sum(t * (D("2.2") - e) for e, t in terms) / s * d(u(kind))
    r = s.ln() + d(m)
    return Value(r, relative * D("1.01") + d(u(kind)) * (D("2.2") * s.ln() + abs(r)))


def softmax_of(kind, xs, log):
    if any(x != x for x in xs) or INF in xs or all(x == -INF for x in xs):
        return [Value(NAN)] * len(xs)
    m = max(q(x) for x in xs if x != -INF)
    shifted = [None if x == -INF else d(q(x) - m) for x in xs]
    s = sum(e.exp() for e in shifted if e is not None)
    of_sum = d(gamma(kind, len(xs))) + sum(e.exp() * (D("2.2") - e) for e in shifted if e is not None) / s * d(u(kind))
    r = []
    for e in shifted:
        if e is None:
            r.append(Value(-INF) if log else Value(Q(0)))
        elif log:
            r.append(Value(e - s.ln(), of_sum * D("1.01") + d(u(kind)) * (abs(e) + D("2.2") * s.ln() + abs(e - s.ln()))))
        else:
            x = e.exp() / s
            r.append(Value(x, x * D("1.01") * (of_sum + d(u(kind)) * (D("3.2") - e))))
    return r


def scan_of(kind, xs, product):
    r = []
    for i in range(1, len(xs) + 1):
        head = xs[:i]
        v = prod_of(kind, head) if product else sum_of(kind, head)
        if not isinstance(v.x, float):
            k = (i - 1) * u(kind)
            v.bound = k / (1 - k) * (abs(v.x) if product else sum(abs(q(x)) for x in head))
        r.append(v)
    return r


# --- cases ------------------------------------------------------------------------------------------------------------


def lines_along(a, axes):
    """The reduced sequences of an array in row-major order of the rest, as lists of Python numbers."""
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = a.transpose(kept + sorted(axes))
    count = math.prod(a.shape[i] for i in axes)
    outer = math.prod(a.shape[i] for i in kept)
    return moved.reshape(outer, count).tolist() if outer * count else [[] for _ in range(outer)]


def emit(function, name, parameter, axes, keepdim, compute, torch_call):
    """compute(kind, sequence) -> Value, or an integer; torch_call() -> tensor."""
    global extremal
    extremal = is_extremal(name)
    a = VIEWS[name]
    head = [function, name, str(parameter), joined(axes), int(keepdim)]
    try:
        t = torch_call(torch.from_numpy(a))
    except (RuntimeError, IndexError) as e:
        # without PyTorch's misprint, and with axes counted from the left
        sentence = re.sub(" *because", " because", str(e).split("\n")[0])
        if "to have non-zero size" in sentence or "cannot compute" in sentence:
            sentence = re.sub("dim(ension)? -([0-9])", lambda m: "dim%s %d" % (m[1] or "", a.ndim - int(m[2])), sentence)
        print(*head, "error", sentence, sep="\t")
        return
    if t.numel() > 60 and not extremal:
        return
    kind = NAMES[t.dtype]
    named = sorted({x % a.ndim for x in axes if a.ndim}) or list(range(a.ndim))
    values = [compute(kind, xs) for xs in lines_along(a, named)]
    if values and isinstance(values[0], list) and a.ndim == 0:
        values = values[0]
    if values and isinstance(values[0], list):  # along one axis: back into place
        inner = np.empty([a.shape[i] for i in range(a.ndim) if i != named[0]] + [a.shape[named[0]]], dtype=object)
        inner.reshape(-1)[:] = [v for line in values for v in line]
        values = list(np.moveaxis(inner, -1, named[0]).reshape(-1))
    theirs = t.reshape(-1).tolist()
    assert len(theirs) == len(values), head
    texts = [v.text(kind) if isinstance(v, Value) else str(int(v)) for v in values]
    for v, x, text in zip(values, theirs, texts):
        if not isinstance(v, Value):
            ok = v == x
        elif text in ("nan", "inf", "-inf"):
            ok = (x != x) if text == "nan" else x == float(text)
        else:
            # PyTorch adds in another order and squares inside; its products and powers have their own functions.
            ok = abs(D(x) - d(v.x)) <= 40 * d(v.bound) + 8 * abs(d(v.x)) * d(u(kind)) + D(10) ** -30
        if not ok and extremal:
            kinds = (text if text in ("nan", "inf", "-inf") else "number", "number" if math.isfinite(x) else str(x))
            differences[(function, str(parameter), kind, *kinds)] += 1
        elif not ok:
            print("PyTorch differs:", head, kind, text, x, file=sys.stderr)
            failures.append(head)
            break
    print(*head, kind, joined(t.shape), " ".join(texts), sep="\t")


failures = []
differences = Counter()


def axes_of(rank):
    return {0: [(), (0,), (-1,)], 1: [(), (0,), (-1,)], 2: [(), (0,), (1,), (-1,), (0, 1), (1, -2)], 3: [(), (0,), (1,), (2,), (0, 2), (-1, -2), (0, 1), (2, 0, 1)]}[rank]


def all_axes(rank, axes):
    return axes if axes else tuple(range(rank))


def with_axes(f):
    """f(tensor, axes, keepdim) for functions that take a tuple of axes."""
    return lambda axes, keepdim: lambda t: f(t, all_axes(t.dim(), axes), keepdim)


def one_by_one(f):
    """For functions that take one axis at a time."""
    def call(axes, keepdim):
        def run(t):
            dims = sorted((x % t.dim() for x in all_axes(t.dim(), axes)), reverse=True) if t.dim() else [axes[0] if axes else 0]
            for x in dims:
                t = f(t, x, keepdim)
            return t
        return run
    return call


def wrap64(x):
    return (x + 2**63) % 2**64 - 2**63


# Sums and products of integers wrap in i64.
def sum_any(kind, xs):
    return sum_of(kind, xs) if kind in FLOATS else wrap64(sum(map(int, xs)))


def prod_any(kind, xs):
    return prod_of(kind, xs) if kind in FLOATS else wrap64(math.prod(map(int, xs)))


def extreme(best):
    def compute(kind, xs):
        if kind not in FLOATS:
            return best(xs)
        x = NAN if any(y != y for y in xs) else best(xs)
        return Value(x if not math.isfinite(x) else q(x))
    return compute


def position(better):
    def compute(kind, xs):
        for i, x in enumerate(xs):
            if x != x:
                return i
        at = 0
        for i, x in enumerate(xs):
            if better(x, xs[at]):
                at = i
        return at
    return compute


def torch_position(f):
    def call(axes, keepdim):
        def run(t):
            t = t.to(torch.uint8) if t.dtype == torch.bool else t  # PyTorch has none for bool; NumPy counts it like this
            return f(t, axes[0], keepdim) if axes else f(t)
        return run
    return call


def truth(t):
    return t.to(torch.bool)  # u8 would give u8 in PyTorch, bool everywhere else


FUNCTIONS = {
    "sum": (sum_any, with_axes(lambda t, x, k: torch.sum(t, x, k))),
    "prod": (prod_any, one_by_one(lambda t, x, k: torch.prod(t, x, k))),
    "count_nonzero": (lambda kind, xs: sum(x != 0 for x in xs), with_axes(lambda t, x, k: torch.count_nonzero(t, x))),
    "amax": (extreme(lambda xs: max(xs)), lambda axes, keepdim: lambda t: torch.amax(t, axes, keepdim)),
    "amin": (extreme(lambda xs: min(xs)), lambda axes, keepdim: lambda t: torch.amin(t, axes, keepdim)),
    "any": (lambda kind, xs: any(x != 0 for x in xs), one_by_one(lambda t, x, k: torch.any(truth(t), x, k))),
    "all": (lambda kind, xs: all(x != 0 for x in xs), one_by_one(lambda t, x, k: torch.all(truth(t), x, k))),
    "argmax": (position(lambda x, y: x > y), torch_position(torch.argmax)),
    "argmin": (position(lambda x, y: x < y), torch_position(torch.argmin)),
    "mean": (lambda kind, xs: divided(kind, sum_of(kind, xs), len(xs)), with_axes(lambda t, x, k: torch.mean(t, x, k))),
    "logsumexp": (logsumexp_of, with_axes(lambda t, x, k: torch.logsumexp(t, x, k))),
}
for c in (0, 1, 2):
    FUNCTIONS["var", c] = (lambda kind, xs, c=c: var_of(kind, xs, c),
                           with_axes(lambda t, x, k, c=c: torch.var(t, x, correction=c, keepdim=k)))
FUNCTIONS["std", 1] = (lambda kind, xs: rooted(kind, var_of(kind, xs, 1)), with_axes(lambda t, x, k: torch.std(t, x, correction=1, keepdim=k)))
for p in (0, 1, 2, 3.5, -1, -2.5, INF, -INF):
    FUNCTIONS["norm", p] = (lambda kind, xs, p=p: norm_of(kind, xs, p),
                            lambda axes, keepdim, p=p: lambda t: torch.linalg.vector_norm(t, p, axes or None, keepdim=keepdim))

LONG = ("long", "tall", "tall_turned")
ANY_TYPE = ("sum", "prod", "count_nonzero", "amax", "amin", "any", "all", "argmax", "argmin")
number = 0
for key, (compute, call) in FUNCTIONS.items():
    function, parameter = key if isinstance(key, tuple) else (key, "-")
    for name in VIEWS:
        kind, rank = name.split(".")[0], VIEWS[name].ndim
        if function not in ANY_TYPE and kind not in FLOATS:
            continue
        if function == "prod" and name.endswith(LONG):  # beyond the range of the type on the way
            continue
        for axes in [(int(not name.endswith("turned")),)] if is_extremal(name) else axes_of(rank):
            if function in ("argmax", "argmin") and len(axes) > 1:
                continue
            number += not name.endswith("scalar")
            keeps = (False,) if is_extremal(name) else (False, True) if name.endswith(("plane", "no_rows", "scalar")) or rank == 3 else (number % 2 == 0,)
            for keepdim in keeps:
                if keepdim and (function == "count_nonzero" or not axes):
                    continue
                emit(function, name, parameter, axes, keepdim, compute, call(axes, keepdim))

for kind in FLOATS:
    for name in (kind + ".plane", kind + ".no_rows") + ((kind + ".line", kind + ".cube", kind + ".scalar") if kind == "f32" else ()):
        for key in ("sum", "amax", "argmax", ("var", 1), ("norm", 2), "logsumexp"):
            compute, call = FUNCTIONS[key]
            rank = VIEWS[name].ndim
            function, parameter = key if isinstance(key, tuple) else (key, "-")
            for axes in ((max(rank, 1),), (-max(rank, 1) - 1,)) + (((0, 0), (rank - 1, -1)) if key != "argmax" and rank > 1 and VIEWS[name].size else ()):
                emit(function, name, parameter, axes, False, compute, call(axes, False) if key != "argmax" else (lambda t, a=axes: torch.argmax(t, a[0])))

for function, call in (("cumsum", torch.cumsum), ("cumprod", torch.cumprod), ("softmax", torch.softmax), ("log_softmax", torch.log_softmax)):
    for name in VIEWS:
        kind, rank = name.split(".")[0], VIEWS[name].ndim
        if name.endswith(LONG) or ("soft" in function and kind not in FLOATS):
            continue
        axes = range(-1, max(rank, 1) + name.endswith(("plane", "scalar")))
        for axis in [int(not name.endswith("turned"))] if is_extremal(name) else axes:
            if "soft" in function:
                compute = lambda k, xs: softmax_of(k, xs, function == "log_softmax")
            else:
                product = function == "cumprod"

                def compute(k, xs):
                    if k in FLOATS:
                        return scan_of(k, xs, product)
                    return [wrap64((math.prod if product else sum)(map(int, xs[:i + 1]))) for i in range(len(xs))]
            emit(function, name, "-", (axis,), False, compute, lambda t: call(t, axis))

# dist: the other array broadcasts.
for kind in FLOATS:
    for a, b in (("plane", "rows"), ("plane", "plane"), ("plane", "flipped"), ("row", "column"), ("turned", "turned"), ("odd", "odd"), ("no_rows", "no_rows"),
                 ("columns", "row"), ("column", "columns")):
        x, y = VIEWS[kind + "." + a], VIEWS[kind + "." + b]
        for p in (0, 1, 2, 3.5, -1, INF, -INF):
            head = ["dist", kind + "." + a, "%s:%s" % (p, kind + "." + b), "-", 0]
            try:
                t = torch.dist(torch.from_numpy(x), torch.from_numpy(y), p)
            except (RuntimeError, IndexError) as e:
                print(*head, "error", str(e).split("\n")[0], sep="\t")
                continue
            with np.errstate(all="ignore"):
                difference = [float(v) for v in np.subtract(*np.broadcast_arrays(x, y)).reshape(-1)]
            v = norm_of(kind, difference, p) if difference else Value(q(t.item()))  # 0 of no elements, for every p
            print(*head, kind, "-", v.text(kind), sep="\t")

# sum_to: what sum_to_size gives.
for kind in ("i32", "f32", "f64"):
    for layout, targets in (("plane", ((4, 6), (1, 6), (4, 1), (1, 1), (6,), (1,), (), (5,), (4,), (2, 6), (1, 4, 6))),
                            ("columns", ((4, 5), (4, 1), (5,), ())), ("row", ((1, 5), (1, 1), (5,), ())), ("no_rows", ((0, 3), (1, 3), (3,), (0, 1), (1,)))):
        name = kind + "." + layout
        a = VIEWS[name]
        for target in targets:
            head = ["sum_to", name, joined(target), "-", 0]
            try:
                t = torch.from_numpy(a).sum_to_size(target)
            except (RuntimeError, IndexError) as e:
                print(*head, "error", str(e).split("\n")[0], sep="\t")
                continue
            gone = a.ndim - len(target)
            axes = [i for i in range(a.ndim) if i < gone or (target[i - gone] == 1 and a.shape[i] != 1)]
            out = "i64" if kind == "i32" else kind
            values = [sum_any(out, xs) for xs in lines_along(a, axes)] if axes else [sum_any(out, [x]) for x in a.reshape(-1).tolist()]
            print(*head, out, joined(target), " ".join(v.text(out) if isinstance(v, Value) else str(v) for v in values), sep="\t")

known = {}
for text in (pathlib.Path(__file__).parent / "reduce_differences.tsv").read_text().splitlines():
    if not text.startswith("#"):
        *key, count, reason = text.split("\t")
        known[tuple(key)] = int(count)
for key in sorted({*differences, *known}):
    if differences[key] != known.get(key, 0):
        print(*key, "differ in", differences[key], "elements instead of", known.get(key, 0), file=sys.stderr)
        failures.append(key)
if failures:
    sys.exit("PyTorch disagrees with the table in %d cases" % len(failures))
