//! A group of environments whose states are in [`Data`]: loaded into lanes, stepped, stored.

use crate::batch::LaneBatch;
use crate::plan::Plan;
use crate::results::{LaneResults, Reader};
use crate::step;
use crate::support::Unsupported;
use crate::work::{State, Work, get_lane};
use sim_core::math::{mat3, rows, vec3};
use sim_core::{Data, Model};
use sim_simd::lanes::{InstructionSet, Lanes, Visitor, with_lanes};
use std::sync::Arc;

/// A model whose environments are stepped in lanes.
#[derive(Debug, Clone)]
pub struct LaneModel {
    pub(crate) plan: Arc<Plan>,
    qpos0: Arc<[f64]>,
    set: Option<InstructionSet>,
}

impl LaneModel {
    /// Prepares a model, for the widest vectors that the CPU supports.
    ///
    /// # Errors
    /// [`Unsupported`] if the model uses a feature that lanes do not simulate.
    pub fn new(model: &Model) -> Result<Self, Unsupported> {
        Self::with_instruction_set(model, None)
    }

    /// As [`LaneModel::new`], with a given instruction set if the CPU supports it.
    ///
    /// # Errors
    /// As [`LaneModel::new`].
    pub fn with_instruction_set(
        model: &Model,
        set: Option<InstructionSet>,
    ) -> Result<Self, Unsupported> {
        Ok(Self { plan: Arc::new(Plan::new(model)?), qpos0: model.qpos0.as_slice().into(), set })
    }

    /// Whether everything that acts on an environment is simulated: not if `xfrc_applied` is not zero, or an equality
    /// constraint was switched on or off.
    #[must_use]
    pub fn accepts(&self, data: &Data) -> bool {
        data.deformable_count() == 0
            && data.xfrc_applied.iter().all(|&f| f == 0.0)
            && data.eq_active == self.plan.eq_active
    }

    /// Number of lanes of a group.
    #[must_use]
    pub fn lanes(&self) -> usize {
        with_lanes(self.set, Count)
    }

    /// A group of environments in the initial state.
    #[must_use]
    pub fn make_group(&self) -> LaneGroup {
        LaneGroup { group: with_lanes(self.set, Build(self)) }
    }

    /// Environments in the initial state, stepped by [`LaneBatch::step_with_model`].
    #[must_use]
    pub fn make_batch(&self, len: usize) -> LaneBatch {
        LaneBatch::of_plan(self.plan.clone(), &self.qpos0, self.set, len)
    }
}

/// Environments that are stepped together, one in each lane.
///
/// ```
/// use sim_lanes::LaneModel;
///
/// let model = sim_mjcf::load_str(r#"
///     <mujoco>
///       <worldbody>
///         <geom type="plane" size="1 1 1"/>
///         <body pos="0 0 1"><freejoint/><geom size="0.1"/></body>
///       </worldbody>
///     </mujoco>"#)?;
/// let mut group = LaneModel::new(&model)?.make_group();
/// let mut data = model.make_data();
/// data.qvel[0] = 1.0;
/// group.load(0, &data);
/// for _ in 0..100 {
///     assert_eq!(group.step(&model), 0);
/// }
/// group.store(0, &mut data);
/// assert!(data.qpos[0] > 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LaneGroup {
    group: Box<dyn Group>,
}

impl std::fmt::Debug for LaneGroup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaneGroup").field("lanes", &self.lanes()).finish_non_exhaustive()
    }
}

