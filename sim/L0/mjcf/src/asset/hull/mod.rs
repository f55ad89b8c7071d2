//! Convex hull of a point set in 3D (mjCMesh::MakeGraph calls qhull for it).
//!
//! Quickhull with non-simplicial facets. Facets that are not clearly convex at rounding precision
//! are merged, so that nearly coplanar points do not become vertices of sliver facets, and
//! redundant vertices, which are left with two facets, are deleted. Tolerances and processing order
//! are those of qhull 8 with option `Qt`: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull
//! algorithm for convex hulls", ACM TOMS 22 (1996).

mod cone;
mod facets;
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
    /// Indices of the points that are vertices of the hull.
    pub vertices: Vec<u32>,
    /// Triangles as point indices, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// For each vertex the adjacent vertices, as indices into `vertices`.
    pub neighbors: Vec<Vec<u32>>,
}

/// Error of computing a convex hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull requires at least 4 points")]
    TooFew,
    /// The points are coplanar or nearly so.
    #[error("the points are coplanar, so their convex hull has no volume")]
    Flat,
    /// Rounding errors made the topology inconsistent.
    #[error("the points are too close to degenerate to compute a convex hull")]
    Degenerate,
}

/// Computes the convex hull of `points`, with at most about `limit` vertices.
///
/// With a limit, no more points are added once the hull has `limit` vertices; the first vertices
/// added are far apart.
///
/// # Errors
///
/// There are fewer than four points, or they are coplanar or degenerate.
pub fn convex_hull(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFew);
    }
    // An inconsistent topology is due to rounding errors: retry with larger tolerances.
    for tolerance_factor in [1.0, 1e2, 1e4, 1e6] {
        match Builder::new(points, tolerance_factor)?.run(limit) {
            Ok(hull) => return Ok(hull),
            Err(HullError::Degenerate) => {}
            Err(error) => return Err(error),
        }
    }
    Err(HullError::Degenerate)
}

/// Null index of a facet, half-edge or vertex.
const NONE: u32 = u32::MAX;

/// Incremental construction of the hull.
struct Builder<'a> {
    points: &'a [Vec3],
    tolerance: Tolerance,
    facets: Facets,
    interior: Vec3,
    /// The initial simplex is narrow, so points close to a facet are kept in outside sets.
    narrow: bool,
    /// Queue of facets to process, each with its `queue_id` at insertion; an outdated id is
    /// skipped.
    queue: VecDeque<(u32, u32)>,
    queue_id: u32,
    /// Largest distance of a point or vertex above the plane of a facet after a merge.
    max_outside: f64,
    merges: usize,
    alive_vertices: usize,
    /// Facets visible from the current point, then the new facets.
    visible: Vec<u32>,
    new_facets: Vec<u32>,
    visit: u32,
    timestamp: u32,
    /// Half-edges of the cone that start and end at each vertex.
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

    /// The next facet with a nonempty outside set, and its furthest point.
    fn next_furthest(&mut self) -> Option<(u32, u32)> {
        while let Some(&(facet, queue_id)) = self.queue.front() {
            let f = &mut self.facets.facets[facet as usize];
            let has_outside_points = f.alive
                && f.queue_id == queue_id
                && !f.outside.is_empty()
                && (!self.narrow || f.furthest >= self.tolerance.min_outside);
            if has_outside_points && let Some(point) = f.outside.pop() {
                return Some((facet, point));
            }
            self.queue.pop_front();
        }
        None
    }

    /// Appends a facet to the queue.
    fn enqueue(&mut self, facet: u32) {
        self.queue_id += 1;
        self.facets.facets[facet as usize].queue_id = self.queue_id;
        self.queue.push_back((facet, self.queue_id));
    }

    fn point_of(&self, vertex: u32) -> Vec3 {
        self.points[self.facets.vertices[vertex as usize].point as usize]
    }

    fn distance(&self, point: u32, facet: u32) -> f64 {
        self.facets.distance(self.points[point as usize], facet)
    }
}
