//! Normals of contacts between triangles and curved geoms (`mjc_fixNormal`).

use super::super::manifold::ContactPoint;
use super::super::shape::Shape;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::{GeomType, MINVAL};

const ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// The normal of the surface of a geom at a contact point, or that of the contact if the surface has none there.
pub(super) fn corrected_normal(shape: &Shape<'_>, point: &ContactPoint) -> Vec3 {
    let pos = mat3::mul_transpose_vec(shape.mat, vec3::sub(point.pos, shape.pos));
    let normal = mat3::mul_transpose_vec(shape.mat, point.normal);
    let local = match shape.kind {
        GeomType::Ellipsoid => ellipsoid(pos, normal, shape.size),
        GeomType::Cylinder => cylinder(pos, shape.size),
        _ => None,
    };
    match local {
        Some(local) => mat3::mul_vec(shape.mat, vec3::normalize(local).0),
        None => point.normal,
    }
}

/// Normal of the side of a cylinder; `None` near its ends.
fn cylinder(pos: Vec3, size: Vec3) -> Option<Vec3> {
    let to_end = (size[1] - pos[2].abs()).abs();
    let to_side = (size[0] - (pos[0] * pos[0] + pos[1] * pos[1]).sqrt()).abs();
    let side = pos[2].abs() <= 0.95 * size[1] && to_end >= 0.25 * to_side;
    side.then_some([pos[0], pos[1], 0.0])
}

fn ellipsoid(pos: Vec3, normal: Vec3, size: Vec3) -> Option<Vec3> {
    if size.iter().any(|&s| s < MINVAL) {
        return None;
    }
    let level: f64 = (0..3).map(|k| pos[k] * pos[k] / (size[k] * size[k])).sum();
    if level <= 1.0 {
        ellipsoid_inside(pos, normal, size)
    } else {
        Some(ellipsoid_outside(pos, size))
    }
}

/// Fixed-point iteration: the normal where the ray along the current normal leaves the ellipsoid.
fn ellipsoid_inside(pos: Vec3, normal: Vec3, size: Vec3) -> Option<Vec3> {
    let inverse = size.map(|s| 1.0 / (s * s));
    let form = |a: Vec3, b: Vec3| (0..3).map(|k| a[k] * b[k] * inverse[k]).sum::<f64>();
    let c = form(pos, pos) - 1.0;
    if c > 0.0 {
        return None;
    }
    let (mut normal, _) = vec3::normalize(normal);
    for iteration in 0..ITERATIONS {
        let (a, b) = (form(normal, normal), form(pos, normal));
        let det = b * b - a * c;
        if det < MINVAL || a < MINVAL {
            return (iteration > 0).then_some(normal);
        }
        let along = (-b + det.sqrt()) / a;
        if along < 0.0 {
            return (iteration > 0).then_some(normal);
        }
        let exit = vec3::add_scaled(pos, normal, along);
        let (new, _) = vec3::normalize(std::array::from_fn(|k| exit[k] * inverse[k]));
        let change = vec3::distance(normal, new);
        normal = new;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal at the nearest point of the surface, by Newton's method on the multiplier of the constraint.
fn ellipsoid_outside(pos: Vec3, size: Vec3) -> Vec3 {
    let square = size.map(|s| s * s);
    let weight: Vec3 = std::array::from_fn(|k| pos[k] * pos[k] * square[k]);
    let mut multiplier = 0.0;
    for _ in 0..ITERATIONS {
        let r = square.map(|s| 1.0 / (s + multiplier));
        let value = (0..3).map(|k| weight[k] * r[k] * r[k]).sum::<f64>() - 1.0;
        let slope = -2.0 * (0..3).map(|k| weight[k] * r[k] * r[k] * r[k]).sum::<f64>();
        if value < TOLERANCE || slope > -MINVAL {
            break;
        }
        let delta = -value / slope;
        if delta < TOLERANCE {
            break;
        }
        multiplier += delta;
    }
    std::array::from_fn(|k| pos[k] / (square[k] + multiplier))
}
