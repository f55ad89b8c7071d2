//! Start of a perturbation, and its effect on the selected body (`mjv_initPerturb`, `mjv_applyPerturbPose`,
//! `mjv_applyPerturbForce`).

use crate::interact::ORTHOGRAPHIC;
use crate::transform::camera_in_model;
use crate::{PERT_ROTATE, PERT_TRANSLATE, Perturb, Scene, SceneError};
use sim_core::math::pose::Pose;
use sim_core::math::quat::{self, Quat};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{dot, mat3, rows};
use sim_core::types::{JointType, MINVAL, ObjType};
use sim_core::{Data, Model, mj_jac_into, mj_object_velocity, mj_solve_m2};

/// World position of the selection point.
pub(crate) fn selection_point(d: &Data, perturb: &Perturb, body: usize) -> Vec3 {
    let offset = mat3::mul_vec(&rows::<9>(&d.xmat)[body], perturb.localpos);
    vec3::add(offset, rows::<3>(&d.xpos)[body])
}

/// World orientation of the inertial frame of a body.
fn inertial_quat(m: &Model, d: &Data, body: usize) -> Quat {
    quat::mul(rows::<4>(&d.xquat)[body], rows::<4>(&m.body_iquat)[body])
}

/// Sets the reference pose of a perturbation to the current pose of the selected body, its effective mass at
/// the selection point, and the scale of mouse motions. Nothing changes if no body is selected.
///
/// Reads poses, `cdof` and the factor `qLD` of the inertia.
///
/// # Errors
///
/// If the cameras of the scene are not set.
#[doc(alias = "mjv_initPerturb")]
pub fn mjv_init_perturb(
    m: &Model,
    d: &Data,
    scene: &Scene,
    perturb: &mut Perturb,
) -> Result<(), SceneError> {
    let Some(body) = perturb.body(m.nbody) else { return Ok(()) };
    let point = selection_point(d, perturb, body);
    // trace of the inverse inertia J M⁻¹ Jᵀ of the point
    let mut jac = vec![0.0; 3 * m.nv];
    mj_jac_into(m, d, Some(&mut jac), None, point, body);
    mj_solve_m2(m, d, &mut jac);
    let inverse: f64 = jac.chunks_exact(m.nv.max(1)).map(|row| dot(row, row)).sum();
    perturb.localmass = if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) };
    perturb.refpos = rows::<3>(&d.xipos)[body];
    perturb.refquat = inertial_quat(m, d, body);
    perturb.refselpos = point;
    // the displacement on the screen is that of the mouse
    let head = camera_in_model(scene)?;
    let to_point = vec3::sub(point, head.pos);
    perturb.scale = scene.frustum_height()? * vec3::dot(to_point, head.forward);
    if scene.camera[0].orthographic {
        perturb.scale *= ORTHOGRAPHIC;
    }
    Ok(())
}

/// Moves the selected body to the reference pose: writes `mocap_pos` and `mocap_quat` of a mocap body and, if
/// the simulation is paused, `qpos` of a floating body or of the floating root above the selected body.
#[doc(alias = "mjv_applyPerturbPose")]
pub fn mjv_apply_perturb_pose(m: &Model, d: &mut Data, perturb: &Perturb, paused: bool) {
    let Some(body) = perturb.body(m.nbody).filter(|_| perturb.all_active() != 0) else { return };
    let local = Pose { pos: rows::<3>(&m.body_ipos)[body], quat: rows::<4>(&m.body_iquat)[body] };
    // reference pose of the body frame
    let reference = Pose { pos: perturb.refpos, quat: perturb.refquat }.then(&local.inverse());
    if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
        d.mocap_pos[3 * mocap..3 * mocap + 3].copy_from_slice(&reference.pos);
        d.mocap_quat[4 * mocap..4 * mocap + 4].copy_from_slice(&reference.quat);
        return;
    }
    if !paused {
        return;
    }
    let root = usize::try_from(m.body_rootid[body]).unwrap_or(0);
    let (adr, pose) = if let Some(adr) = free_joint(m, body) {
        (adr, reference)
    } else if let Some(adr) = free_joint(m, root)
        && let Some([x, y, z, qw, qx, qy, qz]) = d.qpos[adr..].first_chunk::<7>().copied()
    {
        let root = Pose { pos: [x, y, z], quat: [qw, qx, qy, qz] };
        let child = Pose { pos: rows::<3>(&d.xpos)[body], quat: rows::<4>(&d.xquat)[body] };
        (adr, reference.then(&child.inverse().then(&root)))
    } else {
        return;
    };
    d.qpos[adr..adr + 3].copy_from_slice(&pose.pos);
    d.qpos[adr + 3..adr + 7].copy_from_slice(&pose.quat);
}

/// Address in `qpos` of the free joint of a body that has one.
fn free_joint(m: &Model, body: usize) -> Option<usize> {
    let joint = usize::try_from(m.body_jntadr[body]).ok().filter(|_| m.body_jntnum[body] == 1)?;
    (m.jnt_type[joint] == JointType::Free)
        .then(|| usize::try_from(m.jnt_qposadr[joint]).ok())
        .flatten()
}

/// Writes the force and torque of a critically damped spring between the selected body and the reference pose
/// to `xfrc_applied`. Nothing changes without an active perturbation.
///
/// Reads poses and `cvel`.
#[doc(alias = "mjv_applyPerturbForce")]
pub fn mjv_apply_perturb_force(m: &Model, d: &mut Data, perturb: &Perturb) {
    let body = usize::try_from(perturb.select).ok().filter(|&body| body < m.nbody);
    let Some(body) = body.filter(|_| perturb.all_active() != 0) else { return };
    let [wx, wy, wz, vx, vy, vz] =
        mj_object_velocity(m, d, ObjType::Body, body, false).unwrap_or_default();
    let (angular, linear) = ([wx, wy, wz], [vx, vy, vz]);
    let inverse = m.body_invweight0[2 * body + 1];
    let inertia = if inverse == 0.0 { 1.0 } else { 1.0 / inverse.max(MINVAL) };
    let rotational = f64::from(m.vis.map.stiffnessrot);
    let row = 6 * body..6 * body + 6;
    if perturb.all_active() & PERT_TRANSLATE != 0 {
        let point = selection_point(d, perturb, body);
        let offset = vec3::sub(point, perturb.refselpos);
        let stiffness = f64::from(m.vis.map.stiffness);
        let spring = vec3::scale(offset, -stiffness * perturb.localmass);
        let arm = vec3::sub(point, rows::<3>(&d.xipos)[body]);
        let velocity = vec3::add(vec3::cross(angular, arm), linear);
        let force = vec3::add_scaled(spring, velocity, -stiffness.sqrt() * perturb.localmass);
        // damping of rotations about the spring
        let (axis, _) = vec3::normalize(offset);
        let damping = -rotational.sqrt() * inertia * vec3::dot(axis, angular);
        let torque = vec3::add_scaled(vec3::cross(arm, force), axis, damping);
        d.xfrc_applied[row.clone()][..3].copy_from_slice(&force);
        d.xfrc_applied[row.clone()][3..].copy_from_slice(&torque);
    }
    if perturb.all_active() & PERT_ROTATE != 0 {
        let inertial = inertial_quat(m, d, body);
        let difference = quat::mul(perturb.refquat, quat::conjugate(inertial));
        let spring = quat::to_velocity(difference, 1.0 / (rotational * inertia));
        let torque = vec3::add_scaled(spring, angular, -rotational.sqrt() * inertia);
        d.xfrc_applied[row][3..].copy_from_slice(&torque);
    }
}
