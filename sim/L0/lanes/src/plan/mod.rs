//! Tables that the lanes share: everything of a [`Model`] that a step reads, with indices as `usize` and constants
//! precomputed.

mod actuation;
mod collision;
mod constraint;

pub(crate) use actuation::{Actuator, Dynamics, Tendon};
pub(crate) use collision::merged_chain;

use crate::support::{Unsupported, supports};
use actuation::{actuator, tendon};
use collision::collision_tables;
use constraint::{equalities, frictions, limits};
use sim_core::fluid::{BoxDrag, Medium, has_fluid_force};
use sim_core::impedance::SolParams;
use sim_core::math::{quat, rows, vec3};
use sim_core::{ActuatorDofTerms, Model};
use sim_types::{Cone, DisableBit, GeomType, Integrator, JointType, SolverType};
use std::ops::Range;

/// Largest number of geom pairs.
pub(crate) const MAX_PAIRS: usize = 4096;

/// A body and its inertial frame.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub parent: usize,
    pub root: usize,
    pub joints: Range<usize>,
    pub dofs: Range<usize>,
    pub pos: [f64; 3],
    pub quat: [f64; 4],
    pub ipos: [f64; 3],
    pub imat: [f64; 9],
    pub has_imat: bool,
    pub inertia: [f64; 3],
    pub mass: f64,
    pub subtreemass: f64,
    /// Drag of the fluid on the equivalent inertia box, if there is a fluid.
    pub drag: Option<BoxDrag>,
}

/// A joint, with the constants of the first joint of a body.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub kind: JointType,
    pub qpos: usize,
    pub dof: usize,
    pub body: usize,
    pub is_first: bool,
    pub pos: [f64; 3],
    pub axis: [f64; 3],
    pub qpos0: f64,
    pub anchor_in_parent: [f64; 3],
    pub axis_in_parent: [f64; 3],
    pub quat_axis: [f64; 4],
    pub stiffness: f64,
    pub stiffnesspoly: [f64; 2],
    pub spring_ref: [f64; 7],
}

/// A site and its frame relative to its body.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub body: usize,
    pub pos: [f64; 3],
    pub mat: [f64; 9],
}

/// A geom that can collide.
#[derive(Debug, Clone)]
pub(crate) struct Geom {
    /// Index in the model.
    pub id: usize,
    pub body: usize,
    pub pos: [f64; 3],
    pub mat: [f64; 9],
    pub size: [f64; 3],
    /// Whether the whole orientation is needed, instead of the z axis.
    pub needs_mat: bool,
    /// Shapes that contain the geom, if a pair needs them.
    pub bound: Option<Bound>,
}

/// A bounding capsule and a bounding box of a geom, in the frame of its body.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    /// Centre of the capsule.
    pub centre: [f64; 3],
    /// Vector from the centre to an end of the segment.
    pub axis: [f64; 3],
    pub radius: f64,
    /// Centre of the box, whose axes are those of the geom.
    pub box_centre: [f64; 3],
    pub half: [f64; 3],
}

/// Narrow-phase routine of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routine {
    PlaneSphere,
    PlaneCapsule,
    PlaneCylinder,
    PlaneBox,
    SphereSphere,
    SphereCapsule,
    CapsuleCapsule,
    /// No routine in lanes: if bounding volumes overlap, the scalar engine measures the distance, and it steps
    /// environments in which the geoms are in contact or close to it.
    Scalar,
    /// The same for a plane and another geom.
    PlaneScalar,
}

