//! Rangefinder: nearest intersection of the ray along a site's z axis, or of the ray of every pixel of a
//! camera.

use super::buffers::RangefinderScratch;
use super::camera::PixelRays;
use crate::deformable::ray_deformables;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::ray::{RayFilter, RayHit, SurfaceHit, mj_multi_ray, mj_ray};
use crate::{Data, Model};
use sim_types::{MAXVAL, ObjType};

/// Quantities reported for each ray of a rangefinder (`mjtRayDataField`): offsets in the ray's values, `None`
/// for quantities that are not reported, in the order of the fields.
#[doc(alias = "mjtRayDataField")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayFields {
    /// Distance to the nearest surface; -1 without a hit.
    pub dist: Option<usize>,
    /// Unit direction; zero without a hit.
    pub dir: Option<usize>,
    /// Origin of the ray.
    pub origin: Option<usize>,
    /// Hit point; zero without a hit.
    pub point: Option<usize>,
    /// Unit normal of the surface; zero without a hit.
    pub normal: Option<usize>,
    /// Depth along the camera's axis; -1 without a hit.
    pub depth: Option<usize>,
    /// Number of values of each ray.
    pub size: usize,
}

impl RayFields {
    /// The quantities selected by the bits of the sensor's first integer parameter.
    #[doc(alias = "mju_raydataSize")]
    #[must_use]
    pub fn from_bits(bits: i32) -> Self {
        let mut size = 0;
        let mut next = |bit: i32, width: usize| {
            (bits & 1 << bit != 0).then(|| {
                size += width;
                size - width
            })
        };
        let (dist, dir, origin) = (next(0, 1), next(1, 3), next(2, 3));
        let (point, normal, depth) = (next(3, 3), next(4, 3), next(5, 1));
        Self { dist, dir, origin, point, normal, depth, size }
    }
}

/// Reading of sensor `i`.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    let id = at(&m.sensor_objid, i);
    let fields = RayFields::from_bits(m.sensor_intprm[3 * i]);
    if m.sensor_objtype[i] == ObjType::Camera {
        camera(m, d, id, fields, out);
    } else {
        let origin = rows::<3>(&d.site_xpos)[id];
        let direction = mat3::column(&rows::<9>(&d.site_xmat)[id], 2);
        let filter = excluding(at(&m.site_bodyid, id));
        let hit = nearest(d, origin, direction, mj_ray(m, d, origin, direction, &filter));
        RayReading { origin, direction, hit, camera: None }.write(fields, out);
    }
}

/// Nearest hit of a ray over geoms and deformable bodies.
fn nearest(d: &Data, origin: Vec3, direction: Vec3, geom: Option<RayHit>) -> Option<SurfaceHit> {
    let rigid = geom.map(|hit| (hit.dist, hit.normal));
    let Some(hit) = ray_deformables(d, origin, direction) else { return rigid };
    match rigid {
        Some(rigid) if rigid.0 <= hit.dist => Some(rigid),
        _ => Some((hit.dist, hit.normal)),
    }
}

/// A filter that excludes the geoms of the sensor's own body.
fn excluding(body: usize) -> RayFilter {
    RayFilter { exclude: Some(body), ..RayFilter::default() }
}

/// Reading of a camera rangefinder: one slot for each pixel, row-major from the top left.
fn camera(m: &Model, d: &mut Data, camera: usize, fields: RayFields, out: &mut [f64]) {
    let filter = excluding(at(&m.cam_bodyid, camera));
    let mut scratch = std::mem::take(&mut d.scratch.rangefinder);
    let pixels = PixelRays::of(m, d, camera);
    let pos = rows::<3>(&d.cam_xpos)[camera];
    let pose = Some((pos, mat3::column(&rows::<9>(&d.cam_xmat)[camera], 2)));
    let slots = out.chunks_exact_mut(fields.size.max(1));
    if pixels.is_perspective() {
        let RangefinderScratch { directions, hits } = &mut scratch;
        directions.clear();
        directions.extend(pixels.rays().map(|(_, direction)| direction));
        hits.resize(directions.len(), None);
        mj_multi_ray(m, d, pos, directions, &filter, MAXVAL, hits);
        for ((&direction, &hit), slot) in directions.iter().zip(&*hits).zip(slots) {
            let hit = nearest(d, pos, direction, hit);
            RayReading { origin: pos, direction, hit, camera: pose }.write(fields, slot);
        }
    } else {
        for ((origin, direction), slot) in pixels.rays().zip(slots) {
            let hit = nearest(d, origin, direction, mj_ray(m, d, origin, direction, &filter));
            RayReading { origin, direction, hit, camera: pose }.write(fields, slot);
        }
    }
    d.scratch.rangefinder = scratch;
}

/// A ray and its nearest hit.
struct RayReading {
    /// World position (m).
    origin: Vec3,
    /// Unit direction in the world frame.
    direction: Vec3,
    /// Distance (m) and surface normal of the nearest hit.
    hit: Option<SurfaceHit>,
    /// World position and z axis of the camera, which define the depth of the hit point.
    camera: Option<(Vec3, Vec3)>,
}

impl RayReading {
    /// Writes the selected fields to `out`. Without a hit, distance and depth are -1 and all other fields
    /// except the origin are zero.
    fn write(&self, fields: RayFields, out: &mut [f64]) {
        let point = self.hit.map(|(dist, _)| vec3::add_scaled(self.origin, self.direction, dist));
        let dist = self.hit.map_or(-1.0, |(dist, _)| dist);
        let depth = match (point, self.camera) {
            (Some(point), Some((pos, z))) => -vec3::dot(vec3::sub(point, pos), z),
            _ => dist,
        };
        let mut put = |at: Option<usize>, values: &[f64]| {
            if let Some(at) = at
                && let Some(slot) = out.get_mut(at..at + values.len())
            {
                slot.copy_from_slice(values);
            }
        };
        put(fields.dist, &[dist]);
        put(fields.dir, &self.hit.map_or([0.0; 3], |_| self.direction));
        put(fields.origin, &self.origin);
        put(fields.point, &point.unwrap_or_default());
        put(fields.normal, &self.hit.map_or([0.0; 3], |(_, normal)| normal));
        put(fields.depth, &[depth]);
    }
}
