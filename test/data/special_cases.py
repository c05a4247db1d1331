#!/usr/bin/python3
"""Writes test/data/special_cases.tsv: special functions of ordinary and of special numbers.

usage: test/data/special_cases.py > test/data/special_cases.tsv

Needs python3-torch and python3-mpmath. Which arguments give infinities and NaN is PyTorch's, but for the decisions below; digits are
mpmath's, as PyTorch's own have down to seven. Lines, tab-separated: function, f32 or f64, arguments, result, as hexadecimal floating
numbers; f32 is the f64 result rounded.
"""
import math
import warnings

import mpmath as mp
import numpy as np
import torch

import pytorch_numbers

warnings.simplefilter("ignore")
mp.mp.dps = 50
INF, NAN = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, -3.0, INF, -INF, NAN]
SOME = [0.5, -0.5, 1e-3, -1e-3, 1e-8, 0.1, 0.9, 1.5, -1.5, -2.5, 3.7, -7.25, 5.0, 10.0, 17.3, 25.5, 29.0, 60.0, 200.0, 350.0, 700.0, -20.0]
UNIT = [1e-300, 1e-12, 1e-5, 0.02, 0.2, 0.4, 0.6, 0.75, 0.999, 1 - 1e-9, -1e-5, -0.02, -0.4, -0.999, 1.9, 1.0001]
s = torch.special
ONE = {
    "digamma": s.digamma, "trigamma": lambda x: torch.polygamma(1, x), "erfinv": s.erfinv, "erfcx": s.erfcx, "ndtr": s.ndtr,
    "ndtri": s.ndtri, "log_ndtr": s.log_ndtr, "i0": s.i0, "i0e": s.i0e, "i1": s.i1, "i1e": s.i1e,
    "modified_bessel_k0": s.modified_bessel_k0, "modified_bessel_k1": s.modified_bessel_k1,
    "scaled_modified_bessel_k0": s.scaled_modified_bessel_k0, "scaled_modified_bessel_k1": s.scaled_modified_bessel_k1,
    "bessel_j0": s.bessel_j0, "bessel_j1": s.bessel_j1, "bessel_y0": s.bessel_y0, "bessel_y1": s.bessel_y1,
    "spherical_bessel_j0": s.spherical_bessel_j0, "airy_ai": s.airy_ai,
}
ROOT = mp.sqrt(2)


def hurwitz(s, q):
    s, q = mp.mpf(s), mp.mpf(q)
    a = q + 400
    rest = a ** (1 - s) / (s - 1) + a**-s / 2 + sum(
        mp.bernoulli(2 * j) / mp.factorial(2 * j) * mp.rf(s, 2 * j - 1) * a ** (1 - s - 2 * j) for j in range(1, 30))
    return sum((q + k) ** -s for k in range(400)) + rest


def airy_ai(x):
    """Below -1000 Abramowitz and Stegun 10.4.60: PyTorch's and mpmath's fail at the end of the range."""
    if x >= -1000:
        return mp.airyai(x)
    phase, s, c, term = mp.mpf(-x) ** mp.mpf(1.5) * 2 / 3, 0, 0, mp.mpf(1)
    for k in range(40):
        sign = 1 if k % 4 < 2 else -1
        s, c = (s + sign * term, c) if k % 2 == 0 else (s, c + sign * term)
        term *= mp.mpf((6 * k + 5) * (6 * k + 3) * (6 * k + 1)) / (216 * (k + 1) * (2 * k + 1)) / phase
    return (mp.sin(phase + mp.pi / 4) * s - mp.cos(phase + mp.pi / 4) * c) / (mp.sqrt(mp.pi) * mp.mpf(-x) ** mp.mpf(0.25))


def trigamma(x):
    """Of large negative numbers mpmath adds as many terms."""
    return (mp.pi / mp.sin(mp.pi * mp.mpf(x))) ** 2 - mp.polygamma(1, 1 - mp.mpf(x)) if x < -1000 else mp.polygamma(1, x)


