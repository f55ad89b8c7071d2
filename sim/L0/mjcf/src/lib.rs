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
mod compile;
mod error;
mod read;
pub mod schema;
pub mod spec;
mod xml;

pub use error::{Error, ErrorKind, Errors, Location, Warning};
pub use spec::Spec;

use error::Report;
use sim_core::Model;
use std::path::Path;
use xml::Files;

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
    parse("<string>".to_owned(), text.to_owned(), &Files::default())
}

/// Reads a model from a file without compiling it.
///
/// # Errors
///
/// Everything that is wrong with the text, each with its place.
pub fn parse_file(path: impl AsRef<Path>) -> Result<Spec, Errors> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let mut report = Report::default();
    let text = xml::load(path).unwrap_or_else(|kind| {
        let location = Location { file: name.clone(), line: 1, column: 1 };
        report.error(location, "", None, kind);
        String::new()
    });
    report.check()?;
    let directory = path.parent().map(Path::to_path_buf);
    parse(name, text, &Files { directory })
}

fn parse(name: String, text: String, files: &Files) -> Result<Spec, Errors> {
    let mut report = Report::default();
    let tree = xml::read(name, text, files, &mut report);
    report.check()?;
    let Some((dom, root)) = tree else {
        return Ok(Spec::default());
    };
    schema::check(&dom, root, &mut report);
    report.check()?;
    let mut spec = read::read(&dom, root, &mut report);
    report.check()?;
    spec.warnings = report.warnings;
    Ok(spec)
}
