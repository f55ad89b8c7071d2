//! How deep two solids overlap: expands a polytope inside their Minkowski difference until one of
//! its faces lies on the boundary.

use super::pair::Pair;
use super::polytope::{MAX_ROUNDS, Place, Polytope};
use super::simplex::{affine, combine};
use crate::math::vec3::{Vec3, dot};
use sim_types::MINVAL;

/// The face of least depth.
pub(super) struct Deepest {
    /// Its vertices in the polytope.
    pub vertices: [u32; 3],
    /// The signed distance, not above zero.
    pub dist: f64,
    /// The points on the two solids that are farthest inside the other.
    pub points: [Vec3; 2],
}

/// Expands a polytope that holds the origin; nothing when the numbers no longer allow it.
pub(super) fn expand(
    pt: &mut Polytope,
    pair: &mut Pair<'_, '_>,
    iterations: usize,
    tolerance: f64,
) -> Option<Deepest> {
    let discrete = pair.is_discrete();
    let tolerance = if discrete { MINVAL } else { tolerance };
    let (mut upper, mut upper_square) = (f64::MAX, f64::MAX);
    let mut face = None;
    for _ in 0..iterations.min(MAX_ROUNDS) {
        // the closest face bounds the depth from below
        let mut lower_square = f64::MAX;
        let mut closest = face;
        for &(square, candidate) in &pt.candidates {
            if square < lower_square {
                closest = Some(candidate);
                lower_square = square;
            }
        }
        let current = closest?;
        if lower_square > upper_square {
            break;
        }
        face = Some(current);
        if lower_square <= 0.0 {
            break;
        }

        // the support point along its normal bounds it from above
        let lower = lower_square.sqrt();
        let normal = pt.faces[current as usize].point;
        let new = pt.add_support(pair, normal, lower);
        let reach = dot(normal, pt.vertices[new].point) / lower;
        if reach < upper {
            upper = reach;
            upper_square = upper * upper;
        }
        if upper - lower < tolerance {
            break;
        }
        if discrete && is_repeated(pt, new) {
            break;
        }
        find_horizon(pt, current, new);
        if pt.horizon.len() < 3 {
            return None;
        }
        if pt.horizon.len() + pt.faces.len() > pt.max_faces {
            break;
        }
        fill_horizon(pt, new, lower_square, upper_square)?;
        if pt.candidates.is_empty() {
            break;
        }
    }
    face.map(|face| witness(pt, face))
}

/// Whether the newest vertex is the difference of the same two corners as an older one.
fn is_repeated(pt: &Polytope, new: usize) -> bool {
    let (older, newest) = (&pt.vertices[..new], &pt.vertices[new]);
    older.iter().any(|v| v.index_a == newest.index_a && v.index_b == newest.index_b)
}

/// Deletes every face that a vertex sees and collects the edges around them, in turn.
fn find_horizon(pt: &mut Polytope, face: u32, vertex: usize) {
    let w = pt.vertices[vertex].point;
    pt.horizon.clear();
    pt.delete(face);
    for edge in 0..3 {
        let (neighbour, entry) = across(pt, face, edge);
        if edge == 0 || pt.faces[neighbour as usize].place != Place::Gone {
            look(pt, w, neighbour, entry);
            walk(pt, w);
        }
    }
}

/// Deletes a visible face and remembers to look beyond it, or makes its edge part of the horizon.
fn look(pt: &mut Polytope, w: Vec3, face: u32, entry: u32) {
    let seen = &pt.faces[face as usize];
    if dot(seen.point, w) - seen.square > MINVAL {
        pt.delete(face);
        pt.visits.push((face, entry, 1));
    } else {
        pt.horizon.push((face, entry));
    }
}

/// Follows the visible faces depth first: this order makes the horizon a closed line.
fn walk(pt: &mut Polytope, w: Vec3) {
    while let Some((face, entry, turn)) = pt.visits.pop() {
        if turn < 2 {
            pt.visits.push((face, entry, turn + 1));
        }
        let (neighbour, edge) = across(pt, face, (entry + turn) % 3);
        if pt.faces[neighbour as usize].place != Place::Gone {
            look(pt, w, neighbour, edge);
        }
    }
}

/// The face across an edge, and the number that the edge has there.
fn across(pt: &Polytope, face: u32, edge: u32) -> (u32, u32) {
    let face = &pt.faces[face as usize];
    let end = face.vertices[((edge + 1) % 3) as usize];
    let neighbour = face.adjacent[(edge % 3) as usize];
    let vertices = pt.faces[neighbour as usize].vertices;
    let entry = if vertices[0] == end {
        0
    } else if vertices[1] == end {
        1
    } else {
        2
    };
    (neighbour, entry)
}

/// Joins a vertex to every edge of the horizon; nothing if a new face has no area.
fn fill_horizon(pt: &mut Polytope, vertex: usize, lower: f64, upper: f64) -> Option<()> {
    let first = pt.faces.len();
    let count = pt.horizon.len();
    for k in 0..count {
        let (outside, edge) = pt.horizon[k];
        let face = &mut pt.faces[outside as usize];
        face.adjacent[(edge % 3) as usize] = (first + k) as u32;
        let ends = [face.vertices[((edge + 1) % 3) as usize], face.vertices[(edge % 3) as usize]];
        let before = first + if k == 0 { count - 1 } else { k - 1 };
        let after = first + if k + 1 == count { 0 } else { k + 1 };
        let square =
            pt.attach([vertex as u32, ends[0], ends[1]], [before as u32, outside, after as u32]);
        if square == 0.0 {
            return None;
        }
        // faces farther than the best bound will never be the closest
        if square >= lower && square <= upper {
            pt.list(first + k);
        }
    }
    Some(())
}

/// The points of the two solids that make up the point of a face closest to the origin.
fn witness(pt: &Polytope, face: u32) -> Deepest {
    let face = &pt.faces[face as usize];
    let corners = face.vertices.map(|k| pt.vertices[k as usize]);
    let [a, b, c] = corners.map(|corner| corner.point);
    let mut weights = affine(a, b, c, face.point);
    // a face so thin that rounding leaves it no area: any of its points will do
    if !weights.iter().all(|weight| weight.is_finite()) {
        weights = [1.0, 0.0, 0.0];
    }
    let on_a = combine(weights, corners.map(|corner| corner.on_a));
    let on_b = combine(weights, corners.map(|corner| corner.on_b));
    Deepest { vertices: face.vertices, dist: -face.square.sqrt(), points: [on_a, on_b] }
}
