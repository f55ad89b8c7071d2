//! Deformable bodies of a model: their initial state, contact parameters and attachments.

use crate::Model;
use nalgebra::Vector3;
use sim_deformable::{Body, DeformableBody, DeformableError, XpbdConfig};
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
        }
    }
}

/// The deformable bodies of a model and the settings of their solver.
#[derive(Debug, Clone, Default)]
pub struct Deformables {
    /// Solver settings of all deformable bodies.
    pub config: XpbdConfig,
    list: Vec<Arc<Deformable>>,
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

impl Model {
    /// Adds a deformable body and returns its index. A `Data` made before includes it after
    /// `Data::reset`.
    ///
    /// # Errors
    /// An attachment to a vertex or body that does not exist, or a parameter that is not finite or
    /// out of range.
    pub fn add_deformable(&mut self, deformable: Deformable) -> Result<usize, DeformableError> {
        let count = deformable.body.len();
        for attachment in &deformable.attachments {
            if attachment.vertex >= count {
                let particle = attachment.vertex;
                return Err(DeformableError::NoParticle { particle, count });
            }
            if attachment.body >= self.nbody {
                let (body, count) = (attachment.body, self.nbody);
                return Err(DeformableError::NoBody { body, count });
            }
            if !attachment.pos.iter().all(|x| x.is_finite()) {
                return Err(DeformableError::NotFinite { vertex: attachment.vertex });
            }
        }
        let checks = [
            ("margin", deformable.margin, deformable.margin >= 0.0),
            ("drag", deformable.drag, deformable.drag >= 0.0),
        ];
        for (name, value, valid) in checks {
            if !(valid && value.is_finite()) {
                let expected = "finite, not negative";
                return Err(DeformableError::Parameter { name, value, expected });
            }
        }
        for &value in deformable.solref.iter().chain(&deformable.solimp) {
            if !value.is_finite() {
                let (name, expected) = ("solref or solimp", "finite");
                return Err(DeformableError::Parameter { name, value, expected });
            }
        }
        self.deformables.list.push(Arc::new(deformable));
        Ok(self.deformables.list.len() - 1)
    }

    /// Attachments of vertices to a rigid body at their positions in the reference configuration of
    /// the model (`qpos0`).
    ///
    /// # Errors
    /// As [`Model::add_deformable`].
    pub fn attachments_at_rest(
        &self,
        deformable: &Deformable,
        vertices: &[usize],
        body: usize,
    ) -> Result<Vec<Attachment>, DeformableError> {
        if body >= self.nbody {
            return Err(DeformableError::NoBody { body, count: self.nbody });
        }
        let mut d = self.make_data();
        crate::mj_kinematics(self, &mut d);
        let at =
            |flat: &[f64]| Vector3::new(flat[3 * body], flat[3 * body + 1], flat[3 * body + 2]);
        let origin = at(&d.xpos);
        let mat = &d.xmat[9 * body..9 * body + 9];
        let points = deformable.body.positions();
        let attach = |&vertex: &usize| {
            let count = points.len();
            let missing = DeformableError::NoParticle { particle: vertex, count };
            let offset = points.get(vertex).ok_or(missing)? - origin;
            let pos = [0, 1, 2].map(|k| (0..3).map(|r| mat[3 * r + k] * offset[r]).sum());
            Ok(Attachment { vertex, body, pos })
        };
        vertices.iter().map(attach).collect()
    }
}
