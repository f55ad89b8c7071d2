"""Rigid-body physics for robotics and reinforcement learning.

The package has two interfaces. The first has the names of the ``mujoco`` package, so that programs migrate by changing
one import::

    import sim_physics as mujoco

    model = mujoco.MjModel.from_xml_path("robot.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)

The second is typed and follows the Rust interface: ``Simulation``, ``BatchSim``, ``Chain`` and ``Solver``.
"""

from . import _core as _core
from . import rollout as rollout
from ._constants import *
from ._core import *
from ._enums import *
from ._errors import *
from ._math import *
from ._matrix import *
from ._warnings import *
from .gl_context import GLContext as GLContext
from .plugin import Plugin as Plugin
from .plugin import PluginInstance as PluginInstance
from .simulation import Simulation as Simulation
from .spec import *

if hasattr(_core, "SceneHandle"):
    from ._records import *
    from ._visual import *
    from .renderer import Renderer as Renderer

#: Version of this package.
package_version: str = _core._version
#: Version of MuJoCo whose interface and results this package reproduces.
__version__: str = "3.8.0"
