#!/usr/bin/env python3
"""Compares the binary interface of a build with that of the last release, by libabigail.

usage: compare_abi.py SOURCE_ROOT BUILD_ROOT [--release]

The build has debug information. What was released is tools/package/abi/VERSION.abi.xz, as abidw writes it; --release writes
the one of this version. Ends with 0 where programs of the last release run with this library: nothing was removed or changed.
"""
import lzma
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
    return [int(part) for part in path.name.removesuffix(".abi.xz").split(".")]


releases = sorted(stored.glob("*.abi.xz"), key=by_number)
if not release and not releases:
    sys.exit("compare_abi.py: no release was written down yet: ./dev abi --release")
with tempfile.TemporaryDirectory() as folder:
    now, last = os.path.join(folder, "now.abi"), os.path.join(folder, "last.abi")
    write(now)
    if release:
        stored.mkdir(exist_ok=True)
        to = stored / f"{version}.abi.xz"
        to.write_bytes(lzma.compress(pathlib.Path(now).read_bytes(), preset=9 | lzma.PRESET_EXTREME))
        print(f"written: {to.relative_to(source)}, {to.stat().st_size // 1024} KiB")
        sys.exit(0)
    pathlib.Path(last).write_bytes(lzma.decompress(releases[-1].read_bytes()))

    def difference(*options):
        done = subprocess.run(
            ["abidiff", "--no-show-locs", *options, last, now], capture_output=True, text=True, check=False
        )
        # abidiff's bits: 1 an error of its own, 2 of the call, 4 a change, 8 one that is surely incompatible.
        if done.returncode & 3:
            sys.exit(f"compare_abi.py: abidiff failed: {done.stderr}")
        return done.returncode, done.stdout

    changed, said = difference()
    breaks, _ = difference("--no-added-syms")
print(said, end="")
print(f"{version} beside {releases[-1].name.removesuffix('.abi.xz')}: "
      + ("programs must be compiled again: the soversion rises (docs/internals/abi.md)" if breaks
         else "only added: the soversion stays" if changed else "the same binary interface"))
sys.exit(1 if breaks else 0)
