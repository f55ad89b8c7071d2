//! `custom` section.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::{Numeric, Text, Tuple, TupleElement};
use crate::xml::NodeId;

/// Maximum size of a custom numeric field.
const MAX_NUMERIC: usize = 500;

impl Reader<'_> {
    pub(super) fn custom(&mut self, id: NodeId) {
        for child in self.children(id) {
            match self.name(child) {
                "numeric" => self.numeric(child),
                "text" => self.custom_text(child),
                "tuple" => self.tuple(child),
                _ => {}
            }
        }
    }

    fn numeric(&mut self, id: NodeId) {
        let mut numeric = Numeric { origin: self.origin(id), ..Numeric::default() };
        self.text(id, "name", &mut numeric.name);
        numeric.data = self.numbers(id, "data").unwrap_or_default();
        let mut size = 0;
        if self.int(id, "size", &mut size) {
            match usize::try_from(size) {
                Ok(size) if (1..=MAX_NUMERIC).contains(&size) => {
                    if numeric.data.len() > size {
                        let found = numeric.data.len();
                        let expected = format!("at most {size} numbers (the `size`)");
                        self.error(id, Some("data"), ErrorKind::WrongCount { expected, found });
                    }
                    numeric.data.resize(size, 0.0);
                }
                _ => self.invalid(id, Some("size"), format!("must be in [1, {MAX_NUMERIC}]")),
            }
        } else if !(1..=MAX_NUMERIC).contains(&numeric.data.len()) {
            self.invalid(id, Some("data"), format!("must have 1 to {MAX_NUMERIC} numbers"));
        }
        self.spec.numerics.push(numeric);
    }

    fn tuple(&mut self, id: NodeId) {
        let mut tuple = Tuple { origin: self.origin(id), ..Tuple::default() };
        self.text(id, "name", &mut tuple.name);
        for child in self.children(id) {
            let mut element = TupleElement { origin: self.origin(child), ..Default::default() };
            self.object_type(child, "objtype", &mut element.objtype);
            self.text(child, "objname", &mut element.objname);
            self.real(child, "prm", &mut element.prm);
            tuple.elements.push(element);
        }
        if tuple.elements.is_empty() {
            self.invalid(id, None, "is empty: add <element objtype=\"...\" objname=\"...\"/>");
        }
        self.spec.tuples.push(tuple);
    }

    fn custom_text(&mut self, id: NodeId) {
        let mut text = Text { origin: self.origin(id), ..Text::default() };
        self.text(id, "name", &mut text.name);
        self.text(id, "data", &mut text.data);
        self.spec.texts.push(text);
    }
}
