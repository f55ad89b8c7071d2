//! Memory of the stages of deformable bodies.

use super::surface_contact::{ConstraintKey, SurfaceContact, SurfacePoint};
use crate::collision::Sap;
use crate::data::heap_bytes;
use crate::math::vec3::Vec3;
use nalgebra::Vector3;
use sim_deformable::BodyPairContacts;
use sim_types::Contact;

/// Pairs of deformable bodies whose bounding boxes overlap in the current step.
#[derive(Debug, Default)]
pub(crate) struct BodyPairs {
    /// Allocated pairs; the first `count` are in use.
    pub(super) list: Vec<BodyPair>,
    pub(super) count: usize,
    /// Bounding boxes of the instances, sorted by their lower x.
    pub(super) boxes: Vec<(f64, usize, Aabb)>,
    /// Overlapping pairs of instances, sorted.
    pub(super) pairs: Vec<[usize; 2]>,
}

/// A pair of deformable bodies.
#[derive(Debug, Default)]
pub(crate) struct BodyPair {
    pub(super) instances: [usize; 2],
    pub(super) friction: f64,
    /// Fraction of a penetration that is corrected in one substep, `1 − exp(−h/τ)`.
    pub(super) recovery: f64,
    pub(super) contacts: BodyPairContacts,
}

/// Axis-aligned bounding box, m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aabb {
    pub min: Vector3<f64>,
    pub max: Vector3<f64>,
}

/// Memory of the sweep, and the candidate pairs that it found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Broadphase {
    pub(super) sap: Sap,
    /// Geoms with a bounding box.
    pub(super) geoms: Vec<u32>,
    /// Instance and patch index of each box after those of the geoms.
    pub(super) patches: Vec<[u32; 2]>,
    /// Displacement bound of each instance in one step, m.
    pub(super) motion_bounds: Vec<f64>,
    /// Bounding box of each instance.
    pub(super) aabbs: Vec<Aabb>,
    /// Overlapping (instance, geom, patch), sorted.
    pub(super) overlaps: Vec<[u32; 3]>,
}

impl Broadphase {
    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        self.sap.bytes()
            + heap_bytes(&self.geoms)
            + heap_bytes(&self.patches)
            + heap_bytes(&self.overlaps)
    }
}

/// Kind of a constraint.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConstraintKind {
    /// Unilateral along the first axis, with a Coulomb friction coefficient.
    Contact { friction: f64 },
    /// Bilateral along all axes.
    Attachment,
}

/// A contact or attachment constraint during one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointConstraint {
    pub kind: ConstraintKind,
    pub key: ConstraintKey,
    pub instance: usize,
    pub location: SurfacePoint,
    /// Axes of the constraint as rows: normal and tangents of a contact, world axes for an
    /// attachment.
    pub frame: [Vec3; 3],
    /// Position of the deformable point at the start of the step, m.
    pub start: Vec3,
    /// Constraint error along the axes at the start of the step, m: for a contact its signed
    /// distance and zeros.
    pub initial_error: Vec3,
    /// Relaxation time of the constraint error, s.
    pub relaxation_time: f64,
    /// Dof range of the kinematic tree of the rigid body; empty for a body without dofs.
    pub dofs: [usize; 2],
    /// Address of its three rows in `DeformableData::jac` and `minv`.
    pub adr: usize,
    /// Inverse effective mass along each axis, `Σ wᵢ²/mᵢ + J M⁻¹ Jᵀ`, 1/kg.
    pub inverse_mass: Vec3,
    /// Velocity of the rigid point along the axes at the start of the step, m/s.
    pub rigid_velocity: Vec3,
    /// Acceleration of the rigid point along the axes without these constraints, m/s².
    pub rigid_acceleration: Vec3,
    /// Impulse along the axes accumulated over the step, kg·m.
    pub accumulated_impulse: Vec3,
    /// Error along the axes at the last projection, m.
    pub residual: Vec3,
}

/// Scratch memory of the partition.
#[derive(Debug, Default)]
pub(crate) struct ContactPartition {
    /// Particles in contact with a body that has dofs, by global index.
    pub(super) is_coupled: Vec<bool>,
    pub(super) order: Vec<usize>,
    pub(super) surface_contacts: Vec<SurfaceContact>,
    pub(super) contacts: Vec<Contact>,
}

/// Arrays of the extended problem: `M` (CSR), its factor, the constraint Jacobian (CSR), forces and
/// accelerations.
#[derive(Debug, Default)]
pub(crate) struct ExtendedProblem {
    pub(super) rownnz: Vec<i32>,
    pub(super) rowadr: Vec<i32>,
    pub(super) colind: Vec<i32>,
    pub(super) m: Vec<f64>,
    pub(super) ld: Vec<f64>,
    pub(super) diag_inv: Vec<f64>,
    pub(super) j_rownnz: Vec<i32>,
    pub(super) j_rowadr: Vec<i32>,
    pub(super) j_rowsuper: Vec<i32>,
    pub(super) j_colind: Vec<i32>,
    pub(super) j: Vec<f64>,
    pub(super) qfrc_smooth: Vec<f64>,
    pub(super) qacc_smooth: Vec<f64>,
    pub(super) qacc_warmstart: Vec<f64>,
    pub(super) qacc: Vec<f64>,
    pub(super) qfrc: Vec<f64>,
    /// Generalized force (nv) of the predicted contact and attachment forces.
    pub(super) predicted_qfrc: Vec<f64>,
    /// First column of each particle in contact, by global index; -1 for the others.
    pub(super) column: Vec<i32>,
    /// Global indices of these particles.
    pub(super) active_particles: Vec<usize>,
}

impl ExtendedProblem {
    pub(super) fn bytes(&self) -> usize {
        let ints = [&self.rownnz, &self.rowadr, &self.colind, &self.j_rownnz, &self.j_rowadr];
        let numbers = [&self.m, &self.ld, &self.diag_inv, &self.j, &self.qfrc_smooth, &self.qacc];
        ints.into_iter().map(heap_bytes).sum::<usize>()
            + numbers.into_iter().map(heap_bytes).sum::<usize>()
    }
}
