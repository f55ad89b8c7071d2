//! `actuator` section: common attributes, transmission target, and `general`.

use super::Reader;
use super::attributes::Keywords;
use crate::spec::{Actuator, Interpolation};
use crate::xml::NodeId;
use sim_core::types::{BiasType, DynType, GainType, TransmissionType};

/// Transmission target attributes, in the order in which MuJoCo reads them.
const TARGETS: [(&str, TransmissionType); 6] = [
    ("joint", TransmissionType::Joint),
    ("jointinparent", TransmissionType::JointInParent),
    ("tendon", TransmissionType::Tendon),
    ("cranksite", TransmissionType::SliderCrank),
    ("site", TransmissionType::Site),
    ("body", TransmissionType::Body),
];

/// Interpolation of history buffers.
pub(super) const INTERPOLATIONS: Keywords<Interpolation> = &[
    ("zoh", Interpolation::Zoh),
    ("linear", Interpolation::Linear),
    ("cubic", Interpolation::Cubic),
];

/// Types of activation dynamics.
const DYNAMICS: Keywords<DynType> = &[
    ("none", DynType::None),
    ("integrator", DynType::Integrator),
    ("filter", DynType::Filter),
    ("filterexact", DynType::FilterExact),
    ("muscle", DynType::Muscle),
    ("dcmotor", DynType::DcMotor),
    ("user", DynType::User),
];

impl Reader<'_> {
    pub(super) fn actuators(&mut self, id: NodeId) {
        for child in self.children(id) {
            let class = self.class(child, "class").unwrap_or_default();
            let mut actuator = self.spec.defaults[class.0].actuator.clone();
            actuator.origin = self.origin(child);
            self.actuator(child, &mut actuator);
            self.spec.actuators.push(actuator);
        }
    }

    /// An actuator, or the actuator of a default class.
    pub(super) fn actuator(&mut self, id: NodeId, a: &mut Actuator) {
        self.text(id, "name", &mut a.name);
        self.int(id, "group", &mut a.group);
        self.int(id, "nsample", &mut a.nsample);
        self.keyword(id, "interp", INTERPOLATIONS, &mut a.interp);
        self.real(id, "delay", &mut a.delay);
        self.tri(id, "ctrllimited", &mut a.ctrllimited);
        self.tri(id, "forcelimited", &mut a.forcelimited);
        self.tri(id, "actlimited", &mut a.actlimited);
        self.vector(id, "ctrlrange", &mut a.ctrlrange);
        self.vector(id, "forcerange", &mut a.forcerange);
        self.vector(id, "actrange", &mut a.actrange);
        self.vector(id, "lengthrange", &mut a.lengthrange);
        self.vector(id, "gear", &mut a.gear);
        self.vector(id, "damping", &mut a.damping);
        self.real(id, "armature", &mut a.armature);
        self.user(id, &mut a.user);
        self.target(id, a);
        if self.name(id) == "plugin" {
            a.element = "plugin";
            a.plugin = Some(self.plugin_ref(id));
            return self.plugin_dynamics(id, a);
        }
        self.shortcut(id, a);
    }

    fn target(&mut self, id: NodeId, a: &mut Actuator) {
        let mut first = None;
        for (attribute, trntype) in TARGETS {
            if self.text(id, attribute, &mut a.target) {
                a.trntype = trntype;
                if let Some(first) = first {
                    let message = format!(
                        "an actuator has a single transmission target: keep `{first}` or `{attribute}`"
                    );
                    self.invalid(id, Some(attribute), message);
                }
                first = Some(attribute);
            }
        }
        let other =
            |a: &Actuator, needed| a.trntype != needed && a.trntype != TransmissionType::Undefined;
        let length = self.real(id, "cranklength", &mut a.cranklength);
        let slider = self.text(id, "slidersite", &mut a.slidersite);
        if (length || slider) && other(a, TransmissionType::SliderCrank) {
            let attribute = if slider { "slidersite" } else { "cranklength" };
            self.invalid(
                id,
                Some(attribute),
                "requires a slider-crank transmission: set `cranksite`",
            );
        }
        if self.text(id, "refsite", &mut a.refsite) && other(a, TransmissionType::Site) {
            self.invalid(id, Some("refsite"), "requires a site transmission: set `site`");
        }
    }

    /// Activation dynamics of an actuator of a plugin.
    fn plugin_dynamics(&self, id: NodeId, a: &mut Actuator) {
        self.keyword(id, "dyntype", DYNAMICS, &mut a.dyntype);
        self.boolean(id, "actearly", &mut a.actearly);
        self.vector(id, "dynprm", &mut a.dynprm);
        self.int(id, "actdim", &mut a.actdim);
    }

    pub(super) fn general(&self, id: NodeId, a: &mut Actuator) {
        self.keyword(id, "dyntype", DYNAMICS, &mut a.dyntype);
        self.keyword(
            id,
            "gaintype",
            &[
                ("fixed", GainType::Fixed),
                ("affine", GainType::Affine),
                ("muscle", GainType::Muscle),
                ("dcmotor", GainType::DcMotor),
                ("user", GainType::User),
            ],
            &mut a.gaintype,
        );
        self.keyword(
            id,
            "biastype",
            &[
                ("none", BiasType::None),
                ("affine", BiasType::Affine),
                ("muscle", BiasType::Muscle),
                ("dcmotor", BiasType::DcMotor),
                ("user", BiasType::User),
            ],
            &mut a.biastype,
        );
        self.boolean(id, "actearly", &mut a.actearly);
        self.vector(id, "dynprm", &mut a.dynprm);
        self.vector(id, "gainprm", &mut a.gainprm);
        self.vector(id, "biasprm", &mut a.biasprm);
        self.int(id, "actdim", &mut a.actdim);
    }
}
