//! Observations: gathered on the device, so that what is read is what is wanted, and read without waiting.

use crate::numbers::Numbers;
use crate::{GpuBatchError, Precision};
use mesh_gpu::{Access, Buffer, Checks, Context, Kernel, Ring, Source};

const TEXT: &str = include_str!("wgsl/observe.wgsl");
/// Numbers that a workgroup gathers.
const EACH: usize = 64;
/// Observations that may be on their way at once.
const DEPTH: usize = 3;

/// What is gathered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Environments.
    pub count: usize,
    /// Positions and velocities.
    pub moving: usize,
    /// Sensors.
    pub sensors: usize,
    /// Numbers of a state.
    pub state: usize,
    /// Numbers of what a step puts out.
    pub outputs: usize,
}

/// Gathers observations.
#[derive(Debug)]
pub(crate) struct Observer {
    kernel: Kernel,
    sizes: Buffer<u32>,
    seen: Buffer<f32>,
    ring: Option<Ring<f32>>,
    len: usize,
}

impl Observer {
    pub(crate) fn new(
        gpu: &Context,
        precision: Precision,
        layout: Layout,
    ) -> Result<Self, GpuBatchError> {
        let real = if precision == Precision::Double { "f64" } else { "f32" };
        let kernel = gpu.kernel(&Source {
            label: "observe",
            wgsl: &format!("alias real = {real};\n{TEXT}"),
            entry: "main",
            bindings: &[Access::Read, Access::Read, Access::Read, Access::Write],
            checks: Checks::All,
        })?;
        let width = layout.moving + layout.sensors;
        let len = layout.count * width;
        let sizes = [len, width.max(1), layout.moving, layout.state, layout.outputs];
        let sizes = sizes.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        Ok(Self {
            kernel,
            sizes: Buffer::from_slice(gpu, "sizes", &sizes)?,
            seen: Buffer::zeros(gpu, "observations", len)?,
            ring: None,
            len,
        })
    }

    /// Numbers of all observations.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Gathers what there is after the steps so far; returns at once.
    fn gather(&self, gpu: &Context, states: &Numbers, out: &Numbers) -> Result<(), GpuBatchError> {
        let buffers = [states.raw(), out.raw(), self.sizes.raw(), self.seen.raw()];
        let groups = u32::try_from(self.len.div_ceil(EACH)).unwrap_or(u32::MAX);
        Ok(gpu.dispatch(&self.kernel, &buffers, groups)?)
    }

    /// Gathers, waits and reads.
    pub(crate) fn read(
        &self,
        gpu: &Context,
        [states, out]: [&Numbers; 2],
        into: &mut [f32],
    ) -> Result<(), GpuBatchError> {
        self.gather(gpu, states, out)?;
        Ok(self.seen.read_into(gpu, into)?)
    }

    /// Gathers and sends for them; `false` if as many are on their way as may be.
    pub(crate) fn ask(
        &mut self,
        gpu: &Context,
        [states, out]: [&Numbers; 2],
    ) -> Result<bool, GpuBatchError> {
        self.gather(gpu, states, out)?;
        let ring = self.ring.get_or_insert_with(|| Ring::new(gpu, self.len, DEPTH));
        Ok(ring.ask(gpu, &self.seen)?.is_some())
    }

    /// Waits for the oldest that was sent for; `false` if there is none.
    pub(crate) fn fetch(&mut self, gpu: &Context, into: &mut [f32]) -> Result<bool, GpuBatchError> {
        match &mut self.ring {
            Some(ring) => Ok(ring.fetch(gpu, into)?.is_some()),
            None => Ok(false),
        }
    }
}
