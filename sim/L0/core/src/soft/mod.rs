//! Deformable bodies among rigid ones: cloth, soft bodies and ropes that touch geoms and hold on to
//! bodies.
//!
//! A step goes like this. Contacts of vertices, edges and faces with geoms are found after those of
//! rigid bodies and become ordinary contacts. Their rows join those of the rigid world in one problem,
//! in which every vertex that touches is a point mass of three dofs; so the forces on both sides come
//! out of one solve, together with all others. That problem does not know what holds the vertices
//! together, but for what they have carried before: it foresees the forces. The substeps of the
//! deformable bodies then find them: after each projection of the internal constraints, every contact
//! and attachment is projected too, with the inverse inertia of the rigid body on its other side, and
//! moves both. Rigid positions are integrated after that.
//!
//! Models without deformable bodies pay nothing for this.

mod couple;
mod declare;
mod find;
mod lie;
mod meet;
mod near;
mod patch;
mod ray;
mod reach;
mod rows;
mod solve;
mod state;
mod step;
mod stored;
mod tie;
mod wind;

pub use declare::{Attachment, Deformable, Deformables};
pub use ray::{DeformableHit, ray_deformables};
pub use state::DeformableStateError;
pub use step::CouplingReport;

pub(crate) use find::find;
pub(crate) use rows::add_velocity;
pub(crate) use solve::{give_back, solve, withhold};
pub(crate) use state::check;
pub(crate) use step::project;

use crate::math::vec3::Vec3;
use crate::{Data, Model};
use couple::Sorting;
use lie::Lie;
use meet::Meetings;
use nalgebra::Vector3;
use near::Neighbours;
use patch::{Gathered, Patches};
use sim_deformable::{Body, Outline, XpbdSolver};
use solve::Extended;
use tie::Tie;

/// The deformable bodies of a simulation, and the memory to step them.
#[derive(Debug, Default)]
pub(crate) struct Soft {
    pub parts: Vec<Part>,
    /// Contacts with geoms, in the order of those at the end of `Data::contact`.
    pub touches: Vec<Touch>,
    /// Where they begin there.
    pub first_contact: usize,
    /// How many of them, the first ones, rigid dofs have to do with.
    pub coupled: usize,
    /// Memory to bring them into this order.
    pub sorting: Sorting,
    /// What contacts and attachments carried in the last step, by their keys.
    pub prior: Vec<Prior>,
    /// The same of the step at hand, while it is collected.
    pub kept: Vec<Prior>,
    /// Contacts and attachments of the step at hand.
    pub ties: Vec<Tie>,
    /// Those of single vertices with what does not move.
    pub lies: Vec<Lie>,
    /// Deformable bodies that may touch each other in the step at hand.
    pub meetings: Meetings,
    /// Jacobians of the ties, and their products with the inverse inertia.
    pub jac: Vec<f64>,
    pub minv: Vec<f64>,
    /// Displacement and velocity that ties add to the rigid bodies, and the displacement before the
    /// substep.
    pub shift: Vec<f64>,
    pub speed: Vec<f64>,
    pub shift_before: Vec<f64>,
    /// One number for each dof.
    pub dofs: Vec<f64>,
    /// Acceleration and constraint force with the forces of deformable bodies, while they are left out.
    pub withheld: Vec<f64>,
    /// The problem with the vertices' dofs.
    pub extended: Extended,
    /// Which geoms are near which parts.
    pub neighbours: Neighbours,
    /// What of a part is near a geom.
    pub gathered: Gathered,
    /// Vertices in the frame of a geom.
    pub local: Vec<Vec3>,
    /// Where the particles of each part begin, counted over all.
    pub first: Vec<usize>,
    /// The first particle that diverged.
    pub diverged: Option<usize>,
    /// What the last step was like.
    pub report: CouplingReport,
}

