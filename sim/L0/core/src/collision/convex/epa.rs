//! Expanding polytope algorithm (EPA, van den Bergen 2001): penetration depth of two solids, from a
//! polytope inside their Minkowski difference that is expanded until its closest face is on the boundary.

use super::minkowski::MinkowskiDifference;
use super::polytope::{FaceState, MAX_ITERATIONS, Polytope};
use super::simplex::{affine, combine};
use sim_simd::{Vector3, dispatch};
use sim_types::MINVAL;

/// The closest face of the final polytope.
pub(super) struct EpaResult {
    /// Its vertices, as indices in the polytope.
    pub vertices: [u32; 3],
    /// Signed distance, negative or zero.
    pub dist: f64,
    /// Witness points on the two solids.
    pub points: [Vector3; 2],
}

/// Expands a polytope that contains the origin; `None` if it degenerates numerically.
pub(super) fn expand(
    pt: &mut Polytope,
    difference: &mut MinkowskiDifference<'_, '_>,
    iterations: usize,
    tolerance: f64,
) -> Option<EpaResult> {
    dispatch!(iterate(
        pt: &mut Polytope,
        difference: &mut MinkowskiDifference<'_, '_>,
        iterations: usize,
        tolerance: f64,
    ) -> Option<EpaResult>)
}

#[inline(always)]
fn iterate(
    pt: &mut Polytope,
    difference: &mut MinkowskiDifference<'_, '_>,
    iterations: usize,
    tolerance: f64,
) -> Option<EpaResult> {
    let discrete = difference.is_discrete();
    let tolerance = if discrete { MINVAL } else { tolerance };
    let (mut upper, mut upper_square) = (f64::MAX, f64::MAX);
    let mut face = None;
    for _ in 0..iterations.min(MAX_ITERATIONS) {
        // lower bound on the depth: the closest face
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

        // upper bound: the support point along its normal
        let lower = lower_square.sqrt();
        let normal = pt.faces[current as usize].point;
        let new = pt.add_support(difference, normal, lower);
        let height = normal.dot(pt.vertices[new].point) / lower;
        if height < upper {
            upper = height;
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

/// Whether the newest vertex has the same vertex indices on both solids as an older one.
#[inline(always)]
fn is_repeated(pt: &Polytope, new: usize) -> bool {
    let (older, newest) = (&pt.vertices[..new], &pt.vertices[new]);
    older.iter().any(|v| v.index_a == newest.index_a && v.index_b == newest.index_b)
}

/// Deletes all faces visible from a vertex and collects the edges of the horizon in order.
#[inline(always)]
fn find_horizon(pt: &mut Polytope, face: u32, vertex: usize) {
    let w = pt.vertices[vertex].point;
    pt.horizon.clear();
    pt.delete(face);
    for edge in 0..3 {
        let (neighbour, entry) = adjacent(pt, face, edge);
        if edge == 0 || pt.faces[neighbour as usize].state != FaceState::Deleted {
            test_visibility(pt, w, neighbour, entry);
            flood_visible(pt, w);
        }
    }
}

/// Deletes a visible face and queues its neighbours, or adds its edge to the horizon.
#[inline(always)]
fn test_visibility(pt: &mut Polytope, w: Vector3, face: u32, entry: u32) {
    let tested = &pt.faces[face as usize];
    if tested.point.dot(w) - tested.square > MINVAL {
        pt.delete(face);
        pt.stack.push((face, entry, 1));
    } else {
        pt.horizon.push((face, entry));
    }
}

/// Visits the visible faces depth first, an order in which the horizon is a closed loop.
#[inline(always)]
fn flood_visible(pt: &mut Polytope, w: Vector3) {
    while let Some((face, entry, step)) = pt.stack.pop() {
        if step < 2 {
            pt.stack.push((face, entry, step + 1));
        }
        let (neighbour, edge) = adjacent(pt, face, turn(entry, step));
        if pt.faces[neighbour as usize].state != FaceState::Deleted {
            test_visibility(pt, w, neighbour, edge);
        }
    }
}

/// The edge of a triangle `step` after another, `step` at most 2.
#[inline(always)]
fn turn(edge: u32, step: u32) -> u32 {
    let next = edge + step;
    if next >= 3 { next - 3 } else { next }
}

/// The face adjacent across an edge, and the index of the shared edge in that face.
#[inline(always)]
fn adjacent(pt: &Polytope, face: u32, edge: u32) -> (u32, u32) {
    let face = &pt.faces[face as usize];
    let end = face.vertices[turn(edge, 1) as usize];
    let neighbour = face.adjacent[edge as usize];
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

/// Connects a vertex with every edge of the horizon; `None` if a new face is degenerate.
#[inline(always)]
fn fill_horizon(pt: &mut Polytope, vertex: usize, lower: f64, upper: f64) -> Option<()> {
    let first = pt.faces.len();
    let count = pt.horizon.len();
    for k in 0..count {
        let (outside, edge) = pt.horizon[k];
        let face = &mut pt.faces[outside as usize];
        face.adjacent[edge as usize] = (first + k) as u32;
        let ends = [face.vertices[turn(edge, 1) as usize], face.vertices[edge as usize]];
        let before = first + if k == 0 { count - 1 } else { k - 1 };
        let after = first + if k + 1 == count { 0 } else { k + 1 };
        let square =
            pt.add_face([vertex as u32, ends[0], ends[1]], [before as u32, outside, after as u32]);
        if square == 0.0 {
            return None;
        }
        // faces beyond the upper bound can never be the closest
        if square >= lower && square <= upper {
            pt.add_candidate(first + k);
        }
    }
    Some(())
}

/// The witness points of a face: its point closest to the origin in barycentric coordinates.
#[inline(always)]
fn witness(pt: &Polytope, face: u32) -> EpaResult {
    let face = &pt.faces[face as usize];
    let [a, b, c] = face.vertices.map(|k| &pt.vertices[k as usize]);
    let mut weights = affine(a.point, b.point, c.point, face.point);
    // a degenerate face: any of its points
    if !weights.iter().all(|weight| weight.is_finite()) {
        weights = [1.0, 0.0, 0.0];
    }
    let on_a = combine(weights, a.on_a, b.on_a, c.on_a);
    let on_b = combine(weights, a.on_b, b.on_b, c.on_b);
    EpaResult { vertices: face.vertices, dist: -face.square.sqrt(), points: [on_a, on_b] }
}
