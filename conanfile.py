"""Builds the program headrace with the libraries of Conan Center. The sources are the folder of this file.

Random123 is no package of Conan Center: its headers come from the distribution.
"""
from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.system.package_manager import Apt


class Headrace(ConanFile):
    name = "headrace"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "Simulator and capacity planner for AI training data ingest"
    topics = ("simulation", "queueing", "capacity-planning", "machine-learning", "storage")
    package_type = "application"
    settings = "os", "arch", "compiler", "build_type"
    options = {"probes": [True, False]}
    default_options = {"probes": False}
    exports_sources = (
        "CMakeLists.txt",
        "CHANGELOG.md",
        "LICENSE",
        "cmake/*",
        "sim/*",
        "models/*",
        "scenarios/*",
        "reports/*",
        "cli/*",
        "schemas/*",
        "docs/models/*",
        "docs/glossary.md",
    )

    def layout(self):
        cmake_layout(self)

    def system_requirements(self):
        Apt(self).install(["librandom123-dev"])

    def requirements(self):
        for library in (
            "boost/1.83.0",
            "cli11/2.3.2",
            "eigen/3.4.0",
            "fmt/10.2.1",
            "nlohmann_json/3.11.3",
            "onetbb/2021.12.0",
            "sqlite3/3.45.3",
            "tl-expected/20190710",
            "yaml-cpp/0.8.0",
        ):
            self.requires(library)
        if self.options.probes:
            for library in (
                "libcurl/8.6.0",
                "libjpeg-turbo/3.0.2",
                "liburing/2.4",
                "lz4/1.9.4",
                "openssl/3.2.1",
                "zlib/1.3.1",
                "zstd/1.5.5",
            ):
                self.requires(library)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.variables["HEADRACE_BUILD_TESTS"] = False
        toolchain.variables["HEADRACE_BUILD_BENCHMARKS"] = False
        toolchain.variables["HEADRACE_BUILD_GUI"] = False
        toolchain.variables["HEADRACE_BUILD_LIBRARY"] = False
        toolchain.variables["HEADRACE_PROBE_LIBRARIES"] = bool(self.options.probes)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="headrace")

    def package(self):
        CMake(self).install(component="cli")
