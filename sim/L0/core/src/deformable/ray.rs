//! Ray casting against deformable bodies.

use crate::Data;
use crate::math::mat3;
use crate::math::vec3::Vec3;
use crate::ray::ray_geom;
use nalgebra::{Rotation3, Vector3};
use sim_types::GeomType;

/// Intersection of a ray with a deformable body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeformableHit {
    /// Distance in units of the length of the ray's vector.
    pub dist: f64,
    /// Index of the deformable body.
    pub deformable: usize,
    /// Index of the triangle, or of the segment after all triangles.
    pub element: usize,
    /// Unit normal of the surface, towards the origin of the ray.
    pub normal: Vec3,
}

/// Closest intersection of the ray from `point` along `vec` with a deformable body: two-sided
/// triangles of surfaces, capsules of chains. `None` if there is none.
#[must_use]
pub fn ray_deformables(d: &Data, point: Vec3, vec: Vec3) -> Option<DeformableHit> {
    let data = d.deformables.as_ref()?;
    let (from, along) = (Vector3::from(point), Vector3::from(vec));
    let length = along.norm();
    if length.is_nan() || length < sim_types::MINVAL {
        return None;
    }
    let mut best: Option<DeformableHit> = None;
    for (deformable, instance) in data.instances.iter().enumerate() {
        let x = instance.body.positions();
        let triangles = instance.body.triangles().iter().map(|t| {
            let [a, b, c] = t.map(|i| x[i as usize]);
            triangle(from, along, [a, b, c])
        });
        let radius = instance.body.radius();
        let capsules = instance.body.segments().iter().map(|s| {
            let [a, b] = s.map(|i| x[i as usize]);
            capsule(point, vec, a, b, radius)
        });
        for (element, hit) in triangles.chain(capsules).enumerate() {
            let Some((dist, normal)) = hit else { continue };
            if best.is_none_or(|best| dist < best.dist) {
                best = Some(DeformableHit { dist, deformable, element, normal });
            }
        }
    }
    best
}

/// Distance and normal of the intersection with a triangle, from either side.
fn triangle(
    from: Vector3<f64>,
    along: Vector3<f64>,
    [a, b, c]: [Vector3<f64>; 3],
) -> Option<(f64, Vec3)> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(&v);
    let denominator = normal.dot(&along);
    let dist = normal.dot(&(a - from)) / denominator;
    if !(dist >= 0.0 && dist.is_finite()) {
        return None;
    }
    let offset = from + along * dist - a;
    let square = normal.norm_squared();
    let (s, t) = (offset.cross(&v).dot(&normal) / square, u.cross(&offset).dot(&normal) / square);
    let inside = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
    let facing = normal * (-denominator.signum() / square.sqrt());
    inside.then(|| (dist, facing.into()))
}

/// Distance and normal of the intersection with the capsule of a segment.
fn capsule(
    point: Vec3,
    vec: Vec3,
    a: Vector3<f64>,
    b: Vector3<f64>,
    radius: f64,
) -> Option<(f64, Vec3)> {
    let rotation = Rotation3::rotation_between(&Vector3::z(), &(b - a)).unwrap_or_default();
    let mut mat = mat3::IDENTITY;
    for (k, entry) in mat.iter_mut().enumerate() {
        *entry = rotation[(k / 3, k % 3)];
    }
    let size = [radius, 0.5 * (b - a).norm(), 0.0];
    ray_geom(GeomType::Capsule, (0.5 * (a + b)).into(), &mat, size, point, vec)
}
