//! One query for two solids: how far apart or how deep, and at which points (`mjc_ccd`).

use super::CcdWork;
use super::epa;
use super::gjk::{Stop, gjk};
use super::multi;
use super::pair::{Pair, Vertex};
use super::support::{Form, Solid};
use crate::math::vec3::{Vec3, add_scaled, normalize, sub};

/// What is asked of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query {
    pub iterations: usize,
    pub tolerance: f64,
    /// Distances beyond it are of no interest; zero asks for overlaps only.
    pub cutoff: f64,
    /// Most points of contact.
    pub most: usize,
    /// See [`super::CcdOptions::faithful`].
    pub faithful: bool,
}

/// The signed distance; `f64::MAX` when the solids are farther apart than asked. The points are left
/// in `work.witnesses`, none if they were not computed.
pub(super) fn ccd<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    query: &Query,
    work: &mut CcdWork,
) -> f64 {
    work.witnesses.clear();
    work.gap = 0.0;
    let Query { iterations, tolerance, cutoff, faithful, .. } = *query;
    let mut stop = Stop { iterations, tolerance, cutoff, faithful };
    let simplex = &mut [Vertex::default(); 4];
    let round = |solid: &Solid<'_>| matches!(solid.form, Form::Sphere | Form::Capsule);

    // a sphere is a point with a distance around it: exact unless the point itself is inside
    if round(a) || round(b) {
        let (kept_a, kept_b) = (shrink(a), shrink(b));
        stop.cutoff += kept_a.radius + kept_b.radius;
        let found = gjk(&mut Pair { a, b }, &stop, simplex);
        stop.cutoff = cutoff;
        let radii = [kept_a.radius, kept_b.radius];
        kept_a.restore(a);
        kept_b.restore(b);
        work.gap = (found.apart - (radii[0] + radii[1])).max(0.0);
        work.axis = found.axis;
        if found.dist > tolerance {
            let Some(points) = found.points else { return f64::MAX };
            let [on_a, on_b] = inflate(points, radii);
            work.witnesses.push(on_a, on_b);
            let dist = found.dist - (radii[0] + radii[1]);
            return if dist > cutoff { f64::MAX } else { dist };
        }
    }

    let pair = &mut Pair { a, b };
    let found = gjk(pair, &stop, simplex);
    (work.gap, work.axis) = (found.apart, found.axis);
    if !(found.dist <= tolerance && found.count > 1) {
        if let Some([on_a, on_b]) = found.points {
            work.witnesses.push(on_a, on_b);
        }
        return found.dist;
    }
    let pt = &mut work.polytope;
    pt.reset(iterations);
    if !pt.start(pair, &simplex[..found.count]) {
        // they touch, without depth
        if let Some([on_a, on_b]) = found.points {
            work.witnesses.push(on_a, on_b);
        }
        return 0.0;
    }
    let Some(deepest) = epa::expand(pt, pair, iterations, tolerance) else {
        return 0.0;
    };
    work.witnesses.push(deepest.points[0], deepest.points[1]);
    if query.most > 1 {
        let face = deepest.vertices.map(|k| pt.vertices[k as usize]);
        let points = deepest.points;
        multi::spread(pair, face, points, query.most, &mut work.multi, &mut work.witnesses);
    }
    deepest.dist
}

/// What a round solid was before it was shrunk to a point or segment.
struct Kept {
    form: Form,
    margin: f64,
    /// What the point or segment lacks.
    radius: f64,
}

impl Kept {
    fn restore(&self, solid: &mut Solid<'_>) {
        solid.form = self.form;
        solid.margin = self.margin;
    }
}

/// Makes a point of a sphere, a segment of a capsule; leaves other solids alone.
fn shrink(solid: &mut Solid<'_>) -> Kept {
    let mut kept = Kept { form: solid.form, margin: solid.margin, radius: 0.0 };
    let core = match solid.form {
        Form::Sphere => Form::Point,
        Form::Capsule => Form::Segment,
        _ => return kept,
    };
    kept.radius = solid.size[0] + 0.5 * solid.margin;
    solid.form = core;
    solid.margin = 0.0;
    kept
}

/// Moves the closest points of two shrunk solids to their surfaces.
fn inflate([on_a, on_b]: [Vec3; 2], radii: [f64; 2]) -> [Vec3; 2] {
    let (n, _) = normalize(sub(on_b, on_a));
    [add_scaled(on_a, n, radii[0]), add_scaled(on_b, n, -radii[1])]
}
