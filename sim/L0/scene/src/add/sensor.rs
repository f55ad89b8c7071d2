//! Rays of rangefinders, and shortest segments between geoms.

use super::{View, decor};
use crate::scene::Owner;
use crate::{Scene, SceneGeomType, VisFlag, single};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, rows};
use sim_core::types::{NSENS, ObjType, SensorType};
use sim_core::{PixelRays, RayFields};

/// Width of rays in pixels.
const LINE: f64 = 3.0;

pub(super) fn rangefinders(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Rangefinder) {
        return Some(());
    }
    for i in 0..m.nsensor {
        let adr = usize::try_from(m.sensor_adr[i]).unwrap_or(0);
        let data = d.sensordata.get(adr..).unwrap_or(&[]);
        match m.sensor_type[i] {
            SensorType::Rangefinder => rangefinder(v, i, data, scene),
            SensorType::GeomFromTo => {
                if let Some([a, b, c, x, y, z]) = data.first_chunk::<6>().copied()
                    && [a, b, c, x, y, z] != [0.0; 6]
                {
                    let (owner, ends) = (Owner::decor(ObjType::Sensor, i), [[a, b, c], [x, y, z]]);
                    let rgba = m.vis.rgba.rangefinder;
                    scene.connector(owner, SceneGeomType::Line, LINE, ends, rgba);
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// Rays of a rangefinder on a site or camera.
fn rangefinder(v: &View<'_>, i: usize, data: &[f64], scene: &mut Scene) {
    let (m, d) = (v.m, v.d);
    let Ok(object) = usize::try_from(m.sensor_objid[i]) else { return };
    let fields = RayFields::from_bits(m.sensor_intprm[NSENS * i]);
    match m.sensor_objtype[i] {
        ObjType::Site => {
            let origin = rows::<3>(&d.site_xpos)[object];
            let direction = mat3::column(&rows::<9>(&d.site_xmat)[object], 2);
            ray(v, i, fields, data, (origin, direction), 1.5, scene);
        }
        ObjType::Camera => {
            let rays = PixelRays::of(m, d, object);
            for (k, line) in rays.rays().enumerate() {
                let data = data.get(k * fields.size..).unwrap_or(&[]);
                ray(v, i, fields, data, line, 1.3, scene);
            }
        }
        _ => {}
    }
}

/// Line, hit point and normal of one ray, as far as its data reports them. `point_size` is the radius of the
/// hit point relative to the width of frame axes.
fn ray(
    v: &View<'_>,
    sensor: usize,
    fields: RayFields,
    data: &[f64],
    (origin, direction): (Vec3, Vec3),
    point_size: f64,
    scene: &mut Scene,
) {
    let rgba = v.m.vis.rgba.rangefinder;
    let owner = Owner::decor(ObjType::Sensor, sensor);
    let (length, width) = v.frame_size();
    let vector = |at: Option<usize>| {
        at.and_then(|at| data.get(at..)).and_then(|rest| rest.first_chunk::<3>()).copied()
    };
    let dist = fields.dist.and_then(|at| data.get(at)).copied().unwrap_or(-1.0);
    let mut point = [0.0; 3];
    if dist >= 0.0 {
        point = vec3::add_scaled(origin, direction, dist);
        scene.connector(owner, SceneGeomType::Line, LINE, [origin, point], rgba);
    }
    if let Some(hit) = vector(fields.point).filter(|hit| *hit != [0.0; 3]) {
        point = hit;
        if let Some(mut geom) = decor(scene, ObjType::Sensor, sensor) {
            geom.kind = SceneGeomType::Sphere;
            geom.size = [single(point_size * width); 3];
            geom.pos = point.map(single);
            geom.rgba = rgba;
            scene.push(geom);
        }
    }
    if let Some(normal) = vector(fields.normal)
        && (dist >= 0.0 || point != [0.0; 3])
    {
        let to = vec3::add_scaled(point, normal, 2.0 * length);
        scene.connector(owner, SceneGeomType::Arrow1, width, [point, to], rgba);
    }
}
