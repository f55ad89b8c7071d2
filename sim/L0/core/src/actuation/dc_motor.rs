//! DC motors: a winding with resistance and inductance that heats up, back-EMF, a controller of
//! position or speed, and what the bearing and the magnets do to the shaft.
//!
//! Voltage drives the current, `L di/dt = V − R i − K ω`, and the torque is `K i`. Without
//! inductance the current follows at once. What a motor has beyond that depends on its parameters,
//! and each part with memory has an activation.

use super::dynamics::exact_filter;
use super::{activations, clamp, disabled};
use crate::math::rows;
use crate::{Data, Model};
use sim_types::{BiasType, MINVAL};

/// Named parameters of a motor.
struct Motor<'a> {
    dynprm: &'a [f64; 10],
    gainprm: &'a [f64; 10],
    biasprm: &'a [f64; 10],
}

/// What the control of a motor means.
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

    /// K: torque by current, and voltage by speed.
    fn constant(&self) -> f64 {
        self.gainprm[1]
    }

    /// Time constant of the current, L/R; none without inductance.
    fn electrical(&self) -> Option<f64> {
        Some(self.dynprm[0]).filter(|&tau| tau > 0.0)
    }

    /// Resistance at a temperature above ambient.
    fn resistance(&self, warmth: f64) -> f64 {
        let [nominal, _, coefficient, reference, ..] = *self.gainprm;
        nominal * (1.0 + coefficient * (warmth + self.dynprm[4] - reference))
    }

    fn mode(&self) -> Mode {
        match self.gainprm[8] as i32 {
            i32::MIN..=0 => Mode::Voltage,
            1 => Mode::Position,
            _ => Mode::Velocity,
        }
    }

    /// Voltage that the controller applies, within the supply's.
    fn voltage(&self, ctrl: f64, length: f64, velocity: f64, integral: f64) -> f64 {
        let [.., kp, ki, kd, supply, _, _] = *self.gainprm;
        let voltage = match self.mode() {
            Mode::Voltage => ctrl,
            Mode::Position => kp * (ctrl - length) + ki * integral - kd * velocity,
            Mode::Velocity => kp * (ctrl - velocity) + ki * (integral - length),
        };
        if supply > 0.0 { clamp::to(voltage, [-supply, supply]) } else { voltage }
    }

    /// Derivative of the voltage with respect to velocity, before the supply's limit.
    fn voltage_slope(&self) -> f64 {
        match self.mode() {
            Mode::Voltage => 0.0,
            Mode::Position => -self.gainprm[6],
            Mode::Velocity => -self.gainprm[4],
        }
    }

    /// Decay rate of the bristles of LuGre friction, `−σ0 |v| / g(v)`, where `g` falls from static
    /// to Coulomb friction with speed.
    #[doc(alias = "mj_lugreStribeck")]
    fn bristle_decay(&self, velocity: f64) -> f64 {
        let [_, _, _, coulomb, fixed, stribeck, ..] = *self.biasprm;
        let ratio = velocity / stribeck.max(MINVAL);
        let g = coulomb + (fixed - coulomb) * (-ratio * ratio).exp();
        -self.dynprm[5] * velocity.abs() / g.max(MINVAL)
    }
}

/// Where the activations of a motor are in `act`.
#[derive(Default)]
struct Slots {
    slew: Option<usize>,
    integral: Option<usize>,
    temperature: Option<usize>,
    bristle: Option<usize>,
    current: Option<usize>,
}

