//! Enums and bit masks of the visualizer with MuJoCo's numbers.

use sim_core::types::{GeomType, numbered_enum};

numbered_enum! {
    /// Shape of a geom of the scene: those of a model (`mjtGeom`), and shapes that only the visualizer uses.
    #[doc(alias = "mjtGeom")]
    SceneGeomType: i32 {
        Plane = 0,
        HField = 1,
        Sphere = 2,
        Capsule = 3,
        Ellipsoid = 4,
        Cylinder = 5,
        Box = 6,
        Mesh = 7,
        Sdf = 8,
        Arrow = 100,
        Arrow1 = 101,
        Arrow2 = 102,
        Line = 103,
        LineBox = 104,
        Flex = 105,
        Skin = 106,
        Label = 107,
        Triangle = 108,
        // not a shape of MuJoCo
        Surface = 200,
        None = 1001,
    }
}

impl From<GeomType> for SceneGeomType {
    fn from(kind: GeomType) -> Self {
        match kind {
            GeomType::Plane => Self::Plane,
            GeomType::HField => Self::HField,
            GeomType::Sphere => Self::Sphere,
            GeomType::Capsule => Self::Capsule,
            GeomType::Ellipsoid => Self::Ellipsoid,
            GeomType::Cylinder => Self::Cylinder,
            GeomType::Box => Self::Box,
            GeomType::Mesh => Self::Mesh,
            GeomType::Sdf => Self::Sdf,
        }
    }
}

/// Set of categories of geoms (`mjtCatBit`).
#[doc(alias = "mjtCatBit")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Category(pub i32);

impl Category {
    /// Elements of the world and of bodies welded to it.
    pub const STATIC: Self = Self(1);
    /// Elements of all other bodies.
    pub const DYNAMIC: Self = Self(2);
    /// Decorative geoms.
    pub const DECOR: Self = Self(4);
    /// All categories.
    pub const ALL: Self = Self(7);

