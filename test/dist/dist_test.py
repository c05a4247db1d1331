#!/usr/bin/env python3
"""Runs the programs of test/dist over several ranks on this machine: what they check, bits that are to be equal for every
number of ranks, and that an error of one rank ends all with its text. Reports by TAP.

usage: dist_test.py SOURCE_ROOT RANKS [MPIRUN PROGRAM...]...     RANKS: 1,2,3; MPIRUN begins with /. Skipped without any.
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from over_ranks import run  # noqa: E402
from tap import Tap  # noqa: E402

def main():
    counts = [int(n) for n in sys.argv[2].split(",")]
    groups = []
    for word in sys.argv[3:]:
        if os.path.basename(word).startswith("mpi"):
            groups.append((word, []))
        else:
            groups[-1][1].append(word)
    if not groups:
        print("ok 1 - arrays over ranks # SKIP neither Open MPI nor MPICH with its headers was found (mpi-default-dev)\n1..1")
        return
    tap = Tap()
    bits = {}
    for mpirun, programs in groups:
        kind = os.path.basename(mpirun)
        # MPICH's ranks never yield: many of them on few processors wait for minutes.
        few = [n for n in counts if n <= 3] if "mpich" in kind else counts
        for program in programs:
            name = os.path.basename(program).split(".")[1]
            for ranks in few if name != "failure_ranks" else [n for n in few if n in (2, 7)]:
                status, text = run(mpirun, ranks, program)
                done = re.search(r"^(\d+) checks, 0 failed$", text, re.MULTILINE)
                good = status == 0 and done and int(done.group(1)) > 0
                tap.case(f"{name} over {ranks} ranks ({kind})", None if good else f"exit status {status}\n{text}")
                for key, value in re.findall(r"^bits (.*) ([0-9a-f]{16})$", text, re.MULTILINE):
                    bits.setdefault((kind, name, key), set()).add(value)
            if name == "failure_ranks":
                for which, sentence in [("alone", "thrown between two calls"), ("uncaught", "a callable's own error")]:
                    for ranks in (2,):
                        status, text = run(mpirun, ranks, program, which)
                        good = status not in (0, None) and f"rank {ranks - 1}: {sentence}" in text
                        tap.case(f"an error ends {ranks} ranks with its text: {which} ({kind})",
                                 None if good else f"exit status {status}\n{text}")
    if bits:
        several = [f"{key}: {', '.join(sorted(values))}" for key, values in bits.items() if len(values) > 1]
        tap.case("the bits are equal for every number of ranks", "\n".join(several) or None)
    tap.finish()


if __name__ == "__main__":
    main()
