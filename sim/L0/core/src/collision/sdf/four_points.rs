//! Distances, line searches and Frank–Wolfe steps for four points at once, in SIMD lanes.
//!
//! Each lane computes what the functions for one point compute, in the same order, so that results are equal.

use super::descent::{ARMIJO, MAX_STEP, MIN_STEP};
use super::field::{Field, cylinder_distance, ellipsoid_distance, excess, from_segment};
use super::objective::{FieldPair, Objective};
use super::pose::Transform;
use crate::math::vec3::{Vec3, dot, norm};
use crate::plugin::{each_distance, each_gradient};
use sim_simd::dispatch;
use sim_types::{MAXVAL, MINVAL};

/// Coordinates of four points: those along x, y and z.
pub(super) type Points = [[f64; 4]; 3];

/// Point `k`.
#[inline(always)]
fn point([x, y, z]: &Points, k: usize) -> Vec3 {
    [x[k], y[k], z[k]]
}

impl Field<'_> {
    /// Whether four distances take about as long as one.
    pub(super) fn is_vectorized(&self) -> bool {
        match self {
            Self::Plugin(field) => field.is_vectorized(),
            Self::Octree(_) => false,
            _ => true,
        }
    }

    /// Distances of four points.
    #[inline(always)]
    pub(super) fn distance4(&self, points: &Points) -> [f64; 4] {
        match *self {
            Self::Plane => points[2],
            Self::Sphere(radius) => each_distance(points, |x| norm(x) - radius),
            Self::Capsule([radius, half]) => {
                each_distance(points, |x| norm(from_segment(x, half)) - radius)
            }
            Self::Ellipsoid(size) => each_distance(points, |x| ellipsoid_distance(x, size)),
            Self::Cylinder(size) => each_distance(points, |x| cylinder_distance(x, size)),
            Self::Box(size) => each_distance(points, |x| box_distance_both(x, size)),
            Self::Octree(ref tree) => each_distance(points, |x| tree.distance(x)),
            Self::Plugin(field) => field.distance4(points),
        }
    }

    /// Gradients at four points.
    #[inline(always)]
    pub(super) fn gradient4(&self, points: &Points) -> Points {
        match *self {
            Self::Plugin(field) => field.gradient4(points),
            _ => each_gradient(points, |x| self.gradient(x)),
        }
    }
}

/// `box_distance` without branches: both the distance outside and the value inside are
/// computed.
#[inline(always)]
fn box_distance_both(x: Vec3, size: Vec3) -> f64 {
    let a = excess(x, size);
    let largest = a[0].max(a[1].max(a[2]));
    let outside = norm(a.map(|a| a.max(0.0))) + largest.min(0.0);
    let direction: Vec3 = std::array::from_fn(|k| -size[k] / a[k]);
    let length = norm(direction);
    let inverse = 1.0 / length;
    let unit = |k: usize, short: f64| {
        let component = if length < MINVAL { short } else { direction[k] * inverse };
        if x[k] < 0.0 { -component } else { component }
    };
    let b = [unit(0, 1.0), unit(1, 0.0), unit(2, 0.0)];
    let depth: Vec3 = std::array::from_fn(|k| -a[k] / b[k].abs());
    let inside = -depth[0].min(depth[1].min(depth[2])) * norm(b);
    if a[0] >= 0.0 || a[1] >= 0.0 || a[2] >= 0.0 { outside } else { inside }
}

impl Transform {
    #[inline(always)]
    fn apply4(&self, points: &Points) -> Points {
        let (r, [x, y, z]) = (&self.rotation, points);
        std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                r[3 * i] * x[k] + r[3 * i + 1] * y[k] + r[3 * i + 2] * z[k] + self.offset[i]
            })
        })
    }
}

impl FieldPair<'_> {
    /// Whether four points take about as long as one.
    pub(super) fn is_vectorized(&self) -> bool {
        self.first.is_vectorized() && self.second.is_vectorized()
    }
}

/// A backtracking line search that evaluates four step lengths at a time.
pub(super) struct LineSearch<'a> {
    pub fields: &'a FieldPair<'a>,
    pub objective: Objective,
    pub start: Vec3,
    pub gradient: Vec3,
    /// Value of the objective at the start.
    pub before: f64,
}

impl LineSearch<'_> {
    /// The first point of sufficient decrease, or that of the smallest step; its distances and its value.
    pub(super) fn run(&self) -> (Vec3, [f64; 2], f64) {
        let search = self;
        dispatch!(line_search(search: &LineSearch<'_>) -> (Vec3, [f64; 2], f64))
    }
}

#[inline(always)]
fn line_search(search: &LineSearch<'_>) -> (Vec3, [f64; 2], f64) {
    let LineSearch { fields, objective, start, gradient, before } = *search;
    let mut decrease = -ARMIJO * MAX_STEP * dot(gradient, gradient);
    let mut step = MAX_STEP;
    loop {
        let steps = [0.5 * step, 0.25 * step, 0.125 * step, 0.0625 * step];
        let points: Points = std::array::from_fn(|i| steps.map(|s| start[i] + -s * gradient[i]));
        let a = fields.first.distance4(&points);
        let b = fields.second.distance4(&fields.to_second.apply4(&points));
        let values: [f64; 4] = std::array::from_fn(|k| objective.value([a[k], b[k]]));
        for k in 0..4 {
            decrease *= 0.5;
            // also terminates on NaN
            if !(steps[k] > MIN_STEP && values[k] - before > decrease) {
                return (point(&points, k), [a[k], b[k]], values[k]);
            }
        }
        step = steps[3];
    }
}

/// Frank–Wolfe minimization of a field over a triangle, from four points of it. Returns the final points and values.
#[doc(alias = "stepFrankWolfe")]
pub(super) fn frank_wolfe4(
    start: &Points,
    corners: &[Vec3; 3],
    field: &Field<'_>,
    steps: u32,
) -> (Points, [f64; 4]) {
    dispatch!(minimize_on_triangle(start: &Points, corners: &[Vec3; 3], field: &Field<'_>, steps: u32) -> (Points, [f64; 4]))
}

#[inline(always)]
fn minimize_on_triangle(
    start: &Points,
    corners: &[Vec3; 3],
    field: &Field<'_>,
    steps: u32,
) -> (Points, [f64; 4]) {
    let mut x = *start;
    for step in 0..steps {
        let gradient = field.gradient4(&x);
        let (mut best, mut least) = (corners[0].map(|c| [c; 4]), [MAXVAL; 4]);
        for corner in corners {
            for k in 0..4 {
                let slope = dot(*corner, point(&gradient, k));
                let is_less = slope < least[k];
                least[k] = if is_less { slope } else { least[k] };
                for (best, corner) in best.iter_mut().zip(corner) {
                    best[k] = if is_less { *corner } else { best[k] };
                }
            }
        }
        let length = 2.0 / (f64::from(step) + 2.0);
        for (x, best) in x.iter_mut().zip(&best) {
            *x = std::array::from_fn(|k| x[k] + length * (best[k] - x[k]));
        }
    }
    let values = field.distance4(&x);
    (x, values)
}
