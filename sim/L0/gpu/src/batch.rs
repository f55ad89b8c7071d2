//! A batch of environments on the device.

mod buffers;
mod cameras;
mod rows;

pub use rows::{Columns, Rows};

use crate::buffer::RealBuffer;
use crate::kernel::{Capacity, Kernel, Probe, Target};
use crate::layout::{StorageBuffer, index};
use crate::model::KernelModel;
use crate::model::tree_groups::GROUP_LANES;
use crate::readback::{ObservationSizes, Observer};
use crate::records::{EnvironmentInfo, RunParameters, episode, flag};
use crate::{GpuBatchError, Options, Precision, StorageBarriers, support};
use buffers::Buffers;
use mesh_gpu::{Binding, Checks, Context, Source, Timer};
use sim_core::Model;
use std::iter;
use std::ops::Range;
use std::time::Duration;

/// Errors of an environment since its last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The contact capacity was exceeded; the last contacts were dropped.
    pub contacts: bool,
    /// The row capacity was exceeded; the last constraint rows were dropped.
    pub rows: bool,
    /// An acceleration was not finite; the environment is not stepped until it is reset.
    pub diverged: bool,
}

/// Statistics of the last step of an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Errors since the last reset.
    pub flags: Flags,
    /// Contacts.
    pub contacts: usize,
    /// Constraint rows.
    pub rows: usize,
    /// Solver iterations.
    pub iterations: usize,
    /// Steps since the last reset.
    pub episode_steps: usize,
    /// Resets so far.
    pub resets: usize,
    /// Whether the task terminated the episode, or it diverged.
    pub terminated: bool,
    /// Whether the episode reached [`Options::max_episode_steps`].
    pub truncated: bool,
}

/// Environments of one model on a GPU.
#[derive(Debug)]
pub struct GpuBatch {
    gpu: Context,
    model: Model,
    options: Options,
    /// Compiled kernels, one for each pass.
    pipelines: Vec<mesh_gpu::Kernel>,
    kernel: Kernel,
    binding: Binding,
    count: usize,
    /// States in the initial-state table.
    initial_states: usize,
    /// Controls, mocap poses and applied forces of all environments, as last set.
    inputs: Vec<f64>,
    buffers: Buffers,
    timer: Option<Timer>,
    observer: Observer,
    copies: Option<rows::Copies>,
}

/// Most workgroups of the narrow-phase pass, each of which tests several pairs if there are more: about as many as a
/// large GPU executes at a time.
const MAX_NARROW_PHASE_WORKGROUPS: u32 = 1024;
/// Most passes that are submitted at once, unless they are timed.
const MAX_SUBMITTED_PASSES: usize = 256;
/// Most workgroups of the second pass, each of which resumes several environments if there are more.
const MAX_SECOND_PASS_WORKGROUPS: u32 = 4096;

/// Checks that a device can run the kernels of a batch, and selects between kernels with and without subgroup
/// operations.
fn select_subgroups(gpu: &Context, options: &Options) -> Result<bool, GpuBatchError> {
    let unsupported =
        |what: String| mesh_gpu::GpuError::Unsupported { adapter: gpu.name().into(), what };
    let double = options.precision == Precision::Double;
    if double && !gpu.has_f64() {
        return Err(unsupported("it does not support 64-bit floating point".into()).into());
    }
    let (have, need) = (gpu.max_storage_buffers(), StorageBuffer::ALL.len());
    if have < need {
        return Err(unsupported(format!("kernels bind {need} buffers, it allows {have}")).into());
    }
    // kernels are built for subgroups of exactly this size; any other size uses the portable variant
    let fits = gpu.subgroup_size() == Some(GROUP_LANES as u32);
    let coherent = gpu.is_nvidia() || options.storage_barriers == StorageBarriers::Explicit;
    Ok(fits && coherent && !options.portable && !options.one_lane && !double)
}

