"""False contacts of two boxes in MuJoCo 3.8.0, by the separating axis theorem."""

import mujoco
import numpy as np

# Relative and absolute (m) tolerance of a depth.
DEPTH = 1e-6, 1e-9


def depth(m, d, one, two):
    """Least overlap of two boxes along their face normals and the cross products of their edges; negative if separated."""
    a, b = d.geom_xmat[one].reshape(3, 3), d.geom_xmat[two].reshape(3, 3)
    axes = np.concatenate([a.T, b.T, np.cross(a.T[:, None], b.T[None]).reshape(9, 3)])
    length = np.linalg.norm(axes, axis=1)
    axes = axes[length > 1e-6] / length[length > 1e-6, None]
    extent = np.abs(axes @ a) @ m.geom_size[one] + np.abs(axes @ b) @ m.geom_size[two]
    return np.min(extent - np.abs(axes @ (d.geom_xpos[two] - d.geom_xpos[one])))


def least_distances(m, d):
    """Pairs of boxes in contact, and the smallest distance of each."""
    least = {}
    for contact in d.contact:
        pair = tuple(contact.geom)
        if all(geom >= 0 and m.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX for geom in pair):
            least[pair] = min(least.get(pair, np.inf), contact.dist)
    return least


def contradict(m, d):
    """Whether a contact of two boxes is deeper than their overlap."""
    for pair, dist in least_distances(m, d).items():
        overlap = depth(m, d, *pair)
        if -dist > overlap + DEPTH[0] * abs(overlap) + DEPTH[1]:
            return True
    return False
