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
