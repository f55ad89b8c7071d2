//! A polytope around the origin inside the Minkowski difference, and how it starts.
//!
//! It starts from the simplex at which the distance walk stopped: a tetrahedron as it is, a triangle
//! with a tip on either side, a segment with three points around it.

use super::pair::{Pair, Vertex};
use super::simplex::{affine, combine, det, project_on_plane};
use crate::math::vec3::{Vec3, cross, dot, norm, scale, sub};
use sim_types::MINVAL;

/// Most rounds of expansion, whatever the option says.
pub(super) const MAX_ROUNDS: usize = 1000;
/// Square of the distance at which the origin counts as lying in a face.
const FLAT: f64 = MINVAL * MINVAL;

/// Whether a face is still part of the polytope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A candidate, at this place of the list.
    Listed(u32),
    /// Part of the polytope, but too far from the origin to matter.
    Unlisted,
    /// Removed: a vertex was added outside of it.
    Gone,
}

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub vertices: [u32; 3],
    /// The face across each edge; edge `k` runs from vertex `k` to the next.
    pub adjacent: [u32; 3],
    /// The origin projected on its plane; also its normal.
    pub point: Vec3,
    /// Squared distance of its plane from the origin.
    pub square: f64,
    pub place: Place,
}

/// A polytope, in storage that is kept from one query to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Polytope {
    pub vertices: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// The faces that may be closest to the origin, with their squared distances.
    pub candidates: Vec<(f64, u32)>,
    /// Edges that bound what is visible from a new vertex: face, edge of that face.
    pub horizon: Vec<(u32, u32)>,
    /// Faces whose neighbours are still to be looked at: face, entry edge, next turn.
    pub(super) visits: Vec<(u32, u32, u32)>,
    pub max_faces: usize,
}

impl Polytope {
    /// Empties it and makes room for so many rounds of expansion.
    pub(super) fn reset(&mut self, iterations: usize) {
        let rounds = iterations.min(MAX_ROUNDS);
        self.max_faces = 6 * rounds;
        let faces = self.max_faces.max(6);
        self.vertices.clear();
        self.vertices.reserve(2 * 5 + rounds);
        self.faces.clear();
        self.faces.reserve(faces);
        self.candidates.clear();
        self.candidates.reserve(faces);
        self.horizon.clear();
        self.horizon.reserve(faces);
        self.visits.clear();
        self.visits.reserve(faces);
    }

    /// Builds the first polytope around a simplex; false if none holds the origin.
    pub(super) fn start(&mut self, pair: &mut Pair<'_, '_>, simplex: &[Vertex]) -> bool {
        match *simplex {
            [a, b] => self.around_segment(pair, a, b),
            [a, b, c] => self.around_triangle(pair, a, b, c),
            [a, b, c, d] => self.around_tetrahedron(pair, [a, b, c, d]),
            _ => false,
        }
    }

    fn around_segment(&mut self, pair: &mut Pair<'_, '_>, a: Vertex, b: Vertex) -> bool {
        // a direction across the segment, from the axis most perpendicular to it
        let along = sub(b.point, a.point);
        let (mut axis, mut smallest) = (0, f64::MAX);
        for k in 0..3 {
            if along[k].abs() < smallest {
                (axis, smallest) = (k, along[k].abs());
            }
        }
        let mut e = [0.0; 3];
        e[axis] = 1.0;
        let first = cross(e, along);
        let turn = third_of_a_turn(along);
        let turned = |v| crate::math::mat3::mul_vec(&turn, v);
        let second = turned(first);
        let third = turned(second);

        self.vertices.extend([a, b]);
        for dir in [first, second, third] {
            self.add_support(pair, dir, norm(dir));
        }
        const FACES: [[u32; 3]; 6] =
            [[0, 2, 3], [0, 4, 2], [0, 3, 4], [1, 3, 2], [1, 2, 4], [1, 4, 3]];
        const ADJACENT: [[u32; 3]; 6] =
            [[1, 3, 2], [2, 4, 0], [0, 5, 1], [5, 0, 4], [3, 1, 5], [4, 2, 3]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.attach(face, adjacent) < FLAT {
                return self.around_face(pair, face);
            }
        }
        let [p, q, r, s, t] = [0, 1, 2, 3, 4].map(|k| self.vertices[k].point);
        if !line_meets_triangle(p, q, [r, s, t]) {
            return false;
        }
        self.list_all();
        true
    }

