//! Two capsules (`mjc_CapsuleCapsule`).

use super::super::manifold::Manifold;
use super::super::shape::Shape;
use super::sphere::{OrientedSphere, sphere_pair};
use crate::math::mat3;
use crate::math::vec3;
use sim_types::MINVAL;

/// Two capsules: one contact at the closest points of their segments, or two if parallel.
///
/// The closest points `p₁ + x₁ a₁` and `p₂ + x₂ a₂` of the lines solve `[A B; B C] x = [u v]`; both
/// parameters are then clamped to ±1.
#[doc(alias = "mjc_CapsuleCapsule")]
pub(crate) fn capsule_capsule(one: &Shape, two: &Shape, margin: f64, out: &mut Manifold) {
    let axis1 = vec3::scale(mat3::column(one.mat, 2), one.size[1]);
    let axis2 = vec3::scale(mat3::column(two.mat, 2), two.size[1]);
    let offset = vec3::sub(one.pos, two.pos);
    let (a, b, c) = (vec3::dot(axis1, axis1), -vec3::dot(axis1, axis2), vec3::dot(axis2, axis2));
    let (u, v) = (-vec3::dot(axis1, offset), vec3::dot(axis2, offset));
    let det = a * c - b * b;
    // 0 / 0 for a capsule of length zero: its centre
    let clamp = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) };

    let mut add_contact = |x1: f64, x2: f64| {
        let centre1 = vec3::add_scaled(one.pos, axis1, x1);
        let centre2 = vec3::add_scaled(two.pos, axis2, x2);
        let sphere1 = OrientedSphere { centre: centre1, radius: one.size[0], mat: one.mat };
        let sphere2 = OrientedSphere { centre: centre2, radius: two.size[0], mat: two.mat };
        let point = sphere_pair(sphere1, sphere2, margin);
        if let Some(point) = point {
            out.push(point);
        }
        usize::from(point.is_some())
    };

    if det.abs() >= MINVAL {
        let (mut x1, mut x2) = ((c * u - b * v) / det, (a * v - b * u) / det);
        if x1 > 1.0 {
            (x1, x2) = (1.0, (v - b) / c);
        } else if x1 < -1.0 {
            (x1, x2) = (-1.0, (v + b) / c);
        }
        if x2 > 1.0 {
            (x1, x2) = (clamp((u - b) / a), 1.0);
        } else if x2 < -1.0 {
            (x1, x2) = (clamp((u + b) / a), -1.0);
        }
        add_contact(x1, x2);
        return;
    }

    // parallel: the ends of the first capsule, then those of the second, until there are two contacts
    let mut count = add_contact(1.0, clamp((v - b) / c)) + add_contact(-1.0, clamp((v + b) / c));
    if count < 2 {
        count += add_contact(clamp((u - b) / a), 1.0);
    }
    if count < 2 {
        add_contact(clamp((u + b) / a), -1.0);
    }
}
