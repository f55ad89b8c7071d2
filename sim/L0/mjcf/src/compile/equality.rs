//! Equality constraints.

use super::Context;
use super::body::Tree;
use super::flex::CompiledFlex;
use super::lower::{id, optional, row};
use super::nontree::NonTreeElements;
use super::symbols::SymbolTable;
use crate::spec::Equality;
use sim_core::Model;
use sim_core::types::{EqType, JointType, ObjType};

/// A compiled equality constraint.
#[derive(Debug)]
pub(super) struct CompiledEquality<'a> {
    pub(super) spec: &'a Equality,
    object1: usize,
    object2: Option<usize>,
}

impl CompiledEquality<'_> {
    /// Type of a constraint of flex `flex`.
    pub(super) fn flex(&self, flex: usize) -> Option<EqType> {
        let etype = self.spec.etype;
        let is_flex = matches!(etype, EqType::Flex | EqType::FlexVert | EqType::FlexStrain);
        (is_flex && self.object1 == flex).then_some(etype)
    }

    /// Maximum number of constraint rows, as counted by MuJoCo.
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
    symbols: &SymbolTable<'a>,
    (tree, flexes): (&Tree<'a>, &[CompiledFlex<'a>]),
    e: &'a Equality,
) -> Option<CompiledEquality<'a>> {
    let (origin, element) = (e.origin, e.element);
    let (names, kind, attributes) = match (e.etype, e.objtype) {
        (EqType::Joint, _) => (&symbols.joint, "joint", ["joint1", "joint2"]),
        (EqType::Tendon, _) => (&symbols.tendon, "tendon", ["tendon1", "tendon2"]),
        (EqType::Flex | EqType::FlexVert | EqType::FlexStrain, _) => {
            (&symbols.flex, "flex", ["flex", ""])
        }
        (_, ObjType::Site) => (&symbols.site, "site", ["site1", "site2"]),
        _ => (&symbols.body, "body", ["body1", "body2"]),
    };
    let mut find = |name: &str, attribute: &'static str| {
        symbols.find(context, names, kind, name, (origin, element, attribute))
    };
    let object1 = find(&e.name1, attributes[0]);
    // Without a second object, bodies are constrained to the world, joints and tendons to a
    // constant.
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
        let message =
            format!("the same {kind} as `{}`; two different objects are required", attributes[0]);
        context.invalid(origin, element, Some(attributes[1]), message);
    }
    if kind == "flex" && flexes.get(object1).is_some_and(|f| f.rigid) {
        context.invalid(origin, element, Some("flex"), "requires a flex that is not rigid");
    }
    if e.etype == EqType::Joint {
        for (object, attribute) in [Some(object1), object2].into_iter().zip(attributes) {
            let jtype = object.map(|joint| tree.joints[joint].spec.jtype);
            if matches!(jtype, Some(JointType::Free | JointType::Ball)) {
                context.invalid(
                    origin,
                    element,
                    Some(attribute),
                    "requires a hinge or slide joint",
                );
            }
        }
    }
    Some(CompiledEquality { spec: e, object1, object2 })
}

/// Fills the equality arrays of the model.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    for (i, e) in nontree.equalities.iter().enumerate() {
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