impl Routine {
    /// The routine of two types, the lower first; `None` if environments with such a pair cannot be stepped in lanes.
    pub(crate) fn of(low: GeomType, high: GeomType) -> Option<Self> {
        Some(match (low, high) {
            (GeomType::HField | GeomType::Sdf, _) | (_, GeomType::HField | GeomType::Sdf) => {
                return None;
            }
            (GeomType::Plane, GeomType::Sphere) => Self::PlaneSphere,
            (GeomType::Plane, GeomType::Capsule) => Self::PlaneCapsule,
            (GeomType::Plane, GeomType::Cylinder) => Self::PlaneCylinder,
            (GeomType::Plane, GeomType::Box) => Self::PlaneBox,
            (GeomType::Sphere, GeomType::Sphere) => Self::SphereSphere,
            (GeomType::Sphere, GeomType::Capsule) => Self::SphereCapsule,
            (GeomType::Capsule, GeomType::Capsule) => Self::CapsuleCapsule,
            (GeomType::Plane, _) => Self::PlaneScalar,
            _ => Self::Scalar,
        })
    }

    /// Whether bounding volumes are tested instead of the geoms.
    pub(crate) fn needs_bound(self) -> bool {
        matches!(self, Self::Scalar | Self::PlaneScalar)
    }
}

/// A dof of a contact's chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainDof {
    pub dof: usize,
    /// Whether it moves the first body instead of the second.
    pub is_first: bool,
    /// The world axis of a translation of a free joint.
    pub unit: Option<u8>,
}

/// Two geoms that can collide.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// Positions in [`Plan::geoms`].
    pub geoms: [usize; 2],
    pub routine: Routine,
    /// Sum of the bounding radii and the margin.
    pub bound: f64,
    /// Radius of the bounding sphere of the second geom.
    pub radius: f64,
    pub margin: f64,
    pub includemargin: f64,
    pub dim: usize,
    pub friction: [f64; 5],
    /// Friction coefficient of the regularised cone.
    pub mu: f64,
    pub reference: Reference,
    /// Damping of the friction rows of an elliptic cone.
    pub friction_damping: f64,
    /// Diagonal approximation of the normal row.
    pub diag: f64,
    /// Roots of the two bodies.
    pub roots: [usize; 2],
    /// Dofs in increasing order.
    pub chain: Vec<ChainDof>,
    pub cols: ColumnSet,
}

/// Impedance parameters of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference {
    pub sol: SolParams,
    pub stiffness: f64,
    pub damping: f64,
}

impl Reference {
    fn new(sol: SolParams) -> Self {
        let normal = sol.reference(sol.solref);
        Self { sol, stiffness: normal.stiffness, damping: normal.damping }
    }
}

/// Columns of a row block.
#[derive(Debug, Clone, Default)]
pub(crate) struct ColumnSet {
    /// Address in [`Plan::columns`].
    pub range: Range<usize>,
    /// Bit per dof.
    pub mask: u64,
}

/// A limit of a scalar joint or of a fixed tendon.
#[derive(Debug, Clone)]
pub(crate) struct Limit {
    pub source: LimitSource,
    /// Whether the lower and the upper side are limited.
    pub sides: [bool; 2],
    pub range: [f64; 2],
    pub margin: f64,
    pub diag: f64,
    pub reference: Reference,
    /// Jacobian of the value.
    pub coefficients: Vec<f64>,
    pub cols: ColumnSet,
}

/// Two joints or tendons that are coupled by a polynomial, or one that is fixed.
#[derive(Debug, Clone)]
pub(crate) struct Equality {
    /// The values, and those of the reference configuration.
    pub terms: [Option<(LimitSource, f64)>; 2],
    pub poly: [f64; 5],
    pub diag: f64,
    pub reference: Reference,
    /// Jacobians of both values in each column.
    pub coefficients: Vec<[f64; 2]>,
    pub cols: ColumnSet,
}

/// Dry friction of a dof or a tendon.
#[derive(Debug, Clone)]
pub(crate) struct Friction {
    /// Largest force.
    pub force: f64,
    pub d: f64,
    pub damping: f64,
    pub coefficients: Vec<f64>,
    pub cols: ColumnSet,
}

/// The value that a limit bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LimitSource {
    /// Entry of `qpos`.
    Joint(usize),
    /// Tendon length.
    Tendon(usize),
}

