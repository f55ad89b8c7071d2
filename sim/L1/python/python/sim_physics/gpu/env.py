"""``GpuVectorEnv``: vector environments on a GPU, whose tasks are functions of PyTorch tensors."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import GpuBatch, MjModel
from .tensors import TorchBatch, torch

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv as _Base
    from torch import Tensor as _Tensor  # type: ignore[import-not-found]
else:
    try:
        from gymnasium.vector import VectorEnv as _Base
    except ImportError:
        _Base = object


class State:
    """What the functions of a task use: tensors of all environments after a step.

    ``qpos``, ``qvel``, ``ctrl``, ``sensordata`` and the other tensors of ``TorchBatch`` are attributes. ``previous_qpos``
    has the positions before the step and ``dt`` the duration of a step in seconds.
    """

    def __init__(self, batch: TorchBatch, dt: float) -> None:
        self.batch = batch
        self.dt = dt
        self.previous_qpos = batch.qpos.clone()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.batch, name)


class GpuTask:
    """A task: functions over all environments, which PyTorch computes on the device of the batch.

    Derive a class and override ``observe``, ``reward``, ``terminated`` and ``initial_states``.
    """

    #: Time steps of the simulation per step.
    frame_skip: int = 5
    #: Steps after which episodes are truncated.
    max_episode_steps: int = 1000

    def observe(self, state: State) -> _Tensor:
        """Observations, of shape (num_envs, any)."""
        return torch().cat([state.qpos, state.qvel], dim=1)

    def reward(self, state: State) -> _Tensor:
        """Rewards, of shape (num_envs,)."""
        raise NotImplementedError("override `reward`")

    def terminated(self, state: State) -> _Tensor:
        """Which episodes end, of shape (num_envs,)."""
        return torch().zeros(state.num_envs, dtype=torch().bool, device=state.device)

    def initial_states(self, model: MjModel, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """A table of initial positions and velocities, of shapes (count, nq) and (count, nv)."""
        return np.tile(model.qpos0, (count, 1)), np.zeros((count, model.nv))


class GpuVectorEnv(_Base):
    """Environments of a task on a GPU. Observations, rewards and actions are PyTorch tensors on ``device``.

    An episode that ends is restarted in the same step: the observation is the first one of the new episode, and
    ``infos["final_obs"]`` has the last one. Environments that diverge are terminated.

    If the GPU is a CUDA device, the simulation, the task and the policy share its memory, and nothing is copied to the
    host; otherwise states and actions are copied in every step (``zero_copy``, ``zero_copy_reason``).

    With shared memory, the functions of the task are recorded once as a CUDA graph and replayed in every step, because
    launching their kernels one by one takes longer than running them. A task whose functions cannot be recorded, for
    example because they read values on the host, is evaluated kernel by kernel (``graph``, ``graph_reason``). Python code
    of a recorded task does not run again: give ``graph=False`` if it uses Python values that change, such as a curriculum,
    or keep such values in tensors.

    It is a ``gymnasium.vector.VectorEnv`` with spaces if gymnasium is installed.

    Args:
        task: a ``GpuTask``, or the name of one in ``sim_physics.gpu.TASKS``.
        model: the model; by default that of the task.
        num_envs: number of environments.
        device: device of the tensors, see ``TorchBatch``.
        seed: seed of the initial states.
        initial_states: size of the table of initial states from which resets choose.
        graph: whether to record the task as a CUDA graph, by default with shared memory.
        **kwargs: arguments of ``GpuBatch``, such as ``contacts``, ``rows``, ``adapter`` and ``zero_copy``.
    """

    def __init__(
        self,
        task: GpuTask | str,
        model: MjModel | None = None,
        num_envs: int = 1024,
        *,
        device: Any = None,
        seed: int = 0,
        initial_states: int = 1024,
        graph: bool | None = None,
        **kwargs: Any,
    ) -> None:
        if isinstance(task, str):
            from .tasks import make

            task = make(task)
        if model is None:
            model = getattr(task, "model", lambda: None)()
        if model is None:
            raise TypeError("the task has no model of its own: give one")
        th = torch()
        self.task = task
        self.model = model
        self.num_envs = num_envs
        self.batch = TorchBatch(GpuBatch(model, num_envs, **kwargs), device)
        self.device = self.batch.device
        self.dt = float(model.opt.timestep) * task.frame_skip
        self._state = State(self.batch, self.dt)
        low, high = _action_bounds(model)
        self.action_low, self.action_high = (th.as_tensor(each, device=self.device) for each in (low, high))
        self._table = self._initial_states(initial_states, seed)
        self._steps = th.zeros(num_envs, dtype=th.int32, device=self.device)
        self._generator = th.Generator(device=self.device)
        self._generator.manual_seed(seed)
        self.batch.state.copy_(self._choose_states())
        self.batch.state_changed()
        self.observation_size = int(task.observe(self._state).shape[1])
        self.action_size = int(model.nu)
        self._set_spaces(low, high)
        #: Why the task is not recorded as a CUDA graph.
        self.graph_reason: str | None = None
        self._graph: Any = None
        if graph is None or graph:
            self._record()
        else:
            self.graph_reason = "disabled by the argument `graph`"
        if graph and self._graph is None:
            raise ValueError(f"the task cannot be recorded as a CUDA graph: {self.graph_reason}")

    @property
    def graph(self) -> bool:
        """Whether the task is recorded as a CUDA graph."""
        return self._graph is not None

    def _record(self) -> None:
        """Records the evaluation of the task, and restarts all environments."""
        th = torch()
        if not self.zero_copy:
            self.graph_reason = "states are copied through the host"
            return
        self.graph_reason = self._cannot_record()
        if self.graph_reason is None:
            recorded = th.cuda.CUDAGraph()
            recorded.register_generator_state(self._generator)
            try:
                with th.no_grad(), th.cuda.graph(recorded):
                    self._results = self._evaluate()
                self._graph = recorded
            except RuntimeError as error:
                self.graph_reason = str(error).splitlines()[0]
                th.cuda.synchronize(self.device)
                # generators stay in the mode of a recording that failed
                for generator in (self._generator, th.cuda.default_generators[self.device.index]):
                    fresh = th.Generator(device=self.device)
                    fresh.manual_seed(generator.initial_seed())
                    generator.graphsafe_set_state(fresh.graphsafe_get_state())
        self.reset()

    def _cannot_record(self) -> str | None:
        """Evaluates the task a few times before it is recorded, because the first calls may allocate memory and load
        kernels. Returns why it cannot be recorded if it waits for the device."""
        th = torch()
        stream = th.cuda.Stream(self.device)
        stream.wait_stream(th.cuda.current_stream(self.device))
        mode = th.cuda.get_sync_debug_mode()
        try:
            with warnings.catch_warnings():
                # PyTorch warns that the mode does not detect everything; what it misses fails in the recording
                warnings.simplefilter("ignore", UserWarning)
                th.cuda.set_sync_debug_mode("error")
            with th.no_grad(), th.cuda.stream(stream):
                for _ in range(3):
                    self._evaluate()
        except RuntimeError as error:
            return str(error).splitlines()[0]
        finally:
            th.cuda.set_sync_debug_mode(mode)
            th.cuda.current_stream(self.device).wait_stream(stream)
        return None

    def _set_spaces(self, low: np.ndarray, high: np.ndarray) -> None:
        """Spaces and metadata of gymnasium, if it is installed."""
        if _Base is object:
            return
        import gymnasium
        from gymnasium.vector import AutoresetMode
        from gymnasium.vector.utils import batch_space

        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP, "render_fps": round(1 / self.dt)}
        self.render_mode = None
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self.observation_size,), dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _initial_states(self, count: int, seed: int) -> _Tensor:
        """Full states from which resets choose."""
        th = torch()
        qpos, qvel = self.task.initial_states(self.model, count, np.random.default_rng(seed))
        table = th.zeros((count, self.batch.state.shape[1]), dtype=th.float32)
        nq, nv = int(self.model.nq), int(self.model.nv)
        table[:, 1 : 1 + nq] = th.as_tensor(np.asarray(qpos, dtype=np.float32))
        table[:, 1 + nq : 1 + nq + nv] = th.as_tensor(np.asarray(qvel, dtype=np.float32))
        return table.to(self.device)

    def _choose_states(self) -> _Tensor:
        """A random state of the table for each environment."""
        th = torch()
        rows = th.randint(len(self._table), (self.num_envs,), generator=self._generator, device=self.device)
        return self._table[rows]

    @property
    def zero_copy(self) -> bool:
        """Whether the simulation shares its memory with PyTorch."""
        return self.batch.zero_copy

    @property
    def zero_copy_reason(self) -> str | None:
        """Why it does not."""
        return self.batch.batch.zero_copy_reason

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[_Tensor, dict[str, Any]]:
        """Starts new episodes in all environments."""
        if seed is not None:
            self._generator.manual_seed(seed)
        done = torch().ones(self.num_envs, dtype=torch().bool, device=self.device)
        self.batch.state.copy_(self._choose_states())
        self.batch.state_changed(done)
        self._steps.zero_()
        return self.task.observe(self._state), {}

    def step(self, actions: _Tensor) -> tuple[_Tensor, _Tensor, _Tensor, _Tensor, dict[str, Any]]:
        """Takes one step in every environment; returns observations, rewards, terminated, truncated and infos.

        Actions beyond the bounds of the controls are clipped.
        """
        th = torch()
        with th.no_grad():
            self._state.previous_qpos.copy_(self.batch.qpos)
            self.batch.ctrl.copy_(th.clamp(actions, self.action_low, self.action_high))
            self.batch.step(self.task.frame_skip)
            if self._graph is None:
                return self._evaluate()
            self._graph.replay()
            # the next step overwrites the tensors of the graph
            observations, rewards, terminated, truncated, infos = self._results
            infos = {name: value.clone() for name, value in infos.items()}
            return observations.clone(), rewards.clone(), terminated.clone(), truncated.clone(), infos

    def _evaluate(self) -> tuple[_Tensor, _Tensor, _Tensor, _Tensor, dict[str, Any]]:
        """Observations and rewards of the last step; restarts episodes that ended."""
        th, batch, state = torch(), self.batch, self._state
        observations = self.task.observe(state)
        diverged = (batch.flags[:, 0] & 4) != 0
        terminated = self.task.terminated(state) | diverged
        rewards = th.where(diverged, 0.0, self.task.reward(state))
        self._steps += 1
        truncated = (self._steps >= self.task.max_episode_steps) & ~terminated
        done = terminated | truncated
        infos: dict[str, Any] = {"final_obs": observations, "_final_obs": done}
        # chosen in every step, so that results do not depend on how memory is shared
        chosen = self._choose_states()
        # without shared memory, states are only written if an episode ended
        if batch.zero_copy or bool(done.any()):
            batch.state.copy_(th.where(done[:, None], chosen, batch.state))
            batch.state_changed(done)
            observations = th.where(done[:, None], self.task.observe(state), observations)
            self._steps.masked_fill_(done, 0)
        return observations, rewards, terminated, truncated, infos

    def close(self, **kwargs: Any) -> None:
        """Does nothing: the device is released with the last reference to this object."""


def _action_bounds(model: MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the controls; those without bounds are infinite."""
    limited = np.asarray(model.actuator_ctrllimited, dtype=bool)
    low = np.where(limited, model.actuator_ctrlrange[:, 0], -math.inf).astype(np.float32)
    high = np.where(limited, model.actuator_ctrlrange[:, 1], math.inf).astype(np.float32)
    return low, high


__all__ = ["GpuTask", "GpuVectorEnv", "State"]
