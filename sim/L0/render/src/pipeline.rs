//! Render pipelines, created when they are first used.

use crate::part::{Cull, Texturing};
use crate::tessellation::Vertex;
use mesh_gpu::wgpu;
use std::collections::HashMap;

/// What a pass draws, and how it combines with the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pass {
    /// Marks the mirror in the stencil buffer.
    Mirror,
    /// Opaque geoms in the mirror.
    Reflected,
    /// Transparent geoms in the mirror.
    ReflectedTransparent { additive: bool },
    /// The mirror itself, added to the reflection.
    Added,
    /// Opaque geoms.
    Opaque,
    /// Adds further lights with shadow maps to opaque geoms.
    Shadowed,
    /// The skybox.
    Sky,
    /// The haze at the horizon.
    Haze,
    /// Transparent geoms.
    Transparent { additive: bool },
    /// Text over the image.
    Label,
    /// Depth seen from a light.
    ShadowMap,
    /// Segmentation ids and depth.
    Identity,
}

/// Parameters of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub pass: Pass,
    pub texturing: Texturing,
    pub cull: Cull,
    pub line: bool,
    pub wireframe: bool,
    /// Shadow maps that are read.
    pub shadow_maps: u8,
}

/// Formats of the attachments.
pub(crate) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(crate) const IDENTITY: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
pub(crate) const NORMAL: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Integers of 24 bits where the device has them: the unit of their bias does not depend on the depth.
pub(crate) const SHADOW: wgpu::TextureFormat = wgpu::TextureFormat::Depth24Plus;

