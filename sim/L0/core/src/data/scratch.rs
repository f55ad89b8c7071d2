//! Scratch buffers of the pipeline stages, allocated once so that a step does not allocate.

use crate::Model;
use crate::collision::Collision;
use crate::constraint::ChainDof;
use crate::data::heap_bytes;
use crate::derivative::Differences;
use crate::flex::FlexScratch;
use crate::inertia::{Articulated, Triangles};
use crate::integrate::{CellSystem, Corrections, FreeBodies};
use crate::sensor::{MatchedContact, RangefinderScratch};
use crate::solve::Solver;
use sim_types::{ConstraintState, TransmissionType};

/// Scratch buffers. Unless stated otherwise, their content is undefined between stages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// One spatial vector per body, `6 nbody`.
    pub body_a: Vec<f64>,
    /// One spatial vector per body, `6 nbody`.
    pub body_b: Vec<f64>,
    /// Dense row of length `nv`, zero between stages; empty for models without tendons and site, body or
    /// slider-crank transmissions.
    pub dof_row: Vec<f64>,
    /// Six values per dof, zero between stages; empty for models without slider-crank transmissions.
    pub dof_jac: Vec<f64>,
    /// Total actuator force on each tendon (N).
    pub tendon_force: Vec<f64>,
    /// Controls after delay and clamping.
    pub ctrl: Vec<f64>,
    /// Sine of half the joint displacement, one per joint.
    pub sin: Vec<f64>,
    /// Cosine of half the joint displacement, one per joint.
    pub cos: Vec<f64>,
    /// Acceleration applied by the integrator, `nv`.
    pub qacc: Vec<f64>,
    /// Saved `qacc`, `nv`.
    pub saved: Vec<f64>,
    /// Diagonal added to `M` in an articulated-body solve, `nv`.
    pub diagonal: Vec<f64>,
    /// Buffers of the articulated-body algorithm; empty for models that do not use it.
    pub articulated: Articulated,
    /// Whether the poses of static bodies were computed since the last reset. Persistent.
    pub static_poses_valid: bool,
    /// Whether each mocap body moved since the last wake test of equality constraints. Persistent.
    pub moved_mocap: Vec<bool>,
    /// Whether `M` and its factor are out of date because the last step used the articulated-body algorithm.
    /// Persistent.
    pub no_matrix: bool,
    /// LU factor of the implicit integrator; allocated on first use.
    pub lu: Triangles,
    /// Time derivatives of the motion axes in derivatives of the bias force, `6 nv`; allocated on first use.
    pub axis_rates: Vec<f64>,
    /// Gyroscopic terms of bodies in derivatives of the bias force, `12 nbody`; allocated on first use.
    pub gyroscopic: Vec<f64>,
    /// Single free bodies, for the implicit integrators.
    pub free: FreeBodies,
    /// Terms of the backward Euler integrator outside the sparsity pattern of `M`.
    pub corrections: Corrections,
    /// 6 × 6 velocity derivative of the fluid wrench of each body, `36 nbody`; allocated on first use.
    pub fluid_body: Vec<f64>,
    /// Products of these derivatives with the motion axes, `12 nv`; allocated on first use.
    pub fluid_dof: Vec<f64>,
    /// Buffers of the constraint solvers; allocated on first use.
    pub solver: Option<Box<Solver>>,
    /// Forward-dynamics results that inverse dynamics is compared with.
    pub saved_forward: SavedForward,
    /// One value per constraint row.
    pub rows: Vec<f64>,
    /// Next free index of each island while elements are sorted by island.
    pub island_cursor: Vec<i32>,
    /// Destination index of each element sorted by island.
    pub island_index: Vec<i32>,
    /// Dofs of the constraint whose rows are being built.
    pub chain: Vec<ChainDof>,
    /// Buffers of collision detection; allocated on first use.
    pub collision: Option<Box<Collision>>,
    /// Rays of camera rangefinders; allocated on first use.
    pub rangefinder: RangefinderScratch,
    /// Contacts that match a contact sensor.
    pub matched_contacts: Vec<MatchedContact>,
    /// Geoms in contact with the body of a tactile sensor.
    pub contacting_geoms: Vec<usize>,
    /// Buffers of finite differences; allocated on first use.
    pub differences: Differences,
    /// Buffers of flexes.
    pub flex: FlexScratch,
    /// System of the cells of interpolated flexes.
    pub cell_system: CellSystem,
    /// Buffers of the RK4 integrator.
    pub rk4: Rk4,
}

