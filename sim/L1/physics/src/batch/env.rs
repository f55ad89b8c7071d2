//! A common interface of batches on the CPU and on the GPU.

use super::{BatchResult, BatchSim};
use crate::Error;

/// A batch of environments that step together, on the CPU ([`BatchSim`]) or on the GPU (`GpuBatch`).
///
/// Training code that is generic over this trait runs on either.
///
/// ```
/// use sim_physics::{BatchEnv, BatchSim};
/// use std::sync::Arc;
///
/// fn height_after_100_steps(batch: &mut impl BatchEnv) -> Result<f64, sim_physics::Error> {
///     let result = batch.step(100)?;
///     Ok(result.state(0)[2])
/// }
///
/// let model = sim_physics::mjcf::load_str(
///     r#"<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>"#)?;
/// let mut batch = BatchSim::new(Arc::new(model), 8);
/// assert!(height_after_100_steps(&mut batch)? < -0.1);
/// # Ok::<(), sim_physics::Error>(())
/// ```
pub trait BatchEnv {
    /// Number of environments.
    fn num_envs(&self) -> usize;

    /// Sets the controls of all environments: `num_envs` rows of `nu` values.
    ///
    /// # Errors
    /// When the number of values is wrong, or the device failed.
    fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), Error>;

    /// Advances every environment by `nstep` time steps with the same controls and returns the
    /// states, rewards and episode ends.
    ///
    /// # Errors
    /// When the device failed. Failures of single environments are in [`BatchResult::errors`].
    fn step(&mut self, nstep: usize) -> Result<BatchResult, Error>;

    /// Starts a new episode in every environment whose entry in `mask` is true.
    ///
    /// # Errors
    /// When the length of `mask` is not `num_envs`, or the device failed.
    fn reset_where(&mut self, mask: &[bool]) -> Result<(), Error>;
}

impl BatchEnv for BatchSim {
    fn num_envs(&self) -> usize {
        self.len()
    }

    fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), Error> {
        Self::set_ctrl(self, ctrl)
    }

    fn step(&mut self, nstep: usize) -> Result<BatchResult, Error> {
        Ok(self.step_n(nstep).clone())
    }

    fn reset_where(&mut self, mask: &[bool]) -> Result<(), Error> {
        super::check_length("mask", self.len(), mask.len())?;
        Self::reset_where(self, mask);
        Ok(())
    }
}

#[cfg(feature = "gpu")]
impl BatchEnv for sim_gpu::GpuBatch {
    fn num_envs(&self) -> usize {
        self.len()
    }

    fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), Error> {
        Ok(Self::set_ctrl(self, ctrl)?)
    }

    fn step(&mut self, nstep: usize) -> Result<BatchResult, Error> {
        use sim_core::types::{StepError, Warning};
        Self::step(self, nstep)?;
        let width = self.model().nq + self.model().nv;
        let mut result = BatchResult::new(self.len(), width);
        result.states = self.state()?;
        result.rewards = self.rewards()?;
        for (k, info) in self.info()?.into_iter().enumerate() {
            result.terminated[k] = info.terminated || info.flags.diverged;
            result.truncated[k] = info.truncated;
            if info.flags.diverged {
                let time = info.episode_steps as f64 * self.model().opt.timestep;
                result.errors[k] =
                    Some(StepError::Diverged { warning: Warning::BadQacc, index: 0, time });
            }
        }
        Ok(result)
    }

    fn reset_where(&mut self, mask: &[bool]) -> Result<(), Error> {
        Ok(Self::reset_where(self, mask)?)
    }
}
