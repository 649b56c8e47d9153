# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from the first cell to the last."""

import os
import sys

import pytest

from conftest import SOURCE

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

NOTEBOOKS = sorted((SOURCE / "examples" / "notebooks").glob("*.ipynb"))
NEEDED = {"shop": ["pandas", "sklearn"], "perception": ["torch"], "family": ["pandas"]}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path, tmp_path, monkeypatch):
    for module in NEEDED[path.stem]:
        pytest.importorskip(module, reason=f"{module} is not installed")
    # a kernel of this interpreter, whatever kernels the machine has
    kernel = tmp_path / "kernels" / "here"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        '{"argv": ["%s", "-m", "ipykernel_launcher", "-f", "{connection_file}"], '
        '"display_name": "here", "language": "python"}' % sys.executable
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "clear the outputs before a commit"
    client = nbclient.NotebookClient(
        notebook, kernel_name="here", timeout=200, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=dict(os.environ))


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["family", "perception", "shop"]
