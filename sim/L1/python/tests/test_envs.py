"""Vector environments: the results and the interface of gymnasium."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from conftest import has

if not has("gymnasium"):
    pytest.skip("needs gymnasium", allow_module_level=True)

import gymnasium
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import sim_physics
from sim_physics import envs
from test_gymnasium import TASKS, difference

needs_mujoco = pytest.mark.skipif(not has("mujoco"), reason="needs the package mujoco as reference")
#: Options that differ from the defaults.
OPTIONS: dict[str, dict[str, Any]] = {
    "Ant-v5": {"contact_cost_weight": 1e-2, "healthy_z_range": (0.3, 0.9), "main_body": "torso"},
    "HalfCheetah-v5": {"frame_skip": 3, "exclude_current_positions_from_observation": False},
    "Humanoid-v5": {"include_cinert_in_observation": False, "contact_cost_range": (0.5, 4.0)},
    "Reacher-v5": {"reward_dist_weight": 3},
}
MODES = list(AutoresetMode)
ROOT = pathlib.Path(__file__).parent.parent


def make(task: str, num_envs: int, **kwargs: Any) -> envs.SimVectorEnv:
    kwargs.setdefault("threads", 1)
    made = gymnasium.make_vec(f"sim/{task}", num_envs=num_envs, **kwargs)
    assert isinstance(made, envs.SimVectorEnv)
    return made


def sample(env: Any, seed: int, count: int) -> list[np.ndarray]:
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(count)]


@needs_mujoco
@pytest.mark.parametrize("options", [False, True], ids=["default", "options"])
@pytest.mark.parametrize("task", TASKS)
def test_steps_equal_those_of_gymnasium(task: str, options: bool) -> None:
    import mujoco

    assert not hasattr(mujoco, "package_version"), "the reference is this package itself"
    kwargs = OPTIONS.get(task, {}) if options else {}
    if options and not kwargs:
        pytest.skip("no options are compared")
    theirs = gymnasium.make(task, **kwargs)
    base: Any = theirs.unwrapped
    ours = make(task, 2, **kwargs)
    assert ours.single_observation_space == theirs.observation_space
    assert ours.single_action_space == theirs.action_space
    assert ours.metadata["render_fps"] == theirs.metadata["render_fps"]
    assert ours.spec is not None and ours.spec.id == f"sim/{task}"
    assert ours.spec.max_episode_steps == gymnasium.spec(task).max_episode_steps
    theirs.reset(seed=3)
    ours.reset(seed=3)
    worst = 0.0
    for step, action in enumerate(sample(theirs, 5, 40)):
        # both engines start the step from a state without history
        state = base.data.qpos.copy(), base.data.qvel.copy()
        mujoco.mj_resetData(base.model, base.data)
        base.set_state(*state)
        ours.set_state(np.tile(state[0], (2, 1)), np.tile(state[1], (2, 1)))
        dtype = np.float32 if step % 2 else np.float64
        expected = theirs.step(action.astype(dtype))
        observations, rewards, terminated, truncated, infos = ours.step(np.tile(action.astype(dtype), (2, 1)))
        assert ours.observation_space.contains(observations)
        for i in range(2):
            assert bool(terminated[i]) == expected[2] and not truncated[i]
            info = {name: value[i] for name, value in infos.items() if not name.startswith("_")}
            assert info.keys() == expected[4].keys()
            for name, value in expected[4].items():
                assert np.shape(info[name]) == np.shape(value) and infos["_" + name].all()
            worst = max(worst, difference(observations[i], expected[0]), difference(rewards[i], expected[1]))
            worst = max(worst, difference(info, expected[4]))
        if expected[2]:
            theirs.reset(seed=step)
            ours.reset(seed=step)
    print(f"{task}: largest difference {worst:.2e}")
    assert worst <= 1e-9


def equal(a: Any, b: Any) -> bool:
    """Whether two results are identical, with the same types."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray) and a.dtype == object:
        return b.dtype == object and all(
            (x is None and y is None) or (x is not None and y is not None and equal(x, y)) for x, y in zip(a, b)
        )
    return bool(a.dtype == b.dtype and np.array_equal(a, b))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", ["Hopper-v5", "Ant-v5", "Reacher-v5"])
