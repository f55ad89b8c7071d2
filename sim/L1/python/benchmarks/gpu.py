"""Throughput of a GPU batch: bare, and as a vector environment with a random PyTorch policy, with copies and without.

    python benchmarks/gpu.py [--task humanoid] [--envs 8192] [--steps 200] [--contacts 16 --rows 64] [--json FILE]

Prints JSON. All figures are time steps of the simulation per second, over all environments:

* ``bare``: the batch alone. Episodes are restarted by the kernel; nothing is read.
* ``copies``: observations, rewards, terminations and resets computed by PyTorch, and a random policy, where states and
  actions are copied through the memory of the host in every step.
* ``zero_copy``: the same with memory that is shared with CUDA; or the reason why that is not possible.

The driver may optimise a kernel in the background, so each measurement is repeated and the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Callable

import torch

from sim_physics.gpu import TASKS, GpuBatch, GpuVectorEnv, adapters

#: Keeps the bodies in the same region of states as the environments: they fall and are restarted.
KERNEL_TASK = """
fn reward() -> real {{ return qvel(0u); }}
fn terminated() -> bool {{ return {terminated}; }}
"""


def best(run: Callable[[], None], rounds: int) -> float:
    """The shortest duration of a number of runs, after one that is not timed."""
    run()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def overflow(info: dict[str, Any]) -> dict[str, float]:
    """Fractions of environments whose capacity was exceeded or that diverged."""
    return {name: float(info[name].mean()) for name in ("contact_overflow", "row_overflow", "diverged")}


def bare(arguments: argparse.Namespace) -> dict[str, Any]:
    """The batch alone."""
    task = TASKS[arguments.task]
    model = task.model()
    bounds = [each for each in (task.height, task.pitch) if each is not None]
    limits = [f"qpos({i}u) < {low:f} || qpos({i}u) > {high:f}" for i, low, high in bounds] or ["false"]
    batch = GpuBatch(
        model,
        arguments.envs,
        contacts=arguments.contacts,
        rows=arguments.rows,
        task=KERNEL_TASK.format(terminated=" || ".join(limits)),
        max_episode_steps=task.max_episode_steps * task.frame_skip,
        zero_copy=False,
    )
    low, high = model.actuator_ctrlrange[:, 0], model.actuator_ctrlrange[:, 1]
    batch.set_ctrl((low + (high - low) * torch.rand(arguments.envs, int(model.nu)).numpy()).astype("float32"))

    def run() -> None:
        for _ in range(arguments.steps):
            batch.step(task.frame_skip, wait=False)
        batch.wait()

    seconds = best(run, arguments.rounds)
    steps = arguments.envs * arguments.steps * task.frame_skip
    kernel = batch.step_timed(task.frame_skip)
    return {
        "steps_per_second": steps / seconds,
        "kernel_seconds": kernel,
        "adapter": batch.adapter,
        "capacity": batch.capacity,
        **overflow(batch.info()),
    }


def environment(arguments: argparse.Namespace, zero_copy: bool | None) -> dict[str, Any]:
    """The vector environment with a random policy."""
    task = TASKS[arguments.task]
    env = GpuVectorEnv(task, num_envs=arguments.envs, contacts=arguments.contacts, rows=arguments.rows, zero_copy=zero_copy)
    if zero_copy is None and not env.zero_copy:
        return {"skipped": env.zero_copy_reason}
    env.reset(seed=0)
    low, span = env.action_low, env.action_high - env.action_low
    total = torch.zeros((), device=env.device)

    def run() -> None:
        for _ in range(arguments.steps):
            actions = low + span * torch.rand(env.num_envs, env.action_size, device=env.device)
            _, rewards, _, _, _ = env.step(actions)
            total.add_(rewards.mean())
        total.item()

    seconds = best(run, arguments.rounds)
    return {
        "steps_per_second": arguments.envs * arguments.steps * task.frame_skip / seconds,
        "environment_steps_per_second": arguments.envs * arguments.steps / seconds,
        "device": str(env.device),
        "graph": env.graph or env.graph_reason,
        "mean_reward": float(total) / (arguments.steps * (arguments.rounds + 1)),
        **overflow(env.batch.batch.info()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="humanoid", choices=TASKS)
    parser.add_argument("--envs", type=int, default=8192)
    parser.add_argument("--steps", type=int, default=200, help="environment steps of a measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--contacts", type=int, help="contact capacity of an environment")
    parser.add_argument("--rows", type=int, help="row capacity of an environment")
    parser.add_argument("--json", help="file for the results")
    arguments = parser.parse_args()
    results: dict[str, Any] = {
        "task": arguments.task,
        "envs": arguments.envs,
        "frame_skip": TASKS[arguments.task].frame_skip,
        "adapters": adapters(),
        "torch": torch.__version__,
        "cuda": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "bare": bare(arguments),
        "copies": environment(arguments, False),
        "zero_copy": environment(arguments, None),
    }
    for name in ("copies", "zero_copy"):
        if "steps_per_second" in results[name]:
            results[name]["fraction_of_bare"] = results[name]["steps_per_second"] / results["bare"]["steps_per_second"]
    text = json.dumps(results, indent=2)
    print(text)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
