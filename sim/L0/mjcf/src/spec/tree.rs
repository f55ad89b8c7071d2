//! The kinematic tree: bodies, frames, joints, geoms, sites, cameras and lights.

use super::settings::Tri;
use super::{DefaultId, Origin, PluginRef};
use sim_core::types::{CamLightMode, GeomType, JointType, LightType, Projection, SleepPolicy};
use std::sync::Arc;

/// Index of a body in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BodyId(pub usize);

/// Index of a frame in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrameId(pub usize);

/// An orientation specifier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Orientation {
    /// Quaternion (normalized by the compiler).
    Quat([f64; 4]),
    /// Rotation axis and angle.
    AxisAngle([f64; 4]),
    /// Directions of the x and y axes.
    XyAxes([f64; 6]),
    /// Direction of the z axis, by the minimal rotation.
    ZAxis([f64; 3]),
    /// Euler angles in the compiler's sequence.
    Euler([f64; 3]),
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Quat([1.0, 0.0, 0.0, 0.0])
    }
}

/// A coordinate frame that transforms its elements and is removed by the compiler (mjsFrame).
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Name.
    pub name: String,
    /// Parent frame, which must precede it in the spec.
    pub parent: Option<FrameId>,
    /// Position in the parent frame or body.
    pub pos: [f64; 3],
    /// Orientation.
    pub orientation: Orientation,
    /// Source location.
    pub origin: Origin,
}

/// Explicit inertia.
#[derive(Debug, Clone, Default)]
pub struct Inertial {
    /// Center of mass.
    pub pos: [f64; 3],
    /// Orientation of the principal axes.
    pub orientation: Orientation,
    /// Mass.
    pub mass: f64,
    /// Principal moments.
    pub diaginertia: Option<[f64; 3]>,
    /// Full inertia matrix: xx yy zz xy xz yz.
    pub fullinertia: Option<[f64; 6]>,
    /// Source location.
    pub origin: Origin,
}

/// A body with its elements (mjsBody).
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Parent; the parent of the world is the world.
    pub parent: BodyId,
    /// Frame that contains it.
    pub frame: Option<FrameId>,
    /// Position.
    pub pos: [f64; 3],
    /// Orientation.
    pub orientation: Orientation,
    /// Default class of the elements of the body.
    pub childclass: DefaultId,
    /// Whether it is a mocap body.
    pub mocap: bool,
    /// Gravity compensation as a fraction of the weight.
    pub gravcomp: f64,
    /// Sleep policy of its tree.
    pub sleep: SleepPolicy,
    /// Explicit inertia.
    pub inertial: Option<Inertial>,
    /// User data.
    pub user: Arc<[f64]>,
    /// Joints, applied in order.
    pub joints: Vec<Joint>,
    /// Geoms.
    pub geoms: Vec<Geom>,
    /// Sites.
    pub sites: Vec<Site>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Plugin that applies passive forces.
    pub plugin: Option<Box<PluginRef>>,
    /// Child bodies.
    pub children: Vec<BodyId>,
    /// Source location.
    pub origin: Origin,
}

/// A joint (mjsJoint). Angles are in the unit of the compiler settings.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Joint {
    pub name: String,
    pub class: DefaultId,
    pub frame: Option<FrameId>,
    pub jtype: JointType,
    pub group: i32,
    pub pos: [f64; 3],
    pub axis: [f64; 3],
    pub align: Tri,
    /// Time constant and damping ratio, which override stiffness and damping if positive.
    pub springdamper: [f64; 2],
    pub limited: Tri,
    pub actfrclimited: Tri,
    pub solref_limit: [f64; 2],
    pub solimp_limit: [f64; 5],
    pub solref_friction: [f64; 2],
    pub solimp_friction: [f64; 5],
    pub stiffness: [f64; 3],
    pub range: [f64; 2],
    pub actfrcrange: [f64; 2],
    pub actgravcomp: bool,
    pub margin: f64,
    pub reference: f64,
    pub springref: f64,
    pub armature: f64,
    pub damping: [f64; 3],
    pub frictionloss: f64,
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

/// Default `solref`.
pub(super) const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default `solimp`.
pub(super) const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
const GRAY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

