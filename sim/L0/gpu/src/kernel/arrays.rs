//! Arrays of a kernel in workgroup memory, with the stages in which they hold values.

use super::{
    CDOF_STRIDE, CINERT_STRIDE, CONTACT_SIZE, Capacity, GEOM_SIZE, XQUAT_STRIDE, conjugate,
    has_noslip,
};
use crate::layout::{STEP, Stage, WorkgroupLayout};
use crate::linear_solve::MAX_COUPLING_ROWS;
use crate::model::{KernelModel, actuation};
use sim_core::Model;
use sim_types::{Cone, Integrator};

/// Real arrays in workgroup memory; `exchange` entries serve reductions.
pub(super) fn real_layout(
    m: &Model,
    model: &KernelModel,
    capacity: Capacity,
    exchange: usize,
    disjoint: bool,
) -> WorkgroupLayout {
    use Stage::{
        Collision, Crb, GeomPoses, ImplicitDamping, Integrate, Kinematics, MakeConstraint,
        ReferenceConstraint, SensorAcc, SensorForce, Solver, SolverInit,
    };
    let moving = model.keeps_body_motion();
    let mut w = WorkgroupLayout::new(disjoint);
    persistent_arrays(&mut w, m, model);
    // motion axes until the constraints are made, then the vectors of the solver
    let first = w.cursor();
    let fluid = model.nfluid > 0 && model.force_derivatives;
    let last = match (fluid, model.sensors.body_motion) {
        (true, _) => ImplicitDamping,
        (false, true) => SensorAcc,
        (false, false) => MakeConstraint,
    };
    w.array("CDOF", CDOF_STRIDE * m.nv, Kinematics..=last);
    let after = w.cursor();
    w.overlay(if last == MakeConstraint { first } else { after });
    for name in ["QACC", "MA", "GRAD", "SEARCH", "MV"] {
        w.array(name, m.nv, SolverInit..=Integrate);
    }
    w.advance_to(after);
    // poses and inertias, then contacts and geoms, then constraint rows
    let poses = w.cursor();
    let last = if moving { ImplicitDamping } else { GeomPoses };
    w.array("XPOS", 3 * m.nbody, Kinematics..=last);
    w.array("XQUAT", XQUAT_STRIDE * m.nbody, Kinematics..=last);
    let velocities = w.cursor();
    let nvel = if model.needs_body_velocity() { 6 * m.nbody } else { 0 };
    let last = if moving { ImplicitDamping } else { SensorForce };
    w.array("CVEL", nvel, Kinematics..=last);
    w.array("CACC", nvel, Kinematics..=last);
    let inertias = w.cursor();
    // the world has no inertia
    w.array("CINERT", CINERT_STRIDE * (m.nbody - 1), Kinematics..=Crb);
    // straight segments of spatial tendons, and the lengths of their spans
    w.array("SEGMENT", 6 * model.spatial.segments, Kinematics..=Kinematics);
    w.array("SPAN_LENGTH", model.spatial.spans, Kinematics..=Kinematics);
    w.overlay(inertias);
    w.array("ACTUATOR_FORCE", m.nu, Stage::Actuation..=SensorForce);
    w.array("TEN_FORCE", m.ntendon, Stage::Passive..=SensorForce);
    let start = if moving { inertias } else { poses };
    w.overlay(start);
    let last = if model.sensors.contacts { SensorAcc } else { MakeConstraint };
    w.array("CONTACT", CONTACT_SIZE * capacity.contacts, Collision..=last);
    let contacts = w.cursor();
    // body poses are read while geom poses are written
    w.advance_to(if moving { inertias } else { velocities });
    w.array("GEOM_POSE", GEOM_SIZE * model.collision.ngeom, GeomPoses..=Collision);
    let bounds = model.collision.separation > 0;
    w.array("DOF_DISPLACEMENT", if bounds { m.nv } else { 0 }, Collision..=Collision);
    w.array("BODY_DISPLACEMENT", if bounds { m.nbody } else { 0 }, Collision..=Collision);
    w.array("PAIR_QUEUE", model.collision.queue, Collision..=Collision);
    // reference accelerations, then forces
    let forces = if model.sensors.contacts { contacts } else { start };
    w.overlay(forces);
    w.array("EFC_AREF", capacity.rows, ReferenceConstraint..=SolverInit);
    w.overlay(forces);
    w.array("EFC_FORCE", capacity.rows, Solver..=SensorAcc);
    w.advance_to(contacts);
    for name in ["EFC_D", "EFC_JAR", "EFC_JV"] {
        w.array(name, capacity.rows, MakeConstraint..=Solver);
    }
    w.array("EFC_FRICTIONLOSS", model.constraint.nf, MakeConstraint..=Solver);
    w.overlay(start);
    w.array("DAMPING_DIAG", m.nv, ImplicitDamping..=ImplicitDamping);
    w.advance_to_end();
    rare_arrays(&mut w, m, model, capacity);
    w.array("LANE_SUMS", 2 * exchange, STEP);
    w
}

/// Arrays that few models have; others do not declare them.
fn rare_arrays(w: &mut WorkgroupLayout, m: &Model, model: &KernelModel, capacity: Capacity) {
    if has_noslip(m) {
        w.array("NOSLIP_L", m.nv * m.nv, STEP);
        w.array("NOSLIP_B", capacity.rows * m.nv, STEP);
        w.array("NOSLIP_Y", m.nv, STEP);
        w.array("NOSLIP_AREF", capacity.rows, STEP);
    }
    if model.nadhesion > 0 {
        w.array("ADHESION_FORCE", model.nadhesion, STEP);
    }
}

/// Arrays that are live throughout a step; the state comes first.
fn persistent_arrays(w: &mut WorkgroupLayout, m: &Model, model: &KernelModel) {
    let implicit = model.force_derivatives;
    let full = m.opt.integrator == Integrator::Implicit;
    let cg = if conjugate(m) { m.nv } else { 0 };
    let rk4 = |len: usize| if m.opt.integrator == Integrator::Rk4 { len } else { 0 };
    for (name, len) in [
        ("TIME", 1),
        ("QPOS", m.nq),
        ("QVEL", m.nv),
        ("ACT", m.na),
        ("TREE_REF", 3 * m.ntree),
        ("QFRC_SMOOTH", m.nv),
        ("ACT_DOT", m.na),
        // velocity derivatives of the forces of actuators, then of tendons
        ("FORCE_DERIV", if implicit { m.nu + m.ntendon } else { 0 }),
        // velocity derivatives of the bias force
        ("RNE_DERIV", if full { m.nv * m.nv } else { 0 }),
        ("FLUID_WRENCH", 6 * model.nfluid),
        ("MOMENT", model.ndense * m.nv),
        ("DENSE_LENGTH", model.ndense),
        ("TEN_LENGTH", m.ntendon),
        // Jacobians of spatial tendons
        ("TEN_J", model.spatial.count * m.nv),
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
        w.array(name, len, STEP);
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
    let mut w = WorkgroupLayout::new(disjoint);
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
        w.array(name, len, STEP);
    }
    if model.nsleeping > 0 {
        w.array("TREE_ASLEEP", m.ntree, STEP);
        w.array("TREE_WAKES", m.ntree, STEP);
    }
    if model.orders_contacts(m) {
        w.array("CONTACT_ORDER", contacts, STEP);
    }
    if model.sensors.tactile > 0 {
        w.array("TACTILE_CONTACT", model.collision.ngeom, STEP);
    }
    w
}
