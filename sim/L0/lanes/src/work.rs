//! State of a group of environments and the buffers of its stages. Each scalar of an environment is a
//! SIMD vector with one environment per lane.

use crate::integrate::RungeKutta;
use crate::line_search::Lines;
use crate::math::{Inertia, Mat3, Quat, Vec3, Vec6};
use crate::pgs::Dual;
use crate::plan::Plan;
use crate::separation::{Candidate, Separation};
use sim_core::Data;
use sim_simd::lanes::{Lanes, Mask};

/// State of the environments of a group.
#[derive(Debug, Clone)]
pub(crate) struct State<V> {
    pub qpos: Vec<V>,
    pub qvel: Vec<V>,
    pub act: Vec<V>,
    pub ctrl: Vec<V>,
    pub qfrc_applied: Vec<V>,
    pub qacc_warmstart: Vec<V>,
    pub time: V,
    /// Known distances of geoms; not a part of the state, and valid for every state.
    pub separations: Vec<Separation<V>>,
}

impl<V: Lanes> State<V> {
    pub(crate) fn new(plan: &Plan, qpos0: &[f64]) -> Self {
        Self {
            qpos: qpos0.iter().map(|&x| V::splat(x)).collect(),
            qvel: vec![V::zero(); plan.nv],
            act: vec![V::zero(); plan.na],
            ctrl: vec![V::zero(); plan.nu],
            qfrc_applied: vec![V::zero(); plan.nv],
            qacc_warmstart: vec![V::zero(); plan.nv],
            time: V::zero(),
            separations: Vec::new(),
        }
    }

    /// Copies the environment in a lane of another group.
    pub(crate) fn copy_lane(&mut self, lane: usize, source: &Self, from: usize) {
        for (to, source) in self.arrays_mut().into_iter().zip(source.arrays()) {
            for (to, source) in to.iter_mut().zip(source) {
                to.set(lane, source.get(from));
            }
        }
        self.time.set(lane, source.time.get(from));
    }

    /// Copies the state of an environment to a lane.
    pub(crate) fn load(&mut self, lane: usize, d: &Data) {
        set_lane(&mut self.qpos, lane, &d.qpos);
        set_lane(&mut self.qvel, lane, &d.qvel);
        set_lane(&mut self.act, lane, &d.act);
        set_lane(&mut self.ctrl, lane, &d.ctrl);
        set_lane(&mut self.qfrc_applied, lane, &d.qfrc_applied);
        set_lane(&mut self.qacc_warmstart, lane, &d.qacc_warmstart);
        self.time.set(lane, d.time);
    }

    /// Copies the state in a lane to an environment.
    pub(crate) fn store(&self, lane: usize, d: &mut Data) {
        get_lane(&self.qpos, lane, &mut d.qpos);
        get_lane(&self.qvel, lane, &mut d.qvel);
        get_lane(&self.act, lane, &mut d.act);
        get_lane(&self.qacc_warmstart, lane, &mut d.qacc_warmstart);
        d.time = self.time.get(lane);
    }

    /// Copies all lanes of another group.
    pub(crate) fn copy_from(&mut self, source: &Self) {
        for (to, source) in self.arrays_mut().into_iter().zip(source.arrays()) {
            to.copy_from_slice(source);
        }
        self.time = source.time;
    }

    /// Copies the environment in a lane to another lane.
    pub(crate) fn move_lane(&mut self, from: usize, to: usize) {
        for array in self.arrays_mut() {
            for value in array {
                let x = value.get(from);
                value.set(to, x);
            }
        }
        let time = self.time.get(from);
        self.time.set(to, time);
    }

    fn arrays(&self) -> [&[V]; 6] {
        let Self { qpos, qvel, act, ctrl, qfrc_applied, qacc_warmstart, .. } = self;
        [qpos, qvel, act, ctrl, qfrc_applied, qacc_warmstart]
    }

    fn arrays_mut(&mut self) -> [&mut [V]; 6] {
        let Self { qpos, qvel, act, ctrl, qfrc_applied, qacc_warmstart, .. } = self;
        [qpos, qvel, act, ctrl, qfrc_applied, qacc_warmstart]
    }
}

/// Copies an array to a lane.
pub(crate) fn set_lane<V: Lanes>(to: &mut [V], lane: usize, from: &[f64]) {
    assert_eq!(to.len(), from.len(), "the data belong to the model");
    for (to, &from) in to.iter_mut().zip(from) {
        to.set(lane, from);
    }
}

