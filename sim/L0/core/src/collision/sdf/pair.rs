//! Two shapes as fields (`mjc_SDF`): descent from points spread over the common part of their boxes.

use super::descent::descend;
use super::field::Field;
use super::frame::{Frame, Map};
use super::overlap::{Goal, Overlap};
use super::{Found, SdfOptions};
use crate::collision::shape::Shape;
use crate::collision::touch::Touches;
use crate::math::random::halton;
use crate::math::vec3::{self, Vec3};

/// A shape as a field, with its box: centre and half sizes in its frame.
pub(crate) struct Side<'s, 'a> {
    /// Where it is.
    pub shape: &'s Shape<'a>,
    /// Its field.
    pub field: Field<'a>,
    /// `geom_aabb`.
    pub aabb: [f64; 6],
}

/// Where two shapes overlap; the second is the one that must be a distance field.
#[doc(alias = "mjc_SDF")]
pub(crate) fn sdf_sdf(a: &Side<'_, '_>, b: &Side<'_, '_>, opt: SdfOptions, out: &mut Touches) {
    let (pose_a, pose_b) =
        (Frame::new(a.shape.pos, a.shape.mat), Frame::new(b.shape.pos, b.shape.mat));
    let (b_to_a, a_to_b) = (Map::new(&pose_b, &pose_a), Map::new(&pose_a, &pose_b));
    // the identity up to rounding, which the reference engine applies too
    let a_to_a = Map::new(&pose_a, &pose_a);
    let Some((low, high)) = common_box(&a.aabb, &b.aabb, &b_to_a) else { return };
    let overlap = Overlap { first: b.field, second: a.field, to_second: b_to_a };
    let mut found = Found::new(pose_b, out);
    for start in 0..opt.starts {
        if found.is_full() {
            return;
        }
        let spread = [2, 3, 5].map(|base| halton(start, base));
        let x = std::array::from_fn(|k| low[k] + (high[k] - low[k]) * spread[k]);
        let mut x = a_to_b.apply(a_to_a.apply(x));
        descend(&mut x, &overlap, Goal::Collision, opt.iterations);
        // fields that are no exact distance can overlap by mistake: one more step tells
        let dist = descend(&mut x, &overlap, Goal::Intersection, 1);
        found.add(x, dist, |x| overlap.gradient(Goal::MidSurface, x));
    }
}

/// The common part of two boxes in the frame of the first: the least and greatest coordinates.
fn common_box(a: &[f64; 6], b: &[f64; 6], b_to_a: &Map) -> Option<(Vec3, Vec3)> {
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
    let meet = vec3::sub(high, low).iter().all(|&side| side >= 0.0);
    meet.then_some((low, high))
}

/// A corner of a box: bit `k` says that coordinate `k` is the greater.
fn corner(aabb: &[f64; 6], i: usize) -> Vec3 {
    std::array::from_fn(
        |k| {
            if i >> k & 1 == 1 { aabb[k] + aabb[k + 3] } else { aabb[k] - aabb[k + 3] }
        },
    )
}
