//! Environments of one model in groups of lanes.

use crate::group::LaneModel;
use crate::plan::Plan;
use crate::regroup::Regroup;
use crate::results::{LaneResults, Reader};
use crate::step;
use crate::support::Unsupported;
use crate::work::{State, Work, get_lane};
use sim_core::{Data, Model};
use sim_simd::lanes::{InstructionSet, Lanes, Mask, Visitor, with_lanes};
use std::sync::Arc;

/// Environments of one model that are stepped in the SIMD lanes of one core.
///
/// ```
/// let model = sim_mjcf::load_str(r#"
///     <mujoco>
///       <worldbody>
///         <geom type="plane" size="1 1 1"/>
///         <body pos="0 0 1"><freejoint/><geom size="0.1"/></body>
///       </worldbody>
///     </mujoco>"#)?;
/// let mut batch = sim_lanes::LaneBatch::new(&model, 10)?;
/// for _ in 0..100 {
///     batch.step();
/// }
/// let mut qpos = vec![0.0; model.nq];
/// batch.qpos(3, &mut qpos);
/// assert!(qpos[2] < 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LaneBatch {
    groups: Box<dyn Groups>,
    /// The model, if it has geoms that lanes have no collision routine for and the batch owns it.
    model: Option<Box<Model>>,
    len: usize,
}

impl std::fmt::Debug for LaneBatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaneBatch").field("len", &self.len).finish_non_exhaustive()
    }
}

/// A part of the state of an environment.
#[derive(Debug, Clone, Copy)]
enum Part {
    Qpos,
    Qvel,
    Act,
    Ctrl,
    Applied,
    Warmstart,
}

/// Groups with vectors of some type.
trait Groups: Send {
    fn step(
        &mut self,
        model: Option<&Model>,
        diverged: &mut dyn FnMut(usize),
        reader: Option<&mut BatchReader<'_>>,
    );
    fn forward(&mut self, model: Option<&Model>, environment: usize, qacc: &mut [f64]) -> bool;
    fn read(&self, part: Part, environment: usize, out: &mut [f64]);
    fn write(&mut self, part: Part, environment: usize, values: &[f64]);
    fn set_time(&mut self, environment: usize, time: f64);
    fn time(&self, environment: usize) -> f64;
    /// Numbers of positions, velocities and activations.
    fn sizes(&self) -> (usize, usize, usize);
    fn lanes(&self) -> usize;
}

/// Results of the forward dynamics of one environment in a step.
#[derive(Debug)]
pub enum StepResults<'a> {
    /// Those of a lane.
    Lane(&'a LaneResults<'a>, usize),
    /// Those of the scalar engine, after its step, with the readings of sensors.
    Scalar(&'a Data),
}

/// Reads the results of each environment.
struct BatchReader<'a> {
    wrenches: bool,
    read: &'a mut dyn FnMut(usize, StepResults<'_>),
}

struct GroupsOf<V: Lanes> {
    plan: Arc<Plan>,
    groups: Vec<State<V>>,
    /// Groups before the last assignment.
    other: Vec<State<V>>,
    work: Work<V>,
    /// Environment of each lane of all groups.
    environments: Vec<u32>,
    /// Lane of each environment.
    lane_of: Vec<usize>,
    regroup: Regroup,
    steps: usize,
    scalar: ScalarEngine,
}

/// The scalar engine, for environments in which geoms without a routine in lanes may be in contact.
#[derive(Default)]
struct ScalarEngine {
    /// Data of each environment that was stepped, so that its results do not depend on other environments.
    data: Vec<Option<Box<Data>>>,
}

impl ScalarEngine {
    /// Data of an environment that was stepped.
    fn data(&self, environment: usize) -> Option<&Data> {
        self.data.get(environment)?.as_deref()
    }

    /// Steps the environment in a lane; returns whether the step succeeded. If not, its state is unchanged.
    fn step<V: Lanes>(
        &mut self,
        model: Option<&Model>,
        s: &mut State<V>,
        lane: usize,
        environment: usize,
    ) -> bool {
        let Some(model) = model else { return false };
        if self.data.len() <= environment {
            self.data.resize_with(environment + 1, || None);
        }
        let d = self.data[environment].get_or_insert_with(|| Box::new(model.make_data()));
        let warnings = |d: &Data| d.warning.map(|warning| warning.number);
        let before = warnings(d);
        s.store(lane, d);
        get_lane(&s.ctrl, lane, &mut d.ctrl);
        get_lane(&s.qfrc_applied, lane, &mut d.qfrc_applied);
        let result = sim_core::mj_step(model, d);
        let succeeded = result.is_ok() && warnings(d) == before;
        if succeeded {
            s.load(lane, d);
        }
        succeeded
    }
}

