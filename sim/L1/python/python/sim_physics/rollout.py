"""Open-loop rollouts with the signature of ``mujoco.rollout``."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import MjData, MjModel
from ._enums import mjtState
from ._errors import ShapeError


class Rollout:
    """Rollouts on a number of threads. Threads are started for each call, so that there is nothing to close."""

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = nthread

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Does nothing; the method exists in MuJoCo's package."""

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: npt.ArrayLike,
        control: npt.ArrayLike | None = None,
        *,
        control_spec: int = int(mjtState.mjSTATE_CTRL),
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: npt.ArrayLike | None = None,
        state: npt.NDArray[np.float64] | None = None,
        sensordata: npt.NDArray[np.float64] | None = None,
        chunk_size: int | None = None,
        lanes: bool = False,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Simulates trajectories; see :func:`rollout`."""
        models = [model] if isinstance(model, MjModel) else list(model)
        datas = [data] if isinstance(data, MjData) else list(data)
        if not models or not datas:
            raise ValueError("rollout needs at least one model and one data")
        first = models[0]
        sizes = (
            int(_core.mj_stateSize(first, int(mjtState.mjSTATE_FULLPHYSICS))),
            int(_core.mj_stateSize(first, int(control_spec))),
        )
        nstate, ncontrol = sizes
        initial = _shaped("initial_state", initial_state, 2, nstate)
        warmstart = _shaped("initial_warmstart", initial_warmstart, 2, first.nv)
        controls = _shaped("control", control, 3, ncontrol)
        batch = max(_length(x, 0) for x in (initial, warmstart, controls, state, sensordata))
        batch = max(batch, len(models))
        steps = [_length(x, 1) for x in (controls, state, sensordata) if x is not None and np.ndim(x) == 3]
        steps = sorted({n for n in steps if n > 1} | ({int(nstep)} if nstep is not None else set()))
        if len(steps) > 1:
            raise ShapeError(f"nstep, control, state and sensordata have different numbers of steps: {steps}")
        count = steps[0] if steps else 1
        assert initial is not None
        initial = _tiled("initial_state", initial, (batch, nstate))
        warmstart = None if warmstart is None else _tiled("initial_warmstart", warmstart, (batch, first.nv))
        controls = None if controls is None else _tiled("control", controls, (batch, count, ncontrol))
        if len(models) not in (1, batch):
            raise ShapeError(f"there are {len(models)} models, but {batch} trajectories")
        threads = datas if self.nthread is None else datas[: max(1, self.nthread)]
        states, sensors = _core._rollout(
            models, threads, count, int(control_spec), initial, warmstart, controls, lanes
        )
        return _output("state", state, states), _output("sensordata", sensordata, sensors)


def _shaped(name: str, values: Any, ndim: int, width: int) -> npt.NDArray[np.float64] | None:
    if values is None:
        return None
    array = np.asarray(values, dtype=np.float64)
    if array.ndim > ndim:
        raise ShapeError(f"{name} can have at most {ndim} dimensions, but has {array.ndim}")
    array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    if array.shape[-1] != width:
        raise ShapeError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")
    return array


def _length(values: Any, axis: int) -> int:
    return 1 if values is None else int(np.shape(values)[axis])


def _tiled(name: str, array: npt.NDArray[np.float64], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    try:
        return np.ascontiguousarray(np.broadcast_to(array, shape))
    except ValueError:
        raise ShapeError(f"{name} has shape {array.shape}, which does not extend to {shape}") from None


def _output(name: str, out: Any, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    if out is None:
        return values
    if out.size != values.size:
        raise ShapeError(f"{name} has shape {out.shape}, but should have {values.shape}")
    out[...] = values.reshape(out.shape)
    return out


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: npt.ArrayLike,
    control: npt.ArrayLike | None = None,
    *,
    control_spec: int = int(mjtState.mjSTATE_CTRL),
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: npt.ArrayLike | None = None,
    state: npt.NDArray[np.float64] | None = None,
    sensordata: npt.NDArray[np.float64] | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
    lanes: bool = False,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Simulates trajectories from initial states under given controls, on one thread per ``data``.

    Args:
        model: a model, or one for each trajectory with the same sizes.
        data: one or several data, which are overwritten; each is used by one thread.
        initial_state: (nbatch, nstate) full physics states (``mjSTATE_FULLPHYSICS``).
        control: (nbatch, nstep, ncontrol) controls of the components ``control_spec``.
        control_spec: components of the state that ``control`` sets (``mjtState``).
        skip_checks: arguments are always checked; the parameter exists in MuJoCo's package.
        nstep: number of steps, by default that of ``control``.
        initial_warmstart: (nbatch, nv) initial warm start of the constraint solver.
        state: array that receives the states.
        sensordata: array that receives the sensor readings.
        chunk_size: trajectories are distributed one by one; the parameter exists in MuJoCo's package.
        persistent_pool: threads are started for each call; the parameter exists in MuJoCo's package.
        lanes: simulate several trajectories at once in the SIMD lanes of each core, which is 3 to 8 times as fast and
            agrees to rounding. Models with sensors or with features that lanes do not simulate, several models, and a
            ``control_spec`` beyond ``mjSTATE_CTRL`` and ``mjSTATE_QFRC_APPLIED`` are simulated as by default.

    Returns:
        States (nbatch, nstep, nstate) after each step, and sensor readings (nbatch, nstep, nsensordata).
    """
    return Rollout().rollout(
        model,
        data,
        initial_state,
        control,
        control_spec=control_spec,
        skip_checks=skip_checks,
        nstep=nstep,
        initial_warmstart=initial_warmstart,
        state=state,
        sensordata=sensordata,
        chunk_size=chunk_size,
        lanes=lanes,
    )


def shutdown_persistent_pool() -> None:
    """Does nothing: there is no pool."""


__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]
