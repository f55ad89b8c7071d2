"""The abstract scene: geoms, lights and cameras of mjv_updateScene, and the interaction functions.

Prefixes of the array names:
    vis/SECTION.NAME    visualization settings of the model
    scene/in/           states and inputs, one row each
    scene/data/         results of forward dynamics that the scene reads, one row for each state
    scene/contact/ scene/efc/ scene/island/      arrays of varying length, concatenated over the states
    scene/case/         arguments of mjv_updateScene: state, options, perturbation, camera, category mask, capacity
    scene/rows          all different geoms; scene/geoms has the rows of each case, scene/count their number
    scene/lights, scene/cameras, scene/lookat, scene/status       results of each case
    scene/fn/           arguments and results of the interaction functions, one row each
"""

import zlib

import mujoco
import numpy as np

# Capacity of the scenes, and number of pixels selected at each state.
MAXGEOM = 20000
PIXELS = 200
# Changes of a pixel that must not change what is selected; other pixels are not recorded.
NUDGES = [(1e-7, 0), (-1e-7, 0), (0, 1e-7), (0, -1e-7)]
# Repetitions of each interaction function at each state.
REPEATS = 8

FIELDS = [
    "xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat",
    "site_xpos", "site_xmat", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "subtree_com",
    "cdof", "cvel", "qLD", "qLDiagInv", "ten_wrapadr", "ten_wrapnum", "ten_length", "wrap_obj",
    "wrap_xpos", "sensordata", "bvh_active", "body_awake", "tree_asleep",
]
CONTACT = ["dist", "pos", "frame", "friction", "dim", "geom", "efc_address", "exclude"]
ROWS = ["type", "id", "KBIP", "force"]
GROUPS = ["geom", "site", "joint", "tendon", "actuator", "flex", "skin"]
GEOM = ["type", "dataid", "objtype", "objid", "category", "matid", "texcoord"]
GEOM_REAL = ["emission", "specular", "shininess", "reflectance", "camdist", "modelrbound", "transparent"]
LIGHT = [
    "id", "type", "texid", "headlight", "castshadow", "pos", "dir", "attenuation", "cutoff",
    "exponent", "ambient", "diffuse", "specular", "bulbradius", "intensity", "range",
]
CAMERA = [
    "pos", "forward", "up", "frustum_center", "frustum_width", "frustum_bottom", "frustum_top",
    "frustum_near", "frustum_far", "orthographic",
]
PERTURB = [
    "select", "flexselect", "skinselect", "active", "active2", "refpos", "refquat", "refselpos",
    "localpos", "localmass", "scale",
]
ABSTRACT = [
    "type", "fixedcamid", "trackbodyid", "lookat", "distance", "azimuth", "elevation", "orthographic",
]


def numbers(struct, names):
    """The named fields of a structure as one list of numbers."""
    return np.concatenate([np.atleast_1d(np.asarray(getattr(struct, n), dtype=np.float64)).reshape(-1)
                           for n in names])


def geom_row(geom):
    """A geom without its segmentation id; the label as its CRC-32."""
    label = geom.label.encode() if isinstance(geom.label, str) else bytes(geom.label)
    row = [getattr(geom, name) for name in GEOM]
    row.append(zlib.crc32(label) if label else 0)
    for name in ["size", "pos", "mat", "rgba"]:
        row.extend(getattr(geom, name).reshape(-1).tolist())
    row.extend(float(getattr(geom, name)) for name in GEOM_REAL)
    return row


def option_numbers(opt):
    groups = [getattr(opt, name + "group") for name in GROUPS]
    return np.concatenate([[opt.label, opt.frame, opt.bvh_depth, opt.flex_layer], *groups, opt.flags])


def record_visual(m, out):
    for section in ["global_", "quality", "headlight", "map", "scale", "rgba"]:
        values = getattr(m.vis, section)
        for name in dir(values):
            if not name.startswith("_"):
                key = f"vis/{section.rstrip('_')}.{name}"
                out[key] = np.atleast_1d(np.asarray(getattr(values, name), dtype=np.float64))


