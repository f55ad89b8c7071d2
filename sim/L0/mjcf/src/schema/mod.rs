//! The MJCF schema of MuJoCo 3.8.0 as one constant table: every element, how often it may occur,
//! its attributes with their types, and whether this version reads it. `xpbd` is our own.
//!
//! The table drives checking, error messages and "did you mean" suggestions.

mod actuator;
mod asset;
mod check;
mod default;
mod kinds;
mod relations;
mod sensor;
mod settings;
mod suggest;
mod tree;
mod visual;
mod xpbd;

pub(crate) use check::{check, check_section};
pub use suggest::nearest;

/// How often an element may occur inside its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// Exactly once.
    One,
    /// At most once.
    Optional,
    /// Any number of times.
    Many,
}

/// Whether this version reads an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It is read.
    Now,
    /// It is valid MJCF that this version rejects with a message.
    Later,
}

/// What the text of an attribute must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text of at most `max` bytes.
    Text {
        /// Most bytes.
        max: usize,
    },
    /// Between `min` and `max` whole numbers.
    Int {
        /// Fewest.
        min: usize,
        /// Most.
        max: usize,
    },
    /// Between `min` and `max` real numbers.
    Real {
        /// Fewest.
        min: usize,
        /// Most.
        max: usize,
    },
    /// One of these words.
    Keyword(&'static [&'static str]),
    /// Any of these words, each at most once.
    Keywords(&'static [&'static str]),
}

/// One attribute of an element.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// What its text must hold.
    pub kind: Kind,
    /// Whether the element is invalid without it.
    pub required: bool,
    /// Whether this version reads it.
    pub support: Support,
}

/// One element of the schema.
#[derive(Debug)]
pub struct Element {
    /// Its name.
    pub name: &'static str,
    /// How often it may occur inside its parent.
    pub occurs: Occurs,
    /// Whether this version reads it.
    pub support: Support,
    /// Its attributes, in groups that elements share.
    pub attributes: &'static [&'static [Attribute]],
    /// The elements it may contain.
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

/// One row of an attribute list.
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
            kind: crate::schema::kinds::$kind,
            required: $required,
            support: crate::schema::Support::$support,
        }
    };
}
pub(crate) use attribute;

/// A group of attributes that several elements share.
macro_rules! group {
    ($id:ident; now { $($now:tt : $nkind:ident),* $(,)? } $(later { $($later:tt : $lkind:ident),* $(,)? })?) => {
        pub(super) static $id: &[crate::schema::Attribute] = &[
            $(crate::schema::attribute!($now, $nkind, Now),)*
            $($(crate::schema::attribute!($later, $lkind, Later),)*)?
        ];
    };
}
pub(crate) use group;

/// One row of the schema: name, occurrence, support, attributes, children.
macro_rules! element {
    (
        $id:ident = $name:literal, $occurs:ident, $support:ident;
        now { $($now:tt : $nkind:ident $($nreq:ident)?),* $(,)? }
        $(later { $($later:tt : $lkind:ident),* $(,)? })?
        $(groups [$($group:ident),* $(,)?])?
        $(children [$($child:ident),* $(,)?])?
    ) => {
        pub(super) static $id: crate::schema::Element = crate::schema::Element {
            name: $name,
            occurs: crate::schema::Occurs::$occurs,
            support: crate::schema::Support::$support,
            attributes: &[
                &[
                    $(crate::schema::attribute!($now, $nkind, Now $(, $nreq)?),)*
                    $($(crate::schema::attribute!($later, $lkind, Later),)*)?
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
    support: Support::Now,
    attributes: &[&[attribute!(model, TEXT, Now)]],
    children: &[
        &settings::COMPILER,
        &settings::OPTION,
        &settings::SIZE,
        &visual::VISUAL,
        &settings::STATISTIC,
        &default::DEFAULT,
        &asset::EXTENSION,
        &settings::CUSTOM,
        &asset::ASSET,
        &tree::WORLDBODY,
        &asset::DEFORMABLE,
        &relations::CONTACT,
        &relations::EQUALITY,
        &relations::TENDON,
        &actuator::ACTUATOR,
        &sensor::SENSOR,
        &relations::KEYFRAME,
        &xpbd::XPBD,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts distinct elements and checks that each lists every attribute and child once.
    #[test]
    fn the_table_is_complete_and_consistent() {
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
