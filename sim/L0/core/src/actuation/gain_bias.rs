//! Scalar actuator force: `gain · input + bias`, with the control or the activation as input.

use super::{asleep, dc_motor, input_activation, mj_actuator_disabled, muscle};
use crate::math::rows;
use crate::{Data, Model};
use sim_types::{BiasType, EnableBit, GainType};

/// Computes `actuator_force` before clamping, from the controls in `scratch.ctrl`.
pub(super) fn forces(m: &Model, d: &mut Data) {
    let affine_only = m.plan.affine_actuators && m.opt.disableactuator == 0;
    if affine_only && !m.opt.enabled(EnableBit::Sleep) {
        return affine_forces(m, d);
    }
    for i in 0..m.nu {
        if mj_actuator_disabled(m, i) || m.actuator_plugin[i] >= 0 || asleep(m, d, i) {
            continue;
        }
        let gain = gain(m, d, i);
        if m.actuator_gaintype[i] == GainType::DcMotor {
            d.scratch.ctrl[i] = dc_motor::input_voltage(m, d, i);
        }
        d.actuator_force[i] = gain * input(m, d, i);
        d.actuator_force[i] += bias(m, d, i, gain);
    }
}

/// Forces of a model in which every actuator is stateless with fixed or affine gain and bias.
fn affine_forces(m: &Model, d: &mut Data) {
    let Data { actuator_length, actuator_velocity, actuator_force, scratch, .. } = d;
    let n = m.nu;
    let (gaintype, biastype) = (&m.actuator_gaintype[..n], &m.actuator_biastype[..n]);
    let gainprm = &rows::<10>(&m.actuator_gainprm)[..n];
    let biasprm = &rows::<10>(&m.actuator_biasprm)[..n];
    let (length, velocity) = (&actuator_length[..n], &actuator_velocity[..n]);
    let (ctrl, force) = (&scratch.ctrl[..n], &mut actuator_force[..n]);
    for i in 0..n {
        let gain = match gaintype[i] {
            GainType::Affine => affine(&gainprm[i], length[i], velocity[i]),
            _ => gainprm[i][0],
        };
        let bias = match biastype[i] {
            BiasType::Affine => affine(&biasprm[i], length[i], velocity[i]),
            _ => 0.0,
        };
        force[i] = gain * ctrl[i] + bias;
    }
}

/// Input of the gain: the activation if the actuator has one, the control otherwise.
fn input(m: &Model, d: &Data, i: usize) -> f64 {
    // the last activation of a DC motor is its current only if it has inductance
    let motor = m.actuator_gaintype[i] == GainType::DcMotor && !dc_motor::inductive(m, i);
    let act = if motor { None } else { input_activation(m, d, i) };
    act.unwrap_or(d.scratch.ctrl[i])
}

/// Gain of actuator `i`.
fn gain(m: &Model, d: &Data, i: usize) -> f64 {
    let prm = &rows::<10>(&m.actuator_gainprm)[i];
    let (length, velocity) = (d.actuator_length[i], d.actuator_velocity[i]);
    match m.actuator_gaintype[i] {
        GainType::Fixed => prm[0],
        GainType::Affine => affine(prm, length, velocity),
        GainType::Muscle => {
            let range = rows::<2>(&m.actuator_lengthrange)[i];
            muscle::gain(length, velocity, range, m.actuator_acc0[i], prm)
        }
        GainType::DcMotor => dc_motor::gain(m, d, i),
        GainType::User => m.hooks.cb_act_gain.as_ref().map_or(1.0, |gain| (**gain)(m, d, i)),
    }
}

/// Bias force of actuator `i`, whose gain is `gain`.
fn bias(m: &Model, d: &Data, i: usize, gain: f64) -> f64 {
    let prm = &rows::<10>(&m.actuator_biasprm)[i];
    let (length, velocity) = (d.actuator_length[i], d.actuator_velocity[i]);
    match m.actuator_biastype[i] {
        BiasType::None => 0.0,
        BiasType::Affine => affine(prm, length, velocity),
        BiasType::Muscle => {
            let range = rows::<2>(&m.actuator_lengthrange)[i];
            muscle::bias(length, range, m.actuator_acc0[i], prm)
        }
        BiasType::DcMotor => dc_motor::back_emf(m, i, gain, velocity),
        BiasType::User => m.hooks.cb_act_bias.as_ref().map_or(0.0, |bias| (**bias)(m, d, i)),
    }
}

/// `prm₀ + prm₁ length + prm₂ velocity`.
fn affine(prm: &[f64; 10], length: f64, velocity: f64) -> f64 {
    prm[0] + prm[1] * length + prm[2] * velocity
}
