"""Small structures of MuJoCo's interface that are plain Python objects."""

from __future__ import annotations

import copy
from typing import Any, Union

import numpy as np

from . import _core, _visual, spec


class _Record:
    """An object with the fields of a C structure."""

    _fields: dict[str, Any] = {}

    def __init__(self) -> None:
        for name, value in self._fields.items():
            object.__setattr__(self, name, copy.copy(value))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        default = self._fields[name]
        if isinstance(default, np.ndarray):
            getattr(self, name)[...] = value
            return
        if isinstance(default, int) and int(value) != value:
            raise TypeError(f"{name} should be an integer")
        object.__setattr__(self, name, type(default)(value))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = []
        for name in sorted(self._fields):
            value = getattr(self, name)
            lines.append(f"  {name}: {value}")
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


class MjSolverStat(_Record):
    """Statistics of an iteration of the constraint solver."""

    _fields = {"improvement": 0.0, "gradient": 0.0, "lineslope": 0.0, "nactive": 0, "nchange": 0, "neval": 0, "nupdate": 0}


class MjLROpt(_Record):
    """Options of the search of actuator length ranges."""

    _fields = {
        "mode": 1, "useexisting": 1, "uselimit": 0, "accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01,
        "inttotal": 10.0, "interval": 2.0, "tolrange": 0.05,
    }  # fmt: skip


class MjvLight(_Record):
    """A light of a scene."""

    _fields = {
        "id": -1, "pos": np.zeros(3, np.float32), "dir": np.zeros(3, np.float32), "type": 0, "texid": -1,
        "attenuation": np.zeros(3, np.float32), "cutoff": 0.0, "exponent": 0.0, "ambient": np.zeros(3, np.float32),
        "diffuse": np.zeros(3, np.float32), "specular": np.zeros(3, np.float32), "headlight": 0, "castshadow": 0,
        "bulbradius": 0.0, "intensity": 0.0, "range": 0.0,
    }  # fmt: skip


#: Any structure of MuJoCo's interface.
MjStruct = Union[
    _core.MjModel, _core.MjData, _core.MjContact, _core.MjOption, _core.MjStatistic, _core.MjVisual,
    _core.MjWarningStat, _core.MjTimerStat, MjSolverStat, MjLROpt, MjvLight, _visual.MjvCamera, _visual.MjvGLCamera,
    _visual.MjvGeom, _visual.MjvOption, _visual.MjvPerturb, _visual.MjvScene, spec.MjSpec, spec.MjsActuator,
    spec.MjsBody, spec.MjsCamera, spec.MjsCompiler, spec.MjsDefault, spec.MjsElement, spec.MjsEquality,
    spec.MjsExclude, spec.MjsFlex, spec.MjsFrame, spec.MjsGeom, spec.MjsHField, spec.MjsJoint, spec.MjsKey,
    spec.MjsLight, spec.MjsMaterial, spec.MjsMesh, spec.MjsNumeric, spec.MjsOrientation, spec.MjsPair, spec.MjsPlugin,
    spec.MjsSensor, spec.MjsSite, spec.MjsSkin, spec.MjsTendon, spec.MjsText, spec.MjsTexture, spec.MjsTuple,
    spec.MjsWrap,
]  # fmt: skip

__all__ = ["MjLROpt", "MjSolverStat", "MjStruct", "MjvLight"]
