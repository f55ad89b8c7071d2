//! Deformable bodies: cloth, soft bodies and ropes.

use super::{Orientation, Origin};
use sim_core::deformable::XpbdConfig;

/// What a deformable body is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeformableKind {
    /// A surface of triangles.
    #[default]
    Cloth,
    /// A solid of tetrahedra.
    Soft,
    /// A chain of particles.
    Rope,
}

/// A deformable body. What is `None` comes from the preset.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are the attributes' names")]
pub struct Deformable {
    pub name: String,
    pub kind: DeformableKind,
    pub pos: [f64; 3],
    pub alt: Orientation,
    /// Name of a material; empty for cotton, rubber or rope.
    pub preset: String,
    pub young: Option<f64>,
    pub poisson: Option<f64>,
    pub density: Option<f64>,
    pub friction: Option<f64>,
    pub damping: Option<f64>,
    /// Distance at which it touches itself; 0 for never.
    pub selfcollide: f64,
    pub contype: i32,
    pub conaffinity: i32,
    pub margin: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub drag: f64,
    /// A mesh: OBJ for cloth; Gmsh (`.msh`) or TetGen (`.node` beside `.ele`) for soft bodies.
    pub file: String,
    /// Whether a soft body without a file is a ball; otherwise it is a box.
    pub ball: bool,
    /// Sides of a cloth or box, radius of a ball.
    pub size: Vec<f64>,
    /// Cells along each side; for a ball subdivisions of its surface and layers.
    pub cells: Vec<i32>,
    /// Whether a soft body is neo-Hookean; otherwise springs and volumes.
    pub neohookean: bool,
    pub thickness: Option<f64>,
    pub shear: Option<f64>,
    pub bending: Option<f64>,
    pub twist: Option<f64>,
    pub radius: Option<f64>,
    /// Ends of a straight rope.
    pub fromto: Option<[f64; 6]>,
    pub segments: i32,
    /// Points of a rope that is not straight.
    pub points: Vec<f64>,
    /// Vertices that stay where they are.
    pub pins: Vec<i32>,
    pub attachments: Vec<Attach>,
    pub origin: Origin,
}

/// Vertices that a rigid body holds.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are the attributes' names")]
pub struct Attach {
    pub vertices: Vec<i32>,
    /// Held where they are in the reference configuration.
    pub body: String,
    /// Held at this site.
    pub site: String,
    pub origin: Origin,
}

impl Default for Deformable {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: DeformableKind::default(),
            pos: [0.0; 3],
            alt: Orientation::default(),
            preset: String::new(),
            young: None,
            poisson: None,
            density: None,
            friction: None,
            damping: None,
            selfcollide: 0.0,
            contype: 1,
            conaffinity: 1,
            margin: 0.0,
            solref: [0.02, 1.0],
            solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            drag: 1.0,
            file: String::new(),
            ball: false,
            size: Vec::new(),
            cells: Vec::new(),
            neohookean: false,
            thickness: None,
            shear: None,
            bending: None,
            twist: None,
            radius: None,
            fromto: None,
            segments: 20,
            points: Vec::new(),
            pins: Vec::new(),
            attachments: Vec::new(),
            origin: Origin::default(),
        }
    }
}

/// How deformable bodies are stepped.
pub type DeformableSettings = XpbdConfig;
