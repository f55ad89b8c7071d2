//! Direct access to the buffers of a batch, each of which has a row for every environment: copies in single precision,
//! and memory that other APIs can import.

use super::{GpuBatch, check_length};
use crate::buffer::RealBuffer;
use crate::records::EnvironmentInfo;
use crate::{GpuBatchError, Options};
use mesh_gpu::{Buffer, Context, Raw, Ring, SharedMemory};
use sim_core::Model;
use std::sync::Arc;

/// Copies that may be in flight at once.
const DEPTH: usize = 2;
/// Words of an environment's statistics.
const INFO_WIDTH: usize = size_of::<EnvironmentInfo>() / size_of::<u32>();

/// A buffer of a batch with one row for each environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Full states, see [`GpuBatch::full_state`].
    State,
    /// Controls, mocap poses and applied forces.
    Input,
    /// Sensor data, rewards and the probe, see [`GpuBatch::output`].
    Output,
    /// Statistics, as 32-bit integers.
    Info,
}

/// Columns of a buffer with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Name, such as `qpos`.
    pub name: &'static str,
    /// The buffer.
    pub rows: Rows,
    /// First column.
    pub start: usize,
    /// Number of columns.
    pub width: usize,
}

/// Readbacks of whole buffers.
#[derive(Debug)]
pub(super) struct Copies {
    state: Ring<f32>,
    output: Ring<f32>,
    info: Ring<EnvironmentInfo>,
}

/// The buffer of the statistics.
pub(super) fn info(
    gpu: &Context,
    options: &Options,
    count: usize,
) -> Result<Buffer<EnvironmentInfo>, GpuBatchError> {
    let create = if options.shared { Buffer::shared_zeros } else { Buffer::zeros };
    Ok(create(gpu, "info", count)?)
}

impl GpuBatch {
    /// Length of the rows of a buffer. Rows follow each other without gaps.
    pub fn row_len(&self, rows: Rows) -> usize {
        match rows {
            Rows::State => self.kernel.state,
            Rows::Input => self.kernel.inputs,
            Rows::Output => self.kernel.output.outputs(),
            Rows::Info => INFO_WIDTH,
        }
    }

    /// What the columns of the buffers are.
    pub fn columns(&self) -> Vec<Columns> {
        let m = &self.model;
        let applied = if self.options.applied { m.nv } else { 0 };
        let mut columns = Vec::new();
        let mut add = |rows, parts: &[(&'static str, usize)]| {
            let mut start = 0;
            for &(name, width) in parts {
                columns.push(Columns { name, rows, start, width });
                start += width;
            }
        };
        let warmstart = ("qacc_warmstart", m.nv);
        let state = [("time", 1), ("qpos", m.nq), ("qvel", m.nv), ("act", m.na), warmstart];
        let history = (m.nhistory > 0).then_some(("history", m.nhistory));
        add(Rows::State, &state.into_iter().chain(history).collect::<Vec<_>>());
        add(Rows::Input, &[("ctrl", m.nu), ("mocap", 7 * m.nmocap), ("qfrc_applied", applied)]);
        add(Rows::Output, &[("sensordata", m.nsensordata), ("reward", 1)]);
        let info = ["flags", "ncon", "nefc", "solver_niter", "episode_steps", "resets", "ended"];
        add(Rows::Info, &info.map(|name| (name, 1)));
        columns
    }

    /// The memory of a buffer, for import into another API. It begins with the row of the first environment, and its
    /// reals have the batch's precision. `None` without [`Options::shared`].
    ///
    /// Accesses are not synchronised: call [`GpuBatch::flush`] before the other API reads or writes, and wait for the
    /// other API before the next step. [`GpuBatch::set_initial_states`] replaces the memory of the states.
    pub fn shared_memory(&self, rows: Rows) -> Option<&Arc<SharedMemory>> {
        match rows {
            Rows::State => self.buffers.states.shared_memory(),
            Rows::Input => self.buffers.inputs.shared_memory(),
            Rows::Output => self.buffers.output.shared_memory(),
            Rows::Info => self.buffers.info.shared_memory(),
        }
    }

    /// A buffer, for kernels of the caller that run on the same [`Context`], such as a policy that writes the controls.
    /// Its first elements are the rows; states are followed by the initial-state table, outputs by scratch memory. Kernels
    /// that are submitted before a call of [`GpuBatch::step`] are executed before that step.
    /// [`GpuBatch::set_initial_states`] replaces the buffer of the states.
    pub fn buffer(&self, rows: Rows) -> &Raw {
        match rows {
            Rows::State => self.buffers.states.raw(),
            Rows::Input => self.buffers.inputs.raw(),
            Rows::Output => self.buffers.output.raw(),
            Rows::Info => self.buffers.info.raw(),
        }
    }

    /// Submits what was written since the last step, and waits until the device is idle. Without it, writes take effect
    /// with the next step, and would then overwrite what another API wrote to shared memory in between.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn flush(&self) -> Result<(), GpuBatchError> {
        self.gpu.queue().submit([]);
        self.wait()
    }