impl Default for Joint {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            frame: None,
            jtype: JointType::Hinge,
            group: 0,
            pos: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            align: Tri::Auto,
            springdamper: [0.0; 2],
            limited: Tri::Auto,
            actfrclimited: Tri::Auto,
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            stiffness: [0.0; 3],
            range: [0.0; 2],
            actfrcrange: [0.0; 2],
            actgravcomp: false,
            margin: 0.0,
            reference: 0.0,
            springref: 0.0,
            armature: 0.0,
            damping: [0.0; 3],
            frictionloss: 0.0,
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// A geom (mjsGeom).
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Geom {
    pub name: String,
    pub class: DefaultId,
    pub frame: Option<FrameId>,
    pub gtype: GeomType,
    pub contype: i32,
    pub conaffinity: i32,
    pub condim: i32,
    pub group: i32,
    pub priority: i32,
    pub size: [f64; 3],
    pub friction: [f64; 3],
    /// Mass; if absent it is computed from the density.
    pub mass: Option<f64>,
    pub density: f64,
    /// Whether the mass is distributed on the surface.
    pub shellinertia: bool,
    pub solmix: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub fromto: Option<[f64; 6]>,
    pub pos: [f64; 3],
    pub orientation: Orientation,
    pub rgba: [f32; 4],
    pub material: String,
    pub mesh: String,
    pub hfield: String,
    /// Scale of a primitive fitted to a mesh.
    pub fitscale: f64,
    /// Whether the ellipsoid fluid model is enabled.
    pub fluidshape: bool,
    pub fluidcoef: [f64; 5],
    pub user: Arc<[f64]>,
    /// Plugin with the signed distance field.
    pub plugin: Option<Box<PluginRef>>,
    pub origin: Origin,
}

impl Default for Geom {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            frame: None,
            gtype: GeomType::Sphere,
            contype: 1,
            conaffinity: 1,
            condim: 3,
            group: 0,
            priority: 0,
            size: [0.0; 3],
            friction: [1.0, 0.005, 0.0001],
            mass: None,
            density: 1000.0,
            shellinertia: false,
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            fromto: None,
            pos: [0.0; 3],
            orientation: Orientation::default(),
            rgba: GRAY,
            material: String::new(),
            mesh: String::new(),
            hfield: String::new(),
            fitscale: 1.0,
            fluidshape: false,
            fluidcoef: [0.5, 0.25, 1.5, 1.0, 1.0],
            user: Arc::default(),
            plugin: None,
            origin: Origin::default(),
        }
    }
}

/// A site (mjsSite).
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Site {
    pub name: String,
    pub class: DefaultId,
    pub frame: Option<FrameId>,
    pub stype: GeomType,
    pub group: i32,
    pub size: [f64; 3],
    pub fromto: Option<[f64; 6]>,
    pub pos: [f64; 3],
    pub orientation: Orientation,
    pub rgba: [f32; 4],
    pub material: String,
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            frame: None,
            stype: GeomType::Sphere,
            group: 0,
            size: [0.005; 3],
            fromto: None,
            pos: [0.0; 3],
            orientation: Orientation::default(),
            rgba: GRAY,
            material: String::new(),
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// A camera.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Camera {
    pub name: String,
    pub class: DefaultId,
    pub frame: Option<FrameId>,
    pub mode: CamLightMode,
    pub target: String,
    pub projection: Projection,
    pub fovy: f64,
    pub ipd: f64,
    pub resolution: [i32; 2],
    /// Output bits (mjtCamOutBit): rgb, depth, distance, normal, segmentation.
    pub output: i32,
    pub pos: [f64; 3],
    pub orientation: Orientation,
    pub focal: [f32; 2],
    pub focalpixel: [f32; 2],
    pub principal: [f32; 2],
    pub principalpixel: [f32; 2],
    pub sensorsize: [f32; 2],
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            frame: None,
            mode: CamLightMode::Fixed,
            target: String::new(),
            projection: Projection::Perspective,
            fovy: 45.0,
            ipd: 0.068,
            resolution: [1, 1],
            output: 1,
            pos: [0.0; 3],
            orientation: Orientation::default(),
            focal: [0.0; 2],
            focalpixel: [0.0; 2],
            principal: [0.0; 2],
            principalpixel: [0.0; 2],
            sensorsize: [0.0; 2],
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// A light.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Light {
    pub name: String,
    pub class: DefaultId,
    pub frame: Option<FrameId>,
    pub mode: CamLightMode,
    pub target: String,
    pub ltype: LightType,
    pub texture: String,
    pub castshadow: bool,
    pub active: bool,
    pub pos: [f64; 3],
    pub dir: [f64; 3],
    pub bulbradius: f32,
    pub intensity: f32,
    pub range: f32,
    pub attenuation: [f32; 3],
    pub cutoff: f32,
    pub exponent: f32,
    pub ambient: [f32; 3],
    pub diffuse: [f32; 3],
    pub specular: [f32; 3],
    pub origin: Origin,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            frame: None,
            mode: CamLightMode::Fixed,
            target: String::new(),
            ltype: LightType::Spot,
            texture: String::new(),
            castshadow: true,
            active: true,
            pos: [0.0; 3],
            dir: [0.0, 0.0, -1.0],
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
            origin: Origin::default(),
        }
    }
}
