"""Records steps of gymnasium's MuJoCo tasks, and compares our models with gymnasium's.

    python gymnasium_oracle.py record FOLDER [--samples N] [--seed S] [TASK...]
    python gymnasium_oracle.py models

Needs gymnasium 1.4 with the extra `mujoco`, and MuJoCo 3.8.0.

A recording has two variants of a task, `default` and `options`; the latter has other values for some options.
A sample sets a state as gymnasium's reset does, and takes two steps from it, so that nothing but the state
influences the result. The states are those of a run with random actions. Half of the actions have single
precision, because gymnasium computes costs in the precision of the action. Arrays, one row per sample or step:

    VARIANT/qpos, VARIANT/qvel              the state that is set
    VARIANT/start                           the observation of that state, of the first two samples
    VARIANT/action, VARIANT/single          the action, and whether it has single precision
    VARIANT/observation, VARIANT/reward, VARIANT/terminated, VARIANT/info/NAME
    VARIANT/sensitivity                     the largest change of these values, relative to max(1, |value|), when
                                            the state changes by rounding errors
    VARIANT/number/NAME, VARIANT/flag/NAME  values of options
"""

import argparse
import os
import pathlib
import sys

import gymnasium
import mujoco
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "conformance" / "oracle"))
import pack  # noqa: E402

STEPS = 2

# name of the task: our model, gymnasium's model, samples of the golden, options of the second variant
TASKS = {
    "Ant-v5": ("ant", "ant", 32, dict(
        forward_reward_weight=0.7, contact_cost_weight=1e-2, contact_force_range=(-2.0, 3.0),
        healthy_z_range=(0.3, 0.9), main_body=3, exclude_current_positions_from_observation=False)),
    "HalfCheetah-v5": ("half_cheetah", "half_cheetah", 40, dict(
        forward_reward_weight=2.0, ctrl_cost_weight=0.3, frame_skip=3,
        exclude_current_positions_from_observation=False)),
    "Hopper-v5": ("hopper", "hopper", 40, dict(
        healthy_reward=3.0, terminate_when_unhealthy=False, healthy_state_range=(-2.0, 2.0),
        healthy_angle_range=(-0.1, 0.15), exclude_current_positions_from_observation=False)),
    "Humanoid-v5": ("humanoid", "humanoid", 8, dict(
        contact_cost_weight=1e-3, contact_cost_range=(0.5, 4.0), healthy_z_range=(1.2, 1.5),
        include_cinert_in_observation=False, include_cvel_in_observation=False)),
    "HumanoidStandup-v5": ("humanoid_standup", "humanoidstandup", 7, dict(
        impact_cost_weight=1e-3, impact_cost_range=(0.1, 2.0), uph_cost_weight=3.0,
        include_cinert_in_observation=False, include_cfrc_ext_in_observation=False)),
    "InvertedDoublePendulum-v5": ("inverted_double_pendulum", "inverted_double_pendulum", 40, dict(
        healthy_reward=3.0, frame_skip=2)),
    "InvertedPendulum-v5": ("inverted_pendulum", "inverted_pendulum", 40, dict(reset_noise_scale=0.1)),
    "Pusher-v5": ("pusher", "pusher_v5", 40, dict(
        reward_near_weight=0.1, reward_dist_weight=2.0, reward_control_weight=0.3)),
    "Reacher-v5": ("reacher", "reacher", 40, dict(reward_dist_weight=3.0, reward_control_weight=0.2)),
    "Swimmer-v5": ("swimmer", "swimmer", 40, dict(
        forward_reward_weight=0.5, ctrl_cost_weight=0.2, exclude_current_positions_from_observation=False)),
    "Walker2d-v5": ("walker2d", "walker2d_v5", 30, dict(
        healthy_reward=3.0, terminate_when_unhealthy=False, healthy_z_range=(1.0, 1.3),
        healthy_angle_range=(-0.1, 0.15))),
}


def steps(env, qpos, qvel, actions):
    """Sets a state as a reset does and takes steps: the first observation, and the results of the steps."""
    mujoco.mj_resetData(env.model, env.data)
    env.set_state(qpos, qvel)
    start, results = env._get_obs(), []
    for action in actions:
        observation, reward, terminated, _, info = env.step(action)
        values = {"observation": observation, "reward": reward, "terminated": terminated,
                  **{f"info/{name}": value for name, value in info.items()}}
        results.append({name: np.array(value, dtype=float) for name, value in values.items()})
    return start, results


def change(results, others):
    """The largest relative change of the values of each step."""
    def relative(a, b):
        return np.max(np.abs(a - b) / np.maximum(1, np.abs(a)), initial=0)
    return [max(relative(a[name], b[name]) for name in a) for a, b in zip(results, others)]


