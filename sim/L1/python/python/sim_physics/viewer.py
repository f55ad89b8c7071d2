"""The interactive window, with the names of ``mujoco.viewer``.

``launch`` simulates in real time until the window is closed. ``launch_passive`` shows a simulation that the program
steps::

    with viewer.launch_passive(model, data) as window:
        while window.is_running():
            mj_step(model, data)
            window.sync()

The window has MuJoCo's mouse actions and keys. It is part of builds with the cargo feature ``viewer``; others raise
``UnsupportedError``.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any, Callable, Iterator

from . import _core
from ._core import MjData, MjModel, mj_forward, mj_step
from ._errors import UnsupportedError

#: GLFW's codes of keys whose code is not that of their character.
_KEYS = {
    "Space": 32, "Escape": 256, "Enter": 257, "Tab": 258, "Backspace": 259, "Insert": 260, "Delete": 261,
    "ArrowRight": 262, "ArrowLeft": 263, "ArrowDown": 264, "ArrowUp": 265, "PageUp": 266, "PageDown": 267, "Home": 268,
    "End": 269, **{f"F{n}": 289 + n for n in range(1, 13)},
}  # fmt: skip


def _open(model: MjModel, panels: bool, paused: bool) -> Any:
    window = getattr(_core, "Window", None)
    if window is None:
        raise UnsupportedError(
            "this build has no window: build the package with the cargo feature `viewer` "
            "(maturin build --features viewer), view a model with the program `sim view MODEL.xml`, or render images "
            "with sim_physics.Renderer"
        )
    return window(model, panels=panels, paused=paused)


class Handle:
    """A window for a simulation that the program steps."""

    def __init__(self, model: MjModel, data: MjData, panels: bool, key_callback: Callable[[int], None] | None) -> None:
        self._model, self._data, self._key_callback = model, data, key_callback
        self._lock = threading.RLock()
        self._window = _open(model, panels, False)

    @property
    def m(self) -> MjModel:
        """The model."""
        return self._model

    @property
    def d(self) -> MjData:
        """The data."""
        return self._data

    def is_running(self) -> bool:
        """Whether the window is open."""
        return self._window.is_open()

    def is_paused(self) -> bool:
        """Whether the user paused the simulation and requested no single step."""
        return self._window.is_paused()

    def sync(self, state_only: bool = False) -> None:
        """Applies what the user changed to the data, and shows its state. Does not wait for the window."""
        with self._lock:
            self._window.sync(self._model, self._data)
        for name, _, _, _ in self._window.keys():
            if self._key_callback is not None:
                self._key_callback(_KEYS.get(name, ord(name[0])))

    def pace(self) -> None:
        """As `sync`, and waits until the simulated time has passed, and while the simulation is paused."""
        with self._lock:
            self._window.sync(self._model, self._data, True)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Excludes `sync` of other threads."""
        with self._lock:
            yield

    def close(self) -> None:
        """Closes the window."""
        self._window.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def launch_passive(model: MjModel, data: MjData, *, key_callback: Callable[[int], None] | None = None,
                   show_left_ui: bool = True, show_right_ui: bool = True) -> Handle:  # fmt: skip
    """Opens a window for a simulation that the program steps.

    `key_callback` is called by `sync` with GLFW's code of each key that was pressed.
    """
    mj_forward(model, data)
    return Handle(model, data, show_left_ui or show_right_ui, key_callback)


def launch(model: MjModel | None = None, data: MjData | None = None, *, loader: Callable[[], Any] | None = None,
           show_left_ui: bool = True, show_right_ui: bool = True) -> None:  # fmt: skip
    """Simulates in real time in a window, until it is closed."""
    if model is None:
        if loader is None:
            raise ValueError("launch needs a model, or a loader that returns model and data")
        model, data = loader()[:2]
    if data is None:
        data = MjData(model)
    with launch_passive(model, data, show_left_ui=show_left_ui, show_right_ui=show_right_ui) as window:
        while window.is_running():
            if window.is_paused():
                window.sync()
                time.sleep(0.005)
            else:
                mj_step(model, data)
                window.pace()


def launch_from_path(path: str) -> None:
    """Simulates a model file in a window."""
    launch(MjModel.from_xml_path(path))


__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]
