//! Textures that images are rendered to, and their transfer to the CPU.

use crate::RenderError;
use crate::pipeline::{COLOR, DEPTH, IDENTITY, NORMAL};
use mesh_gpu::{Context, GpuError, wgpu};
use std::sync::mpsc;

/// Render targets of one size.
pub(crate) struct Targets {
    size: [u32; 2],
    /// Colour with several samples per pixel, if it differs from `resolved`.
    multisampled: Option<wgpu::TextureView>,
    color: wgpu::TextureView,
    color_texture: wgpu::Texture,
    depth_stencil: wgpu::TextureView,
    identity: wgpu::TextureView,
    identity_texture: wgpu::Texture,
    normal: wgpu::TextureView,
    normal_texture: wgpu::Texture,
    depth: wgpu::TextureView,
    depth_texture: wgpu::Texture,
    /// Buffer that the CPU reads.
    staging: wgpu::Buffer,
}

/// A target that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plane {
    Color,
    Identity,
    Depth,
    Normal,
}

impl Plane {
    const ALL: [Self; 4] = [Self::Color, Self::Identity, Self::Depth, Self::Normal];

    fn bytes_per_pixel(self) -> u32 {
        if self == Self::Normal { 8 } else { 4 }
    }
}

impl Targets {
    pub(crate) fn new(
        device: &wgpu::Device,
        size: [u32; 2],
        samples: u32,
        depth_stencil: wgpu::TextureFormat,
    ) -> Self {
        let texture = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let readable = attachment | wgpu::TextureUsages::COPY_SRC;
        let color_texture = texture("color", COLOR, 1, readable);
        let identity_texture = texture("identity", IDENTITY, 1, readable);
        let normal_texture = texture("normal", NORMAL, 1, readable);
        let depth_texture = texture("depth", DEPTH, 1, readable);
        let total = Plane::ALL.map(|plane| plane_bytes(size, plane)).iter().sum();
        Self {
            size,
            multisampled: (samples > 1)
                .then(|| view(&texture("samples", COLOR, samples, attachment))),
            color: view(&color_texture),
            color_texture,
            depth_stencil: view(&texture("depth stencil", depth_stencil, samples, attachment)),
            identity: view(&identity_texture),
            identity_texture,
            normal: view(&normal_texture),
            normal_texture,
            depth: view(&depth_texture),
            depth_texture,
            staging: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("image"),
                size: total,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        }
    }

    /// Begins a pass that draws into the colour image.
    pub(crate) fn color_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: bool,
        clear_stencil: bool,
        resolve: bool,
    ) -> wgpu::RenderPass<'a> {
        let (view, resolve_target) = match &self.multisampled {
            Some(samples) => (samples, resolve.then_some(&self.color)),
            None => (&self.color, None),
        };
        let color = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: operations(clear, wgpu::Color::TRANSPARENT),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("color"),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth_stencil,
                depth_ops: Some(operations(clear, 0.0)),
                stencil_ops: Some(operations(clear_stencil, 0)),
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }

    /// Begins a pass that draws segmentation ids, depth and normals.
    pub(crate) fn identity_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: bool,
    ) -> wgpu::RenderPass<'a> {
        let attachment = |view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: operations(clear, wgpu::Color::TRANSPARENT),
            })
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("identity"),
            color_attachments: &[attachment(&self.identity), attachment(&self.normal)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(operations(clear, 0.0)),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }

    /// Copies the targets to the buffer that [`read`](Self::read) maps.
    pub(crate) fn copy(&self, encoder: &mut wgpu::CommandEncoder, planes: &[Plane]) {
        for &plane in planes {
            let texture = match plane {
                Plane::Color => &self.color_texture,
                Plane::Identity => &self.identity_texture,
                Plane::Depth => &self.depth_texture,
                Plane::Normal => &self.normal_texture,
            };
            encoder.copy_texture_to_buffer(
                wgpu::TexelCopyTextureInfo {
                    texture,
                    mip_level: 0,
                    origin: wgpu::Origin3d::ZERO,
                    aspect: match plane {
                        Plane::Depth => wgpu::TextureAspect::DepthOnly,
                        _ => wgpu::TextureAspect::All,
                    },
                },
                wgpu::TexelCopyBufferInfo {
                    buffer: &self.staging,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: self.offset(plane),
                        bytes_per_row: Some(row_bytes(self.size[0], plane)),
                        rows_per_image: None,
                    },
                },
                wgpu::Extent3d {
                    width: self.size[0],
                    height: self.size[1],
                    depth_or_array_layers: 1,
                },
            );
        }
    }

    /// Waits for the copies and calls `f` with each row of each plane, from the top of the image. The first
    /// row of a texture is the lowest of the image.
    pub(crate) fn read(
        &self,
        gpu: &Context,
        planes: &[Plane],
        mut f: impl FnMut(Plane, &[u8]),
    ) -> Result<(), RenderError> {
        let (send, done) = mpsc::channel();
        self.staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            // the receiver is gone if the reader returned early
            let _ = send.send(result);
        });
        gpu.wait()?;
        if !matches!(done.recv(), Ok(Ok(()))) {
            return Err(GpuError::Lost("the image could not be read".to_owned()).into());
        }
        {
            let mapped = self.staging.slice(..).get_mapped_range();
            let mapped = mapped.map_err(|error| GpuError::Lost(error.to_string()))?;
            for &plane in planes {
                let row = row_bytes(self.size[0], plane) as usize;
                let used = (self.size[0] * plane.bytes_per_pixel()) as usize;
                let start = self.offset(plane) as usize;
                for y in (0..self.size[1] as usize).rev() {
                    f(plane, &mapped[start + y * row..start + y * row + used]);
                }
            }
        }
        self.staging.unmap();
        Ok(())
    }

    fn offset(&self, plane: Plane) -> u64 {
        let before = Plane::ALL.into_iter().take_while(|&other| other != plane);
        before.map(|plane| plane_bytes(self.size, plane)).sum()
    }
}

/// Clears an attachment, or keeps its content.
fn operations<T>(clear: bool, value: T) -> wgpu::Operations<T> {
    let load = if clear { wgpu::LoadOp::Clear(value) } else { wgpu::LoadOp::Load };
    wgpu::Operations { load, store: wgpu::StoreOp::Store }
}

/// Bytes of a row in the buffer, which wgpu requires to be a multiple of 256.
fn row_bytes(width: u32, plane: Plane) -> u32 {
    (width * plane.bytes_per_pixel()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

fn plane_bytes(size: [u32; 2], plane: Plane) -> u64 {
    u64::from(row_bytes(size[0], plane)) * u64::from(size[1])
}
