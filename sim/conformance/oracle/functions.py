"""Records MuJoCo's math functions on random arguments to an .npz file.

    functions.py OUT

Arrays are named family/name, one row for each trial; a family is one case of the report.
"""

import ctypes
import sys

import mujoco
import numpy as np

import pack
from stages import library

TRIALS = 8
rng = np.random.default_rng(7)
rows = {}


def add(name, *values):
    for suffix, value in zip(["in", "out", "out2", "out3"], values):
        value = np.array(value, dtype=np.float64).reshape(-1)
        rows.setdefault(f"{name}.{suffix}", []).append(value)


def unit(n=4):
    v = rng.normal(size=n)
    return v / np.linalg.norm(v)


def quaternions(k):
    a, b, v = unit(), unit(), rng.normal(size=3)
    if k == 0:
        b, v = a.copy(), 1e-9 * v
    scale = rng.uniform(0.01, 2)
    args = np.concatenate([a, b, v, [scale]])
    res3, res4, mat = np.zeros(3), np.zeros(4), np.zeros(9)
    mujoco.mju_subQuat(res3, a, b)
    add("quaternion/subtract", args, res3)
    q = a.copy()
    mujoco.mju_quatIntegrate(q, v, scale)
    add("quaternion/integrate", args, q)
    mujoco.mju_quat2Mat(mat, a)
    mujoco.mju_mat2Quat(res4, mat)
    add("quaternion/from_mat", mat, res4)
    mujoco.mju_quatZ2Vec(res4, v if k else np.array([0, 0, -1.0]))
    add("quaternion/from_z_axis", v if k else np.array([0, 0, -1.0]), res4)
    mujoco.mju_derivQuat(res4, a, v)
    add("quaternion/derivative", args, res4)
    mujoco.mju_mulQuatAxis(res4, a, v)
    add("quaternion/mul_axis", args, res4)
    mujoco.mju_mulQuat(res4, a, b)
    add("quaternion/mul", args, res4)
    mujoco.mju_quat2Vel(res3, a, scale)
    add("quaternion/to_velocity", args, res3)
    mujoco.mju_rotVecQuat(res3, v, a)
    add("quaternion/rotate", args, res3)
    mujoco.mju_axisAngle2Quat(res4, v / np.linalg.norm(v), scale)
    add("quaternion/from_axis_angle", args, res4)
    for seq in ["xyz", "ZYX", "xZy"]:
        mujoco.mju_euler2Quat(res4, v, seq)
        add(f"quaternion/from_euler.{seq}", v, res4)
    bent = mat.reshape(3, 3) @ (np.eye(3) + 0.3 * np.abs(rng.normal()) * np.diag(rng.uniform(0, 1, 3)))
    res4 = np.array([1.0, 0, 0, 0])
    steps = mujoco.mju_mat2Rot(res4, bent.reshape(9))
    add("quaternion/nearest_rotation", bent, res4, [steps])


def quaternion_derivatives(k):
    a, b, v = unit(), unit(), rng.normal(size=3)
    if k < 3:
        b, v = a.copy(), 10.0 ** (-3 * k - 2) * v
    scale = rng.uniform(0.01, 2)
    dq, dv, ds = np.zeros(9), np.zeros(9), np.zeros(3)
    mujoco.mjd_quatIntegrate(v, scale, dq, dv, ds)
    add("quaternion_derivative/integrate", np.concatenate([v, [scale]]), dq, dv, ds)
    mujoco.mjd_subQuat(a, b, dq, dv)
    add("quaternion_derivative/subtract", np.concatenate([a, b]), dq, dv)


def poses(_):
    p, q, r, s, v = rng.normal(size=3), unit(), rng.normal(size=3), unit(), rng.normal(size=3)
    pos, quat = np.zeros(3), np.zeros(4)
    args = np.concatenate([p, q, r, s, v])
    mujoco.mju_mulPose(pos, quat, p, q, r, s)
    add("pose/then", args, pos, quat)
    mujoco.mju_negPose(pos, quat, p, q)
    add("pose/inverse", args, pos, quat)
    mujoco.mju_trnVecPose(pos, p, q, v)
    add("pose/apply", args, pos)


