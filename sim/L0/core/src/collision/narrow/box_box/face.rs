//! A face of one box cut by the side of the other box that looks at it.

use super::axis::Face;
use super::{Boxes, Points, turned, turned_columns, turned_rows};
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The side of the other box nearest to the face: a corner and the edges from it that lie flat.
pub(super) struct Patch {
    pub corner: Vec3,
    pub edges: [Vec3; 2],
    /// How many edges lie flat: 0 a corner, 1 an edge, 2 a face.
    pub count: usize,
}

impl Patch {
    /// The lines that bound it, as start and direction.
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

/// Finds the contacts of a face and returns the normal from the first box to the second.
pub(super) fn cut(boxes: &Boxes, face: Face, margin: f64, found: &mut Points) -> Vec3 {
    let (owner, other) =
        if face.of_second { (boxes.two, boxes.one) } else { (boxes.one, boxes.two) };
    let (rot, pos) = if face.of_second {
        (mat3::transpose(&boxes.rot), boxes.pos12)
    } else {
        (boxes.rot, boxes.pos21)
    };
    // the frame of the face: z out of it, zero on its surface
    let axes = mat3::transpose(&turned_rows(face.side, &rot));
    let size = turned(face.side, owner.size).map(f64::abs);
    let mut centre = turned(face.side, pos);
    centre[2] -= size[2];

    let patch = nearest_patch(&axes, centre, other.size);
    let (lines, count) = patch.lines();
    for &(start, along) in &lines[..count] {
        cross_sides(start, along, size, |t, _, _| {
            let point = vec3::add_scaled(start, along, t);
            found.push(point, point[2]);
        });
    }
    if patch.count == 2 {
        corners_of_face(&patch, size, found);
    }
    corners_of_patch(&patch, size, found);

    // back to the world, halfway between the surfaces
    let mat = turned_columns(face.side, owner.mat);
    found.retain(|(mut point, _)| {
        let dist = point[2];
        if dist > margin {
            return None;
        }
        point[2] = 0.5 * dist + size[2];
        Some((vec3::add(mat3::mul_vec(&mat, point), owner.pos), dist))
    });
    let sign = if face.of_second { -1.0 } else { 1.0 };
    vec3::scale(mat3::column(&mat, 2), sign)
}

/// The lowest corner of a box and its edges that are nearly level. Rows of `axes` are its axes.
fn nearest_patch(axes: &[f64; 9], centre: Vec3, size: Vec3) -> Patch {
    let mut patch = Patch { corner: centre, edges: [[0.0; 3]; 2], count: 0 };
    for k in 0..3 {
        let axis = [axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]];
        let down = if axis[2] < 0.0 { 1.0 } else { -1.0 };
        patch.corner = vec3::add_scaled(patch.corner, axis, size[k] * down);
        if axis[2].abs() < 0.5 && patch.count < 2 {
            patch.edges[patch.count] = vec3::scale(axis, -2.0 * down * size[k]);
            patch.count += 1;
        }
    }
    patch
}

/// Calls back for each side of a rectangle that a line crosses: the place on the line, the axis
/// across the side, and the coordinates of the crossing along and across that axis.
pub(super) fn cross_sides(
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

/// The corners of the face that lie within the patch.
fn corners_of_face(patch: &Patch, size: Vec3, found: &mut Points) {
    let [e1, e2] = patch.edges;
    let det = e1[0] * e2[1] - e2[0] * e1[1];
    for [sx, sy] in CORNERS {
        let (x, y) = (sx * size[0] - patch.corner[0], sy * size[1] - patch.corner[1]);
        let u = (x * e2[1] - y * e2[0]) * (1.0 / det);
        let v = (y * e1[0] - x * e1[1]) * (1.0 / det);
        if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
            let z = patch.corner[2] + u * e1[2] + v * e2[2];
            found.push([sx * size[0], sy * size[1], z], z);
        }
    }
}

/// Signs of the corners of a rectangle, in the order they are tried.
pub(super) const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];

/// The lowest corner of the patch, and the others where they lie above the face.
fn corners_of_patch(patch: &Patch, size: Vec3, found: &mut Points) {
    let [e1, e2] = patch.edges;
    found.push(patch.corner, patch.corner[2]);
    let along = vec3::add(patch.corner, e1);
    let others = [along, vec3::add(patch.corner, e2), vec3::add(along, e2)];
    for &point in &others[..[0, 1, 3][patch.count]] {
        if point[0].abs() < size[0] && point[1].abs() < size[1] {
            found.push(point, point[2]);
        }
    }
}
