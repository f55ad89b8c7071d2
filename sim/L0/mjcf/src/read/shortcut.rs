//! Actuator shortcuts: elements that preset a general actuator.
//!
//! A shortcut starts from the raw parameters of its class, whatever shortcut wrote them there:
//! a `velocity` in a class with `<position kp="7"/>` has `kv` 7, as in MuJoCo.

use super::Reader;
use crate::spec::{Actuator, Tri};
use crate::xml::NodeId;
use sim_core::types::{BiasType, DynType, GainType};
use std::f64::consts::PI;

/// An attribute that is wrong, and why.
type Fault = (&'static str, &'static str);

/// Parameters of a muscle: attribute, place in `gainprm`, and the value that replaces the global
/// default (1 in place 0, 0 elsewhere).
const MUSCLE: [(&str, usize, f64); 9] = [
    ("range", 0, 0.75),
    ("range", 1, 1.05),
    ("force", 2, -1.0),
    ("scale", 3, 200.0),
    ("lmin", 4, 0.5),
    ("lmax", 5, 1.6),
    ("vmax", 6, 1.5),
    ("fpmax", 7, 1.3),
    ("fvmax", 8, 1.2),
];

impl Reader<'_> {
    /// Presets the actuator as its element says.
    pub(super) fn shortcut(&mut self, id: NodeId, a: &mut Actuator) {
        let fault = match self.name(id) {
            "motor" => {
                a.element = "motor";
                a.gainprm[0] = 1.0;
                types(a, DynType::None, GainType::Fixed, BiasType::None);
                None
            }
            "position" => self.position(id, a),
            "intvelocity" => self.intvelocity(id, a),
            "velocity" => self.velocity(id, a),
            "damper" => self.damper(id, a),
            "cylinder" => self.cylinder(id, a),
            "muscle" => self.muscle(id, a),
            "adhesion" => self.adhesion(id, a),
            "dcmotor" => self.dcmotor(id, a),
            _ => {
                a.element = "general";
                self.general(id, a);
                None
            }
        };
        if let Some((attribute, message)) = fault {
            self.invalid(id, Some(attribute), message);
        }
    }

    fn position(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "position";
        self.servo(id, a)
    }

    /// Gains of a position servo. Stops at the first fault, like MuJoCo, which goes on with what
    /// is set so far where it ignores the fault.
    fn servo(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        let mut kp = a.gainprm[0];
        self.real(id, "kp", &mut kp);
        a.gainprm[0] = kp;
        a.biasprm[1] = -kp;

        // A negative entry is a damping coefficient, a positive one a damping ratio.
        let mut kv = None;
        let mut number = 0.0;
        if self.real(id, "kv", &mut number) {
            kv = Some(number);
        }
        let mut ratio = None;
        if self.real(id, "dampratio", &mut number) {
            ratio = Some(number);
        }
        if kv.is_some() && ratio.is_some() {
            return Some(("dampratio", "says the same as `kv`; keep one of them"));
        }
        if let Some(kv) = kv {
            if kv < 0.0 {
                return Some(("kv", "cannot be negative"));
            }
            a.biasprm[2] = -kv;
        }
        if let Some(ratio) = ratio {
            if ratio < 0.0 {
                return Some(("dampratio", "cannot be negative"));
            }
            a.biasprm[2] = ratio;
        }
        let mut timeconst = 0.0;
        if self.real(id, "timeconst", &mut timeconst) {
            if timeconst < 0.0 {
                return Some(("timeconst", "cannot be negative"));
            }
            a.dynprm[0] = timeconst;
            a.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        self.real(id, "inheritrange", &mut a.inheritrange);
        if a.inheritrange > 0.0 && a.ctrlrange != [0.0; 2] {
            return Some(("inheritrange", "cannot be given together with `ctrlrange`"));
        }
        (a.gaintype, a.biastype) = (GainType::Fixed, BiasType::Affine);
        None
    }

    fn intvelocity(&mut self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "intvelocity";
        // MuJoCo does not look at the faults of the servo here.
        if let Some((attribute, message)) = self.servo(id, a) {
            let location = self.dom.attr_location(id, attribute);
            let message = format!("attribute \"{attribute}\" {message}; gains are incomplete");
            self.report.warning(location, "intvelocity", message);
        }
        a.dyntype = DynType::Integrator;
        a.actlimited = Tri::True;
        let both = a.inheritrange > 0.0 && a.actrange != [0.0; 2];
        both.then_some(("inheritrange", "cannot be given together with `actrange`"))
    }

    fn velocity(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "velocity";
        let mut kv = a.gainprm[0];
        self.real(id, "kv", &mut kv);
        a.gainprm[0] = kv;
        a.biasprm = [0.0; 10];
        a.biasprm[2] = -kv;
        types(a, DynType::None, GainType::Fixed, BiasType::Affine);
        None
    }

    fn damper(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "damper";
        let mut kv = 0.0;
        self.real(id, "kv", &mut kv);
        a.gainprm = [0.0; 10];
        a.gainprm[2] = -kv;
        a.ctrllimited = Tri::True;
        types(a, DynType::None, GainType::Affine, BiasType::None);
        if kv < 0.0 {
            return Some(("kv", "cannot be negative"));
        }
        negative_control(a)
    }

    fn cylinder(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "cylinder";
        self.real(id, "timeconst", &mut a.dynprm[0]);
        // Three numbers are asked for and the first is kept, as in MuJoCo 3.8.0.
        if let Some([bias, ..]) = self.array::<3>(id, "bias") {
            a.biasprm[0] = bias;
        }
        self.real(id, "area", &mut a.gainprm[0]);
        let mut diameter = -1.0;
        self.real(id, "diameter", &mut diameter);
        if diameter >= 0.0 {
            a.gainprm[0] = PI / 4.0 * diameter * diameter;
        }
        types(a, DynType::Filter, GainType::Fixed, BiasType::Affine);
        None
    }

    fn muscle(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "muscle";
        let replace = |value: &mut f64, default: f64, with: f64| {
            if *value == default {
                *value = with;
            }
        };
        replace(&mut a.dynprm[0], 1.0, 0.01);
        replace(&mut a.dynprm[1], 0.0, 0.04);
        for (_, place, value) in MUSCLE {
            replace(&mut a.gainprm[place], if place == 0 { 1.0 } else { 0.0 }, value);
        }
        let mut tausmooth = a.dynprm[2];
        self.real(id, "tausmooth", &mut tausmooth);
        if tausmooth < 0.0 {
            return Some(("tausmooth", "cannot be negative"));
        }
        a.dynprm[2] = tausmooth;

        // Negative numbers leave a parameter as it is.
        let mut timeconst = [-1.0; 2];
        self.vector(id, "timeconst", &mut timeconst);
        for (to, from) in a.dynprm.iter_mut().zip(timeconst) {
            *to = if from >= 0.0 { from } else { *to };
        }
        for (attribute, place, _) in MUSCLE {
            let mut values = [-1.0; 2];
            self.vector(id, attribute, &mut values);
            let value = values[usize::from(place == 1)];
            if value >= 0.0 {
                a.gainprm[place] = value;
            }
        }
        a.biasprm[..9].copy_from_slice(&a.gainprm[..9]);
        types(a, DynType::Muscle, GainType::Muscle, BiasType::Muscle);
        None
    }

    fn adhesion(&self, id: NodeId, a: &mut Actuator) -> Option<Fault> {
        a.element = "adhesion";
        self.real(id, "gain", &mut a.gainprm[0]);
        a.ctrllimited = Tri::True;
        (a.gaintype, a.biastype) = (GainType::Fixed, BiasType::None);
        if a.gainprm[0] < 0.0 {
            return Some(("gain", "cannot be negative"));
        }
        negative_control(a)
    }
}

fn types(a: &mut Actuator, dyntype: DynType, gaintype: GainType, biastype: BiasType) {
    (a.dyntype, a.gaintype, a.biastype) = (dyntype, gaintype, biastype);
}

fn negative_control(a: &Actuator) -> Option<Fault> {
    a.ctrlrange.iter().any(|&x| x < 0.0).then_some(("ctrlrange", "cannot be negative"))
}
