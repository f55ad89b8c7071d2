//! Benchmarks: scenes, timed alone or interleaved with MuJoCo.

pub mod batch;
pub mod collision;
pub mod compile;
pub mod count;
mod fastest;
mod flex;
pub mod functions;
#[cfg(feature = "gpu")]
pub mod gpu;
mod heap;
pub mod history;
#[cfg(feature = "gpu")]
pub mod images;
pub mod kinematics;
pub mod lanes;
#[cfg(feature = "gpu")]
mod noise;
pub mod piles;
#[cfg(feature = "rapier")]
mod rapier;
pub mod scene;
pub mod sheets;
pub mod side_by_side;
#[cfg(feature = "gpu")]
pub mod soak;
#[cfg(feature = "profile")]
pub mod stages;
mod surface;

use sim_core::{Data, Model};

/// A thread on which a step solves its islands one after another. Elsewhere, a build with the feature `parallel` of
/// `sim-core`, which the conformance tests enable, solves the islands of large models on all cores.
///
/// # Errors
/// If the thread cannot be started.
pub fn single_thread() -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()
}

/// Controls of a batch of steps: a sequence of `ctrl` vectors, each held for several steps.
#[derive(Debug, Clone)]
pub struct Controls {
    /// The `ctrl` vectors, concatenated.
    pub rows: Vec<f64>,
    /// Number of steps for which a vector is held.
    pub hold: usize,
}

/// Takes `steps` steps with these controls.
///
/// # Errors
/// When a step fails.
pub fn advance(
    m: &Model,
    d: &mut Data,
    controls: &Controls,
    steps: usize,
) -> Result<(), sim_core::types::StepError> {
    for step in 0..steps {
        if step % controls.hold == 0 && m.nu > 0 {
            let row = step / controls.hold % (controls.rows.len() / m.nu).max(1);
            d.ctrl.copy_from_slice(&controls.rows[row * m.nu..][..m.nu]);
        }
        d.step(m)?;
    }
    Ok(())
}
