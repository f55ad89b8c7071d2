//! Storage buffers of a batch.

use super::{initial_history, initial_state, rows};
use crate::buffer::RealBuffer;
use crate::kernel::Kernel;
use crate::layout::StorageBuffer;
use crate::records::{EnvironmentInfo, EnvironmentSlot, RunParameters};
use crate::{GpuBatchError, Options};
use mesh_gpu::{Binding, Buffer, Context, Raw};
use sim_core::Model;

/// Storage buffers of a batch.
#[derive(Debug)]
pub(super) struct Buffers {
    pub(super) real_table: RealBuffer,
    /// Distance between the real tables of two environments: zero if all share one.
    pub(super) model_stride: usize,
    index_table: Buffer<u32>,
    /// States of the environments, then the initial-state table.
    pub(super) states: RealBuffer,
    pub(super) inputs: RealBuffer,
    pub(super) info: Buffer<EnvironmentInfo>,
    pub(super) output: RealBuffer,
    /// [`RunParameters`], then an [`EnvironmentSlot`] for each environment.
    pub(super) run: Buffer<u32>,
    scratch: RealBuffer,
    arrays: RealBuffer,
    index_arrays: Buffer<u32>,
}

/// Words of [`RunParameters`], behind which the slots begin.
const SLOTS: usize = size_of::<RunParameters>() / size_of::<u32>();

impl Buffers {
    pub(super) fn new(
        gpu: &Context,
        m: &Model,
        kernel: &Kernel,
        count: usize,
        options: &Options,
        inputs: &[f64],
    ) -> Result<Self, GpuBatchError> {
        let precision = options.precision;
        let reals = |label, values: &[f64]| RealBuffer::accessible(gpu, options, label, values);
        let states = initial_state(m, &m.qpos0, &[], &initial_history(m)).repeat(count + 1);
        let scratch = kernel.scratch_environments;
        let outputs = kernel.output.total(count, scratch);
        let slots = count.max(1) * size_of::<EnvironmentSlot>() / size_of::<u32>();
        Ok(Self {
            real_table: RealBuffer::new(gpu, precision, "real table", &kernel.tables.real)?,
            model_stride: 0,
            index_table: Buffer::from_slice(gpu, "index table", &kernel.tables.index)?,
            states: reals("states", &states)?,
            inputs: reals("inputs", inputs)?,
            info: rows::info(gpu, options, count)?,
            output: RealBuffer::accessible_zeros(gpu, options, "output", outputs)?,
            run: Buffer::zeros(gpu, "run", SLOTS + slots)?,
            scratch: RealBuffer::zeros(gpu, precision, "scratch", scratch * kernel.scratch)?,
            arrays: RealBuffer::zeros(gpu, precision, "arrays", scratch * kernel.arrays)?,
            index_arrays: Buffer::zeros(gpu, "index arrays", scratch * kernel.index_arrays)?,
        })
    }

    pub(super) fn get(&self, buffer: StorageBuffer) -> &Raw {
        match buffer {
            StorageBuffer::RealTable | StorageBuffer::RealTableVec4 => self.real_table.raw(),
            StorageBuffer::IndexTable => self.index_table.raw(),
            StorageBuffer::States => self.states.raw(),
            StorageBuffer::Inputs => self.inputs.raw(),
            StorageBuffer::Info => self.info.raw(),
            StorageBuffer::Output => self.output.raw(),
            StorageBuffer::Run => self.run.raw(),
            StorageBuffer::Scratch => self.scratch.raw(),
            StorageBuffer::Arrays => self.arrays.raw(),
            StorageBuffer::IndexArrays => self.index_arrays.raw(),
        }
    }

    pub(super) fn bind(
        &self,
        gpu: &Context,
        kernel: &mesh_gpu::Kernel,
    ) -> Result<Binding, GpuBatchError> {
        Ok(gpu.bind(kernel, &StorageBuffer::ALL.map(|buffer| self.get(buffer)))?)
    }

    /// Sets which environments are reset before their next step.
    pub(super) fn write_resets(
        &self,
        gpu: &Context,
        resets: impl Iterator<Item = bool>,
    ) -> Result<(), GpuBatchError> {
        // the list of suspended environments is only used within a dispatch
        let slot = |reset| EnvironmentSlot { reset: u32::from(reset), ..Default::default() };
        let slots: Vec<EnvironmentSlot> = resets.map(slot).collect();
        Ok(self.run.write(gpu, SLOTS, bytemuck::cast_slice(&slots))?)
    }
}