/// Copies of the forward dynamics results that inverse dynamics overwrites.
#[derive(Debug, Clone, Default)]
pub(crate) struct SavedForward {
    pub constraint: Vec<f64>,
    pub applied: Vec<f64>,
    pub rows: Vec<f64>,
    pub states: Vec<ConstraintState>,
}

/// Buffers of the RK4 integrator.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rk4 {
    /// Position at the start of the step.
    pub qpos: Vec<f64>,
    /// Velocity at the four stages.
    pub qvel: [Vec<f64>; 4],
    /// Acceleration at the four stages.
    pub qacc: [Vec<f64>; 4],
    /// Activation at the start of the step.
    pub act: Vec<f64>,
    /// Activation derivative at the four stages.
    pub act_dot: [Vec<f64>; 4],
    /// Weighted sum of the activation derivatives.
    pub dact: Vec<f64>,
    /// Weighted sum of the velocities.
    pub dqpos: Vec<f64>,
    /// Weighted sum of the accelerations.
    pub dqvel: Vec<f64>,
}

impl Scratch {
    /// Bytes allocated by the buffers that are not reported separately.
    pub(crate) fn bytes(&self) -> usize {
        let buffers = [
            &self.body_a,
            &self.body_b,
            &self.dof_row,
            &self.dof_jac,
            &self.tendon_force,
            &self.ctrl,
            &self.sin,
            &self.cos,
            &self.qacc,
            &self.saved,
            &self.diagonal,
            &self.axis_rates,
            &self.gyroscopic,
            &self.fluid_body,
            &self.fluid_dof,
            &self.rows,
            &self.rk4.qpos,
            &self.rk4.act,
            &self.rk4.dact,
            &self.rk4.dqpos,
            &self.rk4.dqvel,
        ];
        let stages = [&self.rk4.qvel, &self.rk4.qacc, &self.rk4.act_dot];
        let stages = stages.into_iter().flatten().map(heap_bytes);
        buffers.into_iter().map(heap_bytes).chain(stages).sum::<usize>()
            + heap_bytes(&self.island_cursor)
            + heap_bytes(&self.island_index)
            + heap_bytes(&self.chain)
            + self.flex.bytes()
    }

    /// Allocates the buffers whose size is known from the model.
    pub(crate) fn new(m: &Model) -> Self {
        let any = |kind| m.actuator_trntype.contains(&kind);
        let crank = any(TransmissionType::SliderCrank);
        let dense_row =
            m.ntendon > 0 || crank || any(TransmissionType::Site) || any(TransmissionType::Body);
        Self {
            dof_row: vec![0.0; if dense_row { m.nv } else { 0 }],
            dof_jac: vec![0.0; if crank { 6 * m.nv } else { 0 }],
            tendon_force: vec![0.0; m.ntendon],
            body_a: vec![0.0; 6 * m.nbody],
            body_b: vec![0.0; 6 * m.nbody],
            sin: vec![0.0; m.njnt],
            cos: vec![0.0; m.njnt],
            ctrl: vec![0.0; m.nu],
            qacc: vec![0.0; m.nv],
            saved: vec![0.0; m.nv],
            diagonal: vec![0.0; m.nv],
            articulated: if m.plan.articulated {
                Articulated::new(m)
            } else {
                Articulated::default()
            },
            static_poses_valid: false,
            moved_mocap: vec![false; m.nmocap],
            no_matrix: false,
            lu: Triangles::default(),
            axis_rates: Vec::new(),
            gyroscopic: Vec::new(),
            free: FreeBodies::new(m),
            corrections: Corrections::default(),
            fluid_body: Vec::new(),
            fluid_dof: Vec::new(),
            solver: None,
            saved_forward: SavedForward::default(),
            rows: Vec::new(),
            island_cursor: Vec::new(),
            island_index: Vec::new(),
            chain: Vec::new(),
            collision: None,
            rangefinder: RangefinderScratch::default(),
            matched_contacts: Vec::new(),
            contacting_geoms: Vec::new(),
            differences: Differences::default(),
            flex: FlexScratch::default(),
            cell_system: CellSystem::default(),
            rk4: Rk4 {
                qpos: vec![0.0; m.nq],
                qvel: std::array::from_fn(|_| vec![0.0; m.nv]),
                qacc: std::array::from_fn(|_| vec![0.0; m.nv]),
                act: vec![0.0; m.na],
                act_dot: std::array::from_fn(|_| vec![0.0; m.na]),
                dact: vec![0.0; m.na],
                dqpos: vec![0.0; m.nv],
                dqvel: vec![0.0; m.nv],
            },
        }
    }
}
