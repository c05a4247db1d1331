#!/usr/bin/env python3
"""Prints the ninja targets of a build folder that are defined in the named folders of the source tree, one a line.

usage: list_targets.py BUILD_FOLDER FOLDER...
"""
import json
import pathlib
import subprocess
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)
build = pathlib.Path(sys.argv[1]).resolve()
folders = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
listing = subprocess.run(["meson", "introspect", "--targets", str(build)], check=True, capture_output=True)
for target in json.loads(listing.stdout):
    if pathlib.Path(target["defined_in"]).resolve().parent in folders:
        for name in target["filename"]:
            print(pathlib.Path(name).resolve().relative_to(build))
