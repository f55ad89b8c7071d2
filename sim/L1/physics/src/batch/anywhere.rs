//! Batches on the processor and on a GPU, used in the same way.

use super::{BatchResult, BatchSim};
use crate::Error;

/// Environments that step together, wherever they are: write a program against this and change one
/// word to move it.
///
/// ```
/// use sim_physics::{BatchSim, Environments};
/// use std::sync::Arc;
///
/// fn fall(batch: &mut impl Environments) -> Result<f64, sim_physics::Error> {
///     let result = batch.advance(100)?;
///     Ok(result.state(0)[2])
/// }
///
/// let model = sim_physics::mjcf::load_str(
///     r#"<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>"#)?;
/// let mut batch = BatchSim::new(Arc::new(model), 8);
/// assert!(fall(&mut batch)? < -0.1);
/// # Ok::<(), sim_physics::Error>(())
/// ```
pub trait Environments {
    /// How many there are.
    fn count(&self) -> usize;

    /// Sets the controls of all environments, one after another.
    ///
    /// # Errors
    /// When there are too many or too few, or the device fails.
    fn control(&mut self, controls: &[f64]) -> Result<(), Error>;

    /// Takes steps in all environments.
    ///
    /// # Errors
    /// When the device fails; what fails in an environment is in the result.
    fn advance(&mut self, steps: usize) -> Result<BatchResult, Error>;

    /// Puts environments back to where they began.
    ///
    /// # Errors
    /// When the device fails.
    fn restart(&mut self, mask: &[bool]) -> Result<(), Error>;
}

impl Environments for BatchSim {
    fn count(&self) -> usize {
        self.len()
    }

    fn control(&mut self, controls: &[f64]) -> Result<(), Error> {
        let own = self.controls_mut();
        if own.len() != controls.len() {
            let (expected, given) = (own.len(), controls.len());
            return Err(Error::WrongLength { name: "controls".into(), expected, given });
        }
        own.copy_from_slice(controls);
        Ok(())
    }

    fn advance(&mut self, steps: usize) -> Result<BatchResult, Error> {
        Ok(self.step_n(steps).clone())
    }

    fn restart(&mut self, mask: &[bool]) -> Result<(), Error> {
        self.reset_where(mask);
        Ok(())
    }
}

#[cfg(feature = "gpu")]
impl Environments for sim_gpu::GpuBatch {
    fn count(&self) -> usize {
        self.len()
    }

    fn control(&mut self, controls: &[f64]) -> Result<(), Error> {
        Ok(self.set_ctrl(controls)?)
    }

    fn advance(&mut self, steps: usize) -> Result<BatchResult, Error> {
        use sim_core::types::{StepError, Warning};
        self.step(steps)?;
        let width = self.model().nq + self.model().nv;
        let mut result = BatchResult::new(self.len(), width);
        result.states = self.state()?;
        result.rewards = self.rewards()?;
        for (k, info) in self.info()?.into_iter().enumerate() {
            result.terminated[k] = info.terminated || info.flags.diverged;
            result.truncated[k] = info.truncated;
            if info.flags.diverged {
                let time = info.age as f64 * self.model().opt.timestep;
                result.errors[k] =
                    Some(StepError::Diverged { warning: Warning::BadQacc, index: 0, time });
            }
        }
        Ok(result)
    }

    fn restart(&mut self, mask: &[bool]) -> Result<(), Error> {
        Ok(self.reset_where(mask)?)
    }
}
