//! The renderer.

use crate::draw::{Batch, DrawArgs};
use crate::frame::Frame;
use crate::geometry::Geometry;
use crate::inputs::Inputs;
use crate::material::Materials;
use crate::overlay::Completion;
use crate::passes::{Input, Passes, Step, Target};
use crate::picture::{Outputs, Picture};
use crate::pipeline::Pipelines;
use crate::readback::{Layout, Pending};
use crate::resource::{buffer, check_bytes, check_size, group_layout};
use crate::target::Targets;
use crate::texture::Textures;
use crate::{Context, RenderError};
use mesh_gpu::wgpu;
use sim_core::Model;
use sim_scene::Scene;
use std::collections::VecDeque;

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
    indices: wgpu::Buffer,
    textures: Textures,
    pipelines: Pipelines,
    targets: Targets,
    inputs: Inputs,
    shadow_size: u32,
    /// Whether draws may read their arguments, with the number of the first instance, from a buffer.
    indirect: bool,
    /// Images in flight, oldest first.
    pending: VecDeque<Pending>,
    /// Buffers of images that were received.
    free: Vec<wgpu::Buffer>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Renderer {
    /// Most images in flight.
    pub const MAX_IN_FLIGHT: usize = 8;

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
        let (geometry, meshes) = Geometry::new(model);
        let upload = |what: &'static str, bytes: &[u8], usage| {
            check_bytes(what, bytes.len() as u64, limits.max_buffer_size)?;
            let buffer = buffer(device, what, bytes.len() as u64, usage);
            context.queue().write_buffer(&buffer, 0, bytes);
            Ok::<_, RenderError>(buffer)
        };
        let vertices = bytemuck::cast_slice(&meshes.vertices);
        let vertices = upload("vertices", vertices, wgpu::BufferUsages::VERTEX)?;
        let indices = bytemuck::cast_slice(&meshes.indices);
        let indices = upload("indices", indices, wgpu::BufferUsages::INDEX)?;
        drop(meshes);

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
            indirect: device.features().contains(wgpu::Features::INDIRECT_FIRST_INSTANCE),
            gpu: context.clone(),
            size,
            materials: Materials::new(model),
            geometry,
            vertices,
            indices,
            pipelines,
            pending: VecDeque::new(),
            free: Vec::new(),
        })
    }

    /// The size of images in pixels: width and height.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Changes the size of images. Images in flight keep theirs.
    ///
    /// # Errors
    ///
    /// [`RenderError::Size`] for an invalid size.
    pub fn resize(&mut self, size: [u32; 2]) -> Result<(), RenderError> {
        let device = self.gpu.device();
        check_size(size, device.limits().max_texture_dimension_2d)?;
        let samples = self.pipelines.samples();
        self.targets = Targets::new(device, size, samples, self.pipelines.depth_stencil);
        self.free.clear();
        self.size = size;
        Ok(())
    }

    /// Bytes of device memory that the renderer has allocated: meshes, textures, shadow maps, render targets
    /// and buffers.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let meshes = self.vertices.size() + self.indices.size();
        let images = self.pending.iter().map(Pending::bytes);
        let images = images.chain(self.free.iter().map(wgpu::Buffer::size)).sum::<u64>();
        meshes + self.textures.bytes + self.targets.bytes + self.inputs.bytes() + images
    }

    /// Renders a scene and waits for the image.
    ///
    /// # Errors
    ///
    /// Those of [`Renderer::submit`] and [`Renderer::receive`].
    #[doc(alias = "mjr_render")]
    pub fn render(&mut self, scene: &Scene, outputs: Outputs) -> Result<Picture, RenderError> {
        self.submit(scene, outputs)?;
        let last = self.pending.pop_back();
        self.complete(last)
    }

    /// Starts to render a scene. [`Renderer::receive`] returns the images in the order of their submission.
    ///
    /// With two images in flight the CPU prepares one while the device renders the other.
    ///
    /// ```no_run
    /// # use sim_render::{Outputs, Picture, RenderError, Renderer};
    /// # use sim_scene::Scene;
    /// fn pipelined(renderer: &mut Renderer, scenes: &[Scene]) -> Result<Vec<Picture>, RenderError> {
    ///     let mut pictures = Vec::new();
    ///     for scene in scenes {
    ///         renderer.submit(scene, Outputs::RGB)?;
    ///         if renderer.in_flight() == 2 {
    ///             pictures.push(renderer.receive()?);
    ///         }
    ///     }
    ///     while renderer.in_flight() > 0 {
    ///         pictures.push(renderer.receive()?);
    ///     }
    ///     Ok(pictures)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`RenderError::Scene`] and [`RenderError::Camera`] for an invalid camera, [`RenderError::TooLarge`] for
    /// too many geoms, and [`RenderError::InFlight`] if there are [`Renderer::MAX_IN_FLIGHT`] images in flight.
    pub fn submit(&mut self, scene: &Scene, outputs: Outputs) -> Result<(), RenderError> {
        if self.pending.len() >= Self::MAX_IN_FLIGHT {
            return Err(RenderError::InFlight(Self::MAX_IN_FLIGHT));
        }
        let completion = Completion::new(scene, outputs);
        let rendered = completion.rendered();
        let mut encoder = self.encode(scene, rendered)?;
        let layout = Layout::new(self.size, rendered);
        let bytes = layout.bytes();
        let fits = |buffer: &wgpu::Buffer| buffer.size() == bytes;
        let buffer = match self.free.iter().position(fits) {
            Some(k) => self.free.swap_remove(k),
            None => self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("image"),
                size: bytes,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        self.targets.copy(&mut encoder, &layout, &buffer);
        let submission = self.gpu.queue().submit([encoder.finish()]);
        self.pending.push_back(Pending::new(layout, buffer, submission, completion));
        Ok(())
    }

    /// Waits for the oldest image in flight.
    ///
    /// # Errors
    ///
    /// [`RenderError::NothingSubmitted`] if there is none, and [`RenderError::Gpu`] if the device fails.
    pub fn receive(&mut self) -> Result<Picture, RenderError> {
        let first = self.pending.pop_front();
        self.complete(first)
    }

    /// Number of images that were submitted and not yet received.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.pending.len()
    }

    fn complete(&mut self, pending: Option<Pending>) -> Result<Picture, RenderError> {
        let pending = pending.ok_or(RenderError::NothingSubmitted)?;
        let (picture, buffer) = pending.receive(&self.gpu)?;
        // the buffers of another size or of other outputs are not kept
        self.free.retain(|free| free.size() == buffer.size());
        self.free.push(buffer);
        Ok(picture)
    }

    /// Renders colours to a texture of the format `Rgba8Unorm` without a transfer to the CPU, for a viewer.
    ///
    /// The texture can be bound to a shader of the same device (`TEXTURE_BINDING`) and is valid until the next
    /// call of a method that renders or resizes. Its first row is the lowest row of the image.
    ///
    /// # Errors
    ///
    /// Those of [`Renderer::submit`].
    pub fn render_texture(&mut self, scene: &Scene) -> Result<wgpu::TextureView, RenderError> {
        if Completion::new(scene, Outputs::RGB).replaces_colors() {
            let picture = self.render(scene, Outputs::RGB)?;
            self.targets.write_color(self.gpu.queue(), &picture.rgb);
        } else {
            let encoder = self.encode(scene, Outputs::RGB)?;
            self.gpu.queue().submit([encoder.finish()]);
        }
        Ok(self.targets.color().clone())
    }

    /// Encodes the render passes of an image.
    fn encode(
        &mut self,
        scene: &Scene,
        outputs: Outputs,
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let mut frame = Frame::new(scene, &self.materials, &self.geometry, self.textures.skybox)?;
        let mut input = Input {
            scene,
            frame: &mut frame,
            geometry: &self.geometry,
            materials: &self.materials,
            size: self.size,
            shadow_size: self.shadow_size,
        };
        let passes = Passes::new(&mut input, outputs)?;
        let device = self.gpu.device();
        for batch in passes.steps.iter().flat_map(|step| &step.drawn).flat_map(|d| &d.batches) {
            self.pipelines.prepare(device, batch.key);
        }
        self.inputs.write(&self.gpu, &frame, &passes)?;
        let mut encoder = device.create_command_encoder(&Default::default());
        passes.steps.iter().for_each(|step| self.encode_pass(&mut encoder, &passes, step));
        Ok(encoder)
    }

    /// Encodes a render pass.
    fn encode_pass(&self, encoder: &mut wgpu::CommandEncoder, passes: &Passes, step: &Step) {
        let mut pass = match step.target {
            Target::Color { clear, clear_stencil, resolve } => {
                self.targets.color_pass(encoder, clear, clear_stencil, resolve)
            }
            Target::Identity { clear } => self.targets.identity_pass(encoder, clear),
            Target::Shadow(map) => self.inputs.shadow_pass(encoder, map),
        };
        let is_shadow = matches!(step.target, Target::Shadow(_));
        let group = self.inputs.group(is_shadow);
        if is_shadow {
            // the outermost texels stay empty, so that nothing outside of the volume is in shadow
            let inner = self.shadow_size.saturating_sub(2).max(1) as f32;
            pass.set_viewport(1.0, 1.0, inner, inner, 0.0, 1.0);
        } else {
            let [left, width, height] = step.viewport.map(|n| n as f32);
            pass.set_viewport(left, 0.0, width, height, 0.0, 1.0);
        }
        pass.set_stencil_reference(1);
        let (mut key, mut texture, mut dynamic) = (None, None, None);
        for drawn in &step.drawn {
            if drawn.batches.is_empty() {
                continue;
            }
            pass.set_bind_group(0, group, &[drawn.view]);
            for batch in &drawn.batches {
                if key != Some(batch.key) {
                    let Some(pipeline) = self.pipelines.get(batch.key) else { continue };
                    pass.set_pipeline(pipeline);
                    key = Some(batch.key);
                }
                if texture != Some(batch.texture) {
                    pass.set_bind_group(1, self.textures.group(batch.texture), &[]);
                    texture = Some(batch.texture);
                }
                if dynamic != Some(batch.dynamic) {
                    let (vertices, indices) = match batch.dynamic {
                        true => (&self.inputs.vertices, &self.inputs.indices),
                        false => (&self.vertices, &self.indices),
                    };
                    pass.set_vertex_buffer(0, vertices.slice(..));
                    pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                    dynamic = Some(batch.dynamic);
                }
                self.draw(&mut pass, passes, batch);
            }
        }
    }

    /// Draws a batch, with one indirect call if it consists of several draws.
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, passes: &Passes, batch: &Batch) {
        let count = batch.draws.len() as u32;
        if self.indirect && count > 1 {
            let offset = u64::from(batch.draws.start) * size_of::<DrawArgs>() as u64;
            pass.multi_draw_indexed_indirect(&self.inputs.args, offset, count);
            return;
        }
        for args in &passes.list.args[batch.draws.start as usize..batch.draws.end as usize] {
            let indices = args.first_index..args.first_index + args.index_count;
            let instances = args.first_instance..args.first_instance + args.instance_count;
            pass.draw_indexed(indices, args.base_vertex, instances);
        }
    }
}
