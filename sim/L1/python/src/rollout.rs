//! Open-loop rollouts with the semantics of `mujoco.rollout`: the checks of arguments are in `rollout.py`.

use crate::data::MjData;
use crate::error;
use crate::functions::pipeline::INTERRUPT_INTERVAL;
use crate::memory::Busy;
use crate::model::MjModel;
use crate::run::guarded;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use sim_physics::core::{mj_get_state, mj_set_state, mj_state_size, mj_step};
use sim_physics::lanes::LaneModel;
use sim_physics::types::{StateBits, Warning};
use sim_physics::{Chunks, ChunksMut, Data, LaneTrajectories, Model, Rows, TrajectoryRows};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which the calling thread looks for the end of the workers.
const POLL: Duration = Duration::from_millis(1);

/// Inputs and sizes of a rollout.
struct Job<'a> {
    models: &'a [&'a Model],
    steps: usize,
    control_spec: StateBits,
    ncontrol: usize,
    initial: &'a [f64],
    warmstart: Option<&'a [f64]>,
    control: Option<&'a [f64]>,
    nstate: usize,
    nsensor: usize,
    stop: &'a AtomicBool,
}

impl Job<'_> {
    /// Checks the lengths of the arguments.
    fn check(&self, count: usize) -> PyResult<()> {
        check_length("initial_state", self.initial.len(), count * self.nstate)?;
        if let Some(control) = self.control {
            check_length("control", control.len(), count * self.steps * self.ncontrol)?;
        }
        if let Some(warmstart) = self.warmstart {
            check_length("initial_warmstart", warmstart.len(), count * self.models[0].nv)?;
        }
        Ok(())
    }

    /// The tables of the model for lanes, if they simulate it and its inputs. Trajectories with models of their own
    /// have nothing to share.
    fn lane_model(&self) -> Option<LaneModel> {
        let [model] = self.models else { return None };
        LaneTrajectories::accepts(self.control_spec)
            .then(|| LaneTrajectories::lane_model(model))
            .flatten()
    }

    /// Simulates trajectory `k`.
    fn simulate(
        &self,
        k: usize,
        d: &mut Data,
        states: &mut [f64],
        sensors: &mut [f64],
        mut poll: impl FnMut(),
    ) {
        let m = self.models[k % self.models.len()];
        let full = StateBits::FULLPHYSICS;
        self.set_initial(m, k, d);
        let warnings = total_warnings(d);
        for step in 0..self.steps {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            if let Some(control) = self.control {
                let row = &control[(k * self.steps + step) * self.ncontrol..][..self.ncontrol];
                // the length was checked
                let _ = mj_set_state(m, d, row, self.control_spec);
            }
            let failed = mj_step(m, d).is_err();
            let state = step * self.nstate..(step + 1) * self.nstate;
            let sensor = step * self.nsensor..(step + 1) * self.nsensor;
            let _ = mj_get_state(m, d, &mut states[state.clone()], full);
            sensors[sensor.clone()].copy_from_slice(&d.sensordata);
            if failed || total_warnings(d) > warnings {
                // a diverged trajectory repeats its last state
                for later in step + 1..self.steps {
                    states.copy_within(state.clone(), later * self.nstate);
                    sensors.copy_within(sensor.clone(), later * self.nsensor);
                }
                return;
            }
            poll();
        }
    }

    /// Sets the initial state; inputs that the controls do not set are those of a reset data.
    fn set_initial(&self, m: &Model, k: usize, d: &mut Data) {
        d.reset(m);
        // the lengths were checked
        let _ = mj_set_state(
            m,
            d,
            &self.initial[k * self.nstate..][..self.nstate],
            StateBits::FULLPHYSICS,
        );
        if let Some(warmstart) = self.warmstart {
            d.qacc_warmstart.copy_from_slice(&warmstart[k * m.nv..][..m.nv]);
        }
    }
}

/// Number of warnings about a diverged state.
fn total_warnings(d: &Data) -> usize {
    [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc]
        .iter()
        .map(|w| d.warning[*w as usize].number)
        .sum()
}

