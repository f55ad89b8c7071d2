//! Actuator shortcuts: elements that preset the parameters of a general actuator.
//!
//! The presets are the `set_to_*` methods of [`Actuator`].

use super::Reader;
use crate::spec::{
    Actuator, ActuatorError, CylinderParams, DcMotorParams, MuscleParams, ServoParams,
};
use crate::xml::NodeId;

impl Reader<'_> {
    /// Sets the parameters of an actuator by its element name.
    pub(super) fn shortcut(&mut self, id: NodeId, a: &mut Actuator) {
        let result = match self.name(id) {
            "motor" => {
                a.set_to_motor();
                Ok(())
            }
            "position" => a.set_to_position(&self.servo(id)),
            "intvelocity" => self.intvelocity(id, a),
            "velocity" => {
                a.set_to_velocity(self.optional(id, "kv"));
                Ok(())
            }
            "damper" => a.set_to_damper(self.optional(id, "kv").unwrap_or(0.0)),
            "cylinder" => {
                self.cylinder(id, a);
                Ok(())
            }
            "muscle" => self.muscle(id, a),
            "adhesion" => a.set_to_adhesion(self.optional(id, "gain")),
            "dcmotor" => self.dcmotor(id, a),
            _ => {
                a.element = "general";
                self.general(id, a);
                Ok(())
            }
        };
        if let Err(ActuatorError { attribute, message }) = result {
            self.invalid(id, Some(attribute), message);
        }
    }

    /// A number, if the attribute is present.
    fn optional(&self, id: NodeId, name: &str) -> Option<f64> {
        let mut value = 0.0;
        self.real(id, name, &mut value).then_some(value)
    }

    fn servo(&self, id: NodeId) -> ServoParams {
        ServoParams {
            kp: self.optional(id, "kp"),
            kv: self.optional(id, "kv"),
            dampratio: self.optional(id, "dampratio"),
            timeconst: self.optional(id, "timeconst"),
            inheritrange: self.optional(id, "inheritrange"),
        }
    }

    fn intvelocity(&mut self, id: NodeId, a: &mut Actuator) -> Result<(), ActuatorError> {
        let [servo, range] = a.set_to_int_velocity_lenient(&self.servo(id));
        // MuJoCo ignores errors of the servo parameters here.
        if let Err(ActuatorError { attribute, message }) = servo {
            let location = self.dom.attr_location(id, attribute);
            let message = format!("attribute \"{attribute}\" {message}; gains are incomplete");
            self.report.warning(location, "intvelocity", message);
        }
        range
    }

    fn cylinder(&self, id: NodeId, a: &mut Actuator) {
        a.set_to_cylinder(&CylinderParams {
            timeconst: self.optional(id, "timeconst"),
            // As in MuJoCo 3.8.0, three numbers are required and the first is used.
            bias: self.array::<3>(id, "bias").map(|[bias, ..]| bias),
            area: self.optional(id, "area"),
            diameter: self.optional(id, "diameter"),
        });
    }

    fn muscle(&self, id: NodeId, a: &mut Actuator) -> Result<(), ActuatorError> {
        let pair = |name: &str| self.array::<2>(id, name).map_or([None; 2], |v| v.map(Some));
        a.set_to_muscle(&MuscleParams {
            timeconst: pair("timeconst"),
            tausmooth: self.optional(id, "tausmooth"),
            range: pair("range"),
            force: self.optional(id, "force"),
            scale: self.optional(id, "scale"),
            lmin: self.optional(id, "lmin"),
            lmax: self.optional(id, "lmax"),
            vmax: self.optional(id, "vmax"),
            fpmax: self.optional(id, "fpmax"),
            fvmax: self.optional(id, "fvmax"),
        })
    }

    fn dcmotor(&self, id: NodeId, a: &mut Actuator) -> Result<(), ActuatorError> {
        let mut params = DcMotorParams::from_actuator(a);
        self.real(id, "resistance", &mut params.resistance);
        for (name, target) in [
            ("motorconst", &mut params.motorconst[..]),
            ("nominal", &mut params.nominal),
            ("saturation", &mut params.saturation),
            ("inductance", &mut params.inductance),
            ("cogging", &mut params.cogging),
            ("controller", &mut params.controller),
            ("thermal", &mut params.thermal),
            ("lugre", &mut params.lugre),
        ] {
            self.vector(id, name, target);
        }
        self.keyword(
            id,
            "input",
            &[("voltage", 0.0), ("position", 1.0), ("velocity", 2.0)],
            &mut params.input,
        );
        a.set_to_dc_motor(&params)
    }
}
