//! Conformance with MuJoCo 3.8.0, measured array by array.
//!
//! The oracle (`oracle/oracle.py`, a separate Python process) records the results of MuJoCo for one
//! model in an [`Archive`]. The [comparison](compare) runs our engine on the same model and states and
//! checks every array against the [tolerance] of the stage that writes it. Goldens are committed
//! archives; live mode records temporary ones.

mod archive;
pub mod box_overlap;
pub mod compare;
pub mod convex;
pub mod golden;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod hulls;
#[cfg(feature = "render")]
pub mod image_golden;
#[cfg(feature = "render")]
pub mod images;
pub mod known;
pub mod live;
mod oracle;
pub mod random;
pub mod soak;
pub mod tolerance;
pub mod versions;
mod worker;

pub use archive::{Archive, ArchiveError};
pub use oracle::{Oracle, OracleError, Overrides, Recorder, Recording};

use sim_mjcf::{Errors, Spec};
use sim_urdf::{Fidelity, Request, Urdf};
use std::path::{Path, PathBuf};

/// The release of MuJoCo that decides whether results are right; others are only reported on.
pub const REFERENCE: &str = "3.8.0";

/// Parses MJCF, or URDF with the restrictions of MuJoCo's importer ([`Fidelity::Mujoco`]).
///
/// # Errors
/// All errors of the file.
pub fn parse(path: &Path) -> Result<Spec, Errors> {
    // MuJoCo treats every file name as a path, including `package://` URLs
    let urdf = Urdf::default().fidelity(Fidelity::Mujoco).resolver(|_: &Request<'_>| None);
    let loader = urdf.loader();
    loader.parse(&path.display().to_string())
}

/// The folder of this crate, which contains the models, the goldens and the oracle's scripts.
#[must_use]
pub fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
