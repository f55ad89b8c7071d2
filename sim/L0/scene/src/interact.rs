//! Motion of the camera, of a perturbation and of the model with the mouse.

use crate::transform::{align_to_camera, camera_in_model};
use crate::{Camera, CameraType, MouseAction, Perturb, Scene, SceneError, single};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat, rows};
use sim_core::{Data, Model};
use std::f64::consts::{FRAC_PI_2, PI};

/// Factor of mouse motions under orthographic projection.
pub(crate) const ORTHOGRAPHIC: f64 = 0.15;

/// Converts a mouse motion to a vector in world axes, aligned with the horizontal direction of the view.
fn world_motion(action: MouseAction, dx: f64, dy: f64, forward: Vec3) -> Result<Vec3, SceneError> {
    use MouseAction::{MoveH, MoveHRel, MoveV, MoveVRel, None, RotateH, RotateV, Zoom};
    let vec = match action {
        RotateV => [dy, 0.0, dx],
        RotateH => [dy, dx, 0.0],
        MoveV | MoveVRel => [dx, 0.0, -dy],
        MoveH | MoveHRel => [dx, -dy, 0.0],
        Zoom => [0.0; 3],
        None => return Err(SceneError::Action(action)),
    };
    Ok(align_to_camera(vec, forward))
}

/// Moves a camera with the mouse: rotates it, moves its look-at point or changes its distance. `reldx` and
/// `reldy` are the mouse motion relative to the height of the window. Fixed cameras do not move.
///
/// # Errors
///
/// If the action is [`MouseAction::None`], or the cameras of the scene are not set.
#[doc(alias = "mjv_moveCamera")]
pub fn mjv_move_camera(
    m: &Model,
    action: MouseAction,
    reldx: f64,
    reldy: f64,
    scene: &Scene,
    camera: &mut Camera,
) -> Result<(), SceneError> {
    use MouseAction::{MoveH, MoveHRel, MoveV, MoveVRel, None, RotateH, RotateV, Zoom};
    if camera.kind == CameraType::Fixed {
        return Ok(());
    }
    let extent = m.stat.extent;
    let tracking = camera.kind == CameraType::Tracking;
    match action {
        RotateV | RotateH => {
            camera.azimuth -= reldx * 180.0;
            camera.elevation -= reldy * 180.0;
        }
        // the look-at point of a tracking camera is that of its body
        MoveV | MoveH | MoveVRel | MoveHRel if tracking => return Ok(()),
        MoveV | MoveH => {
            let head = camera_in_model(scene)?;
            let vec = world_motion(action, reldx, reldy, head.forward)?;
            // the displacement on the screen is that of the mouse
            let to_lookat = vec3::sub(camera.lookat, head.pos);
            let mut scale = scene.frustum_height()? * vec3::dot(to_lookat, head.forward);
            if camera.orthographic {
                scale *= ORTHOGRAPHIC;
            }
            camera.lookat = vec3::add_scaled(camera.lookat, vec, -scale);
        }
        Zoom => {
            let rate = (1.0 + camera.distance / extent / 3.0).ln();
            camera.distance -= rate * reldy * 9.0 * extent;
        }
        MoveVRel | MoveHRel => {
            let head = camera_in_model(scene)?;
            let right = vec3::cross(head.forward, head.up);
            let along = if action == MoveVRel { head.up } else { head.forward };
            let lookat = vec3::add_scaled(camera.lookat, along, reldy);
            camera.lookat = vec3::add_scaled(lookat, right, reldx);
        }
        None => return Err(SceneError::Action(action)),
    }
    limit_camera(camera, extent);
    Ok(())
}

/// Restricts azimuth, elevation and distance to their ranges.
fn limit_camera(camera: &mut Camera, extent: f64) {
    if camera.azimuth > 180.0 {
        camera.azimuth -= 360.0;
    }
    if camera.azimuth < -180.0 {
        camera.azimuth += 360.0;
    }
    camera.elevation = camera.elevation.clamp(-89.0, 89.0);
    if camera.distance < 0.01 * extent {
        camera.distance = 0.01 * extent;
    }
    if camera.distance > 100.0 * extent {
        camera.distance = 100.0 * extent;
    }
}

