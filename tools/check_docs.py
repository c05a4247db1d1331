#!/usr/bin/env python3
"""Compiles and runs the code of the documentation and follows its links. Reports by TAP.

usage: check_docs.py SOURCE_ROOT BUILD_ROOT COMPILER...

Every block fenced as ```cpp in README.md, CONTRIBUTING.md and docs/ is compiled and run: a block with a main function
as it stands, any other as the body of one. A block fenced as ```text that follows is what it must print.
"""
import concurrent.futures
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
    if "broadloom/dist/hdf5.hpp" in code:
        needed = [mpi_flags(), hdf5_flags("hdf5-openmpi")]
    else:
        needed = [hdf5_flags("hdf5-serial", "hdf5")] if "broadloom/io/hdf5.hpp" in code else []
        needed += [mpi_flags()] if "broadloom/dist/" in code else []
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


def run_block(compiler, code, wanted):
    if foreign_flags(code) is None:
        return "SKIP"
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "example.cpp"
        program = pathlib.Path(scratch) / "example"
        source.write_text(code if re.search(r"\bint main\(", code) else frame % code)
        built = compiler.run(source, program)
        if built.returncode != 0:
            return "\n".join((built.stdout + built.stderr).splitlines()[:30])
        if "broadloom/dist/" in code:
            status, printed = over_ranks.run("mpirun.openmpi", 3, str(program), folder=scratch)
            ran = subprocess.CompletedProcess([], status, printed, "")
        else:
            ran = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=120, cwd=scratch)
        if ran.returncode != 0:
            return f"ended with exit status {ran.returncode}\n{ran.stdout}{ran.stderr}"
        if wanted is not None and ran.stdout != wanted:
            return f"printed:\n{ran.stdout}the document says:\n{wanted}"
        return None


def broken_links(path):
    text = fence.sub("", path.read_text())
    missing = []
    for target in link.findall(text):
        if not re.match(r"\w+:|#", target) and not (path.parent / target.split("#")[0]).exists():
            missing.append(f"{target} does not exist")
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
            jobs.append((f"the code at {name}:{line} compiles, runs" + (" and prints what it says" if wanted else ""),
                         code, wanted))
    if not jobs:
        tap.case("the documentation has code", "no block fenced as cpp was found")
    threads = int(os.environ.get("BROADLOOM_JOBS", "2"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(threads) as pool:
        first = Compiler(build, compiler, folder)
        results = pool.map(lambda job: run_block(first, job[1], job[2]), jobs)
        for job, problem in zip(jobs, results):
            if problem == "SKIP":
                tap.skip(job[0], "HDF5 was not found")
            else:
                tap.case(job[0], problem)
    tap.finish()


if __name__ == "__main__":
    main()
