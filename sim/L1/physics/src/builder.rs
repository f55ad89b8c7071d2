//! Builder of a simulation that overrides options of the model file.

use crate::{Error, Simulation};
use sim_core::types::{Cone, Integrator, Options, SolverType};
use sim_core::{Data, Model};
use std::sync::Arc;

/// A modification of the compiled model.
type Edit = Box<dyn FnOnce(&mut Model)>;

/// Builds a [`Simulation`] with modified options, callbacks and initial state.
///
/// ```
/// use sim_physics::prelude::*;
/// use sim_physics::types::Integrator;
///
/// let sim = Simulation::builder()
///     .timestep(0.001)
///     .integrator(Integrator::ImplicitFast)
///     .on_control(|_, data| data.ctrl.fill(0.5))
///     .from_xml("<mujoco><worldbody/></mujoco>")?;
/// assert_eq!(sim.model().opt.timestep, 0.001);
/// # Ok::<(), Error>(())
/// ```
#[derive(Default)]
#[must_use = "a builder does nothing until it loads a model"]
pub struct Builder {
    edits: Vec<Edit>,
    keyframe: Option<String>,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Builder");
        out.field("edits", &self.edits.len()).field("keyframe", &self.keyframe).finish()
    }
}

impl Builder {
    /// Modifies the compiled model. After changes of masses, inertias, local frames or reference
    /// positions, `edit` has to call [`mj_set_const`](crate::mujoco::mj_set_const).
    pub fn edit(mut self, edit: impl FnOnce(&mut Model) + 'static) -> Self {
        self.edits.push(Box::new(edit));
        self
    }

    /// Modifies the options.
    pub fn options(self, edit: impl FnOnce(&mut Options) + 'static) -> Self {
        self.edit(|model| edit(&mut model.opt))
    }

    /// Sets the time step, in seconds.
    pub fn timestep(self, seconds: f64) -> Self {
        self.options(move |opt| opt.timestep = seconds)
    }

    /// Sets the gravitational acceleration in world axes, in m/s².
    pub fn gravity(self, gravity: [f64; 3]) -> Self {
        self.options(move |opt| opt.gravity = gravity)
    }

    /// Sets the integrator.
    pub fn integrator(self, integrator: Integrator) -> Self {
        self.options(move |opt| opt.integrator = integrator)
    }

    /// Sets the constraint solver.
    pub fn solver(self, solver: SolverType) -> Self {
        self.options(move |opt| opt.solver = solver)
    }

    /// Sets the type of friction cones.
    pub fn cone(self, cone: Cone) -> Self {
        self.options(move |opt| opt.cone = cone)
    }

    /// Starts from a keyframe.
    pub fn keyframe(mut self, name: impl Into<String>) -> Self {
        self.keyframe = Some(name.into());
        self
    }

    /// Sets the control callback (`mjcb_control`), called in every step before actuation is computed.
    pub fn on_control(self, control: impl Fn(&Model, &mut Data) + Send + Sync + 'static) -> Self {
        self.edit(|model| model.set_control_callback(control))
    }

    /// Loads an MJCF file, or a URDF file with the feature `urdf`.
    ///
    /// # Errors
    /// When the file has errors, or there is no such keyframe.
    #[cfg(feature = "mjcf")]
    pub fn load(self, path: impl AsRef<std::path::Path>) -> Result<Simulation, Error> {
        self.finish(Simulation::load(path)?)
    }

    /// Loads MJCF from a string, or URDF with the feature `urdf`.
    ///
    /// # Errors
    /// When the text has errors, or there is no such keyframe.
    #[cfg(feature = "mjcf")]
    pub fn from_xml(self, text: &str) -> Result<Simulation, Error> {
        self.finish(Simulation::from_xml(text)?)
    }

    /// Uses a compiled model.
    ///
    /// # Errors
    /// When there is no such keyframe.
    pub fn from_model(self, model: impl Into<Arc<Model>>) -> Result<Simulation, Error> {
        self.finish(Simulation::new(model))
    }

    fn finish(self, mut sim: Simulation) -> Result<Simulation, Error> {
        if !self.edits.is_empty() {
            sim.edit_model(|model| self.edits.into_iter().for_each(|edit| edit(model)));
        }
        if let Some(name) = &self.keyframe {
            sim.reset_to(name)?;
        }
        Ok(sim)
    }
}
