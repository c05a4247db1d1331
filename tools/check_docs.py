#!/usr/bin/env python3
"""Compiles and runs the code of the documentation and follows its links. Reports by TAP.

usage: check_docs.py SOURCE_ROOT BUILD_ROOT COMPILER...

Every block fenced as ```cpp in README.md, CONTRIBUTING.md and docs/ is compiled and run: a block with a main function
as it stands, any other as the body of one. Blocks with the same includes are compiled together; each runs in a process
of its own. A block fenced as ```text that follows is what it must print.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import over_ranks
from tap import Tap

fence = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
link = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
frame = "#include <broadloom/broadloom.hpp>\n#include <iostream>\nnamespace bl = broadloom;\nint main() {\n%s}\n"


def documents(root):
    return [root / "README.md", root / "CONTRIBUTING.md"] + sorted((root / "docs").rglob("*.md"))


def blocks(path):
    """The code blocks of a document as (line, code, wanted output or None)."""
    text = path.read_text()
    found = list(fence.finditer(text))
    for number, match in enumerate(found):
        if match.group(1) != "cpp":
            continue
        wanted = None
        if number + 1 < len(found) and found[number + 1].group(1) == "text":
            between = text[match.end():found[number + 1].start()]
            if "#" not in between:  # no heading between the code and its output
                wanted = found[number + 1].group(2)
        yield text.count("\n", 0, match.start()) + 1, match.group(2), wanted


class Compiler:
    """Compiles programs as README says. broadloom.hpp is compiled once for all of them, in `folder`."""

    def __init__(self, build, compiler, folder):
        def said(word):
            environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}
            return subprocess.run(["pkg-config", word, "broadloom"], check=True, capture_output=True, text=True, env=environment).stdout.split()

        self.libraries = said("--libs")
        self.command = compiler + ["-std=c++20", "-Wall", "-Wextra", "-Wno-unused-variable", *said("--cflags")]
        header = pathlib.Path(folder) / "first.hpp"
        header.write_text("#include <broadloom/broadloom.hpp>\n#include <iostream>\n")
        version = subprocess.run([*compiler, "--version"], check=True, capture_output=True, text=True).stdout
        # GCC looks for garbage for a tenth of the time, unless it has room enough.
        self.command += [] if "clang" in version else ["--param=ggc-min-heapsize=1000000"]
        out = f"{header}.{'pch' if 'clang' in version else 'gch'}"
        subprocess.run([*self.command, "-x", "c++-header", str(header), "-o", out], check=True)
        # GCC forgets which warnings a precompiled header turns off.
        self.first = ["-include-pch", out] if "clang" in version else ["-include", str(header), "-Wno-psabi"]

    def run(self, source, program):
        text = source.read_text()
        command = self.command + (self.first if "#include <broadloom/broadloom.hpp>" in text else [])
        libraries = self.libraries + foreign_flags(text)
        return subprocess.run(
            [*command, str(source), "-o", str(program), *libraries], capture_output=True, text=True, check=False
        )


def foreign_flags(code):
    """What a compiler needs for the libraries that a program's headers adapt; None where one of them is not installed."""
    if "broadloom/distributed/hdf5.hpp" in code:
        needed = [mpi_flags(), hdf5_flags("hdf5-openmpi")]
    else:
        needed = [hdf5_flags("hdf5-serial", "hdf5")] if "broadloom/io/hdf5.hpp" in code else []
        needed += [mpi_flags()] if "broadloom/distributed/" in code else []
    return None if [] in needed else [word for words in needed for word in words]


