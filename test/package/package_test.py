#!/usr/bin/env python3
"""Installs the library into a prefix of its own and builds and runs a foreign program against it, as a user would by
pkg-config, by CMake and as a meson subproject. Reports by TAP.

usage: package_test.py SOURCE_ROOT BUILD_ROOT VERSION COMPILER...
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
build = pathlib.Path(sys.argv[2]).resolve()
version = sys.argv[3]
compiler = sys.argv[4:]
here = source / "test" / "package"
expected = "11 36\n"
# Some of these say something of the headers where they are not taken for a system's.
strict = ["-Wall", "-Wextra", "-Wfloat-equal", "-Wold-style-cast", "-Wsign-conversion", "-Wswitch-enum", "-Werror"]

sys.path.insert(0, str(source / "tools"))
from tap import Tap  # noqa: E402


class Failed(Exception):
    pass


def run(*command, env=None, cwd=None):
    """Runs a command and returns what it printed; raises Failed with all of it if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env={**os.environ, **(env or {})}, cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Failed(f"$ {' '.join(words)}\n{done.stdout}{done.stderr}(exit status {done.returncode})")
    return done.stdout


def expect(printed):
    if printed != expected:
        raise Failed(f"the program should print {expected!r} and prints {printed!r}")


def soversion():
    return re.search(r"soversion: '(\d+)'", (source / "lib" / "meson.build").read_text()).group(1)


def library_folder(prefix):
    found = list(prefix.rglob("libbroadloom.so")) + list(prefix.rglob("libbroadloom.a"))
    if not found:
        raise Failed(f"no library was installed below {prefix}")
    return found[0].parent


def by_pkg_config(pkg_config, work, env, run_path=None, warnings=()):
    said = run(*pkg_config, "--modversion", "broadloom", env=env).strip()
    if said != version:
        raise Failed(f"pkg-config says version {said}, the project is {version}")
    flags = run(*pkg_config, "--cflags", "--libs", "broadloom", env=env).split()
    program = work / "by_pkg_config"
    run(*compiler, "-std=c++20", *warnings, here / "main.cpp", "-o", program, *flags)
    expect(run(program, env={"LD_LIBRARY_PATH": str(run_path)} if run_path else None))
    if warnings:
        flags = run(*pkg_config, "--cflags", "broadloom", env=env).split()
        run(*compiler, "-std=c++20", "-O2", *warnings, "-c", here / "optimised.cpp", "-o", work / "optimised.o", *flags)


def by_cmake(prefix, work):
    folder = work / "by_cmake"
    cmake(here / "cmake", folder, prefix)
    run("cmake", "--build", folder)
    expect(run(folder / "foreign"))
    expect(run(folder / "precompiled"))
    if not list((folder / "CMakeFiles" / "precompiled.dir").glob("cmake_pch.hxx.*ch")):
        raise Failed("broadloom::pch has precompiled no header")


def cmake(listing, folder, prefix):
    run(
        "cmake", "-G", "Ninja", "-S", listing, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_CXX_COMPILER={compiler[-1]}", f"-DCMAKE_CXX_FLAGS={' '.join(strict)}",
    )


# --- the cases: the shared library, staged from the build folder, and the static one, built as a subproject -----------


def the_build_folder_serves_pkg_config(scratch, work):
    by_pkg_config(["pkg-config"], work, {"PKG_CONFIG_PATH": str(build / "meson-uninstalled")})


def meson_installs_what_users_look_for(scratch, work):
    stage = scratch / "stage"
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", stage)
    headers = [path for path in stage.rglob("include") if (path / "broadloom").is_dir()]
    if not headers:
        raise Failed("no folder include/broadloom was installed")
    # gdb looks for the script of a library below auto-load, by the library's whole path.
    library = next(path for path in stage.rglob("libbroadloom.so.*") if not path.is_symlink() and path.suffix != ".py")
    script = headers[0].parent / "share/gdb/auto-load" / f"{library.relative_to(stage)}-gdb.py"
    if not script.is_file():
        raise Failed(f"{script} was not installed: {[str(path) for path in stage.rglob('*-gdb.py')]}")
    # Everything below works from a place the build was not configured for: packages move.
    shutil.move(headers[0].parent, scratch / "shared prefix")
    installed_files(scratch / "shared prefix")


def installed_files(prefix):
    """The files that other build systems and users look for are all there, and none of the private ones."""
    library_folder(prefix)
    for name in ("broadloom.pc", "broadloomConfig.cmake", "broadloomConfigVersion.cmake"):
        if not list(prefix.rglob(name)):
            raise Failed(f"{name} was not installed")
    headers = source / "include"
    wanted = {str(path.relative_to(headers)) for path in headers.rglob("*") if path.is_file()}
    got = {str(path.relative_to(prefix / "include")) for path in (prefix / "include").rglob("*") if path.is_file()}
    if wanted != got:
        raise Failed(f"missing headers: {sorted(wanted - got)}; headers too many: {sorted(got - wanted)}")


