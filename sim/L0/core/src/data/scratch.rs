//! Temporaries that stages share, sized once so that a step never allocates.

use crate::Model;
use crate::collision::Collision;
use crate::constraint::Link;
use crate::derivative::Differences;
use crate::inertia::articulated::Articulated;
use crate::inertia::lu::Triangles;
use crate::integrate::{Corrections, FreeBodies};
use crate::inverse::Compared;
use crate::sensor::{Match, RangeWork};
use crate::solve::Solver;
use sim_types::TransmissionType;

/// Buffers whose content means nothing between two stages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// Spatial vectors of bodies.
    pub body_a: Vec<f64>,
    /// More spatial vectors of bodies.
    pub body_b: Vec<f64>,
    /// One number for each dof, zero between stages; only for models that need it.
    pub dof_row: Vec<f64>,
    /// Six numbers for each dof, zero between stages; only for models that need them.
    pub dof_jac: Vec<f64>,
    /// Total actuator force on each tendon.
    pub tendon_force: Vec<f64>,
    /// Controls after clamping.
    pub ctrl: Vec<f64>,
    /// Sines of half the joint angles.
    pub sin: Vec<f64>,
    /// Cosines of half the joint angles.
    pub cos: Vec<f64>,
    /// Acceleration that the integrator applies.
    pub qacc: Vec<f64>,
    /// An acceleration to be restored.
    pub saved: Vec<f64>,
    /// What is added to the diagonal of `M` for an articulated solve.
    pub diagonal: Vec<f64>,
    /// Articulated bodies, for deep trees.
    pub articulated: Articulated,
    /// Whether what is fixed to the world was placed since the last reset.
    pub placed: bool,
    /// Which mocap bodies were moved since equality constraints last looked; for models that sleep.
    pub moved_mocap: Vec<bool>,
    /// Whether `M` and its factors hold no values, because a step did without them.
    pub no_matrix: bool,
    /// Matrix of the implicit integrator, sized when it is first used.
    pub lu: Triangles,
    /// How motion axes turn, for derivatives of the bias force; sized when first used.
    pub turned: Vec<f64>,
    /// Gyroscopic terms of bodies, for derivatives of the bias force; sized when first used.
    pub gyration: Vec<f64>,
    /// Free bodies, for the implicit integrators.
    pub free: FreeBodies,
    /// Terms of backward Euler outside the pattern of the tree.
    pub corrections: Corrections,
    /// Six rows of six for each body: slopes of the medium's force; sized when first needed.
    pub fluid_body: Vec<f64>,
    /// Twelve numbers for each dof, likewise.
    pub fluid_dof: Vec<f64>,
    /// Memory of the constraint solvers; there once they were needed.
    pub solver: Option<Box<Solver>>,
    /// Results of forward dynamics, while inverse dynamics is compared with it.
    pub compared: Compared,
    /// One number for each constraint row.
    pub rows: Vec<f64>,
    /// Next free places while elements are sorted by island.
    pub slots: Vec<i32>,
    /// Places of elements that are sorted by island.
    pub places: Vec<i32>,
    /// Dofs of a constraint, while its rows are built.
    pub chain: Vec<Link>,
    /// Collision detection; there once contacts were looked for.
    pub collision: Option<Box<Collision>>,
    /// Rays of a camera's pixels; sized when first used.
    pub range: RangeWork,
    /// Contacts that a sensor is looking for.
    pub matches: Vec<Match>,
    /// Geoms that a sensor's body touches.
    pub touched: Vec<usize>,
    /// Finite differences; sized when first used.
    pub differences: Differences,
    /// States and their derivatives at the four stages of Runge–Kutta.
    pub rk4: Rk4,
}

/// Buffers of the Runge–Kutta integrator.
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
    /// Rate of activation at the four stages.
    pub act_dot: [Vec<f64>; 4],
    /// Combined rate of activation.
    pub dact: Vec<f64>,
    /// Combined velocity.
    pub dqpos: Vec<f64>,
    /// Combined acceleration.
    pub dqvel: Vec<f64>,
}

/// Bytes that a vector holds, in use or not.
pub(crate) fn held<T>(v: &Vec<T>) -> usize {
    v.capacity() * size_of::<T>()
}

impl Scratch {
    /// Bytes of the vectors that every model has.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = [
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
            &self.turned,
            &self.gyration,
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
        let stages = stages.into_iter().flatten().map(held);
        numbers.into_iter().map(held).chain(stages).sum::<usize>()
            + held(&self.slots)
            + held(&self.places)
            + held(&self.chain)
    }

    pub(crate) fn new(m: &Model) -> Self {
        let any = |kind| m.actuator_trntype.contains(&kind);
        let crank = any(TransmissionType::SliderCrank);
        let row =
            m.ntendon > 0 || crank || any(TransmissionType::Site) || any(TransmissionType::Body);
        Self {
            dof_row: vec![0.0; if row { m.nv } else { 0 }],
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
            placed: false,
            moved_mocap: vec![false; m.nmocap],
            no_matrix: false,
            lu: Triangles::default(),
            turned: Vec::new(),
            gyration: Vec::new(),
            free: FreeBodies::new(m),
            corrections: Corrections::default(),
            fluid_body: Vec::new(),
            fluid_dof: Vec::new(),
            solver: None,
            compared: Compared::default(),
            rows: Vec::new(),
            slots: Vec::new(),
            places: Vec::new(),
            chain: Vec::new(),
            collision: None,
            range: RangeWork::default(),
            matches: Vec::new(),
            touched: Vec::new(),
            differences: Differences::default(),
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
