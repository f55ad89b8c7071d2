//! Run-time state of the deformable bodies.

use super::buffers::{BodyPairs, Broadphase, ContactPartition, ExtendedProblem, PointConstraint};
use super::model::{Attachment, Deformable};
use super::resting_contact::RestingContact;
use super::surface_contact::{ConstraintKey, ForceRecord, RecordLookup, SurfaceContact};
use super::surface_patch::{ElementSet, SurfacePatches};
use crate::data::heap_bytes;
use crate::math::vec3::Vec3;
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_deformable::{Body, CollisionSurface, XpbdSolver};

/// State of the deformable bodies of a simulation, and the scratch memory of their stages.
#[derive(Debug, Default)]
pub(crate) struct DeformableData {
    pub instances: Vec<Instance>,
    /// Contacts with geoms, in the order of the last entries of `Data::contact`.
    pub surface_contacts: Vec<SurfaceContact>,
    /// Index in `Data::contact` of the first of them.
    pub first_contact: usize,
    /// Number of contacts, at the start of the list, that are coupled to rigid dofs.
    pub coupled_contacts: usize,
    pub partition: ContactPartition,
    /// Forces of contacts and attachments in the previous step, sorted by key.
    pub records: Vec<ForceRecord>,
    /// The same for the current step, while they are collected.
    pub new_records: Vec<ForceRecord>,
    /// Contact and attachment constraints of the current step.
    pub constraints: Vec<PointConstraint>,
    /// Contacts of single vertices with bodies that have no dofs.
    pub resting_contacts: Vec<RestingContact>,
    /// Pairs of deformable bodies whose bounding boxes overlap in the current step.
    pub body_pairs: BodyPairs,
    /// Jacobians J of `constraints`, and J M⁻¹; rows of the length of the body's tree.
    pub jac: Vec<f64>,
    pub minv: Vec<f64>,
    /// Generalized displacement (nv) by the constraint impulses since the start of the step.
    pub displacement: Vec<f64>,
    /// Generalized velocity (nv) by the constraint impulses.
    pub velocity: Vec<f64>,
    /// `displacement` at the start of the substep.
    pub previous_displacement: Vec<f64>,
    /// Scratch (nv); after a step, the velocity with which positions are integrated.
    pub position_velocity: Vec<f64>,
    /// `qacc` and `qfrc_constraint` of the solver, saved while predicted forces are removed.
    pub saved_solution: Vec<f64>,
    pub extended: ExtendedProblem,
    pub broadphase: Broadphase,
    /// Surface elements of the current body that are tested against the current geom.
    pub candidates: ElementSet,
    /// Particle positions in the frame of the current geom.
    pub local: Vec<Vec3>,
    /// Global index of the first particle of each instance, and the number of particles.
    pub particle_offset: Vec<usize>,
    /// Global index of the first particle whose state became non-finite.
    pub diverged: Option<usize>,
    pub report: CouplingReport,
}

/// Run-time state of one [`Deformable`] of the model.
#[derive(Debug)]
pub(crate) struct Instance {
    pub body: Body,
    pub solver: XpbdSolver,
    /// Forces applied by the user, N.
    pub applied_force: Vec<Vector3<f64>>,
    /// Particle accelerations in addition to gravity in the current step, m/s².
    pub external_acceleration: Vec<Vector3<f64>>,
    /// Particles and edges that can collide.
    pub surface: CollisionSurface,
    /// The same, clustered for the broad phase.
    pub patches: SurfacePatches,
    /// Number of triangles of each particle.
    pub triangle_count: Vec<f64>,
    /// Attached vertices and the weld root (`body_weldid`) of the body of each, sorted.
    pub attached_vertices: Vec<(u32, i32)>,
    /// Particles in contact with the current geom.
    pub in_contact: Vec<bool>,
    /// Whether the body is simulated in the current step; false if it is asleep.
    pub active: bool,
    /// Number of contacts and attachments in the current step.
    pub constraint_count: usize,
    /// The same when the body fell asleep: a different number wakes it.
    pub sleep_constraint_count: Option<usize>,
}

impl Clone for DeformableData {
    /// Clones the state; scratch memory starts empty.
    fn clone(&self) -> Self {
        Self {
            instances: self.instances.iter().map(Instance::copy).collect(),
            surface_contacts: self.surface_contacts.clone(),
            first_contact: self.first_contact,
            coupled_contacts: self.coupled_contacts,
            records: self.records.clone(),
            particle_offset: self.particle_offset.clone(),
            diverged: self.diverged,
            report: self.report.clone(),
            ..Self::default()
        }
    }
}

impl Instance {
    fn copy(&self) -> Self {
        Self {
            body: self.body.clone(),
            solver: XpbdSolver::new(self.solver.config),
            applied_force: self.applied_force.clone(),
            external_acceleration: self.external_acceleration.clone(),
            surface: self.surface.clone(),
            patches: self.patches.clone(),
            triangle_count: self.triangle_count.clone(),
            attached_vertices: self.attached_vertices.clone(),
            in_contact: self.in_contact.clone(),
            active: self.active,
            constraint_count: 0,
            sleep_constraint_count: self.sleep_constraint_count,
        }
    }

