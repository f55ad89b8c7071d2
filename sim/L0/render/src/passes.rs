//! The sequence of passes of one image (`mjr_render`).

use crate::cull::Volume;
use crate::draw::{Batch, DrawList, Shown};
use crate::frame::Frame;
use crate::geometry::Geometry;
use crate::material::Materials;
use crate::matrix;
use crate::pipeline::Pass;
use crate::view::{self, MAX_LIGHTS, MAX_SHADOW_MAPS, ShadowVolume, View};
use crate::{Outputs, RenderError};
use sim_scene::{GlCamera, RenderFlag, Scene, Stereo, mjv_average_camera};

/// Distance between views in their buffer: the required alignment of dynamic offsets.
pub(crate) const VIEW_STRIDE: usize = size_of::<View>().next_multiple_of(256);
/// Views of an image: for two eyes the camera, the mirror, segmentation and labels, and for each light with
/// shadows the light and the lit scene.
pub(crate) const MAX_VIEWS: usize = 2 * (6 + 2 * MAX_LIGHTS);

/// Draws with one view.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// Offset of the view in its buffer.
    pub view: u32,
    pub batches: Vec<Batch>,
}

/// Target of a render pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The colour image.
    Color {
        /// Clear colour and depth before.
        clear: bool,
        /// Clear the stencil before.
        clear_stencil: bool,
        /// Resolve the samples after; the samples and the depth are then no longer needed.
        resolve: bool,
    },
    /// The shadow map with this index.
    Shadow(usize),
    /// Segmentation, depth and normals.
    Identity {
        /// Clear before.
        clear: bool,
    },
}

/// A render pass.
#[derive(Debug)]
pub(crate) struct Step {
    pub target: Target,
    /// Left edge, width and height of the part of the image.
    pub viewport: [u32; 3],
    pub drawn: Vec<Drawn>,
}

/// All render passes of an image, and the data that they read.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    pub steps: Vec<Step>,
    /// Bytes of all views.
    pub views: Vec<u8>,
    pub list: DrawList,
    /// Shadow maps that are used.
    pub shadow_maps: usize,
}

/// What the passes of an image depend on.
pub(crate) struct Input<'a> {
    pub scene: &'a Scene,
    pub frame: &'a mut Frame,
    pub geometry: &'a Geometry,
    pub materials: &'a Materials,
    /// Size of the image in pixels.
    pub size: [u32; 2],
    /// Side of a shadow map; 0: no shadows.
    pub shadow_size: u32,
}

/// A camera and its part of the image.
struct Eye {
    camera: GlCamera,
    left: u32,
    size: [u32; 2],
}

/// A view in the buffer.
#[derive(Clone, Copy)]
struct Placed {
    offset: u32,
    volume: Volume,
    /// Shadow maps that it reads.
    shadow_maps: u8,
}

impl Passes {
    /// The passes for colour and, with other outputs, for segmentation, depth and normals.
    pub(crate) fn new(input: &mut Input<'_>, outputs: Outputs) -> Result<Self, RenderError> {
        let mut passes = Self::default();
        let eyes = eyes(input.scene, input.size)?;
        for (k, eye) in eyes.iter().enumerate() {
            let view = View::new(input.scene, &eye.camera, eye.size);
            if outputs.contains(Outputs::RGB) {
                input.frame.set_labels(input.scene, input.geometry, &view);
                passes.color(input, eye, view, k == 0, k + 1 == eyes.len());
            }
            if outputs != Outputs::RGB {
                let drawn = [(Pass::Identity, passes.view(view))];
                passes.step(input, eye, Target::Identity { clear: k == 0 }, &drawn);
            }
        }
        Ok(passes)
    }

    /// The passes of the colour image. One render pass draws everything, after the shadow maps of the lights;
    /// lights beyond the number of shadow maps are added by further passes.
    fn color(&mut self, input: &Input<'_>, eye: &Eye, mut view: View, first: bool, last: bool) {
        let Input { scene, frame, materials, .. } = input;
        if scene.flag(RenderFlag::Fog) {
            view.fog = materials.fog;
            view.fog_color = materials.fog_color;
        }
        let shadows = scene.flag(RenderFlag::Shadow) && input.shadow_size > 0;
        let casts = |i: &usize| shadows && scene.lights[*i].castshadow;
        let lights: Vec<usize> = (0..scene.lights.len().min(MAX_LIGHTS)).filter(casts).collect();
        let mut groups = lights.chunks(shadow_maps_per_pass(input.shadow_size));
        let lit = self.lit_view(input, eye, &view, groups.next().unwrap_or_default());
        let mask = lights.iter().fold(0, |mask, i| mask | 1 << i);
        let lit = self.view_with(View { light_mask: view.light_mask & !mask, ..lit.0 }, lit.1);

        let additive = frame.additive();
        let mut drawn = Vec::with_capacity(8);
        if let Some(mirror) = &frame.mirror_plane {
            let marked = self.view(view);
            let reflected = view.reflected(scene, mirror.pos, mirror.mat, mirror.reflectance);
            let reflected = self.view(reflected);
            drawn.push((Pass::Mirror, marked));
            drawn.push((Pass::Reflected, reflected));
            drawn.push((Pass::ReflectedTransparent { additive }, reflected));
        }
        drawn.extend([(Pass::Added, lit), (Pass::Opaque, lit)]);
        let (mut clear, mut clear_stencil) = (first, true);
        for group in groups {
            let target = Target::Color { clear, clear_stencil, resolve: false };
            self.step(input, eye, target, &std::mem::take(&mut drawn));
            (clear, clear_stencil) = (false, false);
            let (lit, count) = self.lit_view(input, eye, &view, group);
            // only the lights are added, so that fog removes them
            let lit = View {
                light_mask: 0,
                emission_scale: 0.0,
                global_ambient: [0.0; 4],
                fog_color: [0.0; 4],
                ..lit
            };
            drawn.push((Pass::Shadowed, self.view_with(lit, count)));
        }
        let all = self.view(view);
        drawn.extend([(Pass::Sky, all), (Pass::Haze, all), (Pass::Transparent { additive }, all)]);
        drawn.push((Pass::Label, self.view(view.of_image())));
        self.step(input, eye, Target::Color { clear, clear_stencil, resolve: last }, &drawn);
    }

