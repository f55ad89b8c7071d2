"""Images of environments, with the camera arguments of gymnasium's constructors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import MjModel

if TYPE_CHECKING:
    from ._base import BatchedEnv


class Images:
    """The renderer of vector environments, which is created with the first image."""

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 480,
        camera_id: int | None = None,
        camera_name: str | None = None,
        default_camera_config: dict[str, Any] | None = None,
        max_geom: int = 1000,
    ) -> None:
        if render_mode not in (None, "rgb_array", "depth_array"):
            raise ValueError(f"render_mode is {render_mode!r}, but must be None, 'rgb_array' or 'depth_array'")
        if render_mode is not None and not hasattr(_core, "RendererHandle"):
            raise ValueError("this build of sim_physics has no renderer: build it with the feature `render`")
        if camera_id is not None and camera_name is not None:
            raise ValueError("give one of camera_id and camera_name, not both")
        self.mode = render_mode
        self._size = (height, width)
        self._camera = camera_name if camera_name is not None else camera_id
        self._config = default_camera_config
        self._max_geom = max_geom
        self._renderer: Any = None
        self._model: MjModel | None = None

    def render(self, env: BatchedEnv, environment: int) -> Any:
        """The image of an environment."""
        from ..renderer import Renderer

        model = env.model(environment)
        if self._model is not model:
            self.close()
            self._renderer = Renderer(model, *self._size, max_geom=self._max_geom)
            self._model = model
        if self.mode == "depth_array":
            self._renderer.enable_depth_rendering()
        data = env.data(environment)
        camera = self._free_camera(env, model) if self._camera in (None, -1) else self._camera
        self._renderer.update_scene(data, camera)
        return self._renderer.render()

    def _free_camera(self, env: BatchedEnv, model: MjModel) -> Any:
        """A camera with the values of ``default_camera_config``, by default with those of the task."""
        from .._enums import mjtCamera
        from .._visual import MjvCamera, mjv_defaultFreeCamera

        camera = MjvCamera()
        mjv_defaultFreeCamera(model, camera)
        config = self._config
        if config is None:
            names = ("trackbodyid", "distance", "lookat", "elevation")
            config = {name: value for name, value in zip(names, env.vec_env.camera) if value is not None}
        for name, value in config.items():
            if name == "lookat":
                camera.lookat[:] = value
            else:
                setattr(camera, name, value)
        if config.get("trackbodyid", -1) >= 0:
            camera.type = int(mjtCamera.mjCAMERA_TRACKING)
        return camera

    def close(self) -> None:
        """Releases the resources on the GPU."""
        if self._renderer is not None:
            self._renderer.close()
        self._renderer = self._model = None
