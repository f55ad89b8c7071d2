//! What the pipeline precomputes from a compiled model, so that a step does not rediscover it.

use crate::Model;
use crate::math::at;
use sim_types::{DisableBit, GeomType};

/// Precomputed structure of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Whether two geoms of the model may ever touch.
    pub contacts_possible: bool,
    /// Whether a step solves by articulated bodies instead of factoring `M`: true for deep trees.
    pub articulated: bool,
}

/// Cost of the articulated recursion for one dof, in multiply-adds of the sparse factorization,
/// measured on chains of 10 to 100 hinges.
const ARTICULATED_COST: usize = 200;

impl Plan {
    pub(crate) fn new(m: &Model) -> Self {
        Self { contacts_possible: contacts_possible(m), articulated: deep(m) }
    }
}

/// Whether building and factoring `M` costs more than the articulated recursion.
fn deep(m: &Model) -> bool {
    // an entry of M is a dot product of six; eliminating a row touches the triangle above it
    let matrix: usize =
        m.M_rownnz.iter().map(|&n| n as usize).map(|n| 6 * n + n * (n + 1) / 2).sum();
    matrix > ARTICULATED_COST * m.nv
}

/// Whether the filters let any pair of geoms through.
fn contacts_possible(m: &Model) -> bool {
    if m.npair > 0 {
        return true;
    }
    let active: Vec<usize> =
        (0..m.ngeom).filter(|&g| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0).collect();
    active.iter().enumerate().any(|(k, &a)| active[k + 1..].iter().any(|&b| may_touch(m, a, b)))
}

/// Whether geoms `a` and `b` pass the static filters of collision detection.
fn may_touch(m: &Model, a: usize, b: usize) -> bool {
    let flat = |g: usize| matches!(m.geom_type[g], GeomType::Plane | GeomType::HField);
    let masks = m.geom_contype[a] & m.geom_conaffinity[b] != 0
        || m.geom_contype[b] & m.geom_conaffinity[a] != 0;
    if !masks || flat(a) && flat(b) {
        return false;
    }
    let (body_a, body_b) = (at(&m.geom_bodyid, a), at(&m.geom_bodyid, b));
    let (weld_a, weld_b) = (at(&m.body_weldid, body_a), at(&m.body_weldid, body_b));
    if weld_a == weld_b {
        return false;
    }
    let parent = |weld: usize| at(&m.body_weldid, at(&m.body_parentid, weld));
    let related =
        weld_a != 0 && weld_b != 0 && (parent(weld_a) == weld_b || parent(weld_b) == weld_a);
    if related && !m.opt.disabled(DisableBit::FilterParent) {
        return false;
    }
    let (low, high) = (body_a.min(body_b), body_a.max(body_b));
    !m.exclude_signature.contains(&(((low as i32) << 16) + high as i32))
}
