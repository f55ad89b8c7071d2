//! Two boxes (`mjc_BoxBox`): separating axis test, then face clipping or an edge contact.

mod edge;
mod face;
mod separating_axis;
#[cfg(test)]
mod tests;
mod vertex;

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::Shape;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use separating_axis::{EdgePair, SeparatingAxis};

/// Largest number of candidate points: 16 intersections of four lines with four sides, and 8 vertices.
const MAX_POINTS: usize = 24;
/// Relative tolerance on the size of a box in the containment test of contact points.
const SLACK: f64 = 1.01;
/// Tolerance of a contact depth against the penetration depth, relative to the penetration depth.
const DEPTH_SLACK: f64 = 1e-6;
/// The same relative to the sum of the half-extents: rounding error of both depths.
const DEPTH_ROUNDING: f64 = 1e-12;

/// Two boxes and their relative poses.
struct BoxPair<'a> {
    one: &'a Shape<'a>,
    two: &'a Shape<'a>,
    /// Centre of the second box in the frame of the first.
    pos21: Vec3,
    /// Centre of the first box in the frame of the second.
    pos12: Vec3,
    /// Rotation of the second box relative to the first: its axes as columns.
    rot: Mat3,
}

/// Two boxes: vertices and edge intersections of the faces or edges in contact.
#[doc(alias = "mjc_BoxBox")]
pub(crate) fn box_box(one: &Shape, two: &Shape, margin: f64, out: &mut Manifold) {
    let offset = vec3::sub(two.pos, one.pos);
    let pair = BoxPair {
        one,
        two,
        pos21: mat3::mul_transpose_vec(one.mat, offset),
        pos12: mat3::mul_transpose_vec(two.mat, vec3::scale(offset, -1.0)),
        rot: mat3::mul(&mat3::transpose(one.mat), two.mat),
    };
    let Some((axis, depth)) = separating_axis::least_penetration(&pair, margin) else { return };
    let before = out.as_slice().len();
    let Some(normal) = contacts(&pair, &axis, margin, true, out) else { return };
    // a contact deeper than the penetration is an artefact of MuJoCo's defect: recompute without it
    let too_deep = |point: &ContactPoint| point.dist < -depth - DEPTH_SLACK * depth.abs();
    if out.as_slice()[before..].iter().any(too_deep) {
        out.truncate(before);
        contacts(&pair, &axis, margin, false, out);
        if let SeparatingAxis::Edges(edges) = &axis {
            let false_points = FalsePoints { edges, depth, normal, margin };
            false_points.replace(&pair, before, out);
        }
    }
    // deeply overlapping boxes may have no vertex or intersection inside both
    if depth > 0.0 && out.as_slice().len() == before {
        let pos = common_point(one, two);
        out.push(ContactPoint { dist: -depth, pos, normal, tangent: [0.0; 3] });
    }
}

/// Adds the contacts for an axis and returns the normal; `None` for degenerate geometry.
fn contacts(
    pair: &BoxPair,
    axis: &SeparatingAxis,
    margin: f64,
    mujoco_defects: bool,
    out: &mut Manifold,
) -> Option<Vec3> {
    let mut found = CandidatePoints::default();
    let normal = match *axis {
        SeparatingAxis::Face(face) => face::face_contacts(pair, face, margin, &mut found),
        SeparatingAxis::Edges(edges) => {
            edge::edge_contacts(pair, edges, margin, mujoco_defects, &mut found)?
        }
    };
    add_valid_points(pair, margin, normal, &mut found, out);
    Some(normal)
}

/// An edge contact with points that are deeper than the penetration.
///
/// Where the outlines of the two faces do not intersect, vertices beside the other face are moved to its
/// border, so that their distance includes a displacement parallel to the face.
struct FalsePoints<'a> {
    edges: &'a EdgePair,
    /// Penetration depth, negative for separated boxes.
    depth: f64,
    normal: Vec3,
    margin: f64,
}

impl FalsePoints<'_> {
    /// Removes the points from index `first` on that are deeper than the penetration, and adds the contact of the
    /// closest points of the two boxes instead.
    fn replace(&self, pair: &BoxPair, first: usize, out: &mut Manifold) {
        let extent: f64 = pair.one.size.iter().chain(&pair.two.size).sum();
        let deepest = -self.depth - DEPTH_SLACK * self.depth.abs() - DEPTH_ROUNDING * extent;
        let found = out.as_slice().len();
        out.retain_from(first, |point| point.dist >= deepest);
        if out.as_slice().len() == found {
            return;
        }
        if let Some(pos) = edge::closest_point(pair, self.edges) {
            let normal = self.normal;
            out.push(ContactPoint { dist: -self.depth, pos, normal, tangent: [0.0; 3] });
        } else if self.depth < 0.0 {
            let [p, q] = vertex::closest_points(pair);
            let (normal, dist) = vec3::normalize(vec3::sub(q, p));
            let closer = |point: &ContactPoint| point.dist <= dist;
            if dist <= self.margin && !out.as_slice()[first..].iter().any(closer) {
                let pos = vec3::scale(vec3::add(p, q), 0.5);
                out.push(ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
            }
        }
    }
}