    fn new(m: &Model, deformable: &Deformable) -> Self {
        let body = deformable.body.clone();
        let n = body.len();
        let mut triangle_count = vec![0.0; n];
        body.triangles().iter().flatten().for_each(|&i| triangle_count[i as usize] += 1.0);
        let weld = |a: &Attachment| (a.vertex as u32, m.body_weldid[a.body]);
        let mut attached_vertices: Vec<_> = deformable.attachments.iter().map(weld).collect();
        attached_vertices.sort_unstable();
        attached_vertices.dedup();
        let surface = CollisionSurface::new(&body);
        Self {
            solver: XpbdSolver::new(m.deformables.config),
            applied_force: vec![Vector3::zeros(); n],
            external_acceleration: vec![Vector3::zeros(); n],
            in_contact: vec![false; n],
            patches: SurfacePatches::new(&body, &surface),
            surface,
            triangle_count,
            attached_vertices,
            active: false,
            constraint_count: 0,
            sleep_constraint_count: None,
            body,
        }
    }
}

/// Weld roots of the bodies to which a vertex is attached.
pub(crate) fn attached_bodies(
    attached_vertices: &[(u32, i32)],
    vertex: u32,
) -> impl Iterator<Item = i32> + '_ {
    let first = attached_vertices.partition_point(|&(v, _)| v < vertex);
    let own = attached_vertices[first..].iter().take_while(move |&&(v, _)| v == vertex);
    own.map(|&(_, body)| body)
}

impl DeformableData {
    /// Initial state for a model; `None` if it has no deformable bodies.
    pub(crate) fn new(m: &Model) -> Option<Box<Self>> {
        if m.deformables.is_empty() {
            return None;
        }
        let mut data = Self::default();
        let mut total = 0;
        for deformable in m.deformables.iter() {
            data.particle_offset.push(total);
            total += deformable.body.len();
            data.instances.push(Instance::new(m, deformable));
        }
        data.particle_offset.push(total);
        Some(Box::new(data))
    }

    /// Whether the bodies have the particle counts of the model's.
    pub(crate) fn matches(&self, m: &Model) -> bool {
        let pairs = self.instances.iter().zip(m.deformables.iter());
        self.instances.len() == m.deformables.len()
            && pairs.clone().all(|(instance, declared)| instance.body.len() == declared.body.len())
    }

    /// First instance whose body was replaced by one with another number of particles.
    pub(crate) fn resized_instance(&self) -> Option<usize> {
        let sizes = self.particle_offset.windows(2).map(|pair| pair[1] - pair[0]);
        self.instances.iter().zip(sizes).position(|(instance, size)| instance.body.len() != size)
    }

    /// Restores the initial state of the model.
    pub(crate) fn reset(&mut self, m: &Model) {
        for (instance, deformable) in self.instances.iter_mut().zip(m.deformables.iter()) {
            instance.body.copy_state(&deformable.body);
            instance.applied_force.fill(Vector3::zeros());
            instance.sleep_constraint_count = None;
            instance.solver.config = m.deformables.config;
        }
        self.records.clear();
        self.surface_contacts.clear();
        self.coupled_contacts = 0;
        self.diverged = None;
        self.report = CouplingReport::default();
    }

    /// Predicted force of a contact or an attachment.
    pub(crate) fn predicted_force(records: &[ForceRecord], key: ConstraintKey) -> Vec3 {
        RecordLookup::new(records).find(key).map_or([0.0; 3], |record| record.sustained)
    }

    /// Approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let particles = self.particle_offset.last().copied().unwrap_or(0);
        particles * 40 * size_of::<f64>()
            + self.instances.iter().map(|instance| instance.patches.bytes()).sum::<usize>()
            + self.broadphase.bytes()
            + heap_bytes(&self.surface_contacts)
            + heap_bytes(&self.records)
            + heap_bytes(&self.constraints)
            + heap_bytes(&self.resting_contacts)
            + heap_bytes(&self.jac)
            + heap_bytes(&self.minv)
            + self.extended.bytes()
    }
}

impl Data {
    /// Whether any constraint row may belong to a contact of a deformable body.
    pub(crate) fn has_deformable_contacts(&self) -> bool {
        self.deformables.as_ref().is_some_and(|data| !data.surface_contacts.is_empty())
    }
}

/// Contact and attachment statistics of the last step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CouplingReport {
    /// Contacts with geoms, including those at a positive distance.
    pub contacts: usize,
    /// Vertices attached to rigid bodies.
    pub attachments: usize,
    /// Candidate contacts between deformable bodies in the last substep.
    pub body_pair_contacts: usize,
    /// Largest penetration of a contact in the last substep, m.
    pub penetration: f64,
    /// Largest distance of an attached vertex from its attachment point in the last substep, m.
    pub separation: f64,
}
