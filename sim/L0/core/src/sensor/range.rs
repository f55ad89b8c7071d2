//! Rangefinders: what the ray of a site, or every pixel of a camera, meets first.

use super::camera::PixelRays;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::ray::{Met, RayFilter, RayHit, mj_multi_ray, mj_ray};
use crate::soft::ray_deformables;
use crate::{Data, Model};
use sim_types::{MAXVAL, ObjType};

/// Bits of the first integer parameter: which numbers are reported, in this order.
const DIST: i32 = 1 << 0;
const DIR: i32 = 1 << 1;
const ORIGIN: i32 = 1 << 2;
const POINT: i32 = 1 << 3;
const NORMAL: i32 = 1 << 4;
const DEPTH: i32 = 1 << 5;

/// Memory of the rangefinders of cameras.
#[derive(Debug, Clone, Default)]
pub(crate) struct RangeWork {
    directions: Vec<Vec3>,
    hits: Vec<Option<RayHit>>,
}

/// How many numbers each ray gives.
fn size(fields: i32) -> usize {
    let bits = [(DIST, 1), (DIR, 3), (ORIGIN, 3), (POINT, 3), (NORMAL, 3), (DEPTH, 1)];
    bits.iter().filter(|(bit, _)| fields & bit != 0).map(|(_, size)| size).sum()
}

/// Reads sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    let (id, fields) = (at(&m.sensor_objid, i), m.sensor_intprm[3 * i]);
    if m.sensor_objtype[i] == ObjType::Camera {
        camera(m, d, id, fields, out);
    } else {
        let origin = rows::<3>(&d.site_xpos)[id];
        let direction = mat3::column(&rows::<9>(&d.site_xmat)[id], 2);
        let filter = excluding(at(&m.site_bodyid, id));
        let hit = nearest(d, origin, direction, mj_ray(m, d, origin, direction, &filter));
        Beam { origin, direction, hit, axis: None }.write(fields, out);
    }
}

/// What a ray meets first: a geom, or a deformable body.
fn nearest(d: &Data, origin: Vec3, direction: Vec3, geom: Option<RayHit>) -> Option<Met> {
    let rigid = geom.map(|hit| (hit.dist, hit.normal));
    let Some(soft) = ray_deformables(d, origin, direction) else { return rigid };
    match rigid {
        Some(rigid) if rigid.0 <= soft.dist => Some(rigid),
        _ => Some((soft.dist, soft.normal)),
    }
}

/// Rays do not see the body that carries the sensor.
fn excluding(body: usize) -> RayFilter {
    RayFilter { exclude: Some(body), ..RayFilter::default() }
}

/// One ray for each pixel, row by row.
fn camera(m: &Model, d: &mut Data, camera: usize, fields: i32, out: &mut [f64]) {
    let filter = excluding(at(&m.cam_bodyid, camera));
    let mut work = std::mem::take(&mut d.scratch.range);
    let pixels = PixelRays::of(m, d, camera);
    let pos = rows::<3>(&d.cam_xpos)[camera];
    let axis = Some((pos, mat3::column(&rows::<9>(&d.cam_xmat)[camera], 2)));
    let slots = out.chunks_exact_mut(size(fields).max(1));
    if pixels.one_origin() {
        let RangeWork { directions, hits } = &mut work;
        directions.clear();
        directions.extend(pixels.rays().map(|(_, direction)| direction));
        hits.resize(directions.len(), None);
        mj_multi_ray(m, d, pos, directions, &filter, MAXVAL, hits);
        for ((&direction, &hit), slot) in directions.iter().zip(&*hits).zip(slots) {
            let hit = nearest(d, pos, direction, hit);
            Beam { origin: pos, direction, hit, axis }.write(fields, slot);
        }
    } else {
        for ((origin, direction), slot) in pixels.rays().zip(slots) {
            let hit = nearest(d, origin, direction, mj_ray(m, d, origin, direction, &filter));
            Beam { origin, direction, hit, axis }.write(fields, slot);
        }
    }
    d.scratch.range = work;
}

/// A ray and what it met.
struct Beam {
    origin: Vec3,
    /// Of unit length.
    direction: Vec3,
    hit: Option<Met>,
    /// Position and z axis of the camera, against which depth is measured.
    axis: Option<(Vec3, Vec3)>,
}

impl Beam {
    /// Writes the wanted numbers. A ray that meets nothing has distance and depth -1, and zeros but
    /// for its origin.
    fn write(&self, fields: i32, out: &mut [f64]) {
        let point = self.hit.map(|(dist, _)| vec3::add_scaled(self.origin, self.direction, dist));
        let dist = self.hit.map_or(-1.0, |(dist, _)| dist);
        let depth = match (point, self.axis) {
            (Some(point), Some((pos, z))) => -vec3::dot(vec3::sub(point, pos), z),
            _ => dist,
        };
        let mut next = 0;
        let mut put = |bit: i32, values: &[f64]| {
            if fields & bit != 0
                && let Some(slot) = out.get_mut(next..next + values.len())
            {
                slot.copy_from_slice(values);
                next += values.len();
            }
        };
        put(DIST, &[dist]);
        put(DIR, &self.hit.map_or([0.0; 3], |_| self.direction));
        put(ORIGIN, &self.origin);
        put(POINT, &point.unwrap_or_default());
        put(NORMAL, &self.hit.map_or([0.0; 3], |(_, normal)| normal));
        put(DEPTH, &[depth]);
    }
}
