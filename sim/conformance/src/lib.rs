//! Agreement with MuJoCo, measured array by array.
//!
//! The oracle (`oracle/oracle.py`, a separate Python process) records what the reference engine
//! computes for a model into an [`Archive`]. The comparer runs our engine on the same model and
//! states and judges every array by the [tolerance] of the stage that writes it. Goldens
//! are archives that live in the repository; live mode records them on the fly.

mod archive;
pub mod compare;
pub mod convex;
pub mod golden;
pub mod known;
pub mod live;
mod oracle;
pub mod soak;
pub mod tolerance;

pub use archive::{Archive, ArchiveError};
pub use oracle::{Oracle, OracleError, Overrides, Recording};

use sim_mjcf::{Errors, Spec};
use sim_urdf::{Fidelity, Request, Urdf};
use std::path::{Path, PathBuf};

/// Reads MJCF, or URDF as MuJoCo's importer does: with what it drops left out.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn parse(path: &Path) -> Result<Spec, Errors> {
    // the reference engine takes every name of a file for a path, `package://` too
    let urdf = Urdf::default().fidelity(Fidelity::Mujoco).resolver(|_: &Request<'_>| None);
    let loader = urdf.loader();
    loader.parse(&path.display().to_string())
}

/// The folder of this crate: models, goldens and the oracle's script live below it.
#[must_use]
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
