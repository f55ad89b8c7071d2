//! Recompilation of an edited spec with transfer of the state (mj_recompile).

use crate::Loaded;
use crate::error::Errors;
use crate::spec::Spec;
use sim_core::types::{ObjType, TransmissionType};
use sim_core::{Data, Model};
use std::collections::HashMap;

impl Spec {
    /// Recompiles the spec and transfers the state to the new model.
    ///
    /// Every object that exists in both models keeps its state: `qpos`, `qvel`, `qacc_warmstart`
    /// and `qfrc_applied` of a joint; `act`, `ctrl` and control history of an actuator; reading
    /// history of a sensor; `xfrc_applied` and mocap pose of a body; `eq_active` of an equality;
    /// positions, velocities and applied forces of the particles of a deformable body; `plugin_state`
    /// of a named plugin instance. `time`,
    /// `userdata` and the callbacks of the model are kept as well. New objects start in their
    /// reference state.
    ///
    /// Objects are matched by name. Unnamed joints and bodies are matched by their index within the
    /// same parent, unnamed actuators by their transmission target, unnamed sensors by their index
    /// among the unnamed sensors of the same type. On an error, model and data are unchanged.
    ///
    /// ```
    /// use sim_mjcf::spec::{Body, BodyId, Geom, Joint};
    /// let mut spec = sim_mjcf::parse_str(
    ///     "<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut model = spec.compile()?;
    /// let mut data = model.make_data();
    /// data.qpos[0] = 0.5;
    /// let new = spec.add_body(BodyId::WORLD, Body::new("new"));
    /// spec.bodies[new.0].add(Joint::hinge([0.0, 0.0, 1.0])).add(Geom::sphere(1.0));
    /// spec.recompile(&mut model, &mut data)?;
    /// assert_eq!(data.qpos, [0.5, 0.0]);
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    #[doc(alias = "mj_recompile")]
    pub fn recompile(&self, model: &mut Model, data: &mut Data) -> Result<(), Errors> {
        let (loaded, state) = self.recompile_with_warnings(model, data)?;
        (*model, *data) = (loaded.model, state);
        Ok(())
    }

    /// As [`Spec::recompile`], but returns the new model with its warnings, and its state.
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    pub fn recompile_with_warnings(
        &self,
        model: &Model,
        data: &Data,
    ) -> Result<(Loaded, Data), Errors> {
        let mut loaded = self.compile_with_warnings()?;
        loaded.model.hooks = model.hooks.clone();
        let new = &loaded.model;
        let mut state = new.make_data();
        state.time = data.time;
        let (old_bodies, new_bodies) = (BodyKeys::new(model), BodyKeys::new(new));
        joints((model, data, &old_bodies), (new, &mut state, &new_bodies));
        actuators((model, data, &old_bodies), (new, &mut state, &new_bodies));
        bodies((model, data, &old_bodies), (new, &mut state, &new_bodies));
        sensors((model, data), (new, &mut state));
        deformables((model, data), (new, &mut state));
        for (i, name) in names(new, ObjType::Equality, new.neq) {
            if let Some(old) = model.name2id(ObjType::Equality, &name) {
                state.eq_active[i] = data.eq_active[old];
            }
        }
        for (i, name) in names(new, ObjType::Plugin, new.nplugin) {
            if let Some(old) = model.name2id(ObjType::Plugin, &name) {
                let (from, to) = (model.plugin_state_range(old), new.plugin_state_range(i));
                if from.len() == to.len() && model.plugin_name(old) == new.plugin_name(i) {
                    state.plugin_state[to].copy_from_slice(&data.plugin_state[from]);
                }
            }
        }
        let n = data.userdata.len().min(state.userdata.len());
        state.userdata[..n].copy_from_slice(&data.userdata[..n]);
        Ok((loaded, state))
    }
}

/// Ids and names of the named objects.
fn names(m: &Model, kind: ObjType, count: usize) -> impl Iterator<Item = (usize, String)> + '_ {
    (0..count).filter_map(move |i| {
        let name = m.id2name(kind, i)?;
        (!name.is_empty()).then(|| (i, name.to_owned()))
    })
}

/// Keys that identify bodies across models: the name, or the index among the children of the
/// parent.
struct BodyKeys {
    keys: Vec<String>,
    ids: HashMap<String, usize>,
}

