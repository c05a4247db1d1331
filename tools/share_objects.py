#!/usr/bin/env python3
"""A compiler that takes an object of libbroadloom from another build folder, where it was compiled by the same command.

usage: share_objects.py BUILD_ROOT COMPILER ARGUMENTS...    as CXX of a build that compiles the same sources once more

The same command is: the same file by the same compiler with the same flags and folders of headers, but for those of the
two builds themselves. A file that each of the builds makes for itself is the same if its name and its text are. Anything else is
compiled. Which objects were taken is added to the file taken_objects in the folder where it runs.
"""
import json
import os
import pathlib
import shlex
import shutil
import sys

# Flags that name outputs, with their arguments, and what says nothing of the object.
with_argument = {"-o": "", "-MF": "", "-MQ": "", "-MT": ""}
of_no_effect = {"-c", "-MD", "-fdiagnostics-color=always", "-fdiagnostics-color=never"}


def essence(words, folder, top):
    """The flags that decide what comes out, the folders of headers outside of the build, the source, and the output."""
    flags, headers, source, outputs = [], [], None, dict(with_argument)
    words = iter(words)
    for word in words:
        if word in outputs:
            outputs[word] = next(words, "")
        elif word in of_no_effect:
            continue
        elif word.startswith(("-I", "-isystem")):
            path = word[len("-isystem" if word.startswith("-isystem") else "-I"):] or next(words, "")
            path = (folder / path).resolve()
            if path.is_dir() and not path.is_relative_to(top):
                headers.append(str(path))
        elif word.endswith(".cpp"):
            source = (folder / word).resolve()
        else:
            flags.append(word)
    return sorted(flags), sorted(set(headers)), source, outputs


def compiler_and_rest(words):
    words = [word for word in words if not word.endswith("ccache")]
    found = shutil.which(words[0])
    # c++ is g++ by another name; what masks a compiler is not that compiler.
    real = os.path.realpath(found) if found else None
    return found if real is None or real.endswith("ccache") else real, words[1:]


def same_source(one, top_of_one, other, top_of_other):
    if one == other:
        return True
    made = one.is_relative_to(top_of_one) and other.is_relative_to(top_of_other)
    return made and one.name == other.name and other.exists() and one.read_bytes() == other.read_bytes()


def take(build, words):
    """Whether the object was there to be taken."""
    here = pathlib.Path.cwd()
    compiler, rest = compiler_and_rest(words)
    flags, headers, source, outputs = essence(rest, here, here)
    if "-c" not in words or source is None or not outputs["-o"]:
        return False
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if not entry["file"].endswith(source.name):
            continue
        folder = pathlib.Path(entry["directory"])
        theirs = (folder / entry["file"]).resolve()
        if not same_source(source, here, theirs, folder.resolve()):
            continue
        command, others = compiler_and_rest(shlex.split(entry["command"]))
        their_flags, their_headers, _, their_outputs = essence(others, folder, folder)
        if (command, their_flags, their_headers) != (compiler, flags, headers):
            continue
        made = folder / their_outputs["-o"]  # CMake 3.25 gives no "output"
        if not made.exists() or made.stat().st_mtime < theirs.stat().st_mtime:
            continue
        shutil.copyfile(made, outputs["-o"])
        if outputs["-MF"]:
            pathlib.Path(outputs["-MF"]).write_text(f"{outputs['-o']}: {source}\n")
        with open(here / "taken_objects", "a", encoding="utf-8") as log:
            log.write(f"{source}\n")
        return True
    return False


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if not take(pathlib.Path(sys.argv[1]), sys.argv[2:]):
        os.execvp(sys.argv[2], sys.argv[2:])


main()
