"""The installed package: import time, overhead of a call, stubs."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import time

import sim_physics

ROOT = pathlib.Path(__file__).parent.parent


def test_import_takes_less_than_150_ms_beyond_numpy() -> None:
    program = "import numpy, time; t = time.perf_counter(); import sim_physics; print(time.perf_counter() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(5)]
    print(f"import: {1e3 * min(times):.1f} ms")
    assert min(times) < 0.15


def test_a_call_takes_less_than_a_microsecond() -> None:
    model = sim_physics.MjModel.from_xml_string("<mujoco/>")
    data = sim_physics.MjData(model)
    count = 20_000
    best = min(_time(sim_physics.mj_kinematics, model, data, count) for _ in range(5))
    print(f"call of a stage of an empty model: {1e9 * best:.0f} ns")
    assert best < 2e-6


def _time(function: object, model: object, data: object, count: int) -> float:
    assert callable(function)
    start = time.perf_counter()
    for _ in range(count):
        function(model, data)
    return (time.perf_counter() - start) / count


def test_stubs_are_current() -> None:
    subprocess.run([sys.executable, str(ROOT / "tools" / "stubs.py"), "--check"], check=True)
