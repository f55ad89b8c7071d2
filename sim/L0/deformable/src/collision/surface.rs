//! The elements of a body that can collide with other bodies.

use crate::body::Body;

/// Surface particles and edges of a body. The triangles are [`Body::triangles`].
#[derive(Debug, Clone, Default)]
pub struct CollisionSurface {
    pub(super) particles: Vec<u32>,
    /// Edges of triangles and segments of chains, without duplicates. A body with neither has one
    /// degenerate edge per particle.
    pub(super) edges: Vec<[u32; 2]>,
}

impl CollisionSurface {
    /// The surface of a body; interior particles of a solid are not part of it.
    #[must_use]
    pub fn new(body: &Body) -> Self {
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

    /// Surface particles, sorted by index.
    #[must_use]
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }
}
