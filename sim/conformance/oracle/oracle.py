"""The oracle: runs MuJoCo on models and records its results, one .npz file per model.

    oracle.py serve [--states K] [--steps N] [--seed S] [--integrators own|all] [--smooth] [--compress]
                    [--inputs FOLDER]

Each line of standard input is a request, the JSON list [MODEL, OUT, PARTS, PERTURBATIONS]: the parts to record
(model, stages, flags, steps, scene, trajectory), and the number of perturbed runs from which MuJoCo's own sensitivity
is determined. The answer is one line of standard output: empty when OUT has
been written, otherwise the error.

With --inputs, states are those of the recording of the same file name in FOLDER instead of random ones.

Prefixes of the array names:
    meta            JSON: version, whether the model loads, the error if not, CRC-32 of the file
    size/ opt/ stat/ model/        the compiled model
    in/             K random states and inputs, one row each
    contact/        contacts of all states, and their number per state
    efc/            constraint rows of all states, and their number per state
    out/            results of forward dynamics at each state
    fn/             functions of the state: Jacobians, products and solves with M, forces, ...
    flag/           change of the results by each flag that the model sets
    sleep/          for models with sleeping: tree_asleep at each step, and all arrays at the end
    traj/NAME/      a trajectory, and the drift of MuJoCo's own perturbed runs from it
    vis/ scene/     the abstract scene, see scene.py
    step/           states, the state one step later, and MuJoCo's own sensitivity
    spread/         largest change of arrays of model/ and out/ by rounding errors of the file and of the state
"""

import argparse
import contextlib
import copy
import json
import os
import re
import sys
import zlib

import mujoco
import numpy as np

import boxes
import derivatives
import one_step
import pack
import release
import scene
from inputs import Inputs

# Number of steps for which the controls of a trajectory are held.
HOLD = 50
# Interval of the stored states of a trajectory, in steps.
STRIDE = 10
# Largest number of entries of a recorded derivative.
MAX_DERIVATIVE = 4000
# Number of rays at each state.
RAYS = 12
# Largest number of geom pairs whose distance is recorded at each state.
PAIRS = 60
# Values of distmax, relative to the extent of the model.
DISTMAX = [0.0, 0.1, 3.0]
# Warnings of a diverged state.
DIVERGED = [getattr(mujoco.mjtWarning, "mjWARN_BADQ" + x) for x in ("POS", "VEL", "ACC")]
# Lower bound of an array's scale.
MIN_SCALE = 1e-3

STATE = [
    "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
    "mocap_pos", "mocap_quat",
]

# Arrays whose length depends on contacts or constraints, and pointers.
DYNAMIC = re.compile(r"^(contact|i?efc_.*|island_.*|i[A-Z].*|iacc.*|ifrc.*|plugin.*|timer|warning|"
                     r"solver.*|map_.*|.*_island|tendon_efcadr|bvh_active|.*awake.*|tree_asleep|"
                     r"model|signature|nefc|maxuse.*)$")

ROWS = [
    "type", "id", "pos", "margin", "frictionloss", "diagApprox", "KBIP", "D", "R", "vel", "aref",
    "state", "force",
]
# Size of the perturbations of geom poses and states; those of two engines differ by about this much.
ROUNDING = 1e-14
# Number of perturbations above which the change of every array is recorded.
SAMPLE = 5
CONTACT = [
    "geom", "dim", "exclude", "dist", "pos", "frame", "includemargin", "friction", "solref",
    "solreffriction", "solimp", "mu",
]


def arrays(struct):
    """All numeric arrays of a model or data, by name."""
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
        if release.is_new_default(name, value):
            continue
        if not name.startswith("_") and isinstance(value, (int, float, np.ndarray)):
            out["opt/" + name] = np.atleast_1d(np.asarray(value, dtype=np.float64))
    for name in ["meaninertia", "meanmass", "meansize", "extent", "center"]:
        out["stat/" + name] = np.atleast_1d(np.asarray(getattr(m.stat, name), dtype=np.float64))
    for name, value in arrays(m):
        out["model/" + name] = release.columns(name, value).reshape(-1).copy()


