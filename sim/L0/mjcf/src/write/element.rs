//! XML output: an indented document, and attributes that can be compared with a default class.

use super::text::{boolean, escape, number, numbers, tri};
use crate::spec::{Orientation, Tri};
use std::fmt::Display;

/// An attribute; mutually exclusive attributes have the same slot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) value: String,
    slot: &'static str,
}

/// The attributes of an element.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes(pub(super) Vec<Attribute>);

/// Slot of the orientation attributes.
const ORIENTATION: &str = "orientation";

impl Attributes {
    pub(super) fn text(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push(Attribute { name, value: value.into(), slot: name });
    }

    /// A string, omitted if empty.
    pub(super) fn word(&mut self, name: &'static str, value: &str) {
        if !value.is_empty() {
            self.text(name, value);
        }
    }

    pub(super) fn number(&mut self, name: &'static str, value: impl Display) {
        self.text(name, number(value));
    }

    pub(super) fn numbers<T: Display>(&mut self, name: &'static str, values: &[T]) {
        self.text(name, numbers(values));
    }

    /// A list of numbers, omitted if empty.
    pub(super) fn list<T: Display>(&mut self, name: &'static str, values: &[T]) {
        if !values.is_empty() {
            self.numbers(name, values);
        }
    }

    /// Numbers of an attribute that excludes the attribute `slot`.
    pub(super) fn exclusive<T: Display>(
        &mut self,
        slot: &'static str,
        name: &'static str,
        values: &[T],
    ) {
        self.0.push(Attribute { name, value: numbers(values), slot });
    }

    pub(super) fn boolean(&mut self, name: &'static str, value: bool) {
        self.text(name, boolean(value));
    }

    pub(super) fn tri(&mut self, name: &'static str, value: Tri) {
        self.text(name, tri(value));
    }

    pub(super) fn orientation(&mut self, orientation: &Orientation) {
        let (name, value) = match orientation {
            Orientation::Quat(v) => ("quat", numbers(v)),
            Orientation::AxisAngle(v) => ("axisangle", numbers(v)),
            Orientation::XyAxes(v) => ("xyaxes", numbers(v)),
            Orientation::ZAxis(v) => ("zaxis", numbers(v)),
            Orientation::Euler(v) => ("euler", numbers(v)),
        };
        self.0.push(Attribute { name, value, slot: ORIENTATION });
    }

    fn slot(&self, slot: &str) -> Option<&Attribute> {
        self.0.iter().find(|a| a.slot == slot)
    }

    /// Attributes to write for an element whose class has the attributes `base`; `None` if an
    /// attribute of the class cannot be overridden.
    pub(super) fn override_of(&self, base: &Self) -> Option<Self> {
        let overridable = base.0.iter().all(|b| match self.slot(b.slot) {
            None => false,
            // `quat` does not override another orientation attribute of a class.
            Some(a) => a.slot != ORIENTATION || a.name != "quat" || b.name == "quat",
        });
        overridable.then(|| self.difference(base))
    }

    /// Attributes that differ from `base`.
    pub(super) fn difference(&self, base: &Self) -> Self {
        Self(self.0.iter().filter(|a| base.slot(a.slot) != Some(*a)).cloned().collect())
    }

    /// These attributes and those of `base` that they do not override: a class as it will be
    /// parsed.
    pub(super) fn merged_over(&self, base: &Self) -> Self {
        let mut all = self.0.clone();
        all.extend(base.0.iter().filter(|b| self.slot(b.slot).is_none()).cloned());
        Self(all)
    }
}

/// A document being written.
pub(super) struct Document {
    text: String,
    /// Open elements, and whether they have content.
    open: Vec<(String, bool)>,
}

impl Document {
    pub(super) fn new(model: &str) -> Self {
        let mut document = Self { text: String::new(), open: Vec::new() };
        let mut attributes = Attributes::default();
        attributes.text("model", model);
        document.open("mujoco", &attributes);
        document
    }

    /// Opens an element, which must be closed.
    pub(super) fn open(&mut self, name: &str, attributes: &Attributes) {
        let pairs: Vec<_> = attributes.0.iter().map(|a| (a.name, a.value.as_str())).collect();
        self.open_named(name, &pairs);
    }

    /// Opens an element with arbitrary attribute names.
    pub(super) fn open_named(&mut self, name: &str, attributes: &[(&str, &str)]) {
        if let Some(parent) = self.open.last_mut()
            && !parent.1
        {
            parent.1 = true;
            self.text.push_str(">\n");
        }
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self.open.push((name.to_owned(), false));
    }

    /// Closes the element that was opened last.
    pub(super) fn close(&mut self) {
        let Some((name, inside)) = self.open.pop() else { return };
        if inside {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(&name);
            self.text.push_str(">\n");
        } else {
            self.text.push_str("/>\n");
        }
    }

    /// Writes an element without content.
    pub(super) fn element(&mut self, name: &str, attributes: &Attributes) {
        self.open(name, attributes);
        self.close();
    }

    /// Writes a section, omitted if empty.
    pub(super) fn section(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        let (length, before) = (self.text.len(), self.open.last().map(|o| o.1));
        self.open(name, &Attributes::default());
        write(self);
        if self.open.last().is_some_and(|o| !o.1) {
            self.open.pop();
            self.text.truncate(length);
            if let (Some(parent), Some(before)) = (self.open.last_mut(), before) {
                parent.1 = before;
            }
        } else {
            self.close();
        }
    }

    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len() {
            self.text.push_str("  ");
        }
    }
}
