//! One contact: its 3 × 3 block of `W`, the factor of that, and its cone.

use crate::qcqp;

/// The diagonal block of a contact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// The block of `W`.
    pub a: [[f64; 3]; 3],
    /// Its Cholesky factor, with the diagonal inverted.
    l: [[f64; 3]; 3],
    /// A step along the gradient that is safe for this block alone.
    pub step: f64,
    pub friction: f64,
}

/// Added to the diagonal, relative to the trace, so that the factor exists.
const RIDGE: f64 = 1e-12;

impl Block {
    pub(super) fn new(a: [[f64; 3]; 3], friction: f64) -> Self {
        let trace = a[0][0] + a[1][1] + a[2][2];
        if trace.is_nan() || trace <= 0.0 {
            // no force on this contact moves anything
            return Self { a, friction, ..Self::default() };
        }
        let mut l = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let mut value = a[i][j] + if i == j { RIDGE * trace } else { 0.0 };
                for k in 0..j {
                    value -= l[i][k] * l[j][k];
                }
                l[i][j] =
                    if i == j { 1.0 / value.max(RIDGE * trace).sqrt() } else { value * l[j][j] };
            }
        }
        Self { a, l, step: 1.0 / trace, friction: friction.max(0.0) }
    }

    /// Minimises the cost over the force of this contact: in turn along the force and over friction,
    /// so many times. `gradient` is that at the given force.
    pub(super) fn minimise(&self, force: [f64; 3], gradient: [f64; 3], rounds: usize) -> [f64; 3] {
        let start = force;
        let mut force = force;
        if self.step > 0.0 && self.friction > 0.0 {
            // where the cone does not matter there is a short way
            let free = add(force, self.solve(gradient), -1.0);
            if free[1].hypot(free[2]) <= self.friction * free[0] {
                return free;
            }
        }
        for _ in 0..rounds {
            let moved = add(force, start, -1.0);
            let gradient = add(gradient, self.a.map(|a| dot(a, moved)), 1.0);
            let next = self.improve(force, gradient);
            let change = add(next, force, -1.0);
            force = next;
            if dot(change, change) <= 1e-24 * dot(force, force) {
                break;
            }
        }
        force
    }

    fn improve(&self, old: [f64; 3], gradient: [f64; 3]) -> [f64; 3] {
        // along the present force, or at the apex along the best way into the cone
        let ray = if old[0] > 0.0 { old } else { self.project(gradient.map(|g| -g)) };
        let curvature = dot(ray, self.a.map(|a| dot(a, ray)));
        if curvature.is_nan() || curvature <= 0.0 {
            return old;
        }
        let x = (-dot(gradient, ray) / curvature).max(if old[0] > 0.0 { -1.0 } else { 0.0 });
        let new = add(old, ray, x);
        if new[0] <= 0.0 || self.friction <= 0.0 {
            return self.project(new);
        }
        // friction at that normal force, scaled to numbers around one
        let scale = 1.0 / (self.a[1][1] + self.a[2][2]).max(f64::MIN_POSITIVE);
        let a = [self.a[1][1], self.a[1][2], self.a[2][1], self.a[2][2]].map(|a| a * scale);
        let linear = [1, 2].map(|k| {
            let rest =
                self.a[k][0] * (new[0] - old[0]) - self.a[k][1] * old[1] - self.a[k][2] * old[2];
            (gradient[k] + rest) * scale / new[0]
        });
        let (v, boundary) = qcqp::minimise(&a, &linear, &[self.friction; 5], 1.0, 2);
        let length = v[0].hypot(v[1]);
        let scale = if boundary && length > 0.0 { self.friction / length } else { 1.0 } * new[0];
        let candidate = [new[0], v[0] * scale, v[1] * scale];
        // a block that is singular to the inner solver keeps what it had
        let change = |f: [f64; 3]| {
            let delta = add(f, old, -1.0);
            0.5 * dot(delta, self.a.map(|a| dot(a, delta))) + dot(delta, gradient)
        };
        self.project(if change(candidate) <= change(new) { candidate } else { new })
    }

    /// Curvature along a direction that comes from staying on the cone: the outward push times the
    /// bend of the circle.
    pub(super) fn bend(&self, force: [f64; 3], push: [f64; 3], direction: [f64; 3]) -> f64 {
        let (mu, t) = (self.friction, force[1].hypot(force[2]));
        if t <= 0.0 || t < mu * force[0] * (1.0 - 1e-9) {
            return 0.0;
        }
        let (x, y) = (force[1] / t, force[2] / t);
        let outward = (push[1] * x + push[2] * y - mu * push[0]) / (1.0 + mu * mu);
        let around = direction[2] * x - direction[1] * y;
        outward.max(0.0) / t * around * around
    }

    /// `A⁻¹ v`.
    pub(super) fn solve(&self, v: [f64; 3]) -> [f64; 3] {
        let l = &self.l;
        let x = v[0] * l[0][0];
        let y = (v[1] - l[1][0] * x) * l[1][1];
        let z = (v[2] - l[2][0] * x - l[2][1] * y) * l[2][2];
        let z = z * l[2][2];
        let y = (y - l[2][1] * z) * l[1][1];
        let x = (x - l[1][0] * y - l[2][0] * z) * l[0][0];
        [x, y, z]
    }

    /// The nearest point of the cone.
    pub(super) fn project(&self, v: [f64; 3]) -> [f64; 3] {
        let mu = self.friction;
        let t = v[1].hypot(v[2]);
        if t <= mu * v[0] {
            return v;
        }
        if mu * t <= -v[0] {
            return [0.0; 3];
        }
        let normal = (v[0] + mu * t) / (1.0 + mu * mu);
        if normal <= 0.0 {
            return [0.0; 3];
        }
        let scale = if t > 0.0 { mu * normal / t } else { 0.0 };
        [normal, scale * v[1], scale * v[2]]
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a + s b`.
pub(super) fn add(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

#[cfg(test)]
mod tests {
    use super::{Block, add, dot};

    #[test]
    fn projections_are_nearest_points() {
        let block = Block::new([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]], 0.6);
        for v in [[1.0, 0.2, 0.1], [1.0, 2.0, -1.0], [-1.0, 0.5, 0.5], [-1.0, 5.0, 1.0]] {
            let p = block.project(v);
            assert!(p[1].hypot(p[2]) <= 0.6 * p[0] * (1.0 + 1e-12));
            // the rest is orthogonal to the point and makes an obtuse angle with the cone
            let rest = add(v, p, -1.0);
            assert!(dot(rest, p).abs() < 1e-12);
            for angle in 0..12 {
                let (sin, cos) = f64::from(angle).sin_cos();
                assert!(dot(rest, [1.0, 0.6 * cos, 0.6 * sin]) < 1e-12);
            }
        }
    }

    #[test]
    fn the_factor_inverts_the_block() {
        let a = [[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]];
        let x = Block::new(a, 0.5).solve([1.0, -2.0, 0.5]);
        for (row, want) in a.iter().zip([1.0, -2.0, 0.5]) {
            assert!((dot(*row, x) - want).abs() < 1e-10);
        }
    }
}