def erfc(x):
    """mpmath's fails for large x."""
    return mp.mpf(0) if x > 1e10 else mp.erfc(x)


def erfcx(x):
    x = mp.mpf(x)
    return 1 / (x * mp.sqrt(mp.pi)) * (1 - 1 / (2 * x * x)) if x > 1e10 else mp.exp(x * x) * mp.erfc(x)


def bessel_y(n, x):
    """mpmath takes minutes: the series (Abramowitz and Stegun 9.1.11), and for large x 9.2.6, whose terms fall to e^-2x."""
    x = mp.mpf(x)
    if x < 100:
        with mp.extradps(60):
            half, r = x / 2, 2 / mp.pi * mp.log(x / 2) * mp.besselj(n, x) - (2 / (mp.pi * x) if n else 0)
            for k in range(300):
                r -= (-1) ** k * (mp.digamma(k + 1) + mp.digamma(n + k + 1)) * half ** (2 * k + n) / (mp.pi * mp.factorial(k) * mp.factorial(n + k))
            return +r
    terms, a = [mp.mpf(1)], mp.mpf(1)
    for k in range(1, 60):
        a *= mp.mpf(4 * n * n - (2 * k - 1) ** 2) / (8 * k * x)
        terms.append(a)
    even = sum((-1) ** k * t for k, t in enumerate(terms[::2]))
    odd = sum((-1) ** k * t for k, t in enumerate(terms[1::2]))
    angle = x - (2 * n + 1) * mp.pi / 4
    return mp.sqrt(2 / (mp.pi * x)) * (even * mp.sin(angle) + odd * mp.cos(angle))


def steps(n, second, step):
    before, p = mp.mpf(1), mp.mpf(second)
    for k in range(1, int(n) + 1):
        before, p = p, step(k, p, before)
    return before


EXACT = {
    "digamma": mp.digamma, "trigamma": trigamma, "erfinv": mp.erfinv, "erfcinv": lambda x: mp.erfinv(1 - mp.mpf(x)),
    "erfcx": erfcx, "ndtr": lambda x: erfc(-x / ROOT) / 2, "ndtri": lambda x: ROOT * mp.erfinv(2 * mp.mpf(x) - 1),
    "log_ndtr": lambda x: mp.log(erfcx(-x / ROOT) / 2) - mp.mpf(x) ** 2 / 2 if x < -1 else mp.log1p(-erfc(x / ROOT) / 2),
    "i0": lambda x: mp.besseli(0, x), "i1": lambda x: mp.besseli(1, x), "i0e": lambda x: mp.besseli(0, x) * mp.exp(-abs(mp.mpf(x))),
    "i1e": lambda x: mp.besseli(1, x) * mp.exp(-abs(mp.mpf(x))),
    "modified_bessel_k0": lambda x: mp.besselk(0, x), "modified_bessel_k1": lambda x: mp.besselk(1, x),
    "scaled_modified_bessel_k0": lambda x: mp.besselk(0, x) * mp.exp(x), "scaled_modified_bessel_k1": lambda x: mp.besselk(1, x) * mp.exp(x),
    "bessel_j0": lambda x: mp.besselj(0, x), "bessel_j1": lambda x: mp.besselj(1, x), "bessel_y0": lambda x: bessel_y(0, x),
    "bessel_y1": lambda x: bessel_y(1, x), "spherical_bessel_j0": lambda x: mp.sin(x) / x if x else mp.mpf(1), "airy_ai": airy_ai,
    "zeta": hurwitz, "polygamma": lambda n, x: mp.polygamma(int(n), x),
    "gammainc": lambda a, x: mp.gammainc(a, 0, x, regularized=True), "gammaincc": lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True),
    "chebyshev_polynomial_t": lambda x, n: cheb(x, n, lambda t: t), "chebyshev_polynomial_u": lambda x, n: cheb(x, n, lambda t: 2 * t),
    "chebyshev_polynomial_v": lambda x, n: cheb(x, n, lambda t: 2 * t - 1), "chebyshev_polynomial_w": lambda x, n: cheb(x, n, lambda t: 2 * t + 1),
    "hermite_polynomial_h": lambda x, n: steps(n, 2 * x, lambda k, p, b: 2 * x * p - 2 * k * b),
    "laguerre_polynomial_l": lambda x, n: steps(n, 1 - x, lambda k, p, b: ((2 * k + 1 - x) * p - k * b) / (k + 1)),
    "hermite_polynomial_he": lambda x, n: steps(n, x, lambda k, p, b: x * p - k * b),
    "legendre_polynomial_p": lambda x, n: steps(n, x, lambda k, p, b: ((2 * k + 1) * x * p - k * b) / (k + 1)),
}
for each in "tuvw":
    EXACT["shifted_chebyshev_polynomial_" + each] = (
        lambda x, n, f=EXACT["chebyshev_polynomial_" + each]: f(2 * mp.mpf(x) - 1, n))


