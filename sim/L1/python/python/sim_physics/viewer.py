"""The interactive window, with the names of ``mujoco.viewer``."""

from __future__ import annotations

from typing import Any, NoReturn

from ._errors import UnsupportedError

_MESSAGE = (
    "this build has no window: view a model with the program `sim view MODEL.xml`, or render images with "
    "sim_physics.Renderer"
)


def launch(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises ``UnsupportedError``: the package is built without a window."""
    raise UnsupportedError(_MESSAGE)


def launch_passive(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises ``UnsupportedError``: the package is built without a window."""
    raise UnsupportedError(_MESSAGE)


__all__ = ["launch", "launch_passive"]