/// Simulates trajectories; returns states (batch, step, state) and sensor readings (batch, step, sensor).
#[pyfunction]
#[pyo3(signature = (models, data, nstep, control_spec, initial_state, initial_warmstart, control, lanes=false))]
#[allow(clippy::too_many_arguments, reason = "the arguments of mujoco.rollout")]
pub fn _rollout<'py>(
    py: Python<'py>,
    models: Vec<Py<MjModel>>,
    data: Vec<Py<MjData>>,
    nstep: usize,
    control_spec: u32,
    initial_state: PyReadonlyArrayDyn<'py, f64>,
    initial_warmstart: Option<PyReadonlyArrayDyn<'py, f64>>,
    control: Option<PyReadonlyArrayDyn<'py, f64>>,
    lanes: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let copy =
        |a: &PyReadonlyArrayDyn<'py, f64>| -> Vec<f64> { a.as_array().iter().copied().collect() };
    let initial = copy(&initial_state);
    let (warmstart, control) = (initial_warmstart.as_ref().map(copy), control.as_ref().map(copy));
    let control_spec = StateBits::from_bits(control_spec)
        .ok_or_else(|| error::value("control_spec is not a combination of mjtState"))?;
    for model in &models {
        model.get().sync(py)?;
        crate::plugin::check_not_scripted(py, model.get(), "rollout")?;
    }
    let guards = models.iter().map(|m| m.get().memory.get().shared().read());
    let guards = guards.collect::<Result<Vec<_>, _>>().map_err(|Busy| error::busy("MjModel"))?;
    let borrowed: Vec<&Model> = guards.iter().map(|g| &**g).collect();
    let first =
        *borrowed.first().ok_or_else(|| error::value("rollout needs at least one model"))?;
    let mut workers = Vec::new();
    for d in &data {
        let guard = d.get().memory.get().shared().write().map_err(|Busy| error::busy("MjData"))?;
        for (model, m) in borrowed.iter().zip(&models) {
            d.get().check_model(m.get(), model)?;
        }
        workers.push((d, guard));
    }
    let nstate = mj_state_size(first, StateBits::FULLPHYSICS);
    let (nsensor, ncontrol) = (first.nsensordata, mj_state_size(first, control_spec));
    let count = initial.len() / nstate.max(1);
    let (mut states, mut sensors) =
        (vec![0.0; count * nstep * nstate], vec![0.0; count * nstep * nsensor]);
    let stop = AtomicBool::new(false);
    let job = Job {
        models: &borrowed,
        steps: nstep,
        control_spec,
        ncontrol,
        initial: &initial,
        warmstart: warmstart.as_deref(),
        control: control.as_deref(),
        nstate,
        nsensor,
        stop: &stop,
    };
    job.check(count)?;
    let mut targets: Vec<&mut Data> = workers.iter_mut().map(|(_, guard)| &mut **guard).collect();
    let lanes = if lanes { job.lane_model() } else { None };
    let outcome = py.detach(|| {
        guarded(|| match &lanes {
            Some(lanes) => {
                run_in_lanes(&job, count, lanes, targets.len(), [&mut states, &mut sensors])
            }
            None => run_all(&job, count, &mut targets, &mut states, &mut sensors),
        })
    });
    match outcome {
        Ok(result) => result?,
        Err(panic) => {
            for (d, guard) in &mut workers {
                d.get().memory.get().check_after_panic(guard);
            }
            return Err(panic);
        }
    }
    let states = states.into_pyarray(py).reshape([count, nstep, nstate])?.into_any();
    let sensors = sensors.into_pyarray(py).reshape([count, nstep, nsensor])?.into_any();
    Ok((states, sensors))
}

fn check_length(name: &str, given: usize, expected: usize) -> PyResult<()> {
    if given == expected {
        return Ok(());
    }
    Err(error::shape(format!("{name} should have {expected} values, but has {given}")))
}

