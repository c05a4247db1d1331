"""NumPy, numexpr and numba as contenders: each workload as a user of the package writes it, into an existing output.

python.cpp runs this file in the benchmark's own process, so all contenders share the same memory.
"""
import ctypes
import math
import os

THREADS = os.cpu_count() or 1
os.environ.setdefault("NUMEXPR_MAX_THREADS", str(THREADS))
os.environ.setdefault("NUMBA_NUM_THREADS", str(THREADS))

import numpy as np

try:
    import numexpr
except ImportError:
    numexpr = None
try:
    import numba
except ImportError:
    numba = None

F32 = np.float32
TYPES = {"chain_f64": ("f8",), "int_add_compare": ("i4", "i4", "i4", "?"), "mixed_channels": ("u1", "f4", "u1"), "mixed_flat": ("u1", "f4", "u1")}
SMALL = [f"small_dynamic_{n}" for n in (4, 16, 64, 256, 1024, 4096)]


def array(address, shape, dtype):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


def repeated(solve):
    def run(n):
        for _ in range(n):
            solve()

    return run


# ---------------------------------------------------------------- NumPy
def numpy_small(o, a, b, c):
    return lambda: np.add(a, b * c, out=o)


def numpy_chain(o, a, b, c, d, e):
    return lambda: np.divide(a + b * c - d, e * e + 1.5, out=o)


NUMPY = {
    "add_big": lambda o, a, b: lambda: np.add(a, b, out=o),
    "chain_f32": numpy_chain,
    "chain_f64": numpy_chain,
    "addcmul_bcast": lambda o, a, b, c: lambda: np.add(a, b * c, out=o),
    "outer": lambda o, x, y: lambda: np.add(x, y, out=o),
    "batchnorm": lambda o, x, m, r, g, b: lambda: np.add((x - m) * r * g, b, out=o),
    "transpose_add": lambda o, a, b: lambda: np.add(a, b.T, out=o),
    "strided": lambda o, a, b: lambda: np.multiply(a[::2, ::3], b, out=o),
    "where_clamp": lambda o, a, b, c: lambda: np.copyto(o, np.where(a > b, np.clip(c, F32(0), F32(1)), b)),
    "int_add_compare": lambda o, a, b, c: lambda: np.greater(a + b, c, out=o),
    "hoist": lambda o, x, b, c: lambda: np.add(x * np.exp(b), np.log(c), out=o),
    "mixed_channels": lambda o, x, f: lambda: np.multiply(x, f, out=o, casting="unsafe"),
    "mixed_flat": lambda o, x, f: lambda: np.multiply(x, f, out=o, casting="unsafe"),
    "small_dynamic_outer": lambda o, x, y: lambda: np.add(x, y, out=o),
    **{name: numpy_small for name in SMALL},
}


# ---------------------------------------------------------------- numexpr
def expression(text, names, **constants):
    def make(o, *operands):
        values = dict(zip(names, operands), **constants)
        return lambda: numexpr.evaluate(text, local_dict=values, global_dict={}, out=o, casting="unsafe")

    return make


NUMEXPR = {
    "add_big": expression("a + b", "ab"),
    "chain_f32": expression("(a + b * c - d) / (e * e + h)", "abcde", h=F32(1.5)),
    "chain_f64": expression("(a + b * c - d) / (e * e + 1.5)", "abcde"),
    "addcmul_bcast": expression("a + b * c", "abc"),
    "outer": expression("x + y", "xy"),
    "batchnorm": expression("(x - m) * r * g + b", "xmrgb"),
    "transpose_add": lambda o, a, b: expression("a + t", "at")(o, a, b.T),
    "strided": lambda o, a, b: expression("s * b", "sb")(o, a[::2, ::3], b),
    "where_clamp": expression("where(a > b, where(c < zero, zero, where(c > one, one, c)), b)", "abc", zero=F32(0), one=F32(1)),
    "int_add_compare": expression("a + b > c", "abc"),
    "hoist": expression("x * exp(b) + log(c)", "xbc"),
}


# ---------------------------------------------------------------- numba
def jitted(loop, flat=True, parallel=True):
    def make(o, *operands):
        function = numba.njit(parallel=parallel)(loop)
        arguments = [x.reshape(-1) if flat else x for x in (o, *operands)]
        function(*arguments)
        return lambda: function(*arguments)

    return make


