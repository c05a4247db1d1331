#!/usr/bin/python3
# Writes complex_cases.tsv: what PyTorch's functions give for complex numbers, and which it refuses.
#
#   test/data/complex_cases.py > test/data/complex_cases.tsv      (needs python3-torch)
#
# small, large and extremal are the numbers of PyTorch's own tests, as its generators give them.
#
# Lines, tab-separated, elements as the hexadecimal of their parts' bits, "re,im":
#   values <type> <one|two|special> x x ...      arguments of functions of one, of two (all pairs), and of exact functions
#   <function> <type> <one|two|special> <result type> r r ... <worst>     worst: by how many units of the last place of a
#       result's length these are off the true one, NumPy's in wider numbers; - for functions that are exact
#       for the numbers of PyTorch's tests also i=re,im i=re,im ...: what NumPy gives where it differs, whose results they take for right
#   <function> <type> <one|two|special> error
# From NumPy instead, in wider numbers: asin, acos and atan, of which PyTorch's vector code has few right bits, and the special
# rows of add, sub and neg, where it multiplies by alpha (infinity times zero) or subtracts from 0; sigmoid beside its poles by mpmath.
import math
import pathlib
import struct
import sys
import warnings

import mpmath
import numpy
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pytorch_numbers  # noqa: E402

warnings.simplefilter("ignore")
torch.set_num_threads(1)
mpmath.mp.prec = 200
INF, NAN = float("inf"), float("nan")
TYPES = {"c64": torch.complex64, "c128": torch.complex128}
NAMES = {torch.complex64: "c64", torch.complex128: "c128", torch.float32: "f32", torch.float64: "f64", torch.bool: "bool"}

PARTS = [1.0, -2.5, 0.5, 3.0, -0.125, 7.25, -40.0, 1e-3]
ONE = [complex(a, b) for a in PARTS for b in PARTS] + [complex(a, 0) for a in PARTS] + [complex(0, b) for b in PARTS]
ONE += [complex(1e15, -3e14), complex(3e-9, 1e-12), complex(-1e-8, 2e-7), complex(20, 1e-6), complex(-0.9999, 1e-4)]
TWO = [complex(a, b) for a in PARTS[:5] for b in PARTS[1:4]] + [complex(2, 0), complex(0, -1), complex(0.5, 0), complex(3e10, 1e10)]
SPECIAL_PARTS = [0.0, -0.0, 1.0, -INF, NAN]
SPECIAL = [complex(a, b) for a in SPECIAL_PARTS for b in SPECIAL_PARTS]

UNARY = ("neg real imag conj_physical positive abs angle sgn square sqrt rsqrt reciprocal exp log log2 log10 sin cos tan asin acos atan sinh cosh tanh "
         "asinh acosh atanh isnan isinf isfinite isreal logical_not sigmoid sign floor ceil trunc round relu erf exp2 expm1 "
         "log1p lgamma signbit isposinf").split()
BINARY = "add sub mul div pow eq ne logical_and logical_or logical_xor lt le gt ge maximum minimum fmod remainder atan2".split()
WIDER = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
# By mpmath: what PyTorch 1.13 has not, and sigmoid, of which it has few right bits beside the poles.
IN_MPMATH = {"expm1": mpmath.expm1, "log1p": mpmath.log1p}
BESIDE_POLES = {"sigmoid": lambda x: 1 / (1 + mpmath.exp(-x))}
IN_NUMPY = {"add": "add", "sub": "subtract", "neg": "negative"}
EXACT1 = "neg real imag conj_physical positive isnan isinf isfinite isreal logical_not".split()
EXACT2 = "add sub eq ne logical_and logical_or logical_xor".split()


TRUTH = {"mul": numpy.multiply, "div": numpy.divide, "pow": numpy.power, "square": numpy.square, "abs": numpy.abs, "angle": numpy.angle,
         "reciprocal": lambda x: 1 / x, "sgn": lambda x: x / numpy.abs(x), "rsqrt": lambda x: 1 / numpy.sqrt(x),
         "sigmoid": lambda x: 1 / (1 + numpy.exp(-x))}
TRUTH.update({f: getattr(numpy, f) for f in "sqrt exp log log2 log10 sin cos tan sinh cosh tanh".split()})
TRUTH.update({f: getattr(numpy, "arc" + f[1:]) for f in "asin acos atan asinh acosh atanh".split()})


# What PyTorch's tests compare with.
REFERENCE = {**TRUTH, "add": numpy.add, "sub": numpy.subtract, "neg": numpy.negative, "expm1": numpy.expm1, "log1p": numpy.log1p}


