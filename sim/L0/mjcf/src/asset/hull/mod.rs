//! Convex hulls of points in space (the part of mjCMesh::MakeGraph that MuJoCo leaves to qhull).
//!
//! Quickhull with facets that may have more than three corners. Facets that are not clearly convex
//! at rounding precision are merged, so that points in a common plane do not become corners of
//! needle-like facets, and a corner that is left with two facets is dropped. Tolerances and the
//! order of work are those of qhull 8 with option `Qt`: C. B. Barber, D. P. Dobkin, H. Huhdanpaa,
//! "The Quickhull algorithm for convex hulls", ACM TOMS 22 (1996).

mod facets;
mod grow;
mod merge;
mod output;
mod partition;
mod simplex;
mod tolerance;

use facets::Facets;
use sim_core::math::vec3::Vec3;
use std::collections::VecDeque;
use tolerance::Tolerance;

/// The convex hull of a set of points, as triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hull {
    /// Points that are corners of the hull.
    pub vertices: Vec<u32>,
    /// Triangles of points, counterclockwise when seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// For each corner the indices in `vertices` of those it shares an edge with.
    pub neighbors: Vec<Vec<u32>>,
}

/// Why there is no hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull needs at least 4 points")]
    TooFew,
    /// All points lie in one plane, or nearly so.
    #[error("the points lie in a plane, so they have no convex hull with a volume")]
    Flat,
    /// Rounding errors broke the hull.
    #[error("the points are too close to degenerate for a convex hull")]
    Degenerate,
}

/// The convex hull of `points`, with at most about `limit` corners.
///
/// With a limit, growth stops early: the corners are the ones found first, which are far apart.
///
/// # Errors
///
/// When the points have no volume.
pub fn convex_hull(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFew);
    }
    // A failure of the topology is a matter of a few rounding errors: a coarser grain resolves it.
    for coarser in [1.0, 1e2, 1e4, 1e6] {
        match Builder::new(points, coarser)?.run(limit) {
            Ok(hull) => return Ok(hull),
            Err(HullError::Degenerate) => {}
            Err(error) => return Err(error),
        }
    }
    Err(HullError::Degenerate)
}

/// No facet, no edge, no vertex.
const NONE: u32 = u32::MAX;

/// A hull that grows by one point at a time.
struct Builder<'a> {
    points: &'a [Vec3],
    tolerance: Tolerance,
    facets: Facets,
    interior: Vec3,
    /// The initial simplex is so flat that points near a facet are kept for later.
    narrow: bool,
    /// Facets in the order in which they are visited, each with the ticket it had when it queued.
    queue: VecDeque<(u32, u32)>,
    ticket: u32,
    /// Largest distance of a point or vertex above the plane of a facet after a merge.
    max_outside: f64,
    merges: usize,
    alive_vertices: usize,
    /// Facets seen from the current point, then the new facets around it.
    visible: Vec<u32>,
    fresh: Vec<u32>,
    visit: u32,
    touch: u32,
    /// Edges of the cone that leave and reach each vertex.
    cone_from: Vec<u32>,
    cone_to: Vec<u32>,
    stack: Vec<u32>,
    edges: Vec<u32>,
}

impl Builder<'_> {
    fn run(mut self, limit: Option<usize>) -> Result<Hull, HullError> {
        self.partition_all();
        while let Some((facet, point)) = self.next_furthest() {
            if limit.is_some_and(|n| self.alive_vertices >= n) {
                break;
            }
            self.add_point(point, facet)?;
        }
        self.output()
    }

    /// The next facet that has points outside, and the furthest of them.
    fn next_furthest(&mut self) -> Option<(u32, u32)> {
        while let Some(&(facet, ticket)) = self.queue.front() {
            let f = &mut self.facets.facets[facet as usize];
            let due = f.alive
                && f.ticket == ticket
                && !f.outside.is_empty()
                && (!self.narrow || f.furthest >= self.tolerance.min_outside);
            if due && let Some(point) = f.outside.pop() {
                return Some((facet, point));
            }
            self.queue.pop_front();
        }
        None
    }

    /// Puts a facet at the end of the queue.
    fn enqueue(&mut self, facet: u32) {
        self.ticket += 1;
        self.facets.facets[facet as usize].ticket = self.ticket;
        self.queue.push_back((facet, self.ticket));
    }

    fn point_of(&self, vertex: u32) -> Vec3 {
        self.points[self.facets.vertices[vertex as usize].point as usize]
    }

    fn distance(&self, point: u32, facet: u32) -> f64 {
        self.facets.distance(self.points[point as usize], facet)
    }
}
