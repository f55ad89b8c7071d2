//! Buffers of contact sensors and rangefinders.

use crate::math::vec3::Vec3;
use crate::ray::RayHit;

/// A contact that matches the sensor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatchedContact {
    /// Index into `Data::contact`.
    pub(super) id: usize,
    /// Whether the order of the two objects is reversed, so that the normal changes sign.
    pub(super) flip: bool,
    /// Sort key of the reduction, ascending.
    pub(super) criterion: f64,
}

/// Scratch of camera rangefinders.
#[derive(Debug, Clone, Default)]
pub(crate) struct RangefinderScratch {
    /// Unit direction of every pixel's ray.
    pub(super) directions: Vec<Vec3>,
    /// Nearest geom hit of every pixel.
    pub(super) hits: Vec<Option<RayHit>>,
}
