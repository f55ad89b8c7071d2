"""Collects experience with rollout workers on a Ray cluster, and compares it with one process.

    pip install './sim/L1/python[gymnasium]' ray
    python sim/L1/python/examples/ray_rollouts.py --workers 2 --num-envs 64 --steps 256

Each worker has vector environments of its own. The driver sends the parameters of a policy, the workers return
observations, actions, rewards and ends of episodes, and the driver improves the policy from them: here a linear policy,
by the mean of random perturbations weighted with their returns. Without ``--address`` Ray runs on this machine;
``--address auto`` uses the cluster to which the machine belongs, on whose machines the package has to be installed.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import numpy as np
import ray
from gymnasium.vector import AutoresetMode

import sim_physics.envs


class Worker:
    """Environments with a linear policy, in which each environment has its own perturbation of the parameters."""

    def __init__(self, task: str, num_envs: int, threads: int, seed: int) -> None:
        mode = AutoresetMode.SAME_STEP
        # the id names the module, which is imported by the worker
        name = f"sim_physics.envs:sim/{task}"
        self.envs = gymnasium.make_vec(name, num_envs=num_envs, threads=threads, autoreset_mode=mode, dtype=np.float32)
        self.observations, _ = self.envs.reset(seed=1000 * seed)
        self.rng = np.random.default_rng(seed)

    def collect(self, weights: np.ndarray, deviation: float, steps: int) -> dict[str, np.ndarray]:
        """Experience of a number of steps in each environment, from the start of an episode."""
        space = self.envs.single_action_space
        count = self.envs.num_envs
        noise = self.rng.standard_normal((count, *weights.shape)).astype(np.float32)
        perturbed = weights + deviation * noise
        shape = (steps, count)
        result = {
            "observations": np.empty((*shape, weights.shape[1]), dtype=np.float32),
            "actions": np.empty((*shape, weights.shape[0]), dtype=np.float32),
            "rewards": np.empty(shape, dtype=np.float32),
            "done": np.empty(shape, dtype=np.bool_),
            "noise": noise,
        }
        observations, _ = self.envs.reset()
        for t in range(steps):
            actions = np.einsum("nao,no->na", perturbed, np.clip(observations, -10, 10)).clip(space.low, space.high)
            result["observations"][t], result["actions"][t] = observations, actions
            observations, rewards, terminated, truncated, _ = self.envs.step(actions)
            result["rewards"][t], result["done"][t] = rewards, terminated | truncated
        return result


def improve(weights: np.ndarray, experience: list[dict[str, np.ndarray]], deviation: float, rate: float) -> tuple[np.ndarray, float]:
    """Moves the parameters towards the perturbations with high returns; returns them and the mean return."""
    # the return of the first episode of each environment
    returns = []
    for each in experience:
        alive = np.cumsum(each["done"], axis=0) - each["done"] == 0
        returns.append((each["rewards"] * alive).sum(axis=0))
    values = np.concatenate(returns)
    noise = np.concatenate([each["noise"] for each in experience])
    ranks = values.argsort().argsort() / max(1, len(values) - 1) - 0.5
    gradient = np.einsum("n,nao->ao", ranks.astype(np.float32), noise) / (len(values) * deviation)
    return weights + rate * gradient, float(values.mean())


def run(arguments: argparse.Namespace, with_ray: bool) -> dict[str, Any]:
    """Collects and improves; returns the throughput and the mean returns."""
    single = gymnasium.make(f"sim/{arguments.task}")
    weights = np.zeros((single.action_space.shape[0], single.observation_space.shape[0]), dtype=np.float32)
    single.close()
    if with_ray:
        remote = ray.remote(num_cpus=arguments.threads)(Worker)
        workers = [remote.remote(arguments.task, arguments.num_envs, arguments.threads, k) for k in range(arguments.workers)]

        def collect(steps: int) -> list[dict[str, np.ndarray]]:
            shared = ray.put(weights)
            return ray.get([worker.collect.remote(shared, arguments.deviation, steps) for worker in workers])

    else:
        threads = arguments.threads * arguments.workers
        worker = Worker(arguments.task, arguments.num_envs * arguments.workers, threads, 0)

        def collect(steps: int) -> list[dict[str, np.ndarray]]:
            return [worker.collect(weights, arguments.deviation, steps)]

    collect(2)
    returns = []
    start = time.perf_counter()
    for _ in range(arguments.iterations):
        weights, value = improve(weights, collect(arguments.steps), arguments.deviation, arguments.rate)
        returns.append(round(value, 2))
    seconds = time.perf_counter() - start
    steps = arguments.iterations * arguments.steps * arguments.num_envs * arguments.workers
    return {"environment_steps_per_second": round(steps / seconds), "mean_returns": returns}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="HalfCheetah-v5", choices=sim_physics.envs.TASKS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--num-envs", type=int, default=64, help="environments of each worker")
    parser.add_argument("--threads", type=int, default=1, help="threads of each worker")
    parser.add_argument("--steps", type=int, default=256)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--deviation", type=float, default=0.1)
    parser.add_argument("--rate", type=float, default=0.2)
    parser.add_argument("--address", help="address of a cluster, or `auto`")
    arguments = parser.parse_args()
    results: dict[str, Any] = {"one_process": run(arguments, False)}
    ray.init(address=arguments.address, log_to_driver=False, include_dashboard=False)
    try:
        results["ray"] = run(arguments, True)
    finally:
        ray.shutdown()
    rates = [results[name]["environment_steps_per_second"] for name in ("ray", "one_process")]
    results["ray_relative_to_one_process"] = round(rates[0] / rates[1], 3)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
