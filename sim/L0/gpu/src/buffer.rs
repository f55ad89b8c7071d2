//! Buffers of reals in either precision.

use crate::{GpuBatchError, Options, Precision};
use mesh_gpu::{Buffer, Context, Raw, SharedMemory};
use std::sync::Arc;

/// Reals on the device; the host reads and writes them as `f64`.
#[derive(Debug)]
pub(crate) enum RealBuffer {
    Single(Buffer<f32>),
    Double(Buffer<f64>),
}

impl RealBuffer {
    pub(crate) fn new(
        gpu: &Context,
        precision: Precision,
        label: &str,
        values: &[f64],
    ) -> Result<Self, GpuBatchError> {
        let buffer = Self::zeros(gpu, precision, label, values.len())?;
        buffer.write(gpu, 0, values)?;
        Ok(buffer)
    }

    pub(crate) fn zeros(
        gpu: &Context,
        precision: Precision,
        label: &str,
        len: usize,
    ) -> Result<Self, GpuBatchError> {
        Ok(match precision {
            Precision::Single => Self::Single(Buffer::zeros(gpu, label, len)?),
            Precision::Double => Self::Double(Buffer::zeros(gpu, label, len)?),
        })
    }

    /// Zeros in memory that other APIs can import if `options` requests it.
    pub(crate) fn accessible_zeros(
        gpu: &Context,
        options: &Options,
        label: &str,
        len: usize,
    ) -> Result<Self, GpuBatchError> {
        Ok(match options.precision {
            _ if !options.shared => Self::zeros(gpu, options.precision, label, len)?,
            Precision::Single => Self::Single(Buffer::shared_zeros(gpu, label, len)?),
            Precision::Double => Self::Double(Buffer::shared_zeros(gpu, label, len)?),
        })
    }

    /// Reals in memory that other APIs can import if `options` requests it.
    pub(crate) fn accessible(
        gpu: &Context,
        options: &Options,
        label: &str,
        values: &[f64],
    ) -> Result<Self, GpuBatchError> {
        let buffer = Self::accessible_zeros(gpu, options, label, values.len())?;
        buffer.write(gpu, 0, values)?;
        Ok(buffer)
    }

    /// The exported memory.
    pub(crate) fn shared_memory(&self) -> Option<&Arc<SharedMemory>> {
        match self {
            Self::Single(buffer) => buffer.shared_memory(),
            Self::Double(buffer) => buffer.shared_memory(),
        }
    }

    pub(crate) fn write(
        &self,
        gpu: &Context,
        start: usize,
        values: &[f64],
    ) -> Result<(), GpuBatchError> {
        match self {
            Self::Single(buffer) => {
                let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
                buffer.write(gpu, start, &values)?;
            }
            Self::Double(buffer) => buffer.write(gpu, start, values)?,
        }
        Ok(())
    }

    /// Reads the first `len` reals.
    pub(crate) fn read(&self, gpu: &Context, len: usize) -> Result<Vec<f64>, GpuBatchError> {
        Ok(match self {
            Self::Single(buffer) => {
                let mut values = vec![0.0; len];
                buffer.read_into(gpu, &mut values)?;
                values.into_iter().map(f64::from).collect()
            }
            Self::Double(buffer) => {
                let mut values = vec![0.0; len];
                buffer.read_into(gpu, &mut values)?;
                values
            }
        })
    }

    pub(crate) fn raw(&self) -> &Raw {
        match self {
            Self::Single(buffer) => buffer.raw(),
            Self::Double(buffer) => buffer.raw(),
        }
    }
}