def bands(_):
    # one name per shape, so that all rows of an array have the same length
    for n, nband, ndense in [(1, 1, 0), (6, 2, 0), (7, 3, 2), (5, 5, 5), (8, 4, 1)]:
        name = f"band/{n}_{nband}_{ndense}"
        size = (n - ndense) * nband + ndense * n
        full = rng.normal(size=(n, n))
        full = full @ full.T + n * np.eye(n)
        band = np.zeros(size)
        mujoco.mju_dense2Band(band, full, n, nband, ndense)
        add(f"{name}.from_dense", full, band)
        dense = np.zeros((n, n))
        for sym in [0, 1]:
            mujoco.mju_band2Dense(dense, band, n, nband, ndense, sym)
            add(f"{name}.to_dense_{sym}", band, dense)
            x, res = rng.normal(size=(n, 1)), np.zeros(n)
            mujoco.mju_bandMulMatVec(res, band.reshape(1, -1), x, n, nband, ndense, 1, sym)
            add(f"{name}.mul_vec_{sym}", x, res)
        factor, res = band.copy(), np.zeros(n)
        least = mujoco.mju_cholFactorBand(factor, n, nband, ndense, 0.3, 0.1)
        mujoco.mju_cholSolveBand(res, factor, x.reshape(n), n, nband, ndense)
        add(f"{name}.factor", band, factor, [least], res)
        add(f"{name}.diagonal", [], [mujoco.mju_bandDiag(i, n, nband, ndense) for i in range(n)])


def choleskys(_):
    n = 5
    full = rng.normal(size=(n, n))
    full = full @ full.T + np.eye(n)
    factor, x, res = full.copy(), rng.normal(size=n), np.zeros(n)
    rank = mujoco.mju_cholFactor(factor, 1e-15)
    mujoco.mju_cholSolve(res, factor, x)
    add("cholesky/factor", np.concatenate([full.reshape(-1), x]), np.tril(factor), [rank], res)
    for plus in [1, 0]:
        changed, used = np.tril(factor), (1.0 if plus else 0.3) * x
        rank = mujoco.mju_cholUpdate(changed, used.copy(), plus)
        add(f"cholesky/update_{plus}", np.concatenate([np.tril(factor).reshape(-1), used]), changed, [rank])


def eigens(k):
    a = rng.normal(size=(3, 3))
    a = a + a.T
    if k == 0:
        a = np.diag([1.0, 3.0, 2.0])
    if k == 1:
        a = np.eye(3)
    values, vectors, quat = np.zeros(3), np.zeros(9), np.zeros(4)
    mujoco.mju_eig3(values, vectors, quat, a.reshape(9))
    add("eig3/eig3", a, values, vectors, quat)


def box_qps(k):
    n = 6
    h = rng.normal(size=(n, n))
    h = h @ h.T + 0.1 * np.eye(n)
    g, start = 3 * rng.normal(size=n), rng.normal(size=n)
    size = 100.0 if k == 0 else 0.01 if k == 1 else 1.0
    lower, upper = -size * rng.uniform(0.1, 1, n), size * rng.uniform(0.1, 1, n)
    x, r, index = start.copy(), np.zeros((n, n + 7)), np.zeros(n, dtype=np.int32)
    free = mujoco.mju_boxQP(x, r, index, h, g, lower, upper)
    flags = np.isin(np.arange(n), index[:free])
    add("box_qp/solve", np.concatenate([h.reshape(-1), g, lower, upper, start]), x, [free], flags)