impl GpuBatch {
    /// Creates `count` environments of a model at its reference configuration.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] names a feature of the model that kernels do not support,
    /// [`GpuBatchError::TooLarge`] if it does not fit workgroup memory, and [`GpuBatchError::Device`] if the device
    /// fails or a task or callback does not compile.
    pub fn new(
        gpu: &Context,
        m: &Model,
        count: usize,
        options: &Options,
    ) -> Result<Self, GpuBatchError> {
        let subgroups = select_subgroups(gpu, options)?;
        let target = Target {
            count,
            subgroups,
            two_passes: options.two_passes(count),
            workgroup_bytes: gpu.workgroup_bytes(),
            max_lanes: options.max_lanes(gpu.max_workgroup_size()),
            binding_bytes: gpu.binding_bytes(),
        };
        let kernel = Kernel::new(m, options, &target)?;
        if kernel.workgroup_bytes > gpu.workgroup_bytes() {
            let (need, have) = (kernel.workgroup_bytes, gpu.workgroup_bytes());
            return Err(GpuBatchError::TooLarge { need, have, adapter: gpu.name().into() });
        }
        let compile = |source: &String| {
            gpu.kernel(&Source {
                label: "step",
                wgsl: source,
                entry: "main",
                bindings: &StorageBuffer::ACCESS,
                checks: if options.checked { Checks::Indices } else { Checks::None },
            })
        };
        let pipelines = kernel.sources.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
        let inputs = rows::default_inputs(m, kernel.inputs).repeat(count);
        let buffers = Buffers::new(gpu, m, &kernel, count, options, &inputs)?;
        let sizes = ObservationSizes {
            count,
            coordinates: m.nq + m.nv,
            sensors: m.nsensordata,
            state: kernel.state,
            outputs: kernel.output.outputs(),
        };
        Ok(Self {
            gpu: gpu.clone(),
            model: m.clone(),
            observer: Observer::new(gpu, options.precision, sizes)?,
            options: options.clone(),
            binding: buffers.bind(gpu, &pipelines[0])?,
            pipelines,
            kernel,
            count,
            initial_states: 1,
            inputs,
            buffers,
            timer: Timer::new(gpu),
            copies: None,
        })
    }

    /// Number of environments.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the batch has no environments.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Contact and row capacity of each environment.
    pub fn capacity(&self) -> Capacity {
        self.kernel.capacity
    }

    /// Bytes of workgroup memory per environment, which limit the occupancy of the GPU.
    pub fn workgroup_bytes(&self) -> usize {
        self.kernel.workgroup_bytes
    }