impl<V: Lanes> GroupsOf<V> {
    fn part(&self, part: Part, environment: usize) -> &[V] {
        let s = &self.groups[self.lane_of[environment] / V::COUNT];
        match part {
            Part::Qpos => &s.qpos,
            Part::Qvel => &s.qvel,
            Part::Act => &s.act,
            Part::Ctrl => &s.ctrl,
            Part::Applied => &s.qfrc_applied,
            Part::Warmstart => &s.qacc_warmstart,
        }
    }
}

/// Number of steps after which environments are assigned to groups again.
const REGROUP_INTERVAL: usize = 10;

impl<V: Lanes> GroupsOf<V> {
    /// Assigns the environments to groups by the rows of the last step.
    fn regroup(&mut self) {
        if self.other.is_empty() {
            self.other.clone_from(&self.groups);
        }
        std::mem::swap(&mut self.groups, &mut self.other);
        let order = self.regroup.order(self.environments.len());
        for (to, environment) in order.enumerate() {
            let from = self.lane_of[environment as usize];
            let (source, lane) = (&self.other[from / V::COUNT], from % V::COUNT);
            let target = &mut self.groups[to / V::COUNT];
            target.copy_lane(to % V::COUNT, source, lane);
            self.environments[to] = environment;
        }
        for (to, &environment) in self.environments.iter().enumerate() {
            self.lane_of[environment as usize] = to;
        }
        self.regroup.clear();
    }
}

impl<V: Lanes> Groups for GroupsOf<V> {
    fn step(
        &mut self,
        model: Option<&Model>,
        diverged: &mut dyn FnMut(usize),
        mut reader: Option<&mut BatchReader<'_>>,
    ) {
        self.steps += 1;
        let is_last = self.groups.len() > 1 && self.steps.is_multiple_of(REGROUP_INTERVAL);
        for (g, state) in self.groups.iter_mut().enumerate() {
            let environments = &self.environments[g * V::COUNT..][..V::COUNT];
            let mut failed = match &mut reader {
                None => step::step(&self.plan, model, state, &mut self.work, None),
                Some(BatchReader { wrenches, read }) => {
                    let read = &mut |results: &LaneResults<'_>| {
                        for (lane, &environment) in environments.iter().enumerate() {
                            read(environment as usize, StepResults::Lane(results, lane));
                        }
                    };
                    let reader = Some(&mut Reader { wrenches: *wrenches, read });
                    step::step(&self.plan, model, state, &mut self.work, reader)
                }
            };
            let bad = self.work.bad.bits();
            while failed != 0 {
                let lane = failed.trailing_zeros() as usize;
                let environment = environments[lane] as usize;
                if bad >> lane & 1 != 0 || !self.scalar.step(model, state, lane, environment) {
                    diverged(environment);
                } else if let (Some(reader), Some(d)) = (&mut reader, self.scalar.data(environment))
                {
                    (reader.read)(environment, StepResults::Scalar(d));
                }
                failed &= failed - 1;
            }
            if is_last {
                self.regroup.record(&self.work, environments);
            }
        }
        if is_last {
            self.regroup();
        }
    }

    fn forward(&mut self, model: Option<&Model>, environment: usize, qacc: &mut [f64]) -> bool {
        let state = &mut self.groups[self.lane_of[environment] / V::COUNT];
        self.work.close = 0;
        step::forward(&self.plan, model, state, &mut self.work);
        let lane = self.lane_of[environment] % V::COUNT;
        for (out, value) in qacc.iter_mut().zip(&self.work.qacc) {
            *out = value.get(lane);
        }
        self.work.close >> lane & 1 == 0
    }

    fn read(&self, part: Part, environment: usize, out: &mut [f64]) {
        for (out, value) in out.iter_mut().zip(self.part(part, environment)) {
            *out = value.get(self.lane_of[environment] % V::COUNT);
        }
    }

    fn write(&mut self, part: Part, environment: usize, values: &[f64]) {
        let s = &mut self.groups[self.lane_of[environment] / V::COUNT];
        let all = match part {
            Part::Qpos => &mut s.qpos,
            Part::Qvel => &mut s.qvel,
            Part::Act => &mut s.act,
            Part::Ctrl => &mut s.ctrl,
            Part::Applied => &mut s.qfrc_applied,
            Part::Warmstart => &mut s.qacc_warmstart,
        };
        for (value, &x) in all.iter_mut().zip(values) {
            value.set(self.lane_of[environment] % V::COUNT, x);
        }
    }

    fn set_time(&mut self, environment: usize, time: f64) {
        let lane = self.lane_of[environment];
        self.groups[lane / V::COUNT].time.set(lane % V::COUNT, time);
    }

    fn time(&self, environment: usize) -> f64 {
        let lane = self.lane_of[environment];
        self.groups[lane / V::COUNT].time.get(lane % V::COUNT)
    }

    fn sizes(&self) -> (usize, usize, usize) {
        let nq = self.groups.first().map_or(0, |s| s.qpos.len());
        (nq, self.plan.nv, self.plan.na)
    }

    fn lanes(&self) -> usize {
        V::COUNT
    }
}

