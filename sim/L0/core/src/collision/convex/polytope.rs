//! The polytope of EPA: a triangulated polytope around the origin inside the Minkowski difference.
//!
//! It is initialized from GJK's final simplex: a tetrahedron directly, a triangle extended by a vertex on
//! either side, a segment by three vertices around it.

use super::minkowski::{MinkowskiDifference, Vertex};
use super::simplex::{affine, combine, det, project_on_plane};
use sim_simd::{Vector3, dispatch};
use sim_types::MINVAL;

/// Upper limit on the number of iterations.
pub(super) const MAX_ITERATIONS: usize = 1000;
/// Squared distance below which the origin counts as lying in a face.
const ON_FACE: f64 = MINVAL * MINVAL;

/// State of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaceState {
    /// May be closest to the origin: position in the list of candidates.
    Candidate(u32),
    /// Part of the polytope, but too far from the origin to be closest.
    Inactive,
    /// Removed because a new vertex is outside of it.
    Deleted,
}

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub vertices: [u32; 3],
    /// Adjacent face across each edge; edge `k` runs from vertex `k` to the next.
    pub adjacent: [u32; 3],
    /// Projection of the origin onto its plane, which is also its (unnormalized) normal.
    pub point: Vector3,
    /// Squared distance of its plane from the origin.
    pub square: f64,
    pub state: FaceState,
}

/// A polytope in reusable storage.
#[derive(Debug, Clone, Default)]
pub(super) struct Polytope {
    pub vertices: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Squared distances and indices of the faces that may be closest to the origin.
    pub candidates: Vec<(f64, u32)>,
    /// Edges of the horizon seen from a new vertex: face beyond, edge index in it.
    pub horizon: Vec<(u32, u32)>,
    /// Stack of the horizon search: face, entry edge, next step.
    pub(super) stack: Vec<(u32, u32, u32)>,
    pub max_faces: usize,
}

impl Polytope {
    /// Clears it and reserves the memory for the given number of iterations.
    pub(super) fn reset(&mut self, iterations: usize) {
        let iterations = iterations.min(MAX_ITERATIONS);
        self.max_faces = 6 * iterations;
        let faces = self.max_faces.max(6);
        self.vertices.clear();
        self.vertices.reserve(2 * 5 + iterations);
        self.faces.clear();
        self.faces.reserve(faces);
        self.candidates.clear();
        self.candidates.reserve(faces);
        self.horizon.clear();
        self.horizon.reserve(faces);
        self.stack.clear();
        self.stack.reserve(faces);
    }

    /// Builds the initial polytope from a simplex; false if none contains the origin.
    pub(super) fn init(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        simplex: &[Vertex],
    ) -> bool {
        let pt = self;
        dispatch!(start(
            pt: &mut Polytope,
            difference: &mut MinkowskiDifference<'_, '_>,
            simplex: &[Vertex],
        ) -> bool)
    }

    #[inline(always)]
    fn start_with_segment(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        a: Vertex,
        b: Vertex,
    ) -> bool {
        // a direction perpendicular to the segment, from the coordinate axis most perpendicular to it
        let along = b.point.sub(a.point);
        let (mut axis, mut smallest) = (0, f64::MAX);
        for (k, extent) in <[f64; 3]>::from(along).into_iter().enumerate() {
            if extent.abs() < smallest {
                (axis, smallest) = (k, extent.abs());
            }
        }
        let mut e = [0.0; 3];
        e[axis] = 1.0;
        let first = Vector3::from(e).cross(along);
        let rotation = rotation_120(along);
        let second = first.transformed(&rotation);
        let third = second.transformed(&rotation);

        self.vertices.extend([a, b]);
        for dir in [first, second, third] {
            self.add_support(difference, dir, norm(dir));
        }
        const FACES: [[u32; 3]; 6] =
            [[0, 2, 3], [0, 4, 2], [0, 3, 4], [1, 3, 2], [1, 2, 4], [1, 4, 3]];
        const ADJACENT: [[u32; 3]; 6] =
            [[1, 3, 2], [2, 4, 0], [0, 5, 1], [5, 0, 4], [3, 1, 5], [4, 2, 3]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.add_face(face, adjacent) < ON_FACE {
                return self.restart_from_face(difference, face);
            }
        }
        let [p, q, r, s, t] = [0, 1, 2, 3, 4].map(|k| self.vertices[k].point);
        if !line_intersects_triangle(p, q, [r, s, t]) {
            return false;
        }
        self.add_all_candidates();
        true
    }

    #[inline(always)]
    fn start_with_triangle(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        a: Vertex,
        b: Vertex,
        c: Vertex,
    ) -> bool {
        let n = b.point.sub(a.point).cross(c.point.sub(a.point));
        let length = norm(n);
        if length < MINVAL {
            return false;
        }
        self.vertices.extend([a, b, c]);
        let below = self.add_support(difference, n.scale(-1.0), length);
        let above = self.add_support(difference, n, length);
        for tip in [above, below] {
            if triangle_contains(a.point, b.point, c.point, self.vertices[tip].point) {
                return false;
            }
        }
        const FACES: [[u32; 3]; 6] =
            [[4, 0, 1], [4, 2, 0], [4, 1, 2], [3, 1, 0], [3, 0, 2], [3, 2, 1]];
        const ADJACENT: [[u32; 3]; 6] =
            [[1, 3, 2], [2, 4, 0], [0, 5, 1], [5, 0, 4], [3, 1, 5], [4, 2, 3]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.add_face(face, adjacent) < ON_FACE {
                return false;
            }
        }
        self.add_all_candidates();
        true
    }

