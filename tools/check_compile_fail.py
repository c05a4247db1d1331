#!/usr/bin/env python3
"""Checks the files of test/fail/: what must not compile, and that the compiler says why, where and briefly. By TAP.

usage: check_compile_fail.py SOURCE_ROOT COMPILER...

Each test/fail/NAME.cpp is compiled with -DMISTAKE and must give exactly one error, at the line of the mistake. clang compiles it
without MISTAKE, too, which must be right: GCC would take as long again to see no other error than this one. The file says what it
expects in comments:

    // expect: REGEX            in the compiler's own words (not in the source lines it quotes); any number of these
    // expect gcc: REGEX        the same for one compiler only (gcc or clang)
    // lines gcc: 15            at most so many lines of output; wanted for each compiler
    // lines clang: 30
    // generates code           the mistake is noticed when code is generated, where clang does not know the line
    // no anchor                the message is the compiler's own
    // no anchor clang          clang does not print what the deleted function would return

and must name an anchor of docs/reference/errors.md, unless there is no such page: "[errors.md#ANCHOR]" in a text, or the name of a type in the namespace
errors_md. clang cuts texts off that are arguments of a template: there GCC's words are what counts. Each file

marks one line inside #ifdef MISTAKE with a last comment "// blame": the error itself, or the chain of
instantiations that leads to it, must name that line.

Where the folder include/broadloom is, broadloom.hpp is compiled once for all files that include it: this is what most of the time
went into. What a compiler says does not change with it.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap

error_line = re.compile(r"(?:^|\s)(?:fatal )?error: ")
# How GCC and clang introduce a step of the chain that leads from the user's line to the error.
chain_line = re.compile(
    r"required from|required by|required here|in .constexpr. expansion of|in instantiation of|in substitution of|"
    r"inlined from|requested here|while substituting|while checking|in call to|instantiated from|instantiated here|required for",
    re.IGNORECASE,
)
quoted_line = re.compile(r"^\s*\d*\s*\|")  # a source line that the compiler shows, or the marks below it


class Wanted:
    """What a file says about itself."""

    def __init__(self, text, kind):
        self.problems = []
        self.expect = [
            match.group(2) for match in re.finditer(r"^// expect( gcc| clang)?: (.+)$", text, re.MULTILINE)
            if match.group(1) in (None, " " + kind)
        ]
        if not self.expect:
            self.problems.append("the file has no line '// expect: REGEX'")
        for pattern in self.expect:
            try:
                re.compile(pattern)
            except re.error as error:
                self.problems.append(f"'{pattern}' is not a regular expression: {error}")
        budget = re.search(rf"^// lines {kind}: (\d+)$", text, re.MULTILINE)
        self.budget = int(budget.group(1)) if budget else None
        self.generates_code = re.search(r"^// generates code$", text, re.MULTILINE) is not None
        self.anchor = re.search(rf"^// no anchor(?: {kind})?$", text, re.MULTILINE) is None
        if budget is None:
            self.problems.append(f"the file has no line '// lines {kind}: NUMBER'")

        self.blamed = None
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(r"\s*#\s*ifdef\s+MISTAKE\b", line):
                inside = True
            elif re.match(r"\s*#\s*(endif|else)\b", line):
                inside = False
            elif re.search(r"// blame\s*$", line):
                if not inside:
                    self.problems.append(f"line {number}: '// blame' stands outside of #ifdef MISTAKE")
                elif self.blamed is not None:
                    self.problems.append(f"line {number}: a second '// blame'")
                else:
                    self.blamed = number
        if self.blamed is None:
            self.problems.append("no line inside #ifdef MISTAKE ends with '// blame'")


def kind_of(compiler):
    said = subprocess.run(compiler + ["--version"], capture_output=True, text=True, check=True).stdout
    return "clang" if "clang" in said else "gcc"


def command_for(root, compiler):
    return compiler + ["-std=c++20", f"-I{root / 'include'}", "-fdiagnostics-color=never", "-fmessage-length=0"]


def precompiled(root, compiler, kind, folder):
    """The flags that put the precompiled broadloom.hpp before a file; none where there is no such header."""
    if not (root / "include" / "broadloom" / "broadloom.hpp").exists():
        return []
    header = pathlib.Path(folder) / "first.hpp"
    header.write_text("#include <broadloom/broadloom.hpp>\n")
    out = f"{header}.{'gch' if kind == 'gcc' else 'pch'}"
    command = command_for(root, compiler) + ["-x", "c++-header", str(header), "-o", out]
    # clang instantiates what the header needs once, and not in each file.
    command += [] if kind == "gcc" else ["-fpch-instantiate-templates"]
    subprocess.run(command, capture_output=True, check=True)
    # GCC forgets which warnings a precompiled header turns off.
    return ["-include", str(header), "-Wno-psabi"] if kind == "gcc" else ["-include-pch", out]


def compile_file(path, root, compiler, *flags):
    done = subprocess.run(command_for(root, compiler) + [*flags, str(path)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def blamed_lines(output, path):
    """The lines of the file that the first error or the chain around it names."""
    place = re.compile(re.escape(str(path)) + r":(\d+)")
    named = set()
    errors = 0
    for line in output.splitlines():
        is_error = bool(error_line.search(line)) and not quoted_line.match(line)
        if is_error:
            errors += 1
            if errors > 1:
                break
        if is_error or (chain_line.search(line) and not quoted_line.match(line)):
            named.update(int(match.group(1)) for match in place.finditer(line))
    return named


def check(path, root, compiler, kind, first):
    """Returns what is wrong with the file as a text, or None."""
    text = path.read_text()
    wanted = Wanted(text, kind)
    problems = list(wanted.problems)

    stage = ["-c", "-o", os.devnull] if wanted.generates_code else ["-fsyntax-only"]
    if "#include <broadloom/broadloom.hpp>" in text:
        stage += first
    if kind == "clang":
        status, output = compile_file(path, root, compiler, *stage)
        if status != 0:
            problems.append("without the mistake it does not compile:\n" + output)
    status, output = compile_file(path, root, compiler, "-DMISTAKE", *stage)
    if status == 0:
        problems.append("with the mistake it compiles")
        return "\n".join(problems)

    # clang counts the precompiled header to the way that leads to an included file.
    lines = [line for line in output.splitlines() if not re.match(r"In file included from .*/first\.hpp:1:$", line)]
    words = "\n".join(line for line in lines if not quoted_line.match(line))
    errors = [line for line in words.splitlines() if error_line.search(line)]
    # clang says of a deleted call operator twice what it says of any other deleted function once, both at the user's line
    places = {re.match(r"(.*?:\d+):", line).group(1) if re.match(r".*?:\d+:", line) else line for line in errors}
    if len(places) != 1:
        problems.append(f"it should give one error, it gives {len(errors)} at {len(places)} places")
    if not wanted.problems:
        for pattern in wanted.expect:
            if not re.search(pattern, words, re.MULTILINE):
                problems.append(f"no words match '{pattern}'")
        named = blamed_lines(output, path)
        if wanted.blamed not in named and not (wanted.generates_code and kind == "clang"):
            which = ", ".join(str(number) for number in sorted(named)) or "none"
            problems.append(f"line {wanted.blamed} is to blame, the error names of this file: {which}")
        page = root / "docs" / "reference" / "errors.md"
        if wanted.anchor and page.exists() and "[...]" not in words:
            known = re.findall(r'<a id="([^"]+)"></a>', page.read_text())
            if not set(re.findall(r"errors_md::(\w+)|\[errors\.md#([^\]]+)\]", words)) & {pair for name in known for pair in ((name, ""), ("", name))}:
                problems.append("it names no anchor of docs/reference/errors.md")
        if len(lines) > wanted.budget:
            problems.append(f"the output has {len(lines)} lines, at most {wanted.budget} are allowed")
    if not problems:
        return None
    shown = lines[:60] + ([f"... and {len(lines) - 60} lines more"] if len(lines) > 60 else [])
    return "\n".join(problems + [f"--- what {kind} says with the mistake ({len(lines)} lines)"] + shown)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    compiler = sys.argv[2:]
    kind = kind_of(compiler)
    tap = Tap()
    files = sorted((root / "test" / "fail").glob("*.cpp"))
    jobs = int(os.environ.get("BROADLOOM_JOBS", "2"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        first = precompiled(root, compiler, kind, folder)
        for path, problem in zip(files, pool.map(lambda path: check(path, root, compiler, kind, first), files)):
            tap.case(f"test/fail/{path.name} is refused as it says ({kind})", problem)
    if not files:
        tap.case("there are files in test/fail/", "none was found")
    tap.finish()


if __name__ == "__main__":
    main()
