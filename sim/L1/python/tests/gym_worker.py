"""A process that runs gymnasium environments on one physics engine, for the comparison of two engines.

The first argument selects the engine: ``sim`` or ``mujoco``. Requests and answers are pickled to the standard streams.
"""

import os
import pickle
import struct
import sys


def main() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if sys.argv[1] == "sim":
        import sim_physics.compat

        sim_physics.compat.install()
    import gymnasium
    import mujoco
    import numpy as np

    env = None
    while header := requests.read(8):
        name, args = pickle.loads(requests.read(struct.unpack("<q", header)[0]))
        if name == "engine":
            result = mujoco.__name__, hasattr(mujoco, "package_version")
        elif name == "make":
            if env is not None:
                env.close()
            env = gymnasium.make(args[0], **args[1])
            obs, info = env.reset(seed=args[2])
            result = obs, info
        elif name == "state":
            m, d = env.unwrapped.model, env.unwrapped.data
            result = np.zeros(mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_INTEGRATION))
            mujoco.mj_getState(m, d, result, mujoco.mjtState.mjSTATE_INTEGRATION)
        elif name == "step":
            m, d = env.unwrapped.model, env.unwrapped.data
            mujoco.mj_setState(m, d, args[0], mujoco.mjtState.mjSTATE_INTEGRATION)
            mujoco.mj_forward(m, d)
            result = env.step(args[1])
        elif name == "action":
            env.action_space.seed(args[0])
            result = [env.action_space.sample() for _ in range(args[1])]
        elif name == "render":
            result = env.render()
        else:
            raise ValueError(name)
        answer = pickle.dumps(result)
        answers.write(struct.pack("<q", len(answer)) + answer)
        answers.flush()


main()
