//! Activation dynamics: `act_dot`, and the integration of `act` over a step (`mj_nextActivation`).

use super::{activations, asleep, clamp, dc_motor, mj_actuator_disabled, muscle};
use crate::math::rows;
use crate::{Data, Model};
use sim_types::{DisableBit, DynType, MINVAL};

/// Computes `act_dot` from the clamped and delayed controls in `scratch.ctrl`. Reads `act`,
/// `actuator_length`, `actuator_velocity`.
pub(super) fn rates(m: &Model, d: &mut Data) {
    if m.na == 0 {
        return;
    }
    for i in 0..m.nu {
        let Some(own) = activations(m, i) else { continue };
        if asleep(m, d, i) {
            continue;
        }
        d.act_dot[own.clone()].fill(0.0);
        let last = own.end - 1;
        let (ctrl, act) = (d.scratch.ctrl[i], d.act[last]);
        let prm = &rows::<10>(&m.actuator_dynprm)[i];
        match m.actuator_dyntype[i] {
            DynType::Integrator => d.act_dot[last] = ctrl,
            DynType::Filter | DynType::FilterExact => {
                d.act_dot[last] = (ctrl - act) / prm[0].max(MINVAL);
            }
            DynType::Muscle => {
                d.act_dot[last] = muscle::activation_rate(ctrl, act, [prm[0], prm[1], prm[2]]);
            }
            DynType::DcMotor => dc_motor::rates(m, d, i),
            DynType::None | DynType::User => {
                if let Some(rate) = &m.hooks.cb_act_dyn {
                    let rate = (**rate)(m, d, i);
                    // with several activations the callback writes act_dot itself
                    if own.len() == 1 {
                        d.act_dot[last] = rate;
                    }
                }
            }
        }
    }
}

/// Integrates `act` over one step. Activations of disabled actuators are unchanged.
pub(crate) fn advance(m: &Model, d: &mut Data) {
    if m.na == 0 || m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    for i in 0..m.nu {
        let off = mj_actuator_disabled(m, i);
        for adr in activations(m, i).unwrap_or_default() {
            let rate = if off { 0.0 } else { d.act_dot[adr] };
            d.act[adr] = mj_next_activation(m, d, i, adr, rate);
        }
    }
}

/// Value of `act[adr]` of actuator `i` after one step with the derivative `rate` at its start, clamped to
/// `actuator_actrange` if limited.
#[doc(alias = "mj_nextActivation")]
#[must_use]
pub fn mj_next_activation(m: &Model, d: &Data, i: usize, adr: usize, rate: f64) -> f64 {
    let (h, act) = (m.opt.timestep, d.act[adr]);
    let next = match m.actuator_dyntype[i] {
        DynType::FilterExact => act + exact_filter(rate, rows::<10>(&m.actuator_dynprm)[i][0], h),
        // the activations of a DC motor have no common range
        DynType::DcMotor => return dc_motor::next_activation(m, d, i, adr, rate),
        _ => act + h * rate,
    };
    if m.actuator_actlimited[i] {
        clamp::to(next, rows::<2>(&m.actuator_actrange)[i])
    } else {
        next
    }
}

/// Change over a time `h` of a first-order filter with time constant `tau` and constant input, with the
/// derivative `rate` at the start: `rate τ (1 − exp(−h/τ))`.
pub(super) fn exact_filter(rate: f64, tau: f64, h: f64) -> f64 {
    let tau = tau.max(MINVAL);
    rate * tau * (1.0 - (-h / tau).exp())
}
