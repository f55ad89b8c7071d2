//! Typed access to the attributes of a validated element.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::{Orientation, Tri};
use crate::xml::{NodeId, integers, reals};
use std::sync::Arc;

/// Keywords of an attribute and their values.
pub(super) type Keywords<T> = &'static [(&'static str, T)];

impl Reader<'_> {
    /// All real numbers of an attribute; `None` if it is absent or empty.
    pub(super) fn numbers(&self, id: NodeId, name: &str) -> Option<Vec<f64>> {
        let numbers = reals(self.dom.attr(id, name)?, usize::MAX - 1, true).ok()?;
        (!numbers.is_empty()).then_some(numbers)
    }

    /// One real number.
    pub(super) fn real(&self, id: NodeId, name: &str, target: &mut f64) -> bool {
        self.vector(id, name, std::slice::from_mut(target)) > 0
    }

    /// One real number, stored in single precision.
    pub(super) fn real32(&mut self, id: NodeId, name: &str, target: &mut f32) {
        self.vector32(id, name, std::slice::from_mut(target));
    }

    /// Overwrites the first entries of `target`; the others keep their values.
    pub(super) fn vector(&self, id: NodeId, name: &str, target: &mut [f64]) -> usize {
        let numbers = self.numbers(id, name).unwrap_or_default();
        for (to, from) in target.iter_mut().zip(&numbers) {
            *to = *from;
        }
        numbers.len()
    }

    /// Like [`Reader::vector`], in single precision.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the model stores these in single precision"
    )]
    pub(super) fn vector32(&mut self, id: NodeId, name: &str, target: &mut [f32]) {
        let numbers = self.numbers(id, name).unwrap_or_default();
        for (to, from) in target.iter_mut().zip(&numbers) {
            *to = *from as f32;
            if from.is_finite() && *from != 0.0 && !to.is_normal() {
                let expected = "a number that fits in single precision";
                let word = format!("{from:e}");
                self.error(id, Some(name), ErrorKind::BadNumber { word, expected });
            }
        }
    }

    /// Exactly `N` numbers, if the attribute is present.
    pub(super) fn array<const N: usize>(&self, id: NodeId, name: &str) -> Option<[f64; N]> {
        self.numbers(id, name)?.try_into().ok()
    }

    /// One integer.
    pub(super) fn int(&self, id: NodeId, name: &str, target: &mut i32) -> bool {
        let number = self.ints(id, name).first().copied();
        if let Some(number) = number {
            *target = number;
        }
        number.is_some()
    }

    /// All integers of an attribute.
    pub(super) fn ints(&self, id: NodeId, name: &str) -> Vec<i32> {
        self.dom
            .attr(id, name)
            .and_then(|text| integers(text, usize::MAX - 1).ok())
            .unwrap_or_default()
    }

    /// A string.
    pub(super) fn text(&self, id: NodeId, name: &str, target: &mut String) -> bool {
        let text = self.dom.attr(id, name);
        if let Some(text) = text {
            text.clone_into(target);
        }
        text.is_some()
    }

    /// User data, which replaces that of the default class.
    pub(super) fn user(&self, id: NodeId, target: &mut Arc<[f64]>) {
        if let Some(numbers) = self.numbers(id, "user") {
            *target = numbers.into();
        }
    }

    /// A keyword.
    pub(super) fn keyword<T: Copy>(
        &self,
        id: NodeId,
        name: &str,
        words: Keywords<T>,
        target: &mut T,
    ) -> bool {
        let word = self.dom.attr(id, name);
        let found = words.iter().find(|(w, _)| Some(*w) == word);
        if let Some((_, value)) = found {
            *target = *value;
        }
        found.is_some()
    }

    /// `true` or `false`.
    pub(super) fn boolean(&self, id: NodeId, name: &str, target: &mut bool) -> bool {
        self.keyword(id, name, &[("false", false), ("true", true)], target)
    }

    /// `true`, `false` or `auto`.
    pub(super) fn tri(&self, id: NodeId, name: &str, target: &mut Tri) -> bool {
        self.keyword(
            id,
            name,
            &[("false", Tri::False), ("true", Tri::True), ("auto", Tri::Auto)],
            target,
        )
    }

    /// The orientation attributes, of which at most one may be set.
    ///
    /// As in MuJoCo, a `quat` does not override another orientation attribute of a default class.
    pub(super) fn orientation(&mut self, id: NodeId, target: &mut Orientation) {
        let mut given = Vec::new();
        if let Some(quat) = self.array::<4>(id, "quat") {
            if quat == [0.0; 4] {
                self.invalid(id, Some("quat"), "must not be zero; the identity is \"1 0 0 0\"");
            }
            given.push("quat");
            if matches!(target, Orientation::Quat(_)) {
                *target = Orientation::Quat(quat);
            } else {
                let location = self.dom.attr_location(id, "quat");
                let message =
                    "attribute \"quat\" has no effect: the default class sets another orientation";
                self.report.warning(location, self.name(id), message);
            }
        }
        if let Some(v) = self.array(id, "axisangle") {
            given.push("axisangle");
            *target = Orientation::AxisAngle(v);
        }
        if let Some(v) = self.array(id, "xyaxes") {
            given.push("xyaxes");
            *target = Orientation::XyAxes(v);
        }
        if let Some(v) = self.array(id, "zaxis") {
            given.push("zaxis");
            *target = Orientation::ZAxis(v);
        }
        if let Some(v) = self.array(id, "euler") {
            given.push("euler");
            *target = Orientation::Euler(v);
        }
        if let [first, second, ..] = given[..] {
            let message =
                format!("the orientation is already set by `{first}`; remove one of them");
            self.invalid(id, Some(second), message);
        }
    }
}
