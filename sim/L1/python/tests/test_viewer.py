"""The window, on a display server without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time

import pytest
import sim_physics
from conftest import ARM

HAS_WINDOW = hasattr(sim_physics._core, "Window")
needs_window = pytest.mark.skipif(not HAS_WINDOW, reason="needs a build with the feature `viewer`")
needs_display = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="needs Xvfb")


@pytest.fixture
def display() -> object:
    """A display server of its own."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "800x600x24"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        # the server writes the number in pieces
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(timeout=20)


def run(program: str, display: str) -> str:
    environment = {**os.environ, "DISPLAY": display, "WINIT_UNIX_BACKEND": "x11"}
    environment.pop("WAYLAND_DISPLAY", None)
    command = [sys.executable, "-c", textwrap.dedent(program).replace("ARM", repr(ARM))]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


@needs_window
@needs_display
def test_a_passive_window_shows_a_simulation(display: str) -> None:
    out = run(
        """
        import sim_physics as sim, sim_physics.viewer, time
        m = sim.MjModel.from_xml_string(ARM)
        d, alone = sim.MjData(m), sim.MjData(m)
        with sim.viewer.launch_passive(m, d) as window:
            start = time.perf_counter()
            steps = 0
            while window.is_running() and steps < 300:
                sim.mj_step(m, d)
                window.sync()
                steps += 1
            print(steps, window.is_running(), window.is_paused())
        print(window.is_running())
        window.sync()
        sim.mj_step(m, alone, 300)
        # a window does not change results
        print((d.qpos == alone.qpos).all())
        """,
        display,
    )
    assert out.split("\n")[:3] == ["300 True False", "False", "True"]


@needs_window
@needs_display
def test_launch_returns_when_the_window_is_closed(display: str) -> None:
    start = time.perf_counter()
    out = run(
        """
        import sim_physics as sim, sim_physics.viewer as viewer
        window = sim._core.Window
        sim._core.Window = lambda *args, **options: window(*args, **options, close_after=1.0)
        m = sim.MjModel.from_xml_string(ARM)
        d = sim.MjData(m)
        viewer.launch(m, d)
        print(0.0 < d.time < 30.0)
        """,
        display,
    )
    assert out == "True\n" and time.perf_counter() - start < 60


@needs_window
def test_without_a_display_an_exception_is_raised() -> None:
    program = """
    import sim_physics as sim, sim_physics.viewer
    m = sim.MjModel.from_xml_string(ARM)
    try:
        sim.viewer.launch_passive(m, sim.MjData(m))
    except sim.FatalError as error:
        print("window" in str(error))
    """
    assert run(program, "") == "True\n"


@pytest.mark.skipif(HAS_WINDOW, reason="the build has a window")
def test_builds_without_a_window_say_so(model: object, data: object) -> None:
    import sim_physics.viewer

    with pytest.raises(sim_physics.UnsupportedError, match="viewer"):
        sim_physics.viewer.launch_passive(model, data)  # type: ignore[arg-type]
