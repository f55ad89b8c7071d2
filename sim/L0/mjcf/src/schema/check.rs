//! Validation of an XML tree against the schema table.

use super::{Element, MUJOCO, Occurs, Support, ValueType, nearest};
use crate::error::{ErrorKind, Report};
use crate::xml::{Attr, Dom, IGNORED_TEXT, NodeId, integers, reals};

/// Validates a document and reports all violations and unsupported features.
pub(crate) fn check(dom: &Dom, root: NodeId, report: &mut Report) {
    let node = dom.node(root);
    if node.name != MUJOCO.name {
        let kind = if node.name == "robot" {
            ErrorKind::Invalid(
                "this is a URDF model, which this loader does not support: use a loader of sim-urdf"
                    .into(),
            )
        } else {
            ErrorKind::Invalid("unknown model format: the root element must be <mujoco>".into())
        };
        report.error(dom.location(root), &node.name, None, kind);
        return;
    }
    walk(dom, root, (&MUJOCO, Unknown::Error), report);
}

/// Validates an MJCF section within a document of another format, leniently.
pub(crate) fn check_section(dom: &Dom, id: NodeId, report: &mut Report) {
    if let Some(row) = MUJOCO.child(&dom.node(id).name) {
        walk(dom, id, (row, Unknown::Warning), report);
    }
}

/// Handling of unknown elements and attributes.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    /// Errors.
    Error,
    /// Warnings for attributes, errors for elements.
    LenientAttributes,
    /// Warnings.
    Warning,
}

