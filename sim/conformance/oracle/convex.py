"""Records convex collision detection of MuJoCo: pairs of geoms at random poses, and their contacts.

    convex.py FOLDER --poses N --seed S --filter TEXT [--time]

For each pair of shapes, FOLDER/NAME.xml is a model of the two and FOLDER/NAME.npz has one row per pose
in `xpos`, `xmat`, `ncon` and `distance` (distance and segment, for free geoms), and all contacts in
`contact` (distance, position, normal). With --time, `seconds` is the mean time of one call of mjc_Convex
for two free geoms; the loop is compiled C, and `cc` is required.
"""

import argparse
import ctypes
import itertools
import os
import subprocess

import mujoco
import numpy as np

import pack
from stages import library

FAR = 10.0
REPEATS = 20
LOOP = """
#include <string.h>
#include <time.h>
int mjc_Convex(const void*, void*, void*, int, int, double);
double run(const void* m, void* d, double* pos, double* mat, const double* poses,
           const double* mats, int count, double margin, int repeats) {
  static char contacts[50 * 1024];
  double best = 1e300;
  for (int r = 0; r < repeats; r++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int k = 0; k < count; k++) {
      memcpy(pos, poses + 6 * k, 6 * sizeof(double));
      memcpy(mat, mats + 18 * k, 18 * sizeof(double));
      mjc_Convex(m, d, contacts, 0, 1, margin);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double time = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
    if (time < best) best = time;
  }
  return best / count;
}
"""


def points(rng, count, stretch):
    p = rng.normal(size=(count, 3))
    return p / np.linalg.norm(p, axis=1, keepdims=True) * stretch


def prism(sides):
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([0.3 * np.cos(angle), 0.3 * np.sin(angle)], axis=1)
    return np.concatenate([np.c_[ring, np.full(sides, z)] for z in (-0.2, 0.2)])


def meshes():
    rng = np.random.default_rng(3)
    return {
        "tetra": np.array([[0.3, 0, -0.2], [-0.2, 0.3, -0.2], [-0.2, -0.3, -0.2], [0, 0, 0.4]]),
        "cube": np.array(list(itertools.product([-0.25, 0.25], [-0.2, 0.2], [-0.3, 0.3]))),
        "round": points(rng, 60, [0.3, 0.3, 0.3]),
        "long": points(rng, 30, [0.6, 0.04, 0.06]),
        "prism": prism(12),
    }


def elevation(rows, cols):
    y, x = np.mgrid[0:rows, 0:cols]
    return 0.5 + 0.3 * np.sin(0.9 * x) * np.cos(0.7 * y) + 0.2 * np.sin(2.3 * x + y)


SHAPES = {
    "sphere": 'type="sphere" size="0.2"',
    "capsule": 'type="capsule" size="0.1 0.25"',
    "ellipsoid": 'type="ellipsoid" size="0.3 0.15 0.2"',
    "cylinder": 'type="cylinder" size="0.2 0.15"',
    "box": 'type="box" size="0.2 0.15 0.25"',
    **{name: f'type="mesh" mesh="{name}"' for name in meshes()},
}
STATIC = {
    "plane": 'type="plane" size="5 5 0.1"',
    "hfield": 'type="hfield" hfield="hills"',
}
# pairs with closed-form contacts, which do not use mjc_Convex
ANALYTIC = {("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"),
            ("capsule", "capsule"), ("capsule", "box"), ("box", "box"),
            ("plane", "sphere"), ("plane", "capsule"), ("plane", "cylinder"), ("plane", "box")}


def pairs():
    names = list(SHAPES)
    found = [(a, b) for i, a in enumerate(names) for b in names[i:]]
    found += [(a, b) for a in STATIC for b in names]
    return [pair for pair in found if pair not in ANALYTIC]


def model_text(a, b, margin):
    assets = "".join(
        f'<mesh name="{name}" vertex="{" ".join(repr(float(x)) for x in p.reshape(-1))}"/>'
        for name, p in meshes().items() if name in (a, b))
    if a == "hfield":
        heights = " ".join(repr(float(x)) for x in elevation(9, 11).reshape(-1))
        assets += f'<hfield name="hills" nrow="9" ncol="11" size="1.2 1 0.4 0.2" elevation="{heights}"/>'
    half = f'margin="{margin / 2}"' if margin else ""

    def body(name):
        return f"<body><freejoint/><geom {SHAPES[name]} {half}/></body>"

    first = body(a) if a in SHAPES else f"<geom {STATIC[a]} {half}/>"
    return (f"<mujoco><asset>{assets}</asset>"
            f"<worldbody>{first}{body(b)}</worldbody></mujoco>")


def unit(rng, n):
    v = rng.normal(size=n)
    return v / np.linalg.norm(v)


