//! Textures of a model: conversion to four channels, mipmaps and upload.

use mesh_gpu::wgpu;
use sim_core::Model;
use sim_core::types::{ColorSpace, TextureType};

/// Textures of a model on the device.
pub(crate) struct Textures {
    /// Bind group of each texture, then the group without a texture.
    groups: Vec<wgpu::BindGroup>,
    /// Index of the first skybox.
    pub skybox: Option<usize>,
    /// Bytes of all textures with their mipmaps.
    pub bytes: u64,
}

impl Textures {
    pub(crate) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
        let texture = |binding, view_dimension| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension,
                multisampled: false,
            },
            count: None,
        };
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("texture"),
            entries: &[
                texture(0, wgpu::TextureViewDimension::D2),
                texture(1, wgpu::TextureViewDimension::Cube),
                wgpu::BindGroupLayoutEntry {
                    binding: 2,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
            ],
        })
    }

    /// Uploads all textures of a model.
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layout: &wgpu::BindGroupLayout,
        m: &Model,
    ) -> Self {
        let white = |kind| Image { kind, size: [1, 1], srgb: false, faces: vec![vec![255; 4]; 6] };
        let flat = white(TextureType::TwoD).upload(device, queue);
        let cube = white(TextureType::Cube).upload(device, queue);
        let group = |flat: &wgpu::TextureView, cube: &wgpu::TextureView, address_mode| {
            let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("texture"),
                address_mode_u: address_mode,
                address_mode_v: address_mode,
                address_mode_w: address_mode,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            });
            let view = wgpu::BindingResource::TextureView;
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("texture"),
                layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: view(flat) },
                    wgpu::BindGroupEntry { binding: 1, resource: view(cube) },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::Sampler(&sampler),
                    },
                ],
            })
        };
        let largest = device.limits().max_texture_dimension_2d as usize;
        let mut bytes = 0;
        let upload = |id: usize| {
            let mut image = Image::of_model(m, id);
            while image.size[0].max(image.size[1]) > largest {
                image = image.halved();
            }
            let texture = image.upload(device, queue);
            bytes += image.faces.iter().map(|face| 4 * face.len() as u64 / 3).sum::<u64>();
            match image.kind {
                TextureType::TwoD => group(&texture, &cube, wgpu::AddressMode::Repeat),
                _ => group(&flat, &texture, wgpu::AddressMode::ClampToEdge),
            }
        };
        let mut groups: Vec<_> = (0..m.ntex).map(upload).collect();
        groups.push(group(&flat, &cube, wgpu::AddressMode::Repeat));
        let skybox = m.tex_type.iter().position(|&kind| kind == TextureType::Skybox);
        Self { groups, skybox, bytes }
    }

    /// Bind group of a texture, or of none.
    pub(crate) fn group(&self, id: Option<usize>) -> &wgpu::BindGroup {
        let last = self.groups.len() - 1;
        &self.groups[id.unwrap_or(last).min(last)]
    }
}

/// An image with four channels: one face, or the six faces of a cube.
struct Image {
    kind: TextureType,
    size: [usize; 2],
    srgb: bool,
    faces: Vec<Vec<u8>>,
}

impl Image {
    fn of_model(m: &Model, id: usize) -> Self {
        let kind = m.tex_type[id];
        let (width, height) = (m.tex_width[id].max(1) as usize, m.tex_height[id].max(1) as usize);
        let channels = m.tex_nchannel[id].max(1) as usize;
        let adr = m.tex_adr[id] as usize;
        let size = if kind == TextureType::TwoD { [width, height] } else { [width, width] };
        let pixels = size[0] * size[1];
        // a square image is repeated on all faces of a cube
        let stacked = kind != TextureType::TwoD && width != height;
        let count = if kind == TextureType::TwoD { 1 } else { 6 };
        let face = |i: usize| {
            let start = adr + if stacked { i * pixels * channels } else { 0 };
            let data = m.tex_data.get(start..start + pixels * channels).unwrap_or(&[]);
            let mut face = Vec::with_capacity(4 * pixels);
            for p in data.chunks_exact(channels) {
                face.extend(match *p {
                    [r, g, b, a] => [r, g, b, a],
                    [r, g, b] => [r, g, b, 255],
                    [l, a] => [l, l, l, a],
                    _ => [p[0], p[0], p[0], 255],
                });
            }
            face.resize(4 * pixels, 255);
            face
        };
        let srgb = kind == TextureType::TwoD && m.tex_colorspace[id] == ColorSpace::Srgb;
        Self { kind, size, srgb, faces: (0..count).map(face).collect() }
    }

