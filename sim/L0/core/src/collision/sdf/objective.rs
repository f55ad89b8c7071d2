//! Objectives that are minimized to find contacts between two distance fields.

use super::field::Field;
use super::pose::Transform;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, normalize, sub};

/// A scalar function of two distances `a` and `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objective {
    /// `max(a, b)`: negative inside both shapes.
    Intersection,
    /// `a - b`: zero midway between the surfaces.
    MidSurface,
    /// `a + b + |max(a, b)|`: minimal at the deepest overlap, or between the shapes if they are separated.
    Collision,
}

impl Objective {
    /// The value of the function.
    pub(super) fn value(self, [a, b]: [f64; 2]) -> f64 {
        match self {
            Self::Intersection => a.max(b),
            Self::MidSurface => a - b,
            Self::Collision => a + b + a.max(b).abs(),
        }
    }
}

/// Two distance fields, evaluated in the frame of the first.
pub(super) struct FieldPair<'a> {
    pub first: Field<'a>,
    pub second: Field<'a>,
    /// Transform from the first frame to the second.
    pub to_second: Transform,
}

impl FieldPair<'_> {
    /// The distances of a point.
    pub(super) fn distances(&self, x: Vec3) -> [f64; 2] {
        [self.first.distance(x), self.second.distance(self.to_second.apply(x))]
    }

    fn second_gradient(&self, x: Vec3) -> Vec3 {
        let gradient = self.second.gradient(self.to_second.apply(x));
        mat3::mul_transpose_vec(&self.to_second.rotation, gradient)
    }

    /// Gradient at a point with known distances.
    pub(super) fn gradient(&self, objective: Objective, x: Vec3, [a, b]: [f64; 2]) -> Vec3 {
        match objective {
            Objective::Intersection => {
                if a > b {
                    self.first.gradient(x)
                } else {
                    self.second_gradient(x)
                }
            }
            Objective::MidSurface => {
                let (a, _) = normalize(self.first.gradient(x));
                let (b, _) = normalize(self.second_gradient(x));
                normalize(sub(a, b)).0
            }
            Objective::Collision => {
                let (da, db) = (self.first.gradient(x), self.second_gradient(x));
                let larger = if a > b { da } else { db };
                add_scaled(add(da, db), larger, if a.max(b) > 0.0 { 1.0 } else { -1.0 })
            }
        }
    }
}