    fn around_triangle(
        &mut self,
        pair: &mut Pair<'_, '_>,
        a: Vertex,
        b: Vertex,
        c: Vertex,
    ) -> bool {
        let n = cross(sub(b.point, a.point), sub(c.point, a.point));
        let length = norm(n);
        if length < MINVAL {
            return false;
        }
        self.vertices.extend([a, b, c]);
        let below = self.add_support(pair, scale(n, -1.0), length);
        let above = self.add_support(pair, n, length);
        for tip in [above, below] {
            if triangle_holds(a.point, b.point, c.point, self.vertices[tip].point) {
                return false;
            }
        }
        const FACES: [[u32; 3]; 6] =
            [[4, 0, 1], [4, 2, 0], [4, 1, 2], [3, 1, 0], [3, 0, 2], [3, 2, 1]];
        const ADJACENT: [[u32; 3]; 6] =
            [[1, 3, 2], [2, 4, 0], [0, 5, 1], [5, 0, 4], [3, 1, 5], [4, 2, 3]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.attach(face, adjacent) < FLAT {
                return false;
            }
        }
        self.list_all();
        true
    }

    fn around_tetrahedron(&mut self, pair: &mut Pair<'_, '_>, corners: [Vertex; 4]) -> bool {
        self.vertices.extend(corners);
        const FACES: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [3, 2, 1]];
        const ADJACENT: [[u32; 3]; 4] = [[1, 3, 2], [2, 3, 0], [0, 3, 1], [2, 0, 1]];
        for (face, adjacent) in FACES.into_iter().zip(ADJACENT) {
            if self.attach(face, adjacent) < FLAT {
                return self.around_face(pair, face);
            }
        }
        let [p, q, r, s] = corners.map(|corner| corner.point);
        let holds = same_side(p, q, r, s)
            && same_side(q, r, s, p)
            && same_side(r, s, p, q)
            && same_side(s, p, q, r);
        if holds {
            self.list_all();
        }
        holds
    }

    /// The origin lies in a face: starts again from that triangle.
    fn around_face(&mut self, pair: &mut Pair<'_, '_>, face: [u32; 3]) -> bool {
        let [a, b, c] = face.map(|k| self.vertices[k as usize]);
        self.vertices.clear();
        self.faces.clear();
        self.around_triangle(pair, a, b, c)
    }

    fn list_all(&mut self) {
        for (k, face) in self.faces.iter_mut().enumerate() {
            face.place = Place::Listed(k as u32);
            self.candidates.push((face.square, k as u32));
        }
    }

    /// Makes a face a candidate.
    pub(super) fn list(&mut self, index: usize) {
        let face = &mut self.faces[index];
        face.place = Place::Listed(self.candidates.len() as u32);
        self.candidates.push((face.square, index as u32));
    }

    /// Adds the farthest vertex along a direction of known length; returns its index.
    #[inline]
    pub(super) fn add_support(&mut self, pair: &mut Pair<'_, '_>, dir: Vec3, length: f64) -> usize {
        let unit = if length > MINVAL {
            [dir[0] / length, dir[1] / length, dir[2] / length]
        } else {
            [1.0, 0.0, 0.0]
        };
        let new = self.vertices.len();
        self.vertices.push(Vertex::default());
        pair.support(unit, &mut self.vertices[new]);
        new
    }

    /// Adds a face; returns its squared distance from the origin, zero if its corners are in line.
    #[inline(always)]
    pub(super) fn attach(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> f64 {
        let [a, b, c] = vertices.map(|k| self.vertices[k as usize].point);
        let point = project_on_plane(c, b, a);
        let square = point.map_or(0.0, |p| dot(p, p));
        let point = point.unwrap_or([0.0; 3]);
        self.faces.push(Face { vertices, adjacent, point, square, place: Place::Unlisted });
        square
    }

    /// Removes a face.
    pub(super) fn delete(&mut self, face: u32) {
        let place = std::mem::replace(&mut self.faces[face as usize].place, Place::Gone);
        if let Place::Listed(place) = place {
            self.candidates.swap_remove(place as usize);
            if let Some(&(_, moved)) = self.candidates.get(place as usize) {
                self.faces[moved as usize].place = Place::Listed(place);
            }
        }
    }
}

/// Rotation by 120° about an axis.
fn third_of_a_turn(axis: Vec3) -> [f64; 9] {
    // the digits of the sine are the reference engine's
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let length = norm(axis);
    let [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
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
fn same_side(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> bool {
    let n = cross(sub(b, a), sub(c, a));
    let (height, origin) = (dot(n, sub(p, a)), dot(n, scale(a, -1.0)));
    (height > 0.0 && origin > 0.0) || (height < 0.0 && origin < 0.0)
}

/// Whether the line from `a` through `b` passes through a triangle.
fn line_meets_triangle(a: Vec3, b: Vec3, triangle: [Vec3; 3]) -> bool {
    let along = sub(b, a);
    let [p, q, r] = triangle.map(|corner| sub(corner, a));
    let volumes = [det(p, q, along), det(q, r, along), det(r, p, along)];
    volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0)
}

/// Whether a point lies in a triangle.
fn triangle_holds(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> bool {
    let weights = affine(a, b, c, p);
    if weights.iter().any(|&w| w < 0.0) {
        return false;
    }
    norm(sub(combine(weights, [a, b, c]), p)) < MINVAL
}
