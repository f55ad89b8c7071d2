//! Contacts of a flex with itself.

use super::Collider;
use super::sweep::CrossSection;
use crate::math::{at, rows};

/// Values of `flex_selfcollide`.
const NONE: i32 = 0;
const NARROW: i32 = 1;
const BVH: i32 = 2;
const AUTO: i32 = 4;

impl Collider<'_> {
    /// Adds the contacts of a flex with itself: inside, then between its elements.
    pub(super) fn self_collision(&mut self, f: usize) {
        let m = self.m;
        if m.flex_internal[f] {
            let first = self.work.contacts.len();
            self.internal(f);
            self.thin(first);
        }
        let mode = m.flex_selfcollide[f];
        if mode == NONE {
            return;
        }
        let first = self.work.contacts.len();
        if !self.midphase || mode == NARROW || m.flex_bvhadr[f] < 0 {
            for e1 in 0..at(&m.flex_elemnum, f) {
                if !self.is_active(f, e1) {
                    continue;
                }
                for e2 in e1 + 1..at(&m.flex_elemnum, f) {
                    if self.is_active(f, e2) {
                        self.elements([f, f], [e1, e2]);
                    }
                }
            }
        } else if mode == BVH || mode == AUTO && m.flex_dim[f] == 3 {
            self.flex_trees(f, f);
        } else {
            self.sweep(f);
        }
        self.thin(first);
    }

    /// Sweep and prune along the longest axis of the flex.
    #[doc(alias = "mj_collideFlexSAP")]
    fn sweep(&mut self, f: usize) {
        let m = self.m;
        let first = at(&m.flex_elemadr, f);
        let elements = first..first + at(&m.flex_elemnum, f);
        let boxes = &rows::<6>(&self.d.flexelem_aabb)[elements.clone()];
        let bodies = &m.plan.flex.element_bodies[elements];
        let root = &self.boxes(f)[0];
        let axis = if root[3] > root[4] && root[3] > root[5] {
            0
        } else if root[4] > root[5] {
            1
        } else {
            2
        };
        let others = [[1, 2], [0, 2], [0, 1]][axis];
        let mut sweep = std::mem::take(&mut self.work.sweep);
        sweep.start(f, boxes, axis, |e| self.is_active(f, e));
        let mut index = 0;
        while let Some((e, upper)) = sweep.bound(index) {
            index += 1;
            if upper {
                sweep.remove(e);
                continue;
            }
            let section = CrossSection::new(&boxes[e], others);
            // missing vertices differ from those of the other element
            let own = bodies[e].map(|body| if body < 0 { NO_BODY } else { body });
            for &a in sweep.overlaps(&section) {
                if !share_body(&bodies[a as usize], &own) {
                    self.elements([f, f], [a as usize, e]);
                }
            }
            sweep.add(e, &section);
        }
        self.work.sweep = sweep;
    }
}

/// Differs from the bodies of all vertices, and from −1.
const NO_BODY: i32 = -2;

/// Whether two elements have vertices on the same body. Without early exit, so that it vectorises.
#[inline(always)]
fn share_body(a: &[i32; 4], b: &[i32; 4]) -> bool {
    let mut equal = [false; 4];
    for &body in b {
        for lane in 0..4 {
            equal[lane] |= a[lane] == body;
        }
    }
    equal != [false; 4]
}
