//! Single contact: its 3 × 3 diagonal block of `W`, the Cholesky factor of the block, and the
//! projection onto its friction cone.

use crate::qcqp;

/// Diagonal block of `W` of one contact.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// The block of `W`.
    pub a: [[f64; 3]; 3],
    /// Its Cholesky factor, with the diagonal inverted.
    l: [[f64; 3]; 3],
    /// Gradient step size `1 / trace`, at most the inverse of the largest eigenvalue of the block.
    pub step: f64,
    pub friction: f64,
}

/// Diagonal shift relative to the trace, so that the Cholesky factor exists.
const RELATIVE_SHIFT: f64 = 1e-12;

impl Block {
    pub(super) fn new(a: [[f64; 3]; 3], friction: f64) -> Self {
        let trace = a[0][0] + a[1][1] + a[2][2];
        if trace.is_nan() || trace <= 0.0 {
            // the contact has no mobility
            return Self { a, friction, ..Self::default() };
        }
        let mut l = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let mut value = a[i][j] + if i == j { RELATIVE_SHIFT * trace } else { 0.0 };
                for k in 0..j {
                    value -= l[i][k] * l[j][k];
                }
                l[i][j] = if i == j {
                    1.0 / value.max(RELATIVE_SHIFT * trace).sqrt()
                } else {
                    value * l[j][j]
                };
            }
        }
        Self { a, l, step: 1.0 / trace, friction: friction.max(0.0) }
    }

    /// Minimises the cost over the force of this contact by `rounds` alternations of a ray update
    /// and a friction update. `gradient` is the gradient at `force`.
    pub(super) fn minimise(&self, force: [f64; 3], gradient: [f64; 3], rounds: usize) -> [f64; 3] {
        let start = force;
        let mut force = force;
        if self.step > 0.0 && self.friction > 0.0 {
            // the unconstrained minimum, if it is inside the cone
            let free = add(force, self.solve(gradient), -1.0);
            if free[1].hypot(free[2]) <= self.friction * free[0] {
                return free;
            }
        }
        for _ in 0..rounds {
            let moved = add(force, start, -1.0);
            let gradient = add(gradient, self.a.map(|a| dot(a, moved)), 1.0);
            let next = self.ray_then_friction(force, gradient);
            let change = add(next, force, -1.0);
            force = next;
            if dot(change, change) <= 1e-24 * dot(force, force) {
                break;
            }
        }
        force
    }

    /// Exact minimisation along a ray, then over friction at the resulting normal force.
    fn ray_then_friction(&self, old: [f64; 3], gradient: [f64; 3]) -> [f64; 3] {
        // the ray through the current force, or at the apex the projected negative gradient
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
        // QCQP over friction, scaled to unit trace and unit normal force
        let scale = 1.0 / (self.a[1][1] + self.a[2][2]).max(f64::MIN_POSITIVE);
        let a = [1, 2].map(|i| [1, 2].map(|j| self.a[i][j] * scale));
        let linear = [1, 2].map(|k| {
            let rest =
                self.a[k][0] * (new[0] - old[0]) - self.a[k][1] * old[1] - self.a[k][2] * old[2];
            (gradient[k] + rest) * scale / new[0]
        });
        let (v, boundary) = qcqp::minimise(&a, &linear, &[self.friction; 2], 1.0);
        let length = v[0].hypot(v[1]);
        let scale =
            if boundary.is_some() && length > 0.0 { self.friction / length } else { 1.0 } * new[0];
        let candidate = [new[0], v[0] * scale, v[1] * scale];
        // keep the ray update if the QCQP failed on a singular block
        let change = |f: [f64; 3]| {
            let delta = add(f, old, -1.0);
            0.5 * dot(delta, self.a.map(|a| dot(a, delta))) + dot(delta, gradient)
        };
        self.project(if change(candidate) <= change(new) { candidate } else { new })
    }

    /// Curvature that the cone boundary adds to the cost along a direction: the outward normal
    /// component of `push` times the curvature of the circular cross-section.
    pub(super) fn cone_curvature(
        &self,
        force: [f64; 3],
        push: [f64; 3],
        direction: [f64; 3],
    ) -> f64 {
        let (mu, t) = (self.friction, force[1].hypot(force[2]));
        if t <= 0.0 || t < mu * force[0] * (1.0 - 1e-9) {
            return 0.0;
        }
        let (x, y) = (force[1] / t, force[2] / t);
        let outward = (push[1] * x + push[2] * y - mu * push[0]) / (1.0 + mu * mu);
        let tangential = direction[2] * x - direction[1] * y;
        outward.max(0.0) / t * tangential * tangential
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

    /// Euclidean projection onto the cone.
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
    fn projection_satisfies_moreau_decomposition() {
        let block = Block::new([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]], 0.6);
        for v in [[1.0, 0.2, 0.1], [1.0, 2.0, -1.0], [-1.0, 0.5, 0.5], [-1.0, 5.0, 1.0]] {
            let p = block.project(v);
            assert!(p[1].hypot(p[2]) <= 0.6 * p[0] * (1.0 + 1e-12));
            // the remainder is orthogonal to the projection and in the polar cone
            let rest = add(v, p, -1.0);
            assert!(dot(rest, p).abs() < 1e-12);
            for angle in 0..12 {
                let (sin, cos) = f64::from(angle).sin_cos();
                assert!(dot(rest, [1.0, 0.6 * cos, 0.6 * sin]) < 1e-12);
            }
        }
    }

    #[test]
    fn solve_inverts_the_block() {
        let a = [[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]];
        let x = Block::new(a, 0.5).solve([1.0, -2.0, 0.5]);
        for (row, want) in a.iter().zip([1.0, -2.0, 0.5]) {
            assert!((dot(*row, x) - want).abs() < 1e-10);
        }
    }
}