def pkg_config_finds_the_shared_library(scratch, work):
    prefix = scratch / "shared prefix"
    # A path with a space does not survive the splitting of flags, so this case goes through a link without one.
    plain = work / "prefix"
    plain.symlink_to(prefix, target_is_directory=True)
    folder = plain / library_folder(prefix).relative_to(prefix)
    by_pkg_config(
        ["pkg-config", f"--define-variable=prefix={plain}"], work, {"PKG_CONFIG_PATH": str(folder / "pkgconfig")}, folder
    )


def cmake_finds_the_shared_library(scratch, work):
    by_cmake(scratch / "shared prefix", work)


def cmake_refuses_another_version(scratch, work):
    listing = work / "project"
    listing.mkdir()
    (listing / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(foreign CXX)\nfind_package(broadloom 99.0 REQUIRED)\n"
    )
    try:
        cmake(listing, work / "out", scratch / "shared prefix")
    except Failed as refused:
        if f"version: {version}" not in str(refused):
            raise Failed(f"the refusal does not name the version that is there:\n{refused}") from refused
        return
    raise Failed(f"find_package(broadloom 99.0) was satisfied by {version}")


def cmake_builds_the_same_library(scratch, work):
    """The root's CMakeLists.txt compiles the files that meson compiles, with the same definitions and processor flags."""
    project = work / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(foreign CXX)\n"
        f'option(FETCHED "")\nif(FETCHED)\ninclude(FetchContent)\nFetchContent_Declare(broadloom SOURCE_DIR "{source}")\n'
        f'FetchContent_MakeAvailable(broadloom)\nelse()\nadd_subdirectory("{source}" broadloom)\nendif()\n'
        f'add_executable(foreign "{here / "main.cpp"}")\ntarget_link_libraries(foreign broadloom::broadloom)\n'
    )
    fetched = work / "fetched"
    for folder, options in (work / "out", ["-DFETCHED=OFF"]), (fetched, ["-DFETCHED=ON", "-DBUILD_SHARED_LIBS=ON"]):
        run(
            "cmake", "-G", "Ninja", "-S", project, "-B", folder, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            f"-DCMAKE_CXX_COMPILER={compiler[-1]}", *options,
        )
    linked = run("ninja", "-C", fetched, "-t", "commands", "foreign")
    for flag in (f"-Wl,-soname,libbroadloom.so.{soversion()}", "-Wl,-Bsymbolic-functions", "-Wl,-z,nodelete",
                 f"-Wl,--version-script={source / 'lib' / 'exports.map'}", f"-isystem {source / 'include'}"):
        if flag not in linked:
            raise Failed(f"{flag} is not among the commands of a shared build by CMake")

    def commands(folder):
        found = {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
            words = shlex.split(entry["command"])
            # Files of kernels are compiled for the higher levels by files that the build makes.
            made = path.name if re.search(r"_level_v\d+\.cpp$", path.name) else None
            if path.suffix == ".cpp" and (made or path.is_relative_to(source / "lib")):
                found[made or str(path.relative_to(source))] = sorted(
                    {word for word in words if re.match(r"-m|-DBROADLOOM_|-fno-plt|-fvisibility|-std=", word)}
                )
        return found

    ours = commands(build)
    for theirs in commands(work / "out"), commands(fetched):
        if not ours or ours != theirs:
            different = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
            raise Failed("\n".join(f"{name}: meson {ours.get(name)}, CMake {theirs.get(name)}" for name in different[:10]))


def cmake_installs_what_meson_installs(scratch, work):
    """The same files, and a program finds the library. The library itself is the build folder's: a build by CMake would compile
    the same files with the same flags, as was just seen."""
    prefix = work / "prefix"
    out = work / "out"
    run(
        "cmake", "-G", "Ninja", "-S", source, "-B", out, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DBUILD_SHARED_LIBS=ON",
        f"-DCMAKE_CXX_COMPILER={compiler[-1]}",
    )
    for path in (build / "lib").glob("libbroadloom.so*"):
        if not path.is_dir():
            shutil.copy(path, out / path.name, follow_symlinks=False)
    run("cmake", "--install", out)
    installed_files(prefix)
    folder = library_folder(prefix)
    script = prefix / "share/gdb/auto-load" / str(folder / f"libbroadloom.so.{version}-gdb.py")[1:]
    if not script.is_file():
        raise Failed(f"{script} was not installed: {[str(path) for path in prefix.rglob('*-gdb.py')]}")
    by_cmake(prefix, work)
    by_pkg_config(["pkg-config"], work, {"PKG_CONFIG_PATH": str(folder / "pkgconfig")}, folder)

    # Meson's file names; that of gdb's script has the prefix in its path.
    def names(top):
        return {path.relative_to(top).as_posix().replace(library_folder(top).relative_to(top).as_posix() + "/", "LIB/")
                for path in top.rglob("*") if not path.is_dir() and not path.name.endswith("-gdb.py")}

    ours, theirs = names(scratch / "shared prefix"), names(prefix)
    if ours != theirs:
        raise Failed(f"only meson installs {sorted(ours - theirs)}; only CMake installs {sorted(theirs - ours)}")


def meson_takes_it_as_a_subproject(scratch, work):
    project = scratch / "foreign"
    (project / "subprojects").mkdir(parents=True)
    shutil.copy(here / "meson" / "meson.build", project)
    shutil.copy(here / "main.cpp", project)
    (project / "subprojects" / "broadloom").symlink_to(source, target_is_directory=True)
    options = {item["name"]: item["value"] for item in json.loads((build / "meson-info" / "intro-buildoptions.json").read_text())}
    # What the project's build folder was compiled with the same flags is not compiled once more.
    launcher = [sys.executable, source / "tools" / "share_objects.py", build, *compiler]
    run(
        # Where to is the project's matter: without Debian's dpkg-dev meson would choose lib64, where CMake does not look.
        "meson", "setup", project / "build", project, f"--prefix={scratch / 'static'}", "-Dlibdir=lib", "-Ddefault_library=static",
        f"-Doptimization={options['optimization']}", "-Ddebug=false", "--force-fallback-for=broadloom",
        env={"CXX": shlex.join(map(str, launcher))},
    )
    run("ninja", "-C", project / "build", "-j", os.environ.get("BROADLOOM_JOBS", "2"))
    expect(run(project / "build" / "foreign"))


def meson_installs_the_static_library(scratch, work):
    run("meson", "install", "-C", scratch / "foreign" / "build", "--no-rebuild", "--quiet")
    installed_files(scratch / "static")


def pkg_config_finds_the_static_library(scratch, work):
    folder = library_folder(scratch / "static") / "pkgconfig"
    by_pkg_config(["pkg-config"], work, {"PKG_CONFIG_PATH": str(folder)}, warnings=strict)


def cmake_finds_the_static_library(scratch, work):
    by_cmake(scratch / "static", work)


def cmake_installs_the_static_library(scratch, work):
    """What CMake installs hands on the libraries beside it, too. The archive itself is meson's, as above."""
    prefix = work / "prefix"
    out = work / "out"
    run(
        "cmake", "-G", "Ninja", "-S", source, "-B", out, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib",
        f"-DCMAKE_CXX_COMPILER={compiler[-1]}",
    )
    shutil.copy(library_folder(scratch / "static") / "libbroadloom.a", out)
    run("cmake", "--install", out)
    by_cmake(prefix, work)
    by_pkg_config(["pkg-config"], work, {"PKG_CONFIG_PATH": str(library_folder(prefix) / "pkgconfig")}, warnings=strict)


def cmake_builds_without_sleef_and_lapack(scratch, work):
    """Their files say so to the compiler, and nobody is told to link them."""
    out = work / "out"
    run(
        "cmake", "-G", "Ninja", "-S", source, "-B", out, "-DBROADLOOM_SLEEF=OFF", "-DBROADLOOM_LAPACK=OFF",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_CXX_COMPILER={compiler[-1]}",
    )
    for entry in json.loads((out / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        for flag in ("-DBROADLOOM_SLEEF=0", "-DBROADLOOM_WITHOUT_LAPACK"):
            if flag not in words:
                raise Failed(f"{entry['file']} is compiled without {flag}")
    for name in ("broadloom.pc", "broadloomConfig.cmake"):
        text = (out / "package" / name).read_text()
        if re.search(r"\bif\(\)|-lsleef|-llapacke", text):
            raise Failed(f"{name}:\n{text}")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for step in (
            the_build_folder_serves_pkg_config,
            meson_installs_what_users_look_for,
            pkg_config_finds_the_shared_library,
            cmake_finds_the_shared_library,
            cmake_refuses_another_version,
            cmake_builds_the_same_library,
            cmake_installs_what_meson_installs,
            meson_takes_it_as_a_subproject,
            meson_installs_the_static_library,
            pkg_config_finds_the_static_library,
            cmake_finds_the_static_library,
            cmake_installs_the_static_library,
            cmake_builds_without_sleef_and_lapack,
        ):
            work = scratch / step.__name__
            work.mkdir()
            problem = None
            try:
                step(scratch, work)
            except (Failed, OSError) as caught:
                problem = caught
            tap.case(step.__name__.replace("_", " "), problem)
    tap.finish()


main()