def test_autoreset_equals_that_of_gymnasium(task: str, mode: AutoresetMode) -> None:
    """gymnasium's own vectorisation of single environments gives the same results."""
    steps = 30
    single = lambda: gymnasium.make(f"sim/{task}", max_episode_steps=steps)
    theirs: Any = SyncVectorEnv([single] * 4, autoreset_mode=mode)
    ours = make(task, 4, autoreset_mode=mode, max_episode_steps=steps, threads=2)
    assert ours.metadata["autoreset_mode"] == mode
    first, expected = ours.reset(seed=11), theirs.reset(seed=11)
    assert equal(first[0], expected[0]) and equal(first[1], expected[1])
    episodes = 0
    for action in sample(ours, 1, 80):
        mine, other = ours.step(action), theirs.step(action)
        for a, b in zip(mine, other):
            assert equal(a, b)
        done = mine[2] | mine[3]
        episodes += int(done.sum())
        if mode == AutoresetMode.DISABLED and done.any():
            with pytest.raises(sim_physics.ResetNeededError, match="reset"):
                ours.step(action)
            seeds = [7, None, 8, 9]
            a = ours.reset(seed=seeds, options={"reset_mask": done})
            b = theirs.reset(seed=seeds, options={"reset_mask": done})
            assert equal(a[0], b[0]) and equal(a[1], b[1])
    assert episodes >= 8


def test_seeds_and_threads_determine_results() -> None:
    results = []
    for seed, threads in ((5, 1), (5, 2), (6, 1)):
        env = make("Walker2d-v5", 7, threads=threads)
        assert env.vec_env.threads == threads
        observations = [env.reset(seed=seed)[0]]
        observations += [env.step(action)[0] for action in sample(env, 2, 60)]
        results.append(np.array(observations))
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])
    env = make("Walker2d-v5", 7)
    assert not np.array_equal(env.reset()[0], env.reset()[0])
    shifted = env.reset(seed=6)[0]
    assert np.array_equal(results[0][0][1:], shifted[:-1]), "environment i has the seed s + i"


@pytest.mark.parametrize("task", ["HalfCheetah-v5", "Ant-v5", "InvertedDoublePendulum-v5"])
def test_environments_in_lanes_agree_with_the_default(task: str) -> None:
    default = make(task, 10)
    actions = np.random.default_rng(3).uniform(-0.5, 0.5, (8, *default.action_space.shape))
    expected = [default.reset(seed=7)[0], *(default.step(a)[0] for a in actions)]
    first = None
    for threads in (1, 2, 3):
        env = make(task, 10, threads=threads, lanes=True)
        assert env.vec_env.steps_in_lanes and not default.vec_env.steps_in_lanes
        got = [env.reset(seed=7)[0], *(env.step(a)[0] for a in actions)]
        assert np.allclose(got, expected, rtol=1e-6, atol=1e-6)
        first = got if first is None else first
        assert np.array_equal(got, first)


def test_single_precision_and_reused_buffers() -> None:
    double, single = make("Hopper-v5", 3), make("Hopper-v5", 3, dtype=np.float32, copy=False)
    assert single.single_observation_space.dtype == np.float32
    a, b = double.reset(seed=0)[0], single.reset(seed=0)[0]
    assert b.dtype == np.float32 and np.array_equal(a.astype(np.float32), b)
    actions = sample(double, 0, 2)
    first, kept = single.step(actions[0])[0], double.step(actions[0])[0]
    copy = kept.copy()
    second = single.step(actions[1])[0]
    double.step(actions[1])
    assert first is second and np.array_equal(kept, copy)
    with pytest.raises(sim_physics.DTypeError, match="float32 or float64"):
        make("Hopper-v5", 1, dtype=np.int32)


