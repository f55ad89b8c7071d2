//! Tables of what is drawn: geoms, cameras, lights, and how their poses follow from those of the bodies.

use super::RenderOptions;
use super::mesh::{MeshShape, Meshes, hfield_triangles, hull_triangles, mesh_triangles};
use super::texture::Textures;
use crate::GpuBatchError;
use crate::layout::index;
use bytemuck::{Pod, Zeroable};
use sim_core::types::{CamLightMode, LightType, ObjType, TextureType};
use sim_core::{Model, mj_forward};
use sim_scene::{
    Camera, CameraType, Category, GlCamera, Light, RenderFlag, Scene, SceneGeom, SceneGeomType,
    mjv_update_scene,
};
use std::collections::BTreeMap;

/// A geom whose opacity is below this is transparent.
pub(crate) const OPAQUE: f32 = 0.995;
/// Lights that affect the images; further lights are ignored.
const MAX_LIGHTS: usize = 8;

/// How an object follows its body; `MODE_…` of the kernels.
pub(crate) mod mode {
    pub(crate) const FIXED: u32 = 0;
    pub(crate) const TRACK: u32 = 1;
    pub(crate) const TRACK_COM: u32 = 2;
    pub(crate) const TARGET: u32 = 3;
    pub(crate) const TARGET_COM: u32 = 4;
}

/// Shapes; `SHAPE_…` of the kernels.
pub(crate) mod shape {
    pub(crate) const BOX: u32 = 0;
    pub(crate) const PLANE: u32 = 1;
    /// Spheres and ellipsoids.
    pub(crate) const SPHERE: u32 = 2;
    pub(crate) const CAPSULE: u32 = 3;
    pub(crate) const CYLINDER: u32 = 4;
    /// Meshes and height fields.
    pub(crate) const MESH: u32 = 5;
}

/// Types of lights; `LIGHT_…` of the kernels.
pub(crate) mod light {
    pub(crate) const HEAD: u32 = 0;
    pub(crate) const DIRECTIONAL: u32 = 1;
    pub(crate) const SPOT: u32 = 2;
    /// Not supported by this look.
    pub(crate) const OTHER: u32 = 3;
}

/// Sources of texture coordinates; `TEXTURING_…` of the kernels.
pub(crate) mod texturing {
    pub(crate) const NONE: u32 = 0;
    /// Coordinates of the vertices of a mesh.
    pub(crate) const EXPLICIT: u32 = 1;
    /// Coordinates from the position.
    pub(crate) const GENERATED: u32 = 2;
    /// A cube map in the direction of the position.
    pub(crate) const CUBE: u32 = 3;
}

/// The struct `Geom` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GeomData {
    size: [f32; 3],
    shape: u32,
    rgba: [f32; 4],
    material: [f32; 4],
    texture_planes: [[f32; 4]; 3],
    texture: u32,
    texturing: u32,
    root: u32,
    id: u32,
    texel_density: f32,
    casts_shadow: u32,
    padding: [u32; 2],
}

/// The struct `Object` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ObjectData {
    pos: [f32; 3],
    body: u32,
    quat: [f32; 4],
    offset: [f32; 3],
    mode: u32,
    axes: [[f32; 4]; 3],
    aim: u32,
    is_light: u32,
    radius: f32,
    padding: u32,
}

/// The struct `BodyMass` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BodyMass {
    center: [f32; 3],
    mass: f32,
    subtree_end: u32,
    padding: [u32; 3],
}

/// The struct `Light` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LightData {
    ambient: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    attenuation: [f32; 4],
    cutoff: f32,
    kind: u32,
    casts_shadow: u32,
    padding: u32,
}

/// The struct `Camera` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CameraData {
    frustum: [f32; 4],
    near: f32,
    far: f32,
    orthographic: u32,
    padding: u32,
}

