//! Deformable bodies of a model: what they are, how they touch, and what holds them.

use crate::Model;
use nalgebra::Vector3;
use sim_deformable::{Body, DeformableBody, DeformableError, XpbdConfig};
use std::sync::Arc;

/// A vertex that is held by a rigid body: both pull at each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The vertex.
    pub vertex: usize,
    /// The rigid body; 0 for the world.
    pub body: usize,
    /// The point of the body that holds it, in the body's frame.
    pub pos: [f64; 3],
}

/// A deformable body of a model.
#[derive(Debug, Clone)]
pub struct Deformable {
    /// Its name.
    pub name: String,
    /// Its particles at the start.
    pub body: Body,
    /// Its vertices that rigid bodies hold.
    pub attachments: Vec<Attachment>,
    /// Contact masks, as those of geoms.
    pub contype: i32,
    /// Contact masks, as those of geoms.
    pub conaffinity: i32,
    /// Distance at which contacts are looked for, added to that of the geom.
    pub margin: f64,
    /// How contacts are steered, as `geom_solref`.
    pub solref: [f64; 2],
    /// How contacts are softened, as `geom_solimp`.
    pub solimp: [f64; 5],
    /// Pressure of the medium, as a share of that on a plate: with `opt.density` and `opt.wind`.
    pub drag: f64,
}

impl Deformable {
    /// A deformable body that begins where and how `body` is: its pinned particles stay pinned.
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

/// The deformable bodies of a model, and how they are stepped.
#[derive(Debug, Clone, Default)]
pub struct Deformables {
    /// Substeps, drag and sleep of all of them.
    pub config: XpbdConfig,
    list: Vec<Arc<Deformable>>,
}

impl Deformables {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Deformable> + Clone {
        self.list.iter().map(|one| &**one)
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Deformable> {
        self.list.get(index).map(|one| &**one)
    }

    /// The one of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|one| one.name == name)
    }
}

impl Model {
    /// Adds a deformable body; returns its number. Data made before gets it when it is reset.
    ///
    /// # Errors
    /// Attachments of vertices or to bodies that are not there, and numbers that are not finite.
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
        let numbers = [
            ("margin", deformable.margin, deformable.margin >= 0.0),
            ("drag", deformable.drag, deformable.drag >= 0.0),
        ];
        for (name, value, good) in numbers {
            if !(good && value.is_finite()) {
                let wanted = "finite, not negative";
                return Err(DeformableError::Parameter { name, value, wanted });
            }
        }
        for &value in deformable.solref.iter().chain(&deformable.solimp) {
            if !value.is_finite() {
                let (name, wanted) = ("solref or solimp", "finite");
                return Err(DeformableError::Parameter { name, value, wanted });
            }
        }
        self.deformables.list.push(Arc::new(deformable));
        Ok(self.deformables.list.len() - 1)
    }

    /// Holds vertices of a deformable body to a rigid body, at the points where they are while the
    /// model is in its reference configuration.
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
        let hold = |&vertex: &usize| {
            let count = points.len();
            let missing = DeformableError::NoParticle { particle: vertex, count };
            let offset = points.get(vertex).ok_or(missing)? - origin;
            let pos = [0, 1, 2].map(|k| (0..3).map(|r| mat[3 * r + k] * offset[r]).sum());
            Ok(Attachment { vertex, body, pos })
        };
        vertices.iter().map(hold).collect()
    }
}