def test_wrong_arguments_raise() -> None:
    env = make("Hopper-v5", 2)
    with pytest.raises(sim_physics.ResetNeededError, match="call `reset`"):
        env.step(np.zeros((2, 3)))
    env.reset(seed=1)
    for wrong in (np.zeros(3), np.zeros((3, 2)), [[0.0], [0.0, 1.0]]):
        with pytest.raises(sim_physics.ShapeError, match=r"\(2, 3\)"):
            env.step(wrong)
    with pytest.raises(sim_physics.DTypeError, match="numbers"):
        env.step(np.full((2, 3), "x"))
    env.step(np.zeros((3, 2)).T)  # not contiguous
    env.step([[0, 0, 0], [1, 1, 1]])
    with pytest.raises(TypeError, match="healthy_reward"):
        make("Hopper-v5", 1, healthy=1.0)
    with pytest.raises(TypeError, match="pair of numbers"):
        make("Hopper-v5", 1, healthy_z_range=1.0)
    with pytest.raises(sim_physics.UnknownNameError, match="Ant-v5"):
        envs.SimVectorEnv("Cart-v5")
    with pytest.raises(ValueError, match="NextStep"):
        make("Hopper-v5", 1, autoreset_mode="never")
    with pytest.raises(ValueError, match="at least 1"):
        make("Hopper-v5", 0)
    with pytest.raises(ValueError, match="no environment"):
        env.reset(options={"reset_mask": np.zeros(2, dtype=bool)})
    with pytest.raises(ValueError, match="non-negative"):
        env.reset(seed=-1)
    with pytest.raises(sim_physics.ShapeError, match="3 values for 2"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(IndexError):
        env.set_state(np.zeros((1, 6)), np.zeros((1, 6)), environments=[2])
    with pytest.raises(sim_physics.ShapeError):
        env.set_state(np.zeros((2, 5)), np.zeros((2, 6)))
    with pytest.raises(sim_physics.XMLError, match="missing.xml"):
        make("Hopper-v5", 1, xml_file="missing.xml")
    with pytest.raises(sim_physics.DTypeError):
        env.vec_env.step(np.zeros((2, 3)), np.zeros((2, 11)), np.zeros(2), np.zeros(2), np.zeros(2))
    frozen = np.zeros((2, 11))
    frozen.flags.writeable = False
    flags = np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)
    with pytest.raises(ValueError, match="write"):
        env.vec_env.step(np.zeros((2, 3)), frozen, np.zeros(2), *flags)


def test_states_variations_and_attributes() -> None:
    env = make("Walker2d-v5", 3, autoreset_mode="Disabled")
    env.reset(seed=2)
    state = env.get_state()
    action = sample(env, 0, 1)[0]
    first = env.step(action)[0]
    assert np.all(env.get_state()["time"] > state["time"])
    env.set_state(**state)
    assert np.array_equal(env.step(action)[0], first)
    assert env.get("xpos").shape == (3, 8, 3)
    assert [model.nq for model in env.get_attr("model")] == [9, 9, 9]
    assert np.array_equal(env.call("qpos")[1], env.data(1).qpos)
    assert env.get_attr("dt") == (0.008,) * 3
    env.set_attr("qvel", 0.0)
    assert not env.get_state()["qvel"].any()
    env.randomize(1, mass=(0.5, 2.0), friction=(0.5, 1.5))
    masses = np.array([env.model(i).body_mass for i in range(3)])
    assert np.all(masses[:, 1:].std(axis=0) > 0)
    env.vary(2, body_mass=2 * masses[0])
    assert np.array_equal(env.model(2).body_mass, 2 * masses[0])
    with pytest.raises(AttributeError):
        env.set_attr("no_such_attribute", 1)


def test_divergence_terminates_an_episode() -> None:
    env = make("HalfCheetah-v5", 2)
    env.reset(seed=0)
    state = env.get_state()
    state["qvel"][1] = 1e12
    env.set_state(**state)
    terminated = env.step(np.zeros((2, 6)))[2]
    assert terminated.tolist() == [False, True]
    assert list(env.errors()) == [1]


