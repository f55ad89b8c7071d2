//! What is minimized to find where two fields overlap.

use super::field::Field;
use super::frame::Map;
use crate::math::mat3;
use crate::math::vec3::{Vec3, add, add_scaled, normalize, sub};

/// A function of space made of two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// `max(a, b)`: negative inside of both.
    Intersection,
    /// `a - b`: zero half way between the surfaces.
    MidSurface,
    /// `a + b + |max(a, b)|`: least where the overlap is deepest, and near it where there is none.
    Collision,
}

/// Two fields, in the frame of the first.
pub(super) struct Overlap<'a> {
    pub first: Field<'a>,
    pub second: Field<'a>,
    /// From the first frame to the second.
    pub to_second: Map,
}

impl Overlap<'_> {
    fn both(&self, x: Vec3) -> [f64; 2] {
        [self.first.distance(x), self.second.distance(self.to_second.apply(x))]
    }

    fn second_gradient(&self, x: Vec3) -> Vec3 {
        let gradient = self.second.gradient(self.to_second.apply(x));
        mat3::mul_transpose_vec(&self.to_second.turn, gradient)
    }

    pub(super) fn value(&self, goal: Goal, x: Vec3) -> f64 {
        let [a, b] = self.both(x);
        match goal {
            Goal::Intersection => a.max(b),
            Goal::MidSurface => a - b,
            Goal::Collision => a + b + a.max(b).abs(),
        }
    }

    pub(super) fn gradient(&self, goal: Goal, x: Vec3) -> Vec3 {
        match goal {
            Goal::Intersection => {
                let [a, b] = self.both(x);
                if a > b { self.first.gradient(x) } else { self.second_gradient(x) }
            }
            Goal::MidSurface => {
                let (a, _) = normalize(self.first.gradient(x));
                let (b, _) = normalize(self.second_gradient(x));
                normalize(sub(a, b)).0
            }
            Goal::Collision => {
                let [a, b] = self.both(x);
                let (da, db) = (self.first.gradient(x), self.second_gradient(x));
                let larger = if a > b { da } else { db };
                add_scaled(add(da, db), larger, if a.max(b) > 0.0 { 1.0 } else { -1.0 })
            }
        }
    }
}