/// A row of the inertia matrix.
#[derive(Debug, Clone)]
pub(crate) struct InertiaRow {
    pub start: usize,
    pub len: usize,
    pub body: usize,
    /// Whether the first three columns are the translations of a free root.
    pub has_free_root: bool,
    /// Constant value of a simple dof.
    pub simple: Option<f64>,
    pub armature: f64,
}

/// Model constants in the form that the stages read.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub nv: usize,
    pub nu: usize,
    /// Number of activations.
    pub na: usize,
    pub timestep: f64,
    pub gravity: [f64; 3],
    pub wind: [f64; 3],
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub sites: Vec<Site>,
    pub geoms: Vec<Geom>,
    pub pairs: Vec<Pair>,
    pub equalities: Vec<Equality>,
    pub frictions: Vec<Friction>,
    pub limits: Vec<Limit>,
    pub tendons: Vec<Tendon>,
    pub actuators: Vec<Actuator>,
    /// Which equality constraints are active.
    pub eq_active: Vec<bool>,
    /// Joint and force range of the clamped actuator force of a joint.
    pub actfrc: Vec<(usize, [f64; 2])>,
    pub inertia: Vec<InertiaRow>,
    /// Column of each entry of `M`.
    pub m_colind: Vec<usize>,
    /// Address of the row of each entry's column.
    pub m_coladr: Vec<usize>,
    /// Bit per column of each row of `M`, without the diagonal.
    pub m_mask: Vec<u64>,
    /// Bit of each row block in the signature of an environment: those of the most expensive blocks, the most
    /// expensive one first.
    pub signature: Vec<u64>,
    /// Columns of all row blocks.
    pub columns: Vec<u32>,
    pub dof_body: Vec<usize>,
    /// Linear and polynomial damping of each dof.
    pub damping: Vec<[f64; 3]>,
    pub has_springs: bool,
    pub has_dampers: bool,
    pub has_implicit_damping: bool,
    pub clamp_ctrl: bool,
    pub warmstart: bool,
    pub elliptic: bool,
    pub impratio: f64,
    pub is_rk4: bool,
    /// Whether the solver is projected Gauss–Seidel instead of Newton.
    pub is_pgs: bool,
    /// Whether the velocity derivatives of actuator forces are treated implicitly.
    pub is_implicitfast: bool,
    /// Dofs of each kinematic tree.
    pub trees: Vec<Range<usize>>,
    pub iterations: usize,
    pub tolerance: f64,
    pub ls_iterations: usize,
    pub ls_tolerance: f64,
    /// Constant scale of the convergence criteria; the inverse trace of `M` if absent.
    pub scale: Option<f64>,
}

fn index(ids: &[i32], i: usize) -> usize {
    ids[i].max(0) as usize
}

