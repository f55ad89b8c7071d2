"""Trains a policy with PPO on a GPU batch, in one file: simulation, rewards and training stay on the device.

    pip install ./sim/L1/python torch
    python sim/L1/python/examples/gpu_ppo.py --task ant --video ant.gif

With an NVIDIA GPU, simulation and PyTorch share the memory of the states, and nothing is copied to the host. Without one
it runs on the CPU, for example with a software driver: ``--envs 16 --iterations 2`` tests it in a minute.
At the end the policy controls one environment on the CPU, which is recorded: as a GIF if ``imageio`` or ``PIL`` is
installed, and as an archive ``.npz`` of positions otherwise.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import time
import types
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

import sim_physics
from sim_physics.gpu import TASKS, GpuVectorEnv


class Normalizer(nn.Module):
    """Running mean and variance of observations."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))
        self.register_buffer("count", torch.tensor(1e-4))

    def update(self, values: Tensor) -> None:
        mean, variance, count = values.mean(0), values.var(0, unbiased=False), values.shape[0]
        total = self.count + count
        delta = mean - self.mean
        self.variance.copy_((self.variance * self.count + variance * count + delta**2 * self.count * count / total) / total)
        self.mean.add_(delta * count / total)
        self.count.copy_(total)

    def forward(self, values: Tensor) -> Tensor:
        return ((values - self.mean) * torch.rsqrt(self.variance + 1e-5)).clamp(-10.0, 10.0)


def network(sizes: list[int], scale: float) -> nn.Sequential:
    """A fully connected network whose last layer is scaled."""
    layers: list[nn.Module] = []
    for first, second in zip(sizes, sizes[1:]):
        layers += [nn.Linear(first, second), nn.ELU()]
    with torch.no_grad():
        layers[-2].weight.mul_(scale)
        layers[-2].bias.zero_()
    return nn.Sequential(*layers[:-1])


class Agent(nn.Module):
    """A Gaussian policy with state-independent deviations, and a value function."""

    def __init__(self, observations: int, actions: int, hidden: list[int]) -> None:
        super().__init__()
        self.normalizer = Normalizer(observations)
        self.actor = network([observations, *hidden, actions], 0.01)
        self.critic = network([observations, *hidden, 1], 1.0)
        self.log_std = nn.Parameter(torch.full((actions,), -0.5))

    def value(self, observations: Tensor) -> Tensor:
        return self.critic(self.normalizer(observations)).squeeze(1)

    def mean(self, observations: Tensor) -> Tensor:
        return self.actor(self.normalizer(observations))

    def log_probability(self, mean: Tensor, actions: Tensor) -> Tensor:
        scaled = (actions - mean) * torch.exp(-self.log_std)
        return -(0.5 * scaled**2 + self.log_std).sum(1)


class Rollout:
    """Experience of a number of steps in all environments."""

    def __init__(self, steps: int, env: GpuVectorEnv) -> None:
        def buffer(*shape: int) -> Tensor:
            return torch.zeros((steps, env.num_envs, *shape), device=env.device)

        self.observations, self.actions, self.means = buffer(env.observation_size), buffer(env.action_size), buffer(env.action_size)
        self.values, self.rewards, self.log_probabilities = buffer(), buffer(), buffer()
        self.continues, self.bootstraps = buffer(), buffer()

    def collect(self, env: GpuVectorEnv, agent: Agent, observations: Tensor, arguments: argparse.Namespace, stats: Stats) -> Tensor:
        with torch.no_grad():
            for t in range(len(self.rewards)):
                mean = agent.mean(observations)
                actions = mean + torch.exp(agent.log_std) * torch.randn_like(mean)
                self.observations[t], self.means[t], self.actions[t] = observations, mean, actions
                self.log_probabilities[t] = agent.log_probability(mean, actions)
                self.values[t] = agent.value(observations)
                observations, rewards, terminated, truncated, infos = env.step(arguments.action_scale * actions)
                self.rewards[t] = arguments.reward_scale * rewards
                done = terminated | truncated
                self.continues[t] = (~done).float()
                # the value of the state in which an episode is truncated
                self.bootstraps[t] = truncated.float() * agent.value(infos["final_obs"])
                stats.add(rewards, done)
        return observations

    def advantages(self, last: Tensor, gamma: float, lam: float) -> tuple[Tensor, Tensor]:
        """Generalised advantage estimates and returns."""
        result = torch.zeros_like(self.rewards)
        advantage, following = torch.zeros_like(last), last
        for t in reversed(range(len(self.rewards))):
            target = self.rewards[t] + gamma * (following * self.continues[t] + self.bootstraps[t])
            advantage = target - self.values[t] + gamma * lam * self.continues[t] * advantage
            result[t] = advantage
            following = self.values[t]
        return result, result + self.values