def variant(task, options, samples, seed):
    """Records one variant of a task."""
    env = gymnasium.make(task, **options).unwrapped
    rng, noise = np.random.default_rng(seed), np.random.default_rng(seed)
    low, high = env.action_space.low.astype(float), env.action_space.high.astype(float)
    out = {}

    def store(name, value):
        out.setdefault(name, []).append(np.asarray(value, dtype=float))

    env.reset(seed=seed)
    for sample in range(samples):
        # a few steps of a random walk between samples, with actions that persist
        action = rng.uniform(low, high)
        for _ in range(rng.integers(0, 12)):
            action = np.clip(action + rng.normal(scale=0.3, size=low.shape), low, high)
            if env.step(action)[2]:
                env.reset()
        qpos, qvel = env.data.qpos.copy(), env.data.qvel.copy()
        # beyond the range of controls, which the simulation clips
        actions = [rng.uniform(1.2 * low, 1.2 * high).astype(np.float32) for _ in range(STEPS)]
        single = sample % 2 == 0
        actions = actions if single else [action.astype(float) for action in actions]
        perturbed = []
        for _ in range(3):
            factor = [1 + 1e-15 * noise.choice([-1, 1], size=x.shape) for x in (qpos, qvel)]
            perturbed.append(steps(env, qpos * factor[0], qvel * factor[1], actions)[1])
        # last, so that the run continues from it
        start, results = steps(env, qpos, qvel, actions)
        store("qpos", qpos)
        store("qvel", qvel)
        if sample < 2:
            store("start", start)
        changes = np.max([change(results, other) for other in perturbed], axis=0)
        for action, result, sensitivity in zip(actions, results, changes):
            store("action", action)
            store("single", single)
            store("sensitivity", sensitivity)
            for name, value in result.items():
                store(name, value)
        if any(result["terminated"] for result in results):
            env.reset()
    for name, value in options.items():
        kind = "flag" if isinstance(value, bool) else "number"
        out[f"{kind}/{name}"] = np.asarray(value, dtype=float)
    env.close()
    return {name: np.stack(value) if isinstance(value, list) else value for name, value in out.items()}


def record(arguments):
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    for task in arguments.tasks or TASKS:
        _, _, samples, options = TASKS[task]
        samples = arguments.samples or samples
        arrays = {}
        for name, values, count in (("default", {}, samples), ("options", options, (samples + 1) // 2)):
            for key, value in variant(task, values, count, arguments.seed).items():
                arrays[f"{name}/{key}"] = value
        meta = {"oracle_version": mujoco.__version__, "gymnasium": gymnasium.__version__, "loads": True}
        path = folder / f"{task}.npz"
        pack.write(path, arrays, meta, compress=True)
        print(f"{task}: {path.stat().st_size / 1000:.0f} kB", flush=True)


def fields(value, prefix=""):
    """Every array and number of a model."""
    found = {}
    for name in dir(value):
        if name.startswith("_"):
            continue
        try:
            item = getattr(value, name)
        except Exception:
            continue
        if isinstance(item, (np.ndarray, int, float, bytes, str)):
            found[prefix + name] = item
        elif type(item).__module__.startswith("mujoco") and not callable(item):
            found.update(fields(item, f"{prefix}{name}."))
    return found


def models(_):
    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    failed = False
    for ours, theirs, _, _ in TASKS.values():
        a = fields(mujoco.MjModel.from_xml_path(str(HERE.parent / "models" / f"{ours}.xml")))
        b = fields(mujoco.MjModel.from_xml_path(str(assets / f"{theirs}.xml")))
        different = [name for name in b if not np.array_equal(np.asarray(a.get(name)), np.asarray(b[name]))]
        failed |= bool(different) or a.keys() != b.keys()
        print(f"{ours}: {len(b)} fields, " + (f"different: {different}" if different else "all equal"))
    sys.exit(int(failed))


def main():
    os.environ.setdefault("MUJOCO_GL", "osmesa")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("record")
    sub.add_argument("folder")
    sub.add_argument("--samples", type=int)
    sub.add_argument("--seed", type=int, default=20)
    sub.set_defaults(run=record)
    commands.add_parser("models").set_defaults(run=models)
    # names of tasks may follow options, which argparse does not allow for positional arguments
    arguments, arguments.tasks = parser.parse_known_args()
    unknown = [task for task in arguments.tasks if task not in TASKS]
    if unknown:
        parser.error(f"unknown arguments {unknown}; the tasks are {', '.join(TASKS)}")
    arguments.run(arguments)


if __name__ == "__main__":
    main()