@pytest.mark.skipif(not hasattr(sim_physics, "Renderer"), reason="needs the renderer")
def test_images() -> None:
    env = make("Ant-v5", 2, render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    frames = env.render()
    assert frames is not None and len(frames) == 2
    assert frames[0].shape == (48, 64, 3) and np.unique(frames[0]).size > 5
    one = env.render([1])
    assert one is not None and len(one) == 1
    env.close()
    with pytest.raises(ValueError, match="rgb_array"):
        make("Ant-v5", 1, render_mode="human")


def test_ids_without_an_import() -> None:
    program = """
import gymnasium
envs = gymnasium.make_vec("sim_physics.envs:sim/Hopper-v5", num_envs=3, vectorization_mode="vector_entry_point")
envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
envs.reset(seed=1)
for _ in range(60):
    infos = envs.step(envs.action_space.sample())[4]
again = gymnasium.make_vec(envs.unwrapped.spec)
assert again.num_envs == 3, again
assert "sim/Ant-v5" in gymnasium.registry
env = gymnasium.make("sim/Ant-v5")
env.reset(seed=1)
print(envs, env.step(env.action_space.sample())[1])
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_single_environment_passes_gymnasiums_checks() -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("sim/Hopper-v5").unwrapped
    check_env(env, skip_render_check=True)


def test_missing_gymnasium_is_reported() -> None:
    program = """
import sys
sys.modules["gymnasium"] = None
import sim_physics
try:
    import sim_physics.envs
except ImportError as error:
    assert "pip install" in str(error), error
else:
    raise SystemExit("no error")
assert sim_physics.VecEnv("Ant-v5", 2).num_envs == 2
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_environments_after_a_fork() -> None:
    env = make("Hopper-v5", 4, threads=2)
    env.reset(seed=0)
    env.step(np.zeros((4, 3)))
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        code = 0
        try:
            try:
                env.step(np.zeros((4, 3)))
                code |= 1
            except sim_physics.ForkError:
                pass
            for threads in (2, None):
                new = make("Hopper-v5", 4, threads=threads)
                new.reset(seed=0)
                code |= 0 if new.step(np.zeros((4, 3)))[1].shape == (4,) else 2
        except BaseException:
            code = 99
        os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    env.step(np.zeros((4, 3)))


def test_steps_from_two_threads_raise() -> None:
    env = make("Humanoid-v5", 64, autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=0)
    outcomes: set[str] = set()

    def run() -> None:
        for _ in range(20):
            try:
                env.step(np.zeros((64, 17)))
                outcomes.add("stepped")
            except sim_physics.BusyError:
                outcomes.add("busy")

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "stepped" in outcomes and outcomes <= {"stepped", "busy"}


def test_adapter_to_stable_baselines3(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adapter of the example; without stable-baselines3, on a base class with the same interface."""
    import importlib.util
    import types

    class Base:
        def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
            self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space

        def _get_indices(self, indices: Any) -> Any:
            return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

        def step(self, actions: Any) -> Any:
            self.step_async(actions)  # type: ignore[attr-defined]
            return self.step_wait()  # type: ignore[attr-defined]

    if not has("stable_baselines3"):
        modules = {name: types.ModuleType(name) for name in ("stable_baselines3", "stable_baselines3.common.vec_env")}
        modules["stable_baselines3"].PPO = None  # type: ignore[attr-defined]
        modules["stable_baselines3.common"] = types.ModuleType("stable_baselines3.common")
        for name in ("VecEnv", "VecMonitor", "VecNormalize"):
            setattr(modules["stable_baselines3.common.vec_env"], name, Base)
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("sb3_ppo", ROOT / "examples" / "sb3_ppo.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    with pytest.raises(ValueError, match="SAME_STEP"):
        example.Sb3VecEnv(make("Hopper-v5", 2))
    env = example.Sb3VecEnv(make("Hopper-v5", 2, autoreset_mode=AutoresetMode.SAME_STEP, max_episode_steps=5))
    assert env.seed(3) == [3, 4]
    env.reset()
    for step in range(5):
        observations, rewards, done, infos = env.step(np.zeros((2, 3), dtype=np.float32))
        assert rewards.dtype == np.float32 and done.all() == (step == 4)
    assert infos[1]["TimeLimit.truncated"] and infos[1]["terminal_observation"].shape == (11,)
    assert not np.array_equal(infos[1]["terminal_observation"], observations[1])
    assert env.get_attr("dt", 1) == [0.008] and env.env_is_wrapped(object) == [False, False]


def test_examples_and_benchmarks_are_valid_python() -> None:
    files = [*ROOT.glob("examples/*.py"), *ROOT.glob("benchmarks/*.py")]
    assert files
    for file in files:
        compile(file.read_text(), str(file), "exec")
