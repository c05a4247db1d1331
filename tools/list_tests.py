#!/usr/bin/env python3
"""Prints the tests below a folder, test/**/*_test.cpp, one a line, each with what its line "// Build: WORD, WORD (why)" says of it.

usage: list_tests.py TEST_FOLDER

The line stands among the comments at the head of the file; most tests have none. Its words:

  alone                      a program of its own, as it takes much memory to compile
  optimised                  its loops are not compiled without optimisation, and it looks at whether they are taken
  optimised-by-sanitizers    a small program that runs for long
  unoptimised                it instantiates much and looks at values, not at generated code; so do all tests of some folders
  unoptimised-by-sanitizers  so with sanitizers, where the optimiser takes twice as long
  uninstrumented             no sanitizers in the program itself where -Dsanitize_programs=false: its loops are the library's

What a run of all takes in each of the three builds: GCC, the sanitizers, clang without sanitizers (test/meson.build has the rule):

  gcc-alone                  not by the sanitizers: its loops are the library's, and others run them there
  run-by-gcc                 it goes through most of the library, so GCC runs it, too, where it would leave it to the sanitizers
  parsed-by-gcc              GCC looks at its text alone
  sanitizers-alone           not by GCC: the sanitizers have it as GCC would, without optimisation
  clang-alone                only by clang without sanitizers
  clang-too                  by clang without sanitizers, too: it looks at code that a compiler generates, or goes through most of the library
  seldom                     by none: it repeats others over more types, shapes and values; ./dev test all has it
  not-sanitized              never built with sanitizers
  not-by-thread-sanitizer    never built with ThreadSanitizer
"""
import pathlib
import re
import sys

from list_files import list_files

words = set(re.findall(r"^  ([a-z-]+)  ", __doc__, re.MULTILINE))


def words_of(text):
    """What a file's line says; raises ValueError for a word that is not in the list above."""
    found = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if line.startswith("// Build:"):
            said = re.fullmatch(r"// Build: ([a-z, -]+?)(?: \(.+\))?", line)
            if found or not said:
                raise ValueError(f'"{line}" is not "// Build: WORD, WORD (why)", once in a file')
            found = said[1].split(", ")
            unknown = [word for word in found if word not in words]
            if unknown:
                raise ValueError(f'"{unknown[0]}" is none of {", ".join(sorted(words))}')
    if "optimised" in found and "parsed-by-gcc" in found:
        raise ValueError("what GCC only parses is not optimised")
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name in list_files(sys.argv[1], "_test.cpp"):
        try:
            print(" ".join([name, *words_of((pathlib.Path(sys.argv[1]) / name).read_text(encoding="utf-8"))]))
        except ValueError as refused:
            sys.exit(f"test/{name}: {refused}")
