//! Images of the cameras of all environments, ray cast on the device from the poses of the simulation.

mod mesh;
mod scene;
mod texture;

use crate::buffer::RealBuffer;
use crate::kernel::Kernel;
use crate::layout::{Constants, NONE, StorageBuffer, index};
use crate::records::RunParameters;
use crate::shader::{self, Defines};
use crate::{GpuBatchError, Precision};
use mesh_gpu::{Access, Binding, Buffer, Checks, Context, SharedMemory, Source, Timer};
use scene::{RenderScene, mode, shape};
use sim_core::Model;
use sim_scene::{Camera, VisOption};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// What a [`BatchRenderer`] renders.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// Cameras; each environment has an image of each. By default the first camera of the model. Free cameras keep their
    /// pose, tracking cameras follow the center of mass of the subtree of their body.
    pub cameras: Vec<Camera>,
    /// Width and height of an image in pixels.
    pub size: [u32; 2],
    /// Whether colours are rendered.
    pub rgb: bool,
    /// Whether depths are rendered.
    pub depth: bool,
    /// Whether segmentations are rendered.
    pub segmentation: bool,
    /// Whether lights cast shadows.
    pub shadows: bool,
    /// Whether planes and boxes with a reflectance are mirrors.
    pub reflections: bool,
    /// Whether four rays per pixel smooth the edges of colour images.
    pub antialiasing: bool,
    /// Selects what is drawn: groups of geoms and sites, textures, transparency. Geoms and sites are drawn; tendons,
    /// skins, flexes and decoration are not.
    pub vis: VisOption,
    /// Whether other APIs on the same GPU, such as CUDA, can import the images. Requires Vulkan on Linux.
    pub shared: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            cameras: vec![Camera::fixed(0)],
            size: [64, 64],
            rgb: true,
            depth: false,
            segmentation: false,
            shadows: true,
            reflections: true,
            antialiasing: false,
            vis: VisOption::default(),
            shared: false,
        }
    }
}

/// Width and height of the tile of a workgroup in pixels.
const TILE: [u32; 2] = [8, 8];
/// Transparent surfaces that a ray passes.
const LAYERS: usize = 4;
/// Invocations of a workgroup of the kernel that computes poses.
const OBJECT_LANES: usize = 64;

/// Renders the cameras of a [`GpuBatch`](crate::GpuBatch), see [`GpuBatch::renderer`](crate::GpuBatch::renderer).
#[derive(Debug)]
pub struct BatchRenderer {
    gpu: Context,
    options: RenderOptions,
    /// Number of environments.
    count: usize,
    passes: [(mesh_gpu::Kernel, u32); 3],
    /// Bindings of the second and third pass; that of the first follows the buffers of the batch.
    bindings: [Binding; 2],
    /// Poses of all bodies.
    pub(crate) body_poses: RealBuffer,
    /// Colours, depths and segmentations, as far as they are rendered.
    image: Buffer<u32>,
    /// Index and type of the object of each segmentation value.
    objects: Vec<[i32; 2]>,
    timer: Option<Timer>,
}

/// Bindings of the second pass.
const OBJECT_ACCESS: [Access; 5] =
    [Access::Read, Access::Read, Access::Read, Access::Write, Access::Write];
/// Bindings of the third pass.
const CAMERA_ACCESS: [Access; 10] = {
    let mut access = [Access::Read; 10];
    access[8] = Access::Write;
    access
};

