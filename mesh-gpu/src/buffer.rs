//! Arrays on the device that know what they hold.

use crate::{Context, GpuError};
use bytemuck::Pod;
use std::marker::PhantomData;
use std::sync::mpsc;

/// An array of `T` on the device.
#[derive(Clone, Debug)]
pub struct Buffer<T> {
    raw: wgpu::Buffer,
    label: String,
    len: usize,
    of: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Zeros.
    ///
    /// # Errors
    ///
    /// [`GpuError::TooLarge`] if the device cannot bind that much.
    pub fn zeros(gpu: &Context, label: &str, len: usize) -> Result<Self, GpuError> {
        // a binding must not be empty
        let bytes = (len.max(1) * size_of::<T>()).next_multiple_of(16) as u64;
        let limit = gpu.binding_bytes();
        if bytes > limit {
            return Err(GpuError::TooLarge { label: label.into(), bytes, limit });
        }
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Self { raw, label: label.into(), len, of: PhantomData })
    }

    /// A copy of what is here.
    ///
    /// # Errors
    ///
    /// As [`Buffer::zeros`].
    pub fn from_slice(gpu: &Context, label: &str, values: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::zeros(gpu, label, values.len())?;
        buffer.write(gpu, 0, values)?;
        Ok(buffer)
    }

    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What a kernel is given.
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// Replaces elements from `start` on; kernels dispatched later see them.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] if they do not fit.
    pub fn write(&self, gpu: &Context, start: usize, values: &[T]) -> Result<(), GpuError> {
        let end = start + values.len();
        if end > self.len {
            return Err(GpuError::Length { label: self.label.clone(), have: end, want: self.len });
        }
        if !values.is_empty() {
            let offset = (start * size_of::<T>()) as u64;
            gpu.queue.write_buffer(&self.raw, offset, bytemuck::cast_slice(values));
        }
        Ok(())
    }

    /// Waits for what was dispatched and reads everything.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn read(&self, gpu: &Context) -> Result<Vec<T>, GpuError> {
        let mut values = vec![T::zeroed(); self.len];
        self.read_into(gpu, &mut values)?;
        Ok(values)
    }

    /// Waits for what was dispatched and reads the first elements.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] if there are fewer, [`GpuError::Lost`] if the device has failed.
    pub fn read_into(&self, gpu: &Context, values: &mut [T]) -> Result<(), GpuError> {
        if values.len() > self.len {
            let (have, want) = (values.len(), self.len);
            return Err(GpuError::Length { label: self.label.clone(), have, want });
        }
        if values.is_empty() {
            return Ok(());
        }
        let bytes = size_of_val(values).next_multiple_of(4) as u64;
        let staging = staging(gpu, &self.label, bytes);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.raw, 0, &staging, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        let (send, done) = mpsc::channel();
        staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // nobody listens any more if the reader gave up
            let _ = send.send(result);
        });
        gpu.wait()?;
        // another thread that waits may be the one that is told, and tells a moment later
        match done.recv() {
            Ok(Ok(())) => {}
            _ => return Err(GpuError::Lost(format!("`{}` could not be read", self.label))),
        }
        copy_out(&staging, values)
    }
}

pub(crate) fn staging(gpu: &Context, label: &str, bytes: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Copies from a mapped buffer.
pub(crate) fn copy_out<T: Pod>(mapped: &wgpu::Buffer, values: &mut [T]) -> Result<(), GpuError> {
    let view =
        mapped.slice(..).get_mapped_range().map_err(|error| GpuError::Lost(error.to_string()))?;
    let bytes = size_of_val(values);
    bytemuck::cast_slice_mut::<T, u8>(values).copy_from_slice(&view[..bytes]);
    Ok(())
}
