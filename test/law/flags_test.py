#!/usr/bin/env python3
"""Compares the bits of a program that is compiled with different flags. By TAP.

usage: flags_test.py SOURCE_ROOT BUILD_ROOT COMPILER...

What headers compute is compiled with the caller's flags: it must round as the library does. -ffast-math and its parts are
refused unless a macro allows them. BROADLOOM_FLAGS=all in the environment tries all sets of flags, else a few.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from tap import Tap  # noqa: E402

PROGRAM = r"""
#include <broadloom/broadloom.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/random/continuous.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>

namespace bl = broadloom;
using namespace bl::literals;

template <class T, class E>
void print(const char* name, const E& e) {
  const auto x = bl::eval(e);
  std::uint64_t hash = 14695981039346656037u;
  const unsigned char* p = reinterpret_cast<const unsigned char*>(x.data());
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.size()) * sizeof(T); ++i) hash = (hash ^ p[i]) * 1099511628211u;
  std::printf("%s %zu %016llx\n", name, sizeof(T), static_cast<unsigned long long>(hash));
}

template <class T>
void all() {
  bl::generator g(5);
  const auto line = bl::linspace<T>(T(-3), T(4), 703);
  print<T>("linspace", line);
  print<T>("arange", bl::arange<T>(T(-1.7), T(300), T(0.3)));
  const bl::dtensor<T, 1> u = bl::uniform<T>(g, T(-3), T(4.1), {703}), z = bl::normal<T>(g, T(0.3), T(1.7), {703});
  print<T>("uniform", u);
  print<T>("normal", z);
  print<T>("arithmetic", (u * z + line) / (line * line + u) - z * u);
  print<T>("lerp", bl::lerp(u, z, line));
  print<T>("large", (u + T(1e8)) - T(1e8));
  const bl::dtensor<T, 1> lost = bl::where(u > 3, std::numeric_limits<T>::quiet_NaN(), u);
  print<T>("maximum", bl::maximum(lost, z));
  print<bool>("isnan", bl::isnan(lost));
  print<T>("sums", bl::sum(bl::reshape(bl::eval(u * z), 19, 37), 1));
  print<T>("norm", bl::norm(bl::reshape(u, 19, 37), 2_c, 1));
  print<T>("mean", bl::mean(bl::reshape(u, 19, 37), 0));
  print<T>("histogram", bl::histogram(u, 13).edges);
  print<double>("interp", bl::interp(u, bl::dtensor<double, 1>{-3, 0.1, 5}, bl::dtensor<double, 1>{1.1, 7.3, -2.9}));
  bl::tensor<T, bl::shape<2, 2>> a2;
  bl::tensor<T, bl::shape<3, 3>> a3;
  bl::tensor<T, bl::shape<7, 7>> a7;
  for (int i = 0; i < 49; ++i) {
    if (i < 4) a2.data()[i] = z.data()[i];
    if (i < 9) a3.data()[i] = z.data()[i + 4];
    a7.data()[i] = z.data()[i + 13];
  }
  const bl::tensor<T, bl::shape<2>> b2{1, 3}, x2 = bl::solve(a2, b2);
  const bl::tensor<T, bl::shape<3>> b3{1, 3, 2}, x3 = bl::solve(a3, b3);
  const bl::tensor<T, bl::shape<7>> b7{1, 3, 2, 5, 4, 7, 6}, x7 = bl::solve(a7, b7);
  print<T>("solve 2", x2);
  print<T>("solve 3", x3);
  print<T>("solve 7", x7);
  const bl::tensor<T, bl::shape<3, 3>> square = a3 * a3 - a3;
  print<T>("static", square);
}

int main() {
  all<float>();
  all<double>();
}
"""

FEW = (
    ["-O1"],
    ["-O3", "-march=native"],
    ["-O2", "-mfma", "-ffp-contract=fast"],
)
REST = (
    ["-O0"],
    ["-O2"],
    ["-O3"],
    ["-Os"],
    ["-O2", "-mavx2"],
    ["-O3", "-mavx2", "-mfma", "-ffp-contract=fast", "-funroll-loops"],
    ["-O2", "-fno-math-errno", "-fno-trapping-math"],
    ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"],
    ["-O2", "-frounding-math"],
    ["-O2", "-fwrapv", "-fno-strict-aliasing"],
    ["-O2", "-fno-inline-functions"],
)
REFUSED = (["-O2", "-ffast-math"], ["-Ofast"])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    compiler, library = sys.argv[3:], build / "lib"
    everything = os.environ.get("BROADLOOM_FLAGS") == "all"
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "flags.cpp", pathlib.Path(folder) / "flags"
        source.write_text(PROGRAM)

        def run(flags, only_parse=False):
            command = [*compiler, "-std=c++20", *flags, f"-I{root / 'include'}", str(source)]
            command += ["-fsyntax-only"] if only_parse else [
                "-o", str(binary), f"-L{library}", "-lbroadloom", f"-Wl,-rpath,{library}"]
            built = subprocess.run(command, capture_output=True, text=True, check=False)
            if built.returncode != 0 or only_parse:
                return built.returncode == 0, built.stderr
            ran = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
            return ran.returncode == 0, ran.stdout + ran.stderr

        first = None
        for flags in FEW + (REST if everything else ()):
            works, text = run(flags)
            problem = None if works else text[-3000:]
            if works and first is None:
                first = text
            elif works and text != first:
                differ = [a for a, b in zip(text.splitlines(), first.splitlines()) if a != b]
                problem = "other bits than with " + " ".join(FEW[0]) + ":\n" + "\n".join(differ)
            tap.case("the same bits with " + " ".join(flags), problem)
        for flags in REFUSED if everything else REFUSED[:1]:
            works, text = run(flags, only_parse=True)
            refused = not works and "BROADLOOM_ALLOW_FAST_MATH" in text
            tap.case(" ".join(flags) + " is refused", None if refused else text[-3000:] or "it compiles")
        if everything:
            works, text = run(["-O2", "-ffast-math", "-DBROADLOOM_ALLOW_FAST_MATH"])
            tap.case("-ffast-math works where it is allowed", None if works else text[-3000:])
    tap.finish()


if __name__ == "__main__":
    main()
