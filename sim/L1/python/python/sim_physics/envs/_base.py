"""What all vector environments of the package have in common: spaces, states, models and images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .._core import MjData, MjModel, VecEnv
from .._errors import DTypeError, ShapeError
from ._camera import Images

#: Modes of `render`.
RENDER_MODES = ["rgb_array", "depth_array"]


class BatchedEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Base class of the vector environments. ``vec_env`` is the underlying ``sim_physics.VecEnv``."""

    vec_env: VecEnv

    def _setup(
        self,
        vec_env: VecEnv,
        *,
        autoreset_mode: AutoresetMode,
        observation_space: gymnasium.spaces.Box,
        copy: bool,
        images: Images,
    ) -> None:
        self.vec_env = vec_env
        self.num_envs = vec_env.num_envs
        self.copy = copy
        self.render_mode = images.mode
        self._images = images
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": round(1.0 / vec_env.dt),
            "autoreset_mode": autoreset_mode,
        }
        low, high = vec_env.action_bounds.astype(np.float32).T
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space = observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(observation_space, self.num_envs)
        self._models: dict[int, MjModel] = {}
        self._varied: set[int] = set()

    @property
    def dt(self) -> float:
        """Duration of a step in seconds."""
        return self.vec_env.dt

    @property
    def frame_skip(self) -> int:
        """Number of time steps of the simulation per step."""
        return self.vec_env.frame_skip

    def _actions(self, actions: ArrayLike) -> NDArray[Any]:
        """Checked actions in single or double precision."""
        try:
            array = np.asarray(actions)
        except ValueError as error:
            raise ShapeError(f"actions should be an array of shape {self.action_space.shape}: {error}") from error
        if array.dtype.kind not in "fiub":
            raise DTypeError(f"actions should be numbers, not {array.dtype}")
        if array.shape != self.action_space.shape:
            raise ShapeError(f"actions should be of shape {self.action_space.shape}, but have {array.shape}")
        if array.dtype not in (np.float32, np.float64):
            array = array.astype(np.float64)
        return np.ascontiguousarray(array)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_] | None:
        """The entry ``reset_mask`` of the options of ``reset``."""
        if not options or "reset_mask" not in options:
            return None
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise DTypeError("options['reset_mask'] should be a NumPy array of bool")
        if mask.shape != (self.num_envs,):
            raise ShapeError(f"options['reset_mask'] should be of shape ({self.num_envs},), but has {mask.shape}")
        if not mask.any():
            raise ValueError("options['reset_mask'] selects no environment: set at least one entry")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        """A seed for each environment: from an integer ``s``, environment ``i`` gets ``s + i``."""
        if seed is None:
            return None
        if isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = [None if each is None else int(each) for each in seed]
        if len(seeds) != self.num_envs:
            raise ShapeError(f"seed has {len(seeds)} values for {self.num_envs} environments")
        if any(each is not None and each < 0 for each in seeds):
            raise ValueError("seed should be None, a non-negative integer, or a list with one of them per environment")
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        return seeds

    def get(self, name: str) -> NDArray[np.float64]:
        """A copy of an array of ``MjData`` for all environments, such as ``get("xpos")`` of shape (num_envs, nbody, 3)."""
        return self.vec_env.get(name)

    def get_state(self) -> dict[str, NDArray[np.float64]]:
        """Positions, velocities and times of all environments: the arguments of ``set_state``."""
        env = self.vec_env
        return {"qpos": env.get("qpos"), "qvel": env.get("qvel"), "time": env.times()}

    def set_state(
        self,
        qpos: ArrayLike,
        qvel: ArrayLike,
        time: ArrayLike = 0.0,
        *,
        environments: Sequence[int] | None = None,
    ) -> None:
        """Sets positions and velocities of the environments with the given indices, by default of all, one row each.

        The states are evaluated as at the start of an episode; the number of steps of the episode does not change.
        """
        indices = list(range(self.num_envs)) if environments is None else [int(i) for i in environments]
        times = np.broadcast_to(np.asarray(time, dtype=np.float64), (len(indices),))
        self.vec_env.set_state(indices, qpos, qvel, times)

    def randomize(
        self,
        seed: int,
        *,
        mass: tuple[float, float] = (1.0, 1.0),
        friction: tuple[float, float] = (1.0, 1.0),
        gain: tuple[float, float] = (1.0, 1.0),
        damping: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """Multiplies parameters of each environment by random factors between the bounds; replaces earlier variations.

        ``mass`` has a factor per body, ``friction`` one per environment, ``gain`` one per actuator and ``damping`` one
        per degree of freedom.
        """
        self.vec_env.randomize(seed, mass=mass, friction=friction, gain=gain, damping=damping)
        self._varied = set(range(self.num_envs))
        self._models.clear()

    def vary(self, environment: int, **arrays: ArrayLike) -> None:
        """Gives an environment its own arrays of ``MjModel``: ``vary(3, body_mass=masses)``; replaces an earlier
        variation."""
        self.vec_env.vary(environment, **arrays)
        self._varied.add(environment)
        self._models.pop(environment, None)

    def model(self, environment: int = 0) -> MjModel:
        """A copy of the model of an environment, with its variation."""
        key = environment if environment in self._varied else -1
        if key not in self._models:
            self._models[key] = self.vec_env.model(environment)
        return self._models[key]

    def data(self, environment: int = 0) -> MjData:
        """A copy of the state of an environment."""
        return self.vec_env.data(environment, self.model(environment))

    def render(self, environments: Sequence[int] | None = None) -> tuple[NDArray[Any], ...] | None:
        """Images of the environments with the given indices, by default of all; None without a ``render_mode``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs the argument render_mode='rgb_array' of the constructor")
            return None
        indices = range(self.num_envs) if environments is None else environments
        return tuple(self._images.render(self, i) for i in indices)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The attribute of this name for each environment; a method is called.

        ``model`` and ``data`` are those of each environment; names of arrays of ``MjData`` give their values; other
        attributes are the same for all environments.
        """
        if name in ("model", "data"):
            return tuple(getattr(self, name)(i) for i in range(self.num_envs))
        if name == "render":
            return self.render() or (None,) * self.num_envs
        if hasattr(self, name):
            value = getattr(self, name)
            value = value(*args, **kwargs) if callable(value) else value
            return (value,) * self.num_envs
        return tuple(self.get(name))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The value of an attribute or array for each environment; see ``call``."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets ``qpos`` or ``qvel`` of each environment, or an attribute of this object to one value."""
        if name in ("qpos", "qvel"):
            state = self.get_state()
            state[name] = np.broadcast_to(np.asarray(values, dtype=np.float64), state[name].shape)
            self.set_state(state["qpos"], state["qvel"], state["time"])
            return
        if isinstance(values, (list, tuple)):
            if len(values) != self.num_envs or any(value != values[0] for value in values):
                raise ValueError(f"all environments share `{name}`: give one value")
            values = values[0]
        if not hasattr(self, name):
            raise AttributeError(f"the environments have no attribute `{name}`")
        setattr(self, name, values)

    def close_extras(self, **kwargs: Any) -> None:
        """Releases the renderer."""
        self._images.close()


def autoreset(mode: str | AutoresetMode) -> AutoresetMode:
    """The autoreset mode of this name."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(repr(mode.value) for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}, but must be one of {names}") from None


def precision(dtype: Any) -> np.dtype[Any]:
    """The element type of observations."""
    result = np.dtype(dtype)
    if result not in (np.float32, np.float64):
        raise DTypeError(f"dtype is {result}, but observations have float32 or float64")
    return result


__all__ = ["BatchedEnv"]