impl BodyKeys {
    fn new(m: &Model) -> Self {
        let mut children = vec![0; m.nbody];
        let mut keys: Vec<String> = Vec::with_capacity(m.nbody);
        for i in 0..m.nbody {
            let parent = usize::try_from(m.body_parentid[i]).unwrap_or(0);
            children[parent] += 1;
            let name = m.id2name(ObjType::Body, i).unwrap_or_default();
            keys.push(match name {
                // A name cannot contain NUL, so keys of unnamed bodies are distinct from names.
                "" if i > 0 => format!("{}\0{}", keys[parent], children[parent]),
                name => format!("/{name}"),
            });
        }
        let ids = keys.iter().cloned().enumerate().map(|(i, key)| (key, i)).collect();
        Self { keys, ids }
    }
}

/// A model with its state and body keys.
type From<'a> = (&'a Model, &'a Data, &'a BodyKeys);
type To<'a> = (&'a Model, &'a mut Data, &'a BodyKeys);

/// The joint of the old model that corresponds to joint `j` of the new model.
fn corresponding_joint(
    old: &Model,
    old_bodies: &BodyKeys,
    new: &Model,
    bodies: &BodyKeys,
    j: usize,
) -> Option<usize> {
    let name = new.id2name(ObjType::Joint, j).unwrap_or_default();
    let found = if name.is_empty() {
        let body = usize::try_from(new.jnt_bodyid[j]).ok()?;
        let index = j - usize::try_from(new.body_jntadr[body]).ok()?;
        let &body = old_bodies.ids.get(&bodies.keys[body])?;
        let first = usize::try_from(old.body_jntadr[body]).ok()?;
        let count = usize::try_from(old.body_jntnum[body]).ok()?;
        let unnamed = old.id2name(ObjType::Joint, first + index).is_none_or(str::is_empty);
        (index < count && unnamed).then_some(first + index)?
    } else {
        old.name2id(ObjType::Joint, name)?
    };
    (old.jnt_type[found] == new.jnt_type[j]).then_some(found)
}

fn joints((old, data, old_bodies): From<'_>, (new, state, bodies): To<'_>) {
    for j in 0..new.njnt {
        let Some(i) = corresponding_joint(old, old_bodies, new, bodies, j) else { continue };
        let (nq, nv) = (new.jnt_type[j].nq(), new.jnt_type[j].nv());
        copy(&data.qpos, old.jnt_qposadr[i], &mut state.qpos, new.jnt_qposadr[j], nq);
        let (from, to) = (old.jnt_dofadr[i], new.jnt_dofadr[j]);
        copy(&data.qvel, from, &mut state.qvel, to, nv);
        copy(&data.qacc_warmstart, from, &mut state.qacc_warmstart, to, nv);
        copy(&data.qfrc_applied, from, &mut state.qfrc_applied, to, nv);
    }
}

fn copy(from: &[f64], from_adr: i32, to: &mut [f64], to_adr: i32, n: usize) {
    let (Ok(from_adr), Ok(to_adr)) = (usize::try_from(from_adr), usize::try_from(to_adr)) else {
        return;
    };
    to[to_adr..to_adr + n].copy_from_slice(&from[from_adr..from_adr + n]);
}

/// Keys that identify actuators across models: the name, or the transmission target and the index
/// among the actuators of that target.
fn actuator_keys(m: &Model, bodies: &BodyKeys) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut keys = Vec::with_capacity(m.nu);
    for i in 0..m.nu {
        let name = m.id2name(ObjType::Actuator, i).unwrap_or_default();
        if !name.is_empty() {
            keys.push(format!("/{name}"));
            continue;
        }
        let target = usize::try_from(m.actuator_trnid[2 * i]).unwrap_or(0);
        let kind = match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => ObjType::Joint,
            TransmissionType::Tendon => ObjType::Tendon,
            TransmissionType::Body => ObjType::Body,
            _ => ObjType::Site,
        };
        let target_key = match (kind, m.id2name(kind, target).unwrap_or_default()) {
            (ObjType::Joint, "") => {
                let body = usize::try_from(m.jnt_bodyid[target]).unwrap_or(0);
                let first = usize::try_from(m.body_jntadr[body]).unwrap_or(0);
                format!("{}#{}", bodies.keys[body], target - first)
            }
            (_, "") => target.to_string(),
            (_, name) => format!("/{name}"),
        };
        let key = format!("{:?}{target_key}", m.actuator_trntype[i]);
        let count = seen.entry(key.clone()).or_default();
        *count += 1;
        keys.push(format!("{key}#{count}"));
    }
    keys
}

