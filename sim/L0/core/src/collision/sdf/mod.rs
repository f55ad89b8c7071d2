//! Signed distance fields (`engine_collision_sdf.c`): contacts and point queries.
//!
//! A mesh stores its signed distance at the corners of an octree's cells; primitives have closed forms,
//! some of which only bound the distance. Contacts are minima of these fields, found by descent from many
//! starting points.

mod contacts;
mod descent;
mod field;
mod flex;
mod four_points;
mod mesh;
mod objective;
mod octree;
mod pair;
mod pose;
mod query;
#[cfg(test)]
mod tests;

pub(crate) use contacts::{mesh_sdf_contacts, sdf_contacts};
pub(crate) use field::Field;
pub(crate) use flex::flex_sdf_contacts;
pub(crate) use octree::Octree;
pub use query::{signed_distance, signed_distance_gradient};

use super::manifold::{ContactPoint, MAX_CONTACT_POINTS, Manifold};
use crate::math::vec3::{self, Vec3};
use pose::{Pose, rotate};
use sim_types::{MINVAL, Options};

/// Options of the search for contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SdfOptions {
    /// `sdf_initpoints`: number of starting points.
    pub init_points: u32,
    /// `sdf_iterations`.
    pub iterations: u32,
}

impl SdfOptions {
    /// The options of a model.
    pub(crate) fn of(opt: &Options) -> Self {
        let number = |n: i32| u32::try_from(n).unwrap_or(0);
        Self { init_points: number(opt.sdf_initpoints), iterations: number(opt.sdf_iterations) }
    }
}

/// Adds the contacts of one pair to a manifold, without duplicates.
struct ContactCollector<'t> {
    /// World pose of the frame in which points are given.
    pose: Pose,
    points: [Vec3; MAX_CONTACT_POINTS],
    out: &'t mut Manifold,
    start: usize,
}

impl<'t> ContactCollector<'t> {
    fn new(pose: Pose, out: &'t mut Manifold) -> Self {
        let start = out.as_slice().len();
        Self { pose, points: [[0.0; 3]; MAX_CONTACT_POINTS], out, start }
    }

    /// Whether the manifold is full.
    fn is_full(&self) -> bool {
        self.out.as_slice().len() >= MAX_CONTACT_POINTS
    }

    /// Adds a contact at a point with `dist <= 0`, unless it is a duplicate; `gradient` evaluates the
    /// gradient of the second shape's distance.
    fn add(&mut self, point: Vec3, dist: f64, gradient: impl FnOnce(Vec3) -> Vec3) {
        let count = self.out.as_slice().len() - self.start;
        let equal = |p: &Vec3| vec3::distance(point, *p) < MINVAL;
        if dist.is_nan() || dist > 0.0 || self.is_full() || self.points[..count].iter().any(equal) {
            return;
        }
        self.points[count] = point;
        let (outward, length) = vec3::normalize(gradient(point));
        if length < MINVAL || !length.is_finite() {
            return;
        }
        let Pose { pos, quat } = self.pose;
        let (normal, _) = vec3::normalize(rotate(quat, vec3::scale(outward, -1.0)));
        let surface = vec3::add(rotate(quat, point), pos);
        let pos = vec3::add_scaled(surface, normal, -0.5 * dist);
        self.out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
    }
}
