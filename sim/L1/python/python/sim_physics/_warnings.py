"""Handlers of warnings and other functions of the process."""

from __future__ import annotations

import os
from typing import Any, Callable

from ._core import MjModel
from ._errors import UnsupportedError

_user_warning: Callable[[str], Any] | None = None


def set_mju_user_warning(handler: Callable[[str], Any] | None) -> None:
    """Stores a handler of warnings. The engine counts warnings in ``data.warning`` and does not call it."""
    global _user_warning
    _user_warning = handler


def get_mju_user_warning() -> Callable[[str], Any] | None:
    """The handler of warnings."""
    return _user_warning


def mj_saveLastXML(filename: str | os.PathLike[str], m: MjModel) -> None:
    """Raises ``UnsupportedError``: a compiled model does not contain its description."""
    raise UnsupportedError("a model does not contain its description: load it with MjSpec and call MjSpec.to_file")


__all__ = ["get_mju_user_warning", "mj_saveLastXML", "set_mju_user_warning"]