fn actuators((old, data, old_bodies): From<'_>, (new, state, bodies): To<'_>) {
    let ids: HashMap<String, usize> =
        actuator_keys(old, old_bodies).into_iter().enumerate().map(|(i, key)| (key, i)).collect();
    for (j, key) in actuator_keys(new, bodies).into_iter().enumerate() {
        let Some(&i) = ids.get(&key) else { continue };
        state.ctrl[j] = data.ctrl[i];
        if old.actuator_actnum[i] == new.actuator_actnum[j] {
            let n = usize::try_from(new.actuator_actnum[j]).unwrap_or(0);
            copy(&data.act, old.actuator_actadr[i], &mut state.act, new.actuator_actadr[j], n);
        }
        if old.actuator_history[2 * i] == new.actuator_history[2 * j] {
            let n = history_len(new.actuator_history[2 * j], 1);
            let (from, to) = (old.actuator_historyadr[i], new.actuator_historyadr[j]);
            copy(&data.history, from, &mut state.history, to, n);
        }
    }
}

/// Length of a history buffer: user value, cursor, then a time and `dim` values per sample.
fn history_len(samples: i32, dim: i32) -> usize {
    match (usize::try_from(samples), usize::try_from(dim)) {
        (Ok(samples), Ok(dim)) if samples > 0 => 2 + samples * (1 + dim),
        _ => 0,
    }
}

/// Keys of the sensors: the name, or the type and the index among unnamed sensors of that type.
fn sensor_keys(m: &Model) -> Vec<String> {
    let mut seen: HashMap<i32, usize> = HashMap::new();
    let key = |i: usize| match m.id2name(ObjType::Sensor, i).unwrap_or_default() {
        "" => {
            let kind = m.sensor_type[i].number();
            let count = seen.entry(kind).or_default();
            *count += 1;
            format!("{kind}#{count}")
        }
        name => format!("/{name}"),
    };
    (0..m.nsensor).map(key).collect()
}

fn sensors((old, data): (&Model, &Data), (new, state): (&Model, &mut Data)) {
    let ids: HashMap<String, usize> =
        sensor_keys(old).into_iter().enumerate().map(|(i, key)| (key, i)).collect();
    for (j, key) in sensor_keys(new).into_iter().enumerate() {
        let Some(&i) = ids.get(&key) else { continue };
        let shape =
            |m: &Model, k: usize| (m.sensor_type[k], m.sensor_history[2 * k], m.sensor_dim[k]);
        if shape(old, i) == shape(new, j) {
            let n = history_len(new.sensor_history[2 * j], new.sensor_dim[j]);
            let (from, to) = (old.sensor_historyadr[i], new.sensor_historyadr[j]);
            copy(&data.history, from, &mut state.history, to, n);
        }
    }
}

/// Copies the particles of deformable bodies with the same name, or the same index if unnamed, and
/// the same number of particles.
fn deformables((old, data): (&Model, &Data), (new, state): (&Model, &mut Data)) {
    if data.deformable_count() == 0 || state.deformable_count() == 0 {
        return;
    }
    // the applied forces are only accessible through a mutable reference
    let mut data = data.clone();
    for (j, deformable) in new.deformables.iter().enumerate() {
        let same = |(i, other): &(usize, &sim_core::Deformable)| {
            other.name == deformable.name && (!other.name.is_empty() || *i == j)
        };
        let Some((i, _)) = old.deformables.iter().enumerate().find(same) else { continue };
        if let (Some(from), Some(to)) = (data.deformable(i), state.deformable_mut(j)) {
            if from.len() != to.len() {
                continue;
            }
            to.positions_mut().copy_from_slice(from.positions());
            to.velocities_mut().copy_from_slice(from.velocities());
            from.targets().iter().enumerate().for_each(|(k, target)| to.set_target(k, *target));
        }
        if let (Some(from), Some(to)) = (data.deformable_applied(i), state.deformable_applied(j)) {
            to.copy_from_slice(from);
        }
    }
}

fn bodies((old, data, old_bodies): From<'_>, (new, state, bodies): To<'_>) {
    for b in 0..new.nbody {
        let Some(&a) = old_bodies.ids.get(&bodies.keys[b]) else { continue };
        state.xfrc_applied[6 * b..6 * b + 6].copy_from_slice(&data.xfrc_applied[6 * a..][..6]);
        let rows = (usize::try_from(old.body_mocapid[a]), usize::try_from(new.body_mocapid[b]));
        if let (Ok(from), Ok(to)) = rows {
            state.mocap_pos[3 * to..3 * to + 3].copy_from_slice(&data.mocap_pos[3 * from..][..3]);
            state.mocap_quat[4 * to..4 * to + 4].copy_from_slice(&data.mocap_quat[4 * from..][..4]);
        }
    }
}
