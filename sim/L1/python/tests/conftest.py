"""Models and processes that the tests share."""

from __future__ import annotations

import importlib.util
import pathlib
import pickle
import struct
import subprocess
import sys
from typing import Any

import pytest

HERE = pathlib.Path(__file__).parent

ARM = """
<mujoco model="arm">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" limited="true" range="-90 90" damping="0.1"/>
      <geom name="upper_geom" type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom name="lower_geom" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 .1">
      <freejoint name="free"/>
      <geom name="ball_geom" size=".1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="elbow" ctrlrange="-1 1"/>
    <general name="muscle" joint="shoulder" dyntype="filter" dynprm="0.1"/>
  </actuator>
  <sensor><jointpos name="angle" joint="elbow"/><framepos name="tip" objtype="site" objname="hand"/></sensor>
  <keyframe><key name="home" qpos="0.3 -0.5 1 0 0.1 1 0 0 0"/></keyframe>
  <custom><numeric name="gains" data="1 2 3"/></custom>
</mujoco>
"""


class Worker:
    """A process of ``gym_worker.py``."""

    def __init__(self, engine: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "gym_worker.py"), engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __call__(self, name: str, *args: Any) -> Any:
        request = pickle.dumps((name, args))
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(struct.pack("<q", len(request)) + request)
        self.process.stdin.flush()
        header = self.process.stdout.read(8)
        assert len(header) == 8, "the worker process ended"
        return pickle.loads(self.process.stdout.read(struct.unpack("<q", header)[0]))

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def has(module: str) -> bool:
    """Whether a module is installed."""
    return importlib.util.find_spec(module) is not None


@pytest.fixture(scope="session")
def arm() -> str:
    """MJCF of an arm, a ball on a floor, actuators, sensors and a keyframe."""
    return ARM


@pytest.fixture
def model(arm: str) -> Any:
    import sim_physics

    return sim_physics.MjModel.from_xml_string(arm)


@pytest.fixture
def data(model: Any) -> Any:
    import sim_physics

    return sim_physics.MjData(model)


@pytest.fixture
def rng() -> Any:
    """Random numbers that are the same in every run."""
    import numpy as np

    return np.random.default_rng(1)
