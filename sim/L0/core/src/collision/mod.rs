//! Collision detection (`mj_collision`): broad phase, mid phase, narrow phase, contact parameters.

mod add_contact;
mod broadphase;
mod contact;
mod convex;
mod dispatch;
mod distance;
mod filter;
mod flex;
mod geom;
mod manifold;
mod midphase;
mod narrow;
mod scratch;
mod sdf;
mod shape;
mod sphere_query;
mod trimesh;

pub use add_contact::{AddContactError, mj_add_contact};
pub(crate) use broadphase::{PairTable, Sap};
pub use contact::{ContactPair, contact_pairs};
pub(crate) use contact::{SurfaceParams, deformable_contact};
pub use convex::{ConvexProbe, convex_contacts, convex_distance};
pub use distance::mj_geom_distance;
pub(crate) use filter::world_aabb;
pub(crate) use manifold::ContactPoint;
pub(crate) use scratch::{Collision, Narrow};
pub(crate) use sdf::Field;
pub use sdf::{signed_distance, signed_distance_gradient};
pub(crate) use shape::{HeightField, Shape};
pub(crate) use sphere_query::{local_aabb, points_in_aabb, sphere_contact};
pub(crate) use trimesh::closed_meshes;

use crate::math::rows;
use crate::profile::{Timer, time};
use crate::sleep::mj_wake_collision;
use crate::{Data, Model};
use broadphase::{
    BLOCK, BoundKey, BoundTest, Candidate, Candidates, MotionBound, Swept, TwoLevelSap,
};
use convex::{CcdOptions, convex, hfield_convex, plane_convex};
use dispatch::Routine;
use filter::is_inactive;
use midphase::obb_separation;
use sdf::{mesh_sdf_contacts, sdf_contacts};
use sim_types::{Contact, DisableBit, EnableBit};
use trimesh::trimesh_contacts;

/// Detects all contacts.
///
/// Reads `geom_xpos`, `geom_xmat`. Writes `contact`, `ncon`.
pub fn mj_collision(m: &Model, d: &mut Data) {
    collide_rigid(m, d);
    if d.deformables.is_some() {
        crate::deformable::find_contacts(m, d);
    }
}

/// Origin of the contacts of a forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContactSource {
    /// Collision detection.
    Detect,
    /// The contacts in `d.contact` are kept.
    Given,
}

/// The collision stage of the pipeline: detects contacts and wakes the sleeping trees in contact with awake
/// ones, repeatedly until no more trees wake up.
pub(crate) fn collide_and_wake(m: &Model, d: &mut Data, contacts: ContactSource) {
    loop {
        time(m, d, Timer::PosCollision, |d| {
            if contacts == ContactSource::Detect {
                mj_collision(m, d);
            }
        });
        if !mj_wake_collision(m, d) {
            return;
        }
    }
}

/// Detects the contacts between geoms.
fn collide_rigid(m: &Model, d: &mut Data) {
    d.contact.clear();
    d.ncon = 0;
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if off || m.nbody + m.nflex < 2 || m.plan.pairs.is_empty(m) && m.nflex == 0 {
        return;
    }
    // the contact-filter callback reads `d` meanwhile
    let mut contacts = std::mem::take(&mut d.contact);
    let mut scratch = d.scratch.collision.take().unwrap_or_default();
    let pairs = &m.plan.pairs;
    let Collision { sap, motion_bound, narrow, flex } = &mut *scratch;
    // `Listed`: the precomputed list of all filtered pairs. `Swept`: the result of sweep-and-prune, for
    // large models, a contact-filter callback, or a disabled mid phase (`broadphase/pairs.rs`)
    match pairs.candidates(m, d, sap) {
        Candidates::Listed(list) => {
            collide_listed(m, d, list, motion_bound, narrow, &mut contacts);
        }
        Candidates::Swept => collide_swept(m, d, sap, narrow, &mut contacts),
    }
    if m.nflex > 0 {
        let Narrow { manifold, ccd, .. } = narrow;
        flex::collide(m, d, (manifold, ccd), flex, &mut contacts);
    }
    d.scratch.collision = Some(scratch);
    d.ncon = contacts.len();
    d.contact = contacts;
}

/// Adds the contacts of the active pairs of the pair list ([`MotionBound::active`] of each block): those
/// that may have come into contact by the motion of their geoms since they were found separated. The
/// separation bounds are discarded if the settings in [`BoundKey`] change
/// (`broadphase/motion_bound.rs`).
fn collide_listed(
    m: &Model,
    d: &Data,
    list: &[Candidate],
    motion_bound: &mut MotionBound,
    narrow: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let sleep = m.opt.enabled(EnableBit::Sleep);
    let pairs = &m.plan.pairs;
    let key = BoundKey {
        table: pairs.id,
        margin: m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin.to_bits()),
        parent_child: m.opt.disabled(DisableBit::FilterParent),
    };
    motion_bound.update(key, pairs, rows::<3>(&d.geom_xpos), rows::<9>(&d.geom_xmat));
    for i in 0..motion_bound.active_len() {
        let (block, mut active) = motion_bound.active(i);
        let candidates = &list[BLOCK * block..];
        while active != 0 {
            let k = active.trailing_zeros() as usize;
            active &= active - 1;
            let Some(candidate) = candidates.get(k) else { break };
            let mut separation = 0.0;
            if !(sleep && is_inactive(m, d, candidate)) {
                let axis = motion_bound.axis(block, k);
                (narrow.ccd.axis, narrow.ccd.axis_guess) = (*axis, *axis);
                separation = collide_pair(m, d, candidate, narrow, contacts);
                *axis = narrow.ccd.axis;
            }
            motion_bound.set_separation(block, k, separation, pairs);
        }
    }
}

