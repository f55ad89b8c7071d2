//! Uniform data of a rendering pass: camera, lights, fog, shadow map.

use crate::matrix::{self, Frustum, IDENTITY, Mat4};
use bytemuck::{Pod, Zeroable};
use sim_core::types::LightType;
use sim_scene::{GlCamera, Light, Scene};

/// Lights that affect the image; further lights are ignored.
pub(crate) const MAX_LIGHTS: usize = 8;

/// Shadow maps that a pass reads at most.
pub(crate) const MAX_SHADOW_MAPS: usize = 4;

/// A light in the camera frame; the struct `Light` of the shader.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LightData {
    ambient: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    position: [f32; 4],
    direction: [f32; 4],
    attenuation: [f32; 4],
}

/// The struct `View` of the shader.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct View {
    pub view: Mat4,
    pub projection: Mat4,
    pub shadow: [Mat4; MAX_SHADOW_MAPS],
    pub shadow_lights: [u32; MAX_SHADOW_MAPS],
    pub clip_plane: [f32; 4],
    pub fog_color: [f32; 4],
    pub global_ambient: [f32; 4],
    pub fog: [f32; 2],
    pub viewport: [f32; 2],
    pub color_scale: f32,
    pub emission_scale: f32,
    pub light_mask: u32,
    pub padding: f32,
    pub lights: [LightData; MAX_LIGHTS],
}

impl View {
    /// View of the scene through a camera, with all lights on.
    pub(crate) fn new(scene: &Scene, camera: &GlCamera, size: [u32; 2]) -> Self {
        let lights = scene.lights.len().min(MAX_LIGHTS);
        // a scene without lights is not black
        let ambient = if lights == 0 { 0.3 } else { 0.0 };
        let view = camera_view(scene, camera);
        let mut out = Self {
            view,
            projection: flipped(&camera_projection(camera, size)),
            shadow: [IDENTITY; MAX_SHADOW_MAPS],
            shadow_lights: [0; MAX_SHADOW_MAPS],
            clip_plane: [0.0, 0.0, 0.0, 1.0],
            fog_color: [0.0; 4],
            global_ambient: [ambient; 4],
            fog: [0.0; 2],
            viewport: size.map(|n| n as f32),
            color_scale: 1.0,
            emission_scale: 1.0,
            light_mask: ((1_u32 << lights) - 1),
            padding: 0.0,
            lights: [LightData::default(); MAX_LIGHTS],
        };
        out.set_lights(scene);
        out
    }

    /// This view of the scene reflected at a plane, with colours multiplied by the reflectance.
    pub(crate) fn reflected(
        &self,
        scene: &Scene,
        pos: [f32; 3],
        mat: [f32; 9],
        reflectance: f32,
    ) -> Self {
        let normal = [mat[2], mat[5], mat[8]];
        let offset = crate::tessellation::dot(normal, pos);
        let mut out = Self {
            view: matrix::mul(&self.view, &matrix::reflection(pos, mat)),
            // only what is in front of the plane is reflected
            clip_plane: [normal[0], normal[1], normal[2], -offset],
            color_scale: reflectance,
            ..*self
        };
        out.set_lights(scene);
        out
    }

    /// The view of positions in the image, from -1 to 1.
    pub(crate) fn of_image(&self) -> Self {
        Self {
            view: IDENTITY,
            projection: flipped(&IDENTITY),
            fog: [0.0; 2],
            light_mask: 0,
            ..*self
        }
    }

    /// Transforms the lights to the camera frame.
    fn set_lights(&mut self, scene: &Scene) {
        for (data, light) in self.lights.iter_mut().zip(&scene.lights) {
            *data = light_data(&self.view, light);
        }
    }
}

/// Model frame to camera frame.
fn camera_view(scene: &Scene, camera: &GlCamera) -> Mat4 {
    let view = matrix::look_at(camera.pos, camera.forward, camera.up);
    if !scene.enabletransform {
        return view;
    }
    let rotation = rotation(scene.rotate);
    let scaled = rotation.map(|x| x * scene.scale);
    matrix::mul(&view, &matrix::pose(scene.translate, scaled))
}