class Case:
    """Arguments of mjv_updateScene, initially the defaults."""

    def __init__(self, m):
        self.m = m
        self.opt = mujoco.MjvOption()
        self.pert = mujoco.MjvPerturb()
        self.cam = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(m, self.cam)
        self.catmask = int(mujoco.mjtCatBit.mjCAT_ALL)
        self.maxgeom = MAXGEOM

    def flags_on(self):
        self.opt.flags[:] = 1
        return self

    def random_perturb(self, d, rng):
        """A perturbation of a random body with random reference poses."""
        if self.m.nbody > 1:
            p = self.pert
            p.select = int(rng.integers(1, self.m.nbody))
            p.active, p.active2 = int(rng.integers(4)), int(rng.integers(4))
            p.refpos[:] = d.xipos[p.select] + 0.1 * rng.normal(size=3)
            p.refquat[:] = rng.normal(size=4)
            mujoco.mju_normalize4(p.refquat)
            p.refselpos[:] = d.xpos[p.select] + 0.2 * rng.normal(size=3)
            p.localpos[:] = 0.05 * rng.normal(size=3)
        return self

    def random_camera(self, rng):
        kinds = mujoco.mjtCamera
        kind = rng.choice([kinds.mjCAMERA_FREE, kinds.mjCAMERA_TRACKING, kinds.mjCAMERA_FIXED])
        if kind == kinds.mjCAMERA_FIXED and self.m.ncam:
            self.cam.type, self.cam.fixedcamid = int(kind), int(rng.integers(self.m.ncam))
        elif kind == kinds.mjCAMERA_TRACKING:
            self.cam.type, self.cam.trackbodyid = int(kind), int(rng.integers(self.m.nbody))
        self.cam.azimuth, self.cam.elevation = rng.uniform(-180, 180), rng.uniform(-90, 90)
        self.cam.distance *= rng.uniform(0.2, 2)
        self.cam.lookat[:] += 0.1 * self.m.stat.extent * rng.normal(size=3)
        return self

    def random_groups(self, rng):
        for name in GROUPS:
            getattr(self.opt, name + "group")[:] = rng.integers(2, size=6)
        return self

    def random(self, d, rng):
        self.opt.flags[:] = rng.integers(2, size=len(self.opt.flags))
        self.opt.label = int(rng.integers(mujoco.mjtLabel.mjNLABEL))
        self.opt.frame = int(rng.integers(mujoco.mjtFrame.mjNFRAME))
        self.opt.bvh_depth = int(rng.integers(8))
        self.catmask = int(rng.choice([7, 7, 7, 6, 5, 3]))
        return self.random_groups(rng).random_perturb(d, rng).random_camera(rng)


def cases(m, d, rng):
    """Every flag, label, frame, category and camera type; groups and perturbations at random."""
    yield Case(m)
    for flag in range(mujoco.mjtVisFlag.mjNVISFLAG):
        for on in [False, True]:
            case = Case(m).random_perturb(d, rng)
            if on:
                case.flags_on()
            case.opt.flags[flag] ^= 1
            yield case
    for label in range(mujoco.mjtLabel.mjNLABEL):
        case = Case(m).flags_on().random_perturb(d, rng)
        case.opt.label = label
        case.opt.flags[mujoco.mjtVisFlag.mjVIS_INERTIA] = label % 2
        yield case
    for frame in range(mujoco.mjtFrame.mjNFRAME):
        case = Case(m).flags_on()
        case.opt.frame = frame
        case.opt.flags[mujoco.mjtVisFlag.mjVIS_INERTIA] = frame == mujoco.mjtFrame.mjFRAME_WORLD
        yield case
    for mask in range(7):
        case = Case(m).flags_on()
        case.catmask = mask
        yield case
    for _ in range(8):
        yield Case(m).flags_on().random_groups(rng)
    for camera in range(min(m.ncam, 8)):
        case = Case(m)
        case.cam.type, case.cam.fixedcamid = int(mujoco.mjtCamera.mjCAMERA_FIXED), camera
        yield case
    for _ in range(3):
        case = Case(m)
        case.cam.type, case.cam.trackbodyid = int(mujoco.mjtCamera.mjCAMERA_TRACKING), int(rng.integers(m.nbody))
        yield case
    case = Case(m)
    case.cam.type = int(mujoco.mjtCamera.mjCAMERA_USER)
    yield case
    for active in range(1, 4):
        for active2 in range(4):
            case = Case(m).random_perturb(d, rng)
            case.pert.active, case.pert.active2 = active, active2
            yield case
    for depth in [0, 2, 5]:
        case = Case(m).flags_on()
        case.opt.bvh_depth = depth
        yield case
    case = Case(m).flags_on()
    case.maxgeom = 5
    yield case
    yield from few_cases(m, d, rng)


def few_cases(m, d, rng):
    """Default options, and random ones."""
    yield Case(m)
    for _ in range(10):
        yield Case(m).random(d, rng)


