//! Edges of cloth at rest.

/// An edge around a vertex.
#[derive(Debug, Clone)]
pub(crate) struct RestEdge {
    /// Its ends.
    pub ends: [usize; 2],
    /// Its rest vector in the plane.
    pub dx: [f64; 2],
    /// Weight of the other end.
    pub weight: f64,
}
