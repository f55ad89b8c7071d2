//! What of a body others can touch.

use crate::body::Body;

/// The particles and edges of a body that others can touch; triangles are the body's own.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    pub(super) particles: Vec<u32>,
    /// Sides of triangles and segments of chains, each once. Particles that are in neither stand for
    /// edges without length.
    pub(super) edges: Vec<[u32; 2]>,
}

impl Outline {
    /// The outline of a body: a solid's inside is no part of it.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        let sides = body.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> =
            sides.chain(body.segments.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        if edges.is_empty() {
            edges.extend((0..body.len() as u32).map(|i| [i, i]));
        }
        let mut particles: Vec<u32> = edges.iter().flatten().copied().collect();
        particles.sort_unstable();
        particles.dedup();
        Self { particles, edges }
    }

    /// Its particles, in order.
    #[must_use]
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }
}
