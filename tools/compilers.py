#!/usr/bin/env python3
"""What Broadloom promises of compilers: headers without warnings, the programs of the documentation, the library and tests with each.

usage: compilers.py SOURCE_ROOT [-j N] [--oldest] [--stage headers|programs|library|tests]... [NAME...]
       compilers.py SOURCE_ROOT --table

Runs the stages with all compilers, or with those of the names given, and prints a table of compilers and stages with counts. --oldest is what
every change must pass: the programs of README.md, the guide and the cookbook, of which the oldest compilers look at the text.
The last line is "N passed, N failed".

A whole run takes hours, and may be made in pieces: each stage of a compiler is written down in build-compilers/ with the commit that it
looked at, and --table prints what is known. Build folders stay, so a stage that was interrupted goes on where it was.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import check_docs
import check_layout

# Of each stage of each compiler what was found, and of which commit.
FOUND = "build-compilers/found.json"
STAGES = ["headers", "programs", "library", "tests"]
# Of these folders all tests.
TESTS = ["shape/", "expr/", "eval/", "reduce/", "index/", "tensor/", "fn/"]
# The headers of 64-bit Linux lie where a compiler for 32 bits does not look.
MULTIARCH = "-idirafter /usr/include/x86_64-linux-gnu"
# Clang before 17 calls C++23 so.
USUAL = (("C++20", ["-std=c++20"]), ("C++23", ["-std=c++2b"]), ("-fno-rtti", ["-std=c++20", "-fno-rtti"]))


@dataclasses.dataclass
class Kind:
    """A compiler with what it is given: names of packages are Debian's."""
    name: str
    command: str
    packages: str
    stages: list = dataclasses.field(default_factory=lambda: STAGES)
    tests: list = dataclasses.field(default_factory=lambda: TESTS)
    options: list = dataclasses.field(default_factory=list)  # of meson
    variants: tuple = USUAL
    cross: bool = False  # Boost is read from a folder that has nothing of this machine's C library
    refused: bool = False  # headers say in a sentence that it will not do


KINDS = [
    Kind("gcc-11", "g++-11", "g++-11"),
    Kind("gcc-12", "g++-12", "g++-12"),
    Kind("clang-14", "clang++-14", "clang-14"),
    Kind("clang-15", "clang++-15", "clang-15"),
    Kind("clang-16", "clang++-16", "clang-16"),
    Kind("clang-19", "clang++-19", "clang-19"),
    Kind("clang-19-libc++", "clang++-19 -stdlib=libc++ -fexperimental-library", "clang-19 libc++-19-dev libc++abi-19-dev", stages=["headers", "programs"]),
    # With libc++ 19, stop_token is experimental.
    # What lies beyond one machine: without oneTBB, SLEEF and LAPACK, which are not there for all of these.
    Kind("x86-32", f"g++-12 -m32 -msse2 -mfpmath=sse {MULTIARCH}", "g++-12-multilib", stages=["headers", "programs"], cross=True),
    Kind("armhf", "arm-linux-gnueabihf-g++", "g++-arm-linux-gnueabihf", stages=["headers", "programs"], cross=True),
    Kind("aarch64", "aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu", stages=["headers", "programs"], cross=True),
    Kind("s390x", "s390x-linux-gnu-g++", "g++-s390x-linux-gnu", stages=["headers"], cross=True, refused=True),
    Kind("mingw-w64", "x86_64-w64-mingw32-g++-posix", "g++-mingw-w64-x86-64-posix", stages=["headers", "programs"], cross=True),
]
OLDEST = ["gcc-11", "clang-14"]
# Programs of the documentation are compiled in this many files, and those that need a file of their own.
TOGETHER = 3


class Result:
    """How many cases passed, and what is wrong with the others."""

    def __init__(self, passed=0, problems=()):
        self.passed, self.problems = passed, list(problems)

    def text(self):
        return str(self.passed) if not self.problems else f"{self.passed}, {len(self.problems)} failed"


