//! Self-contact of a body (particle–triangle, or particle–particle for bodies without triangles)
//! and contact of two bodies.
//!
//! Candidate pairs are detected within the contact distance plus a motion bound, and detected again
//! when a particle has moved farther than that bound. Every substep projects all of them, in a
//! fixed order on one thread. Pairs that are closer than the contact distance in the rest shape are
//! kept at their rest distance. Self-contact has no edge–edge test, and particles that move more
//! than a contact distance per substep may pass through.

mod body_pair;
mod edge_edge;
mod hash_grid;
mod particle_particle;
mod particle_triangle;
mod response;
mod surface;

pub use body_pair::{BodyPairContacts, BodyPairSide};
pub use surface::CollisionSurface;

use crate::body::Body;
use crate::particle::{Particle, ParticleStore, dot, sub};
use hash_grid::HashGrid;
use nalgebra::Vector3;
use particle_particle::ParticlePair;
use particle_triangle::ParticleTriangle;
use response::ContactParams;

/// Maximum number of candidate contacts of one particle or triangle: bounds the memory if a body
/// collapses to a point.
const MAX_CONTACTS: usize = 64;
/// Maximum motion bound, in contact distances. A larger bound would detect faster particles at the
/// cost of many distant candidates.
const MAX_MOTION_BOUND: f64 = 2.0;

/// Candidate self-contacts of a body.
#[derive(Debug, Default)]
pub(crate) struct SelfContacts {
    grid: HashGrid,
    particle_pairs: Vec<ParticlePair>,
    particle_triangle: Vec<ParticleTriangle>,
    /// Particle positions at detection, m.
    detection_positions: Vec<Vector3<f64>>,
    /// Distance by which two particles may approach each other before detection is repeated, m;
    /// negative if there is no valid detection.
    motion_bound: f64,
}

impl SelfContacts {
    /// Number of candidate contacts.
    pub(crate) fn len(&self) -> usize {
        self.particle_pairs.len() + self.particle_triangle.len()
    }

    /// Discards the detected candidates: the particles changed.
    pub(crate) fn invalidate(&mut self) {
        self.motion_bound = -1.0;
    }

    /// Projects the contacts with Coulomb friction. `previous` are the particles before the
    /// substep.
    pub(crate) fn solve(&mut self, body: &Body, x: &impl ParticleStore, previous: &[Particle]) {
        if self.is_stale(x) {
            self.detect(body, x, previous);
        }
        self.particle_pairs.iter().for_each(|pair| pair.solve(x, previous, body.friction));
        let params = ContactParams { friction: body.friction, recovery: 1.0 };
        self.particle_triangle.iter().for_each(|contact| contact.solve(x, previous, params));
    }

    /// Whether a particle moved more than half of the motion bound since detection.
    fn is_stale(&self, x: &impl ParticleStore) -> bool {
        let limit = 0.25 * self.motion_bound * self.motion_bound;
        let moved = |(i, detected): (usize, &Vector3<f64>)| {
            let now = x.load(i as u32);
            (Vector3::new(now[0], now[1], now[2]) - detected).norm_squared() > limit
        };
        self.motion_bound < 0.0 || self.detection_positions.iter().enumerate().any(moved)
    }

    /// Detects candidates at the positions before this substep, so that the contact sides are those
    /// before any penetration. The motion bound covers this substep and some more.
    fn detect(&mut self, body: &Body, x: &impl ParticleStore, previous: &[Particle]) {
        self.detection_positions.clear();
        let mut max_displacement_squared = 0.0f64;
        for (i, p) in previous.iter().enumerate() {
            let d = sub(x.load(i as u32), *p);
            max_displacement_squared = max_displacement_squared.max(dot(d, d));
            self.detection_positions.push(Vector3::new(p[0], p[1], p[2]));
        }
        let contact_distance = body.contact_distance;
        self.motion_bound = (2.0 * max_displacement_squared.sqrt())
            .clamp(contact_distance, MAX_MOTION_BOUND * contact_distance);
        let detection_distance = contact_distance + self.motion_bound;
        self.particle_pairs.clear();
        self.particle_triangle.clear();
        let at = &self.detection_positions;
        if body.triangles.is_empty() {
            self.grid.fill(at, detection_distance);
            particle_particle::detect(
                body,
                at,
                detection_distance,
                &self.grid,
                &mut self.particle_pairs,
            );
        } else {
            // with this size the box of a typical triangle overlaps eight cells
            self.grid.fill(at, body.mean_edge_length + 2.0 * detection_distance);
            particle_triangle::detect(
                body,
                at,
                detection_distance,
                &self.grid,
                &mut self.particle_triangle,
            );
        }
    }
}
