#!/usr/bin/env python3
"""Compares the binary interface of a build with that of the last release, by libabigail.

usage: compare_abi.py SOURCE_ROOT BUILD_ROOT [--release]

The build has debug information. What was released is tools/package/abi/VERSION.abi, as abidw writes it; --release writes the
one of this version. Ends with 0 where programs of the last release run with this library: nothing was removed or changed.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
build = pathlib.Path(sys.argv[2]).resolve()
release = sys.argv[3:] == ["--release"]
if sys.argv[3:] and not release:
    sys.exit(__doc__)
stored = source / "tools" / "package" / "abi"
version = (source / "VERSION").read_text().strip()
library = (build / "lib" / "libbroadloom.so").resolve()


def write(to):
    """What the library exports, with the types of public headers; nothing of where or how it was built."""
    subprocess.run(
        ["abidw", "--exported-interfaces-only", "--headers-dir", source / "include", "--drop-private-types", "--no-show-locs",
         "--no-corpus-path", "--no-comp-dir-path", "--no-elf-needed", "--type-id-style", "hash", "--out-file", to, library],
        check=True,
    )


def by_number(path):
    return [int(part) for part in path.stem.split(".")]


if release:
    stored.mkdir(exist_ok=True)
    write(stored / f"{version}.abi")
    print(f"written: {(stored / f'{version}.abi').relative_to(source)}, {(stored / f'{version}.abi').stat().st_size // 1024} KiB")
    sys.exit(0)

releases = sorted(stored.glob("*.abi"), key=by_number)
if not releases:
    sys.exit("compare_abi.py: no release was written down yet: ./dev abi --release")
with tempfile.TemporaryDirectory() as folder:
    now = os.path.join(folder, "now.abi")
    write(now)

    def difference(*options):
        done = subprocess.run(
            ["abidiff", "--no-show-locs", *options, releases[-1], now], capture_output=True, text=True, check=False
        )
        # abidiff's bits: 1 an error of its own, 2 of the call, 4 a change, 8 one that is surely incompatible.
        if done.returncode & 3:
            sys.exit(f"compare_abi.py: abidiff failed: {done.stderr}")
        return done.returncode, done.stdout

    changed, said = difference()
    breaks, _ = difference("--no-added-syms")
print(said, end="")
print(f"{version} beside {releases[-1].stem}: "
      + ("programs must be compiled again: the soversion rises (docs/abi.md)" if breaks
         else "only added: the soversion stays" if changed else "the same binary interface"))
sys.exit(1 if breaks else 0)
