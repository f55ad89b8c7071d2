"""Times collision detection and ray casting of MuJoCo, on request of the caller.

    collision.py MODEL OUT STEPS

Takes STEPS steps, and prints "ready" once OUT holds the state, a sequence of poses of all geoms and
bodies, and the origin and directions of the rays. Each line "STAGE COUNT" on standard input runs
`collision` or `rays` COUNT times and prints the seconds it took. Collision detection runs at the poses
of the sequence, forwards and backwards, and only `mj_collision` is timed. The loop is compiled C; `cc`
is required.
"""

import ctypes
import os
import subprocess
import sys

import mujoco
import numpy as np

import pack
from stages import LOOP, library

RAYS = 1000
# Number of poses in the sequence.
NPOSE = 50
POSES = ("geom_xpos", "geom_xmat", "xipos", "ximat")
CAST = """
#include <string.h>
#include <time.h>
void mj_collision(const void*, void*);
void mj_multiRay(const void*, void*, const double*, const double*, const unsigned char*,
                 unsigned char, int, int*, double*, double*, int, double);
static double point[3], directions[3 * COUNT], dist[COUNT];
static int geom[COUNT];
void aim(const double* from, const double* along) {
  for (int i = 0; i < 3; i++) point[i] = from[i];
  for (int i = 0; i < 3 * COUNT; i++) directions[i] = along[i];
}
void rays(const void* m, void* d) {
  mj_multiRay(m, d, point, directions, 0, 1, -1, geom, dist, 0, COUNT, 1e10);
}
int hits(void) {
  int n = 0;
  for (int i = 0; i < COUNT; i++) n += geom[i] >= 0;
  return n;
}
static double* target[4];
static const double* poses[4];
static size_t size[4];
void set_poses(int k, double* to, const double* from, int width) {
  target[k] = to;
  poses[k] = from;
  size[k] = width;
}
void load_pose(int state) {
  for (int k = 0; k < 4; k++) memcpy(target[k], poses[k] + state * size[k], 8 * size[k]);
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
double time_collision(const void* m, void* d, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    int k = i % (2 * NPOSE - 2);
    load_pose(k < NPOSE ? k : 2 * NPOSE - 2 - k);
    double start = now();
    mj_collision(m, d);
    sum += now() - start;
  }
  return sum;
}
double time_rays(const void* m, void* d, int count) {
  stage* stages[1] = {rays};
  return run(stages, 1, m, d, count);
}
"""


def main():
    path, out, steps = sys.argv[1:]
    m = mujoco.MjModel.from_xml_path(path)
    m.vis.global_.bvactive = 0
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, int(steps))
    mujoco.mj_forward(m, d)
    state = {"qpos": d.qpos.copy(), "time": [d.time], "ncon": [d.ncon]}
    rng = np.random.default_rng(1)
    limited = m.actuator_ctrllimited.astype(bool)
    low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
    e = mujoco.MjData(m)
    mujoco.mj_copyData(e, m, d)
    e.ctrl[:] = low + (high - low) * rng.uniform(0.25, 0.75, m.nu)
    drift = 0.2 * rng.standard_normal(m.nv)
    poses = {name: [] for name in POSES}
    count = 0
    for _ in range(NPOSE):
        if int(steps) > 0:
            mujoco.mj_step(m, e)
        else:
            # heaps drift apart kinematically, without solving for contact forces
            mujoco.mj_integratePos(m, e.qpos, drift, m.opt.timestep)
        mujoco.mj_kinematics(m, e)
        mujoco.mj_comPos(m, e)
        mujoco.mj_collision(m, e)
        count += e.ncon
        for name in POSES:
            poses[name].append(getattr(e, name).reshape(-1).copy())
    poses = {name: np.ascontiguousarray(rows) for name, rows in poses.items()}
    # rays from outside the model to random points of a cube around its centre: some miss
    rng = np.random.default_rng(0)
    point = m.stat.center + m.stat.extent * np.array([1.0, 0.7, 0.4])
    targets = m.stat.center + m.stat.extent * rng.uniform(-0.4, 0.4, (RAYS, 3))
    directions = targets - point
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    source, shared = out + ".c", os.path.abspath(out + ".so")
    with open(source, "w") as file:
        file.write(LOOP + CAST.replace("COUNT", str(RAYS)).replace("NPOSE", str(NPOSE)))
    engine = library()
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shared, source, engine._name], check=True)
    loop = ctypes.CDLL(shared)
    address = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    tables = {}
    for stage in ("collision", "rays"):
        tables[stage] = getattr(loop, "time_" + stage)
        tables[stage].restype, tables[stage].argtypes = ctypes.c_double, address
    as_pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    point, directions = np.ascontiguousarray(point), np.ascontiguousarray(directions)
    loop.aim(as_pointer(point), as_pointer(directions))
    tables["rays"](m._address, d._address, 1)
    for k, name in enumerate(POSES):
        width = poses[name].shape[1]
        loop.set_poses(k, as_pointer(getattr(e, name)), as_pointer(poses[name]), width)
        state[name] = poses[name].reshape(-1)
    state.update(point=point, directions=directions.reshape(-1))
    state.update(contacts=[count], hits=[loop.hits()])
    pack.write(out, state, {})
    print("ready", flush=True)
    for line in sys.stdin:
        stage, count = line.split()
        data = e if stage == "collision" else d
        print(tables[stage](m._address, data._address, int(count)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
