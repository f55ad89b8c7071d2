//! Sizes, infos and states of vector environments.

use super::{Autoreset, InfoRow, VecEnv};
use crate::error::check_length;
use crate::task::{Camera, InfoField};
use crate::{Error, Task};
use sim_physics::types::StepError;
use sim_physics::{BatchSim, Data, Model};
use std::sync::Arc;

/// Sizes and settings.
impl VecEnv {
    /// Number of environments.
    #[must_use]
    pub fn num_envs(&self) -> usize {
        self.batch.len()
    }

    /// Number of values of an observation.
    #[must_use]
    pub fn observation_size(&self) -> usize {
        self.observation_size
    }

    /// Number of values of an action.
    #[must_use]
    pub fn action_size(&self) -> usize {
        self.batch.nu()
    }

    /// Lower and upper bound of each value of an action: the control ranges of the actuators.
    pub fn action_bounds(&self) -> impl Iterator<Item = (f64, f64)> {
        self.model().actuator_ctrlrange.as_chunks::<2>().0.iter().map(|[low, high]| (*low, *high))
    }

    /// Number of time steps of the simulation per step.
    #[must_use]
    pub fn frame_skip(&self) -> usize {
        self.settings.frame_skip
    }

    /// Duration of a step, s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.model().opt.timestep * self.settings.frame_skip as f64
    }

    /// Number of steps after which episodes are truncated.
    #[must_use]
    pub fn max_episode_steps(&self) -> Option<u64> {
        self.settings.max_episode_steps
    }

    /// What happens when an episode ends.
    #[must_use]
    pub fn autoreset(&self) -> Autoreset {
        self.settings.autoreset
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.batch.threads()
    }

    /// Whether the environments are stepped in SIMD lanes: requested, and supported for the model.
    #[must_use]
    pub fn steps_in_lanes(&self) -> bool {
        self.batch.steps_in_lanes(0)
    }

    /// The task.
    #[must_use]
    pub fn task(&self) -> &dyn Task {
        &*self.task
    }

    /// The camera of rendered images.
    #[must_use]
    pub fn camera(&self) -> Camera {
        self.task.camera()
    }

    /// The model that all environments share, without their variations.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        self.batch.model(0)
    }

    /// The batch of simulations.
    #[must_use]
    pub fn batch(&self) -> &BatchSim {
        &self.batch
    }
}

/// What the last step or reset reported beside observations and rewards.
impl VecEnv {
    /// All fields of [`VecEnv::infos`], in their order.
    #[must_use]
    pub fn info_fields(&self) -> &[InfoField] {
        &self.fields
    }

    /// The fields that are also reported after a reset.
    #[must_use]
    pub fn state_fields(&self) -> &[InfoField] {
        &self.fields[..self.state_fields]
    }

    /// The infos of all environments, row-major; a row has the values of [`VecEnv::info_fields`].
    #[must_use]
    pub fn infos(&self) -> &[f64] {
        &self.infos
    }

