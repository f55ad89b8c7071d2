"""``Task`` and ``TaskVectorEnv``: tasks in Python, with NumPy functions over all environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from .._core import MjModel, VecEnv, _task_arrays
from .._errors import ResetNeededError, ShapeError, UnknownNameError
from ._base import BatchedEnv, autoreset, precision
from ._camera import Images
from .described import _Description
from .vector import Result


class State:
    """States of all environments: the arrays of the task, with the environment as first dimension.

    ``state.qpos`` has the shape (num_envs, nq), ``state.xpos`` (num_envs, nbody, 3), and so on. As in MuJoCo after
    ``mj_step``, arrays that are computed from positions and velocities, such as ``xpos``, belong to the state before the
    last time step of the simulation.
    """

    #: Actions of the step, of shape (num_envs, action_size); zero at the start of episodes.
    action: NDArray[Any]
    #: Duration of a step in seconds.
    dt: float
    #: The states before the step; None at the start of episodes.
    previous: State | None

    def __init__(self, arrays: dict[str, NDArray[np.float64]], action: NDArray[Any], dt: float) -> None:
        self._arrays = arrays
        self.action = action
        self.dt = dt
        self.previous = None

    def __getattr__(self, name: str) -> NDArray[np.float64]:
        try:
            return self._arrays[name]
        except KeyError:
            text = f"the task does not use `{name}`: add it to `arrays`, which has {', '.join(self._arrays)}"
            raise AttributeError(text) from None


class Task:
    """A task in Python. Subclasses define ``observe`` and ``reward``; all functions compute values of all environments::

        class SwingUp(Task):
            arrays = ("qpos", "qvel")

            def observe(self, state):
                return np.hstack([np.cos(state.qpos), np.sin(state.qpos), state.qvel])

            def reward(self, state):
                return -np.cos(state.qpos[:, 0]) - 0.01 * np.square(state.action).sum(axis=1)

        envs = TaskVectorEnv(SwingUp(), model, num_envs=64)
    """

    #: Names of the arrays of ``MjData`` that the task uses.
    arrays: Sequence[str] = ("qpos", "qvel")
    #: Number of time steps of the simulation per step.
    frame_skip: int = 1
    #: Steps after which episodes are truncated; None for any number.
    max_episode_steps: int | None = None

    def observe(self, state: State) -> NDArray[Any]:
        """Observations, of shape (num_envs, size)."""
        raise NotImplementedError(f"{type(self).__name__} has to define `observe`")

    def reward(self, state: State) -> NDArray[Any]:
        """Rewards of the step, of shape (num_envs,); ``state.previous`` has the states before it."""
        raise NotImplementedError(f"{type(self).__name__} has to define `reward`")

    def terminated(self, state: State) -> ArrayLike:
        """Whether the episodes end in these states, of shape (num_envs,); by default they do not."""
        return False

    def infos(self, state: State) -> dict[str, NDArray[Any]]:
        """Values that a step reports beside the rewards, one row per environment; by default none."""
        return {}

    def initial_state(self, model: MjModel, rng: np.random.Generator) -> tuple[ArrayLike, ArrayLike]:
        """Positions and velocities of one environment at the start of an episode; by default the reference
        configuration at rest. ``rng`` is the generator of the environment."""
        return model.qpos0, np.zeros(model.nv)


class TaskVectorEnv(BatchedEnv):
    """Environments of a task in Python. The simulation runs on several threads.

    Args:
        task: the task.
        model: the model.
        num_envs: number of environments.
        autoreset_mode: what happens when an episode ends: one of ``gymnasium.vector.AutoresetMode``.
        threads: number of threads, by default that of the CPUs.
        dtype: ``float64`` or ``float32``, the element type of observations.
        render_mode: ``"rgb_array"`` or ``"depth_array"``.
        **kwargs: ``width``, ``height``, ``camera_id``, ``camera_name``, ``default_camera_config`` and ``max_geom``.
    """

    def __init__(
        self,
        task: Task,
        model: MjModel,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        dtype: Any = np.float64,
        render_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        images = Images(render_mode=render_mode, **kwargs)
        known = _task_arrays()
        for name in task.arrays:
            if name not in known:
                raise UnknownNameError(f"tasks have no array '{name}'; the arrays are {', '.join(known)}")
        # the observation of the engine are the arrays of the task
        description = _Description(list(task.arrays), {}, [], 0.0, 0.0, None)
        vec_env = VecEnv(
            description, num_envs, model=model, frame_skip=task.frame_skip, autoreset="Disabled", threads=threads
        )
        self.task = task
        self.dtype = precision(dtype)
        self._mode = autoreset(autoreset_mode)
        self._shapes = {name: vec_env.get(name).shape for name in task.arrays}
        self._values = np.zeros((num_envs, vec_env.observation_size))
        self._before = np.zeros_like(self._values)
        self._generators = [np.random.default_rng() for _ in range(num_envs)]
        self._elapsed = np.zeros(num_envs, dtype=np.int64)
        self._done = np.zeros(num_envs, dtype=np.bool_)
        self._is_reset = np.zeros(num_envs, dtype=np.bool_)
        self._no_action = np.zeros((num_envs, vec_env.action_size))
        self.vec_env, self.num_envs = vec_env, num_envs
        size = self._observe(self._state(self._no_action)).shape[1]
        space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), dtype=self.dtype.type)
        self._setup(vec_env, autoreset_mode=self._mode, observation_space=space, copy=True, images=images)

    def _state(self, action: NDArray[Any]) -> State:
        """The current states, from the engine."""
        self.vec_env.observe(self._values)
        return self._view(self._values, action)

    def _view(self, values: NDArray[np.float64], action: NDArray[Any]) -> State:
        arrays, start = {}, 0
        for name, shape in self._shapes.items():
            width = int(np.prod(shape[1:]))
            arrays[name] = values[:, start : start + width].reshape(shape)
            start += width
        return State(arrays, action, self.vec_env.dt)

    def _observe(self, state: State) -> NDArray[Any]:
        observations = np.array(self.task.observe(state), dtype=self.dtype)
        if observations.ndim != 2 or observations.shape[0] != self.num_envs:
            raise ShapeError(
                f"`observe` should return an array of shape ({self.num_envs}, size), not {observations.shape}: "
                "join columns with numpy.hstack or numpy.column_stack"
            )
        return observations

    def _per_environment(self, name: str, values: ArrayLike, dtype: Any) -> NDArray[Any]:
        array = np.array(values, dtype=dtype)
        if array.shape not in ((), (self.num_envs,)):
            raise ShapeError(f"`{name}` should return an array of shape ({self.num_envs},), not {array.shape}")
        return np.array(np.broadcast_to(array, self.num_envs))

    def _start(self, mask: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.float64], NDArray[np.float64]]:
        """Draws and sets initial states; returns them, with the indices of the environments."""
        indices = np.flatnonzero(mask).tolist()
        starts = [self.task.initial_state(self.model(i), self._generators[i]) for i in indices]
        qpos = np.array([start[0] for start in starts], dtype=np.float64)
        qvel = np.array([start[1] for start in starts], dtype=np.float64)
        self.set_state(qpos, qvel, environments=indices)
        self._elapsed[mask] = 0
        self._done[mask] = False
        self._is_reset[mask] = True
        return indices, qpos, qvel

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts new episodes; see ``SimVectorEnv.reset``."""
        mask = self._reset_mask(options)
        mask = np.ones(self.num_envs, dtype=np.bool_) if mask is None else mask
        for i, each in enumerate(self._seeds(seed) or ()):
            if each is not None and mask[i]:
                self._generators[i], _ = seeding.np_random(each)
        self._start(mask)
        return self._observe(self._state(self._no_action)), {}

    def step(self, actions: ArrayLike) -> Result:
        """Takes one step in every environment."""
        actions = self._actions(actions)
        if not self._is_reset.all():
            raise ResetNeededError("environments were not reset yet: call `reset` before the first `step`")
        pending = self._done.copy()
        if pending.any() and self._mode == AutoresetMode.DISABLED:
            raise ResetNeededError(
                f"the episodes of environments {np.flatnonzero(pending).tolist()} have ended and automatic resets are "
                "disabled: call `reset` with options={'reset_mask': mask}"
            )
        # the engine steps all environments; the new episodes are set again after the step
        start = self._start(pending) if pending.any() else None
        self.vec_env.observe(self._before)
        terminated = np.empty(self.num_envs, dtype=np.bool_)
        unused = np.empty(self.num_envs), np.empty(self.num_envs, dtype=np.bool_)
        self.vec_env.step(actions, self._values, unused[0], terminated, unused[1])
        if start is not None:
            self.set_state(start[1], start[2], environments=start[0])
            self.vec_env.observe(self._values)
        state = self._view(self._values, actions)
        state.previous = self._view(self._before, self._no_action)
        rewards = self._per_environment("reward", self.task.reward(state), np.float64)
        terminated |= self._per_environment("terminated", self.task.terminated(state), np.bool_)
        infos = self._infos(state, ~pending)
        rewards[pending], terminated[pending] = 0.0, False
        self._elapsed[~pending] += 1
        limit = self.task.max_episode_steps
        truncated = np.zeros(self.num_envs, dtype=np.bool_) if limit is None else self._elapsed >= limit
        self._done = terminated | truncated
        observations = self._observe(state)
        if self._mode == AutoresetMode.SAME_STEP and self._done.any():
            observations, infos = self._restart(observations, infos)
        return observations, rewards, terminated, truncated, infos

    def _infos(self, state: State, mask: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        for name, values in self.task.infos(state).items() if mask.any() else ():
            infos[name] = np.array(values)
            if infos[name].shape[:1] != (self.num_envs,):
                raise ShapeError(f"info `{name}` should have {self.num_envs} rows, not the shape {infos[name].shape}")
            infos[name][~mask] = 0
            infos["_" + name] = mask.copy()
        return infos

    def _restart(self, observations: NDArray[Any], infos: dict[str, Any]) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts the episodes that are due in the same step."""
        done = self._done.copy()
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(done):
            last[i] = observations[i].copy()
        final_info: dict[str, Any] = {}
        current: dict[str, Any] = {}
        for name, values in infos.items():
            if name.startswith("_"):
                continue
            rows = done.reshape(-1, *[1] * (values.ndim - 1))
            final_info[name], final_info["_" + name] = np.where(rows, values, 0), done
            if not done.all():
                current[name], current["_" + name] = np.where(rows, 0, values), ~done
        self._start(done)
        infos = {"final_obs": last, "_final_obs": done, "final_info": final_info, "_final_info": done.copy()}
        return self._observe(self._state(self._no_action)), {**infos, **current}


__all__ = ["State", "Task", "TaskVectorEnv"]
