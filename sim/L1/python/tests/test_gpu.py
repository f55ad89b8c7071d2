"""Batches on a GPU, their tensors and environments. The tests are skipped without a GPU driver, those of tensors without
PyTorch, and those of shared memory without CUDA."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import sim_physics

gpu = pytest.importorskip("sim_physics.gpu", reason="the package was built without the feature `gpu`", exc_type=ImportError)
ADAPTERS = gpu.adapters()
needs_driver = pytest.mark.skipif(not ADAPTERS, reason="needs a Vulkan driver, such as mesa-vulkan-drivers")

CART = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="x" type="slide" axis="1 0 0" damping="1"/>
      <geom type="box" size=".2 .1 .1" contype="0" conaffinity="0"/>
      <body name="pole"><joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".03" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="x" gear="10" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""
COUNT = 4


@pytest.fixture(scope="module")
def cart() -> sim_physics.MjModel:
    return sim_physics.MjModel.from_xml_string(CART)


def tilted(count: int = COUNT) -> np.ndarray:
    """States with different angles."""
    state = np.zeros((count, 4))
    state[:, 1] = np.linspace(-0.2, 0.2, count)
    return state


def on_cpu(model: sim_physics.MjModel, state: np.ndarray, ctrl: np.ndarray, steps: int) -> np.ndarray:
    """States after a number of steps on the CPU."""
    result = np.empty_like(state)
    for k, row in enumerate(state):
        data = sim_physics.MjData(model)
        data.qpos[:], data.qvel[:], data.ctrl[:] = row[: model.nq], row[model.nq :], ctrl[k]
        sim_physics.mj_step(model, data, steps)
        result[k] = np.concatenate([data.qpos, data.qvel])
    return result


def test_the_module_can_be_imported_without_a_driver() -> None:
    program = """
import sim_physics, sim_physics.gpu
assert sim_physics.gpu.adapters() == [], sim_physics.gpu.adapters()
model = sim_physics.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
try:
    sim_physics.gpu.GpuBatch(model, 2)
except sim_physics.UnsupportedError as error:
    assert "mesa-vulkan-drivers" in str(error), error
else:
    raise AssertionError("a batch without a driver")
