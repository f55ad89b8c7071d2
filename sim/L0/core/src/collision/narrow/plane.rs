//! A plane against spheres, capsules, cylinders and boxes.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::Shape;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// Half-space (boundary point, outward normal) and sphere (centre, radius): one contact or none.
pub(super) fn half_space_sphere(
    (origin, normal): (Vec3, Vec3),
    (centre, radius): (Vec3, f64),
    margin: f64,
) -> Option<ContactPoint> {
    let height = vec3::dot(vec3::sub(centre, origin), normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    let pos = vec3::add_scaled(centre, normal, -dist / 2.0 - radius);
    Some(ContactPoint { dist, pos, normal, tangent: [0.0; 3] })
}

/// Plane and sphere: one contact.
#[doc(alias = "mjc_PlaneSphere")]
pub(crate) fn plane_sphere(plane: &Shape, sphere: &Shape, margin: f64, out: &mut Manifold) {
    let half_space = (plane.pos, mat3::column(plane.mat, 2));
    if let Some(point) = half_space_sphere(half_space, (sphere.pos, sphere.size[0]), margin) {
        out.push(point);
    }
}

/// Plane and capsule: one contact per end, with the first tangent along the capsule.
#[doc(alias = "mjc_PlaneCapsule")]
pub(crate) fn plane_capsule(plane: &Shape, capsule: &Shape, margin: f64, out: &mut Manifold) {
    let half_space = (plane.pos, mat3::column(plane.mat, 2));
    let axis = mat3::column(capsule.mat, 2);
    let [radius, half, _] = capsule.size;
    for offset in [half, -half] {
        let end = vec3::add_scaled(capsule.pos, axis, offset);
        if let Some(point) = half_space_sphere(half_space, (end, radius), margin) {
            out.push(ContactPoint { tangent: axis, ..point });
        }
    }
}

/// Plane and cylinder: the lowest points of both rims, and two points that complete an equilateral
/// triangle on the lower disk.
#[doc(alias = "mjc_PlaneCylinder")]
pub(crate) fn plane_cylinder(plane: &Shape, cylinder: &Shape, margin: f64, out: &mut Manifold) {
    let normal = mat3::column(plane.mat, 2);
    let [radius, half, _] = cylinder.size;
    // axis oriented towards the plane
    let up = mat3::column(cylinder.mat, 2);
    let along = vec3::dot(normal, up);
    let (axis, along) = if along > 0.0 { (vec3::scale(up, -1.0), -along) } else { (up, along) };
    let height = vec3::dot(vec3::sub(cylinder.pos, plane.pos), normal);

    // radial vector to the lowest point of a rim
    let rim = lowest_of_rim(normal, axis, along, cylinder.mat, radius);
    let rim_height = vec3::dot(rim, normal);
    let (axis, along) = (vec3::scale(axis, half), along * half);

    let mut add_contact = |dist: f64, offset: Vec3| {
        let point = vec3::add(cylinder.pos, offset);
        let pos = vec3::add_scaled(point, normal, -dist * 0.5);
        out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
    };
    let lower = height + along + rim_height;
    if lower > margin {
        return;
    }
    add_contact(lower, vec3::add(rim, axis));
    let upper = height - along + rim_height;
    if upper <= margin {
        add_contact(upper, vec3::sub(rim, axis));
    }
    let side = height + along - 0.5 * rim_height;
    if side <= margin {
        let (across, _) = vec3::normalize(vec3::cross(rim, axis));
        let across = vec3::scale(across, radius * 3.0_f64.sqrt() / 2.0);
        let inner = vec3::add_scaled(axis, rim, -0.5);
        add_contact(side, vec3::add(inner, across));
        add_contact(side, vec3::sub(inner, across));
    }
}

/// Vector from the axis to the lowest point of the rim; along the cylinder's x axis if the rim is level.
fn lowest_of_rim(normal: Vec3, axis: Vec3, along: f64, mat: &Mat3, radius: f64) -> Vec3 {
    let down = vec3::sub(vec3::scale(axis, along), normal);
    let length2 = vec3::dot(down, down);
    if length2 >= MINVAL * MINVAL {
        vec3::scale(down, radius / length2.sqrt())
    } else {
        vec3::scale(mat3::column(mat, 0), radius)
    }
}

/// Plane and box: the lower vertices, at most four.
#[doc(alias = "mjc_PlaneBox")]
pub(crate) fn plane_box(plane: &Shape, cuboid: &Shape, margin: f64, out: &mut Manifold) {
    let normal = mat3::column(plane.mat, 2);
    let height = vec3::dot(vec3::sub(cuboid.pos, plane.pos), normal);
    let mut count = 0;
    for i in 0..8 {
        let signed = |axis: usize| {
            if i & (1 << axis) != 0 { cuboid.size[axis] } else { -cuboid.size[axis] }
        };
        let corner = mat3::mul_vec(cuboid.mat, [signed(0), signed(1), signed(2)]);
        let corner_height = vec3::dot(normal, corner);
        let dist = height + corner_height;
        // vertices of the upper half are ignored
        if dist > margin || corner_height > 0.0 {
            continue;
        }
        let pos = vec3::add_scaled(vec3::add(corner, cuboid.pos), normal, -dist / 2.0);
        out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
        count += 1;
        if count == 4 {
            return;
        }
    }
}
