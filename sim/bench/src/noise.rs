//! Ornstein–Uhlenbeck noise of the controls, on the host and on the device.
//!
//! The benchmark generates it on the device. Generated on the host, it takes several times as long as the steps, and a
//! GPU that is idle most of the time reduces its clock rate: the panda at 32768 environments then took between 0.35 and
//! 0.57 ms per step on an H200.

use crate::side_by_side::Failure;
use mesh_gpu::{Access, Binding, Buffer, Checks, Kernel, Source};
use sim_gpu::{Context, GpuBatch, Rows};

/// Standard deviation and rate of the process.
const NOISE: (f64, f64) = (0.01, 0.1);

/// Factor of normally distributed numbers that keeps the standard deviation stationary.
fn scale() -> f32 {
    let (std, rate) = NOISE;
    (std * (2.0 * rate - rate * rate).sqrt()) as f32
}

/// The process on the host.
pub(crate) struct Noise {
    mean: Vec<f32>,
    current: Vec<f32>,
    /// Table of normally distributed numbers.
    normal: Vec<f32>,
    seed: u64,
}

impl Noise {
    pub(crate) fn new(mean: &[f64], count: usize) -> Self {
        let mean = single(mean);
        let mut seed = 1;
        let mut uniform = || (random(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64;
        let normal = (0..1 << 16).map(|_| {
            let (a, b) = (1.0 - uniform(), uniform());
            ((-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()) as f32
        });
        Self { normal: normal.collect(), current: mean.repeat(count), mean, seed: 2 }
    }

    /// Controls of the next step.
    pub(crate) fn next(&mut self) -> &[f32] {
        let (rate, scale) = (NOISE.1 as f32, scale());
        for row in self.current.chunks_exact_mut(self.mean.len().max(1)) {
            for (u, mean) in row.iter_mut().zip(&self.mean) {
                let pick = (random(&mut self.seed) >> 48) as usize;
                *u += rate * (mean - *u) + scale * self.normal[pick];
            }
        }
        &self.current
    }
}

fn single(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&value| value as f32).collect()
}

pub(crate) fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed
}

/// The process on the device, for batches of single precision. It changes the controls that the batch has.
pub(crate) struct DeviceNoise {
    kernel: Kernel,
    binding: Binding,
    parameters: Buffer<u32>,
    groups: u32,
    step: u32,
}

/// Index of the step in the parameters, and lanes of a workgroup; as in `noise.wgsl`.
const STEP: usize = 3;
const LANES: usize = 64;

impl DeviceNoise {
    pub(crate) fn new(gpu: &Context, batch: &GpuBatch, mean: &[f64]) -> Result<Self, Failure> {
        let kernel = gpu.kernel(&Source {
            label: "noise",
            wgsl: include_str!("noise.wgsl"),
            entry: "main",
            bindings: &[Access::Read, Access::Read, Access::Write],
            checks: Checks::Indices,
        })?;
        let [envs, stride, nu] =
            [batch.len(), batch.row_len(Rows::Input), mean.len()].map(|n| n as u32);
        let rate = NOISE.1 as f32;
        let parameters = [envs, stride, nu, 0, rate.to_bits(), scale().to_bits()];
        let parameters = Buffer::from_slice(gpu, "parameters", &parameters)?;
        let mean = Buffer::from_slice(gpu, "mean", &single(mean))?;
        let buffers = [parameters.raw(), mean.raw(), batch.buffer(Rows::Input)];
        let binding = gpu.bind(&kernel, &buffers)?;
        let groups = (batch.len() * nu as usize).div_ceil(LANES) as u32;
        Ok(Self { kernel, binding, parameters, groups, step: 0 })
    }

    /// Submits a step of the process.
    pub(crate) fn submit(&mut self, gpu: &Context) -> Result<(), Failure> {
        if self.groups > 0 {
            self.step += 1;
            self.parameters.write(gpu, STEP, &[self.step])?;
            gpu.run(&[(&self.kernel, self.groups)], &self.binding, None);
        }
        Ok(())
    }
}
