"""The Python code of the guide runs."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

GUIDE = pathlib.Path(__file__).parents[4] / "docs" / "guide"


@pytest.mark.skipif(not GUIDE.exists(), reason="needs the guide of the repository")
@pytest.mark.parametrize("page", ["python.md", "python_migration.md", "environments.md", "gpu.md"])
def test_code_of_the_guide_runs(page: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (GUIDE / page).read_text(), re.DOTALL)
    assert blocks
    if page == "environments.md":
        pytest.importorskip("gymnasium")
    if page == "gpu.md" and not pytest.importorskip("sim_physics.gpu", exc_type=ImportError).adapters():
        pytest.skip("needs a Vulkan driver")
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, timeout=120)


@pytest.mark.skipif(not GUIDE.exists(), reason="needs the guide of the repository")
def test_the_notebook_runs() -> None:
    path = GUIDE / "getting_started.ipynb"
    cells = json.loads(path.read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code), "clear the outputs"
    for module in ("nbclient", "nbformat", "ipykernel", "gymnasium", "imageio"):
        pytest.importorskip(module, reason=f"needs {module}")
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert len(outputs) >= len(code)