/// Simulates the trajectories in SIMD lanes, on a number of threads.
fn run_in_lanes(
    job: &Job<'_>,
    count: usize,
    lanes: &LaneModel,
    threads: usize,
    [states, sensordata]: [&mut [f64]; 2],
) -> PyResult<()> {
    /// Parts per thread, to balance the load.
    const PARTS_PER_THREAD: usize = 4;
    let model = job.models[0];
    let inputs = if job.control.is_some() { job.control_spec } else { StateBits::NONE };
    let trajectories = LaneTrajectories { model, lanes, steps: job.steps, inputs };
    let parts = if threads == 1 { 1 } else { PARTS_PER_THREAD * threads };
    let length = count.div_ceil(parts).next_multiple_of(lanes.lanes());
    let mut errors = vec![None; count];
    let mut rest = TrajectoryRows {
        initial: rows(job.initial, count),
        warmstart: rows(job.warmstart.unwrap_or_default(), count),
        inputs: rows(job.control.unwrap_or_default(), count),
        states: ChunksMut { values: states, width: job.steps * job.nstate },
        sensordata: ChunksMut { values: sensordata, width: job.steps * job.nsensor },
        errors: &mut errors[..],
    };
    let mut queue = Vec::new();
    while rest.errors.len() > length {
        let (part, after) = rest.split_rows(length);
        queue.push(part);
        rest = after;
    }
    queue.push(rest);
    let queue = Mutex::new(queue);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut interrupts = Interrupts::new(job.stop);
    let go_on = || !job.stop.load(Ordering::Relaxed);
    if threads == 1 {
        while let Some(part) = next() {
            trajectories.simulate(part, || {
                interrupts.check();
                go_on()
            });
        }
    } else {
        let work = || {
            while let Some(part) = next() {
                trajectories.simulate(part, go_on);
            }
        };
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            interrupts.wait_for(&handles);
        });
    }
    interrupts.result()
}

/// Values of a number of trajectories.
fn rows(values: &[f64], count: usize) -> Chunks<'_, f64> {
    Chunks { values, width: values.len().checked_div(count).unwrap_or(0) }
}

/// Looks for signals of the user, such as Ctrl-C, and stops a rollout.
struct Interrupts<'a> {
    stop: &'a AtomicBool,
    last: Instant,
    error: Option<PyErr>,
}

impl<'a> Interrupts<'a> {
    fn new(stop: &'a AtomicBool) -> Self {
        Self { stop, last: Instant::now(), error: None }
    }

    fn check(&mut self) {
        if self.last.elapsed() > INTERRUPT_INTERVAL {
            self.last = Instant::now();
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.stop.store(true, Ordering::Relaxed);
                self.error = Some(error);
            }
        }
    }

    /// Checks until all threads have finished.
    fn wait_for(&mut self, handles: &[std::thread::ScopedJoinHandle<'_, ()>]) {
        while handles.iter().any(|handle| !handle.is_finished()) {
            std::thread::sleep(POLL);
            self.check();
        }
    }

    fn result(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}

/// Distributes the trajectories over one thread per data.
fn run_all(
    job: &Job<'_>,
    count: usize,
    data: &mut [&mut Data],
    states: &mut [f64],
    sensors: &mut [f64],
) -> PyResult<()> {
    let (state_row, sensor_row) = (job.steps * job.nstate, job.steps * job.nsensor);
    let mut rest = (states, sensors);
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let (state, state_rest) = rest.0.split_at_mut(state_row);
        let (sensor, sensor_rest) = rest.1.split_at_mut(sensor_row);
        rows.push(Mutex::new((state, sensor)));
        rest = (state_rest, sensor_rest);
    }
    let next = AtomicUsize::new(0);
    let work = |d: &mut Data, poll: &mut dyn FnMut()| {
        while let Some((k, row)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|k| Some((k, rows.get(k)?)))
        {
            let mut row = row.lock().unwrap_or_else(PoisonError::into_inner);
            let (state, sensor) = &mut *row;
            job.simulate(k, d, state, sensor, &mut *poll);
        }
    };
    let mut interrupts = Interrupts::new(job.stop);
    if let [only] = data {
        work(only, &mut || interrupts.check());
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> =
                data.iter_mut().map(|d| scope.spawn(|| work(d, &mut || {}))).collect();
            interrupts.wait_for(&handles);
        });
    }
    interrupts.result()
}
