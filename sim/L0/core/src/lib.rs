//! Model, Data and the simulation pipeline.
//!
//! A [`Model`] is everything about a mechanism that does not change while it moves; a [`Data`] is
//! everything that does. Both carry MuJoCo's field names. [`mj_step`] advances a `Data` by one time
//! step; the stages it is made of are public under MuJoCo's names in snake case.
//!
//! ```
//! let model = sim_mjcf::load_str(r#"
//!     <mujoco>
//!       <worldbody>
//!         <body pos="0 0 1">
//!           <joint type="hinge" axis="0 1 0"/>
//!           <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05" contype="0" conaffinity="0"/>
//!         </body>
//!       </worldbody>
//!     </mujoco>"#)?;
//! let mut data = model.make_data();
//! data.qpos[0] = 1.0;
//! for _ in 0..100 {
//!     data.step(&model)?;
//! }
//! assert!(data.qpos[0] < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acceleration;
mod actuation;
mod binary;
mod check;
mod collision;
mod constraint;
pub mod data;
pub mod deformable;
mod derivative;
mod energy;
pub mod field;
mod flex;
mod forward;
mod history;
mod hooks;
mod inertia;
mod integrate;
mod inverse;
mod island;
mod jacobian;
mod kinematics;
mod length_range;
pub mod math;
pub mod model;
mod names;
mod passive;
mod plan;
mod plugin;
mod print;
mod profile;
mod ray;
mod reset;
mod rne;
mod sensor;
mod set_const;
mod sleep;
mod solve;
mod state;
mod support;
mod supported;
mod tendon;
mod transmission;
mod variation;
mod velocity;

pub use acceleration::mj_fwd_acceleration;
pub use actuation::{
    ActuatorDofTerms, mj_actuator_disabled, mj_fwd_actuation, mj_init_ctrl_history,
    mj_next_activation, mj_read_ctrl, muscle,
};
pub use binary::BinaryError;
pub use check::{mj_check_acc, mj_check_pos, mj_check_vel};
pub use collision::{
    AddContactError, ContactPair, contact_pairs, mj_add_contact, mj_collision, mj_geom_distance,
    signed_distance, signed_distance_gradient,
};
#[doc(hidden)]
pub use collision::{ConvexProbe, convex_contacts, convex_distance};
#[doc(hidden)]
pub use constraint::impedance;
pub use constraint::{
    cg_solve_contacts, contact_jacobian, mj_is_sparse, mj_make_constraint, mj_mul_jac_t_vec,
    mj_mul_jac_vec, mj_project_constraint, mj_reference_constraint,
};
pub use data::{Data, Memory};
pub use deformable::{
    Attachment, CouplingReport, Deformable, DeformableHit, DeformableStateError, Deformables,
    ray_deformables,
};
pub use derivative::{
    DerivativeError, InverseMatrices, TransitionMatrices, inverse_matrices, mjd_inverse_fd,
    mjd_smooth_vel, mjd_transition_fd, transition_matrices,
};
#[cfg(feature = "parallel")]
pub use derivative::{mjd_inverse_fd_parallel, mjd_transition_fd_parallel};
pub use energy::{mj_energy_pos, mj_energy_vel};
pub use field::{FieldInfo, FieldMut, FieldView, Stage};
pub use flex::{flex_point, mj_flex};
#[doc(hidden)]
pub use forward::forward_with_contacts;
pub use forward::{
    mj_forward, mj_forward_skip, mj_fwd_position, mj_fwd_velocity, mj_step, mj_step1, mj_step2,
};
pub use history::HistoryError;
pub use hooks::{
    ActivationFn, ActuatorFn, Callback, ContactFilterFn, Hooks, SensorFn, StateFn, TimeFn,
};
pub use inertia::{
    cholesky_in_place, cholesky_solve_in_place, inertia_matrix, mj_add_m, mj_crb, mj_factor_m,
    mj_factor_sparse, mj_full_m, mj_make_m, mj_mul_m, mj_mul_m2, mj_solve_m, mj_solve_m2,
    mj_solve_sparse,
};
pub use integrate::{mj_euler, mj_implicit, mj_runge_kutta};
#[doc(hidden)]
pub use inverse::inverse_with_contacts;
pub use inverse::{mj_compare_fwd_inv, mj_inverse, mj_inverse_skip};
pub use island::mj_island;
pub use jacobian::{
    mj_angmom_mat, mj_angmom_mat_into, mj_jac, mj_jac_body, mj_jac_body_com, mj_jac_body_com_into,
    mj_jac_body_into, mj_jac_dot, mj_jac_dot_into, mj_jac_geom, mj_jac_geom_into, mj_jac_into,
    mj_jac_point, mj_jac_point_axis, mj_jac_point_axis_into, mj_jac_site, mj_jac_site_into,
    mj_jac_subtree_com, mj_jac_subtree_com_into,
};
pub use kinematics::{mj_camlight, mj_com_pos, mj_kinematics};
pub use length_range::{LengthRangeError, mj_set_length_range, set_length_ranges};
pub use model::{Model, ModelSizes};
pub use names::*;
pub use passive::fluid;
pub use passive::mj_passive;
pub use plugin::{
    Capabilities, GearFormula, Plugin, PluginCanvas, PluginConfig, PluginError, PluginGeom,
    PluginInitError, PluginInstance, PluginRegistry, SignedDistance, SignedDistanceFormula,
};
pub use print::{print_data, print_model};
pub use profile::{Timer, TimerStat};
pub use ray::{
    FlexHit, FlexParts, RayFilter, RayHit, SurfaceHit, mj_multi_ray, mj_ray, mj_ray_flex,
    mj_ray_hfield, mj_ray_mesh, ray_geom, ray_skin,
};
pub use rne::{mj_external_wrenches, mj_rne, mj_rne_post_constraint};
pub use sensor::{
    MotionSensorInputs, PixelRays, RayFields, mj_init_sensor_history, mj_read_sensor,
    mj_sensor_acc, mj_sensor_pos, mj_sensor_vel, mj_sensors_from_motion, motion_sensor_inputs,
};
pub use set_const::{mj_get_totalmass, mj_set_const, mj_set_totalmass};
pub use sim_constraint as constraint_solvers;
pub use sim_types as types;
pub use sleep::{SleepInitError, check_sleep_init, mj_sleep_cycle};
pub use solve::{mj_constraint_update, mj_fwd_constraint, mj_inv_constraint};
pub use state::{
    mj_copy_state, mj_extract_state, mj_get_state, mj_set_keyframe, mj_set_state, mj_state_size,
};
pub use support::{
    Frame, mj_apply_ft, mj_contact_force, mj_differentiate_pos, mj_integrate_pos,
    mj_normalize_quat, mj_object_acceleration, mj_object_velocity,
};
pub use tendon::mj_tendon;
pub use transmission::mj_transmission;
pub use variation::{SizeMismatch, Variation};
pub use velocity::{mj_com_vel, mj_subtree_vel};
