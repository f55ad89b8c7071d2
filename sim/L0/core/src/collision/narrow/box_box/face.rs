//! Face contact of two boxes: the incident feature of one box clipped against the reference face of the
//! other.

use super::separating_axis::ReferenceFace;
use super::{BoxPair, CandidatePoints, columns_to_face, rows_to_face, vec_to_face};
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The incident feature: the vertex of the other box closest to the reference face, and the edges from it
/// that are nearly parallel to the face.
pub(super) struct IncidentFeature {
    pub corner: Vec3,
    pub edges: [Vec3; 2],
    /// Number of such edges: 0 for a vertex, 1 for an edge, 2 for a face.
    pub count: usize,
}

impl IncidentFeature {
    /// Its boundary lines as start and direction, and their number.
    pub fn lines(&self) -> ([(Vec3, Vec3); 4], usize) {
        let [e1, e2] = self.edges;
        let lines = [
            (self.corner, e1),
            (self.corner, e2),
            (vec3::add(self.corner, e1), e2),
            (vec3::add(self.corner, e2), e1),
        ];
        (lines, [0, 1, 4][self.count])
    }
}

/// Adds the candidate points of a face contact; returns the normal from the first box to the second.
pub(super) fn face_contacts(
    pair: &BoxPair,
    face: ReferenceFace,
    margin: f64,
    found: &mut CandidatePoints,
) -> Vec3 {
    let (reference, incident) =
        if face.of_second { (pair.two, pair.one) } else { (pair.one, pair.two) };
    let (rot, pos) = if face.of_second {
        (mat3::transpose(&pair.rot), pair.pos12)
    } else {
        (pair.rot, pair.pos21)
    };
    // face frame: z along the outward normal, zero on the surface
    let axes = mat3::transpose(&rows_to_face(face.index, &rot));
    let size = vec_to_face(face.index, reference.size).map(f64::abs);
    let mut centre = vec_to_face(face.index, pos);
    centre[2] -= size[2];

    let feature = incident_feature(&axes, centre, incident.size);
    let (lines, count) = feature.lines();
    for &(start, along) in &lines[..count] {
        intersect_rectangle(start, along, size, |t, _, _| {
            let point = vec3::add_scaled(start, along, t);
            found.push(point, point[2]);
        });
    }
    if feature.count == 2 {
        reference_corners(&feature, size, found);
    }
    incident_corners(&feature, size, found);

    // to world coordinates, midway between the surfaces
    let mat = columns_to_face(face.index, reference.mat);
    found.filter_map(|(mut point, _)| {
        let dist = point[2];
        if dist > margin {
            return None;
        }
        point[2] = 0.5 * dist + size[2];
        Some((vec3::add(mat3::mul_vec(&mat, point), reference.pos), dist))
    });
    let sign = if face.of_second { -1.0 } else { 1.0 };
    vec3::scale(mat3::column(&mat, 2), sign)
}

/// The lowest vertex of a box and its nearly level edges. Rows of `axes` are the axes of the box.
fn incident_feature(axes: &[f64; 9], centre: Vec3, size: Vec3) -> IncidentFeature {
    let mut feature = IncidentFeature { corner: centre, edges: [[0.0; 3]; 2], count: 0 };
    for k in 0..3 {
        let axis = [axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]];
        let down = if axis[2] < 0.0 { 1.0 } else { -1.0 };
        feature.corner = vec3::add_scaled(feature.corner, axis, size[k] * down);
        if axis[2].abs() < 0.5 && feature.count < 2 {
            feature.edges[feature.count] = vec3::scale(axis, -2.0 * down * size[k]);
            feature.count += 1;
        }
    }
    feature
}

/// Calls back for each intersection of a line segment with the sides of a rectangle: the parameter on the
/// segment, the axis across the side, and the coordinates of the intersection along that axis and the
/// other.
pub(super) fn intersect_rectangle(
    start: Vec3,
    along: Vec3,
    size: Vec3,
    mut hit: impl FnMut(f64, usize, [f64; 2]),
) {
    for q in 0..2 {
        if along[q].abs() <= MINVAL {
            continue;
        }
        for side in [-size[q], size[q]] {
            let t = (side - start[q]) * (1.0 / along[q]);
            if !(0.0..=1.0).contains(&t) {
                continue;
            }
            let other = start[1 - q] + along[1 - q] * t;
            if other.abs() <= size[1 - q] {
                hit(t, q, [side, other]);
            }
        }
    }
}

/// Adds the vertices of the reference face that project into the incident face.
fn reference_corners(feature: &IncidentFeature, size: Vec3, found: &mut CandidatePoints) {
    let [e1, e2] = feature.edges;
    let det = e1[0] * e2[1] - e2[0] * e1[1];
    for [sx, sy] in CORNERS {
        let (x, y) = (sx * size[0] - feature.corner[0], sy * size[1] - feature.corner[1]);
        let u = (x * e2[1] - y * e2[0]) * (1.0 / det);
        let v = (y * e1[0] - x * e1[1]) * (1.0 / det);
        if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
            let z = feature.corner[2] + u * e1[2] + v * e2[2];
            found.push([sx * size[0], sy * size[1], z], z);
        }
    }
}

/// Signs of the corners of a rectangle, in MuJoCo's order.
pub(super) const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];

/// Adds the lowest vertex of the incident feature, and its other vertices inside the reference face.
fn incident_corners(feature: &IncidentFeature, size: Vec3, found: &mut CandidatePoints) {
    let [e1, e2] = feature.edges;
    found.push(feature.corner, feature.corner[2]);
    let along = vec3::add(feature.corner, e1);
    let others = [along, vec3::add(feature.corner, e2), vec3::add(along, e2)];
    for &point in &others[..[0, 1, 3][feature.count]] {
        if point[0].abs() < size[0] && point[1].abs() < size[1] {
            found.push(point, point[2]);
        }
    }
}
