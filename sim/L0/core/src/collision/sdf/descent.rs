//! Minimization of distance fields by gradient descent.

use super::four_points::LineSearch;
use super::objective::{FieldPair, Objective};
use crate::math::is_bad;
use crate::math::vec3::{Vec3, add_scaled, dot};
use sim_types::MAXVAL;

/// Sufficient-decrease constant of the backtracking line search (Armijo).
pub(super) const ARMIJO: f64 = 0.1;
/// Twice the first step length.
pub(super) const MAX_STEP: f64 = 2.0;
/// Smallest step length.
pub(super) const MIN_STEP: f64 = 1e-4;

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
    let four_steps = fields.is_vectorized();
    for _ in 0..steps {
        let gradient = fields.gradient(objective, *x, *distances);
        if gradient.iter().any(|&g| is_bad(g)) {
            return MAXVAL;
        }
        let (start, before) = (*x, objective.value(*distances));
        if four_steps {
            let search = LineSearch { fields, objective, start, gradient, before };
            (*x, *distances, value) = search.run();
        } else {
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
        }
        if before < value {
            return value;
        }
    }
    value
}
