"""The MuJoCo-compatible interface: arrays, named access, functions and enums equal those of the package ``mujoco``."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import sim_physics
from conftest import ARM, has

mujoco = pytest.importorskip("mujoco") if has("mujoco") else None
needs_mujoco = pytest.mark.skipif(mujoco is None, reason="needs the package mujoco as reference")
#: Arrays of MuJoCo's structures that the engine does not have, with the reason.
MISSING = {
    "MjModel": {"names_map"},
    "MjData": {
        # memory of MuJoCo's arena
        "maxuse_arena", "maxuse_con", "maxuse_efc", "maxuse_stack", "maxuse_threadstack", "narena", "nbuffer", "nplugin",
        "parena", "pbase", "pstack", "threadpool",
    },
}  # fmt: skip


def pair(xml: str = ARM) -> tuple[Any, Any, Any, Any]:
    """A model and data of both packages after some steps."""
    ours = sim_physics.MjModel.from_xml_string(xml)
    theirs = mujoco.MjModel.from_xml_string(xml)
    d, r = sim_physics.MjData(ours), mujoco.MjData(theirs)
    for package, m, x in ((sim_physics, ours, d), (mujoco, theirs, r)):
        package.mj_resetDataKeyframe(m, x, 0)
        x.ctrl[:] = [0.3, -0.2]
        package.mj_step(m, x, 20)
        package.mj_forward(m, x)
    return ours, d, theirs, r


@needs_mujoco
@pytest.mark.parametrize("name", ["MjModel", "MjData"])
def test_arrays_have_the_shapes_types_and_values_of_mujoco(name: str) -> None:
    ours_m, ours_d, theirs_m, theirs_d = pair()
    ours, theirs = (ours_m, theirs_m) if name == "MjModel" else (ours_d, theirs_d)
    compared, missing, different = 0, set(), []
    for attribute in dir(theirs):
        if attribute.startswith("_"):
            continue
        expected = getattr(theirs, attribute)
        if not isinstance(expected, (np.ndarray, int, float)):
            continue
        if not hasattr(ours, attribute):
            missing.add(attribute)
            continue
        value = getattr(ours, attribute)
        # efc_AR is computed for the dual solver only, bvh_active depends on the midphase, and the patterns of dense
        # matrices are undefined
        skipped = ("bvh_active", "efc_AR", "solver_nnz", "efc_J_", "iefc_J", "iM", "iLD", "qLU", "qDeriv", "qH")
        if isinstance(expected, np.ndarray) and not attribute.startswith(skipped):
            assert value.shape == expected.shape, attribute
            kinds = {"u1": "bi", "i1": "u", "u8": "u", "i4": "i", "f8": "f", "f4": "f", "i8": "i"}
            assert value.dtype.kind in kinds[expected.dtype.str[1:]] or value.dtype == expected.dtype, attribute
            if not np.allclose(value, expected, rtol=1e-9, atol=1e-9, equal_nan=True):
                different.append(attribute)
            compared += 1
    print(f"{name}: {compared} arrays compared, missing {sorted(missing)}, different {different}")
    assert not different
    assert compared > (350 if name == "MjModel" else 100)
    assert missing <= MISSING[name]


@needs_mujoco
def test_named_access_has_the_attributes_of_mujoco() -> None:
    ours_m, ours_d, theirs_m, theirs_d = pair()
    kinds = ["body", "joint", "geom", "site", "camera", "actuator", "sensor", "key", "numeric"]
    for ours, theirs in ((ours_m, theirs_m), (ours_d, theirs_d)):
        for kind in kinds:
            if not hasattr(theirs, kind):
                continue
            count = {"camera": 1, "site": 1, "key": 1, "numeric": 1}.get(kind, 2)
            for index in range(count):
                a, b = getattr(ours, kind)(index), getattr(theirs, kind)(index)
                for attribute in dir(b):
                    # MuJoCo's views of cdof have wrong strides, and its moments are dense
                    if attribute.startswith("_") or attribute in ("moment", "time", "cdof", "cdof_dot"):
                        continue
                    expected, value = getattr(b, attribute), getattr(a, attribute)
                    if isinstance(expected, np.ndarray):
                        assert value.shape == expected.shape, f"{kind}.{attribute}"
                        np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9, err_msg=attribute)
                    else:
                        assert value == expected, f"{kind}.{attribute}"


@needs_mujoco
def test_enums_and_constants_equal_those_of_mujoco() -> None:
    for name in dir(mujoco):
        expected = getattr(mujoco, name)
        if name.startswith("mjt"):
            members = {k: int(v) for k, v in expected.__members__.items()}
            assert {k: int(v) for k, v in getattr(sim_physics, name).__members__.items()} == members, name
        elif name.startswith("mj") and isinstance(expected, (int, float, tuple)):
            assert getattr(sim_physics, name) == expected, name
    assert str(sim_physics.mjtObj.mjOBJ_BODY) == str(mujoco.mjtObj.mjOBJ_BODY)


@needs_mujoco
def test_functions_of_model_and_data_equal_those_of_mujoco() -> None:
    ours, d, theirs, r = pair()
    rng = np.random.default_rng(0)
    nv = ours.nv
    point, vector, force = rng.normal(size=3), rng.normal(size=nv), rng.normal(size=3)

    def both(call: Any, *shapes: Any) -> None:
        results = []
        for package, m, x in ((sim_physics, ours, d), (mujoco, theirs, r)):
            outputs = [np.zeros(shape) for shape in shapes]
            value = call(package, m, x, *outputs)
            results.append((value, outputs))
        (value, outputs), (expected, references) = results
        if isinstance(expected, (int, float)):
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        for output, reference in zip(outputs, references):
            np.testing.assert_allclose(output, reference, rtol=1e-8, atol=1e-9)

    jac = (3, nv)
    both(lambda p, m, x, a, b: p.mj_jac(m, x, a, b, point, 2), jac, jac)
    both(lambda p, m, x, a, b: p.mj_jacBody(m, x, a, b, 2), jac, jac)
    both(lambda p, m, x, a, b: p.mj_jacBodyCom(m, x, a, b, 2), jac, jac)
    both(lambda p, m, x, a, b: p.mj_jacGeom(m, x, a, b, 2), jac, jac)
    both(lambda p, m, x, a, b: p.mj_jacSite(m, x, a, b, 0), jac, jac)
    both(lambda p, m, x, a: p.mj_jacSubtreeCom(m, x, a, 1), jac)
    both(lambda p, m, x, a: p.mj_angmomMat(m, x, a, 1), jac)
    both(lambda p, m, x, a, b: p.mj_jacDot(m, x, a, b, point, 2), jac, jac)
    both(lambda p, m, x, a: p.mj_fullM(m, a, x.qM), (nv, nv))
    both(lambda p, m, x, a: p.mj_mulM(m, x, a, vector), nv)
    both(lambda p, m, x, a: p.mj_solveM(m, x, a, vector[None]), (1, nv))
    both(lambda p, m, x, a: p.mj_rne(m, x, 1, a), nv)
    both(lambda p, m, x, a: p.mj_applyFT(m, x, force, force, point, 2, a), nv)
    both(lambda p, m, x, a: p.mj_objectVelocity(m, x, p.mjtObj.mjOBJ_BODY, 2, a, 1), 6)
    both(lambda p, m, x, a: p.mj_differentiatePos(m, a, 0.1, m.qpos0, x.qpos), nv)
    both(lambda p, m, x: p.mj_getTotalmass(m))
    both(lambda p, m, x, a: p.mj_contactForce(m, x, 0, a), 6)
    both(lambda p, m, x, a: p.mj_geomDistance(m, x, 0, 3, 10.0, a), 6)
    ray = (np.array([1.0, 0.0, 2.0]), np.array([0.0, 0.0, -1.0]))
    both(lambda p, m, x: p.mj_ray(m, x, *ray, None, 1, -1, np.zeros(1, dtype=np.int32)))
    both(lambda p, m, x, a: p.mj_getState(m, x, a, int(p.mjtState.mjSTATE_PHYSICS)), ours.nq + nv + ours.na)
    n = 2 * nv + ours.na
    both(lambda p, m, x, a, b: p.mjd_transitionFD(m, x, 1e-6, 1, a, b, None, None), (n, n), (n, ours.nu))
    both(lambda p, m, x: p.mj_inverse(m, x))
    np.testing.assert_allclose(d.qfrc_inverse, r.qfrc_inverse, rtol=1e-8, atol=1e-8)


@needs_mujoco
def test_math_functions_equal_those_of_mujoco() -> None:
    rng = np.random.default_rng(1)
    q = [v / np.linalg.norm(v) for v in rng.normal(size=(3, 4))]
    v = rng.normal(size=(3, 3))
    mat = rng.normal(size=(3, 3))
    calls = {
        "mju_rotVecQuat": ([3], v[0], q[0]), "mju_mulQuat": ([4], q[0], q[1]), "mju_negQuat": ([4], q[0]),
        "mju_axisAngle2Quat": ([4], v[0], 0.3), "mju_quat2Mat": ([9], q[0]), "mju_subQuat": ([3], q[0], q[1]),
        "mju_quat2Vel": ([3], q[0], 0.1), "mju_derivQuat": ([4], q[0], v[0]), "mju_quatZ2Vec": ([4], v[0]),
        "mju_mulPose": ([3, 4], v[0], q[0], v[1], q[1]), "mju_negPose": ([3, 4], v[0], q[0]),
        "mju_trnVecPose": ([3], v[0], q[0], v[1]), "mju_euler2Quat": ([4], v[0], "xyz"),
        "mju_cross": ([3], v[0], v[1]), "mju_mulMatVec3": ([3], mat.ravel(), v[0]),
        "mju_mulMatTVec3": ([3], mat.ravel(), v[0]), "mju_addScl3": ([3], v[0], v[1], 0.5),
        "mju_mulMatMat": ([(3, 3)], mat, mat), "mju_mulMatVec": ([3], mat, v[0]), "mju_transpose": ([(3, 3)], mat),
        "mju_transformSpatial": ([6], np.r_[v[0], v[1]], 1, v[1], v[2], np.eye(3).ravel()),
    }  # fmt: skip
    for name, (shapes, *arguments) in calls.items():
        results = []
        for package in (sim_physics, mujoco):
            outputs = [np.zeros(shape) for shape in shapes]
            getattr(package, name)(*outputs, *arguments)
            results.append(outputs)
        for output, expected in zip(*results):
            np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-14, err_msg=name)
    for name in ("mju_dot3", "mju_dist3"):
        assert getattr(sim_physics, name)(v[0], v[1]) == pytest.approx(getattr(mujoco, name)(v[0], v[1]))


@needs_mujoco
def test_rollout_equals_that_of_mujoco() -> None:
    from mujoco import rollout as reference

    ours, d, theirs, r = pair()
    rng = np.random.default_rng(2)
    n = sim_physics.mj_stateSize(ours, int(sim_physics.mjtState.mjSTATE_FULLPHYSICS))
    state = np.zeros(n)
    sim_physics.mj_getState(ours, d, state, int(sim_physics.mjtState.mjSTATE_FULLPHYSICS))
    initial = np.tile(state, (4, 1))
    control = rng.uniform(-1, 1, size=(4, 10, ours.nu))
    datas = [sim_physics.MjData(ours) for _ in range(2)]
    states, sensors = sim_physics.rollout.rollout(ours, datas, initial, control)
    expected, expected_sensors = reference.rollout(theirs, mujoco.MjData(theirs), initial, control)
    assert states.shape == expected.shape and sensors.shape == expected_sensors.shape
    np.testing.assert_allclose(states, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(sensors, expected_sensors, rtol=1e-9, atol=1e-9)


def test_views_show_and_set_the_memory_of_the_engine(model: Any, data: Any) -> None:
    qpos = data.qpos
    assert data.qpos is qpos and qpos.flags.writeable and not qpos.flags.owndata
    qpos[0] = 0.25
    assert data.joint("shoulder").qpos[0] == 0.25
    data.joint("shoulder").qpos = 0.5
    assert qpos[0] == 0.5
    data.qvel = 1.0
    assert (data.qvel == 1.0).all()
    before = qpos.copy()
    sim_physics.mj_step(model, data)
    assert not np.array_equal(qpos, before) and data._is_in_place()
    model.opt.gravity[:] = 0.0
    assert (model.opt.gravity == 0.0).all()
    model.body("ball").mass = 2.0
    assert model.body_mass[3] == 2.0


def test_changed_frames_and_types_take_effect_in_the_next_step(model: Any, data: Any) -> None:
    sim_physics.mj_forward(model, data)
    before = data.site("hand").xpos.copy()
    model.site_pos[0, 2] += 0.1
    model.body("lower").pos[1] += 0.2
    sim_physics.mj_forward(model, data)
    np.testing.assert_allclose(data.site("hand").xpos - before, [0.0, 0.2, 0.1], atol=1e-12)
    model.geom_type[3] = int(sim_physics.mjtGeom.mjGEOM_BOX)
    model.geom_size[3] = 0.05
    sim_physics.mj_step(model, data, 300)
    assert data.body("ball").xpos[2] == pytest.approx(0.05, abs=5e-3)
    model.geom_contype[:] = 0
    model.geom_conaffinity[:] = 0
    sim_physics.mj_step(model, data, 2)
    assert data.ncon == 0


def test_copies_and_pickles_continue_identically(model: Any, data: Any) -> None:
    data.ctrl[:] = 0.4
    sim_physics.mj_step(model, data, 100)
    clones = [copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))]
    assert clones[0].model is model and clones[1].model is not model
    for clone in clones:
        assert clone.ncon == data.ncon and np.array_equal(clone.efc_J, data.efc_J)
        assert np.array_equal(clone.contact.pos, data.contact.pos)
    sim_physics.mj_step(model, data, 50)
    for clone in clones:
        sim_physics.mj_step(clone.model, clone, 50)
        assert np.array_equal(clone.qpos, data.qpos)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.body_mass, model.body_mass) and again.body("ball").id == 3


def test_models_are_saved_and_loaded(model: Any, tmp_path: Any) -> None:
    path = tmp_path / "arm.mjb"
    sim_physics.mj_saveModel(model, str(path))
    again = sim_physics.MjModel.from_binary_path(str(path))
    assert again.nq == model.nq and path.stat().st_size == sim_physics.mj_sizeModel(model)


def test_contacts_are_a_sequence_and_arrays(model: Any, data: Any) -> None:
    sim_physics.mj_step(model, data, 300)
    contacts = data.contact
    assert len(contacts) == data.ncon >= 1
    first = contacts[0]
    assert {first.geom1, first.geom2} == set(contacts.geom[0]) and first.pos.shape == (3,)
    assert [c.dist for c in contacts] == list(contacts.dist) and contacts[-1] == contacts[data.ncon - 1]
    assert len(contacts[:1]) == 1
    with pytest.raises(IndexError):
        contacts[data.ncon]


def test_assets_are_read_from_memory() -> None:
    xml = "<mujoco><include file='part.xml'/></mujoco>"
    part = b"<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    assert sim_physics.MjModel.from_xml_string(xml, {"part.xml": part}).nv == 1
    assert sim_physics.MjModel.from_xml_string(xml.encode(), {"part.xml": part.decode()}).nv == 1


def test_callbacks_see_the_data_of_the_step(model: Any, data: Any) -> None:
    times = []

    def control(m: Any, d: Any) -> None:
        times.append(d.time)
        d.ctrl[0] = 0.5 * d.qpos[0] + 0.1

    sim_physics.set_mjcb_control(control)
    try:
        assert sim_physics.get_mjcb_control() is control
        sim_physics.mj_step(model, data, 3)
        assert times == pytest.approx([0.0, 0.002, 0.004]) and data.ctrl[0] != 0.0

        def broken(m: Any, d: Any) -> None:
            raise RuntimeError("broken callback")

        sim_physics.set_mjcb_control(broken)
        with pytest.raises(RuntimeError, match="broken callback"):
            sim_physics.mj_step(model, data)
    finally:
        sim_physics.set_mjcb_control(None)
    count = len(times)
    sim_physics.mj_step(model, data)
    assert len(times) == count


def test_banded_sparse_and_constrained_matrices(rng: np.random.Generator) -> None:
    n, nband, ndense = 7, 3, 2
    pattern = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < nband
    pattern[-ndense:], pattern[:, -ndense:] = True, True
    dense = np.where(pattern, rng.normal(size=(n, n)), 0.0)
    dense = dense @ dense.T * pattern + 20 * np.eye(n)
    band = np.zeros((n - ndense) * nband + ndense * n)
    sim_physics.mju_dense2Band(band, dense, n, nband, ndense)
    again, vectors, product = np.zeros((n, n)), rng.normal(size=(2, n)), np.zeros((2, n))
    sim_physics.mju_band2Dense(again, band, n, nband, ndense, 1)
    np.testing.assert_array_equal(again, dense)
    sim_physics.mju_bandMulMatVec(product, band, vectors, n, nband, ndense, 2, 1)
    np.testing.assert_allclose(product, vectors @ dense)
    assert all(band[sim_physics.mju_bandDiag(i, n, nband, ndense)] == dense[i, i] for i in range(n))
    assert sim_physics.mju_cholFactorBand(band, n, nband, ndense, 0.5, 0.0) > 0
    solution = np.zeros(n)
    sim_physics.mju_cholSolveBand(solution, band, vectors[0], n, nband, ndense)
    np.testing.assert_allclose((dense + 0.5 * np.eye(n)) @ solution, vectors[0])
    with pytest.raises(sim_physics.ShapeError):
        sim_physics.mju_band2Dense(again, band[1:], n, nband, ndense, 1)

    values, rownnz, rowadr = np.zeros(n * n), np.zeros(n, np.int32), np.zeros(n, np.int32)
    colind = np.zeros(n * n, np.int32)
    assert sim_physics.mju_dense2sparse(values, dense, rownnz, rowadr, colind) == 0
    sim_physics.mju_sparse2dense(again, values, rownnz, rowadr, colind)
    np.testing.assert_array_equal(again, dense)
    assert sim_physics.mju_dense2sparse(np.zeros(3), dense, rownnz, rowadr, colind) == 1

    # the gradient vanishes at free coordinates and points outwards at clamped ones
    x, factor, index, g = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32), 30 * rng.normal(size=n)
    free = sim_physics.mju_boxQP(x, factor, index, dense, g, -np.ones(n), np.ones(n))
    gradient = dense @ x + g
    assert 0 < free < n and np.abs(gradient[index[:free]]).max() < 1e-9
    clamped = np.setdiff1d(np.arange(n), index[:free])
    assert (gradient[clamped] * x[clamped] < 0).all() and (np.abs(x) <= 1).all()


def test_force_pyramids_are_inverse() -> None:
    force, mu, pyramid, again = np.array([5.0, 0.3, -0.2]), np.array([0.8, 0.7]), np.zeros(4), np.zeros(3)
    sim_physics.mju_encodePyramid(pyramid, force, mu)
    sim_physics.mju_decodePyramid(again, pyramid, mu)
    np.testing.assert_allclose(again, force)
    assert (pyramid >= 0).all()


def test_named_views_are_the_same_object() -> None:
    model = sim_physics.MjModel.from_xml_string(ARM)
    data = sim_physics.MjData(model)
    assert model.body("upper") is model.body(1) and data.joint("elbow").qpos is data.joint("elbow").qpos
    data.joint("elbow").qpos = 0.25
    assert data.qpos[model.joint("elbow").qposadr[0]] == 0.25


def test_the_clock_callback_times_stages() -> None:
    model = sim_physics.MjModel.from_xml_string(ARM)
    data = sim_physics.MjData(model)
    ticks = iter(range(10**6))
    try:
        sim_physics.set_mjcb_time(lambda: float(next(ticks)))
        sim_physics.mj_step(model, data)
        assert data.timer[sim_physics.mjtTimer.mjTIMER_STEP].duration > 0
        sim_physics.set_mjcb_time(lambda: "now")
        with pytest.raises(TypeError, match="number"):
            sim_physics.mj_step(model, data)
        with pytest.raises(TypeError):
            sim_physics.set_mjcb_time(3)
    finally:
        sim_physics.set_mjcb_time(None)
