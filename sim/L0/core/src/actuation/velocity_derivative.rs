//! Derivative of the scalar actuator force with respect to the actuator velocity (`mjd_actuator_vel`):
//! `∂gain/∂v · input + ∂bias/∂v`.

use super::{dc_motor, input_activation, mj_actuator_disabled, muscle};
use crate::math::rows;
use crate::{Data, Model};
use sim_types::{BiasType, DisableBit, DynType, GainType};

/// Derivative of the force of actuator `i` with respect to its velocity, for the implicit integrators. Zero
/// if the force is saturated. Evaluated with `ctrl` before clamping and delay.
#[doc(alias = "mjd_actuator_vel")]
pub(crate) fn force_vel_derivative(m: &Model, d: &Data, i: usize) -> f64 {
    if m.opt.disabled(DisableBit::Actuation) || saturated(m, d, i) {
        return 0.0;
    }
    let bias = match m.actuator_biastype[i] {
        BiasType::Affine => rows::<10>(&m.actuator_biasprm)[i][2],
        BiasType::DcMotor => dc_motor::back_emf_vel_derivative(m, i),
        BiasType::None | BiasType::Muscle | BiasType::User => 0.0,
    };
    let prm = &rows::<10>(&m.actuator_gainprm)[i];
    let gain = match m.actuator_gaintype[i] {
        GainType::Affine => prm[2],
        GainType::Muscle => muscle::gain_vel_derivative(
            d.actuator_length[i],
            d.actuator_velocity[i],
            rows::<2>(&m.actuator_lengthrange)[i],
            m.actuator_acc0[i],
            prm,
        ),
        GainType::DcMotor => return bias + dc_motor::current_vel_derivative(m, i),
        GainType::Fixed | GainType::User => 0.0,
    };
    if gain == 0.0 { bias } else { bias + gain * gain_input(m, d, i) }
}

/// Input of the gain of actuator `i`, with `ctrl` before clamping and delay.
pub(crate) fn gain_input(m: &Model, d: &Data, i: usize) -> f64 {
    let stateless = m.actuator_dyntype[i] == DynType::None;
    let act = if stateless { None } else { input_activation(m, d, i) };
    act.unwrap_or(d.ctrl[i])
}

/// Whether actuator `i` is disabled or its force is at a bound of `actuator_forcerange`.
pub(crate) fn saturated(m: &Model, d: &Data, i: usize) -> bool {
    let [low, high] = rows::<2>(&m.actuator_forcerange)[i];
    let force = d.actuator_force[i];
    mj_actuator_disabled(m, i) || m.actuator_forcelimited[i] && (force <= low || force >= high)
}
