//! Rays that meet deformable bodies.

use crate::Data;
use crate::math::mat3;
use crate::math::vec3::Vec3;
use crate::ray::ray_geom;
use nalgebra::{Rotation3, Vector3};
use sim_types::GeomType;

/// What a ray meets of the deformable bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeformableHit {
    /// Distance in units of the ray's vector.
    pub dist: f64,
    /// The deformable body.
    pub deformable: usize,
    /// The triangle or segment.
    pub element: usize,
    /// Normal of the surface there, unit length, towards the ray's start.
    pub normal: Vec3,
}

/// The first deformable body that a ray from `point` along `vec` meets: surfaces from both sides by
/// their triangles, chains by their capsules.
#[must_use]
pub fn ray_deformables(d: &Data, point: Vec3, vec: Vec3) -> Option<DeformableHit> {
    let soft = d.soft.as_ref()?;
    let (from, along) = (Vector3::from(point), Vector3::from(vec));
    let length = along.norm();
    if length.is_nan() || length < sim_types::MINVAL {
        return None;
    }
    let mut best: Option<DeformableHit> = None;
    for (deformable, part) in soft.parts.iter().enumerate() {
        let x = part.body.positions();
        let triangles = part.body.triangles().iter().map(|t| {
            let [a, b, c] = t.map(|i| x[i as usize]);
            triangle(from, along, [a, b, c])
        });
        let radius = part.body.radius();
        let capsules = part.body.segments().iter().map(|s| {
            let [a, b] = s.map(|i| x[i as usize]);
            capsule(point, vec, a, b, radius)
        });
        for (element, met) in triangles.chain(capsules).enumerate() {
            let Some((dist, normal)) = met else { continue };
            if best.is_none_or(|best| dist < best.dist) {
                best = Some(DeformableHit { dist, deformable, element, normal });
            }
        }
    }
    best
}

fn triangle(
    from: Vector3<f64>,
    along: Vector3<f64>,
    [a, b, c]: [Vector3<f64>; 3],
) -> Option<(f64, Vec3)> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(&v);
    let slope = normal.dot(&along);
    let dist = normal.dot(&(a - from)) / slope;
    if !(dist >= 0.0 && dist.is_finite()) {
        return None;
    }
    let at = from + along * dist - a;
    let square = normal.norm_squared();
    let (s, t) = (at.cross(&v).dot(&normal) / square, u.cross(&at).dot(&normal) / square);
    let inside = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
    let towards = normal * (-slope.signum() / square.sqrt());
    inside.then(|| (dist, towards.into()))
}

fn capsule(
    point: Vec3,
    vec: Vec3,
    a: Vector3<f64>,
    b: Vector3<f64>,
    radius: f64,
) -> Option<(f64, Vec3)> {
    let turn = Rotation3::rotation_between(&Vector3::z(), &(b - a)).unwrap_or_default();
    let mut mat = mat3::IDENTITY;
    for (k, entry) in mat.iter_mut().enumerate() {
        *entry = turn[(k / 3, k % 3)];
    }
    let size = [radius, 0.5 * (b - a).norm(), 0.0];
    ray_geom(GeomType::Capsule, (0.5 * (a + b)).into(), &mat, size, point, vec)
}
