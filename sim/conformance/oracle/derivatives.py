"""Derivatives by finite differences: what the reference engine gives, and how sure it is of it."""

import copy

import mujoco
import numpy as np

# The step of all differences.
EPS = 1e-6
# Matrices with more entries than this are not stored.
MOST = 4000
# How far the state is disturbed to see what is noise, and how often.
NUDGE = 1e-12
NUDGES = 3
# Warnings that say the state diverged.
DIVERGED = [getattr(mujoco.mjtWarning, "mjWARN_BADQ" + x) for x in ("POS", "VEL", "ACC")]


def record(m, d, x, add):
    """Transition and inverse derivatives at a state; `x` is the acceleration of the inverse.

    Solvers run to their limit: where one stops by its tolerance, a difference quotient shows the
    tolerance a million times enlarged. `noise` is how far each matrix moves when the state is disturbed
    by rounding: at a kink, and where contacts are found by a search, it moves visibly.
    """
    nx = 2 * m.nv + m.na
    if not m.nv or nx * nx > MOST or m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        return
    kept = m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 200, 200
    base = everything(m, d, x)
    noise = {name: 0.0 for name in base}
    rng = np.random.default_rng(m.nv)
    for _ in range(NUDGES):
        near = copy.copy(d)
        mujoco.mj_integratePos(m, near.qpos, rng.choice([-1.0, 1.0], m.nv), NUDGE)
        near.qvel += NUDGE * rng.choice([-1.0, 1.0], m.nv)
        for name, value in everything(m, near, x).items():
            moved = np.abs(value - base[name]).max(initial=0.0)
            noise[name] = max(noise[name], moved if np.isfinite(moved) else np.inf)
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = kept
    for name, value in base.items():
        add("fn/fd." + name, value)
        add("fn/fd_noise." + name, [noise[name]])


def everything(m, d, x):
    """Every matrix, by name."""
    nv, na, nu, ns = m.nv, m.na, m.nu, m.nsensordata
    nx = 2 * nv + na
    found, reset = {}, False
    if not m.nhistory:
        for centered in [0, 1]:
            A, B = np.zeros((nx, nx)), np.zeros((nx, nu))
            C, D = np.zeros((ns, nx)), np.zeros((ns, nu))
            here = copy.copy(d)
            mujoco.mjd_transitionFD(m, here, EPS, centered, A, B, C, D)
            reset |= any(here.warning[kind].number > d.warning[kind].number for kind in DIVERGED)
            if centered:
                mend_sign(m, d, D)
            for name, matrix in zip("ABCD", [A, B, C, D]):
                found[f"{name}.{centered}"] = matrix
    if not m.opt.noslip_iterations:
        for actuation in [0, 1]:
            widths = [nv, nv, nv, ns, ns, ns, m.nM]
            names = ["DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"]
            matrices = [np.zeros((nv, width)) for width in widths]
            here = copy.copy(d)
            here.qacc[:] = x
            mujoco.mjd_inverseFD(m, here, EPS, actuation, *matrices)
            # with actuation, 3.8.0's sensors read the actuator forces of the row before
            for name, matrix in zip(names[:3] if actuation else names, matrices):
                found[f"{name}.{actuation}"] = matrix
    # a state that diverged was reset on the way: there is nothing to compare
    return {name: np.full_like(value, np.nan) if reset else value for name, value in found.items()}


def mend_sign(m, d, D):
    """3.8.0 subtracts the wrong way round where sensors are nudged to both sides of a control."""
    low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
    both = ~m.actuator_ctrllimited.astype(bool) | ((d.ctrl - EPS >= low) & (d.ctrl + EPS <= high))
    D[:, both] *= -1
