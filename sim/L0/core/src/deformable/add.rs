//! Adding deformable bodies and their attachments to a model.

use super::model::{Attachment, Deformable};
use crate::Model;
use nalgebra::Vector3;
use sim_deformable::DeformableError;
use std::sync::Arc;

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