impl Plan {
    pub(crate) fn new(m: &Model) -> Result<Self, Unsupported> {
        supports(m)?;
        let terms = ActuatorDofTerms::new(m);
        let mut columns = Vec::new();
        let (geoms, pairs) = collision_tables(m, &mut columns);
        let tendons: Vec<Tendon> = (0..m.ntendon).map(|i| tendon(m, i)).collect();
        let equalities = equalities(m, &tendons, &mut columns);
        let frictions = frictions(m, &tendons, &mut columns);
        let limits = limits(m, &tendons, &mut columns);
        let signature = signature(equalities.len() + frictions.len(), &limits, &pairs);
        let off = |bit: DisableBit| m.opt.disabled(bit);
        let damping: Vec<[f64; 3]> = (0..m.nv)
            .map(|i| {
                let own = rows::<2>(&m.dof_dampingpoly)[i];
                let [linear, a, b] = terms.dof_damping[i];
                [m.dof_damping[i] + linear, own[0] + a, own[1] + b]
            })
            .collect();
        let damped = damping.iter().any(|d| d[0] > 0.0 || d[1] != 0.0 || d[2] != 0.0);
        let has_dampers = !off(DisableBit::Damper);
        let is_implicitfast = m.opt.integrator == Integrator::ImplicitFast;
        let count = |n: i32| n.max(0) as usize;
        Ok(Self {
            nv: m.nv,
            nu: m.nu,
            na: m.na,
            timestep: m.opt.timestep,
            gravity: if off(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity },
            wind: m.opt.wind,
            bodies: (0..m.nbody).map(|i| body(m, i)).collect(),
            joints: (0..m.njnt).map(|j| joint(m, j)).collect(),
            sites: (0..m.nsite).map(|i| site(m, i)).collect(),
            geoms,
            pairs,
            equalities,
            frictions,
            limits,
            actuators: (0..m.nu)
                .filter(|_| !off(DisableBit::Actuation))
                .map(|i| actuator(m, &tendons, i))
                .collect(),
            tendons,
            eq_active: m.eq_active0.clone(),
            actfrc: (0..m.njnt)
                .filter(|&j| m.jnt_actfrclimited[j])
                .map(|j| (index(&m.jnt_dofadr, j), rows::<2>(&m.jnt_actfrcrange)[j]))
                .collect(),
            inertia: (0..m.nv).map(|i| inertia_row(m, &terms, i)).collect(),
            m_colind: m.M_colind.iter().map(|&c| c as usize).collect(),
            m_coladr: m.M_colind.iter().map(|&c| m.M_rowadr[c as usize] as usize).collect(),
            m_mask: (0..m.nv).map(|i| inertia_mask(m, i)).collect(),
            signature,
            columns,
            dof_body: m.dof_bodyid.iter().map(|&b| b as usize).collect(),
            damping,
            has_springs: !off(DisableBit::Spring),
            has_dampers,
            has_implicit_damping: is_implicitfast
                || damped && has_dampers && !off(DisableBit::EulerDamp),
            clamp_ctrl: !off(DisableBit::ClampCtrl),
            warmstart: !off(DisableBit::WarmStart),
            elliptic: m.opt.cone == Cone::Elliptic,
            impratio: m.opt.impratio,
            is_rk4: m.opt.integrator == Integrator::Rk4,
            is_pgs: m.opt.solver == SolverType::Pgs,
            is_implicitfast,
            trees: (0..m.ntree).map(|t| tree_dofs(m, t)).collect(),
            iterations: count(m.opt.iterations),
            tolerance: m.opt.tolerance,
            ls_iterations: count(m.opt.ls_iterations),
            ls_tolerance: m.opt.ls_tolerance,
            scale: (off(DisableBit::Island) || m.opt.solver == SolverType::Pgs)
                .then(|| 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64)),
        })
    }
}

fn site(m: &Model, i: usize) -> Site {
    let frame = m.site_frame(i);
    Site { body: index(&m.site_bodyid, i), pos: frame.pos, mat: quat::to_mat(frame.quat) }
}

/// Bit per column of a row of `M`, without the diagonal.
fn inertia_mask(m: &Model, i: usize) -> u64 {
    let (start, len) = (index(&m.M_rowadr, i), index(&m.M_rownnz, i));
    m.M_colind[start..start + len - 1].iter().fold(0, |mask, &c| mask | 1 << c)
}

fn tree_dofs(m: &Model, t: usize) -> Range<usize> {
    let first = index(&m.tree_dofadr, t);
    first..first + index(&m.tree_dofnum, t)
}

