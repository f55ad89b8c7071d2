//! A batch of environments on the device.

use crate::kernel::{Capacity, INFO, Kernel, Probe};
use crate::numbers::Numbers;
use crate::observe::{Layout, Observer};
use crate::{GpuBatchError, Options, Precision, cover, fill};
use mesh_gpu::{Access, Binding, Buffer, Checks, Context, Source, Timer};
use sim_core::Model;
use std::time::Duration;

/// What went wrong in an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// There were more contacts than room; the last ones were left out.
    pub contacts: bool,
    /// There were more rows than room; the last ones were left out.
    pub rows: bool,
    /// An acceleration was not finite; the environment stays where it was until it is reset.
    pub diverged: bool,
}

/// About the last step of an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What went wrong since the last reset.
    pub flags: Flags,
    /// Contacts with forces.
    pub contacts: usize,
    /// Rows of constraints.
    pub rows: usize,
    /// Iterations of the solver.
    pub iterations: usize,
    /// Steps since the last reset.
    pub age: usize,
    /// Resets so far.
    pub resets: usize,
    /// Whether the task ended the episode, or it diverged.
    pub terminated: bool,
    /// Whether the episode reached its limit of steps.
    pub truncated: bool,
}

/// Environments of one model on the device.
#[derive(Debug)]
pub struct GpuBatch {
    gpu: Context,
    model: Model,
    options: Options,
    /// One for each pass.
    kernels: Vec<mesh_gpu::Kernel>,
    made: Kernel,
    binding: Binding,
    count: usize,
    bank: usize,
    capacity: Capacity,
    /// Controls, poses of mocap bodies and applied forces of all environments, as last set.
    inputs: Vec<f64>,
    buffers: Buffers,
    timer: Option<Timer>,
    observer: Observer,
    subgroups: bool,
}

#[derive(Debug)]
struct Buffers {
    numbers: Numbers,
    /// How far the numbers of one environment are from those of the next: zero if all share them.
    stride: usize,
    indices: Buffer<u32>,
    states: Numbers,
    inputs: Numbers,
    info: Buffer<u32>,
    out: Numbers,
    run: Buffer<u32>,
    scratch: Numbers,
}

impl Buffers {
    fn bind(&self, gpu: &Context, kernel: &mesh_gpu::Kernel) -> Result<Binding, GpuBatchError> {
        let buffers = [
            self.numbers.raw(),
            self.indices.raw(),
            self.states.raw(),
            self.inputs.raw(),
            self.info.raw(),
            self.out.raw(),
            self.run.raw(),
            self.scratch.raw(),
            self.numbers.raw(),
        ];
        Ok(gpu.bind(kernel, &buffers)?)
    }
}

const BINDINGS: &[Access] = &[
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Read,
];

impl GpuBatch {
    /// `count` environments of a model at its reference configuration.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] names what the model needs and kernels cannot do,
    /// [`GpuBatchError::TooLarge`] says that it does not fit, and [`GpuBatchError::Device`] that the
    /// device failed or a task does not compile.
    pub fn new(
        gpu: &Context,
        m: &Model,
        count: usize,
        options: &Options,
    ) -> Result<Self, GpuBatchError> {
        let double = options.precision == Precision::Double;
        if double && !gpu.has_f64() {
            let (adapter, what) = (gpu.name().to_string(), "it has no 64-bit numbers".to_string());
            return Err(mesh_gpu::GpuError::Unsupported { adapter, what }.into());
        }
        if gpu.buffers() < BINDINGS.len() {
            let (have, need) = (gpu.buffers(), BINDINGS.len());
            let what = format!("kernels bind {need} buffers, it allows {have}");
            return Err(mesh_gpu::GpuError::Unsupported { adapter: gpu.name().into(), what }.into());
        }
        // without a barrier for storage, which only these cards are known not to need
        let together = gpu.subgroup() == Some(32) && gpu.is_nvidia();
        let subgroups = together && !options.portable && !options.one_lane && !double;
        let made = Kernel::new(m, options, subgroups, options.two_passes(count))?;
        if made.bytes > gpu.workgroup_bytes() {
            let (need, have) = (made.bytes, gpu.workgroup_bytes());
            return Err(GpuBatchError::TooLarge { need, have, adapter: gpu.name().into() });
        }
        let capacity = Kernel::capacity(m, options, &made.tables);
        let kernel = |text: &String| {
            gpu.kernel(&Source {
                label: "step",
                wgsl: text,
                entry: "main",
                bindings: BINDINGS,
                checks: if options.checked { Checks::Indices } else { Checks::None },
            })
        };
        let kernels = made.texts.iter().map(kernel).collect::<Result<Vec<_>, _>>()?;
        let precision = options.precision;
        let start = start(m, &m.qpos0, &[]);
        let scratch = Kernel::scratch(m, capacity, options, subgroups) * count;
        let inputs = resting_inputs(m, made.inputs).repeat(count);
        let buffers = Buffers {
            numbers: Numbers::new(gpu, precision, "numbers", &made.tables.numbers)?,
            stride: 0,
            indices: Buffer::from_slice(gpu, "indices", &made.tables.indices)?,
            // the bank comes after the environments
            states: Numbers::new(gpu, precision, "states", &start.repeat(count + 1))?,
            inputs: Numbers::new(gpu, precision, "inputs", &inputs)?,
            info: Buffer::zeros(gpu, "info", (INFO + 1) * count)?,
            out: Numbers::zeros(
                gpu,
                precision,
                "out",
                count * (made.outputs(options) + made.clearances() + made.halted),
            )?,
            // with room for a list of the environments
            run: Buffer::zeros(gpu, "run", 8 + count.max(1))?,
            scratch: Numbers::zeros(gpu, precision, "scratch", scratch)?,
        };
        let layout = Layout {
            count,
            moving: m.nq + m.nv,
            sensors: m.nsensordata,
            state: made.state,
            outputs: made.outputs(options),
        };
        Ok(Self {
            gpu: gpu.clone(),
            model: m.clone(),
            observer: Observer::new(gpu, precision, layout)?,
            options: options.clone(),
            binding: buffers.bind(gpu, &kernels[0])?,
            kernels,
            made,
            count,
            bank: 1,
            capacity,
            inputs,
            buffers,
            timer: Timer::new(gpu),
            subgroups,
        })
    }