/// Everything that is drawn.
#[derive(Debug)]
pub(crate) struct RenderScene {
    /// Drawn geoms, then cameras, then lights.
    pub objects: Vec<ObjectData>,
    pub masses: Vec<BodyMass>,
    pub geoms: Vec<GeomData>,
    /// Number of drawn geoms; the table is never empty.
    pub drawn: usize,
    pub meshes: Meshes,
    pub lights: Vec<LightData>,
    /// Number of lights; the table is never empty.
    pub lights_on: usize,
    pub cameras: Vec<CameraData>,
    pub textures: Textures,
    pub first_camera: usize,
    pub first_light: usize,
    /// Whether geoms are transparent.
    pub transparent: bool,
    /// The geom in which others are reflected.
    pub mirror: Option<usize>,
    /// The infinite plane with the horizon.
    pub haze: Option<usize>,
    /// Texture of the sky.
    pub sky: Option<usize>,
    /// Index and type of the object of each geom.
    pub identities: Vec<[i32; 2]>,
}

impl RenderScene {
    pub(crate) fn new(m: &Model, options: &RenderOptions) -> Result<Self, GpuBatchError> {
        let failed = |error: &dyn std::fmt::Display| GpuBatchError::Render(error.to_string());
        if options.size.contains(&0) {
            return Err(GpuBatchError::Render("images have no pixels".into()));
        }
        if options.cameras.is_empty() {
            return Err(GpuBatchError::Render("there are no cameras".into()));
        }
        let mut d = m.make_data();
        mj_forward(m, &mut d).map_err(|error| failed(&error))?;
        let mut scene = Scene::new(m, 100_000);
        let mut views = Vec::new();
        for camera in &options.cameras {
            let mut camera = camera.clone();
            mjv_update_scene(m, &d, &options.vis, None, &mut camera, Category::ALL, &mut scene)
                .map_err(|error| failed(&error))?;
            views.push(scene.camera[0]);
        }
        let mut out = Self {
            objects: Vec::new(),
            masses: (0..m.nbody).map(|b| body_mass(m, b)).collect(),
            geoms: Vec::new(),
            drawn: 0,
            meshes: Meshes::default(),
            lights: Vec::new(),
            lights_on: 0,
            cameras: views.iter().map(|view| camera_data(view, options.size)).collect(),
            textures: Textures::new(m),
            first_camera: 0,
            first_light: 0,
            transparent: false,
            mirror: None,
            haze: None,
            sky: m.tex_type.iter().position(|&kind| kind == TextureType::Skybox),
            identities: Vec::new(),
        };
        let mut shapes = BTreeMap::new();
        for geom in &scene.geoms {
            out.add_geom(m, geom, options, &mut shapes);
        }
        (out.drawn, out.first_camera) = (out.geoms.len(), out.geoms.len());
        for (camera, view) in options.cameras.iter().zip(&views) {
            out.objects.push(match camera.kind {
                CameraType::Fixed => camera_object(m, camera.fixedcamid.max(0) as usize),
                _ => view_object(camera, view),
            });
        }
        out.first_light = out.objects.len();
        for source in scene.lights.iter().take(MAX_LIGHTS) {
            out.objects.push(light_object(m, source));
            out.lights.push(light_data(source, options.shadows));
        }
        out.lights_on = out.lights.len();
        // buffers are not empty
        if out.geoms.is_empty() {
            out.geoms.push(Zeroable::zeroed());
        }
        if out.lights.is_empty() {
            out.lights.push(Zeroable::zeroed());
        }
        if !scene.flag(RenderFlag::Haze) {
            out.haze = None;
        }
        Ok(out)
    }