fn walk(
    dom: &Dom,
    root: NodeId,
    (element, unknown): (&'static Element, Unknown),
    report: &mut Report,
) {
    let mut stack = vec![(root, element, unknown)];
    while let Some((id, element, mut unknown)) = stack.pop() {
        if report.is_full() {
            return;
        }
        // MuJoCo ignores unknown attributes within these elements, and existing models rely on it.
        if unknown == Unknown::Error && matches!(element.name, "frame" | "replicate") {
            unknown = Unknown::LenientAttributes;
        }
        attributes(dom, id, (element, unknown), report);
        let first = stack.len();
        for child in dom.children(id) {
            if report.is_full() {
                return;
            }
            if let Some(row) = child_element(dom, (id, child), (element, unknown), report) {
                stack.push((child, row, unknown));
            }
        }
        // Visit the children in document order.
        stack[first..].reverse();
    }
}

/// Schema element of a supported child; reports other children.
fn child_element(
    dom: &Dom,
    (parent, child): (NodeId, NodeId),
    (element, unknown): (&'static Element, Unknown),
    report: &mut Report,
) -> Option<&'static Element> {
    let name = &dom.node(child).name;
    // MuJoCo ignores these elements outside the world; they occur in files meant for inclusion.
    if element.name == MUJOCO.name && matches!(name.as_str(), "body" | "frame" | "replicate") {
        let message = "has no effect outside <worldbody>";
        report.warning(dom.location(child), name, message);
        return element.child("worldbody").and_then(|world| world.child(name));
    }
    let Some(row) = element.child(name) else {
        let kind = match (element.name, name.as_str()) {
            ("worldbody", "joint" | "freejoint" | "inertial") => ErrorKind::Invalid(
                "the world cannot have joints or inertia: move it into a <body>".into(),
            ),
            _ => ErrorKind::UnknownElement {
                parent: element.name.to_owned(),
                suggestion: nearest(name, element.children.iter().map(|e| e.name))
                    .map(ToOwned::to_owned),
            },
        };
        if unknown == Unknown::Warning {
            report.warning(dom.location(child), name, format!("has no effect: {kind}"));
        } else {
            report.error(dom.location(child), name, None, kind);
        }
        return None;
    };
    if row.occurs != Occurs::Many {
        let first = dom.children(parent).find(|&c| dom.node(c).name == *name);
        if first != Some(child) {
            let kind = ErrorKind::Repeated { parent: element.name.to_owned() };
            report.error(dom.location(child), name, None, kind);
        }
    }
    if row.support == Support::Unsupported {
        let kind = ErrorKind::Unsupported(format!("<{name}> in <{}>", element.name));
        report.error(dom.location(child), name, None, kind);
        return None;
    }
    Some(row)
}

/// Validates the attributes of an element.
fn attributes(
    dom: &Dom,
    id: NodeId,
    (element, unknown): (&'static Element, Unknown),
    report: &mut Report,
) {
    let node = dom.node(id);
    if let Some(location) = dom.text_location(id) {
        report.warning(location, &node.name, IGNORED_TEXT);
    }
    for attr in &node.attrs {
        let Some(row) = element.attribute(&attr.name) else {
            let suggestion =
                nearest(&attr.name, element.attributes().map(|a| a.name)).map(ToOwned::to_owned);
            let location = dom.attr_location(id, &attr.name);
            let kind = ErrorKind::UnknownAttribute { suggestion };
            if unknown != Unknown::Error {
                let message = format!("attribute \"{}\" has no effect: {kind}", attr.name);
                report.warning(location, &node.name, message);
            } else {
                report.error(location, &node.name, Some(&attr.name), kind);
            }
            continue;
        };
        let result = if row.support == Support::Unsupported {
            Err(ErrorKind::Unsupported(format!("attribute `{}` of <{}>", row.name, element.name)))
        } else {
            value(row.value_type, attr)
        };
        if let Err(kind) = result {
            report.error(dom.attr_location(id, &attr.name), &node.name, Some(&attr.name), kind);
        }
    }
    for row in element.attributes().filter(|row| row.required) {
        // A required name or prefix may be empty.
        let may_be_empty = matches!(row.name, "name" | "prefix");
        if dom.attr(id, row.name).is_none_or(|text| text.is_empty() && !may_be_empty) {
            report.error(dom.location(id), &node.name, Some(row.name), ErrorKind::MissingAttribute);
        }
    }
}

/// Validates an attribute value. As in MuJoCo, an empty list of numbers is treated as absent.
fn value(kind: ValueType, attr: &Attr) -> Result<(), ErrorKind> {
    match kind {
        ValueType::Text { max } if attr.value.len() > max => Err(ErrorKind::Invalid(format!(
            "the value has {} bytes, which exceeds the maximum of {max}",
            attr.value.len()
        ))),
        ValueType::Text { .. } => Ok(()),
        // A single integer must not be empty; MuJoCo treats other empty lists as absent.
        ValueType::Int { max: 1, .. } if attr.value.trim().is_empty() => {
            Err(ErrorKind::BadNumber { word: String::new(), expected: "an integer" })
        }
        ValueType::Int { min, max } => {
            count(integers(&attr.value, max)?.len(), min, max, &attr.value)
        }
        ValueType::Real { min, max } => {
            count(reals(&attr.value, max, infinite(&attr.name))?.len(), min, max, &attr.value)
        }
        ValueType::Keyword(words) => keyword(&attr.value, words),
        ValueType::Keywords(words) => {
            let mut seen = Vec::new();
            for word in attr.value.split_ascii_whitespace() {
                keyword(word, words)?;
                if seen.contains(&word) {
                    return Err(ErrorKind::Invalid(format!("duplicate keyword `{word}`")));
                }
                seen.push(word);
            }
            Ok(())
        }
    }
}

/// Whether an attribute may have infinite values, which only ranges may.
pub(super) fn infinite(attribute: &str) -> bool {
    attribute.ends_with("range")
}

fn count(found: usize, min: usize, max: usize, text: &str) -> Result<(), ErrorKind> {
    if found == 0 || (min..=max).contains(&found) {
        return Ok(());
    }
    let found = if found > max { text.split_ascii_whitespace().count() } else { found };
    let numbers = |n: usize| format!("{n} number{}", if n == 1 { "" } else { "s" });
    let expected = if min == max { numbers(max) } else { format!("at most {}", numbers(max)) };
    Err(ErrorKind::WrongCount { expected, found })
}

fn keyword(word: &str, words: &[&str]) -> Result<(), ErrorKind> {
    if words.contains(&word) {
        return Ok(());
    }
    Err(ErrorKind::BadKeyword {
        word: word.chars().take(40).collect(),
        allowed: words.iter().map(|&w| w.to_owned()).collect(),
        suggestion: nearest(word, words.iter().copied()).map(ToOwned::to_owned),
    })
}
