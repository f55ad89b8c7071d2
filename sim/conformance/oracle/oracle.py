"""The oracle: runs the reference engine on one model and writes what it computes to an .npz file.

    oracle.py record MODEL OUT [--states K] [--steps N] [--seed S] [--integrators own|all]
                               [--parts model,stages,flags,trajectory] [--smooth] [--compress]

The file holds, under names with a prefix:
    meta            JSON: version, whether the model loads, the error if not, checksum of the file
    size/ opt/ stat/ model/        the compiled model, field by field
    in/             K random states and inputs, one row each
    contact/        the contacts of all states, and how many each has
    efc/            the constraint rows of all states, and how many each has
    out/            what the forward dynamics computes at each of them
    fn/             functions of the state: Jacobians, products and solves with M, forces, ...
    flag/           how much each flag that the model sets changes what it does
    sleep/          for models that sleep: who does at each step, and what is left in the end
    traj/NAME/      a trajectory and how far the engine itself drifts from it when disturbed
"""

import argparse
import copy
import re
import sys
import zlib

import mujoco
import numpy as np

import derivatives
import pack

# Controls of a trajectory are drawn anew after this many steps.
HOLD = 50
# A trajectory is stored every this many steps.
STRIDE = 10
# Derivatives with more entries than this are not stored.
MAX_DERIVATIVE = 4000
# A trajectory is followed from this many nearby states.
NUDGES = 5
# Rays that are cast at each state.
RAYS = 12
# Pairs of geoms whose distance is measured at each state, at most.
PAIRS = 60
# How far apart they may be, relative to the size of the model; as contacts and nearly all.
REACH = [0.0, 0.1, 3.0]
# Warnings that say the state diverged.
DIVERGED = [getattr(mujoco.mjtWarning, "mjWARN_BADQ" + x) for x in ("POS", "VEL", "ACC")]
# Arrays smaller than this are compared as if they were this large.
FLOOR = 1e-3

STATE = [
    "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
    "mocap_pos", "mocap_quat",
]

# Arrays whose length is a number of contacts or constraints, and pointers.
DYNAMIC = re.compile(r"^(contact|i?efc_.*|island_.*|i[A-Z].*|iacc.*|ifrc.*|plugin.*|timer|warning|"
                     r"solver.*|map_.*|.*_island|tendon_efcadr|bvh_active|.*awake.*|tree_asleep|"
                     r"model|signature|nefc|maxuse.*)$")

ROWS = [
    "type", "id", "pos", "margin", "frictionloss", "diagApprox", "KBIP", "D", "R", "vel", "aref",
    "state", "force",
]
# Two engines' positions of a geom differ by about this much.
ROUNDING = 1e-14
TREMBLES = 8
CONTACT = [
    "geom", "dim", "exclude", "dist", "pos", "frame", "includemargin", "friction", "solref",
    "solreffriction", "solimp", "mu",
]


def arrays(struct):
    """Every numeric array of a model or data, by name."""
    for name in dir(struct):
        if name.startswith("_"):
            continue
        try:
            value = getattr(struct, name)
        except Exception:  # some accessors need a constraint or a plugin
            continue
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
            yield name, value
        elif isinstance(value, bytes):
            yield name, np.frombuffer(value, dtype=np.uint8)


def record_model(m, out):
    for name in dir(m):
        if name.startswith("n") and isinstance(getattr(m, name), int):
            out["size/" + name] = np.int64(getattr(m, name))
    for name in dir(m.opt):
        value = getattr(m.opt, name)
        if not name.startswith("_") and isinstance(value, (int, float, np.ndarray)):
            out["opt/" + name] = np.atleast_1d(np.asarray(value, dtype=np.float64))
    for name in ["meaninertia", "meanmass", "meansize", "extent", "center"]:
        out["stat/" + name] = np.atleast_1d(np.asarray(getattr(m.stat, name), dtype=np.float64))
    for name, value in arrays(m):
        out["model/" + name] = value.reshape(-1).copy()


