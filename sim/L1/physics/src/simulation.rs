//! A model and its state together, addressed by name.

use crate::handle::{Actuator, Body, Find, Geom, Handle, Joint, Keyframe, Sensor, Site, Tendon};
use crate::{Builder, Error};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use sim_core::types::{Contact, StateBits};
use sim_core::{
    Data, Model, mj_energy_pos, mj_energy_vel, mj_fwd_position, mj_fwd_velocity, mj_get_state,
    mj_set_state, mj_state_size,
};
#[cfg(feature = "mjcf")]
use sim_mjcf::{Loaded, Loader, Spec, Warning};
use std::ops::Range;
#[cfg(feature = "mjcf")]
use std::path::Path;
use std::sync::Arc;

/// A model with one state. The model is shared, the state is owned.
///
/// Everything of [`Model`] and [`Data`] is reachable through [`Simulation::model`] and
/// [`Simulation::data`]; the methods here save looking up addresses.
#[derive(Debug, Clone)]
pub struct Simulation {
    model: Arc<Model>,
    data: Data,
    #[cfg(feature = "mjcf")]
    warnings: Vec<Warning>,
}

/// Everything that the next steps depend on, as [`Simulation::save`] found it.
#[derive(Debug, Clone, PartialEq)]
pub struct State(Vec<f64>);

