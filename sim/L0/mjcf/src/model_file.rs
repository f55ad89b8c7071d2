//! Binary model files (mj_saveModel, mj_loadModel).

use crate::error::{ErrorKind, Errors, Location, Report};
use crate::{Loader, Vfs};
use sim_core::Model;
use std::path::Path;

/// Saves a compiled model to a binary file, which [`load_model`] reads faster than MJCF compiles.
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

/// Loads a compiled model from a file written by [`save_model`].
///
/// # Errors
///
/// The file cannot be read, is not a compiled model, has another version, or is corrupted.
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