/// All pipelines of a renderer.
pub(crate) struct Pipelines {
    /// Shaders for each number of shadow maps.
    modules: HashMap<u8, wgpu::ShaderModule>,
    layout: wgpu::PipelineLayout,
    /// Format of the depth and stencil buffer of colour images.
    pub depth_stencil: wgpu::TextureFormat,
    samples: u32,
    made: HashMap<Key, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub(crate) fn new(
        device: &wgpu::Device,
        groups: [&wgpu::BindGroupLayout; 2],
        samples: u32,
    ) -> Self {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("scene"),
            bind_group_layouts: &groups.map(Some),
            immediate_size: 0,
        });
        let float = device.features().contains(wgpu::Features::DEPTH32FLOAT_STENCIL8);
        let depth_stencil = match float {
            true => wgpu::TextureFormat::Depth32FloatStencil8,
            false => wgpu::TextureFormat::Depth24PlusStencil8,
        };
        Self { modules: HashMap::new(), layout, depth_stencil, samples, made: HashMap::new() }
    }

    /// Creates the pipeline of a key if it does not exist.
    pub(crate) fn prepare(&mut self, device: &wgpu::Device, key: Key) {
        if !self.made.contains_key(&key) {
            let module = self.modules.entry(key.shadow_maps).or_insert_with(|| {
                device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some("scene"),
                    source: wgpu::ShaderSource::Wgsl(shader(key.shadow_maps).into()),
                })
            });
            let module = module.clone();
            let pipeline = self.create(device, &module, key);
            self.made.insert(key, pipeline);
        }
    }

    /// Samples per pixel of colour images.
    pub(crate) fn samples(&self) -> u32 {
        self.samples
    }

    /// The pipeline of a key that was prepared.
    pub(crate) fn get(&self, key: Key) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key)
    }

    fn create(
        &self,
        device: &wgpu::Device,
        module: &wgpu::ShaderModule,
        key: Key,
    ) -> wgpu::RenderPipeline {
        let shadow_map = key.pass == Pass::ShadowMap;
        let identity = key.pass == Pass::Identity;
        let unlit = [Pass::Sky, Pass::Haze, Pass::Label, Pass::ShadowMap, Pass::Identity];
        let lit = !unlit.contains(&key.pass);
        let constants = [
            ("TEXTURE", key.texturing as u32 as f64),
            ("LIT", f64::from(u8::from(lit && !key.line))),
            ("HAZE", f64::from(u8::from(key.pass == Pass::Haze))),
        ];
        let options = || wgpu::PipelineCompilationOptions {
            constants: &constants,
            zero_initialize_workgroup_memory: false,
        };
        let color =
            |format, blend, write_mask| Some(wgpu::ColorTargetState { format, blend, write_mask });
        let (all, opaque) = (wgpu::ColorWrites::ALL, wgpu::ColorWrites::COLOR);
        let targets = match key.pass {
            Pass::ShadowMap => Vec::new(),
            Pass::Identity => vec![color(IDENTITY, None, all), color(NORMAL, None, all)],
            Pass::Mirror => vec![color(COLOR, None, wgpu::ColorWrites::empty())],
            // the image stays opaque
            _ => vec![color(COLOR, blend(key.pass), opaque)],
        };
        let entry = if identity { "identity" } else { "color" };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("scene"),
            layout: Some(&self.layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(if key.line { "line_vertex" } else { "vertex" }),
                compilation_options: options(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2],
                })],
            },
            primitive: primitive(key),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: match key.pass {
                    Pass::ShadowMap => SHADOW,
                    Pass::Identity => DEPTH,
                    _ => self.depth_stencil,
                },
                depth_write_enabled: Some(writes_depth(key.pass)),
                depth_compare: Some(match key.pass {
                    Pass::Mirror | Pass::Label => wgpu::CompareFunction::Always,
                    _ => wgpu::CompareFunction::GreaterEqual,
                }),
                stencil: stencil(key.pass),
                bias: shadow_bias(key.pass),
            }),
            multisample: wgpu::MultisampleState {
                count: if shadow_map || identity { 1 } else { self.samples },
                ..wgpu::MultisampleState::default()
            },
            fragment: (!shadow_map).then_some(wgpu::FragmentState {
                module,
                entry_point: Some(entry),
                compilation_options: options(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// WGSL source for a number of shadow maps.
fn shader(shadow_maps: u8) -> String {
    /// Locations of varyings before those of the shadow maps.
    const VARYINGS: u8 = 5;
    let mut source = String::new();
    for line in include_str!("shader.wgsl").lines() {
        match line.trim_start().strip_prefix("//$ ") {
            None => source.push_str(line),
            Some(template) => (0..shadow_maps).for_each(|k| {
                let locations = [0, 1].map(|i| (VARYINGS + 2 * k + i).to_string());
                let line = template.replace("$a", &locations[0]).replace("$b", &locations[1]);
                source.push_str(&line.replace("$k", &k.to_string()));
                source.push('\n');
            }),
        }
        source.push('\n');
    }
    source
}

/// Orientation and filling of triangles. The image is upside down, so front faces are clockwise, and
/// counterclockwise in a mirror.
fn primitive(key: Key) -> wgpu::PrimitiveState {
    let mirrored = matches!(key.pass, Pass::Reflected | Pass::ReflectedTransparent { .. });
    let filled = [Pass::Mirror, Pass::Sky, Pass::Haze, Pass::Label, Pass::Identity];
    let filled = filled.contains(&key.pass);
    wgpu::PrimitiveState {
        front_face: if mirrored { wgpu::FrontFace::Ccw } else { wgpu::FrontFace::Cw },
        cull_mode: match key.cull {
            Cull::Never => None,
            Cull::Back => Some(wgpu::Face::Back),
            Cull::Front => Some(wgpu::Face::Front),
        },
        polygon_mode: match key.wireframe && !filled && !key.line {
            true => wgpu::PolygonMode::Line,
            false => wgpu::PolygonMode::Fill,
        },
        ..wgpu::PrimitiveState::default()
    }
}

fn writes_depth(pass: Pass) -> bool {
    !matches!(
        pass,
        Pass::Mirror | Pass::Label | Pass::ReflectedTransparent { .. } | Pass::Transparent { .. }
    )
}

fn blend(pass: Pass) -> Option<wgpu::BlendState> {
    use wgpu::BlendFactor::{One, OneMinusSrcAlpha, SrcAlpha};
    let state = |src_factor, dst_factor| {
        let component =
            wgpu::BlendComponent { src_factor, dst_factor, operation: wgpu::BlendOperation::Add };
        Some(wgpu::BlendState { color: component, alpha: component })
    };
    match pass {
        Pass::Added | Pass::Shadowed => state(One, One),
        Pass::Haze => state(SrcAlpha, OneMinusSrcAlpha),
        Pass::Transparent { additive } | Pass::ReflectedTransparent { additive } => {
            state(SrcAlpha, if additive { One } else { OneMinusSrcAlpha })
        }
        _ => None,
    }
}

/// Moves the depth in a shadow map away from the light, so that surfaces do not shadow themselves.
fn shadow_bias(pass: Pass) -> wgpu::DepthBiasState {
    match pass {
        Pass::ShadowMap => wgpu::DepthBiasState { constant: -4, slope_scale: -1.5, clamp: 0.0 },
        _ => wgpu::DepthBiasState::default(),
    }
}

/// The mirror writes 1, its reflection is drawn where the stencil is 1.
fn stencil(pass: Pass) -> wgpu::StencilState {
    let face = match pass {
        Pass::Mirror => wgpu::StencilFaceState {
            compare: wgpu::CompareFunction::Always,
            fail_op: wgpu::StencilOperation::Replace,
            depth_fail_op: wgpu::StencilOperation::Replace,
            pass_op: wgpu::StencilOperation::Replace,
        },
        Pass::Reflected | Pass::ReflectedTransparent { .. } => wgpu::StencilFaceState {
            compare: wgpu::CompareFunction::Equal,
            fail_op: wgpu::StencilOperation::Keep,
            depth_fail_op: wgpu::StencilOperation::Keep,
            pass_op: wgpu::StencilOperation::Keep,
        },
        _ => return wgpu::StencilState::default(),
    };
    wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0xff }
}
