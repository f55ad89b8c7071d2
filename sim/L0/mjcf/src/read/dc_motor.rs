//! `actuator/dcmotor`: a DC motor from its data sheet.

use super::Reader;
use crate::spec::{Actuator, Tri};
use crate::xml::NodeId;
use sim_core::types::{BiasType, DynType, GainType};

/// What a motor is described by; a class lends what it had.
struct DataSheet {
    motorconst: [f64; 2],
    resistance: f64,
    nominal: [f64; 3],
    saturation: [f64; 3],
    inductance: [f64; 2],
    cogging: [f64; 3],
    controller: [f64; 6],
    thermal: [f64; 6],
    lugre: [f64; 5],
    input: f64,
}

impl DataSheet {
    /// The parameters of a class that is a DC motor; zeros otherwise.
    fn of_class(a: &Actuator) -> Self {
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

    /// Motor constant K and resistance R, from the nominal voltage, stall torque and no-load speed
    /// where they are not given.
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

impl Reader<'_> {
    pub(super) fn dcmotor(
        &self,
        id: NodeId,
        a: &mut Actuator,
    ) -> Option<(&'static str, &'static str)> {
        a.element = "dcmotor";
        let mut sheet = DataSheet::of_class(a);
        self.real(id, "resistance", &mut sheet.resistance);
        for (name, target) in [
            ("motorconst", &mut sheet.motorconst[..]),
            ("nominal", &mut sheet.nominal),
            ("saturation", &mut sheet.saturation),
            ("inductance", &mut sheet.inductance),
            ("cogging", &mut sheet.cogging),
            ("controller", &mut sheet.controller),
            ("thermal", &mut sheet.thermal),
            ("lugre", &mut sheet.lugre),
        ] {
            self.vector(id, name, target);
        }
        self.keyword(
            id,
            "input",
            &[("voltage", 0.0), ("position", 1.0), ("velocity", 2.0)],
            &mut sheet.input,
        );
        preset(&sheet, a).err()
    }
}

/// Writes the parameters. The activations are slew, integral, temperature, bristle and current,
/// as far as the motor has them.
fn preset(sheet: &DataSheet, a: &mut Actuator) -> Result<(), (&'static str, &'static str)> {
    let (k, r) = sheet.constants(a.damping[0]);
    if k <= 0.0 {
        return Err(("motorconst", "the motor constant must be positive: give it or `nominal`"));
    }
    if r <= 0.0 {
        return Err(("resistance", "the resistance must be positive: give it or `nominal`"));
    }
    (a.dyntype, a.gaintype, a.biastype) = (DynType::DcMotor, GainType::DcMotor, BiasType::DcMotor);
    let mut activations = 0;

    let [kp, ki, kd, slew, integral, voltage] = sheet.controller;
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

    let [torque, current, rate] = sheet.saturation;
    if torque > 0.0 || current > 0.0 {
        let limit = if torque == 0.0 && current > 0.0 { k * current } else { torque };
        a.forcerange = [-limit, limit];
        a.forcelimited = Tri::True;
    }
    if rate > 0.0 {
        a.dynprm[1] = rate;
    }
    a.biasprm[..3].copy_from_slice(&sheet.cogging);

    let [inductance, timeconst] = sheet.inductance;
    if inductance < 0.0 || timeconst < 0.0 {
        return Err(("inductance", "cannot be negative"));
    }
    a.dynprm[0] = if inductance > 0.0 { inductance / r } else { timeconst };
    activations += i32::from(a.dynprm[0] > 0.0);

    activations += i32::from(heat(sheet, a)?);
    if sheet.lugre[0] > 0.0 {
        a.dynprm[5..7].copy_from_slice(&sheet.lugre[..2]);
        a.biasprm[3..6].copy_from_slice(&sheet.lugre[2..]);
        activations += 1;
    }
    a.gainprm[8] = sheet.input;
    a.actdim = activations;
    // One pair of bounds cannot fit activations of different kinds.
    a.actlimited = Tri::False;
    a.actearly = true;
    Ok(())
}

/// Thermal resistance, capacity and time constant: any two give the third.
fn heat(sheet: &DataSheet, a: &mut Actuator) -> Result<bool, (&'static str, &'static str)> {
    let [mut resistance, mut capacity, timeconst, coefficient, reference, ambient] = sheet.thermal;
    if resistance <= 0.0 && capacity <= 0.0 && timeconst <= 0.0 {
        return Ok(false);
    }
    if timeconst > 0.0 && resistance > 0.0 && capacity == 0.0 {
        capacity = timeconst / resistance;
    } else if timeconst > 0.0 && capacity > 0.0 && resistance == 0.0 {
        resistance = timeconst / capacity;
    }
    if resistance <= 0.0 {
        return Err(("thermal", "the thermal resistance must be positive"));
    }
    if capacity <= 0.0 {
        return Err(("thermal", "the thermal capacity must be positive"));
    }
    a.dynprm[2] = resistance;
    a.dynprm[3] = capacity;
    a.dynprm[4] = ambient;
    a.gainprm[2] = coefficient;
    a.gainprm[3] = reference;
    Ok(true)
}
