//! MJCF parser and model compiler.
//!
//! Passes: parse the XML and expand includes, validate it against the schema, build a [`Spec`] with
//! default classes applied, and compile it to a [`Model`]. Errors are reported with file, line,
//! column, element and attribute, several at once.
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
mod compile;
mod error;
pub mod frontend;
mod limits;
mod lint;
mod loader;
mod model_file;
mod read;
mod recompile;
pub mod schema;
pub mod spec;
mod vfs;
mod write;
mod xml;

pub use error::{Error, ErrorKind, Errors, Location, Warning};
pub use loader::Loader;
pub use model_file::{load_model, save_model};
pub use spec::Spec;
pub use vfs::{Vfs, VfsError};

use sim_core::Model;
use std::path::Path;

/// A compiled model with the warnings of its compilation.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Warnings, in order of detection.
    pub warnings: Vec<Warning>,
}

/// Compiles a model from an MJCF string. Files are resolved relative to the working directory.
///
/// # Errors
///
/// All errors of the model, with their locations.
pub fn load_str(text: &str) -> Result<Model, Errors> {
    Ok(load_str_with_warnings(text)?.model)
}

/// Compiles a model from a file. Other files are resolved relative to it.
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

/// Parses an MJCF string to a [`Spec`] (mj_parseXMLString).
///
/// # Errors
///
/// All errors of the text, with their locations.
pub fn parse_str(text: &str) -> Result<Spec, Errors> {
    Loader::default().parse_str(text, "")
}

/// Parses a file to a [`Spec`] (mj_parseXML).
///
/// # Errors
///
/// All errors of the text, with their locations.
pub fn parse_file(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    Loader::default().parse(&path.as_ref().display().to_string())
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
