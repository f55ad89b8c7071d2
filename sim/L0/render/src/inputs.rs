//! Buffers that the device reads for an image: views, parts and their order, arguments of draws, vertices of
//! moving surfaces, and the shadow maps.

use crate::frame::Frame;
use crate::passes::{MAX_VIEWS, Passes, VIEW_STRIDE};
use crate::resource::{buffer, check_bytes, shadow_maps};
use crate::view::View;
use crate::{Context, RenderError};
use mesh_gpu::wgpu;

/// Inputs of all passes, and their bind groups.
pub(crate) struct Inputs {
    layout: wgpu::BindGroupLayout,
    shadow_size: u32,
    /// All shadow maps, and each of them.
    shadow_maps: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
    /// Bound while a shadow map is written.
    unused_map: wgpu::TextureView,
    shadow_sampler: wgpu::Sampler,
    views: wgpu::Buffer,
    parts: wgpu::Buffer,
    order: wgpu::Buffer,
    /// Arguments of indirect draws.
    pub args: wgpu::Buffer,
    /// Vertices and indices that are written for each image.
    pub vertices: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    /// With the shadow maps, and without.
    groups: [wgpu::BindGroup; 2],
}

/// Bytes of the buffers that grow at first.
const INITIAL_BYTES: u64 = 1 << 14;

impl Inputs {
    pub(crate) fn new(
        device: &wgpu::Device,
        layout: wgpu::BindGroupLayout,
        shadow_size: u32,
    ) -> Self {
        use wgpu::BufferUsages as Usage;
        let views = buffer(device, "views", (MAX_VIEWS * VIEW_STRIDE) as u64, Usage::UNIFORM);
        let [parts, order] =
            ["parts", "order"].map(|label| buffer(device, label, INITIAL_BYTES, Usage::STORAGE));
        let (unused_map, _) = shadow_maps(device, 1, 1);
        let shadow_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..wgpu::SamplerDescriptor::default()
        });
        let groups = [&unused_map; 2]
            .map(|map| group(device, &layout, &views, [&parts, &order], map, &shadow_sampler));
        Self {
            layout,
            shadow_size,
            shadow_maps: unused_map.clone(),
            layers: Vec::new(),
            unused_map,
            shadow_sampler,
            views,
            parts,
            order,
            args: buffer(device, "draws", INITIAL_BYTES, Usage::INDIRECT),
            vertices: buffer(device, "vertices", INITIAL_BYTES, Usage::VERTEX),
            indices: buffer(device, "indices", INITIAL_BYTES, Usage::INDEX),
            groups,
        }
    }

    /// Writes the data of an image, in larger buffers if necessary.
    pub(crate) fn write(
        &mut self,
        gpu: &Context,
        frame: &Frame,
        passes: &Passes,
    ) -> Result<(), RenderError> {
        let parts = frame.data();
        let contents: [(&mut wgpu::Buffer, &'static str, &[u8]); 5] = [
            (&mut self.parts, "geoms", bytemuck::cast_slice(&parts)),
            (&mut self.order, "instances", bytemuck::cast_slice(&passes.list.order)),
            (&mut self.args, "draws", bytemuck::cast_slice(&passes.list.args)),
            (&mut self.vertices, "vertices", bytemuck::cast_slice(&frame.dynamic.vertices)),
            (&mut self.indices, "indices", bytemuck::cast_slice(&frame.dynamic.indices)),
        ];
        let mut changed = false;
        for (buffer, what, bytes) in contents {
            changed |= grow(gpu.device(), buffer, what, bytes.len())?;
            if !bytes.is_empty() {
                gpu.queue().write_buffer(buffer, 0, bytes);
            }
        }
        let views = &passes.views[..passes.views.len().min(self.views.size() as usize)];
        gpu.queue().write_buffer(&self.views, 0, views);
        if passes.shadow_maps > self.layers.len() {
            let count = passes.shadow_maps as u32;
            (self.shadow_maps, self.layers) = shadow_maps(gpu.device(), self.shadow_size, count);
            changed = true;
        }
        if changed {
            let buffers = [&self.parts, &self.order];
            self.groups = [&self.shadow_maps, &self.unused_map].map(|map| {
                let sampler = &self.shadow_sampler;
                group(gpu.device(), &self.layout, &self.views, buffers, map, sampler)
            });
        }
        Ok(())
    }

    /// The bind group of a pass.
    pub(crate) fn group(&self, writes_shadow_map: bool) -> &wgpu::BindGroup {
        &self.groups[usize::from(writes_shadow_map)]
    }

    /// Begins a pass that writes a shadow map.
    pub(crate) fn shadow_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
        map: usize,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow map"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.layers[map],
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }

    /// Bytes of device memory of the buffers and shadow maps.
    pub(crate) fn bytes(&self) -> u64 {
        let buffers =
            [&self.views, &self.parts, &self.order, &self.args, &self.vertices, &self.indices];
        let maps = 4 * u64::from(self.shadow_size).pow(2) * self.layers.len() as u64;
        buffers.iter().map(|buffer| buffer.size()).sum::<u64>() + maps
    }
}

/// Replaces a buffer that is too small; returns whether it did.
fn grow(
    device: &wgpu::Device,
    old: &mut wgpu::Buffer,
    what: &'static str,
    bytes: usize,
) -> Result<bool, RenderError> {
    let bytes = bytes as u64;
    if bytes <= old.size() {
        return Ok(false);
    }
    let limits = device.limits();
    let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    check_bytes(what, bytes, limit)?;
    let size = bytes.next_power_of_two().min(limit);
    *old = buffer(device, what, size, old.usage());
    Ok(true)
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    views: &wgpu::Buffer,
    [parts, order]: [&wgpu::Buffer; 2],
    map: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let view = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: views,
        offset: 0,
        size: std::num::NonZero::new(size_of::<View>() as u64),
    });
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("scene"),
        layout,
        entries: &[
            entry(0, view),
            entry(1, parts.as_entire_binding()),
            entry(2, wgpu::BindingResource::TextureView(map)),
            entry(3, wgpu::BindingResource::Sampler(sampler)),
            entry(4, order.as_entire_binding()),
        ],
    })
}
