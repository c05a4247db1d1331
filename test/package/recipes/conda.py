#!/usr/bin/env python3
"""What conda-build does with a recipe, as far as this one asks for it: build.sh with its variables, then the commands below "test". What it
depends on is the system's.

usage: conda.py RECIPE_FOLDER TARBALL WORK_FOLDER PREFIX
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile

recipe, tarball, work, prefix = (pathlib.Path(word).resolve() for word in sys.argv[1:])
text = (recipe / "meta.yaml").read_text()
version = re.search(r'set version = "(.*?)"', text).group(1)
text = text.replace("{{ version }}", version)


def listed(section, key):
    """The entries of a list below a section."""
    part = re.search(rf"^{section}:\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL).group(1)
    block = re.search(rf"^( *){key}:\n((?:\1  .*\n)+)", part, re.MULTILINE).group(2)
    return [line.strip()[2:] for line in block.splitlines() if line.strip().startswith("- ")]


urls = re.findall(r"- url: (\S+)", text)
assert urls[0].rsplit("/", 1)[1] == tarball.name, f"the recipe wants {urls[0]}, the release is {tarball.name}"
with tarfile.open(tarball) as archive:
    archive.extractall(work)
source = work / f"broadloom-{version}"
# The second source: headers that the system has.
(source / "random123/include").mkdir(parents=True)
(source / "random123/include/Random123").symlink_to("/usr/include/Random123")
environment = {**os.environ, "PREFIX": str(prefix), "SRC_DIR": str(source), "CPU_COUNT": os.environ.get("JOBS", "2"), "CXX": "c++",
               "MESON_ARGS": "--buildtype=release", "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig"}
subprocess.run(["sh", "-e", recipe / "build.sh"], cwd=source, env=environment, check=True)
print("it depends on", ", ".join(listed("requirements", "host")))
trial = work / "test"
for name in listed("test", "source_files"):
    (trial / name).parent.mkdir(parents=True, exist_ok=True)
    (trial / name).write_bytes((source / name).read_bytes())
for command in listed("test", "commands"):
    subprocess.run(["sh", "-ec", command], cwd=trial, env=environment, check=True)
