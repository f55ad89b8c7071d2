//! Speed of scenes, measured side by side with the reference engine.

pub mod batch;
pub mod collision;
pub mod compile;
mod fastest;
pub mod functions;
#[cfg(feature = "gpu")]
pub mod gpu;
mod heap;
pub mod kinematics;
pub mod scene;
pub mod sheets;
pub mod side_by_side;
#[cfg(feature = "profile")]
pub mod stages;
mod surface;

use sim_core::{Data, Model};

/// The controls of a batch: rows that are held for a number of steps each.
#[derive(Debug, Clone)]
pub struct Controls {
    /// Row after row.
    pub rows: Vec<f64>,
    /// Steps that a row is held for.
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
