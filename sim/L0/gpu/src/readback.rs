//! Observations: gathered on the device into one array, and read back synchronously or through a ring of staging
//! buffers.

use crate::buffer::RealBuffer;
use crate::layout::{Constants, index};
use crate::records::ObservationLayout;
use crate::shader::{self, Defines};
use crate::{GpuBatchError, Precision};
use mesh_gpu::{Access, Buffer, Checks, Context, Kernel, Ring, Source};

/// Lanes of a workgroup, each of which gathers a component.
const LANES: usize = 64;
/// Observations that may be in flight at once.
const DEPTH: usize = 3;

/// Sizes of what is gathered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservationSizes {
    /// Environments.
    pub count: usize,
    /// qpos and qvel.
    pub coordinates: usize,
    /// Sensor data.
    pub sensors: usize,
    /// Distance between states.
    pub state: usize,
    /// Distance between outputs.
    pub outputs: usize,
}

/// Gathers observations.
#[derive(Debug)]
pub(crate) struct Observer {
    kernel: Kernel,
    layout: Buffer<ObservationLayout>,
    observations: Buffer<f32>,
    ring: Option<Ring<f32>>,
    len: usize,
}

impl Observer {
    pub(crate) fn new(
        gpu: &Context,
        precision: Precision,
        sizes: ObservationSizes,
    ) -> Result<Self, GpuBatchError> {
        let mut constants = Constants::default();
        constants.u32("OBSERVATION_LANES", LANES);
        let types = format!("alias real = {};\n", precision.wgsl());
        let declarations = [types.as_str(), &constants.emit()?, ObservationLayout::WGSL].concat();
        let generated = [("declarations", declarations.as_str())];
        let source = shader::assemble("observation", &generated, &Defines::default())?;
        let kernel = gpu.kernel(&Source {
            label: "observation",
            wgsl: &source,
            entry: "main",
            bindings: &[Access::Read, Access::Read, Access::Read, Access::Write],
            checks: Checks::All,
        })?;
        let width = sizes.coordinates + sizes.sensors;
        let len = sizes.count * width;
        let layout = ObservationLayout {
            len: index(len),
            width: index(width.max(1)),
            state_width: index(sizes.coordinates),
            state_stride: index(sizes.state),
            output_stride: index(sizes.outputs),
        };
        Ok(Self {
            kernel,
            layout: Buffer::from_slice(gpu, "observation layout", &[layout])?,
            observations: Buffer::zeros(gpu, "observations", len)?,
            ring: None,
            len,
        })
    }

    /// RealBuffer of all observations.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Starts gathering after the steps submitted so far; returns immediately.
    fn gather(
        &self,
        gpu: &Context,
        states: &RealBuffer,
        out: &RealBuffer,
    ) -> Result<(), GpuBatchError> {
        let buffers = [states.raw(), out.raw(), self.layout.raw(), self.observations.raw()];
        let groups = u32::try_from(self.len.div_ceil(LANES)).unwrap_or(u32::MAX);
        Ok(gpu.dispatch(&self.kernel, &buffers, groups)?)
    }

    /// Gathers and reads synchronously.
    pub(crate) fn read(
        &self,
        gpu: &Context,
        [states, out]: [&RealBuffer; 2],
        into: &mut [f32],
    ) -> Result<(), GpuBatchError> {
        self.gather(gpu, states, out)?;
        Ok(self.observations.read_into(gpu, into)?)
    }

    /// Gathers and starts a readback; `false` if the ring is full.
    pub(crate) fn request(
        &mut self,
        gpu: &Context,
        [states, out]: [&RealBuffer; 2],
    ) -> Result<bool, GpuBatchError> {
        self.gather(gpu, states, out)?;
        let ring = self.ring.get_or_insert_with(|| Ring::new(gpu, self.len, DEPTH));
        Ok(ring.request(gpu, &self.observations)?.is_some())
    }

    /// Waits for the oldest readback in flight; `false` if there is none.
    pub(crate) fn fetch(&mut self, gpu: &Context, into: &mut [f32]) -> Result<bool, GpuBatchError> {
        match &mut self.ring {
            Some(ring) => Ok(ring.fetch(gpu, into)?.is_some()),
            None => Ok(false),
        }
    }
}
