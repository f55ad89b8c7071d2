//! Convex queries on two geoms of a model without collision filters, for tests and benchmarks.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::Shape;
use super::{CcdOptions, CcdWork, convex, distance, hfield_convex, plane_convex};
use crate::{Data, Model};
use sim_types::GeomType;

/// Reusable buffers of convex queries.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct ConvexProbe {
    work: CcdWork,
    out: Manifold,
}

impl ConvexProbe {
    /// Number of contact points of two convex geoms, given in the order of their types.
    pub fn count(&mut self, m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> usize {
        self.out.clear();
        if let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) {
            let opt = CcdOptions::of(&m.opt);
            convex(&a, &b, margin, &opt, &mut self.work, &mut self.out);
        }
        self.out.as_slice().len()
    }
}

/// Contact points of two geoms: distance, position, normal from the geom of the lower type to the other.
#[doc(hidden)]
#[must_use]
pub fn convex_contacts(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> Vec<[f64; 7]> {
    let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else { return Vec::new() };
    let opt = CcdOptions::of(&m.opt);
    let (mut work, mut out) = (CcdWork::default(), Manifold::default());
    let (a, b) = if (a.kind as i32) > b.kind as i32 { (b, a) } else { (a, b) };
    match a.kind {
        GeomType::Plane => plane_convex(&a, &b, margin, &mut out),
        GeomType::HField => hfield_convex(&a, &b, margin, &opt, &mut work, &mut out),
        _ => convex(&a, &b, margin, &opt, &mut work, &mut out),
    }
    let row = |c: &ContactPoint| {
        let (p, n) = (c.pos, c.normal);
        [c.dist, p[0], p[1], p[2], n[0], n[1], n[2]]
    };
    out.as_slice().iter().map(row).collect()
}

/// Signed distance of two convex geoms, limited to `max`, and the segment between them.
#[doc(hidden)]
#[must_use]
pub fn convex_distance(m: &Model, d: &Data, g1: usize, g2: usize, max: f64) -> (f64, [f64; 6]) {
    let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else {
        return (max, [0.0; 6]);
    };
    distance(&a, &b, max, &CcdOptions::of(&m.opt), &mut CcdWork::default())
}
