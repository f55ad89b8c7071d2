//! Result of a ray query.

use crate::math::vec3::Vec3;

/// The first hit of a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Distance, in units of the length of the ray's vector.
    pub dist: f64,
    /// Index of the geom.
    pub geom: usize,
    /// Unit surface normal, in world axes.
    pub normal: Vec3,
}