/// A point inside both boxes, by alternating projections from the midpoint of their centres.
fn common_point(one: &Shape, two: &Shape) -> Vec3 {
    let mut point = vec3::scale(vec3::add(one.pos, two.pos), 0.5);
    for _ in 0..64 {
        let before = point;
        for cuboid in [one, two] {
            let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(point, cuboid.pos));
            let clamped =
                std::array::from_fn(|k| local[k].max(-cuboid.size[k]).min(cuboid.size[k]));
            if clamped != local {
                point = vec3::add(cuboid.pos, mat3::mul_vec(cuboid.mat, clamped));
            }
        }
        if point == before {
            break;
        }
    }
    point
}

/// Candidate contact points and their signed distances.
struct CandidatePoints {
    list: [(Vec3, f64); MAX_POINTS],
    count: usize,
}

impl Default for CandidatePoints {
    fn default() -> Self {
        Self { list: [([0.0; 3], 0.0); MAX_POINTS], count: 0 }
    }
}

impl CandidatePoints {
    fn push(&mut self, point: Vec3, dist: f64) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (point, dist);
            self.count += 1;
        }
    }

    /// Replaces each point by its image under `change`; drops those without one.
    fn filter_map(&mut self, change: impl Fn((Vec3, f64)) -> Option<(Vec3, f64)>) {
        let mut kept = 0;
        for k in 0..self.count.min(MAX_POINTS) {
            if let Some(changed) = change(self.list[k]) {
                self.list[kept] = changed;
                kept += 1;
            }
        }
        self.count = kept;
    }

    fn as_mut_slice(&mut self) -> &mut [(Vec3, f64)] {
        &mut self.list[..self.count]
    }
}

/// Frames with z along the outward normal of each face: source coordinate and sign of each axis. Faces 0
/// to 2 have the positive axes as normals, 3 to 5 the negative ones.
const FACE_FRAMES: [([usize; 3], Vec3); 6] = [
    ([2, 1, 0], [-1.0, 1.0, 1.0]),
    ([0, 2, 1], [1.0, -1.0, 1.0]),
    ([0, 1, 2], [1.0, 1.0, 1.0]),
    ([2, 1, 0], [1.0, 1.0, -1.0]),
    ([0, 2, 1], [1.0, 1.0, -1.0]),
    ([0, 1, 2], [-1.0, 1.0, -1.0]),
];

/// A vector in a face frame.
fn vec_to_face(face: usize, v: Vec3) -> Vec3 {
    let (from, sign) = FACE_FRAMES[face];
    std::array::from_fn(|k| v[from[k]] * sign[k])
}

/// The rows of a matrix permuted to a face frame.
fn rows_to_face(face: usize, a: &Mat3) -> Mat3 {
    let (from, sign) = FACE_FRAMES[face];
    std::array::from_fn(|k| a[3 * from[k / 3] + k % 3] * sign[k / 3])
}

/// The columns of a matrix permuted to a face frame.
fn columns_to_face(face: usize, a: &Mat3) -> Mat3 {
    let (from, sign) = FACE_FRAMES[face];
    std::array::from_fn(|k| a[k - k % 3 + from[k % 3]] * sign[k % 3])
}

/// Adds the candidate points that are close to both boxes, without duplicates.
fn add_valid_points(
    pair: &BoxPair,
    margin: f64,
    normal: Vec3,
    found: &mut CandidatePoints,
    out: &mut Manifold,
) {
    let (one, two) = (ContainmentTest::of(pair.one, margin), ContainmentTest::of(pair.two, margin));
    let mut valid = [true; MAX_POINTS];
    let points = found.as_mut_slice();
    for (keep, (pos, _)) in valid.iter_mut().zip(points.iter()) {
        let (in1, in2) = (one.classify(*pos), two.classify(*pos));
        let stray = in1 == Containment::Outside && in2 != Containment::Inside
            || in2 == Containment::Outside && in1 != Containment::Inside;
        *keep = !stray;
    }
    for (i, (pos, dist)) in points.iter().enumerate() {
        // of equal positions the last is kept
        let repeated = || (i + 1..points.len()).any(|j| valid[j] && points[j].0 == *pos);
        if valid[i] && !repeated() {
            out.push(ContactPoint { dist: *dist, pos: *pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Location of a point relative to a box, within a tolerance.
#[derive(PartialEq, Eq)]
enum Containment {
    Inside,
    Boundary,
    Outside,
}

/// Half-extents of the boxes that a point must leave to be outside and enter to be inside.
struct ContainmentTest<'a> {
    cuboid: &'a Shape<'a>,
    outer: Vec3,
    inner: Vec3,
}

impl<'a> ContainmentTest<'a> {
    fn of(cuboid: &'a Shape<'a>, margin: f64) -> Self {
        let size = cuboid.size.map(|s| s + margin);
        Self { cuboid, outer: size.map(|s| s * SLACK), inner: size.map(|s| s / SLACK) }
    }

    #[inline(always)]
    fn classify(&self, point: Vec3) -> Containment {
        let Self { cuboid, outer, inner } = self;
        let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(point, cuboid.pos));
        if (0..3).any(|k| local[k].abs() > outer[k]) {
            Containment::Outside
        } else if (0..3).all(|k| local[k].abs() < inner[k]) {
            Containment::Inside
        } else {
            Containment::Boundary
        }
    }
}
