#!/usr/bin/env python3
"""Builds the Debian packages and looks at them: lintian has nothing to say, their dependencies can be met, and a program
that has nothing but what they unpack is built by pkg-config and by CMake and runs. Reports by TAP.

usage: make_package.py SOURCE_ROOT FOLDER    the packages are then in FOLDER
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from tap import Tap

if len(sys.argv) != 3:
    sys.exit(__doc__)
source = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(sys.argv[2]).resolve()
version = (source / "VERSION").read_text().strip()
expected = "11 36\n"


class Failed(Exception):
    pass


def run(*command, cwd=None, env=None):
    """Runs a command and returns what it printed; raises Failed with all of it if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"$ {' '.join(words)}\n{done.stdout[-6000:]}{done.stderr[-6000:]}(exit status {done.returncode})")
    return done.stdout


def git(*command):
    return run("git", "-C", source, *command)


def unpack_source():
    """The tree as it stands, as Debian's original archive and as the folder that is built. What git ignores is left out, and
    the pictures of the examples, which have other licences and are not built."""
    tree = folder / f"broadloom-{version}"
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in names:
        if name and not name.startswith("examples/data/") and (source / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, tree / name)
    with gzip.GzipFile(folder / f"broadloom_{version}.orig.tar.gz", "wb", mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(tree, tree.name)
    shutil.copytree(source / "tools" / "package" / "debian", tree / "debian")
    (tree / "debian" / "changelog").write_text(
        f"broadloom ({version}-1) unstable; urgency=medium\n\n  * CHANGELOG.md says what changed.\n\n"
        f" -- Broadloom Developers <broadloom@packages.invalid>  {git('log', '-1', '--format=%aD').strip()}\n"
    )
    return tree


def packages_are_built():
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tree = unpack_source()
    jobs = os.environ.get("BROADLOOM_JOBS", "2")
    ccache = pathlib.Path("/usr/lib/ccache")
    # Debug symbols would double the time; Debian's own builders do not set these.
    quick = {"DEB_BUILD_OPTIONS": f"parallel={jobs} noautodbgsym", "DEB_CXXFLAGS_STRIP": "-g", "CXX": "g++"}
    path = f"{ccache}:{os.environ['PATH']}" if ccache.is_dir() else os.environ["PATH"]
    log = run("dpkg-buildpackage", "-us", "-uc", "-F", cwd=tree, env={**quick, "PATH": path})
    (folder / "log").write_text(log)
    missing = {"libbroadloom0", "libbroadloom-dev", "libbroadloom-doc"} - {deb.name.split("_")[0] for deb in packages()}
    if missing:
        raise Failed(f"not built: {sorted(missing)}")


def packages():
    return sorted(folder.glob("*.deb"))


def lintian_has_nothing_to_say():
    said = run("lintian", "--allow-root", "--fail-on", "error,warning", *folder.glob("*.changes"))
    if not all(line.startswith("N:") for line in said.splitlines()):
        raise Failed(said)


def dependencies_can_be_met():
    run("apt-get", "--simulate", "install", *packages())


def library_exports_its_version_only():
    listed = run("nm", "-D", "--defined-only", next(unpacked().rglob("libbroadloom.so.0")))
    other = [line for line in listed.splitlines() if not line.endswith(("@@BROADLOOM_0", " BROADLOOM_0"))]
    if other or not listed:
        raise Failed("\n".join(other[:20]) or "nothing is exported")


def unpacked():
    root = folder / "root"
    if not root.is_dir():
        for deb in packages():
            run("dpkg-deb", "--extract", deb, root)
    return root


def documentation_is_there():
    documents = unpacked() / "usr" / "share" / "doc"
    for name in ("docs/reference/guarantees.md", "README.md", "examples/broadcast.cpp", "html/index.html", "html/searchindex.js",
                 "html/docs/reference/pointwise.html", "html/_static/styles/furo.css"):
        if not list(documents.glob(f"libbroadloom-doc/{name}*")):
            raise Failed(f"{name} is not in libbroadloom-doc")
    # What a page would fetch from somewhere else; links that a reader may follow are none.
    for page in documents.glob("libbroadloom-doc/html/**/*.html"):
        fetched = re.search(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*\"", page.read_text())
        if fetched:
            raise Failed(f"{page} fetches {fetched.group()}")


def run_program(program):
    library = next(unpacked().rglob("libbroadloom.so.0")).parent
    printed = run(program, env={"LD_LIBRARY_PATH": str(library)})
    if printed != expected:
        raise Failed(f"the program should print {expected!r} and prints {printed!r}")


def pkg_config_finds_the_library():
    root = unpacked()
    found = {"PKG_CONFIG_SYSROOT_DIR": str(root), "PKG_CONFIG_PATH": str(next(root.rglob("broadloom.pc")).parent),
             "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
    flags = run("pkg-config", "--cflags", "--libs", "broadloom", env=found).split()
    program = folder / "by_pkg_config"
    run("g++", "-std=c++20", source / "test" / "package" / "main.cpp", "-o", program, *flags)
    run_program(program)


def cmake_finds_the_library():
    out = folder / "by_cmake"
    run("cmake", "-G", "Ninja", "-S", source / "test" / "package" / "cmake", "-B", out,
        f"-DCMAKE_PREFIX_PATH={unpacked() / 'usr'}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", out)
    run_program(out / "foreign")


def main():
    tap = Tap()
    for step in (
        packages_are_built,
        lintian_has_nothing_to_say,
        dependencies_can_be_met,
        documentation_is_there,
        library_exports_its_version_only,
        pkg_config_finds_the_library,
        cmake_finds_the_library,
    ):
        problem = None
        try:
            step()
        except (Failed, OSError, StopIteration) as caught:
            problem = caught
        tap.case(step.__name__.replace("_", " "), problem)
        if problem and step is packages_are_built:
            break
    tap.finish()


main()
