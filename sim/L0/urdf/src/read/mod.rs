//! Reader: XML to [`Robot`]. Passes: schema validation, settings, materials, links, joints, tree.

mod attributes;
mod joint;
mod link;
mod tree;

use crate::robot::{Link, Material, Robot};
use crate::schema::{self, WarningCounter};
use sim_mjcf::frontend::{Element, Report, nearest, settings};
use sim_mjcf::spec::{Angle, Spec};
use sim_mjcf::{ErrorKind, Location};
use std::collections::HashMap;

/// Reader state.
struct Reader<'a, 'r> {
    spec: Spec,
    report: &'r mut Report,
    counter: WarningCounter<'a>,
    /// Links by name, with the element that defines each.
    links: HashMap<&'a str, (usize, Element<'a>)>,
    /// Link names in file order.
    names: Vec<&'a str>,
}

/// Reads a document with root element `<robot>`. The result is invalid if errors are reported.
pub(crate) fn read(root: Element<'_>, spec: Spec, report: &mut Report) -> Robot {
    let mut counter = WarningCounter::default();
    schema::check(root, &mut counter, report);
    let mut reader = Reader { spec, report, counter, links: HashMap::new(), names: Vec::new() };
    reader.settings(root);
    let name = root.attribute("name").unwrap_or_default().to_owned();
    if name.is_empty() {
        root.warning(reader.report, "has no `name`, which is the name of the model");
    }
    let materials = reader.materials(root);
    let links = reader.links(root);
    if links.is_empty() {
        root.warning(reader.report, "has no <link>: the model is empty");
    }
    let joints = reader.joints(root);
    let parent_joints = reader.tree(links.len(), &joints);
    reader.mimics(&joints);
    let joints = joints.into_iter().map(|(_, joint)| joint).collect();
    reader.counter.report(reader.report);
    Robot { name, links, joints, materials, parent_joints, base: reader.spec }
}

impl<'a> Reader<'a, '_> {
    /// The `<mujoco>` block, which overrides the default settings for URDF.
    fn settings(&mut self, root: Element<'a>) {
        self.spec.compiler.fusestatic = true;
        self.spec.compiler.discardvisual = true;
        let block = Self::child(root, "mujoco");
        let mut seen = Vec::new();
        for section in block.into_iter().flat_map(Element::children) {
            if seen.contains(&section.name()) {
                let parent = "mujoco".to_owned();
                section.error(self.report, None, ErrorKind::Repeated { parent });
                continue;
            }
            if !settings(section, &mut self.spec, self.report) {
                let known = ["compiler", "option", "size"];
                let suggestion = nearest(section.name(), known)
                    .map_or_else(String::new, |name| format!("; did you mean <{name}>?"));
                let message = format!(
                    "has no effect: only <compiler>, <option> and <size> are supported in a \
                     robot{suggestion}"
                );
                section.warning(self.report, message);
                continue;
            }
            seen.push(section.name());
            for (name, why) in
                [("angle", "URDF angles are in radians"), ("eulerseq", RPY_CONVENTION)]
            {
                if section.name() == "compiler" && section.attribute(name).is_some() {
                    let message = format!("attribute \"{name}\" has no effect: {why}");
                    let location = section.attribute_location(name);
                    self.report.warning(location, "compiler", message);
                }
            }
        }
        self.spec.compiler.angle = Angle::Radian;
    }

    /// All named materials with a color or texture; the first with a name takes precedence.
    fn materials(&mut self, root: Element<'a>) -> Vec<Material> {
        let mut materials: Vec<Material> = Vec::new();
        let mut known = HashMap::new();
        let mut stack = vec![(root, 0)];
        while let Some((element, depth)) = stack.pop() {
            let name = element.attribute("name").unwrap_or_default();
            if element.name() == "material" && !name.is_empty() {
                let looks = |name| Self::child(element, name).is_some();
                let global = looks("color") || looks("texture");
                if global && !known.contains_key(name) {
                    // Errors in the material of a shape are reported when the shape is read.
                    let mut suppressed = Report::default();
                    if depth > 1 {
                        std::mem::swap(self.report, &mut suppressed);
                    }
                    let material = self.material(element);
                    if depth > 1 {
                        std::mem::swap(self.report, &mut suppressed);
                    }
                    known.insert(name, element);
                    materials.push(material);
                } else if global && let Some(first) = known.get(name) {
                    self.repeated_material(*first, element);
                }
            }
            stack.extend(element.children().rev().map(|child| (child, depth + 1)));
        }
        materials
    }

    /// Reports two materials with the same name but different appearance.
    fn repeated_material(&mut self, first: Element<'a>, second: Element<'a>) {
        let look = |element, child, attribute| {
            Self::child(element, child).and_then(|look| look.attribute(attribute))
        };
        let looks = |e| (look(e, "color", "rgba"), look(e, "texture", "filename"));
        if looks(first) != looks(second) {
            let name = first.attribute("name").unwrap_or_default();
            let message = format!(
                "`{name}` is defined differently at {}, which is used elsewhere",
                first.location()
            );
            second.warning(self.report, message);
        }
    }

    fn links(&mut self, root: Element<'a>) -> Vec<Link> {
        let mut links = Vec::new();
        for element in root.children().filter(|child| child.name() == "link") {
            let Some(name) = self.required_text(element, "name") else { continue };
            if let Some((_, first)) = self.links.get(name) {
                let first = first.location();
                self.repeated_name(element, "link", first);
                continue;
            }
            self.links.insert(name, (links.len(), element));
            self.names.push(name);
            let link = self.link(element, name);
            links.push(link);
        }
        links
    }

    fn repeated_name(&mut self, element: Element<'a>, kind: &'static str, first: Location) {
        let name = element.attribute("name").unwrap_or_default().to_owned();
        element.error(self.report, Some("name"), ErrorKind::RepeatedName { name, kind, first });
    }
}

/// Reason why `eulerseq` has no effect.
const RPY_CONVENTION: &str = "URDF rotations are roll, pitch and yaw about fixed axes";
