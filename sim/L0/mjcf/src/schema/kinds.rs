//! The attribute types that the schema table names.

use super::Kind;

/// Exactly `n` whole numbers.
const fn ints(n: usize) -> Kind {
    Kind::Int { min: n, max: n }
}

/// Exactly `n` real numbers.
const fn reals(n: usize) -> Kind {
    Kind::Real { min: n, max: n }
}

/// From one to `n` real numbers; the rest keep their defaults.
const fn up_to(n: usize) -> Kind {
    Kind::Real { min: 1, max: n }
}

/// Most numbers of a list that has no bound of its own.
const MAX_LIST: usize = 1 << 24;

/// A name, a path, a word.
pub(super) const TEXT: Kind = Kind::Text { max: 1 << 16 };
/// Text that a model carries for its users.
pub(super) const LONG_TEXT: Kind = Kind::Text { max: 1 << 24 };
/// The numbers of a custom field.
pub(super) const UP_TO_500: Kind = Kind::Real { min: 0, max: 500 };
pub(super) const I1: Kind = ints(1);
pub(super) const I2: Kind = ints(2);
pub(super) const I3: Kind = ints(3);
pub(super) const INTS: Kind = Kind::Int { min: 0, max: MAX_LIST };
pub(super) const UP_TO_31: Kind = Kind::Int { min: 1, max: 31 };
pub(super) const UP_TO_3_INTS: Kind = Kind::Int { min: 1, max: 3 };
pub(super) const SOFT_SHAPE: Kind = Kind::Keyword(&["box", "sphere"]);
pub(super) const SOFT_MODEL: Kind = Kind::Keyword(&["springs", "neohookean"]);
pub(super) const R1: Kind = reals(1);
pub(super) const R2: Kind = reals(2);
pub(super) const R3: Kind = reals(3);
pub(super) const R4: Kind = reals(4);
pub(super) const R6: Kind = reals(6);
pub(super) const R7: Kind = reals(7);
pub(super) const REALS: Kind = Kind::Real { min: 0, max: MAX_LIST };
pub(super) const UP_TO_2: Kind = up_to(2);
pub(super) const UP_TO_3: Kind = up_to(3);
pub(super) const UP_TO_5: Kind = up_to(5);
pub(super) const UP_TO_6: Kind = up_to(6);
pub(super) const UP_TO_10: Kind = up_to(10);

pub(super) const BOOL: Kind = Kind::Keyword(&["false", "true"]);
pub(super) const TRI: Kind = Kind::Keyword(&["false", "true", "auto"]);
pub(super) const FLAG: Kind = Kind::Keyword(&["disable", "enable"]);
pub(super) const COORDINATE: Kind = Kind::Keyword(&["local", "global"]);
pub(super) const ANGLE: Kind = Kind::Keyword(&["radian", "degree"]);
pub(super) const FLUID: Kind = Kind::Keyword(&["none", "ellipsoid"]);
pub(super) const SLEEP: Kind = Kind::Keyword(&["auto", "never", "allowed", "init"]);
pub(super) const JOINT: Kind = Kind::Keyword(&["free", "ball", "slide", "hinge"]);
pub(super) const GEOM: Kind = Kind::Keyword(&[
    "plane",
    "hfield",
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "mesh",
    "sdf",
]);
pub(super) const PROJECTION: Kind = Kind::Keyword(&["perspective", "orthographic"]);
pub(super) const CAMLIGHT: Kind =
    Kind::Keyword(&["fixed", "track", "trackcom", "targetbody", "targetbodycom"]);
pub(super) const LIGHT: Kind = Kind::Keyword(&["spot", "directional", "point", "image"]);
pub(super) const INTEGRATOR: Kind =
    Kind::Keyword(&["Euler", "RK4", "implicit", "implicitfast", "impliciteuler"]);
