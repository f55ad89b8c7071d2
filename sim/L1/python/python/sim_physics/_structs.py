"""The structures of MuJoCo's interface in one module."""

from ._core import (
    MjContact,
    MjData,
    MjModel,
    MjOption,
    MjStatistic,
    MjTimerStat,
    MjVisual,
    MjVisualHeadlight,
    MjVisualRgba,
    MjWarningStat,
)
from ._visual import MjrRect, MjvCamera, MjvGeom, MjvGLCamera, MjvOption, MjvPerturb, MjvScene

__all__ = [
    "MjContact",
    "MjData",
    "MjModel",
    "MjOption",
    "MjStatistic",
    "MjTimerStat",
    "MjVisual",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "MjWarningStat",
    "MjrRect",
    "MjvCamera",
    "MjvGLCamera",
    "MjvGeom",
    "MjvOption",
    "MjvPerturb",
    "MjvScene",
]
