"""Wrong shapes, types, names, files and states raise exceptions that say what to do."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import sim_physics


def test_wrong_shapes_name_the_expected_shape(model: Any, data: Any) -> None:
    with pytest.raises(sim_physics.ShapeError, match=r"jacp should be of shape \(3, nv\) = \[3, 8\]"):
        sim_physics.mj_jac(model, data, np.zeros((3, 3)), None, np.zeros(3), 1)
    with pytest.raises(sim_physics.ShapeError, match="point should have 3 values, but has 2"):
        sim_physics.mj_jac(model, data, np.zeros((3, model.nv)), None, np.zeros(2), 1)
    with pytest.raises(ValueError, match="could not broadcast"):
        data.qpos = np.zeros(3)
    with pytest.raises(sim_physics.ShapeError):
        sim_physics.mj_setState(model, data, np.zeros(3), int(sim_physics.mjtState.mjSTATE_QPOS))
    with pytest.raises(sim_physics.ShapeError, match="trailing dimension"):
        sim_physics.rollout.rollout(model, data, np.zeros((1, 3)))
    assert issubclass(sim_physics.ShapeError, (ValueError, TypeError))


def test_wrong_types_name_the_expected_type(model: Any, data: Any) -> None:
    with pytest.raises(sim_physics.DTypeError, match="float64, not float32"):
        sim_physics.mj_jac(model, data, np.zeros((3, model.nv), dtype=np.float32), None, np.zeros(3), 1)
    with pytest.raises(TypeError):
        sim_physics.mj_step(data, model)
    with pytest.raises(TypeError, match="name or an index"):
        model.body(1.5)
    with pytest.raises((TypeError, ValueError)):
        data.qpos = "text"
    with pytest.raises(ValueError, match="read-only"):
        data.efc_type[...] = 0
    read_only = np.zeros((3, model.nv))
    read_only.setflags(write=False)
    with pytest.raises(ValueError, match="cannot write"):
        sim_physics.mj_jac(model, data, read_only, None, np.zeros(3), 1)


def test_unknown_names_list_the_nearest_ones(model: Any, data: Any) -> None:
    with pytest.raises(KeyError, match="'upper'"):
        model.body("uper")
    with pytest.raises(sim_physics.UnknownNameError, match="'elbow'"):
        data.joint("elbo")
    with pytest.raises(AttributeError, match="'xpos'"):
        data.body("upper").xpoz
    with pytest.raises(IndexError, match="Valid indices from 0 to 3"):
        model.body(7)
    with pytest.raises(AttributeError):
        data.quos
    with pytest.raises(AttributeError):
        data.quos = 1
    assert sim_physics.mj_name2id(model, sim_physics.mjtObj.mjOBJ_BODY, "uper") == -1
    assert sim_physics.mj_id2name(model, sim_physics.mjtObj.mjOBJ_BODY, 99) is None


def test_errors_of_files_have_file_line_and_column(tmp_path: Any) -> None:
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n  <worldbody>\n    <geom sise='1'/>\n  </worldbody>\n</mujoco>")
    with pytest.raises(sim_physics.XMLError) as caught:
        sim_physics.MjModel.from_xml_path(str(path))
    error = caught.value
    assert isinstance(error, ValueError) and error.line == 3 and error.column == 11
    assert error.file is not None and error.file.endswith("bad.xml") and "did you mean `size`?" in str(error)
    assert error.errors[0]["element"] == "geom" and error.errors[0]["attribute"] == "sise"
    assert pickle.loads(pickle.dumps(error)).line == 3
    with pytest.raises(sim_physics.XMLError, match="cannot read the file"):
        sim_physics.MjModel.from_xml_path(str(tmp_path / "missing.xml"))
    (tmp_path / "bad.mjb").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a compiled model"):
        sim_physics.MjModel.from_binary_path(str(tmp_path / "bad.mjb"))
    with pytest.raises(FileNotFoundError):
        sim_physics.MjModel.from_binary_path(str(tmp_path / "missing.mjb"))


def test_a_diverged_state_is_reset_or_raises(model: Any, data: Any) -> None:
    data.qvel[0] = np.nan
    sim_physics.mj_step(model, data)
    assert data.warning[sim_physics.mjtWarning.mjWARN_BADQVEL].number == 1
    assert np.isfinite(data.qpos).all() and data.time == pytest.approx(model.opt.timestep)
    model.opt.disableflags |= int(sim_physics.mjtDisableBit.mjDSBL_AUTORESET)
    data.qvel[0] = np.nan
    with pytest.raises(sim_physics.DivergedError, match="diverged"):
        sim_physics.mj_step(model, data)


def test_a_diverging_rollout_repeats_its_last_state(model: Any, data: Any) -> None:
    spec = int(sim_physics.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros((1, sim_physics.mj_stateSize(model, spec)))
    sim_physics.mj_getState(model, data, state[0], spec)
    state[0, 1 + model.nq] = 1e12
    states, _ = sim_physics.rollout.rollout(model, data, state, nstep=20)
    assert np.isfinite(states).all()
    batch = sim_physics.BatchSim(model, 2)
    for _ in range(3):
        batch.step(np.full((2, model.nu), np.nan))
    assert np.isfinite(batch.get("qpos")).all()


@pytest.mark.parametrize("text", ["", "<mujoco", "<model/>", "<mujoco><worldbody><body/></worldbody>", "\x00", "nothing"])
def test_text_that_is_no_model_raises(text: str) -> None:
    for load in (sim_physics.MjModel.from_xml_string, sim_physics.MjSpec.from_string):
        with pytest.raises(ValueError):
            load(text)


def test_a_directory_is_no_model(tmp_path: Any) -> None:
    with pytest.raises(ValueError):
        sim_physics.MjModel.from_xml_path(str(tmp_path))
    with pytest.raises(OSError):
        sim_physics.MjModel.from_binary_path(str(tmp_path))


def test_invalid_indices_and_types_are_rejected_before_the_step(model: Any, data: Any) -> None:
    model.geom_bodyid[0] = 1000
    with pytest.raises(ValueError, match="geom_bodyid"):
        sim_physics.mj_step(model, data)
    model.geom_bodyid[0] = 0
    sim_physics.mj_step(model, data)
    model.geom_type[0] = 77
    with pytest.raises(ValueError, match="geom_type"):
        sim_physics.mj_step(model, data)
    model.geom_type[0] = 0
    sim_physics.mj_step(model, data)
    with pytest.raises(ValueError, match="integrator has no value 55"):
        model.opt.integrator = 55
    with pytest.raises(ValueError, match="integer"):
        model.opt.iterations = 1.5


def test_data_of_another_model_is_rejected(model: Any, data: Any) -> None:
    other = sim_physics.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    with pytest.raises(ValueError, match="other sizes"):
        sim_physics.mj_step(other, data)


def test_a_panic_becomes_an_exception(model: Any, data: Any) -> None:
    with pytest.raises(sim_physics.FatalError, match="test of a panic"):
        sim_physics._core._panic(model, data)
    sim_physics.mj_step(model, data)
    assert data._is_in_place()
