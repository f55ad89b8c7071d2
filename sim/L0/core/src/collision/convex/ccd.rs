//! One convex query (`mjc_ccd`): signed distance and witness points of two convex solids.

use super::CcdWork;
use super::epa;
use super::gjk::{GjkOptions, gjk};
use super::minkowski::{MinkowskiDifference, Vertex};
use super::multicontact;
use super::support::{Solid, SupportKind};
use crate::math::vec3::{Vec3, add_scaled, normalize, sub};
use sim_simd::Vector3;

/// Options of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query {
    pub iterations: usize,
    pub tolerance: f64,
    /// Largest distance of interest; zero tests for overlap only.
    pub cutoff: f64,
    /// Largest number of contact points.
    pub max_contacts: usize,
    /// See [`super::CcdOptions::mujoco_defects`].
    pub mujoco_defects: bool,
}

/// The signed distance; `f64::MAX` beyond the cutoff. The witness points are left in `work.witnesses`,
/// which stays empty if none were computed.
pub(super) fn ccd<'s>(
    a: &mut Solid<'s>,
    b: &mut Solid<'s>,
    query: &Query,
    work: &mut CcdWork,
) -> f64 {
    work.witnesses.clear();
    work.separation = 0.0;
    let Query { iterations, tolerance, cutoff, mujoco_defects, .. } = *query;
    let mut opt = GjkOptions { iterations, tolerance, cutoff, mujoco_defects };
    let simplex = &mut [Vertex::default(); 4];
    let is_round =
        |solid: &Solid<'_>| matches!(solid.kind, SupportKind::Sphere | SupportKind::Capsule);

    // spheres and capsules as inflated points and segments: exact unless the cores overlap
    if is_round(a) || is_round(b) {
        let (saved_a, saved_b) = (shrink_to_core(a), shrink_to_core(b));
        opt.cutoff += saved_a.radius + saved_b.radius;
        let found = gjk(&mut MinkowskiDifference { a, b }, &opt, simplex);
        opt.cutoff = cutoff;
        let radii = [saved_a.radius, saved_b.radius];
        saved_a.restore(a);
        saved_b.restore(b);
        work.separation = (found.lower_bound - (radii[0] + radii[1])).max(0.0);
        work.axis = found.axis.into();
        if found.dist > tolerance {
            let Some(points) = found.points else { return f64::MAX };
            let [on_a, on_b] = inflate(points.map(Vec3::from), radii);
            work.witnesses.push(on_a, on_b);
            let dist = found.dist - (radii[0] + radii[1]);
            return if dist > cutoff { f64::MAX } else { dist };
        }
    }

    let difference = &mut MinkowskiDifference { a, b };
    let found = gjk(difference, &opt, simplex);
    (work.separation, work.axis) = (found.lower_bound, found.axis.into());
    let witnesses = found.points.map(|points: [Vector3; 2]| points.map(Vec3::from));
    if !(found.dist <= tolerance && found.count > 1) {
        if let Some([on_a, on_b]) = witnesses {
            work.witnesses.push(on_a, on_b);
        }
        return found.dist;
    }
    let pt = &mut work.polytope;
    pt.reset(iterations);
    if !pt.init(difference, &simplex[..found.count]) {
        // contact of depth zero
        if let Some([on_a, on_b]) = witnesses {
            work.witnesses.push(on_a, on_b);
        }
        return 0.0;
    }
    let Some(result) = epa::expand(pt, difference, iterations, tolerance) else {
        return 0.0;
    };
    let points = result.points.map(Vec3::from);
    work.witnesses.push(points[0], points[1]);
    if query.max_contacts > 1 {
        let face = result.vertices.map(|k| pt.vertices[k as usize]);
        let max = query.max_contacts;
        multicontact::add(difference, face, points, max, &mut work.multi, &mut work.witnesses);
    }
    result.dist
}

/// The properties of a round solid that are replaced while it is shrunk to its core.
struct Saved {
    kind: SupportKind,
    margin: f64,
    /// Radius of the solid around its core, half the margin included; zero if it was not shrunk.
    radius: f64,
}

impl Saved {
    fn restore(&self, solid: &mut Solid<'_>) {
        solid.kind = self.kind;
        solid.margin = self.margin;
    }
}

/// Replaces a sphere by its centre and a capsule by its segment; leaves other solids unchanged.
fn shrink_to_core(solid: &mut Solid<'_>) -> Saved {
    let mut saved = Saved { kind: solid.kind, margin: solid.margin, radius: 0.0 };
    let core = match solid.kind {
        SupportKind::Sphere => SupportKind::Point,
        SupportKind::Capsule => SupportKind::Segment,
        _ => return saved,
    };
    saved.radius = solid.size[0] + 0.5 * solid.margin;
    solid.kind = core;
    solid.margin = 0.0;
    saved
}

/// Moves the witness points of two cores to the surfaces of the solids.
fn inflate([on_a, on_b]: [Vec3; 2], radii: [f64; 2]) -> [Vec3; 2] {
    let (n, _) = normalize(sub(on_b, on_a));
    [add_scaled(on_a, n, radii[0]), add_scaled(on_b, n, -radii[1])]
}