    #[inline(always)]
    fn start_with_tetrahedron(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        corners: [Vertex; 4],
    ) -> bool {
        self.vertices.extend(corners);
        const FACES: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [3, 2, 1]];
        const ADJACENT: [[u32; 3]; 4] = [[1, 3, 2], [2, 3, 0], [0, 3, 1], [2, 0, 1]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.add_face(face, adjacent) < ON_FACE {
                return self.restart_from_face(difference, face);
            }
        }
        let [p, q, r, s] = [corners[0].point, corners[1].point, corners[2].point, corners[3].point];
        let contains = same_side(p, q, r, s)
            && same_side(q, r, s, p)
            && same_side(r, s, p, q)
            && same_side(s, p, q, r);
        if contains {
            self.add_all_candidates();
        }
        contains
    }

    /// Rebuilds the polytope from a face that contains the origin.
    #[inline(always)]
    fn restart_from_face(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        face: [u32; 3],
    ) -> bool {
        let [a, b, c] = face.map(|k| self.vertices[k as usize]);
        self.vertices.clear();
        self.faces.clear();
        self.start_with_triangle(difference, a, b, c)
    }

    #[inline(always)]
    fn add_all_candidates(&mut self) {
        for (k, face) in self.faces.iter_mut().enumerate() {
            face.state = FaceState::Candidate(k as u32);
            self.candidates.push((face.square, k as u32));
        }
    }

    /// Adds a face to the candidates.
    #[inline(always)]
    pub(super) fn add_candidate(&mut self, index: usize) {
        let face = &mut self.faces[index];
        face.state = FaceState::Candidate(self.candidates.len() as u32);
        self.candidates.push((face.square, index as u32));
    }

    /// Adds the support vertex in a direction of given length; returns its index.
    #[inline(always)]
    pub(super) fn add_support(
        &mut self,
        difference: &mut MinkowskiDifference<'_, '_>,
        dir: Vector3,
        length: f64,
    ) -> usize {
        let unit =
            if length > MINVAL { dir.divide(length) } else { Vector3::from([1.0, 0.0, 0.0]) };
        let new = self.vertices.len();
        self.vertices.push(Vertex::default());
        difference.support(unit, &mut self.vertices[new]);
        new
    }

    /// Adds a face; returns its squared distance from the origin, zero if it is degenerate.
    #[inline(always)]
    pub(super) fn add_face(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> f64 {
        let [a, b, c] = vertices;
        let corner = |k: u32| self.vertices[k as usize].point;
        let (point, square) = match project_on_plane(corner(c), corner(b), corner(a)) {
            Some(point) => (point, point.dot(point)),
            None => (Vector3::ZERO, 0.0),
        };
        self.faces.push(Face { vertices, adjacent, point, square, state: FaceState::Inactive });
        square
    }

    /// Removes a face.
    #[inline(always)]
    pub(super) fn delete(&mut self, face: u32) {
        let state = std::mem::replace(&mut self.faces[face as usize].state, FaceState::Deleted);
        if let FaceState::Candidate(position) = state {
            self.candidates.swap_remove(position as usize);
            if let Some(&(_, moved)) = self.candidates.get(position as usize) {
                self.faces[moved as usize].state = FaceState::Candidate(position);
            }
        }
    }
}

/// Builds the initial polytope from a simplex.
#[inline(always)]
fn start(
    pt: &mut Polytope,
    difference: &mut MinkowskiDifference<'_, '_>,
    simplex: &[Vertex],
) -> bool {
    match *simplex {
        [a, b] => pt.start_with_segment(difference, a, b),
        [a, b, c] => pt.start_with_triangle(difference, a, b, c),
        [a, b, c, d] => pt.start_with_tetrahedron(difference, [a, b, c, d]),
        _ => false,
    }
}

/// Rotation by 120° about an axis.
#[inline(always)]
fn rotation_120(axis: Vector3) -> [f64; 9] {
    // same digits as MuJoCo
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let length = norm(axis);
    let [x, y, z] = axis.divide(length).into();
    let c = 1.0 - COS;
    [
        COS + x * x * c,
        x * y * c - z * SIN,
        x * z * c + y * SIN,
        y * x * c + z * SIN,
        COS + y * y * c,
        y * z * c - x * SIN,
        x * z * c - y * SIN,
        y * z * c + x * SIN,
        COS + z * z * c,
    ]
}

/// Whether the origin and `p` are on the same side of the plane through `a`, `b`, `c`.
#[inline(always)]
fn same_side(a: Vector3, b: Vector3, c: Vector3, p: Vector3) -> bool {
    let n = b.sub(a).cross(c.sub(a));
    let (height, origin) = (n.dot(p.sub(a)), n.dot(a.scale(-1.0)));
    (height > 0.0 && origin > 0.0) || (height < 0.0 && origin < 0.0)
}

/// Whether the line through `a` and `b` intersects a triangle.
#[inline(always)]
fn line_intersects_triangle(a: Vector3, b: Vector3, [p, q, r]: [Vector3; 3]) -> bool {
    let along = b.sub(a);
    let (p, q, r) = (p.sub(a), q.sub(a), r.sub(a));
    let volumes = [det(p, q, along), det(q, r, along), det(r, p, along)];
    volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0)
}

/// Whether a triangle contains a point.
#[inline(always)]
fn triangle_contains(a: Vector3, b: Vector3, c: Vector3, p: Vector3) -> bool {
    let weights = affine(a, b, c, p);
    if weights.iter().any(|&w| w < 0.0) {
        return false;
    }
    norm(combine(weights, a, b, c).sub(p)) < MINVAL
}

/// Euclidean norm.
#[inline(always)]
fn norm(v: Vector3) -> f64 {
    v.dot(v).sqrt()
}