impl Slots {
    /// The slots that the parameters ask for, in order; none when the actuator has another number
    /// of activations, which the compiler refuses.
    #[doc(alias = "mj_dcmotorSlots")]
    fn of(m: &Model, i: usize, motor: &Motor<'_>) -> Self {
        let Some(own) = activations(m, i) else { return Self::default() };
        let mut next = own.start;
        let mut slot = |wanted: f64| {
            let taken = (wanted > 0.0).then_some(next);
            next += usize::from(taken.is_some());
            taken
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

/// Whether the current of motor `i` has dynamics of its own.
pub(super) fn inductive(m: &Model, i: usize) -> bool {
    Motor::of(m, i).electrical().is_some()
}

/// Computes the rates of a motor's activations. A limit on the rate of the control changes the
/// control in scratch.
pub(super) fn rates(m: &Model, d: &mut Data, i: usize) {
    let motor = Motor::of(m, i);
    let slots = Slots::of(m, i, &motor);
    let (h, velocity, length) = (m.opt.timestep, d.actuator_velocity[i], d.actuator_length[i]);

    if let Some(slot) = slots.slew {
        let (before, most) = (d.act[slot], motor.dynprm[7] * h);
        let ctrl = clamp::to(d.scratch.ctrl[i], [before - most, before + most]);
        d.act_dot[slot] = (ctrl - before) / h;
        d.scratch.ctrl[i] = ctrl;
    }
    let ctrl = d.scratch.ctrl[i];
    if let Some(slot) = slots.integral {
        let error = if motor.mode() == Mode::Position { ctrl - length } else { ctrl };
        d.act_dot[slot] = unwound(error, d.act[slot], motor.dynprm[8]);
    }
    let integral = slots.integral.map_or(0.0, |slot| d.act[slot]);
    let voltage = motor.voltage(ctrl, length, velocity, integral);
    let k = motor.constant();
    let mut resistance = motor.gainprm[0];

    if let Some(slot) = slots.temperature {
        let [_, _, insulation, capacity, ..] = *motor.dynprm;
        let warmth = d.act[slot];
        resistance = motor.resistance(warmth);
        let current =
            slots.current.map_or((voltage - k * velocity) / resistance, |slot| d.act[slot]);
        d.act_dot[slot] = (resistance * current * current - warmth / insulation) / capacity;
    }
    if let Some(slot) = slots.bristle {
        d.act_dot[slot] = motor.bristle_decay(velocity) * d.act[slot] + velocity;
    }
    if let (Some(slot), Some(tau)) = (slots.current, motor.electrical()) {
        let limit = motor.dynprm[1];
        let steady = voltage / resistance - k / resistance * velocity;
        let rate = (steady - d.act[slot]) / tau;
        d.act_dot[slot] = if limit > 0.0 { clamp::to(rate, [-limit, limit]) } else { rate };
    }
}

/// The rate of an integral that does not leave `±limit` further, if there is a limit.
fn unwound(rate: f64, integral: f64, limit: f64) -> f64 {
    if limit > 0.0 && integral >= limit {
        rate.min(0.0)
    } else if limit > 0.0 && integral <= -limit {
        rate.max(0.0)
    } else {
        rate
    }
}

/// An activation of motor `i` after a step; current and bristles are integrated exactly.
pub(super) fn next_activation(m: &Model, d: &Data, i: usize, adr: usize, rate: f64) -> f64 {
    let motor = Motor::of(m, i);
    let slots = Slots::of(m, i, &motor);
    let (h, act) = (m.opt.timestep, d.act[adr]);
    if slots.current == Some(adr) {
        act + exact_filter(rate, motor.dynprm[0], h)
    } else if slots.bristle == Some(adr) {
        let velocity = d.actuator_velocity[i];
        let decay = motor.bristle_decay(velocity);
        let kept = (decay * h).exp();
        let gained = if decay.abs() > MINVAL { (kept - 1.0) / decay } else { h };
        kept * act + gained * velocity
    } else {
        let next = act + h * rate;
        let limit = motor.dynprm[8];
        let limited = slots.integral == Some(adr) && limit > 0.0;
        if limited { clamp::to(next, [-limit, limit]) } else { next }
    }
}

/// Torque by current for a motor with inductance, torque by voltage for others.
pub(super) fn gain(m: &Model, d: &Data, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    if motor.electrical().is_some() {
        return motor.constant();
    }
    let resistance = match Slots::of(m, i, &motor).temperature {
        Some(slot) => motor.resistance(d.act[slot]),
        None => motor.gainprm[0],
    };
    motor.constant() / resistance.max(MINVAL)
}

/// The voltage of motor `i`, from the control in scratch. A control that is a voltage is not
/// limited here.
pub(super) fn input_voltage(m: &Model, d: &Data, i: usize) -> f64 {
    let (motor, ctrl) = (Motor::of(m, i), d.scratch.ctrl[i]);
    if motor.mode() == Mode::Voltage {
        return ctrl;
    }
    let integral = Slots::of(m, i, &motor).integral.map_or(0.0, |slot| d.act[slot]);
    motor.voltage(ctrl, d.actuator_length[i], d.actuator_velocity[i], integral)
}

/// Force of the voltage that motion induces. With inductance it acts on the current instead.
pub(super) fn back_emf(m: &Model, i: usize, gain: f64, velocity: f64) -> f64 {
    let motor = Motor::of(m, i);
    if motor.electrical().is_some() { 0.0 } else { -(gain * motor.constant() * velocity) }
}

/// Adds cogging and friction, which no limit of the current holds back.
pub(super) fn add_mechanical_forces(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        let motor = m.actuator_biastype[i] == BiasType::DcMotor;
        if !motor || disabled(m, i) || m.actuator_plugin[i] >= 0 {
            continue;
        }
        let motor = Motor::of(m, i);
        let [size, poles, phase, ..] = *motor.biasprm;
        if size != 0.0 {
            d.actuator_force[i] += size * (poles * d.actuator_length[i] + phase).sin();
        }
        if let Some(slot) = Slots::of(m, i, &motor).bristle {
            let [_, _, _, _, _, stiffness, damping, ..] = *motor.dynprm;
            d.actuator_force[i] -= stiffness * d.act[slot] + damping * d.act_dot[slot];
        }
    }
}

/// Derivative of the back-EMF force with respect to velocity, at the nominal resistance.
pub(super) fn back_emf_slope(m: &Model, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    let k = motor.constant();
    if motor.electrical().is_some() { 0.0 } else { -(k * k / motor.gainprm[0].max(MINVAL)) }
}

/// Derivative of the rest of the force with respect to velocity: the controller, the current at
/// the end of the step, and the damping of the bristles.
pub(super) fn drive_slope(m: &Model, i: usize) -> f64 {
    let motor = Motor::of(m, i);
    let (k, resistance) = (motor.constant(), motor.gainprm[0].max(MINVAL));
    let controller = motor.voltage_slope();
    let drive = match motor.electrical() {
        Some(tau) => {
            let response = 1.0 - (-m.opt.timestep / tau).exp();
            k * (controller - k) * response / resistance
        }
        None => k * controller / resistance,
    };
    drive - motor.dynprm[6].max(0.0)
}
