"""The built-in tasks and their registration in gymnasium."""

from __future__ import annotations

import gymnasium

#: Steps of an episode of each built-in task.
EPISODE_STEPS: dict[str, int] = {
    "Ant-v5": 1000,
    "HalfCheetah-v5": 1000,
    "Hopper-v5": 1000,
    "Humanoid-v5": 1000,
    "HumanoidStandup-v5": 1000,
    "InvertedDoublePendulum-v5": 1000,
    "InvertedPendulum-v5": 1000,
    "Pusher-v5": 100,
    "Reacher-v5": 50,
    "Swimmer-v5": 1000,
    "Walker2d-v5": 1000,
}
#: Names of the built-in tasks.
TASKS: tuple[str, ...] = tuple(EPISODE_STEPS)
#: Average rewards at which gymnasium considers a task solved.
_THRESHOLDS = {
    "Ant-v5": 6000.0,
    "HalfCheetah-v5": 4800.0,
    "Hopper-v5": 3800.0,
    "InvertedDoublePendulum-v5": 9100.0,
    "InvertedPendulum-v5": 950.0,
    "Pusher-v5": 0.0,
    "Reacher-v5": -3.75,
    "Swimmer-v5": 360.0,
}


def register() -> None:
    """Registers the tasks as ``sim/Ant-v5`` and so on; called when ``sim_physics.envs`` is imported."""
    for task, steps in EPISODE_STEPS.items():
        name = f"sim/{task}"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="sim_physics.envs:SimEnv",
                vector_entry_point="sim_physics.envs:SimVectorEnv",
                max_episode_steps=steps,
                reward_threshold=_THRESHOLDS.get(task),
                kwargs={"task": task},
            )


__all__ = ["EPISODE_STEPS", "TASKS", "register"]
