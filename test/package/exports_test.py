#!/usr/bin/env python3
"""The shared library exports what headers mark with BROADLOOM_API and nothing else; its soversion stands the same wherever
it is written. Reports by TAP.

usage: exports_test.py SOURCE_ROOT LIBRARY
"""
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1]).resolve()
library = pathlib.Path(sys.argv[2]).resolve()

sys.path.insert(0, str(source / "tools"))
from tap import Tap  # noqa: E402

mark = "BROADLOOM_API"
version_node = re.search(r"^(BROADLOOM_(\d+)) \{", (source / "lib" / "exports.map").read_text(), re.MULTILINE)


def marked():
    """The names of functions and variables, and those of classes, that the headers mark."""
    names, classes = set(), set()
    for path in sorted((source / "include").rglob("*.hpp")):
        text = re.sub(r"//[^\n]*|^#[^\n]*", "", path.read_text(), flags=re.MULTILINE)
        for found in re.finditer(mark + r"\b([^;{]*)", text):
            declaration = re.sub(r"\[[^\]]*\]", "", found.group(1))  # bounds of arrays may have brackets of their own
            if text[: found.start()].rstrip().endswith(("class", "struct")):
                classes.add(declaration.split()[0])
            elif "(" in declaration:
                names.add(re.search(r"(operator\s*\W+|\w+)\s*\(", declaration).group(1).replace(" ", ""))
            else:
                names |= {part.split()[-1] for part in declaration.split(",")}
    return names, classes


def exported():
    """The demangled names that the library exports, and what it exports without its version."""
    listed = subprocess.run(["nm", "-DC", "--defined-only", library], check=True, capture_output=True, text=True)
    names, foreign = [], []
    for line in listed.stdout.splitlines():
        kind, name = line.split(maxsplit=2)[1:]
        plain, _, node = name.partition("@@")
        if kind == "A" and plain == version_node.group(1):
            continue
        if node != version_node.group(1) or "broadloom::" not in plain:
            foreign.append(line)
        names.append(plain)
    return names, foreign


def last_parts(name):
    """The last name of a demangled one, and the class, or namespace, that it is in."""
    name = re.sub(r"^(typeinfo name|typeinfo|vtable) for (.*)$", r"\2::of_class", name)
    name = re.sub(r"\[abi:\w+\]", "", name)
    parts = re.sub(r"(?<!operator)\(.*", "", name).split("::")
    return parts[-1], parts[-2]


def only_what_headers_name():
    names, classes = marked()
    exports, foreign = exported()
    if foreign or not exports:
        return "exported without the library's version:\n" + "\n".join(foreign[:20])
    extra = [name for name in exports if last_parts(name)[0] not in names and last_parts(name)[1] not in classes]
    return "exported, and in no header:\n" + "\n".join(extra[:20]) if extra else None


def all_that_headers_name():
    names, classes = marked()
    found = {part for name in exported()[0] for part in last_parts(name)}
    lost = sorted((names | classes) - found)
    return f"marked with {mark}, and not exported: {lost}" if lost else None


def one_soversion():
    number = version_node.group(2)
    package = source / "tools" / "package" / "debian"
    problems = []
    for path, pattern in (
        ("lib/meson.build", r"soversion: '(\d+)'"),
        ("CMakeLists.txt", r"SOVERSION (\d+)"),
        ("tools/package/debian/control", r"Package: libbroadloom(\d+)"),
        ("tools/package/debian/libbroadloom0.symbols", r"\(symver\)BROADLOOM_(\d+)"),
    ):
        said = re.findall(pattern, (source / path).read_text())
        if said != [number]:
            problems.append(f"{path} says {said}, lib/exports.map {number}")
    if not (package / f"libbroadloom{number}.install").is_file():
        problems.append(f"there is no libbroadloom{number}.install")
    return "\n".join(problems) or None


tap = Tap()
for case in (only_what_headers_name, all_that_headers_name, one_soversion):
    tap.case(case.__name__.replace("_", " "), case())
tap.finish()
