#!/usr/bin/env python3
"""Compiles what std::mdspan and std::format must do with clang and libc++, which have them; the assertions are the
compiler's. Reports by TAP.

usage: mdspan_std_test.py SOURCE_ROOT COMPILER...
"""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools"))
from tap import Tap  # noqa: E402

tap = Tap()
command = sys.argv[2:] + ["-std=c++23", "-stdlib=libc++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                          f"-I{root / 'include'}"]


def problem(source, *more):
    done = subprocess.run(command + list(more) + [str(root / "test/interop" / source)], capture_output=True, text=True,
                          check=False)
    return None if done.returncode == 0 else done.stdout + done.stderr


for sentence, source in [("std::mdspan is an array, and a tensor is one", "mdspan_std.cpp"),
                         ("std::format takes arrays, expressions and shapes", "format_std.cpp")]:
    tap.case(sentence, problem(source))
    tap.case(f"the assertions of {source} are looked at",
             None if problem(source, "-DBROADLOOM_MISTAKE") else "a wrong one was accepted")
tap.finish()
