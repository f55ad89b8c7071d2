"""``MjSpec`` and its elements, with the names of the ``mujoco`` package."""

from __future__ import annotations

from ._elements import *
from ._elements import __all__ as _elements
from ._spec import MjSpec as MjSpec
from ._spec import mju_getXMLDependencies as mju_getXMLDependencies
from ._tree import MjsBody as MjsBody
from ._tree import MjsFrame as MjsFrame

__all__ = ["MjSpec", "MjsBody", "MjsFrame", "mju_getXMLDependencies", *_elements]
