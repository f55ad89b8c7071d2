//! Which geoms touch, where and how deep (`mj_collision`).

mod broad;
mod contact;
mod dispatch;
mod filter;
mod narrow;
#[allow(dead_code, reason = "meshes and height fields wait for the convex routines")]
mod shape;
#[allow(dead_code, reason = "the convex routines change what they found")]
mod touch;

pub(crate) use broad::Pairs;

use crate::math::rows;
use crate::{Data, Model};
use broad::{Candidate, Sweep};
use dispatch::Routine;
use shape::Shape;
use sim_types::{DisableBit, GeomType};
use touch::Touches;

/// Memory of the collision stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Collision {
    /// Sweep and prune.
    sweep: Sweep,
    /// Contacts of the pair at hand.
    touches: Touches,
    /// The first pair of shapes that came near each other and whose routine is not built.
    pub missing: Option<[GeomType; 2]>,
}

/// Finds all contacts.
///
/// Reads `geom_xpos`, `geom_xmat`. Writes `contact`, `ncon`.
pub fn mj_collision(m: &Model, d: &mut Data) {
    d.contact.clear();
    d.ncon = 0;
    d.scratch.collision.missing = None;
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if off || m.nbody + m.nflex < 2 || m.plan.pairs.is_empty(m) {
        return;
    }
    let parents = m.opt.disabled(DisableBit::FilterParent);
    m.plan.pairs.for_each(m, d, |d, candidate| {
        if parents || !candidate.family {
            collide(m, d, candidate);
        }
    });
    d.ncon = d.contact.len();
}

/// Adds the contacts of a candidate.
#[doc(alias = "mj_collideGeoms")]
#[inline(always)]
fn collide(m: &Model, d: &mut Data, candidate: &Candidate) {
    let margin = contact::margin_of(m, candidate);
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    if candidate.gate.lets_through(d, g1, g2, candidate.radii + margin) {
        touch(m, d, candidate, margin);
    }
}

/// Adds the contacts of a candidate whose geoms are near each other.
#[inline(never)]
fn touch(m: &Model, d: &mut Data, candidate: &Candidate, margin: f64) {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    let routine = match candidate.routine {
        Routine::Analytic(routine) => routine,
        Routine::Never => return,
        Routine::Missing => {
            let kinds = [m.geom_type[g1], m.geom_type[g2]];
            d.scratch.collision.missing.get_or_insert(kinds);
            return;
        }
    };
    let (pos, mat, size) =
        (rows::<3>(&d.geom_xpos), rows::<9>(&d.geom_xmat), rows::<3>(&m.geom_size));
    let shape = |g: usize| Shape {
        kind: m.geom_type[g],
        pos: pos[g],
        mat: &mat[g],
        size: size[g],
        mesh: None,
        hfield: None,
    };
    let touches = &mut d.scratch.collision.touches;
    touches.clear();
    routine(&shape(g1), &shape(g2), margin, touches);
    if !touches.as_slice().is_empty() {
        let template = contact::template(m, candidate, margin);
        d.contact.extend(touches.as_slice().iter().map(|t| contact::contact(&template, t)));
    }
}
