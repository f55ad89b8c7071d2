//! Default classes (mjsDefault).

use super::{
    Actuator, Camera, Equality, Geom, Joint, Light, Material, Mesh, Origin, Pair, Site, Tendon,
};

/// Index of a default class in its spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DefaultId(pub usize);

/// A default class: the default of every element type that has defaults.
#[derive(Debug, Clone, Default)]
pub struct DefaultClass {
    /// Name.
    pub name: String,
    /// Parent class; `None` for `main`.
    pub parent: Option<DefaultId>,
    /// Source location.
    pub origin: Origin,
    /// Default mesh.
    pub mesh: Mesh,
    /// Default material.
    pub material: Material,
    /// Default joint.
    pub joint: Joint,
    /// Default geom.
    pub geom: Geom,
    /// Default site.
    pub site: Site,
    /// Default camera.
    pub camera: Camera,
    /// Default light.
    pub light: Light,
    /// Default contact pair.
    pub pair: Pair,
    /// Default equality constraint.
    pub equality: Equality,
    /// Default tendon.
    pub tendon: Tendon,
    /// Default actuator, for all shortcuts.
    pub actuator: Actuator,
}

impl DefaultClass {
    /// Sets the class of every default element, which its copies inherit.
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

    /// The top-level class `main`.
    #[must_use]
    pub fn main() -> Self {
        Self { name: "main".to_owned(), ..Self::default() }
    }
}
