//! Convex collision for tests: two geoms of a model, whatever the model says about their contact.

use super::super::shape::Shape;
use super::super::touch::Touches;
use super::{CcdOptions, CcdWork, convex, distance, hfield_convex, plane_convex};
use crate::{Data, Model};
use sim_types::GeomType;

/// Storage for many queries.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct ConvexProbe {
    work: CcdWork,
    out: Touches,
}

impl ConvexProbe {
    /// How many points two convex geoms touch at, given in the order of their types.
    pub fn count(&mut self, m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> usize {
        self.out.clear();
        if let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) {
            let opt = CcdOptions::of(&m.opt);
            convex(&a, &b, margin, &opt, &mut self.work, &mut self.out);
        }
        self.out.as_slice().len()
    }
}

/// Points at which two geoms touch: distance, position, normal from the first geom to the second.
/// The geoms are taken in the order of their types, as the engine does.
#[doc(hidden)]
#[must_use]
pub fn convex_contacts(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> Vec<[f64; 7]> {
    let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else { return Vec::new() };
    let opt = CcdOptions::of(&m.opt);
    let (mut work, mut out) = (CcdWork::default(), Touches::default());
    let (a, b) = if (a.kind as i32) > b.kind as i32 { (b, a) } else { (a, b) };
    match a.kind {
        GeomType::Plane => plane_convex(&a, &b, margin, &mut out),
        GeomType::HField => hfield_convex(&a, &b, margin, &opt, &mut work, &mut out),
        _ => convex(&a, &b, margin, &opt, &mut work, &mut out),
    }
    let row = |t: &super::Touch| {
        let (p, n) = (t.pos, t.normal);
        [t.dist, p[0], p[1], p[2], n[0], n[1], n[2]]
    };
    out.as_slice().iter().map(row).collect()
}

/// The signed distance of two convex geoms, at most `max`, and the segment between them.
#[doc(hidden)]
#[must_use]
pub fn convex_distance(m: &Model, d: &Data, g1: usize, g2: usize, max: f64) -> (f64, [f64; 6]) {
    let (Some(a), Some(b)) = (Shape::of(m, d, g1), Shape::of(m, d, g2)) else {
        return (max, [0.0; 6]);
    };
    distance(&a, &b, max, &CcdOptions::of(&m.opt), &mut CcdWork::default())
}
