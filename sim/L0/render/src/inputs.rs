//! Buffers that shaders read: views, parts and their order, and the shadow map.

use crate::part::PartData;
use crate::passes::{MAX_VIEWS, Passes, VIEW_STRIDE};
use crate::resource::{buffer, check_bytes, shadow_map};
use crate::view::View;
use crate::{Context, RenderError};
use mesh_gpu::wgpu;

/// Inputs of all passes, and their bind groups.
pub(crate) struct Inputs {
    layout: wgpu::BindGroupLayout,
    shadow_map: wgpu::TextureView,
    /// Bound while the shadow map is written.
    unused_map: wgpu::TextureView,
    shadow_sampler: wgpu::Sampler,
    views: wgpu::Buffer,
    parts: wgpu::Buffer,
    order: wgpu::Buffer,
    /// With the shadow map, and without.
    groups: [wgpu::BindGroup; 2],
}

/// Bytes of the buffers of parts and their order at first.
const INITIAL_BYTES: u64 = 1 << 16;

impl Inputs {
    pub(crate) fn new(
        device: &wgpu::Device,
        layout: wgpu::BindGroupLayout,
        shadow_size: u32,
    ) -> Self {
        let views = (MAX_VIEWS * VIEW_STRIDE) as u64;
        let views = buffer(device, "views", views, wgpu::BufferUsages::UNIFORM);
        let storage = |label| buffer(device, label, INITIAL_BYTES, wgpu::BufferUsages::STORAGE);
        let (parts, order) = (storage("parts"), storage("order"));
        let maps = [shadow_map(device, shadow_size), shadow_map(device, 1)];
        let shadow_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..wgpu::SamplerDescriptor::default()
        });
        let groups = [&maps[0], &maps[1]]
            .map(|map| group(device, &layout, &views, [&parts, &order], map, &shadow_sampler));
        let [shadow_map, unused_map] = maps;
        Self { layout, shadow_map, unused_map, shadow_sampler, views, parts, order, groups }
    }

    /// Writes the data of an image, in larger buffers if necessary.
    pub(crate) fn write(
        &mut self,
        gpu: &Context,
        parts: &[PartData],
        passes: &Passes,
    ) -> Result<(), RenderError> {
        let part_bytes: &[u8] = bytemuck::cast_slice(parts);
        let order_bytes: &[u8] = bytemuck::cast_slice(&passes.order);
        let grown = [
            grow(gpu.device(), &mut self.parts, "geoms", part_bytes.len())?,
            grow(gpu.device(), &mut self.order, "instances", order_bytes.len())?,
        ];
        if grown.contains(&true) {
            let buffers = [&self.parts, &self.order];
            self.groups = [&self.shadow_map, &self.unused_map].map(|map| {
                let sampler = &self.shadow_sampler;
                group(gpu.device(), &self.layout, &self.views, buffers, map, sampler)
            });
        }
        for (buffer, bytes) in [
            (&self.parts, part_bytes),
            (&self.order, order_bytes),
            (&self.views, &passes.views[..]),
        ] {
            let bytes = &bytes[..bytes.len().min(buffer.size() as usize)];
            if !bytes.is_empty() {
                gpu.queue().write_buffer(buffer, 0, bytes);
            }
        }
        Ok(())
    }

    /// The bind group of a pass.
    pub(crate) fn group(&self, writes_shadow_map: bool) -> &wgpu::BindGroup {
        &self.groups[usize::from(writes_shadow_map)]
    }

    /// Begins a pass that writes the shadow map.
    pub(crate) fn shadow_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow map"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.shadow_map,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
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
    *old = buffer(device, what, size, wgpu::BufferUsages::STORAGE);
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