class Recorder:
    def __init__(self, m):
        self.m = m
        self.scene = mujoco.MjvScene(m, MAXGEOM)
        self.free = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(m, self.free)
        self.index, self.rows = {}, []
        self.lists = {}

    def add(self, name, value):
        self.lists.setdefault(name, []).append(np.asarray(value, dtype=np.float64).reshape(-1))

    def row(self, geom):
        row = tuple(geom_row(geom))
        if row not in self.index:
            self.index[row] = len(self.rows)
            self.rows.append(row)
        return self.index[row]

    def start(self, d, scene):
        """Sets the cameras of the scene to the free camera."""
        mujoco.mjv_updateCamera(self.m, d, self.free, scene)

    def case(self, state, d, case):
        m = self.m
        # MuJoCo reads activations out of bounds for actuators with dynamics but without activations
        if ((m.actuator_dyntype != mujoco.mjtDyn.mjDYN_NONE) & (m.actuator_actnum == 0)).any():
            case.opt.flags[mujoco.mjtVisFlag.mjVIS_ACTIVATION] = 0
        # not drawn by us: the points that SDF plugins record while they search for contacts
        if m.nplugin:
            case.opt.flags[mujoco.mjtVisFlag.mjVIS_SDFITER] = 0
        scene = self.scene if case.maxgeom == MAXGEOM else mujoco.MjvScene(m, case.maxgeom)
        self.start(d, scene)
        self.add("case/state", [state])
        self.add("case/option", option_numbers(case.opt))
        self.add("case/perturb", numbers(case.pert, PERTURB))
        self.add("case/camera", numbers(case.cam, ABSTRACT))
        self.add("case/catmask", [case.catmask])
        self.add("case/maxgeom", [case.maxgeom])
        mujoco.mjv_updateScene(m, d, case.opt, case.pert, case.cam, case.catmask, scene)
        geoms = scene.geoms[:scene.ngeom]
        # plugins add geoms of their own
        assert m.nplugin or all(geom.segid == k for k, geom in enumerate(geoms))
        self.add("count", [scene.ngeom])
        self.add("geoms", [self.row(geom) for geom in geoms])
        self.add("light_count", [scene.nlight])
        self.add("lights", np.array([numbers(light, LIGHT) for light in scene.lights[:scene.nlight]]))
        self.add("cameras", np.array([numbers(camera, CAMERA) for camera in scene.camera]))
        self.add("lookat", case.cam.lookat)
        self.add("status", [scene.status])
        if m.nflex:
            for name in ["flexvert", "flexface", "flexnormal", "flexfaceused"]:
                self.add(name, getattr(scene, name))
        if m.nskin:
            self.add("skinvert", scene.skinvert)
            self.add("skinnormal", scene.skinnormal)

    def data(self, d):
        """The arrays that the scene reads."""
        for name in FIELDS + (["flexvert_xpos", "bvh_aabb_dyn"] if self.m.nflex else []):
            self.add("data/" + name, getattr(d, name))
        self.add("ncon", [d.ncon])
        for name in CONTACT + (["flex", "elem", "vert"] if self.m.nflex else []):
            self.add("contact/" + name, getattr(d.contact, name) if d.ncon else [])
        self.add("sizes", [d.ne, d.nf, d.nl, d.nefc, d.nisland])
        for name in ROWS:
            self.add("efc/" + name, np.asarray(getattr(d, "efc_" + name)).reshape(-1)[:d.nefc * (4 if name == "KBIP" else 1)])
        islands = d.nisland > 0
        self.add("island/efc_island", d.efc_island[:d.nefc] if islands else [])
        self.add("island/island_dofadr", d.island_dofadr[:d.nisland] if islands else [])
        self.add("island/dof_island", d.dof_island if islands else [])
        self.add("island/tendon_efcadr", d.tendon_efcadr if self.m.ntendon and d.nefc else [])

    def write(self, out):
        for name, values in self.lists.items():
            stacked = len({value.size for value in values}) == 1
            out["scene/" + name] = np.stack(values) if stacked else np.concatenate(values)
        if self.rows:
            out["scene/rows"] = np.array(self.rows)


def random_pose(rng):
    quat = rng.normal(size=4)
    return rng.normal(size=3), quat / np.linalg.norm(quat)


def record_functions(r, state, d, rng):
    """Interaction functions on a scene with the free camera."""
    m, scene = r.m, r.scene
    for _ in range(REPEATS):
        r.start(d, scene)
        move_camera(r, d, rng)
        perturb(r, state, d, rng)
        transform(r, d, rng)
    # the whole scene, because the selection reads the vertices of its skins
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, r.free, mujoco.mjtCatBit.mjCAT_ALL, scene)
    select(r, state, d, rng)


def move_camera(r, d, rng):
    m, scene = r.m, r.scene
    case = Case(m).random_camera(rng)
    case.cam.orthographic = int(rng.integers(2))
    action, dx, dy = int(rng.integers(1, 8)), rng.normal(), rng.normal()
    before = numbers(case.cam, ABSTRACT)
    mujoco.mjv_moveCamera(m, action, dx, dy, scene, case.cam)
    r.add("fn/move_camera", np.concatenate([[action, dx, dy], before, numbers(case.cam, ABSTRACT)]))
    vec, forward, res = rng.normal(size=3), rng.normal(size=3), np.zeros(3)
    mujoco.mjv_alignToCamera(res, vec, forward)
    r.add("fn/align", np.concatenate([vec, forward, res]))