def record_model_spread(m, path, perturbations, out):
    """Largest change of each array of the compiled model when numbers of the file change by one rounding error."""
    text = open(path).read()
    rng = np.random.default_rng(0)

    def rounded(number):
        change = np.finfo(float).eps * int(rng.integers(-1, 2))
        return f"{float(number.group()) * (1 + change):.17g}"

    with contextlib.chdir(os.path.dirname(path)):  # other files of the model
        for _ in range(perturbations):
            changed = re.sub(r'(?<=[ "])-?\d*\.\d+(?=[ "])', rounded, text)
            try:
                other = mujoco.MjModel.from_xml_string(changed)
            except ValueError:  # rounding makes the model invalid
                continue
            near = dict(arrays(other))
            for name, value in arrays(m):
                if value.dtype.kind == "f" and value.shape == near[name].shape:
                    key = "spread/model/" + name
                    change = np.abs(value - near[name]).max(initial=0.0) / scale(value)
                    out[key] = max(out.get(key, 0.0), change)


def record_fields(m, out):
    """Signed distance fields and bounding boxes: SDF contacts need them bit-identical."""
    for name in ["oct_aabb", "oct_coeff", "bvh_aabb", "geom_aabb", "geom_size"]:
        out["model/" + name] = getattr(m, name).reshape(-1).copy()


def random_state(m, d, rng):
    """Sets a random state with non-zero velocities, controls and forces, and takes three steps."""
    mujoco.mj_resetData(m, d)
    if m.nkey and rng.random() < 0.3:
        mujoco.mj_resetDataKeyframe(m, d, rng.integers(m.nkey))
    noise = flex_noise(m)
    mujoco.mj_integratePos(m, d.qpos, noise * rng.normal(0, 0.3, m.nv), 1.0)
    d.qvel[:] = noise * rng.normal(0, 0.5, m.nv)
    d.act[:] = rng.uniform(0, 1, m.na)
    d.ctrl[:] = random_ctrl(m, rng)
    d.qfrc_applied[:] = noise * 0.1 * rng.normal(0, 1, m.nv)
    for b in range(1, m.nbody):
        if rng.random() < 0.3:
            d.xfrc_applied[b] = 0.1 * m.body_mass[b] * rng.normal(0, 1, 6)
    d.mocap_pos[:] += rng.normal(0, 0.05, d.mocap_pos.shape)
    d.mocap_quat[:] += rng.normal(0, 0.1, d.mocap_quat.shape)
    for _ in range(3):
        before = {name: getattr(d, name).copy() for name in STATE}
        time = d.time
        mujoco.mj_step(m, d)
        # a diverged state, which MuJoCo would reset before the next step
        largest = np.abs(np.concatenate([d.qpos, d.qvel])).max(initial=0.0)
        if not largest < mujoco.mjMAXVAL:
            d.time = time
            for name, value in before.items():
                getattr(d, name)[:] = value
            break


def flex_noise(m):
    """Factor of the noise of each dof: small for those of flexes, whose elements it would invert."""
    factor = np.ones(m.nv)
    for f in range(m.nflex):
        if m.flex_interp[f]:
            first, count = m.flex_nodeadr[f], m.flex_nodenum[f]
            bodies, length = m.flex_nodebodyid[first:first + count], m.flex_size[f].max()
        else:
            first, count = m.flex_vertadr[f], m.flex_vertnum[f]
            edge = m.flex_edgeadr[f]
            bodies = m.flex_vertbodyid[first:first + count]
            length = m.flexedge_length0[edge:edge + m.flex_edgenum[f]].min()
        for b in bodies:
            dofs = slice(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b])
            if m.body_dofnum[b]:
                factor[dofs] = np.minimum(factor[dofs], 0.1 * length)
    return factor


def random_ctrl(m, rng):
    """Controls within their ranges or standard normal; a sixth of the limited ones is out of range."""
    ctrl = rng.normal(0, 1, m.nu)
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = m.actuator_ctrlrange[:, 0], m.actuator_ctrlrange[:, 1]
    inside = low + (high - low) * rng.uniform(-0.1, 1.1, m.nu)
    return np.where(limited, inside, ctrl)


