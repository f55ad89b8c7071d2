"""Times batches of steps of MuJoCo on one model, on request of the caller.

    bench.py MODEL OUT --batch N --threads T [--warm-up W] [--seconds S] [--solver S] [--cone C] [--integrator I]

Prints "ready" once OUT holds the state after the warm-up and the controls of a batch, or one line with
the reason why there is no batch. Each line "go" on standard input runs one batch from that state and
prints the seconds it took. With --seconds, the number of steps of a batch follows from this duration
and the speed of the warm-up, and slow models are refused.
"""

import argparse
import sys
import threading
import time

import mujoco
import numpy as np

import pack

# Default number of steps before the initial state is saved.
WARM_UP = 500
# Number of steps for which a control is held, so that the loop over steps runs inside MuJoCo.
HOLD = 50
# Speed below which a model is refused, steps per second.
MIN_SPEED = 50
# Time for which a model may be slower, s.
PATIENCE = 3.0
# Limits of the number of steps of a batch of a given duration.
MIN_BATCH, MAX_BATCH = 10, 5000

# Options that replace the model's.
OPTIONS = [
    ("solver", mujoco.mjtSolver, "mjSOL_"),
    ("cone", mujoco.mjtCone, "mjCONE_"),
    ("integrator", mujoco.mjtIntegrator, "mjINT_"),
]


class TooSlow(Exception):
    """The model takes less than MIN_SPEED steps per second."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warm-up", type=int, default=WARM_UP)
    parser.add_argument("--seconds", type=float)
    for name, _, _ in OPTIONS:
        parser.add_argument("--" + name)
    args = parser.parse_args()
    try:
        serve(args)
    except (ValueError, TooSlow, mujoco.FatalError) as error:
        print(" ".join(str(error).split()), flush=True)


def load(args):
    m = mujoco.MjModel.from_xml_path(args.model)
    for name, kind, prefix in OPTIONS:
        if getattr(args, name):
            setattr(m.opt, name, getattr(kind, prefix + getattr(args, name).upper()))
    return m


def new_data(m):
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    return d


def serve(args):
    m = load(args)
    m.vis.global_.bvactive = 0
    # The Python module times every stage of a step, which takes up to half of the time of small models.
    mujoco.set_mjcb_time(None)
    rng = np.random.default_rng(0)
    longest = args.batch if args.seconds is None else MAX_BATCH
    chunks = -(-max(longest, WARM_UP) // HOLD)
    limited = m.actuator_ctrllimited.astype(bool)
    low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
    ctrl = low + (high - low) * rng.uniform(0.25, 0.75, (chunks, m.nu))

    def advance(d, steps):
        for k in range(-(-steps // HOLD)):
            d.ctrl[:] = ctrl[k]
            mujoco.mj_step(m, d, min(HOLD, steps - k * HOLD))

    def warm_up(d):
        """Takes the first steps one by one, and returns their number per second."""
        clock = time.perf_counter()
        for k in range(WARM_UP):
            d.ctrl[:] = ctrl[k // HOLD]
            mujoco.mj_step(m, d)
            elapsed = time.perf_counter() - clock
            speed = (k + 1) / elapsed
            if speed < MIN_SPEED and elapsed > PATIENCE:
                raise TooSlow(f"MuJoCo takes only {speed:.1f} steps per second")
        return speed

    d = new_data(m)
    if args.seconds is None:
        advance(d, args.warm_up)
    else:
        args.batch = int(min(max(warm_up(d) * args.seconds, MIN_BATCH), MAX_BATCH))
    mujoco.mj_forward(m, d)
    start = {name: getattr(d, name).copy() for name in ("qpos", "qvel", "act", "qacc_warmstart")}
    pack.write(args.out, {"ctrl": ctrl, "hold": [HOLD], "time": [d.time], "batch": [args.batch], **start}, {})
    begin = d.time
    # New data, as in our engine: a tree that is asleep in `d` would stay asleep only here.
    datas = [new_data(m) for _ in range(args.threads)]

    def reset(d):
        d.time = begin
        for name, value in start.items():
            getattr(d, name)[:] = value

    def batch():
        for d in datas:
            reset(d)
        workers = [threading.Thread(target=advance, args=(d, args.batch)) for d in datas[1:]]
        clock = time.perf_counter()
        for worker in workers:
            worker.start()
        advance(datas[0], args.batch)
        for worker in workers:
            worker.join()
        return time.perf_counter() - clock

    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "go":
            print(batch(), flush=True)
        else:
            break


if __name__ == "__main__":
    sys.exit(main())
