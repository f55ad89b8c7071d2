//! Schema of URDF as a constant table, and validation of documents against it.
//!
//! URDF has many dialects, and MuJoCo ignores what it does not support. Therefore unknown elements
//! and attributes are warnings, with a suggestion of a similar name.

use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::{Element, Report, nearest};

/// Use of an element.
#[derive(Clone, Copy)]
enum Use {
    /// Supported, at most once.
    Once,
    /// Supported, any number of times.
    Many,
    /// Known but not used; the reason.
    Unused(&'static str),
    /// MJCF, validated separately.
    Mjcf,
}

/// An element of the schema.
struct Row {
    name: &'static str,
    how: Use,
    attributes: &'static [&'static str],
    children: &'static [&'static Row],
}

/// A row of the table: use, name, attributes, children.
macro_rules! row {
    ($id:ident: $how:expr, $name:literal [$($attribute:literal)*] [$($child:ident)*]) => {
        static $id: Row = Row {
            name: $name,
            how: $how,
            attributes: &[$($attribute),*],
            children: &[$(&$child),*],
        };
    };
}

use Use::{Many, Mjcf, Once, Unused};

const CONTROLLER: Use = Unused("it configures a controller; define actuators in MJCF");
const GAZEBO: Use = Unused("it configures another simulator");
const COLLISION_COLOR: Use = Unused("a collision has the color of the preceding visual");
const BULLET: Use = Unused("it configures another simulator; set friction in MJCF");

row!(ORIGIN: Once, "origin" ["xyz" "rpy"] []);
row!(MASS: Once, "mass" ["value"] []);
row!(INERTIA: Once, "inertia" ["ixx" "ixy" "ixz" "iyy" "iyz" "izz"] []);
row!(INERTIAL: Once, "inertial" [] [ORIGIN MASS INERTIA]);
row!(BOX: Once, "box" ["size"] []);
row!(CYLINDER: Once, "cylinder" ["radius" "length"] []);
row!(SPHERE: Once, "sphere" ["radius"] []);
row!(CAPSULE: Once, "capsule" ["radius" "length"] []);
row!(MESH: Once, "mesh" ["filename" "scale"] []);
row!(GEOMETRY: Once, "geometry" [] [BOX CYLINDER SPHERE CAPSULE MESH]);
row!(COLOR: Once, "color" ["rgba"] []);
row!(TEXTURE: Once, "texture" ["filename"] []);
row!(SHAPE_MATERIAL: Once, "material" ["name"] [COLOR TEXTURE]);
row!(VERBOSE: Unused("it does not affect the shape"), "verbose" [] []);
row!(VISUAL: Many, "visual" ["name"] [ORIGIN GEOMETRY SHAPE_MATERIAL]);
row!(COLLISION_MATERIAL: COLLISION_COLOR, "material" [] []);
row!(COLLISION: Many, "collision" ["name"] [ORIGIN GEOMETRY COLLISION_MATERIAL VERBOSE]);
row!(CONTACT: BULLET, "contact" [] []);
row!(CONTACT_COEFFICIENTS: BULLET, "contact_coefficients" [] []);
row!(SELF_COLLISION: Unused("it configures a planner"), "self_collision_checking" [] []);
row!(LINK: Many, "link" ["name"]
    [INERTIAL VISUAL COLLISION CONTACT CONTACT_COEFFICIENTS SELF_COLLISION]);

row!(PARENT: Once, "parent" ["link"] []);
row!(CHILD: Once, "child" ["link"] []);
row!(AXIS: Once, "axis" ["xyz"] []);
row!(LIMIT: Once, "limit" ["lower" "upper" "effort" "velocity"] []);
row!(DYNAMICS: Once, "dynamics" ["damping" "friction"] []);
row!(MIMIC: Once, "mimic" ["joint" "multiplier" "offset"] []);
row!(SAFETY: Once, "safety_controller"
    ["soft_lower_limit" "soft_upper_limit" "k_position" "k_velocity"] []);
row!(CALIBRATION: Once, "calibration" ["rising" "falling" "reference_position"] []);
row!(JOINT: Many, "joint" ["name" "type"]
    [ORIGIN PARENT CHILD AXIS LIMIT DYNAMICS MIMIC SAFETY CALIBRATION]);