def address(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def pyramids(_):
    # called through ctypes: the Python bindings confuse the number of coefficients and of dimensions
    engine = library()
    for dim in [3, 4, 6]:
        mu = rng.uniform(0.1, 1, 5)
        force = np.concatenate([[rng.uniform(1, 5)], rng.normal(size=dim - 1)])
        pyramid, back = np.zeros(2 * (dim - 1)), np.zeros(dim)
        engine.mju_encodePyramid(address(pyramid), address(force), address(mu), dim)
        add(f"pyramid/encode_{dim}", np.concatenate([force, mu[:dim - 1]]), pyramid)
        edges = rng.uniform(0, 1, 2 * (dim - 1))
        engine.mju_decodePyramid(address(back), address(edges), address(mu), dim)
        add(f"pyramid/decode_{dim}", np.concatenate([edges, mu[:dim - 1]]), back)


def scalars(k):
    x = rng.uniform(-0.5, 1.5)
    add("scalar/sigmoid", [x], [mujoco.mju_sigmoid(x)])
    y = 0.5 * rng.integers(-9, 9) + (0 if k % 2 else 0.1)
    add("scalar/round", [y], [mujoco.mju_round(y)])
    add("scalar/sign", [y], [mujoco.mju_sign(y)])
    pos, vel, t = rng.normal(), rng.normal(), rng.uniform(0, 2)
    stiffness, damping = rng.uniform(0.1, 5), rng.uniform(0, 8)
    if k % 4 == 0:
        damping = 4.0
        stiffness = 4.0
    args = [pos, vel, stiffness, damping, t]
    add("scalar/spring_damper", args, [mujoco.mju_springDamper(*args)])
    index, base = int(rng.integers(0, 1000)), int(rng.choice([2, 3, 5, 7]))
    add("scalar/halton", [index, base], [mujoco.mju_Halton(index, base)])


def muscles(k):
    # range, force, scale, lmin, lmax, vmax, fpmax, fvmax, as in gainprm and biasprm; a negative force is scale/acc0
    force = -1.0 if k % 2 else rng.uniform(10, 200)
    prm = np.array([rng.uniform(0.6, 0.9), rng.uniform(1.05, 1.3), force, rng.uniform(100, 300), rng.uniform(0.3, 0.7),
                    rng.uniform(1.3, 1.8), rng.uniform(0.5, 3), rng.uniform(0.5, 2), rng.uniform(1.1, 1.6), 0.0])
    lengthrange = np.array([rng.uniform(0.1, 0.3), rng.uniform(0.4, 0.6)])
    acc0 = rng.uniform(0.2, 3)
    # lengths on every piece of the curves, velocities of shortening and lengthening
    for i, length in enumerate(np.linspace(-0.3, 1.1, 9)):
        velocity = rng.uniform(-1.5, 1.5)
        args = np.concatenate([[length, velocity], lengthrange, [acc0], prm])
        gain = mujoco.mju_muscleGain(length, velocity, lengthrange, acc0, prm[:9])
        add(f"muscle/gain_{i}", args, [gain])
        add(f"muscle/bias_{i}", args, [mujoco.mju_muscleBias(length, lengthrange, acc0, prm[:9])])
    for i, (ctrl, act) in enumerate([(-0.2, 0.4), (1.3, 0.2), (0.5, 0.5), (0.3, 0.9), (0.8, -0.1), (0.4, 1.2)]):
        dyn = np.array([rng.uniform(0.005, 0.02), rng.uniform(0.03, 0.06), rng.uniform(0.1, 2) * (k % 3 > 0)])
        ctrl, act = ctrl + rng.uniform(-0.1, 0.1), act + rng.uniform(-0.1, 0.1)
        rate = mujoco.mju_muscleDynamics(ctrl, act, dyn)
        add(f"muscle/dynamics_{i}", np.concatenate([[ctrl, act], dyn]), [rate])


def main():
    for k in range(TRIALS):
        for family in [quaternions, quaternion_derivatives, poses, bands, choleskys, eigens, box_qps,
                       pyramids, scalars, muscles]:
            family(k)
    out = {name: np.stack(values) for name, values in rows.items()}
    pack.write(sys.argv[1], out, {"oracle_version": mujoco.__version__, "loads": True}, compress=True)


if __name__ == "__main__":
    sys.exit(main())
