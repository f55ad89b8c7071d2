//! Attribute value types used by the schema table.

use super::ValueType;

/// Exactly `n` integers.
const fn ints(n: usize) -> ValueType {
    ValueType::Int { min: n, max: n }
}

/// Exactly `n` real numbers.
const fn reals(n: usize) -> ValueType {
    ValueType::Real { min: n, max: n }
}

/// From one to `n` real numbers; the rest keep their defaults.
const fn up_to(n: usize) -> ValueType {
    ValueType::Real { min: 1, max: n }
}

/// Maximum length of a list without a specific limit.
const MAX_LIST: usize = 1 << 24;

/// A name or path.
pub(super) const TEXT: ValueType = ValueType::Text { max: 1 << 16 };
/// Custom text.
pub(super) const LONG_TEXT: ValueType = ValueType::Text { max: 1 << 24 };
/// Data of a custom numeric field.
pub(super) const UP_TO_500: ValueType = ValueType::Real { min: 0, max: 500 };
pub(super) const I1: ValueType = ints(1);
pub(super) const I2: ValueType = ints(2);
pub(super) const I3: ValueType = ints(3);
pub(super) const INTS: ValueType = ValueType::Int { min: 0, max: MAX_LIST };
pub(super) const UP_TO_31: ValueType = ValueType::Int { min: 1, max: 31 };
pub(super) const UP_TO_3_INTS: ValueType = ValueType::Int { min: 1, max: 3 };
pub(super) const SOFT_SHAPE: ValueType = ValueType::Keyword(&["box", "sphere"]);
pub(super) const SOFT_MODEL: ValueType = ValueType::Keyword(&["springs", "neohookean"]);
pub(super) const R1: ValueType = reals(1);
pub(super) const R2: ValueType = reals(2);
pub(super) const R3: ValueType = reals(3);
pub(super) const R4: ValueType = reals(4);
pub(super) const R6: ValueType = reals(6);
pub(super) const R7: ValueType = reals(7);
pub(super) const REALS: ValueType = ValueType::Real { min: 0, max: MAX_LIST };
pub(super) const UP_TO_2: ValueType = up_to(2);
pub(super) const UP_TO_3: ValueType = up_to(3);
pub(super) const UP_TO_5: ValueType = up_to(5);
pub(super) const UP_TO_6: ValueType = up_to(6);
pub(super) const UP_TO_10: ValueType = up_to(10);

