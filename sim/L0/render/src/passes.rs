//! The sequence of passes of one image (`mjr_render`).

use crate::frame::{Draw, Frame};
use crate::material::Materials;
use crate::matrix;
use crate::pipeline::Pass;
use crate::view::{self, MAX_LIGHTS, ShadowVolume, View};
use crate::{Outputs, RenderError};
use sim_scene::{GlCamera, RenderFlag, Scene, Stereo, mjv_average_camera};

/// Distance between views in their buffer: the required alignment of dynamic offsets.
pub(crate) const VIEW_STRIDE: usize = size_of::<View>().next_multiple_of(256);
/// Views of an image: for two eyes the camera, the mirror, segmentation, and for each light with shadows the
/// light and the lit scene.
pub(crate) const MAX_VIEWS: usize = 2 * (4 + 2 * MAX_LIGHTS);

/// Draws with one view.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// Offset of the view in its buffer.
    pub view: u32,
    pub draws: Vec<Draw>,
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
        /// Resolve the samples after.
        resolve: bool,
    },
    /// The shadow map.
    Shadow,
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
    /// Part of each instance.
    pub order: Vec<u32>,
}

/// What the passes of an image depend on.
pub(crate) struct Input<'a> {
    pub scene: &'a Scene,
    pub frame: &'a Frame,
    pub materials: &'a Materials,
    /// Size of the image in pixels.
    pub size: [u32; 2],
    /// Side of the shadow map; 0: no shadows.
    pub shadow_size: u32,
}

/// A camera and its part of the image.
struct Eye {
    camera: GlCamera,
    left: u32,
    size: [u32; 2],
}

impl Passes {
    /// The passes for colour and, with other outputs, for segmentation, depth and normals.
    pub(crate) fn new(input: &Input<'_>, outputs: Outputs) -> Result<Self, RenderError> {
        let mut passes = Self::default();
        let eyes = eyes(input.scene, input.size)?;
        for (k, eye) in eyes.iter().enumerate() {
            let view = View::new(input.scene, &eye.camera, eye.size);
            if outputs.contains(Outputs::RGB) {
                passes.color(input, eye, view, k == 0, k + 1 == eyes.len());
            }
            if outputs != Outputs::RGB {
                let drawn = [(Pass::Identity, passes.view(view))];
                passes.step(input, eye, Target::Identity { clear: k == 0 }, &drawn);
            }
        }
        Ok(passes)
    }

    /// The passes of the colour image: reflections, opaque geoms without and with each light that casts
    /// shadows, the sky and transparent geoms.
    fn color(&mut self, input: &Input<'_>, eye: &Eye, mut view: View, first: bool, last: bool) {
        let &Input { scene, frame, materials, .. } = input;
        if scene.flag(RenderFlag::Fog) {
            view.fog = materials.fog;
            view.fog_color = materials.fog_color;
        }
        let additive = frame.additive();
        let mut target = Target::Color { clear: first, clear_stencil: true, resolve: false };
        let next = Target::Color { clear: false, clear_stencil: false, resolve: false };
        if let Some(mirror) = &frame.mirror_plane {
            let marked = self.view(view);
            let reflected = view.reflected(scene, mirror.pos, mirror.mat, mirror.reflectance);
            let reflected = self.view(reflected);
            let drawn = [
                (Pass::Mirror, marked),
                (Pass::Reflected, reflected),
                (Pass::ReflectedTransparent { additive }, reflected),
            ];
            self.step(input, eye, target, &drawn);
            target = next;
        }
        let shadows = scene.flag(RenderFlag::Shadow) && input.shadow_size > 0;
        let casts = |i: &usize| shadows && scene.lights[*i].castshadow;
        let lights: Vec<usize> = (0..scene.lights.len().min(MAX_LIGHTS)).filter(casts).collect();
        let mask = lights.iter().fold(0, |mask, i| mask | 1 << i);
        let unshadowed = self.view(View { light_mask: view.light_mask & !mask, ..view });
        self.step(input, eye, target, &[(Pass::Added, unshadowed), (Pass::Opaque, unshadowed)]);
        for i in lights {
            self.shadow(input, eye, &view, i, next);
        }
        let all = self.view(view);
        let drawn = [(Pass::Sky, all), (Pass::Haze, all), (Pass::Transparent { additive }, all)];
        let target = Target::Color { clear: false, clear_stencil: false, resolve: last };
        self.step(input, eye, target, &drawn);
    }

    /// The shadow map of a light, then its light.
    fn shadow(&mut self, input: &Input<'_>, eye: &Eye, view: &View, i: usize, target: Target) {
        let volume =
            ShadowVolume { clip: input.materials.shadow_clip, scale: input.materials.shadow_scale };
        let (near, far) = (eye.camera.frustum_near, eye.camera.frustum_far);
        let light = view::light_projection(&input.scene.lights[i], volume, near, far);
        let from_light = self.view(view::shadow_view(view, &light, input.shadow_size));
        let draws = input.frame.shadow_draws(&input.scene.lights[i], &mut self.order);
        let drawn = vec![Drawn { view: from_light, draws }];
        let viewport = [0, input.shadow_size, input.shadow_size];
        self.steps.push(Step { target: Target::Shadow, viewport, drawn });
        let lit = self.view(View {
            light_mask: 1 << i,
            emission_scale: 0.0,
            // only the light itself is added, so that fog removes it
            fog_color: [0.0; 4],
            shadow: matrix::mul(&view::SHADOW_TEXTURE, &light),
            ..*view
        });
        self.step(input, eye, target, &[(Pass::Shadowed, lit)]);
    }

    /// Appends a view; returns its offset.
    fn view(&mut self, view: View) -> u32 {
        let offset = self.views.len();
        self.views.extend_from_slice(bytemuck::bytes_of(&view));
        self.views.resize(offset + VIEW_STRIDE, 0);
        offset as u32
    }

    /// Appends a render pass.
    fn step(&mut self, input: &Input<'_>, eye: &Eye, target: Target, drawn: &[(Pass, u32)]) {
        let draws = |&(pass, view): &(Pass, u32)| Drawn {
            view,
            draws: input.frame.draws(pass, &mut self.order),
        };
        let drawn = drawn.iter().map(draws).collect();
        let viewport = [eye.left, eye.size[0], eye.size[1]];
        self.steps.push(Step { target, viewport, drawn });
    }
}

/// The average camera, or both cameras side by side.
fn eyes(scene: &Scene, size: [u32; 2]) -> Result<Vec<Eye>, RenderError> {
    let [left, right] = &scene.camera;
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