"""
    environment = {**os.environ, "VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, timeout=120)


@needs_driver
def test_states_agree_with_the_cpu(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, COUNT, zero_copy=False)
    ctrl = np.linspace(-1, 1, COUNT)[:, None]
    batch.set_state(tilted())
    batch.set_ctrl(ctrl)
    batch.step(10)
    np.testing.assert_allclose(batch.state(), on_cpu(cart, tilted(), ctrl, 10), atol=2e-4)
    assert batch.info()["episode_steps"].tolist() == [10] * COUNT
    assert not batch.info()["diverged"].any()


@needs_driver
def test_arrays_have_names_and_are_copies_without_shared_memory(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, COUNT, zero_copy=False)
    assert not batch.zero_copy and batch.zero_copy_reason == "zero_copy is False" and batch.cuda_device is None
    batch.set_state(tilted())
    batch.set_ctrl(np.full((COUNT, 1), 0.5))
    batch.step(2)
    assert batch.qpos.shape == batch.qvel.shape == (COUNT, 2) and batch.qpos.dtype == np.float32
    np.testing.assert_array_equal(np.hstack([batch.qpos, batch.qvel]), batch.state().astype(np.float32))
    np.testing.assert_allclose(batch.ctrl, 0.5)
    np.testing.assert_allclose(batch.time, 0.02, rtol=1e-6)
    assert batch.sensordata.shape == (COUNT, 1) and batch.reward.shape == (COUNT, 1) and batch.act.shape == (COUNT, 0)
    assert batch.array("info").dtype == np.int32 and batch.array("episode_steps").tolist() == [[2]] * COUNT
    with pytest.raises(sim_physics.UnknownNameError, match="qvel"):
        batch.array("qve")


@needs_driver
def test_copies_are_asynchronous(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, COUNT, zero_copy=False)
    state = np.zeros((COUNT, batch.row_len("state")), dtype=np.float32)
    state[:, 1:5] = tilted()
    batch.write("state", state)
    batch.write("input", np.ones((COUNT, 1), dtype=np.float32))
    arrays = [np.empty((COUNT, batch.row_len(name)), dtype) for name, dtype in (("state", np.float32), ("output", np.float32), ("info", np.int32))]
    assert not batch.fetch(*arrays)
    for _ in range(2):
        batch.step(3)
        assert batch.request()
    assert not batch.request()
    times = []
    while batch.fetch(*arrays):
        times.append(float(arrays[0][0, 0]))
    np.testing.assert_allclose(times, [0.03, 0.06], rtol=1e-5)
    np.testing.assert_allclose(arrays[0][:, 1:5], on_cpu(cart, tilted(), np.ones((COUNT, 1)), 6), atol=2e-4)
    with pytest.raises(sim_physics.ShapeError):
        batch.fetch(arrays[0][:1].copy(), arrays[1], arrays[2])


@needs_driver
def test_a_task_in_the_kernel_restarts_episodes(cart: sim_physics.MjModel) -> None:
    task = "fn reward() -> real { return qpos(1u); } fn terminated() -> bool { return abs(qpos(1u)) > 0.15; }"
    batch = gpu.GpuBatch(cart, COUNT, task=task, zero_copy=False)
    batch.set_initial_states([0, 0.01, 0, 0])
    batch.set_state(tilted())
    batch.step()
    info = batch.info()
    assert info["terminated"].tolist() == [True, False, False, True] and info["resets"].tolist() == [1, 0, 0, 1]
    np.testing.assert_allclose(batch.rewards(), tilted()[:, 1], atol=0.01)
    np.testing.assert_allclose(batch.qpos[0], [0, 0.01], atol=1e-6)


@needs_driver
def test_environments_have_their_own_parameters(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, 2, zero_copy=False)
    mass = np.stack([cart.body_mass, 2 * cart.body_mass])
    batch.randomize(body_mass=mass)
    batch.set_ctrl([[1.0], [1.0]])
    batch.step(10)
    assert batch.qvel[0, 0] > 1.2 * batch.qvel[1, 0]
    with pytest.raises(sim_physics.ShapeError, match="2 rows"):
        batch.randomize(body_mass=cart.body_mass)
    with pytest.raises(sim_physics.UnknownNameError, match="body_mass"):
        batch.randomize(body_mas=mass)


@needs_driver
def test_errors_say_what_to_do(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, 2, zero_copy=False)
    with pytest.raises(sim_physics.ShapeError, match=r"\(2, 1\)"):
        batch.set_ctrl([1.0, 2.0, 3.0])
    with pytest.raises(sim_physics.ShapeError, match="state"):
        batch.write("state", np.zeros((2, 3), dtype=np.float32))
    with pytest.raises(ValueError, match="'state' or 'input'"):
        batch.write("info", np.zeros((2, 8), dtype=np.float32))
    with pytest.raises(ValueError, match="at least 1"):
        gpu.GpuBatch(cart, 0)
    with pytest.raises(sim_physics.UnsupportedError, match="whose name contains"):
        gpu.GpuBatch(cart, 2, adapter="no such adapter")
    no_iterations = sim_physics.MjModel.from_xml_string(CART.replace('timestep="0.01"', 'iterations="0"'))
    with pytest.raises(sim_physics.UnsupportedError, match="no iterations"):
        gpu.GpuBatch(no_iterations, 2)


# Tensors


def torch_module() -> Any:
    return pytest.importorskip("torch", reason="needs PyTorch")


def make_balance() -> Any:
    """A task with a pole on a cart."""
    torch_module()

    class Balance(gpu.GpuTask):
        frame_skip = 2
        max_episode_steps = 5

        def reward(self, state: Any) -> Any:
            return 1.0 - state.qpos[:, 1].abs() + 0.0 * (state.qpos - state.previous_qpos).sum(dim=1)

        def terminated(self, state: Any) -> Any:
            return state.qpos[:, 1].abs() > 0.3

        def initial_states(self, model: sim_physics.MjModel, count: int, rng: np.random.Generator) -> Any:
            qpos = np.zeros((count, 2))
            qpos[:, 1] = rng.uniform(-0.1, 0.1, count)
            return qpos, np.zeros((count, 2))

    return Balance()


@needs_driver
def test_tensors_are_copied_in_each_step(cart: sim_physics.MjModel) -> None:
    torch = torch_module()
    batch = gpu.TorchBatch(gpu.GpuBatch(cart, COUNT, zero_copy=False), device="cpu")
    qpos, qvel = batch.qpos, batch.qvel
    qpos[:] = torch.as_tensor(tilted()[:, :2])
    batch.state_changed()
    batch.ctrl[:] = torch.linspace(-1, 1, COUNT)[:, None]
    batch.step(4)
    batch.step(6)
    expected = on_cpu(cart, tilted(), np.linspace(-1, 1, COUNT)[:, None], 10)
    np.testing.assert_allclose(torch.cat([qpos, qvel], dim=1).numpy(), expected, atol=2e-4)
    assert batch.episode_steps[:, 0].tolist() == [10] * COUNT


@needs_driver
def test_environments_restart_episodes(cart: sim_physics.MjModel) -> None:
    torch = torch_module()
    env = gpu.GpuVectorEnv(make_balance(), cart, num_envs=COUNT, seed=3, zero_copy=False, device="cpu")
    observations, _ = env.reset(seed=1)
    assert observations.shape == (COUNT, env.observation_size) == (COUNT, 4)
    again, _ = env.reset(seed=1)
    assert torch.equal(observations, again)
    for step in range(1, 7):
        observations, rewards, terminated, truncated, infos = env.step(torch.ones(COUNT, 1))
        assert truncated.all() == (step == 5) and not terminated.any()
        assert rewards.shape == (COUNT,) and (rewards > 0.6).all()
        assert torch.equal(infos["_final_obs"], truncated)
        assert torch.equal(infos["final_obs"], observations) == (step != 5)
    # the new episodes have taken one step
    np.testing.assert_allclose(env.batch.time.numpy(), 0.02, rtol=1e-5)


@needs_driver
def test_environments_that_diverge_are_restarted(cart: sim_physics.MjModel) -> None:
    torch = torch_module()
    env = gpu.GpuVectorEnv(make_balance(), cart, num_envs=COUNT, zero_copy=False, device="cpu")
    env.reset(seed=0)
    env.batch.qvel[1, 1] = float("nan")
    env.batch.state_changed()
    observations, rewards, terminated, _, _ = env.step(torch.zeros(COUNT, 1))
    assert terminated.tolist() == [False, True, False, False]
    assert torch.isfinite(observations).all() and torch.isfinite(rewards).all()
    _, _, terminated, _, _ = env.step(torch.zeros(COUNT, 1))
    assert not terminated.any() and env.batch.episode_steps[1, 0] == 2


@needs_driver
def test_spaces_are_those_of_gymnasium(cart: sim_physics.MjModel) -> None:
    torch_module()
    gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium")
    env = gpu.GpuVectorEnv(make_balance(), cart, num_envs=COUNT, zero_copy=False)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.action_space.shape == (COUNT, 1) and env.observation_space.shape == (COUNT, 4)


@needs_driver
def test_built_in_tasks_move() -> None:
    torch = torch_module()
    env = gpu.GpuVectorEnv("half_cheetah", num_envs=2, zero_copy=False)
    assert env.observation_size == 17 and env.action_size == 6
    env.reset(seed=0)
    for _ in range(3):
        observations, rewards, *_ = env.step(torch.ones(2, 6, device=env.device))
    assert torch.isfinite(observations).all() and torch.isfinite(rewards).all()
    with pytest.raises(ValueError, match="half_cheetah"):
        gpu.GpuVectorEnv("cheetah", num_envs=2)


# Memory that is shared with CUDA


def shared_batch(model: sim_physics.MjModel, count: int = COUNT) -> Any:
    torch = torch_module()
    if not torch.cuda.is_available():
        pytest.skip("needs a CUDA device")
    if not ADAPTERS:
        pytest.skip("needs a Vulkan driver")
    batch = gpu.GpuBatch(model, count)
    if not batch.zero_copy:
        pytest.skip(f"the memory of {batch.adapter} cannot be shared with CUDA: {batch.zero_copy_reason}")
    return batch


@needs_driver
def test_the_reason_is_given_if_memory_cannot_be_shared(cart: sim_physics.MjModel) -> None:
    batch = gpu.GpuBatch(cart, 2)
    if batch.zero_copy:
        assert batch.zero_copy_reason is None
        return
    assert "CUDA" in batch.zero_copy_reason or "Vulkan" in batch.zero_copy_reason
    with pytest.raises(sim_physics.UnsupportedError, match="cannot be shared with CUDA"):
        gpu.GpuBatch(cart, 2, zero_copy=True)


def test_tensors_share_the_memory_of_the_batch(cart: sim_physics.MjModel) -> None:
    batch = shared_batch(cart)
    torch = torch_module()
    qpos, same = torch.from_dlpack(batch.qpos), torch.from_dlpack(batch.qpos)
    assert qpos.is_cuda and qpos.shape == (COUNT, 2) and qpos.data_ptr() == same.data_ptr()
    state = torch.from_dlpack(batch.array("state"))
    assert qpos.data_ptr() == state.data_ptr() + 4 and qpos.stride() == state.stride()
    ctrl = torch.from_dlpack(batch.ctrl)
    qpos.copy_(torch.as_tensor(tilted()[:, :2]))
    ctrl.copy_(torch.linspace(-1, 1, COUNT)[:, None])
    batch.step(10)
    expected = on_cpu(cart, tilted(), np.linspace(-1, 1, COUNT)[:, None], 10)
    np.testing.assert_allclose(qpos.cpu().numpy(), expected[:, :2], atol=2e-4)
    np.testing.assert_allclose(batch.state(), expected, atol=2e-4)
    assert torch.from_dlpack(batch.array("episode_steps")).flatten().tolist() == [10] * COUNT
    with pytest.raises(ValueError, match="before the arrays are"):
        batch.set_initial_states([0, 0, 0, 0])


def test_tensors_outlive_the_batch(cart: sim_physics.MjModel) -> None:
    batch = shared_batch(cart)
    torch = torch_module()
    batch.set_state(tilted())
    qpos = torch.from_dlpack(batch.qpos)
    unused = batch.qvel.__dlpack__()
    del batch, unused
    gc.collect()
    np.testing.assert_allclose(qpos.cpu().numpy(), tilted()[:, :2], atol=1e-6)
    qpos += 1.0
    np.testing.assert_allclose(qpos.cpu().numpy(), tilted()[:, :2] + 1.0, atol=1e-6)


def test_shared_memory_and_copies_give_the_same_results(cart: sim_physics.MjModel) -> None:
    shared_batch(cart)
    torch = torch_module()
    results = []
    for zero_copy in (True, False):
        env = gpu.GpuVectorEnv(make_balance(), cart, num_envs=64, seed=2, zero_copy=zero_copy)
        assert env.zero_copy == zero_copy and env.device.type == "cuda"
        env.reset(seed=4)
        generator = torch.Generator(device="cuda").manual_seed(0)
        rows = [env.step(2 * torch.rand(64, 1, device="cuda", generator=generator) - 1)[:4] for _ in range(20)]
        results.append([torch.cat([o.flatten(), r, t.float(), u.float()]) for o, r, t, u in rows])
    for ours, theirs in zip(*results):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_tasks_that_cannot_be_recorded_are_evaluated_directly(cart: sim_physics.MjModel) -> None:
    shared_batch(cart)
    torch_module()

    class Host(type(make_balance())):  # type: ignore[misc]
        def reward(self, state: Any) -> Any:
            return super().reward(state) + float(state.qpos.mean())

    env = gpu.GpuVectorEnv(Host(), cart, num_envs=8, seed=2)
    assert not env.graph and env.graph_reason
    direct = gpu.GpuVectorEnv(Host(), cart, num_envs=8, seed=2, graph=False)
    assert not direct.graph and "disabled" in str(direct.graph_reason)
    torch = torch_module()
    for each in (env, direct):
        each.reset(seed=5)
    for _ in range(8):
        actions = torch.zeros(8, 1, device=env.device)
        ours, theirs = env.step(actions), direct.step(actions)
        for a, b in zip(ours[:4], theirs[:4]):
            torch.testing.assert_close(a, b)
    with pytest.raises(ValueError, match="cannot be recorded"):
        gpu.GpuVectorEnv(Host(), cart, num_envs=8, graph=True)


SCENE = """
<mujoco>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -2 .5" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body pos="0 0 .5"><joint name="x" type="slide" axis="1 0 0"/><geom name="ball" size=".2" rgba="1 0 0 1"/></body>
  </worldbody>
