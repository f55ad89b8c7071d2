//! Planes and centrums of facets (qh_setfacetplane, qh_sethyperplane_det, qh_sethyperplane_gauss,
//! qh_getcentrum).
//!
//! Every expression is evaluated from left to right without fused operations: the last bit of a
//! plane decides on which facet a point lies.

use super::Builder;
use super::tolerance::Tolerance;
use sim_core::math::vec3::{Vec3, sub};

impl Builder<'_> {
    pub(super) fn vertex_point(&self, vertex: u32) -> Vec3 {
        self.points[self.vertices[vertex].point as usize]
    }

    /// Computes the plane of a simplicial facet and whether it is flipped.
    pub(super) fn set_plane(&mut self, facet: u32) {
        let vertices = &self.facets[facet].vertices;
        let rows = [0, 1, 2].map(|k| self.vertex_point(vertices[k]));
        let f = &mut self.facets[facet];
        f.has_normal = true;
        let near_zero;
        (f.normal, f.offset, near_zero) = plane_by_cross(rows, f.top_orient, &self.tolerance);
        if near_zero {
            let near_zero;
            (f.normal, f.offset, near_zero) =
                plane_by_elimination(rows, f.top_orient, &self.tolerance);
            if near_zero {
                self.orient_outside(facet);
            }
        }
        self.check_flipped(facet);
    }

    /// Reverses the plane of a facet if the interior point is above it.
    pub(super) fn orient_outside(&mut self, facet: u32) {
        let f = &mut self.facets[facet];
        if f.distance(self.interior) > 0.0 {
            f.normal = f.normal.map(|x| -x);
            f.offset = -f.offset;
        }
    }

    /// Marks a facet as flipped unless the interior point is clearly below it.
    pub(super) fn check_flipped(&mut self, facet: u32) {
        let f = &mut self.facets[facet];
        if f.distance(self.interior) >= -self.tolerance.dist_round {
            f.flipped = true;
        }
    }

    /// The centrum of a facet, computed unless it is known.
    pub(super) fn centrum(&mut self, facet: u32) -> Vec3 {
        if let Some(centrum) = self.facets[facet].centrum {
            return centrum;
        }
        let f = &self.facets[facet];
        let count = f.vertices.len() as f64;
        let mut center = [0.0; 3];
        for &v in f.vertices.iter() {
            let p = self.vertex_point(v);
            for k in 0..3 {
                center[k] += p[k];
            }
        }
        center = center.map(|x| x / count);
        let distance = f.distance(center);
        for k in 0..3 {
            center[k] -= distance * f.normal[k];
        }
        self.facets[facet].centrum = Some(center);
        center
    }
}

/// Plane by the cross product of two edges. The last value tells that a vertex is further than the
/// rounding error from the plane.
#[inline]
fn plane_by_cross(rows: [Vec3; 3], top_orient: bool, tolerance: &Tolerance) -> (Vec3, f64, bool) {
    let origin = rows[0];
    let ([x1, y1, z1], [x2, y2, z2]) = (sub(rows[1], origin), sub(rows[2], origin));
    let cross = [y2 * z1 - z2 * y1, x1 * z2 - z1 * x2, x2 * y1 - y2 * x1];
    let normal = normalize(cross, top_orient, tolerance);
    let dot = |p: Vec3| p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
    let offset = -dot(origin);
    let far = |p: Vec3| {
        let distance = offset + dot(p);
        distance > tolerance.dist_round || distance < -tolerance.dist_round
    };
    (normal, offset, far(rows[2]) || far(rows[1]))
}

/// Divides a vector by its length, or by the negative length without `positive`.
#[inline]
fn normalize(v: Vec3, positive: bool, tolerance: &Tolerance) -> Vec3 {
    let mut norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if norm == 0.0 {
        return [(1.0_f64 / 3.0).sqrt(); 3];
    }
    let large = norm > tolerance.min_denominator;
    if !positive {
        norm = -norm;
    }
    if large { v.map(|x| x / norm) } else { normalize_tiny(v, norm, tolerance) }
}

/// Divides a vector by a tiny `norm`, or returns a unit vector if a quotient overflows.
#[cold]
fn normalize_tiny(v: Vec3, norm: f64, tolerance: &Tolerance) -> Vec3 {
    let mut result = v;
    for k in 0..3 {
        match divide(v[k], norm, tolerance.min_denominator_1) {
            Some(quotient) => result[k] = quotient,
            None => {
                let mut largest = 0;
                for j in 1..3 {
                    if result[j].abs() > result[largest].abs() {
                        largest = j;
                    }
                }
                let sign = if result[largest] * norm >= 0.0 { 1.0 } else { -1.0 };
                result = [0.0; 3];
                result[largest] = sign;
                return result;
            }
        }
    }
    result
}

/// Quotient unless it overflows (qh_divzero).
fn divide(numerator: f64, denominator: f64, min_denominator: f64) -> Option<f64> {
    let defined = if numerator < min_denominator && numerator > -min_denominator {
        numerator.abs() < denominator.abs()
    } else {
        let ratio = denominator / numerator;
        ratio > min_denominator || ratio < -min_denominator
    };
    defined.then(|| numerator / denominator)
}

/// Plane by Gaussian elimination with partial pivoting. The last value tells that a pivot is
/// nearly zero.
fn plane_by_elimination(
    points: [Vec3; 3],
    top_orient: bool,
    tolerance: &Tolerance,
) -> (Vec3, f64, bool) {
    let origin = points[0];
    let mut rows = [sub(points[1], origin), sub(points[2], origin)];
    let mut sign = top_orient;
    let mut near_zero = false;
    if rows[1][0].abs() > rows[0][0].abs() {
        rows.swap(0, 1);
        sign = !sign;
    }
    let pivot = rows[0][0];
    near_zero |= pivot.abs() <= tolerance.near_zero[0];
    if pivot.abs() != 0.0 {
        let factor = rows[1][0] / pivot;
        for k in 1..3 {
            rows[1][k] -= factor * rows[0][k];
        }
    }
    near_zero |= rows[1][1].abs() <= tolerance.near_zero[1];
    for k in [1, 0] {
        sign ^= rows[k][k] < 0.0;
    }
    let (normal, zero_column) = back_substitute(rows, sign, tolerance);
    let normal = normalize(normal, true, tolerance);
    let mut offset = -(origin[0] * normal[0]);
    for k in 1..3 {
        offset -= origin[k] * normal[k];
    }
    (normal, offset, near_zero || zero_column)
}

/// Normal of two rows in upper triangular form, with last component −1 or 1 (qh_backnormal).
fn back_substitute(rows: [Vec3; 2], sign: bool, tolerance: &Tolerance) -> (Vec3, bool) {
    let unit = if sign { -1.0 } else { 1.0 };
    let mut normal = [0.0, 0.0, unit];
    let mut zero_column = false;
    for i in [1, 0] {
        let mut x = 0.0;
        for j in i + 1..3 {
            x -= rows[i][j] * normal[j];
        }
        let diagonal = rows[i][i];
        if diagonal.abs() > tolerance.min_denominator_2 {
            normal[i] = x / diagonal;
        } else if let Some(quotient) = divide(x, diagonal, tolerance.min_denominator_1_2) {
            normal[i] = quotient;
        } else {
            normal[i] = unit;
            for later in &mut normal[i + 1..] {
                *later = 0.0;
            }
            zero_column = true;
        }
    }
    (normal, zero_column)
}
