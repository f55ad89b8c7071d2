"""``DescribedVectorEnv``: tasks that are described by data and evaluated by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core import MjModel
from .vector import SimVectorEnv

#: Values of the state: the name of an array, or a dictionary with `array`, `of`, `part` and `clip`.
Quantity = str | Mapping[str, Any]

_QUANTITY = {"array", "of", "part", "clip"}


class _Description:
    """A task in the form that the extension module reads."""

    def __init__(
        self,
        observation: Sequence[Quantity],
        reward: Mapping[str, Mapping[str, Any]],
        healthy: Sequence[Mapping[str, Any]],
        qpos_noise: float,
        qvel_noise: float,
        keyframe: str | None,
    ) -> None:
        self.observation = [_quantity("observation", entry) for entry in observation]
        self.reward = []
        for name, term in reward.items():
            function = str(term.get("function", "sum"))
            scale, weight = float(term.get("scale", 1.0)), float(term.get("weight", 1.0))
            # a constant needs no array
            term = {"array": "qpos", **term} if function == "one" else term
            quantity = _quantity(f"reward '{name}'", term, {"function", "scale", "weight"})
            self.reward.append((name, quantity, function, scale, weight))
        self.healthy = []
        for entry in healthy:
            if "range" not in entry:
                raise ValueError(f"healthy {dict(entry)} has no 'range': give the lower and upper bound")
            low, high = entry["range"]
            self.healthy.append((_quantity("healthy", entry, {"range"}), (float(low), float(high))))
        self.qpos_noise = qpos_noise
        self.qvel_noise = qvel_noise
        self.keyframe = keyframe


def _quantity(where: str, entry: Quantity, others: set[str] = set()) -> tuple[Any, ...]:
    if isinstance(entry, str):
        return entry, None, None, None
    unknown = set(entry) - _QUANTITY - others
    if unknown or "array" not in entry:
        names = ", ".join(sorted(_QUANTITY | others))
        raise ValueError(f"{where}: {dict(entry)} needs the key 'array' and may have {names}")
    return entry["array"], entry.get("of"), entry.get("part"), entry.get("clip")


class DescribedVectorEnv(SimVectorEnv):
    """Environments of a task that is described by slices of arrays, evaluated by the engine without Python code::

        envs = DescribedVectorEnv(
            model,
            num_envs=64,
            observation=["qpos", {"array": "qvel", "clip": (-10, 10)}],
            reward={
                "forward": {"array": "xpos", "of": "torso", "part": (0, 1), "function": "rate"},
                "control": {"array": "ctrl", "function": "square_sum", "weight": -0.1},
            },
            healthy=[{"array": "xpos", "of": "torso", "part": (2, 3), "range": (0.3, 1.5)}],
            qpos_noise=0.01,
            frame_skip=5,
            max_episode_steps=1000,
        )

    Args:
        model: the model.
        num_envs: number of environments.
        observation: the values of these arrays, one after the other. An entry is a name or a dictionary with ``array``,
            ``of`` (the name of a body, site, actuator, tendon or sensor), ``part`` (start and end) and ``clip``.
        reward: terms by name, which are summed and reported as infos. A term is such a dictionary with ``function``
            (``"one"``, ``"sum"``, ``"square_sum"``, ``"norm"``, ``"rate"`` of change per second, or ``"gaussian"`` with
            ``scale``) and ``weight``.
        healthy: quantities with a ``range`` outside of which the episode is terminated.
        qpos_noise: amplitude of the uniform noise of initial positions.
        qvel_noise: amplitude of the uniform noise of initial velocities.
        keyframe: name of the keyframe with the initial state.
        **kwargs: arguments of ``SimVectorEnv``.
    """

    def __init__(
        self,
        model: MjModel,
        num_envs: int = 1,
        *,
        observation: Sequence[Quantity],
        reward: Mapping[str, Mapping[str, Any]],
        healthy: Sequence[Mapping[str, Any]] = (),
        qpos_noise: float = 0.0,
        qvel_noise: float = 0.0,
        keyframe: str | None = None,
        **kwargs: Any,
    ) -> None:
        task = _Description(observation, reward, healthy, qpos_noise, qvel_noise, keyframe)
        super().__init__(task, num_envs, model=model, **kwargs)


__all__ = ["DescribedVectorEnv"]