</mujoco>
"""


@needs_driver
def test_images_show_the_states() -> None:
    model = sim_physics.MjModel.from_xml_string(SCENE)
    batch = gpu.GpuBatch(model, 2, zero_copy=False)
    batch.set_state(np.array([[-0.6, 0.0], [0.6, 0.0]]))
    renderer = batch.renderer(48, 32, ["side", -1], depth=True, segmentation=True)
    assert renderer.shape == (2, 2, 32, 48)
    assert renderer.outputs == ["rgb", "depth", "segmentation"]
    renderer.render()
    rgb, depth, objects = renderer.rgb(), renderer.depth(), renderer.segmentation()
    assert (rgb.shape, rgb.dtype) == ((2, 2, 32, 48, 3), np.uint8)
    assert (depth.shape, depth.dtype) == ((2, 2, 32, 48), np.float32)
    assert (objects.shape, objects.dtype) == ((2, 2, 32, 48, 2), np.int32)
    ball = sim_physics.mj_name2id(model, sim_physics.mjtObj.mjOBJ_GEOM, "ball")
    seen = (objects[..., 0] == ball) & (objects[..., 1] == sim_physics.mjtObj.mjOBJ_GEOM)
    for environment, left in ((0, True), (1, False)):
        columns = np.nonzero(seen[environment, 0].any(axis=0))[0]
        assert columns.size > 3
        assert (columns.mean() < 24) == left
        pixels = rgb[environment, 0][seen[environment, 0]]
        assert pixels[:, 0].mean() > 3 * pixels[:, 1].mean()
        assert 1.5 < depth[environment, 0][seen[environment, 0]].min() < 2.0


@needs_driver
def test_errors_of_images() -> None:
    model = sim_physics.MjModel.from_xml_string(SCENE)
    batch = gpu.GpuBatch(model, 2, zero_copy=False)
    with pytest.raises(sim_physics.UnknownNameError, match="front"):
        batch.renderer(cameras=["front"])
    with pytest.raises(ValueError, match="camera 3"):
        batch.renderer(cameras=[3])
    with pytest.raises(ValueError, match="camera"):
        batch.renderer(cameras=[])
    with pytest.raises(ValueError, match="width"):
        batch.renderer(0, 8)
    renderer = batch.renderer(8, 8)
    with pytest.raises(ValueError, match="depth=True"):
        renderer.depth()
    with pytest.raises(sim_physics.UnsupportedError, match="rgb"):
        renderer.array("rgba")


@needs_driver
def test_images_as_tensors() -> None:
    torch = pytest.importorskip("torch")
    model = sim_physics.MjModel.from_xml_string(SCENE)
    batch = gpu.GpuBatch(model, 2)
    renderer = batch.renderer(16, 8, depth=True)
    images = gpu.TorchImages(renderer)
    images.render()
    assert images.rgb.shape == (2, 1, 8, 16, 3) and images.rgb.dtype == torch.uint8
    np.testing.assert_array_equal(images.rgb.cpu().numpy(), renderer.rgb())
    np.testing.assert_array_equal(images.depth.cpu().numpy(), renderer.depth())
