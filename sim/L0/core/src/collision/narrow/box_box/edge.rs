//! Edge contact of two boxes.
//!
//! The face of the second box adjacent to its edge is projected along the normal onto the face of the
//! first box adjacent to its edge, and the two quadrilaterals are clipped against each other.

use super::face::{CORNERS, IncidentFeature, intersect_rectangle};
use super::separating_axis::EdgePair;
use super::{BoxPair, CandidatePoints, columns_to_face, rows_to_face, vec_to_face};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The face of the second box and its projection, in the frame of the first box's face.
struct ProjectedFace {
    /// Half-extents of the first box's face; z along its outward normal, zero on its surface.
    size: Vec3,
    /// Vertices of the second box's face.
    corners: [Vec3; 4],
    /// The vertices projected along the normal onto the first box's face.
    projected: [Vec3; 4],
    /// Factor from height to signed distance along the normal.
    slope: f64,
    margin: f64,
    /// See [`edge_contacts`].
    mujoco_defects: bool,
}

/// Adds the candidate points of an edge contact; returns the normal from the first box to the second.
///
/// MuJoCo 3.8.0 overwrites the determinant of the projected edges after the first vertex of the face, so
/// that it misses some of the other vertices and accepts false ones. `mujoco_defects` reproduces this.
pub(super) fn edge_contacts(
    pair: &BoxPair,
    edges: EdgePair,
    margin: f64,
    mujoco_defects: bool,
    found: &mut CandidatePoints,
) -> Option<Vec3> {
    let (one, two) = (pair.one, pair.two);
    // of the two faces adjacent to each edge, the one more parallel to the other edge
    let face_axis1 = order_axes(edges.axis1, |k| pair.rot[3 * k + edges.axis2].abs()).1;
    let (side_axis2, face_axis2) = order_axes(edges.axis2, |k| pair.rot[3 * edges.axis1 + k].abs());
    let positive = edges.corner1 & (1 << face_axis1) != 0;
    let face = if positive { face_axis1 } else { face_axis1 + 3 };

    let normal = vec_to_face(face, edges.normal);
    if normal[2].abs() < MINVAL {
        return None;
    }
    let size = vec_to_face(face, one.size).map(f64::abs);
    let mut centre = vec_to_face(face, pair.pos21);
    centre[2] -= size[2];
    let axes = mat3::transpose(&rows_to_face(face, &pair.rot));
    let corners = second_face(&axes, centre, two.size, edges, (side_axis2, face_axis2));
    let projected = corners.map(|p| vec3::add_scaled(p, normal, -p[2] * (1.0 / normal[2])));
    let sign = if edges.reversed { -1.0 } else { 1.0 };
    let slope = (1.0 / normal[2]) * sign;
    let face2 = ProjectedFace { size, corners, projected, slope, margin, mujoco_defects };

    let crossings = face2.add_crossings(found);
    let inside = face2.add_face_corners(crossings, found);
    face2.add_projected_corners(crossings, crossings + inside, found);

    let mat = columns_to_face(face, one.mat);
    for (point, _) in found.as_mut_slice() {
        point[2] += size[2];
        *point = vec3::add(mat3::mul_vec(&mat, *point), one.pos);
    }
    Some(vec3::scale(mat3::mul_vec(&mat, normal), sign))
}

/// World position midway between the closest points of the two edges; `None` if one of the points is outside
/// its edge.
pub(super) fn closest_point(pair: &BoxPair, edges: &EdgePair) -> Option<Vec3> {
    let (one, two) = (pair.one, pair.two);
    let midpoint = |size: Vec3, axis: usize, corner: usize| {
        std::array::from_fn(|k| match k {
            k if k == axis => 0.0,
            k if corner & (1 << k) != 0 => size[k],
            k => -size[k],
        })
    };
    // midpoints and unit directions in the frame of the first box
    let mid1: Vec3 = midpoint(one.size, edges.axis1, edges.corner1);
    let mid2 = midpoint(two.size, edges.axis2, edges.corner2);
    let mid2 = vec3::add(pair.pos21, mat3::mul_vec(&pair.rot, mid2));
    let dir1: Vec3 = std::array::from_fn(|k| f64::from(u8::from(k == edges.axis1)));
    let dir2 = mat3::column(&pair.rot, edges.axis2);

    // minimum of |mid1 + s dir1 - mid2 - t dir2|
    let offset = vec3::sub(mid2, mid1);
    let (cos, along1, along2) =
        (vec3::dot(dir1, dir2), vec3::dot(offset, dir1), vec3::dot(offset, dir2));
    let det = (1.0 - cos * cos).max(MINVAL);
    let (s, t) = ((along1 - cos * along2) / det, (cos * along1 - along2) / det);
    if s.abs() > one.size[edges.axis1] || t.abs() > two.size[edges.axis2] {
        return None;
    }
    let (p, q) = (vec3::add_scaled(mid1, dir1, s), vec3::add_scaled(mid2, dir2, t));
    let local = vec3::scale(vec3::add(p, q), 0.5);
    Some(vec3::add(mat3::mul_vec(one.mat, local), one.pos))
}