def record_fields(m, out):
    """Distance fields and boxes: contacts found by descent need them to the last bit."""
    for name in ["oct_aabb", "oct_coeff", "bvh_aabb", "geom_aabb", "geom_size"]:
        out["model/" + name] = getattr(m, name).reshape(-1).copy()


def random_state(m, d, rng):
    """A state far from rest and from the reference, reached by a few steps."""
    mujoco.mj_resetData(m, d)
    if m.nkey and rng.random() < 0.3:
        mujoco.mj_resetDataKeyframe(m, d, rng.integers(m.nkey))
    mujoco.mj_integratePos(m, d.qpos, rng.normal(0, 0.3, m.nv), 1.0)
    d.qvel[:] = rng.normal(0, 0.5, m.nv)
    d.act[:] = rng.uniform(0, 1, m.na)
    d.ctrl[:] = random_ctrl(m, rng)
    d.qfrc_applied[:] = 0.1 * rng.normal(0, 1, m.nv)
    for b in range(1, m.nbody):
        if rng.random() < 0.3:
            d.xfrc_applied[b] = 0.1 * m.body_mass[b] * rng.normal(0, 1, 6)
    d.mocap_pos[:] += rng.normal(0, 0.05, d.mocap_pos.shape)
    d.mocap_quat[:] += rng.normal(0, 0.1, d.mocap_quat.shape)
    for _ in range(3):
        mujoco.mj_step(m, d)


def random_ctrl(m, rng):
    """Controls within their ranges, or of order one; a fifth of them out of range."""
    ctrl = rng.normal(0, 1, m.nu)
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
    inside = low + (high - low) * rng.uniform(-0.1, 1.1, m.nu)
    return np.where(limited, inside, ctrl)


def record_stages(m, count, seed, out):
    rng = np.random.default_rng(seed)
    rows, contacts, constraints = {}, [], []

    def add(name, value):
        rows.setdefault(name, []).append(np.array(value, dtype=np.float64).reshape(-1))

    for _ in range(count):
        reached = mujoco.MjData(m)
        random_state(m, reached, rng)
        # evaluate in fresh data: lazily computed quantities must not remember the way here
        d = mujoco.MjData(m)
        add("in/time", [reached.time])
        d.time = reached.time
        for name in STATE + ["eq_active"]:
            add("in/" + name, getattr(reached, name))
            getattr(d, name)[:] = getattr(reached, name)
        mujoco.mj_forward(m, d)
        mujoco.mj_energyPos(m, d)
        mujoco.mj_energyVel(m, d)
        mujoco.mj_subtreeVel(m, d)
        mujoco.mj_rnePostConstraint(m, d)
        for name, value in arrays(d):
            if not DYNAMIC.match(name) and name not in STATE:
                add("out/" + name, value)
        contacts.append(record_contacts(m, d))
        constraints.append(record_rows(m, d))
        add("out/nefc", [d.nefc])
        record_functions(m, d, rng, add)
    for name, values in rows.items():
        out[name] = np.stack(values)
    concatenate("contact/", "dist", contacts, out)
    concatenate("efc/", "pos", constraints, out)
    out["efc/entries"] = np.array([len(table["J_value"]) for table in constraints])


def concatenate(prefix, measure, tables, out):
    """Tables of several states one after another, and how many rows each has."""
    out[prefix + "count"] = np.array([len(table[measure]) for table in tables])
    for name in tables[0] if tables else []:
        parts = [table[name] for table in tables if table[name].size]
        out[prefix + name] = np.concatenate(parts) if parts else np.zeros(0)


def record_rows(m, d):
    """The constraint rows, and the entries of their Jacobian that are not zero."""
    table = {name: np.array(getattr(d, "efc_" + name), dtype=np.float64)[:d.nefc] for name in ROWS}
    if mujoco.mj_isSparse(m):
        row = np.repeat(np.arange(d.nefc), d.efc_J_rownnz[:d.nefc])
        where = np.concatenate(
            [np.arange(a, a + n) for a, n in zip(d.efc_J_rowadr[:d.nefc], d.efc_J_rownnz[:d.nefc])]
            or [np.zeros(0)]).astype(int)
        column, value = d.efc_J_colind[where], d.efc_J.reshape(-1)[where]
    else:
        dense = d.efc_J.reshape(-1)[:d.nefc * m.nv].reshape(d.nefc, m.nv)
        row, column = np.nonzero(dense)
        value = dense[row, column]
    for name, values in [("J_row", row), ("J_column", column), ("J_value", value)]:
        table[name] = np.array(values, dtype=np.float64)
    return table


