"""What NumPy's float16 gives, as hashes of all results: conversions from and to float32, texts, arithmetic. Run it with a
Python that has NumPy: python3 test/data/half_cases.py > test/data/half_cases.tsv."""
import numpy as np

np.seterr(all="ignore")


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = (h ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def show(name, data):
    print(f"{name}\t{fnv(data)}")


every = np.arange(65536, dtype=np.uint32).astype(np.uint16)
numbers = every[(every & 0x7FFF) <= 0x7C00].view(np.float16)
show("to_f32", numbers.astype("<f4").tobytes())

# As `boundaries` in test/fn/half_test.cpp.
low = every[:0x7C00].view(np.float16).astype(np.float64)
high = np.append(low[1:], 2 * low[-1] - low[-2])
middle = ((low + high) / 2).astype(np.float32)
columns = [low.astype(np.float32), middle, np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.float32(np.inf))]
given = np.stack([s * x for x in columns for s in (np.float32(1), np.float32(-1))], axis=1).reshape(-1)
f32 = np.finfo(np.float32)
last = [np.inf, f32.max, f32.tiny, f32.smallest_subnormal, 65536.0, 1e-8, 3e-8]
given = np.append(given, np.array([s * x for x in last for s in (1, -1)], dtype=np.float32))
show("from_f32", given.astype(np.float16).astype("<f2").tobytes())

finite = every[:0x7C00].view(np.float16)
show("scalar_texts", "".join(str(x) + "\n" for x in finite).encode())
rows = []
for i in range(0, 0x7C00, 16):
    rows.append(str(finite[[(i + k * 1597) % 0x7C00 for k in range(16)]]))
show("array_texts", "".join(r + "\n" for r in rows).encode())

state = 1


def drawn():
    global state
    while True:
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        bits = (state ^ state >> 15) >> 16
        if bits & 0x7FFF < 0x7C00:
            return bits


pairs = np.array([drawn() for _ in range(200000)], dtype=np.uint16).view(np.float16).reshape(-1, 2)
a, b = pairs[:, 0].copy(), pairs[:, 1].copy()
for name in ("add", "subtract", "multiply", "divide", "sqrt", "maximum", "rint", "nextafter"):
    function = getattr(np, name)
    result = function(a) if name in ("sqrt", "rint") else function(a, b)
    bits = result.view(np.uint16).copy()
    bits[np.isnan(result)] = 0x7E00
    show(name, bits.astype("<u2").tobytes())
