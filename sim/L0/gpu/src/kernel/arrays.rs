//! Arrays of a kernel in workgroup memory, with the stages in which they hold values.

use super::features::incremental_gradient;
use super::{
    CDOF_STRIDE, CINERT_STRIDE, CONTACT_SIZE, Capacity, GEOM_POSITION_SIZE, GEOM_SIZE,
    XQUAT_STRIDE, conjugate, has_noslip,
};
use crate::layout::Stage::{
    Actuation, Collision, Crb, GeomPoses, ImplicitDamping, Integrate, Kinematics, MakeConstraint,
    Passive, ReferenceConstraint, SensorAcc, SensorForce, Solver, SolverInit,
};
use crate::layout::{Constants, STEP, WorkgroupArray, WorkgroupLayout};
use crate::linear_solve::{MAX_CHANGED_ROWS, MAX_COUPLING_ROWS};
use crate::model::tree_groups::GROUP_LANES;
use crate::model::{KernelModel, actuation};
use sim_core::Model;
use sim_types::{Cone, Integrator};

/// Arrays that few stages use (`rare_arrays.wgsl`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RareArrays {
    /// Whether they are in the scratch buffer.
    pub in_storage: bool,
    /// Their sizes in `vec4`s: velocities and accelerations of bodies, segments and Jacobians of tendons, poses, motion
    /// axes, spatial inertias, axes of geoms.
    sizes: [usize; 7],
    /// Whether the Jacobians of tendons are among them. Registers, not workgroup memory, limit kernels of several
    /// subgroups; softfoot takes 5 % longer with them in storage.
    pub tendon_jacobians: bool,
    /// Whether spatial inertias and axes of geoms are among them.
    pub inertias_and_axes: bool,
}

impl RareArrays {
    pub(super) fn new(m: &Model, model: &KernelModel, in_storage: bool) -> Self {
        let only = |needed: bool, len: usize| if in_storage && needed { len } else { 0 };
        let poses = model.poses_after_solver();
        let tendon_jacobians = in_storage && model.groups.lanes() == GROUP_LANES;
        let sizes = [
            only(model.needs_body_velocity(), 4 * m.nbody),
            only(true, 2 * model.spatial.segments),
            only(tendon_jacobians, (model.spatial.count * m.nv).div_ceil(4)),
            only(poses, 2 * m.nbody),
            only(poses, 2 * m.nv),
            0,
            0,
        ];
        Self { in_storage, sizes, tendon_jacobians, inertias_and_axes: false }
    }

    /// Adds spatial inertias and axes of geoms.
    pub(super) fn with_inertias_and_axes(mut self, m: &Model, model: &KernelModel) -> Self {
        self.sizes[5] = 4 * (m.nbody - 1);
        self.sizes[6] = 2 * model.collision.ngeom;
        self.inertias_and_axes = true;
        self
    }