/// One deformable body.
#[derive(Debug)]
pub(crate) struct Part {
    pub body: Body,
    pub solver: XpbdSolver,
    /// Forces that the application adds.
    pub applied: Vec<Vector3<f64>>,
    /// Accelerations beside gravity in the step at hand.
    pub push: Vec<Vector3<f64>>,
    /// What others can touch.
    pub outline: Outline,
    /// The same, divided.
    pub patches: Patches,
    /// Number of triangles of each particle.
    pub faces: Vec<f64>,
    /// Vertices that rigid bodies hold, in order, and the first body that each is welded to.
    pub held: Vec<(u32, i32)>,
    /// Particles that touch the geom at hand.
    pub touching: Vec<bool>,
    /// Whether the part takes part in the step at hand.
    pub moves: bool,
    /// Contacts and attachments of the step at hand.
    pub tied: usize,
    /// The same when it fell asleep.
    pub at_rest: Option<usize>,
}

/// A contact of a deformable body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub part: usize,
    pub spot: Spot,
    pub geom: usize,
    /// Which of the part's vertices, segments or triangles: what the contact is recognised by.
    pub feature: u32,
    /// Force on the deformable body that is known before the solve.
    pub guess: Vec3,
    /// Force on the deformable body, in world axes.
    pub force: Vec3,
}

/// A place on a deformable body: particles with weights.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spot {
    pub at: [u32; 3],
    pub weight: [f64; 3],
    pub count: usize,
}

impl Spot {
    /// The place of one particle.
    pub(crate) fn vertex(vertex: u32) -> Self {
        Self { at: [vertex; 3], weight: [1.0, 0.0, 0.0], count: 1 }
    }

    /// Its particles with their weights.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let pairs = self.at.iter().zip(&self.weight);
        pairs.take(self.count).map(|(&at, &weight)| (at as usize, weight))
    }

    /// The mean of something by the weights.
    pub(crate) fn mean(&self, of: impl Fn(usize) -> Vec3) -> Vec3 {
        let mut sum = [0.0; 3];
        for (at, weight) in self.iter() {
            let value = of(at);
            for k in 0..3 {
                sum[k] += weight * value[k];
            }
        }
        sum
    }

    /// The inverse of the mass that the place has.
    pub(crate) fn inverse_mass(&self, body: &Body) -> f64 {
        self.iter().map(|(at, weight)| weight * weight * body.inverse_masses()[at]).sum()
    }
}

/// What a contact or an attachment carried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prior {
    pub key: Key,
    /// Force on the deformable body in the last step, in world axes.
    pub force: Vec3,
    /// What of it had been there before: the guess for the next step.
    pub steady: Vec3,
}

/// Finds what contacts carried, quickly where they are asked for in order.
#[derive(Debug)]
pub(crate) struct Lookup<'a> {
    prior: &'a [Prior],
    next: usize,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(prior: &'a [Prior]) -> Self {
        Self { prior, next: 0 }
    }

    pub(crate) fn find(&mut self, key: Key) -> Option<&'a Prior> {
        if self.prior.get(self.next).is_none_or(|prior| prior.key != key) {
            self.next = self.prior.binary_search_by_key(&key, |prior| prior.key).ok()?;
        }
        self.next += 1;
        self.prior.get(self.next - 1)
    }
}

/// What a contact is recognised by: part, geom, feature; attachments have no geom.
pub(crate) type Key = (u32, u32, u32);

/// The geom in the key of an attachment.
pub(crate) const ATTACHED: u32 = u32::MAX;

impl Touch {
    pub(crate) fn key(&self) -> Key {
        (self.part as u32, self.geom as u32, self.feature)
    }
}

impl Clone for Soft {
    /// The state; nothing else outlives a step.
    fn clone(&self) -> Self {
        Self {
            parts: self.parts.iter().map(Part::copy).collect(),
            touches: self.touches.clone(),
            first_contact: self.first_contact,
            coupled: self.coupled,
            prior: self.prior.clone(),
            first: self.first.clone(),
            diverged: self.diverged,
            report: self.report.clone(),
            ..Self::default()
        }
    }
}

impl Part {
    fn copy(&self) -> Self {
        Self {
            body: self.body.clone(),
            solver: XpbdSolver::new(self.solver.config),
            applied: self.applied.clone(),
            push: self.push.clone(),
            outline: self.outline.clone(),
            patches: self.patches.clone(),
            faces: self.faces.clone(),
            held: self.held.clone(),
            touching: self.touching.clone(),
            moves: self.moves,
            tied: 0,
            at_rest: self.at_rest,
        }
    }

