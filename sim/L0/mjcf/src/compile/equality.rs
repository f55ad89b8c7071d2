//! Equality constraints.

use super::Context;
use super::body::Tree;
use super::lower::{id, optional, row};
use super::order::Order;
use super::relations::Relations;
use crate::spec::Equality;
use sim_core::Model;
use sim_core::types::{EqType, JointType, ObjType};

/// An equality constraint with its objects.
#[derive(Debug)]
pub(super) struct EqualityOut<'a> {
    pub(super) spec: &'a Equality,
    object1: usize,
    object2: Option<usize>,
}

impl EqualityOut<'_> {
    /// Most constraint rows that it can make, as MuJoCo counts them.
    pub(super) const fn rows(&self) -> usize {
        match self.spec.etype {
            EqType::Connect => 3,
            EqType::Weld => 7,
            _ => 1,
        }
    }
}

pub(super) fn equality<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    tree: &Tree<'a>,
    e: &'a Equality,
) -> Option<EqualityOut<'a>> {
    let (origin, element) = (e.origin, e.element);
    let (names, kind, attributes) = match (e.etype, e.objtype) {
        (EqType::Joint, _) => (&order.joint, "joint", ["joint1", "joint2"]),
        (EqType::Tendon, _) => (&order.tendon, "tendon", ["tendon1", "tendon2"]),
        (_, ObjType::Site) => (&order.site, "site", ["site1", "site2"]),
        _ => (&order.body, "body", ["body1", "body2"]),
    };
    let mut find = |name: &str, attribute: &'static str| {
        order.find(context, names, kind, name, (origin, element, attribute))
    };
    let object1 = find(&e.name1, attributes[0]);
    // A missing second object is the world for bodies, and a constant for joints and tendons.
    let object2 = if !e.name2.is_empty() {
        Some(find(&e.name2, attributes[1])?)
    } else if kind == "body" {
        Some(0)
    } else if kind == "site" {
        find("", attributes[1])?;
        None
    } else {
        None
    };
    let object1 = object1?;
    if object2 == Some(object1) {
        let message = format!("the same {kind} as `{}`; name two different ones", attributes[0]);
        context.invalid(origin, element, Some(attributes[1]), message);
    }
    if e.etype == EqType::Joint {
        for (object, attribute) in [Some(object1), object2].into_iter().zip(attributes) {
            let jtype = object.map(|joint| tree.joints[joint].spec.jtype);
            if matches!(jtype, Some(JointType::Free | JointType::Ball)) {
                context.invalid(origin, element, Some(attribute), "needs a hinge or slide joint");
            }
        }
    }
    Some(EqualityOut { spec: e, object1, object2 })
}

/// Fills the arrays of equality constraints.
pub(super) fn lower(relations: &Relations<'_>, m: &mut Model) {
    for (i, e) in relations.equalities.iter().enumerate() {
        m.eq_type[i] = e.spec.etype;
        m.eq_obj1id[i] = id(e.object1);
        m.eq_obj2id[i] = optional(e.object2);
        m.eq_objtype[i] = e.spec.objtype;
        m.eq_active0[i] = e.spec.active;
        row(&mut m.eq_solref, i, &e.spec.solref);
        row(&mut m.eq_solimp, i, &e.spec.solimp);
        row(&mut m.eq_data, i, &e.spec.data);
    }
}