pub(super) const BOOL: ValueType = ValueType::Keyword(&["false", "true"]);
pub(super) const TRI: ValueType = ValueType::Keyword(&["false", "true", "auto"]);
pub(super) const FLAG: ValueType = ValueType::Keyword(&["disable", "enable"]);
pub(super) const COORDINATE: ValueType = ValueType::Keyword(&["local", "global"]);
pub(super) const ANGLE: ValueType = ValueType::Keyword(&["radian", "degree"]);
pub(super) const FLUID: ValueType = ValueType::Keyword(&["none", "ellipsoid"]);
pub(super) const SLEEP: ValueType = ValueType::Keyword(&["auto", "never", "allowed", "init"]);
pub(super) const JOINT: ValueType = ValueType::Keyword(&["free", "ball", "slide", "hinge"]);
pub(super) const GEOM: ValueType = ValueType::Keyword(&[
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
pub(super) const PROJECTION: ValueType = ValueType::Keyword(&["perspective", "orthographic"]);
pub(super) const CAMLIGHT: ValueType =
    ValueType::Keyword(&["fixed", "track", "trackcom", "targetbody", "targetbodycom"]);
pub(super) const LIGHT: ValueType = ValueType::Keyword(&["spot", "directional", "point", "image"]);
pub(super) const INTEGRATOR: ValueType =
    ValueType::Keyword(&["Euler", "RK4", "implicit", "implicitfast", "impliciteuler"]);
pub(super) const CONE: ValueType = ValueType::Keyword(&["pyramidal", "elliptic"]);
pub(super) const JACOBIAN: ValueType = ValueType::Keyword(&["dense", "sparse", "auto"]);
pub(super) const SOLVER: ValueType = ValueType::Keyword(&["PGS", "CG", "Newton"]);
pub(super) const TEXTURE: ValueType = ValueType::Keyword(&["2d", "cube", "skybox"]);
pub(super) const COLORSPACE: ValueType = ValueType::Keyword(&["auto", "linear", "sRGB"]);
pub(super) const BUILTIN: ValueType = ValueType::Keyword(&["none", "gradient", "checker", "flat"]);
pub(super) const MARK: ValueType = ValueType::Keyword(&["none", "edge", "cross", "random"]);
pub(super) const DYN: ValueType = ValueType::Keyword(&[
    "none",
    "integrator",
    "filter",
    "filterexact",
    "muscle",
    "dcmotor",
    "user",
]);
pub(super) const GAIN: ValueType =
    ValueType::Keyword(&["fixed", "affine", "muscle", "dcmotor", "user"]);
pub(super) const BIAS: ValueType =
    ValueType::Keyword(&["none", "affine", "muscle", "dcmotor", "user"]);
pub(super) const INTERP: ValueType = ValueType::Keyword(&["zoh", "linear", "cubic"]);
pub(super) const STAGE: ValueType = ValueType::Keyword(&["none", "pos", "vel", "acc"]);
pub(super) const DATATYPE: ValueType =
    ValueType::Keyword(&["real", "positive", "axis", "quaternion"]);
pub(super) const LRMODE: ValueType = ValueType::Keyword(&["none", "muscle", "muscleuser", "all"]);
pub(super) const COMPOSITE: ValueType =
    ValueType::Keyword(&["particle", "grid", "rope", "loop", "cable", "cloth"]);
pub(super) const JOINTKIND: ValueType = ValueType::Keyword(&["main"]);
pub(super) const MESHINERTIA: ValueType =
    ValueType::Keyword(&["convex", "legacy", "exact", "shell"]);
/// Extension: combination of inertias by `fusestatic`.
pub(super) const FUSEINERTIA: ValueType = ValueType::Keyword(&["exact", "mujoco"]);
/// Extension: collision geometry of a mesh.
pub(super) const MESHCOLLIDER: ValueType = ValueType::Keyword(&["hull", "triangles"]);
pub(super) const FLEXCOMP: ValueType = ValueType::Keyword(&[
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
pub(super) const FLEXDOF: ValueType =
    ValueType::Keyword(&["full", "radial", "trilinear", "quadratic", "2d"]);
pub(super) const FLEXSELF: ValueType =
    ValueType::Keyword(&["none", "narrow", "bvh", "sap", "auto"]);
pub(super) const ELASTIC2D: ValueType = ValueType::Keyword(&["none", "bend", "stretch", "both"]);
pub(super) const FLEXEQ: ValueType = ValueType::Keyword(&["false", "true", "vert", "strain"]);
pub(super) const INPUT: ValueType = ValueType::Keyword(&["voltage", "position", "velocity"]);
pub(super) const REDUCE: ValueType =
    ValueType::Keyword(&["none", "mindist", "maxforce", "netforce"]);
pub(super) const CAMOUT: ValueType =
    ValueType::Keywords(&["rgb", "depth", "distance", "normal", "segmentation"]);
pub(super) const CONDATA: ValueType =
    ValueType::Keywords(&["found", "force", "torque", "dist", "pos", "normal", "tangent"]);
pub(super) const RAYDATA: ValueType =
    ValueType::Keywords(&["dist", "dir", "origin", "point", "normal", "depth"]);
pub(super) const TEXROLE: ValueType = ValueType::Keyword(&[
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
pub(super) const MESHBUILTIN: ValueType = ValueType::Keyword(&[
    "none",
    "sphere",
    "hemisphere",
    "cone",
    "supersphere",
    "supertorus",
    "wedge",
    "plate",
]);
