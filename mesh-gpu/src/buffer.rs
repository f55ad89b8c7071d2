//! Typed storage buffers.

use crate::{Context, GpuError, SharedMemory};
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, mpsc};

/// An array of `T` on the device.
#[derive(Clone, Debug)]
pub struct Buffer<T> {
    raw: wgpu::Buffer,
    label: String,
    len: usize,
    /// The memory, if it was exported.
    shared: Option<Arc<SharedMemory>>,
    of: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// Usage of all buffers.
    pub(crate) const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
        .union(wgpu::BufferUsages::COPY_DST)
        .union(wgpu::BufferUsages::COPY_SRC);

    /// A buffer of zeros.
    ///
    /// # Errors
    ///
    /// [`GpuError::TooLarge`] if it exceeds the limits of the device.
    pub fn zeros(gpu: &Context, label: &str, len: usize) -> Result<Self, GpuError> {
        let bytes = Self::binding_bytes(gpu, label, len)?;
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: Self::USAGE,
            mapped_at_creation: false,
        });
        Ok(Self::from_parts(raw, label, len, None))
    }

    /// Size of a buffer of `len` elements in bytes, if the device allows it.
    pub(crate) fn binding_bytes(gpu: &Context, label: &str, len: usize) -> Result<u64, GpuError> {
        // a binding must not be empty
        let bytes = (len.max(1) * size_of::<T>()).next_multiple_of(16) as u64;
        let limit = gpu.binding_bytes();
        if bytes > limit {
            return Err(GpuError::TooLarge { label: label.into(), bytes, limit });
        }
        Ok(bytes)
    }

    pub(crate) fn from_parts(
        raw: wgpu::Buffer,
        label: &str,
        len: usize,
        shared: Option<SharedMemory>,
    ) -> Self {
        Self { raw, label: label.into(), len, shared: shared.map(Arc::new), of: PhantomData }
    }

    /// The memory of a buffer that [`Buffer::shared_zeros`] created.
    pub fn shared_memory(&self) -> Option<&Arc<SharedMemory>> {
        self.shared.as_ref()
    }

    /// A buffer with the given elements.
    ///
    /// # Errors
    ///
    /// As [`Buffer::zeros`].
    pub fn from_slice(gpu: &Context, label: &str, values: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::zeros(gpu, label, values.len())?;
        buffer.write(gpu, 0, values)?;
        Ok(buffer)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the buffer has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The underlying buffer, for bindings.
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// Writes elements from `start` on, before kernels that are submitted later.
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

    /// Waits for the submitted work and reads all elements.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn read(&self, gpu: &Context) -> Result<Vec<T>, GpuError> {
        let mut values = vec![T::zeroed(); self.len];
        self.read_into(gpu, &mut values)?;
        Ok(values)
    }

    /// Waits for the submitted work and reads the first elements.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] if there are fewer, [`GpuError::Lost`] if the device has failed.
    pub fn read_into(&self, gpu: &Context, values: &mut [T]) -> Result<(), GpuError> {
        self.read_from(gpu, 0, values)
    }

    /// Waits for the submitted work and reads a range of elements.
    ///
    /// # Errors
    ///
    /// As [`Buffer::read_into`].
    pub fn read_range(&self, gpu: &Context, range: Range<usize>) -> Result<Vec<T>, GpuError> {
        let mut values = vec![T::zeroed(); range.len()];
        self.read_from(gpu, range.start, &mut values)?;
        Ok(values)
    }

    /// Reads elements from `start` on.
    fn read_from(&self, gpu: &Context, start: usize, values: &mut [T]) -> Result<(), GpuError> {
        if start + values.len() > self.len {
            let (have, want) = (start + values.len(), self.len);
            return Err(GpuError::Length { label: self.label.clone(), have, want });
        }
        if values.is_empty() {
            return Ok(());
        }
        let bytes = size_of_val(values).next_multiple_of(4) as u64;
        let staging = staging(gpu, &self.label, bytes);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let offset = (start * size_of::<T>()) as u64;
        encoder.copy_buffer_to_buffer(&self.raw, offset, &staging, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        let (send, done) = mpsc::channel();
        staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // the receiver is gone if the reader returned early
            let _ = send.send(result);
        });
        gpu.wait()?;
        // the callback may run on another thread that polls, slightly later
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