def record_stages(m, count, seed, perturbations, inputs, out):
    rng = np.random.default_rng(seed)
    rows, contacts, constraints = {}, [], []

    def add(name, value):
        rows.setdefault(name, []).append(np.array(value, dtype=np.float64).reshape(-1))

    for k in range(count):
        source = mujoco.MjData(m)
        random_state(m, source, rng)
        inputs.restore(source, STATE + ["eq_active"], "in/", k)
        # evaluate in new data: lazily computed arrays must not depend on previous steps
        d = mujoco.MjData(m)
        add("in/time", [source.time])
        d.time = source.time
        for name in STATE + ["eq_active"]:
            add("in/" + name, getattr(source, name))
            getattr(d, name)[:] = getattr(source, name)
        evaluate(m, d)
        for name, value in arrays(d):
            if not DYNAMIC.match(name) and name not in STATE:
                add("out/" + name, value)
        if perturbations > SAMPLE:
            for name, change in spread_of_state(m, source, d, perturbations).items():
                add("spread/out/" + name, [change])
        contacts.append(record_contacts(m, d, 2 * perturbations))
        constraints.append(record_rows(m, d))
        add("out/nefc", [d.nefc])
        if m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_FWDINV:
            compared = copy.copy(d)
            mujoco.mj_compareFwdInv(m, compared)
            add("fwdinv", compared.solver_fwdinv)
        record_functions(m, source, d, rng, perturbations, add)
    for name, values in rows.items():
        stacked = release.stack(values)
        if stacked is not None:
            out[name] = stacked
    concatenate("contact/", "dist", contacts, out)
    concatenate("efc/", "pos", constraints, out)
    out["efc/entries"] = np.array([len(table["J_value"]) for table in constraints])


def evaluate(m, d):
    """Forward dynamics, and the arrays that are computed on demand."""
    mujoco.mj_forward(m, d)
    mujoco.mj_energyPos(m, d)
    mujoco.mj_energyVel(m, d)
    mujoco.mj_subtreeVel(m, d)
    mujoco.mj_rnePostConstraint(m, d)


def perturbed_states(m, source, perturbations):
    """Results of forward dynamics at states that differ from `source` by rounding errors, in the same data."""
    rng = np.random.default_rng(0)
    near = mujoco.MjData(m)
    for _ in range(perturbations):
        mujoco.mj_resetData(m, near)
        near.time = source.time
        for name in STATE + ["eq_active"]:
            getattr(near, name)[:] = getattr(source, name)
        mujoco.mj_integratePos(m, near.qpos, rng.choice([-1.0, 1.0], m.nv), ROUNDING)
        near.qvel[:] += ROUNDING * rng.choice([-1.0, 1.0], m.nv)
        evaluate(m, near)
        yield near


def spread_of_state(m, source, d, perturbations):
    """Largest change of each array of forward dynamics under perturbations of the state by rounding errors."""
    base = {name: np.array(value, dtype=np.float64) for name, value in arrays(d)
            if not DYNAMIC.match(name) and name not in STATE}
    change = dict.fromkeys(base, 0.0)
    for near in perturbed_states(m, source, perturbations):
        for name, value in base.items():
            other = np.asarray(getattr(near, name), dtype=np.float64)
            change[name] = max(change[name], np.abs(value - other).max(initial=0.0) / scale(value))
    return change


def concatenate(prefix, measure, tables, out):
    """Concatenates the tables of all states and records the number of rows of each."""
    out[prefix + "count"] = np.array([len(table[measure]) for table in tables])
    for name in tables[0] if tables else []:
        parts = [table[name] for table in tables if table[name].size]
        out[prefix + name] = np.concatenate(parts) if parts else np.zeros(0)


def record_rows(m, d):
    """The constraint rows, and the non-zero entries of their Jacobian."""
    table = {name: np.array(release.field(d, "efc_" + name), dtype=np.float64)[:d.nefc] for name in ROWS}
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