/// Copies a lane to an array.
pub(crate) fn get_lane<V: Lanes>(from: &[V], lane: usize, to: &mut [f64]) {
    assert_eq!(to.len(), from.len(), "the data belong to the model");
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.get(lane);
    }
}

/// Position of a contact and its frame by rows: normal and two tangents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactPoint<V: Lanes> {
    /// Index of the pair.
    pub pair: usize,
    /// Lanes with this contact.
    pub mask: V::Mask,
    pub dist: V,
    pub pos: Vec3<V>,
    pub normal: Vec3<V>,
    /// First tangent, if the shapes define one.
    pub tangent: Option<Vec3<V>>,
}

/// Type of a row block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// One row that is quadratic on both sides.
    Equality,
    /// One row that is quadratic on both sides between two bounds of its force: dry friction.
    Friction,
    /// One row that is quadratic on one side: a limit or a frictionless contact.
    OneSided,
    /// Edges of a friction pyramid.
    Pyramid,
    /// Elliptic cone.
    Elliptic,
}

/// Rows of one constraint, which share their columns.
///
/// The Jacobian is stored in the contact frame (normal, tangents, rotations); the edges of a pyramid are
/// `normal ± μ tangent`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub kind: BlockKind,
    /// Number of rows of the stored Jacobian.
    pub dim: usize,
    /// Address of the Jacobian in [`Work::jac`].
    pub jac: usize,
    /// Columns in [`Plan::columns`].
    pub cols: (usize, usize),
    /// Whether the columns are a complete path of the elimination tree.
    pub is_path: bool,
    /// Address of its Hessian in [`Work::weights`].
    pub weights: usize,
    /// First row.
    pub row: usize,
    /// Number of rows.
    pub nrow: usize,
    /// Friction coefficients of the tangents; the largest force of dry friction.
    pub friction: [f64; 5],
    /// Friction coefficient of the regularised cone.
    pub mu: f64,
    /// Bit per column.
    pub mask: u64,
    /// Number of the equality, friction, limit or pair, the same in all steps.
    pub id: u32,
    /// Bit per lane that has the block.
    pub lanes: u32,
}

/// Symmetric matrix of a block: its Hessian in the contact frame, lower triangle by rows.
pub(crate) type Weights<V> = [V; 21];

/// Number of entries of a vector over the dofs that is indexed with [`DOF_MASK`].
pub(crate) const MAX_DOFS: usize = 64;
/// Mask that keeps an index below [`MAX_DOFS`], which removes bounds checks.
pub(crate) const DOF_MASK: usize = MAX_DOFS - 1;

/// Buffers of the stages. Nothing in them is kept from step to step.
#[derive(Debug)]
pub(crate) struct Work<V: Lanes> {
    pub xpos: Vec<Vec3<V>>,
    pub xquat: Vec<Quat<V>>,
    pub xmat: Vec<Mat3<V>>,
    pub xipos: Vec<Vec3<V>>,
    pub xanchor: Vec<Vec3<V>>,
    pub xaxis: Vec<Vec3<V>>,
    pub geom_pos: Vec<Vec3<V>>,
    pub geom_mat: Vec<Mat3<V>>,
    /// Centre and half axis of the bounding capsules of geoms, and centre of their bounding boxes.
    pub bound: Vec<[Vec3<V>; 3]>,
    pub com: Vec<Vec3<V>>,
    pub cinert: Vec<Inertia<V>>,
    pub crb: Vec<Inertia<V>>,
    pub cdof: Vec<Vec6<V>>,
    pub cdof_dot: Vec<Vec6<V>>,
    pub cvel: Vec<Vec6<V>>,
    pub cacc: Vec<Vec6<V>>,
    pub cfrc: Vec<Vec6<V>>,
    pub cfrc_ext: Vec<Vec6<V>>,
    pub ten_length: Vec<V>,
    pub ten_velocity: Vec<V>,
    pub m: Vec<V>,
    pub ld: Vec<V>,
    pub diag_inv: Vec<V>,
    pub qfrc_actuator: Vec<V>,
    pub act_dot: Vec<V>,
    pub actuator_force: Vec<V>,
    /// Derivative of each actuator force with respect to the actuator velocity.
    pub force_vel: Vec<V>,
    pub qfrc_smooth: Vec<V>,
    pub qacc_smooth: Vec<V>,
    pub qfrc_constraint: Vec<V>,
    pub qacc: Vec<V>,
    pub qacc_step: Vec<V>,
    pub rk: RungeKutta<V>,

