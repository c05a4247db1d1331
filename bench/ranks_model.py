#!/usr/bin/env python3
"""What operations over distributed arrays send: counted by running them, computed from the shape, and the least that must be
sent; and a model of weak scaling to many ranks, made of the computed counts, a latency, a bandwidth and local times.

usage: ranks_model.py RANKS_TRAFFIC [--ranks 2,3,4,7] [--rows 100000] [--columns 16] [--latency 2e-6] [--bandwidth 10e9]

Prints tables as docs/internals/distributed.md has them, and ends with 1 if a count differs from the computed one.
"""
import argparse
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import over_ranks  # noqa: E402

STRIP, LANES, SIZE = 512, 16, 4  # of f32


def blocks(rows, ranks):
    """Where the default blocks begin: distributed/block_map.hpp."""
    unit = 1
    while unit * 2 <= rows // ranks // 64:
        unit *= 2
    each, more = divmod(rows, ranks)
    return [(each * r + min(r, more)) // unit * unit for r in range(ranks)] + [rows]


def canonical(begin, end):
    """Strips [begin, end) as pairs, pairs of pairs and so on: (first, level)."""
    found = []
    while begin < end:
        level = 0
        while begin % (2 << level) == 0 and begin + (2 << level) <= end:
            level += 1
        found.append((begin, level))
        begin += 1 << level
    return found


def merge(a, b):
    found = []
    for first, level in sorted(a + b):
        while found and found[-1][1] == level and found[-1][0] + (1 << level) == first and found[-1][0] % (2 << level) == 0:
            first, level = found.pop()[0], level + 1
        found.append((first, level))
    return found


class Traffic:
    """Messages and bytes of each rank, and the seconds of the slowest way through them."""

    def __init__(self, ranks, latency, bandwidth):
        self.messages, self.bytes = [0] * ranks, [0] * ranks
        self.seconds, self.latency, self.bandwidth = 0.0, latency, bandwidth

    def step(self, sends):
        """Messages at once: (rank, bytes)."""
        for rank, size in sends:
            self.messages[rank] += 1
            self.bytes[rank] += size
        if sends:
            self.seconds += self.latency + max(size for _, size in sends) / self.bandwidth

    def agreement(self):
        """An all-reduction of four bytes there and back along a tree, which MPI makes and the counts leave out."""
        ranks = len(self.messages)
        self.seconds += 2 * (ranks - 1).bit_length() * self.latency

    def doubling(self, lists, size_of, joined):
        ranks = len(lists)
        power = 1 << (ranks.bit_length() - 1)
        self.step([(r, size_of(lists[r])) for r in range(power, ranks)])
        for r in range(power, ranks):
            lists[r - power] = joined(lists[r - power], lists[r])
        distance = 1
        while distance < power:
            self.step([(r, size_of(lists[r])) for r in range(power)])
            lists = [joined(lists[r], lists[r ^ distance]) for r in range(power)]
            distance *= 2
        self.step([(r - power, size_of(lists[r - power])) for r in range(power, ranks)])


def owned(first, rows):
    """Strips that end on each rank."""
    return [canonical(a // STRIP, (b + STRIP - 1) // STRIP if b == rows else b // STRIP) if b > a else []
            for a, b in zip(first, first[1:])]


def open_strips(t, first, rows, size_of):
    """Ranks whose last strip goes on elsewhere tell the next one of it. Blocks are longer than a strip here."""
    t.step([(r, size_of(first[r + 1] % STRIP)) for r in range(len(first) - 2) if first[r + 1] % STRIP and first[r + 1] < rows])


def reduction(t, first, columns):
    rows = first[-1]
    open_strips(t, first, rows, lambda seen: min(seen, LANES) * columns * SIZE)
    t.doubling(owned(first, rows), lambda x: len(x) * (16 + columns * SIZE), merge)


def transposed(t, first, columns):
    rows = first[-1]
    for _ in range(2):
        open_strips(t, first, rows, lambda seen: seen * columns * SIZE)
    t.doubling(owned(first, rows), lambda x: len(x) * (16 + columns * columns * SIZE), merge)


def halo(t, first, columns):
    ranks = len(first) - 1
    sends = [(r, columns * SIZE) for r in range(ranks) for other in (r - 1, r + 1) if 0 <= other < ranks]
    for rank, size in sends:
        t.messages[rank] += 1
        t.bytes[rank] += size
    t.seconds += (t.latency + columns * SIZE / t.bandwidth) if sends else 0


# What is done, the agreements, and the least bytes of all ranks: results of so many elements come together once and go out
# once, halos are received.
OPERATIONS = {
    "pointwise": ([], 1, lambda p, k: 0),
    "product": ([], 1, lambda p, k: 0),
    "sum": ([reduction], 2, lambda p, k: 2 * (p - 1) * k * SIZE),
    "argmax": ([lambda t, first, k: t.doubling([1] * (len(first) - 1), lambda x: 16 * k, lambda a, b: 1)], 2,
               lambda p, k: 2 * (p - 1) * k * (SIZE + 8)),
    "standardise": ([reduction] * 2, 3, lambda p, k: 4 * (p - 1) * k * SIZE),
    "softmax": ([reduction] * 2, 3, lambda p, k: 4 * (p - 1) * k * SIZE),
    "transposed": ([transposed], 2, lambda p, k: 2 * (p - 1) * k * k * SIZE),
    "halo": ([halo], 1, lambda p, k: 2 * (p - 1) * k * SIZE),
}


def computed(name, ranks, rows, columns, latency, bandwidth):
    steps, agreements, _ = OPERATIONS[name]
    t = Traffic(ranks, latency, bandwidth)
    first = blocks(rows * ranks, ranks)
    for step in steps:
        step(t, first, columns)
    for _ in range(agreements if ranks > 1 else 0):
        t.agreement()
    return t


def measured(program, ranks, rows, columns):
    """By operation: lists of messages and bytes of each rank, agreements, and the longest time."""
    status, text, errors = over_ranks.run(shutil.which("mpirun.openmpi") or "mpirun", ranks, program, str(rows), str(columns))
    if status != 0:
        sys.exit(text + errors)
    found = {}
    for name, rank, messages, size, agreements, seconds in re.findall(r"^(\w+) (\d+) (\d+) (\d+) (\d+) ([\d.]+)$", text, re.M):
        m, b, _, s = found.get(name, ([0] * ranks, [0] * ranks, 0, 0.0))
        m[int(rank)], b[int(rank)] = int(messages), int(size)
        found[name] = (m, b, int(agreements), max(s, float(seconds)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--ranks", default="2,3,4,7")
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--columns", type=int, default=16)
    parser.add_argument("--latency", type=float, default=2e-6)
    parser.add_argument("--bandwidth", type=float, default=10e9)
    o = parser.parse_args()
    counts = [int(n) for n in o.ranks.split(",")]
    wrong = 0
    print(f"{o.rows} rows of {o.columns} f32 on each rank. Messages / bytes of all ranks, and bytes over the least.\n")
    print("| | " + " | ".join(f"{p} ranks" for p in counts) + " |\n|---|" + "---|" * len(counts))
    by_ranks = {p: measured(o.program, p, o.rows, o.columns) for p in counts}
    for name, (_, agreements, least) in OPERATIONS.items():
        cells = []
        for p in counts:
            messages, size, agreed, _ = by_ranks[p][name]
            t = computed(name, p, o.rows, o.columns, o.latency, o.bandwidth)
            if (t.messages, t.bytes, agreements) != (messages, size, agreed):
                wrong += 1
                print(f"{name} over {p} ranks: counted {messages} {size} {agreed}, computed {t.messages} {t.bytes} {agreements}")
            must = least(p, o.columns)
            cells.append(f"{sum(messages)} / {sum(size)}" + (f" ({sum(size) / must:.2f})" if must else ""))
        print(f"| {name} | " + " | ".join(cells) + " |")
    local = {name: x[3] for name, x in measured(o.program, 1, o.rows, o.columns).items()}
    many = [1, 4, 16, 64, 256, 1024]
    print(f"\nModel: {o.latency * 1e6:g} us a message, {o.bandwidth / 1e9:g} GB/s. Efficiency of weak scaling.\n")
    print("| | local ms | " + " | ".join(f"{p} ranks" for p in many) + " |\n|---|---|" + "---|" * len(many))
    for name in OPERATIONS:
        seconds = local[name]
        cells = [f"{seconds / (seconds + computed(name, p, o.rows, o.columns, o.latency, o.bandwidth).seconds):.3f}" for p in many]
        print(f"| {name} | {seconds * 1e3:.2f} | " + " | ".join(cells) + " |")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
