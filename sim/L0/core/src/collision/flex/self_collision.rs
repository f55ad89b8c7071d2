//! Contacts of a flex with itself.

use super::work::Active;
use super::{Collider, FlexWork};
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

    /// Whether two elements have vertices on the same body.
    #[inline]
    fn share_body(&self, f: usize, e1: usize, e2: usize) -> bool {
        let bodies = &self.m.flex_vertbodyid[crate::flex::vertices(self.m, f)];
        let second = self.corners(f, e2);
        self.corners(f, e1).iter().any(|&v1| {
            let body = bodies[v1 as usize];
            body >= 0 && second.iter().any(|&v2| bodies[v2 as usize] == body)
        })
    }

    /// Sweep and prune along the longest axis of the flex.
    #[doc(alias = "mj_collideFlexSAP")]
    fn sweep(&mut self, f: usize) {
        let m = self.m;
        let first = at(&m.flex_elemadr, f);
        let boxes = &rows::<6>(&self.d.flexelem_aabb)[first..first + at(&m.flex_elemnum, f)];
        let root = &self.boxes(f)[0];
        let axis = if root[3] > root[4] && root[3] > root[5] {
            0
        } else if root[4] > root[5] {
            1
        } else {
            2
        };
        let others = [[1, 2], [0, 2], [0, 1]][axis];
        let FlexWork { bounds, active, .. } = &mut *self.work;
        let (mut bounds, mut active) = (std::mem::take(bounds), std::mem::take(active));
        bounds.clear();
        active.clear();
        for (e, b) in boxes.iter().enumerate().filter(|&(e, _)| self.is_active(f, e)) {
            bounds.push(((b[axis] - b[axis + 3]) as f32, e as u32, false));
            bounds.push(((b[axis] + b[axis + 3]) as f32, e as u32, true));
        }
        // in-place and stable, because the order of equal bounds matters
        stable_sort(&mut bounds);
        for &(_, e, upper) in &bounds {
            if upper {
                if let Some(position) = active.iter().position(|other| other.element == e) {
                    active.remove(position);
                }
                continue;
            }
            let b = &boxes[e as usize];
            let [low, high] = [-1.0, 1.0].map(|sign| others.map(|k| b[k] + sign * b[k + 3]));
            for a in &active {
                let apart = a.low[0] > high[0]
                    || low[0] > a.high[0]
                    || a.low[1] > high[1]
                    || low[1] > a.high[1];
                if !apart && !self.share_body(f, a.element as usize, e as usize) {
                    self.elements([f, f], [a.element as usize, e as usize]);
                }
            }
            active.push(Active { element: e, low, high });
        }
        self.work.bounds = bounds;
        self.work.active = active;
    }
}

/// Sorts by value; equal values keep their order, which is that of the elements with the lower bound first.
fn stable_sort(bounds: &mut [(f32, u32, bool)]) {
    bounds.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
}
