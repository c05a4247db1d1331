"""Broadloom for Spack: the build by CMake that the release's archive has."""
from spack.package import *


class Broadloom(CMakePackage):
    """Lazy, broadcasting, N-dimensional array expressions for C++20."""

    homepage = "https://broadloom.invalid"
    url = "https://broadloom.invalid/releases/broadloom-0.1.1.tar.xz"
    license("BSL-1.0")

    version("0.1.1", sha256="0")

    variant("shared", default=True, description="Build a shared library")
    variant("tbb", default=True, description="Run parallel loops by oneTBB, too, not by threads of the library alone")
    variant("npz", default=True, description="Read and write NumPy's .npz archives")

    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("boost@1.74:+math", type=("build", "link"))
    depends_on("eigen@3.4:", type="build")
    depends_on("random123", type="build")
    depends_on("netlib-lapack+lapacke")
    depends_on("sleef@3.5:")
    depends_on("intel-oneapi-tbb", when="+tbb")
    depends_on("minizip", when="+npz")
    depends_on("zlib-api", when="+npz")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("BROADLOOM_SCHEDULER", "tbb" if self.spec.satisfies("+tbb") else "threads"),
        ]
        if self.spec.satisfies("~npz"):
            args.append(self.define("broadloom_minizip", "broadloom_minizip-NOTFOUND"))
        return args