impl LaneGroup {
    /// Number of lanes.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.group.lanes()
    }

    /// Copies the state of an environment to a lane: `qpos`, `qvel`, `act`, `ctrl`, `qfrc_applied`,
    /// `qacc_warmstart` and `time`.
    ///
    /// # Panics
    /// If there is no such lane, or the sizes of the data are not those of the model.
    pub fn load(&mut self, lane: usize, data: &Data) {
        self.group.load(lane, data);
    }

    /// Copies a lane to another lane.
    ///
    /// # Panics
    /// If one of the lanes does not exist.
    pub fn copy(&mut self, from: usize, to: usize) {
        self.group.copy(from, to);
    }

    /// Advances all lanes by one step. Returns the lanes in which this was not possible, as bits: their state is not
    /// finite or too large, or geoms that lanes have no collision routine for are in contact or close to it. The state in these
    /// lanes is unchanged and has to be stepped by the scalar engine, [`sim_core::mj_step`].
    ///
    /// `model` is that of the group; it has the shapes whose distances the scalar engine measures.
    pub fn step(&mut self, model: &Model) -> u32 {
        self.group.step(model, None)
    }

    /// As [`LaneGroup::step`]; calls `read` after the forward dynamics and before the integration, with results that
    /// include contact wrenches if `wrenches` is true. Sensors can be evaluated from them
    /// ([`sim_core::mj_sensors_from_motion`]).
    pub fn step_with_results(
        &mut self,
        model: &Model,
        wrenches: bool,
        read: &mut dyn FnMut(&LaneResults<'_>),
    ) -> u32 {
        self.group.step(model, Some(&mut Reader { wrenches, read }))
    }

    /// Copies the state of a lane to an environment: `qpos`, `qvel`, `act`, `qacc_warmstart`, `time`, and the results of
    /// the last step `qacc`, `qacc_smooth`, `qfrc_smooth`, `qfrc_constraint`, `qfrc_actuator`, `xpos`, `xquat`, `xmat`,
    /// `xipos`, `site_xpos`, `site_xmat`, `subtree_com`, `cinert`, `cvel`, `ten_length`, `ten_velocity` and
    /// `actuator_force`. As after [`sim_core::mj_step`], these results belong to the state before the
    /// step. Other fields are not written.
    ///
    /// # Panics
    /// As [`LaneGroup::load`].
    pub fn store(&self, lane: usize, data: &mut Data) {
        self.group.store(lane, data);
    }

    /// Computes the contact wrenches of the last step in all lanes, for [`LaneGroup::store_external_wrenches`].
    pub fn compute_external_wrenches(&mut self) {
        self.group.compute_external_wrenches();
    }

    /// Copies the contact wrenches of a lane to `cfrc_ext`.
    ///
    /// # Panics
    /// As [`LaneGroup::load`].
    pub fn store_external_wrenches(&self, lane: usize, data: &mut Data) {
        self.group.store_external_wrenches(lane, data);
    }

    /// Copies the state of a lane to an environment, without results of a step.
    ///
    /// # Panics
    /// As [`LaneGroup::load`].
    pub fn store_state(&self, lane: usize, data: &mut Data) {
        self.group.store_state(lane, data);
    }

    /// Set of the most expensive constraints of a lane in the last step. A group whose lanes have similar sets is
    /// faster; see [`similarity_order`].
    #[must_use]
    pub fn signature(&self, lane: usize) -> u64 {
        self.group.signature(lane)
    }
}

/// Key that sorts environments with similar [`LaneGroup::signature`] next to each other: its rank in a Gray code.
#[must_use]
pub fn similarity_order(signature: u64) -> u64 {
    let mut rank = signature;
    for shift in [1, 2, 4, 8, 16, 32] {
        rank ^= rank >> shift;
    }
    rank
}

trait Group: Send {
    fn lanes(&self) -> usize;
    fn load(&mut self, lane: usize, data: &Data);
    fn copy(&mut self, from: usize, to: usize);
    fn step(&mut self, model: &Model, reader: Option<&mut Reader<'_>>) -> u32;
    fn store(&self, lane: usize, data: &mut Data);
    fn store_state(&self, lane: usize, data: &mut Data);
    fn compute_external_wrenches(&mut self);
    fn store_external_wrenches(&self, lane: usize, data: &mut Data);
    fn signature(&self, lane: usize) -> u64;
}

struct GroupOf<V: Lanes> {
    plan: Arc<Plan>,
    state: State<V>,
    work: Work<V>,
}

impl<V: Lanes> Group for GroupOf<V> {
    fn lanes(&self) -> usize {
        V::COUNT
    }

