"""Times attribute access, named access and steps of this package next to the package ``mujoco`` in one run, and the
overhead of a step that Python calls over one that the engine repeats.

    python benchmarks/overhead.py [MODEL.xml]
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

import mujoco
import numpy as np
import sim_physics

ROUNDS = 7


def seconds(function: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - start) / count


def cases(package: Any, model: Any, data: Any, joint: str, body: str) -> dict[str, Callable[[], Any]]:
    jac = np.zeros((3, model.nv))
    empty = package.MjModel.from_xml_string("<mujoco/>")
    nothing = package.MjData(empty)
    return {
        "data.qpos": lambda: data.qpos,
        "data.time": lambda: data.time,
        "model.nv": lambda: model.nv,
        "model.body_mass": lambda: model.body_mass,
        "model.opt.timestep": lambda: model.opt.timestep,
        "data.joint(name).qpos": lambda: data.joint(joint).qpos,
        "model.body(name).mass": lambda: model.body(body).mass,
        "data.contact[0].geom1": lambda: data.contact[0].geom1 if data.ncon else None,
        "mj_jacBody": lambda: package.mj_jacBody(model, data, jac, None, 1),
        "mj_step, empty model": lambda: package.mj_step(empty, nothing),
        "mj_step": lambda: package.mj_step(model, data),
    }


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else None
    xml = open(path).read() if path else CHAIN
    tables = []
    for package in (sim_physics, mujoco):
        model = package.MjModel.from_xml_path(path) if path else package.MjModel.from_xml_string(xml)
        data = package.MjData(model)
        package.mj_step(model, data, 200)
        joint = package.mj_id2name(model, package.mjtObj.mjOBJ_JOINT, 1)
        body = package.mj_id2name(model, package.mjtObj.mjOBJ_BODY, 1)
        tables.append(cases(package, model, data, joint, body))
    print(f"{'':26} {'sim_physics':>12} {'mujoco':>12}   ratio")
    for name in tables[0]:
        count = 2000 if name == "mj_step" else 20000
        best = [min(seconds(table[name], count) for _ in range(ROUNDS)) for table in tables]
        print(f"{name:26} {1e9 * best[0]:9.0f} ns {1e9 * best[1]:9.0f} ns   {best[1] / best[0]:.2f}")
    print(f"\n{'overhead of a call':26} {'sim_physics':>12} {'mujoco':>12}")
    for name, text in (("mj_step, empty model", "<mujoco/>"), ("mj_step", xml)):
        figures = []
        for package in (sim_physics, mujoco):
            file = path if text is xml else None
            model = package.MjModel.from_xml_path(file) if file else package.MjModel.from_xml_string(text)
            figures.append(call_overhead(package, model))
        print(f"{name:26} {1e9 * figures[0]:9.0f} ns {1e9 * figures[1]:9.0f} ns")


def call_overhead(package: Any, model: Any, count: int = 2000) -> float:
    """Median over pairs of runs from one state: time of a step called from Python, less that of one of `nstep`."""
    data = package.MjData(model)
    differences = []
    for _ in range(3 * ROUNDS):
        package.mj_resetData(model, data)
        called = seconds(lambda: package.mj_step(model, data), count)
        package.mj_resetData(model, data)
        repeated = seconds(lambda: package.mj_step(model, data, count), 1) / count
        differences.append(called - repeated)
    return float(np.median(differences))


CHAIN = (
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"
    + "".join(f"<body name='b{i}' pos='0 0 .2'><joint name='j{i}' axis='0 1 0'/><geom size='.05'/>" for i in range(6))
    + "</body>" * 6
    + "<body pos='1 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
)

if __name__ == "__main__":
    main()
