//! The MJCF schema of MuJoCo 3.8.0 as a constant table: every element, its number of occurrences,
//! its attributes with their types, and whether it is supported. `xpbd` is an extension.
//!
//! The table drives validation, error messages and "did you mean" suggestions.

mod actuator;
mod asset;
mod check;
mod contact;
mod custom;
mod default;
mod equality;
mod keyframe;
mod sensor;
mod settings;
mod suggest;
mod tendon;
mod tree;
mod value_types;
mod visual;
mod xpbd;

pub(crate) use check::{check, check_section};
pub use suggest::nearest;

/// Number of occurrences of an element in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// Exactly once.
    One,
    /// At most once.
    Optional,
    /// Any number of times.
    Many,
}

/// Whether an element or attribute is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Supported.
    Supported,
    /// Valid MJCF that is reported as not supported.
    Unsupported,
}

/// Type of an attribute value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// A string of at most `max` bytes.
    Text {
        /// Maximum number of bytes.
        max: usize,
    },
    /// Between `min` and `max` integers.
    Int {
        /// Minimum number of values.
        min: usize,
        /// Maximum number of values.
        max: usize,
    },
    /// Between `min` and `max` real numbers.
    Real {
        /// Minimum number of values.
        min: usize,
        /// Maximum number of values.
        max: usize,
    },
    /// One keyword of a list.
    Keyword(&'static [&'static str]),
    /// Any keywords of a list, each at most once.
    Keywords(&'static [&'static str]),
}

/// An attribute of an element.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    /// Name.
    pub name: &'static str,
    /// Type of the value.
    pub value_type: ValueType,
    /// Whether the attribute is required.
    pub required: bool,
    /// Whether it is supported.
    pub support: Support,
}

/// One element of the schema.
#[derive(Debug)]
pub struct Element {
    /// Name.
    pub name: &'static str,
    /// Number of occurrences in its parent.
    pub occurs: Occurs,
    /// Whether it is supported.
    pub support: Support,
    /// Attributes, in groups shared between elements.
    pub attributes: &'static [&'static [Attribute]],
    /// Child elements.
    pub children: &'static [&'static Self],
}

impl Element {
    /// The attribute of this name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'static Attribute> {
        self.attributes().find(|a| a.name == name)
    }

    /// Every attribute.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        self.attributes.iter().flat_map(|group| group.iter())
    }

    /// The child element of this name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&'static Self> {
        self.children.iter().copied().find(|e| e.name == name)
    }
}

/// An entry of an attribute list.
macro_rules! attribute {
    ($name:tt, $kind:ident, $support:ident) => {
        crate::schema::attribute!($name, $kind, $support, false)
    };
    ($name:tt, $kind:ident, $support:ident, required) => {
        crate::schema::attribute!($name, $kind, $support, true)
    };
    ($name:tt, $kind:ident, $support:ident, $required:literal) => {
        crate::schema::Attribute {
            name: stringify!($name),
            value_type: crate::schema::value_types::$kind,
            required: $required,
            support: crate::schema::Support::$support,
        }
    };
}
pub(crate) use attribute;

/// A group of attributes that several elements share.
macro_rules! group {
    ($id:ident; attributes { $($supported:tt : $nkind:ident),* $(,)? } $(unsupported { $($unsupported:tt : $lkind:ident),* $(,)? })?) => {
        pub(super) static $id: &[crate::schema::Attribute] = &[
            $(crate::schema::attribute!($supported, $nkind, Supported),)*
            $($(crate::schema::attribute!($unsupported, $lkind, Unsupported),)*)?
        ];
    };
}
pub(crate) use group;

/// An element of the schema: name, occurrence, support, attributes, children.
macro_rules! element {
    (
        $id:ident = $name:literal, $occurs:ident, $support:ident;
        attributes { $($supported:tt : $nkind:ident $($nreq:ident)?),* $(,)? }
        $(unsupported { $($unsupported:tt : $lkind:ident),* $(,)? })?
        $(groups [$($group:ident),* $(,)?])?
        $(children [$($child:ident),* $(,)?])?
    ) => {
        pub(super) static $id: crate::schema::Element = crate::schema::Element {
            name: $name,
            occurs: crate::schema::Occurs::$occurs,
            support: crate::schema::Support::$support,
            attributes: &[
                &[
                    $(crate::schema::attribute!($supported, $nkind, Supported $(, $nreq)?),)*
                    $($(crate::schema::attribute!($unsupported, $lkind, Unsupported),)*)?
                ],
                $($($group,)*)?
            ],
            children: &[$($(&$child,)*)?],
        };
    };
}
pub(crate) use element;

/// The root of the schema.
pub static MUJOCO: Element = Element {
    name: "mujoco",
    occurs: Occurs::One,
    support: Support::Supported,
    attributes: &[&[attribute!(model, TEXT, Supported)]],
    children: &[
        &settings::COMPILER,
        &settings::OPTION,
        &settings::SIZE,
        &visual::VISUAL,
        &settings::STATISTIC,
        &default::DEFAULT,
        &asset::EXTENSION,
        &custom::CUSTOM,
        &asset::ASSET,
        &tree::WORLDBODY,
        &asset::DEFORMABLE,
        &contact::CONTACT,
        &equality::EQUALITY,
        &tendon::TENDON,
        &actuator::ACTUATOR,
        &sensor::SENSOR,
        &keyframe::KEYFRAME,
        &xpbd::XPBD,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits every element once and checks that no attribute or child is listed twice.
    #[test]
    fn schema_has_no_duplicate_attributes_or_children() {
        let mut seen: Vec<*const Element> = Vec::new();
        let mut stack = vec![&MUJOCO];
        let mut slots = 0;
        while let Some(element) = stack.pop() {
            if seen.contains(&std::ptr::from_ref(element)) {
                continue;
            }
            seen.push(element);
            let names: Vec<_> = element.attributes().map(|a| a.name).collect();
            slots += names.len();
            for (i, name) in names.iter().enumerate() {
                assert!(!names[..i].contains(name), "<{}> lists {name} twice", element.name);
            }
            for (i, child) in element.children.iter().enumerate() {
                assert!(
                    element.children[..i].iter().all(|c| c.name != child.name),
                    "<{}> lists <{}> twice",
                    element.name,
                    child.name
                );
                stack.push(child);
            }
        }
        assert!(seen.len() > 150, "{} elements", seen.len());
        assert!(slots > 1500, "{slots} attributes");
    }
}
