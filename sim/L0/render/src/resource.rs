//! Buffers, textures and layouts of a renderer.

use crate::RenderError;
use crate::pipeline;
use mesh_gpu::wgpu;

pub(crate) fn check_size(size: [u32; 2], limit: u32) -> Result<(), RenderError> {
    let [width, height] = size;
    if size.iter().all(|n| (1..=limit).contains(n)) {
        Ok(())
    } else {
        Err(RenderError::Size { width, height, limit })
    }
}

pub(crate) fn check_bytes(what: &'static str, bytes: u64, limit: u64) -> Result<(), RenderError> {
    if bytes <= limit { Ok(()) } else { Err(RenderError::TooLarge { what, bytes, limit }) }
}

pub(crate) fn buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Shadow maps as one array, and each of them.
pub(crate) fn shadow_maps(
    device: &wgpu::Device,
    size: u32,
    count: u32,
) -> (wgpu::TextureView, Vec<wgpu::TextureView>) {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadow maps"),
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: count },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: pipeline::SHADOW,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = |dimension, base_array_layer, array_layer_count| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(dimension),
            base_array_layer,
            array_layer_count,
            ..wgpu::TextureViewDescriptor::default()
        })
    };
    let layers = (0..count).map(|k| view(wgpu::TextureViewDimension::D2, k, Some(1))).collect();
    (view(wgpu::TextureViewDimension::D2Array, 0, None), layers)
}

pub(crate) fn group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let (vertex, fragment) = (wgpu::ShaderStages::VERTEX, wgpu::ShaderStages::FRAGMENT);
    let buffer = |ty, has_dynamic_offset| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset,
        min_binding_size: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &[
            entry(0, vertex | fragment, buffer(wgpu::BufferBindingType::Uniform, true)),
            entry(1, vertex, buffer(wgpu::BufferBindingType::Storage { read_only: true }, false)),
            entry(
                2,
                fragment,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2Array,
                    multisampled: false,
                },
            ),
            entry(3, fragment, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
            entry(4, vertex, buffer(wgpu::BufferBindingType::Storage { read_only: true }, false)),
        ],
    })
}
