"""Plugins written in Python."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest
import sim_physics as sim
from sim_physics import Loader, Plugin, PluginInstance

XML = """
<mujoco>
  <option gravity="0 0 0" timestep="0.01"/>
  <extension>
    <plugin plugin="test.ramp"><instance name="ramp"><config key="rate" value="{rate}"/></instance></plugin>
    <plugin plugin="test.servo"/><plugin plugin="test.phase"/>
  </extension>
  <worldbody>
    <body name="cart"><plugin instance="ramp"/><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
    <body name="lift" pos="0 5 0"><joint name="z" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
  </worldbody>
  <actuator><plugin name="servo" joint="z" plugin="test.servo"><config key="gain" value="3"/></plugin></actuator>
  <sensor><plugin name="phase" plugin="test.phase"/></sensor>
</mujoco>"""


class Ramp(Plugin):
    name, attributes, capabilities = "test.ramp", ("rate",), Plugin.PASSIVE

    def nstate(self, config: dict[str, str]) -> int:
        return 1

    def init(self, model: Any, instance: int, config: dict[str, str]) -> PluginInstance:
        return RampInstance(float(config["rate"]), int(model.plugin_stateadr[instance]))


class RampInstance(PluginInstance):
    def __init__(self, rate: float, adr: int) -> None:
        self.rate, self.adr = rate, adr

    def reset(self, state: np.ndarray) -> None:
        state[0] = 0.0

    def compute(self, model: Any, data: Any, capability: int) -> None:
        assert capability == Plugin.PASSIVE
        data.qfrc_passive[0] += self.rate * data.plugin_state[self.adr]

    def advance(self, model: Any, data: Any) -> None:
        data.plugin_state[self.adr] += model.opt.timestep


class Servo(Plugin):
    name, attributes, capabilities = "test.servo", ("gain",), Plugin.ACTUATOR

    def init(self, model: Any, instance: int, config: dict[str, str]) -> PluginInstance:
        return ServoInstance(float(config["gain"]))


class ServoInstance(PluginInstance):
    def __init__(self, gain: float) -> None:
        self.gain = gain

    def compute(self, model: Any, data: Any, capability: int) -> None:
        data.actuator_force[0] = self.gain * data.ctrl[0]


class Phase(Plugin):
    name, capabilities = "test.phase", Plugin.SENSOR

    def nsensordata(self, config: dict[str, str]) -> int:
        return 2

    def init(self, model: Any, instance: int, config: dict[str, str]) -> PluginInstance:
        return PhaseInstance()


class PhaseInstance(PluginInstance):
    def compute(self, model: Any, data: Any, capability: int) -> None:
        data.sensordata[:] = data.qpos[0], data.qvel[0]


def load(rate: str = "2") -> Any:
    return Loader(plugins=[Ramp(), Servo(), Phase()]).load_string(XML.format(rate=rate))


def test_python_plugins_compute_forces_and_readings() -> None:
    model = load()
    data = sim.MjData(model)
    data.ctrl[0] = 2.0
    sim.mj_step(model, data, 100)
    assert data.plugin_state[0] == pytest.approx(1.0)
    assert data.qvel[0] == pytest.approx(1.0, abs=0.02)  # the integral of 2 t over one second
    assert data.qvel[1] == pytest.approx(6.0)
    sim.mj_forward(model, data)
    np.testing.assert_array_equal(data.sensordata, [data.qpos[0], data.qvel[0]])


def test_the_state_of_python_plugins_is_saved_and_reset() -> None:
    model = load()
    data = sim.MjData(model)
    sim.mj_step(model, data, 10)
    spec = int(sim.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(sim.mj_stateSize(model, spec))
    sim.mj_getState(model, data, state, spec)
    copied = copy.copy(data)
    sim.mj_step(model, data, 5)
    expected = data.qpos.copy()
    sim.mj_setState(model, data, state, spec)
    sim.mj_step(model, data, 5)
    sim.mj_step(model, copied, 5)
    assert np.array_equal(data.qpos, expected) and np.array_equal(copied.qpos, expected)
    sim.mj_resetData(model, data)
    assert data.plugin_state[0] == 0.0


def test_errors_of_python_plugins() -> None:
    with pytest.raises(sim.XMLError, match="could not convert"):
        load("much")
    with pytest.raises(ValueError, match="capabilities"):
        Loader(plugins=[Plugin.__new__(type("Nothing", (Plugin,), {"name": "test.nothing"}))])
    with pytest.raises(sim.XMLError, match="test.servo"):
        Loader(plugins=[Ramp()]).load_string(XML.format(rate="1"))
    model = load()
    data = sim.MjData(model)
    original = ServoInstance.compute
    try:
        ServoInstance.compute = lambda *_: 1 / 0  # type: ignore[assignment]
        with pytest.raises(ZeroDivisionError):
            sim.mj_step(model, data)
    finally:
        ServoInstance.compute = original  # type: ignore[method-assign]
    sim.mj_step(model, data)
    for call in (lambda: sim.BatchSim(model, 2), lambda: sim.rollout.rollout(model, data, np.zeros((1, 6)))):
        with pytest.raises(sim.UnsupportedError, match="Python"), warnings.catch_warnings():
            call()
