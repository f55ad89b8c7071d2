//! Builtin cone.

use super::source;
use crate::asset::mesh::MeshSource;
use std::f64::consts::PI;

/// Vertices of a cone, or of a frustum if `radius` is positive; the faces are those of the convex
/// hull.
pub(super) fn cone(edges: usize, radius: f64) -> MeshSource {
    let mut vert = Vec::with_capacity(6 * edges);
    let angle = |i: usize| (2 * i) as f64 * PI / edges as f64;
    for i in 0..edges {
        vert.extend([angle(i).cos() as f32, angle(i).sin() as f32, -1.0]);
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            let (x, y) = (radius * angle(i).cos(), radius * angle(i).sin());
            vert.extend([x as f32, y as f32, 1.0]);
        }
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    source(vert, Vec::new())
}
