#!/usr/bin/env python3
"""Unpacks Debian's arm64 packages that a cross build needs into a folder, and leaves the system as it is.

usage: arm64_root.py FOLDER PACKAGE...

The packages and those they depend on are downloaded by apt-get, with lists of its own below FOLDER.
"""
import glob
import os
import re
import subprocess
import sys


def apt(folder):
    state = os.path.join(folder, "apt")
    for part in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(state, part), exist_ok=True)
    open(os.path.join(state, "status"), "a").close()
    settings = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "Dir::State::Lists": os.path.join(state, "lists"),
        "Dir::State::status": os.path.join(state, "status"),
        "Dir::Cache": state,
        "Dir::Cache::archives": os.path.join(state, "archives"),
        "Debug::NoLocking": "true",
    }
    return ["apt-get"] + [word for k, v in settings.items() for word in ("-o", f"{k}={v}")]


def main():
    folder, packages = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    command = apt(folder)
    subprocess.run(command + ["-qq", "update"], check=True)
    plan = subprocess.run(
        command + ["install", "--simulate", "--no-install-recommends"] + packages,
        check=True, capture_output=True, text=True).stdout
    wanted = re.findall(r"^Inst (\S+)", plan, re.M)
    # what only runs on the machine itself is of no use to a cross build
    wanted = [w for w in wanted if re.match(r"(lib|linux-libc)", w)]
    subprocess.run(command + ["-qq", "download"] + wanted, check=True, cwd=os.path.join(folder, "apt"))
    for package in sorted(glob.glob(os.path.join(folder, "apt", "*.deb"))):
        subprocess.run(["dpkg", "-x", package, folder], check=True)
        os.remove(package)
    link_alternatives(os.path.join(folder, "usr/lib/aarch64-linux-gnu"))


def link_alternatives(libraries):
    """Makes the links that installing BLAS and LAPACK would have made."""
    for name in ("blas", "lapack"):
        links = {f"pkgconfig/{name}.pc": f"{name}-netlib.pc"}
        links |= {f"lib{name}.{end}": f"{name}/lib{name}.{end}" for end in ("so", "so.3")}
        for link, target in links.items():
            path = os.path.join(libraries, link)
            if os.path.exists(os.path.join(os.path.dirname(path), target)) and not os.path.lexists(path):
                os.symlink(target, path)


main()