/// One step; returns the environments that diverged.
fn step(
    groups: &mut dyn Groups,
    model: Option<&Model>,
    len: usize,
    reader: Option<&mut BatchReader<'_>>,
) -> Vec<usize> {
    let mut all = Vec::new();
    let mut diverged = |environment| {
        // spare lanes are not environments
        if environment < len {
            all.push(environment);
        }
    };
    groups.step(model, &mut diverged, reader);
    all
}

struct Build<'a> {
    plan: Arc<Plan>,
    qpos0: &'a [f64],
    len: usize,
}

impl Visitor for Build<'_> {
    type Output = Box<dyn Groups>;

    fn visit<V: Lanes>(self) -> Box<dyn Groups> {
        let count = self.len.div_ceil(V::COUNT);
        let state = State::<V>::new(&self.plan, self.qpos0);
        let work = Work::new(&self.plan);
        let total = count * V::COUNT;
        Box::new(GroupsOf {
            scalar: ScalarEngine::default(),
            plan: self.plan,
            groups: vec![state; count],
            other: Vec::new(),
            work,
            environments: (0..total as u32).collect(),
            lane_of: (0..total).collect(),
            regroup: Regroup::default(),
            steps: 0,
        })
    }
}

impl LaneBatch {
    /// Environments in the initial state of a model, with the widest vectors that the CPU supports.
    ///
    /// # Errors
    /// [`Unsupported`] if the model uses a feature that lanes do not simulate.
    pub fn new(model: &Model, len: usize) -> Result<Self, Unsupported> {
        Self::with_instruction_set(model, len, None)
    }

    /// As [`LaneBatch::new`], with a given instruction set if the CPU supports it.
    ///
    /// # Errors
    /// As [`LaneBatch::new`].
    pub fn with_instruction_set(
        model: &Model,
        len: usize,
        set: Option<InstructionSet>,
    ) -> Result<Self, Unsupported> {
        let lanes = LaneModel::with_instruction_set(model, set)?;
        let needs_scalar = lanes.plan.pairs.iter().any(|pair| pair.routine.needs_bound());
        let mut batch = lanes.make_batch(len);
        batch.model = needs_scalar.then(|| Box::new(model.clone()));
        Ok(batch)
    }

    pub(crate) fn of_plan(
        plan: Arc<Plan>,
        qpos0: &[f64],
        set: Option<InstructionSet>,
        len: usize,
    ) -> Self {
        Self { groups: with_lanes(set, Build { plan, qpos0, len }), model: None, len }
    }