pub(super) const CONE: Kind = Kind::Keyword(&["pyramidal", "elliptic"]);
pub(super) const JACOBIAN: Kind = Kind::Keyword(&["dense", "sparse", "auto"]);
pub(super) const SOLVER: Kind = Kind::Keyword(&["PGS", "CG", "Newton"]);
pub(super) const TEXTURE: Kind = Kind::Keyword(&["2d", "cube", "skybox"]);
pub(super) const COLORSPACE: Kind = Kind::Keyword(&["auto", "linear", "sRGB"]);
pub(super) const BUILTIN: Kind = Kind::Keyword(&["none", "gradient", "checker", "flat"]);
pub(super) const MARK: Kind = Kind::Keyword(&["none", "edge", "cross", "random"]);
pub(super) const DYN: Kind =
    Kind::Keyword(&["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "user"]);
pub(super) const GAIN: Kind = Kind::Keyword(&["fixed", "affine", "muscle", "dcmotor", "user"]);
pub(super) const BIAS: Kind = Kind::Keyword(&["none", "affine", "muscle", "dcmotor", "user"]);
pub(super) const INTERP: Kind = Kind::Keyword(&["zoh", "linear", "cubic"]);
pub(super) const STAGE: Kind = Kind::Keyword(&["none", "pos", "vel", "acc"]);
pub(super) const DATATYPE: Kind = Kind::Keyword(&["real", "positive", "axis", "quaternion"]);
pub(super) const LRMODE: Kind = Kind::Keyword(&["none", "muscle", "muscleuser", "all"]);
pub(super) const COMPOSITE: Kind =
    Kind::Keyword(&["particle", "grid", "rope", "loop", "cable", "cloth"]);
pub(super) const JOINTKIND: Kind = Kind::Keyword(&["main"]);
pub(super) const MESHINERTIA: Kind = Kind::Keyword(&["convex", "legacy", "exact", "shell"]);
/// Of our own: how the inertia of fused bodies is added.
pub(super) const FUSEINERTIA: Kind = Kind::Keyword(&["exact", "mujoco"]);
/// Of our own: what a mesh collides with.
pub(super) const MESHCOLLIDER: Kind = Kind::Keyword(&["hull", "triangles"]);
pub(super) const FLEXCOMP: Kind = Kind::Keyword(&[
    "grid",
    "box",
    "cylinder",
    "ellipsoid",
    "square",
    "disc",
    "circle",
    "mesh",
    "gmsh",
    "direct",
]);
pub(super) const FLEXDOF: Kind = Kind::Keyword(&["full", "radial", "trilinear", "quadratic", "2d"]);
pub(super) const FLEXSELF: Kind = Kind::Keyword(&["none", "narrow", "bvh", "sap", "auto"]);
pub(super) const ELASTIC2D: Kind = Kind::Keyword(&["none", "bend", "stretch", "both"]);
pub(super) const FLEXEQ: Kind = Kind::Keyword(&["false", "true", "vert", "strain"]);
pub(super) const INPUT: Kind = Kind::Keyword(&["voltage", "position", "velocity"]);
pub(super) const REDUCE: Kind = Kind::Keyword(&["none", "mindist", "maxforce", "netforce"]);
pub(super) const INITIAL: Kind = Kind::Keyword(&["free", "ball", "none"]);
pub(super) const CAMOUT: Kind =
    Kind::Keywords(&["rgb", "depth", "distance", "normal", "segmentation"]);
pub(super) const CONDATA: Kind =
    Kind::Keywords(&["found", "force", "torque", "dist", "pos", "normal", "tangent"]);
pub(super) const RAYDATA: Kind =
    Kind::Keywords(&["dist", "dir", "origin", "point", "normal", "depth"]);
pub(super) const TEXROLE: Kind = Kind::Keyword(&[
    "rgb",
    "occlusion",
    "roughness",
    "metallic",
    "normal",
    "opacity",
    "emissive",
    "rgba",
    "orm",
]);
pub(super) const MESHBUILTIN: Kind = Kind::Keyword(&[
    "none",
    "sphere",
    "hemisphere",
    "cone",
    "supersphere",
    "supertorus",
    "wedge",
    "plate",
]);