/// Adds the contacts of the candidates of a sweep.
fn collide_swept(
    m: &Model,
    d: &Data,
    sap: &TwoLevelSap,
    narrow: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let sleep = m.opt.enabled(EnableBit::Sleep);
    for k in 0..sap.len() {
        match sap.get(&m.plan.pairs, k) {
            Some(Swept::Geoms(g1, g2)) => {
                let margin = m.geom_margin[g1] + m.geom_margin[g2];
                let candidate = Candidate::without_bound_test(m, g1, g2, margin);
                let Some(candidate) = candidate else { continue };
                if !(sleep && is_inactive(m, d, &candidate)) {
                    let margin = contact::margin_of(m, &candidate);
                    narrow_phase(m, d, &candidate, margin, false, narrow, contacts);
                }
            }
            Some(Swept::Explicit(candidate)) if !(sleep && is_inactive(m, d, candidate)) => {
                collide_pair(m, d, candidate, narrow, contacts);
            }
            _ => {}
        }
    }
}

/// Adds the contacts of a candidate. Returns a lower bound on the separation of the geoms, or 0.
#[doc(alias = "mj_collideGeoms")]
#[inline(always)]
fn collide_pair(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    narrow: &mut Narrow,
    contacts: &mut Vec<Contact>,
) -> f64 {
    let margin = contact::margin_of(m, candidate);
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    let threshold = candidate.rbound_sum + margin;
    if candidate.bound_test.passes(d, g1, g2, threshold) {
        narrow_phase(m, d, candidate, margin, true, narrow, contacts)
    } else {
        candidate.bound_test.separation(d, g1, g2, threshold)
    }
}

/// Adds the contacts of a candidate that passed the bounding-volume test. Returns a lower bound on the
/// separation of the geoms, or 0; `want_separation` allows an extra test to obtain one.
#[inline(never)]
fn narrow_phase(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    margin: f64,
    want_separation: bool,
    narrow: &mut Narrow,
    contacts: &mut Vec<Contact>,
) -> f64 {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    if candidate.obb_test {
        let separation = obb_separation(m, d, g1, g2, margin);
        if separation > 0.0 {
            return separation;
        }
    }
    narrow.ccd.separation = 0.0;
    if let Routine::Analytic(routine) = candidate.routine {
        let (a, b) = (Shape::primitive(m, d, g1), Shape::primitive(m, d, g2));
        narrow.manifold.clear();
        routine(&a, &b, margin, &mut narrow.manifold);
    } else {
        let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else { return 0.0 };
        run_routine(m, candidate.routine, [g1, g2], [&a, &b], margin, narrow);
    }
    let points = narrow.manifold.as_slice();
    if points.is_empty() {
        return match candidate.routine {
            Routine::Convex => narrow.ccd.separation,
            Routine::Analytic(_)
                if want_separation && candidate.bound_test == BoundTest::Spheres =>
            {
                obb_separation(m, d, g1, g2, margin).max(0.0)
            }
            _ => 0.0,
        };
    }
    contact::append(m, candidate, margin, points, contacts);
    0.0
}

/// Runs the narrow-phase routine of two geoms, in the order of their types; leaves the contact points in
/// `narrow.manifold`.
#[inline(always)]
fn run_routine(
    m: &Model,
    routine: Routine,
    geoms: [usize; 2],
    [a, b]: [&Shape<'_>; 2],
    margin: f64,
    narrow: &mut Narrow,
) {
    let Narrow { manifold, ccd, trimesh } = narrow;
    manifold.clear();
    let opt = || CcdOptions::of(&m.opt);
    match routine {
        Routine::Never => {}
        Routine::Analytic(routine) => routine(a, b, margin, manifold),
        Routine::PlaneConvex => plane_convex(a, b, margin, manifold),
        Routine::HField => hfield_convex(a, b, margin, &opt(), ccd, manifold),
        Routine::Convex => convex(a, b, margin, &opt(), ccd, manifold),
        Routine::Triangles => {
            trimesh_contacts(m, [a, b], geoms, margin, trimesh, ccd, manifold);
        }
        Routine::MeshSdf => mesh_sdf_contacts(m, [a, b], geoms, manifold),
        Routine::Sdf => sdf_contacts(m, [a, b], geoms, manifold),
    }
}
