//! Asynchronous readback through a ring of staging buffers.

use crate::buffer::{copy_out, staging};
use crate::{Buffer, Context, GpuError};
use bytemuck::Pod;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A ring of staging buffers.
#[derive(Debug)]
pub struct Ring<T> {
    free: Vec<wgpu::Buffer>,
    in_flight: VecDeque<Copy>,
    len: usize,
    next: u64,
    of: PhantomData<T>,
}

/// Identifies a copy; copies complete in the order of their tickets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

#[derive(Debug)]
struct Copy {
    ticket: Ticket,
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

const READY: u8 = 1;
const FAILED: u8 = 2;

impl<T: Pod> Ring<T> {
    /// A ring of `depth` copies of `len` elements.
    pub fn new(gpu: &Context, len: usize, depth: usize) -> Self {
        let bytes = (len.max(1) * size_of::<T>()).next_multiple_of(4) as u64;
        let free = (0..depth.max(1)).map(|_| staging(gpu, "ring", bytes)).collect();
        Self { free, in_flight: VecDeque::new(), len, next: 0, of: PhantomData }
    }

    /// Starts a copy of the first elements of a buffer, after the work submitted so far. Returns `None` if every
    /// staging buffer is in use.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] if the buffer is shorter than the ring's copies.
    pub fn request(&mut self, gpu: &Context, from: &Buffer<T>) -> Result<Option<Ticket>, GpuError> {
        if from.len() < self.len {
            let (have, want) = (from.len(), self.len);
            return Err(GpuError::Length { label: "ring".into(), have, want });
        }
        let Some(buffer) = self.free.pop() else { return Ok(None) };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(from.raw(), 0, &buffer, 0, buffer.size());
        gpu.queue.submit([encoder.finish()]);
        let state = Arc::new(AtomicU8::new(0));
        let signal = state.clone();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            signal.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
        });
        let ticket = Ticket(self.next);
        self.next += 1;
        self.in_flight.push_back(Copy { ticket, buffer, state });
        Ok(Some(ticket))
    }

    /// The oldest copy, if it has completed.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn poll(&mut self, gpu: &Context, values: &mut [T]) -> Result<Option<Ticket>, GpuError> {
        gpu.device.poll(wgpu::PollType::Poll).map_err(|error| GpuError::Lost(error.to_string()))?;
        match self.in_flight.front() {
            Some(copy) if copy.state.load(Ordering::Acquire) != 0 => self.take(values),
            _ => Ok(None),
        }
    }

    /// Waits for the oldest copy. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn fetch(&mut self, gpu: &Context, values: &mut [T]) -> Result<Option<Ticket>, GpuError> {
        let Some(copy) = self.in_flight.front() else { return Ok(None) };
        gpu.wait()?;
        // the callback may run on another thread that polls, slightly later
        while copy.state.load(Ordering::Acquire) == 0 && Arc::strong_count(&copy.state) > 1 {
            std::thread::yield_now();
        }
        self.take(values)
    }

    fn take(&mut self, values: &mut [T]) -> Result<Option<Ticket>, GpuError> {
        if values.len() != self.len {
            let (have, want) = (values.len(), self.len);
            return Err(GpuError::Length { label: "ring".into(), have, want });
        }
        let Some(copy) = self.in_flight.pop_front() else { return Ok(None) };
        let completed = copy.state.load(Ordering::Acquire) == READY;
        let copied = if completed { copy_out(&copy.buffer, values) } else { Ok(()) };
        copy.buffer.unmap();
        self.free.push(copy.buffer);
        if !completed {
            return Err(GpuError::Lost("a readback failed".into()));
        }
        copied.map(|()| Some(copy.ticket))
    }
}