    /// Sets all rows of the states or the inputs, environment by environment, without changing anything else.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if `values` does not have [`GpuBatch::row_len`] values per environment, or for
    /// buffers that only the device writes.
    pub fn write_rows(&mut self, rows: Rows, values: &[f32]) -> Result<(), GpuBatchError> {
        let width = match rows {
            Rows::State | Rows::Input => self.row_len(rows),
            Rows::Output | Rows::Info => 0,
        };
        check_length("rows", values.len(), self.count * width)?;
        let buffer = match rows {
            Rows::State => &self.buffers.states,
            _ => {
                let values = values.iter().map(|&value| f64::from(value));
                self.inputs.iter_mut().zip(values).for_each(|(to, from)| *to = from);
                &self.buffers.inputs
            }
        };
        match buffer {
            RealBuffer::Single(buffer) => Ok(buffer.write(&self.gpu, 0, values)?),
            RealBuffer::Double(_) => {
                let values: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
                buffer.write(&self.gpu, 0, &values)
            }
        }
    }

    /// Clears the statistics of the environments in the mask, so that those that diverged are stepped again.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if the mask does not have one entry per environment.
    pub fn clear_info(&mut self, mask: &[bool]) -> Result<(), GpuBatchError> {
        check_length("mask", mask.len(), self.count)?;
        let mut start = 0;
        // one write for each run of selected environments
        for run in mask.chunk_by(|a, b| a == b) {
            if run[0] {
                let zeros = vec![EnvironmentInfo::default(); run.len()];
                self.buffers.info.write(&self.gpu, start, &zeros)?;
            }
            start += run.len();
        }
        Ok(())
    }

    /// Controls, mocap poses and applied forces as last set, environment by environment, in single precision.
    pub fn inputs_f32(&self) -> Vec<f32> {
        self.inputs.iter().map(|&value| value as f32).collect()
    }

    /// Waits, and copies states, outputs and statistics.
    ///
    /// # Errors
    ///
    /// As [`GpuBatch::fetch_rows`], and [`GpuBatchError::Unsupported`] if the batch has double precision.
    pub fn read_rows(
        &self,
        state: &mut [f32],
        output: &mut [f32],
        info: &mut [i32],
    ) -> Result<(), GpuBatchError> {
        self.check_rows(state, output, info)?;
        single(&self.buffers.states)?.read_into(&self.gpu, state)?;
        single(&self.buffers.output)?.read_into(&self.gpu, output)?;
        let records = bytemuck::cast_slice_mut::<i32, EnvironmentInfo>(info);
        Ok(self.buffers.info.read_into(&self.gpu, records)?)
    }

    fn check_rows(&self, state: &[f32], output: &[f32], info: &[i32]) -> Result<(), GpuBatchError> {
        let want = |rows| self.count * self.row_len(rows);
        check_length("state", state.len(), want(Rows::State))?;
        check_length("output", output.len(), want(Rows::Output))?;
        check_length("info", info.len(), want(Rows::Info))
    }

    /// Starts an asynchronous readback of states, outputs and statistics after the steps submitted so far. Returns
    /// `false` if two readbacks are in flight.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed, [`GpuBatchError::Unsupported`] if the batch has double
    /// precision.
    pub fn request_rows(&mut self) -> Result<bool, GpuBatchError> {
        let [states, output] = [&self.buffers.states, &self.buffers.output].map(single);
        let (states, output) = (states?, output?);
        let lens = [Rows::State, Rows::Output].map(|rows| self.count * self.row_len(rows));
        let (gpu, count) = (&self.gpu, self.count);
        let copies = self.copies.get_or_insert_with(|| Copies {
            state: Ring::new(gpu, lens[0], DEPTH),
            output: Ring::new(gpu, lens[1], DEPTH),
            info: Ring::new(gpu, count, DEPTH),
        });
        // the rings are used together, so that all or none have room
        Ok(copies.state.request(gpu, states)?.is_some()
            && copies.output.request(gpu, output)?.is_some()
            && copies.info.request(gpu, &self.buffers.info)?.is_some())
    }

    /// Waits for the oldest readback in flight and copies it. Returns `false` if there is none.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if an argument does not have [`GpuBatch::row_len`] values per environment.
    pub fn fetch_rows(
        &mut self,
        state: &mut [f32],
        output: &mut [f32],
        info: &mut [i32],
    ) -> Result<bool, GpuBatchError> {
        self.check_rows(state, output, info)?;
        let Some(copies) = &mut self.copies else { return Ok(false) };
        let gpu = &self.gpu;
        let records = bytemuck::cast_slice_mut::<i32, EnvironmentInfo>(info);
        Ok(copies.state.fetch(gpu, state)?.is_some()
            && copies.output.fetch(gpu, output)?.is_some()
            && copies.info.fetch(gpu, records)?.is_some())
    }
}

/// A buffer in single precision.
fn single(buffer: &RealBuffer) -> Result<&Buffer<f32>, GpuBatchError> {
    match buffer {
        RealBuffer::Single(buffer) => Ok(buffer),
        RealBuffer::Double(_) => Err(GpuBatchError::Unsupported {
            what: "its batch has double precision, and rows are read in single precision".into(),
            instead: "use `full_state` and `output`",
        }),
    }
}

/// Inputs of an environment before any are set: zero controls, mocap poses of the model.
pub(super) fn default_inputs(m: &Model, len: usize) -> Vec<f64> {
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