impl BatchRenderer {
    /// `precision` is that of the simulation.
    pub(crate) fn new(
        gpu: &Context,
        m: &Model,
        kernel: &Kernel,
        count: usize,
        precision: Precision,
        checked: bool,
        options: &RenderOptions,
    ) -> Result<Self, GpuBatchError> {
        let scene = RenderScene::new(m, options)?;
        let checks = if checked { Checks::Indices } else { Checks::None };
        let compile = |label: &str, wgsl: &str, bindings: &[Access]| {
            gpu.kernel(&Source { label, wgsl, entry: "main", bindings, checks })
        };
        let constants = constants(m, &scene, count, options).emit()?;
        let declarations = format!("alias real = {};\n{constants}", precision.wgsl());
        let generated = [("declarations", declarations.as_str())];
        let assemble = |name| shader::assemble(name, &generated, &Defines::default());
        let objects = compile("objects", &assemble("render/objects")?, &OBJECT_ACCESS)?;
        // the colours of materials and the haze are f32, whatever the precision of the simulation
        let single = format!("alias real = f32;\n{constants}");
        let generated = [("declarations", single.as_str())];
        let source = shader::assemble("render/camera", &generated, &Defines::default())?;
        let camera = compile("camera", &source, &CAMERA_ACCESS)?;
        let bodies = compile("body poses", &kernel.body_poses, &StorageBuffer::ACCESS)?;

        let body_poses = RealBuffer::zeros(gpu, precision, "body poses", 8 * m.nbody * count)?;
        let pixels = pixels(count, options);
        let outputs = [options.rgb, options.depth, options.segmentation];
        let words = pixels * outputs.iter().filter(|&&output| output).count();
        let image = match options.shared {
            true => Buffer::shared_zeros(gpu, "image", words)?,
            false => Buffer::zeros(gpu, "image", words)?,
        };
        let bindings = bind(gpu, [&objects, &camera], &scene, &body_poses, count, &image)?;
        let views = count * options.cameras.len();
        let tiles = tiles(options.size);
        let object_groups = (count * scene.objects.len()).div_ceil(OBJECT_LANES);
        Ok(Self {
            gpu: gpu.clone(),
            options: options.clone(),
            count,
            passes: [
                (bodies, index(count)),
                (objects, index(object_groups)),
                (camera, index(views * tiles[0] * tiles[1])),
            ],
            bindings,
            body_poses,
            image,
            objects: scene.identities,
            timer: Timer::new(gpu),
        })
    }

    /// The compiled first pass.
    pub(crate) fn body_kernel(&self) -> &mesh_gpu::Kernel {
        &self.passes[0].0
    }

    /// Number of environments.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Submits the passes; `bodies` binds the buffers of the batch, unless the poses of the bodies are computed already.
    pub(crate) fn submit(&self, bodies: Option<&Binding>, timed: bool) {
        let [objects, camera] = &self.bindings;
        let bindings = [bodies, Some(objects), Some(camera)];
        let passes = self.passes.iter().zip(bindings);
        let passes = passes.filter_map(|((kernel, groups), b)| Some((kernel, *groups, b?)));
        let timer = self.timer.as_ref().filter(|_| timed);
        self.gpu.run_all(&passes.collect::<Vec<_>>(), timer);
    }

    /// Time of the last timed submission.
    pub(crate) fn elapsed(&self) -> Result<Option<Duration>, GpuBatchError> {
        let timer = self.timer.as_ref();
        Ok(timer.map(|timer| timer.elapsed(&self.gpu)).transpose()?)
    }

    /// The options.
    pub fn options(&self) -> &RenderOptions {
        &self.options
    }

    /// Colours of the last images: red, green, blue and 255 of each pixel, row by row from the top, camera by camera,
    /// environment by environment. Waits for the device. Empty if they are not rendered.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn rgba(&self) -> Result<Vec<[u8; 4]>, GpuBatchError> {
        let words = self.output(0, self.options.rgb)?;
        Ok(words.into_iter().map(u32::to_le_bytes).collect())
    }

    /// Depths of the last images, in the order of [`BatchRenderer::rgba`]: distances from the camera along its line of
    /// sight in metres, and that of the far plane where there is nothing.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn depth(&self) -> Result<Vec<f32>, GpuBatchError> {
        let words = self.output(usize::from(self.options.rgb), self.options.depth)?;
        Ok(words.into_iter().map(f32::from_bits).collect())
    }

    /// Index and type ([`ObjType`](sim_core::types::ObjType)) of the object at each pixel of the last images, in the order of
    /// [`BatchRenderer::rgba`]; -1 and -1 where there is none.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn segmentation(&self) -> Result<Vec<[i32; 2]>, GpuBatchError> {
        let before = usize::from(self.options.rgb) + usize::from(self.options.depth);
        let words = self.output(before, self.options.segmentation)?;
        let object = |id: u32| self.objects.get((id as usize).wrapping_sub(1)).copied();
        Ok(words.into_iter().map(|id| object(id).unwrap_or([-1; 2])).collect())
    }

    /// Memory of the images, if [`RenderOptions::shared`]: colours as four bytes per pixel, then depths as 32-bit
    /// floats, then segmentations, as far as they are rendered.
    pub fn shared_memory(&self) -> Option<&Arc<SharedMemory>> {
        self.image.shared_memory()
    }

    /// Output number `k` of those that are rendered.
    fn output(&self, k: usize, rendered: bool) -> Result<Vec<u32>, GpuBatchError> {
        if !rendered {
            return Ok(Vec::new());
        }
        let pixels = pixels(self.count, &self.options);
        Ok(self.image.read_range(&self.gpu, k * pixels..(k + 1) * pixels)?)
    }
}

