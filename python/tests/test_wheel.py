# SPDX-License-Identifier: Apache-2.0
"""A wheel of the package in an environment of its own: with what it needs, without what it does not."""

import os
import subprocess
import sys
import tarfile
import zipfile

import pytest

from conftest import SOURCE

BUILD = os.environ.get("HRI_BUILD_DIR")
pytest.importorskip("pip", reason="pip is not installed")
pytest.importorskip("wheel", reason="wheel is not installed")
pytestmark = pytest.mark.skipif(BUILD is None, reason="HRI_BUILD_DIR names no build folder")


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=280, **options)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    run(*pip, "-w", str(folder), str(SOURCE), cwd=folder)
    (made,) = folder.glob("hri-*.whl")
    return made


def test_the_wheel_holds_the_package_and_its_libraries(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("hri/__init__.py", "hri/py.typed", "hri/_core.pyi", "hri/torch.py"):
        assert wanted in names
    assert {n.split(".")[0] for n in names if n.startswith("hri/libs/")} == {
        "hri/libs/libfmt", "hri/libs/libsimdjson", "hri/libs/libsqlite3",
    }  # fmt: skip
    assert wheel.stat().st_size < 12_000_000


def test_it_learns_in_an_environment_of_its_own(wheel, tmp_path):
    # numpy is the system's; the package is the wheel's
    run(sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv"))
    python = str(tmp_path / "venv" / "bin" / "python")
    run(python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(wheel))
    code = (
        "import hri, hri._core; print(hri._core.__file__); print(hri.__version__); "
        "print(hri.learn('grandparent', max_work=100_000))"
    )
    module, version, *program = run(python, "-c", code, cwd=tmp_path).splitlines()
    assert str(tmp_path) in module
    assert f"project(hri VERSION {version} " in (SOURCE / "CMakeLists.txt").read_text()
    assert program[0].startswith("grandparent(X,Y) <- ")
    linked = run("ldd", module)
    for library in ("libfmt", "libsimdjson", "libsqlite3"):
        (line,) = [line for line in linked.splitlines() if library in line]
        assert "/hri/libs/" in line
    assert "libpq" not in linked and "libmpi" not in linked


def test_the_source_distribution_has_what_a_build_needs(tmp_path):
    run(sys.executable, "setup.py", "-q", "sdist", "-d", str(tmp_path), "egg_info", "-e", str(tmp_path), cwd=SOURCE)
    (made,) = tmp_path.glob("hri-*.tar.gz")
    names = {name.partition("/")[2] for name in tarfile.open(made).getnames()}
    for wanted in ("CMakeLists.txt", "setup.py", "src/base/mpi.cpp", "python/bindings/module.cpp",
                   "include/hri/hri.hpp", "cmake/Warnings.cmake", "apps/hri/main.cpp"):  # fmt: skip
        assert wanted in names, wanted
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path)
    (source,) = (path for path in tmp_path.glob("hri-*") if path.is_dir())
    build = str(tmp_path / "build")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DHRI_PYTHON=ON", "-DHRI_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    run("cmake", "-S", str(source), "-B", build, "-G", "Ninja", *options)
    # what would be compiled, without doing it; a dry run may stop at running CMake again
    planned = run("ninja", "-C", build, "-t", "commands", "hri_python_wheel")
    for source_file in ("module.cpp", "mpi.cpp", "postgresql.cpp"):
        assert f"{source_file}.o" in planned, source_file
    assert not any("/build/" in name or "__pycache__" in name for name in names)