def record_contacts(m, d):
    """What collision detection finds, before any later stage adds to it. States follow one another.

    `spread` is how far distance, position and frame of each contact move when the geoms move by
    rounding; infinite if the pair then has another number of contacts.
    """
    d = copy.copy(d)
    mujoco.mj_collision(m, d)
    table = {name: np.array(getattr(d.contact, name), dtype=np.float64) for name in CONTACT}
    spread = np.zeros((d.ncon, 3))
    rng = np.random.default_rng(0)
    pos, mat = d.geom_xpos.copy(), d.geom_xmat.copy()
    for _ in range(TREMBLES if d.ncon else 0):
        d.geom_xpos[:] = pos + ROUNDING * rng.normal(size=pos.shape)
        d.geom_xmat[:] = mat + ROUNDING * rng.normal(size=mat.shape)
        mujoco.mj_collision(m, d)
        moved = {name: np.array(getattr(d.contact, name)) for name in ["geom", "dist", "pos", "frame"]}
        for i, pair in enumerate(table["geom"]):
            here = np.flatnonzero((table["geom"] == pair).all(axis=1))
            there = np.flatnonzero((moved["geom"] == pair).all(axis=1))
            if len(here) != len(there):
                spread[i] = np.inf
                continue
            twin = there[i - here[0]]
            for k, name in enumerate(["dist", "pos", "frame"]):
                far = np.max(np.abs(table[name][i] - moved[name][twin]))
                spread[i, k] = max(spread[i, k], far)
    table["spread"] = spread
    return table


def record_functions(m, d, rng, add):
    nv = m.nv
    body = int(rng.integers(m.nbody))
    point = d.xpos[body] + rng.normal(0, 0.3, 3)
    force, torque, axis = rng.normal(0, 1, (3, 3))
    x = rng.normal(0, 1, nv)
    jacp, jacr = np.zeros((3, nv)), np.zeros((3, nv))
    add("fn/body", [body])
    add("fn/point", point)
    add("fn/force", force)
    add("fn/torque", torque)
    add("fn/axis", axis)
    add("fn/x", x)
    mujoco.mj_jac(m, d, jacp, jacr, point, body)
    add("fn/jac.jacp", jacp)
    add("fn/jac.jacr", jacr)
    mujoco.mj_jacBody(m, d, jacp, jacr, body)
    add("fn/jac_body.jacp", jacp)
    mujoco.mj_jacBodyCom(m, d, jacp, jacr, body)
    add("fn/jac_body_com.jacp", jacp)
    mujoco.mj_jacSubtreeCom(m, d, jacp, body)
    # a subtree without mass has no centre of mass
    add("fn/jac_subtree_com.jacp", np.nan_to_num(jacp) if m.body_subtreemass[body] == 0 else jacp)
    mujoco.mj_jacPointAxis(m, d, jacp, jacr, point, axis, body)
    add("fn/jac_point_axis.jaca", jacr)
    mujoco.mj_jacDot(m, d, jacp, jacr, point, body)
    add("fn/jac_dot.jacp", jacp)
    add("fn/jac_dot.jacr", jacr)
    mujoco.mj_angmomMat(m, d, jacp, body)
    add("fn/angmom_mat", jacp)
    if m.ngeom:
        mujoco.mj_jacGeom(m, d, jacp, jacr, body % m.ngeom)
        add("fn/jac_geom.jacp", jacp)
        add("fn/jac_geom.jacr", jacr)
    if m.nsite:
        mujoco.mj_jacSite(m, d, jacp, jacr, body % m.nsite)
        add("fn/jac_site.jacp", jacp)
        add("fn/jac_site.jacr", jacr)
    qfrc = np.zeros(nv)
    mujoco.mj_applyFT(m, d, force, torque, point, body, qfrc)
    add("fn/apply_ft", qfrc)
    res = np.zeros(nv)
    if nv:
        mujoco.mj_mulM(m, d, res, x)
        add("fn/mul_m", res)
        mujoco.mj_mulM2(m, d, res, x)
        add("fn/mul_m2", res)
        sol = np.zeros((1, nv))
        mujoco.mj_solveM(m, d, sol, x.reshape(1, nv))
        add("fn/solve_m", sol)
        mujoco.mj_solveM2(m, d, sol, x.reshape(1, nv), np.sqrt(d.qLDiagInv))
        add("fn/solve_m2", sol)
        full = np.zeros((nv, nv))
        mujoco.mj_fullM(m, full, d.qM)
        add("fn/full_m", full)
        qacc = d.qacc.copy()
        d.qacc[:] = x
        mujoco.mj_rne(m, d, 1, res)
        add("fn/rne", res)
        d.qacc[:] = qacc
        qpos = d.qpos.copy()
        mujoco.mj_integratePos(m, qpos, x, 0.7)
        add("fn/integrate_pos", qpos)
        mujoco.mj_differentiatePos(m, res, 0.7, d.qpos, qpos)
        add("fn/differentiate_pos", res)
    if nv:
        record_inverse(m, d, x, add)
    derivatives.record(m, d, x, add)
    record_rays(m, d, rng, add)
    record_distances(m, d, add)
    vel = np.zeros(6)
    for kind, obj in [("body", mujoco.mjtObj.mjOBJ_BODY), ("xbody", mujoco.mjtObj.mjOBJ_XBODY)]:
        mujoco.mj_objectVelocity(m, d, obj, body, vel, 1)
        add(f"fn/object_velocity.{kind}", vel)
        mujoco.mj_objectAcceleration(m, d, obj, body, vel, 1)
        add(f"fn/object_acceleration.{kind}", vel)


