#!/usr/bin/env python3
"""Compiles what std::mdspan must do with clang and libc++, which have it; the assertions are the compiler's. Reports by TAP.

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


def problem(*more):
    done = subprocess.run(command + list(more) + [str(root / "test/interop/mdspan_std.cpp")], capture_output=True, text=True,
                          check=False)
    return None if done.returncode == 0 else done.stdout + done.stderr


tap.case("std::mdspan is an array, and a tensor is one", problem())
tap.case("the assertions are looked at", None if problem("-DBROADLOOM_MISTAKE") else "a wrong one was accepted")
tap.finish()
