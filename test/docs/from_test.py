#!/usr/bin/python3
"""Runs both sides of the tables of docs/from and compares what they give. Reports by TAP.

usage: from_test.py SOURCE_ROOT BUILD_ROOT COMPILER...     compares our sides with test/data/from_*.txt
       from_test.py SOURCE_ROOT --record [TABLE...]        writes these files, with NumPy, PyTorch, Eigen, xtensor, Octave and Armadillo
       from_test.py SOURCE_ROOT --record same_names BUILD_ROOT COMPILER...     the results of tools/same_names.txt, both sides

NumPy's and PyTorch's arrays are compared as they print, with their types; where only the last digits differ, by their numbers. Of the
others, extents other than 1 and numbers are compared, as these have no arrays of rank 0 or 1. A row "a; b" runs a on fresh arrays and shows b.
Of tools/same_names.txt, names that mean something else here, the same name must give another result, and the call beside it NumPy's.
"""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
import namespaces  # noqa: E402
from tap import Tap  # noqa: E402

TABLES = {"numpy": 120, "pytorch": 120, "eigen": 60, "xtensor": 60, "matlab": 60, "armadillo": 60}  # and at least so many rows
TEXTS = ("numpy", "pytorch")
START = """#include <broadloom/broadloom.hpp>
#include <broadloom/geometry.hpp>
#include <broadloom/linalg.hpp>
#include <broadloom/sets.hpp>
#include <broadloom/index/compress.hpp>
#include <broadloom/index/gradient.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/index/put.hpp>
#include <broadloom/index/slice_scatter.hpp>
#include <broadloom/random.hpp>
#include <cmath>
#include <iomanip>
#include <iostream>
namespace bl = broadloom;
using namespace bl::literals;
template <class A>
void show(const A& a) {
  if constexpr (bl::array<const A&>) {
    const auto s = a.shape();
    for (int k = 0; k < bl::rank_of<const A&>; ++k) if (s[k] != 1) std::cout << s[k] << ' ';
    std::cout << ':';
    for (const auto v : a) std::cout << ' ' << static_cast<double>(v);
  } else
    std::cout << ": " << static_cast<double>(a);
}
struct arrays {
  bl::dtensor<double, 2> x{{1, 4, 2}, {3, 0.5, 6}}, m{{2, 1}, {1, 3}}, m2 = m;
  bl::dtensor<double, 1> y{1, 2, 4};
  bl::dtensor<bl::index, 1> i{3, 0, 2, 2}, j{0, 2};
};
"""
EIGEN = """#include <Eigen/Dense>
#include <unsupported/Eigen/KroneckerProduct>
#include <iomanip>
#include <iostream>
#include <vector>
template <class A>
void show(const A& a) {
  if constexpr (std::is_arithmetic_v<A>)
    std::cout << ": " << static_cast<double>(a);
  else {
    const auto e = a.eval();
    if (e.rows() != 1) std::cout << e.rows() << ' ';
    if (e.cols() != 1) std::cout << e.cols() << ' ';
    std::cout << ':';
    for (int r = 0; r < e.rows(); ++r)
      for (int c = 0; c < e.cols(); ++c) std::cout << ' ' << static_cast<double>(e(r, c));
  }
}
struct arrays {
  Eigen::ArrayXXd x{{1, 4, 2}, {3, 0.5, 6}};
  Eigen::MatrixXd m{{2, 1}, {1, 3}}, m2 = m;
  Eigen::VectorXd y{{1, 2, 4}};
};
"""
XTENSOR = """#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xhistogram.hpp>
#include <xtensor/xindex_view.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xnorm.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xset_operation.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>
#include <iomanip>
#include <iostream>
template <class A>
void show(const A& a) {
  if constexpr (std::is_arithmetic_v<A>)
    std::cout << ": " << static_cast<double>(a);
  else {
    const xt::xarray<double> e = a;
    for (auto n : e.shape()) if (n != 1) std::cout << n << ' ';
    std::cout << ':';
    for (double v : e) std::cout << ' ' << v;
  }
}
struct arrays {
  xt::xarray<double> x{{1, 4, 2}, {3, 0.5, 6}}, m{{2, 1}, {1, 3}}, y{1, 2, 4};
  xt::xarray<int> i{3, 0, 2, 2}, j{0, 2};
};
"""
ARMADILLO = """#include <armadillo>
#include <iomanip>
#include <iostream>
template <class A>
void show(const A& a) {
  if constexpr (std::is_arithmetic_v<A>)
    std::cout << ": " << static_cast<double>(a);
  else {
    const auto e = arma::conv_to<arma::mat>::from(a);
    if (e.n_rows != 1) std::cout << e.n_rows << ' ';
    if (e.n_cols != 1) std::cout << e.n_cols << ' ';
    std::cout << ':';
    for (arma::uword r = 0; r < e.n_rows; ++r)
      for (arma::uword c = 0; c < e.n_cols; ++c) std::cout << ' ' << e(r, c);
  }
}
struct arrays {
  arma::mat x{{1, 4, 2}, {3, 0.5, 6}}, m{{2, 1}, {1, 3}}, m2 = m;
  arma::vec y{1, 2, 4};
  arma::uvec i{3, 0, 2, 2}, j{0, 2};
};
"""
IN_CPP = {"eigen": (EIGEN, ["-I/usr/include/eigen3"]), "xtensor": (XTENSOR, []), "armadillo": (ARMADILLO, ["-larmadillo"])}


