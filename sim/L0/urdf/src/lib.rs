//! URDF in, editable models out.
//!
//! A robot becomes the same [`Spec`] that MJCF becomes, with the numbers that MuJoCo's own importer
//! gives, and is compiled by the same compiler. Nothing in the file is dropped silently: it is
//! simulated, or it is an error, or a warning names it with file, line and column.
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
//! # What becomes what
//!
//! | URDF | spec |
//! |---|---|
//! | `link` | body; the root is fixed to the world, one named `world` is the world |
//! | `revolute`, `continuous` | hinge |
//! | `prismatic` | slide |
//! | `fixed` | no joint; the body becomes a part of its parent unless `fusestatic="false"` |
//! | `floating` | free joint; in a frame that moves, three slides and a ball |
//! | `planar` | two slides and a hinge, with `_TX`, `_TY`, `_RZ` after the name |
//! | `spherical` | ball |
//! | `mimic` | joint equality with `polycoef="offset multiplier 0 0 0"` |
//! | `limit` | `range`; `effort` becomes `actuatorfrcrange` |
//! | `dynamics` | `damping`, `frictionloss` |
//! | `inertial` | `inertial`, turned with its `origin` |
//! | `collision` | geom of group 0 |
//! | `visual` | geom of group 1 that touches nothing, unless `discardvisual` (the default) |
//! | `<mujoco>` | `compiler`, `option` and `size` of MJCF |
//!
//! [`Fidelity::Mujoco`] gives MuJoCo's numbers also where its importer drops something: `mimic`, the
//! rotation of an inertia, textures, meshes of one name in two folders.

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

/// A loader of files on disk that reads MJCF and URDF, by the root element.
#[must_use]
pub fn loader() -> Loader {
    Urdf::default().loader()
}

/// Compiles a model from text, URDF or MJCF. Meshes are looked for in the working directory.
///
/// # Errors
///
/// Everything that is wrong with the model, each with its place.
pub fn load_str(text: &str) -> Result<Model, Errors> {
    Ok(load_str_with_warnings(text)?.model)
}

/// Compiles a model from a file, URDF or MJCF. Meshes are looked for beside it.
///
/// # Errors
///
/// Everything that is wrong with the model, each with its place.
pub fn load_file(path: impl AsRef<Path>) -> Result<Model, Errors> {
    Ok(load_file_with_warnings(path)?.model)
}

/// As [`load_str`], and returns the warnings too.
///
/// # Errors
///
/// Everything that is wrong with the model, each with its place.
pub fn load_str_with_warnings(text: &str) -> Result<Loaded, Errors> {
    parse_str(text)?.compile_with_warnings()
}

/// As [`load_file`], and returns the warnings too.
///
/// # Errors
///
/// Everything that is wrong with the model, each with its place.
pub fn load_file_with_warnings(path: impl AsRef<Path>) -> Result<Loaded, Errors> {
    parse_file(path)?.compile_with_warnings()
}

/// Reads a model from text, URDF or MJCF, without compiling it.
///
/// # Errors
///
/// Everything that is wrong with the text, each with its place.
pub fn parse_str(text: &str) -> Result<Spec, Errors> {
    loader().parse_str(text, "")
}

/// Reads a model from a file, URDF or MJCF, without compiling it.
///
/// # Errors
///
/// Everything that is wrong with the text, each with its place.
pub fn parse_file(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    loader().parse(&path.as_ref().display().to_string())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
