#!/usr/bin/env python3
"""The header broadloom_single.hpp compiles without a warning and without the library, in two files of one program; refuses
by a sentence what needs the library; and gives the library's bits for generated expressions. Reports by TAP.

usage: single_test.py SOURCE_ROOT LIBRARY COMPILER...

BROADLOOM_FUZZ_CASES: how many expressions, 60 unless set; BROADLOOM_SEED: of which seed, 1 unless set.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
library = pathlib.Path(sys.argv[2]).resolve()
compiler = sys.argv[3:] + ["-std=c++20", "-O0"]
cases = int(os.environ.get("BROADLOOM_FUZZ_CASES", "60"))
seed = os.environ.get("BROADLOOM_SEED", "1")

sys.path.insert(0, str(source / "tools"))
from tap import Tap  # noqa: E402

PROGRAM = """\
#include <broadloom_single.hpp>
#include <iostream>
namespace bl = broadloom;
float sum_of_others();
int main() {
  bl::dtensor<float, 2> a = bl::reshape(bl::arange<float>(6), 2, 3);
  a = a - bl::mean(a, bl::axes<1>, bl::keepdim) + bl::exp(bl::zeros<float>(3));
  a(bl::index_array{0}) = 2;
  bl::index_add_(a, 0, bl::index_array{1, 1}, bl::ones<float>(2, 3));
  std::cout << a << '\\n' << sum_of_others() << ' ' << bl::sum(bl::iota<int>(4) * bl::lazy_full({4}, 2)) << '\\n' << bl::nonzero(a > 2.5f) << ' ' << (a + 1).shape() << '\\n';
  try {
    a += bl::ones<float>(4);
  } catch (const bl::shape_error& e) {
    std::cout << e.what() << '\\n';
  }
}
"""
OTHER = """\
#include <broadloom_single.hpp>
float sum_of_others() { return broadloom::sum(broadloom::arange<float>(1000)).item(); }
"""
PRINTS = """\
[[2. 2. 2.]
 [2. 3. 4.]]
499500 12
[[1 1]
 [1 2]] (2, 3)
The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1
  add(2, 3,
         4)
         ^
"""
# Each does not compile, for the reason that the header gives.
REFUSED = {
    "a function of another header": "auto r = bl::sort(bl::arange<float>(6), 0);",
    "a function of the library": "bl::dtensor<std::complex<float>, 1> z = bl::exp(bl::dtensor<std::complex<float>, 1>(3));",
}
REFUSED_HEAD = "#include <complex>\n#include <broadloom_single.hpp>\nnamespace bl = broadloom;\nint main() {\n"
SENTENCE = re.compile("broadloom_single.hpp.does.not.have.this.function")


def run(*command, cwd=None):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd)


def program(name, *flags):
    """The words of the compiler, or None if there were none."""
    done = run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-I", folder, *flags, "-o", folder / name)
    return done.stdout + done.stderr or None


def printed(name):
    done = run(folder / name)
    return done.stdout if done.returncode == 0 else f"exit status {done.returncode}\n{done.stderr}"


def in_two_files():
    (folder / "main.cpp").write_text(PROGRAM)
    (folder / "other.cpp").write_text(OTHER)
    problem = program("two_files", folder / "main.cpp", folder / "other.cpp")
    if problem:
        return problem
    got = printed("two_files")
    return None if got == PRINTS else f"prints\n{got}"


def refused(body):
    (folder / "refused.cpp").write_text(REFUSED_HEAD + "  " + body + "\n}\n")
    problem = program("refused", folder / "refused.cpp")
    if problem is None:
        return "compiles"
    return None if SENTENCE.search(problem) else problem


def same_bits():
    said = {}
    link = ["-I", source / "include", library, f"-Wl,-rpath,{library.parent}"]
    for name, header, flags in (("single", "broadloom_single.hpp", []), ("library", "broadloom/broadloom.hpp", link)):
        path = folder / f"{name}.cpp"
        run(sys.executable, source / "tools/write_single_cases.py", "--seed", seed, "--cases", cases, header, path)
        problem = program(name, path, *flags)
        if problem:
            return problem
        said[name] = printed(name).splitlines()
    if len(said["single"]) != 4 * cases:
        return f"{len(said['single'])} results of {4 * cases}"
    differing = [f"{a}   of the library: {b}" for a, b in zip(said["single"], said["library"]) if a != b]
    return "case, size and bits: " + "\n".join(differing) if differing else None


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    subprocess.run([sys.executable, source / "tools/make_single.py", source, folder / "broadloom_single.hpp"], check=True)
    tap = Tap()
    tap.case("two files of a program compile without a warning, and print what they ought to", in_two_files())
    for what, body in REFUSED.items():
        tap.case(f"{what} is refused by a sentence", refused(body))
    tap.case(f"{cases} generated expressions have the bits of the library", same_bits())
tap.finish()
