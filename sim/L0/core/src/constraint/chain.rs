//! Merged dof chain of two bodies (`mj_mergeChain`), and the Jacobian difference of a point on each
//! of them (`mj_jacDifPair`).

use super::chain_dof::ChainDof;
use super::row::RowSet;
use crate::math::vec3::{Vec3, add, cross, sub};
use crate::math::{at, rows, spatial};
use crate::{Data, Model};

impl RowSet {
    /// Collects the dofs of two bodies, last first; dofs common to both only if `common`.
    pub(super) fn merge_chains(&mut self, m: &Model, first: usize, second: usize, common: bool) {
        self.chain.clear();
        let last = |body: usize| {
            let body = at(&m.body_weldid, body);
            match m.body_dofnum[body] {
                0 => -1,
                count => m.body_dofadr[body] + count - 1,
            }
        };
        let (mut a, mut b) = (last(first), last(second));
        while a >= 0 || b >= 0 {
            let dof = a.max(b);
            let link = ChainDof { dof, first: a == dof, second: b == dof };
            if link.first && link.second && !common {
                return;
            }
            self.chain.push(link);
            let parent = m.dof_parentid[dof as usize];
            if link.first {
                a = parent;
            }
            if link.second {
                b = parent;
            }
        }
    }
}

/// Offsets of a point on each of two bodies from the `subtree_com` of their kinematic trees.
pub(super) struct JacDifPair([Vec3; 2]);

impl JacDifPair {
    pub(super) fn new(m: &Model, d: &Data, bodies: [usize; 2], points: [Vec3; 2]) -> Self {
        let com = rows::<3>(&d.subtree_com);
        Self([0, 1].map(|k| sub(points[k], com[at(&m.body_rootid, bodies[k])])))
    }

    /// Jacobian column of a dof: linear velocity of the second point minus the first, and angular
    /// velocity of the second body minus the first.
    #[inline(always)]
    pub(super) fn column(&self, cdof: &[[f64; 6]], link: ChainDof) -> (Vec3, Vec3) {
        let motion = &cdof[link.dof as usize];
        let axis = spatial::rotation(motion);
        let velocity = |offset: Vec3| add(spatial::translation(motion), cross(axis, offset));
        match (link.first, link.second) {
            (true, true) => (sub(velocity(self.0[1]), velocity(self.0[0])), [0.0; 3]),
            (true, false) => (sub([0.0; 3], velocity(self.0[0])), sub([0.0; 3], axis)),
            _ => (velocity(self.0[1]), axis),
        }
    }
}