/// The two axes other than `axis`, the one of larger measure first.
fn order_axes(axis: usize, measure: impl Fn(usize) -> f64) -> (usize, usize) {
    let (first, second) = [(1, 2), (0, 2), (1, 0)][axis];
    if measure(first) < measure(second) { (second, first) } else { (first, second) }
}

/// Vertices of the second box's face: both ends of its contact edge, then both ends of the opposite edge.
fn second_face(
    axes: &Mat3,
    centre: Vec3,
    size: Vec3,
    edges: EdgePair,
    (side_axis, face_axis): (usize, usize),
) -> [Vec3; 4] {
    let half = |k: usize| vec3::scale([axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]], size[k]);
    let sign = |k: usize| if edges.corner2 & (1 << k) != 0 { 1.0 } else { -1.0 };
    let (along, across) = (half(edges.axis2), vec3::scale(half(side_axis), sign(side_axis)));
    let shift = vec3::scale(half(face_axis), sign(face_axis));
    let edge = vec3::add(vec3::add(centre, across), shift);
    let opposite = vec3::add(vec3::sub(centre, across), shift);
    [
        vec3::add(edge, along),
        vec3::sub(edge, along),
        vec3::add(opposite, along),
        vec3::sub(opposite, along),
    ]
}

/// A quadrilateral as a vertex and the two edges from it.
fn as_feature(corners: &[Vec3; 4]) -> IncidentFeature {
    let [corner, e1, e2, _] = *corners;
    IncidentFeature { corner, edges: [vec3::sub(e1, corner), vec3::sub(e2, corner)], count: 2 }
}

impl ProjectedFace {
    /// Adds the intersections of the projected outline with the outline of the face; returns their number.
    fn add_crossings(&self, found: &mut CandidatePoints) -> usize {
        let (projected_lines, _) = as_feature(&self.projected).lines();
        let (lines, _) = as_feature(&self.corners).lines();
        let before = found.count;
        for (&(start, along), &(corner, edge)) in projected_lines.iter().zip(&lines) {
            intersect_rectangle(start, along, self.size, |t, q, [side, other]| {
                if (corner[2] + edge[2] * t) * self.slope > self.margin {
                    return;
                }
                let mut point = vec3::scale(vec3::add_scaled(corner, edge, t), 0.5);
                point[q] += 0.5 * side;
                point[1 - q] += 0.5 * other;
                found.push(point, point[2] * self.slope * 2.0);
            });
        }
        found.count - before
    }

    /// Adds the vertices of the face inside the projection; returns their number.
    fn add_face_corners(&self, crossings: usize, found: &mut CandidatePoints) -> usize {
        let IncidentFeature { corner, edges: [e1, e2], .. } = as_feature(&self.projected);
        let before = found.count;
        let mut det = e1[0] * e2[1] - e2[0] * e1[1];
        for [sx, sy] in CORNERS {
            let mut point = [sx * self.size[0], sy * self.size[1], 0.0];
            let (x, y) = (point[0] - corner[0], point[1] - corner[1]);
            let u = (x * e2[1] - y * e2[0]) * (1.0 / det);
            let v = (y * e1[0] - x * e1[1]) * (1.0 / det);
            let (outside_u, outside_v) = (!(0.0..=1.0).contains(&u), !(0.0..=1.0).contains(&v));
            if outside_u && outside_v || crossings > 0 && (outside_u || outside_v) {
                continue;
            }
            let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
            let [c0, c1, c2, _] = self.corners;
            let above =
                vec3::add_scaled(vec3::add_scaled(vec3::scale(c0, 1.0 - u - v), c1, u), c2, v);
            let offset = vec3::sub(point, above);
            let distance2 = vec3::dot(offset, offset);
            if self.mujoco_defects {
                det = distance2;
            }
            if above[2] > 0.0 && distance2 > self.margin * self.margin {
                continue;
            }
            point = vec3::scale(vec3::add(point, above), 0.5);
            found.push(point, signed_distance(distance2, above[2]));
        }
        found.count - before
    }

    /// Adds the projected vertices inside the face; all of them if nothing else was found.
    fn add_projected_corners(&self, crossings: usize, others: usize, found: &mut CandidatePoints) {
        for (corner, projected) in self.corners.iter().zip(&self.projected) {
            let outside: [bool; 2] = std::array::from_fn(|k| projected[k].abs() > self.size[k]);
            let skip = if crossings > 0 {
                outside[0] || outside[1]
            } else {
                others > 0 && outside[0] && outside[1]
            };
            if skip {
                continue;
            }
            let clamped: [f64; 2] =
                std::array::from_fn(|k| projected[k].max(-self.size[k]).min(self.size[k]));
            let (dx, dy) = (projected[0] - clamped[0], projected[1] - clamped[1]);
            let height = corner[2] * self.slope;
            let distance2 = dx * dx + dy * dy + height * height;
            if corner[2] > 0.0 && distance2 > self.margin * self.margin {
                continue;
            }
            let point = vec3::scale(vec3::add([clamped[0], clamped[1], 0.0], *corner), 0.5);
            found.push(point, signed_distance(distance2, corner[2]));
        }
    }
}

/// The distance, negative below the face.
fn signed_distance(distance2: f64, height: f64) -> f64 {
    if height < 0.0 { -distance2.sqrt() } else { distance2.sqrt() }
}
