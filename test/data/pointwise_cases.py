#!/usr/bin/python3
# Writes pointwise_cases.tsv: what PyTorch's pointwise functions give for special and ordinary values of every element type.
#
#   test/data/pointwise_cases.py > test/data/pointwise_cases.tsv                  (needs python3-torch)
#   test/data/pointwise_cases.py extremal > test/data/extremal_cases.tsv
#
# The second one has the numbers of PyTorch's own tests (test_reference_numerics_small, _large and _extremal) instead of those
# below, as its own generators give them.
#
# Lines, tab-separated:
#   values <type> <one|two|three> x x ...        the arguments of functions of one, two (all pairs), three (all triples)
#   <function> <type> <number of arguments> <result type> r r ...     elements as the hexadecimal of their bits
#   <function> <type> <number of arguments> error
# For the functions in WIDE the results for f32 are those for f64, rounded: PyTorch's own f32 code for them is inaccurate.
# Integers of 32 bits and more are given with float64 as the default type, as this library computes functions of them.
# Left out are arguments that PyTorch itself does not survive: the smallest integer and divisions by 0 where integers are divided,
# and counts for which PyTorch leaves a shift to the processor.
import pathlib
import struct
import sys
import warnings

import torch
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pytorch_numbers  # noqa: E402

warnings.simplefilter("ignore")
torch.set_num_threads(1)

OF_PYTORCH = sys.argv[1:] == ["extremal"]
INF, NAN = float("inf"), float("nan")
TYPES = {"bool": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
         "u8": torch.uint8, "f32": torch.float32, "f64": torch.float64}
NAMES = {v: k for k, v in TYPES.items()}
FORMATS = {"bool": "B", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "f32": "f", "f64": "d"}


def values(kind, count):
    if OF_PYTORCH:
        return [x for which in pytorch_numbers.lists(kind, TYPES[kind]).values() for x in which]
    if kind == "bool":
        return [False, True]
    if kind in ("f32", "f64"):
        tiny, small, most = ((2.0**-149, 2.0**-126, 3.4028234663852886e38) if kind == "f32"
                             else (5e-324, 2.0**-1022, 1.7976931348623157e308))
        few = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, INF, NAN]
        some = few + [2.0, -INF, 3.7, -7.25, 1e-3, tiny, -most, 100.0, 0.9999]
        many = some + [-0.5, 1.5, 2.5, -1.5, -3.7, 0.1, -0.1, 0.9, 1e-30, -1e-3, 20.0, -20.0, 88.0, -88.0, 700.0, 1e10, -1e10,
                       8388607.5, -8388608.5, 4503599627370495.5, small, most, -tiny, 3.0, 6.0, -3.0, 0.49999997, 1.0000001]
        return {1: many, 2: some, 3: few}[count]
    bits = int(kind[1:])
    low, high = (0, 2**bits - 1) if kind[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)
    few = [0, 1, -3, 7, high]
    some = few + [-1, 2, 5, -7, 10, low, bits - 1, bits, 100]
    many = some + [3, 37, -100, high - 1, low + 1, 64]
    return [x for x in dict.fromkeys({1: many, 2: some, 3: few}[count]) if low <= x <= high]


def tensor(kind, xs):
    return torch.tensor(xs, dtype=TYPES[kind])


def text(t):
    kind = NAMES[t.dtype]
    size = struct.calcsize(FORMATS[kind])
    r = []
    for x in t.reshape(-1).tolist():
        try:
            raw = struct.pack("<" + FORMATS[kind], x)
        except OverflowError:
            raw = struct.pack("<f", INF if x > 0 else -INF)
        r.append(format(int.from_bytes(raw, "little"), "0%dx" % (2 * size)))
    return kind + "\t" + " ".join(r)


UNARY = {
    **{n: getattr(torch, n) for n in (
        "neg positive abs sign sgn square sqrt rsqrt reciprocal floor ceil trunc round frac bitwise_not logical_not isnan isinf "
        "isfinite isposinf isneginf signbit deg2rad rad2deg angle relu exp exp2 expm1 log log2 log10 log1p sin cos tan asin "
        "acos atan sinh cosh tanh asinh acosh atanh erf erfc lgamma sinc nan_to_num logit selu celu").split()},
    "relu6": F.relu6, "softsign": F.softsign, "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "hardtanh": F.hardtanh,
    "leaky_relu": F.leaky_relu, "hardshrink": F.hardshrink, "softshrink": F.softshrink, "entr": torch.special.entr,
    "silu": F.silu, "gelu": F.gelu, "tanhshrink": F.tanhshrink, "mish": F.mish, "logsigmoid": F.logsigmoid, "elu": F.elu,
    "softplus": F.softplus,
}
BINARY = {
    **{n: getattr(torch, n) for n in (
        "add sub mul div bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift eq ne lt le gt ge maximum "
        "minimum fmax fmin clamp_min clamp_max logical_and logical_or logical_xor gcd lcm copysign nextafter heaviside pow "
        "atan2 hypot fmod remainder floor_divide xlogy ldexp logaddexp logaddexp2").split()},
    "trunc_divide": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "xlog1py": torch.special.xlog1py,
}
TERNARY = {"clamp": torch.clamp, "where": lambda m, x, y: torch.where(m != 0, x, y), "lerp": torch.lerp}
SHIFTS = {"bitwise_left_shift", "bitwise_right_shift"}
DIVIDES = {"trunc_divide", "floor_divide", "fmod", "remainder"}
WIDE = {"elu", "celu", "selu", "logaddexp", "logaddexp2", "gelu", "silu", "mish", "log1p", "fmod", "softplus"}
KEEPS_OUT_SMALLEST = DIVIDES | {"gcd", "lcm"}

for kind in TYPES:
    for word, count in (("one", 1), ("two", 2), ("three", 3))[:2 if OF_PYTORCH else 3]:
        print("values", kind, word, text(tensor(kind, values(kind, count))).split("\t")[1], sep="\t")
for count, table in ((1, UNARY), (2, BINARY), (3, {} if OF_PYTORCH else TERNARY)):
    for name, f in table.items():
        for kind in TYPES:
            xs = values(kind, count)
            if name in KEEPS_OUT_SMALLEST and kind[0] == "i":
                xs = [x for x in xs if x != -2 ** (int(kind[1:]) - 1)]
            last = [x for x in xs if x != 0] if name in DIVIDES and kind[0] in "iu" else xs
            if name in SHIFTS and kind[0] in "iu":
                last = [x for x in xs if 0 <= x < int(kind[1:])]
            lists = [xs] * (count - 1) + [last]
            arguments = torch.cartesian_prod(*[tensor(kind, v) for v in lists]) if count > 1 else tensor(kind, xs)
            arguments = [a.contiguous() for a in arguments.unbind(1)] if count > 1 else [arguments]
            torch.set_default_dtype(torch.float64 if kind in ("i32", "i64") else torch.float32)
            try:
                # Long, contiguous arrays take PyTorch's vector code, which is what most of its results come from.
                wide = kind == "f32" and name in WIDE
                result = f(*[a.double() for a in arguments]).float() if wide else f(*arguments)
                print(name, kind, count, text(result), sep="\t")
            except (RuntimeError, NotImplementedError):
                print(name, kind, count, "error", sep="\t")
