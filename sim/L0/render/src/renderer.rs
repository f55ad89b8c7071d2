//! The renderer.

use crate::frame::Frame;
use crate::geometry::Geometry;
use crate::inputs::Inputs;
use crate::material::Materials;
use crate::overlay;
use crate::passes::{Input, Passes, Step, Target};
use crate::picture::{Outputs, Picture};
use crate::pipeline::Pipelines;
use crate::resource::{buffer, check_bytes, check_size, group_layout};
use crate::target::{Plane, Targets};
use crate::tessellation::Vertex;
use crate::texture::Textures;
use crate::{Context, RenderError};
use mesh_gpu::wgpu;
use sim_core::Model;
use sim_scene::{RenderFlag, Scene};

/// Version of the shading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Look {
    /// The images of MuJoCo 3.8.0's OpenGL renderer.
    #[default]
    Classic,
}

/// Renders scenes of one model to images of one size.
pub struct Renderer {
    gpu: Context,
    size: [u32; 2],
    materials: Materials,
    geometry: Geometry,
    vertices: wgpu::Buffer,
    textures: Textures,
    pipelines: Pipelines,
    targets: Targets,
    inputs: Inputs,
    shadow_size: u32,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Prepares the meshes, height fields and textures of a model.
    ///
    /// # Errors
    ///
    /// [`RenderError::Size`] for an invalid image size, [`RenderError::TooLarge`] if the device cannot hold
    /// the model.
    pub fn new(context: &Context, model: &Model, size: [u32; 2]) -> Result<Self, RenderError> {
        let device = context.device();
        let limits = device.limits();
        check_size(size, limits.max_texture_dimension_2d)?;
        let (geometry, mut vertices) = Geometry::new(model);
        let materials = Materials::new(model);
        let dynamic: usize = materials.skins.iter().map(|skin| 3 * skin.faces.len()).sum();
        vertices.resize(vertices.len() + dynamic, Vertex::default());
        let bytes = size_of_val(&vertices[..]) as u64;
        check_bytes("vertices", bytes, limits.max_buffer_size)?;
        let vertex_buffer = buffer(device, "vertices", bytes, wgpu::BufferUsages::VERTEX);
        context.queue().write_buffer(&vertex_buffer, 0, bytemuck::cast_slice(&vertices));
        drop(vertices);

        let samples = if model.vis.quality.offsamples > 1 { 4 } else { 1 };
        let group_layout = group_layout(device);
        let texture_layout = Textures::layout(device);
        let pipelines = Pipelines::new(device, [&group_layout, &texture_layout], samples);
        let shadow_size =
            (model.vis.quality.shadowsize.max(0) as u32).min(limits.max_texture_dimension_2d);
        Ok(Self {
            targets: Targets::new(device, size, samples, pipelines.depth_stencil),
            textures: Textures::new(device, context.queue(), &texture_layout, model),
            inputs: Inputs::new(device, group_layout, shadow_size.max(1)),
            shadow_size,
            gpu: context.clone(),
            size,
            materials,
            geometry,
            vertices: vertex_buffer,
            pipelines,
        })
    }

    /// The size of images in pixels: width and height.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Changes the size of images.
    ///
    /// # Errors
    ///
    /// [`RenderError::Size`] for an invalid size.
    pub fn resize(&mut self, size: [u32; 2]) -> Result<(), RenderError> {
        let device = self.gpu.device();
        check_size(size, device.limits().max_texture_dimension_2d)?;
        let samples = self.pipelines.samples();
        self.targets = Targets::new(device, size, samples, self.pipelines.depth_stencil);
        self.size = size;
        Ok(())
    }

    /// Renders a scene.
    ///
    /// # Errors
    ///
    /// [`RenderError::Scene`] for an invalid camera, [`RenderError::TooLarge`] for too many geoms, and
    /// [`RenderError::Gpu`] if the device fails.
    #[doc(alias = "mjr_render")]
    pub fn render(&mut self, scene: &Scene, outputs: Outputs) -> Result<Picture, RenderError> {
        let frame = Frame::new(scene, &self.materials, &self.geometry, self.textures.skybox)?;
        // a scene that shows depth or segmentation instead of colours needs their values
        let instead = [RenderFlag::Depth, RenderFlag::Segment].map(|flag| scene.flag(flag));
        let replaced = outputs.contains(Outputs::RGB) && instead.contains(&true);
        let rendered = match replaced {
            true => outputs.without(Outputs::RGB) | Outputs::DEPTH | Outputs::SEGMENTATION,
            false => outputs,
        };
        let input = Input {
            scene,
            frame: &frame,
            materials: &self.materials,
            size: self.size,
            shadow_size: self.shadow_size,
        };
        let passes = Passes::new(&input, rendered)?;
        let device = self.gpu.device();
        for draw in passes.steps.iter().flat_map(|step| &step.drawn).flat_map(|d| &d.draws) {
            self.pipelines.prepare(device, draw.key);
        }
        self.inputs.write(&self.gpu, &frame.data(), &passes)?;
        self.write_skins(&frame);
        let mut encoder = device.create_command_encoder(&Default::default());
        passes.steps.iter().for_each(|step| self.encode(&mut encoder, step));
        let planes = planes(rendered);
        self.targets.copy(&mut encoder, &planes);
        self.gpu.queue().submit([encoder.finish()]);
        self.read(scene, &planes, outputs)
    }

