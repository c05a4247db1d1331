#!/usr/bin/env python3
"""Writes test/data/advanced_cases.tsv: what NumPy gives for 20,000 index expressions, and test/index/advanced_patterns.def, the kinds
of their arguments.

usage: test/data/advanced_cases.py

A pattern is the rank of the array and the kinds of the arguments: i a number, s a range, n a new axis, e an ellipsis, 0 1 2 positions
of that rank, m b masks of rank 1 and 2. A line holds the pattern's number, the extents, the arguments, the extents of the result, and
two hashes: of the elements read, and of the array after 1, 2, 3 ... is assigned to the expression. Needs python3-numpy.
"""
import itertools
import pathlib
import random

import numpy as np

chance = random.Random(20)
takes = {"i": 1, "s": 1, "n": 0, "e": 0, "0": 1, "1": 1, "2": 1, "m": 1, "b": 2}
wanted = 20000


def patterns():
    found = set()
    arrays = "012mb"
    for rank in (1, 2, 3, 4):
        pool = []
        for length in range(1, rank + 2):
            for items in itertools.product("isne012mb", repeat=length):
                if sum(takes[k] for k in items) > rank or not any(k in arrays for k in items):
                    continue
                if items.count("e") > 1 or items.count("n") > 1 or sum(k in arrays for k in items) > 3:
                    continue
                pool.append((rank, "".join(items)))
        chance.shuffle(pool)
        found.update(pool[: {1: 9, 2: 36, 3: 42, 4: 33}[rank]])
    return sorted(found)


def hash_of(values):
    h = 14695981039346656037
    for v in values:
        h = ((h ^ (int(v) & 0xFFFFFFFFFFFFFFFF)) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h


def arguments(items, shape):
    """The arguments as NumPy takes them and as the table writes them."""
    total = sum(takes[k] for k in items)
    common = [chance.randint(1, 3) for _ in range(2)]
    masks = [k for k in items if k in "mb"]
    given, written, axis = [], [], 0
    for k in items:
        n = shape[axis] if axis < len(shape) else 0
        if k == "e":
            given.append(Ellipsis)
            written.append("")
            axis += len(shape) - total
            continue
        if k == "i":
            given.append(chance.randint(-n, n - 1))
            written.append(str(given[-1]))
        elif k == "s":
            bounds = [chance.choice([None, chance.randint(-n - 1, n + 1)]) for _ in range(2)] + [chance.choice([1, 1, 2, -1, -2])]
            given.append(slice(*bounds))
            written.append(",".join("x" if b is None else str(b) for b in bounds))
        elif k == "n":
            given.append(None)
            written.append("")
        elif k in "012":
            rank = int(k)
            extents = [1 if chance.random() < 0.3 else e for e in common[2 - rank:]]
            if masks:  # what masks give has one axis, of an extent that positions fit if it is 1
                extents = [1] * rank
            p = np.array([chance.randint(-n, n - 1) for _ in range(int(np.prod(extents)))], dtype=np.int64).reshape(extents)
            given.append(p)
            written.append(",".join(map(str, extents)) + ":" + ",".join(str(v) for v in p.reshape(-1)))
        else:
            rank = takes[k]
            m = np.zeros(shape[axis:axis + rank], dtype=bool)
            size = m.size
            count = chance.randint(0, size) if len(masks) == 1 else min(size, 2)
            m.reshape(-1)[chance.sample(range(size), count)] = True
            given.append(m)
            written.append("".join("1" if v else "0" for v in m.reshape(-1)))
        axis += takes[k]
    return tuple(given), written


lines = []
all_patterns = patterns()
turn = 0
while len(lines) < wanted:
    number = turn % len(all_patterns)
    turn += 1
    rank, items = all_patterns[number]
    shape = [chance.randint(2, 4) for _ in range(rank)]
    x = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    given, written = arguments(items, shape)
    read = x[given]
    changed = x.copy()
    changed[given] = np.arange(1, read.size + 1, dtype=np.int64).reshape(read.shape)
    lines.append("\t".join([str(number), ",".join(map(str, shape)), ";".join(written), ",".join(map(str, read.shape)),
                            f"{hash_of(read.reshape(-1)):x}", f"{hash_of(changed.reshape(-1)):x}"]))

folder = pathlib.Path(__file__).resolve().parent
(folder / "advanced_cases.tsv").write_text("\n".join(lines) + "\n")
kinds = {"i": "number", "s": "range", "n": "axis", "e": "rest", "0": "places<0>", "1": "places<1>", "2": "places<2>", "m": "mask<1>", "b": "mask<2>"}
with open(folder.parent / "index" / "advanced_patterns.def", "w") as file:
    for rank, items in all_patterns:
        file.write(f"PATTERN({rank}, {', '.join(kinds[k] for k in items)})\n")
print(len(lines), "lines,", len(all_patterns), "patterns")
