# SPDX-License-Identifier: Apache-2.0
"""The type stub says what the extension has, and the package passes a type checker."""

import pathlib
import subprocess
import sys

import pytest

import hri

pytest.importorskip("mypy")
PACKAGE = pathlib.Path(hri.__file__).parent


def run(*command, cwd):
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=cwd)


def test_the_stub_names_everything_that_is_there(tmp_path):
    ran = run("mypy.stubtest", "hri._core", "--ignore-positional-only", cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_package_passes_a_strict_type_checker(tmp_path):
    ran = run("mypy", "--strict", "--cache-dir", str(tmp_path), str(PACKAGE), cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_users_program_is_checked_against_the_stub(tmp_path):
    (tmp_path / "user.py").write_text(
        "import hri\n"
        "program = hri.learn('grandparent', time_limit=10)\n"
        "rows: list[tuple[str, ...]] = program.predict({'father': [('a', 'b')]})\n"
        "text: str = program.to_prolog()\n"
        "wrong: int = program.to_prolog()\n"
    )
    ran = run("mypy", "--cache-dir", str(tmp_path), "user.py", cwd=tmp_path)
    assert "user.py:5: error: Incompatible types" in ran.stdout
    assert "Found 1 error" in ran.stdout
