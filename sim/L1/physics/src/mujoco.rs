//! The pipeline functions under MuJoCo's names, for ported code.
//!
//! `mj_step(m, d)` in C is `mj_step(&m, &mut d)` here; functions that can fail return a `Result`.

#[doc(no_inline)]
pub use sim_core::types::Contact as MjContact;
#[doc(no_inline)]
pub use sim_core::{Data as MjData, Model as MjModel};
#[doc(no_inline)]
pub use sim_core::{
    mj_add_m, mj_angmom_mat, mj_apply_ft, mj_camlight, mj_check_acc, mj_check_pos, mj_check_vel,
    mj_collision, mj_com_pos, mj_com_vel, mj_compare_fwd_inv, mj_constraint_update,
    mj_contact_force, mj_copy_state, mj_crb, mj_differentiate_pos, mj_energy_pos, mj_energy_vel,
    mj_euler, mj_extract_state, mj_factor_m, mj_forward, mj_forward_skip, mj_full_m,
    mj_fwd_acceleration, mj_fwd_actuation, mj_fwd_constraint, mj_fwd_position, mj_fwd_velocity,
    mj_geom_distance, mj_get_state, mj_get_totalmass, mj_implicit, mj_init_ctrl_history,
    mj_init_sensor_history, mj_integrate_pos, mj_inv_constraint, mj_inverse, mj_inverse_skip,
    mj_is_sparse, mj_island, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_dot, mj_jac_geom,
    mj_jac_point, mj_jac_point_axis, mj_jac_site, mj_jac_subtree_com, mj_kinematics,
    mj_make_constraint, mj_make_m, mj_mul_jac_t_vec, mj_mul_jac_vec, mj_mul_m, mj_mul_m2,
    mj_multi_ray, mj_next_activation, mj_normalize_quat, mj_object_acceleration,
    mj_object_velocity, mj_passive, mj_project_constraint, mj_ray, mj_ray_hfield, mj_ray_mesh,
    mj_read_ctrl, mj_read_sensor, mj_reference_constraint, mj_rne, mj_rne_post_constraint,
    mj_runge_kutta, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel, mj_set_const, mj_set_keyframe,
    mj_set_length_range, mj_set_state, mj_set_totalmass, mj_solve_m, mj_solve_m2, mj_state_size,
    mj_step, mj_step1, mj_step2, mj_subtree_vel, mj_tendon, mj_transmission, mjd_inverse_fd,
    mjd_smooth_vel, mjd_transition_fd,
};

use sim_core::types::ObjType;

/// Index of the element of a type with this name.
#[must_use]
pub fn mj_name2id(m: &MjModel, kind: ObjType, name: &str) -> Option<usize> {
    m.name2id(kind, name)
}

/// Name of the element of a type with this index.
#[must_use]
pub fn mj_id2name(m: &MjModel, kind: ObjType, id: usize) -> Option<&str> {
    m.id2name(kind, id)
}

/// Creates the data of a model, at its reference configuration.
#[doc(alias = "mj_makeData")]
#[must_use]
pub fn mj_make_data(m: &MjModel) -> MjData {
    m.make_data()
}

/// Resets the data to the reference configuration.
#[doc(alias = "mj_resetData")]
pub fn mj_reset_data(m: &MjModel, d: &mut MjData) {
    d.reset(m);
}

/// Resets the data to a keyframe; false if there is no keyframe with this index.
#[doc(alias = "mj_resetDataKeyframe")]
pub fn mj_reset_data_keyframe(m: &MjModel, d: &mut MjData, key: usize) -> bool {
    d.reset_to_keyframe(m, key)
}

/// Copies all fields of a data into another data of the same model.
#[doc(alias = "mj_copyData")]
pub fn mj_copy_data(dest: &mut MjData, src: &MjData) {
    dest.copy_from(src);
}

/// Compiles an MJCF file, or a URDF file with the feature `urdf`.
///
/// # Errors
/// All errors in the file, with line and column.
#[cfg(feature = "mjcf")]
#[doc(alias = "mj_loadXML")]
pub fn mj_load_xml(path: impl AsRef<std::path::Path>) -> Result<MjModel, sim_mjcf::Errors> {
    crate::load_file(path)
}
