# SPDX-License-Identifier: Apache-2.0
"""Lets CMake build the extension and takes the version from it; everything else is in pyproject.toml."""

import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildByCMake(build_ext):
    """hri._core is CMake's target hri_python."""

    def build_extension(self, ext):
        source = pathlib.Path(__file__).parent.resolve()
        build = source / "build" / "wheel"
        options = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DHRI_PYTHON=ON",
            "-DHRI_TESTS=OFF",
            f"-DPython_EXECUTABLE={sys.executable}",
        ]
        try:
            import pybind11

            options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
        except ImportError:
            pass  # the system's, which CMake finds by itself
        subprocess.run(["cmake", "-S", source, "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "hri_python"], check=True)
        built = list((build / "python" / "hri").glob("_core*.so"))
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built[0], target)


def version():
    """The one in CMakeLists.txt, the only place where it is written."""
    text = (pathlib.Path(__file__).parent / "CMakeLists.txt").read_text()
    return re.search(r"^project\(hri VERSION ([0-9.]+)", text, re.M).group(1)


setup(
    version=version(),
    ext_modules=[Extension("hri._core", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