def compile_text(text, command, root, *flags):
    """None where the text is compiled without a message, else the first lines of what is said."""
    words = [*command, f"-I{root / 'include'}", "-fdiagnostics-color=never", "-fsyntax-only", *flags, "-x", "c++", "-"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode == 0 and not said:
        return None
    return "\n".join(said[:12] + ([f"... and {len(said) - 12} lines more"] if len(said) > 12 else [])) or f"exit status {done.returncode}"


def all_headers(root):
    """The public headers that adapt no other library."""
    names = [name for name in check_layout.read_includes(root) if name.endswith(".hpp")]
    return [name for name in names if check_layout.folder_of(name) not in ("interop", "distributed") and not name.startswith("io/hdf5")]


def headers(kind, command, root, pool):
    """All headers behind the macros of others, by each variant of the language; each by itself where they fail together."""
    names = all_headers(root)
    if kind.refused:
        said = compile_text("#include <broadloom/broadloom.hpp>\n", command, root, "-std=c++20") or ""
        return Result(1) if "#error" in said and len(said.splitlines()) <= 12 else Result(0, [f"it is not refused in a sentence\n{said}"])
    lines = [f"#include <broadloom/{name}>\n" for name in names]
    jobs = [(title, flags, pool.submit(compile_text, check_layout.macro_lines + "".join(lines), command, root, *flags, *check_layout.warnings))
            for title, flags in kind.variants]
    result = Result()
    for title, flags, job in jobs:
        if job.result() is None:
            result.passed += len(names)
            continue
        alone = [(name, pool.submit(compile_text, line, command, root, *flags, *check_layout.warnings)) for name, line in zip(names, lines)]
        wrong = [f"{title}: {name}\n{one.result()}" for name, one in alone if one.result() is not None]
        result.passed += len(names) - len(wrong)
        result.problems += wrong or [f"{title}: all headers together\n{job.result()}"]
    return result


def pages(root):
    return [root / "README.md", *sorted((root / "docs/guide").glob("*.md")), *sorted((root / "docs/guide/cookbook").glob("*.md"))]


def programs(kind, command, root, pool):
    """The code of README.md, the guide and the cookbook, and the cookbook's programs: as many as may stand in one file together."""
    blocks = [check_docs.Block(f"{path.relative_to(root).as_posix()}:{line}", code, wanted)
              for path in pages(root) for line, code, wanted in check_docs.blocks(path)]
    blocks += [check_docs.Block(path.relative_to(root).as_posix(), path.read_text(), None) for path in sorted((root / "examples/cookbook").glob("*.cpp"))]
    # What adapts another library is compiled where that library is: by the tests of the documentation.
    foreign = re.compile(r"#include <(?!broadloom/|boost/)[\w.]+/|broadloom/(distributed|interop)/|broadloom/io/hdf5")
    blocks = [block for block in blocks if not foreign.search(block.source)]
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-psabi",
             f"-I{root / 'examples'}", f"-I{root / 'examples/cookbook'}"]
    # GCC looks for garbage for a tenth of the time, unless it has room enough.
    flags += [] if "clang" in kind.command else ["--param=ggc-min-heapsize=1000000"]
    include = re.compile(r"^#include [^\n]*\n", re.MULTILINE)
    apart = re.compile(r"^\s*#|^namespace (broadloom|std)\b|\btemplate <>|\bbroadloom::\w+<.*> *[:{=]|BROADLOOM_", re.MULTILINE)
    alone = [block for block in blocks if apart.search(include.sub("", block.source))]
    together = [block for block in blocks if block not in alone]
    groups = [[block] for block in alone] + [together[n::TOGETHER] for n in range(TOGETHER)]

    def tried(group):
        includes = "".join(sorted({line for block in group for line in include.findall(block.source)}))
        parts = includes + "".join(block.as_part(n) for n, block in enumerate(group))
        if len(group) > 1 and compile_text(parts, command, root, *flags) is None:
            return []
        said = [(block.name, compile_text(block.source, command, root, *flags)) for block in group]
        return [f"{name}\n{problem}" for name, problem in said if problem is not None]

    problems = [problem for job in [pool.submit(tried, group) for group in groups] for problem in job.result()]
    return Result(len(blocks) - len(problems), problems)


def configured(kind, root):
    """The build folder of a compiler, without optimisation: expressions go step by step through the library."""
    folder = root / f"build-compilers-{kind.name}"
    if not (folder / "build.ninja").exists():
        launcher = "ccache " if shutil.which("ccache") else ""
        environment = {**os.environ, "CXX": launcher + kind.command, **({"CXX_LD": "lld"} if "clang" in kind.command and shutil.which("ld.lld") else {})}
        command = ["meson", "setup", str(folder), "-Doptimization=0", "-Dtests=enabled", "-Dall_tests=true", "-Dexamples=disabled", "-Dreference=disabled",
                   "-Db_pch=false", *kind.options]
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return folder, "\n".join(done.stdout.splitlines()[-12:])
    return folder, None


def library(kind, root, jobs):
    """The library: a case is a file that is compiled, and the link."""
    folder, problem = configured(kind, root)
    if problem:
        return Result(0, [problem])
    targets = subprocess.run([sys.executable, str(root / "tools/list_targets.py"), str(folder), str(root / "lib")], check=True, capture_output=True, text=True)
    wanted = targets.stdout.split()
    done = subprocess.run(["ninja", "-C", str(folder), f"-j{jobs}", "-k0", *wanted], capture_output=True, text=True, check=False)
    failed = re.findall(r"^FAILED: (.*)$", done.stdout, re.MULTILINE)
    warned = sorted(set(re.findall(r"^\S*?lib/\S+: warning: .*$", done.stdout, re.MULTILINE)))
    files = len(list((folder / "lib").rglob("*.o")))
    problems = [f"{name}\n" + "\n".join(re.findall(r"^.*error: .*$", done.stdout, re.MULTILINE)[:6]) for name in failed] + warned
    if done.returncode != 0 and not problems:
        problems = ["\n".join(done.stdout.splitlines()[-12:])]
    return Result(files, problems)