    /// Draws the shadow maps of lights; returns the view that reads them and their number.
    fn lit_view(
        &mut self,
        input: &Input<'_>,
        eye: &Eye,
        view: &View,
        lights: &[usize],
    ) -> (View, usize) {
        let volume =
            ShadowVolume { clip: input.materials.shadow_clip, scale: input.materials.shadow_scale };
        let (near, far) = (eye.camera.frustum_near, eye.camera.frustum_far);
        let mut lit = *view;
        for (k, &i) in lights.iter().enumerate() {
            let light = &input.scene.lights[i];
            let projection = view::light_projection(light, volume, near, far);
            let placed = self.view(view::shadow_view(view, &projection, input.shadow_size));
            let shown = Shown { pass: Pass::ShadowMap, shadow_maps: 0, volume: placed.volume };
            let geometry = input.geometry;
            let batches = input.frame.shadow_draws(geometry, shown, light, &mut self.list);
            let drawn = vec![Drawn { view: placed.offset, batches }];
            let viewport = [0, input.shadow_size, input.shadow_size];
            self.steps.push(Step { target: Target::Shadow(k), viewport, drawn });
            lit.shadow[k] = matrix::mul(&view::SHADOW_TEXTURE, &projection);
            lit.shadow_lights[k] = i as u32;
        }
        self.shadow_maps = self.shadow_maps.max(lights.len());
        (lit, lights.len())
    }

    /// Appends a view without shadow maps.
    fn view(&mut self, view: View) -> Placed {
        self.view_with(view, 0)
    }

    /// Appends a view that reads shadow maps.
    fn view_with(&mut self, view: View, shadow_maps: usize) -> Placed {
        let offset = self.views.len();
        self.views.extend_from_slice(bytemuck::bytes_of(&view));
        self.views.resize(offset + VIEW_STRIDE, 0);
        let volume = Volume::new(&view.projection, &view.view);
        Placed { offset: offset as u32, volume, shadow_maps: shadow_maps as u8 }
    }

    /// Appends a render pass.
    fn step(&mut self, input: &Input<'_>, eye: &Eye, target: Target, drawn: &[(Pass, Placed)]) {
        let draws = |&(pass, view): &(Pass, Placed)| {
            let shown = Shown { pass, shadow_maps: view.shadow_maps, volume: view.volume };
            let batches = input.frame.draws(input.geometry, shown, &mut self.list);
            Drawn { view: view.offset, batches }
        };
        let drawn = drawn.iter().map(draws).collect();
        let viewport = [eye.left, eye.size[0], eye.size[1]];
        self.steps.push(Step { target, viewport, drawn });
    }
}

/// Shadow maps that one pass reads: as many as fit into 1 GiB.
fn shadow_maps_per_pass(size: u32) -> usize {
    let bytes = 4 * u64::from(size.max(1)).pow(2);
    ((1 << 30) / bytes).clamp(1, MAX_SHADOW_MAPS as u64) as usize
}

/// The average camera, or both cameras side by side.
fn eyes(scene: &Scene, size: [u32; 2]) -> Result<Vec<Eye>, RenderError> {
    let [left, right] = &scene.camera;
    if !(is_finite(left) && is_finite(right)) {
        return Err(RenderError::Camera);
    }
    if scene.stereo == Stereo::None || size[0] < 2 {
        let camera = mjv_average_camera(left, right).map_err(RenderError::Scene)?;
        return Ok(vec![Eye { camera, left: 0, size }]);
    }
    let half = [size[0] / 2, size[1]];
    Ok(vec![
        Eye { camera: *left, left: 0, size: half },
        Eye { camera: *right, left: half[0], size: half },
    ])
}

/// Whether the pose and the view volume of a camera are finite.
fn is_finite(camera: &GlCamera) -> bool {
    let volume = [
        camera.frustum_center,
        camera.frustum_width,
        camera.frustum_bottom,
        camera.frustum_top,
        camera.frustum_near,
        camera.frustum_far,
    ];
    let pose = [camera.pos, camera.forward, camera.up];
    pose.iter().flatten().chain(&volume).all(|x| x.is_finite())
}
