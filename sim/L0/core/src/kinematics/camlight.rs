//! Poses of cameras and lights: fixed to their body, tracking it, or aimed at a target (`mj_camlight`).

use crate::math::mat3::Mat3;
use crate::math::quat::Quat;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, rows_mut, vec3};
use crate::sleep::AWAKE;
use crate::{Data, Model};
use sim_types::CamLightMode;

/// Computes the world poses of cameras and lights.
///
/// Reads `xpos`, `xquat`, `xmat`, `subtree_com`. Writes `cam_xpos`, `cam_xmat`, `light_xpos`,
/// `light_xdir`.
pub fn mj_camlight(m: &Model, d: &mut Data) {
    let any_asleep = d.any_asleep(m);
    let Data { xpos, xquat, xmat, subtree_com, body_awake, .. } = d;
    let Data { cam_xpos, cam_xmat, light_xpos, light_xdir, .. } = d;
    let bodies = BodyPoses {
        xpos: rows(xpos),
        xquat: rows(xquat),
        xmat: rows(xmat),
        subtree_com: rows(subtree_com),
    };
    let is_awake = |body: i32| usize::try_from(body).is_ok_and(|body| body_awake[body] == AWAKE);
    // while trees are asleep, cameras and lights whose body and target do not move are skipped
    let skip = |body: i32, target: i32| any_asleep && !is_awake(body) && !is_awake(target);
    let (cam_xpos, cam_xmat) = (rows_mut(cam_xpos), rows_mut(cam_xmat));
    for i in 0..m.ncam {
        if !skip(m.cam_bodyid[i], m.cam_targetbodyid[i]) {
            (cam_xpos[i], cam_xmat[i]) = camera_pose(m, &bodies, i, m.cam_mode[i]);
        }
    }
    let (light_xpos, light_xdir) = (rows_mut(light_xpos), rows_mut(light_xdir));
    for i in 0..m.nlight {
        if !skip(m.light_bodyid[i], m.light_targetbodyid[i]) {
            (light_xpos[i], light_xdir[i]) = light_pose(m, &bodies, i, m.light_mode[i]);
        }
    }
}

/// World poses of bodies and centres of mass of their subtrees.
#[derive(Debug, Clone, Copy)]
struct BodyPoses<'a> {
    xpos: &'a [Vec3],
    xquat: &'a [Quat],
    xmat: &'a [Mat3],
    subtree_com: &'a [Vec3],
}

impl<'a> BodyPoses<'a> {
    fn of(d: &'a Data) -> Self {
        Self {
            xpos: rows(&d.xpos),
            xquat: rows(&d.xquat),
            xmat: rows(&d.xmat),
            subtree_com: rows(&d.subtree_com),
        }
    }

    /// World position of a point given in the frame of `body`.
    fn transform(&self, body: usize, point: Vec3) -> Vec3 {
        vec3::add(self.xpos[body], mat3::mul_vec(&self.xmat[body], point))
    }

    /// World position of the target of a camera or light.
    fn target(&self, mode: CamLightMode, target: usize) -> Vec3 {
        if mode == CamLightMode::TargetBody { self.xpos[target] } else { self.subtree_com[target] }
    }
}

/// World position and rotation matrix of camera `i` in the given mode.
fn camera_pose(m: &Model, bodies: &BodyPoses<'_>, i: usize, mode: CamLightMode) -> (Vec3, Mat3) {
    let body = at(&m.cam_bodyid, i);
    let pos = bodies.transform(body, rows::<3>(&m.cam_pos)[i]);
    match mode {
        CamLightMode::Fixed => {}
        CamLightMode::Track => {
            let pos = vec3::add(bodies.xpos[body], rows::<3>(&m.cam_pos0)[i]);
            return (pos, rows::<9>(&m.cam_mat0)[i]);
        }
        CamLightMode::TrackCom => {
            let pos = vec3::add(bodies.subtree_com[body], rows::<3>(&m.cam_poscom0)[i]);
            return (pos, rows::<9>(&m.cam_mat0)[i]);
        }
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => {
            if let Ok(target) = usize::try_from(m.cam_targetbodyid[i]) {
                // the camera looks along its -z axis, and its x axis is horizontal
                let (z, _) = vec3::normalize(vec3::sub(pos, bodies.target(mode, target)));
                let (x, _) = vec3::normalize(vec3::cross([0.0, 0.0, 1.0], z));
                let (y, _) = vec3::normalize(vec3::cross(z, x));
                return (pos, [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
            }
        }
    }
    (pos, quat::to_mat(quat::mul(bodies.xquat[body], rows::<4>(&m.cam_quat)[i])))
}

/// World position and unit direction of light `i` in the given mode.
fn light_pose(m: &Model, bodies: &BodyPoses<'_>, i: usize, mode: CamLightMode) -> (Vec3, Vec3) {
    let body = at(&m.light_bodyid, i);
    let mut pos = bodies.transform(body, rows::<3>(&m.light_pos)[i]);
    let mut dir = quat::rotate(bodies.xquat[body], rows::<3>(&m.light_dir)[i]);
    match mode {
        CamLightMode::Fixed => {}
        CamLightMode::Track => {
            pos = vec3::add(bodies.xpos[body], rows::<3>(&m.light_pos0)[i]);
            dir = rows::<3>(&m.light_dir0)[i];
        }
        CamLightMode::TrackCom => {
            pos = vec3::add(bodies.subtree_com[body], rows::<3>(&m.light_poscom0)[i]);
            dir = rows::<3>(&m.light_dir0)[i];
        }
        CamLightMode::TargetBody | CamLightMode::TargetBodyCom => {
            if let Ok(target) = usize::try_from(m.light_targetbodyid[i]) {
                dir = vec3::sub(bodies.target(mode, target), pos);
            }
        }
    }
    (pos, vec3::normalize(dir).0)
}

/// Writes `cam_xpos` and `cam_xmat` of camera `i` as if its mode were `mode`.
pub(crate) fn set_camera_pose(m: &Model, d: &mut Data, i: usize, mode: CamLightMode) {
    let (pos, mat) = camera_pose(m, &BodyPoses::of(d), i, mode);
    rows_mut(&mut d.cam_xpos)[i] = pos;
    rows_mut(&mut d.cam_xmat)[i] = mat;
}

/// Writes `light_xpos` and `light_xdir` of light `i` as if its mode were `mode`.
pub(crate) fn set_light_pose(m: &Model, d: &mut Data, i: usize, mode: CamLightMode) {
    let (pos, dir) = light_pose(m, &BodyPoses::of(d), i, mode);
    rows_mut(&mut d.light_xpos)[i] = pos;
    rows_mut(&mut d.light_xdir)[i] = dir;
}
