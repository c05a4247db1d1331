#!/usr/bin/env python3
"""What Conan does with a recipe, as far as this one asks for it: its methods in their order, with CMake in place of Conan's helpers, then the
program in test_package. What other packages would bring is the system's.

usage: conan.py RECIPE_FOLDER TARBALL WORK_FOLDER PREFIX
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import types

recipe, tarball, work, prefix = (pathlib.Path(word).resolve() for word in sys.argv[1:])


class Any(dict):
    """Attributes that may be set, read and be absent."""

    def __getattr__(self, name):
        return self.setdefault(name, Any())

    __setattr__ = dict.__setitem__


class ConanFile:
    settings = options = None

    def __init__(self, source, build):
        self.settings = Any(os="Linux", arch="x86_64", build_type="Release")
        self.options = Any({name: value for name, value in getattr(type(self), "default_options", {}).items() if "/" not in name})
        self.source_folder, self.build_folder, self.package_folder = str(source), str(build), str(prefix)
        self.generators_folder = str(build / "generators")
        self.required, self.conan_data, self.cache = [], {}, {}
        self.cpp_info = Any()
        self.cpp_info.set_property = lambda name, value: self.cpp_info.update({name: value})
        self.cpp = Any(build=Any(bindir=str(build)))
        self.tested_reference_str = "broadloom/tested"
        for folder in (self.build_folder, self.generators_folder):
            os.makedirs(folder, exist_ok=True)

    def requires(self, reference, **_):
        self.required.append(reference)

    def run(self, command, env=None):
        variables = {**os.environ, "LD_LIBRARY_PATH": f"{prefix}/lib"} if env == "conanrun" else None
        subprocess.run(command, shell=True, check=True, env=variables)


class CMakeToolchain:
    def __init__(self, conanfile):
        self.conanfile, self.cache_variables = conanfile, {}

    def generate(self):
        self.conanfile.cache.update(self.cache_variables)


class CMakeDeps:
    """Of a package that was made: the file by which CMake finds it, from its package_info. The system has the others' own."""

    made = None

    def __init__(self, conanfile):
        self.conanfile = conanfile

    def generate(self):
        if CMakeDeps.made is None:
            return
        info = CMakeDeps.made
        file = pathlib.Path(self.conanfile.generators_folder) / f"{info['cmake_file_name']}-config.cmake"
        libraries = " ".join([f"{prefix}/lib/lib{name}.so" for name in info["libs"]] + list(info["system_libs"]))
        file.write_text(f"add_library({info['cmake_target_name']} INTERFACE IMPORTED)\n"
                        f"set_target_properties({info['cmake_target_name']} PROPERTIES\n  INTERFACE_INCLUDE_DIRECTORIES {prefix}/include\n"
                        f"  INTERFACE_LINK_LIBRARIES \"{libraries.replace(' ', ';')}\")\n")


class CMake:
    def __init__(self, conanfile):
        self.conanfile = conanfile

    def configure(self):
        c = self.conanfile
        options = [f"-D{name}={value}" for name, value in c.cache.items()]
        if "shared" in c.options:
            options.append(f"-DBUILD_SHARED_LIBS={'ON' if c.options.shared else 'OFF'}")
        subprocess.run(["cmake", "-G", "Ninja", "-S", c.source_folder, "-B", c.build_folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_STANDARD=20",
                        f"-DCMAKE_PREFIX_PATH={c.generators_folder}", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", *options],
                       check=True)

    def build(self):
        subprocess.run(["cmake", "--build", self.conanfile.build_folder], check=True)

    def install(self):
        subprocess.run(["cmake", "--install", self.conanfile.build_folder], check=True)


def get(conanfile, url, sha256, strip_root=False, destination=None):
    """The release, or headers that the system has."""
    assert sha256 and strip_root
    if destination:
        header = pathlib.Path(conanfile.source_folder) / destination / "include"
        header.mkdir(parents=True)
        (header / "Random123").symlink_to("/usr/include/Random123")
        return
    assert url.rsplit("/", 1)[1] == tarball.name, f"the recipe wants {url}, the release is {tarball.name}"
    assert conanfile.source_folder == str(work / tarball.name.removesuffix(".tar.xz"))
    with tarfile.open(tarball) as archive:
        archive.extractall(work)


def copy(_, pattern, source, destination):
    os.makedirs(destination, exist_ok=True)
    shutil.copy(pathlib.Path(source) / pattern, destination)


def rmdir(_, folder):
    shutil.rmtree(folder)  # what is not there would be a mistake of the recipe


def conandata():
    """Two levels of keys, and url and sha256: all of YAML that conandata.yml uses."""
    data, path = {}, []
    for line in (recipe / "conandata.yml").read_text().splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        key, _, value = line.strip().partition(":")
        path[depth:] = [key.strip('"')]
        place = data
        for part in path[:-1]:
            place = place.setdefault(part, {})
        if value.strip():
            place[path[-1]] = value.strip().strip('"')
    return data


def module(name, **content):
    made = types.ModuleType(name)
    vars(made).update(content)
    sys.modules[name] = made


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda _, standard: None, can_run=lambda _: True)
module("conan.tools.cmake", CMake=CMake, CMakeDeps=CMakeDeps, CMakeToolchain=CMakeToolchain, cmake_layout=lambda *_, **__: None)
module("conan.tools.files", copy=copy, get=get, rmdir=rmdir)


def load(path, source, build):
    spec = importlib.util.spec_from_file_location(path.parent.name, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    (kind,) = [value for value in vars(loaded).values() if isinstance(value, type) and issubclass(value, ConanFile) and value is not ConanFile]
    return kind(source, build)


package = load(recipe / "conanfile.py", work / tarball.name.removesuffix(".tar.xz"), work / "build")
package.conan_data = conandata()
for step in ("layout", "requirements", "validate", "source", "generate", "build", "package", "package_info"):
    getattr(package, step)()
print("it requires", ", ".join(package.required))
if re.search(r"\.(cmake|pc)$", "\n".join(str(path) for path in prefix.rglob("*")), re.MULTILINE):
    sys.exit("files that Conan makes itself are left in the package")
CMakeDeps.made = package.cpp_info

program = load(recipe / "test_package/conanfile.py", recipe / "test_package", work / "test_package")
program.requirements()
for generator in program.generators:
    {"CMakeDeps": CMakeDeps, "CMakeToolchain": CMakeToolchain}[generator](program).generate()
program.build()
program.test()