def make_numba():
    prange = numba.prange
    half = F32(1.5)
    zero, one = F32(0), F32(1)

    def add(o, a, b):
        for i in prange(o.size):
            o[i] = a[i] + b[i]

    def chain32(o, a, b, c, d, e):
        for i in prange(o.size):
            o[i] = (a[i] + b[i] * c[i] - d[i]) / (e[i] * e[i] + half)

    def chain64(o, a, b, c, d, e):
        for i in prange(o.size):
            o[i] = (a[i] + b[i] * c[i] - d[i]) / (e[i] * e[i] + 1.5)

    def addcmul(o, a, b, c):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                f = c[i, j, 0]
                for k in range(o.shape[2]):
                    o[i, j, k] = a[i, 0, k] + b[0, j, k] * f

    def outer(o, x, y):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = x[i, 0] + y[0, j]

    def batchnorm(o, x, m, r, g, b):
        for n in prange(o.shape[0]):
            for k in range(o.shape[1]):
                mean, scale, gain, shift = m[k, 0, 0], r[k, 0, 0], g[k, 0, 0], b[k, 0, 0]
                for i in range(o.shape[2]):
                    for j in range(o.shape[3]):
                        o[n, k, i, j] = (x[n, k, i, j] - mean) * scale * gain + shift

    def transpose_add(o, a, b):
        for tile in prange(o.shape[0] // 64):
            for j0 in range(0, o.shape[1], 64):
                for i in range(tile * 64, tile * 64 + 64):
                    for j in range(j0, j0 + 64):
                        o[i, j] = a[i, j] + b[j, i]

    rate, volatility, root_half = F32(0.02), F32(0.3), F32(0.707106781)

    def black_scholes(o, S, K, T):
        for i in prange(o.size):
            w = volatility * np.sqrt(T[i])
            d1 = (np.log(S[i] / K[i]) + (rate + volatility * volatility / 2) * T[i]) / w
            c1 = F32(0.5) + F32(0.5) * F32(math.erf(d1 * root_half))
            c2 = F32(0.5) + F32(0.5) * F32(math.erf((d1 - w) * root_half))
            o[i] = S[i] * c1 - K[i] * np.exp(-rate * T[i]) * c2

    def strided(o, a, b):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = a[2 * i, 3 * j] * b[i, j]

    def where_clamp(o, a, b, c):
        for i in prange(o.size):
            o[i] = min(max(c[i], zero), one) if a[i] > b[i] else b[i]

    def int_add_compare(o, a, b, c):
        for i in prange(o.size):
            o[i] = np.int32(a[i] + b[i]) > c[i]

    def hoist(o, x, b, c):
        scale = np.exp(b[0])
        for i in prange(o.shape[0]):
            shift = np.log(c[i, 0])
            for j in range(o.shape[1]):
                o[i, j] = x[i, j] * scale[j] + shift

    def mixed_channels(o, x, f):
        for i in prange(o.shape[0]):
            for j in range(o.shape[1]):
                for k in range(o.shape[2]):
                    o[i, j, k] = np.uint8(F32(x[i, j, k]) * f[k])

    def mixed_flat(o, x, f):
        for i in prange(o.size):
            o[i] = np.uint8(F32(x[i]) * f[i])

    def multiply_add(o, a, b, c):
        for i in range(o.size):
            o[i] = a[i] + b[i] * c[i]

    def small_outer(o, x, y):
        for i in range(o.shape[0]):
            for j in range(o.shape[1]):
                o[i, j] = x[i, 0] + y[0, j]

    return {
        "add_big": jitted(add),
        "chain_f32": jitted(chain32),
        "chain_f64": jitted(chain64),
        "addcmul_bcast": jitted(addcmul, False),
        "outer": jitted(outer, False),
        "batchnorm": jitted(batchnorm, False),
        "transpose_add": jitted(transpose_add, False),
        "black_scholes": jitted(black_scholes),
        "strided": jitted(strided, False),
        "where_clamp": jitted(where_clamp),
        "int_add_compare": jitted(int_add_compare),
        "hoist": jitted(hoist, False),
        "mixed_channels": jitted(mixed_channels, False),
        "mixed_flat": jitted(mixed_flat),
        "small_dynamic_outer": jitted(small_outer, False, False),
        **{name: jitted(multiply_add, True, False) for name in SMALL},
    }


def contenders():
    """Name, version, how it is used, and the workloads, of every package that is installed."""
    found = [("numpy", "NumPy " + np.__version__, "one thread", NUMPY)]
    if numexpr:
        found.append(("numexpr", "numexpr " + numexpr.__version__, f"{THREADS} threads", NUMEXPR))
    if numba:
        found.append(("numba", "numba " + numba.__version__, f"njit(parallel=True), {THREADS} threads; small: njit", make_numba()))
    return found


FOUND = contenders()


def make(contender, case, operands, output, threads):
    """A function that solves the case n times. operands, output: addresses and shapes."""
    cases = next(f[3] for f in FOUND if f[0] == contender)
    types = TYPES.get(case, ("f4",))
    arrays = [array(address, shape, types[min(k, len(types) - 1)]) for k, (address, shape) in enumerate(operands + [output])]
    if contender == "numexpr":
        numexpr.set_num_threads(threads)
    if contender == "numba":
        numba.set_num_threads(threads)
    return repeated(cases[case](arrays[-1], *arrays[:-1]))
