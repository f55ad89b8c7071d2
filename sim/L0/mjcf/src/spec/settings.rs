//! Model settings: `compiler`, `size`, `statistic`, `visual`.

use super::Origin;
use sim_core::types::LengthRangeOptions;

/// Three-valued option (`false`, `true`, `auto`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tri {
    /// `false`.
    False,
    /// `true`.
    True,
    /// Determined by the compiler.
    #[default]
    Auto,
}

/// Unit of angles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Angle {
    /// Radians.
    Radian,
    /// Degrees.
    #[default]
    Degree,
}

/// Transformation of inertias by `fusestatic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FuseInertia {
    /// Transformed to the frame of the parent.
    #[default]
    Exact,
    /// As in MuJoCo 3.8.0, which composes the two poses in the wrong order; the results differ if
    /// one of them is rotated.
    Mujoco,
}

/// Compiler settings (mjsCompiler).
#[derive(Debug, Clone, PartialEq)]
pub struct Compiler {
    /// Whether limits are inferred from ranges.
    pub autolimits: bool,
    /// Lower bound of body masses.
    pub boundmass: f64,
    /// Lower bound of diagonal inertias.
    pub boundinertia: f64,
    /// Total mass to which the model is scaled; disabled if not positive.
    pub settotalmass: f64,
    /// Whether to balance inertias that violate A + B ≥ C.
    pub balanceinertia: bool,
    /// Unit of angles.
    pub angle: Angle,
    /// Sequence of Euler rotations; lower case is intrinsic, upper case extrinsic.
    pub eulerseq: String,
    /// Whether inertias are computed from geoms.
    pub inertiafromgeom: Tri,
    /// Range of geom groups that contribute to inertia.
    pub inertiagrouprange: [i32; 2],
    /// Whether saved models contain explicit inertias.
    pub saveinertial: bool,
    /// Directory of meshes.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// Whether directories are removed from file names.
    pub strippath: bool,
    /// Whether primitives are fitted to the bounding box of a mesh.
    pub fitaabb: bool,
    /// Whether geoms and assets used only for visualization are discarded.
    pub discardvisual: bool,
    /// Whether static bodies are fused with their parents.
    pub fusestatic: bool,
    /// Transformation of inertias by `fusestatic`; an extension of MJCF.
    pub fuseinertia: FuseInertia,
    /// Whether the frames of free bodies are aligned with their inertial frames.
    pub alignfree: bool,
    /// Whether compilation may use threads.
    pub usethread: bool,
    /// Computation of actuator length ranges.
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

/// Requested sizes; −1 for automatic.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Sizes {
    /// Arena size in bytes.
    pub memory: Option<u64>,
    pub njmax: i32,
    pub nconmax: i32,
    pub nstack: i32,
    /// Source location of the last `size` element, if any.
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

/// Overrides of computed statistics.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct StatisticOverride {
    pub meaninertia: Option<f64>,
    pub meanmass: Option<f64>,
    pub meansize: Option<f64>,
    pub extent: Option<f64>,
    pub center: Option<[f64; 3]>,
}

/// An attribute of the `visual` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisualAttribute {
    /// Child element of `visual`, such as `map`.
    pub element: String,
    /// Attribute name.
    pub name: String,
    /// Attribute value, validated against the schema.
    pub value: String,
}
