#!/usr/bin/env python3
"""Checks how the code is written: clang-format, the layers of the headers, clang-tidy. `./dev lint` runs it.

usage: lint.py [-j JOBS] BUILD_FOLDER [--fix] [--changed | FILE...]

Without files everything is checked; --changed takes what differs from the last commit, and
--fix formats the files in place. clang-tidy looks at lib/ and
examples/ and, through one file that includes them all, at the public headers.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

formatted = ("include/", "lib/", "test/", "examples/", "bench/", "proof/", "tools/")
tidied = ("lib/", "examples/")


def tool(name):
    for candidate in (name + "-19", name):
        if shutil.which(candidate):
            return candidate
    sys.exit(f"{name} is not installed")


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def chosen_files(options):
    if options.files:
        files = options.files
    elif options.changed:
        files = lines_of("git", "diff", "--name-only", "HEAD") + lines_of(
            "git", "ls-files", "--others", "--exclude-standard"
        )
    else:
        files = lines_of("git", "ls-files")
    return [name for name in files if name.endswith((".hpp", ".cpp")) and pathlib.Path(name).is_file()]


def misformatted(files):
    """Those of the files that clang-format would change."""
    files = [name for name in files if name.startswith(formatted)]
    if not files:
        return []
    command = [tool("clang-format"), "--dry-run", "-fno-color-diagnostics", *files]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    wrong = {line.split(":")[0] for line in said.splitlines() if "[-Wclang-format-violations]" in line}
    return [name for name in files if name in wrong]


def check_format(files, fix):
    """Prints each file that is formatted otherwise, or formats it, and returns the number of those left so."""
    wrong = misformatted(files)
    if fix and wrong:
        subprocess.run([tool("clang-format"), "-i", *wrong], check=True)
    for name in wrong:
        print(f"{name}: formatted" if fix else f"{name}: is formatted otherwise; run ./dev lint --fix {name}")
    return 0 if fix else len(wrong)


def compiled(build):
    """The files the build folder compiles, with absolute paths."""
    path = pathlib.Path(build) / "compile_commands.json"
    return {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in json.loads(path.read_text())}


def without_precompiled(build, folder):
    """Writes the build folder's commands without what only its compiler reads: its precompiled header."""
    text = (pathlib.Path(build) / "compile_commands.json").read_text()
    text = re.sub(r" -fpch-preprocess| -include [^ ]*precompiled\.hpp", "", text)
    (pathlib.Path(folder) / "compile_commands.json").write_text(text)


def foreign_includes(build):
    """Where the build folder's programs find headers of other libraries, such as MPI's."""
    text = (pathlib.Path(build) / "compile_commands.json").read_text()
    found = sorted(set(re.findall(r"(?:-I|-isystem *)(/usr/[^ \"]+)", text)))
    return [f"-isystem{name}" for name in found if name not in ("/usr/include", "/usr/include/x86_64-linux-gnu")]


def check_tidy(files, options):
    program = tool("clang-tidy")
    known = compiled(options.build)
    root = pathlib.Path.cwd()
    sources = [n for n in files if n.startswith(tidied) and n.endswith(".cpp") and pathlib.Path(n).resolve() in known]
    headers = [n for n in files if n.startswith("include/broadloom/") and n.endswith(".hpp")]
    with tempfile.TemporaryDirectory() as scratch:
        without_precompiled(options.build, scratch)
        jobs = [[program, "--quiet", "-p", scratch, name] for name in sources]
        if headers:
            everything = pathlib.Path(scratch) / "headers.cpp"
            everything.write_text(
                "".join(f"#include <{pathlib.PurePath(name).relative_to('include').as_posix()}>\n" for name in headers)
            )
            config = f"--config-file={root / '.clang-tidy'}"
            flags = ["-std=c++20", f"-I{root / 'include'}", *foreign_includes(options.build)]
            jobs.append([program, "--quiet", config, str(everything), "--", *flags])

        def run(command):
            return subprocess.run(command, check=False, capture_output=True, text=True)

        wrong = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in pool.map(run, jobs):
                if done.returncode != 0:
                    wrong += 1
                    print(done.stdout.rstrip() or done.stderr.rstrip())
    return wrong, len(jobs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("build")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_intermixed_args()

    files = chosen_files(options)
    misformatted = check_format(files, options.fix)
    layers = subprocess.run([sys.executable, "tools/check_layout.py", "layers", "."], capture_output=True, text=True)
    for line in layers.stdout.splitlines():
        if not line.startswith(("ok ", "1..")):
            print(line)
    badly, looked_at = check_tidy(files, options)
    print(
        f"{len(files)} files: {misformatted} formatted otherwise; "
        f"layers {'kept' if layers.returncode == 0 else 'broken'}; "
        f"clang-tidy complains in {badly} of {looked_at} translation units"
    )
    return 1 if misformatted or badly or layers.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
