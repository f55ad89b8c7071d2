"""One-step maps: the next state from random states, and MuJoCo's own sensitivity to perturbations."""

import mujoco
import numpy as np

# Number and size of the perturbations of each state.
PERTURBATIONS = 5
SIZE = 1e-13
# Steps between the states of a run, and states of each run.
INTERVAL = 7
RUN = 5


def step_from(m, state, names):
    """The state after one step: positions, velocities and activations; None if it diverges."""
    d = mujoco.MjData(m)
    d.time = state["time"]
    for name in names:
        getattr(d, name)[:] = state[name]
    mujoco.mj_step(m, d)
    if any(warning.number for warning in d.warning):
        return None
    return [d.qpos.copy(), d.qvel.copy(), d.act.copy()]


def sensitivity(m, state, names, base, scales, rng):
    """Largest change of the next state by perturbations of the state and by a better solution."""
    runs = []
    for _ in range(PERTURBATIONS):
        other = {key: np.copy(value) for key, value in state.items()}
        mujoco.mj_integratePos(m, other["qpos"], rng.choice([-1.0, 1.0], m.nv), SIZE)
        other["qvel"] += SIZE * rng.choice([-1.0, 1.0], m.nv)
        runs.append(step_from(m, other, names))
    kept = m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 10 * kept[1], 10 * kept[2]
    runs.append(step_from(m, state, names))
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = kept
    worst = 0.0
    for run in runs:
        if run is None:
            return 1e300
        for a, b, scale in zip(base, run, scales):
            worst = max(worst, np.abs(a - b).max(initial=0.0) / scale)
    return worst if np.isfinite(worst) else 1e300


def record(m, count, seed, names, random_state, scale, out):
    """Records `count` runs of states and their successors below `step/`."""
    rng = np.random.default_rng(seed + 4)
    rows = {"time": [], "drift": [], "scale": [], "qpos": [], "qvel": [], "act": []}
    starts = {name: [] for name in names}
    for _ in range(count):
        d = mujoco.MjData(m)
        random_state(m, d, rng)
        for _ in range(RUN):
            state = {name: getattr(d, name).copy() for name in names}
            state["time"] = d.time
            base = step_from(m, state, names)
            if base is None:
                break
            scales = [scale(a) for a in base]
            rows["drift"].append(sensitivity(m, state, names, base, scales, rng))
            rows["scale"].append(scales)
            rows["time"].append(state["time"])
            for name, value in zip(("qpos", "qvel", "act"), base):
                rows[name].append(value)
            for name in names:
                starts[name].append(np.asarray(state[name]).reshape(-1))
            for _ in range(INTERVAL):
                mujoco.mj_step(m, d)
            if any(warning.number for warning in d.warning):
                break
    for name, values in rows.items():
        out["step/" + name] = np.array(values, dtype=np.float64).reshape(-1)
    for name, values in starts.items():
        out["step/start/" + name] = np.array(values, dtype=np.float64).reshape(-1)
