"""Broadloom for Conan 2: the build by CMake that the release's archive has."""
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class BroadloomConan(ConanFile):
    name = "broadloom"
    version = "0.1.1"
    description = "Lazy, broadcasting, N-dimensional array expressions"
    license = "BSL-1.0"
    homepage = "https://broadloom.invalid"
    topics = ("array", "tensor", "broadcasting", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": True, "fPIC": True, "openblas/*:build_lapack": True}
    implements = ["auto_shared_fpic"]

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        # Public headers include Boost's, and nothing else of these.
        self.requires("boost/1.83.0", transitive_headers=True, headers=True, libs=False)
        self.requires("eigen/3.4.0")
        self.requires("onetbb/2021.10.0")
        self.requires("openblas/0.3.26")  # it has LAPACKE
        self.requires("sleef/3.6")
        self.requires("minizip/1.2.13")
        self.requires("zlib/[>=1.2.11 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def source(self):
        get(self, **self.conan_data["sources"][self.version]["broadloom"], strip_root=True)
        # Headers alone, and there is no package of it.
        get(self, **self.conan_data["sources"][self.version]["random123"], strip_root=True, destination="random123")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["broadloom_random123"] = os.path.join(self.source_folder, "random123", "include")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # CMakeDeps and PkgConfigDeps write these for those who use the package.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["broadloom"]
        self.cpp_info.set_property("cmake_file_name", "broadloom")
        self.cpp_info.set_property("cmake_target_name", "broadloom::broadloom")
        self.cpp_info.set_property("pkg_config_name", "broadloom")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "m"]
