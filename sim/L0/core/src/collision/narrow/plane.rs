//! A plane against what has corners or round ends.

use super::super::shape::Shape;
use super::super::touch::{Touch, Touches};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The half space below a point, and a ball: one contact or none.
pub(super) fn half_space_ball(
    (origin, normal): (Vec3, Vec3),
    (centre, radius): (Vec3, f64),
    margin: f64,
) -> Option<Touch> {
    let height = vec3::dot(vec3::sub(centre, origin), normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    let pos = vec3::add_scaled(centre, normal, -dist / 2.0 - radius);
    Some(Touch { dist, pos, normal, tangent: [0.0; 3] })
}

/// Plane and sphere: one contact.
#[doc(alias = "mjc_PlaneSphere")]
pub(crate) fn plane_sphere(plane: &Shape, sphere: &Shape, margin: f64, out: &mut Touches) {
    let half_space = (plane.pos, mat3::column(plane.mat, 2));
    if let Some(touch) = half_space_ball(half_space, (sphere.pos, sphere.size[0]), margin) {
        out.push(touch);
    }
}

/// Plane and capsule: one contact an end, the first tangent along the capsule.
#[doc(alias = "mjc_PlaneCapsule")]
pub(crate) fn plane_capsule(plane: &Shape, capsule: &Shape, margin: f64, out: &mut Touches) {
    let half_space = (plane.pos, mat3::column(plane.mat, 2));
    let axis = mat3::column(capsule.mat, 2);
    let [radius, half, _] = capsule.size;
    for reach in [half, -half] {
        let end = vec3::add_scaled(capsule.pos, axis, reach);
        if let Some(touch) = half_space_ball(half_space, (end, radius), margin) {
            out.push(Touch { tangent: axis, ..touch });
        }
    }
}

/// Plane and cylinder: the lowest point of the near rim, the same of the far rim, and two points
/// that complete a triangle on the near disk.
#[doc(alias = "mjc_PlaneCylinder")]
pub(crate) fn plane_cylinder(plane: &Shape, cylinder: &Shape, margin: f64, out: &mut Touches) {
    let normal = mat3::column(plane.mat, 2);
    let [radius, half, _] = cylinder.size;
    // the axis, towards the plane
    let up = mat3::column(cylinder.mat, 2);
    let along = vec3::dot(normal, up);
    let (axis, along) = if along > 0.0 { (vec3::scale(up, -1.0), -along) } else { (up, along) };
    let height = vec3::dot(vec3::sub(cylinder.pos, plane.pos), normal);

    // from the axis to the lowest point of a rim
    let rim = lowest_of_rim(normal, axis, along, cylinder.mat, radius);
    let sink = vec3::dot(rim, normal);
    let (axis, along) = (vec3::scale(axis, half), along * half);

    let mut touch = |dist: f64, offset: Vec3| {
        let point = vec3::add(cylinder.pos, offset);
        let pos = vec3::add_scaled(point, normal, -dist * 0.5);
        out.push(Touch { dist, pos, normal, tangent: [0.0; 3] });
    };
    let near = height + along + sink;
    if near > margin {
        return;
    }
    touch(near, vec3::add(rim, axis));
    let far = height - along + sink;
    if far <= margin {
        touch(far, vec3::sub(rim, axis));
    }
    let side = height + along - 0.5 * sink;
    if side <= margin {
        let (across, _) = vec3::normalize(vec3::cross(rim, axis));
        let across = vec3::scale(across, radius * 3.0_f64.sqrt() / 2.0);
        let inner = vec3::add_scaled(axis, rim, -0.5);
        touch(side, vec3::add(inner, across));
        touch(side, vec3::sub(inner, across));
    }
}

/// From the axis to the lowest point of the rim; a level rim has none, so its x axis stands in.
fn lowest_of_rim(normal: Vec3, axis: Vec3, along: f64, mat: &Mat3, radius: f64) -> Vec3 {
    let down = vec3::sub(vec3::scale(axis, along), normal);
    let length2 = vec3::dot(down, down);
    if length2 >= MINVAL * MINVAL {
        vec3::scale(down, radius / length2.sqrt())
    } else {
        vec3::scale(mat3::column(mat, 0), radius)
    }
}

/// Plane and box: the lower corners, four at most.
#[doc(alias = "mjc_PlaneBox")]
pub(crate) fn plane_box(plane: &Shape, cuboid: &Shape, margin: f64, out: &mut Touches) {
    let normal = mat3::column(plane.mat, 2);
    let height = vec3::dot(vec3::sub(cuboid.pos, plane.pos), normal);
    let mut found = 0;
    for i in 0..8 {
        let pick = |axis: usize| {
            if i & (1 << axis) != 0 { cuboid.size[axis] } else { -cuboid.size[axis] }
        };
        let corner = mat3::mul_vec(cuboid.mat, [pick(0), pick(1), pick(2)]);
        let below = vec3::dot(normal, corner);
        let dist = height + below;
        // an upper corner says nothing about a box that lies flat
        if dist > margin || below > 0.0 {
            continue;
        }
        let pos = vec3::add_scaled(vec3::add(corner, cuboid.pos), normal, -dist / 2.0);
        out.push(Touch { dist, pos, normal, tangent: [0.0; 3] });
        found += 1;
        if found == 4 {
            return;
        }
    }
}
