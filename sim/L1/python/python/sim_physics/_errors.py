"""Exceptions of the package."""

from __future__ import annotations

from typing import Any


class FatalError(Exception):
    """An error of the engine that MuJoCo would report as fatal."""


class UnexpectedError(Exception):
    """An error that should not occur; the name exists in MuJoCo's package."""


class DivergedError(FatalError):
    """The state is not finite any more, and automatic reset is disabled.

    Reduce the time step (``model.opt.timestep``), or allow the reset by clearing ``mjDSBL_AUTORESET``.
    """


class UnsupportedError(FatalError):
    """The model uses a feature that the engine does not simulate; the message says how to disable it."""


class BusyError(FatalError):
    """Another thread uses the same ``MjData`` or ``MjModel``."""


class ForkError(FatalError):
    """An object with threads or a GPU device was created before ``os.fork`` and used in the child process."""


class ResetNeededError(RuntimeError):
    """An environment was stepped before its first reset, or after its episode ended without an automatic reset."""


class ShapeError(ValueError, TypeError):
    """An array has an unsuitable shape; the message names the expected one."""


class DTypeError(TypeError):
    """An array has an unsuitable element type."""


class UnknownNameError(KeyError):
    """The model has no element of this name; the message lists the nearest names."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class XMLError(ValueError):
    """Errors in a model file.

    ``errors`` lists all of them as dictionaries with the keys ``file``, ``line``, ``column``, ``element``, ``attribute``
    and ``message``; ``file``, ``line`` and ``column`` are those of the first one.
    """

    def __init__(self, message: str, errors: list[dict[str, Any]] | None = None):
        super().__init__(message)
        self.errors: list[dict[str, Any]] = errors or []
        first = self.errors[0] if self.errors else {}
        self.file: str | None = first.get("file")
        self.line: int | None = first.get("line")
        self.column: int | None = first.get("column")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.errors)


class ModelWarning(UserWarning):
    """A valid but suspicious part of a model file."""


__all__ = [
    "BusyError",
    "DTypeError",
    "DivergedError",
    "FatalError",
    "ForkError",
    "ModelWarning",
    "ResetNeededError",
    "ShapeError",
    "UnexpectedError",
    "UnknownNameError",
    "UnsupportedError",
    "XMLError",
]
