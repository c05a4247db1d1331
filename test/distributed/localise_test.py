#!/usr/bin/env python3
"""What must not compile over distributed arrays, and the words the compiler must use. Reports by TAP.

usage: localise_test.py SOURCE_ROOT COMPILER...     Skipped where Open MPI's headers are not found.
"""
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

program = """
#include <broadloom/broadloom.hpp>
#include <broadloom/distributed/distributed.hpp>
namespace bl = broadloom;
namespace dist = broadloom::distributed;
using namespace bl::literals;
void f(dist::dtensor<float, 2>& x, dist::tensor<float, bl::shape<bl::size<"other">, bl::dyn>>& other, bl::dtensor<float, 2>& whole) {
  %s
}
"""
right = "dist::eval(x + bl::unsqueeze(bl::sum(whole, 0_c), 0_c));"
mistakes = [
    ("an array of one process with an axis there", "dist::eval(x + whole);", "rows vs"),
    ("another name", "dist::eval(x + other);", "rows vs other"),
    ("an output with another name", "dist::assign(other, x);", "rows"),
    ("a transpose", "dist::eval(bl::transpose(x) * 2);", "is whole and first"),
    ("some rows", "dist::eval(x(bl::range(1, 3), bl::all) * 2);", "is whole and first"),
    ("an ordinary tensor of it", "bl::dtensor<float, 2> z = bl::unnamed(x.as_leaf() * 2);", "a distributed array is evaluated by"),
    ("sorting along it", "dist::eval(bl::sort(x, 0_c).values + x);", "such as sort, take x.local() or gather(x)"),
    ("one row of a scan along it", "dist::eval(bl::cumsum(x, 0_c)(1));", "one row of a running sum"),
    ("one row of a scan by a callable", "dist::eval(bl::scan(x, 0, 0.f, [](float a, float b) { return a + b; })(1));",
     "one row of a scan over"),
    ("a let of a callable of many arrays", "dist::eval(x + bl::let(bl::pointwise([](float v) { return v; }, x)));",
     "a let with a callable in it"),
]


def precompiled(folder, flags):
    """The flags that put the headers of the program, precompiled, before it: most of the time went into these."""
    header = pathlib.Path(folder) / "first.hpp"
    header.write_text("\n".join(line for line in program.splitlines() if line.startswith("#include")) + "\n")
    clang = "clang" in pathlib.Path(sys.argv[-1]).name
    out = f"{header}.{'pch' if clang else 'gch'}"
    subprocess.run([*sys.argv[2:], "-std=c++20", f"-I{root / 'include'}", *flags, "-x", "c++-header", str(header), "-o", out], check=True)
    return [*flags, *(["-include-pch", out] if clang else ["-include", str(header), "-Wno-psabi"])]


def compiled(line, flags):
    return subprocess.run([*sys.argv[2:], "-std=c++20", f"-I{root / 'include'}", *flags, "-fsyntax-only", "-x", "c++", "-"],
                          input=program % line, capture_output=True, text=True, check=False)


def main():
    tap = Tap()
    found = subprocess.run(["pkg-config", "--cflags", "ompi-c"], capture_output=True, text=True, check=False)
    if found.returncode:
        tap.skip("mistakes with distributed arrays", "Open MPI's headers were not found (mpi-default-dev)")
        tap.finish()
    flags = ["-isystem" + word[2:] for word in found.stdout.split()]
    with tempfile.TemporaryDirectory() as folder:
        flags = precompiled(folder, flags)
        done = compiled(right, flags)
        tap.case("the same without a mistake compiles", done.stderr if done.returncode else None)
        for name, line, words in mistakes:
            done = compiled(line, flags)
            problem = None if done.returncode and words in done.stderr else (done.stderr or "it compiles")
            tap.case(f"refused: {name}", problem)
    tap.finish()


if __name__ == "__main__":
    main()
