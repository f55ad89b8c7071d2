//! Transfer of images to the CPU.

use crate::overlay::Completion;
use crate::picture::{Outputs, Picture};
use crate::{Context, RenderError};
use mesh_gpu::{GpuError, wgpu};
use std::sync::{Arc, OnceLock};

/// A target that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plane {
    Color,
    Identity,
    Depth,
    Normal,
}

impl Plane {
    fn bytes_per_pixel(self) -> u32 {
        if self == Self::Normal { 8 } else { 4 }
    }
}

/// Where the planes of an image are in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    size: [u32; 2],
    pub planes: Vec<Plane>,
}

impl Layout {
    /// The planes that outputs need.
    pub(crate) fn new(size: [u32; 2], outputs: Outputs) -> Self {
        let all = [
            (Outputs::RGB, Plane::Color),
            (Outputs::SEGMENTATION, Plane::Identity),
            (Outputs::DEPTH, Plane::Depth),
            (Outputs::NORMAL, Plane::Normal),
        ];
        let requested = all.into_iter().filter(|&(output, _)| outputs.contains(output));
        Self { size, planes: requested.map(|(_, plane)| plane).collect() }
    }

    /// Bytes of a row, which wgpu requires to be a multiple of 256.
    pub(crate) fn row_bytes(&self, plane: Plane) -> u32 {
        (self.size[0] * plane.bytes_per_pixel())
            .next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }

    /// First byte of a plane.
    pub(crate) fn offset(&self, plane: Plane) -> u64 {
        let before = self.planes.iter().take_while(|&&other| other != plane);
        before.map(|&plane| self.plane_bytes(plane)).sum()
    }

    /// Bytes of all planes; at least one row.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.planes.iter().map(|&plane| self.plane_bytes(plane)).sum::<u64>();
        all.max(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT))
    }

    fn plane_bytes(&self, plane: Plane) -> u64 {
        u64::from(self.row_bytes(plane)) * u64::from(self.size[1])
    }

    /// Calls `f` with each row of each plane from the top of the image. The first row of a texture is the
    /// lowest of the image.
    fn rows(&self, bytes: &[u8], mut f: impl FnMut(Plane, &[u8])) {
        for &plane in &self.planes {
            let row = self.row_bytes(plane) as usize;
            let used = (self.size[0] * plane.bytes_per_pixel()) as usize;
            let start = self.offset(plane) as usize;
            for y in (0..self.size[1] as usize).rev() {
                f(plane, &bytes[start + y * row..start + y * row + used]);
            }
        }
    }
}

/// Values of the targets.
#[derive(Default)]
pub(crate) struct Stored {
    pub identity: Vec<u32>,
    /// Depth values: 1 at the near plane, 0 at the far plane.
    pub depth: Vec<f32>,
}

/// An image in flight.
pub(crate) struct Pending {
    layout: Layout,
    buffer: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
    /// Whether the buffer could be mapped, once that is known.
    mapped: Arc<OnceLock<bool>>,
    completion: Completion,
}

impl Pending {
    /// An image whose copy to `buffer` was submitted.
    pub(crate) fn new(
        layout: Layout,
        buffer: wgpu::Buffer,
        submission: wgpu::SubmissionIndex,
        completion: Completion,
    ) -> Self {
        let mapped = Arc::new(OnceLock::new());
        let known = mapped.clone();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // the callback runs once
            let _ = known.set(result.is_ok());
        });
        Self { layout, buffer, submission, mapped, completion }
    }

    /// Bytes of the buffer.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// Waits for the image; returns it with its buffer.
    pub(crate) fn receive(self, gpu: &Context) -> Result<(Picture, wgpu::Buffer), RenderError> {
        gpu.wait_for(self.submission)?;
        if self.mapped.get() != Some(&true) {
            return Err(GpuError::Lost("the image could not be read".to_owned()).into());
        }
        let (mut picture, stored) = {
            let mapped = self.buffer.slice(..).get_mapped_range();
            let mapped = mapped.map_err(|error| GpuError::Lost(error.to_string()))?;
            read(&self.layout, &mapped)
        };
        self.buffer.unmap();
        self.completion.finish(&mut picture, &stored);
        Ok((picture, self.buffer))
    }
}

/// Reads the planes of an image.
fn read(layout: &Layout, bytes: &[u8]) -> (Picture, Stored) {
    let [width, height] = layout.size.map(|n| n as usize);
    let pixels = width * height;
    let mut picture = Picture { width, height, ..Picture::default() };
    let mut stored = Stored::default();
    for plane in &layout.planes {
        match plane {
            Plane::Color => picture.rgb.reserve_exact(3 * pixels),
            Plane::Identity => stored.identity.reserve_exact(pixels),
            Plane::Depth => stored.depth.reserve_exact(pixels),
            Plane::Normal => picture.normal.reserve_exact(pixels),
        }
    }
    layout.rows(bytes, |plane, row| match plane {
        Plane::Color => {
            let start = picture.rgb.len();
            picture.rgb.resize(start + 3 * width, 0);
            let (pixels, _) = picture.rgb[start..].as_chunks_mut::<3>();
            for (pixel, rgba) in pixels.iter_mut().zip(row.as_chunks::<4>().0) {
                *pixel = [rgba[0], rgba[1], rgba[2]];
            }
        }
        Plane::Identity => {
            stored.identity.extend(row.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)));
        }
        Plane::Depth => {
            stored.depth.extend(row.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)));
        }
        Plane::Normal => {
            let half = |b: &[u8; 2]| half_to_f32(u16::from_le_bytes(*b));
            picture.normal.extend(row.as_chunks::<8>().0.iter().map(|p| {
                let (h, _) = p.as_chunks::<2>();
                [half(&h[0]), half(&h[1]), half(&h[2])]
            }));
        }
    });
    (picture, stored)
}

/// Value of a half-precision number.
fn half_to_f32(h: u16) -> f32 {
    let sign = if h >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from(h >> 10 & 31), f32::from(h & 1023));
    match exponent {
        0 => sign * mantissa * 2.0_f32.powi(-24),
        31 => sign * f32::INFINITY,
        _ => sign * (1.0 + mantissa / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}
