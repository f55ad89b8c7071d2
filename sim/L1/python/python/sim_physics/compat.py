"""Use of this package by programs and libraries that import ``mujoco``.

``install()`` registers the package under the name ``mujoco``::

    import sim_physics.compat
    sim_physics.compat.install()

    import gymnasium
    env = gymnasium.make("Humanoid-v5")
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import types

import sim_physics

#: Modules of the ``mujoco`` package and the modules of this package that take their place.
_MODULES = {
    "mujoco": "sim_physics",
    "mujoco.rollout": "sim_physics.rollout",
    "mujoco.renderer": "sim_physics.renderer",
    "mujoco.gl_context": "sim_physics.gl_context",
    "mujoco.egl": "sim_physics.gl_context",
    "mujoco.glfw": "sim_physics.gl_context",
    "mujoco.osmesa": "sim_physics.gl_context",
    "mujoco.viewer": "sim_physics.viewer",
    "mujoco._enums": "sim_physics._enums",
    "mujoco._constants": "sim_physics._constants",
    "mujoco._errors": "sim_physics._errors",
    "mujoco._structs": "sim_physics._structs",
    "mujoco._functions": "sim_physics._core",
    "mujoco._callbacks": "sim_physics._core",
    "mujoco._render": "sim_physics._visual",
    "mujoco._specs": "sim_physics.spec",
    "mujoco._rollout": "sim_physics._core",
}


class _Glfw(types.ModuleType):
    """Stands for the ``glfw`` package where it is not installed: it has no windows."""

    def terminate(self) -> None:
        """Does nothing."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(
            f"glfw.{name}: windows need the glfw package; use render_mode='rgb_array', or sim_physics.viewer"
        )


def install(*, force: bool = False) -> None:
    """Registers this package as ``mujoco`` for all later imports.

    Raises:
        RuntimeError: the ``mujoco`` package was already imported, and ``force`` is false.
    """
    current = sys.modules.get("mujoco")
    if current is sim_physics:
        return
    if current is not None and not force:
        raise RuntimeError(
            "the package `mujoco` is already imported: call sim_physics.compat.install() before importing it"
        )
    for name in [name for name in sys.modules if name == "mujoco" or name.startswith("mujoco.")]:
        del sys.modules[name]
    for name, target in _MODULES.items():
        sys.modules[name] = importlib.import_module(target)
    # gymnasium imports the window library for all render modes
    if "glfw" not in sys.modules and importlib.util.find_spec("glfw") is None:
        stand_in = _Glfw("glfw")
        stand_in.__spec__ = importlib.machinery.ModuleSpec("glfw", None)
        sys.modules["glfw"] = stand_in


def uninstall() -> None:
    """Removes the registration; modules that were imported keep their reference to this package."""
    if sys.modules.get("mujoco") is sim_physics:
        for name in _MODULES:
            sys.modules.pop(name, None)
        if isinstance(sys.modules.get("glfw"), _Glfw):
            del sys.modules["glfw"]


__all__ = ["install", "uninstall"]
