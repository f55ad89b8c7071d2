"""Trains a policy with PPO of stable-baselines3 on the CPU.

    pip install './sim/L1/python[gymnasium]' stable-baselines3
    python sim/L1/python/examples/sb3_ppo.py --task Hopper-v5 --num-envs 16 --steps 200000

``Sb3VecEnv`` adapts the vector environments of this package to the interface of stable-baselines3.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor, VecNormalize

import sim_physics.envs


class Sb3VecEnv(VecEnv):
    """Vector environments of ``sim_physics.envs`` for stable-baselines3, which resets finished episodes in the same step."""

    def __init__(self, envs: sim_physics.envs.BatchedEnv) -> None:
        if envs.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("stable-baselines3 needs environments with autoreset_mode=AutoresetMode.SAME_STEP")
        self.envs = envs
        self.render_mode = envs.render_mode
        self._actions: Any = None
        self._seed: int | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> np.ndarray:
        observations, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return observations

    def seed(self, seed: int | None = None) -> list[int | None]:
        self._seed = seed
        return [None if seed is None else seed + i for i in range(self.num_envs)]

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        done = terminated | truncated
        results: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done):
            is_limit = bool(truncated[i] and not terminated[i])
            results[i] = {"terminal_observation": infos["final_obs"][i], "TimeLimit.truncated": is_limit}
        return observations, rewards.astype(np.float32), done, results

    def close(self) -> None:
        self.envs.close()

    def get_images(self) -> Any:
        return self.envs.render()

    def _indices(self, indices: None | int | Iterable[int]) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: None | int | Iterable[int] = None) -> list[Any]:
        values = self.envs.get_attr(attr_name)
        return [values[i] for i in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: None | int | Iterable[int] = None) -> None:
        if len(self._indices(indices)) != self.num_envs:
            raise ValueError("attributes are set for all environments at once")
        self.envs.set_attr(attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        values = self.envs.call(method_name, *args, **kwargs)
        return [values[i] for i in self._indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: None | int | Iterable[int] = None) -> list[bool]:
        return [False for _ in self._indices(indices)]


def make(task: str, num_envs: int, threads: int | None = None) -> VecEnv:
    """Environments with normalised observations and rewards."""
    mode = AutoresetMode.SAME_STEP
    envs = gymnasium.make_vec(
        f"sim/{task}", num_envs=num_envs, autoreset_mode=mode, dtype=np.float32, threads=threads
    )
    assert isinstance(envs, sim_physics.envs.BatchedEnv)
    return VecNormalize(VecMonitor(Sb3VecEnv(envs)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="Hopper-v5", choices=sim_physics.envs.TASKS)
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--torch-threads", type=int, default=1, help="small networks are slower with several threads")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="file for the trained policy")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(arguments.torch_threads)
    env = make(arguments.task, arguments.num_envs, arguments.threads)
    env.seed(arguments.seed)
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=2048 // arguments.num_envs,
        batch_size=256,
        n_epochs=10,
        learning_rate=3e-4,
        gae_lambda=0.95,
        seed=arguments.seed,
        device="cpu",
        verbose=1,
    )
    start = time.perf_counter()
    model.learn(arguments.steps)
    seconds = time.perf_counter() - start
    print(f"{arguments.steps / seconds:.0f} steps per second, including the training")
    if arguments.save:
        model.save(arguments.save)


if __name__ == "__main__":
    main()
