#!/usr/bin/env python3
"""Mutation testing itself: the list fits the sources, a stale line is an error, changes do what they say, and a change
that no test notices is reported as such. The changes of the list's sample are tried. Reports by TAP.

usage: mutants_test.py SOURCE_ROOT BUILD_ROOT COMPILER...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
compiler = sys.argv[3:]
sys.path.insert(0, str(root / "tools"))
import mutants  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
script = root / "tools" / "mutants.py"
whole_list = mutants.read_list(root / "tools" / "mutants.txt")


def call(*arguments):
    return subprocess.run([sys.executable, str(script), str(build), *map(str, arguments)], capture_output=True, text=True, check=False)


def problem(done, status, *texts):
    """None if the call ended with this status and printed these texts."""
    output = done.stdout + done.stderr
    missing = [text for text in texts if text not in output]
    if done.returncode == status and not missing:
        return None
    return f"status {done.returncode} instead of {status}, without {missing}:\n{output}"


tap.case("every line of the list fits the sources, once", problem(call("--check"), 0, "changes fit the sources"))

page = (root / "docs" / "internals" / "mutants.md").read_text()
untold = [str(m) for m in whole_list if m.reason and m.reason not in page]
tap.case("every reason is in docs/internals/mutants.md", "\n".join(untold) or None)

with tempfile.TemporaryDirectory() as folder:
    own = pathlib.Path(folder) / "list.txt"

    def with_list(*lines):
        own.write_text("\n".join(["== lib/plan/nest.cpp : eval.assign_test", *lines]) + "\n")
        return call("--check", "--list", own)

    tap.case("a text that is not there is an error", problem(with_list("if (n.rank == @77@78@) return;"), 2, "found 0 times"))
    tap.case("and so is one that is there twice", problem(with_list("n.stride(k, to) = n.stride(k, @i@to@);"), 2, "found 2 times"))
    tap.case("white space does not count", problem(with_list("n.rank  = @to + 1@to@;"), 0))
    tap.case("a line without a change is an error", problem(with_list("n.rank = to + 1;"), 2, "a change is written"))
    tap.case("changes that overlap are an error",
             problem(with_list("n.rank = @to + 1@to@;", "n.rank = to + @1@2@;"), 2, "overlaps another one"))

    # What a list does to a program: 0 is the program as it is.
    source = "int f(int x) {\n  if (x < 3) x += 2;\n  return x;\n}\n"
    changes = ["if (@x < 3@x <= 3@)", "if (@x < 3@false@)", "@x += 2;@@", "return @x@-x@;"]
    own_mutants = [mutants.Mutant("f", ["t"], i, text) for i, text in enumerate(changes, 1)]
    program = pathlib.Path(folder) / "f.cpp"
    program.write_text(
        mutants.CHOICE.replace("extern int", mutants.SWITCH.replace("#pragma once", "") + "extern int", 1)
        + mutants.with_switches(source, own_mutants)
        + '#include <cstdio>\nint main() { std::printf("%d %d %d", f(2), f(3), f(4)); }\n'
    )
    built = subprocess.run([*compiler, "-std=c++20", str(program), "-o", f"{folder}/f"], capture_output=True, text=True, check=False)
    tap.case("a source with its changes compiles", built.stderr if built.returncode else None)
    wanted = ["4 3 4", "4 5 4", "2 3 4", "2 3 4", "-4 -3 -4"]
    got = [subprocess.run([f"{folder}/f"], env={**os.environ, "BROADLOOM_MUTANT": str(number)}, capture_output=True, text=True,
                          check=False).stdout for number in [0, *[m.number for m in own_mutants]] if built.returncode == 0]
    tap.case("each change does what it says, alone", None if got == wanted else f"{got} instead of {wanted}")
    alone = mutants.mutated(source, own_mutants[2])
    tap.case("a header has one change at a time", None if alone == source.replace("x += 2;", "") else alone)

    # The sample, and one change that changes nothing: all but that one are caught.
    lines = (root / "tools" / "mutants.txt").read_text()
    own.write_text(lines + "\n== lib/plan/nest.cpp : eval.assign_test\n* eval.assign_test n.rank = @to + 1@1 + to@;\n")
    count = sum(bool(m.sample) for m in whole_list)
    own.write_text(own.read_text().replace("@n.rank = to + 1;@n.rank = to;@\n", ""))
    done = call("--sample", "--list", own)
    tap.case(f"the {count} changes of the sample are caught, and one that changes nothing survives",
             problem(done, 1, f"{count} caught, 0 explained, 1 survived", "SURVIVED", "1 + to"))
tap.finish()
