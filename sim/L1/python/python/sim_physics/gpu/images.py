"""``TorchImages``: the images of a ``BatchRenderer`` as PyTorch tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core import BatchRenderer
from .tensors import torch

if TYPE_CHECKING:
    from torch import Tensor as _Tensor  # type: ignore[import-not-found]


class TorchImages:
    """The images of a ``BatchRenderer`` as PyTorch tensors.

    If the batch shares its memory with CUDA (``zero_copy``), the tensors are that memory, and ``render`` changes their
    values. Otherwise ``render`` copies the images through the memory of the host.

    ``rgb`` has bytes and the shape (num_envs, cameras, height, width, 3), ``depth`` has metres and the shape
    (num_envs, cameras, height, width). Both are ``None`` if the renderer does not have them.

    Args:
        renderer: made by ``GpuBatch.renderer``.
        device: device of the tensors without ``zero_copy``, by default CUDA if available, else the CPU.
    """

    rgb: _Tensor | None
    depth: _Tensor | None

    def __init__(self, renderer: BatchRenderer, device: Any = None) -> None:
        th = torch()
        self.renderer = renderer
        self.rgb = None
        self.depth = None
        if renderer.zero_copy:
            if "rgb" in renderer.outputs:
                pixels = th.from_dlpack(renderer.array("rgba")).view(th.uint8)
                self.rgb = pixels.view(*renderer.shape, 4)[..., :3]
            if "depth" in renderer.outputs:
                self.depth = th.from_dlpack(renderer.array("depth")).view(*renderer.shape)
        else:
            default = "cuda" if th.cuda.is_available() else "cpu"
            self.device = th.device(default if device is None else device)

    def render(self) -> None:
        """Renders the current states of all environments, and updates the tensors."""
        self.renderer.render()
        if self.renderer.zero_copy:
            return
        th = torch()
        if "rgb" in self.renderer.outputs:
            self.rgb = th.from_numpy(self.renderer.rgb()).to(self.device)
        if "depth" in self.renderer.outputs:
            self.depth = th.from_numpy(self.renderer.depth()).to(self.device)


__all__ = ["TorchImages"]
