//! Execution time of dispatches by timestamp queries.

use crate::{Context, GpuError};
use std::sync::mpsc;
use std::time::Duration;

/// Measures the execution time of one run at a time.
#[derive(Debug)]
pub struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    tick: f32,
}

impl Timer {
    /// A timer, if the device has timestamp queries.
    pub fn new(gpu: &Context) -> Option<Self> {
        if !gpu.has_timestamps() {
            return None;
        }
        let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("timer"),
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("timer"),
            size: 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let staging = crate::buffer::staging(gpu, "timer", 16);
        Some(Self { queries, resolved, staging, tick: gpu.queue.get_timestamp_period() })
    }

    pub(crate) fn writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    pub(crate) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, 16);
    }

    /// Waits for the last timed run and returns its execution time.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn elapsed(&self, gpu: &Context) -> Result<Duration, GpuError> {
        let (send, done) = mpsc::channel();
        self.staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // the receiver is gone if the reader returned early
            let _ = send.send(result);
        });
        gpu.wait()?;
        // the callback may run on another thread that polls, slightly later
        match done.recv() {
            Ok(Ok(())) => {}
            _ => return Err(GpuError::Lost("the timestamps could not be read".into())),
        }
        let mut ticks = [0_u64; 2];
        let copied = crate::buffer::copy_out(&self.staging, &mut ticks);
        self.staging.unmap();
        copied?;
        let nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.tick);
        Ok(Duration::from_nanos(nanoseconds as u64))
    }
}
