//! Readings of tactile sensors: the triangles of their mesh, coloured by the pressure and shear at the
//! vertices.

use super::View;
use crate::scene::Owner;
use crate::{Rgba, Scene, VisFlag, single};
use sim_core::math::mat3;
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::{MINVAL, ObjType, SensorType};

pub(super) fn tactile(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if v.flag(VisFlag::ContactPoint) {
        for id in (0..m.nsensor).filter(|&id| m.sensor_type[id] == SensorType::Tactile) {
            let _ = readings(v, id, scene);
        }
    }
    Some(())
}

/// Triangles of one sensor; `None` if it has no mesh, no geom or no readings.
fn readings(v: &View<'_>, id: usize, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let index = |ids: &[i32], i: usize| ids.get(i).and_then(|&i| usize::try_from(i).ok());
    let mesh = index(&m.sensor_objid, id)?;
    let geom = index(&m.sensor_refid, id)?;
    let vertices = index(&m.mesh_vertnum, mesh)?;
    let data = v.d.sensordata.get(index(&m.sensor_adr, id)?..)?;
    let channels = (index(&m.sensor_dim, id)? / vertices.max(1)).min(3);
    let largest = data.get(..vertices)?.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    if largest == 0.0 || m.geom_rbound[geom] < MINVAL {
        return None;
    }
    let (pos, mat) = v.geom_pose(geom);
    let first = index(&m.mesh_faceadr, mesh)?;
    let faces = m.mesh_face.as_chunks::<3>().0.get(first..first + index(&m.mesh_facenum, mesh)?)?;
    let positions = m.mesh_vert.as_chunks::<3>().0.get(index(&m.mesh_vertadr, mesh)?..)?;
    for face in faces {
        let face = face.map(|vertex| usize::try_from(vertex).unwrap_or(0));
        let corners: [Vec3; 3] =
            face.map(|vertex| vec3::add(mat3::mul_vec(mat, positions[vertex].map(f64::from)), pos));
        let mut rgba: Rgba = [0.0, 0.0, 0.0, 1.0];
        for channel in 0..channels {
            // mean of the nonzero readings, relative to the largest pressure
            let mut nonzero = 0.0;
            for vertex in face {
                let value = data[channel * vertices + vertex];
                rgba[channel] = single(f64::from(rgba[channel]) + value.abs() / largest);
                nonzero += f64::from(u8::from(value != 0.0));
            }
            if nonzero > 0.0 {
                rgba[channel] = single(f64::from(rgba[channel]) / nonzero);
            }
        }
        if rgba[..3] == [0.0; 3] {
            rgba[3] = 0.1;
        }
        scene.triangle(Owner::decor(ObjType::Sensor, id), corners, rgba);
    }
    Some(())
}
