//! Two signed distance fields (`mjc_SDF`): descent from Halton points in the intersection of their bounding
//! boxes.

use super::descent::gradient_descent;
use super::field::Field;
use super::objective::{FieldPair, Objective};
use super::pose::{Pose, Transform};
use super::{ContactCollector, SdfOptions};
use crate::collision::manifold::Manifold;
use crate::collision::shape::Shape;
use crate::math::random::halton;
use crate::math::vec3::{self, Vec3};

/// A posed signed distance field with its bounding box.
pub(crate) struct SdfShape<'s, 'a> {
    /// Pose.
    pub shape: &'s Shape<'a>,
    /// Distance field.
    pub field: Field<'a>,
    /// `geom_aabb`: centre and half-extents in the shape's frame.
    pub aabb: [f64; 6],
}

/// Adds the contacts of two signed distance fields.
#[doc(alias = "mjc_SDF")]
pub(crate) fn sdf_sdf(
    a: &SdfShape<'_, '_>,
    b: &SdfShape<'_, '_>,
    opt: SdfOptions,
    out: &mut Manifold,
) {
    let (pose_a, pose_b) =
        (Pose::new(a.shape.pos, a.shape.mat), Pose::new(b.shape.pos, b.shape.mat));
    let (b_to_a, a_to_b) = (Transform::new(&pose_b, &pose_a), Transform::new(&pose_a, &pose_b));
    // identity up to rounding; MuJoCo applies it too
    let a_to_a = Transform::new(&pose_a, &pose_a);
    let Some((low, high)) = aabb_intersection(&a.aabb, &b.aabb, &b_to_a) else { return };
    let fields = FieldPair { first: b.field, second: a.field, to_second: b_to_a };
    let mut contacts = ContactCollector::new(pose_b, out);
    for start in 0..opt.init_points {
        if contacts.is_full() {
            return;
        }
        let unit = [2, 3, 5].map(|base| halton(start, base));
        let x = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * unit[k]);
        let mut x = a_to_b.apply(a_to_a.apply(x));
        let mut distances = fields.distances(x);
        let (at, steps) = (&mut distances, opt.iterations);
        gradient_descent(&mut x, at, &fields, Objective::Collision, steps);
        // one more step on the intersection, since inexact distances can overlap spuriously
        let dist = gradient_descent(&mut x, at, &fields, Objective::Intersection, 1);
        contacts.add(x, dist, |x| fields.gradient(Objective::MidSurface, x, distances));
    }
}

/// Intersection of two boxes in the frame of the first, each enclosed axis-aligned: lower and upper bounds.
fn aabb_intersection(a: &[f64; 6], b: &[f64; 6], b_to_a: &Transform) -> Option<(Vec3, Vec3)> {
    let [mut low_a, mut low_b] = [[f64::INFINITY; 3]; 2];
    let [mut high_a, mut high_b] = [[f64::NEG_INFINITY; 3]; 2];
    for i in 0..8 {
        let (in_a, in_b) = (corner(a, i), b_to_a.apply(corner(b, i)));
        for k in 0..3 {
            (low_a[k], high_a[k]) = (low_a[k].min(in_a[k]), high_a[k].max(in_a[k]));
            (low_b[k], high_b[k]) = (low_b[k].min(in_b[k]), high_b[k].max(in_b[k]));
        }
    }
    let low: Vec3 = std::array::from_fn(|k| low_a[k].max(low_b[k]));
    let high: Vec3 = std::array::from_fn(|k| high_a[k].min(high_b[k]));
    let overlap = vec3::sub(high, low).iter().all(|&side| side >= 0.0);
    overlap.then_some((low, high))
}

/// Corner `i` of a box: bit `k` selects the upper side of axis `k`.
fn corner(aabb: &[f64; 6], i: usize) -> Vec3 {
    std::array::from_fn(
        |k| {
            if i >> k & 1 == 1 { aabb[k] + aabb[k + 3] } else { aabb[k] - aabb[k + 3] }
        },
    )
}
