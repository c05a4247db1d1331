#!/usr/bin/env python3
"""Puts several test files into one program: each costs GCC a second to read the headers that all of them include, and clang, which
has them precompiled, what several of them instantiate.

usage: share_tests.py groups TEST_FOLDER LINES NAME=KIND...   prints, one a line, a program and its files, of at most so many lines
       share_tests.py write OUTPUT TEST_FOLDER NAME...        writes the source of such a program
       share_tests.py alone TEST_FOLDER                       prints the files that have to be programs of their own

Files of one folder of tests and one KIND, which says how they are compiled, go together. Each is a suite of Boost.Test, which is a
namespace: names do not meet. What would not mean the same there, or would reach the next file, keeps a file a program of its own.
"""
import collections
import functools
import pathlib
import re
import sys

MOST_FILES = 6
# A large file gains nothing that counts, and the laws and random expressions are large by what they instantiate.
LARGE = 450
LARGE_FOLDERS = ("fuzz", "law", "reference")

include = re.compile(r'#include ([<"])([^>"]+)[>"]')
# Specialisations and names of other namespaces, functions that replace a program's, what belongs to a whole program.
only_alone = re.compile(
    r"^\s*template <>|\benable_element<|^(inline )?namespace \w[\w:]*( \{|$)|\boperator new|\boperator delete|^extern|GLOBAL_FIXTURE|TEST_MODULE|"
    r"DONT_PRINT_LOG_VALUE|^int main|^\s*#\s*pragma",
    re.MULTILINE,
)


@functools.cache
def once(path):
    """Whether a header may be included where others did so already; None where there is no such file."""
    return "#pragma once" in path.read_text(encoding="utf-8") if path.is_file() else None


def spelled(tests, name, mark, header):
    """How a file's own include is written in a file elsewhere, or None where it may be read more than once."""
    beside = (tests / name).parent / header
    if mark == '"' and beside.is_file():
        header = beside.relative_to(tests).as_posix()
    for folder in (tests, tests / "support", tests.parent / "include"):
        if once(folder / header) is not None:
            return f"#include {mark}{header}{'>' if mark == '<' else mark}" if once(folder / header) else None
    # A header of another library.
    return f"#include {mark}{header}{'>' if mark == '<' else mark}"


def may_share(tests, name):
    """The includes of a file that may be put before others, or None where it has to be a program of its own."""
    text = (tests / name).read_text(encoding="utf-8")
    lines = text.splitlines()
    if only_alone.search(text) or len(lines) > LARGE or name.split("/")[0] in LARGE_FOLDERS:
        return None
    includes, depth, defined, past = [], 0, set(), False
    for line in lines:
        word = re.match(r"\s*#\s*(\w+)\s*([A-Za-z_]\w*)?", line)
        if not word:
            past = past or (bool(line.strip()) and not line.startswith("//"))
        elif word[1] == "include":
            found = include.match(line)
            said = spelled(tests, name, found[1], found[2]) if found else None
            if past or depth or defined or said is None:
                return None
            includes.append(said)
        elif word[1] == "define":
            defined.add(word[2])
        elif word[1] == "undef":
            defined.discard(word[2])
        else:
            depth += word[1].startswith("if") - (word[1] == "endif")
    return None if defined else includes


def groups(tests, most_lines, kinds):
    open_groups, all_groups = {}, []
    for name, kind in kinds:
        if may_share(tests, name) is None:
            continue
        place = (name.split("/")[0], kind)
        lines = len((tests / name).read_text(encoding="utf-8").splitlines())
        group, had = open_groups.get(place, (None, 0))
        if group is None or len(group) == MOST_FILES or had + lines > most_lines:
            group, had = [], 0
            all_groups.append(group)
        group.append(name)
        open_groups[place] = (group, had + lines)
    numbers = collections.Counter()
    for group in all_groups:
        if len(group) > 1:
            folder = group[0].split("/")[0]
            # A file that comes into one folder leaves the programs of the others as they are.
            numbers[folder] += 1
            yield f"{folder}.shared_{numbers[folder]}", group


def source(tests, names):
    includes, bodies = [], []
    for name in names:
        found = may_share(tests, name)
        if found is None:
            sys.exit(f"test/{name} has to be a program of its own now: run ./dev test, which configures the build again")
        includes += [line for line in found if line not in includes]
        suite = name.removesuffix(".cpp").replace("/", "_")
        bodies.append(f'BOOST_AUTO_TEST_SUITE({suite})\n#include "{name}"\nBOOST_AUTO_TEST_SUITE_END()\n')
    head = ["// Made by tools/share_tests.py.", "// GCC takes the files for headers, where unnamed namespaces would be a mistake."]
    quiet = ["#ifndef __clang__", '#pragma GCC diagnostic ignored "-Wsubobject-linkage"', "#endif"]
    return "\n".join([*head, *quiet, *includes, "", *bodies])


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("groups", "write", "alone"):
        sys.exit(__doc__)
    if sys.argv[1] == "groups":
        for title, group in groups(pathlib.Path(sys.argv[2]), int(sys.argv[3]), [tuple(word.split("=")) for word in sys.argv[4:]]):
            print(f"{title}:", *group)
    elif sys.argv[1] == "alone":
        tests = pathlib.Path(sys.argv[2])
        names = sorted(path.relative_to(tests).as_posix() for path in tests.rglob("*_test.cpp"))
        print("\n".join(name for name in names if may_share(tests, name) is None))
    else:
        pathlib.Path(sys.argv[2]).write_text(source(pathlib.Path(sys.argv[3]), sys.argv[4:]), encoding="utf-8")


if __name__ == "__main__":
    main()
