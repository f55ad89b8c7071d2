"""``TorchBatch``: the arrays of a ``GpuBatch`` as PyTorch tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core import GpuBatch

if TYPE_CHECKING:
    from torch import Tensor as _Tensor  # type: ignore[import-not-found]

#: Buffers with a row per environment. The device writes the last two.
_BUFFERS = ("state", "input", "output", "info")


def torch() -> Any:
    """The module ``torch``, which is imported when it is first needed."""
    try:
        import torch as module  # type: ignore[import-not-found]
    except ImportError as error:
        raise ImportError("tensors of a GpuBatch need PyTorch: pip install torch") from error
    return module


class TorchBatch:
    """The arrays of a ``GpuBatch`` as PyTorch tensors with a row for each environment.

    If the batch shares its memory with CUDA (``zero_copy``), the tensors are that memory: nothing is copied. Otherwise
    ``step`` copies what changed through page-locked memory of the host, and ``zero_copy_reason`` says why.

    The tensors ``time``, ``qpos``, ``qvel``, ``act``, ``qacc_warmstart``, ``ctrl``, ``mocap``, ``sensordata``, ``reward``
    and those of the statistics (``flags``, ``ncon``, ``nefc``, ``solver_niter``, ``episode_steps``, ``resets``, ``ended``)
    are attributes. They are always the same objects; ``step`` changes their values. Assign to elements, for example
    ``batch.ctrl[:] = actions``, and call ``state_changed`` after changing states.

    Args:
        batch: the environments.
        device: device of the tensors, by default that of the shared memory, else CUDA if available, else the CPU.
    """

    time: _Tensor
    qpos: _Tensor
    qvel: _Tensor
    act: _Tensor
    qacc_warmstart: _Tensor
    ctrl: _Tensor
    mocap: _Tensor
    qfrc_applied: _Tensor
    sensordata: _Tensor
    reward: _Tensor
    flags: _Tensor
    ncon: _Tensor
    nefc: _Tensor
    solver_niter: _Tensor
    episode_steps: _Tensor
    resets: _Tensor
    ended: _Tensor

    def __init__(self, batch: GpuBatch, device: Any = None) -> None:
        th = torch()
        self.batch = batch
        self.zero_copy: bool = batch.zero_copy
        self._state_changed = False
        if self.zero_copy:
            self.device: Any = th.device("cuda", batch.cuda_device)
            if device is not None and th.device(device).type != "cuda":
                raise ValueError(f"the batch shares its memory with {self.device}: create it with zero_copy=False for tensors on {device}")
            self._tensors = {name: th.from_dlpack(batch.array(name)) for name in _BUFFERS}
        else:
            default = "cuda" if th.cuda.is_available() else "cpu"
            self.device = th.device(default if device is None else device)
            self._host = {name: self._host_tensor(name) for name in _BUFFERS}
            self._arrays = {name: tensor.numpy() for name, tensor in self._host.items()}
            same = self.device.type == "cpu"
            self._tensors = {name: tensor if same else tensor.to(self.device) for name, tensor in self._host.items()}
        for name, buffer, start, width in batch.columns:
            setattr(self, name, self._tensors[buffer][:, start : start + width])

    def _host_tensor(self, name: str) -> _Tensor:
        """A copy of a buffer in memory of the host, which is page-locked if it is copied to CUDA."""
        th = torch()
        tensor = th.from_numpy(self.batch.array(name))
        return tensor.pin_memory() if self.device.type == "cuda" else tensor

    @property
    def num_envs(self) -> int:
        """Number of environments."""
        return self.batch.num_envs

    @property
    def state(self) -> _Tensor:
        """Full states: time, positions, velocities, activations and warm starts."""
        return self._tensors["state"]

    @property
    def info(self) -> _Tensor:
        """Statistics of all environments, as integers."""
        return self._tensors["info"]

    def state_changed(self, cleared: _Tensor | None = None) -> None:
        """Reports that elements of states were assigned, so that the next step uses them.

        The statistics of the environments in the mask ``cleared`` become zero; those that had diverged are stepped again.
        """
        if cleared is not None:
            self.info.masked_fill_(cleared[:, None], 0)
        if not self.zero_copy:
            self._state_changed = True
            if cleared is not None:
                self.batch.clear_info(cleared.cpu().numpy())

    def step(self, nstep: int = 1) -> None:
        """Takes time steps in all environments with the controls in ``ctrl``, and updates all tensors."""
        if self.zero_copy:
            self.batch.step(nstep)
            return
        self.start(nstep)
        self.finish()

    def start(self, nstep: int = 1) -> None:
        """The first part of ``step``: submits the steps and the copies of their results, and returns immediately."""
        if self.zero_copy:
            self.batch.step(nstep, wait=False)
            return
        for name, changed in (("input", True), ("state", self._state_changed)):
            if changed:
                if self._tensors[name] is not self._host[name]:
                    # waits for the stream, because the host reads the values next
                    self._host[name].copy_(self._tensors[name])
                self.batch.write(name, self._arrays[name])
        self._state_changed = False
        self.batch.step(nstep)
        self.batch.request()

    def finish(self) -> None:
        """The second part of ``step``: waits for the results."""
        if self.zero_copy:
            self.batch.wait()
            return
        if self.device.type == "cuda":
            # the last copies from the page-locked memory must be complete before it is overwritten
            torch().cuda.current_stream(self.device).synchronize()
        self.batch.fetch(self._arrays["state"], self._arrays["output"], self._arrays["info"])
        if self.device.type != "cpu":
            for name in ("state", "output", "info"):
                self._tensors[name].copy_(self._host[name], non_blocking=True)


__all__ = ["TorchBatch"]