def cheb(x, n, second):
    before, p = mp.mpf(1), second(mp.mpf(x))
    for _ in range(int(n)):
        before, p = p, 2 * mp.mpf(x) * p - before
    return before


def result_of(name, torchs, *x):
    """The result for these arguments, given PyTorch's, or None for a function that it does not have."""
    if any(math.isnan(a) for a in x):
        return NAN  # PyTorch ignores some
    if "polynomial" in name and int(x[1]) < 0:
        return 0.0
    if name in ("trigamma", "polygamma") and (name == "trigamma" or x[0] > 0):
        at = x[-1]
        if at == -INF:
            return NAN
        if at <= 0 and at == math.floor(at):
            return INF if name == "trigamma" or x[0] % 2 == 1 else -INF  # poles; PyTorch finds numbers near 10^32 at some
        if at == INF:
            return -0.0 if name == "polygamma" and x[0] % 2 == 0 else 0.0  # limits; PyTorch has NaN
    if name == "zeta" and (math.isinf(x[0]) or math.isinf(x[1])) and x[0] > 1:
        if x[1] == INF:
            return 0.0
        if x[0] == INF and x[1] > 0:
            return 0.0 if x[1] > 1 else 1.0 if x[1] == 1 else INF
        if x[0] == INF and math.isfinite(x[1]) and x[1] == math.floor(x[1]):
            return INF
        return NAN
    if math.isinf(x[-1]) and (name in ("bessel_j0", "bessel_j1") or (x[-1] > 0 and name in ("bessel_y0", "bessel_y1", "airy_ai"))):
        return 0.0  # the limit, as in SciPy; PyTorch has NaN
    if ("modified_bessel_k" in name and 0 < x[0] < INF) or (name == "airy_ai" and -INF < x[0] < 0):
        torchs = None  # infinite or NaN for the smallest and for large numbers
    if name == "erfcinv" and not 0 < x[0] < 2:
        return INF if x[0] == 0 else -INF if x[0] == 2 else NAN
    if torchs is not None and not math.isfinite(torchs):
        return torchs
    if any(math.isinf(a) for a in x):
        return torchs
    if (name, x[0]) in (("gammainc", 0.0), ("gammaincc", 0.0)):
        return torchs
    with mp.workdps(700 if name in ("erfcinv", "ndtri") and 0 < x[0] < 1e-30 else mp.mp.dps):
        exact = EXACT[name](*x)
    found = float(mp.re(exact))
    return math.copysign(found, torchs) if found == 0 and torchs == 0 else found


def text(x):
    x = float(x)
    return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf") if math.isinf(x) else x.hex()


def line(name, arguments, result):
    print("\t".join([name, "f64", *map(text, arguments), text(result)]))
    single = [float(np.float32(a)) for a in arguments]
    if single == list(arguments) or any(math.isnan(a) for a in arguments):
        print("\t".join([name, "f32", *map(text, arguments), text(np.float32(result))]))