fn body(m: &Model, i: usize) -> Body {
    let frame = m.inertial_frame(i);
    let (jnt, dof) = (index(&m.body_jntadr, i), index(&m.body_dofadr, i));
    Body {
        parent: index(&m.body_parentid, i),
        root: index(&m.body_rootid, i),
        joints: jnt..jnt + index(&m.body_jntnum, i),
        dofs: dof..dof + index(&m.body_dofnum, i),
        pos: rows(&m.body_pos)[i],
        quat: rows(&m.body_quat)[i],
        ipos: frame.pos,
        imat: quat::to_mat(frame.quat),
        has_imat: frame.quat != quat::IDENTITY,
        inertia: rows(&m.body_inertia)[i],
        mass: m.body_mass[i],
        subtreemass: m.body_subtreemass[i],
        drag: Medium::of(m)
            .filter(|_| has_fluid_force(m, i) && has_passive_forces(m))
            .map(|medium| BoxDrag::of(&medium, m.body_mass[i], rows(&m.body_inertia)[i])),
    }
}

/// Whether passive forces are enabled; without springs and dampers there are none.
fn has_passive_forces(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Spring) || !m.opt.disabled(DisableBit::Damper)
}

fn joint(m: &Model, j: usize) -> Joint {
    let body = index(&m.jnt_bodyid, j);
    let (pos, rot) = (rows::<3>(&m.body_pos)[body], rows::<4>(&m.body_quat)[body]);
    let (offset, axis) = (rows::<3>(&m.jnt_pos)[j], rows::<3>(&m.jnt_axis)[j]);
    let qpos = index(&m.jnt_qposadr, j);
    let mut spring_ref = [0.0; 7];
    for (k, value) in m.qpos_spring[qpos..].iter().take(7).enumerate() {
        spring_ref[k] = *value;
    }
    Joint {
        kind: m.jnt_type[j],
        qpos,
        dof: index(&m.jnt_dofadr, j),
        body,
        is_first: index(&m.body_jntadr, body) == j,
        pos: offset,
        axis,
        qpos0: m.qpos0[qpos],
        anchor_in_parent: vec3::add(pos, quat::rotate(rot, offset)),
        axis_in_parent: quat::rotate(rot, axis),
        quat_axis: quat::mul(rot, [0.0, axis[0], axis[1], axis[2]]),
        stiffness: m.jnt_stiffness[j],
        stiffnesspoly: rows(&m.jnt_stiffnesspoly)[j],
        spring_ref,
    }
}

fn inertia_row(m: &Model, terms: &ActuatorDofTerms, i: usize) -> InertiaRow {
    let (start, len) = (index(&m.M_rowadr, i), index(&m.M_rownnz, i));
    let root = index(&m.dof_jntid, m.M_colind[start] as usize);
    InertiaRow {
        start,
        len,
        body: index(&m.dof_bodyid, i),
        has_free_root: len > 3 && m.jnt_type[root] == JointType::Free,
        simple: (m.dof_simplenum[i] > 0).then(|| m.dof_M0[i]),
        armature: m.dof_armature[i] + terms.dof_armature[i],
    }
}

fn column_set(dofs: impl Iterator<Item = usize>, columns: &mut Vec<u32>) -> ColumnSet {
    let start = columns.len();
    let mut mask = 0;
    for dof in dofs {
        columns.push(dof as u32);
        mask |= 1 << dof;
    }
    ColumnSet { range: start..columns.len(), mask }
}

/// Signature bits of all blocks, in the order of their ids.
fn signature(common: usize, limits: &[Limit], pairs: &[Pair]) -> Vec<u64> {
    let size = |cols: &ColumnSet, rows: usize| cols.range.len().pow(2) * rows;
    // all environments have the same equalities and rows of dry friction
    let mut cost = vec![0; common];
    cost.extend(limits.iter().map(|limit| size(&limit.cols, 1)));
    cost.extend(pairs.iter().map(|pair| size(&pair.cols, pair.dim)));
    let mut order: Vec<usize> = (common..cost.len()).collect();
    order.sort_by_key(|&id| std::cmp::Reverse(cost[id]));
    let mut bits = vec![0; cost.len()];
    for (rank, id) in order.into_iter().enumerate().take(64) {
        bits[id] = 1 << (63 - rank);
    }
    bits
}