class Stats:
    """Mean return and length of the episodes that ended."""

    def __init__(self, env: GpuVectorEnv) -> None:
        self.returns, self.lengths = torch.zeros(env.num_envs, device=env.device), torch.zeros(env.num_envs, device=env.device)
        self.sums = torch.zeros(5, device=env.device)

    def add(self, rewards: Tensor, done: Tensor) -> None:
        self.returns += rewards
        self.lengths += 1
        mask = done.float()
        ended = [(mask * self.returns).sum(), (mask * self.lengths).sum(), mask.sum()]
        self.sums += torch.stack([*ended, rewards.mean(), torch.ones_like(mask[0])])
        self.returns *= 1 - mask
        self.lengths *= 1 - mask

    def take(self) -> dict[str, float]:
        total, length, count, reward, steps = self.sums.tolist()
        self.sums.zero_()
        count = max(count, 1.0)
        return {"episode_return": total / count, "episode_length": length / count, "reward": reward / steps}


def update(agent: Agent, optimizer: Any, rollout: Rollout, last: Tensor, arguments: argparse.Namespace) -> float:
    """The update of the policy: clipped objective, with a step size that follows the divergence of the policies."""
    advantages, returns = rollout.advantages(last, arguments.gamma, arguments.lam)
    tensors = (rollout.observations, rollout.actions, rollout.means, rollout.log_probabilities, rollout.values)
    data = [each.flatten(0, 1) for each in (*tensors, advantages, returns)]
    count = data[0].shape[0]
    std = torch.exp(agent.log_std.detach().clone())
    for _ in range(arguments.epochs):
        order = torch.randperm(count, device=data[0].device)
        for rows in order.chunk(arguments.minibatches):
            observations, actions, means, old, values, advantage, target = (each[rows] for each in data)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            mean = agent.mean(observations)
            ratio = torch.exp(agent.log_probability(mean, actions) - old)
            clipped = ratio.clamp(1 - arguments.clip, 1 + arguments.clip)
            policy_loss = -torch.minimum(advantage * ratio, advantage * clipped).mean()
            value = agent.value(observations)
            near = values + (value - values).clamp(-arguments.clip, arguments.clip)
            value_loss = torch.maximum((value - target) ** 2, (near - target) ** 2).mean()
            loss = policy_loss + value_loss - arguments.entropy * agent.log_std.sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
            optimizer.step()
        with torch.no_grad():
            new, ratio = torch.exp(agent.log_std), agent.mean(data[0][rows]) - data[2][rows]
            kl = (torch.log(new / std) + (std**2 + ratio**2) / (2 * new**2) - 0.5).sum(1).mean().item()
        rate = optimizer.param_groups[0]["lr"]
        rate = max(1e-5, rate / 1.5) if kl > 2 * arguments.kl else min(1e-2, rate * 1.5) if kl < arguments.kl / 2 else rate
        optimizer.param_groups[0]["lr"] = rate
    return rate


def record(agent: Agent, env: GpuVectorEnv, arguments: argparse.Namespace) -> dict[str, Any]:
    """Controls one environment on the CPU with the mean of the policy, and records it."""
    agent = agent.cpu()
    model, task = env.model, env.task
    data = sim_physics.MjData(model)
    low, high = env.action_low.cpu(), env.action_high.cpu()
    frames: list[np.ndarray] = []
    positions: list[np.ndarray] = []
    renderer = None
    path = pathlib.Path(arguments.video) if arguments.video else None
    if path is not None and path.suffix != ".npz" and hasattr(sim_physics, "Renderer"):
        renderer = sim_physics.Renderer(model, height=240, width=320)
    camera = sim_physics.MjvCamera()
    camera.type, camera.trackbodyid = sim_physics.mjtCamera.mjCAMERA_TRACKING, 1
    camera.distance, camera.elevation, camera.azimuth = 4.0, -15.0, 90.0
    for k in range(round(arguments.seconds / env.dt)):
        state = types.SimpleNamespace(qpos=torch.tensor(data.qpos[None]).float(), qvel=torch.tensor(data.qvel[None]).float())
        with torch.no_grad():
            action = arguments.action_scale * agent.mean(task.observe(state))[0]
        data.ctrl[:] = torch.clamp(action, low, high).numpy()
        sim_physics.mj_step(model, data, task.frame_skip)
        positions.append(data.qpos.copy())
        if renderer is not None and k % max(1, round(1 / (25 * env.dt))) == 0:
            renderer.update_scene(data, camera)
            frames.append(renderer.render().copy())
    result: dict[str, Any] = {"cpu_distance_m": float(data.qpos[0]), "cpu_seconds": float(data.time)}
    if path is not None:
        result["video"] = str(save(path, frames, np.stack(positions), max(env.dt, 1 / 25)))
    return result


