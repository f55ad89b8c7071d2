//! Convex hull of a point set in 3D (mjCMesh::MakeGraph, which calls qhull with option `Qt`).
//!
//! Quickhull with merged facets: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull algorithm
//! for convex hulls", ACM TOMS 22 (1996). Facets that are not clearly convex within rounding errors
//! are merged, so that nearly coplanar points do not become vertices of sliver facets, and
//! redundant vertices, which are left with two facets, are deleted.
//!
//! The result is that of qhull 8.1, as used by MuJoCo 3.8.0, including the order of vertices, edges
//! and faces. The order depends on all intermediate results: on the order of the elements in each
//! list, on ties and on the last bit of each distance. What qhull rejects is an error here as well.

mod arena;
mod check;
mod cone;
mod cycle;
mod degenerate;
mod horizon;
mod lists;
mod merge;
mod merge_queue;
mod merge_topology;
mod output;
mod partition;
mod plane;
mod rename;
mod search;
mod set;
mod simplex;
mod tolerance;
mod triangulate;

use arena::{Arena, Facet, Ridge, Vertex};
use lists::{FacetList, TAIL, VertexList};
use merge_queue::MergeQueue;
use sim_core::math::vec3::Vec3;
use tolerance::Tolerance;

/// The convex hull of a set of points, as triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hull {
    /// Indices of the points that are vertices of the hull.
    pub vertices: Vec<u32>,
    /// Triangles as point indices, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// Adjacent vertices of all vertices, as indices into `vertices`.
    pub edges: Vec<u32>,
    /// First entry of each vertex in `edges`, and the end of the last.
    pub edge_adr: Vec<u32>,
}

impl Hull {
    /// The vertices adjacent to vertex `i`, as indices into `vertices`.
    ///
    /// # Panics
    ///
    /// `i` is not less than the number of vertices.
    #[must_use]
    pub fn neighbors(&self, i: usize) -> &[u32] {
        &self.edges[self.edge_adr[i] as usize..self.edge_adr[i + 1] as usize]
    }
}

/// Error of computing a convex hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HullError {
    /// Fewer than four points.
    #[error("a convex hull requires at least 4 points")]
    TooFew,
    /// More points than a 32-bit index can address.
    #[error("too many points for a convex hull")]
    TooMany,
    /// A coordinate is infinite or not a number.
    #[error("the points of a convex hull must be finite")]
    NotFinite,
    /// The points are coplanar or nearly so.
    #[error("the points are coplanar, so their convex hull has no volume")]
    Flat,
    /// A facet would deviate too far from the points merged into it.
    #[error("the points are too close to degenerate: a facet of their convex hull is too wide")]
    Wide,
    /// Rounding errors made the topology inconsistent.
    #[error("the points are too close to degenerate to compute a convex hull: {0}")]
    Topology(&'static str),
}

/// Computes the convex hull of `points`, with at most about `limit` vertices.
///
/// With a limit of at least 4, no more points are added once the hull has `limit` vertices; the
/// first vertices added are far apart.
///
/// # Errors
///
/// There are fewer than four points, a coordinate is not finite, or the points are coplanar or too
/// close to degenerate.
///
/// # Examples
///
/// ```
/// use sim_mjcf::asset::hull::convex_hull;
///
/// let corners: Vec<[f64; 3]> =
///     (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from)).collect();
/// let hull = convex_hull(&corners, None)?;
/// assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 12));
/// # Ok::<(), sim_mjcf::asset::hull::HullError>(())
/// ```
pub fn convex_hull(points: &[Vec3], limit: Option<usize>) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFew);
    }
    if points.len() > i32::MAX as usize {
        return Err(HullError::TooMany);
    }
    if !points.as_flattened().iter().all(|x| x.is_finite()) {
        return Err(HullError::NotFinite);
    }
    Builder::new(points)?.run(limit)
}

/// Null index of a facet, vertex or point.
const NONE: u32 = u32::MAX;

/// Incremental construction of the hull.
struct Builder<'a> {
    points: &'a [Vec3],
    tolerance: Tolerance,
    facets: Arena<Facet>,
    vertices: Arena<Vertex>,
    ridges: Arena<Ridge>,
    /// Deleted facets, to be reused.
    free_facets: Vec<u32>,
    facet_list: FacetList,
    vertex_list: VertexList,
    /// Mean of the vertices of the initial simplex.
    interior: Vec3,
    /// The initial simplex is narrow, so points close to a facet are kept in outside sets.
    narrow: bool,
    /// Number of points in outside sets.
    outside_count: isize,
    /// Number of merges of facets and cycles.
    merges: usize,
    /// Largest distance of a merged vertex or coplanar point above its facet.
    max_outside: f64,
    /// Smallest distance of a vertex from its facets.
    min_vertex: f64,
    /// Bound on the distances of points above facets when the current point was added.
    outside_bound: f64,
    /// The facets of each vertex are known.
    has_vertex_neighbors: bool,
    /// All new facets were clearly convex so far.
    all_clearly_convex: bool,
    /// A point was close to a facet.
    had_coplanar: bool,
    /// Searches test all new facets instead of walking from facet to facet.
    search_all_new: bool,
    /// The normals of the new facets are known to be in one octant.
    not_sharp: bool,
    /// Facet whose coplanar point is being partitioned again.
    repartitioned: u32,
    deleted_vertices: Vec<u32>,
    queue: MergeQueue,
    visit: u32,
    vertex_visit: u32,
    /// Buffers that are reused.
    stack: Vec<u32>,
    scratch: Vec<u32>,
}

impl Builder<'_> {
    fn run(mut self, limit: Option<usize>) -> Result<Hull, HullError> {
        let mut complete = true;
        // A point is added again only if it was a vertex that was deleted by a merge.
        let max_vertices = 1000 + 16 * self.points.len();
        while let Some((facet, point)) = self.next_furthest() {
            self.outside_count -= 1;
            if limit.is_some_and(|n| self.vertex_list.count >= n) {
                complete = false;
                break;
            }
            if self.vertices.0.len() > max_vertices {
                return Err(HullError::Topology("points are added repeatedly"));
            }
            self.add_point(point, facet)?;
        }
        if complete {
            if self.narrow {
                self.outside_to_coplanar()?;
            }
            if self.outside_count != 0 {
                return Err(HullError::Topology("points were not processed"));
            }
            if limit.is_none() {
                self.check_distances()?;
            }
        }
        self.triangulate()?;
        self.output()
    }

    /// The next facet with a nonempty outside set, and its furthest point (qh_nextfurthest).
    fn next_furthest(&mut self) -> Option<(u32, u32)> {
        loop {
            let facet = self.facet_list.next;
            if facet == TAIL {
                return None;
            }
            let f = &mut self.facets[facet];
            let skipped = self.narrow && f.furthest < self.tolerance.min_outside;
            if !skipped && let Some(point) = f.outside.pop() {
                return Some((facet, point));
            }
            self.facet_list.next = f.next;
        }
    }
}
