//! Contacts of flexes with geoms, with each other and with themselves.
//!
//! Pairs are visited in MuJoCo's order, because the number of contacts of a pair is limited and the selection
//! depends on the order.

mod element;
mod internal;
mod normal;
mod pair;
mod self_collision;
mod sweep;
mod thin;
mod tree;
mod triangle;
mod work;

pub(super) use work::FlexWork;

use super::contact::{FlexSide, flex_params};
use super::convex::{CcdOptions, CcdWork};
use super::manifold::Manifold;
use crate::flex::elements;
use crate::math::vec3::Vec3;
use crate::math::{at, rows};
use crate::{Data, Model};
use sim_types::{Contact, DisableBit, EnableBit};

/// Everything that the collision of one pair reads and writes.
struct Collider<'a> {
    m: &'a Model,
    d: &'a Data,
    opt: CcdOptions,
    midphase: bool,
    ccd: &'a mut CcdWork,
    manifold: &'a mut Manifold,
    work: &'a mut FlexWork,
}

/// Adds the contacts of all flexes to those of the geoms, which are in the order of their bodies.
pub(super) fn collide(
    m: &Model,
    d: &Data,
    (manifold, ccd): (&mut Manifold, &mut CcdWork),
    work: &mut FlexWork,
    contacts: &mut Vec<Contact>,
) {
    work.contacts.clear();
    work.pairs.clear();
    ccd.axis_guess = [0.0; 3];
    let midphase = !m.opt.disabled(DisableBit::Midphase);
    let opt = CcdOptions::of(&m.opt);
    let mut collider = Collider { m, d, opt, midphase, ccd, manifold, work };
    for &body in &m.plan.flex.bodies {
        for f in 0..m.nflex {
            collider.body_flex(body as usize, f);
        }
        let end = collider.work.contacts.len();
        collider.work.pairs.push((body as usize, end));
    }
    for f1 in 0..m.nflex {
        for f2 in f1 + 1..m.nflex {
            collider.flex_flex(f1, f2);
        }
    }
    for f in 0..m.nflex {
        if !m.flex_rigid[f] && m.flex_contype[f] & m.flex_conaffinity[f] != 0 {
            collider.self_collision(f);
        }
    }
    merge(m, work, contacts);
}

/// Inserts the contacts of flexes into those of the geoms: after all pairs of two bodies whose lower body is not
/// larger.
fn merge(m: &Model, work: &mut FlexWork, contacts: &mut Vec<Contact>) {
    if work.contacts.is_empty() {
        return;
    }
    if contacts.is_empty() {
        contacts.extend_from_slice(&work.contacts);
        return;
    }
    let lower_body = |contact: &Contact| {
        let [a, b] = contact.geom.map(|g| at(&m.geom_bodyid, g as usize));
        a.min(b)
    };
    work.merged.clear();
    let (mut rigid, mut start) = (0, 0);
    for &(body, end) in &work.pairs {
        if end > start {
            let count = contacts[rigid..].iter().take_while(|c| lower_body(c) <= body).count();
            work.merged.extend_from_slice(&contacts[rigid..rigid + count]);
            rigid += count;
        }
        work.merged.extend_from_slice(&work.contacts[start..end]);
        start = end;
    }
    work.merged.extend_from_slice(&contacts[rigid..]);
    work.merged.extend_from_slice(&work.contacts[start..]);
    std::mem::swap(&mut work.merged, contacts);
}

/// Whether two pairs of masks allow contact.
fn masks_match(a: [i32; 2], b: [i32; 2]) -> bool {
    a[0] & b[1] != 0 || b[0] & a[1] != 0
}

impl<'a> Collider<'a> {
    fn flex_masks(&self, f: usize) -> [i32; 2] {
        [self.m.flex_contype[f], self.m.flex_conaffinity[f]]
    }

    /// The margin of a pair, or the one that overrides all.
    fn margin(&self, sum: f64) -> f64 {
        if self.m.opt.enabled(EnableBit::Override) { self.m.opt.o_margin } else { sum }
    }

    /// Vertices of a flex.
    fn vertices(&self, f: usize) -> &'a [Vec3] {
        &rows::<3>(&self.d.flexvert_xpos)[crate::flex::vertices(self.m, f)]
    }

    /// Vertices of an element, relative to the flex.
    fn corners(&self, f: usize, e: usize) -> &'a [i32] {
        let n = at(&self.m.flex_dim, f) + 1;
        &elements(self.m, f)[e * n..(e + 1) * n]
    }

    /// Bounding box of an element.
    fn element_box(&self, f: usize, e: usize) -> &'a [f64; 6] {
        &rows::<6>(&self.d.flexelem_aabb)[at(&self.m.flex_elemadr, f) + e]
    }

    /// Boxes of the bounding volume hierarchy of a flex, its root first.
    fn boxes(&self, f: usize) -> &'a [[f64; 6]] {
        let first = at(&self.m.flex_bvhadr, f) - self.m.nbvhstatic;
        &rows::<6>(&self.d.bvh_aabb_dyn)[first..first + at(&self.m.flex_bvhnum, f)]
    }

    /// Whether an element takes part in collisions: all but the interior of solids.
    fn is_active(&self, f: usize, e: usize) -> bool {
        let m = self.m;
        m.flex_dim[f] < 3 || m.flex_elemlayer[at(&m.flex_elemadr, f) + e] < m.flex_activelayers[f]
    }

    /// Reduces the contacts from `first` on to the largest number of one pair.
    fn thin(&mut self, first: usize) {
        let FlexWork { contacts, thinning, .. } = &mut *self.work;
        thin::thin(contacts, first, thinning);
    }

    /// Adds the contact points in the manifold, with the ids of `ids`.
    fn push(&mut self, sides: [FlexSide; 2], margin: f64, gap: bool, ids: &Contact) {
        if self.manifold.as_slice().is_empty() {
            return;
        }
        let mut template = flex_params(self.m, sides, margin, gap);
        template.geom = ids.geom;
        template.flex = ids.flex;
        template.elem = ids.elem;
        template.vert = ids.vert;
        for point in self.manifold.as_slice() {
            self.work.contacts.push(template.at(point));
        }
    }
}
