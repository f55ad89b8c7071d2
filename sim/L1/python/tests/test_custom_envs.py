"""Vector environments of custom tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import has

if not has("gymnasium"):
    pytest.skip("needs gymnasium", allow_module_level=True)

from gymnasium.vector import AutoresetMode

import sim_physics
from sim_physics import envs

POLE = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="pole">
      <joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" size=".05" fromto="0 0 0 0 0 -1"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-5 5"/></actuator>
</mujoco>
"""


class SwingUp(envs.Task):
    """Swings up a pole."""

    arrays = ("qpos", "qvel", "xmat")
    frame_skip = 2
    max_episode_steps = 20

    def observe(self, state: envs.State) -> Any:
        return np.hstack([np.cos(state.qpos), np.sin(state.qpos), state.qvel])

    def reward(self, state: envs.State) -> Any:
        assert state.previous is not None
        speed = (state.qpos - state.previous.qpos)[:, 0] / state.dt
        return -np.cos(state.qpos[:, 0]) - 0.01 * np.square(state.action).sum(axis=1) + 1e-3 * speed

    def terminated(self, state: envs.State) -> Any:
        return np.abs(state.qvel[:, 0]) > 6.0

    def infos(self, state: envs.State) -> dict[str, Any]:
        return {"height": -state.xmat[:, 1, 8]}

    def initial_state(self, model: Any, rng: np.random.Generator) -> Any:
        return rng.uniform(-0.1, 0.1, model.nq), rng.uniform(-1, 1, model.nv)


@pytest.fixture
def pole() -> Any:
    return sim_physics.MjModel.from_xml_string(POLE)


def make(pole: Any, count: int = 3, **kwargs: Any) -> envs.TaskVectorEnv:
    return envs.TaskVectorEnv(SwingUp(), pole, count, threads=1, **kwargs)


def test_a_task_in_python(pole: Any) -> None:
    env = make(pole)
    assert env.single_observation_space.shape == (3,) and env.dt == 0.02
    observations, _ = env.reset(seed=4)
    data = sim_physics.MjData(pole)
    data.qpos[:], data.qvel[:] = env.get("qpos")[1], env.get("qvel")[1]
    sim_physics.mj_forward(pole, data)
    action = np.array([[1.0], [2.0], [3.0]])
    before = data.qpos[0]
    observations, rewards, terminated, truncated, infos = env.step(action)
    data.ctrl[:] = 2.0
    sim_physics.mj_step(pole, data, 2)
    angle = data.qpos[0]
    assert np.allclose(observations[1], [np.cos(angle), np.sin(angle), data.qvel[0]], rtol=0, atol=1e-14)
    assert np.isclose(rewards[1], -np.cos(angle) - 0.04 + 1e-3 * (angle - before) / 0.02, rtol=0, atol=1e-13)
    assert not terminated.any() and not truncated.any()
    assert np.isclose(infos["height"][1], -data.xmat[1, 8]) and infos["_height"].all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_of_tasks_in_python(pole: Any, mode: AutoresetMode) -> None:
    """The environments are compared with single ones that are reset explicitly."""
    count = 3
    env = make(pole, count, autoreset_mode=mode)
    singles = [make(pole, 1, autoreset_mode="Disabled") for _ in range(count)]
    observations, _ = env.reset(seed=9)
    for i, single in enumerate(singles):
        assert np.array_equal(single.reset(seed=9 + i)[0][0], observations[i])
    rng = np.random.default_rng(0)
    done = np.zeros(count, dtype=bool)
    episodes = 0
    for _ in range(70):
        action = rng.uniform(-5, 5, (count, 1))
        observations, rewards, terminated, truncated, infos = env.step(action)
        for i, single in enumerate(singles):
            if done[i] and mode == AutoresetMode.NEXT_STEP:
                assert np.array_equal(single.reset()[0][0], observations[i])
                assert rewards[i] == 0 and not terminated[i] and not truncated[i]
                assert "height" not in infos or not infos["_height"][i]
                continue
            expected = single.step(action[i : i + 1])
            assert rewards[i] == expected[1][0]
            assert (terminated[i], truncated[i]) == (expected[2][0], expected[3][0])
            if mode == AutoresetMode.SAME_STEP and (terminated[i] or truncated[i]):
                assert np.array_equal(infos["final_obs"][i], expected[0][0]) and infos["_final_obs"][i]
                assert infos["final_info"]["height"][i] == expected[4]["height"][0]
                assert np.array_equal(single.reset()[0][0], observations[i])
            else:
                assert np.array_equal(observations[i], expected[0][0])
                assert infos["height"][i] == expected[4]["height"][0]
        done = terminated | truncated
        episodes += int(done.sum())
        if mode == AutoresetMode.DISABLED and done.any():
            with pytest.raises(sim_physics.ResetNeededError):
                env.step(action)
            observations, _ = env.reset(options={"reset_mask": done})
            for i in np.flatnonzero(done):
                assert np.array_equal(singles[i].reset()[0][0], observations[i])
            done[:] = False
    assert episodes > 5