def record_contacts(m, d, perturbations):
    """The contacts of mj_collision, before later stages modify them.

    `spread` is the largest change of distance, position and frame of each contact under perturbations of
    the geom poses; infinite if the number of contacts of the pair changes.
    """
    d = copy.copy(d)
    mujoco.mj_collision(m, d)
    objects = ["geom", "flex", "elem", "vert"] if m.nflex else ["geom"]
    table = {name: np.array(getattr(d.contact, name), dtype=np.float64) for name in CONTACT + objects[1:]}
    pairs = np.concatenate([table[name].reshape(-1, 2) for name in objects[:2]], axis=1)
    spread = np.zeros((d.ncon, 3))
    rng = np.random.default_rng(0)
    pos, mat, vertices = d.geom_xpos.copy(), d.geom_xmat.copy(), d.flexvert_xpos.copy()
    for _ in range(perturbations if d.ncon else 0):
        d.geom_xpos[:] = pos + ROUNDING * rng.normal(size=pos.shape)
        d.geom_xmat[:] = mat + ROUNDING * rng.normal(size=mat.shape)
        if m.nflex:
            d.flexvert_xpos[:] = vertices + ROUNDING * rng.normal(size=vertices.shape)
        mujoco.mj_collision(m, d)
        moved = {name: np.array(getattr(d.contact, name)) for name in objects + ["dist", "pos", "frame"]}
        moved_pairs = np.concatenate([moved[name].reshape(-1, 2) for name in objects[:2]], axis=1)
        for i, pair in enumerate(pairs):
            here = np.flatnonzero((pairs == pair).all(axis=1))
            there = np.flatnonzero((moved_pairs == pair).all(axis=1))
            if len(here) != len(there):
                spread[i] = np.inf
                continue
            same = there[i - here[0]]
            for k, name in enumerate(["dist", "pos", "frame"]):
                change = np.max(np.abs(table[name][i] - moved[name][same]))
                spread[i, k] = max(spread[i, k], change)
    table["spread"] = spread
    return table


