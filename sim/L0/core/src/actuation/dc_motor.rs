//! DC motor model: winding resistance and inductance, back-EMF, winding temperature, a position or velocity
//! controller, LuGre friction and cogging torque.
//!
//! The current follows `L di/dt = V − R i − K ω`, quasi-statically without inductance, and the torque is
//! `K i`. Optional parts are enabled by their parameters; each part with state owns one activation.

use super::dynamics::exact_filter;
use super::{activations, clamp, mj_actuator_disabled};
use crate::math::rows;
use crate::{Data, Model};
use sim_types::{BiasType, MINVAL};

/// Parameter rows of one motor.
struct Motor<'a> {
    dynprm: &'a [f64; 10],
    gainprm: &'a [f64; 10],
    biasprm: &'a [f64; 10],
}

/// Quantity that the control of a motor commands.
#[derive(PartialEq, Eq)]
enum Mode {
    Voltage,
    Position,
    Velocity,
}

impl<'a> Motor<'a> {
    fn of(m: &'a Model, i: usize) -> Self {
        Self {
            dynprm: &rows::<10>(&m.actuator_dynprm)[i],
            gainprm: &rows::<10>(&m.actuator_gainprm)[i],
            biasprm: &rows::<10>(&m.actuator_biasprm)[i],
        }
    }

    /// Motor constant `K`: torque per current (N m/A), equal to back-EMF per angular velocity (V s/rad).
    fn constant(&self) -> f64 {
        self.gainprm[1]
    }

    /// Electrical time constant `L/R` (s); `None` without inductance.
    fn electrical_tau(&self) -> Option<f64> {
        Some(self.dynprm[0]).filter(|&tau| tau > 0.0)
    }

    /// Winding resistance (Ω) at a temperature rise above ambient (K).
    fn resistance(&self, temperature_rise: f64) -> f64 {
        let [nominal, _, coefficient, reference, ..] = *self.gainprm;
        nominal * (1.0 + coefficient * (temperature_rise + self.dynprm[4] - reference))
    }

    fn mode(&self) -> Mode {
        match self.gainprm[8] as i32 {
            i32::MIN..=0 => Mode::Voltage,
            1 => Mode::Position,
            _ => Mode::Velocity,
        }
    }

    /// Controller output voltage, saturated at the supply voltage.
    fn voltage(&self, ctrl: f64, length: f64, velocity: f64, integral: f64) -> f64 {
        let [.., kp, ki, kd, supply, _, _] = *self.gainprm;
        let voltage = match self.mode() {
            Mode::Voltage => ctrl,
            Mode::Position => kp * (ctrl - length) + ki * integral - kd * velocity,
            Mode::Velocity => kp * (ctrl - velocity) + ki * (integral - length),
        };
        if supply > 0.0 { clamp::to(voltage, [-supply, supply]) } else { voltage }
    }

    /// Derivative of the unsaturated controller voltage with respect to velocity.
    fn voltage_vel_derivative(&self) -> f64 {
        match self.mode() {
            Mode::Voltage => 0.0,
            Mode::Position => -self.gainprm[6],
            Mode::Velocity => -self.gainprm[4],
        }
    }

    /// Coefficient of `z` in the LuGre bristle dynamics `ż = v − σ0 |v| z / g(v)` (Canudas de Wit et al.
    /// 1995), where the Stribeck curve `g` decreases from static to Coulomb friction with speed.
    #[doc(alias = "mj_lugreStribeck")]
    fn bristle_decay(&self, velocity: f64) -> f64 {
        let [_, _, _, coulomb, fixed, stribeck, ..] = *self.biasprm;
        let ratio = velocity / stribeck.max(MINVAL);
        let g = coulomb + (fixed - coulomb) * (-ratio * ratio).exp();
        -self.dynprm[5] * velocity.abs() / g.max(MINVAL)
    }
}

/// Indices of the activations of a motor in `act`; `None` for parts that are not enabled.
#[derive(Default)]
struct Slots {
    slew: Option<usize>,
    integral: Option<usize>,
    temperature: Option<usize>,
    bristle: Option<usize>,
    current: Option<usize>,
}