def test_errors_of_tasks_in_python(pole: Any) -> None:
    class Wrong(SwingUp):
        def observe(self, state: envs.State) -> Any:
            return state.qpos[:, 0]

    with pytest.raises(sim_physics.ShapeError, match="column_stack"):
        envs.TaskVectorEnv(Wrong(), pole)

    class Unknown(SwingUp):
        arrays = ("qposition",)

    with pytest.raises(sim_physics.UnknownNameError, match="qpos"):
        envs.TaskVectorEnv(Unknown(), pole)

    class Missing(SwingUp):
        arrays = ("qpos",)

    with pytest.raises(AttributeError, match="arrays"):
        envs.TaskVectorEnv(Missing(), pole)
    with pytest.raises(sim_physics.ResetNeededError):
        make(pole).step(np.zeros((3, 1)))


def test_a_task_by_description(pole: Any) -> None:
    env = envs.DescribedVectorEnv(
        pole,
        num_envs=4,
        observation=["qpos", {"array": "qvel", "clip": (-2, 2)}, {"array": "xmat", "of": "pole", "part": (8, 9)}],
        reward={
            "upright": {"array": "xmat", "of": "pole", "part": (8, 9), "weight": -1.0},
            "control": {"array": "ctrl", "function": "square_sum", "weight": -0.01},
            "alive": {"function": "one"},
        },
        healthy=[{"array": "qvel", "range": (-8, 8)}],
        qpos_noise=0.1,
        frame_skip=2,
        max_episode_steps=50,
        autoreset_mode=AutoresetMode.SAME_STEP,
        threads=1,
    )
    env.reset(seed=3)
    action = np.full((4, 1), 2.0)
    observations, rewards, _, _, infos = env.step(action)
    assert observations.shape == (4, 3)
    assert np.allclose(rewards, -observations[:, 2] - 0.04 + 1.0, rtol=0, atol=1e-14)
    assert np.allclose(infos["control"], -0.04) and infos["_control"].all()
    for _ in range(60):
        infos = env.step(action)[4]
        if "final_obs" in infos:
            break
    assert infos["_final_obs"].any()


def test_a_description_without_rewards(pole: Any) -> None:
    env = envs.DescribedVectorEnv(
        pole, 2, observation=["qpos"], reward={}, max_episode_steps=3, autoreset_mode=AutoresetMode.SAME_STEP
    )
    env.reset(seed=0)
    infos = [env.step(np.zeros((2, 1)))[4] for _ in range(3)]
    assert infos[:2] == [{}, {}] and infos[2]["final_obs"][0].shape == (1,)


def test_errors_of_descriptions(pole: Any) -> None:
    with pytest.raises(sim_physics.UnknownNameError, match="qpos"):
        envs.DescribedVectorEnv(pole, observation=["qpo"], reward={})
    with pytest.raises(ValueError, match="'array'"):
        envs.DescribedVectorEnv(pole, observation=[{"aray": "qpos"}], reward={})
    with pytest.raises(ValueError, match="legs"):
        envs.DescribedVectorEnv(pole, observation=[{"array": "xpos", "of": "legs"}], reward={})
    with pytest.raises(ValueError, match="square_sum"):
        envs.DescribedVectorEnv(pole, observation=["qpos"], reward={"a": {"array": "qpos", "function": "cube"}})
    with pytest.raises(ValueError, match="range"):
        envs.DescribedVectorEnv(pole, observation=["qpos"], reward={}, healthy=[{"array": "qpos"}])
