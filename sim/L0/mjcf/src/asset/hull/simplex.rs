//! Initial simplex: extreme points that span a large volume (qh_maxsimplex, qh_initialhull).

use super::arena::{Arena, Facet, Vertex};
use super::lists::{FacetList, TAIL, VertexList};
use super::merge_queue::MergeQueue;
use super::tolerance::Tolerance;
use super::{Builder, HullError, NONE};
use sim_core::math::vec3::{Vec3, sub};

/// Minimum ratio of a determinant to its estimated maximum; below it all points are searched.
const NARROW_RATIO: f64 = 1e-3;
/// Cosine between facet normals of the simplex below which the hull is narrow.
const NARROW_COSINE: f64 = -0.999_999_99;
/// Maximum number of facets for which memory is reserved at the start.
const INITIAL_FACETS: usize = 512;

impl<'a> Builder<'a> {
    /// Constructs the initial simplex and assigns all other points to its facets.
    pub(super) fn new(points: &'a [Vec3]) -> Result<Self, HullError> {
        let (extremes, tolerance) = extremes(points);
        let corners = choose(points, &extremes, &tolerance)?;
        let mut builder = Self::empty(points, tolerance);
        let vertices = corners.map(|point| builder.create_vertex(point));
        builder.create_simplex(vertices);
        builder.reset_lists();
        builder.facet_list.next = builder.facet_list.head;
        let mut interior = [0.0; 3];
        for point in corners.iter().rev() {
            for k in 0..3 {
                interior[k] += points[*point as usize][k];
            }
        }
        builder.interior = interior.map(|x| x / 4.0);
        builder.orient()?;
        builder.check_simplex()?;
        builder.partition_all(&corners)?;
        builder.reset_lists();
        builder.move_furthest_first();
        Ok(builder)
    }

