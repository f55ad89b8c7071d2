//! A sphere against spheres, capsules, cylinders and boxes.

use super::super::shape::Shape;
use super::super::touch::{Touch, Touches};
use super::plane::half_space_ball;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// A ball whose orientation decides the normal when another has the same centre.
#[derive(Clone, Copy)]
pub(super) struct Ball<'a> {
    pub centre: Vec3,
    pub radius: f64,
    pub mat: &'a Mat3,
}

impl<'a> Ball<'a> {
    fn of(sphere: &Shape<'a>) -> Self {
        Self { centre: sphere.pos, radius: sphere.size[0], mat: sphere.mat }
    }
}

/// Two balls: one contact or none.
pub(super) fn balls(a: Ball, b: Ball, margin: f64) -> Option<Touch> {
    let away = vec3::sub(b.centre, a.centre);
    let distance2 = vec3::dot(away, away);
    let reach = margin + a.radius + b.radius;
    if distance2 > reach * reach {
        return None;
    }
    let dist = distance2.sqrt() - a.radius - b.radius;
    let (mut normal, length) = vec3::normalize(away);
    if length < MINVAL {
        let across = vec3::cross(mat3::column(a.mat, 2), mat3::column(b.mat, 2));
        normal = vec3::normalize(across).0;
    }
    let pos = vec3::add_scaled(a.centre, normal, a.radius + dist / 2.0);
    Some(Touch { dist, pos, normal, tangent: [0.0; 3] })
}

/// Two spheres: one contact.
#[doc(alias = "mjc_SphereSphere")]
pub(crate) fn sphere_sphere(a: &Shape, b: &Shape, margin: f64, out: &mut Touches) {
    if let Some(touch) = balls(Ball::of(a), Ball::of(b), margin) {
        out.push(touch);
    }
}

/// Sphere and capsule: one contact, at the nearest point of the capsule's segment.
#[doc(alias = "mjc_SphereCapsule")]
pub(crate) fn sphere_capsule(sphere: &Shape, capsule: &Shape, margin: f64, out: &mut Touches) {
    let [radius, half, _] = capsule.size;
    let axis = mat3::column(capsule.mat, 2);
    let along = vec3::dot(axis, vec3::sub(sphere.pos, capsule.pos));
    let centre = vec3::add_scaled(capsule.pos, axis, along.max(-half).min(half));
    let nearest = Ball { centre, radius, mat: capsule.mat };
    if let Some(touch) = balls(Ball::of(sphere), nearest, margin) {
        out.push(touch);
    }
}

/// Sphere and cylinder: one contact, with the side, a cap or a rim.
#[doc(alias = "mjc_SphereCylinder")]
pub(crate) fn sphere_cylinder(sphere: &Shape, cylinder: &Shape, margin: f64, out: &mut Touches) {
    let [radius, half, _] = cylinder.size;
    let axis = mat3::column(cylinder.mat, 2);
    let away = vec3::sub(sphere.pos, cylinder.pos);
    let along = vec3::dot(axis, away);
    let on_axis = vec3::scale(axis, along);
    let outward = vec3::sub(away, on_axis);
    let outward2 = vec3::dot(outward, outward);

    // a centre within the cylinder leaves through the nearer of side and cap
    let (mut side, mut cap) = (along.abs() < half, outward2 < radius * radius);
    if side && cap {
        side = half - along.abs() >= radius - outward2.sqrt();
        cap = !side;
    }
    let ball = Ball::of(sphere);
    let touch = if side {
        let centre = vec3::add(on_axis, cylinder.pos);
        balls(ball, Ball { centre, radius, mat: cylinder.mat }, margin)
    } else if cap {
        let (reach, sign) = if along > 0.0 { (half, 1.0) } else { (-half, -1.0) };
        let disk = (vec3::add_scaled(cylinder.pos, axis, reach), vec3::scale(axis, sign));
        half_space_ball(disk, (ball.centre, ball.radius), margin)
            .map(|touch| Touch { normal: vec3::scale(touch.normal, -1.0), ..touch })
    } else {
        // here the centre is off the axis by the radius or more, which may both be zero
        let reach = if outward2 > 0.0 { radius / outward2.sqrt() } else { 0.0 };
        let rim = vec3::scale(outward, reach);
        let rim = vec3::add_scaled(rim, axis, if along > 0.0 { half } else { -half });
        let centre = vec3::add(rim, cylinder.pos);
        balls(ball, Ball { centre, radius: 0.0, mat: cylinder.mat }, margin)
    };
    if let Some(touch) = touch {
        out.push(touch);
    }
}

/// A ball and a box: one contact or none.
pub(super) fn ball_cuboid(
    (centre, radius): (Vec3, f64),
    cuboid: &Shape,
    margin: f64,
) -> Option<Touch> {
    let size = cuboid.size;
    let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(centre, cuboid.pos));
    let nearest: Vec3 = std::array::from_fn(|k| local[k].max(-size[k]).min(size[k]));
    let (inward, distance) = vec3::normalize(vec3::sub(nearest, local));
    if distance - radius > margin {
        return None;
    }
    let (pos, inward, distance) = if distance <= MINVAL {
        // the centre is within: leave through the nearest face
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
        (vec3::add_scaled(vec3::scale(nearest, 0.5), deepest, 0.5), inward, distance)
    };
    Some(Touch {
        dist: distance - radius,
        pos: vec3::add(mat3::mul_vec(cuboid.mat, pos), cuboid.pos),
        normal: mat3::mul_vec(cuboid.mat, inward),
        tangent: [0.0; 3],
    })
}

/// Sphere and box: one contact.
#[doc(alias = "mjc_SphereBox")]
pub(crate) fn sphere_box(sphere: &Shape, cuboid: &Shape, margin: f64, out: &mut Touches) {
    if let Some(touch) = ball_cuboid((sphere.pos, sphere.size[0]), cuboid, margin) {
        out.push(touch);
    }
}
