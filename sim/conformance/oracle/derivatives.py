"""Records MuJoCo's finite-difference derivatives, and their sensitivity to rounding."""

import copy

import mujoco
import numpy as np

import release

# Step of all differences.
EPS = 1e-6
# Largest number of entries of a recorded matrix.
MAX_ENTRIES = 4000
# Size of the perturbations of the state that determine the noise, and their number.
PERTURBATION = 1e-12
COUNT = 3
# Logarithms of the smallest and largest size of the perturbations in a larger sample: where a contact is at the
# boundary of the site of a touch sensor, only perturbations of some sizes cross it.
SIZES = -16, -12
# Warnings of a diverged state.
DIVERGED = [getattr(mujoco.mjtWarning, "mjWARN_BADQ" + x) for x in ("POS", "VEL", "ACC")]


def record(m, d, x, sample, add):
    """Transition and inverse derivatives at a state; `x` is the acceleration of inverse dynamics.

    `sample` is the number of perturbations of a larger sample, or zero.

    The solvers run with tolerance 0, because difference quotients amplify the convergence error by
    1 / EPS. `fd_noise` is the largest change of each matrix under perturbations of the state; it is large
    at non-smooth points and where contacts are computed iteratively.
    """
    nx = 2 * m.nv + m.na
    if not m.nv or nx * nx > MAX_ENTRIES or m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        return
    if not release.has_differences(m):
        return
    kept = m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 200, 200
    base = matrices_at(m, d, x)
    noise = {name: 0.0 for name in base}
    rng = np.random.default_rng(m.nv)
    # fewer of large matrices, whose time grows with the square of their size
    for k in range(COUNT + min(sample, max(12, 1000 // nx))):
        perturbed = copy.copy(d)
        size, draw = PERTURBATION, lambda: rng.choice([-1.0, 1.0], m.nv)
        if k >= COUNT:
            size, draw = 10 ** rng.uniform(*SIZES), lambda: rng.normal(size=m.nv)
        mujoco.mj_integratePos(m, perturbed.qpos, draw(), size)
        perturbed.qvel += size * draw()
        for name, value in matrices_at(m, perturbed, x).items():
            change = np.abs(value - base[name]).max(initial=0.0)
            noise[name] = max(noise[name], change if np.isfinite(change) else np.inf)
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = kept
    for name, value in base.items():
        add("fn/fd." + name, value)
        add("fn/fd_noise." + name, [noise[name]])


def matrices_at(m, d, x):
    """All derivative matrices at a state, by name; NaN if the state diverged."""
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
                fix_sign(m, d, D)
            for name, matrix in zip("ABCD", [A, B, C, D]):
                found[f"{name}.{centered}"] = matrix
    if not m.opt.noslip_iterations:
        for actuation in [0, 1]:
            widths = [nv, nv, nv, ns, ns, ns, m.nM]
            names = ["DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"]
            matrices = [np.zeros((nv, width)) for width in widths]
            here = copy.copy(d)
            here.qacc[:] = x
            if not release.IS_REFERENCE:  # DmDq has another sparsity structure
                names, matrices = names[:-1], [*matrices[:-1], None]
            mujoco.mjd_inverseFD(m, here, EPS, actuation, *matrices)
            # with actuation, the sensors of 3.8.0 read the actuator forces of the previous column
            for name, matrix in zip(names[:3] if actuation else names, matrices):
                found[f"{name}.{actuation}"] = matrix
    # a diverged state was reset, so its derivatives are meaningless
    return {name: np.full_like(value, np.nan) if reset else value for name, value in found.items()}


def fix_sign(m, d, D):
    """Corrects the sign of D: 3.8.0 subtracts in the wrong order in centred differences of controls.

    Later releases do not.
    """
    low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
    both = ~m.actuator_ctrllimited.astype(bool) | ((d.ctrl - EPS >= low) & (d.ctrl + EPS <= high))
    D[:, both] *= release.centred_sign()