    /// Whether the two sets have a common category.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// This set without the categories of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

numbered_enum! {
    /// Action of the mouse.
    #[doc(alias = "mjtMouse")]
    MouseAction: i32 {
        None = 0,
        RotateV = 1,
        RotateH = 2,
        MoveV = 3,
        MoveH = 4,
        Zoom = 5,
        MoveVRel = 6,
        MoveHRel = 7,
    }
}

numbered_enum! {
    /// Type of an abstract camera.
    #[doc(alias = "mjtCamera")]
    CameraType: i32 {
        Free = 0,
        Tracking = 1,
        Fixed = 2,
        User = 3,
    }
}

numbered_enum! {
    /// Objects that are labelled.
    #[doc(alias = "mjtLabel")]
    LabelMode: i32 {
        None = 0,
        Body = 1,
        Joint = 2,
        Geom = 3,
        Site = 4,
        Camera = 5,
        Light = 6,
        Tendon = 7,
        Actuator = 8,
        Constraint = 9,
        Flex = 10,
        Skin = 11,
        Selection = 12,
        SelPoint = 13,
        ContactPoint = 14,
        ContactForce = 15,
        Island = 16,
    }
}

numbered_enum! {
    /// Coordinate frames that are drawn.
    #[doc(alias = "mjtFrame")]
    FrameMode: i32 {
        None = 0,
        Body = 1,
        Geom = 2,
        Site = 3,
        Camera = 4,
        Light = 5,
        Contact = 6,
        World = 7,
    }
}

numbered_enum! {
    /// Flag that enables the visualization of model elements.
    #[doc(alias = "mjtVisFlag")]
    VisFlag: i32 {
        ConvexHull = 0,
        Texture = 1,
        Joint = 2,
        Camera = 3,
        Actuator = 4,
        Activation = 5,
        Light = 6,
        Tendon = 7,
        Rangefinder = 8,
        Constraint = 9,
        Inertia = 10,
        SclInertia = 11,
        PertForce = 12,
        PertObj = 13,
        ContactPoint = 14,
        Island = 15,
        ContactForce = 16,
        ContactSplit = 17,
        Transparent = 18,
        AutoConnect = 19,
        Com = 20,
        Select = 21,
        Static = 22,
        Skin = 23,
        FlexVert = 24,
        FlexEdge = 25,
        FlexFace = 26,
        FlexSkin = 27,
        BodyBvh = 28,
        MeshBvh = 29,
        SdfIter = 30,
    }
}

impl VisFlag {
    /// Name for a user interface, whether the flag is set by default, and its keyboard shortcut.
    #[doc(alias = "mjVISSTRING")]
    #[must_use]
    pub const fn info(self) -> (&'static str, bool, &'static str) {
        match self {
            Self::ConvexHull => ("Convex Hull", false, "H"),
            Self::Texture => ("Texture", true, "X"),
            Self::Joint => ("Joint", false, "J"),
            Self::Camera => ("Camera", false, "Q"),
            Self::Actuator => ("Actuator", false, "U"),
            Self::Activation => ("Activation", false, ","),
            Self::Light => ("Light", false, "Z"),
            Self::Tendon => ("Tendon", true, "V"),
            Self::Rangefinder => ("Range Finder", true, "Y"),
            Self::Constraint => ("Equality", false, "E"),
            Self::Inertia => ("Inertia", false, "I"),
            Self::SclInertia => ("Scale Inertia", false, "'"),
            Self::PertForce => ("Perturb Force", false, "B"),
            Self::PertObj => ("Perturb Object", true, "O"),
            Self::ContactPoint => ("Contact Point", false, "C"),
            Self::Island => ("Island", false, "N"),
            Self::ContactForce => ("Contact Force", false, "F"),
            Self::ContactSplit => ("Contact Split", false, "P"),
            Self::Transparent => ("Transparent", false, "T"),
            Self::AutoConnect => ("Auto Connect", false, "A"),
            Self::Com => ("Center of Mass", false, "M"),
            Self::Select => ("Select Point", false, ""),
            Self::Static => ("Static Body", true, "D"),
            Self::Skin => ("Skin", true, ";"),
            Self::FlexVert => ("Flex Vert", false, ""),
            Self::FlexEdge => ("Flex Edge", true, ""),
            Self::FlexFace => ("Flex Face", false, ""),
            Self::FlexSkin => ("Flex Skin", true, ""),
            Self::BodyBvh => ("Body Tree", false, "`"),
            Self::MeshBvh => ("Mesh Tree", false, "\\"),
            Self::SdfIter => ("SDF iters", false, ""),
        }
    }
}

numbered_enum! {
    /// Flag that enables a rendering effect.
    #[doc(alias = "mjtRndFlag")]
    RenderFlag: i32 {
        Shadow = 0,
        Wireframe = 1,
        Reflection = 2,
        Additive = 3,
        Skybox = 4,
        Fog = 5,
        Haze = 6,
        Depth = 7,
        Segment = 8,
        IdColor = 9,
        CullFace = 10,
    }
}

impl RenderFlag {
    /// Name for a user interface, whether the flag is set by default, and its keyboard shortcut.
    #[doc(alias = "mjRNDSTRING")]
    #[must_use]
    pub const fn info(self) -> (&'static str, bool, &'static str) {
        match self {
            Self::Shadow => ("Shadow", true, "S"),
            Self::Wireframe => ("Wireframe", false, "W"),
            Self::Reflection => ("Reflection", true, "R"),
            Self::Additive => ("Additive", false, "L"),
            Self::Skybox => ("Skybox", true, "K"),
            Self::Fog => ("Fog", false, "G"),
            Self::Haze => ("Haze", true, "/"),
            Self::Depth => ("Depth", false, ""),
            Self::Segment => ("Segment", false, ","),
            Self::IdColor => ("Id Color", false, ""),
            Self::CullFace => ("Cull Face", true, ""),
        }
    }
}

numbered_enum! {
    /// Stereoscopic rendering.
    #[doc(alias = "mjtStereo")]
    Stereo: i32 {
        None = 0,
        QuadBuffered = 1,
        SideBySide = 2,
    }
}