    /// Writes the vertices of skins.
    fn write_skins(&self, frame: &Frame) {
        if frame.dynamic.is_empty() {
            return;
        }
        let offset = u64::from(self.geometry.dynamic) * size_of::<Vertex>() as u64;
        let capacity = (self.vertices.size() - offset) as usize / size_of::<Vertex>();
        let count = frame.dynamic.len().min(capacity);
        let bytes = bytemuck::cast_slice(&frame.dynamic[..count]);
        self.gpu.queue().write_buffer(&self.vertices, offset, bytes);
    }

    /// Encodes a render pass.
    fn encode(&self, encoder: &mut wgpu::CommandEncoder, step: &Step) {
        let mut pass = match step.target {
            Target::Color { clear, clear_stencil, resolve } => {
                self.targets.color_pass(encoder, clear, clear_stencil, resolve)
            }
            Target::Identity { clear } => self.targets.identity_pass(encoder, clear),
            Target::Shadow => self.inputs.shadow_pass(encoder),
        };
        let group = self.inputs.group(step.target == Target::Shadow);
        if step.target == Target::Shadow {
            // the outermost texels stay empty, so that nothing outside of the volume is in shadow
            let inner = self.shadow_size.saturating_sub(2).max(1) as f32;
            pass.set_viewport(1.0, 1.0, inner, inner, 0.0, 1.0);
        } else {
            let [left, width, height] = step.viewport.map(|n| n as f32);
            pass.set_viewport(left, 0.0, width, height, 0.0, 1.0);
        }
        pass.set_stencil_reference(1);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        let (mut key, mut texture) = (None, None);
        for drawn in &step.drawn {
            pass.set_bind_group(0, group, &[drawn.view]);
            for draw in &drawn.draws {
                if key != Some(draw.key) {
                    let Some(pipeline) = self.pipelines.get(draw.key) else { continue };
                    pass.set_pipeline(pipeline);
                    key = Some(draw.key);
                }
                if texture != Some(draw.texture) {
                    pass.set_bind_group(1, self.textures.group(draw.texture), &[]);
                    texture = Some(draw.texture);
                }
                pass.draw(draw.vertices.clone(), draw.instances.clone());
            }
        }
    }

    /// Reads the targets and completes the image.
    fn read(
        &self,
        scene: &Scene,
        planes: &[Plane],
        outputs: Outputs,
    ) -> Result<Picture, RenderError> {
        let [width, height] = self.size.map(|n| n as usize);
        let mut picture = Picture { width, height, ..Picture::default() };
        let mut identity: Vec<u32> = Vec::new();
        let mut stored: Vec<f32> = Vec::new();
        self.targets.read(&self.gpu, planes, |plane, row| match plane {
            Plane::Color => {
                let start = picture.rgb.len();
                picture.rgb.reserve_exact(3 * width * height - start);
                picture.rgb.resize(start + 3 * width, 0);
                let (pixels, _) = picture.rgb[start..].as_chunks_mut::<3>();
                for (pixel, rgba) in pixels.iter_mut().zip(row.as_chunks::<4>().0) {
                    *pixel = [rgba[0], rgba[1], rgba[2]];
                }
            }
            Plane::Identity => {
                identity.extend(row.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)));
            }
            Plane::Depth => {
                stored.extend(row.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)));
            }
            Plane::Normal => {
                let half = |b: &[u8; 2]| half_to_f32(u16::from_le_bytes(*b));
                picture.normal.extend(row.as_chunks::<8>().0.iter().map(|p| {
                    let (h, _) = p.as_chunks::<2>();
                    [half(&h[0]), half(&h[1]), half(&h[2])]
                }));
            }
        })?;
        if scene.flag(RenderFlag::Depth) && outputs.contains(Outputs::RGB) {
            picture.rgb = overlay::gray(&stored);
        } else if scene.flag(RenderFlag::Segment) && outputs.contains(Outputs::RGB) {
            picture.rgb = overlay::segment_colors(&identity, scene.flag(RenderFlag::IdColor));
        }
        if outputs.contains(Outputs::DEPTH) {
            picture.depth = overlay::metric_depth(&stored, &scene.camera[0]);
        }
        if outputs.contains(Outputs::SEGMENTATION) {
            picture.segmentation = overlay::segmentation(&identity, &scene.geoms);
        }
        if outputs.contains(Outputs::RGB) {
            overlay::frame(&mut picture, scene);
        }
        Ok(picture)
    }
}

/// Targets that are read for the outputs.
fn planes(outputs: Outputs) -> Vec<Plane> {
    let all = [
        (Outputs::RGB, Plane::Color),
        (Outputs::SEGMENTATION, Plane::Identity),
        (Outputs::DEPTH, Plane::Depth),
        (Outputs::NORMAL, Plane::Normal),
    ];
    let requested = all.into_iter().filter(|&(output, _)| outputs.contains(output));
    requested.map(|(_, plane)| plane).collect()
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
