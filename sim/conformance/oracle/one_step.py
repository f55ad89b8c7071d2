"""One-step maps: the next state from random states, and MuJoCo's own sensitivity to perturbations."""

import contextlib

import mujoco
import numpy as np

import boxes

# Size of the perturbations of each state.
SIZE = 1e-13
# Steps between the states of a run, and states of each run.
INTERVAL = 7
RUN = 5
# Solver tolerance of a converged solution: the solver ends at the first iteration that does not reduce the
# cost. With tolerance 0, iterations without any change of the cost continue up to the limit.
CONVERGED = 1e-30


@contextlib.contextmanager
def converged(m):
    """The solver runs to convergence, within ten times the model's iterations."""
    kept = m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = CONVERGED, 10 * kept[1], 10 * kept[2]
    try:
        yield
    finally:
        m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = kept


def step_from(m, d, state, names):
    """The state after one step: positions, velocities and activations; None if it diverges.

    `d` is reset before the step.
    """
    mujoco.mj_resetData(m, d)
    d.time = state["time"]
    for name in names:
        getattr(d, name)[:] = state[name]
    mujoco.mj_step(m, d)
    if any(warning.number for warning in d.warning):
        return None
    return [d.qpos.copy(), d.qvel.copy(), d.act.copy()]


def sensitivity(m, d, state, perturbations, names, base, scales, rng):
    """Largest change of the next state by perturbations of the state and by a better solution."""
    runs = []
    for _ in range(perturbations):
        other = {key: np.copy(value) for key, value in state.items()}
        mujoco.mj_integratePos(m, other["qpos"], rng.choice([-1.0, 1.0], m.nv), SIZE)
        other["qvel"] += SIZE * rng.choice([-1.0, 1.0], m.nv)
        runs.append(step_from(m, d, other, names))
    with converged(m):
        runs.append(step_from(m, d, state, names))
    worst = 0.0
    for run in runs:
        if run is None:
            return 1e300
        for a, b, scale in zip(base, run, scales):
            worst = max(worst, np.abs(a - b).max(initial=0.0) / scale)
    return worst if np.isfinite(worst) else 1e300


def box_contacts(m, d, state, names):
    """Pairs of boxes in contact at a state, and the smallest distance of each."""
    mujoco.mj_resetData(m, d)
    d.time = state["time"]
    for name in names:
        getattr(d, name)[:] = state[name]
    mujoco.mj_fwdPosition(m, d)
    return boxes.least_distances(m, d)


def record(m, count, seed, perturbations, names, random_state, scale, out):
    """Records `count` runs of states and their successors below `step/`."""
    rng = np.random.default_rng(seed + 4)
    rows = {"time": [], "drift": [], "scale": [], "qpos": [], "qvel": [], "act": []}
    pairs = []
    starts = {name: [] for name in names}
    work = mujoco.MjData(m)
    for _ in range(count):
        d = mujoco.MjData(m)
        random_state(m, d, rng)
        for _ in range(RUN):
            state = {name: getattr(d, name).copy() for name in names}
            state["time"] = d.time
            base = step_from(m, work, state, names)
            if base is None:
                break
            scales = [scale(a) for a in base]
            rows["drift"].append(sensitivity(m, work, state, perturbations, names, base, scales, rng))
            rows["scale"].append(scales)
            rows["time"].append(state["time"])
            for name, value in zip(("qpos", "qvel", "act"), base):
                rows[name].append(value)
            for (one, two), dist in box_contacts(m, work, state, names).items():
                pairs.append([len(rows["time"]) - 1, one, two, dist])
            for name in names:
                starts[name].append(np.asarray(state[name]).reshape(-1))
            for _ in range(INTERVAL):
                mujoco.mj_step(m, d)
            if any(warning.number for warning in d.warning):
                break
    for name, values in rows.items():
        out["step/" + name] = np.array(values, dtype=np.float64).reshape(-1)
    out["step/boxes"] = np.array(pairs, dtype=np.float64).reshape(-1)
    for name, values in starts.items():
        out["step/start/" + name] = np.array(values, dtype=np.float64).reshape(-1)
