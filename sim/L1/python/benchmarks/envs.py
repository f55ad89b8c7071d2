"""Throughput of the vector environments beside EnvPool and gymnasium's own, interleaved.

    python envs.py [--threads 1,2] [--envs 64] [--rounds 3] [--seconds 0.5] [--gymnasium] [--json FILE] [TASK...]

A round measures each engine once, in turn. The table has the medians of simulation steps per second, and the median of
the ratios of the rounds to EnvPool. Needs a release build of this package, and envpool; with ``--gymnasium`` also mujoco.
With one thread, gymnasium's ``SyncVectorEnv`` is measured, otherwise an ``AsyncVectorEnv`` with a process per thread.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any, Callable

import gymnasium
import numpy as np

from sim_physics import envs

#: Time steps of the simulation per step of each task.
FRAME_SKIP = dict(zip(envs.TASKS, [5, 5, 4, 5, 5, 5, 2, 5, 2, 4, 4]))


def options(task: str) -> dict[str, Any]:
    """A random policy falls at once, and would measure resets."""
    return {"terminate_when_unhealthy": False} if task == "Humanoid-v5" else {}


def make_sim(task: str, count: int, threads: int) -> tuple[Any, int]:
    return gymnasium.make_vec(f"sim/{task}", num_envs=count, threads=threads, **options(task)), count


def make_envpool(task: str, count: int, threads: int) -> tuple[Any, int]:
    import envpool

    return envpool.make_gymnasium(task, num_envs=count, num_threads=threads, **options(task)), count


def make_gymnasium(task: str, count: int, threads: int) -> tuple[Any, int]:
    mode, count = ("sync", count) if threads == 1 else ("async", threads)
    return gymnasium.make_vec(task, num_envs=count, vectorization_mode=mode, **options(task)), count


def measure(make: Callable[[str, int, int], tuple[Any, int]], task: str, count: int, threads: int, seconds: float) -> float:
    """Simulation steps per second, including observations, rewards and infos."""
    env, count = make(task, count, threads)
    env.reset()
    space = getattr(env, "single_action_space", env.action_space)
    low, high = (np.reshape(bound, (-1, space.shape[-1]))[0] for bound in (space.low, space.high))
    rng = np.random.default_rng(1)
    actions = [rng.uniform(low, high, (count, low.size)).astype(space.dtype) for _ in range(64)]

    def run(steps: int) -> float:
        start = time.perf_counter()
        for k in range(steps):
            env.step(actions[k % 64])
        return time.perf_counter() - start

    warm = 20 if make is make_gymnasium else 100
    steps = max(1, int(seconds / (run(warm) / warm)))
    duration = run(steps)
    env.close()
    return steps * count * FRAME_SKIP[task] / duration


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--gymnasium", action="store_true")
    parser.add_argument("--json", help="file for the results")
    arguments = parser.parse_args()
    engines = {"sim_physics": make_sim, "EnvPool": make_envpool}
    if arguments.gymnasium:
        engines["gymnasium"] = make_gymnasium
    results = []
    print(f"| task | threads | {' | '.join(engines)} | ratio |\n|---|---|{'---|' * len(engines)}---|")
    for threads in map(int, arguments.threads.split(",")):
        ratios = []
        for task in arguments.tasks or envs.TASKS:
            rounds = [
                {name: measure(make, task, arguments.envs, threads, arguments.seconds) for name, make in engines.items()}
                for _ in range(arguments.rounds)
            ]
            ratio = statistics.median(each["sim_physics"] / each["EnvPool"] for each in rounds)
            medians = {name: statistics.median(each[name] for each in rounds) for name in engines}
            figures = " | ".join(f"{medians[name]:.0f}" for name in engines)
            print(f"| {task} | {threads} | {figures} | {ratio:.2f} |", flush=True)
            ratios.append(ratio)
            results.append({"task": task, "threads": threads, "ratio": ratio, "rounds": rounds})
        print(f"{threads} threads: geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
