//! Deformable bodies: cloth, soft bodies and ropes.

use super::{Orientation, Origin};
use sim_core::deformable::XpbdConfig;

/// Kind of a deformable body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeformableKind {
    /// A triangle mesh.
    #[default]
    Cloth,
    /// A tetrahedral mesh.
    Soft,
    /// A chain of particles.
    Rope,
}

/// A deformable body. `None` values are those of the preset.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are the attributes' names")]
pub struct Deformable {
    pub name: String,
    pub kind: DeformableKind,
    pub pos: [f64; 3],
    pub alt: Orientation,
    /// Name of a preset; empty for cotton, rubber or rope by kind.
    pub preset: String,
    pub young: Option<f64>,
    pub poisson: Option<f64>,
    pub density: Option<f64>,
    pub friction: Option<f64>,
    pub damping: Option<f64>,
    /// Self-contact distance, m; 0 disables self-contact.
    pub selfcollide: f64,
    pub contype: i32,
    pub conaffinity: i32,
    pub margin: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub drag: f64,
    /// Colour and opacity of the surface.
    pub rgba: [f32; 4],
    /// Mesh file: OBJ for cloth; Gmsh (`.msh`) or TetGen (`.node` with its `.ele`) for soft bodies.
    pub file: String,
    /// Whether a soft body without a file is a sphere; otherwise it is a box.
    pub sphere: bool,
    /// Side lengths of a cloth or box, or radius of a sphere, m.
    pub size: Vec<f64>,
    /// Cells along each side; for a sphere, subdivisions of its surface and layers.
    pub cells: Vec<i32>,
    /// Whether a soft body is neo-Hookean; otherwise it has springs and volume constraints.
    pub neohookean: bool,
    pub thickness: Option<f64>,
    pub shear: Option<f64>,
    pub bending: Option<f64>,
    pub twist: Option<f64>,
    pub radius: Option<f64>,
    /// End points of a straight rope, m.
    pub fromto: Option<[f64; 6]>,
    pub segments: i32,
    /// Points of a rope that is not straight, m.
    pub points: Vec<f64>,
    /// Indices of pinned vertices.
    pub pins: Vec<i32>,
    pub attachments: Vec<Attach>,
    pub origin: Origin,
}

/// Vertices attached to a rigid body.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are the attributes' names")]
pub struct Attach {
    pub vertices: Vec<i32>,
    /// Body to which they are attached at their positions in the reference configuration.
    pub body: String,
    /// Site to which they are attached.
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
            rgba: [0.5, 0.5, 0.5, 1.0],
            file: String::new(),
            sphere: false,
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

/// Solver settings of the deformable bodies.
pub type DeformableSettings = XpbdConfig;