for name in sorted({*ONE, "erfcinv"}):
    for x in EDGES + SOME + (UNIT if name in ("erfinv", "erfcinv", "ndtri") else []):
        torchs = float(ONE[name](torch.tensor(x, dtype=torch.float64))) if name in ONE else None
        line(name, [x], result_of(name, torchs, x))

for q in EDGES + SOME:
    for x in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 40.0, -1.0, INF, NAN):
        line("zeta", [x, q], result_of("zeta", float(s.zeta(torch.tensor(x, dtype=torch.float64), torch.tensor(q, dtype=torch.float64))), x, q))
    for n in (0, 1, 2, 3, 7):
        line("polygamma", [float(n), q], result_of("polygamma", float(torch.polygamma(n, torch.tensor(q, dtype=torch.float64))), float(n), q))
for a in (0.0, -0.0, 0.5, 1.0, 2.5, 10.0, 50.0, 300.0, -1.0, INF, NAN):
    for x in (0.0, 0.1, 1.0, 2.0, 9.0, 60.0, 310.0, -1.0, INF, NAN):
        for name, f in (("gammainc", s.gammainc), ("gammaincc", s.gammaincc)):
            line(name, [a, x], result_of(name, float(f(torch.tensor(a, dtype=torch.float64), torch.tensor(x, dtype=torch.float64))), a, x))
for name in sorted(n for n in EXACT if "polynomial" in n):
    for x in (0.0, 1.0, -1.0, 0.5, -0.3, 0.9, 1.5, -2.25, 3.0):
        for n in (-1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 9.0, 2.7):
            result = float(getattr(s, name)(torch.tensor(x, dtype=torch.float64), torch.tensor(n, dtype=torch.float64)))
            line(name, [x, n], result_of(name, result, x, n))

# The numbers of PyTorch's own tests of functions, and the ends of the range with their neighbours.
ENDS = []
for name, kind in (("f32", torch.float32), ("f64", torch.float64)):
    info = torch.finfo(kind)
    single = np.float32 if name == "f32" else np.float64
    for x in (single(info.max), np.nextafter(single(info.max), single(0)), single(info.tiny), np.nextafter(single(info.tiny), single(0)), np.nextafter(single(0), single(1))):
        ENDS += [float(x), -float(x)]
    for x in [x for xs in pytorch_numbers.lists(name, kind).values() for x in xs]:
        if math.isfinite(x) and x not in EDGES + SOME + ENDS:
            ENDS.append(x)
for name in sorted({*ONE, "erfcinv"}):
    for x in ENDS:
        torchs = float(ONE[name](torch.tensor(x, dtype=torch.float64))) if name in ONE else None
        mp.mp.dps = 700 if abs(x) > 1e6 and ("bessel_" in name or "airy" in name) else 50  # sines of large numbers
        line(name, [x], result_of(name, torchs, x))

# Large orders, beside halves where terms cancel, and far from 0. PyTorch adds the terms from the first on, and loses all digits.
mp.mp.dps = 1500


def below(s, q):
    """The sum from q < 0 on, for whole s."""
    f = mp.mpf(q) - mp.floor(q)
    return hurwitz(s, f) + (-1) ** s * (hurwitz(s, 1 - f) - hurwitz(s, 1 - mp.mpf(q)))


for q in (-0.25, -0.5, -1.5, -1.25, -2.5, -1.5 + 2.0**-22, -1.5 + 2.0**-52, -1.5 - 2.0**-40, -7.25, -20.5, -1000.5, -1000.25, -123456.75, 0.25, 2.5, 30.0, 500.0):
    for n in (2, 3, 4, 8, 40, 41, 63, 64, 101, 102, 103, 170, 171, 400):
        exact = below(n + 1, q) if q < 0 else hurwitz(n + 1, q)
        line("zeta", [n + 1, q], math.copysign(float(exact), mp.sign(exact)))
        gamma = exact * (-1) ** (n + 1) * mp.factorial(n)
        line("polygamma", [n, q], math.copysign(float(gamma), mp.sign(gamma)))
