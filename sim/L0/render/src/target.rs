//! Textures that images are rendered to.

use crate::pipeline::{COLOR, DEPTH, IDENTITY, NORMAL};
use crate::readback::{Layout, Plane};
use mesh_gpu::wgpu;

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
    /// Bytes of all textures.
    pub bytes: u64,
}

impl Targets {
    pub(crate) fn new(
        device: &wgpu::Device,
        size: [u32; 2],
        samples: u32,
        depth_stencil: wgpu::TextureFormat,
    ) -> Self {
        let pixels = u64::from(size[0]) * u64::from(size[1]);
        let mut bytes = 0;
        let mut texture = |label, format: wgpu::TextureFormat, sample_count: u32, usage| {
            let pixel = match format {
                wgpu::TextureFormat::Depth32FloatStencil8 | NORMAL => 8,
                _ => 4,
            };
            bytes += pixels * pixel * u64::from(sample_count);
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
        // a viewer shows the image without a transfer; depth shown as grey levels is written by the CPU
        let shown = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let color_texture = texture("color", COLOR, 1, readable | shown);
        let identity_texture = texture("identity", IDENTITY, 1, readable);
        let normal_texture = texture("normal", NORMAL, 1, readable);
        let depth_texture = texture("depth", DEPTH, 1, readable);
        let multisampled = (samples > 1).then(|| texture("samples", COLOR, samples, attachment));
        let depth_stencil = texture("depth stencil", depth_stencil, samples, attachment);
        Self {
            size,
            multisampled: multisampled.as_ref().map(view),
            color: view(&color_texture),
            color_texture,
            depth_stencil: view(&depth_stencil),
            identity: view(&identity_texture),
            identity_texture,
            normal: view(&normal_texture),
            normal_texture,
            depth: view(&depth_texture),
            depth_texture,
            bytes,
        }
    }

    /// The colour image.
    pub(crate) fn color(&self) -> &wgpu::TextureView {
        &self.color
    }

    /// Replaces the colour image. `rgb` has three bytes per pixel from the top left corner.
    pub(crate) fn write_color(&self, queue: &wgpu::Queue, rgb: &[u8]) {
        let [width, height] = self.size;
        let rows = rgb.chunks_exact(3 * width as usize).rev();
        let pixels = rows.flat_map(|row| row.as_chunks::<3>().0);
        let rgba: Vec<u8> = pixels.flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * width),
            rows_per_image: None,
        };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        queue.write_texture(self.color_texture.as_image_copy(), &rgba, layout, size);
    }

    /// Begins a pass that draws into the colour image.
    pub(crate) fn color_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        clear: bool,
        clear_stencil: bool,
        resolve: bool,
    ) -> wgpu::RenderPass<'a> {
        use wgpu::StoreOp::{Discard, Store};
        let (view, resolve_target) = match &self.multisampled {
            Some(samples) => (samples, resolve.then_some(&self.color)),
            None => (&self.color, None),
        };
        let color = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations {
                store: if resolve_target.is_some() { Discard } else { Store },
                ..operations(clear, wgpu::Color::BLACK)
            },
        };
        // nothing reads the depth after the last pass
        let store = if resolve { Discard } else { Store };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("color"),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth_stencil,
                depth_ops: Some(wgpu::Operations { store, ..operations(clear, 0.0) }),
                stencil_ops: Some(wgpu::Operations { store, ..operations(clear_stencil, 0) }),
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

    /// Copies targets to a buffer with a layout.
    pub(crate) fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        layout: &Layout,
        buffer: &wgpu::Buffer,
    ) {
        for &plane in &layout.planes {
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
                    buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: layout.offset(plane),
                        bytes_per_row: Some(layout.row_bytes(plane)),
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
}

/// Clears an attachment, or keeps its content.
fn operations<T>(clear: bool, value: T) -> wgpu::Operations<T> {
    let load = if clear { wgpu::LoadOp::Clear(value) } else { wgpu::LoadOp::Load };
    wgpu::Operations { load, store: wgpu::StoreOp::Store }
}
