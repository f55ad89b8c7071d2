//! Which geoms touch, where and how deep (`mj_collision`).

mod broad;
mod contact;
mod convex;
mod dispatch;
mod distance;
mod filter;
mod mid;
mod narrow;
mod shape;
mod touch;

pub(crate) use broad::Pairs;
pub use convex::{ConvexProbe, convex_contacts, convex_distance};
pub use distance::mj_geom_distance;
pub(crate) use shape::HeightField;

use crate::{Data, Model};
use broad::{Candidate, Sweep};
use convex::{CcdOptions, CcdWork, convex, hfield_convex, plane_convex};
use dispatch::Routine;
use shape::Shape;
use sim_types::{Contact, DisableBit, GeomType};
use touch::Touches;

/// Memory of the collision stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collision {
    /// Sweep and prune.
    sweep: Sweep,
    /// Contacts of the pair at hand.
    touches: Touches,
    /// Searches between convex shapes.
    ccd: CcdWork,
    /// The first pair of shapes that came near each other and whose routine is not built.
    missing: Option<[GeomType; 2]>,
}

/// Finds all contacts.
///
/// Reads `geom_xpos`, `geom_xmat`. Writes `contact`, `ncon`.
pub fn mj_collision(m: &Model, d: &mut Data) {
    d.contact.clear();
    d.ncon = 0;
    d.scratch.missing_pair = None;
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if off || m.nbody + m.nflex < 2 || m.plan.pairs.is_empty(m) {
        return;
    }
    // user code in the filter may look at the data meanwhile
    let mut contacts = std::mem::take(&mut d.contact);
    let mut work = d.scratch.collision.take().unwrap_or_default();
    work.missing = None;
    let parents = m.opt.disabled(DisableBit::FilterParent);
    let mut sweep = std::mem::take(&mut work.sweep);
    for candidate in m.plan.pairs.candidates(m, d, &mut sweep) {
        if parents || !candidate.family {
            collide(m, d, candidate, &mut work, &mut contacts);
        }
    }
    work.sweep = sweep;
    d.scratch.missing_pair = work.missing;
    d.scratch.collision = Some(work);
    d.ncon = contacts.len();
    d.contact = contacts;
}

/// Adds the contacts of a candidate.
#[doc(alias = "mj_collideGeoms")]
#[inline(always)]
fn collide(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    work: &mut Collision,
    contacts: &mut Vec<Contact>,
) {
    let margin = contact::margin_of(m, candidate);
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    if candidate.gate.lets_through(d, g1, g2, candidate.radii + margin) {
        touch(m, d, candidate, margin, work, contacts);
    }
}

/// Adds the contacts of a candidate whose geoms are near each other.
#[inline(never)]
fn touch(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    margin: f64,
    work: &mut Collision,
    contacts: &mut Vec<Contact>,
) {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    if candidate.costly && mid::boxes_apart(m, d, g1, g2, margin) {
        return;
    }
    let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else { return };
    find(m, candidate.routine, &a, &b, margin, work);
    let touches = work.touches.as_slice();
    if !touches.is_empty() {
        let template = contact::template(m, candidate, margin);
        contacts.extend(touches.iter().map(|t| contact::contact(&template, t)));
    }
}

/// Finds where two shapes, in the order of their types, touch: leaves it in `work.touches`.
#[inline(always)]
fn find(
    m: &Model,
    routine: Routine,
    a: &Shape<'_>,
    b: &Shape<'_>,
    margin: f64,
    work: &mut Collision,
) {
    let Collision { touches, ccd, missing, .. } = work;
    touches.clear();
    let opt = || CcdOptions::of(&m.opt);
    match routine {
        Routine::Never => {}
        Routine::Analytic(routine) => routine(a, b, margin, touches),
        Routine::PlaneConvex => plane_convex(a, b, margin, touches),
        Routine::HField => hfield_convex(a, b, margin, &opt(), ccd, touches),
        Routine::Convex => convex(a, b, margin, &opt(), ccd, touches),
        Routine::Missing => {
            missing.get_or_insert([a.kind, b.kind]);
        }
    }
}
