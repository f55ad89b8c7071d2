"""The examples run with small settings. They are skipped if a library that they use is not installed."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def run(name: str, *arguments: str) -> str:
    """The output of an example."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr[-4000:]
    return result.stdout


def last_json(output: str) -> Any:
    return json.loads(output.strip().splitlines()[-1])


def test_ppo_on_a_gpu_batch(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("torch", reason="needs PyTorch")
    gpu = pytest.importorskip("sim_physics.gpu", reason="the package was built without the feature `gpu`", exc_type=ImportError)
    if not gpu.adapters():
        pytest.skip("needs a Vulkan driver, such as mesa-vulkan-drivers")
    video = tmp_path / "ant.npz"
    output = run("gpu_ppo.py", "--envs", "16", "--iterations", "2", "--steps", "4", "--hidden", "16", "--seconds", "0.5", "--video", str(video))
    summary = last_json(output)
    assert summary["iterations"] == 2 and summary["environment_steps"] == 128
    assert video.exists() and summary["cpu_seconds"] > 0.4


def test_ppo_of_stable_baselines3() -> None:
    pytest.importorskip("stable_baselines3", reason="needs stable-baselines3")
    output = run("sb3_ppo.py", "--task", "InvertedPendulum-v5", "--num-envs", "4", "--steps", "4096")
    assert "steps per second" in output


def test_rollouts_with_two_ray_workers() -> None:
    pytest.importorskip("ray", reason="needs ray")
    output = run("ray_rollouts.py", "--workers", "2", "--num-envs", "8", "--steps", "32", "--iterations", "2", "--task", "Hopper-v5")
    summary = last_json(output)
    assert summary["ray"]["environment_steps_per_second"] > 0
    assert len(summary["ray"]["mean_returns"]) == 2