def hdf5_flags(*names):
    """What a compiler needs for HDF5, by the first of these packages; empty where none is installed."""
    for name in names:
        said = subprocess.run(["pkg-config", "--cflags", "--libs", name], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return said.stdout.split()
    return []


def mpi_flags():
    """What a compiler needs for Open MPI; empty where it is not installed."""
    said = subprocess.run(["pkg-config", "--cflags", "--libs", "ompi-c"], capture_output=True, text=True, check=False)
    if said.returncode != 0 or shutil.which("mpirun.openmpi") is None:
        return []
    return [re.sub("^-I", "-isystem", word) for word in said.stdout.split()]


class Block:
    """A code block: `name` says where it stands."""

    def __init__(self, name, code, wanted):
        self.name, self.code, self.wanted = name, code, wanted
        self.source = code if re.search(r"\bint main\(", code) else frame % code
        self.problem = None

    def skipped(self):
        return foreign_flags(self.code) is None

    def includes(self):
        """Blocks with the same includes may stand in one program; None for one that needs a program of its own."""
        head, rest = re.fullmatch(r"((?:\s*#include [^\n]*\n|\s*\n)*)(.*)", self.source, re.DOTALL).groups()
        alone = r"^\s*#|^namespace (broadloom|std)\b|\btemplate <>|\bbroadloom::\w+<.*> *[:{=]|BROADLOOM_|int main\(int"
        if foreign_flags(self.code) or re.search(alone, rest, re.MULTILINE):
            return None
        return tuple(sorted(set(re.findall(r"#include [^\n]*", head))))

    def as_part(self, number):
        """The block in a namespace of its own, its main function under another name."""
        body = re.sub(r"^#include [^\n]*\n", "\n", self.source, flags=re.MULTILINE)
        before, _, last = re.sub(r"\bint main\(", "int run_it(", body).rpartition("}")
        return f'namespace block_{number} {{\n#line 1 "{self.name}"\n{before}\nreturn 0;\n}}{last}\n}}\n'

    def check_run(self, *command):
        """Runs a program that has the block; it must print what the document says."""
        with tempfile.TemporaryDirectory() as scratch:
            if "broadloom/distributed/" in self.code:
                status, printed, errors = over_ranks.run("mpirun.openmpi", 3, *command, folder=scratch)
                ran = subprocess.CompletedProcess([], status, printed, errors)
            else:
                ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=scratch)
        if ran.returncode != 0:
            return f"ended with exit status {ran.returncode}\n{ran.stdout}{ran.stderr}"
        if self.wanted is not None and ran.stdout != self.wanted:
            return f"printed:\n{ran.stdout}the document says:\n{self.wanted}"
        return None

    def check_alone(self, compiler):
        with tempfile.TemporaryDirectory() as scratch:
            source, program = pathlib.Path(scratch) / "example.cpp", pathlib.Path(scratch) / "example"
            source.write_text(self.source)
            built = compiler.run(source, program)
            if built.returncode != 0:
                return "\n".join((built.stdout + built.stderr).splitlines()[:30])
            return self.check_run(str(program))


def check_together(compiler, blocks_here):
    """Blocks with the same includes: one program, run once for each. If it does not compile, each is tried by itself."""
    if len(blocks_here) > 1:
        with tempfile.TemporaryDirectory() as scratch:
            source, program = pathlib.Path(scratch) / "examples.cpp", pathlib.Path(scratch) / "examples"
            parts = [line + "\n" for line in blocks_here[0].includes()] + [block.as_part(n) for n, block in enumerate(blocks_here)]
            source.write_text("".join(parts) + "#include <cstdlib>\nint main(int, char** argument) {\nswitch (std::atoi(argument[1])) {\n" + "".join(
                f"case {n}: return block_{n}::run_it();\n" for n in range(len(blocks_here))) + "}\n}\n")
            if compiler.run(source, program).returncode == 0:
                for number, block in enumerate(blocks_here):
                    block.problem = block.check_run(str(program), str(number))
                return
    for block in blocks_here:
        block.problem = block.check_alone(compiler)


def batches(blocks_here, most=12):
    """Lists of blocks that may stand in one program."""
    alike = {}
    for block in blocks_here:
        key = block.includes()
        alike.setdefault(key if key is not None else block.name, []).append(block)
    for group in alike.values():
        parts = -(-len(group) // most)
        yield from (group[k * len(group) // parts:(k + 1) * len(group) // parts] for k in range(parts))


@functools.cache
def anchors(page):
    """What links may name on a page of Markdown: its headings, as GitHub and the site call them, and its own anchors."""
    text = fence.sub("", page.read_text())
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.strip()).lower().replace(" ", "-") for h in headings} | set(re.findall(r'<a id="([^"]+)">', text))


def broken_links(path):
    text = fence.sub("", path.read_text())
    missing = []
    for target in link.findall(text):
        if re.match(r"\w+:", target):
            continue
        page, _, anchor = target.partition("#")
        to = path.parent / page if page else path
        if not to.exists():
            missing.append(f"{target} does not exist")
        elif anchor and to.suffix == ".md" and anchor not in anchors(to):
            missing.append(f"{target}: the page has no such heading or anchor")
    return "\n".join(missing) or None


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    build = pathlib.Path(sys.argv[2]).resolve()
    compiler = sys.argv[3:]
    tap = Tap()
    jobs = []
    for path in documents(root):
        name = path.relative_to(root).as_posix()
        if not path.exists():
            tap.case(f"{name} exists", "there is no such file")
            continue
        tap.case(f"the links of {name} lead somewhere", broken_links(path))
        for line, code, wanted in blocks(path):
            jobs.append(Block(f"{name}:{line}", code, wanted))
    if not jobs:
        tap.case("the documentation has code", "no block fenced as cpp was found")
    threads = int(os.environ.get("BROADLOOM_JOBS", "2"))
    tried = sorted(batches([block for block in jobs if not block.skipped()]), key=len, reverse=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(threads) as pool:
        first = Compiler(build, compiler, folder)
        list(pool.map(lambda group: check_together(first, group), tried))
    for block in jobs:
        what = f"the code at {block.name} compiles, runs" + (" and prints what it says" if block.wanted else "")
        if block.skipped():
            tap.skip(what, "HDF5 was not found")
        else:
            tap.case(what, block.problem)
    tap.finish()


if __name__ == "__main__":
    main()
