"""``SimVectorEnv``: the built-in tasks as vector environments of gymnasium."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from .._core import MjModel, VecEnv
from ._base import BatchedEnv, autoreset, precision
from ._camera import Images

#: Keyword arguments of the renderer.
_IMAGES = ("width", "height", "camera_id", "camera_name", "default_camera_config", "max_geom")
#: Names of the modes in the extension module.
_MODES = {
    AutoresetMode.NEXT_STEP: "NextStep",
    AutoresetMode.SAME_STEP: "SameStep",
    AutoresetMode.DISABLED: "Disabled",
}

Result = tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SimVectorEnv(BatchedEnv):
    """Environments of a built-in task, stepped together on several threads.

    Observations, rewards, terminations and infos equal those of gymnasium's environment of the same name.

    Args:
        task: name of the task, such as ``"Humanoid-v5"``.
        num_envs: number of environments.
        max_episode_steps: steps after which episodes are truncated; None for those of the task, -1 for any number.
        autoreset_mode: what happens when an episode ends: one of ``gymnasium.vector.AutoresetMode``.
        threads: number of threads, by default that of the CPUs. Results do not depend on it.
        lanes: step several environments at once in the SIMD lanes of each core, which is faster and agrees with the
            default to rounding.
        dtype: ``float64`` or ``float32``, the element type of observations.
        copy: whether each call returns new observations; if false, they are overwritten by the next call.
        model: replaces the model of the task.
        render_mode: ``"rgb_array"`` or ``"depth_array"``.
        **kwargs: keyword arguments of gymnasium's constructor: options of the task, ``xml_file``, ``frame_skip``,
            ``width``, ``height``, ``camera_id``, ``camera_name``, ``default_camera_config`` and ``max_geom``.
    """

    def __init__(
        self,
        task: Any,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        lanes: bool = False,
        dtype: Any = np.float64,
        copy: bool = True,
        model: MjModel | None = None,
        render_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        images = Images(render_mode=render_mode, **{name: kwargs.pop(name) for name in _IMAGES if name in kwargs})
        mode = autoreset(autoreset_mode)
        options = {name: _plain(value) for name, value in kwargs.items()}
        vec_env = VecEnv(
            task,
            num_envs,
            model=model,
            options=options,
            max_episode_steps=max_episode_steps,
            autoreset=_MODES[mode],
            threads=threads,
            lanes=lanes,
        )
        self.dtype = precision(dtype)
        space = gymnasium.spaces.Box(-np.inf, np.inf, (vec_env.observation_size,), dtype=self.dtype.type)
        self._setup(vec_env, autoreset_mode=mode, observation_space=space, copy=copy, images=images)
        #: Name, columns in the matrix of infos, and whether resets report the value.
        self._fields: list[tuple[str, int | slice, bool]] = []
        start = 0
        for name, length, is_state in vec_env.info_fields:
            self._fields.append((name, start if length is None else slice(start, start + length), is_state))
            start += 1 if length is None else length
        self._observations = self._new_observations()

    def _new_observations(self) -> NDArray[Any]:
        return np.empty((self.num_envs, self.vec_env.observation_size), dtype=self.dtype)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts new episodes. An integer ``seed`` gives environment ``i`` the seed ``seed + i``.

        ``options["reset_mask"]`` selects the environments to reset.
        """
        seeds = self._seeds(seed)
        mask = self._reset_mask(options)
        observations = self._new_observations() if self.copy else self._observations
        self.vec_env.reset(observations, seeds, None if mask is None else mask.tolist())
        return observations, self._infos()

    def step(self, actions: ArrayLike) -> Result:
        """Takes one step in every environment."""
        actions = self._actions(actions)
        observations = self._new_observations() if self.copy else self._observations
        rewards = np.empty(self.num_envs)
        terminated = np.empty(self.num_envs, dtype=np.bool_)
        truncated = np.empty(self.num_envs, dtype=np.bool_)
        self.vec_env.step(actions, observations, rewards, terminated, truncated)
        return observations, rewards, terminated, truncated, self._infos()

    def errors(self) -> dict[int, str]:
        """The environments whose simulation diverged in the last step, with the reasons; they were terminated."""
        return dict(self.vec_env.errors())

    def _infos(self) -> dict[str, Any]:
        """The infos of the last call in gymnasium's format: arrays, and masks with an underscore before the name."""
        infos: dict[str, Any] = {}
        finals = self.vec_env.finals()
        if finals is not None:
            mask, observations, values = finals
            last = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(mask):
                last[i] = observations[i].astype(self.dtype)
            final_info: dict[str, Any] = {}
            self._add_fields(final_info, values, mask, mask)
            infos.update(final_obs=last, _final_obs=mask, final_info=final_info, _final_info=mask.copy())
        values, is_state, is_step = self.vec_env.infos()
        self._add_fields(infos, values, is_state, is_step)
        return infos

    def _add_fields(
        self,
        infos: dict[str, Any],
        values: NDArray[np.float64],
        is_state: NDArray[np.bool_],
        is_step: NDArray[np.bool_],
    ) -> None:
        has_states, has_steps = bool(is_state.any()), bool(is_step.any())
        for name, columns, in_state in self._fields:
            if has_states if in_state else has_steps:
                infos[name] = values[:, columns]
                infos["_" + name] = is_state if in_state else is_step


def _plain(value: Any) -> Any:
    """The value of an option without types of NumPy and ``pathlib``."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (str, os.PathLike)):
        return os.path.expanduser(os.fspath(value))
    return value


__all__ = ["SimVectorEnv"]
