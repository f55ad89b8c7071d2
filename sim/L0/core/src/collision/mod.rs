//! Which geoms touch, where and how deep (`mj_collision`).

mod ball;
mod broad;
mod clearance;
mod contact;
mod convex;
mod dispatch;
mod distance;
mod filter;
mod member;
mod mid;
mod narrow;
mod pass;
mod sdf;
mod shape;
mod sift;
mod soup;
mod sweep;
mod touch;
mod trees;
mod triangles;

pub(crate) use ball::{ball_touch, bounds};
pub(crate) use broad::Pairs;
pub(crate) use contact::soft as soft_contact;
pub use contact::{ContactPair, contact_pairs};
pub use convex::{ConvexProbe, convex_contacts, convex_distance};
pub use distance::mj_geom_distance;
pub(crate) use pass::Pass;
pub(crate) use sdf::Octree;
pub(crate) use shape::{HeightField, Shape};
pub(crate) use sift::around;
pub(crate) use triangles::closed_meshes;

use crate::math::vec3::{Vec3, sub};
use crate::math::{mat3, rows};
use crate::{Data, Model};
use broad::{Candidate, Found};
use clearance::{BLOCK, Clearance};
use convex::{CcdOptions, CcdWork, convex, hfield_convex, plane_convex};
use dispatch::Routine;
use filter::{Gate, rests};
use sdf::{Field, SdfOptions, Side, mesh_sdf, sdf_sdf};
use sim_types::{Contact, DisableBit, EnableBit};
use soup::Soup;
use sweep::{Sweep, Swept};
pub(crate) use touch::Touch;
use touch::Touches;
use triangles::{TriangleWork, collide_triangles};

/// Memory of the collision stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collision {
    /// Sweep and prune.
    sweep: Sweep,
    /// What is known of pairs that are apart.
    clearance: Clearance,
    /// Searches for the contacts of one pair.
    pub(crate) narrow: Narrow,
}

/// Memory of the search for the contacts of one pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrow {
    /// Contacts of the pair at hand.
    touches: Touches,
    /// Searches between convex shapes.
    ccd: CcdWork,
    /// Contacts of triangles before the best are taken.
    triangles: TriangleWork,
}

impl Collision {
    /// Bytes that it holds, but for the few of single pairs.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.sweep.bytes() + self.clearance.bytes()
    }
}

/// Finds all contacts.
///
/// Reads `geom_xpos`, `geom_xmat`. Writes `contact`, `ncon`.
pub fn mj_collision(m: &Model, d: &mut Data) {
    collide_rigid(m, d);
    if d.soft.is_some() {
        crate::soft::find(m, d);
    }
}

/// Finds the contacts of geoms with each other.
fn collide_rigid(m: &Model, d: &mut Data) {
    d.contact.clear();
    d.ncon = 0;
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if off || m.nbody + m.nflex < 2 || m.plan.pairs.is_empty(m) {
        return;
    }
    // user code in the filter may look at the data meanwhile
    let mut contacts = std::mem::take(&mut d.contact);
    let mut work = d.scratch.collision.take().unwrap_or_default();
    let pairs = &m.plan.pairs;
    let Collision { sweep, clearance, narrow } = &mut *work;
    match pairs.candidates(m, d, sweep) {
        Found::Listed(list) => collide_listed(m, d, list, clearance, narrow, &mut contacts),
        Found::Swept => collide_swept(m, d, sweep, narrow, &mut contacts),
    }
    d.scratch.collision = Some(work);
    d.ncon = contacts.len();
    d.contact = contacts;
}

/// Adds the contacts of those pairs of a list that may touch.
fn collide_listed(
    m: &Model,
    d: &Data,
    list: &[Candidate],
    clearance: &mut Clearance,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let sleep = m.opt.enabled(EnableBit::Sleep);
    let pairs = &m.plan.pairs;
    clearance.update(m, d, pairs);
    for i in 0..clearance.len() {
        let (block, mut due) = clearance.due(i);
        let candidates = &list[BLOCK * block..];
        while due != 0 {
            let k = due.trailing_zeros() as usize;
            due &= due - 1;
            let Some(candidate) = candidates.get(k) else { break };
            let mut gap = 0.0;
            if !(sleep && rests(m, d, candidate)) {
                let axis = clearance.axis(block, k);
                (work.ccd.axis, work.ccd.guess) = (*axis, *axis);
                gap = collide(m, d, candidate, work, contacts);
                *axis = work.ccd.axis;
            }
            clearance.set(block, k, gap, pairs);
        }
    }
}

/// Adds the contacts of what a sweep has found.
fn collide_swept(
    m: &Model,
    d: &Data,
    sweep: &Sweep,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let sleep = m.opt.enabled(EnableBit::Sleep);
    for k in 0..sweep.len() {
        match sweep.get(&m.plan.pairs, k) {
            Some(Swept::Geoms(g1, g2)) => {
                let margin = m.geom_margin[g1] + m.geom_margin[g2];
                let Some(candidate) = Candidate::ungated(m, g1, g2, margin) else { continue };
                if !(sleep && rests(m, d, &candidate)) {
                    let margin = contact::margin_of(m, &candidate);
                    touch(m, d, &candidate, margin, false, work, contacts);
                }
            }
            Some(Swept::Explicit(candidate)) if !(sleep && rests(m, d, candidate)) => {
                collide(m, d, candidate, work, contacts);
            }
            _ => {}
        }
    }
}

