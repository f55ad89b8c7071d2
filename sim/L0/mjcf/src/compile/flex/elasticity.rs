//! Elasticity of triangles and tetrahedra: Saint Venant–Kirchhoff in terms of squared edge lengths, and bending.
//!
//! The Green strain of an element is a linear combination of the changes of its squared edge lengths, whose
//! basis tensors follow from the rest shape (Weischedel, "A discrete geometric view on shear-deformable shell
//! models"). Bending is the discrete quadratic curvature energy of Wardetzky et al., with the correction of
//! Garg et al., "Cubic shells", for curved rest shapes.

use super::super::math::{Vec3, cross, dot, normalize, sub};
use crate::spec::Flex;

/// Coefficients per element.
const PER_ELEMENT: usize = 21;
/// Coefficients per edge.
const PER_EDGE: usize = 17;

/// For each edge of a tetrahedron, the two faces that do not contain it.
const TET_FACES: [[[usize; 3]; 2]; 6] = {
    const F: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    [[F[2], F[3]], [F[1], F[3]], [F[2], F[1]], [F[1], F[0]], [F[0], F[2]], [F[0], F[3]]]
};
/// For each edge of a triangle, the two other edges.
const TRIANGLE_EDGES: [[[usize; 2]; 2]; 3] = {
    const F: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
    [[F[1], F[2]], [F[2], F[0]], [F[0], F[1]]]
};

/// A symmetric tensor (a bᵀ + b aᵀ) times `scale`.
fn symmetric(a: Vec3, b: Vec3, scale: f64) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| (a[i] * b[j] + b[i] * a[j]) / scale))
}

/// Coefficients of all elements, 21 each: the upper triangle of the metric between squared edge lengths.
pub(super) fn stiffness(s: &Flex, elem: &[i32], x: &[Vec3]) -> Vec<f64> {
    let corners = s.dim as usize + 1;
    let mut out = vec![0.0; PER_ELEMENT * (elem.len() / corners)];
    for (e, k) in elem.chunks(corners).zip(out.chunks_mut(PER_ELEMENT)) {
        let p: Vec<Vec3> = e.iter().map(|&v| x[v as usize]).collect();
        if let [a, b, c, d] = p[..] {
            tetrahedron(s, [a, b, c, d], k);
        } else if let [a, b, c] = p[..]
            && s.elastic2d.stretches()
        {
            triangle(s, [a, b, c], k);
        }
    }
    out
}

/// Lamé parameters, times `measure`.
fn lame(s: &Flex, measure: f64) -> [f64; 2] {
    let (young, poisson) = (s.young, s.poisson);
    let mu = young / (2.0 * (1.0 + poisson)) * measure;
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * measure;
    [mu, lambda]
}

fn tetrahedron(s: &Flex, p: [Vec3; 4], k: &mut [f64]) {
    let volume = dot(cross(sub(p[1], p[0]), sub(p[2], p[0])), sub(p[3], p[0])) / 6.0;
    let normal = |[a, b, c]: [usize; 3]| cross(sub(p[b], p[a]), sub(p[c], p[a]));
    let basis = TET_FACES
        .map(|[left, right]| symmetric(normal(left), normal(right), 72.0 * volume * volume));
    metric(lame(s, volume.abs()), &basis, k);
}

fn triangle(s: &Flex, p: [Vec3; 3], k: &mut [f64]) {
    let area = area(p);
    let basis = TRIANGLE_EDGES.map(|[left, right]| {
        let left = sub(p[left[0]], p[left[1]]);
        let right = sub(p[right[1]], p[right[0]]);
        let mut normal = cross(right, left);
        normalize(&mut normal);
        symmetric(cross(normal, left), cross(right, normal), 8.0 * area * area)
    });
    metric(lame(s, area / 4.0 * s.thickness), &basis, k);
}

/// Upper triangle of μ tr(Bᵢ Bⱼ) + λ tr Bᵢ tr Bⱼ.
fn metric([mu, lambda]: [f64; 2], basis: &[[[f64; 3]; 3]], k: &mut [f64]) {
    let trace = |b: &[[f64; 3]; 3]| b[0][0] + b[1][1] + b[2][2];
    let mut entries = k.iter_mut();
    for (i, a) in basis.iter().enumerate() {
        for b in &basis[i..] {
            let mut product = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    product += a[r][c] * b[c][r];
                }
            }
            if let Some(entry) = entries.next() {
                *entry = mu * product + lambda * trace(b) * trace(a);
            }
        }
    }
}

fn area([a, b, c]: [Vec3; 3]) -> f64 {
    let normal = cross(sub(b, a), sub(c, a));
    dot(normal, normal).sqrt() / 2.0
}

/// Cotangent of the angle at `a`.
fn cotangent(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let (u, v) = (sub(b, a), sub(c, a));
    let normal = cross(u, v);
    dot(u, v) / dot(normal, normal).sqrt()
}

/// Bending coefficients of all edges: a 4 × 4 matrix, and the term of a curved rest shape; zero at the boundary.
pub(super) fn bending(s: &Flex, flaps: &[[i32; 4]], x: &[Vec3]) -> Vec<f64> {
    let mut out = vec![0.0; PER_EDGE * flaps.len()];
    let mu = s.young / (2.0 * (1.0 + s.poisson));
    for (flap, b) in flaps.iter().zip(out.chunks_mut(PER_EDGE)) {
        if flap[3] < 0 {
            continue;
        }
        let [v0, v1, v2, v3] = flap.map(|v| x[v as usize]);
        let a01 = cotangent(v0, v1, v2);
        let a02 = cotangent(v0, v3, v1);
        let a03 = cotangent(v1, v2, v0);
        let a04 = cotangent(v1, v0, v3);
        let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
        let total = area([v0, v1, v2]) + area([v1, v0, v3]);
        let stiffness = 3.0 * mu * s.thickness.powi(3) / (24.0 * total);
        let edge = sub(v1, v0);
        let toward = |p: f64, q: f64, v: Vec3| -> Vec3 {
            let (to0, to1) = (sub(v, v0), sub(v, v1));
            std::array::from_fn(|k| -(p * to0[k] + q * to1[k]))
        };
        let square = dot(edge, edge);
        let cosine = -dot(toward(a03, a01, v2), toward(a04, a02, v3)) / square;
        for i in 0..4 {
            for j in 0..4 {
                b[4 * i + j] = c[i] * c[j] * cosine * stiffness;
            }
        }
        let triple = dot(cross(edge, sub(v2, v0)), sub(v3, v0));
        b[16] = triple * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
    }
    out
}
