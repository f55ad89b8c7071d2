//! `actuator`: the general actuator and the shortcuts that preset it.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::Actuator;
use crate::xml::NodeId;
use sim_core::types::{BiasType, DynType, GainType, TransmissionType};

impl Reader<'_> {
    pub(super) fn actuators(&mut self, id: NodeId) {
        for child in self.children(id) {
            let class = self.class(child, "class").unwrap_or_default();
            let mut actuator = self.spec.defaults[class.0].actuator.clone();
            actuator.origin = self.origin(child);
            self.actuator(child, &mut actuator);
            if actuator.trntype == TransmissionType::Undefined {
                self.error(child, Some("joint"), ErrorKind::MissingAttribute);
            }
            self.spec.actuators.push(actuator);
        }
    }

    pub(super) fn actuator(&mut self, id: NodeId, a: &mut Actuator) {
        self.text(id, "name", &mut a.name);
        self.int(id, "group", &mut a.group);
        self.tri(id, "ctrllimited", &mut a.ctrllimited);
        self.tri(id, "forcelimited", &mut a.forcelimited);
        self.tri(id, "actlimited", &mut a.actlimited);
        self.vector(id, "ctrlrange", &mut a.ctrlrange);
        self.vector(id, "forcerange", &mut a.forcerange);
        self.vector(id, "actrange", &mut a.actrange);
        self.vector(id, "lengthrange", &mut a.lengthrange);
        self.vector(id, "gear", &mut a.gear);
        self.user(id, &mut a.user);
        if self.text(id, "joint", &mut a.target) {
            a.trntype = TransmissionType::Joint;
        }
        if self.text(id, "jointinparent", &mut a.target) {
            if a.trntype == TransmissionType::Joint {
                let message = "an actuator has one target: keep `joint` or `jointinparent`";
                self.invalid(id, Some("jointinparent"), message);
            }
            a.trntype = TransmissionType::JointInParent;
        }
        match self.name(id) {
            "general" => self.general(id, a),
            "motor" => {
                a.element = "motor";
                a.gainprm[0] = 1.0;
                (a.dyntype, a.gaintype, a.biastype) =
                    (DynType::None, GainType::Fixed, BiasType::None);
            }
            "position" => self.position(id, a),
            "velocity" => {
                a.element = "velocity";
                let mut kv = a.gainprm[0];
                self.real(id, "kv", &mut kv);
                a.gainprm[0] = kv;
                a.biasprm = [0.0; 10];
                a.biasprm[2] = -kv;
                (a.dyntype, a.gaintype, a.biastype) =
                    (DynType::None, GainType::Fixed, BiasType::Affine);
            }
            _ => {}
        }
    }

    fn general(&mut self, id: NodeId, a: &mut Actuator) {
        a.element = "general";
        for (attribute, allowed) in [
            ("dyntype", &["none"][..]),
            ("gaintype", &["fixed", "affine"]),
            ("biastype", &["none", "affine"]),
        ] {
            if self.dom.attr(id, attribute).is_some_and(|word| !allowed.contains(&word)) {
                self.unsupported(id, attribute);
            }
        }
        self.keyword(id, "dyntype", &[("none", DynType::None)], &mut a.dyntype);
        self.keyword(
            id,
            "gaintype",
            &[("fixed", GainType::Fixed), ("affine", GainType::Affine)],
            &mut a.gaintype,
        );
        self.keyword(
            id,
            "biastype",
            &[("none", BiasType::None), ("affine", BiasType::Affine)],
            &mut a.biastype,
        );
        self.boolean(id, "actearly", &mut a.actearly);
        self.vector(id, "dynprm", &mut a.dynprm);
        self.vector(id, "gainprm", &mut a.gainprm);
        self.vector(id, "biasprm", &mut a.biasprm);
        self.int(id, "actdim", &mut a.actdim);
    }

    fn position(&mut self, id: NodeId, a: &mut Actuator) {
        a.element = "position";
        // A class default of another shortcut lends its gain, as in MuJoCo.
        let mut kp = a.gainprm[0];
        self.real(id, "kp", &mut kp);
        a.gainprm[0] = kp;
        a.biasprm[1] = -kp;
        let mut kv = 0.0;
        if self.real(id, "kv", &mut kv) {
            if kv < 0.0 {
                self.invalid(id, Some("kv"), "cannot be negative");
            }
            a.biasprm[2] = -kv;
        }
        (a.gaintype, a.biastype) = (GainType::Fixed, BiasType::Affine);
    }
}
