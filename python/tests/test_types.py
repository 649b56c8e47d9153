# SPDX-License-Identifier: Apache-2.0
"""The type stub says what the extension has, and the package passes a type checker."""

import pathlib
import subprocess
import sys

import pytest

import hri

pytest.importorskip("mypy")
PACKAGE = pathlib.Path(hri.__file__).parent


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """So that numpy's types are read once."""
    return str(tmp_path_factory.mktemp("cache"))


def run(*command, cwd):
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=cwd)


def test_the_stub_names_everything_that_is_there(tmp_path):
    ran = run("mypy.stubtest", "hri._core", "--ignore-positional-only", "--concise", cwd=tmp_path)
    by_nature = ("metaclass differs", ".__init__ is inconsistent")  # of pybind11
    wrong = [line for line in ran.stdout.splitlines() if not any(part in line for part in by_nature)]
    assert [line for line in wrong if line.startswith("hri.")] == []
    assert "metaclass differs" in ran.stdout, ran.stdout + ran.stderr  # it did look


def test_the_package_passes_a_strict_type_checker(tmp_path, cache):
    ran = run("mypy", "--strict", "--cache-dir", cache, str(PACKAGE), cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_users_program_is_checked_against_the_stub(tmp_path, cache):
    (tmp_path / "user.py").write_text(
        "import hri\n"
        "program = hri.learn('grandparent', time_limit=10)\n"
        "rows: list[tuple[str, ...]] = program.predict({'father': [('a', 'b')]})\n"
        "text: str = program.to_prolog()\n"
        "wrong: int = program.to_prolog()\n"
    )
    ran = run("mypy", "--cache-dir", cache, "user.py", cwd=tmp_path)
    assert "user.py:5: error: Incompatible types" in ran.stdout
    assert "Found 1 error" in ran.stdout
