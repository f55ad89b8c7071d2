//! XML elements of a generated model, editable so that a failing model can be shrunk.

use super::rng::Rng;
use std::fmt::Write;

/// An XML element.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Its name.
    pub tag: &'static str,
    /// Attributes in the order of their appearance.
    pub attributes: Vec<(&'static str, String)>,
    /// Child elements.
    pub children: Vec<Self>,
}

impl Element {
    /// An element without attributes and children.
    #[must_use]
    pub fn new(tag: &'static str) -> Self {
        Self { tag, attributes: Vec::new(), children: Vec::new() }
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &'static str, value: impl ToString) {
        let value = value.to_string();
        match self.attributes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name, value)),
        }
    }

    /// Sets an attribute of an element under construction.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.set(name, value);
        self
    }

    /// Sets an attribute to a random value with probability `p`.
    pub fn maybe(
        &mut self,
        rng: &mut Rng,
        p: f64,
        name: &'static str,
        value: impl Fn(&mut Rng) -> String,
    ) {
        if rng.chance(p) {
            let value = value(rng);
            self.set(name, value);
        }
    }

    /// Whether the element has this attribute.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(known, _)| *known == name)
    }

    /// Value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The models nested in `asset/model` elements, with their file names. They are written to files of
    /// their own, see [`to_xml`](Self::to_xml).
    #[must_use]
    pub fn parts(&self) -> Vec<(&str, &Self)> {
        let mut found = Vec::new();
        for child in &self.children {
            match (child.tag, child.get("file"), child.children.first()) {
                ("model", Some(file), Some(part)) => found.push((file, part)),
                _ => found.extend(child.parts()),
            }
        }
        found
    }

    /// Appends a child.
    pub fn push(&mut self, child: Self) {
        self.children.push(child);
    }

    /// The element as indented XML, without the models nested in `asset/model` elements.
    #[must_use]
    pub fn to_xml(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        // ignored: writing to a string cannot fail
        let _ = write!(out, "{indent}<{}", self.tag);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{value}\"");
        }
        if self.children.is_empty() || self.tag == "model" {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        for child in &self.children {
            child.write(out, depth + 1);
        }
        let _ = writeln!(out, "{indent}</{}>", self.tag);
    }

    /// Number of elements below and including this one.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }

    /// The element with this index in document order; 0 is the element itself.
    pub fn nth_mut(&mut self, index: usize) -> Option<&mut Self> {
        if index == 0 {
            return Some(self);
        }
        let mut index = index - 1;
        for child in &mut self.children {
            let count = child.count();
            if index < count {
                return child.nth_mut(index);
            }
            index -= count;
        }
        None
    }

    /// Replaces the element with this index in document order by its children; false if it has none, if it is
    /// the root, or if it holds a separate file.
    pub fn unwrap_nth(&mut self, index: usize) -> bool {
        let mut first = 1;
        for k in 0..self.children.len() {
            let count = self.children[k].count();
            if index == first {
                let child = &mut self.children[k];
                if child.children.is_empty() || child.tag == "model" {
                    return false;
                }
                let inner = std::mem::take(&mut child.children);
                self.children.splice(k..=k, inner);
                return true;
            }
            if index < first + count {
                return self.children[k].unwrap_nth(index - first);
            }
            first += count;
        }
        false
    }

    /// Removes the element with this index in document order; false if there is none or it is the root.
    pub fn remove_nth(&mut self, index: usize) -> bool {
        let mut first = 1;
        for k in 0..self.children.len() {
            let count = self.children[k].count();
            if index == first {
                self.children.remove(k);
                return true;
            }
            if index < first + count {
                return self.children[k].remove_nth(index - first);
            }
            first += count;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Element;

    fn tree() -> Element {
        let mut root = Element::new("a").with("x", 1);
        let mut child = Element::new("b");
        child.push(Element::new("c"));
        root.push(child);
        root.push(Element::new("d"));
        root
    }

    #[test]
    fn xml_is_indented() {
        assert_eq!(tree().to_xml(), "<a x=\"1\">\n  <b>\n    <c/>\n  </b>\n  <d/>\n</a>\n");
    }

    #[test]
    fn nested_models_are_separate_files() {
        let mut asset = Element::new("model").with("file", "part.xml");
        asset.push(tree());
        let mut root = Element::new("mujoco");
        root.push(asset);
        assert_eq!(root.to_xml(), "<mujoco>\n  <model file=\"part.xml\"/>\n</mujoco>\n");
        assert_eq!(root.parts(), [("part.xml", &tree())]);
    }

    #[test]
    fn elements_are_numbered_in_document_order() {
        let mut root = tree();
        let tags: Vec<_> = (0..root.count()).map(|k| root.nth_mut(k).unwrap().tag).collect();
        assert_eq!(tags, ["a", "b", "c", "d"]);
        let mut unwrapped = root.clone();
        assert!(unwrapped.unwrap_nth(1) && !unwrapped.unwrap_nth(1));
        assert_eq!(unwrapped.to_xml(), "<a x=\"1\">\n  <c/>\n  <d/>\n</a>\n");
        assert!(root.remove_nth(2) && root.remove_nth(2) && !root.remove_nth(2));
        assert_eq!(root.to_xml(), "<a x=\"1\">\n  <b/>\n</a>\n");
    }
}
