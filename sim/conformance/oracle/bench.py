"""Times batches of steps of MuJoCo on one model, on request of the caller.

    bench.py MODEL OUT --batch N --threads T

Prints "ready" once OUT holds the state after the warm-up and the controls of a batch. Each line
"go" on standard input runs one batch from that state and prints the seconds it took.
"""

import argparse
import sys
import threading
import time

import mujoco
import numpy as np

import pack

# Steps before the initial state is saved.
WARM_UP = 500
# Number of steps for which a control is held, so that the loop over steps runs inside MuJoCo.
HOLD = 50


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()

    m = mujoco.MjModel.from_xml_path(args.model)
    m.vis.global_.bvactive = 0
    rng = np.random.default_rng(0)
    chunks = -(-max(args.batch, WARM_UP) // HOLD)
    limited = m.actuator_ctrllimited.astype(bool)
    low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
    ctrl = low + (high - low) * rng.uniform(0.25, 0.75, (chunks, m.nu))

    def advance(d, steps):
        for k in range(-(-steps // HOLD)):
            d.ctrl[:] = ctrl[k]
            mujoco.mj_step(m, d, min(HOLD, steps - k * HOLD))

    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    advance(d, WARM_UP)
    mujoco.mj_forward(m, d)
    start = {name: getattr(d, name).copy() for name in ("qpos", "qvel", "act", "qacc_warmstart")}
    pack.write(args.out, {"ctrl": ctrl, "hold": [HOLD], "time": [d.time], **start}, {})
    begin = d.time
    datas = [d] + [mujoco.MjData(m) for _ in range(args.threads - 1)]

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
