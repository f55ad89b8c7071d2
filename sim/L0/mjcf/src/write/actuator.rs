//! `actuator` section: every actuator as `general`, except those of plugins.

use super::element::{Attributes, Document};
use super::{Writer, plugin};
use crate::spec::{Actuator, Interpolation, Origin, Tri};
use sim_core::types::{BiasType, DynType, GainType, TransmissionType};

/// Keyword of an interpolation.
pub(super) const fn interp(interp: Interpolation) -> &'static str {
    match interp {
        Interpolation::Zoh => "zoh",
        Interpolation::Linear => "linear",
        Interpolation::Cubic => "cubic",
    }
}

/// Attributes of an actuator that a default class can set.
pub(super) fn general(x: &Actuator) -> Attributes {
    let mut a = Attributes::default();
    a.number("group", x.group);
    a.number("nsample", x.nsample);
    a.text("interp", interp(x.interp));
    a.number("delay", x.delay);
    a.tri("ctrllimited", x.ctrllimited);
    a.tri("forcelimited", x.forcelimited);
    a.tri("actlimited", x.actlimited);
    a.numbers("ctrlrange", &x.ctrlrange);
    a.numbers("forcerange", &x.forcerange);
    a.numbers("actrange", &x.actrange);
    a.numbers("gear", &x.gear);
    a.numbers("damping", &x.damping);
    a.number("armature", x.armature);
    a.number("cranklength", x.cranklength);
    a.number("actdim", x.actdim);
    a.boolean("actearly", x.actearly);
    a.text(
        "dyntype",
        match x.dyntype {
            DynType::None => "none",
            DynType::Integrator => "integrator",
            DynType::Filter => "filter",
            DynType::FilterExact => "filterexact",
            DynType::Muscle => "muscle",
            DynType::DcMotor => "dcmotor",
            DynType::User => "user",
        },
    );
    a.text(
        "gaintype",
        match x.gaintype {
            GainType::Fixed => "fixed",
            GainType::Affine => "affine",
            GainType::Muscle => "muscle",
            GainType::DcMotor => "dcmotor",
            GainType::User => "user",
        },
    );
    a.text(
        "biastype",
        match x.biastype {
            BiasType::None => "none",
            BiasType::Affine => "affine",
            BiasType::Muscle => "muscle",
            BiasType::DcMotor => "dcmotor",
            BiasType::User => "user",
        },
    );
    a.numbers("dynprm", &x.dynprm);
    a.numbers("gainprm", &x.gainprm);
    a.numbers("biasprm", &x.biasprm);
    a.list("user", &x.user);
    a
}

impl Writer<'_> {
    pub(super) fn actuators(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("actuator", |doc| {
            for (i, x) in spec.actuators.iter().enumerate() {
                let x = self.resolved(i, x);
                let mut a = general(&x);
                if x.lengthrange != [0.0; 2] {
                    a.numbers("lengthrange", &x.lengthrange);
                }
                let target = match x.trntype {
                    TransmissionType::Joint => "joint",
                    TransmissionType::JointInParent => "jointinparent",
                    TransmissionType::Tendon => "tendon",
                    TransmissionType::SliderCrank => "cranksite",
                    TransmissionType::Site => "site",
                    _ => "body",
                };
                a.word(target, &x.target);
                a.word("slidersite", &x.slidersite);
                a.word("refsite", &x.refsite);
                let key = (x.name.as_str(), x.class, x.origin);
                let Some(plugin) = &x.plugin else {
                    self.class_element(doc, "general", key, a);
                    continue;
                };
                if let Some(mut a) = self.class_attributes("general", key, &a) {
                    plugin::attributes(plugin, &mut a);
                    doc.open("plugin", &a);
                    plugin::config(doc, &plugin.config);
                    doc.close();
                }
            }
        });
    }

    /// An actuator with resolved ranges and limits.
    fn resolved(&self, i: usize, x: &Actuator) -> Actuator {
        let mut x = x.clone();
        if let Some(m) = self.compiled.as_ref().filter(|_| x.inheritrange > 0.0) {
            x.ctrlrange.copy_from_slice(&m.actuator_ctrlrange[2 * i..2 * i + 2]);
            x.actrange.copy_from_slice(&m.actuator_actrange[2 * i..2 * i + 2]);
        }
        x.ctrllimited = self.limit(x.origin, x.ctrllimited, x.ctrlrange);
        x.forcelimited = self.limit(x.origin, x.forcelimited, x.forcerange);
        x.actlimited = self.limit(x.origin, x.actlimited, x.actrange);
        // Only a slider-crank has a crank length.
        if x.trntype != TransmissionType::SliderCrank {
            x.cranklength = self.spec.defaults[x.class.0].actuator.cranklength;
        }
        x
    }

    /// Resolves an automatic limit of an attached model with other `autolimits`.
    pub(super) fn limit(&self, origin: Origin, limited: Tri, range: [f64; 2]) -> Tri {
        let same = self.spec.compiler_of(origin).autolimits == self.spec.compiler.autolimits;
        match limited {
            Tri::Auto if !same && range[0] < range[1] => Tri::True,
            Tri::Auto if !same => Tri::False,
            explicit => explicit,
        }
    }
}
