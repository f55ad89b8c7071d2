"""Times the reference engine compiling one model, once, in a process that has compiled nothing yet.

    compile.py MODEL --threads T

Prints a JSON object: the seconds that the call took, and by how many MiB the process grew at its
peak (null where the system does not tell).
"""

import argparse
import json
import os
import sys
import time

import mujoco


def memory(key):
    """A figure of the process's status, in MiB; None where there is no such thing."""
    try:
        with open("/proc/self/status") as status:
            line = next(line for line in status if line.startswith(key + ":"))
        return int(line.split()[1]) / 1024
    except (OSError, StopIteration):
        return None


def forget_peak():
    """From now on the peak is that of what follows, not that of the imports."""
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

    # the engine takes half as many threads as it sees processors
    if hasattr(os, "sched_setaffinity"):
        seen = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, seen[: 2 * args.threads])
    forget_peak()
    before = memory("VmRSS")
    clock = time.perf_counter()
    model = mujoco.MjModel.from_xml_path(args.model)
    seconds = time.perf_counter() - clock
    peak = memory("VmHWM")
    mib = peak - before if peak is not None else None
    print(json.dumps({"seconds": seconds, "peak_mib": mib, "nv": model.nv}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
