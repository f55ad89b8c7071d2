//! Compiled models in files.

use crate::error::{ErrorKind, Errors, Location, Report};
use crate::{Loader, Vfs};
use sim_core::Model;
use std::path::Path;

/// Saves a compiled model; [`load_model`] reads it back in a fraction of the time of compiling.
///
/// # Errors
///
/// The file cannot be written.
#[doc(alias = "mj_saveModel")]
pub fn save_model(model: &Model, path: impl AsRef<Path>) -> Result<(), Errors> {
    let path = path.as_ref();
    let result = std::fs::write(path, model.to_bytes());
    result.map_err(|e| failed(path, ErrorKind::Write(e.to_string())))
}

/// Loads a model that [`save_model`] wrote.
///
/// # Errors
///
/// The file cannot be read, is not a compiled model, not of this version, or damaged.
#[doc(alias = "mj_loadModel")]
pub fn load_model(path: impl AsRef<Path>) -> Result<Model, Errors> {
    let path = path.as_ref();
    let loader = Loader::new(Vfs::disk());
    let bytes = loader.vfs().read(&path.display().to_string());
    let bytes = bytes.map_err(|e| failed(path, ErrorKind::Io(e.to_string())))?;
    Model::from_bytes(&bytes).map_err(|e| failed(path, ErrorKind::Io(e.to_string())))
}

fn failed(path: &Path, kind: ErrorKind) -> Errors {
    let mut report = Report::default();
    let location = Location { file: path.display().to_string(), line: 1, column: 1 };
    report.error(location, "", None, kind);
    report.check().err().unwrap_or_default()
}
