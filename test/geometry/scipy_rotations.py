"""Compares a program's rotations with SciPy's, or with their formulas in NumPy where there is no SciPy.

The file has columns of f64 one after the other, of as many rows as the second argument says. Prints who compared, and the largest
error of each result; "none" without NumPy.
"""
import sys

try:
    import numpy as np
except ImportError:
    print("none")
    sys.exit()

names = [("axis", 3), ("angle", 1), ("p", 4), ("q", 4), ("t", 1), ("matrix", 9), ("about", 4), ("product", 4), ("turned", 3), ("of_matrix", 4),
         ("slerp", 4)]
count = int(sys.argv[2])
data = np.fromfile(sys.argv[1])
x, at = {}, 0
for name, size in names:
    x[name] = data[at:at + size * count].reshape(count, size)
    at += size * count
assert at == len(data)
axis = x["axis"] / np.linalg.norm(x["axis"], axis=1, keepdims=True)
angle, t = x["angle"], x["t"]

try:
    from scipy.spatial.transform import Rotation

    who = "scipy"
    about = Rotation.from_rotvec(axis * angle)
    p, q = Rotation.from_quat(x["p"]), Rotation.from_quat(x["q"])
    matrix = about.as_matrix().reshape(count, 9)
    turn = about.as_quat()
    product = (p * q).as_quat()
    turned = p.apply(x["axis"])
    of_matrix = Rotation.from_matrix(x["matrix"].reshape(count, 3, 3)).as_quat()
    slerp = (p * Rotation.from_rotvec(t * (p.inv() * q).as_rotvec())).as_quat()
except ImportError:
    who = "numpy"

    def times(a, b):
        v = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
        return np.concatenate([v, a[:, 3:] * b[:, 3:] - np.sum(a[:, :3] * b[:, :3], axis=1, keepdims=True)], axis=1)

    turn = np.concatenate([axis * np.sin(angle / 2), np.cos(angle / 2)], axis=1)
    k = np.zeros((count, 3, 3))
    for i in range(3):
        k[:, (i + 2) % 3, (i + 1) % 3], k[:, (i + 1) % 3, (i + 2) % 3] = axis[:, i], -axis[:, i]
    matrix = (np.eye(3) + np.sin(angle)[:, :, None] * k + 2 * np.sin(angle / 2)[:, :, None] ** 2 * (k @ k)).reshape(count, 9)
    p, q = x["p"], x["q"]
    product = times(p, q)
    conjugate = p * [-1, -1, -1, 1]
    turned = times(times(p, np.concatenate([x["axis"], np.zeros((count, 1))], axis=1)), conjugate)[:, :3]
    of_matrix = turn
    between = times(conjugate, q)
    between *= np.where(between[:, 3:] < 0, -1, 1)
    sine = np.linalg.norm(between[:, :3], axis=1, keepdims=True)
    half = np.arctan2(sine, between[:, 3:]) * t
    way = np.divide(between[:, :3], sine, out=np.zeros((count, 3)), where=sine > 0)
    slerp = times(p, np.concatenate([way * np.sin(half), np.cos(half)], axis=1))


def off(a, b):
    return np.max(np.abs(a - b))


def off_as_rotations(a, b, rows=slice(None)):
    """q and -q are the same rotation."""
    return np.max(np.minimum(np.max(np.abs(a - b), axis=1), np.max(np.abs(a + b), axis=1))[rows])


# Half a turn apart, both ways are as short.
one_way = np.abs(np.sum(x["p"] * x["q"], axis=1)) > 1e-6
print(who, off(x["matrix"], matrix), off_as_rotations(x["about"], turn), off_as_rotations(x["product"], product),
      off(x["turned"], turned), off_as_rotations(x["of_matrix"], of_matrix), off_as_rotations(x["slerp"], slerp, one_way))
