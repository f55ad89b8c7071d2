//! Contact with shapes that are given by their signed distance.
//!
//! Answers to `engine_collision_sdf.c` of the reference engine. A mesh stores its distance at the
//! corners of an octree's cells; other shapes have formulas, some of them only bounds of the
//! distance. Contacts are minima of these fields, found by descent from many points.

mod descent;
mod field;
mod frame;
#[cfg(test)]
mod laws;
mod mesh;
mod octree;
mod overlap;
mod pair;

pub(crate) use field::Field;
pub(crate) use mesh::mesh_sdf;
pub(crate) use octree::Octree;
pub(crate) use pair::{Side, sdf_sdf};

use super::touch::{MAX_TOUCHES, Touch, Touches};
use crate::math::vec3::{self, Vec3};
use frame::{Frame, rotate};
use sim_types::{MINVAL, Options};

/// How long to search, and from how many points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SdfOptions {
    /// `sdf_initpoints`.
    pub starts: u32,
    /// `sdf_iterations`.
    pub iterations: u32,
}

impl SdfOptions {
    /// What a model asks for.
    pub(crate) fn of(opt: &Options) -> Self {
        let number = |n: i32| u32::try_from(n).unwrap_or(0);
        Self { starts: number(opt.sdf_initpoints), iterations: number(opt.sdf_iterations) }
    }
}

/// Where contacts of one pair were found, so that none is reported twice.
struct Found<'t> {
    /// The frame that points are given in.
    frame: Frame,
    points: [Vec3; MAX_TOUCHES],
    out: &'t mut Touches,
    start: usize,
}

impl<'t> Found<'t> {
    fn new(frame: Frame, out: &'t mut Touches) -> Self {
        let start = out.as_slice().len();
        Self { frame, points: [[0.0; 3]; MAX_TOUCHES], out, start }
    }

    /// Whether there is room for more.
    fn is_full(&self) -> bool {
        self.out.as_slice().len() >= MAX_TOUCHES
    }

    /// Adds a contact at a point inside, unless it is known; `outward` gives the direction in which
    /// the field of the second shape grows.
    fn add(&mut self, point: Vec3, dist: f64, outward: impl FnOnce(Vec3) -> Vec3) {
        let count = self.out.as_slice().len() - self.start;
        let known = |p: &Vec3| vec3::distance(point, *p) < MINVAL;
        if dist.is_nan() || dist > 0.0 || self.is_full() || self.points[..count].iter().any(known) {
            return;
        }
        self.points[count] = point;
        let (outward, length) = vec3::normalize(outward(point));
        if length < MINVAL || !length.is_finite() {
            return;
        }
        let Frame { pos, quat } = self.frame;
        let (normal, _) = vec3::normalize(rotate(quat, vec3::scale(outward, -1.0)));
        let surface = vec3::add(rotate(quat, point), pos);
        let pos = vec3::add_scaled(surface, normal, -0.5 * dist);
        self.out.push(Touch { dist, pos, normal, tangent: [0.0; 3] });
    }
}
