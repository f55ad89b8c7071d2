//! A sphere against spheres, capsules, cylinders and boxes.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::Shape;
use super::plane::half_space_sphere;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// A sphere whose orientation defines the contact normal when the centres coincide.
#[derive(Clone, Copy)]
pub(super) struct OrientedSphere<'a> {
    pub centre: Vec3,
    pub radius: f64,
    pub mat: &'a Mat3,
}

impl<'a> OrientedSphere<'a> {
    fn of(sphere: &Shape<'a>) -> Self {
        Self { centre: sphere.pos, radius: sphere.size[0], mat: sphere.mat }
    }
}

/// Two spheres: one contact or none.
pub(super) fn sphere_pair(
    a: OrientedSphere,
    b: OrientedSphere,
    margin: f64,
) -> Option<ContactPoint> {
    let offset = vec3::sub(b.centre, a.centre);
    let distance2 = vec3::dot(offset, offset);
    let threshold = margin + a.radius + b.radius;
    if distance2 > threshold * threshold {
        return None;
    }
    let dist = distance2.sqrt() - a.radius - b.radius;
    let (mut normal, length) = vec3::normalize(offset);
    if length < MINVAL {
        let across = vec3::cross(mat3::column(a.mat, 2), mat3::column(b.mat, 2));
        normal = vec3::normalize(across).0;
    }
    let pos = vec3::add_scaled(a.centre, normal, a.radius + dist / 2.0);
    Some(ContactPoint { dist, pos, normal, tangent: [0.0; 3] })
}

/// Two spheres: one contact.
#[doc(alias = "mjc_SphereSphere")]
pub(crate) fn sphere_sphere(a: &Shape, b: &Shape, margin: f64, out: &mut Manifold) {
    if let Some(point) = sphere_pair(OrientedSphere::of(a), OrientedSphere::of(b), margin) {
        out.push(point);
    }
}

/// Sphere and capsule: one contact, at the closest point of the capsule's segment.
#[doc(alias = "mjc_SphereCapsule")]
pub(crate) fn sphere_capsule(sphere: &Shape, capsule: &Shape, margin: f64, out: &mut Manifold) {
    let [radius, half, _] = capsule.size;
    let axis = mat3::column(capsule.mat, 2);
    let along = vec3::dot(axis, vec3::sub(sphere.pos, capsule.pos));
    let centre = vec3::add_scaled(capsule.pos, axis, along.max(-half).min(half));
    let closest = OrientedSphere { centre, radius, mat: capsule.mat };
    if let Some(point) = sphere_pair(OrientedSphere::of(sphere), closest, margin) {
        out.push(point);
    }
}

/// Sphere and cylinder: one contact with the lateral surface, a cap or a rim.
#[doc(alias = "mjc_SphereCylinder")]
pub(crate) fn sphere_cylinder(sphere: &Shape, cylinder: &Shape, margin: f64, out: &mut Manifold) {
    let [radius, half, _] = cylinder.size;
    let axis = mat3::column(cylinder.mat, 2);
    let offset = vec3::sub(sphere.pos, cylinder.pos);
    let along = vec3::dot(axis, offset);
    let on_axis = vec3::scale(axis, along);
    let radial = vec3::sub(offset, on_axis);
    let radial2 = vec3::dot(radial, radial);

    // a centre inside the cylinder is pushed out through the nearer of side and cap
    let (mut side, mut cap) = (along.abs() < half, radial2 < radius * radius);
    if side && cap {
        side = half - along.abs() >= radius - radial2.sqrt();
        cap = !side;
    }
    let own = OrientedSphere::of(sphere);
    let point = if side {
        let centre = vec3::add(on_axis, cylinder.pos);
        sphere_pair(own, OrientedSphere { centre, radius, mat: cylinder.mat }, margin)
    } else if cap {
        let (end, sign) = if along > 0.0 { (half, 1.0) } else { (-half, -1.0) };
        let disk = (vec3::add_scaled(cylinder.pos, axis, end), vec3::scale(axis, sign));
        half_space_sphere(disk, (own.centre, own.radius), margin)
            .map(|point| ContactPoint { normal: vec3::scale(point.normal, -1.0), ..point })
    } else {
        // here radial >= radius, and both may be zero
        let factor = if radial2 > 0.0 { radius / radial2.sqrt() } else { 0.0 };
        let rim = vec3::scale(radial, factor);
        let rim = vec3::add_scaled(rim, axis, if along > 0.0 { half } else { -half });
        let centre = vec3::add(rim, cylinder.pos);
        sphere_pair(own, OrientedSphere { centre, radius: 0.0, mat: cylinder.mat }, margin)
    };
    if let Some(point) = point {
        out.push(point);
    }
}

/// Sphere (centre, radius) and box: one contact or none.
pub(super) fn sphere_box_contact(
    (centre, radius): (Vec3, f64),
    cuboid: &Shape,
    margin: f64,
) -> Option<ContactPoint> {
    let size = cuboid.size;
    let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(centre, cuboid.pos));
    let clamped: Vec3 = std::array::from_fn(|k| local[k].max(-size[k]).min(size[k]));
    let (inward, distance) = vec3::normalize(vec3::sub(clamped, local));
    if distance - radius > margin {
        return None;
    }
    let (pos, inward, distance) = if distance <= MINVAL {
        // the centre is inside the box: push out through the closest face
        let (mut axis, mut sign, mut closest) = (0, 1.0, 2.0 * (size[0] + size[1] + size[2]));
        for k in 0..3 {
            for side in [-1.0, 1.0] {
                let depth = (side * size[k] - local[k]).abs();
                if closest > depth {
                    (axis, sign, closest) = (k, -side, depth);
                }
            }
        }
        let mut inward = [0.0; 3];
        inward[axis] = sign;
        (vec3::add_scaled(local, inward, (radius - closest) / 2.0), inward, -closest)
    } else {
        let deepest = vec3::add_scaled(local, inward, radius);
        (vec3::add_scaled(vec3::scale(clamped, 0.5), deepest, 0.5), inward, distance)
    };
    Some(ContactPoint {
        dist: distance - radius,
        pos: vec3::add(mat3::mul_vec(cuboid.mat, pos), cuboid.pos),
        normal: mat3::mul_vec(cuboid.mat, inward),
        tangent: [0.0; 3],
    })
}

/// Sphere and box: one contact.
#[doc(alias = "mjc_SphereBox")]
pub(crate) fn sphere_box(sphere: &Shape, cuboid: &Shape, margin: f64, out: &mut Manifold) {
    if let Some(point) = sphere_box_contact((sphere.pos, sphere.size[0]), cuboid, margin) {
        out.push(point);
    }
}