/// Uploads the tables of a scene and binds them to the second and third pass.
fn bind(
    gpu: &Context,
    [objects, camera]: [&mesh_gpu::Kernel; 2],
    scene: &RenderScene,
    body_poses: &RealBuffer,
    count: usize,
    image: &Buffer<u32>,
) -> Result<[Binding; 2], GpuBatchError> {
    let total = scene.objects.len() * count;
    let poses: Buffer<[f32; 4]> = Buffer::zeros(gpu, "object poses", 3 * total)?;
    let spheres: Buffer<[f32; 4]> = Buffer::zeros(gpu, "bounding spheres", total)?;
    let table = Buffer::from_slice(gpu, "objects", &scene.objects)?;
    let masses = Buffer::from_slice(gpu, "masses", &scene.masses)?;
    let geoms = Buffer::from_slice(gpu, "geoms", &scene.geoms)?;
    let nodes = Buffer::from_slice(gpu, "nodes", &scene.meshes.nodes)?;
    let triangles = Buffer::from_slice(gpu, "triangles", &scene.meshes.triangles)?;
    let lights = Buffer::from_slice(gpu, "lights", &scene.lights)?;
    let cameras = Buffer::from_slice(gpu, "cameras", &scene.cameras)?;
    let textures = Buffer::from_slice(gpu, "textures", &scene.textures.table)?;
    let texels = Buffer::from_slice(gpu, "texels", &scene.textures.texels)?;
    let of_objects = [body_poses.raw(), table.raw(), masses.raw(), poses.raw(), spheres.raw()];
    let of_camera = [
        poses.raw(),
        geoms.raw(),
        nodes.raw(),
        triangles.raw(),
        lights.raw(),
        cameras.raw(),
        textures.raw(),
        texels.raw(),
        image.raw(),
        spheres.raw(),
    ];
    Ok([gpu.bind(objects, &of_objects)?, gpu.bind(camera, &of_camera)?])
}

/// Pixels of all images.
fn pixels(count: usize, options: &RenderOptions) -> usize {
    count * options.cameras.len() * options.size[0] as usize * options.size[1] as usize
}

fn tiles(size: [u32; 2]) -> [usize; 2] {
    [0, 1].map(|k| size[k].div_ceil(TILE[k]) as usize)
}

