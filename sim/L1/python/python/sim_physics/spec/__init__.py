"""``MjSpec`` and its elements, with the names of the ``mujoco`` package."""

from __future__ import annotations

from ._elements import *
from ._spec import MjSpec as MjSpec
from ._spec import mju_getXMLDependencies as mju_getXMLDependencies
from ._tree import MjsBody as MjsBody
from ._tree import MjsFrame as MjsFrame

__all__ = [
    "MjSpec", "MjsActuator", "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality",
    "MjsExclude", "MjsFlex", "MjsFrame", "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial",
    "MjsMesh", "MjsNumeric", "MjsOrientation", "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin",
    "MjsTendon", "MjsTendonPath", "MjsText", "MjsTexture", "MjsTuple", "MjsWrap", "mju_getXMLDependencies",
]  # fmt: skip
