#!/usr/bin/python3
"""Writes test/data/half_extremal_cases.tsv: what NumPy's float16 gives for the numbers of PyTorch's own tests and the ends of the range.

usage: test/data/half_extremal_cases.py > test/data/half_extremal_cases.tsv

Needs python3-torch and python3-numpy. The first line has the numbers; others a function and its results, of each number, or of all
pairs, the first operand changing first. Results are bits as hexadecimal digits; of flags 0 and 1.
"""
import warnings

import numpy as np
import torch

import pytorch_numbers

warnings.simplefilter("ignore")
np.seterr(all="ignore")
numbers = [np.float16(x) for xs in pytorch_numbers.lists("f16", torch.float16).values() for x in xs]
info = np.finfo(np.float16)
ends = [info.max, np.nextafter(info.max, np.float16(0)), info.tiny, np.nextafter(info.tiny, np.float16(0)), info.smallest_subnormal]
numbers += [np.float16(s * x) for x in ends for s in (1, -1)]
numbers = np.array(list({x.tobytes(): x for x in numbers}.values()))
n = len(numbers)
ONE = {"abs": np.abs, "neg": np.negative, "positive": np.positive, "square": np.square, "reciprocal": np.reciprocal, "sqrt": np.sqrt,
       "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.rint, "sign": np.sign, "deg2rad": np.deg2rad, "rad2deg": np.rad2deg,
       "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
       "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh,
       "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "isnan": np.isnan,
       "isinf": np.isinf, "isfinite": np.isfinite, "signbit": np.signbit, "logical_not": np.logical_not}
TWO = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "floor_divide": np.floor_divide, "fmod": np.fmod,
       "remainder": np.remainder, "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax, "fmin": np.fmin, "pow": np.power,
       "atan2": np.arctan2, "hypot": np.hypot, "copysign": np.copysign, "logaddexp": np.logaddexp, "logaddexp2": np.logaddexp2,
       "heaviside": np.heaviside, "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
       "ge": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


def line(name, x):
    texts = ("%d" % e for e in x) if x.dtype == bool else ("%04x" % e for e in x.view(np.uint16))
    print(name, " ".join(texts), sep="\t")


line("numbers", numbers)
for name, f in ONE.items():
    line(name, f(numbers))
for name, f in TWO.items():
    line(name, f(np.tile(numbers, n), np.repeat(numbers, n)))