def record_rays(m, d, rng, add):
    """Rays from around the model to its geoms, and a little beside them."""
    if not m.ngeom:
        return
    rays, hits = [], []
    for _ in range(RAYS):
        target = d.geom_xpos[rng.integers(m.ngeom)] + rng.normal(0, 0.05, 3)
        point = target + m.stat.extent * rng.normal(0, 1, 3)
        vec = (target - point) * rng.uniform(0.5, 2)
        fixed = int(rng.random() < 0.8)
        exclude = int(rng.integers(m.nbody)) if rng.random() < 0.3 else -1
        geom, normal = np.zeros((1, 1), dtype=np.int32), np.zeros((3, 1))
        dist = mujoco.mj_ray(m, d, point, vec, None, fixed, exclude, geom, normal)
        rays.append(np.concatenate([point, vec, [fixed, exclude]]))
        hits.append(np.concatenate([[dist, geom[0, 0]], normal.reshape(-1)]))
    add("fn/rays", np.array(rays))
    add("fn/ray_hits", np.array(hits))


def record_distances(m, d, add):
    """Distances of pairs of geoms in both orders: all pairs of a small model, some of a large one."""
    rng = np.random.default_rng(m.ngeom)
    pairs = [(a, b) for a in range(m.ngeom) for b in range(m.ngeom) if a != b]
    if len(pairs) > PAIRS:
        pairs = [pairs[k] for k in sorted(rng.choice(len(pairs), PAIRS, replace=False))]
    if not pairs:
        return
    asked, found = [], []
    for a, b in pairs:
        far = mujoco.mj_geomDistance(m, d, a, b, REACH[-1] * m.stat.extent, None)
        for reach in REACH:
            fromto, limit = np.zeros(6), reach * m.stat.extent
            dist = mujoco.mj_geomDistance(m, d, a, b, limit, fromto)
            # distances that the engine itself cannot make up its mind about
            if abs(dist - min(far, limit)) > 1e-6 or unsure(m, d, a, b, limit, dist, rng):
                continue
            asked.append([a, b, limit])
            found.append(np.concatenate([[dist], fromto]))
    # as many rows at each state
    for rows, width in [(asked, 3), (found, 7)]:
        rows.extend([np.full(width, -1.0)] * (len(pairs) * len(REACH) - len(rows)))
    add("fn/pairs", np.array(asked))
    add("fn/pair_distances", np.array(found))