row!(MATERIAL: Many, "material" ["name"] [COLOR TEXTURE]);
row!(TRANSMISSION: CONTROLLER, "transmission" [] []);
row!(ROS2_CONTROL: CONTROLLER, "ros2_control" [] []);
row!(GAZEBO_BLOCK: GAZEBO, "gazebo" [] []);
row!(SENSOR: Unused("define sensors in MJCF"), "sensor" [] []);
row!(MUJOCO: Mjcf, "mujoco" [] []);
row!(ROBOT: Once, "robot" ["name" "version"]
    [LINK JOINT MATERIAL TRANSMISSION ROS2_CONTROL GAZEBO_BLOCK SENSOR MUJOCO]);

/// Reports unknown, repeated and unused elements.
pub(crate) fn check<'a>(root: Element<'a>, counter: &mut WarningCounter<'a>, report: &mut Report) {
    let mut stack = vec![(root, &ROBOT)];
    while let Some((element, row)) = stack.pop() {
        if report.is_full() {
            return;
        }
        if let Some(location) = element.text_location() {
            report.warning(location, element.name(), "contains text, which is ignored");
        }
        attributes(element, row, report);
        let mut seen: Vec<&str> = Vec::new();
        let first = stack.len();
        for child in element.children() {
            let name = child.name();
            let Some(known) = row.children.iter().find(|known| known.name == name) else {
                unknown(element, child, row, report);
                continue;
            };
            match known.how {
                Unused(why) => counter.add(child, &format!("is not used: {why}")),
                Many => stack.push((child, known)),
                Once | Mjcf if seen.contains(&known.name) => {
                    let parent = element.name().to_owned();
                    child.error(report, None, ErrorKind::Repeated { parent });
                }
                Once => {
                    seen.push(known.name);
                    stack.push((child, known));
                }
                Mjcf => seen.push(known.name),
            }
        }
        // Visit the children in document order.
        stack[first..].reverse();
    }
}

fn attributes(element: Element<'_>, row: &Row, report: &mut Report) {
    for name in element.attributes() {
        // Ignore XML namespaces.
        if row.attributes.contains(&name) || name.contains(':') || name == "xmlns" {
            continue;
        }
        let suggestion = nearest(name, row.attributes.iter().copied()).map(ToOwned::to_owned);
        let kind = ErrorKind::UnknownAttribute { suggestion };
        let message = format!("attribute \"{name}\" has no effect: {kind}");
        report.warning(element.attribute_location(name), element.name(), message);
    }
}

fn unknown(parent: Element<'_>, child: Element<'_>, row: &Row, report: &mut Report) {
    let name = child.name();
    if name.starts_with("xacro:") {
        let message = "is an unexpanded macro: process the file with xacro first";
        child.error(report, None, ErrorKind::Invalid(message.into()));
        return;
    }
    let suggestion = nearest(name, row.children.iter().map(|known| known.name));
    let suggestion = suggestion.map(ToOwned::to_owned);
    let kind = ErrorKind::UnknownElement { parent: parent.name().to_owned(), suggestion };
    child.warning(report, format!("has no effect: {kind}"));
}

/// Merges repeated warnings: each is reported once with its number of occurrences.
#[derive(Default)]
pub(crate) struct WarningCounter<'a>(Vec<(Element<'a>, String, usize)>);

impl<'a> WarningCounter<'a> {
    /// Counts one occurrence.
    pub(crate) fn add(&mut self, element: Element<'a>, message: &str) {
        let same = |(other, text, _): &&mut (Element<'a>, String, usize)| {
            other.name() == element.name() && text == message
        };
        match self.0.iter_mut().find(same) {
            Some((_, _, count)) => *count += 1,
            None => self.0.push((element, message.to_owned(), 1)),
        }
    }

    /// Reports all warnings.
    pub(crate) fn report(self, report: &mut Report) {
        for (element, message, count) in self.0 {
            let more = match count - 1 {
                0 => String::new(),
                more => format!(" (and {more} more like this)"),
            };
            element.warning(report, message + &more);
        }
    }
}
