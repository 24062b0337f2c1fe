"""The wheel: the package, and the module that CMake builds.

HEADRACE_BUILD_DIR names a build folder that has the module already; without it everything is built here.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def version() -> str:
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(headrace VERSION ([0-9.]+)", file.read()).group(1)


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        build = os.environ.get("HEADRACE_BUILD_DIR") or self.build_all()
        built = glob.glob(os.path.join(build, "python", "headrace", "_core.*.so"))
        if len(built) != 1:
            sys.exit(f"no Python module in {build}: python3-dev and pybind11-dev are needed")
        target = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(built[0], target)
        os.chmod(target, 0o755)

    def build_all(self) -> str:
        build = os.path.abspath(os.path.join(self.build_temp, "cmake"))
        parts = ["TESTS", "BENCHMARKS", "GUI"]
        subprocess.check_call(
            ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHEADRACE_UNITY_BUILD=ON",
             f"-DPython_EXECUTABLE={sys.executable}"] + [f"-DHEADRACE_BUILD_{part}=OFF" for part in parts])
        subprocess.check_call(["cmake", "--build", build, "--target", "headrace_python"])
        return build


setup(
    version=version(),
    packages=["headrace"],
    package_data={"headrace": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("headrace._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
    zip_safe=False,
)
