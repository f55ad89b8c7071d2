"""The typed interface: ``Simulation``, ``BatchSim``, ``Chain``, ``Solver`` and ``Renderer``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sim_physics
from conftest import ARM


def test_a_simulation_is_accessed_by_name() -> None:
    sim = sim_physics.Simulation.from_xml(ARM)
    sim.reset("home")
    assert sim.joint_pos("elbow")[0] == -0.5
    sim.set_ctrl("push", 0.2)
    sim.step(10)
    assert sim.time == pytest.approx(10 * sim.timestep) and sim.ctrl("push") == 0.2
    assert sim.site_pos("hand").shape == (3,) and sim.sensor("angle").shape == (1,)
    assert np.isfinite(sim.energy).all()
    assert "elbow" in sim.names("joint")
    with pytest.raises(sim_physics.UnknownNameError):
        sim.reset("hone")


def test_a_saved_state_is_restored_bit_for_bit() -> None:
    sim = sim_physics.Simulation.from_xml(ARM)
    sim.set_joint_vel("free", [1, 0, 2, 0, 3, 0])
    sim.step(50)
    state = sim.save()
    sim.step(50)
    expected = sim.data.qpos.copy()
    sim.restore(state)
    sim.step(50)
    assert np.array_equal(sim.data.qpos, expected)


def test_batches_in_lanes_agree_with_single_simulations(model: Any) -> None:
    ctrl = 0.1 * np.arange(10 * model.nu).reshape(10, model.nu)
    scalar = sim_physics.BatchSim(model, 10, threads=1)
    expected = scalar.step(ctrl, nstep=20)["states"]
    assert not scalar.steps_in_lanes
    for threads in (1, 2, 3):
        batch = sim_physics.BatchSim(model, 10, threads=threads, lanes=True)
        states = batch.step(ctrl, nstep=20)["states"]
        assert np.allclose(states, expected, rtol=0, atol=1e-9)
        first = states if threads == 1 else first
        assert np.array_equal(states, first)
    assert isinstance(batch.steps_in_lanes, bool)


LEGGED = """<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".1" fromto="-.2 0 0 .2 0 0"/>
    <body pos=".2 0 0"><joint name="a" axis="0 1 0" range="-60 60" limited="true" damping="1"/>
      <geom type="capsule" size=".05" fromto="0 0 -.1 0 .1 -.4"/></body></body></worldbody>
  <actuator><motor joint="a" gear="20"/></actuator></mujoco>"""


def test_rollouts_in_lanes_agree_with_the_scalar_engine() -> None:
    model = sim_physics.MjModel.from_xml_string(LEGGED)
    datas = [sim_physics.MjData(model) for _ in range(3)]
    rng = np.random.default_rng(1)
    start = np.concatenate([[0.0], datas[0].qpos, datas[0].qvel])
    initial = np.tile(start, (21, 1)) + rng.uniform(-0.1, 0.1, (21, start.size))
    warmstart = rng.uniform(-1, 1, (21, model.nv))
    spec = int(sim_physics.mjtState.mjSTATE_CTRL | sim_physics.mjtState.mjSTATE_QFRC_APPLIED)
    control = rng.uniform(-1, 1, (21, 60, model.nu + model.nv))
    run = sim_physics.rollout.rollout
    arguments: dict[str, Any] = {"control_spec": spec, "initial_warmstart": warmstart}
    expected, _ = run(model, datas, initial, control, **arguments)
    first, _ = run(model, datas[:1], initial, control, lanes=True, **arguments)
    assert np.allclose(first, expected, rtol=0, atol=1e-8) and not np.array_equal(first, expected)
    for threads in (2, 3):
        states, sensors = run(model, datas[:threads], initial, control, lanes=True, **arguments)
        assert np.array_equal(states, first) and sensors.shape == (21, 60, 0)
    # without controls
    expected, _ = run(model, datas[0], initial, nstep=30)
    states, _ = run(model, datas[0], initial, nstep=30, lanes=True)
    assert np.allclose(states, expected, rtol=0, atol=1e-8)


def test_batches_equal_single_simulations(model: Any) -> None:
    batch = sim_physics.BatchSim(model, 3, threads=2, time_limit=1.0)
    ctrl = np.array([[0.1, 0.0], [0.2, 0.1], [-0.3, 0.2]])
    result = batch.step(ctrl, nstep=20)
    for k in range(3):
        data = sim_physics.MjData(model)
        data.ctrl[:] = ctrl[k]
        sim_physics.mj_step(model, data, 20)
        assert np.array_equal(result["states"][k], np.concatenate([data.qpos, data.qvel]))
    assert batch.get("xpos").shape == (3, model.nbody, 3)
    batch.vary(1, body_mass=model.body_mass * 2)
    batch.reset()
    batch.set("qvel", np.ones((3, model.nv)))
    states = batch.step()["states"]
    assert not np.array_equal(states[0], states[1])
    with pytest.raises(sim_physics.ShapeError):
        batch.step(np.zeros((2, 2)))
    with pytest.raises(sim_physics.UnknownNameError, match="'qpos'"):
        batch.get("qposs")


def test_inverse_kinematics_reaches_a_target(model: Any) -> None:
    chain = sim_physics.Chain(model, "hand")
    solver = sim_physics.Solver(chain, position_tolerance=1e-8)
    solution = solver.solve(model.qpos0, pos=[0.5, 0.0, 0.8])
    assert solution.converged, solution
    pos, quat = chain.forward(solution.qpos)
    np.testing.assert_allclose(pos, [0.5, 0.0, 0.8], atol=1e-6)
    assert chain.jacobian(solution.qpos).shape == (6, 2) and quat.shape == (4,)
    far = solver.solve(model.qpos0, pos=[5.0, 0.0, 0.0])
    assert not far.converged and "out of reach" in far.status
    with pytest.raises(sim_physics.UnknownNameError, match="hand"):
        sim_physics.Chain(model, "hamd")


def test_images_show_the_model(model: Any, data: Any) -> None:
    sim_physics.mj_forward(model, data)
    with sim_physics.Renderer(model, height=48, width=64) as renderer:
        renderer.update_scene(data, camera="side")
        image = renderer.render()
        assert image.shape == (48, 64, 3) and image.dtype == np.uint8 and np.unique(image).size > 5
        renderer.enable_depth_rendering()
        depth = renderer.render()
        assert depth.shape == (48, 64) and 1.0 < depth.min() < 4.0
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        ids = renderer.render()
        assert ids.shape == (48, 64, 2) and int(sim_physics.mjtObj.mjOBJ_GEOM) in ids[..., 1]
        with pytest.raises(sim_physics.UnknownNameError):
            renderer.update_scene(data, camera="sied")