    fn load(&mut self, lane: usize, d: &Data) {
        self.state.load(lane, d);
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.state.move_lane(from, to);
    }

    fn step(&mut self, model: &Model, reader: Option<&mut Reader<'_>>) -> u32 {
        step::step(&self.plan, Some(model), &mut self.state, &mut self.work, reader)
    }

    fn store(&self, lane: usize, d: &mut Data) {
        self.store_state(lane, d);
        store_results(&self.plan, &self.work, lane, d);
    }

    fn compute_external_wrenches(&mut self) {
        step::external_wrenches(&self.plan, &mut self.state, &mut self.work);
    }

    fn store_external_wrenches(&self, lane: usize, d: &mut Data) {
        get_lane(self.work.cfrc_ext.as_flattened(), lane, &mut d.cfrc_ext);
    }

    fn store_state(&self, lane: usize, d: &mut Data) {
        self.state.store(lane, d);
    }

    fn signature(&self, lane: usize) -> u64 {
        let mut signature = 0;
        for block in &self.work.blocks {
            if block.lanes >> lane & 1 != 0 {
                signature |= self.plan.signature[block.id as usize];
            }
        }
        signature
    }
}

/// Copies the results of a step that [`LaneGroup::store`] lists.
pub(crate) fn store_results<V: Lanes>(plan: &Plan, w: &Work<V>, lane: usize, d: &mut Data) {
    get_lane(&w.qacc, lane, &mut d.qacc);
    get_lane(&w.qacc_smooth, lane, &mut d.qacc_smooth);
    get_lane(&w.qfrc_smooth, lane, &mut d.qfrc_smooth);
    get_lane(&w.qfrc_constraint, lane, &mut d.qfrc_constraint);
    get_lane(&w.qfrc_actuator, lane, &mut d.qfrc_actuator);
    get_lane(w.xpos.as_flattened(), lane, &mut d.xpos);
    get_lane(w.xquat.as_flattened(), lane, &mut d.xquat);
    get_lane(w.xmat.as_flattened(), lane, &mut d.xmat);
    get_lane(w.xipos.as_flattened(), lane, &mut d.xipos);
    get_lane(w.com.as_flattened(), lane, &mut d.subtree_com);
    get_lane(w.cinert.as_flattened(), lane, &mut d.cinert);
    get_lane(w.cvel.as_flattened(), lane, &mut d.cvel);
    get_lane(&w.ten_length, lane, &mut d.ten_length);
    get_lane(&w.ten_velocity, lane, &mut d.ten_velocity);
    get_lane(&w.actuator_force, lane, &mut d.actuator_force);
    store_sites(plan, d);
}

/// Frames of the sites from those of the bodies.
fn store_sites(plan: &Plan, d: &mut Data) {
    let frames = d.site_xpos.as_chunks_mut::<3>().0.iter_mut();
    let frames = frames.zip(d.site_xmat.as_chunks_mut::<9>().0);
    let (xpos, xmat) = (rows::<3>(&d.xpos), rows::<9>(&d.xmat));
    for (site, (pos, mat)) in plan.sites.iter().zip(frames) {
        let body = &xmat[site.body];
        *pos = vec3::add(xpos[site.body], mat3::mul_vec(body, site.pos));
        *mat = mat3::mul(body, &site.mat);
    }
}

/// Number of lanes.
struct Count;

impl Visitor for Count {
    type Output = usize;

    fn visit<V: Lanes>(self) -> usize {
        V::COUNT
    }
}

struct Build<'a>(&'a LaneModel);

impl Visitor for Build<'_> {
    type Output = Box<dyn Group>;

    fn visit<V: Lanes>(self) -> Box<dyn Group> {
        let plan = self.0.plan.clone();
        let state = State::<V>::new(&plan, &self.0.qpos0);
        let work = Work::new(&plan);
        Box::new(GroupOf { plan, state, work })
    }
}