def record_of(table):
    return root / f"test/data/from_{table}.txt"


def rows(table):
    text = (root / f"docs/from/{table}.md").read_text()
    return [(a.replace("\\|", "|"), b.replace("\\|", "|")) for a, b in re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", text, re.M)]


def in_cpp(start, sides, how):
    """A program that shows each side; `how` is what shows one."""
    text = [start]
    for number, side in enumerate(sides):
        *before, last = side.split("; ")
        text.append(f"void row_{number}() {{\narrays a;\n[[maybe_unused]] auto& [{', '.join(names_of(start))}] = a;\n" + "".join(f"{b};\n" for b in before)
                    + f"std::cout << \"## {number}\\n\";\n{how[number]}({last});\nstd::cout << '\\n';\n}}\n")
    return "".join(text) + "int main() {\nstd::cout << std::unitbuf << std::setprecision(12);\n" + "".join(f"row_{n}();\n" for n in range(len(sides))) + "}\n"


def names_of(start):
    """The members of arrays, in their order."""
    body = re.sub(r"\{[^{}]*\}", "", re.sub(r"\{[^{}]*\}", "", start.split("struct arrays {")[1].rpartition("};")[0]))
    return re.findall(r"(\w+)\s*(?:= \w+)?\s*[,;]", re.sub(r"<[^;>]*>", "", body))


def outputs(text):
    return [part.split("\n", 1)[1].rstrip("\n") + "\n" for part in text.split("## ")[1:]]


def compile_and_run(command, source_text):
    with tempfile.TemporaryDirectory() as scratch:
        source, program = pathlib.Path(scratch) / "rows.cpp", pathlib.Path(scratch) / "rows"
        source.write_text(source_text)
        # GCC looks for garbage for a tenth of the time, unless it has room enough.
        room = [] if "clang" in " ".join(command) else ["--param=ggc-min-heapsize=2000000"]
        built = subprocess.run(command[:1] + ["-std=c++20", "-O0", "-w", *room] + [c for c in command[1:] if not c.startswith("-l")] +
                               [str(source), "-o", str(program)] + [c for c in command[1:] if c.startswith(("-l", "-L", "-W"))],
                               capture_output=True, text=True, check=False)
        if built.returncode:
            return None, built.stderr
        ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
        return outputs(ran.stdout), ran.stderr


def by_python(table, sides):
    import numpy as np  # pylint: disable=import-outside-toplevel
    import torch  # pylint: disable=import-outside-toplevel
    given = {"x": np.array([[1, 4, 2], [3, 0.5, 6]]), "y": np.array([1.0, 2, 4]), "m": np.array([[2.0, 1], [1, 3]]), "i": np.array([3, 0, 2, 2])}
    found = []
    for side in sides:
        names = {"np": np, "torch": torch, **{n: torch.from_numpy(a.copy()) if table == "pytorch" else a.copy() for n, a in given.items()}}
        *before, last = side.split("; ")
        for each in before:
            exec(each, names)  # pylint: disable=exec-used
        found.append(f"{np.asarray(eval(last, names))}\n")  # pylint: disable=eval-used
    return found


def same_names_by_numpy():
    import numpy as np  # pylint: disable=import-outside-toplevel
    found = []
    for row in namespaces.same_names():
        names = {"np": np, "x": np.array([[1, 4, 2], [3, 0.5, 6]]), "y": np.array([1.0, 2, 4])}
        *before, last = row[0].split("; ")
        with np.printoptions():  # what a row sets ends with it
            for each in before:
                exec(each, names)  # pylint: disable=exec-used
            found.append(str(eval(last, names)) + "\n")  # pylint: disable=eval-used
    return found


def record_same_names(build, compiler):
    printed, said = compile_and_run(compiler + flags_of(build), our_program([(o, "text") for o in namespaces.same_name_calls()]))
    if printed is None:
        sys.exit(said[:6000])
    ours = dict(zip(namespaces.same_name_calls(), printed))
    namespaces.same_names_file.write_text("".join(
        f"## {row[0]}\n{theirs}" + (f"## {row[1]}\n{ours[row[1]]}" if row[1] in ours else "") for row, theirs in zip(namespaces.same_names(), same_names_by_numpy())))


def by_octave(sides):
    text = ["1;\nfunction show(a)\n  s = size(a); s = s(s != 1); printf('%d ', s); printf(':'); a = permute(a, ndims(a):-1:1); printf(' %.12g', a(:)); "
            "printf(\"\\n\");\nend\n"]
    for number, side in enumerate(sides):
        *before, last = side.split("; ") if re.match(r"x\(.*\) = ", side) else [side]
        text.append(f"printf(\"## {number}\\n\"); x = [1 4 2; 3 0.5 6]; y = [1 2 4]; m = [2 1; 1 3]; i = [3 0 2 2];\n" +
                    "".join(f"{b};\n" for b in before) + f"show({last});\n")
    ran = subprocess.run(["octave-cli", "--no-gui", "--quiet", "--eval", "".join(text)], capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr + ran.stdout[-300:])
    return outputs(ran.stdout)


def flags_of(build):
    return subprocess.run(["pkg-config", "--cflags", "--libs", "broadloom"], check=True, capture_output=True, text=True,
                          env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PKG_CONFIG_PATH": str(pathlib.Path(build) / "meson-uninstalled")}).stdout.split()


def our_program(sides):
    return in_cpp(START + "const auto text = [](const auto& e) { std::cout << std::setprecision(6); if constexpr (bl::array<decltype(e)>) std::cout << "
                          "bl::eval(e); else std::cout << e; std::cout << std::setprecision(12); };\nconst auto numbers = [](const auto& e) { if constexpr "
                          "(bl::array<decltype(e)>) show(bl::eval(e)); else show(e); };\n", [ours for ours, _ in sides], [how for _, how in sides])


def record(tables):
    if tables[:1] == ["same_names"]:
        return record_same_names(tables[1], tables[2:])
    for table in tables or TABLES:
        sides = [theirs for theirs, _ in rows(table)]
        if table in TEXTS:
            found = by_python(table, sides)
        elif table == "matlab":
            found = by_octave(sides)
        else:
            start, flags = IN_CPP[table]
            found, said = compile_and_run(["g++", *flags], in_cpp(start, sides, ["show"] * len(sides)))
            if found is None:
                sys.exit(said[:6000])
        record_of(table).write_text("".join(f"## {side}\n{output}" for side, output in zip(sides, found)))


def same(table, got, wanted):
    if wanted is None or got == wanted:
        return wanted is not None
    number = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)j?"
    if re.sub(number, "n", got).split() != re.sub(number, "n", wanted).split():
        return False
    # Zero and one by rounding print with digits that the other has not.
    a, b = ([float(n) for n in re.findall(number, t)] for t in (got, wanted))
    return len(a) == len(b) and all(p == q or abs(p - q) <= 1e-9 * max(1, abs(p)) for p, q in zip(a, b))


def main():
    if sys.argv[2] == "--record":
        return record(sys.argv[3:])
    wanted = {(table, part.split("\n", 1)[0]): part.split("\n", 1)[1] for table in TABLES
              for part in ("\n" + record_of(table).read_text()).split("\n## ")[1:]}
    wanted = {key: text.rstrip("\n") + "\n" for key, text in wanted.items()}
    every = [(table, theirs, ours) for table in TABLES for theirs, ours in rows(table)]
    build, compiler = sys.argv[2], sys.argv[3:]
    tap = Tap()
    for table, least in TABLES.items():
        count = len(rows(table))
        tap.case(f"{table}.md has {least} rows or more", None if count >= least else f"it has {count}")
    # What stands in several tables runs once.
    sides = list(dict.fromkeys([(ours, "text" if table in TEXTS else "numbers") for table, _, ours in every] +
                               [(ours, "text") for ours in namespaces.same_name_calls()]))
    printed, said = compile_and_run(compiler + flags_of(build), our_program(sides))
    tap.case("our sides compile", said if printed is None else None)
    given = dict(zip(sides, printed or []))
    for table, theirs, ours in every:
        got = given.get((ours, "text" if table in TEXTS else "numbers"), "")
        tap.case(f"{table}: {theirs} gives what {ours} gives",
                 None if same(table, got, wanted.get((table, theirs))) else f"{got}theirs:\n{wanted.get((table, theirs))}")
    recorded = namespaces.same_name_results()
    for theirs, name_here, meaning_here, _ in namespaces.same_names():
        got, wanted_here, meant = given.get((name_here, "text")), recorded.get(name_here), given.get((meaning_here, "text"), "")
        problem = None
        if not same("numpy", meant, recorded.get(theirs)):
            problem = f"{meaning_here} gives\n{meant}and not\n{recorded.get(theirs)}"
        elif name_here != "-" and got != wanted_here:
            problem = f"{name_here} gives\n{got}and not as recorded\n{wanted_here}"
        elif name_here != "-" and got.split() == recorded[theirs].split():
            problem = f"{name_here} gives what NumPy gives: it is no row of this table"
        tap.case(f"same names: {theirs} gives what {meaning_here} gives, and not the same name", problem)
    if importlib.util.find_spec("numpy"):
        other = [row[0] for row, now in zip(namespaces.same_names(), same_names_by_numpy()) if recorded.get(row[0], "").split() != now.split()]
        tap.case("NumPy gives what is recorded of it", "\n".join(other) or None)
    tap.finish()


if __name__ == "__main__":
    main()
