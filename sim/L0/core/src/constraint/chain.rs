//! The dofs that move two bodies, and the Jacobian of the difference of a point on each
//! (`mj_mergeChain`, `mj_jacDifPair`).

use super::row::{Link, RowSet};
use crate::math::vec3::{Vec3, add, cross, sub};
use crate::math::{at, rows, spatial};
use crate::{Data, Model};

impl RowSet {
    /// Collects the dofs of two bodies, the last first; those that move both only if `common`.
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
            let link = Link { dof, first: a == dof, second: b == dof };
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

/// Where a point of each of two bodies is, seen from the mass centres of their trees.
pub(super) struct Arms([Vec3; 2]);

impl Arms {
    pub(super) fn new(m: &Model, d: &Data, bodies: [usize; 2], points: [Vec3; 2]) -> Self {
        let com = rows::<3>(&d.subtree_com);
        Self([0, 1].map(|k| sub(points[k], com[at(&m.body_rootid, bodies[k])])))
    }

    /// The column of a dof: how fast the second point moves away from the first, and how fast the
    /// second body turns against the first.
    #[inline(always)]
    pub(super) fn column(&self, cdof: &[[f64; 6]], link: Link) -> (Vec3, Vec3) {
        let motion = &cdof[link.dof as usize];
        let axis = spatial::rotation(motion);
        let speed = |arm: Vec3| add(spatial::translation(motion), cross(axis, arm));
        match (link.first, link.second) {
            (true, true) => (sub(speed(self.0[1]), speed(self.0[0])), [0.0; 3]),
            (true, false) => (sub([0.0; 3], speed(self.0[0])), sub([0.0; 3], axis)),
            _ => (speed(self.0[1]), axis),
        }
    }
}
