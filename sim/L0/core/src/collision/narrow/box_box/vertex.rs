//! Closest points of two separated boxes of which one is a vertex.

use super::super::super::shape::Shape;
use super::BoxPair;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};

/// The closest world points of the two boxes, the first on the first box, among the pairs of a vertex of one box and
/// a point of the other. Unless the closest points are inside two edges, no other points are closer.
pub(super) fn closest_points(pair: &BoxPair) -> [Vec3; 2] {
    let (one, two) = (closest_vertex(pair.one, pair.two), closest_vertex(pair.two, pair.one));
    let square = |[p, q]: [Vec3; 2]| vec3::dot(vec3::sub(q, p), vec3::sub(q, p));
    if square(one) <= square(two) { one } else { [two[1], two[0]] }
}

/// The vertex of a box that is closest to another box, and the closest point of that box.
fn closest_vertex(cuboid: &Shape, other: &Shape) -> [Vec3; 2] {
    let mut closest = [[0.0; 3]; 2];
    let mut least = f64::INFINITY;
    for corner in 0..8 {
        let local = std::array::from_fn(|k| {
            if corner & (1 << k) != 0 { cuboid.size[k] } else { -cuboid.size[k] }
        });
        let vertex = vec3::add(mat3::mul_vec(cuboid.mat, local), cuboid.pos);
        let from_centre = mat3::mul_transpose_vec(other.mat, vec3::sub(vertex, other.pos));
        let clamped =
            std::array::from_fn(|k| from_centre[k].max(-other.size[k]).min(other.size[k]));
        let point = vec3::add(mat3::mul_vec(other.mat, clamped), other.pos);
        let offset = vec3::sub(point, vertex);
        let square = vec3::dot(offset, offset);
        if square < least {
            (least, closest) = (square, [vertex, point]);
        }
    }
    closest
}
