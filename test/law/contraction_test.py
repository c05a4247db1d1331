#!/usr/bin/env python3
"""Checks that a * b + c rounds twice whatever flags the user's file is compiled with. By TAP.

usage: contraction_test.py SOURCE_ROOT BUILD_ROOT COMPILER...

Compiles a program with flags that ask the compiler to fuse products and sums, and runs it: loops over dynamic and static
arrays and single elements must give the bits of separately rounded steps, and differ from a fused multiply-add.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from tap import Tap

program = r"""
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace bl = broadloom;

template <class T>
T separately(T c, T a, T b) {
  volatile T product = a * b;  // memory rounds
  volatile T sum = c + product;
  return sum;
}

template <class T>
bool same(T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class T>
int check(const char* name) {
  constexpr int n = 1003;
  bl::dtensor<T, 1> a(n), b(n), c(n), o(n);
  bl::tensor<T, bl::shape<6>> sa, sb, sc, so;
  unsigned long long state = 7;
  const auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<T>(static_cast<double>(state >> 11) / 9007199254740992.0) + T(0.5);
  };
  int wrong = 0, telling = 0;
  for (int i = 0; i < n; ++i) {
    a(i) = random();
    b(i) = random();
    c(i) = -(a(i) * b(i)) * (i % 2 == 0 ? T(1) : T(0.75));
  }
  for (int i = 0; i < 6; ++i) sa(i) = a(i), sb(i) = b(i), sc(i) = c(i);
  const auto look = [&](const char* what, int i, T got, T wanted) {
    if (!same(got, wanted) && ++wrong < 5) std::printf("%s, %s, element %d: %a, not %a\n", name, what, i, double(got), double(wanted));
  };
  o = c + a * b;
  const auto e = a * b + c;
  so = sc + sa * sb;
  const bl::dtensor<T, 1> minus = a * b - c, fused = bl::addcmul(c, a, b), square = c + bl::square(a), line = bl::lerp(a, b, c);
  for (int i = 0; i < n; ++i) {
    const T wanted = separately(c(i), a(i), b(i));
    if (!same(wanted, std::fma(a(i), b(i), c(i)))) ++telling;
    look("a loop", i, o(i), wanted);
    look("one element", i, e(i), wanted);
    look("addcmul", i, fused(i), wanted);
    look("a difference", i, minus(i), separately(-c(i), a(i), b(i)));
    look("a square", i, square(i), separately(c(i), a(i), a(i)));
    const T weight = c(i), far = b(i) - a(i);
    look("lerp", i, line(i), weight < T(0.5) ? separately(a(i), weight, far) : separately(b(i), -far, T(1) - weight));
    if (i < 6) look("a static array", i, so(i), wanted);
  }
  if (telling < 100) std::printf("%s: only %d of the numbers would show a difference\n", name, telling);
  return wrong > 0 || telling < 100;
}

int main() {
  int wrong = 0;
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    wrong += check<float>("f32");
    wrong += check<double>("f64");
  }
  return wrong > 0 ? 1 : 0;
}
"""

flag_sets = (
    ["-O2"],
    ["-O3", "-march=native", "-ffp-contract=fast"],
    ["-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math"],
)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    compiler = sys.argv[3:]
    library = build / "lib"
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "contraction.cpp"
        source.write_text(program)
        for flags in flag_sets:
            binary = pathlib.Path(folder) / "contraction"
            command = compiler + ["-std=c++20", *flags, f"-I{root / 'include'}", str(source), "-o", str(binary),
                                  f"-L{library}", "-lbroadloom", f"-Wl,-rpath,{library}"]
            built = subprocess.run(command, capture_output=True, text=True, check=False)
            problem = None
            if built.returncode != 0:
                problem = "it does not compile:\n" + built.stderr
            else:
                ran = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
                if ran.returncode != 0:
                    problem = f"exit {ran.returncode}\n" + ran.stdout + ran.stderr
            tap.case("products and sums round separately with " + " ".join(flags), problem)
    tap.finish()


if __name__ == "__main__":
    main()