/// Moves the reference pose of a perturbation with the mouse. Rotations are limited to 90 degrees from the
/// selected body.
///
/// # Errors
///
/// If the action is [`MouseAction::None`], or the cameras of the scene are not set.
#[doc(alias = "mjv_movePerturb")]
pub fn mjv_move_perturb(
    m: &Model,
    d: &Data,
    action: MouseAction,
    reldx: f64,
    reldy: f64,
    scene: &Scene,
    perturb: &mut Perturb,
) -> Result<(), SceneError> {
    use MouseAction::{MoveH, MoveHRel, MoveV, MoveVRel, None, RotateH, RotateV, Zoom};
    let body = usize::try_from(perturb.select).ok().filter(|&body| body < m.nbody);
    let vec = world_motion(action, reldx, reldy, camera_in_model(scene)?.forward)?;
    let mut shift = |vec: Vec3, scale: f64| {
        perturb.refpos = vec3::add_scaled(perturb.refpos, vec, scale);
        perturb.refselpos = vec3::add_scaled(perturb.refselpos, vec, scale);
    };
    let scale = perturb.scale;
    match action {
        MoveV | MoveH => shift(vec, scale),
        MoveVRel | MoveHRel => {
            // along the axes of the body
            let mat = body.map_or(mat3::IDENTITY, |body| rows::<9>(&d.xmat)[body]);
            let along = if action == MoveHRel { 0 } else { 2 };
            shift(mat3::column(&mat, along), scale * reldy);
            shift(mat3::column(&mat, 1), scale * reldx);
        }
        RotateV | RotateH => {
            let (axis, angle) = vec3::normalize(vec);
            let rotation = quat::from_axis_angle(axis, angle * PI * 2.0);
            perturb.refquat = quat::normalize(quat::mul(rotation, perturb.refquat));
            if let Some(body) = perturb.body(m.nbody) {
                limit_rotation(m, d, body, perturb);
            }
        }
        Zoom => {}
        None => return Err(SceneError::Action(action)),
    }
    Ok(())
}

/// Limits the reference orientation to 90 degrees from the inertial frame of the body.
fn limit_rotation(m: &Model, d: &Data, body: usize, perturb: &mut Perturb) {
    let inertial = quat::mul(rows::<4>(&d.xquat)[body], rows::<4>(&m.body_iquat)[body]);
    let relative = quat::mul(quat::conjugate(inertial), perturb.refquat);
    let (axis, angle) = vec3::normalize(quat::to_velocity(relative, 1.0));
    if angle > FRAC_PI_2 {
        let limited = quat::from_axis_angle(axis, FRAC_PI_2);
        perturb.refquat = quat::mul(inertial, limited);
    }
}

/// Moves the model in the room with the mouse, if the model transformation is enabled. `roomup` is the
/// upward direction of the room.
///
/// # Errors
///
/// If the action is [`MouseAction::None`], or the cameras of the scene are not set.
#[doc(alias = "mjv_moveModel")]
pub fn mjv_move_model(
    m: &Model,
    action: MouseAction,
    reldx: f64,
    reldy: f64,
    roomup: Vec3,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    use MouseAction::{MoveH, MoveHRel, MoveV, MoveVRel, None, RotateH, RotateV, Zoom};
    if !scene.enabletransform {
        return Ok(());
    }
    let view = scene.camera_in_room()?.forward;
    let forward = vec3::add_scaled(view, roomup, -vec3::dot(view, roomup));
    let (forward, _) = vec3::normalize(forward);
    let (right, _) = vec3::normalize(vec3::cross(forward, roomup));
    match action {
        RotateV | RotateH => {
            let about = if action == RotateV { roomup } else { forward };
            let vec = std::array::from_fn(|k| about[k] * reldx + right[k] * reldy);
            let (axis, angle) = vec3::normalize(vec);
            let rotation = quat::from_axis_angle(axis, angle * PI);
            let rotate = quat::mul(rotation, scene.rotate.map(f64::from));
            scene.rotate = quat::normalize(rotate).map(single);
        }
        MoveV | MoveVRel | MoveH | MoveHRel => {
            let along = if matches!(action, MoveV | MoveVRel) { roomup } else { forward };
            for k in 0..3 {
                let shift = f64::from(single(right[k] * reldx - along[k] * reldy));
                let moved = f64::from(scene.translate[k]) + shift * m.stat.extent;
                scene.translate[k] = single(moved);
            }
        }
        Zoom => {
            let rate = f64::from(1.0 + scene.scale / 3.0).ln();
            scene.scale = (scene.scale + single(rate * reldy * 3.0)).clamp(0.01, 100.0);
        }
        None => return Err(SceneError::Action(action)),
    }
    Ok(())
}
