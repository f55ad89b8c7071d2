//! Actuators.

use super::Context;
use super::lower::{id, row, user};
use super::order::Order;
use super::relations::Relations;
use crate::error::ErrorKind;
use crate::spec::{Actuator, Tri};
use sim_core::Model;
use sim_core::types::{BiasType, DynType, GainType, TransmissionType};

/// An actuator.
#[derive(Debug)]
pub(super) struct ActuatorOut<'a> {
    pub(super) spec: &'a Actuator,
    pub(super) target: usize,
    pub(super) ctrllimited: bool,
    pub(super) forcelimited: bool,
    pub(super) actlimited: bool,
    pub(super) actdim: usize,
}

pub(super) fn actuator<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    a: &'a Actuator,
) -> Option<ActuatorOut<'a>> {
    let (origin, element) = (a.origin, a.element);
    context.check_user(
        origin,
        element,
        &a.user,
        context.spec.size.nuser_actuator,
        "nuser_actuator",
    );
    let attribute = match a.trntype {
        TransmissionType::Joint | TransmissionType::Undefined => "joint",
        TransmissionType::JointInParent => "jointinparent",
        other => {
            let kind = ErrorKind::Unsupported(format!("a transmission of type {other:?}"));
            context.error(origin, element, None, kind);
            return None;
        }
    };
    let simple = a.dyntype == DynType::None
        && matches!(a.gaintype, GainType::Fixed | GainType::Affine)
        && matches!(a.biastype, BiasType::None | BiasType::Affine);
    if !simple {
        let what = format!(
            "dyntype {:?}, gaintype {:?}, biastype {:?}",
            a.dyntype, a.gaintype, a.biastype
        );
        context.error(origin, element, None, ErrorKind::Unsupported(what));
        return None;
    }
    let target =
        order.find(context, &order.joint, "joint", &a.target, (origin, element, attribute));
    let mut limit = |limited: Tri, range: [f64; 2], name: &str| {
        let active = context.limit((origin, element), name, limited, range);
        if active {
            context.check_range((origin, element), &format!("{name}range"), range);
        }
        active
    };
    let forcelimited = limit(a.forcelimited, a.forcerange, "force");
    let ctrllimited = limit(a.ctrllimited, a.ctrlrange, "ctrl");
    let actlimited = limit(a.actlimited, a.actrange, "act");
    let stateless = a.dyntype == DynType::None;
    if actlimited && stateless {
        let message = "needs an actuator with activation: dyntype is `none`";
        context.invalid(origin, element, Some("actrange"), message);
    }
    if a.actdim > 1 || (a.actdim == 1 && stateless) || (a.actdim == 0 && !stateless) {
        let message = format!("{} does not fit the dyntype; remove it", a.actdim);
        context.invalid(origin, element, Some("actdim"), message);
    }
    Some(ActuatorOut {
        spec: a,
        target: target?,
        ctrllimited,
        forcelimited,
        actlimited,
        actdim: usize::from(!stateless),
    })
}

/// Fills the arrays of actuators.
pub(super) fn lower(relations: &Relations<'_>, m: &mut Model) {
    m.actuator_plugin.fill(-1);
    m.actuator_historyadr.fill(-1);
    let mut act = 0;
    for (i, a) in relations.actuators.iter().enumerate() {
        let s = a.spec;
        m.actuator_trntype[i] = s.trntype;
        m.actuator_dyntype[i] = s.dyntype;
        m.actuator_gaintype[i] = s.gaintype;
        m.actuator_biastype[i] = s.biastype;
        row(&mut m.actuator_trnid, i, &[id(a.target), -1]);
        m.actuator_actadr[i] = if a.actdim == 0 { -1 } else { id(act) };
        m.actuator_actnum[i] = id(a.actdim);
        act += a.actdim;
        m.actuator_group[i] = s.group;
        m.actuator_ctrllimited[i] = a.ctrllimited;
        m.actuator_forcelimited[i] = a.forcelimited;
        m.actuator_actlimited[i] = a.actlimited;
        row(&mut m.actuator_dynprm, i, &s.dynprm);
        row(&mut m.actuator_gainprm, i, &s.gainprm);
        row(&mut m.actuator_biasprm, i, &s.biasprm);
        m.actuator_actearly[i] = s.actearly;
        row(&mut m.actuator_ctrlrange, i, &s.ctrlrange);
        row(&mut m.actuator_forcerange, i, &s.forcerange);
        row(&mut m.actuator_actrange, i, &s.actrange);
        row(&mut m.actuator_lengthrange, i, &s.lengthrange);
        row(&mut m.actuator_gear, i, &s.gear);
        user(&mut m.actuator_user, i, m.nuser_actuator, &s.user);
    }
}
