//! DC motor actuators (mjs_setToDCMotor).

use super::actuator_shortcut::fail;
use super::settings::Tri;
use super::{Actuator, ActuatorError};
use sim_core::types::{BiasType, DynType, GainType};

/// Parameters of a `dcmotor` from its data sheet. Zeros stand for unspecified values.
///
/// The motor constant and the resistance are required, directly or through `nominal`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DcMotorParams {
    /// Torque constant, N·m/A, and back-EMF constant, V·s/rad.
    pub motorconst: [f64; 2],
    /// Winding resistance, Ω.
    pub resistance: f64,
    /// Nominal voltage, V, stall torque, N·m, and no-load speed, rad/s.
    pub nominal: [f64; 3],
    /// Maximum torque, N·m, current, A, and current rate, A/s.
    pub saturation: [f64; 3],
    /// Winding inductance, H, or electrical time constant, s.
    pub inductance: [f64; 2],
    /// Cogging torque amplitude, periodicity and phase.
    pub cogging: [f64; 3],
    /// Controller gains kp, ki, kd, slew rate, integral limit and maximum voltage.
    pub controller: [f64; 6],
    /// Thermal resistance, capacity, time constant, temperature coefficient, reference and ambient
    /// temperature.
    pub thermal: [f64; 6],
    /// LuGre friction parameters.
    pub lugre: [f64; 5],
    /// Control input: 0 voltage, 1 position, 2 velocity.
    pub input: f64,
}

impl DcMotorParams {
    /// The parameters of an actuator that is a DC motor; zeros otherwise.
    pub(crate) fn from_actuator(a: &Actuator) -> Self {
        let motor = a.gaintype == GainType::DcMotor;
        let gain = |i: usize| if motor { a.gainprm[i] } else { 0.0 };
        let bias = |i: usize| if motor { a.biasprm[i] } else { 0.0 };
        let dynamics = |i: usize| if motor { a.dynprm[i] } else { 0.0 };
        Self {
            motorconst: [gain(1), 0.0],
            resistance: gain(0),
            nominal: [0.0; 3],
            saturation: [0.0, 0.0, dynamics(1)],
            inductance: [0.0, dynamics(0)],
            cogging: [bias(0), bias(1), bias(2)],
            controller: [gain(4), gain(5), gain(6), dynamics(7), dynamics(8), gain(7)],
            thermal: [dynamics(2), dynamics(3), 0.0, gain(2), gain(3), dynamics(4)],
            lugre: [dynamics(5), dynamics(6), bias(3), bias(4), bias(5)],
            input: gain(8).trunc(),
        }
    }

    /// Motor constant K and resistance R, computed from the nominal voltage, stall torque and
    /// no-load speed if not specified.
    ///
    /// With viscous damping B the no-load speed is vK/(K² + RB) and the stall torque Kv/R.
    fn constants(&self, damping: f64) -> (f64, f64) {
        let [kt, mut ke] = self.motorconst;
        let [voltage, torque, speed] = self.nominal;
        let mut r = self.resistance;
        if voltage > 0.0 && ke <= 0.0 && speed > 0.0 {
            ke = voltage / speed;
            if damping > 0.0 && r > 0.0 {
                let discriminant = voltage * voltage - 4.0 * r * damping * speed * speed;
                if discriminant > 0.0 {
                    ke = (voltage + discriminant.sqrt()) / (2.0 * speed);
                }
            } else if damping > 0.0 && torque > 0.0 {
                let exact = voltage / speed - voltage * damping / torque;
                if exact > 0.0 {
                    ke = exact;
                }
            }
        }
        let k = if kt > 0.0 && ke > 0.0 {
            (kt * ke).sqrt()
        } else if kt > 0.0 {
            kt
        } else {
            ke
        };
        if r == 0.0 && voltage > 0.0 && torque > 0.0 && k > 0.0 {
            r = k * voltage / torque;
        }
        (k, r)
    }
}

