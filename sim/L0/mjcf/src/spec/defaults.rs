//! Default classes: prototypes from which new elements are copied.

use super::{
    Actuator, Camera, Equality, Geom, Joint, Light, Material, Mesh, Origin, Pair, Site, Tendon,
};

/// Index of a default class in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DefaultId(pub usize);

/// One class: a prototype of every element that can have defaults.
#[derive(Debug, Clone, Default)]
pub struct DefaultClass {
    /// Name.
    pub name: String,
    /// The class it was copied from; `None` for the first.
    pub parent: Option<DefaultId>,
    /// Where it was defined.
    pub origin: Origin,
    /// Prototype mesh.
    pub mesh: Mesh,
    /// Prototype material.
    pub material: Material,
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
    /// Makes every prototype a member of the class, so that its copies are too.
    pub(crate) fn set_class(&mut self, class: DefaultId) {
        self.mesh.class = class;
        self.material.class = class;
        self.joint.class = class;
        self.geom.class = class;
        self.site.class = class;
        self.camera.class = class;
        self.light.class = class;
        self.pair.class = class;
        self.equality.class = class;
        self.tendon.class = class;
        self.actuator.class = class;
    }

    /// The class that every model has.
    #[must_use]
    pub fn main() -> Self {
        Self { name: "main".to_owned(), ..Self::default() }
    }
}
