"""The Python code of the guide runs."""

from __future__ import annotations

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
    if page == "gpu.md" and not pytest.importorskip("sim_physics.gpu").adapters():
        pytest.skip("needs a Vulkan driver")
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, timeout=120)
