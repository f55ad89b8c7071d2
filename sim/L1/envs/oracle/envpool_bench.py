"""Throughput of the tasks beside EnvPool and gymnasium's vector environments, interleaved.

    python envpool_bench.py PROGRAM [--threads 1,2] [--envs 64] [--rounds 3] [--seconds 0.5] [--gymnasium]
                            [--json FILE] [TASK...]

PROGRAM is the built example `throughput`. A round measures each engine once, in turn; the table has the medians of
simulation steps per second, and the medians of the ratios of the rounds: ours to EnvPool, and ours in SIMD lanes to
EnvPool. Needs envpool 1.2.5 and gymnasium 1.4.
"""

import argparse
import json
import statistics
import subprocess
import time

import numpy as np

TASKS = ["Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5",
         "InvertedDoublePendulum-v5", "InvertedPendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5",
         "Walker2d-v5"]
FRAME_SKIP = dict(zip(TASKS, [5, 5, 4, 5, 5, 5, 2, 5, 2, 4, 4]))


def options(task):
    # a random policy falls at once, and would measure resets
    return dict(terminate_when_unhealthy=False) if task == "Humanoid-v5" else {}


class EnvPool:
    def __init__(self, task, envs, threads):
        import envpool
        self.env = envpool.make_gymnasium(task, num_envs=envs, num_threads=threads, **options(task))
        self.env.reset()
        self.space = self.env.action_space

    def close(self):
        self.env.close()


class Gymnasium:
    def __init__(self, task, envs, threads):
        import gymnasium
        mode = "sync" if threads == 1 else "async"
        count = envs if threads == 1 else threads
        self.env = gymnasium.make_vec(task, num_envs=count, vectorization_mode=mode, **options(task))
        self.env.reset(seed=0)
        self.space = self.env.single_action_space

    def close(self):
        self.env.close()


def measure(engine, task, envs, threads, seconds):
    """Simulation steps per second of a Python engine."""
    vector = engine(task, envs, threads)
    count = vector.env.num_envs if engine is Gymnasium else envs
    rng = np.random.default_rng(1)
    low, high = vector.space.low, vector.space.high
    shape = (count, low.shape[-1])
    kind = vector.space.dtype
    table = [rng.uniform(low.reshape(-1, shape[1])[0], high.reshape(-1, shape[1])[0], shape).astype(kind)
             for _ in range(64)]

    def run(steps):
        start = time.perf_counter()
        for k in range(steps):
            vector.env.step(table[k % 64])
        return time.perf_counter() - start

    warm = 20 if engine is Gymnasium else 100
    steps = max(1, int(seconds / (run(warm) / warm)))
    duration = run(steps)
    vector.close()
    return steps * count * FRAME_SKIP[task] / duration


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--gymnasium", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_intermixed_args()
    command = [arguments.program, "--serve", "--envs", str(arguments.envs), "--seconds", str(arguments.seconds)]
    ours = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    rows = []
    for threads in map(int, arguments.threads.split(",")):
        print(f"\n{arguments.envs} environments, {threads} threads: steps/s")
        ratios = []
        for task in arguments.tasks or TASKS:
            figures = {"ours": [], "lanes": [], "EnvPool": [], "gymnasium": []}
            for _ in range(arguments.rounds):
                for name in ("ours", "lanes"):
                    ours.stdin.write(f"{task} {threads} {name}\n")
                    ours.stdin.flush()
                    figures[name].append(float(ours.stdout.readline()))
                for name, engine in (("EnvPool", EnvPool), ("gymnasium", Gymnasium)):
                    if name != "gymnasium" or arguments.gymnasium:
                        figures[name].append(measure(engine, task, arguments.envs, threads, arguments.seconds))
            ratio, in_lanes = (
                statistics.median(a / b for a, b in zip(figures[name], figures["EnvPool"]))
                for name in ("ours", "lanes")
            )
            ratios.append((ratio, in_lanes))
            medians = {name: statistics.median(values) for name, values in figures.items() if values}
            rows.append({"task": task, "threads": threads, "ratio": ratio, "lanes_ratio": in_lanes, **medians})
            print(f"{task:28}" + "".join(f"{name:>10} {value:9.0f}" for name, value in medians.items())
                  + f"   ratio {ratio:.2f}, in lanes {in_lanes:.2f}", flush=True)
        for name, column in zip(("ours", "in lanes"), zip(*ratios)):
            print(f"{name}: geometric mean {statistics.geometric_mean(column):.2f}, least {min(column):.2f}")
    ours.stdin.close()
    ours.wait()
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"environments": arguments.envs, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
