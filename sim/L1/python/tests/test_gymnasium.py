"""gymnasium's MuJoCo-v5 environments run unmodified, with the results of MuJoCo."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
import pytest
from conftest import Worker, has

pytestmark = pytest.mark.skipif(not (has("gymnasium") and has("imageio")), reason="needs gymnasium and imageio")
needs_mujoco = pytest.mark.skipif(not has("mujoco"), reason="needs the package mujoco as reference")

TASKS = [
    "Ant-v5",
    "HalfCheetah-v5",
    "Hopper-v5",
    "Humanoid-v5",
    "HumanoidStandup-v5",
    "InvertedDoublePendulum-v5",
    "InvertedPendulum-v5",
    "Pusher-v5",
    "Reacher-v5",
    "Swimmer-v5",
    "Walker2d-v5",
]
STEPS = 100
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def sim() -> Iterator[Worker]:
    worker = Worker("sim")
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def reference() -> Iterator[Worker]:
    worker = Worker("mujoco")
    yield worker
    worker.close()


def difference(a: Any, b: Any) -> float:
    """Largest difference of two results, relative to the magnitude above 1."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        return max((difference(a[key], b[key]) for key in a), default=0.0)
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float(np.max(np.abs(a - b) / np.maximum(1.0, np.abs(b)), initial=0.0))


@needs_mujoco
@pytest.mark.parametrize("task", TASKS)
def test_steps_equal_those_of_mujoco(task: str, sim: Worker, reference: Worker) -> None:
    assert sim("engine")[1] and not reference("engine")[1]
    first, expected = sim("make", task, {}, 7), reference("make", task, {}, 7)
    worst = max(difference(first[0], expected[0]), difference(first[1], expected[1]))
    for step, action in enumerate(reference("action", 3, STEPS)):
        state = reference("state")
        ours, theirs = sim("step", state, action), reference("step", state, action)
        assert ours[2:4] == theirs[2:4], f"step {step}: terminated or truncated differ"
        worst = max(worst, *(difference(a, b) for a, b in zip(ours, theirs)))
        if theirs[2] or theirs[3]:
            sim("make", task, {}, step), reference("make", task, {}, step)
    print(f"{task}: largest difference {worst:.2e}")
    assert worst <= TOLERANCE


@pytest.mark.parametrize("task", ["Ant-v5", "Humanoid-v5", "Reacher-v5"])
@pytest.mark.parametrize("mode", ["rgb_array", "depth_array"])
def test_environments_render_images(task: str, mode: str, sim: Worker) -> None:
    sim("make", task, {"render_mode": mode, "width": 64, "height": 48}, 0)
    image = sim("render")
    assert image.shape == ((48, 64, 3) if mode == "rgb_array" else (48, 64))
    assert np.unique(image).size > 5