    /// Adds a geom or site of the model; other objects are not drawn.
    fn add_geom(
        &mut self,
        m: &Model,
        geom: &SceneGeom,
        options: &RenderOptions,
        shapes: &mut BTreeMap<(bool, i32), Option<MeshShape>>,
    ) {
        let Some(mut object) = geom_object(m, geom) else { return };
        let [x, y, z] = geom.size;
        let mut low = [-x, -y, -z];
        let mut high = geom.size;
        let (mut root, mut uv_density, mut origin) = (0, 0.0, [0.0; 3]);
        let shape = match geom.kind {
            SceneGeomType::Plane => shape::PLANE,
            SceneGeomType::Sphere | SceneGeomType::Ellipsoid => shape::SPHERE,
            SceneGeomType::Capsule => shape::CAPSULE,
            SceneGeomType::Cylinder => shape::CYLINDER,
            SceneGeomType::Box => shape::BOX,
            SceneGeomType::Mesh | SceneGeomType::Sdf | SceneGeomType::HField => {
                let is_field = geom.kind == SceneGeomType::HField;
                let found = *shapes.entry((is_field, geom.dataid)).or_insert_with(|| {
                    let id = usize::try_from(geom.dataid).ok()?;
                    self.meshes.add(match (is_field, id % 2) {
                        (true, _) => hfield_triangles(m, id),
                        (false, 0) => mesh_triangles(m, id / 2),
                        (false, _) => hull_triangles(m, id / 2),
                    })
                });
                let Some(found) = found else { return };
                (low, high, origin) = (found.low, found.high, found.center);
                (root, uv_density) = (found.root, found.uv_density);
                shape::MESH
            }
            _ => return,
        };
        let radius = bounding_radius(shape, geom.size, low, high);
        let (texturing, texture, mut texture_planes, texel_density) =
            self.texture(m, geom, shape, uv_density);
        // the vertices of meshes are relative to the center of their bounds
        for plane in &mut texture_planes {
            plane[3] += (0..3).map(|k| plane[k] * origin[k]).sum::<f32>();
        }
        let shift = rotate(object.quat, origin);
        object.pos = [0, 1, 2].map(|k| object.pos[k] + shift[k]);
        object.radius = radius * 1.0001;
        let number = self.geoms.len();
        let opaque = geom.rgba[3] >= OPAQUE;
        self.transparent |= !opaque;
        let mirror = matches!(shape, shape::PLANE | shape::BOX) && geom.reflectance > 0.0;
        if options.reflections && mirror && opaque && self.mirror.is_none() {
            self.mirror = Some(number);
        }
        if shape == shape::PLANE && x == 0.0 && y == 0.0 && self.haze.is_none() {
            self.haze = Some(number);
        }
        let identified = geom.segid >= 0;
        self.objects.push(object);
        self.identities.push([geom.objid, geom.objtype as i32]);
        self.geoms.push(GeomData {
            size: geom.size,
            shape,
            rgba: geom.rgba,
            material: [geom.emission, geom.specular, geom.shininess * 128.0, geom.reflectance],
            texture_planes,
            texture,
            texturing,
            root,
            id: if identified { index(number + 1) } else { 0 },
            texel_density,
            // planes hide lights from nothing in front of them
            casts_shadow: u32::from(shape != shape::PLANE && geom.category != Category::DECOR),
            padding: [0; 2],
        });
    }

    /// Source of the texture coordinates, texture, their planes in the frame of the geom, and texels per metre.
    fn texture(
        &self,
        m: &Model,
        geom: &SceneGeom,
        shape: u32,
        uv_density: f32,
    ) -> (u32, u32, [[f32; 4]; 3], f32) {
        /// Role of the colour among the ten textures of a material.
        const ROLE_RGB: usize = 1;
        const ROLES: usize = 10;
        let none = (texturing::NONE, 0, [[0.0; 4]; 3], 0.0);
        let material = usize::try_from(geom.matid).ok().filter(|&i| i < m.nmat);
        let Some(material) = material else { return none };
        let id = usize::try_from(m.mat_texid[ROLES * material + ROLE_RGB]).ok();
        let Some(id) = id.filter(|&id| id < m.ntex) else { return none };
        let flat = m.tex_type[id] == TextureType::TwoD;
        let (uniform, size) = (m.mat_texuniform[material], geom.size);
        let pixels = [m.tex_width[id], m.tex_height[id]].map(|n| n.max(1) as f32);
        if geom.texcoord {
            let density = uv_density * (pixels[0] * pixels[1]).sqrt();
            let planes = [[0.0; 4]; 3];
            return if flat { (texturing::EXPLICIT, index(id), planes, density) } else { none };
        }
        // coordinates of unit shapes are relative to the size
        let own = shape == shape::MESH || geom.dataid >= 0;
        let unit = size.map(|x| if own || x <= 0.0 { 1.0 } else { 1.0 / x });
        if !flat {
            let scale = if uniform { size } else { [1.0; 3] };
            let plane = |k: usize| {
                let mut plane = [0.0; 4];
                plane[k] = scale[k] * unit[k];
                plane
            };
            let extent = size.iter().fold(1e-9_f32, |a, &b| a.max(b));
            let planes = [plane(0), plane(1), plane(2)];
            return (texturing::CUBE, index(id), planes, 0.5 * pixels[0] / extent);
        }
        let mut scale = [0, 1].map(|k| m.mat_texrepeat[2 * material + k]);
        for k in 0..2 {
            if size[k] > 0.0 {
                if geom.dataid >= 0 {
                    scale[k] /= size[k].max(1e-15);
                }
                if uniform {
                    scale[k] *= size[k];
                }
            }
        }
        let (s, t) = (0.5 * scale[0] * unit[0], -0.5 * scale[1] * unit[1]);
        let planes = [[s, 0.0, 0.0, -0.5], [0.0, t, 0.0, -0.5], [0.0; 4]];
        let density = (s * pixels[0]).abs().max((t * pixels[1]).abs());
        (texturing::GENERATED, index(id), planes, density)
    }
}

