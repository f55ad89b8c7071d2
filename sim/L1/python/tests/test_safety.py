"""Threads, interrupts, forks, dropped owners and memory."""

from __future__ import annotations

import gc
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import numpy as np
import pytest
import sim_physics
from conftest import ARM


def resident() -> int:
    """Resident memory of the process in bytes."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_views_outlive_model_and_data() -> None:
    model = sim_physics.MjModel.from_xml_string(ARM)
    data = sim_physics.MjData(model)
    sim_physics.mj_step(model, data)
    arrays = [data.qpos, data.joint("elbow").qvel, data.xpos[2], model.body_mass, model.opt.gravity, model.body("ball").pos]
    copies = [array.copy() for array in arrays]
    view = data.joint("elbow")
    del model, data
    gc.collect()
    junk = [np.random.default_rng(0).normal(size=1000) for _ in range(200)]
    for array, copy in zip(arrays, copies):
        assert np.array_equal(array, copy)
        array[...] = 1.0
    view.qpos = 0.5
    assert view.qpos[0] == 0.5 and len(junk) == 200


def test_two_threads_that_step_one_data_raise(model: Any, data: Any) -> None:
    errors: list[BaseException] = []
    stop = threading.Event()

    def run() -> None:
        while not stop.is_set():
            try:
                sim_physics.mj_step(model, data, 2000)
            except sim_physics.BusyError as error:
                errors.append(error)
                stop.set()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert errors and "another thread" in str(errors[0])
    sim_physics.mj_step(model, data)


def test_threads_with_their_own_data_run_in_parallel(model: Any) -> None:
    results: dict[int, Any] = {}

    def run(index: int) -> None:
        data = sim_physics.MjData(model)
        data.ctrl[:] = 0.1
        for _ in range(20):
            sim_physics.mj_step(model, data, 50)
        results[index] = data.qpos.copy()

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(results[0], results[k]) for k in range(4))


def test_the_interpreter_runs_while_a_thread_steps(model: Any, data: Any) -> None:
    thread = threading.Thread(target=sim_physics.mj_step, args=(model, data, 20_000))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 3


@pytest.mark.parametrize("call", ["sim.mj_step(m, d, 10**9)", "sim.rollout.rollout(m, ds, np.tile(s, (8, 1)), nstep=10**5)"])
def test_a_keyboard_interrupt_ends_a_long_call(call: str, tmp_path: Any) -> None:
    program = f"""
        import numpy as np, signal, sim_physics as sim, sys
        # shells start background jobs with this signal ignored, and child processes inherit that
        signal.signal(signal.SIGINT, signal.default_int_handler)
        m = sim.MjModel.from_xml_string({ARM!r})
        d = sim.MjData(m)
        ds = [sim.MjData(m) for _ in range(2)]
        s = np.zeros(sim.mj_stateSize(m, int(sim.mjtState.mjSTATE_FULLPHYSICS)))
        sim.mj_getState(m, d, s, int(sim.mjtState.mjSTATE_FULLPHYSICS))
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.perf_counter()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert time.perf_counter() - start < 5.0
    assert process.wait(timeout=30) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_during_a_run_has_defined_behaviour(model: Any) -> None:
    data, other = sim_physics.MjData(model), sim_physics.MjData(model)
    batch = sim_physics.BatchSim(model, 4, threads=2)
    batch.step()
    thread = threading.Thread(target=sim_physics.mj_step, args=(model, data, 30_000))
    thread.start()
    time.sleep(0.01)
    child = os.fork()
    if child == 0:
        code = 0
        try:
            # the data that the other thread stepped stays locked, others can be stepped
            try:
                sim_physics.mj_step(model, data)
                code |= 1
            except sim_physics.BusyError:
                pass
            sim_physics.mj_step(model, other, 10)
            code |= 0 if other.time > 0.0 else 2
            try:
                batch.step()
                code |= 4
            except sim_physics.ForkError:
                pass
            code |= 0 if len(sim_physics.BatchSim(model, 4, threads=2).step()["rewards"]) == 4 else 8
        except BaseException:
            code = 99
        os._exit(code)
    thread.join()
    _, status = os.waitpid(child, 0)
    # bit 1: the parent's steps may have ended before the fork
    assert os.waitstatus_to_exitcode(status) in (0, 1)
    batch.step()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_during_a_rollout_has_defined_behaviour(model: Any) -> None:
    workers = [sim_physics.MjData(model) for _ in range(2)]
    spec = int(sim_physics.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros((4, sim_physics.mj_stateSize(model, spec)))
    for row in state:
        sim_physics.mj_getState(model, workers[0], row, spec)
    run = threading.Thread(target=sim_physics.rollout.rollout, args=(model, workers, state), kwargs={"nstep": 5000})
    run.start()
    time.sleep(0.02)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        code = 0
        try:
            # data of the rollout stay locked or are free, others can be used on one thread and on several
            try:
                sim_physics.mj_step(model, workers[0])
            except sim_physics.BusyError:
                pass
            own = [sim_physics.MjData(model) for _ in range(2)]
            sim_physics.mj_step(model, own[0])
            code |= 0 if sim_physics.rollout.rollout(model, own[0], state, nstep=3)[0].shape[1] == 3 else 1
            try:
                code |= 0 if sim_physics.rollout.rollout(model, own, state, nstep=3)[0].shape[1] == 3 else 2
            except sim_physics.ForkError:
                pass
        except BaseException:
            code = 99
        os._exit(code)
    _, status = os.waitpid(child, 0)
    run.join()
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_dropped_model_is_alive_during_a_rollout() -> None:
    model = sim_physics.MjModel.from_xml_string(ARM)
    data = sim_physics.MjData(model)
    spec = int(sim_physics.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros((1, sim_physics.mj_stateSize(model, spec)))
    sim_physics.mj_getState(model, data, state[0], spec)
    results: list[Any] = []
    run = threading.Thread(target=lambda m, d: results.append(sim_physics.rollout.rollout(m, d, state, nstep=2000)),
                           args=(model, data))  # fmt: skip
    run.start()
    del model, data
    gc.collect()
    run.join()
    assert np.isfinite(results[0][0]).all()


def test_a_view_of_a_stepped_data_raises(model: Any, data: Any) -> None:
    thread = threading.Thread(target=sim_physics.mj_step, args=(model, data, 20_000))
    thread.start()
    raised = 0
    while thread.is_alive():
        try:
            data.joint("elbow").qpos
            data.qpos
        except sim_physics.BusyError:
            raised += 1
        time.sleep(0.0005)
    assert raised > 0 and data.joint("elbow").qpos.shape == (1,)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_models_can_be_loaded_after_a_fork() -> None:
    texture = '<texture name="{}" type="2d" builtin="checker" width="8" height="8"/>'
    xml = f"<mujoco><asset>{texture.format('a')}{texture.format('b')}</asset></mujoco>"
    sim_physics.MjModel.from_xml_string(xml)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            os._exit(0 if sim_physics.MjModel.from_xml_string(xml).ntex == 2 else 1)
        finally:
            os._exit(99)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_is_flat_over_loads_and_views() -> None:
    small = "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody></mujoco>"

    def loads(count: int) -> None:
        for _ in range(count):
            model = sim_physics.MjModel.from_xml_string(small)
            data = sim_physics.MjData(model)
            data.qpos[0] = model.body_mass[1] + model.opt.gravity[2]
            sim_physics.mj_step(model, data)

    model = sim_physics.MjModel.from_xml_string(small)
    data = sim_physics.MjData(model)

    def views(count: int) -> None:
        for _ in range(count):
            data.joint(0).qpos
            data.qpos[:1]

    for run, count in ((loads, 1000), (views, 100_000)):
        run(count // 2)
        gc.collect()
        before = resident()
        run(count)
        gc.collect()
        growth = resident() - before
        print(f"{run.__name__}: {growth} bytes after {count}")
        assert growth < 2_000_000
