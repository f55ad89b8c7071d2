//! What every element offers to be copied: its name, its place, its class, what it refers to.

use super::super::{
    Actuator, Body, Camera, DefaultId, Equality, Exclude, Frame, Geom, HField, Joint, Light,
    Material, Mesh, Numeric, Origin, Pair, Sensor, Site, Tendon, Text, Texture, Tuple, WrapKind,
};
use sim_core::types::{ObjType, TransmissionType};
use std::collections::{HashMap, HashSet};

/// Names, by the kind of object they belong to.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<ObjType, HashSet<String>>);

impl Names {
    pub(super) fn add(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.0.entry(kind).or_default().insert(name.to_owned());
        }
    }

    pub(super) fn contains(&self, kind: ObjType, name: &str) -> bool {
        // Both words mean a body; they differ in which of its frames is meant.
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.0.get(&kind).is_some_and(|names| names.contains(name))
    }
}

/// An element that can be copied into another model.
pub(super) trait Item {
    /// What it is.
    const KIND: ObjType;
    fn name(&mut self) -> &mut String;
    fn origin(&mut self) -> &mut Origin;
    /// The default class it belongs to, if elements of this kind have classes.
    fn class(&mut self) -> Option<&mut DefaultId> {
        None
    }
}

macro_rules! items {
    ($($item:ident : $kind:ident $(, $class:ident)?;)*) => {
        $(impl Item for $item {
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
    Equality: Equality, class;
    Tendon: Tendon, class;
    Actuator: Actuator, class;
    Sensor: Sensor;
    Numeric: Numeric;
    Text: Text;
    Tuple: Tuple;
}

/// An element outside the tree that refers to others by name.
pub(super) trait Refers: Item + Clone {
    /// Whether a reference to something that is not copied may stay as it is.
    const PARTIAL: bool;
    /// Visits every reference that is not empty.
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String));
    /// Visits the places of the elements inside.
    fn parts(&mut self, _visit: &mut dyn FnMut(&mut Origin)) {}
    /// The asset it uses, if elements of this kind use one.
    fn asset(&mut self) -> Option<&mut String> {
        None
    }
}

/// Visits a reference that is not empty.
fn visit_name(visit: &mut dyn FnMut(ObjType, &mut String), kind: ObjType, name: &mut String) {
    if !name.is_empty() {
        visit(kind, name);
    }
}

impl Refers for Pair {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, ObjType::Geom, &mut self.geom1);
        visit_name(visit, ObjType::Geom, &mut self.geom2);
    }
}

impl Refers for Exclude {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, ObjType::Body, &mut self.body1);
        visit_name(visit, ObjType::Body, &mut self.body2);
    }
}

impl Refers for Equality {
    const PARTIAL: bool = false;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        use sim_core::types::EqType;
        let kind = match self.etype {
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            _ => self.objtype,
        };
        visit_name(visit, kind, &mut self.name1);
        visit_name(visit, kind, &mut self.name2);
    }
}

impl Refers for Tendon {
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

impl Refers for Actuator {
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
}

impl Refers for Sensor {
    const PARTIAL: bool = true;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        visit_name(visit, self.objtype, &mut self.objname);
        visit_name(visit, self.reftype, &mut self.refname);
    }
}

impl Refers for Tuple {
    const PARTIAL: bool = false;
    fn references(&mut self, visit: &mut dyn FnMut(ObjType, &mut String)) {
        for element in &mut self.elements {
            visit_name(visit, element.objtype, &mut element.objname);
        }
    }
    fn parts(&mut self, visit: &mut dyn FnMut(&mut Origin)) {
        self.elements.iter_mut().for_each(|element| visit(&mut element.origin));
    }
}
