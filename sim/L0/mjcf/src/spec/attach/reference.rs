//! Uniform access to the name, origin, class and references of spec elements.

use super::super::{
    Actuator, Body, Camera, DefaultId, Equality, Exclude, Flex, Frame, Geom, HField, Joint, Light,
    Material, Mesh, Numeric, Origin, Pair, Plugin, PluginRef, Sensor, Site, Skin, Tendon, Text,
    Texture, Tuple, WrapKind,
};
use sim_core::types::{ObjType, TransmissionType};
use std::collections::{HashMap, HashSet};

/// Sets of names by object type.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<ObjType, HashSet<String>>);

impl Names {
    pub(super) fn add(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.0.entry(kind).or_default().insert(name.to_owned());
        }
    }

    pub(super) fn contains(&self, kind: ObjType, name: &str) -> bool {
        // Both types denote a body; they differ in the frame.
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.0.get(&kind).is_some_and(|names| names.contains(name))
    }
}

/// An element that can be copied to another spec.
pub(super) trait SpecElement {
    /// Object type.
    const KIND: ObjType;
    fn name(&mut self) -> &mut String;
    fn origin(&mut self) -> &mut Origin;
    /// Its default class, if the element type has one.
    fn class(&mut self) -> Option<&mut DefaultId> {
        None
    }
}

macro_rules! items {
    ($($item:ident : $kind:ident $(, $class:ident)?;)*) => {
        $(impl SpecElement for $item {
            const KIND: ObjType = ObjType::$kind;
            fn name(&mut self) -> &mut String {
                &mut self.name
            }
            fn origin(&mut self) -> &mut Origin {
                &mut self.origin
            }
            $(fn class(&mut self) -> Option<&mut DefaultId> {
                Some(&mut self.$class)
            })?
        })*
    };
}

items! {
    Body: Body, childclass;
    Frame: Unknown;
    Joint: Joint, class;
    Geom: Geom, class;
    Site: Site, class;
    Camera: Camera, class;
    Light: Light, class;
    Mesh: Mesh, class;
    HField: HField;
    Texture: Texture;
    Material: Material, class;
    Pair: Pair, class;
    Exclude: Exclude;
    Flex: Flex;
    Skin: Skin;
    Equality: Equality, class;
    Tendon: Tendon, class;
    Actuator: Actuator, class;
    Sensor: Sensor;
    Numeric: Numeric;
    Text: Text;
    Tuple: Tuple;
    Plugin: Plugin;
}

/// An element outside the tree that refers to others by name.
pub(super) trait References: SpecElement + Clone {
    /// Whether references to elements outside the copied subtree are allowed.
    const PARTIAL: bool;
    /// Whether an element with references inside and outside of a template remains in the spec, where the references
    /// to the template are errors. Otherwise it is omitted.
    const KEPT_IF_PARTIAL: bool = false;
    /// Visits every non-empty reference.
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String));
    /// Visits the origins of nested elements.
    fn parts(&mut self, _visit: &mut dyn FnMut(&mut Origin)) {}
    /// Its plugin, if the element type has one.
    fn plugin(&mut self) -> Option<&mut Option<Box<PluginRef>>> {
        None
    }
    /// The asset it uses, if the element type has one.
    fn asset(&mut self) -> Option<&mut String> {
        None
    }
}

/// Visits a reference unless it is empty.
fn visit_name(visit: &mut dyn FnMut(ObjType, &mut String), kind: ObjType, name: &mut String) {
    if !name.is_empty() {
        visit(kind, name);
    }
}

impl References for Pair {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, ObjType::Geom, &mut self.geom1);
        visit_name(visit, ObjType::Geom, &mut self.geom2);
    }
}

impl References for Exclude {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, ObjType::Body, &mut self.body1);
        visit_name(visit, ObjType::Body, &mut self.body2);
    }
}

impl References for Flex {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        for name in self.vertbody.iter_mut().chain(&mut self.nodebody) {
            visit_name(visit, ObjType::Body, name);
        }
    }
    fn asset(&mut self) -> Option<&mut String> {
        Some(&mut self.material)
    }
}

impl References for Skin {
    const PARTIAL: bool = false;
    const KEPT_IF_PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        for bone in &mut self.bones {
            visit_name(visit, ObjType::Body, &mut bone.body);
        }
    }
    fn asset(&mut self) -> Option<&mut String> {
        Some(&mut self.material)
    }
}

impl References for Equality {
    const PARTIAL: bool = false;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        use sim_core::types::EqType;
        let kind = match self.etype {
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain => ObjType::Flex,
            _ => self.objtype,
        };
        visit_name(visit, kind, &mut self.name1);
        visit_name(visit, kind, &mut self.name2);
    }
}

impl References for Tendon {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        for wrap in &mut self.path {
            match &mut wrap.kind {
                WrapKind::Joint { joint, .. } => visit_name(visit, ObjType::Joint, joint),
                WrapKind::Site { site } => visit_name(visit, ObjType::Site, site),
                WrapKind::Geom { geom, sidesite } => {
                    visit_name(visit, ObjType::Geom, geom);
                    visit_name(visit, ObjType::Site, sidesite);
                }
                WrapKind::Pulley { .. } => {}
            }
        }
    }
    fn parts(&mut self, visit: &mut dyn FnMut(&mut Origin)) {
        self.path.iter_mut().for_each(|wrap| visit(&mut wrap.origin));
    }
    fn asset(&mut self) -> Option<&mut String> {
        Some(&mut self.material)
    }
}

impl References for Actuator {
    const PARTIAL: bool = false;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        let kind = match self.trntype {
            TransmissionType::Joint | TransmissionType::JointInParent => ObjType::Joint,
            TransmissionType::Tendon => ObjType::Tendon,
            TransmissionType::Body => ObjType::Body,
            TransmissionType::SliderCrank | TransmissionType::Site => ObjType::Site,
            TransmissionType::Undefined => ObjType::Unknown,
        };
        visit_name(visit, kind, &mut self.target);
        visit_name(visit, ObjType::Site, &mut self.slidersite);
        visit_name(visit, ObjType::Site, &mut self.refsite);
    }
    fn plugin(&mut self) -> Option<&mut Option<Box<PluginRef>>> {
        Some(&mut self.plugin)
    }
}

impl References for Sensor {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, self.objtype, &mut self.objname);
        visit_name(visit, self.reftype, &mut self.refname);
    }
    fn plugin(&mut self) -> Option<&mut Option<Box<PluginRef>>> {
        Some(&mut self.plugin)
    }
}

impl References for Tuple {
    const PARTIAL: bool = false;
    const KEPT_IF_PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        for element in &mut self.elements {
            visit_name(visit, element.objtype, &mut element.objname);
        }
    }
    fn parts(&mut self, visit: &mut dyn FnMut(&mut Origin)) {
        self.elements.iter_mut().for_each(|element| visit(&mut element.origin));
    }
}