def perturb(r, state, d, rng):
    """A perturbation: start, motion with the mouse, resulting pose and force."""
    m, scene = r.m, r.scene
    pert = Case(m).random_perturb(d, rng).pert
    before = numbers(pert, PERTURB)
    mujoco.mjv_initPerturb(m, d, scene, pert)
    started = numbers(pert, PERTURB)
    action, dx, dy = int(rng.integers(1, 8)), 0.3 * rng.normal(), 0.3 * rng.normal()
    mujoco.mjv_movePerturb(m, d, action, dx, dy, scene, pert)
    moved = numbers(pert, PERTURB)
    kept = d.qpos.copy(), d.mocap_pos.copy(), d.mocap_quat.copy(), d.xfrc_applied.copy()
    paused = int(rng.integers(2))
    mujoco.mjv_applyPerturbPose(m, d, pert, paused)
    pose = np.concatenate([d.qpos, d.mocap_pos.reshape(-1), d.mocap_quat.reshape(-1)])
    d.xfrc_applied[:] = 0
    mujoco.mjv_applyPerturbForce(m, d, pert)
    force = d.xfrc_applied[pert.select].copy()
    d.qpos[:], d.mocap_pos[:], d.mocap_quat[:], d.xfrc_applied[:] = kept
    head = [state, action, dx, dy, paused]
    r.add("fn/perturb", np.concatenate([head, before, started, moved, force]))
    r.add("fn/pose", pose)


def transform(r, d, rng):
    """Transformations between room and model, and motion of the model."""
    m, scene = r.m, r.scene
    translate, rotate = random_pose(rng)
    scene.translate[:], scene.rotate[:], scene.scale = translate, rotate, rng.uniform(0.5, 2)
    scene.enabletransform = 1
    pos, quat = random_pose(rng)
    results = [[scene.scale], scene.translate.copy(), scene.rotate.copy(), pos, quat]
    for function in [mujoco.mjv_room2model, mujoco.mjv_model2room]:
        p, q = np.zeros(3), np.zeros(4)
        function(p, q, pos, quat, scene)
        results += [p, q]
    for function in [mujoco.mjv_cameraInModel, mujoco.mjv_cameraInRoom]:
        head = [np.zeros(3) for _ in range(3)]
        function(*head, scene)
        results += head
    results.append([mujoco.mjv_frustumHeight(scene)])
    results.append(numbers(mujoco.mjv_averageCamera(scene.camera[0], scene.camera[1]), CAMERA))
    action, dx, dy, up = int(rng.integers(1, 8)), rng.normal(), rng.normal(), rng.normal(size=3)
    up /= np.linalg.norm(up)
    mujoco.mjv_moveModel(m, action, dx, dy, up, scene)
    results += [[action, dx, dy], up, [scene.scale], scene.translate, scene.rotate]
    r.add("fn/transform", np.concatenate(results))
    scene.translate[:], scene.rotate[:], scene.scale = 0, [1, 0, 0, 0], 1


def select(r, state, d, rng):
    m, scene = r.m, r.scene
    opt = mujoco.MjvOption()
    for _ in range(PIXELS):
        aspect, x, y = 1.5, rng.random(), rng.random()

        def pick(dx=0.0, dy=0.0):
            point, ids = np.zeros((3, 1)), [np.zeros((1, 1), dtype=np.int32) for _ in range(3)]
            body = mujoco.mjv_select(m, d, opt, aspect, x + dx, y + dy, scene, point, *ids)
            return [body, ids[0][0, 0], ids[2][0, 0]], point.reshape(-1)

        found, point = pick()
        near = [pick(dx, dy) for dx, dy in NUDGES]
        smooth = all(np.abs(other - point).max() < 1e-4 * m.stat.extent for _, other in near)
        if smooth and all(ids == found for ids, _ in near):
            r.add("fn/select", np.concatenate([[state, aspect, x, y], found, point]))


def record(m, count, seed, names, random_state, out, full=True):
    """Records scenes at `count` states: at the first all cases (if `full`), at the others a few."""
    rng = np.random.default_rng(seed + 5)
    record_visual(m, out)
    r = Recorder(m)
    for state in range(count):
        source = mujoco.MjData(m)
        random_state(m, source, rng)
        d = mujoco.MjData(m)
        d.time = source.time
        r.add("in/time", [source.time])
        for name in names + ["eq_active"]:
            r.add("in/" + name, getattr(source, name))
            getattr(d, name)[:] = getattr(source, name)
        mujoco.mj_forward(m, d)
        r.data(d)
        for case in cases(m, d, rng) if state == 0 and full else few_cases(m, d, rng):
            r.case(state, d, case)
        record_functions(r, state, d, rng)
    figure = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(figure)
    r.add("fn/linergb", figure.linergb)
    r.write(out)
