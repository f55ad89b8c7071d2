//! Two capsules.

use super::super::shape::Shape;
use super::super::touch::Touches;
use super::sphere::{Ball, balls};
use crate::math::mat3;
use crate::math::vec3;
use sim_types::MINVAL;

/// Two capsules: one contact at the nearest points of their segments, or two when parallel.
///
/// The nearest points `p₁ + x₁ a₁` and `p₂ + x₂ a₂` solve `[A B; B C] x = [u v]`, then both
/// parameters are brought into ±1.
#[doc(alias = "mjc_CapsuleCapsule")]
pub(crate) fn capsule_capsule(one: &Shape, two: &Shape, margin: f64, out: &mut Touches) {
    let axis1 = vec3::scale(mat3::column(one.mat, 2), one.size[1]);
    let axis2 = vec3::scale(mat3::column(two.mat, 2), two.size[1]);
    let away = vec3::sub(one.pos, two.pos);
    let (a, b, c) = (vec3::dot(axis1, axis1), -vec3::dot(axis1, axis2), vec3::dot(axis2, axis2));
    let (u, v) = (-vec3::dot(axis1, away), vec3::dot(axis2, away));
    let det = a * c - b * b;
    // a capsule without length has only its middle: 0 / 0
    let clip = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) };

    let mut touch = |x1: f64, x2: f64| {
        let at1 = vec3::add_scaled(one.pos, axis1, x1);
        let at2 = vec3::add_scaled(two.pos, axis2, x2);
        let ball1 = Ball { centre: at1, radius: one.size[0], mat: one.mat };
        let ball2 = Ball { centre: at2, radius: two.size[0], mat: two.mat };
        let touch = balls(ball1, ball2, margin);
        if let Some(touch) = touch {
            out.push(touch);
        }
        usize::from(touch.is_some())
    };

    if det.abs() >= MINVAL {
        let (mut x1, mut x2) = ((c * u - b * v) / det, (a * v - b * u) / det);
        if x1 > 1.0 {
            (x1, x2) = (1.0, (v - b) / c);
        } else if x1 < -1.0 {
            (x1, x2) = (-1.0, (v + b) / c);
        }
        if x2 > 1.0 {
            (x1, x2) = (clip((u - b) / a), 1.0);
        } else if x2 < -1.0 {
            (x1, x2) = (clip((u + b) / a), -1.0);
        }
        touch(x1, x2);
        return;
    }

    // parallel: the ends of the first, then those of the second, until two are found
    let mut found = touch(1.0, clip((v - b) / c)) + touch(-1.0, clip((v + b) / c));
    if found < 2 {
        found += touch(clip((u - b) / a), 1.0);
    }
    if found < 2 {
        touch(clip((u + b) / a), -1.0);
    }
}
