"""Writes random expressions of f32 and f64 as a C++ program that prints the bits of each result, to be compiled with
broadloom_single.hpp and with the library: test/package/single_test.py compares what they print.

usage: write_single_cases.py --seed S --cases N HEADER OUTPUT.cpp
"""
import argparse
import random

HEAD = """\
// Written by tools/write_single_cases.py --seed {seed} --cases {cases}.
#include <{header}>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace bl = broadloom;

// Numbers that any compiler makes the same of: positive and negative, of several magnitudes, exact in f32.
template <class T>
struct numbers {{
  std::uint32_t state;
  T next() {{
    state = state * 1664525u + 1013904223u;
    const int digits = static_cast<int>(state >> 12 & 0xfff) - 2048, scale = static_cast<int>(state >> 24 & 7);
    return static_cast<T>(digits) / static_cast<T>(1 << scale);
  }}
}};
template <class T, int R>
bl::dtensor<T, R> filled(std::uint32_t seed, const bl::dshape<R>& s) {{
  auto x = bl::dtensor<T, R>::uninitialised(s);
  numbers<T> n{{seed}};
  for (T& e : x) e = n.next();
  return x;
}}

template <class X>
void show(int number, const X& x) {{
  const auto r = bl::eval(x);
  std::uint64_t hash = 1469598103934665603u;
  for (auto e : r) {{
    std::uint64_t bits = 0;
    if (e == e) std::memcpy(&bits, &e, sizeof e);  // one NaN is as good as another
    hash = (hash ^ bits) * 1099511628211u;
  }}
  std::printf("%d %td %016llx\\n", number, r.size(), static_cast<unsigned long long>(hash));
}}
"""


class Writer:
    """Expressions over two extents, a small one m and n, that have values at run time. A shape is a list of "m", "n" at most
    once, and "1"; of at most four axes, so that no array is large."""

    def __init__(self, rng):
        self.rng = rng
        self.leaves = []

    def leaf(self, shape, kept):
        """An array of this shape, or with 1 in the place of some of its axes unless all are to be kept."""
        rng = self.rng
        extents = [e if kept or rng.random() < 0.75 else "1" for e in shape]
        if not kept and extents and extents == shape and rng.random() < 0.3:
            extents = extents[1:]
        dtype = rng.choice(["float", "float", "double"])
        name = f"x{len(self.leaves)}"
        rank = len(extents)
        self.leaves.append(f"  const auto {name} = filled<{dtype}, {rank}>({rng.randrange(1 << 30)}u, "
                           f"bl::dshape<{rank}>({', '.join(extents)}));")
        return name

    def tree(self, shape, depth, kept=False):
        rng = self.rng
        if depth == 0:
            return self.leaf(shape, kept)
        kind = rng.random()
        below = lambda kept=kept: self.tree(shape, depth - 1, kept)  # noqa: E731
        if kind < 0.4:
            op = rng.choice(["({} + {})", "({} - {})", "({} * {})", "({} / {})", "bl::maximum({}, {})",
                             "bl::minimum({}, {})"])
            sides = [below(), self.tree(shape, rng.randrange(depth))]
            return op.format(*sides)
        if kind < 0.55:
            op = rng.choice(["-{}", "bl::abs({})", "bl::sqrt(bl::abs({}))", "bl::square({})", "bl::floor({})",
                             "bl::relu({})", "({} * 0.5f)", "({} + 3)", "bl::reciprocal({})", "bl::cast<float>({})",
                             "bl::cast<double>({})"])
            return op.format(below())
        if kind < 0.62:
            return f"bl::where({below(False)} < {self.tree(shape, 0)}, {below()}, {self.tree(shape, 0)})"
        if kind < 0.67:
            return f"bl::addcmul({below()}, {self.tree(shape, 0)}, {self.tree(shape, 0)})"
        if kind < 0.85:
            return self.reduction(shape, depth)
        return self.moved(shape, depth)

    def reduction(self, shape, depth):
        rng = self.rng
        f = rng.choice(["sum", "sum", "mean", "amax", "amin", "var", "norm", "prod"])
        if not shape and rng.random() < 0.5:  # a whole array
            return f"bl::{f}({self.tree(['m', 'n'], depth - 1)})"
        if len(shape) == 4:
            return self.tree(shape, depth - 1)
        extra = "m" if "n" in shape else rng.choice("mn")
        at = rng.randrange(len(shape) + 1)
        inner = shape[:at] + [extra] + shape[at:]
        x = self.tree(inner, depth - 1, True)
        return f"bl::{f}({x}, bl::axes<{at}>)"

    def moved(self, shape, depth):
        rng = self.rng
        rank = len(shape)
        kind = rng.randrange(6)
        if kind == 0 and rank == 2:
            return f"bl::transpose({self.tree(shape[::-1], depth - 1, True)}, 0, 1)"
        if rank == 0:
            return self.tree(shape, depth - 1)
        axis = rng.randrange(rank)
        inner = self.tree(shape, depth - 1, True)
        if kind == 1:
            return f"bl::flip({inner}, {axis})"
        if kind == 2:
            return f"bl::cumsum({inner}, {axis})"
        if kind == 3:
            return f"bl::roll({inner}, 2, {axis})"
        if kind == 4:
            return f"bl::let({inner})"
        return f"bl::index_select({inner}, {axis}, bl::arange<bl::index>({shape[axis]}))"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("header")
    parser.add_argument("output")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with open(options.output, "w") as to:
        to.write(HEAD.format(seed=options.seed, cases=options.cases, header=options.header))
        for k in range(options.cases):
            writer = Writer(rng)
            shape = rng.choice([[], ["m"], ["n"], ["m", "n"], ["n", "m"], ["m", "m"]])
            e = writer.tree(shape, rng.randrange(1, 4))
            to.write("\n".join([f"static void case{k}(bl::index m, bl::index n) {{", *writer.leaves,
                                "  static_cast<void>(m), static_cast<void>(n);", f"  show({k}, {e});", "}", ""]))
        to.write("int main() {\n  const bl::index sizes[][2] = {{3, 7}, {1, 33}, {5, 40}, {2, 1100}};\n"
                 "  for (const auto& s : sizes) {\n")
        for k in range(options.cases):
            to.write(f"    case{k}(s[0], s[1]);\n")
        to.write("  }\n}\n")


if __name__ == "__main__":
    main()