def agree(a, b):
    parts = ((a.real, b.real), (a.imag, b.imag))
    if all((x != x and y != y) or (x == y and math.copysign(1, x) == math.copysign(1, y)) for x, y in parts):
        return True
    size = max(abs(y) for _, y in parts)
    return 0 < size < INF and all(abs(x - y) <= 1e-5 * size for x, y in parts)


def in_numpy(name, args, result):
    if name not in REFERENCE:
        return ""
    with numpy.errstate(all="ignore"):
        r = REFERENCE[name](*[a.numpy() for a in args])
    texts = text(torch.from_numpy(r.astype(result.numpy().dtype))).split("\t")[1].split(" ")
    pairs = zip(result.tolist(), r.tolist(), texts)
    return " ".join("%d=%s" % (i, t) for i, (a, b, t) in enumerate(pairs) if not agree(a, b))


def error_of(which, name, args, result):
    if which in ("one", "two", "special"):
        errors[name] = worst_error(name, args, result)
        return errors[name]
    # Where PyTorch is off by more, its step left the range.
    return errors[name] if errors[name] == "-" else "%.3f" % max(float(errors[name]), float(worst_error(name, args, result, most=4)))


def other(which, name, args, result):
    differences = "" if which in ("one", "two", "special") else in_numpy(name, args, result)
    return [differences] if differences else []


def worst_error(name, args, result, most=INF):
    if name not in TRUTH:
        return "-"
    real = {torch.complex64: numpy.float32, torch.float32: numpy.float32}.get(result.dtype, numpy.float64)
    with numpy.errstate(all="ignore"):
        true = TRUTH[name](*[a.numpy().astype(numpy.clongdouble) for a in args])
        place = numpy.spacing(numpy.abs(true).astype(real)).astype(numpy.longdouble)
        off = numpy.abs(result.resolve_conj().numpy().astype(true.dtype) - true) / place
    return "%.3f" % max((float(e) for e in off if numpy.isfinite(e) and e <= most), default=0)


def hexes(x, kind):
    form = {"c64": "f", "f32": "f", "c128": "d", "f64": "d", "bool": "B"}[kind]
    size = struct.calcsize(form)
    return format(int.from_bytes(struct.pack("<" + form, x), "little"), "0%dx" % (2 * size))


def text(t):
    kind = NAMES[t.dtype]
    if t.is_complex():
        t = torch.view_as_real(t.resolve_conj().contiguous()).reshape(-1, 2)
        return kind + "\t" + " ".join(hexes(a, kind) + "," + hexes(b, kind) for a, b in t.tolist())
    return kind + "\t" + " ".join(hexes(x, kind) for x in t.reshape(-1).tolist())


for kind, dtype in TYPES.items():
    own = pytorch_numbers.lists(kind, dtype)
    named = {"one": ONE, "two": TWO, "special": SPECIAL, **own, "small_pairs": own["small"][::17], "large_pairs": own["large"][::9]}
    errors = {}
    lists = {name: torch.tensor(xs, dtype=dtype) for name, xs in named.items()}
    for name, xs in lists.items():
        print("values", kind, name, text(xs).split("\t")[1], sep="\t")
    jobs = [(n, "one", False) for n in UNARY] + [(n, "two", True) for n in BINARY]
    jobs += [(n, "special", False) for n in EXACT1] + [(n, "special", True) for n in EXACT2]
    jobs += [(n, which, False) for which in own for n in UNARY] + [(n, which, True) for which in ("small_pairs", "large_pairs", "extremal") for n in BINARY]
    for name, which, pair in jobs:
        xs = lists[which]
        if pair:
            both = torch.cartesian_prod(xs, xs)
            args = [both[:, 0].contiguous(), both[:, 1].contiguous()]
        else:
            args = [xs]
        if name in WIDER or (which == "special" and name in IN_NUMPY):
            f = getattr(numpy, WIDER.get(name) or IN_NUMPY[name])
            wide = f(*[a.numpy().astype(numpy.clongdouble) for a in args])
            rounded = torch.from_numpy(wide.astype(args[0].numpy().dtype))
            print(name, kind, which, text(rounded), error_of(which, name, args, rounded), *other(which, name, args, rounded), sep="\t")
            continue
        in_mpmath = IN_MPMATH.get(name) or (BESIDE_POLES.get(name) if which == "small" else None)
        if in_mpmath:
            true = [in_mpmath(mpmath.mpc(x)) for x in args[0].tolist()]
            result = torch.tensor([complex(x) for x in true], dtype=torch.complex128).to(dtype)
            print(name, kind, which, text(result), "0.708", *other(which, name, args, result), sep="\t")
            continue
        try:
            result = getattr(torch, name)(*args).resolve_conj()
            print(name, kind, which, text(result), error_of(which, name, args, result), *other(which, name, args, result), sep="\t")
        except (RuntimeError, NotImplementedError, TypeError):
            print(name, kind, which, "error", sep="\t")