def orientation(rng):
    """A quaternion: random, aligned with the axes, or slightly rotated from the axes."""
    kind = rng.integers(4)
    if kind < 2:
        return unit(rng, 4)
    quarter = np.array([1, 0, 0, 0]) if rng.random() < 0.5 else np.array([1, 0, 0, 1]) / np.sqrt(2)
    if kind == 2:
        return quarter.astype(float)
    angle = 10.0 ** rng.uniform(-8, -1)
    q = quarter + angle * np.r_[0, rng.normal(size=3)]
    return q / np.linalg.norm(q)


def direction(rng):
    if rng.random() < 0.5:
        return unit(rng, 3)
    return rng.choice([-1.0, 1.0]) * np.eye(3)[rng.integers(3)]


class Pair:
    def __init__(self, a, b, margin):
        self.text = model_text(a, b, margin)
        self.m = mujoco.MjModel.from_xml_string(self.text)
        self.d = mujoco.MjData(self.m)
        self.free = a in SHAPES

    def place(self, q1, q2, offset):
        if self.free:
            self.d.qpos[:7] = np.r_[0.1, -0.2, 0.3, q1]
            self.d.qpos[7:] = np.r_[offset + [0.1, -0.2, 0.3], q2]
        else:
            self.d.qpos[:] = np.r_[offset, q2]
        mujoco.mj_kinematics(self.m, self.d)

    def gap(self, q1, q2, offset):
        self.place(q1, q2, offset)
        return mujoco.mj_geomDistance(self.m, self.d, 0, 1, FAR, None)

    def touching(self, q1, q2, u):
        """Displacement along u at which the second geom just touches the first (bisection)."""
        low, high = 0.0, 3.0
        for _ in range(25):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.gap(q1, q2, middle * u) > 0 else (middle, high)
        return high

    def random_pose(self, rng):
        q1, q2, u = orientation(rng), orientation(rng), direction(rng)
        if not self.free:
            spot = np.r_[rng.uniform(-1.2, 1.2, 2), rng.uniform(-0.2, 0.7)]
            return q1, q2, spot
        kind = rng.integers(8)
        if kind == 0:
            return q1, q2, np.zeros(3)
        if kind == 1:
            return q1, q2, 0.05 * rng.normal(size=3)
        s = self.touching(q1, q2, u)
        depth = [1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1][rng.integers(6)] * rng.uniform(0.3, 1)
        if kind == 2:
            depth = -depth
        return q1, q2, (s - depth) * u

    def record(self, count, seed, out):
        rng = np.random.default_rng(seed)
        rows = {"xpos": [], "xmat": [], "ncon": [], "distance": []}
        contacts = []
        for _ in range(count):
            self.place(*self.random_pose(rng))
            mujoco.mj_comPos(self.m, self.d)
            mujoco.mj_collision(self.m, self.d)
            segment = np.zeros(6)
            dist = mujoco.mj_geomDistance(self.m, self.d, 0, 1, 0.3, segment) if self.free else 0.0
            rows["xpos"].append(self.d.geom_xpos.reshape(-1).copy())
            rows["xmat"].append(self.d.geom_xmat.reshape(-1).copy())
            rows["ncon"].append([self.d.ncon])
            rows["distance"].append(np.r_[dist, segment])
            for c in self.d.contact[:self.d.ncon]:
                contacts.append(np.r_[c.dist, c.pos, c.frame[:3]])
        out.update({name: np.array(value) for name, value in rows.items()})
        out["contact"] = np.array(contacts).reshape(-1, 7)


def compile_loop(folder):
    source, shared = os.path.join(folder, "loop.c"), os.path.abspath(os.path.join(folder, "loop.so"))
    with open(source, "w") as file:
        file.write(LOOP)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shared, source, library()._name], check=True)
    loop = ctypes.CDLL(shared)
    loop.run.restype = ctypes.c_double
    pointers = [ctypes.c_void_p] * 6
    loop.run.argtypes = pointers + [ctypes.c_int, ctypes.c_double, ctypes.c_int]
    return loop


def seconds(loop, pair, out):
    m, d = pair.m, pair.d
    arrays = [d.geom_xpos, d.geom_xmat, np.ascontiguousarray(out["xpos"]), np.ascontiguousarray(out["xmat"])]
    addresses = [a.ctypes.data for a in arrays]
    return loop.run(m._address, d._address, *addresses, len(out["xpos"]), out["margin"][0], REPEATS)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--poses", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--filter", default="")
    parser.add_argument("--time", action="store_true")
    args = parser.parse_args()
    loop = compile_loop(args.folder) if args.time else None
    for (a, b), margin in itertools.product(pairs(), [0.0, 0.02]):
        name = f"{a}-{b}" + ("-margin" if margin else "")
        if args.filter not in name:
            continue
        pair, out = Pair(a, b, margin), {"margin": np.array([margin])}
        pair.record(args.poses, args.seed, out)
        if loop and pair.free:
            out["seconds"] = np.array([seconds(loop, pair, out)])
        path = os.path.join(args.folder, name)
        with open(path + ".xml", "w") as file:
            file.write(pair.text)
        pack.write(path + ".npz", out, {"oracle_version": mujoco.__version__})


if __name__ == "__main__":
    main()
