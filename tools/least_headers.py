#!/usr/bin/python3
"""Compiles examples of the reference with the fewest headers that have the names in them, and compares what they print with what the
reference says, which all headers together printed: no meaning depends on a header.

usage: least_headers.py SOURCE_ROOT BUILD_ROOT [--part I/N] COMPILER...       by TAP; a part: every N-th program, from the I-th on

The fewest headers are those that define the names that an example spells behind bl::, and tensor/tensor.hpp and tensor/print.hpp, which
every example needs. An example that does not compile with these (it uses a member or an operator of another header) says nothing about a
meaning, and is counted. Examples with the same headers are one program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import examples
from catalogue import catalogue
from tap import Tap

ALWAYS = ["tensor/tensor.hpp", "tensor/print.hpp"]


# Names that macros or templates of variables define.
DEFINED = {"axes": "shape/axes.hpp", "dyn": "shape/size.hpp", "size": "shape/size.hpp", "sum": "reduce/sums.hpp", "prod": "reduce/sums.hpp",
           "amax": "reduce/sums.hpp", "amin": "reduce/sums.hpp", "par": "eval/policy.hpp", "seq": "eval/policy.hpp", "named": "expr/named.hpp",
           "inf": "core/infinity.hpp", "nan": "core/infinity.hpp", "tensor": "tensor/tensor.hpp", "dtensor": "tensor/tensor.hpp",
           "eval": "tensor/eval.hpp", "where": "index/nonzero.hpp", "float16": "half.hpp", "bfloat16": "half.hpp", "view": "expr/view.hpp",
           "conj_physical": "fn/complex.hpp", "conj_physical_": "fn/complex.hpp"}


def defining_headers(root):
    """Public names and the header that defines each; of several, the first in the order of the layers that users call."""
    found = dict(DEFINED)
    base = root / "include/broadloom"
    for name in catalogue(root):
        found[name] = found[name + "_"] = "fn/catalogue.hpp"
    for name in re.findall(r"^BROADLOOM_SPECIAL\d\((\w+)", (base / "special/functions.def").read_text(), re.M):
        found[name] = found[name + "_"] = "special/functions.hpp"
    for name in re.findall(r"^BROADLOOM_ALIAS\((\w+), \w+\)", (base / "fn/aliases.hpp").read_text(), re.M):
        found[name] = found[name + "_"] = "fn/aliases.hpp"
    for path in sorted(base.rglob("*.hpp"), key=lambda p: (p.parent.name in ("distributed", "io"), p.name == "fwd.hpp", str(p))):
        text = re.sub(r"namespace (detail|runtime) \{.*?\n\}  // namespace \1", "", path.read_text(), flags=re.S)
        for pattern in (r"^\}? ?(\w+)\{\};", r"^(?:template .*)?inline constexpr [\w:<>, ]*?(\w+)(?:<[^;]*>)?\{\};",
                        r"^(?:class|struct|concept|enum class)(?: BROADLOOM_API)? (\w+)", r"^inline constexpr .*?\b(\w+)(?:\{[^;]*\}| = [^;]*);$",
                        r"^(?:inline |constexpr |BROADLOOM_API )*[\w:<>*& ,]+?\b(\w+)\(", r"^using (\w+) ="):
            for name in re.findall(pattern, text, re.M):
                found.setdefault(name, str(path.relative_to(base)))
    return found


def least_headers(code, headers):
    """Names that no header defines, and the headers; of `bl::isa::v4` the type's, as it is not known by its last word."""
    names = re.findall(r"\bbl::((?:\w+::)*\w+)", code)
    known = [[headers[part] for part in name.split("::") if part in headers] for name in names]
    return [n for n, k in zip(names, known) if not k], tuple(sorted({k[0] for k in known if k} | set(ALWAYS)))


def program(text, compiler, flags, folder, number):
    source, binary = pathlib.Path(folder) / f"least_{number}.cpp", pathlib.Path(folder) / f"least_{number}"
    source.write_text(text)
    return subprocess.run([*compiler, "-std=c++20", "-O0", "-w", str(source), *flags, "-o", str(binary)], capture_output=True, text=True), binary


def source_of(group, wanted):
    head = "".join(f"#include <{h}>\n" for h in examples.STANDARD) + "".join(f"#include <broadloom/{h}>\n" for h in wanted)
    bodies = "".join(f"static void example_{k}() {{\n{e.code}}}\n" for k, e in enumerate(group))
    calls = "".join(f'std::cout << "\\1" "{k}\\n"; example_{k}(); std::cout.flush();\n' for k in range(len(group)))
    return f"{head}namespace bl = broadloom;\nusing namespace bl::literals;\n{bodies}int main() {{\n{calls}}}\n"


def main():
    arguments = sys.argv[1:]
    root, build = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1]).resolve()
    arguments = arguments[2:]
    first, step = 0, 1
    if arguments[0] == "--part":
        first, step = (int(x) for x in arguments[1].split("/"))
        arguments = arguments[2:]
    compiler = arguments
    headers = defining_headers(root)
    groups = {}
    for path in sorted((root / "docs/reference").glob("*.txt")):
        for example in examples.by_hand(path):
            unknown, wanted = least_headers(example.code, headers)
            if not unknown:
                groups.setdefault(wanted, []).append(example)
    environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "broadloom"], check=True, capture_output=True, text=True, env=environment).stdout.split()
    different, compiled, other = [], 0, 0
    chosen = list(groups.items())[first::step]
    with tempfile.TemporaryDirectory() as folder:
        for number, (wanted, group) in enumerate(chosen):
            made, binary = program(source_of(group, wanted), compiler, flags, folder, number)
            pieces = [(group, made, binary)]
            if made.returncode != 0 and len(group) > 1:
                pieces = [([e], *program(source_of([e], wanted), compiler, flags, folder, f"{number}_{k}")) for k, e in enumerate(group)]
            for members, made, binary in pieces:
                if made.returncode != 0:
                    other += len(members)
                    continue
                compiled += len(members)
                libraries = ":".join([str(build / "lib"), os.environ.get("LD_LIBRARY_PATH", "")])
                run = subprocess.run([str(binary)], capture_output=True, text=True, cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": libraries})
                printed = dict(re.findall("\x01(\\d+)\n([^\x01]*)", run.stdout))
                for k, example in enumerate(members):
                    got = printed.get(str(k), "").rstrip("\n")
                    if got != example.output.rstrip("\n"):
                        different.append(f"{example.names[0]} with {', '.join(wanted)} printed\n{got}\nwith all headers\n{example.output}")
    tap = Tap()
    tap.case("examples print the same with their least headers as with all", "\n".join(different) or None)
    tap.case("most examples compile with their least headers", None if compiled >= other else f"{compiled} of {compiled + other}")
    print(f"# {compiled} examples compiled, {other} need a header that they do not name")
    tap.finish()


if __name__ == "__main__":
    main()
