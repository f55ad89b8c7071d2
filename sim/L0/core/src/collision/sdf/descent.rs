//! Minima of fields: gradient descent in space, Frank–Wolfe on a triangle.

use super::field::Field;
use super::overlap::{Goal, Overlap};
use crate::math::is_bad;
use crate::math::vec3::{Vec3, add_scaled, dot, sub};
use sim_types::MAXVAL;

/// Share of the decrease that the gradient promises that a step must reach.
const ENOUGH: f64 = 0.1;
/// First factor of the gradient, before it is halved.
const LONGEST: f64 = 2.0;
/// Least factor of the gradient.
const SHORTEST: f64 = 1e-4;

/// Goes downhill from `x`, at most so many steps, each found by halving. Returns the value there.
#[doc(alias = "stepGradient")]
pub(super) fn descend(x: &mut Vec3, overlap: &Overlap<'_>, goal: Goal, steps: u32) -> f64 {
    let mut value = MAXVAL;
    for _ in 0..steps {
        let gradient = overlap.gradient(goal, *x);
        if gradient.iter().any(|&g| is_bad(g)) {
            return MAXVAL;
        }
        let (start, before) = (*x, overlap.value(goal, *x));
        let mut factor = LONGEST;
        let mut wanted = -ENOUGH * factor * dot(gradient, gradient);
        loop {
            factor *= 0.5;
            wanted *= 0.5;
            *x = add_scaled(start, gradient, -factor);
            value = overlap.value(goal, *x);
            // also ends for what is no number
            if !(factor > SHORTEST && value - before > wanted) {
                break;
            }
        }
        if before < value {
            return value;
        }
    }
    value
}

/// Goes from `x`, a point of a triangle, to where a field is least on it. Returns the value there.
#[doc(alias = "stepFrankWolfe")]
pub(super) fn frank_wolfe(x: &mut Vec3, corners: &[Vec3; 3], field: &Field<'_>, steps: u32) -> f64 {
    for step in 0..steps {
        let gradient = field.gradient(*x);
        let (mut best, mut least) = (corners[0], MAXVAL);
        for corner in corners {
            let slope = dot(*corner, gradient);
            if slope < least {
                (best, least) = (*corner, slope);
            }
        }
        *x = add_scaled(*x, sub(best, *x), 2.0 / (f64::from(step) + 2.0));
    }
    field.distance(*x)
}