def unsure(m, d, a, b, limit, dist, rng):
    """Whether a distance is a matter of rounding: a disturbance of 1e-12 changes it visibly."""
    d = copy.copy(d)
    kept = d.geom_xpos.copy()
    for _ in range(4):
        d.geom_xpos[:] = kept + 1e-12 * rng.normal(size=kept.shape)
        other = mujoco.mj_geomDistance(m, d, a, b, limit, None)
        if abs(other - dist) > 1e-6 * max(abs(dist), FLOOR):
            return True
    return False


def record_inverse(m, d, x, add):
    """Inverse dynamics at an acceleration, and the derivatives that the implicit integrators use."""
    qacc = d.qacc.copy()
    d.qacc[:] = x
    mujoco.mj_inverse(m, d)
    add("fn/inverse", d.qfrc_inverse)
    kept = m.opt.enableflags, m.opt.integrator
    if kept[1] != mujoco.mjtIntegrator.mjINT_RK4:
        m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
        mujoco.mj_inverse(m, d)
        add("fn/inverse_discrete", d.qfrc_inverse)
    if m.nD <= MAX_DERIVATIVE:
        for name, number in [("implicit", 2), ("implicitfast", 3)]:
            m.opt.integrator = number
            stepped = copy.copy(d)
            mujoco.mj_step(m, stepped)
            reset = any(stepped.warning[kind].number for kind in DIVERGED)
            add(f"fn/derivative.{name}", stepped.qDeriv * (np.nan if reset else 1))
    m.opt.enableflags, m.opt.integrator = kept
    # leave the data as the forward dynamics left it
    d.qacc[:] = qacc
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)


