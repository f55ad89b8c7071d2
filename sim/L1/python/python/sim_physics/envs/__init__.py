"""Vector environments for reinforcement learning, with the interface of gymnasium.

Importing this module registers gymnasium's eleven MuJoCo tasks of version 5 under the namespace ``sim``::

    import gymnasium
    import sim_physics.envs

    envs = gymnasium.make_vec("sim/Humanoid-v5", num_envs=1024)

gymnasium imports the module itself if the id names it: ``gymnasium.make_vec("sim_physics.envs:sim/Humanoid-v5")``.
Tasks of other models are described by data (``DescribedVectorEnv``) or by a class with NumPy functions
(``Task`` and ``TaskVectorEnv``).
"""

try:
    import gymnasium as _gymnasium
except ImportError as _error:
    raise ImportError(
        "sim_physics.envs needs gymnasium: pip install 'sim-physics[gymnasium]'. "
        "sim_physics.VecEnv has the same environments without it"
    ) from _error

from ._base import BatchedEnv as BatchedEnv
from ._registry import EPISODE_STEPS as EPISODE_STEPS
from ._registry import TASKS as TASKS
from ._registry import register as register
from .described import DescribedVectorEnv as DescribedVectorEnv
from .single import SimEnv as SimEnv
from .task import State as State
from .task import Task as Task
from .task import TaskVectorEnv as TaskVectorEnv
from .vector import SimVectorEnv as SimVectorEnv

register()

__all__ = [
    "BatchedEnv",
    "DescribedVectorEnv",
    "EPISODE_STEPS",
    "SimEnv",
    "SimVectorEnv",
    "State",
    "TASKS",
    "Task",
    "TaskVectorEnv",
    "register",
]
