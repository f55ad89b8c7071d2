"""Records the contacts of pairs of geoms at random poses.

    pairs.py OUT [--poses N] [--seed S] [--compress]

For each pair, named like plane_sphere:
    PAIR/pose       one row per pose: size, position and matrix of each geom, margin, kind of pose
    PAIR/count      number of contacts of each pose
    PAIR/contact    the contacts of all poses: distance, position, frame
"""

import argparse
import sys

import mujoco
import numpy as np

import pack

PAIRS = [
    "plane_sphere", "plane_capsule", "plane_cylinder", "plane_box", "sphere_sphere",
    "sphere_capsule", "sphere_cylinder", "sphere_box", "capsule_capsule", "capsule_box", "box_box",
]

# Kinds of poses, used in rotation.
KINDS = ["any", "shallow", "deep", "within", "aligned", "parallel", "same centre", "separated"]


def model(one, two):
    """Two geoms, the first in the world body, so that the pair is never filtered."""
    return mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody>
        <geom type="{one}" size="1 1 1"/>
        <body><freejoint/><geom type="{two}" size="1 1 1"/></body></worldbody></mujoco>""")


def rotation(quat):
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
    return mat


def quarter_turn(rng):
    """A random element of the rotation group of the cube."""
    while True:
        mat = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
        if np.linalg.det(mat) > 0:
            return mat.reshape(9)


class Pair:
    def __init__(self, name):
        one, two = name.split("_")
        self.m, self.plane = model(one, two), one == "plane"
        self.d = mujoco.MjData(self.m)
        # large bounding spheres, so that the broad phase keeps the pair
        self.m.geom_rbound[:] = [0 if self.plane else 1e3, 1e3]

    def place(self, row):
        m, d = self.m, self.d
        m.geom_size[:] = row[[0, 1, 2, 15, 16, 17]].reshape(2, 3)
        d.geom_xpos[:] = row[[3, 4, 5, 18, 19, 20]].reshape(2, 3)
        d.geom_xmat[:] = np.stack([row[6:15], row[21:30]])
        m.geom_margin[:] = [0, row[30]]
        mujoco.mj_collision(m, d)
        return d.ncon

    def approach(self, row, direction, depth):
        """Moves the second geom along a direction to a penetration of about `depth` (bisection)."""
        start, low, high = row[3:6].copy(), 0.0, 5.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            row[18:21] = start + middle * direction
            low, high = (middle, high) if self.place(row) else (low, middle)
        row[18:21] = start + (low - depth) * direction

    def pose(self, rng, kind):
        row = np.zeros(32)
        row[31] = kind
        kind = KINDS[kind]
        size1, size2 = rng.uniform(0.05, 0.5, (2, 3))
        if kind == "within":
            size2 *= 0.2
        mat1, mat2 = rotation(rng.normal(size=4)), rotation(rng.normal(size=4))
        direction = rng.normal(size=3)
        if kind == "aligned":
            mat1, mat2 = quarter_turn(rng), quarter_turn(rng)
            if rng.random() < 0.3:
                size2 = size1.copy()
            direction = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
        if kind == "parallel" or kind == "same centre" and rng.random() < 0.5:
            turn = [rng.normal(), 0, 0, rng.normal()] if rng.random() < 0.5 else [1, 0, 0, 0]
            mat2 = (mat1.reshape(3, 3) @ rotation(np.array(turn)).reshape(3, 3)).reshape(9)
            if rng.random() < 0.5:
                axis = mat1.reshape(3, 3)[:, rng.integers(3)]
                direction = axis + (0 if rng.random() < 0.3 else rng.normal(0, 0.2, 3))
        direction /= np.linalg.norm(direction)
        if self.plane and direction @ mat1[2::3] < 0.1:
            direction = direction - 2 * (direction @ mat1[2::3]) * mat1[2::3]
            direction += mat1[2::3]
            direction /= np.linalg.norm(direction)
        row[:3], row[3:6], row[6:15] = size1, rng.normal(0, 1, 3), mat1
        row[15:18], row[18:21], row[21:30] = size2, row[3:6], mat2
        row[30] = 0 if rng.random() < 0.7 else rng.uniform(0, 0.1)
        if kind == "separated":
            row[30] = rng.uniform(0.02, 0.1)
            self.approach(row, direction, row[30] * rng.uniform())
        elif kind in ("shallow", "aligned", "parallel"):
            self.approach(row, direction, 10 ** rng.uniform(-5, -1) * min(size1.min(), size2.min()))
        elif kind != "same centre":
            reach = {"any": 1.0, "deep": 0.3, "within": 0.3}[kind]
            row[18:21] += direction * rng.uniform(0, reach) * (size1.max() + size2.max())
        return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--poses", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compress", action="store_true")
    args = parser.parse_args()
    out = {}
    for name in PAIRS:
        rng = np.random.default_rng([args.seed, PAIRS.index(name)])
        pair, poses, counts, contacts = Pair(name), [], [], []
        for k in range(args.poses):
            row = pair.pose(rng, k % len(KINDS))
            poses.append(row)
            counts.append(pair.place(row))
            for c in pair.d.contact:
                contacts.append(np.concatenate([[c.dist], c.pos, c.frame]))
        out[f"{name}/pose"] = np.stack(poses)
        out[f"{name}/count"] = np.array(counts)
        out[f"{name}/contact"] = np.array(contacts)
    pack.write(args.out, out, {"oracle_version": mujoco.__version__, "loads": True}, args.compress)


if __name__ == "__main__":
    sys.exit(main())