    pub contacts: Vec<ContactPoint<V>>,
    pub blocks: Vec<Block>,
    /// Blocks of lanes that have not converged.
    pub live: Vec<Block>,
    pub jac: Vec<V>,
    /// Lanes with at least one row.
    pub constrained: V::Mask,
    pub d: Vec<V>,
    pub aref: Vec<V>,
    pub jar: Vec<V>,
    pub jar_other: Vec<V>,
    pub jv: Vec<V>,
    pub dual: Dual<V>,
    /// Hessian of each block that `h` contains.
    pub weights: Vec<V>,
    pub line: Lines<V>,
    /// Vector over the dofs.
    pub x: Box<[V; MAX_DOFS]>,

    pub tree: crate::hessian::Tree,
    pub h: Vec<V>,
    pub l: Vec<V>,
    pub l_diag_inv: Vec<V>,
    pub ma: Vec<V>,
    pub mv: Vec<V>,
    pub grad: Vec<V>,
    pub search: Vec<V>,
    /// Lanes that diverged.
    pub bad: V::Mask,
    /// Bit per lane that the scalar engine has to step, because geoms are in contact or close to it.
    pub close: u32,
    pub candidates: Vec<Candidate<V>>,
    /// Data of the scalar engine that has the poses of two geoms.
    pub exact: Option<Box<Data>>,
    /// State before the step.
    pub before: Option<State<V>>,
    /// Newton iterations of the last solve.
    pub iterations: usize,
}

impl<V: Lanes> Work<V> {
    pub(crate) fn new(plan: &Plan) -> Self {
        let (nv, nbody, njnt) = (plan.nv, plan.bodies.len(), plan.joints.len());
        let ngeom = plan.geoms.len();
        let zero = V::zero();
        let entries = nv * (nv + 1) / 2;
        Self {
            xpos: vec![[zero; 3]; nbody],
            xquat: vec![[zero; 4]; nbody],
            xmat: vec![[zero; 9]; nbody],
            xipos: vec![[zero; 3]; nbody],
            xanchor: vec![[zero; 3]; njnt],
            xaxis: vec![[zero; 3]; njnt],
            geom_pos: vec![[zero; 3]; ngeom],
            geom_mat: vec![[zero; 9]; ngeom],
            bound: vec![[[zero; 3]; 3]; ngeom],
            com: vec![[zero; 3]; nbody],
            cinert: vec![[zero; 10]; nbody],
            crb: vec![[zero; 10]; nbody],
            cdof: vec![[zero; 6]; nv],
            cdof_dot: vec![[zero; 6]; nv],
            cvel: vec![[zero; 6]; nbody],
            cacc: vec![[zero; 6]; nbody],
            cfrc: vec![[zero; 6]; nbody],
            cfrc_ext: vec![[zero; 6]; nbody],
            ten_length: vec![zero; plan.tendons.len()],
            ten_velocity: vec![zero; plan.tendons.len()],
            m: vec![zero; plan.m_colind.len()],
            ld: vec![zero; plan.m_colind.len()],
            diag_inv: vec![zero; nv],
            qfrc_actuator: vec![zero; nv],
            act_dot: vec![zero; plan.na],
            actuator_force: vec![zero; plan.nu],
            force_vel: vec![zero; plan.nu],
            qfrc_smooth: vec![zero; nv],
            qacc_smooth: vec![zero; nv],
            qfrc_constraint: vec![zero; nv],
            qacc: vec![zero; nv],
            qacc_step: vec![zero; nv],
            rk: RungeKutta::default(),
            contacts: Vec::new(),
            blocks: Vec::new(),
            live: Vec::new(),
            jac: Vec::new(),
            constrained: V::Mask::none(),
            d: Vec::new(),
            aref: Vec::new(),
            jar: Vec::new(),
            jar_other: Vec::new(),
            jv: Vec::new(),
            dual: Dual::new(),
            weights: Vec::new(),
            line: Lines::default(),
            x: Box::new([zero; MAX_DOFS]),
            tree: crate::hessian::Tree::default(),
            h: vec![zero; entries],
            l: vec![zero; entries],
            l_diag_inv: vec![zero; nv],
            ma: vec![zero; nv],
            mv: vec![zero; nv],
            grad: vec![zero; nv],
            search: vec![zero; nv],
            bad: V::Mask::none(),
            close: 0,
            candidates: Vec::new(),
            exact: None,
            before: None,
            iterations: 0,
        }
    }
}