/// Adds the contacts of a candidate. Returns a gap that is certainly between the geoms, or 0.
#[doc(alias = "mj_collideGeoms")]
#[inline(always)]
fn collide(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) -> f64 {
    let margin = contact::margin_of(m, candidate);
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    let reach = candidate.radii + margin;
    if candidate.gate.lets_through(d, g1, g2, reach) {
        touch(m, d, candidate, margin, true, work, contacts)
    } else {
        candidate.gate.gap(d, g1, g2, reach)
    }
}

/// Adds the contacts of a candidate whose geoms are near each other. Returns a gap that is certainly
/// between them, or 0; to `remember` it is worth some time.
#[inline(never)]
fn touch(
    m: &Model,
    d: &Data,
    candidate: &Candidate,
    margin: f64,
    remember: bool,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) -> f64 {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    if candidate.costly {
        let gap = mid::gap(m, d, g1, g2, margin);
        if gap > 0.0 {
            return gap;
        }
    }
    work.ccd.gap = 0.0;
    if let Routine::Analytic(routine) = candidate.routine {
        let (a, b) = (Shape::plain(m, d, g1), Shape::plain(m, d, g2));
        work.touches.clear();
        routine(&a, &b, margin, &mut work.touches);
    } else {
        let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else { return 0.0 };
        find(m, candidate.routine, [g1, g2], [&a, &b], margin, work);
    }
    let touches = work.touches.as_slice();
    if touches.is_empty() {
        return match candidate.routine {
            Routine::Convex => work.ccd.gap,
            Routine::Analytic(_) if remember && candidate.gate == Gate::Spheres => {
                mid::gap(m, d, g1, g2, margin).max(0.0)
            }
            _ => 0.0,
        };
    }
    contact::append(m, candidate, margin, touches, contacts);
    0.0
}

/// Finds where two geoms, in the order of their types, touch: leaves it in `work.touches`.
#[inline(always)]
fn find(
    m: &Model,
    routine: Routine,
    geoms: [usize; 2],
    [a, b]: [&Shape<'_>; 2],
    margin: f64,
    work: &mut Narrow,
) {
    let Narrow { touches, ccd, triangles } = work;
    touches.clear();
    let opt = || CcdOptions::of(&m.opt);
    match routine {
        Routine::Never => {}
        Routine::Analytic(routine) => routine(a, b, margin, touches),
        Routine::PlaneConvex => plane_convex(a, b, margin, touches),
        Routine::HField => hfield_convex(a, b, margin, &opt(), ccd, touches),
        Routine::Convex => convex(a, b, margin, &opt(), ccd, touches),
        Routine::Triangles => {
            collide_triangles(m, [a, b], geoms, margin, triangles, ccd, touches);
        }
        Routine::MeshSdf => mesh_and_sdf(m, [a, b], geoms, touches),
        Routine::Sdf => two_fields(m, [a, b], geoms, touches),
    }
}

/// Adds the touches of two geoms as fields; the second is a mesh with an octree.
fn two_fields(m: &Model, [a, b]: [&Shape<'_>; 2], [g1, g2]: [usize; 2], touches: &mut Touches) {
    let (Some(field_a), Some(field_b)) = (field(m, a, g1), field(m, b, g2)) else { return };
    let aabb = rows::<6>(&m.geom_aabb);
    let one = Side { shape: a, field: field_a, aabb: aabb[g1] };
    let two = Side { shape: b, field: field_b, aabb: aabb[g2] };
    sdf_sdf(&one, &two, SdfOptions::of(&m.opt), touches);
}

/// Adds the touches of the triangles of a mesh and a field.
fn mesh_and_sdf(m: &Model, [a, b]: [&Shape<'_>; 2], [g1, g2]: [usize; 2], touches: &mut Touches) {
    let soup = usize::try_from(m.geom_dataid[g1]).ok().and_then(|mesh| Soup::of(m, mesh));
    let (Some(soup), Some(field)) = (soup, field(m, b, g2)) else { return };
    mesh_sdf(a, &soup, b, &field, SdfOptions::of(&m.opt), touches);
}

/// The signed distance of a world position from a geom, as fields measure it; nothing for height fields,
/// and for meshes without an octree.
pub(crate) fn signed_distance(m: &Model, d: &Data, geom: usize, point: Vec3) -> Option<f64> {
    let shape = Shape::of(m, d, geom)?;
    let local = mat3::mul_transpose_vec(shape.mat, sub(point, shape.pos));
    Some(field(m, &shape, geom)?.distance(local))
}

/// The field of a geom.
fn field<'a>(m: &'a Model, shape: &Shape<'_>, geom: usize) -> Option<Field<'a>> {
    let octree = usize::try_from(m.geom_dataid[geom]).ok().and_then(|mesh| Octree::of(m, mesh));
    Field::of(shape.kind, shape.size, octree)
}
