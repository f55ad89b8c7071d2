//! Position at which a plane is drawn.

use super::View;
use crate::GlCamera;
use sim_core::math::mat3;
use sim_core::math::rows;
use sim_core::math::vec3::{self, Vec3};

/// Largest number of grid divisions of a plane (`mjMAXPLANEGRID`).
const MAXPLANEGRID: f64 = 200.0;

/// Centre of a plane: its position, moved along its infinite directions to below the head position of the
/// scene, by a whole number of texture periods.
pub(super) fn center(v: &View<'_>, geom: usize, camera: &[GlCamera; 2]) -> Vec3 {
    let m = v.m;
    let (pos, mat) = v.geom_pose(geom);
    let size = rows::<3>(&m.geom_size)[geom];
    let mut center = pos;
    let to_head: Vec3 =
        std::array::from_fn(|k| 0.5 * f64::from(camera[0].pos[k] + camera[1].pos[k]) - pos[k]);
    for axis in 0..2 {
        if size[axis] > 0.0 {
            continue;
        }
        let zfar = f64::from(m.vis.map.zfar) * m.stat.extent;
        let material = usize::try_from(m.geom_matid[geom]).ok();
        let repeat = material.map_or(0.0, |i| m.mat_texrepeat[2 * i + axis]);
        let period =
            if repeat > 0.0 { f64::from(2.0 / repeat) } else { 2.1 * zfar / (MAXPLANEGRID - 2.0) };
        let direction = mat3::column(mat, axis);
        let offset = vec3::dot(to_head, direction);
        let offset = 2.0 * period * round(0.5 * offset / period);
        center = vec3::add_scaled(center, direction, offset);
    }
    center
}

/// The nearest integer, halves rounded up (`mju_round`).
fn round(x: f64) -> f64 {
    if x - x.floor() < x.ceil() - x { x.floor() } else { x.ceil() }
}
