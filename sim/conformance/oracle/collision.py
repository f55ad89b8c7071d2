"""Times the search for contacts and many rays in the reference engine, as the caller asks.

    collision.py MODEL OUT STEPS

Takes that many steps, and prints "ready" once OUT holds the state, and a point and directions of
rays. Each line "STAGE COUNT" on standard input runs `collision` or `rays` that many times and prints
the seconds it took. The loop is compiled C; `cc` has to be there.
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
CAST = """
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
double time_collision(const void* m, void* d, int count) {
  stage* stages[1] = {mj_collision};
  return run(stages, 1, m, d, count);
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
    # from outside, at points of a cube around the middle: some hit, some miss
    rng = np.random.default_rng(0)
    point = m.stat.center + m.stat.extent * np.array([1.0, 0.7, 0.4])
    targets = m.stat.center + m.stat.extent * rng.uniform(-0.4, 0.4, (RAYS, 3))
    directions = targets - point
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    source, shared = out + ".c", os.path.abspath(out + ".so")
    with open(source, "w") as file:
        file.write(LOOP + CAST.replace("COUNT", str(RAYS)))
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
    state = {"qpos": d.qpos.copy(), "point": point, "directions": directions.reshape(-1)}
    state.update(time=[d.time], ncon=[d.ncon], hits=[loop.hits()])
    pack.write(out, state, {})
    print("ready", flush=True)
    for line in sys.stdin:
        stage, count = line.split()
        print(tables[stage](m._address, d._address, int(count)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