impl Simulation {
    /// Starts a model at its reference configuration.
    #[must_use]
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let data = model.make_data();
        Self {
            model,
            data,
            #[cfg(feature = "mjcf")]
            warnings: Vec::new(),
        }
    }

    /// Starts with other options than the model has.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Starts a model that was compiled and saved before ([`Model::to_bytes`]).
    ///
    /// # Errors
    /// When the bytes are not a compiled model of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(Model::from_bytes(bytes)?))
    }

    /// Loads an MJCF file, or a URDF file with the feature `urdf`.
    ///
    /// # Errors
    /// Everything that is wrong with the file, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::loaded(crate::reader::load_file_with_warnings(path)?))
    }

    /// Loads MJCF from a string, or URDF with the feature `urdf`.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn from_xml(text: &str) -> Result<Self, Error> {
        Ok(Self::loaded(crate::reader::load_str_with_warnings(text)?))
    }

    /// Loads a file from wherever a loader reads files: memory, an archive, the disk.
    ///
    /// Where the loader does not say how URDF is read, the feature `urdf` adds the usual way.
    ///
    /// # Errors
    /// Everything that is wrong with the file, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn from_loader(loader: &Loader, path: &str) -> Result<Self, Error> {
        #[cfg(feature = "urdf")]
        if !loader.reads("robot") {
            let loader = loader.clone().with_front_end(sim_urdf::Urdf::default());
            return Ok(Self::loaded(loader.load_with_warnings(path)?));
        }
        Ok(Self::loaded(loader.load_with_warnings(path)?))
    }

    /// Compiles a description that was built or edited in Rust.
    ///
    /// # Errors
    /// Everything that is wrong with the description.
    #[cfg(feature = "mjcf")]
    pub fn from_spec(spec: &Spec) -> Result<Self, Error> {
        Ok(Self::loaded(spec.compile_with_warnings()?))
    }

    #[cfg(feature = "mjcf")]
    fn loaded(loaded: Loaded) -> Self {
        Self { warnings: loaded.warnings, ..Self::new(loaded.model) }
    }

    /// What is worth a second look in the model's description.
    #[cfg(feature = "mjcf")]
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Changes the model: options, hooks, numbers. A model that others share is copied first. Frames,
    /// masses and references need [`mj_set_const`](crate::mujoco::mj_set_const) afterwards.
    pub fn edit_model(&mut self, edit: impl FnOnce(&mut Model)) {
        edit(Arc::make_mut(&mut self.model));
    }

    /// Calls `control` in every step, before actuation is computed: the place for a controller.
    pub fn on_control(&mut self, control: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.edit_model(|model| model.set_control_callback(control));
    }

    /// Calls `passive` in every step, to add to the passive forces in `qfrc_passive`.
    pub fn on_passive(&mut self, passive: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.edit_model(|model| model.set_passive_callback(passive));
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
    /// When there is no such keyframe.
    pub fn reset_to(&mut self, keyframe: impl Find<Keyframe>) -> Result<(), Error> {
        let key = self.find(keyframe)?;
        self.data.reset_to_keyframe(&self.model, key.id());
        Ok(())
    }

    /// Everything that the next steps depend on.
    #[must_use]
    pub fn save(&self) -> State {
        let mut state = vec![0.0; mj_state_size(&self.model, StateBits::INTEGRATION)];
        // the data is this model's, so it fits
        let _ = mj_get_state(&self.model, &self.data, &mut state, StateBits::INTEGRATION);
        self.data.deformable_state(&mut state);
        State(state)
    }

    /// Back to a saved state: the steps from there are the same, bit for bit.
    ///
    /// # Errors
    /// When the state is another model's.
    pub fn restore(&mut self, state: &State) -> Result<(), Error> {
        let rigid = mj_state_size(&self.model, StateBits::INTEGRATION).min(state.0.len());
        let (rigid, deformable) = state.0.split_at(rigid);
        mj_set_state(&self.model, &mut self.data, rigid, StateBits::INTEGRATION)?;
        Ok(self.data.set_deformable_state(deformable)?)
    }

    /// The handle of an element, for use in place of its name: `sim.find::<Joint>("elbow")`.
    ///
    /// # Errors
    /// When the model has no such element.
    pub fn find<T: Handle>(&self, element: impl Find<T>) -> Result<T, Error> {
        element.find(&self.model)
    }

    /// Position of a joint: one number, a quaternion `[w, x, y, z]` (ball), or a position and a
    /// quaternion (free).
    ///
    /// # Errors
    /// When there is no such joint.
    pub fn joint_pos(&self, joint: impl Find<Joint>) -> Result<&[f64], Error> {
        Ok(&self.data.qpos[self.joint(joint)?.1])
    }

    /// Moves a joint. Takes as many numbers as [`Simulation::joint_pos`] gives.
    ///
    /// # Errors
    /// When there is no such joint, or it has another number of values.
    pub fn set_joint_pos(&mut self, joint: impl Find<Joint>, value: &[f64]) -> Result<(), Error> {
        let (joint, range, _) = self.joint(joint)?;
        self.fits(joint, range.len(), value.len())?;
        self.data.qpos[range].copy_from_slice(value);
        Ok(())
    }

    /// Velocity of a joint: one, three (ball) or six (free) numbers.
    ///
    /// # Errors
    /// When there is no such joint.
    pub fn joint_vel(&self, joint: impl Find<Joint>) -> Result<&[f64], Error> {
        Ok(&self.data.qvel[self.joint(joint)?.2])
    }

    /// Sets the velocity of a joint. Takes as many numbers as [`Simulation::joint_vel`] gives.
    ///
    /// # Errors
    /// When there is no such joint, or it has another number of values.
    pub fn set_joint_vel(&mut self, joint: impl Find<Joint>, value: &[f64]) -> Result<(), Error> {
        let (joint, _, range) = self.joint(joint)?;
        self.fits(joint, range.len(), value.len())?;
        self.data.qvel[range].copy_from_slice(value);
        Ok(())
    }

    /// The control of an actuator.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn ctrl(&self, actuator: impl Find<Actuator>) -> Result<f64, Error> {
        Ok(self.data.ctrl[self.find(actuator)?.id()])
    }

    /// Sets the control of an actuator.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn set_ctrl(&mut self, actuator: impl Find<Actuator>, value: f64) -> Result<(), Error> {
        let id = self.find(actuator)?.id();
        self.data.ctrl[id] = value;
        Ok(())
    }

    /// The force of an actuator, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn actuator_force(&self, actuator: impl Find<Actuator>) -> Result<f64, Error> {
        Ok(self.data.actuator_force[self.find(actuator)?.id()])
    }

    /// World position of a body's origin, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body_pos(&self, body: impl Find<Body>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.xpos, self.find(body)?.id()))
    }

    /// World orientation of a body, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body_rot(&self, body: impl Find<Body>) -> Result<UnitQuaternion<f64>, Error> {
        let id = self.find(body)?.id();
        let q = &self.data.xquat[4 * id..4 * id + 4];
        Ok(UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])))
    }

    /// Pushes a body at its centre of mass until told otherwise: force and torque in the world's axes.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn push(
        &mut self,
        body: impl Find<Body>,
        force: Vector3<f64>,
        torque: Vector3<f64>,
    ) -> Result<(), Error> {
        let id = self.find(body)?.id();
        self.data.xfrc_applied[6 * id..6 * id + 3].copy_from_slice(force.as_slice());
        self.data.xfrc_applied[6 * id + 3..6 * id + 6].copy_from_slice(torque.as_slice());
        Ok(())
    }

    /// World position of a geom, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such geom.
    pub fn geom_pos(&self, geom: impl Find<Geom>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.geom_xpos, self.find(geom)?.id()))
    }

    /// World position of a site, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such site.
    pub fn site_pos(&self, site: impl Find<Site>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.site_xpos, self.find(site)?.id()))
    }

    /// Length of a tendon, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such tendon.
    pub fn tendon_length(&self, tendon: impl Find<Tendon>) -> Result<f64, Error> {
        Ok(self.data.ten_length[self.find(tendon)?.id()])
    }

    /// Reading of a sensor, as of the last step or forward.
    ///
    /// # Errors
    /// When there is no such sensor.
    pub fn sensor(&self, sensor: impl Find<Sensor>) -> Result<&[f64], Error> {
        let id = self.find(sensor)?.id();
        let adr = self.model.sensor_adr[id] as usize;
        Ok(&self.data.sensordata[adr..adr + self.model.sensor_dim[id] as usize])
    }

    /// Where things touch, as of the last step or forward.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.data.contact
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
    fn joint(&self, joint: impl Find<Joint>) -> Result<(Joint, Range<usize>, Range<usize>), Error> {
        let (joint, m) = (self.find(joint)?, &self.model);
        let id = joint.id();
        let (nq, nv) = (m.jnt_type[id].nq(), m.jnt_type[id].nv());
        let (q, v) = (m.jnt_qposadr[id] as usize, m.jnt_dofadr[id] as usize);
        Ok((joint, q..q + nq, v..v + nv))
    }

    fn fits(&self, joint: Joint, expected: usize, given: usize) -> Result<(), Error> {
        if expected == given {
            return Ok(());
        }
        let name = self.model.id2name(Joint::TYPE, joint.id()).unwrap_or_default().to_owned();
        Err(Error::WrongLength { name, expected, given })
    }
}

/// The `i`-th point of an array.
fn point(points: &[f64], i: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&points[3 * i..3 * i + 3])
}
