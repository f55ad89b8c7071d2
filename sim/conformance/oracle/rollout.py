"""Times `mujoco.rollout` from many states, on request of the caller.

    rollout.py MODEL OUT --envs N --steps S --threads T [--warmup W] [--keyframe]

The initial states are those after W steps with random controls from perturbed reference states, or
from the first keyframe if the model has one.
Prints "ready" once OUT holds the initial states and the controls of all steps. Each line "go" on
standard input runs all trajectories once and prints the seconds it took.
"""

import argparse
import sys
import time

import mujoco
import numpy as np
from mujoco import rollout

import pack


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--envs", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--warmup", type=int, default=0)
    parser.add_argument("--keyframe", action="store_true")
    args = parser.parse_args()

    m = mujoco.MjModel.from_xml_path(args.model)
    m.vis.global_.bvactive = 0
    # The Python module times every stage of a step, which takes up to half of the time of small models.
    mujoco.set_mjcb_time(None)
    rng = np.random.default_rng(0)
    physics = mujoco.mjtState.mjSTATE_FULLPHYSICS
    size = mujoco.mj_stateSize(m, physics)
    states = np.zeros((args.envs, size))
    d = mujoco.MjData(m)
    for state in states:
        mujoco.mj_resetData(m, d)
        if args.keyframe and m.nkey > 0:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(0, 0.02, m.nv), 1.0)
        d.qvel[:] = rng.normal(0, 0.1, m.nv)
        mujoco.mj_getState(m, d, state, physics)
    limited = m.actuator_ctrllimited.astype(bool)
    low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
    ctrl = low + (high - low) * rng.uniform(0.4, 0.6, (args.envs, args.steps, m.nu))
    if args.warmup > 0:
        noise = low + (high - low) * rng.uniform(0.25, 0.75, (args.envs, args.warmup, m.nu))
        states = rollout.rollout(m, mujoco.MjData(m), states, noise)[0][:, -1].copy()
    pack.write(args.out, {"time": [0.0], "states": states.reshape(-1), "controls": ctrl.reshape(-1)}, {})
    datas = [mujoco.MjData(m) for _ in range(args.threads)]
    result = np.empty((args.envs, args.steps, size))
    sensors = np.empty((args.envs, args.steps, m.nsensordata))
    with rollout.Rollout(nthread=args.threads) as runner:
        print("ready", flush=True)
        for line in sys.stdin:
            if line.strip() != "go":
                break
            clock = time.perf_counter()
            runner.rollout(m, datas, states, ctrl, nstep=args.steps, state=result, sensordata=sensors)
            print(time.perf_counter() - clock, flush=True)


if __name__ == "__main__":
    sys.exit(main())