def tests(kind, root, jobs):
    folder, problem = configured(kind, root)
    if problem:
        return Result(0, [problem])
    command = [sys.executable, str(root / "tools/run_tests.py"), "-j", str(jobs), str(folder), *kind.tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (folder / "tests.log").write_text(done.stdout + done.stderr)
    last = re.match(r"(\d+) passed, (\d+) failed", done.stdout.splitlines()[-1] if done.stdout else "")
    if not last:
        return Result(0, ["the tests ended without totals\n" + "\n".join(done.stdout.splitlines()[-12:])])
    return Result(int(last.group(1)), re.findall(r"^failed: (.*)$", done.stdout, re.MULTILINE))


def foreign_folder(scratch):
    """The header-only library that public headers include, in a folder without this machine's C library."""
    folder = pathlib.Path(scratch) / "include"
    folder.mkdir()
    if pathlib.Path("/usr/include/boost").is_dir():
        (folder / "boost").symlink_to("/usr/include/boost")
    return folder


def written_down(root):
    """What earlier runs found: {compiler: {stage: [text, commit]}}."""
    try:
        return json.loads((root / FOUND).read_text())
    except (OSError, ValueError):
        return {}


def write_down(root, name, stage, result):
    def said(*words):
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False).stdout.strip()

    known = written_down(root)
    changed = " and changes" if said("status", "--porcelain", "--untracked-files=no") else ""
    known.setdefault(name, {})[stage] = [result.text(), (said("rev-parse", "--short", "HEAD") or "unknown") + changed]
    (root / FOUND).parent.mkdir(exist_ok=True)
    (root / FOUND).write_text(json.dumps(known, indent=1) + "\n")


def print_known(root):
    known = written_down(root)
    print("| compiler | " + " | ".join(STAGES) + " |\n|---|" + "---|" * len(STAGES))
    for kind in KINDS:
        cells = [known.get(kind.name, {}).get(stage) for stage in STAGES]
        shown = ["" if stage not in kind.stages else "not run" if cell is None else f"{cell[0]} ({cell[1]})" for stage, cell in zip(STAGES, cells)]
        print(f"| {kind.name} | " + " | ".join(shown) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("names", nargs="*", choices=[[], *(kind.name for kind in KINDS)], help="compilers")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--oldest", action="store_true")
    parser.add_argument("--stage", action="append", choices=STAGES)
    parser.add_argument("--packages", action="store_true", help="print the packages that are needed")
    parser.add_argument("--table", action="store_true", help="print what runs found so far")
    given = parser.parse_intermixed_args()
    root = pathlib.Path(given.root).resolve()
    if given.table:
        if not given.packages:
            print_known(root)
        return 0
    names = OLDEST if given.oldest else given.names or [kind.name for kind in KINDS]
    stages = ["programs"] if given.oldest else given.stage or STAGES
    kinds = [kind for kind in KINDS if kind.name in names]
    if given.packages:
        print(" ".join(kind.packages for kind in kinds))
        return 0

    table = []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        foreign = foreign_folder(scratch)
        for kind in kinds:
            command = shlex.split(kind.command) + ([f"-isystem{foreign}"] if kind.cross else [])
            results = {}
            for stage in stages:
                if stage not in kind.stages:
                    continue
                if shutil.which(command[0]) is None:
                    results[stage] = Result(0, [f"{command[0]} is not installed"])
                elif stage == "headers":
                    results[stage] = headers(kind, command, root, pool)
                elif stage == "programs":
                    results[stage] = programs(kind, command, root, pool)
                else:
                    results[stage] = (library if stage == "library" else tests)(kind, root, given.jobs)
                write_down(root, kind.name, stage, results[stage])
                print(f"{'ok  ' if not results[stage].problems else 'FAIL'} {kind.name} {stage}: {results[stage].text()}", flush=True)
                for problem in results[stage].problems[:10]:
                    print("     | " + "\n     | ".join(problem.splitlines()), flush=True)
            table.append((kind.name, results))

    print("\n| compiler | " + " | ".join(stages) + " |\n|---|" + "---|" * len(stages))
    for name, results in table:
        print(f"| {name} | " + " | ".join(results[stage].text() if stage in results else "" for stage in stages) + " |")
    every = [result for _, results in table for result in results.values()]
    passed, failed = sum(r.passed for r in every), sum(len(r.problems) for r in every)
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