    /// Takes `steps` steps in all environments. Submits the work and returns immediately.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step(&mut self, steps: usize) -> Result<(), GpuBatchError> {
        self.parts().try_for_each(|environments| self.dispatch(&environments, steps, None))
    }

    /// Takes steps, waits, and returns the time on the device; `None` if it has no timestamp queries.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step_timed(&mut self, steps: usize) -> Result<Option<Duration>, GpuBatchError> {
        let Some(timer) = &self.timer else {
            self.step(steps)?;
            self.wait()?;
            return Ok(None);
        };
        let mut elapsed = Duration::ZERO;
        for environments in self.parts() {
            self.dispatch(&environments, steps, Some(timer))?;
            elapsed += timer.elapsed(&self.gpu)?;
        }
        Ok(Some(elapsed))
    }

    /// Environments of the parts that a step consists of: all of them, or as many as have scratch memory.
    fn parts(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (count, most) = (self.count, self.kernel.scratch_environments);
        (0..count).step_by(most).map(move |first| first..(first + most).min(count))
    }

    /// Takes steps in a part of the environments. Without steps, environments are reset.
    fn dispatch(
        &self,
        environments: &Range<usize>,
        steps: usize,
        timer: Option<&Timer>,
    ) -> Result<(), GpuBatchError> {
        let groups = index(environments.len());
        let run = RunParameters {
            envs: index(self.count),
            first: index(environments.start),
            count: groups,
            steps: index(steps),
            model_stride: index(self.buffers.model_stride),
            // storage buffers are zero from the start, workgroup memory is not
            matrices_zeroed: u32::from(self.kernel.scratch > 0),
            initial_states: index(self.initial_states),
            seed: self.options.seed,
            max_episode_steps: self.options.max_episode_steps.unwrap_or(u32::MAX),
            ..Default::default()
        };
        self.buffers.run.write(&self.gpu, 0, bytemuck::cast_slice(&[run]))?;
        // few environments need further passes, and idle workgroups take time
        let second = groups.div_ceil(4).min(MAX_SECOND_PASS_WORKGROUPS);
        let narrow_phase = groups.div_ceil(32).min(MAX_NARROW_PHASE_WORKGROUPS);
        let passes: Vec<_> = match &self.pipelines[..] {
            [first, narrow, rest] => {
                // in each round, every suspended environment finishes at least one step
                let round = [(narrow, narrow_phase), (rest, second)];
                iter::once((first, groups)).chain(iter::repeat_n(round, steps).flatten()).collect()
            }
            pipelines => pipelines.iter().zip([groups, second]).collect(),
        };
        let most = if timer.is_some() { passes.len() } else { MAX_SUBMITTED_PASSES };
        passes.chunks(most).for_each(|passes| self.gpu.run(passes, &self.binding, timer));
        Ok(())
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn wait(&self) -> Result<(), GpuBatchError> {
        Ok(self.gpu.wait()?)
    }

    /// Waits like [`wait`](Self::wait), but keeps a core busy for up to 5 ms, which returns up to a tenth of a
    /// millisecond earlier.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn wait_spinning(&self) -> Result<(), GpuBatchError> {
        Ok(self.gpu.wait_spinning()?)
    }

    /// Sets the controls of all environments, environment by environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `ctrl` does not have `nu` values per environment.
    pub fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), GpuBatchError> {
        self.set_inputs("ctrl", 0, self.model.nu, ctrl)
    }

    /// Sets the poses of the mocap bodies of all environments, environment by environment: position and quaternion of
    /// each body. Initially they are at the poses of the model.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `poses` does not have `7 * nmocap` values per environment.
    pub fn set_mocap(&mut self, poses: &[f64]) -> Result<(), GpuBatchError> {
        self.set_inputs("mocap", self.model.nu, 7 * self.model.nmocap, poses)
    }

    /// Sets the applied generalised forces (`qfrc_applied`) of all environments, environment by environment. Requires
    /// [`Options::applied`].
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `forces` does not have `nv` values per environment, or without that option.
    pub fn set_applied(&mut self, forces: &[f64]) -> Result<(), GpuBatchError> {
        let width = if self.options.applied { self.model.nv } else { 0 };
        self.set_inputs("applied", self.kernel.inputs - width, width, forces)
    }

    fn set_inputs(
        &mut self,
        what: &'static str,
        first: usize,
        width: usize,
        values: &[f64],
    ) -> Result<(), GpuBatchError> {
        check_length(what, values.len(), self.count * width)?;
        let all = self.inputs.chunks_exact_mut(self.kernel.inputs.max(1));
        for (to, from) in all.zip(values.chunks_exact(width.max(1))) {
            to[first..first + width].copy_from_slice(from);
        }
        self.buffers.inputs.write(&self.gpu, 0, &self.inputs)
    }

    /// Sets the controls of all environments from single-precision values.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::set_ctrl`].
    pub fn set_ctrl_f32(&mut self, ctrl: &[f32]) -> Result<(), GpuBatchError> {
        check_length("ctrl", ctrl.len(), self.count * self.model.nu)?;
        match &self.buffers.inputs {
            // only if there are no other inputs
            RealBuffer::Single(buffer) if self.kernel.inputs == self.model.nu => {
                Ok(buffer.write(&self.gpu, 0, ctrl)?)
            }
            _ => self.set_ctrl(&ctrl.iter().map(|&u| f64::from(u)).collect::<Vec<_>>()),
        }
    }

    /// `qpos` and `qvel` of all environments, environment by environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn state(&self) -> Result<Vec<f64>, GpuBatchError> {
        let width = self.model.nq + self.model.nv;
        let all = self.full_state()?;
        let rows = all.chunks_exact(self.kernel.state);
        Ok(rows.flat_map(|s| s[1..1 + width].iter().copied()).collect())
    }

    /// Sets `qpos` and `qvel` of all environments, environment by environment; clears time, activations, warm starts,
    /// delayed controls and sensors, and flags.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `state` does not have `nq + nv` values per environment.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        let m = &self.model;
        check_length("state", state.len(), self.count * (m.nq + m.nv))?;
        let rows = state.chunks_exact(m.nq + m.nv);
        let history = initial_history(m);
        let full = |s: &[f64]| initial_state(m, &s[..m.nq], &s[m.nq..], &history);
        let all: Vec<f64> = rows.flat_map(full).collect();
        self.buffers.states.write(&self.gpu, 0, &all)?;
        self.buffers.info.write(&self.gpu, 0, &vec![EnvironmentInfo::default(); self.count])?;
        self.buffers.write_resets(&self.gpu, iter::repeat_n(false, self.count))
    }

    /// The full state of each environment: time, `qpos`, `qvel`, `act`, `qacc_warmstart` and `history`.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn full_state(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.buffers.states.read(&self.gpu, self.count * self.kernel.state)
    }

    /// Sets the full state of each environment, see [`GpuBatch::full_state`].
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `state` has another length than [`GpuBatch::full_state`].
    pub fn set_full_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        check_length("state", state.len(), self.count * self.kernel.state)?;
        self.buffers.states.write(&self.gpu, 0, state)
    }

    /// Sets the initial-state table, from which resets choose: qpos and qvel, one state after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `states` is empty or not a whole number of states.
    pub fn set_initial_states(&mut self, states: &[f64]) -> Result<(), GpuBatchError> {
        let m = &self.model;
        let width = m.nq + m.nv;
        let count = states.len() / width;
        check_length("initial states", states.len(), count.max(1) * width)?;
        let mut all = self.full_state()?;
        let rows = states.chunks_exact(width);
        let history = initial_history(m);
        all.extend(rows.flat_map(|s| initial_state(m, &s[..m.nq], &s[m.nq..], &history)));
        self.copies = None;
        self.buffers.states = RealBuffer::accessible(&self.gpu, &self.options, "states", &all)?;
        self.binding = self.buffers.bind(&self.gpu, &self.pipelines[0])?;
        self.initial_states = count;
        Ok(())
    }

    /// Resets environments to a state of the initial-state table before their next step.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if the mask does not have one entry per environment.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), GpuBatchError> {
        check_length("mask", mask.len(), self.count)?;
        self.buffers.write_resets(&self.gpu, mask.iter().copied())
    }

    /// Gives each environment model parameters of its own: `change` is called with the index of the
    /// environment and a copy of the model, and may change parameter values such as masses, friction and
    /// gains, but not the structure. As in MuJoCo, constants that the compiler derives from others, such
    /// as `body_invweight0`, stay as they are unless `change` calls `mj_set_const`.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if the structure changed.
    pub fn randomize(
        &mut self,
        mut change: impl FnMut(usize, &mut Model),
    ) -> Result<(), GpuBatchError> {
        let stride = self.kernel.tables.real.len();
        let mut reals = Vec::with_capacity(stride * self.count);
        let max_lanes = self.options.max_lanes(self.gpu.max_workgroup_size());
        for k in 0..self.count {
            let mut m = self.model.clone();
            change(k, &mut m);
            m.refresh();
            support::check(&m)?;
            let tables = KernelModel::new(&m, max_lanes)?.tables;
            // cone and tolerance are in the source, not in the tables
            let same = m.opt.cone == self.model.opt.cone
                && m.opt.tolerance == self.model.opt.tolerance
                && tables.constants == self.kernel.tables.constants
                && tables.index == self.kernel.tables.index;
            if !same {
                let what = format!("environment {k} has another structure");
                let instead = "change parameter values only";
                return Err(GpuBatchError::Unsupported { what, instead });
            }
            reals.extend(tables.real);
        }
        let precision = self.options.precision;
        self.buffers.real_table = RealBuffer::new(&self.gpu, precision, "real table", &reals)?;
        self.buffers.model_stride = stride;
        // separations of the previous geoms are no longer valid
        let separations = self.count * self.kernel.output.separation;
        let start = self.count * self.kernel.output.outputs();
        self.buffers.output.write(&self.gpu, start, &vec![0.0; separations])?;
        self.binding = self.buffers.bind(&self.gpu, &self.pipelines[0])?;
        Ok(())
    }

    /// Statistics of the last step of each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn info(&self) -> Result<Vec<Info>, GpuBatchError> {
        let all = self.buffers.info.read(&self.gpu)?;
        let info = |record: &EnvironmentInfo| Info {
            flags: Flags {
                contacts: record.flags & flag::OVERFLOW_CONTACTS != 0,
                rows: record.flags & flag::OVERFLOW_EFC != 0,
                diverged: record.flags & flag::DIVERGED != 0,
            },
            contacts: record.ncon as usize,
            rows: record.nefc as usize,
            iterations: record.solver_niter as usize,
            episode_steps: record.episode_steps as usize,
            resets: record.resets as usize,
            terminated: record.ended == episode::TERMINATED,
            truncated: record.ended == episode::TRUNCATED,
        };
        Ok(all.iter().map(info).collect())
    }

    /// Sensor data of the last step of all environments, environment by environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn sensordata(&self) -> Result<Vec<f64>, GpuBatchError> {
        let (width, n) = (self.kernel.output.outputs(), self.model.nsensordata);
        let all = self.output()?;
        Ok(all.chunks_exact(width).flat_map(|row| row[..n].iter().copied()).collect())
    }

    /// The rewards of a task after the last step.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn rewards(&self) -> Result<Vec<f64>, GpuBatchError> {
        let (width, n) = (self.kernel.output.outputs(), self.model.nsensordata);
        Ok(self.output()?.chunks_exact(width).map(|row| row[n]).collect())
    }

    /// `qpos`, `qvel` and sensor data of all environments, environment by environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `into` does not have [`GpuBatch::observation_width`] values per environment.
    pub fn observations(&self, into: &mut [f32]) -> Result<(), GpuBatchError> {
        check_length("observations", into.len(), self.observer.len())?;
        self.observer.read(&self.gpu, [&self.buffers.states, &self.buffers.output], into)
    }

    /// Starts an asynchronous readback of the observations after the steps submitted so far and returns immediately, so
    /// that the device can continue while they are transferred. Returns `false` if three readbacks are in flight.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn request_observations(&mut self) -> Result<bool, GpuBatchError> {
        self.observer.request(&self.gpu, [&self.buffers.states, &self.buffers.output])
    }

    /// Waits for the oldest readback in flight and copies it. Returns `false` if there is none.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::observations`].
    pub fn fetch_observations(&mut self, into: &mut [f32]) -> Result<bool, GpuBatchError> {
        check_length("observations", into.len(), self.observer.len())?;
        self.observer.fetch(&self.gpu, into)
    }

    /// Components of an environment's observation: `nq + nv + nsensordata`.
    pub fn observation_width(&self) -> usize {
        self.model.nq + self.model.nv + self.model.nsensordata
    }

    /// Layout of the probe in the result of [`GpuBatch::output`].
    pub fn probe_layout(&self) -> &Probe {
        &self.kernel.probe
    }

    /// Sensor data, reward and, with [`Options::probe`], the intermediate results of the last step before integration,
    /// for each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn output(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.buffers.output.read(&self.gpu, self.count * self.kernel.output.outputs())
    }
}

/// Full state of an environment with given qpos and qvel, and the buffers of delays after a reset.
fn initial_state(m: &Model, qpos: &[f64], qvel: &[f64], history: &[f64]) -> Vec<f64> {
    let mut state = vec![0.0; 1 + m.nq + 2 * m.nv + m.na];
    state[1..1 + m.nq].copy_from_slice(qpos);
    state[1 + m.nq..][..qvel.len()].copy_from_slice(qvel);
    state.extend(history);
    state
}

/// Buffers of delays after a reset.
fn initial_history(m: &Model) -> Vec<f64> {
    if m.nhistory > 0 { m.make_data().history } else { Vec::new() }
}

fn check_length(what: &'static str, have: usize, want: usize) -> Result<(), GpuBatchError> {
    if have == want { Ok(()) } else { Err(GpuBatchError::Length { what, have, want }) }
}