def simulate(m, start, ctrl, steps):
    """Runs from a saved state; returns all positions and velocities, and the memory at the end.

    Ends before the engine resets a state that diverged: what follows is another trajectory, which
    does not remember how this one was disturbed.
    """
    d = mujoco.MjData(m)
    d.time = start["time"]
    for name in STATE:
        if name not in ("qfrc_applied", "xfrc_applied"):
            getattr(d, name)[:] = start[name]
    qpos, qvel = [d.qpos.copy()], [d.qvel.copy()]
    memory = np.concatenate([d.act, d.history])
    for k in range(steps):
        d.ctrl[:] = ctrl[k // HOLD]
        mujoco.mj_step(m, d)
        if any(d.warning[kind].number for kind in DIVERGED):
            break
        qpos.append(d.qpos.copy())
        qvel.append(d.qvel.copy())
        memory = np.concatenate([d.act, d.history])
    return np.array(qpos), np.array(qvel), memory[None]


def scale(a):
    return max(np.abs(a).max(initial=0.0), FLOOR)


def drift(base, other):
    """Largest distance up to each step, relative to the scale of the arrays."""
    distance = np.full(len(base[0]), 1e300)  # where the other one has ended
    both = min(len(base[0]), len(other[0]))
    distance[:both] = 0.0
    for a, b in zip(base, other):
        if a.size:
            far = np.abs(a[:both] - b[:both]).max(axis=1) / scale(a)
            distance[:both] = np.maximum(distance[:both], far)
    return np.maximum.accumulate(np.where(np.isfinite(distance), distance, 1e300))


def record_trajectory(m, name, steps, seed, out):
    rng = np.random.default_rng(seed + 1)
    d = mujoco.MjData(m)
    random_state(m, d, rng)
    start = {name: getattr(d, name).copy() for name in STATE}
    start["time"] = d.time
    ctrl = np.array([random_ctrl(m, rng) for _ in range(steps // HOLD + 1)])
    *base, memory = simulate(m, start, ctrl, steps)
    steps = len(base[0]) - 1
    allowed, memory_drift = np.zeros(steps + 1), np.zeros(1)

    def disturbed(start):
        nonlocal allowed, memory_drift
        *other, end = simulate(m, start, ctrl, steps)
        allowed = np.maximum(allowed, drift(base, other))
        memory_drift = np.maximum(memory_drift, drift([memory], [end]))

    for _ in range(NUDGES):
        nudged = {key: np.copy(value) for key, value in start.items()}
        mujoco.mj_integratePos(m, nudged["qpos"], rng.choice([-1.0, 1.0], m.nv), 1e-12)
        nudged["qvel"] += 1e-12 * rng.choice([-1.0, 1.0], m.nv)
        disturbed(nudged)

    kept = m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 10 * kept[1], 10 * kept[2]
    disturbed(start)
    m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = kept

    prefix = f"traj/{name}/"
    out[prefix + "time"] = np.array([start["time"]])
    out[prefix + "integrator"] = np.array([float(m.opt.integrator)])
    for key in STATE:
        out[prefix + "start/" + key] = np.asarray(start[key]).reshape(-1)
    out[prefix + "ctrl"] = ctrl
    out[prefix + "hold"] = np.array([float(HOLD)])
    out[prefix + "stride"] = np.array([float(STRIDE)])
    out[prefix + "steps"] = np.array([float(steps)])
    out[prefix + "qpos"] = base[0][::STRIDE]
    out[prefix + "qvel"] = base[1][::STRIDE]
    out[prefix + "scale"] = np.array([scale(base[0]), scale(base[1])])
    out[prefix + "drift"] = allowed[::STRIDE]
    out[prefix + "memory"] = memory[0]
    out[prefix + "memory_drift"] = memory_drift


def push_of(m, rng, steps):
    """Half way a tree is pushed for five steps, and in the end another is given a velocity."""
    first, second = rng.integers(m.ntree, size=2)
    body = m.tree_bodyadr[first]
    force = m.body_subtreemass[body] * np.array([10.0, 5.0, 15.0])
    dof = m.tree_dofadr[second]
    return [steps // 2, steps // 2 + 5, body, *force, 3 * steps // 4, dof, 0.3]


def from_rest(m, push, steps, nudge):
    """Runs from the start, a little moved; returns positions and who sleeps at each step."""
    start, stop, body, fx, fy, fz, kick, dof, speed = push
    d = mujoco.MjData(m)
    if nudge.any():
        mujoco.mj_integratePos(m, d.qpos, nudge, 1)
    asleep, qpos = np.zeros((steps, m.ntree)), np.zeros((steps, m.nq))
    for k in range(steps):
        d.xfrc_applied[body, :3] = [fx, fy, fz] if start <= k < stop else [0, 0, 0]
        d.qvel[dof] += speed if k == kick else 0
        mujoco.mj_step(m, d)
        asleep[k], qpos[k] = d.tree_asleep, d.qpos
    return d, qpos, asleep


def record_sleep(m, steps, seed, out):
    """From rest: who sleeps at each step, and everything that is left in the end."""
    if not m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP or not m.ntree:
        return
    rng = np.random.default_rng(seed + 3)
    push = push_of(m, rng, steps)
    _, qpos, asleep = from_rest(m, push, steps, np.zeros(m.nv))
    # as long as rounding decides neither who sleeps nor what is seen
    can_move = m.tree_sleep_policy[m.dof_treeid] != mujoco.mjtSleepPolicy.mjSLEEP_INIT
    for _ in range(3):
        nudge = 1e-12 * rng.choice([-1.0, 1.0], m.nv) * can_move
        _, near, other = from_rest(m, push, steps, nudge)
        differs = (asleep[:steps] != other).any(axis=1) | (np.abs(qpos[:steps] - near).max(axis=1) > 1e-9)
        differs = np.flatnonzero(differs)
        steps = min(steps, differs[0] if differs.size else steps)
    d, _, asleep = from_rest(m, push, steps, np.zeros(m.nv))
    mujoco.mj_forward(m, d)
    out["sleep/push"] = np.array(push, dtype=np.float64)
    out["sleep/asleep"] = asleep
    for name, value in arrays(d):
        known = re.match(r"^(.*awake.*|tree_asleep)$", name) and not name.endswith("_ind")
        if known or not DYNAMIC.match(name):
            out["sleep/out/" + name] = np.array(value, dtype=np.float64).reshape(-1)


def outcome(m, start, ctrl, steps=20):
    """Everything a short run leaves behind that a flag may change."""
    d = mujoco.MjData(m)
    for name in STATE:
        getattr(d, name)[:] = start[name]
    for _ in range(steps):
        d.ctrl[:] = ctrl
        mujoco.mj_step(m, d)
    return np.concatenate([d.qpos, d.qvel, d.sensordata, d.energy, d.solver_fwdinv])


def record_flags(m, seed, out):
    """How much each flag that the model sets changes its motion, sensors or energy."""
    rng = np.random.default_rng(seed + 2)
    d = mujoco.MjData(m)
    random_state(m, d, rng)
    start = {name: getattr(d, name).copy() for name in STATE}
    ctrl = 2 * random_ctrl(m, rng)
    for field, kind in [("disableflags", mujoco.mjtDisableBit), ("enableflags", mujoco.mjtEnableBit)]:
        kept = getattr(m.opt, field)
        for bit in kind.__members__.values():
            if bit.name.startswith("mjN") or not kept & bit.value:
                continue
            name = bit.name.split("_", 1)[1].lower()
            state, steps = start, 20
            if name == "sleep":  # takes rest, and time
                rest = mujoco.MjData(m)
                state, steps = {key: getattr(rest, key).copy() for key in STATE}, 400
            with_flag = outcome(m, state, ctrl, steps)
            setattr(m.opt, field, kept & ~bit.value)
            change = outcome(m, state, ctrl, steps) - with_flag
            out["flag/" + name] = [np.abs(change).max(initial=0.0)]
        setattr(m.opt, field, kept)


def record(args):
    text = open(args.model, "rb").read()
    meta = {"oracle_version": mujoco.__version__, "crc32": zlib.crc32(text)}
    out = {}
    try:
        m = mujoco.MjModel.from_xml_path(args.model)
        meta["loads"] = True
    except Exception as error:  # the reference engine's message is data here
        meta["loads"] = False
        meta["error"] = str(error)
        m = None
    if m is not None and args.smooth:
        for bit in ["CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS"]:
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, "mjDSBL_" + bit)
    if m is not None:
        parts = args.parts.split(",")
        if "model" in parts:
            record_model(m, out)
        for name, kind, prefix in [("solver", mujoco.mjtSolver, "mjSOL_"), ("cone", mujoco.mjtCone, "mjCONE_")]:
            if getattr(args, name):
                setattr(m.opt, name, getattr(kind, prefix + getattr(args, name).upper()))
        try:
            if "stages" in parts and mujoco.mjtGeom.mjGEOM_SDF in m.geom_type:
                record_fields(m, out)
            if "stages" in parts:
                record_stages(m, args.states, args.seed, out)
            if "flags" in parts:
                record_flags(m, args.seed, out)
            if "trajectory" in parts:
                own = m.opt.integrator
                every = {"euler": 0, "rk4": 1, "implicit": 2, "implicitfast": 3}
                wanted = every if args.integrators == "all" else {"own": own}
                for name, number in wanted.items():
                    m.opt.integrator = number
                    record_trajectory(m, name, args.steps, args.seed, out)
                m.opt.integrator = own
                record_sleep(m, max(args.steps // 2, 100), args.seed, out)
        except mujoco.FatalError as error:  # it loads, but cannot be stepped: out of memory
            meta["step_error"] = str(error)
    pack.write(args.out, out, meta, args.compress)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("record")
    sub.add_argument("model")
    sub.add_argument("out")
    sub.add_argument("--states", type=int, default=3)
    sub.add_argument("--steps", type=int, default=100)
    sub.add_argument("--seed", type=int, default=0)
    sub.add_argument("--integrators", choices=["own", "all"], default="own")
    sub.add_argument("--parts", default="model,stages,trajectory")
    sub.add_argument("--smooth", action="store_true")
    sub.add_argument("--solver")
    sub.add_argument("--cone")
    sub.add_argument("--compress", action="store_true")
    sub.set_defaults(run=record)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    sys.exit(main())
