#!/usr/bin/python3
"""The examples of the reference: a short program for every public name, and what it prints.

usage: examples.py SOURCE_ROOT BUILD_ROOT COMPILER...     runs them all, and writes what they print into the files

They stand in docs/reference/PAGE.txt, apart from the headers, so that to change one compiles nothing else:

    == det slogdet                      the names it is for; a type that need not be spelled stands in brackets
    bl::dtensor<double, 2> a{{2, 1}, {1, 3}};
    std::cout << bl::det(a) << '\\n';
    --
    5.0                                 what it prints

Functions of fn/catalogue.def have a line each in docs/reference/pointwise.tsv: name, operands, what it prints, what the form in place
prints. Operands are lists of elements or numbers, with ; between them. Aliases, strict forms and operators follow from that line.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from catalogue import catalogue

PROGRAMS = 1  # one is quicker than several, as they instantiate much of the same
INCLUDES = ["broadloom.hpp", "decompositions.hpp", "elements.hpp", "eval/async.hpp", "eval/draw.hpp", "eval/draw_plan.hpp", "eval/prepare.hpp", "eval/progress.hpp", "eval/scheduler.hpp",
            "eval/static_explain.hpp", "eval/stop.hpp", "eval/tuning.hpp", "fn/strictly.hpp", "geometry.hpp", "half.hpp", "index/compress.hpp", "index/gradient.hpp", "index/histogram.hpp", "index/histogramdd.hpp",
            "index/index_lists.hpp", "index/membership.hpp", "index/pack_bits.hpp", "index/put.hpp", "index/slice_scatter.hpp", "interop/any_tensor.hpp", "interop/float128.hpp",
            "interop/format.hpp", "interop/mdspan.hpp", "interop/vector.hpp", "io/csv.hpp", "io/npy.hpp", "io/npz.hpp", "linalg.hpp",
            "linalg/einsum_to.hpp", "linalg/strictly.hpp", "polynomial.hpp", "random.hpp", "sets.hpp",
            "signal.hpp", "signal/layers.hpp", "special.hpp", "tensor/batches.hpp"]
STANDARD = ["array", "atomic", "cmath", "complex", "cstdio", "filesystem", "fstream", "iomanip", "iostream", "limits", "memory", "sstream",
            "stop_token", "string", "tuple", "utility", "vector"]


class Example:
    def __init__(self, names, code, output, group=""):
        self.names, self.code, self.output, self.group = names, code, output, group

    def key(self):
        return self.code


def by_hand(path):
    """The examples of a file, in their order."""
    found = []
    for part in re.split(r"^== ", path.read_text(), flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition("\n")
        code, _, output = rest.partition("\n--\n")
        found.append(Example(head.split(), code.strip("\n") + "\n", output.rstrip("\n") + "\n" if output.strip("\n") else ""))
    return found


def operands(text, element):
    """Declarations of x, y, z, and the arguments of a call."""
    arrays, arguments = [], []
    for name, part in zip("xyzw", [p.strip() for p in text.split(";")]):
        if part.startswith("{"):
            arrays.append(name + part)
            arguments.append(name)
        else:
            arguments.append(part)
    return f"bl::dtensor<{element}, 1> {', '.join(arrays)};\n", arguments


def from_table(root, catalogue):
    """Examples of pointwise functions: name -> Example, for the function, its form in place, its aliases, strict forms and operators."""
    rows = [line.split("\t") for line in (root / "docs/reference/pointwise.tsv").read_text().splitlines() if line and not line.startswith("#")]
    aliases = re.findall(r"^BROADLOOM_ALIAS\((\w+), (\w+)\)", (root / "include/broadloom/fn/aliases.hpp").read_text(), re.M)
    result = []
    for row in rows:
        name, given, plain, in_place = (row + ["", "", ""])[:4]
        _, rule, operator, _, _ = catalogue.get(name, (None, "floats", None, None, None))
        element = "int" if rule in ("whole", "shift", "bits") else "float"
        declared, arguments = operands(given, element)
        call = ", ".join(arguments)
        names = [name] + [alias for alias, function in aliases if function == name]
        spaces = [""] + (["strictly::"] if len(arguments) > 1 and arguments[1] == "y" else [])
        for each in [s + n for s in spaces for n in (names if not s else [name])]:
            result.append(Example([each], f"{declared}std::cout << bl::{each}({call}) << '\\n';\n", plain + "\n", f"{name}\t0"))
            result.append(Example([each + "_"], f"{declared}bl::{each}_({call});\nstd::cout << x << '\\n';\n", in_place + "\n", f"{name}\t1"))
        if operator and operator[0]:
            for space in spaces:
                using = "".join(f"using bl::{space}operator{op};\n" for op in operator[:1]) if space else ""
                result.append(Example([f"{space}operator{operator[0]}"],
                                      f"{declared}{using}std::cout << (x {operator[0]} y) << '\\n';\n", plain + "\n", f"{name}\t0"))
                if operator[1]:
                    using = f"using bl::{space}operator{operator[1]};\n" if space else ""
                    result.append(Example([f"{space}operator{operator[1]}"],
                                          f"{declared}{using}x {operator[1]} y;\nstd::cout << x << '\\n';\n", in_place + "\n", f"{name}\t1"))
    return result


def load(root, catalogue):
    """Every example: a list."""
    found = from_table(root, catalogue)
    for path in sorted((root / "docs/reference").glob("*.txt")):
        for example in by_hand(path):
            example.group = path.name
            found.append(example)
    return found


def by_name(examples):
    return {name.strip("()"): example for example in reversed(examples) for name in example.names}


def not_shown(examples):
    """Names that stand above an example that does not spell them."""
    wrong = []
    for example in examples:
        for name in example.names:
            last = re.sub(r"^(.*::)?(operator)?", "", name) if "operator" in name else name.split("::")[-1]
            if not name.startswith("(") and last.lstrip('"').lstrip() not in example.code:
                wrong.append(f"{name}: its example does not have it")
    return wrong


def run(root, build, compiler, examples):
    """What the examples print, in their order; None where one failed, and what the compiler says."""
    def said(word):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}
        return subprocess.run(["pkg-config", word, "broadloom"], check=True, capture_output=True, text=True, env=environment).stdout.split()

    head = "".join(f"#include <{h}>\n" for h in STANDARD) + "".join(
        f"#include <broadloom/{h}>\n" for h in INCLUDES if (root / "include/broadloom" / h).exists())
    version = subprocess.run([*compiler, "--version"], check=True, capture_output=True, text=True).stdout
    flags = ["-std=c++20", "-O0", "-w"] + ([] if "clang" in version else ["--param=ggc-min-heapsize=2000000"])
    printed, problems = [None] * len(examples), []
    with tempfile.TemporaryDirectory() as scratch:
        def build_program(which):
            source, program = pathlib.Path(scratch) / f"examples_{which}.cpp", pathlib.Path(scratch) / f"examples_{which}"
            # What stands together instantiates the same templates.
            mine = range(which * len(examples) // PROGRAMS, (which + 1) * len(examples) // PROGRAMS)
            text = [head, "namespace bl = broadloom;\nusing namespace bl::literals;\n"]
            for number in mine:
                text.append(f'static void example_{number}() {{\n#line 1 "{examples[number].names[0]}"\n{examples[number].code}}}\n')
            text.append("static void run(int n, void (*f)()) {\nstd::cout << \"\\1\" << n << '\\n';\ntry { f(); } catch (const std::exception& e)"
                        " { std::cout << \"THROWN \" << e.what() << '\\n'; }\nstd::cout.flush();\n}\nint main() {\n")
            text += [f"run({number}, example_{number});\n" for number in mine] + ["}\n"]
            source.write_text("".join(text))
            built = subprocess.run([*compiler, *flags, *said("--cflags"), str(source), "-o", str(program), *said("--libs")],
                                   capture_output=True, text=True, check=False)
            if built.returncode:
                problems.append("\n".join(built.stderr.splitlines()[:40]))
                return
            ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=120, cwd=scratch)
            for part in ran.stdout.split("\1")[1:]:
                number, _, output = part.partition("\n")
                printed[int(number)] = output
            if ran.returncode:
                problems.append(f"program {which} ended with {ran.returncode}: {ran.stderr}")

        for which in range(PROGRAMS):
            build_program(which)
    return printed, problems


def record(root, examples, printed):
    """Writes what the examples print into the files."""
    got = {}
    for example, output in zip(examples, printed):
        got.setdefault(example.group, []).append(output)
    table = root / "docs/reference/pointwise.tsv"
    lines = []
    for line in table.read_text().splitlines():
        if line and not line.startswith("#"):
            name, given = line.split("\t")[:2]
            line = "\t".join([name, given] + [(got[f"{name}\t{k}"][0] or "").rstrip("\n") for k in (0, 1)])
        lines.append(line)
    table.write_text("\n".join(lines) + "\n")
    for path in sorted((root / "docs/reference").glob("*.txt")):
        text = path.read_text().partition("== ")[0]
        for example, output in zip(by_hand(path), got.get(path.name, [])):
            text += f"== {' '.join(example.names)}\n{example.code}--\n{output or ''}\n"
        path.write_text(text.rstrip("\n") + "\n")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    examples = load(root, catalogue(root))
    only = os.environ.get("BROADLOOM_EXAMPLES")
    if only:
        examples = [e for e in examples if e.group == only]
    printed, problems = run(root, build, sys.argv[3:], examples)
    if problems:
        sys.exit("\n".join(problems))
    if only and not only.endswith(".txt"):
        sys.exit("BROADLOOM_EXAMPLES is the name of a .txt")
    for example, output in zip(examples, printed):
        if output is None or "THROWN" in output:
            print(f"{example.names[0]}: {output}")
    if only:
        path = root / "docs/reference" / only
        text = ""
        for example, output in zip(examples, printed):
            text += f"== {' '.join(example.names)}\n{example.code}--\n{output or ''}\n"
        path.write_text(text.rstrip("\n") + "\n")
    else:
        record(root, examples, printed)


if __name__ == "__main__":
    main()
