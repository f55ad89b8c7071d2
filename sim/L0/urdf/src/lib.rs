//! URDF parser.
//!
//! A robot is converted to the same [`Spec`] as MJCF, with the values of MuJoCo's importer, and
//! compiled by the same compiler. No part of a file is ignored silently: it is simulated, or
//! reported as an error or as a warning with file, line and column.
//!
//! ```
//! let robot = r#"
//!   <robot name="gripper">
//!     <link name="palm"/>
//!     <link name="left">
//!       <inertial> <mass value="0.1"/>
//!         <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/> </inertial>
//!     </link>
//!     <link name="right">
//!       <inertial> <mass value="0.1"/>
//!         <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/> </inertial>
//!     </link>
//!     <joint name="open" type="prismatic">
//!       <parent link="palm"/> <child link="left"/> <axis xyz="0 1 0"/>
//!       <limit lower="0" upper="0.04" effort="20"/>
//!     </joint>
//!     <joint name="follow" type="prismatic">
//!       <parent link="palm"/> <child link="right"/> <axis xyz="0 1 0"/>
//!       <mimic joint="open" multiplier="-1"/>
//!     </joint>
//!   </robot>"#;
//! let model = sim_urdf::load_str(robot)?;
//! assert_eq!((model.nv, model.neq), (2, 1));
//!
//! let errors = sim_urdf::load_str("<robot name='r'><link/></robot>").unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "<string>:1:17: error: <link> attribute \"name\": required attribute is missing"
//! );
//! # Ok::<(), sim_urdf::Errors>(())
//! ```
//!
//! # Mapping
//!
//! | URDF | spec |
//! |---|---|
//! | `link` | body; the root is fixed to the world, a link named `world` is the world |
//! | `revolute`, `continuous` | hinge |
//! | `prismatic` | slide |
//! | `fixed` | no joint; the body is fused with its parent unless `fusestatic="false"` |
//! | `floating` | free joint; in a moving frame, three slide joints and a ball joint |
//! | `planar` | two slide joints and a hinge, with suffixes `_TX`, `_TY`, `_RZ` |
//! | `spherical` | ball |
//! | `mimic` | joint equality with `polycoef="offset multiplier 0 0 0"` |
//! | `limit` | `range`; `effort` becomes `actuatorfrcrange` |
//! | `dynamics` | `damping`, `frictionloss` |
//! | `inertial` | `inertial`, rotated with its `origin` |
//! | `collision` | geom of group 0 |
//! | `visual` | non-colliding geom of group 1, discarded by default (`discardvisual`) |
//! | `<mujoco>` | `compiler`, `option` and `size` of MJCF |
//!
//! [`Fidelity::Mujoco`] reproduces MuJoCo also where its importer ignores parts of the file:
//! `mimic`, rotations of inertias, textures, meshes with the same name in two directories.

mod front_end;
mod lower;
mod read;
mod resolve;
mod robot;
mod schema;

pub use front_end::{Fidelity, Urdf};
pub use resolve::{FilePaths, Request, Resolve};
pub use robot::{
    Calibration, Dynamics, Geometry, Inertial, Joint, JointKind, Limit, Link, Material, Mimic,
    Pose, Robot, Role, SafetyController, Shape,
};
pub use sim_mjcf::{Error, ErrorKind, Errors, Loaded, Location, Spec, Warning};

use sim_core::Model;
use sim_mjcf::Loader;
use std::path::Path;

/// A loader of MJCF and URDF files on disk, distinguished by the root element.
#[must_use]
pub fn loader() -> Loader {
    Urdf::default().loader()
}

/// Compiles a model from a URDF or MJCF string. Files are resolved relative to the working
/// directory.
///
/// # Errors
///
/// All errors of the model, with their locations.
pub fn load_str(text: &str) -> Result<Model, Errors> {
    Ok(load_str_with_warnings(text)?.model)
}

/// Compiles a model from a URDF or MJCF file. Other files are resolved relative to it.
///
/// # Errors
///
/// All errors of the model, with their locations.
pub fn load_file(path: impl AsRef<Path>) -> Result<Model, Errors> {
    Ok(load_file_with_warnings(path)?.model)
}

/// Like [`load_str`], and also returns the warnings.
///
/// # Errors
///
/// All errors of the model, with their locations.
pub fn load_str_with_warnings(text: &str) -> Result<Loaded, Errors> {
    parse_str(text)?.compile_with_warnings()
}

/// Like [`load_file`], and also returns the warnings.
///
/// # Errors
///
/// All errors of the model, with their locations.
pub fn load_file_with_warnings(path: impl AsRef<Path>) -> Result<Loaded, Errors> {
    parse_file(path)?.compile_with_warnings()
}

/// Parses a URDF or MJCF string without compiling it.
///
/// # Errors
///
/// All errors of the text, with their locations.
pub fn parse_str(text: &str) -> Result<Spec, Errors> {
    loader().parse_str(text, "")
}

/// Parses a URDF or MJCF file without compiling it.
///
/// # Errors
///
/// All errors of the text, with their locations.
pub fn parse_file(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    loader().parse(&path.as_ref().display().to_string())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
