//! Minimization of distance fields: gradient descent in space, Frank–Wolfe on a triangle.

use super::field::Field;
use super::objective::{FieldPair, Objective};
use crate::math::is_bad;
use crate::math::vec3::{Vec3, add_scaled, dot, sub};
use sim_types::MAXVAL;

/// Sufficient-decrease constant of the backtracking line search (Armijo).
const ARMIJO: f64 = 0.1;
/// Twice the first step length.
const MAX_STEP: f64 = 2.0;
/// Smallest step length.
const MIN_STEP: f64 = 1e-4;

/// Gradient descent from `x` with a backtracking line search, at most `steps` steps. Returns the final
/// value. `distances` are those of `x`, before and after.
#[doc(alias = "stepGradient")]
pub(super) fn gradient_descent(
    x: &mut Vec3,
    distances: &mut [f64; 2],
    fields: &FieldPair<'_>,
    objective: Objective,
    steps: u32,
) -> f64 {
    let mut value = MAXVAL;
    for _ in 0..steps {
        let gradient = fields.gradient(objective, *x, *distances);
        if gradient.iter().any(|&g| is_bad(g)) {
            return MAXVAL;
        }
        let (start, before) = (*x, objective.value(*distances));
        let mut step = MAX_STEP;
        let mut decrease = -ARMIJO * step * dot(gradient, gradient);
        loop {
            step *= 0.5;
            decrease *= 0.5;
            *x = add_scaled(start, gradient, -step);
            *distances = fields.distances(*x);
            value = objective.value(*distances);
            // also terminates on NaN
            if !(step > MIN_STEP && value - before > decrease) {
                break;
            }
        }
        if before < value {
            return value;
        }
    }
    value
}

/// Frank–Wolfe minimization of a field over a triangle, from the point `x` of it. Returns the final value.
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
