//! Geom distance sensors: signed distance, direction and end points of the shortest segment between two
//! geoms, or between the geoms of two bodies.

use crate::collision::mj_geom_distance;
use crate::math::{at, rows, vec3};
use crate::{Data, Model};
use sim_types::{GeomType, ObjType, SensorType};
use std::ops::Range;

/// Reading of sensor `i`. Its cutoff is the maximum distance.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    let (mut dist, mut fromto) = (m.sensor_cutoff[i], [0.0; 6]);
    for one in geoms(m, m.sensor_objtype[i], m.sensor_objid[i]) {
        for two in geoms(m, m.sensor_reftype[i], m.sensor_refid[i]) {
            if !may_be_closer(m, d, one, two, dist) {
                continue;
            }
            let mut segment = [0.0; 6];
            let new = mj_geom_distance(m, d, one, two, m.sensor_cutoff[i], Some(&mut segment));
            if new < dist {
                (dist, fromto) = (new, segment);
            }
        }
    }
    let [a, b, c, x, y, z] = fromto;
    let segment = vec3::sub([x, y, z], [a, b, c]);
    let (normal, _) = vec3::normalize(segment);
    let reading: &[f64] = match m.sensor_type[i] {
        SensorType::GeomDist => &[dist],
        SensorType::GeomNormal if segment == [0.0; 3] => &segment,
        SensorType::GeomNormal => &normal,
        _ => &fromto,
    };
    if let Some(reading) = reading.get(..out.len()) {
        out.copy_from_slice(reading);
    }
}

/// Whether the bounding spheres of two geoms allow a distance below `dist`. The spheres overlap at least as
/// deeply as the geoms, so that this holds for negative distances too. Signed distance fields and height
/// fields report approximate distances, and planes have no bounding sphere.
fn may_be_closer(m: &Model, d: &Data, one: usize, two: usize, dist: f64) -> bool {
    /// Relative bound on the round-off of computed distances.
    const ROUND_OFF: f64 = 1e-9;
    let is_exact = |geom: usize| {
        !matches!(m.geom_type[geom], GeomType::Plane | GeomType::HField | GeomType::Sdf)
    };
    if !is_exact(one) || !is_exact(two) {
        return true;
    }
    let centres = rows::<3>(&d.geom_xpos);
    let (distance, radii) =
        (vec3::distance(centres[one], centres[two]), m.geom_rbound[one] + m.geom_rbound[two]);
    // false for NaN
    let is_farther = distance - radii > dist + ROUND_OFF * (distance + radii);
    !is_farther
}

/// Range of one geom, or of all geoms of a body.
fn geoms(m: &Model, kind: ObjType, id: i32) -> Range<usize> {
    let Ok(id) = usize::try_from(id) else { return 0..0 };
    if kind != ObjType::Body {
        return id..id + 1;
    }
    // body_geomadr is -1 for a body without geoms
    let first = m.body_geomadr[id].max(0) as usize;
    first..first + at(&m.body_geomnum, id)
}