    /// All of them together, in `vec4`s.
    pub(super) fn vec4s(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// Declares their addresses after the matrices.
    pub(super) fn declare(&self, constants: &mut Constants) {
        let mut next = 0;
        let names =
            ["BODY_MOTION4", "SEGMENT4", "TEN_J4", "POSE4", "AXIS4", "CINERT4", "GEOM_AXIS4"];
        for (name, size) in names.into_iter().zip(self.sizes) {
            constants.u32(name, next);
            next += size;
        }
        constants.u32("RARE4", next);
        constants.bool("TEN_J_IN_STORAGE", self.tendon_jacobians);
    }
}

/// Real arrays in workgroup memory; `exchange` entries serve reductions.
pub(super) fn real_layout(
    m: &Model,
    model: &KernelModel,
    capacity: Capacity,
    exchange: usize,
    disjoint: bool,
    rare: &RareArrays,
) -> WorkgroupLayout {
    let mut w = Vec::new();
    persistent_arrays(&mut w, m, model);
    smooth_arrays(&mut w, m, model, rare);
    constraint_arrays(&mut w, m, model, capacity, rare);
    rare_arrays(&mut w, m, model, capacity);
    w.push(WorkgroupArray::new("LANE_SUMS", 2 * exchange, STEP));
    layout(w, disjoint)
}

fn layout(arrays: Vec<WorkgroupArray>, disjoint: bool) -> WorkgroupLayout {
    match disjoint {
        true => WorkgroupLayout::disjoint(arrays),
        false => WorkgroupLayout::shared(arrays),
    }
}

/// Arrays of kinematics and smooth dynamics.
fn smooth_arrays(w: &mut Vec<WorkgroupArray>, m: &Model, model: &KernelModel, rare: &RareArrays) {
    // the last stage before the solver, and the one after it, which read poses
    let early = if model.poses_for_constraints() { MakeConstraint } else { GeomPoses };
    let late = match (model.poses_for_fluid(), model.sensors.body_motion) {
        (true, _) => Some(ImplicitDamping),
        (false, true) => Some(SensorAcc),
        (false, false) => None,
    };
    // read back for the derivatives of fluid forces
    let again = model.poses_for_fluid().then_some(SensorAcc..=ImplicitDamping);
    let (poses, again, axes) = match rare.in_storage {
        true => (early, again, MakeConstraint),
        false => (late.unwrap_or(early), None, late.unwrap_or(MakeConstraint)),
    };
    let moving = model.keeps_body_motion();
    let velocities = if moving { ImplicitDamping } else { SensorForce };
    let workgroup = |len: usize| if rare.in_storage { 0 } else { len };
    let tendon_jacobians = if rare.tendon_jacobians { 0 } else { model.spatial.count * m.nv };
    let nderiv = if model.force_derivatives { m.nu + m.ntendon } else { 0 };
    let ninert = if rare.inertias_and_axes { 0 } else { CINERT_STRIDE * (m.nbody - 1) };
    let nvel = workgroup(if model.needs_body_velocity() { 6 * m.nbody } else { 0 });
    for (name, len, last) in [
        ("CDOF", CDOF_STRIDE * m.nv, axes),
        ("XPOS", 3 * m.nbody, poses),
        ("XQUAT", XQUAT_STRIDE * m.nbody, poses),
    ] {
        w.push(WorkgroupArray::new(name, len, Kinematics..=last).also_live(again.clone()));
    }
    for (name, len, live) in [
        ("CVEL", nvel, Kinematics..=velocities),
        ("CACC", nvel, Kinematics..=velocities),
        // the world has no inertia
        ("CINERT", ninert, Kinematics..=Crb),
        // straight segments of spatial tendons, and the lengths of their spans
        ("SEGMENT", workgroup(6 * model.spatial.segments), Kinematics..=Kinematics),
        ("SPAN_LENGTH", model.spatial.spans, Kinematics..=Kinematics),
        // Jacobians of spatial tendons
        ("TEN_J", tendon_jacobians, Kinematics..=ImplicitDamping),
        ("QFRC_SMOOTH", m.nv, Crb..=SensorAcc),
        // velocity derivatives of the forces of actuators, then of tendons
        ("FORCE_DERIV", nderiv, Passive..=ImplicitDamping),
        ("MOMENT", model.ndense * m.nv, Actuation..=ImplicitDamping),
        ("DENSE_LENGTH", model.ndense, Actuation..=ImplicitDamping),
        ("ACTUATOR_FORCE", m.nu, Actuation..=SensorForce),
        ("TEN_FORCE", m.ntendon, Passive..=SensorForce),
    ] {
        w.push(WorkgroupArray::new(name, len, live));
    }
}

/// Arrays of collision detection, constraints and their solver.
fn constraint_arrays(
    w: &mut Vec<WorkgroupArray>,
    m: &Model,
    model: &KernelModel,
    capacity: Capacity,
    rare: &RareArrays,
) {
    let incremental = incremental_gradient(m, model);
    let total_force = !incremental || model.needs_total_force(m);
    let geom_size = if rare.inertias_and_axes { GEOM_POSITION_SIZE } else { GEOM_SIZE };
    let bounds = model.collision.separation > 0;
    let contacts = if model.sensors.contacts { SensorAcc } else { MakeConstraint };
    for (name, len, live) in [
        ("GEOM_POSE", geom_size * model.collision.ngeom, GeomPoses..=Collision),
        ("DOF_DISPLACEMENT", if bounds { m.nv } else { 0 }, Collision..=Collision),
        ("BODY_DISPLACEMENT", if bounds { m.nbody } else { 0 }, Collision..=Collision),
        ("PAIR_QUEUE", model.collision.queue, Collision..=Collision),
        ("CONTACT", CONTACT_SIZE * capacity.contacts, Collision..=contacts),
        ("EFC_D", capacity.rows, MakeConstraint..=Solver),
        ("EFC_JAR", capacity.rows, MakeConstraint..=Solver),
        ("EFC_JV", capacity.rows, MakeConstraint..=Solver),
        ("EFC_FRICTIONLOSS", model.constraint.nf, MakeConstraint..=Solver),
        ("EFC_AREF", capacity.rows, ReferenceConstraint..=SolverInit),
        ("EFC_FORCE", capacity.rows, Solver..=SensorAcc),
        ("CHANGED_ROWS", if incremental { MAX_CHANGED_ROWS } else { 0 }, Solver..=Solver),
        ("QACC", m.nv, SolverInit..=Integrate),
        // M qacc, and M times the search direction
        ("MA", if total_force { m.nv } else { 0 }, SolverInit..=Integrate),
        ("GRAD", m.nv, SolverInit..=Integrate),
        ("SEARCH", m.nv, SolverInit..=Integrate),
        ("MV", if incremental { 0 } else { m.nv }, SolverInit..=Integrate),
        ("DAMPING_DIAG", m.nv, ImplicitDamping..=ImplicitDamping),
    ] {
        w.push(WorkgroupArray::new(name, len, live));
    }
}

/// Arrays that few models have; others do not declare them.
fn rare_arrays(w: &mut Vec<WorkgroupArray>, m: &Model, model: &KernelModel, capacity: Capacity) {
    if has_noslip(m) {
        w.push(WorkgroupArray::new("NOSLIP_L", m.nv * m.nv, STEP));
        w.push(WorkgroupArray::new("NOSLIP_B", capacity.rows * m.nv, STEP));
        w.push(WorkgroupArray::new("NOSLIP_Y", m.nv, STEP));
        w.push(WorkgroupArray::new("NOSLIP_AREF", capacity.rows, STEP));
    }
    if model.nadhesion > 0 {
        w.push(WorkgroupArray::new("ADHESION_FORCE", model.nadhesion, STEP));
    }
}

/// Arrays that are live throughout a step; the state comes first.
fn persistent_arrays(w: &mut Vec<WorkgroupArray>, m: &Model, model: &KernelModel) {
    let full = m.opt.integrator == Integrator::Implicit;
    let cg = if conjugate(m) { m.nv } else { 0 };
    let rk4 = |len: usize| if m.opt.integrator == Integrator::Rk4 { len } else { 0 };
    for (name, len) in [
        ("TIME", 1),
        ("QPOS", m.nq),
        ("QVEL", m.nv),
        ("ACT", m.na),
        ("TREE_REF", 3 * m.ntree),
        ("ACT_DOT", m.na),
        // velocity derivatives of the bias force
        ("RNE_DERIV", if full { m.nv * m.nv } else { 0 }),
        ("FLUID_WRENCH", 6 * model.nfluid),
        ("TEN_LENGTH", m.ntendon),
        ("TEN_BIAS", if model.spatial.armature { m.nv } else { 0 }),
        ("ACTUATOR_VELOCITY", if actuation::has_dc_motor(m) { m.nu } else { 0 }),
        // previous iteration of CG
        ("PREV_GRAD", cg),
        ("PREV_MGRAD", cg),
        ("PREV_SEARCH", cg),
        // initial state of a step and weighted derivatives of its stages
        ("RK4_QPOS", rk4(m.nq)),
        ("RK4_QVEL", rk4(m.nv)),
        ("RK4_ACT", rk4(m.na)),
        ("RK4_DQPOS", rk4(m.nv)),
        ("RK4_DQVEL", rk4(m.nv)),
        ("RK4_DACT", rk4(m.na)),
    ] {
        w.push(WorkgroupArray::new(name, len, STEP));
    }
}

/// Index arrays in workgroup memory.
pub(super) fn index_layout(
    m: &Model,
    model: &KernelModel,
    capacity: Capacity,
    exchange: usize,
    disjoint: bool,
) -> WorkgroupLayout {
    let (contacts, rows) = (capacity.contacts, capacity.rows);
    let elliptic = m.opt.cone == Cone::Elliptic;
    let groups = model.groups.len();
    let only = |condition: bool, len: usize| if condition { len } else { 0 };
    let mut w = Vec::new();
    for (name, len) in [
        ("CONTACT_PAIR_ROW", contacts * if model.collision.has_many_pairs() { 2 } else { 1 }),
        ("CONE_STATE", only(elliptic, contacts)),
        ("ROW_CONE_STATE", only(elliptic, rows)),
        ("ROW_GROUP", only(groups > 1, rows)),
        ("GROUP_ROWS", only(groups > 1, rows)),
        ("GROUP_NEFC", only(groups > 1, groups)),
        ("COUPLING_ROW", only(groups > 1, MAX_COUPLING_ROWS)),
        ("LANE_SCAN", exchange),
    ] {
        w.push(WorkgroupArray::new(name, len, STEP));
    }
    if model.nsleeping > 0 {
        w.push(WorkgroupArray::new("TREE_ASLEEP", m.ntree, STEP));
        w.push(WorkgroupArray::new("TREE_WAKES", m.ntree, STEP));
    }
    if model.orders_contacts(m) {
        w.push(WorkgroupArray::new("CONTACT_ORDER", contacts, STEP));
    }
    if model.sensors.tactile > 0 {
        w.push(WorkgroupArray::new("TACTILE_CONTACT", model.collision.ngeom, STEP));
    }
    layout(w, disjoint)
}
