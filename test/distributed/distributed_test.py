#!/usr/bin/env python3
"""Runs the programs of test/dist over several ranks on this machine: what they check, bits that are to be equal for every
number of ranks, and that an error of one rank ends all with its text. Reports by TAP.

usage: distributed_test.py SOURCE_ROOT RANKS [MPIRUN PROGRAM...]...     RANKS: 1,2,3; MPIRUN begins with /. Skipped without any.
"""
import os
import pathlib
import re
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "tools"))
from over_ranks import run  # noqa: E402
from tap import Tap  # noqa: E402

def main():
    counts = [int(n) for n in sys.argv[2].split(",")]
    groups = []
    for word in sys.argv[3:]:
        if os.path.basename(word).startswith("mpirun"):
            groups.append((word, [], []))
        else:
            groups[-1][2 if word.endswith(".so") else 1].append(word)
    if not groups:
        print("ok 1 - arrays over ranks # SKIP neither Open MPI nor MPICH with its headers was found (mpi-default-dev)\n1..1")
        return
    tap = Tap()
    bits = {}
    for mpirun, programs, preloads in groups:
        kind = os.path.basename(mpirun)
        preload = preloads[0] if preloads else None
        if len(counts) > 1 and not any("hdf5_ranks" in program for program in programs):
            package = "libhdf5-" + kind.split(".")[1] + "-dev"
            tap.skip(f"HDF5 over ranks ({kind})", f"HDF5 built with this MPI was not found ({package})")
        for program in programs:
            name = os.path.basename(program).split(".")[1]
            few = {"failure_ranks": (2, 7), "hdf5_ranks": (1, 2, 3)}.get(name, counts)
            for ranks in [n for n in counts if n in few]:
                with tempfile.TemporaryDirectory() as scratch:
                    words = [scratch] if name == "hdf5_ranks" else []
                    status, text, errors = run(mpirun, ranks, program, *words, preload=preload)
                done = re.search(r"^(\d+) checks, 0 failed$", text, re.MULTILINE)
                good = status == 0 and done and int(done.group(1)) > 0
                tap.case(f"{name} over {ranks} ranks ({kind})", None if good else f"exit status {status}\n{text}{errors}")
                for key, value in re.findall(r"^bits (.*) ([0-9a-f]{16})$", text, re.MULTILINE):
                    bits.setdefault((kind, name, key), set()).add(value)
            if name == "failure_ranks":
                for which, sentence in [("alone", "thrown between two calls"), ("uncaught", "a callable's own error")]:
                    for ranks in (2,):
                        status, text, errors = run(mpirun, ranks, program, which, preload=preload)
                        good = status not in (0, None) and f"rank {ranks - 1}: {sentence}" in text + errors
                        tap.case(f"an error ends {ranks} ranks with its text: {which} ({kind})",
                                 None if good else f"exit status {status}\n{text}{errors}")
    if bits:
        several = [f"{key}: {', '.join(sorted(values))}" for key, values in bits.items() if len(values) > 1]
        tap.case("the bits are equal for every number of ranks", "\n".join(several) or None)
    tap.finish()


if __name__ == "__main__":
    main()
