"""Batches of environments on a GPU, with PyTorch tensors.

``GpuBatch`` steps thousands of environments of one model on a GPU with a Vulkan, Metal or DX12 driver. ``TorchBatch`` has
its arrays as PyTorch tensors, which share the memory of the batch if the GPU is also a CUDA device, and ``GpuVectorEnv``
is a vector environment whose observations, rewards and terminations are computed by PyTorch on that device.
``GpuBatch.renderer`` renders images of all environments, and ``TorchImages`` has them as tensors. PyTorch is needed for
``TorchBatch``, ``TorchImages`` and ``GpuVectorEnv`` only.
"""

from __future__ import annotations

from .._core import BatchRenderer as BatchRenderer
from .._core import DeviceArray as DeviceArray
from .._core import GpuBatch as GpuBatch
from .._core import _gpu_adapters
from .env import GpuTask as GpuTask
from .env import GpuVectorEnv as GpuVectorEnv
from .env import State as State
from .images import TorchImages as TorchImages
from .tasks import TASKS as TASKS
from .tasks import Locomotion as Locomotion
from .tensors import TorchBatch as TorchBatch


def adapters() -> list[str]:
    """Names of the GPU adapters; an empty list without a driver."""
    return _gpu_adapters()


__all__ = [
    "TASKS",
    "BatchRenderer",
    "DeviceArray",
    "GpuBatch",
    "GpuTask",
    "GpuVectorEnv",
    "Locomotion",
    "State",
    "TorchBatch",
    "TorchImages",
    "adapters",
]