def record_functions(m, source, d, rng, perturbations, add):
    """Functions of the state on random arguments; `d` has the results of forward dynamics at the state `source`."""
    body = int(rng.integers(m.nbody))
    point = d.xpos[body] + rng.normal(0, 0.3, 3)
    force, torque, axis = rng.normal(0, 1, (3, 3))
    x = rng.normal(0, 1, m.nv)
    arguments = {"body": [body], "point": point, "force": force, "torque": torque, "axis": axis, "x": x}
    for name, value in arguments.items():
        add("fn/" + name, value)
    base = functions_at(m, d, body, point, force, torque, axis, x)
    for name, value in base.items():
        add("fn/" + name, value)
    if perturbations > SAMPLE:
        change = dict.fromkeys(base, 0.0)
        for near in perturbed_states(m, source, perturbations // 3):
            for name, value in functions_at(m, near, body, point, force, torque, axis, x).items():
                change[name] = max(change[name], np.abs(value - base[name]).max(initial=0.0))
        for name, value in change.items():
            add("spread/fn/" + name, [value])
    derivatives.record(m, d, x, perturbations if perturbations > SAMPLE else 0, add)
    record_rays(m, d, rng, add)
    record_distances(m, d, add)


def functions_at(m, d, body, point, force, torque, axis, x):
    """Functions of the state at one state, by name."""
    nv, found = m.nv, {}

    def add(name, value):
        found[name] = np.array(value, dtype=np.float64)

    jacp, jacr = np.zeros((3, nv)), np.zeros((3, nv))
    mujoco.mj_jac(m, d, jacp, jacr, point, body)
    add("jac.jacp", jacp)
    add("jac.jacr", jacr)
    mujoco.mj_jacBody(m, d, jacp, jacr, body)
    add("jac_body.jacp", jacp)
    mujoco.mj_jacBodyCom(m, d, jacp, jacr, body)
    add("jac_body_com.jacp", jacp)
    mujoco.mj_jacSubtreeCom(m, d, jacp, body)
    # NaN for a subtree without mass, which has no centre of mass
    add("jac_subtree_com.jacp", np.nan_to_num(jacp) if m.body_subtreemass[body] == 0 else jacp)
    mujoco.mj_jacPointAxis(m, d, jacp, jacr, point, axis, body)
    add("jac_point_axis.jaca", jacr)
    mujoco.mj_jacDot(m, d, jacp, jacr, point, body)
    add("jac_dot.jacp", jacp)
    add("jac_dot.jacr", jacr)
    mujoco.mj_angmomMat(m, d, jacp, body)
    add("angmom_mat", jacp)
    if m.ngeom:
        mujoco.mj_jacGeom(m, d, jacp, jacr, body % m.ngeom)
        add("jac_geom.jacp", jacp)
        add("jac_geom.jacr", jacr)
    if m.nsite:
        mujoco.mj_jacSite(m, d, jacp, jacr, body % m.nsite)
        add("jac_site.jacp", jacp)
        add("jac_site.jacr", jacr)
    qfrc = np.zeros(nv)
    mujoco.mj_applyFT(m, d, force, torque, point, body, qfrc)
    add("apply_ft", qfrc)
    res = np.zeros(nv)
    if nv:
        mujoco.mj_mulM(m, d, res, x)
        add("mul_m", res)
        mujoco.mj_mulM2(m, d, res, x)
        add("mul_m2", res)
        sol = np.zeros((1, nv))
        mujoco.mj_solveM(m, d, sol, x.reshape(1, nv))
        add("solve_m", sol)
        mujoco.mj_solveM2(m, d, sol, x.reshape(1, nv), np.sqrt(d.qLDiagInv))
        add("solve_m2", sol)
        add("full_m", release.full_m(m, d))
        qacc = d.qacc.copy()
        d.qacc[:] = x
        mujoco.mj_rne(m, d, 1, res)
        add("rne", res)
        d.qacc[:] = qacc
        qpos = d.qpos.copy()
        mujoco.mj_integratePos(m, qpos, x, 0.7)
        add("integrate_pos", qpos)
        mujoco.mj_differentiatePos(m, res, 0.7, d.qpos, qpos)
        add("differentiate_pos", res)
        record_inverse(m, d, x, add)
    vel = np.zeros(6)
    for kind, obj in [("body", mujoco.mjtObj.mjOBJ_BODY), ("xbody", mujoco.mjtObj.mjOBJ_XBODY)]:
        mujoco.mj_objectVelocity(m, d, obj, body, vel, 1)
        add(f"object_velocity.{kind}", vel)
        mujoco.mj_objectAcceleration(m, d, obj, body, vel, 1)
        add(f"object_acceleration.{kind}", vel)
    return found


def record_rays(m, d, rng, add):
    """Rays from random points around the model to points near its geoms."""
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
    """Distances of geom pairs in both orders: all pairs of a small model, a sample of a large one."""
    rng = np.random.default_rng(m.ngeom)
    moved = copy.copy(d)
    pairs = [(a, b) for a in range(m.ngeom) for b in range(m.ngeom) if a != b]
    if len(pairs) > PAIRS:
        pairs = [pairs[k] for k in sorted(rng.choice(len(pairs), PAIRS, replace=False))]
    if not pairs:
        return
    arguments, results = [], []
    for a, b in pairs:
        found = [distance(m, d, a, b, factor * m.stat.extent) for factor in DISTMAX]
        # skip distances that contradict each other or are sensitive to rounding
        if any(abs(row[0] - min(found[-1][0], factor * m.stat.extent)) > 1e-6 for row, factor in zip(found, DISTMAX)):
            continue
        for row, factor in zip(found, DISTMAX):
            limit = factor * m.stat.extent
            if sensitive(m, d, moved, a, b, limit, row[0], rng):
                continue
            arguments.append([a, b, limit])
            results.append(row)
    # padding to the same number of rows at each state
    for rows, width in [(arguments, 3), (results, 7)]:
        rows.extend([np.full(width, -1.0)] * (len(pairs) * len(DISTMAX) - len(rows)))
    add("fn/pairs", np.array(arguments))
    add("fn/pair_distances", np.array(results))


def distance(m, d, a, b, limit):
    """The distance of two geoms and the segment between their closest points."""
    fromto = np.zeros(6)
    return np.concatenate([[mujoco.mj_geomDistance(m, d, a, b, limit, fromto)], fromto])


def sensitive(m, d, moved, a, b, limit, dist, rng):
    """Whether perturbations of the geom positions by 1e-12 change a distance by more than 1e-6.

    `moved` is a copy of `d` whose geom positions are overwritten.
    """
    for _ in range(4):
        moved.geom_xpos[:] = d.geom_xpos + 1e-12 * rng.normal(size=d.geom_xpos.shape)
        other = mujoco.mj_geomDistance(m, moved, a, b, limit, None)
        if abs(other - dist) > 1e-6 * max(abs(dist), MIN_SCALE):
            return True
    return False


def record_inverse(m, d, x, add):
    """Inverse dynamics at an acceleration, and qDeriv of the implicit integrators."""
    qacc = d.qacc.copy()
    d.qacc[:] = x
    mujoco.mj_inverse(m, d)
    add("inverse", d.qfrc_inverse)
    kept = m.opt.enableflags, m.opt.integrator
    if kept[1] != mujoco.mjtIntegrator.mjINT_RK4:
        m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
        mujoco.mj_inverse(m, d)
        add("inverse_discrete", d.qfrc_inverse)
    if m.nD <= MAX_DERIVATIVE and release.has_implicit(m):
        for name, number in [("implicit", 2), ("implicitfast", 3)]:
            m.opt.integrator = number
            stepped = copy.copy(d)
            mujoco.mj_step(m, stepped)
            reset = any(stepped.warning[kind].number for kind in DIVERGED)
            add(f"derivative.{name}", stepped.qDeriv * (np.nan if reset else 1))
    m.opt.enableflags, m.opt.integrator = kept
    # restore the results of forward dynamics
    d.qacc[:] = qacc
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)


