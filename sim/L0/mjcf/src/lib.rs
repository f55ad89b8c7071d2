//! MJCF in, compiled models out.
//!
//! Text goes through a visible list of passes: read the XML and splice includes, check it against
//! the schema, build a [`Spec`] with default classes applied, and compile that to a
//! [`Model`]. Whatever is wrong with a model is reported with file, line, column,
//! element and attribute, several errors at once.
//!
//! ```
//! let model = sim_mjcf::load_str(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body>
//!              <joint name="hinge" axis="0 1 0"/>
//!              <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! assert_eq!(model.nv, 1);
//!
//! let errors = sim_mjcf::load_str("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>").unwrap_err();
//! assert_eq!(
//!     errors.to_string(),
//!     "<string>:1:26: error: <geom> attribute \"sise\": unknown attribute; did you mean `size`?"
//! );
//! # Ok::<(), sim_mjcf::Errors>(())
//! ```

pub mod asset;
mod binary;
mod budget;
mod compile;
mod error;
pub mod frontend;
mod lint;
mod loader;
mod read;
mod recompile;
pub mod schema;
pub mod spec;
mod vfs;
mod write;
mod xml;

pub use binary::{load_model, save_model};
pub use error::{Error, ErrorKind, Errors, Location, Warning};
pub use loader::Loader;
pub use spec::Spec;
pub use vfs::{Vfs, VfsError};

use sim_core::Model;
use std::path::Path;

/// A compiled model, with what is worth a second look in its description.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Warnings, in the order of discovery.
    pub warnings: Vec<Warning>,
}

/// Compiles a model from text. Included files are looked for in the working directory.
///
/// # Errors
///
/// Everything that is wrong with the model, each with its place.
pub fn load_str(text: &str) -> Result<Model, Errors> {
    Ok(load_str_with_warnings(text)?.model)
}

/// Compiles a model from a file. Included files are looked for beside it.
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

/// Reads a model from text without compiling it.
///
/// # Errors
///
/// Everything that is wrong with the text, each with its place.
pub fn parse_str(text: &str) -> Result<Spec, Errors> {
    Loader::default().parse_str(text, "")
}

/// Reads a model from a file without compiling it.
///
/// # Errors
///
/// Everything that is wrong with the text, each with its place.
pub fn parse_file(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    Loader::default().parse(&path.as_ref().display().to_string())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