def save(path: pathlib.Path, frames: list[np.ndarray], positions: np.ndarray, interval: float) -> pathlib.Path:
    """Writes a GIF; without frames or a library for images, the positions."""
    if frames:
        try:
            from PIL import Image

            images = [Image.fromarray(frame) for frame in frames]
            images[0].save(path, save_all=True, append_images=images[1:], duration=round(1000 * interval), loop=0)
            return path
        except ImportError:
            path = path.with_suffix(".npz")
    np.savez_compressed(path, qpos=positions)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="ant", choices=TASKS)
    parser.add_argument("--envs", type=int, default=4096)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--max-seconds", type=float, default=110.0, help="training ends after this time")
    parser.add_argument("--steps", type=int, default=24, help="steps of each environment per iteration")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minibatches", type=int, default=4)
    parser.add_argument("--hidden", type=int, nargs="*", default=[256, 128, 64])
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--lam", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--kl", type=float, default=0.01, help="divergence of successive policies that is aimed at")
    parser.add_argument("--entropy", type=float, default=1e-3)
    parser.add_argument("--reward-scale", type=float, default=0.1)
    parser.add_argument("--action-scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--contacts", type=int, help="contact capacity of an environment")
    parser.add_argument("--rows", type=int, help="row capacity of an environment")
    parser.add_argument("--copies", action="store_true", help="do not share memory with CUDA")
    parser.add_argument("--video", help="file for the recording, .gif or .npz")
    parser.add_argument("--seconds", type=float, default=10.0, help="simulated time of the recording")
    parser.add_argument("--save", help="file for the trained policy")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    options = {"contacts": arguments.contacts, "rows": arguments.rows, "zero_copy": False if arguments.copies else None}
    env = GpuVectorEnv(arguments.task, num_envs=arguments.envs, seed=arguments.seed, **options)
    sharing = "shared memory" if env.zero_copy else f"copies ({env.zero_copy_reason})"
    print(f"{env.num_envs} environments on {env.batch.batch.adapter}, tensors on {env.device}, {sharing}", flush=True)
    agent = Agent(env.observation_size, env.action_size, arguments.hidden).to(env.device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=arguments.learning_rate)
    rollout, stats = Rollout(arguments.steps, env), Stats(env)
    observations, _ = env.reset(seed=arguments.seed)
    # episodes of different environments should not end in the same step
    env._steps.copy_(torch.randint(env.task.max_episode_steps, (env.num_envs,), device=env.device))
    start = time.perf_counter()
    log: dict[str, float] = {}
    for iteration in range(1, arguments.iterations + 1):
        observations = rollout.collect(env, agent, observations, arguments, stats)
        rate = update(agent, optimizer, rollout, agent.value(observations).detach(), arguments)
        agent.normalizer.update(rollout.observations.flatten(0, 1))
        seconds = time.perf_counter() - start
        last = iteration == arguments.iterations or seconds > arguments.max_seconds
        if iteration % 10 == 0 or iteration == 1 or last:
            log = stats.take()
            per_second = iteration * arguments.steps * env.num_envs / seconds
            print(
                f"{iteration:4d} {seconds:6.1f} s  reward {log['reward']:7.3f}  return {log['episode_return']:9.2f}  "
                f"length {log['episode_length']:6.1f}  rate {rate:.1e}  {per_second:.3g} steps/s",
                flush=True,
            )
        if last:
            break
    summary = {"task": arguments.task, "iterations": iteration, "seconds": seconds, "zero_copy": env.zero_copy, **log}
    summary["environment_steps"] = iteration * arguments.steps * env.num_envs
    if arguments.save:
        torch.save(agent.state_dict(), arguments.save)
    summary.update(record(agent, env, arguments))
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
