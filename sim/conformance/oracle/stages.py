"""Times single stages of MuJoCo at one state, on request of the caller.

    stages.py MODEL OUT [STEPS]

Without STEPS the state is random and constraints are disabled; with STEPS it is the state after that many
steps with random controls. Prints "ready" once OUT holds the state. Each line "STAGE COUNT" on standard
input runs the stage COUNT times and prints the seconds it took. The loop is compiled C, so that the
overhead of Python is not timed; `cc` is required.
"""

import ctypes
import os
import subprocess
import sys

import mujoco
import numpy as np

import pack

LOOP = """
#include <time.h>
typedef void stage(const void*, void*);
double run(stage** stages, int n, const void* m, void* d, int count) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < n; k++) stages[k](m, d);
  clock_gettime(CLOCK_MONOTONIC, &b);
  return (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
}
"""

STAGES = {
    "kinematics": ["mj_kinematics", "mj_comPos", "mj_camlight", "mj_tendon", "mj_transmission"],
    "inertia": ["mj_makeM", "mj_factorM"],
    "velocity": ["mj_fwdVelocity"],
    "passive": ["mj_passive"],
    "actuation": ["mj_fwdActuation"],
    "acceleration": ["mj_fwdAcceleration"],
    "jacobian": ["mj_kinematics", "mj_comPos", "jacobian"],
    "rows": ["mj_makeConstraint", "mj_island", "mj_projectConstraint", "mj_referenceConstraint"],
    "solve": ["mj_fwdConstraint"],
}
# Number of steps for which a control is held.
HOLD = 50


def library():
    """MuJoCo's shared library, which the Python package has already loaded."""
    folder = os.path.dirname(mujoco.__file__)
    name = next(f for f in os.listdir(folder) if f.startswith(("libmujoco.so", "libmujoco.")))
    return ctypes.CDLL(os.path.join(folder, name))


def warm_up(m, d, rng, steps):
    """Takes steps with random controls from the middle half of their ranges."""
    limited = m.actuator_ctrllimited.astype(bool)
    low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
    for start in range(0, steps, HOLD):
        d.ctrl[:] = low + (high - low) * rng.uniform(0.25, 0.75, m.nu)
        mujoco.mj_step(m, d, min(HOLD, steps - start))


def main():
    path, out, *steps = sys.argv[1:]
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    rng = np.random.default_rng(0)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    if steps:
        warm_up(m, d, rng, int(steps[0]))
    else:
        for bit in ["CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS"]:
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, "mjDSBL_" + bit)
        mujoco.mj_integratePos(m, d.qpos, rng.normal(0, 0.2, m.nv), 1.0)
        d.qvel[:] = rng.normal(0, 0.3, m.nv)
        d.ctrl[:] = rng.uniform(0, 0.5, m.nu)
        d.act[:] = rng.uniform(0, 0.5, m.na)
    names = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")
    state = {name: getattr(d, name).copy() for name in names}
    mujoco.mj_forward(m, d)
    # repeated solver calls start from the same warm start
    d.qacc_warmstart[:] = state["qacc_warmstart"]
    pack.write(out, {"time": [d.time], "nefc": [d.nefc], **state}, {})

    source, shared = out + ".c", os.path.abspath(out + ".so")
    jacobian = f"""
void mj_jac(const void*, const void*, double*, double*, const double*, int);
void jacobian(const void* m, void* d) {{
  static double p[{3 * max(m.nv, 1)}], r[{3 * max(m.nv, 1)}], point[3] = {{.1, .2, .3}};
  mj_jac(m, d, p, r, point, {m.nbody - 1});
}}
"""
    with open(source, "w") as file:
        file.write(LOOP + jacobian)
    engine = library()
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shared, source, engine._name], check=True)
    loop = ctypes.CDLL(shared)
    loop.run.restype = ctypes.c_double
    loop.run.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]

    def address(name):
        owner = loop if name == "jacobian" else engine
        return ctypes.cast(getattr(owner, name), ctypes.c_void_p)

    tables = {
        stage: (ctypes.c_void_p * len(names))(*[address(name) for name in names])
        for stage, names in STAGES.items()
    }
    print("ready", flush=True)
    for line in sys.stdin:
        stage, count = line.split()
        table = tables[stage]
        print(loop.run(table, len(table), m._address, d._address, int(count)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
