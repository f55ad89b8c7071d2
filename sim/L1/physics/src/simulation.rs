//! A model together with its state, accessed by name.

use crate::handle::{
    ActuatorHandle, BodyHandle, Find, GeomHandle, Handle, JointHandle, KeyframeHandle,
    SensorHandle, SiteHandle, TendonHandle,
};
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

/// A model and its state. The model is shared (`Arc`), the state is owned.
///
/// All fields of [`Model`] and [`Data`] are accessible through [`Simulation::model`] and
/// [`Simulation::data`]; the methods here access the common ones by name or handle.
#[derive(Debug, Clone)]
pub struct Simulation {
    model: Arc<Model>,
    data: Data,
    #[cfg(feature = "mjcf")]
    warnings: Vec<Warning>,
}

/// A saved state of a simulation: every input of the next step ([`Simulation::save`]).
#[derive(Debug, Clone, PartialEq)]
pub struct State(Vec<f64>);

impl Simulation {
    /// Creates a simulation of a model, at its reference configuration.
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

    /// A builder that overrides options of the model.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Loads a compiled model ([`Model::to_bytes`]).
    ///
    /// # Errors
    /// When the bytes are not a compiled model of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(Model::from_bytes(bytes)?))
    }

    /// Loads an MJCF file, or a URDF file with the feature `urdf`.
    ///
    /// # Errors
    /// All errors in the file, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::loaded(crate::reader::load_file_with_warnings(path)?))
    }

    /// Loads MJCF from a string, or URDF with the feature `urdf`.
    ///
    /// # Errors
    /// All errors in the text, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn from_xml(text: &str) -> Result<Self, Error> {
        Ok(Self::loaded(crate::reader::load_str_with_warnings(text)?))
    }

    /// Loads a file through a loader, which can read from memory, an archive or chosen directories.
    ///
    /// With the feature `urdf`, a loader without a URDF front end gets the default one.
    ///
    /// # Errors
    /// All errors in the file, with line and column.
    #[cfg(feature = "mjcf")]
    pub fn from_loader(loader: &Loader, path: &str) -> Result<Self, Error> {
        #[cfg(feature = "urdf")]
        if !loader.accepts("robot") {
            let loader = loader.clone().with_front_end(sim_urdf::Urdf::default());
            return Ok(Self::loaded(loader.load_with_warnings(path)?));
        }
        Ok(Self::loaded(loader.load_with_warnings(path)?))
    }

    /// Compiles a model description that was built or edited in code.
    ///
    /// # Errors
    /// All errors in the description.
    #[cfg(feature = "mjcf")]
    pub fn from_spec(spec: &Spec) -> Result<Self, Error> {
        Ok(Self::loaded(spec.compile_with_warnings()?))
    }

    #[cfg(feature = "mjcf")]
    fn loaded(loaded: Loaded) -> Self {
        Self { warnings: loaded.warnings, ..Self::new(loaded.model) }
    }

    /// Recompiles the model from an edited description and keeps the state (`mj_recompile`).
    ///
    /// Objects that exist in both models keep their state: `qpos`, `qvel`, `act`, `ctrl`, applied
    /// forces, history buffers, mocap poses, `eq_active` and particles of deformable bodies. Time,
    /// user data and the callbacks of the model are kept too; new objects start in their reference
    /// state. [`Spec::recompile`] documents how objects are matched. Other changes made with
    /// [`Simulation::edit_model`] are lost, because the new model is compiled from `spec`. On an
    /// error, the simulation is unchanged. Handles of the old model are invalid afterwards.
    ///
    /// ```
    /// use sim_physics::mjcf::spec::{Body, BodyId, Geom, Joint};
    /// use sim_physics::prelude::*;
    ///
    /// let mut spec = sim_physics::mjcf::parse_str(
    ///     "<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body></worldbody></mujoco>")?;
    /// let mut sim = Simulation::from_spec(&spec)?;
    /// sim.set_joint_pos("a", &[0.5])?;
    ///
    /// let body = spec.add_body(BodyId::WORLD, Body::new("new"));
    /// spec.bodies[body.0].add(Joint::hinge([0.0, 0.0, 1.0]).name("b")).add(Geom::sphere(1.0));
    /// sim.recompile(&spec)?;
    /// assert_eq!((sim.joint_pos("a")?, sim.joint_pos("b")?), (&[0.5][..], &[0.0][..]));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// All errors in the description.
    #[cfg(feature = "mjcf")]
    #[doc(alias = "mj_recompile")]
    pub fn recompile(&mut self, spec: &Spec) -> Result<(), Error> {
        let (loaded, data) = spec.recompile_with_warnings(&self.model, &self.data)?;
        *self = Self { model: Arc::new(loaded.model), data, warnings: loaded.warnings };
        Ok(())
    }

    /// Warnings of the model's description.
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

    /// Modifies the model: options, callbacks, parameters. A model shared with other simulations is
    /// cloned first. After changes of masses, inertias, local frames or reference positions, call
    /// [`mj_set_const`](crate::mujoco::mj_set_const) to update derived constants.
    pub fn edit_model(&mut self, edit: impl FnOnce(&mut Model)) {
        edit(Arc::make_mut(&mut self.model));
    }

    /// Sets the control callback (`mjcb_control`), called in every step before actuation is computed.
    pub fn on_control(&mut self, control: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.edit_model(|model| model.set_control_callback(control));
    }

    /// Sets the passive-force callback (`mjcb_passive`), called in every step to add to `qfrc_passive`.
    pub fn on_passive(&mut self, passive: impl Fn(&Model, &mut Data) + Send + Sync + 'static) {
        self.edit_model(|model| model.set_passive_callback(passive));
    }

    /// The state and all quantities computed from it.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Mutable access to the state.
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
    /// When the model uses an unsupported feature, or the state diverged and `autoreset` is disabled.
    pub fn step(&mut self) -> Result<(), Error> {
        Ok(self.data.step(&self.model)?)
    }

    /// Computes all quantities at the current state without advancing time (`mj_forward`).
    ///
    /// # Errors
    /// When the model uses an unsupported feature.
    pub fn forward(&mut self) -> Result<(), Error> {
        Ok(self.data.forward(&self.model)?)
    }

    /// Resets the state to the reference configuration.
    pub fn reset(&mut self) {
        self.data.reset(&self.model);
    }

    /// Resets the state to a keyframe.
    ///
    /// # Errors
    /// When there is no such keyframe.
    pub fn reset_to(&mut self, keyframe: impl Find<KeyframeHandle>) -> Result<(), Error> {
        let key = self.find(keyframe)?;
        self.data.reset_to_keyframe(&self.model, key.id());
        Ok(())
    }

    /// Saves the state: every input of the next step.
    #[must_use]
    pub fn save(&self) -> State {
        let mut state = vec![0.0; mj_state_size(&self.model, StateBits::INTEGRATION)];
        // cannot fail: the data belongs to the model
        let _ = mj_get_state(&self.model, &self.data, &mut state, StateBits::INTEGRATION);
        self.data.deformable_state(&mut state);
        State(state)
    }

    /// Restores a saved state; subsequent steps are bit-identical to those after the save.
    ///
    /// # Errors
    /// When the state belongs to another model.
    pub fn restore(&mut self, state: &State) -> Result<(), Error> {
        let rigid = mj_state_size(&self.model, StateBits::INTEGRATION).min(state.0.len());
        let (rigid, deformable) = state.0.split_at(rigid);
        mj_set_state(&self.model, &mut self.data, rigid, StateBits::INTEGRATION)?;
        Ok(self.data.set_deformable_state(deformable)?)
    }

    /// The handle of an element, to be used instead of its name: `sim.find::<JointHandle>("elbow")`.
    ///
    /// # Errors
    /// When the model has no such element.
    pub fn find<H: Handle>(&self, element: impl Find<H>) -> Result<H, Error> {
        element.find(&self.model)
    }

    /// Position of a joint (its part of `qpos`): one value (hinge, slide), a quaternion
    /// `[w, x, y, z]` (ball), or a position and a quaternion (free).
    ///
    /// # Errors
    /// When there is no such joint.
    pub fn joint_pos(&self, joint: impl Find<JointHandle>) -> Result<&[f64], Error> {
        Ok(&self.data.qpos[self.joint(joint)?.1])
    }

    /// Sets the position of a joint, in the layout of [`Simulation::joint_pos`].
    ///
    /// # Errors
    /// When there is no such joint, or the number of values is wrong.
    pub fn set_joint_pos(
        &mut self,
        joint: impl Find<JointHandle>,
        value: &[f64],
    ) -> Result<(), Error> {
        let (joint, range, _) = self.joint(joint)?;
        self.check_length(joint, range.len(), value.len())?;
        self.data.qpos[range].copy_from_slice(value);
        Ok(())
    }

    /// Velocity of a joint (its part of `qvel`): one (hinge, slide), three (ball) or six (free) values.
    ///
    /// # Errors
    /// When there is no such joint.
    pub fn joint_vel(&self, joint: impl Find<JointHandle>) -> Result<&[f64], Error> {
        Ok(&self.data.qvel[self.joint(joint)?.2])
    }

    /// Sets the velocity of a joint, in the layout of [`Simulation::joint_vel`].
    ///
    /// # Errors
    /// When there is no such joint, or the number of values is wrong.
    pub fn set_joint_vel(
        &mut self,
        joint: impl Find<JointHandle>,
        value: &[f64],
    ) -> Result<(), Error> {
        let (joint, _, range) = self.joint(joint)?;
        self.check_length(joint, range.len(), value.len())?;
        self.data.qvel[range].copy_from_slice(value);
        Ok(())
    }

    /// The control of an actuator.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn ctrl(&self, actuator: impl Find<ActuatorHandle>) -> Result<f64, Error> {
        Ok(self.data.ctrl[self.find(actuator)?.id()])
    }

    /// Sets the control of an actuator.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn set_ctrl(
        &mut self,
        actuator: impl Find<ActuatorHandle>,
        value: f64,
    ) -> Result<(), Error> {
        let id = self.find(actuator)?.id();
        self.data.ctrl[id] = value;
        Ok(())
    }

    /// The force of an actuator, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such actuator.
    pub fn actuator_force(&self, actuator: impl Find<ActuatorHandle>) -> Result<f64, Error> {
        Ok(self.data.actuator_force[self.find(actuator)?.id()])
    }

    /// World position of a body's origin, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body_pos(&self, body: impl Find<BodyHandle>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.xpos, self.find(body)?.id()))
    }

    /// World orientation of a body, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body_rot(&self, body: impl Find<BodyHandle>) -> Result<UnitQuaternion<f64>, Error> {
        let id = self.find(body)?.id();
        let q = &self.data.xquat[4 * id..4 * id + 4];
        Ok(UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3])))
    }

    /// Sets the external force and torque on a body (`xfrc_applied`), which act at its center of mass
    /// in world axes until changed, in N and N m.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn set_xfrc_applied(
        &mut self,
        body: impl Find<BodyHandle>,
        force: Vector3<f64>,
        torque: Vector3<f64>,
    ) -> Result<(), Error> {
        let id = self.find(body)?.id();
        self.data.xfrc_applied[6 * id..6 * id + 3].copy_from_slice(force.as_slice());
        self.data.xfrc_applied[6 * id + 3..6 * id + 6].copy_from_slice(torque.as_slice());
        Ok(())
    }

    /// World position of a geom, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such geom.
    pub fn geom_pos(&self, geom: impl Find<GeomHandle>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.geom_xpos, self.find(geom)?.id()))
    }

    /// World position of a site, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such site.
    pub fn site_pos(&self, site: impl Find<SiteHandle>) -> Result<Vector3<f64>, Error> {
        Ok(point(&self.data.site_xpos, self.find(site)?.id()))
    }

    /// Length of a tendon, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such tendon.
    pub fn tendon_length(&self, tendon: impl Find<TendonHandle>) -> Result<f64, Error> {
        Ok(self.data.ten_length[self.find(tendon)?.id()])
    }

    /// Reading of a sensor, as of the last `step` or `forward`.
    ///
    /// # Errors
    /// When there is no such sensor.
    pub fn sensor(&self, sensor: impl Find<SensorHandle>) -> Result<&[f64], Error> {
        let id = self.find(sensor)?.id();
        let adr = self.model.sensor_adr[id] as usize;
        Ok(&self.data.sensordata[adr..adr + self.model.sensor_dim[id] as usize])
    }

    /// Active contacts, as of the last `step` or `forward`.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.data.contact
    }

    /// Potential and kinetic energy of the current state, in J. Runs the position and velocity stages.
    pub fn energy(&mut self) -> [f64; 2] {
        mj_fwd_position(&self.model, &mut self.data);
        mj_fwd_velocity(&self.model, &mut self.data);
        mj_energy_pos(&self.model, &mut self.data);
        mj_energy_vel(&self.model, &mut self.data);
        [self.data.energy[0], self.data.energy[1]]
    }

    /// The index ranges of a joint in `qpos` and `qvel`.
    fn joint(
        &self,
        joint: impl Find<JointHandle>,
    ) -> Result<(JointHandle, Range<usize>, Range<usize>), Error> {
        let (joint, m) = (self.find(joint)?, &self.model);
        let id = joint.id();
        let (nq, nv) = (m.jnt_type[id].nq(), m.jnt_type[id].nv());
        let (q, v) = (m.jnt_qposadr[id] as usize, m.jnt_dofadr[id] as usize);
        Ok((joint, q..q + nq, v..v + nv))
    }

    fn check_length(&self, joint: JointHandle, expected: usize, given: usize) -> Result<(), Error> {
        if expected == given {
            return Ok(());
        }
        let name = self.model.id2name(JointHandle::TYPE, joint.id()).unwrap_or_default();
        Err(Error::WrongLength { what: format!("joint `{name}`"), expected, given })
    }
}

/// The `i`-th 3-vector of a flat array.
fn point(points: &[f64], i: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&points[3 * i..3 * i + 3])
}