    /// Environments.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Room for contacts and rows in each environment.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Bytes of workgroup memory that an environment takes while it is stepped.
    pub fn workgroup_bytes(&self) -> usize {
        self.made.bytes
    }

    /// Takes `steps` steps in all environments; returns at once.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step(&mut self, steps: usize) -> Result<(), GpuBatchError> {
        self.dispatch(steps, false)
    }

    /// Takes steps, waits, and says how long the device took; `None` if it has no clock.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step_timed(&mut self, steps: usize) -> Result<Option<Duration>, GpuBatchError> {
        self.dispatch(steps, true)?;
        Ok(match &self.timer {
            Some(timer) => Some(timer.elapsed(&self.gpu)?),
            None => {
                self.wait()?;
                None
            }
        })
    }

    fn dispatch(&mut self, steps: usize, timed: bool) -> Result<(), GpuBatchError> {
        let code = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let groups = code(self.count);
        // matrices outside of workgroup memory are clear from the beginning
        let clear = Kernel::scratch(&self.model, self.capacity, &self.options, self.subgroups) > 0;
        let run = [
            groups,
            code(steps),
            code(self.buffers.stride),
            u32::from(clear),
            code(self.bank),
            self.options.seed,
            self.options.most_steps.unwrap_or(u32::MAX),
            0,
        ];
        self.buffers.run.write(&self.gpu, 0, &run)?;
        let timer = self.timer.as_ref().filter(|_| timed);
        // few environments need the second pass, and workgroups that find nothing to do take time
        let passes = [groups, groups.div_ceil(4)];
        let kernels: Vec<_> = self.kernels.iter().zip(passes).collect();
        self.gpu.run(&kernels, &self.binding, timer);
        Ok(())
    }

    /// Waits until everything asked for is done.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn wait(&self) -> Result<(), GpuBatchError> {
        Ok(self.gpu.wait()?)
    }

    /// Sets the controls of all environments, one after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times controls.
    pub fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), GpuBatchError> {
        self.set_inputs("ctrl", 0, self.model.nu, ctrl)
    }

    /// Puts the mocap bodies of all environments somewhere, one environment after another: for each
    /// body a position and a quaternion. They are where the model has them until then.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times seven times
    /// mocap bodies.
    pub fn set_mocap(&mut self, poses: &[f64]) -> Result<(), GpuBatchError> {
        self.set_inputs("mocap", self.model.nu, 7 * self.model.nmocap, poses)
    }

    /// Sets the forces on the dofs of all environments, one environment after another; for this the
    /// batch must have been made with [`Options::applied`].
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times dofs, or any
    /// without that option.
    pub fn set_applied(&mut self, forces: &[f64]) -> Result<(), GpuBatchError> {
        let width = if self.options.applied { self.model.nv } else { 0 };
        self.set_inputs("applied", self.made.inputs - width, width, forces)
    }

    fn set_inputs(
        &mut self,
        what: &'static str,
        first: usize,
        width: usize,
        values: &[f64],
    ) -> Result<(), GpuBatchError> {
        expect(what, values.len(), self.count * width)?;
        let all = self.inputs.chunks_exact_mut(self.made.inputs.max(1));
        for (to, from) in all.zip(values.chunks_exact(width.max(1))) {
            to[first..first + width].copy_from_slice(from);
        }
        self.buffers.inputs.write(&self.gpu, 0, &self.inputs)
    }

    /// The same in single precision.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::set_ctrl`].
    pub fn set_ctrl_f32(&mut self, ctrl: &[f32]) -> Result<(), GpuBatchError> {
        expect("ctrl", ctrl.len(), self.count * self.model.nu)?;
        match &self.buffers.inputs {
            // there may be nothing but controls
            Numbers::Single(buffer) if self.made.inputs == self.model.nu => {
                Ok(buffer.write(&self.gpu, 0, ctrl)?)
            }
            _ => self.set_ctrl(&ctrl.iter().map(|&u| f64::from(u)).collect::<Vec<_>>()),
        }
    }

    /// Positions and velocities of all environments, one after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn state(&self) -> Result<Vec<f64>, GpuBatchError> {
        let width = self.model.nq + self.model.nv;
        let all = self.full_state()?;
        let rows = all.chunks_exact(self.made.state);
        Ok(rows.flat_map(|s| s[1..1 + width].iter().copied()).collect())
    }

    /// Sets positions and velocities of all environments, one after another; clears time,
    /// activations, warm starts and what went wrong.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times `nq + nv`.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        let m = &self.model;
        expect("state", state.len(), self.count * (m.nq + m.nv))?;
        let rows = state.chunks_exact(m.nq + m.nv);
        let all: Vec<f64> = rows.flat_map(|s| start(m, &s[..m.nq], &s[m.nq..])).collect();
        self.buffers.states.write(&self.gpu, 0, &all)?;
        Ok(self.buffers.info.write(&self.gpu, 0, &vec![0; (INFO + 1) * self.count])?)
    }

    /// Everything that is carried from step to step: time, positions, velocities, activations, warm
    /// start of each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn full_state(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.buffers.states.read(&self.gpu, self.count * self.made.state)
    }

    /// The same the other way round.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there is more or less.
    pub fn set_full_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        expect("state", state.len(), self.count * self.made.state)?;
        self.buffers.states.write(&self.gpu, 0, state)
    }

    /// Sets the states that resets choose from: positions and velocities, one state after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if they are not a whole number of states, or none.
    pub fn set_bank(&mut self, states: &[f64]) -> Result<(), GpuBatchError> {
        let m = &self.model;
        let width = m.nq + m.nv;
        let count = states.len() / width;
        expect("bank", states.len(), count.max(1) * width)?;
        let mut all = self.full_state()?;
        let rows = states.chunks_exact(width);
        all.extend(rows.flat_map(|s| start(m, &s[..m.nq], &s[m.nq..])));
        self.buffers.states = Numbers::new(&self.gpu, self.options.precision, "states", &all)?;
        self.binding = self.buffers.bind(&self.gpu, &self.kernels[0])?;
        self.bank = count;
        Ok(())
    }

    /// Puts environments back to a state of the bank, at the beginning of the next step.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if the mask has more or fewer entries than there are environments.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), GpuBatchError> {
        expect("mask", mask.len(), self.count)?;
        let asked: Vec<u32> = mask.iter().map(|&reset| u32::from(reset)).collect();
        Ok(self.buffers.info.write(&self.gpu, INFO * self.count, &asked)?)
    }

    /// Gives each environment numbers of its own: `change` is called with its number and a copy of
    /// the model, and may change masses, frictions, gains and the like, but no structure.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if the structure changed.
    pub fn randomize(
        &mut self,
        mut change: impl FnMut(usize, &mut Model),
    ) -> Result<(), GpuBatchError> {
        let stride = self.made.tables.numbers.len();
        let mut numbers = Vec::with_capacity(stride * self.count);
        for k in 0..self.count {
            let mut m = self.model.clone();
            change(k, &mut m);
            cover::check(&m)?;
            let (tables, _) = fill::tables(&m, self.options.one_lane)?;
            // these two are in the text, not in the tables
            let same = m.opt.cone == self.model.opt.cone
                && m.opt.tolerance == self.model.opt.tolerance
                && tables.constants == self.made.tables.constants
                && tables.indices == self.made.tables.indices;
            if !same {
                let what = format!("environment {k} has another structure");
                let instead = "change numbers only";
                return Err(GpuBatchError::Unsupported { what, instead });
            }
            numbers.extend(tables.numbers);
        }
        let precision = self.options.precision;
        self.buffers.numbers = Numbers::new(&self.gpu, precision, "numbers", &numbers)?;
        self.buffers.stride = stride;
        // what was known about shapes may no longer hold
        let known = self.count * self.made.clearances();
        let start = self.count * self.made.outputs(&self.options);
        self.buffers.out.write(&self.gpu, start, &vec![0.0; known])?;
        self.binding = self.buffers.bind(&self.gpu, &self.kernels[0])?;
        Ok(())
    }

    /// About the last step of each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn info(&self) -> Result<Vec<Info>, GpuBatchError> {
        let all = self.buffers.info.read(&self.gpu)?;
        let info = |i: &[u32]| Info {
            flags: Flags { contacts: i[0] & 1 != 0, rows: i[0] & 2 != 0, diverged: i[0] & 4 != 0 },
            contacts: i[1] as usize,
            rows: i[2] as usize,
            iterations: i[3] as usize,
            age: i[4] as usize,
            resets: i[5] as usize,
            terminated: i[6] == 1,
            truncated: i[6] == 2,
        };
        Ok(all[..INFO * self.count].chunks_exact(INFO).map(info).collect())
    }

    /// What sensors read in the last step, for all environments one after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn sensordata(&self) -> Result<Vec<f64>, GpuBatchError> {
        let (width, n) = (self.made.outputs(&self.options), self.model.nsensordata);
        let all = self.output()?;
        Ok(all.chunks_exact(width).flat_map(|row| row[..n].iter().copied()).collect())
    }

    /// The rewards of a task after the last step.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn rewards(&self) -> Result<Vec<f64>, GpuBatchError> {
        let (width, n) = (self.made.outputs(&self.options), self.model.nsensordata);
        Ok(self.output()?.chunks_exact(width).map(|row| row[n]).collect())
    }

    /// Positions, velocities and what sensors read of all environments, one after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there is not as much room as [`GpuBatch::observation_width`]
    /// times environments.
    pub fn observations(&self, into: &mut [f32]) -> Result<(), GpuBatchError> {
        expect("observations", into.len(), self.observer.len())?;
        self.observer.read(&self.gpu, [&self.buffers.states, &self.buffers.out], into)
    }

    /// Sends for the observations after the steps so far and returns at once, so that the device steps
    /// on while they travel and are looked at; `false` if three are on their way already.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn ask_observations(&mut self) -> Result<bool, GpuBatchError> {
        self.observer.ask(&self.gpu, [&self.buffers.states, &self.buffers.out])
    }

    /// Waits for the oldest observations that were sent for; `false` if there are none.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::observations`].
    pub fn fetch_observations(&mut self, into: &mut [f32]) -> Result<bool, GpuBatchError> {
        expect("observations", into.len(), self.observer.len())?;
        self.observer.fetch(&self.gpu, into)
    }

    /// Numbers of an environment's observation: `nq + nv + nsensordata`.
    pub fn observation_width(&self) -> usize {
        self.model.nq + self.model.nv + self.model.nsensordata
    }

    /// Where things are in what [`GpuBatch::output`] returns.
    pub fn probe_layout(&self) -> &Probe {
        &self.made.probe
    }

    /// Sensors, reward and, with [`Options::probe`], everything that the last step computed before it
    /// moved, for each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn output(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.buffers.out.read(&self.gpu, self.count * self.made.outputs(&self.options))
    }
}

/// What an environment is given before anything is set.
fn resting_inputs(m: &Model, len: usize) -> Vec<f64> {
    let mut inputs = vec![0.0; len];
    for b in 0..m.nbody {
        if let Ok(k) = usize::try_from(m.body_mocapid[b]) {
            let to = &mut inputs[m.nu + 7 * k..][..7];
            to[..3].copy_from_slice(&m.body_pos[3 * b..3 * b + 3]);
            to[3..].copy_from_slice(&m.body_quat[4 * b..4 * b + 4]);
        }
    }
    inputs
}

/// The whole state of an environment with given positions and velocities.
fn start(m: &Model, qpos: &[f64], qvel: &[f64]) -> Vec<f64> {
    let mut state = vec![0.0; 1 + m.nq + 2 * m.nv + m.na];
    state[1..1 + m.nq].copy_from_slice(qpos);
    state[1 + m.nq..][..qvel.len()].copy_from_slice(qvel);
    state
}

fn expect(what: &'static str, have: usize, want: usize) -> Result<(), GpuBatchError> {
    if have == want { Ok(()) } else { Err(GpuBatchError::Length { what, have, want }) }
}
