//! Model-wide settings: `compiler`, `size`, `statistic`, `visual`.

use super::Origin;
use sim_core::types::LengthRangeOptions;

/// A choice that can be left to the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tri {
    /// No.
    False,
    /// Yes.
    True,
    /// Decided from other attributes.
    #[default]
    Auto,
}

/// Unit of angles in a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Angle {
    /// Radians.
    Radian,
    /// Degrees.
    #[default]
    Degree,
}

/// How the inertia of a body is added to that of the parent it becomes a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FuseInertia {
    /// Moved into the frame of the parent.
    #[default]
    Exact,
    /// As MuJoCo 3.8.0 does, which joins the two poses in the wrong order: the same unless one of
    /// them is turned.
    Mujoco,
}

/// How to compile a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiler {
    /// Whether a range alone makes a limit.
    pub autolimits: bool,
    /// Smallest mass of a moving body.
    pub boundmass: f64,
    /// Smallest diagonal inertia of a moving body.
    pub boundinertia: f64,
    /// Total mass to scale the model to; not positive: leave it.
    pub settotalmass: f64,
    /// Whether to repair inertias that violate A + B ≥ C.
    pub balanceinertia: bool,
    /// Unit of angles.
    pub angle: Angle,
    /// Order of Euler rotations; lower case rotates with the frame, upper case is fixed.
    pub eulerseq: String,
    /// Whether inertia comes from geoms.
    pub inertiafromgeom: Tri,
    /// First and last geom group that counts for inertia.
    pub inertiagrouprange: [i32; 2],
    /// Whether saved models carry explicit inertias.
    pub saveinertial: bool,
    /// Directory of meshes.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// Whether directories are removed from file names.
    pub strippath: bool,
    /// Whether primitives are fitted to the bounding box of a mesh.
    pub fitaabb: bool,
    /// Whether geoms and assets that only the eye needs are left out.
    pub discardvisual: bool,
    /// Whether bodies without joints become part of their parents.
    pub fusestatic: bool,
    /// How the inertia of fused bodies is added; an attribute of our own.
    pub fuseinertia: FuseInertia,
    /// Whether the frames of free bodies are moved to their inertial frames.
    pub alignfree: bool,
    /// Whether compilation may use threads.
    pub usethread: bool,
    /// How the length ranges of actuators are found.
    pub lengthrange: LengthRangeOptions,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            angle: Angle::Degree,
            eulerseq: "xyz".to_owned(),
            inertiafromgeom: Tri::Auto,
            inertiagrouprange: [0, 5],
            saveinertial: false,
            meshdir: String::new(),
            texturedir: String::new(),
            strippath: false,
            fitaabb: false,
            discardvisual: false,
            fusestatic: false,
            fuseinertia: FuseInertia::Exact,
            alignfree: false,
            usethread: true,
            lengthrange: LengthRangeOptions::default(),
        }
    }
}

/// Requested sizes; −1 leaves the choice to the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Sizes {
    /// Arena size in bytes.
    pub memory: Option<u64>,
    pub njmax: i32,
    pub nconmax: i32,
    pub nstack: i32,
    /// Where the last `size` is; `None` when there is none.
    pub origin: Option<Origin>,
    pub nuserdata: i32,
    pub nkey: i32,
    pub nuser_body: i32,
    pub nuser_jnt: i32,
    pub nuser_geom: i32,
    pub nuser_site: i32,
    pub nuser_cam: i32,
    pub nuser_tendon: i32,
    pub nuser_actuator: i32,
    pub nuser_sensor: i32,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            memory: None,
            njmax: -1,
            nconmax: -1,
            nstack: -1,
            origin: None,
            nuserdata: 0,
            nkey: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
        }
    }
}

/// Statistics that replace the computed ones.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct StatisticOverride {
    pub meaninertia: Option<f64>,
    pub meanmass: Option<f64>,
    pub meansize: Option<f64>,
    pub extent: Option<f64>,
    pub center: Option<[f64; 3]>,
}

/// One attribute of the `visual` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisualAttribute {
    /// Element inside `visual`, such as `map`.
    pub element: String,
    /// Attribute name.
    pub name: String,
    /// Attribute text, already checked against the schema.
    pub value: String,
}
