"""Plugins written in Python: actuators, sensors and passive forces.

A class derived from :class:`Plugin` describes a kind of plugin, and its ``init`` creates the object of an instance::

    class Spring(Plugin):
        name = "example.spring"
        attributes = ("stiffness",)
        capabilities = Plugin.PASSIVE

        def init(self, model, instance, config):
            return SpringInstance(float(config["stiffness"]))

    class SpringInstance(PluginInstance):
        def __init__(self, stiffness):
            self.stiffness = stiffness

        def compute(self, model, data, capability):
            data.qfrc_passive[0] -= self.stiffness * data.qpos[0]

    model = Loader(plugins=[Spring()]).load("robot.xml")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Loader as Loader
from ._enums import mjtStage


class Plugin:
    """A kind of plugin."""

    #: Actuator forces.
    ACTUATOR = 1
    #: Sensor readings.
    SENSOR = 2
    #: Passive forces.
    PASSIVE = 4

    #: Name by which models refer to it.
    name: str = ""
    #: Keys of its configuration.
    attributes: tuple[str, ...] = ()
    #: What it computes: a combination of `ACTUATOR`, `SENSOR` and `PASSIVE`.
    capabilities: int = 0
    #: The stage after which its sensors are computed (`mjtStage`).
    needstage: int = int(mjtStage.mjSTAGE_ACC)

    def nstate(self, config: dict[str, str]) -> int:
        """Number of values of an instance in ``data.plugin_state``."""
        return 0

    def nsensordata(self, config: dict[str, str]) -> int:
        """Number of readings of a sensor."""
        return 0

    def init(self, model: Any, instance: int, config: dict[str, str]) -> PluginInstance:
        """Creates the object of an instance of a compiled model; an exception rejects the configuration."""
        raise NotImplementedError(f"{type(self).__name__} has no method `init`")


class PluginInstance:
    """An instance of a plugin.

    Values that change during simulation belong to ``data.plugin_state``: they are copied, saved and restored with the
    data, whereas attributes of this object are shared by all data of the model.
    """

    def reset(self, state: np.ndarray) -> None:
        """Sets the state when data are created or reset."""

    def actuator_act_dot(self, model: Any, data: Any) -> None:
        """Writes ``act_dot`` of its actuators."""

    def compute(self, model: Any, data: Any, capability: int) -> None:
        """Writes ``actuator_force`` or ``sensordata``, or adds to ``qfrc_passive``."""

    def advance(self, model: Any, data: Any) -> None:
        """Advances the state at the end of a step."""


__all__ = ["Loader", "Plugin", "PluginInstance"]