/// Row-major rotation matrix of a quaternion (w, x, y, z).
fn rotation(q: [f32; 4]) -> [f32; 9] {
    let mat = sim_core::math::quat::to_mat(q.map(f64::from));
    mat.map(|x| x as f32)
}

fn camera_projection(camera: &GlCamera, size: [u32; 2]) -> Mat4 {
    let half_width = if camera.frustum_width != 0.0 {
        camera.frustum_width
    } else {
        0.5 * size[0] as f32 / size[1] as f32 * (camera.frustum_top - camera.frustum_bottom)
    };
    let frustum = Frustum {
        left: camera.frustum_center - half_width,
        right: camera.frustum_center + half_width,
        bottom: camera.frustum_bottom,
        top: camera.frustum_top,
        near: camera.frustum_near,
        far: camera.frustum_far,
    };
    if camera.orthographic { frustum.orthographic() } else { frustum.project() }
}

/// The projection with y downwards: the first row of the framebuffer is the lowest row of the image, so that
/// sample positions and rounding are those of OpenGL.
fn flipped(projection: &Mat4) -> Mat4 {
    projection.map(|[x, y, z, w]| [x, -y, z, w])
}

fn light_data(view: &Mat4, light: &Light) -> LightData {
    let color = |c: [f32; 3]| [c[0], c[1], c[2], 1.0];
    let direction = |d: [f32; 3]| matrix::transform(view, [d[0], d[1], d[2], 0.0]);
    let mut data = LightData {
        ambient: color(light.ambient),
        diffuse: color(light.diffuse),
        specular: color(light.specular),
        // other types are not supported by this look and shine along the line of sight
        position: [0.0, 0.0, 1.0, 0.0],
        direction: [0.0, 0.0, -1.0, -2.0],
        attenuation: [1.0, 0.0, 0.0, 0.0],
    };
    match light.kind {
        LightType::Directional => data.position = direction(light.dir.map(|x| -x)),
        LightType::Spot => {
            let [x, y, z] = light.pos;
            data.position = matrix::transform(view, [x, y, z, 1.0]);
            let d = direction(light.dir);
            let d = crate::tessellation::normalize([d[0], d[1], d[2]]);
            // a cutoff of 180 degrees is a point light
            let cosine = if light.cutoff >= 180.0 { -2.0 } else { light.cutoff.to_radians().cos() };
            data.direction = [d[0], d[1], d[2], cosine];
            let [constant, linear, quadratic] = light.attenuation;
            data.attenuation = [constant, linear, quadratic, light.exponent];
        }
        LightType::Point | LightType::Image => {}
    }
    data
}

/// Half width of the shadow volume of a directional light, and factor of the cutoff of spot lights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadowVolume {
    pub clip: f32,
    pub scale: f32,
}

/// Model frame to clip space of a light.
pub(crate) fn light_projection(light: &Light, volume: ShadowVolume, near: f32, far: f32) -> Mat4 {
    let ShadowVolume { clip, scale } = volume;
    let projection = match light.kind {
        LightType::Directional => {
            Frustum { left: -clip, right: clip, bottom: -clip, top: clip, near, far }.orthographic()
        }
        LightType::Spot => {
            Frustum::perspective((2.0 * light.cutoff * scale).min(160.0), near, far).project()
        }
        LightType::Point | LightType::Image => [
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, -0.5, 0.0],
            [0.0, 0.0, 0.5, 1.0],
        ],
    };
    let up = matrix::perpendicular(light.dir);
    matrix::mul(&projection, &matrix::look_at(light.pos, light.dir, up))
}

/// Clip space to the coordinates of the shadow map, whose first row is at the bottom.
pub(crate) const SHADOW_TEXTURE: Mat4 =
    [[0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.5, 0.5, 0.0, 1.0]];

/// View from a light, for its shadow map.
pub(crate) fn shadow_view(view: &View, light: &Mat4, size: u32) -> View {
    View {
        view: IDENTITY,
        projection: flipped(light),
        clip_plane: [0.0, 0.0, 0.0, 1.0],
        light_mask: 0,
        viewport: [size as f32; 2],
        ..*view
    }
}