    /// The next level of the mipmap.
    fn halved(&self) -> Self {
        let size = self.size.map(|n| (n / 2).max(1));
        let faces = self.faces.iter().map(|face| halve(face, self.size, size, self.srgb)).collect();
        Self { kind: self.kind, size, srgb: self.srgb, faces }
    }

    /// Creates the texture with all levels.
    fn upload(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
        let flat = self.kind == TextureType::TwoD;
        let layers = if flat { 1 } else { 6 };
        let levels = self.size[0].max(self.size[1]).ilog2() + 1;
        let extent = |size: [usize; 2], layers| wgpu::Extent3d {
            width: size[0] as u32,
            height: size[1] as u32,
            depth_or_array_layers: layers,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("texture"),
            size: extent(self.size, layers),
            mip_level_count: levels,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: match self.srgb {
                true => wgpu::TextureFormat::Rgba8UnormSrgb,
                false => wgpu::TextureFormat::Rgba8Unorm,
            },
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let mut smaller: Option<Self> = None;
        for mip_level in 0..levels {
            let image = smaller.as_ref().unwrap_or(self);
            for (layer, face) in image.faces.iter().take(layers as usize).enumerate() {
                queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        texture: &texture,
                        mip_level,
                        origin: wgpu::Origin3d { x: 0, y: 0, z: layer as u32 },
                        aspect: wgpu::TextureAspect::All,
                    },
                    face,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(4 * image.size[0] as u32),
                        rows_per_image: None,
                    },
                    extent(image.size, 1),
                );
            }
            smaller = Some(image.halved());
        }
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(match flat {
                true => wgpu::TextureViewDimension::D2,
                false => wgpu::TextureViewDimension::Cube,
            }),
            ..wgpu::TextureViewDescriptor::default()
        })
    }
}

/// Bilinear reduction from size `from` to size `to`: the mean of four pixels where the size is even.
fn halve(face: &[u8], from: [usize; 2], to: [usize; 2], srgb: bool) -> Vec<u8> {
    let table: [f32; 256] = std::array::from_fn(|i| {
        let x = i as f32 / 255.0;
        if srgb { to_linear(x) } else { x }
    });
    // the two source pixels of a destination pixel, and the weight of the second
    let taps = |i: usize, axis: usize| {
        let x = (i as f32 + 0.5) * from[axis] as f32 / to[axis] as f32 - 0.5;
        let low = x.floor().max(0.0) as usize;
        ([low, (low + 1).min(from[axis] - 1)], x - x.floor())
    };
    let columns: Vec<_> = (0..to[0]).map(|x| taps(x, 0)).collect();
    let mut out = Vec::with_capacity(4 * to[0] * to[1]);
    for y in 0..to[1] {
        let (rows, v) = taps(y, 1);
        for &(cols, u) in &columns {
            for channel in 0..4 {
                let at = |r: usize, c: usize| {
                    let byte = face[4 * (rows[r] * from[0] + cols[c]) + channel];
                    if channel < 3 { table[byte as usize] } else { f32::from(byte) / 255.0 }
                };
                let top = at(0, 0) * (1.0 - u) + at(0, 1) * u;
                let bottom = at(1, 0) * (1.0 - u) + at(1, 1) * u;
                let mean = top * (1.0 - v) + bottom * v;
                let encoded = if srgb && channel < 3 { to_srgb(mean) } else { mean };
                out.push((encoded * 255.0).round() as u8);
            }
        }
    }
    out
}

/// Linear intensity of an sRGB value.
fn to_linear(x: f32) -> f32 {
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// sRGB value of a linear intensity.
fn to_srgb(x: f32) -> f32 {
    if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::{halve, to_linear, to_srgb};

    #[test]
    fn mipmap_levels_are_means() {
        let face: Vec<u8> = [0, 100, 200, 100].into_iter().flat_map(|x| [x, x, x, 255]).collect();
        assert_eq!(halve(&face, [2, 2], [1, 1], false), [100, 100, 100, 255]);
        assert_eq!(halve(&face, [4, 1], [2, 1], false), [50, 50, 50, 255, 150, 150, 150, 255]);
    }

    #[test]
    fn srgb_round_trip() {
        for i in 0..=255 {
            let x = i as f32 / 255.0;
            assert!((to_srgb(to_linear(x)) - x).abs() < 1e-5);
        }
    }
}
