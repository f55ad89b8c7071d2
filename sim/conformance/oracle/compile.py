"""Times the compilation of one model by MuJoCo, once, in a new process.

    compile.py MODEL --threads T

Prints a JSON object: the time of the call, s, and the peak growth of the resident memory, MiB (null
without /proc).
"""

import argparse
import json
import os
import sys
import time

import mujoco


def memory(key):
    """An entry of /proc/self/status, MiB; None if there is none."""
    try:
        with open("/proc/self/status") as status:
            line = next(line for line in status if line.startswith(key + ":"))
        return int(line.split()[1]) / 1024
    except (OSError, StopIteration):
        return None


def reset_peak():
    """Resets the peak of the resident memory (VmHWM), which otherwise includes the imports."""
    try:
        with open("/proc/self/clear_refs", "w") as refs:
            refs.write("5")
    except OSError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()

    # MuJoCo's compiler uses half as many threads as there are CPUs in the affinity mask
    if hasattr(os, "sched_setaffinity"):
        cpus = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cpus[: 2 * args.threads])
    reset_peak()
    before = memory("VmRSS")
    clock = time.perf_counter()
    model = mujoco.MjModel.from_xml_path(args.model)
    seconds = time.perf_counter() - clock
    peak = memory("VmHWM")
    mib = peak - before if peak is not None else None
    print(json.dumps({"seconds": seconds, "peak_mib": mib, "nv": model.nv}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
