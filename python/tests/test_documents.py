# SPDX-License-Identifier: Apache-2.0
"""Whatever the documentation shows runs: docstrings, the first example of the pages, the examples."""

import doctest
import inspect
import os
import re
import subprocess
import sys
import tomllib

import pytest

import hri
from conftest import SOURCE

EXAMPLES = sorted((SOURCE / "examples").glob("*.py"))


def documented():
    """Every public object and what it holds, by name."""
    yield "hri", hri
    for name in hri.__all__:
        value = getattr(hri, name)
        yield f"hri.{name}", value
        for member, part in vars(value).items() if inspect.isclass(value) else ():
            yield f"hri.{name}.{member}", part


def examples_in_docstrings():
    parser = doctest.DocTestParser()
    for name, value in documented():
        text = inspect.getdoc(value) or ""
        if ">>>" in text:
            yield parser.get_doctest(text, {}, name, None, None)


@pytest.mark.parametrize("test", list(examples_in_docstrings()), ids=lambda test: test.name)
def test_docstrings_run(test):
    assert "import hri" in test.docstring  # as a reader would type it
    told = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


def test_every_public_name_has_a_docstring():
    for name, value in documented():
        last = name.rpartition(".")[2]
        if not last.startswith("_") and value is not None:
            function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            assert (inspect.getdoc(function) or "").strip(), name


def test_classes_that_one_makes_have_signatures():
    for name in ("Constraints", "Environment", "Model", "Options", "Program", "RuleClassifier", "RuleLearner"):
        parameters = inspect.signature(getattr(hri, name)).parameters
        assert parameters and "self" not in parameters, name
    assert list(inspect.signature(hri.Model).parameters)[:3] == ["inputs", "target", "seed"]
    assert hri.Model.__doc__ and not hri.Model.__doc__.startswith("Model(")


def run(path, **options):
    return subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=250, env=os.environ, **options
    )


def test_the_first_example_of_the_pages_runs_as_printed(tmp_path):
    page = (SOURCE / "docs" / "howto" / "python.md").read_text()
    code, output = re.search(r"```python\n(.*?)```\n```\n(.*?)```", page, re.S).groups()
    (tmp_path / "first.py").write_text(code)
    ran = run(tmp_path / "first.py", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == output


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_run(path, tmp_path):
    ran = run(path, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    if ran.stdout.startswith("skipped: "):  # it needs a package that is not installed
        pytest.skip(ran.stdout)
    shown = re.search(r'^"""(.*?)"""', path.read_text(), re.S | re.M).group(1)
    for line in re.findall(r"^    (\S.*)$", shown, re.M):  # what the docstring says it prints
        assert line in ran.stdout, f"{line!r} is not in\n{ran.stdout}"


def test_there_is_an_example_for_each_kind_of_data():
    names = {path.stem for path in EXAMPLES}
    assert names >= {"lists", "frames", "arrays", "popper", "triples", "tables", "tasks", "training_loop", "learner"}


def test_the_version_is_that_of_cmake():
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    assert "version" not in project and project["dynamic"] == ["version"]
    assert f"project(hri VERSION {hri.__version__} " in (SOURCE / "CMakeLists.txt").read_text()
