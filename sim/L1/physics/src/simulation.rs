//! A model and its state together, addressed by name.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use sim_core::types::{ObjType, StepError};
use sim_core::{Data, Model, mj_energy_pos, mj_energy_vel, mj_fwd_position, mj_fwd_velocity};
use sim_mjcf::{Loaded, Warning};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What can go wrong with a [`Simulation`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model has errors.
    #[error(transparent)]
    Load(#[from] sim_mjcf::Errors),
    /// The step could not be taken.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The wrong number of values for a joint.
    #[error("joint `{name}` has {expected} numbers, not {given}")]
    WrongLength {
        /// The joint.
        name: String,
        /// How many it has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The model has no element of this name.
    #[error("the model has no {kind} named `{name}`")]
    UnknownName {
        /// What was looked for.
        kind: &'static str,
        /// The name.
        name: String,
    },
}

/// A model with one state. The model is shared, the state is owned.
///
/// Everything of [`Model`] and [`Data`] is reachable through [`Simulation::model`] and
/// [`Simulation::data`]; the methods here save looking up addresses.
#[derive(Debug, Clone)]
pub struct Simulation {
    model: Arc<Model>,
    data: Data,
    warnings: Vec<Warning>,
}

impl Simulation {
    /// Starts a model at its reference configuration.
    #[must_use]
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let data = model.make_data();
        Self { model, data, warnings: Vec::new() }
    }

    /// Loads an MJCF file.
    ///
    /// # Errors
    /// Everything that is wrong with the file, with line and column.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::loaded(sim_mjcf::load_file_with_warnings(path)?))
    }

    /// Loads MJCF from a string.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with line and column.
    pub fn from_xml(text: &str) -> Result<Self, Error> {
        Ok(Self::loaded(sim_mjcf::load_str_with_warnings(text)?))
    }

    fn loaded(loaded: Loaded) -> Self {
        Self { warnings: loaded.warnings, ..Self::new(loaded.model) }
    }

    /// What is worth a second look in the model's description.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The state and everything computed from it.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The state, for writing.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// Simulated time in seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.data.time
    }

    /// Advances by one time step.
    ///
    /// # Errors
    /// When the model needs what is not built yet, or the state diverged and may not be reset.
    pub fn step(&mut self) -> Result<(), Error> {
        Ok(self.data.step(&self.model)?)
    }

    /// Computes everything at the current state without advancing time.
    ///
    /// # Errors
    /// When the model needs what is not built yet.
    pub fn forward(&mut self) -> Result<(), Error> {
        Ok(self.data.forward(&self.model)?)
    }

    /// Back to the reference configuration.
    pub fn reset(&mut self) {
        self.data.reset(&self.model);
    }

    /// To the state of a keyframe.
    ///
    /// # Errors
    /// When there is no keyframe of this name.
    pub fn reset_to(&mut self, keyframe: &str) -> Result<(), Error> {
        let key = self.id(ObjType::Key, "keyframe", keyframe)?;
        self.data.reset_to_keyframe(&self.model, key);
        Ok(())
    }

    /// Position of a joint: one number, a quaternion `[w, x, y, z]` (ball), or a position and a
    /// quaternion (free).
    ///
    /// # Errors
    /// When there is no joint of this name.
    pub fn joint_pos(&self, name: &str) -> Result<&[f64], Error> {
        Ok(&self.data.qpos[self.joint(name)?.0])
    }

    /// Moves a joint. Takes as many numbers as [`Simulation::joint_pos`] gives.
    ///
    /// # Errors
    /// When there is no joint of this name, or it has another number of values.
    pub fn set_joint_pos(&mut self, name: &str, value: &[f64]) -> Result<(), Error> {
        let (range, _) = self.joint(name)?;
        if range.len() != value.len() {
            let (expected, given) = (range.len(), value.len());
            return Err(Error::WrongLength { name: name.to_owned(), expected, given });
        }
        self.data.qpos[range].copy_from_slice(value);
        Ok(())
    }

    /// Velocity of a joint: one, three (ball) or six (free) numbers.
    ///
    /// # Errors
    /// When there is no joint of this name.
    pub fn joint_vel(&self, name: &str) -> Result<&[f64], Error> {
        Ok(&self.data.qvel[self.joint(name)?.1])
    }

    /// Sets the control of an actuator.
    ///
    /// # Errors
    /// When there is no actuator of this name.
    pub fn set_ctrl(&mut self, actuator: &str, value: f64) -> Result<(), Error> {
        let id = self.id(ObjType::Actuator, "actuator", actuator)?;
        self.data.ctrl[id] = value;
        Ok(())
    }

    /// World position of a body's origin, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no body of this name.
    pub fn body_pos(&self, name: &str) -> Result<Vector3<f64>, Error> {
        let id = self.id(ObjType::Body, "body", name)?;
        Ok(Vector3::from_column_slice(&self.data.xpos[3 * id..3 * id + 3]))
    }

    /// World orientation of a body, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no body of this name.
    pub fn body_rot(&self, name: &str) -> Result<UnitQuaternion<f64>, Error> {
        let id = self.id(ObjType::Body, "body", name)?;
        let q = &self.data.xquat[4 * id..4 * id + 4];
        Ok(UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])))
    }

    /// World position of a site, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no site of this name.
    pub fn site_pos(&self, name: &str) -> Result<Vector3<f64>, Error> {
        let id = self.id(ObjType::Site, "site", name)?;
        Ok(Vector3::from_column_slice(&self.data.site_xpos[3 * id..3 * id + 3]))
    }

    /// Reading of a sensor, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no sensor of this name.
    pub fn sensor(&self, name: &str) -> Result<&[f64], Error> {
        let id = self.id(ObjType::Sensor, "sensor", name)?;
        let adr = self.model.sensor_adr[id] as usize;
        Ok(&self.data.sensordata[adr..adr + self.model.sensor_dim[id] as usize])
    }

    /// Potential and kinetic energy of the current state. Recomputes positions and velocities of
    /// bodies for it.
    pub fn energy(&mut self) -> [f64; 2] {
        mj_fwd_position(&self.model, &mut self.data);
        mj_fwd_velocity(&self.model, &mut self.data);
        mj_energy_pos(&self.model, &mut self.data);
        mj_energy_vel(&self.model, &mut self.data);
        [self.data.energy[0], self.data.energy[1]]
    }

    /// Where a joint's numbers are in `qpos` and `qvel`.
    fn joint(&self, name: &str) -> Result<(Range<usize>, Range<usize>), Error> {
        let id = self.id(ObjType::Joint, "joint", name)?;
        let (nq, nv) = (self.model.jnt_type[id].nq(), self.model.jnt_type[id].nv());
        let (q, v) = (self.model.jnt_qposadr[id] as usize, self.model.jnt_dofadr[id] as usize);
        Ok((q..q + nq, v..v + nv))
    }

    fn id(&self, kind: ObjType, word: &'static str, name: &str) -> Result<usize, Error> {
        self.model
            .name2id(kind, name)
            .ok_or_else(|| Error::UnknownName { kind: word, name: name.to_owned() })
    }
}
