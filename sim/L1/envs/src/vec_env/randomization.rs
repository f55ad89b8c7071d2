//! Model parameters that differ between environments (domain randomization).

use super::VecEnv;
use crate::{Error, Rng};
use sim_physics::Model;

/// Ranges of factors by which parameters of the model are multiplied. The default range is (1, 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomization {
    /// Mass and inertia, one factor per body.
    pub mass: (f64, f64),
    /// Friction coefficients, one factor per environment.
    pub friction: (f64, f64),
    /// Gains and biases of actuators, one factor per actuator.
    pub gain: (f64, f64),
    /// Joint damping, one factor per degree of freedom.
    pub damping: (f64, f64),
}

impl Default for Randomization {
    fn default() -> Self {
        Self { mass: (1.0, 1.0), friction: (1.0, 1.0), gain: (1.0, 1.0), damping: (1.0, 1.0) }
    }
}

impl Randomization {
    /// Multiplies the parameters of a model by random factors.
    pub fn apply(&self, model: &mut Model, rng: &mut Rng) {
        let mut factor = |range: (f64, f64)| rng.uniform(range.0, range.1);
        let friction = factor(self.friction);
        model.geom_friction.iter_mut().for_each(|mu| *mu *= friction);
        model.pair_friction.iter_mut().for_each(|mu| *mu *= friction);
        let inertias = model.body_inertia.as_chunks_mut::<3>().0;
        for (mass, inertia) in model.body_mass.iter_mut().zip(inertias).skip(1) {
            let scale = factor(self.mass);
            *mass *= scale;
            inertia.iter_mut().for_each(|i| *i *= scale);
        }
        let width = model.actuator_gainprm.len() / model.nu.max(1);
        let bias_width = model.actuator_biasprm.len() / model.nu.max(1);
        for i in 0..model.nu {
            let scale = factor(self.gain);
            model.actuator_gainprm[i * width..][..width].iter_mut().for_each(|p| *p *= scale);
            model.actuator_biasprm[i * bias_width..][..bias_width]
                .iter_mut()
                .for_each(|p| *p *= scale);
        }
        model.dof_damping.iter_mut().for_each(|b| *b *= factor(self.damping));
    }
}

impl VecEnv {
    /// Gives every environment its own model parameters: random factors times those of the shared model.
    /// Environment `i` uses the seed `seed + i`.
    ///
    /// # Errors
    /// When a range is not of positive numbers in order.
    pub fn randomize(&mut self, seed: u64, ranges: &Randomization) -> Result<(), Error> {
        let all = [ranges.mass, ranges.friction, ranges.gain, ranges.damping];
        for ((low, high), name) in all.into_iter().zip(["mass", "friction", "gain", "damping"]) {
            let is_valid = low > 0.0 && low <= high && high.is_finite();
            if !is_valid {
                let given = format!("({low}, {high})");
                let expected = "a range of positive numbers, the lower bound first";
                return Err(Error::OutOfRange { name, given, expected });
            }
        }
        for i in 0..self.num_envs() {
            let mut rng = Rng::new(seed.wrapping_add(i as u64));
            self.vary(i, |model| ranges.apply(model, &mut rng))?;
        }
        Ok(())
    }
}