    fn new(m: &Model, deformable: &Deformable) -> Self {
        let body = deformable.body.clone();
        let n = body.len();
        let mut faces = vec![0.0; n];
        body.triangles().iter().flatten().for_each(|&i| faces[i as usize] += 1.0);
        let weld = |a: &Attachment| (a.vertex as u32, m.body_weldid[a.body]);
        let mut held: Vec<_> = deformable.attachments.iter().map(weld).collect();
        held.sort_unstable();
        held.dedup();
        let outline = Outline::of(&body);
        Self {
            solver: XpbdSolver::new(m.deformables.config),
            applied: vec![Vector3::zeros(); n],
            push: vec![Vector3::zeros(); n],
            touching: vec![false; n],
            patches: Patches::of(&body, &outline),
            outline,
            faces,
            held,
            moves: false,
            tied: 0,
            at_rest: None,
            body,
        }
    }
}

/// The bodies that hold a vertex.
pub(crate) fn holders(held: &[(u32, i32)], vertex: u32) -> impl Iterator<Item = i32> + '_ {
    let first = held.partition_point(|&(v, _)| v < vertex);
    held[first..].iter().take_while(move |&&(v, _)| v == vertex).map(|&(_, body)| body)
}

impl Soft {
    /// What a model's data begins with: nothing where there is nothing deformable.
    pub(crate) fn of(m: &Model) -> Option<Box<Self>> {
        if m.deformables.is_empty() {
            return None;
        }
        let mut soft = Self::default();
        let mut total = 0;
        for deformable in m.deformables.iter() {
            soft.first.push(total);
            total += deformable.body.len();
            soft.parts.push(Part::new(m, deformable));
        }
        soft.first.push(total);
        Some(Box::new(soft))
    }

    /// Whether this belongs to the model's deformable bodies.
    pub(crate) fn fits(&self, m: &Model) -> bool {
        let pairs = self.parts.iter().zip(m.deformables.iter());
        self.parts.len() == m.deformables.len()
            && pairs.clone().all(|(part, deformable)| part.body.len() == deformable.body.len())
    }

    /// The first part that is no longer what its memory was made for: another body was put in its place.
    pub(crate) fn replaced(&self) -> Option<usize> {
        let sizes = self.first.windows(2).map(|pair| pair[1] - pair[0]);
        self.parts.iter().zip(sizes).position(|(part, size)| part.body.len() != size)
    }

    /// Back to where the model has them.
    pub(crate) fn reset(&mut self, m: &Model) {
        for (part, deformable) in self.parts.iter_mut().zip(m.deformables.iter()) {
            part.body.copy_motion(&deformable.body);
            part.applied.fill(Vector3::zeros());
            part.at_rest = None;
            part.solver.config = m.deformables.config;
        }
        self.prior.clear();
        self.touches.clear();
        self.coupled = 0;
        self.diverged = None;
        self.report = CouplingReport::default();
    }

    /// The guess for a contact or attachment: what it has carried for more than one step.
    pub(crate) fn guess(prior: &[Prior], key: Key) -> Vec3 {
        Lookup::new(prior).find(key).map_or([0.0; 3], |prior| prior.steady)
    }

    /// Bytes that it holds, about.
    pub(crate) fn bytes(&self) -> usize {
        let particles = self.first.last().copied().unwrap_or(0);
        particles * 40 * size_of::<f64>()
            + self.parts.iter().map(|part| part.patches.bytes()).sum::<usize>()
            + self.neighbours.bytes()
            + crate::data::held(&self.touches)
            + crate::data::held(&self.prior)
            + crate::data::held(&self.ties)
            + crate::data::held(&self.lies)
            + crate::data::held(&self.jac)
            + crate::data::held(&self.minv)
            + self.extended.bytes()
    }
}

impl Data {
    /// Whether contacts of deformable bodies are among the rows.
    pub(crate) fn touches_soft(&self) -> bool {
        self.soft.as_ref().is_some_and(|soft| !soft.touches.is_empty())
    }
}