impl Actuator {
    /// DC motor with electrical and thermal dynamics, friction and a controller.
    ///
    /// The activations are slew, integral, temperature, bristle deflection and current, if the
    /// motor has them.
    ///
    /// # Errors
    ///
    /// The motor constant, the resistance or a thermal parameter is not positive, or the inductance
    /// is negative.
    #[doc(alias = "mjs_setToDCMotor")]
    pub fn set_to_dc_motor(&mut self, params: &DcMotorParams) -> Result<(), ActuatorError> {
        self.element = "dcmotor";
        preset(params, self)
    }
}

fn preset(params: &DcMotorParams, a: &mut Actuator) -> Result<(), ActuatorError> {
    let (k, r) = params.constants(a.damping[0]);
    if k <= 0.0 {
        return fail("motorconst", "the motor constant must be positive: set it or `nominal`");
    }
    if r <= 0.0 {
        return fail("resistance", "the resistance must be positive: set it or `nominal`");
    }
    (a.dyntype, a.gaintype, a.biastype) = (DynType::DcMotor, GainType::DcMotor, BiasType::DcMotor);
    let mut activations = 0;

    let [kp, ki, kd, slew, integral, voltage] = params.controller;
    a.gainprm[0] = r;
    a.gainprm[1] = k;
    a.gainprm[4] = kp;
    a.gainprm[5] = ki;
    a.gainprm[6] = kd;
    a.dynprm[7] = slew;
    a.dynprm[8] = integral;
    if voltage > 0.0 {
        a.gainprm[7] = voltage;
    }
    activations += i32::from(slew > 0.0) + i32::from(ki > 0.0);

    let [torque, current, rate] = params.saturation;
    if torque > 0.0 || current > 0.0 {
        let limit = if torque == 0.0 && current > 0.0 { k * current } else { torque };
        a.forcerange = [-limit, limit];
        a.forcelimited = Tri::True;
    }
    if rate > 0.0 {
        a.dynprm[1] = rate;
    }
    a.biasprm[..3].copy_from_slice(&params.cogging);

    let [inductance, timeconst] = params.inductance;
    if inductance < 0.0 || timeconst < 0.0 {
        return fail("inductance", "must not be negative");
    }
    a.dynprm[0] = if inductance > 0.0 { inductance / r } else { timeconst };
    activations += i32::from(a.dynprm[0] > 0.0);

    activations += i32::from(set_thermal(params, a)?);
    if params.lugre[0] > 0.0 {
        a.dynprm[5..7].copy_from_slice(&params.lugre[..2]);
        a.biasprm[3..6].copy_from_slice(&params.lugre[2..]);
        activations += 1;
    }
    a.gainprm[8] = params.input;
    a.actdim = activations;
    // A single range does not apply to activations of different quantities.
    a.actlimited = Tri::False;
    a.actearly = true;
    Ok(())
}

/// Sets the thermal parameters; any two of resistance, capacity and time constant give the third.
fn set_thermal(params: &DcMotorParams, a: &mut Actuator) -> Result<bool, ActuatorError> {
    let [mut resistance, mut capacity, timeconst, coefficient, reference, ambient] = params.thermal;
    if resistance <= 0.0 && capacity <= 0.0 && timeconst <= 0.0 {
        return Ok(false);
    }
    if timeconst > 0.0 && resistance > 0.0 && capacity == 0.0 {
        capacity = timeconst / resistance;
    } else if timeconst > 0.0 && capacity > 0.0 && resistance == 0.0 {
        resistance = timeconst / capacity;
    }
    if resistance <= 0.0 {
        return fail("thermal", "the thermal resistance must be positive");
    }
    if capacity <= 0.0 {
        return fail("thermal", "the thermal capacity must be positive");
    }
    a.dynprm[2] = resistance;
    a.dynprm[3] = capacity;
    a.dynprm[4] = ambient;
    a.gainprm[2] = coefficient;
    a.gainprm[3] = reference;
    Ok(true)
}