impl Slots {
    /// The slots of the enabled parts, in order. All are `None` if their number differs from
    /// `actuator_actnum`, which the model compiler rejects.
    #[doc(alias = "mj_dcmotorSlots")]
    fn of(m: &Model, i: usize, motor: &Motor<'_>) -> Self {
        let Some(own) = activations(m, i) else { return Self::default() };
        let mut next = own.start;
        let mut slot = |parameter: f64| {
            let index = (parameter > 0.0).then_some(next);
            next += usize::from(index.is_some());
            index
        };
        let slots = Self {
            slew: slot(motor.dynprm[7]),
            integral: slot(motor.gainprm[5]),
            temperature: slot(motor.dynprm[2]),
            bristle: slot(motor.dynprm[5]),
            current: slot(motor.dynprm[0]),
        };
        if next == own.end { slots } else { Self::default() }
    }
}

/// Whether motor `i` has inductance, so that its current is a state.
pub(super) fn inductive(m: &Model, i: usize) -> bool {
    Motor::of(m, i).electrical_tau().is_some()
}

/// Computes `act_dot` of motor `i`. A slew-rate limit also replaces its control in `scratch.ctrl`.
pub(super) fn rates(m: &Model, d: &mut Data, i: usize) {
    let motor = Motor::of(m, i);
    let slots = Slots::of(m, i, &motor);
    let (h, velocity, length) = (m.opt.timestep, d.actuator_velocity[i], d.actuator_length[i]);

    if let Some(slot) = slots.slew {
        let (previous, max_change) = (d.act[slot], motor.dynprm[7] * h);
        let ctrl = clamp::to(d.scratch.ctrl[i], [previous - max_change, previous + max_change]);
        d.act_dot[slot] = (ctrl - previous) / h;
        d.scratch.ctrl[i] = ctrl;
    }
    let ctrl = d.scratch.ctrl[i];
    if let Some(slot) = slots.integral {
        let error = if motor.mode() == Mode::Position { ctrl - length } else { ctrl };
        d.act_dot[slot] = anti_windup(error, d.act[slot], motor.dynprm[8]);
    }
    let integral = slots.integral.map_or(0.0, |slot| d.act[slot]);
    let voltage = motor.voltage(ctrl, length, velocity, integral);
    let k = motor.constant();
    let mut resistance = motor.gainprm[0];

    if let Some(slot) = slots.temperature {
        let [_, _, thermal_resistance, capacity, ..] = *motor.dynprm;
        let rise = d.act[slot];
        resistance = motor.resistance(rise);
        let current =
            slots.current.map_or((voltage - k * velocity) / resistance, |slot| d.act[slot]);
        d.act_dot[slot] = (resistance * current * current - rise / thermal_resistance) / capacity;
    }
    if let Some(slot) = slots.bristle {
        d.act_dot[slot] = motor.bristle_decay(velocity) * d.act[slot] + velocity;
    }
    if let (Some(slot), Some(tau)) = (slots.current, motor.electrical_tau()) {
        let limit = motor.dynprm[1];
        let steady = voltage / resistance - k / resistance * velocity;
        let rate = (steady - d.act[slot]) / tau;
        d.act_dot[slot] = if limit > 0.0 { clamp::to(rate, [-limit, limit]) } else { rate };
    }
}

/// Rate of the integral term, set to zero where it would leave `±limit` (no limit if not positive).
fn anti_windup(rate: f64, integral: f64, limit: f64) -> f64 {
    if limit > 0.0 && integral >= limit {
        rate.min(0.0)
    } else if limit > 0.0 && integral <= -limit {
        rate.max(0.0)
    } else {
        rate
    }
}