    /// What the row of an environment in [`VecEnv::infos`] has.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn info_row(&self, environment: usize) -> Result<InfoRow, Error> {
        self.check(environment)?;
        Ok(self.slots[environment].info_row)
    }

    /// What each row of [`VecEnv::infos`] has.
    pub fn info_rows(&self) -> impl ExactSizeIterator<Item = InfoRow> {
        self.slots.iter().map(|slot| slot.info_row)
    }

    /// The values of a field, of all environments; an allocation. `None` if there is no such field.
    #[must_use]
    pub fn info(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.fields.iter().position(|field| field.name == name)?;
        let offset: usize = self.fields[..index].iter().map(InfoField::size).sum();
        let size = self.fields[index].size();
        let rows = self.infos.chunks_exact(self.info_width);
        Some(rows.flat_map(|row| &row[offset..offset + size]).copied().collect())
    }

    /// Whether the episode of an environment ended in the last step and a new one began in the same
    /// step ([`Autoreset::SameStep`]).
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn has_final(&self, environment: usize) -> Result<bool, Error> {
        self.check(environment)?;
        Ok(self.slots[environment].has_final)
    }

    /// [`VecEnv::has_final`] of all environments.
    pub fn final_mask(&self) -> impl ExactSizeIterator<Item = bool> {
        self.slots.iter().map(|slot| slot.has_final)
    }

    /// The last observations of the episodes that ended, row-major. Only rows with
    /// [`VecEnv::has_final`] are valid; empty unless the mode is [`Autoreset::SameStep`].
    #[must_use]
    pub fn final_observations(&self) -> &[f64] {
        &self.final_observations
    }

    /// The infos of the last steps of the episodes that ended, as [`VecEnv::final_observations`].
    #[must_use]
    pub fn final_infos(&self) -> &[f64] {
        &self.final_infos
    }

    /// The environments whose simulation failed in the last step, with the reason. Their episodes were
    /// terminated.
    pub fn errors(&self) -> impl Iterator<Item = (usize, &StepError)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| Some((i, slot.error.as_ref()?)))
    }
}

/// States of single environments.
impl VecEnv {
    /// The simulation state of an environment, for example to render it.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn data(&self, environment: usize) -> Result<&Data, Error> {
        self.check(environment)?;
        Ok(self.batch.data(environment))
    }

    /// Number of steps of the running episode.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn elapsed_steps(&self, environment: usize) -> Result<u64, Error> {
        self.check(environment)?;
        Ok(self.slots[environment].elapsed())
    }

    /// Resets an environment and sets its positions, velocities and time; the state is evaluated as at
    /// the start of an episode. The number of steps of the episode does not change.
    ///
    /// # Errors
    /// When there is no such environment, or a slice has the wrong length.
    pub fn set_state(
        &mut self,
        environment: usize,
        qpos: &[f64],
        qvel: &[f64],
        time: f64,
    ) -> Result<(), Error> {
        self.check(environment)?;
        check_length("qpos", self.model().nq, qpos.len())?;
        check_length("qvel", self.model().nv, qvel.len())?;
        let result = self.batch.with(environment, |model, data| {
            data.reset(model);
            data.qpos.copy_from_slice(qpos);
            data.qvel.copy_from_slice(qvel);
            data.time = time;
            data.forward(model)
        });
        let elapsed = self.slots[environment].elapsed();
        self.slots[environment].set_running(elapsed);
        Ok(result.map_err(sim_physics::Error::from)?)
    }

    /// Writes the current observations of all environments, without a step.
    ///
    /// # Errors
    /// When the buffer has the wrong length.
    pub fn observe(&self, observations: &mut [f64]) -> Result<(), Error> {
        let size = self.observation_size;
        check_length("observations", self.num_envs() * size, observations.len())?;
        self.batch.observe(size, observations, |_, model, data, row| {
            self.task.observe(model, data, row);
        });
        Ok(())
    }

    /// Gives an environment its own model parameters, such as masses, friction or gains. `edit` modifies
    /// a copy of the shared model; derived constants are recomputed. Replaces an earlier variation. The
    /// running episode continues.
    ///
    /// # Errors
    /// When there is no such environment, or the edit changes the number of elements.
    pub fn vary(&mut self, environment: usize, edit: impl FnOnce(&mut Model)) -> Result<(), Error> {
        self.check(environment)?;
        Ok(self.batch.vary(environment, edit).map_err(sim_physics::Error::from)?)
    }

    /// A copy of the model of an environment, with its variation.
    ///
    /// # Errors
    /// When there is no such environment.
    pub fn varied_model(&mut self, environment: usize) -> Result<Model, Error> {
        self.check(environment)?;
        Ok(self.batch.with(environment, |model, _| model.clone()))
    }

    pub(super) fn check(&self, index: usize) -> Result<(), Error> {
        let count = self.num_envs();
        if index < count { Ok(()) } else { Err(Error::NoSuchEnvironment { index, count }) }
    }
}
