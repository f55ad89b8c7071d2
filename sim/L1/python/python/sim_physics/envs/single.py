"""``SimEnv``: a built-in task as a single environment, for ``gymnasium.make``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from ._base import RENDER_MODES
from .vector import SimVectorEnv


class SimEnv(gymnasium.Env[NDArray[Any], NDArray[Any]]):
    """One environment of a built-in task; the arguments are those of ``SimVectorEnv``.

    Truncation is left to the wrapper ``TimeLimit`` that ``gymnasium.make`` adds. Many environments are stepped faster
    by ``SimVectorEnv``.
    """

    metadata = {"render_modes": list(RENDER_MODES)}

    def __init__(self, task: str, **kwargs: Any) -> None:
        for name in ("num_envs", "autoreset_mode", "copy"):
            if name in kwargs:
                raise TypeError(f"`{name}` is an argument of vector environments: use gymnasium.make_vec")
        kwargs.setdefault("max_episode_steps", -1)
        kwargs.setdefault("threads", 1)
        self.envs = SimVectorEnv(task, 1, autoreset_mode=AutoresetMode.DISABLED, **kwargs)
        self.metadata = {name: self.envs.metadata[name] for name in ("render_modes", "render_fps")}
        self.render_mode = self.envs.render_mode
        self.observation_space = self.envs.single_observation_space
        self.action_space = self.envs.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts a new episode."""
        super().reset(seed=seed)
        observations, infos = self.envs.reset(seed=seed)
        return observations[0], _first(infos)

    def step(self, action: ArrayLike) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Takes one step."""
        observations, rewards, terminated, truncated, infos = self.envs.step(np.asarray(action)[np.newaxis])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _first(infos)

    def render(self) -> Any:
        """An image; None without a ``render_mode``."""
        frames = self.envs.render()
        return frames[0] if frames else None

    def close(self) -> None:
        """Releases the renderer."""
        self.envs.close()


def _first(infos: dict[str, Any]) -> dict[str, Any]:
    """The infos of the only environment."""
    return {name: value[0] for name, value in infos.items() if not name.startswith("_")}


__all__ = ["SimEnv"]
