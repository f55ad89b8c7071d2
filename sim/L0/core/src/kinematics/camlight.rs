//! Cameras and lights: fixed to their body, tracking it, or aimed at another (`mj_camlight`).

use super::local_to_global;
use crate::math::{at, mat3, quat, rows, rows_mut, vec3};
use crate::sleep::AWAKE;
use crate::{Data, Model};
use sim_types::CamLightMode;

/// Places cameras and lights.
///
/// Reads the body poses and `subtree_com`. Writes `cam_xpos`, `cam_xmat`, `light_xpos`, `light_xdir`.
pub fn mj_camlight(m: &Model, d: &mut Data) {
    for i in 0..m.ncam {
        if !still(m, d, m.cam_bodyid[i], m.cam_targetbodyid[i]) {
            place_camera(m, d, i, m.cam_mode[i]);
        }
    }
    for i in 0..m.nlight {
        if !still(m, d, m.light_bodyid[i], m.light_targetbodyid[i]) {
            place_light(m, d, i, m.light_mode[i]);
        }
    }
}

/// Whether neither a body nor what it looks at moves, while some sleep.
fn still(m: &Model, d: &Data, body: i32, target: i32) -> bool {
    let moves = |body: i32| usize::try_from(body).is_ok_and(|body| d.body_awake[body] == AWAKE);
    d.sleepers(m) && !moves(body) && !moves(target)
}

/// Places camera `i` as if its mode were `mode`.
pub(crate) fn place_camera(m: &Model, d: &mut Data, i: usize, mode: CamLightMode) {
    let body = at(&m.cam_bodyid, i);
    let target = usize::try_from(m.cam_targetbodyid[i]).ok();
    let (mut pos, mut mat) =
        local_to_global(d, body, rows::<3>(&m.cam_pos)[i], rows::<4>(&m.cam_quat)[i]);
    match mode {
        CamLightMode::Fixed => {}
        CamLightMode::Track => {
            pos = vec3::add(rows::<3>(&d.xpos)[body], rows::<3>(&m.cam_pos0)[i]);
            mat = rows::<9>(&m.cam_mat0)[i];
        }
        CamLightMode::TrackCom => {
            pos = vec3::add(rows::<3>(&d.subtree_com)[body], rows::<3>(&m.cam_poscom0)[i]);
            mat = rows::<9>(&m.cam_mat0)[i];
        }
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => {
            if let Some(point) = target.map(|t| target_point(d, mode, t)) {
                // the camera looks along -z, with x horizontal
                let (z, _) = vec3::normalize(vec3::sub(pos, point));
                let (x, _) = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], z));
                let (y, _) = vec3::normalize(vec3::cross(z, x));
                mat = [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
            }
        }
    }
    rows_mut::<3>(&mut d.cam_xpos)[i] = pos;
    rows_mut::<9>(&mut d.cam_xmat)[i] = mat;
}

/// Places light `i` as if its mode were `mode`.
pub(crate) fn place_light(m: &Model, d: &mut Data, i: usize, mode: CamLightMode) {
    let body = at(&m.light_bodyid, i);
    let target = usize::try_from(m.light_targetbodyid[i]).ok();
    let (xpos, xmat) = (rows::<3>(&d.xpos)[body], &rows::<9>(&d.xmat)[body]);
    let mut pos = vec3::add(xpos, mat3::mul_vec(xmat, rows::<3>(&m.light_pos)[i]));
    let mut dir = quat::rotate(rows::<4>(&d.xquat)[body], rows::<3>(&m.light_dir)[i]);
    match mode {
        CamLightMode::Fixed => {}
        CamLightMode::Track => {
            pos = vec3::add(xpos, rows::<3>(&m.light_pos0)[i]);
            dir = rows::<3>(&m.light_dir0)[i];
        }
        CamLightMode::TrackCom => {
            pos = vec3::add(rows::<3>(&d.subtree_com)[body], rows::<3>(&m.light_poscom0)[i]);
            dir = rows::<3>(&m.light_dir0)[i];
        }
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => {
            if let Some(point) = target.map(|t| target_point(d, mode, t)) {
                dir = vec3::sub(point, pos);
            }
        }
    }
    rows_mut::<3>(&mut d.light_xpos)[i] = pos;
    rows_mut::<3>(&mut d.light_xdir)[i] = vec3::normalize(dir).0;
}

/// What a camera or light that targets body `target` looks at.
fn target_point(d: &Data, mode: CamLightMode, target: usize) -> vec3::Vec3 {
    if mode == CamLightMode::TargetBody {
        rows::<3>(&d.xpos)[target]
    } else {
        rows::<3>(&d.subtree_com)[target]
    }
}
