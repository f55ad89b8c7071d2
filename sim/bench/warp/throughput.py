"""Measures the throughput of MuJoCo Warp with the protocol of `cargo xtask bench --gpu`.

    pip install mujoco mujoco-warp
    throughput.py MODEL --worlds 8192 [--steps 1000] [--nconmax N] [--njmax N]

Every world starts at keyframe 0. Before each step, outside the timed section, Ornstein-Uhlenbeck noise
(standard deviation 0.01, rate 0.1) is set as control. One step is one call of `mujoco_warp.step`, captured
once as a CUDA graph, so that compile time is excluded. Newton replaces PGS, which MuJoCo Warp does not have.
Prints one JSON object.

The script needs an NVIDIA GPU.
"""

import argparse
import json
import time

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

NOISE_STD = 0.01
NOISE_RATE = 0.1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--worlds", type=int, required=True)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--nconmax", type=int, help="contact capacity per world")
    parser.add_argument("--njmax", type=int, help="constraint row capacity per world")
    args = parser.parse_args()

    mjm = mujoco.MjModel.from_xml_path(args.model)
    mjm.opt.tolerance = max(mjm.opt.tolerance, 1e-6)
    mjm.opt.iterations, mjm.opt.ls_iterations = 100, 50
    if mjm.opt.solver == mujoco.mjtSolver.mjSOL_PGS:
        mjm.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    mjd = mujoco.MjData(mjm)
    if mjm.nkey:
        mujoco.mj_resetDataKeyframe(mjm, mjd, 0)
    mujoco.mj_forward(mjm, mjd)

    m = mjw.put_model(mjm)
    d = mjw.put_data(mjm, mjd, nworld=args.worlds, nconmax=args.nconmax, njmax=args.njmax)
    mjw.step(m, d)  # compiles the kernels
    d = mjw.put_data(mjm, mjd, nworld=args.worlds, nconmax=args.nconmax, njmax=args.njmax)
    with wp.ScopedCapture() as capture:
        mjw.step(m, d)

    rng = np.random.default_rng(0)
    center = np.tile(mjd.ctrl, (args.worlds, 1))
    noise = np.zeros_like(center)
    seconds = 0.0
    for _ in range(args.steps):
        noise += -NOISE_RATE * noise + NOISE_STD * rng.standard_normal(noise.shape)
        d.ctrl.assign((center + noise).astype(np.float32))
        wp.synchronize()
        start = time.perf_counter()
        wp.capture_launch(capture.graph)
        wp.synchronize()
        seconds += time.perf_counter() - start
    if not np.isfinite(d.qpos.numpy()).all():
        raise SystemExit("the state is not finite: increase --nconmax or --njmax")
    print(json.dumps({
        "engine": f"MuJoCo Warp {mjw.__version__}",
        "device": wp.get_device().name,
        "model": args.model,
        "worlds": args.worlds,
        "steps": args.steps,
        "solver": mujoco.mjtSolver(mjm.opt.solver).name,
        "steps_per_s": args.worlds * args.steps / seconds,
    }))


if __name__ == "__main__":
    main()
