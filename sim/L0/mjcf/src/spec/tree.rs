//! The kinematic tree: bodies, frames and what hangs on them.

use super::settings::Tri;
use super::{DefaultId, Origin};
use sim_core::types::{CamLightMode, GeomType, JointType, LightType, Projection, SleepPolicy};
use std::sync::Arc;

/// Index of a body in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BodyId(pub usize);

/// Index of a frame in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrameId(pub usize);

/// An orientation, in one of the ways MJCF offers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Orientation {
    /// Unit quaternion (normalised by the compiler).
    Quat([f64; 4]),
    /// Rotation axis and angle.
    AxisAngle([f64; 4]),
    /// Directions of the x and y axes.
    XyAxes([f64; 6]),
    /// Direction of the z axis, reached by the smallest rotation.
    ZAxis([f64; 3]),
    /// Euler angles in the compiler's sequence.
    Euler([f64; 3]),
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Quat([1.0, 0.0, 0.0, 0.0])
    }
}

/// A coordinate frame that moves what is inside it and then vanishes.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Name.
    pub name: String,
    /// The frame around it, which must come before it in the spec.
    pub parent: Option<FrameId>,
    /// Position in the frame or body around it.
    pub pos: [f64; 3],
    /// Orientation.
    pub orientation: Orientation,
    /// Where it was defined.
    pub origin: Origin,
}

/// An explicit inertia.
#[derive(Debug, Clone, Default)]
pub struct Inertial {
    /// Centre of mass.
    pub pos: [f64; 3],
    /// Orientation of the principal axes.
    pub orientation: Orientation,
    /// Mass.
    pub mass: f64,
    /// Principal moments.
    pub diaginertia: Option<[f64; 3]>,
    /// Full inertia matrix: xx yy zz xy xz yz.
    pub fullinertia: Option<[f64; 6]>,
    /// Where it was defined.
    pub origin: Origin,
}

/// A body, with everything attached to it.
#[derive(Debug, Clone, Default)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Its parent; the world's is itself.
    pub parent: BodyId,
    /// Frame around it.
    pub frame: Option<FrameId>,
    /// Position.
    pub pos: [f64; 3],
    /// Orientation.
    pub orientation: Orientation,
    /// Class that the elements inside take their defaults from.
    pub childclass: DefaultId,
    /// Whether the caller moves it.
    pub mocap: bool,
    /// Share of its weight that is taken off it.
    pub gravcomp: f64,
    /// Whether its tree may sleep.
    pub sleep: SleepPolicy,
    /// Explicit inertia.
    pub inertial: Option<Inertial>,
    /// User data.
    pub user: Arc<[f64]>,
    /// Joints to the parent, applied in order.
    pub joints: Vec<Joint>,
    /// Geoms.
    pub geoms: Vec<Geom>,
    /// Sites.
    pub sites: Vec<Site>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Child bodies.
    pub children: Vec<BodyId>,
    /// Where it was defined.
    pub origin: Origin,
}

/// A joint. Ranges and references of hinges and balls are in the compiler's angle unit.
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
    /// Time constant and damping ratio that replace stiffness and damping when positive.
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

/// MuJoCo's default constraint reference.
pub(super) const SOLREF: [f64; 2] = [0.02, 1.0];
/// MuJoCo's default constraint impedance.
pub(super) const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
const GREY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

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

/// A shape that collides, weighs and is seen.
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
    /// Mass; when absent it follows from the density.
    pub mass: Option<f64>,
    pub density: f64,
    /// Whether mass sits on the surface.
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
    /// Factor on a primitive that is fitted to a mesh.
    pub fitscale: f64,
    /// Whether the ellipsoid model of fluid forces applies.
    pub fluidshape: bool,
    pub fluidcoef: [f64; 5],
    pub user: Arc<[f64]>,
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
            rgba: GREY,
            material: String::new(),
            mesh: String::new(),
            hfield: String::new(),
            fitscale: 1.0,
            fluidshape: false,
            fluidcoef: [0.5, 0.25, 1.5, 1.0, 1.0],
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// A marked place on a body.
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
            rgba: GREY,
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
    /// Bits of the requested images: colour, depth, distance, normal, segmentation.
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