/// Value of `act[adr]` of motor `i` after one step; current and bristle state are integrated exactly.
pub(super) fn next_activation(m: &Model, d: &Data, i: usize, adr: usize, rate: f64) -> f64 {
    let motor = Motor::of(m, i);
    let slots = Slots::of(m, i, &motor);
    let (h, act) = (m.opt.timestep, d.act[adr]);
    if slots.current == Some(adr) {
        act + exact_filter(rate, motor.dynprm[0], h)
    } else if slots.bristle == Some(adr) {
        let velocity = d.actuator_velocity[i];
        let decay = motor.bristle_decay(velocity);
        let factor = (decay * h).exp();
        let integral = if decay.abs() > MINVAL { (factor - 1.0) / decay } else { h };
        factor * act + integral * velocity
    } else {
        let next = act + h * rate;
        let limit = motor.dynprm[8];
        let limited = slots.integral == Some(adr) && limit > 0.0;
        if limited { clamp::to(next, [-limit, limit]) } else { next }
    }
}

/// Gain: torque per current `K` with inductance, torque per voltage `K/R` without.
pub(super) fn gain(m: &Model, d: &Data, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    if motor.electrical_tau().is_some() {
        return motor.constant();
    }
    let resistance = match Slots::of(m, i, &motor).temperature {
        Some(slot) => motor.resistance(d.act[slot]),
        None => motor.gainprm[0],
    };
    motor.constant() / resistance.max(MINVAL)
}

/// Input voltage of motor `i` from the control in `scratch.ctrl`. In voltage mode it is not saturated here.
pub(super) fn input_voltage(m: &Model, d: &Data, i: usize) -> f64 {
    let (motor, ctrl) = (Motor::of(m, i), d.scratch.ctrl[i]);
    if motor.mode() == Mode::Voltage {
        return ctrl;
    }
    let integral = Slots::of(m, i, &motor).integral.map_or(0.0, |slot| d.act[slot]);
    motor.voltage(ctrl, d.actuator_length[i], d.actuator_velocity[i], integral)
}

/// Force of the back-EMF, `−gain K ω`. With inductance the back-EMF enters the current dynamics instead.
pub(super) fn back_emf(m: &Model, i: usize, gain: f64, velocity: f64) -> f64 {
    let motor = Motor::of(m, i);
    if motor.electrical_tau().is_some() { 0.0 } else { -(gain * motor.constant() * velocity) }
}

/// Adds cogging torque and LuGre friction to `actuator_force`, after clamping to `actuator_forcerange`.
pub(super) fn add_mechanical_forces(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        let motor = m.actuator_biastype[i] == BiasType::DcMotor;
        if !motor || mj_actuator_disabled(m, i) || m.actuator_plugin[i] >= 0 {
            continue;
        }
        let motor = Motor::of(m, i);
        let [amplitude, poles, phase, ..] = *motor.biasprm;
        if amplitude != 0.0 {
            d.actuator_force[i] += amplitude * (poles * d.actuator_length[i] + phase).sin();
        }
        if let Some(slot) = Slots::of(m, i, &motor).bristle {
            let [_, _, _, _, _, stiffness, damping, ..] = *motor.dynprm;
            d.actuator_force[i] -= stiffness * d.act[slot] + damping * d.act_dot[slot];
        }
    }
}

/// Derivative of the back-EMF force with respect to velocity, at the nominal resistance.
pub(super) fn back_emf_vel_derivative(m: &Model, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    let k = motor.constant();
    if motor.electrical_tau().is_some() { 0.0 } else { -(k * k / motor.gainprm[0].max(MINVAL)) }
}

/// Derivative of the remaining force with respect to velocity: the torque of the current, which depends on
/// velocity through the controller's voltage and, with inductance, the back-EMF, and the bristle
/// damping `σ1`. The current is that at the end of the step.
pub(super) fn current_vel_derivative(m: &Model, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    let (k, resistance) = (motor.constant(), motor.gainprm[0].max(MINVAL));
    let controller = motor.voltage_vel_derivative();
    let current_torque = match motor.electrical_tau() {
        Some(tau) => {
            let response = 1.0 - (-m.opt.timestep / tau).exp();
            k * (controller - k) * response / resistance
        }
        None => k * controller / resistance,
    };
    current_torque - motor.dynprm[6].max(0.0)
}
