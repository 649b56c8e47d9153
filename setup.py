# SPDX-License-Identifier: Apache-2.0
"""Lets CMake build the extension and takes the version from it; everything else is in pyproject.toml.

HRI_BUILD_DIR names a build folder that CMake has configured with HRI_PYTHON=ON, to compile nothing
twice. Without it the extension is built in build/wheel, with CMAKE_ARGS="-DHRI_CUDA=ON" and the like
as further options of CMake.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# What other machines need not have. The C and C++ libraries are those of the system.
BUNDLED = re.compile(r"lib(fmt|simdjson|sqlite3)\.so")


class BuildAnew(build_py):
    """Without modules that an earlier build left behind."""

    def run(self):
        if not getattr(self, "editable_mode", False):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildByCMake(build_ext):
    """hri._core is CMake's target hri_python_wheel, with the shared libraries that it needs."""

    def build_extension(self, ext):
        build = self.configured()
        subprocess.run(["cmake", "--build", build, "--target", "hri_python_wheel"], check=True)
        built = build / "wheel" / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        libs = target.parent / "libs"
        libs.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)
        linked = subprocess.run(["ldd", built], check=True, capture_output=True, text=True).stdout
        for name, path in re.findall(r"(\S+) => (/\S+)", linked):
            if BUNDLED.match(name):
                shutil.copy2(path, libs / name)

    def configured(self):
        if "HRI_BUILD_DIR" in os.environ:
            return pathlib.Path(os.environ["HRI_BUILD_DIR"]).resolve()
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
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", source, "-B", build, "-G", "Ninja", *options], check=True)
        return build


def version():
    """The one in CMakeLists.txt, the only place where it is written."""
    text = (pathlib.Path(__file__).parent / "CMakeLists.txt").read_text()
    return re.search(r"^project\(hri VERSION ([0-9.]+)", text, re.M).group(1)


setup(
    version=version(),
    ext_modules=[Extension("hri._core", sources=[])],
    cmdclass={"build_py": BuildAnew, "build_ext": BuildByCMake},
)
