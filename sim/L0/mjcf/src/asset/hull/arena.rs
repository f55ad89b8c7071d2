//! Facets, vertices and ridges of the hull, in arenas addressed by 32-bit indices.

use super::NONE;
use super::set::Set;
use sim_core::math::vec3::Vec3;
use std::ops::{Index, IndexMut};

/// Elements addressed by a 32-bit index.
#[derive(Debug)]
pub(super) struct Arena<T>(pub(super) Vec<T>);

impl<T> Arena<T> {
    pub(super) fn push(&mut self, element: T) -> u32 {
        self.0.push(element);
        self.0.len() as u32 - 1
    }
}

impl<T> Index<u32> for Arena<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.0[at as usize]
    }
}

impl<T> IndexMut<u32> for Arena<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.0[at as usize]
    }
}

/// A facet of the hull (facetT). The k-th neighbor of a simplicial facet is opposite to its k-th
/// vertex. The fields that a search for the best facet reads come first and share cache lines.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct Facet {
    /// Unit normal of the plane, outward.
    pub(super) normal: Vec3,
    /// Offset of the plane: the distance of p is offset + p·normal.
    pub(super) offset: f64,
    /// Number of the last traversal that visited the facet.
    pub(super) visit: u32,
    /// The interior point is not below the plane.
    pub(super) flipped: bool,
    /// Created or changed since the current point was added.
    pub(super) new: bool,
    /// Visible from the current point, or merged into another facet; will be deleted.
    pub(super) visible: bool,
    pub(super) simplicial: bool,
    pub(super) neighbors: Set,
    pub(super) next: u32,
    pub(super) previous: u32,
    /// Vertices, newest first.
    pub(super) vertices: Set,
    /// Replacement of a visible facet, successor of a new facet in its cycle, or first new facet of
    /// the cycle of a horizon facet.
    pub(super) link: u32,
    /// The first vertex and the others in order are clockwise seen from outside.
    pub(super) top_orient: bool,
    pub(super) has_normal: bool,
    /// A ridge was added since the facet was created, even if it was deleted again.
    pub(super) has_ridges: bool,
    /// Mark of short traversals.
    pub(super) seen: bool,
    /// Its ridges have been tested for convexity.
    pub(super) tested: bool,
    /// A facet was merged into this one since its vertices were reduced.
    pub(super) new_merge: bool,
    /// New facet of a coplanar horizon facet, into which it will be merged.
    pub(super) merge_horizon: bool,
    /// Horizon facet that is coplanar with the current point.
    pub(super) coplanar_horizon: bool,
    /// Queued for a merge because of too few neighbors.
    pub(super) degenerate: bool,
    /// Queued for a merge because its vertices belong to a neighbor.
    pub(super) redundant: bool,
    /// The centrum is not recomputed after a merge.
    pub(super) keep_centrum: bool,
    /// Number of facets merged into this one, at most `MAX_MERGES`.
    pub(super) merges: u16,
    /// Ridges to the neighbors; a simplicial facet has only those to non-simplicial ones.
    pub(super) ridges: Set,
    /// Points above the facet; the furthest is last.
    pub(super) outside: Vec<u32>,
    /// Distance of the furthest point of `outside`.
    pub(super) furthest: f64,
    /// Points that are not outside but close to the facet.
    pub(super) coplanar: Vec<u32>,
    /// Maximum distance of a merged vertex or coplanar point above the plane.
    pub(super) max_outside: f64,
    /// Mean of the vertices, projected to the plane.
    pub(super) centrum: Option<Vec3>,
}

impl Facet {
    /// A facet that is in no list.
    pub(super) fn new(dist_round: f64) -> Self {
        Self {
            max_outside: dist_round,
            simplicial: true,
            new: true,
            previous: NONE,
            next: NONE,
            link: NONE,
            ..Self::default()
        }
    }

    /// Makes the facet equal to a new one and keeps the allocated memory. The normal, the offset
    /// and the furthest distance are set before they are read.
    pub(super) fn reset(&mut self, dist_round: f64) {
        for set in [&mut self.neighbors, &mut self.vertices, &mut self.ridges] {
            set.clear();
        }
        self.outside.clear();
        self.coplanar.clear();
        self.max_outside = dist_round;
        self.centrum = None;
        self.visit = 0;
        self.merges = 0;
        self.link = NONE;
        self.simplicial = true;
        self.new = true;
        for flag in [
            &mut self.flipped,
            &mut self.visible,
            &mut self.top_orient,
            &mut self.has_normal,
            &mut self.has_ridges,
            &mut self.keep_centrum,
            &mut self.seen,
            &mut self.tested,
            &mut self.new_merge,
            &mut self.merge_horizon,
            &mut self.coplanar_horizon,
            &mut self.degenerate,
            &mut self.redundant,
        ] {
            *flag = false;
        }
    }

    /// Signed distance of a point from the plane.
    #[inline]
    pub(super) fn distance(&self, p: Vec3) -> f64 {
        self.offset + p[0] * self.normal[0] + p[1] * self.normal[1] + p[2] * self.normal[2]
    }

    pub(super) fn add_ridge(&mut self, ridge: u32) {
        self.ridges.push(ridge);
        self.has_ridges = true;
    }
}

/// A vertex of the hull (vertexT). Newer vertices have larger indices.
#[derive(Debug, Default)]
pub(super) struct Vertex {
    pub(super) point: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    /// Incident facets, once `Builder::has_vertex_neighbors`.
    pub(super) neighbors: Set,
    pub(super) visit: u32,
    /// Number of ridges of a vertex that is renamed which contain this vertex.
    pub(super) ridge_count: u32,
    /// New facet with the ridge between this vertex and the apex, while new facets are matched.
    pub(super) match_facet: u32,
    pub(super) seen: bool,
    /// Moved to the end of the list since the current point was added.
    pub(super) new: bool,
    pub(super) deleted: bool,
    /// A ridge of the vertex was deleted, so that it may have become redundant.
    pub(super) deleted_ridge: bool,
    /// The point of the deleted vertex was assigned to a facet.
    pub(super) partitioned: bool,
}

/// The edge between two facets of which at least one is not simplicial (ridgeT).
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    /// Vertices, newest first.
    pub(super) vertices: [u32; 2],
    pub(super) top: u32,
    pub(super) bottom: u32,
    /// The two facets are not convex to each other.
    pub(super) nonconvex: bool,
    pub(super) tested: bool,
}

impl Ridge {
    /// The facet on the other side.
    #[inline]
    pub(super) fn other(&self, facet: u32) -> u32 {
        if self.top == facet { self.bottom } else { self.top }
    }

    pub(super) fn replace_facet(&mut self, old: u32, new: u32) {
        if self.top == old {
            self.top = new;
        } else {
            self.bottom = new;
        }
    }
}