/// Radius of a sphere around the origin of a geom that encloses it.
fn bounding_radius(shape: u32, [x, y, z]: [f32; 3], low: [f32; 3], high: [f32; 3]) -> f32 {
    let length = |v: [f32; 3]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
    match shape {
        // infinite
        shape::PLANE if x == 0.0 || y == 0.0 => 1e10,
        shape::PLANE => length([x, y, 0.0]),
        shape::SPHERE => x.max(y).max(z),
        shape::CAPSULE => x + z,
        shape::CYLINDER => length([x, 0.0, z]),
        _ => 0.5 * length([0, 1, 2].map(|k| high[k] - low[k])),
    }
}

/// A vector rotated by a quaternion.
fn rotate([w, x, y, z]: [f32; 4], v: [f32; 3]) -> [f32; 3] {
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (t, s) = (cross([x, y, z], v), cross([x, y, z], cross([x, y, z], v)));
    std::array::from_fn(|k| v[k] + 2.0 * (w * t[k] + s[k]))
}

fn single<const N: usize>(values: &[f64], i: usize) -> [f32; N] {
    std::array::from_fn(|k| values[N * i + k] as f32)
}

/// An object that is fixed to a body.
fn fixed(body: i32, pos: [f32; 3], quat: [f32; 4]) -> ObjectData {
    let body = body.max(0) as u32;
    ObjectData { pos, body, quat, mode: mode::FIXED, aim: body, ..Zeroable::zeroed() }
}

fn geom_object(m: &Model, geom: &SceneGeom) -> Option<ObjectData> {
    let i = usize::try_from(geom.objid).ok()?;
    match geom.objtype {
        ObjType::Geom if i < m.ngeom => {
            Some(fixed(m.geom_bodyid[i], single(&m.geom_pos, i), single(&m.geom_quat, i)))
        }
        ObjType::Site if i < m.nsite => {
            Some(fixed(m.site_bodyid[i], single(&m.site_pos, i), single(&m.site_quat, i)))
        }
        _ => None,
    }
}

/// The mode of a camera or light; objects without a target are fixed.
fn object_mode(mode: CamLightMode, target: i32) -> u32 {
    match mode {
        CamLightMode::Fixed => mode::FIXED,
        CamLightMode::Track => mode::TRACK,
        CamLightMode::TrackCom => mode::TRACK_COM,
        _ if target < 0 => mode::FIXED,
        CamLightMode::TargetBody => mode::TARGET,
        CamLightMode::TargetBodyCom => mode::TARGET_COM,
    }
}

fn camera_object(m: &Model, i: usize) -> ObjectData {
    let mut object = fixed(m.cam_bodyid[i], single(&m.cam_pos, i), single(&m.cam_quat, i));
    object.mode = object_mode(m.cam_mode[i], m.cam_targetbodyid[i]);
    object.aim = m.cam_targetbodyid[i].max(0) as u32;
    let com = object.mode == mode::TRACK_COM;
    object.offset = single(if com { &m.cam_poscom0 } else { &m.cam_pos0 }, i);
    let mat: [f32; 9] = single(&m.cam_mat0, i);
    object.axes = [0, 1, 2].map(|r| [mat[3 * r], mat[3 * r + 1], mat[3 * r + 2], 0.0]);
    object
}

