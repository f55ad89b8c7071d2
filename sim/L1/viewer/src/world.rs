//! A model and its state, and copies of them for display.

use sim_physics::core::{mj_get_state, mj_set_state, mj_state_size};
use sim_physics::types::StateBits;
use sim_physics::{Data, Model, Simulation};
use std::sync::Arc;

/// A model and its state.
#[derive(Debug, Clone)]
pub struct World {
    /// The model.
    pub model: Arc<Model>,
    /// The state. In a [`Snapshot`](crate::Snapshot) only the quantities that are displayed are up to date: the
    /// state, poses, tendons, contacts with their forces, sensors and energies.
    pub data: Data,
    /// Identity of meshes and textures: worlds with the same number share the objects of the renderer.
    pub assets: u64,
}

impl World {
    /// A world at the state of a simulation.
    #[must_use]
    pub fn new(simulation: &Simulation) -> Self {
        Self { model: simulation.model().clone(), data: simulation.data().clone(), assets: 0 }
    }

    /// A world at the reference configuration of a model.
    #[must_use]
    pub fn of_model(model: Arc<Model>) -> Self {
        let data = model.make_data();
        Self { model, data, assets: 0 }
    }

    /// Appends every input of the next step to `state`.
    pub(crate) fn save(&self, state: &mut Vec<f64>) {
        let start = state.len();
        state.resize(start + mj_state_size(&self.model, StateBits::INTEGRATION), 0.0);
        // cannot fail: the data belongs to the model
        let _ = mj_get_state(&self.model, &self.data, &mut state[start..], StateBits::INTEGRATION);
        self.data.deformable_state(state);
    }

    /// Restores a state of [`World::save`]; false if it belongs to another model.
    pub(crate) fn restore(&mut self, state: &[f64]) -> bool {
        let rigid = mj_state_size(&self.model, StateBits::INTEGRATION).min(state.len());
        let (rigid, deformable) = state.split_at(rigid);
        mj_set_state(&self.model, &mut self.data, rigid, StateBits::INTEGRATION).is_ok()
            && self.data.set_deformable_state(deformable).is_ok()
    }
}

/// Numbers the worlds by the identity of their models, starting at `first`; returns the next free number.
pub(crate) fn number_assets(worlds: &mut [World], first: u64) -> u64 {
    let mut next = first;
    for i in 0..worlds.len() {
        let same = (0..i).find(|&j| Arc::ptr_eq(&worlds[i].model, &worlds[j].model));
        worlds[i].assets = match same {
            Some(j) => worlds[j].assets,
            None => {
                next += 1;
                next - 1
            }
        };
    }
    next
}

/// Copies worlds for display, reusing memory where the models are the same.
pub(crate) fn copy_worlds(to: &mut Vec<World>, from: &[World]) {
    to.truncate(from.len());
    for (i, source) in from.iter().enumerate() {
        copy_world(to, i, &source.model, &source.data, source.assets);
    }
}

/// Copies the world with an index, at most the number of worlds, for display.
pub(crate) fn copy_world(
    to: &mut Vec<World>,
    index: usize,
    model: &Arc<Model>,
    data: &Data,
    assets: u64,
) {
    match to.get_mut(index) {
        Some(world) if world.assets == assets => {
            world.model.clone_from(model);
            match model.deformables.is_empty() {
                true => copy_displayed(&mut world.data, data),
                false => world.data.copy_from(data),
            }
        }
        Some(world) => *world = World { model: model.clone(), data: data.clone(), assets },
        None => to.push(World { model: model.clone(), data: data.clone(), assets }),
    }
}

/// Copies the quantities that the scene and the panels show, a fraction of all: the copy takes time of the
/// thread that simulates.
fn copy_displayed(to: &mut Data, from: &Data) {
    macro_rules! copy {
        (scalars $($scalar:ident)*; arrays $($array:ident)*) => {
            $(to.$scalar = from.$scalar;)*
            $(to.$array.clone_from(&from.$array);)*
        };
    }
    copy! {
        scalars
            time ncon ne nf nl nefc nisland warning timer
            ntree_awake nbody_awake nparent_awake nv_awake;
        arrays
            energy solver_niter qpos qvel act ctrl sensordata xfrc_applied
            eq_active mocap_pos mocap_quat
            xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat
            cam_xpos cam_xmat light_xpos light_xdir subtree_com
            ten_wrapadr ten_wrapnum ten_length wrap_obj wrap_xpos
            tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind dof_awake_ind
            contact efc_type efc_id efc_KBIP efc_force efc_island island_dofadr dof_island
            tendon_efcadr
    }
}