fn constants(m: &Model, scene: &RenderScene, count: usize, options: &RenderOptions) -> Constants {
    let mut constants = Constants::default();
    let ngeom = scene.geoms.len();
    let [width, height] = options.size.map(|n| n as usize);
    let [tiles_x, tiles_y] = tiles(options.size);
    let pixels = pixels(count, options);
    let rgb = if options.rgb { pixels } else { 0 };
    let depth = if options.depth { pixels } else { 0 };
    for (name, value) in [
        ("ENVS", count),
        ("NBODY", m.nbody),
        ("NOBJECT", scene.objects.len()),
        ("NGEOM", scene.drawn),
        ("MASK_WORDS", ngeom.div_ceil(32).max(1)),
        ("FIRST_CAMERA", scene.first_camera),
        ("FIRST_LIGHT", scene.first_light),
        ("NCAMERA", options.cameras.len()),
        ("NLIGHT", scene.lights_on),
        ("WIDTH", width),
        ("HEIGHT", height),
        ("TILE_X", TILE[0] as usize),
        ("TILE_Y", TILE[1] as usize),
        ("TILES_X", tiles_x),
        ("NTILE", tiles_x * tiles_y),
        ("SAMPLES", if options.antialiasing { 4 } else { 1 }),
        ("LAYERS", if scene.transparent { LAYERS } else { 1 }),
        ("DEPTH_ADR", rgb),
        ("IDS_ADR", rgb + depth),
        ("STACK", scene.meshes.depth.max(1)),
        ("MODE_TRACK", mode::TRACK as usize),
        ("MODE_TRACK_COM", mode::TRACK_COM as usize),
        ("MODE_TARGET", mode::TARGET as usize),
        ("MODE_TARGET_COM", mode::TARGET_COM as usize),
        ("SHAPE_PLANE", shape::PLANE as usize),
        ("SHAPE_SPHERE", shape::SPHERE as usize),
        ("SHAPE_CAPSULE", shape::CAPSULE as usize),
        ("SHAPE_CYLINDER", shape::CYLINDER as usize),
        ("SHAPE_MESH", shape::MESH as usize),
        ("LIGHT_HEAD", scene::light::HEAD as usize),
        ("LIGHT_DIRECTIONAL", scene::light::DIRECTIONAL as usize),
        ("LIGHT_SPOT", scene::light::SPOT as usize),
        ("TEXTURING_NONE", scene::texturing::NONE as usize),
        ("TEXTURING_EXPLICIT", scene::texturing::EXPLICIT as usize),
        ("TEXTURING_CUBE", scene::texturing::CUBE as usize),
        ("MIRROR_GEOM", scene.mirror.unwrap_or(NONE as usize)),
        ("HAZE_GEOM", scene.haze.unwrap_or(0)),
        ("SKY_TEXTURE", scene.sky.unwrap_or(0)),
    ] {
        constants.u32(name, value);
    }
    constants.u32("NONE", NONE as usize);
    for (name, value) in [
        ("OUTPUT_RGB", options.rgb),
        ("OUTPUT_DEPTH", options.depth),
        ("OUTPUT_IDS", options.segmentation),
        ("HAS_MESH", !scene.meshes.nodes.is_empty()),
        ("HAS_TEXTURE", !scene.textures.table.is_empty()),
        ("HAS_SKY", scene.sky.is_some()),
        ("HAS_HAZE", scene.haze.is_some() && scene.sky.is_some()),
        ("HAS_MIRROR", scene.mirror.is_some()),
        ("SHADOWS", options.shadows),
    ] {
        constants.bool(name, value);
    }
    real_constants(m, scene, &mut constants);
    constants
}

/// Constants of the haze, the ambient light and transparency.
fn real_constants(m: &Model, scene: &RenderScene, constants: &mut Constants) {
    let haze = f64::from(m.vis.map.haze);
    let slope = 1.0_f64.atan2(haze);
    let transition =
        0.5_f64.sqrt() * haze * slope.sin() / (0.75 * std::f64::consts::PI - slope).sin();
    for (name, value) in [
        ("HAZE_SIZE", haze),
        ("HAZE_TRANSITION", transition),
        ("HAZE_RED", f64::from(m.vis.rgba.haze[0])),
        ("HAZE_GREEN", f64::from(m.vis.rgba.haze[1])),
        ("HAZE_BLUE", f64::from(m.vis.rgba.haze[2])),
        // a scene without lights is not black
        ("GLOBAL_AMBIENT", if scene.lights_on == 0 { 0.3 } else { 0.0 }),
        ("OPAQUE", f64::from(scene::OPAQUE)),
    ] {
        constants.real(name, value);
    }
}

/// Run parameters of the first pass for a part of the environments.
pub(crate) fn run_parameters(
    envs: usize,
    part: &Range<usize>,
    model_stride: usize,
) -> RunParameters {
    RunParameters {
        envs: index(envs),
        first: index(part.start),
        count: index(part.len()),
        model_stride: index(model_stride),
        ..bytemuck::Zeroable::zeroed()
    }
}
