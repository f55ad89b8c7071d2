"""``Renderer``: images of a simulation, with the interface of ``mujoco.Renderer``."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._core import MjData, MjModel
from ._enums import mjtCamera, mjtCatBit, mjtObj
from ._errors import UnknownNameError
from ._visual import MjrRect, MjvCamera, MjvOption, MjvScene, mjv_defaultFreeCamera, mjv_updateScene


class Renderer:
    """Renders images of a model::

        with Renderer(model, height=240, width=320) as renderer:
            renderer.update_scene(data, camera="track")
            pixels = renderer.render()
    """

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: int = 150,
    ) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"an image needs a positive size, not {width} x {height}")
        self._model = model
        self._rect = MjrRect(0, 0, width, height)
        self._scene = MjvScene(model, max_geom)
        self._option = MjvOption()
        self._handle: Any = _core.RendererHandle(model, width, height)
        self._output = "rgb"

    @property
    def model(self) -> MjModel:
        """The model."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """The scene that is rendered."""
        return self._scene

    @property
    def height(self) -> int:
        """Height of images in pixels."""
        return self._rect.height

    @property
    def width(self) -> int:
        """Width of images in pixels."""
        return self._rect.width

    def enable_depth_rendering(self) -> None:
        """``render`` returns distances along the line of sight, in m."""
        self._output = "depth"

    def disable_depth_rendering(self) -> None:
        """``render`` returns colours."""
        self._output = "rgb"

    def enable_segmentation_rendering(self) -> None:
        """``render`` returns index and type (``mjtObj``) of the object at each pixel."""
        self._output = "segmentation"

    def disable_segmentation_rendering(self) -> None:
        """``render`` returns colours."""
        self._output = "rgb"

    def enable_normal_rendering(self) -> None:
        """``render`` returns unit normals in world axes; not part of ``mujoco.Renderer``."""
        self._output = "normal"

    def update_scene(
        self,
        data: MjData,
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> None:
        """Updates the scene from the state, for a camera of the model (name or index), -1 for the free camera, or
        an ``MjvCamera``."""
        if not isinstance(camera, MjvCamera):
            camera = self._find(camera)
        mjv_updateScene(
            self._model, data, scene_option or self._option, None, camera, mjtCatBit.mjCAT_ALL, self._scene
        )

    def _find(self, camera: int | str) -> MjvCamera:
        found = MjvCamera()
        if isinstance(camera, str):
            index = _core.mj_name2id(self._model, mjtObj.mjOBJ_CAMERA, camera)
            if index < 0:
                names = [self._model.camera(i).name for i in range(self._model.ncam)]
                raise UnknownNameError(f"no camera is named '{camera}'; the model has {names}")
        else:
            index = int(camera)
        if index < -1 or index >= self._model.ncam:
            raise ValueError(f"camera {index} is out of range: -1 for the free camera, up to {self._model.ncam - 1}")
        if index == -1:
            mjv_defaultFreeCamera(self._model, found)
        else:
            found.type, found.fixedcamid = int(mjtCamera.mjCAMERA_FIXED), index
        return found

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """The image: (height, width, 3) bytes, or distances, object ids or normals if they are enabled."""
        if self._handle is None:
            raise RuntimeError("this Renderer is closed")
        self._scene._commit()
        outputs = {"rgb": 1, "depth": 2, "segmentation": 4, "normal": 8}
        picture = self._handle.render(self._scene._handle, self.width, self.height, outputs[self._output])
        image: np.ndarray = picture[self._output]
        if out is None:
            return image
        if out.shape != image.shape:
            raise ValueError(f"out has shape {out.shape}, but the image has {image.shape}")
        out[...] = image
        return out

    def close(self) -> None:
        """Releases the resources on the GPU."""
        self._handle = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["Renderer"]
