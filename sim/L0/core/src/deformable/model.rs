//! Deformable bodies of a model: their initial state, contact parameters and attachments.

use sim_deformable::{Body, DeformableBody, XpbdConfig};
use std::sync::Arc;

/// A vertex attached to a point of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// Index of the vertex.
    pub vertex: usize,
    /// Index of the rigid body; 0 for the world.
    pub body: usize,
    /// The point of the rigid body, in the frame of the body, m.
    pub pos: [f64; 3],
}

/// A deformable body of a model.
#[derive(Debug, Clone)]
pub struct Deformable {
    /// Name.
    pub name: String,
    /// Particles and internal constraints in the initial state.
    pub body: Body,
    /// Vertices attached to rigid bodies.
    pub attachments: Vec<Attachment>,
    /// Contact type bit mask, as `geom_contype`.
    pub contype: i32,
    /// Contact affinity bit mask, as `geom_conaffinity`.
    pub conaffinity: i32,
    /// Contact margin, m, added to `geom_margin`.
    pub margin: f64,
    /// Solver reference of its contacts, as `geom_solref`.
    pub solref: [f64; 2],
    /// Solver impedance of its contacts, as `geom_solimp`.
    pub solimp: [f64; 5],
    /// Drag coefficient of its triangles in a medium of `opt.density` and `opt.wind`; 1 for a flat
    /// plate.
    pub drag: f64,
    /// Colour and opacity (r, g, b, a) of its surface, each in 0 to 1.
    pub rgba: [f32; 4],
}

impl Deformable {
    /// A deformable body with the current state of `body` as its initial state, pinned particles
    /// included.
    #[must_use]
    pub fn new(name: impl Into<String>, body: &dyn DeformableBody) -> Self {
        Self {
            name: name.into(),
            body: body.body().clone(),
            attachments: Vec::new(),
            contype: 1,
            conaffinity: 1,
            margin: 0.0,
            solref: [0.02, 1.0],
            solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            drag: 1.0,
            rgba: [0.5, 0.5, 0.5, 1.0],
        }
    }
}

/// The deformable bodies of a model and the settings of their solver.
#[derive(Debug, Clone, Default)]
pub struct Deformables {
    /// Solver settings of all deformable bodies.
    pub config: XpbdConfig,
    pub(super) list: Vec<Arc<Deformable>>,
}

impl Deformables {
    /// Number of deformable bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the model has no deformable bodies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Iterates over the deformable bodies.
    pub fn iter(&self) -> impl Iterator<Item = &Deformable> + Clone {
        self.list.iter().map(|deformable| &**deformable)
    }

    /// The deformable body at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Deformable> {
        self.list.get(index).map(|deformable| &**deformable)
    }

    /// Index of the deformable body with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|deformable| deformable.name == name)
    }
}
