//! Default classes: prototypes from which new elements are copied.

use super::{Actuator, Camera, Equality, Geom, Joint, Light, Pair, Site, Tendon};

/// Index of a default class in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DefaultId(pub usize);

/// One class: a prototype of every element that can have defaults.
#[derive(Debug, Clone, Default)]
pub struct DefaultClass {
    /// Name.
    pub name: String,
    /// Prototype joint.
    pub joint: Joint,
    /// Prototype geom.
    pub geom: Geom,
    /// Prototype site.
    pub site: Site,
    /// Prototype camera.
    pub camera: Camera,
    /// Prototype light.
    pub light: Light,
    /// Prototype contact pair.
    pub pair: Pair,
    /// Prototype equality constraint.
    pub equality: Equality,
    /// Prototype tendon.
    pub tendon: Tendon,
    /// Prototype actuator, whatever its shortcut.
    pub actuator: Actuator,
}

impl DefaultClass {
    /// The class that every model has.
    #[must_use]
    pub fn main() -> Self {
        Self { name: "main".to_owned(), ..Self::default() }
    }
}
