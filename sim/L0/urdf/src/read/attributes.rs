//! Typed access to the attributes and children of an element.

use super::Reader;
use crate::robot::Pose;
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::{Element, reals};

impl<'a> Reader<'a, '_> {
    /// First child with this name.
    pub(super) fn child(element: Element<'a>, name: &str) -> Option<Element<'a>> {
        element.children().find(|child| child.name() == name)
    }

    /// First child with this name, which is required.
    pub(super) fn required_child(
        &mut self,
        element: Element<'a>,
        name: &str,
        example: &str,
    ) -> Option<Element<'a>> {
        let child = Self::child(element, name);
        if child.is_none() {
            let message = format!("requires <{name}>: add {example}");
            element.error(self.report, None, ErrorKind::Invalid(message));
        }
        child
    }

    /// A required, non-empty string.
    pub(super) fn required_text(&mut self, element: Element<'a>, name: &str) -> Option<&'a str> {
        let text = element.attribute(name);
        if text.is_none_or(str::is_empty) {
            element.error(self.report, Some(name), ErrorKind::MissingAttribute);
        }
        text.filter(|text| !text.is_empty())
    }

    /// Exactly `N` numbers; `None` if the attribute is absent, empty or invalid, which is reported.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        element: Element<'a>,
        name: &str,
    ) -> Option<[f64; N]> {
        let text = element.attribute(name)?;
        let infinite = matches!(name, "lower" | "upper" | "effort" | "velocity");
        let numbers = match reals(text, N, infinite) {
            Ok(numbers) => numbers,
            Err(kind) => {
                element.error(self.report, Some(name), kind);
                return None;
            }
        };
        if numbers.len() != N && !numbers.is_empty() {
            let expected = format!("{N} number{}", if N == 1 { "" } else { "s" });
            let found = text.split_ascii_whitespace().count();
            element.error(self.report, Some(name), ErrorKind::WrongCount { expected, found });
        }
        numbers.try_into().ok()
    }

    /// One number.
    pub(super) fn number(&mut self, element: Element<'a>, name: &str) -> Option<f64> {
        self.numbers::<1>(element, name).map(|[x]| x)
    }

    /// Exactly `N` required numbers.
    pub(super) fn required_numbers<const N: usize>(
        &mut self,
        element: Element<'a>,
        name: &str,
    ) -> Option<[f64; N]> {
        if element.attribute(name).is_none_or(|text| text.trim().is_empty()) {
            element.error(self.report, Some(name), ErrorKind::MissingAttribute);
            return None;
        }
        self.numbers(element, name)
    }

    /// A required positive number.
    pub(super) fn positive(&mut self, element: Element<'a>, name: &str) -> Option<f64> {
        let [x] = self.required_numbers(element, name)?;
        self.check_positive(element, name, &[x]).then_some(x)
    }

    /// Whether all numbers are positive; reports an error if not.
    pub(super) fn check_positive(&mut self, element: Element<'a>, name: &str, x: &[f64]) -> bool {
        let positive = x.iter().all(|&x| x > 0.0);
        if !positive {
            element.error(
                self.report,
                Some(name),
                ErrorKind::Invalid("must be positive: it is a length in meters".into()),
            );
        }
        positive
    }

    /// Pose of the `<origin>` of an element; the identity if absent.
    pub(super) fn pose(&mut self, element: Element<'a>) -> Pose {
        let Some(origin) = Self::child(element, "origin") else {
            return Pose::default();
        };
        let xyz = self.numbers(origin, "xyz").unwrap_or_default();
        let rpy = self.numbers(origin, "rpy").unwrap_or_default();
        Pose { xyz, rpy }
    }
}