    fn empty(points: &'a [Vec3], tolerance: Tolerance) -> Self {
        let mut facets = Vec::with_capacity(points.len().min(INITIAL_FACETS));
        facets.push(Facet::new(tolerance.dist_round));
        let end = Vertex { previous: NONE, next: NONE, match_facet: NONE, ..Vertex::default() };
        Self {
            points,
            tolerance,
            facets: Arena(facets),
            vertices: Arena(vec![end]),
            ridges: Arena(Vec::new()),
            free_facets: Vec::new(),
            facet_list: FacetList::new(),
            vertex_list: VertexList::new(),
            interior: [0.0; 3],
            narrow: false,
            outside_count: 0,
            merges: 0,
            max_outside: 0.0,
            min_vertex: -tolerance.dist_round,
            outside_bound: tolerance.outside_bound(0.0),
            has_vertex_neighbors: false,
            all_clearly_convex: true,
            had_coplanar: false,
            search_all_new: false,
            not_sharp: false,
            repartitioned: NONE,
            deleted_vertices: Vec::new(),
            queue: MergeQueue::default(),
            visit: 0,
            vertex_visit: 0,
            stack: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Creates the four facets. Facet i is opposite to the i-th newest vertex.
    fn create_simplex(&mut self, vertices: [u32; 4]) {
        let mut top_orient = true;
        let mut facets = [NONE; 4];
        for i in 0..4 {
            let facet = self.create_facet();
            facets[i] = facet;
            for k in (0..4).filter(|&k| k != i) {
                self.facets[facet].vertices.push(vertices[3 - k]);
            }
            self.facets[facet].top_orient = top_orient;
            self.append_facet(facet);
            self.append_vertex(vertices[3 - i]);
            top_orient = !top_orient;
        }
        for facet in facets {
            for neighbor in facets.into_iter().filter(|&f| f != facet) {
                self.facets[facet].neighbors.push(neighbor);
            }
        }
    }

    fn reverse_orientation(&mut self) {
        let mut at = self.facet_list.head;
        while at != TAIL {
            self.facets[at].top_orient = !self.facets[at].top_orient;
            at = self.facets[at].next;
        }
    }

    /// Orients the simplex outward, computes its planes and detects narrow hulls.
    fn orient(&mut self) -> Result<(), HullError> {
        let round = self.tolerance.dist_round;
        let first = self.facet_list.head;
        self.set_plane(first);
        self.facets[first].flipped = false;
        if self.facets[first].distance(self.interior) > round {
            self.reverse_orientation();
            self.set_plane(first);
        }
        let mut all = Vec::with_capacity(4);
        let mut at = Some(first);
        while let Some(facet) = at {
            all.push(facet);
            at = self.facet_after(facet);
        }
        for &facet in &all[1..] {
            self.set_plane(facet);
        }
        for &facet in &all {
            self.facets[facet].flipped = false;
            if self.facets[facet].distance(self.interior) > round {
                self.reverse_orientation();
                for &other in &all {
                    self.facets[other].flipped = false;
                    self.orient_outside(other);
                }
                break;
            }
        }
        let mut least = f64::MAX;
        for &facet in &all {
            self.check_flipped(facet);
            if self.facets[facet].flipped {
                return Err(HullError::Flat);
            }
            for &neighbor in self.facets[facet].neighbors.iter() {
                let cosine = self.cosine(facet, neighbor);
                if least > cosine {
                    least = cosine;
                }
            }
        }
        self.narrow = least < NARROW_COSINE;
        Ok(())
    }

    /// Checks that each vertex is clearly below the opposite facets (qh_checkconvex).
    fn check_simplex(&self) -> Result<(), HullError> {
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            for k in 0..3 {
                let point = self.vertex_point(f.vertices[k]);
                let distance = self.facets[f.neighbors[k]].distance(point);
                if distance.is_nan() || distance >= -self.tolerance.dist_round {
                    return Err(HullError::Flat);
                }
            }
            at = self.facet_after(facet);
        }
        Ok(())
    }

    /// Dot product of the normals of two facets (qh_getangle).
    pub(super) fn cosine(&self, one: u32, other: u32) -> f64 {
        let (a, b) = (self.facets[one].normal, self.facets[other].normal);
        0.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Moves the facet with the furthest outside point to the front of the list (qh_furthestnext).
    fn move_furthest_first(&mut self) {
        self.facet_list.next = self.facet_list.head;
        let (mut best, mut furthest) = (NONE, -f64::MAX);
        let mut at = self.first_facet();
        while let Some(facet) = at {
            let f = &self.facets[facet];
            if !f.outside.is_empty() && f.furthest > furthest {
                (best, furthest) = (facet, f.furthest);
            }
            at = self.facet_after(facet);
        }
        if best != NONE {
            self.remove_facet(best);
            self.insert_before(best, self.facet_list.next);
            self.facet_list.next = best;
        }
    }
}

/// Points with the minimum and maximum coordinate along each axis, and the tolerances.
fn extremes(points: &[Vec3]) -> ([u32; 6], Tolerance) {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    let mut found = [0; 6];
    for k in 0..3 {
        let (mut min, mut max) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[max][k] < p[k] {
                max = i;
            } else if points[min][k] > p[k] {
                min = i;
            }
        }
        low[k] = points[min][k];
        high[k] = points[max][k];
        found[2 * k] = min as u32;
        found[2 * k + 1] = max as u32;
    }
    (found, Tolerance::new(low, high))
}

/// Vertices of the simplex: the two with extreme x, then the points of largest determinant.
fn choose(points: &[Vec3], extremes: &[u32], tolerance: &Tolerance) -> Result<[u32; 4], HullError> {
    let (mut min, mut max) = (extremes[0], extremes[0]);
    for &i in extremes {
        if points[max as usize][0] < points[i as usize][0] {
            max = i;
        }
        if points[min as usize][0] > points[i as usize][0] {
            min = i;
        }
    }
    if min == max {
        return Err(HullError::Flat);
    }
    let mut corners = vec![min, max];
    let mut best = points[max as usize][0] - points[min as usize][0];
    for _ in 2..4 {
        let target = best * tolerance.max_width;
        let mut found = Candidate { point: None, size: -1.0, near_zero: false };
        for &i in extremes {
            if !corners.contains(&i) && found.point != Some(i) {
                found.offer(points, &corners, i, tolerance);
            }
        }
        let narrow = found.size > 0.0 && found.size / target < NARROW_RATIO;
        if found.point.is_none() || found.near_zero || narrow {
            let enough = 10.0 * NARROW_RATIO * target;
            for i in 0..points.len() as u32 {
                if !extremes.contains(&i)
                    && !corners.contains(&i)
                    && found.offer(points, &corners, i, tolerance)
                    && !found.near_zero
                    && found.size > enough
                {
                    break;
                }
            }
        }
        corners.push(found.point.ok_or(HullError::Flat)?);
        best = found.size;
    }
    <[u32; 4]>::try_from(corners).map_err(|_| HullError::Flat)
}

/// Best candidate for the next vertex of the simplex.
struct Candidate {
    point: Option<u32>,
    /// Absolute value of the determinant.
    size: f64,
    near_zero: bool,
}

impl Candidate {
    /// Replaces the candidate by `point` if its determinant with the vertices is larger.
    fn offer(
        &mut self,
        points: &[Vec3],
        corners: &[u32],
        point: u32,
        tolerance: &Tolerance,
    ) -> bool {
        let apex = points[point as usize];
        let row = |i: usize| sub(points[corners[i] as usize], apex);
        let size = if corners.len() == 2 {
            let (a, b) = (row(0), row(1));
            (a[0] * b[1] - a[1] * b[0]).abs()
        } else {
            let (a, b, c) = (row(0), row(1), row(2));
            let minor = |p: Vec3, q: Vec3| p[1] * q[2] - p[2] * q[1];
            (a[0] * minor(b, c) - b[0] * minor(a, c) + c[0] * minor(a, b)).abs()
        };
        let better = size > self.size;
        if better {
            let near_zero = size < 10.0 * tolerance.near_zero[corners.len() - 1];
            *self = Self { point: Some(point), size, near_zero };
        }
        better
    }
}
