#!/usr/bin/env python3
"""What Spack does with a recipe, as far as this one asks for it: CMake with its arguments. What it depends on is the system's.

usage: spack.py RECIPE_FOLDER TARBALL WORK_FOLDER PREFIX [VARIANT...]      as +tbb or ~npz; the recipe's own unless said
"""
import pathlib
import subprocess
import sys
import tarfile
import types

recipe, tarball, work, prefix = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
variants, versions, needed = {}, [], []


class Spec:
    def satisfies(self, wanted):
        return variants[wanted[1:]] == (wanted[0] == "+")


class CMakePackage:
    spec = Spec()

    def define(self, name, value):
        return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

    def define_from_variant(self, name, variant):
        return self.define(name, variants[variant])


def version(number, **checksum):
    assert checksum
    versions.append(number)


def variant(name, default, description):
    assert description
    variants[name] = default


def depends_on(spec, when=None, type=None):  # noqa: A002  Spack's own name
    needed.append((spec, when))


module = types.ModuleType("spack.package")
vars(module).update(CMakePackage=CMakePackage, version=version, variant=variant, depends_on=depends_on, license=lambda _: None)
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = module
scope = {"__name__": "recipe"}
exec(compile((recipe / "package.py").read_text(), "package.py", "exec"), scope)
package = scope["Broadloom"]()
for word in sys.argv[5:]:
    variants[word[1:]] = word[0] == "+"
newest = versions[0]
assert tarball.name == package.url.rsplit("/", 1)[1] == f"broadloom-{newest}.tar.xz", f"{package.url}, and the release is {tarball.name}"
print("it depends on", ", ".join(spec for spec, when in needed if when is None or package.spec.satisfies(when)))
with tarfile.open(tarball) as archive:
    archive.extractall(work)
build = work / "build"
subprocess.run(["cmake", "-G", "Ninja", "-S", work / f"broadloom-{newest}", "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", *package.cmake_args()], check=True)
subprocess.run(["cmake", "--build", build], check=True)
subprocess.run(["cmake", "--install", build], check=True)
