"""Builds SLEEF's vector maths library with its own CMake files and puts libsleef.a and sleef.h into a folder.

usage: build_sleef.py CMAKE SOURCE SCRATCH OUTPUT COMPILER...
"""
import pathlib
import shutil
import subprocess
import sys

cmake, source, scratch, output = sys.argv[1:5]
compiler = sys.argv[5:]
build = pathlib.Path(scratch).resolve() / "build"
prefix = pathlib.Path(scratch).resolve() / "prefix"

options = {
    "CMAKE_BUILD_TYPE": "Release",
    "CMAKE_C_COMPILER": compiler[-1],
    "CMAKE_INSTALL_PREFIX": prefix,
    "CMAKE_INSTALL_LIBDIR": "lib",
    "CMAKE_POSITION_INDEPENDENT_CODE": "ON",
    "BUILD_SHARED_LIBS": "OFF",
    "BUILD_DFT": "OFF",
    "BUILD_QUAD": "OFF",
    "BUILD_GNUABI_LIBS": "OFF",
    "BUILD_INLINE_HEADERS": "OFF",
    "BUILD_TESTS": "OFF",
}
if len(compiler) > 1:
    options["CMAKE_C_COMPILER_LAUNCHER"] = compiler[0]
generator = ["-G", "Ninja"] if shutil.which("ninja") else []
settings = [f"-D{name}={value}" for name, value in options.items()]
subprocess.run([cmake, "-S", source, "-B", str(build), *generator, *settings], check=True)
subprocess.run([cmake, "--build", str(build), "--target", "install"], check=True)
shutil.copy(prefix / "lib" / "libsleef.a", output)
shutil.copy(prefix / "include" / "sleef.h", output)