    /// Number of environments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no environments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of environments in a group.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.groups.lanes()
    }

    /// Advances all environments by one step. Returns those that diverged: the values of their state or acceleration
    /// are not finite or too large; their state is unchanged. Environments in which geoms that lanes have no collision
    /// routine for may be in contact are stepped by the scalar engine.
    pub fn step(&mut self) -> Vec<usize> {
        let Self { groups, model, len } = self;
        step(&mut **groups, model.as_deref(), *len, None)
    }

    /// As [`LaneBatch::step`], for a batch of [`LaneModel::make_batch`]: `model` is that of the environments.
    pub fn step_with_model(&mut self, model: &Model) -> Vec<usize> {
        step(&mut *self.groups, Some(model), self.len, None)
    }

    /// As [`LaneBatch::step_with_model`]; calls `read` with the results of the forward dynamics of each environment that
    /// does not diverge, before the integration. They include contact wrenches if `wrenches` is true.
    pub fn step_with_results(
        &mut self,
        model: &Model,
        wrenches: bool,
        mut read: impl FnMut(usize, StepResults<'_>),
    ) -> Vec<usize> {
        let len = self.len;
        let read = &mut |environment: usize, results: StepResults<'_>| {
            if environment < len {
                read(environment, results);
            }
        };
        step(&mut *self.groups, Some(model), len, Some(&mut BatchReader { wrenches, read }))
    }

    /// Forward dynamics of an environment and its group; writes the acceleration to `qacc`. Returns whether it is
    /// complete: not if geoms that lanes have no collision routine for may be in contact.
    ///
    /// # Panics
    /// If there is no such environment.
    pub fn forward(&mut self, environment: usize, qacc: &mut [f64]) -> bool {
        assert!(environment < self.len, "no environment {environment}");
        self.groups.forward(self.model.as_deref(), environment, qacc)
    }

    /// Copies the state of an environment: time, positions, velocities and activations, as
    /// [`sim_core::mj_get_state`] with `FULLPHYSICS`.
    ///
    /// # Panics
    /// If there is no such environment, or `out` has another length.
    pub fn state(&self, environment: usize, out: &mut [f64]) {
        let (nq, nv, na) = self.groups.sizes();
        assert_eq!(out.len(), 1 + nq + nv + na, "the length of a state");
        let (qpos, rest) = out[1..].split_at_mut(nq);
        let (qvel, act) = rest.split_at_mut(nv);
        self.groups.read(Part::Qpos, environment, qpos);
        self.groups.read(Part::Qvel, environment, qvel);
        self.groups.read(Part::Act, environment, act);
        out[0] = self.groups.time(environment);
    }

    /// Sets the state of an environment, in the order of [`LaneBatch::state`].
    ///
    /// # Panics
    /// As [`LaneBatch::state`].
    pub fn set_state(&mut self, environment: usize, state: &[f64]) {
        let (nq, nv, na) = self.groups.sizes();
        assert_eq!(state.len(), 1 + nq + nv + na, "the length of a state");
        let (qpos, rest) = state[1..].split_at(nq);
        let (qvel, act) = rest.split_at(nv);
        self.groups.write(Part::Qpos, environment, qpos);
        self.groups.write(Part::Qvel, environment, qvel);
        self.groups.write(Part::Act, environment, act);
        self.groups.set_time(environment, state[0]);
    }

    /// Copies the positions of an environment.
    ///
    /// # Panics
    /// If there is no such environment; likewise for the methods below.
    pub fn qpos(&self, environment: usize, out: &mut [f64]) {
        self.groups.read(Part::Qpos, environment, out);
    }

    /// Copies the velocities of an environment.
    pub fn qvel(&self, environment: usize, out: &mut [f64]) {
        self.groups.read(Part::Qvel, environment, out);
    }

    /// Copies the acceleration with which the solver starts.
    pub fn qacc_warmstart(&self, environment: usize, out: &mut [f64]) {
        self.groups.read(Part::Warmstart, environment, out);
    }

    /// Sets the positions of an environment.
    pub fn set_qpos(&mut self, environment: usize, values: &[f64]) {
        self.groups.write(Part::Qpos, environment, values);
    }

    /// Sets the velocities of an environment.
    pub fn set_qvel(&mut self, environment: usize, values: &[f64]) {
        self.groups.write(Part::Qvel, environment, values);
    }

    /// Sets the controls of an environment.
    pub fn set_ctrl(&mut self, environment: usize, values: &[f64]) {
        self.groups.write(Part::Ctrl, environment, values);
    }

    /// Sets the generalised forces that act on an environment beside those of its model.
    pub fn set_qfrc_applied(&mut self, environment: usize, values: &[f64]) {
        self.groups.write(Part::Applied, environment, values);
    }

    /// Sets the acceleration with which the solver starts.
    pub fn set_qacc_warmstart(&mut self, environment: usize, values: &[f64]) {
        self.groups.write(Part::Warmstart, environment, values);
    }
}