def simulate(m, start, ctrl, steps, only_valid=False):
    """Simulates from a saved state; returns all qpos and qvel, and act and history at the end.

    Ends before MuJoCo resets a diverged state: the states after a reset do not depend on the perturbation. With
    `only_valid` it also ends before a step with a false contact of two boxes.
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
        if any(d.warning[kind].number for kind in DIVERGED) or only_valid and boxes.contradict(m, d):
            break
        qpos.append(d.qpos.copy())
        qvel.append(d.qvel.copy())
        memory = np.concatenate([d.act, d.history])
    return np.array(qpos), np.array(qvel), memory[None]


def scale(a):
    return max(np.abs(a).max(initial=0.0), MIN_SCALE)


def drift(base, other):
    """Running maximum of the distance at each step, relative to the scale of the arrays."""
    distance = np.full(len(base[0]), 1e300)  # after the end of the other trajectory
    both = min(len(base[0]), len(other[0]))
    distance[:both] = 0.0
    for a, b in zip(base, other):
        if a.size:
            far = np.abs(a[:both] - b[:both]).max(axis=1) / scale(a)
            distance[:both] = np.maximum(distance[:both], far)
    return np.maximum.accumulate(np.where(np.isfinite(distance), distance, 1e300))


def record_trajectory(m, name, steps, seed, perturbations, inputs, out):
    rng = np.random.default_rng(seed + 1)
    d = mujoco.MjData(m)
    random_state(m, d, rng)
    inputs.restore_flat(d, STATE, f"traj/{name}/start/")
    start = {name: getattr(d, name).copy() for name in STATE}
    start["time"] = d.time
    ctrl = np.array([random_ctrl(m, rng) for _ in range(steps // HOLD + 1)])
    *base, memory = simulate(m, start, ctrl, steps, only_valid=release.IS_REFERENCE)
    steps = len(base[0]) - 1
    allowed, memory_drift = np.zeros(steps + 1), np.zeros(1)

    def perturbed_run(start):
        nonlocal allowed, memory_drift
        *other, end = simulate(m, start, ctrl, steps)
        allowed = np.maximum(allowed, drift(base, other))
        memory_drift = np.maximum(memory_drift, drift([memory], [end]))

    for _ in range(perturbations):
        perturbed = {key: np.copy(value) for key, value in start.items()}
        mujoco.mj_integratePos(m, perturbed["qpos"], rng.choice([-1.0, 1.0], m.nv), 1e-12)
        perturbed["qvel"] += 1e-12 * rng.choice([-1.0, 1.0], m.nv)
        perturbed_run(perturbed)

    with one_step.converged(m):
        perturbed_run(start)

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
    """A force on one tree for five steps at half time, and a velocity of another at three quarters."""
    first, second = rng.integers(m.ntree, size=2)
    body = m.tree_bodyadr[first]
    force = m.body_subtreemass[body] * np.array([10.0, 5.0, 15.0])
    dof = m.tree_dofadr[second]
    return [steps // 2, steps // 2 + 5, body, *force, 3 * steps // 4, dof, 0.3]


def run_from_rest(m, push, steps, perturbation, only_valid=False):
    """Simulates from the perturbed reference state; returns qpos and tree_asleep at each step.

    With `only_valid` the run ends before a state with a false contact of two boxes, and is None if the first has one.
    """
    start, stop, body, fx, fy, fz, kick, dof, speed = push
    d = mujoco.MjData(m)
    if perturbation.any():
        mujoco.mj_integratePos(m, d.qpos, perturbation, 1)
    asleep, qpos = np.zeros((steps, m.ntree)), np.zeros((steps, m.nq))
    for k in range(steps):
        d.xfrc_applied[body, :3] = [fx, fy, fz] if start <= k < stop else [0, 0, 0]
        d.qvel[dof] += speed if k == kick else 0
        mujoco.mj_step(m, d)
        if only_valid and boxes.contradict(m, d):  # at the state before the step
            return (d, qpos[: k - 1], asleep[: k - 1]) if k else None
        asleep[k], qpos[k] = d.tree_asleep, d.qpos
    return d, qpos, asleep


def record_sleep(m, steps, seed, perturbations, out):
    """A run from rest: tree_asleep at each step, and all arrays at the end."""
    if not m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP or not m.ntree:
        return
    rng = np.random.default_rng(seed + 3)
    push = push_of(m, rng, steps)
    run = run_from_rest(m, push, steps + 1, np.zeros(m.nv), only_valid=release.IS_REFERENCE)
    if run is None:
        return
    _, qpos, asleep = run
    steps = min(steps, len(qpos))
    # the run ends where perturbations change tree_asleep or qpos
    can_move = m.tree_sleep_policy[m.dof_treeid] != mujoco.mjtSleepPolicy.mjSLEEP_INIT
    for _ in range(3):
        perturbation = 1e-12 * rng.choice([-1.0, 1.0], m.nv) * can_move
        _, near, other = run_from_rest(m, push, steps, perturbation)
        differs = (asleep[:steps] != other).any(axis=1) | (np.abs(qpos[:steps] - near).max(axis=1) > 1e-9)
        differs = np.flatnonzero(differs)
        steps = min(steps, differs[0] if differs.size else steps)
    d, _, asleep = run_from_rest(m, push, steps, np.zeros(m.nv))
    out["sleep/push"] = np.array(push, dtype=np.float64)
    out["sleep/asleep"] = asleep
    end = arrays_at_end(m, d)
    others = []
    for _ in range(perturbations):
        perturbation = 1e-12 * rng.choice([-1.0, 1.0], m.nv) * can_move
        others.append(arrays_at_end(m, run_from_rest(m, push, steps, perturbation)[0]))
    with one_step.converged(m):
        others.append(arrays_at_end(m, run_from_rest(m, push, steps, np.zeros(m.nv))[0]))
    for name, value in end.items():
        out["sleep/out/" + name] = value
        change = max(np.abs(value - other[name]).max(initial=0.0) for other in others)
        out["sleep/spread/" + name] = [change / scale(value)]


def arrays_at_end(m, d):
    """All arrays that are compared at the end of a run from rest, by name."""
    mujoco.mj_forward(m, d)
    found = {}
    for name, value in arrays(d):
        known = re.match(r"^(.*awake.*|tree_asleep)$", name) and not name.endswith("_ind")
        if known or not DYNAMIC.match(name):
            found[name] = np.array(value, dtype=np.float64).reshape(-1)
    return found


def outcome(m, start, ctrl, steps=20):
    """The results of a short run that a flag may change."""
    d = mujoco.MjData(m)
    for name in STATE:
        getattr(d, name)[:] = start[name]
    for _ in range(steps):
        d.ctrl[:] = ctrl
        mujoco.mj_step(m, d)
    return np.concatenate([d.qpos, d.qvel, d.sensordata, d.energy, d.solver_fwdinv])


def record_flags(m, seed, out):
    """Change of motion, sensors and energy when each flag that the model sets is cleared."""
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
            if name == "sleep":  # needs a state at rest and more steps
                rest = mujoco.MjData(m)
                state, steps = {key: getattr(rest, key).copy() for key in STATE}, 400
            with_flag = outcome(m, state, ctrl, steps)
            setattr(m.opt, field, kept & ~bit.value)
            change = outcome(m, state, ctrl, steps) - with_flag
            out["flag/" + name] = [np.abs(change).max(initial=0.0)]
        setattr(m.opt, field, kept)


def record(args, model, path, parts, perturbations):
    """Records the model file `model` into the archive `path`."""
    text = open(model, "rb").read()
    meta = {"oracle_version": mujoco.__version__, "crc32": zlib.crc32(text)}
    out = {}
    inputs = Inputs(os.path.join(args.inputs, os.path.basename(path)) if args.inputs else None)
    try:
        m = mujoco.MjModel.from_xml_path(model)
        meta["loads"] = True
    except Exception as error:  # the error message is recorded
        meta["loads"] = False
        meta["error"] = str(error)
        m = None
    if m is not None and args.smooth:
        for bit in ["CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS"]:
            m.opt.disableflags |= getattr(mujoco.mjtDisableBit, "mjDSBL_" + bit)
    if m is not None:
        if "model" in parts:
            record_model(m, out)
        if "model" in parts and perturbations > SAMPLE:
            record_model_spread(m, model, perturbations, out)
        for name, kind, prefix in [("solver", mujoco.mjtSolver, "mjSOL_"), ("cone", mujoco.mjtCone, "mjCONE_")]:
            if getattr(args, name):
                setattr(m.opt, name, getattr(kind, prefix + getattr(args, name).upper()))
        try:
            if "flags" in parts:
                record_flags(m, args.seed, out)
            # our engine has only the native library, whatever the flag: compare with that of MuJoCo, and report it
            legacy = int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
            meta["legacy_ccd"] = bool(m.opt.disableflags & legacy)
            m.opt.disableflags &= ~legacy
            if "stages" in parts and mujoco.mjtGeom.mjGEOM_SDF in m.geom_type:
                record_fields(m, out)
            if "stages" in parts:
                record_stages(m, args.states, args.seed, perturbations, inputs, out)
            if "steps" in parts:
                one_step.record(m, args.states, args.seed, perturbations, STATE, random_state, scale, out)
            if "scene" in parts:
                scene.record(m, args.states, args.seed, STATE, random_state, out)
            if "trajectory" in parts:
                own = m.opt.integrator
                every = {"euler": 0, "rk4": 1, "implicit": 2, "implicitfast": 3}
                wanted = every if args.integrators == "all" else {"own": own}
                for name, number in wanted.items():
                    m.opt.integrator = number
                    record_trajectory(m, name, args.steps, args.seed, perturbations, inputs, out)
                m.opt.integrator = own
                record_sleep(m, max(args.steps // 2, 100), args.seed, perturbations, out)
        except mujoco.FatalError as error:  # the model loads but cannot be stepped (out of memory)
            meta["step_error"] = str(error)
    # names of empty arrays show which arrays another release has
    pack.write(path, out, meta, args.compress, names_of_empty=not release.IS_REFERENCE)


def serve(args):
    """Answers requests until standard input ends."""
    # MuJoCo prints warnings to standard output, which is reserved for the answers
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            record(args, *json.loads(line))
            error = ""
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}".replace("\n", " ")
        print(error, file=answers, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("serve")
    sub.add_argument("--states", type=int, default=3)
    sub.add_argument("--steps", type=int, default=100)
    sub.add_argument("--seed", type=int, default=0)
    sub.add_argument("--integrators", choices=["own", "all"], default="own")
    sub.add_argument("--smooth", action="store_true")
    sub.add_argument("--solver")
    sub.add_argument("--cone")
    sub.add_argument("--inputs", metavar="FOLDER")
    sub.add_argument("--compress", action="store_true")
    sub.set_defaults(run=serve)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    sys.exit(main())
