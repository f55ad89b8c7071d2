//! `default` section: a class is created as a copy of its parent, then modified.

use super::Reader;
use crate::spec::{DefaultClass, DefaultId};
use crate::xml::NodeId;

/// Maximum number of default classes; each is a full set of default elements.
const MAX_CLASSES: usize = 10_000;

impl Reader<'_> {
    pub(super) fn defaults(&mut self, section: NodeId) {
        if let Some(name) = self.dom.attr(section, "class")
            && !name.is_empty()
            && name != "main"
        {
            self.invalid(
                section,
                Some("class"),
                "the top-level class is named `main` and cannot be renamed",
            );
        }
        let mut stack = vec![(section, DefaultId(0))];
        while let Some((id, class)) = stack.pop() {
            let mut nested = Vec::new();
            for child in self.children(id) {
                if self.name(child) == "default" {
                    nested.push(child);
                } else {
                    self.default_element(child, class);
                }
            }
            // All siblings are created before their children, each as a copy of the current class.
            let first = stack.len();
            for child in nested {
                if let Some(class) = self.add_class(child, class) {
                    stack.push((child, class));
                }
            }
            stack[first..].reverse();
        }
    }

    fn add_class(&mut self, id: NodeId, parent: DefaultId) -> Option<DefaultId> {
        let name = self.dom.attr(id, "class").unwrap_or_default().to_owned();
        if name.is_empty() {
            self.invalid(id, Some("class"), "a nested default requires a class name");
            return None;
        }
        if self.classes.contains_key(&name) {
            self.invalid(id, Some("class"), format!("the default class `{name}` already exists"));
            return None;
        }
        if self.spec.defaults.len() == MAX_CLASSES {
            self.invalid(id, None, format!("more than {MAX_CLASSES} default classes"));
            return None;
        }
        let class = DefaultId(self.spec.defaults.len());
        self.classes.insert(name.clone(), class);
        let mut elements = self.spec.defaults[parent.0].clone();
        elements.set_class(class);
        let (parent, origin) = (Some(parent), self.origin(id));
        self.spec.defaults.push(DefaultClass { name, parent, origin, ..elements });
        Some(class)
    }

    fn default_element(&mut self, id: NodeId, class: DefaultId) {
        let mut d = self.spec.defaults[class.0].clone();
        match self.name(id) {
            "mesh" => self.mesh(id, &mut d.mesh),
            "material" => self.material(id, &mut d.material),
            "joint" => self.joint(id, &mut d.joint),
            "geom" => self.geom(id, &mut d.geom),
            "site" => self.site(id, &mut d.site),
            "camera" => self.camera(id, &mut d.camera),
            "light" => self.light(id, &mut d.light),
            "pair" => self.pair(id, &mut d.pair),
            "equality" => self.equality(id, &mut d.equality),
            "tendon" => self.tendon(id, &mut d.tendon),
            "general" | "motor" | "position" | "velocity" | "intvelocity" | "damper"
            | "cylinder" | "muscle" | "adhesion" | "dcmotor" => self.actuator(id, &mut d.actuator),
            _ => {}
        }
        self.spec.defaults[class.0] = d;
    }
}
