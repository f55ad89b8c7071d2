"""Tasks of ``GpuVectorEnv``: forward locomotion with the models of gymnasium's MuJoCo tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._core import MjModel, VecEnv
from .._enums import mjtIntegrator, mjtSolver
from .env import GpuTask, State
from .tensors import torch

if TYPE_CHECKING:
    from torch import Tensor as _Tensor  # type: ignore[import-not-found]


@dataclass
class Locomotion(GpuTask):
    """Moving forward along the x axis.

    The reward is the forward velocity, plus a bonus for being healthy, minus the squared controls. Observations are the
    positions without those of the root in the plane, and the velocities. In comparison with gymnasium's tasks, contact
    forces and other quantities that the GPU does not compute are not part of observations and rewards, the velocity is
    that of the root body, and the integrator is Euler's method with implicit damping, which is four times as fast as RK4:
    ``dataclasses.replace(TASKS["ant"], integrator=None)`` is the task with the integrator of gymnasium's model.
    """

    #: Name of the task of ``sim_physics.envs`` whose model is used.
    name: str
    frame_skip: int = 5
    max_episode_steps: int = 1000
    #: Number of coordinates of the root that are not observed.
    hidden: int = 2
    forward_weight: float = 1.0
    healthy_reward: float = 1.0
    control_cost: float = 0.1
    #: Coordinate with the height of the root, and bounds beyond which an episode ends.
    height: tuple[int, float, float] | None = None
    #: Coordinate with the pitch of the root, and bounds beyond which an episode ends.
    pitch: tuple[int, float, float] | None = None
    #: Integrator, or ``None`` for that of the model. RK4, which gymnasium uses for most of these models, evaluates the
    #: dynamics four times per time step.
    integrator: mjtIntegrator | None = mjtIntegrator.mjINT_IMPLICITFAST
    #: Size of the noise of initial positions and velocities.
    noise: float = 0.05

    def model(self) -> MjModel:
        """The model of the task, with a solver that the GPU supports."""
        model = VecEnv(self.name, 1).model(0)
        if self.integrator is not None:
            model.opt.integrator = self.integrator
        model.opt.solver = mjtSolver.mjSOL_NEWTON
        return model

    def observe(self, state: State) -> _Tensor:
        """Positions without those of the root in the plane, and velocities."""
        return torch().cat([state.qpos[:, self.hidden :], state.qvel.clamp(-10.0, 10.0)], dim=1)

    def reward(self, state: State) -> _Tensor:
        """Forward velocity and bonus, minus the cost of controls."""
        velocity = (state.qpos[:, 0] - state.previous_qpos[:, 0]) / state.dt
        control = state.ctrl.square().sum(dim=1)
        healthy = (~self.terminated(state)).float() * self.healthy_reward
        return self.forward_weight * velocity + healthy - self.control_cost * control

    def terminated(self, state: State) -> _Tensor:
        """Whether the root is too low, too high or tilted."""
        th = torch()
        result = th.zeros(state.num_envs, dtype=th.bool, device=state.device)
        for bounds in (self.height, self.pitch):
            if bounds is not None:
                index, low, high = bounds
                result |= (state.qpos[:, index] < low) | (state.qpos[:, index] > high)
        return result

    def initial_states(self, model: MjModel, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """The reference configuration with noise."""
        qpos = model.qpos0 + rng.uniform(-self.noise, self.noise, (count, model.nq))
        return qpos, self.noise * rng.standard_normal((count, model.nv))


#: Tasks by name.
TASKS: dict[str, Locomotion] = {
    "ant": Locomotion("Ant-v5", forward_weight=2.0, healthy_reward=0.5, control_cost=0.05, height=(2, 0.2, 1.0)),
    "half_cheetah": Locomotion("HalfCheetah-v5", hidden=1, healthy_reward=0.0, pitch=(2, -3.0, 3.0)),
    "hopper": Locomotion("Hopper-v5", frame_skip=4, hidden=1, control_cost=1e-3, height=(1, 0.7, 2.0), pitch=(2, -0.2, 0.2), noise=5e-3),
    "humanoid": Locomotion("Humanoid-v5", forward_weight=1.25, healthy_reward=5.0, height=(2, 1.0, 2.0), noise=0.01),
    "walker2d": Locomotion("Walker2d-v5", frame_skip=4, hidden=1, control_cost=1e-3, height=(1, 0.8, 2.0), pitch=(2, -1.0, 1.0), noise=5e-3),
}


def make(name: str) -> Locomotion:
    """The task of this name."""
    try:
        return TASKS[name]
    except KeyError:
        raise ValueError(f"there is no GPU task {name!r}; there are {', '.join(TASKS)}") from None


__all__ = ["TASKS", "Locomotion", "make"]
