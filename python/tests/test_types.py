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
    ran = run("mypy.stubtest", "hri._core", "--ignore-positional-only", "--concise", cwd=tmp_path)
    by_nature = ("metaclass differs", ".__init__ is inconsistent")  # of pybind11
    wrong = [line for line in ran.stdout.splitlines() if not any(part in line for part in by_nature)]
    assert [line for line in wrong if line.startswith("hri.")] == []
    assert "metaclass differs" in ran.stdout, ran.stdout + ran.stderr  # it did look


def test_package_and_users_programs_pass_a_strict_type_checker(tmp_path):
    (tmp_path / "user.py").write_text(
        "import hri\n"
        "program = hri.learn('grandparent', time_limit=10)\n"
        "rows: list[tuple[str, ...]] = program.predict({'father': [('a', 'b')]})\n"
        "text: str = program.to_prolog()\n"
        "wrong: int = program.to_prolog()\n"
    )
    ran = run("mypy", "--strict", "--cache-dir", str(tmp_path), str(PACKAGE), "user.py", cwd=tmp_path)
    first, last = ran.stdout.splitlines()
    assert first.startswith("user.py:5: error: Incompatible types")
    assert last.startswith("Found 1 error")