/// A camera that does not belong to the model: at a pose, or following the subtree of a body.
fn view_object(camera: &Camera, view: &GlCamera) -> ObjectData {
    let (forward, up) = (view.forward, view.up);
    let right = [
        forward[1] * up[2] - forward[2] * up[1],
        forward[2] * up[0] - forward[0] * up[2],
        forward[0] * up[1] - forward[1] * up[0],
    ];
    let mut object = fixed(0, [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    (object.mode, object.offset) = (mode::TRACK, view.pos);
    if camera.kind == CameraType::Tracking {
        object.mode = mode::TRACK_COM;
        object.body = camera.trackbodyid.max(0) as u32;
        object.offset = forward.map(|x| -x * camera.distance as f32);
    }
    object.axes = [0, 1, 2].map(|k| [right[k], up[k], -forward[k], 0.0]);
    object
}

fn light_object(m: &Model, source: &Light) -> ObjectData {
    let Ok(i) = usize::try_from(source.id) else { return fixed(0, [0.0; 3], [1.0, 0.0, 0.0, 0.0]) };
    let dir = |values: &[f64]| {
        let [x, y, z] = single(values, i);
        [x, y, z, 0.0]
    };
    let mut object = fixed(m.light_bodyid[i], single(&m.light_pos, i), dir(&m.light_dir));
    object.is_light = 1;
    object.mode = object_mode(m.light_mode[i], m.light_targetbodyid[i]);
    object.aim = m.light_targetbodyid[i].max(0) as u32;
    let com = object.mode == mode::TRACK_COM;
    object.offset = single(if com { &m.light_poscom0 } else { &m.light_pos0 }, i);
    object.axes[0] = dir(&m.light_dir0);
    object
}

fn light_data(source: &Light, shadows: bool) -> LightData {
    let color = |c: [f32; 3]| [c[0], c[1], c[2], 1.0];
    let [constant, linear, quadratic] = source.attenuation;
    let cutoff = if source.cutoff >= 180.0 { -2.0 } else { source.cutoff.to_radians().cos() };
    LightData {
        ambient: color(source.ambient),
        diffuse: color(source.diffuse),
        specular: color(source.specular),
        attenuation: [constant, linear, quadratic, source.exponent],
        cutoff,
        kind: match source.kind {
            _ if source.headlight => light::HEAD,
            LightType::Directional => light::DIRECTIONAL,
            LightType::Spot => light::SPOT,
            LightType::Point | LightType::Image => light::OTHER,
        },
        casts_shadow: u32::from(shadows && source.castshadow),
        padding: 0,
    }
}

fn camera_data(view: &GlCamera, [width, height]: [u32; 2]) -> CameraData {
    let half = match view.frustum_width {
        0.0 => 0.5 * width as f32 / height as f32 * (view.frustum_top - view.frustum_bottom),
        width => width,
    };
    let scale = if view.orthographic { 1.0 } else { 1.0 / view.frustum_near };
    let edges = [
        view.frustum_center - half,
        view.frustum_bottom,
        view.frustum_center + half,
        view.frustum_top,
    ];
    CameraData {
        frustum: edges.map(|x| x * scale),
        near: view.frustum_near,
        far: view.frustum_far,
        orthographic: u32::from(view.orthographic),
        padding: 0,
    }
}

fn body_mass(m: &Model, b: usize) -> BodyMass {
    // bodies are in depth-first order, so that a subtree is a range
    let is_below = |mut i: usize| {
        while i > b {
            i = m.body_parentid[i] as usize;
        }
        i == b
    };
    let subtree_end = (b + 1..m.nbody).find(|&i| !is_below(i)).unwrap_or(m.nbody);
    BodyMass {
        center: single(&m.body_ipos, b),
        mass: m.body_mass[b] as f32,
        subtree_end: index(subtree_end),
        padding: [0; 3],
    }
}
