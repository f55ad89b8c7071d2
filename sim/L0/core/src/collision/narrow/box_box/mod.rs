//! Two boxes: separating axes, then a face cut by a face or an edge against an edge.

mod axis;
mod edge;
mod face;

use super::super::shape::Shape;
use super::super::touch::{MAX_TOUCHES, Touch, Touches};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use axis::Axis;

/// How far beyond a box, relative to its size, a contact may lie.
const SLACK: f64 = 1.01;

/// Two boxes, each seen from the other.
struct Boxes<'a> {
    one: &'a Shape<'a>,
    two: &'a Shape<'a>,
    /// Centre of the second in the frame of the first.
    pos21: Vec3,
    /// Centre of the first in the frame of the second.
    pos12: Vec3,
    /// Axes of the second as columns, in the frame of the first.
    rot: Mat3,
}

/// Two boxes: the corners and crossings of the faces or edges that meet.
#[doc(alias = "mjc_BoxBox")]
pub(crate) fn box_box(one: &Shape, two: &Shape, margin: f64, out: &mut Touches) {
    let away = vec3::sub(two.pos, one.pos);
    let boxes = Boxes {
        one,
        two,
        pos21: mat3::mul_transpose_vec(one.mat, away),
        pos12: mat3::mul_transpose_vec(two.mat, vec3::scale(away, -1.0)),
        rot: mat3::mul(&mat3::transpose(one.mat), two.mat),
    };
    let Some(axis) = axis::least_overlap(&boxes, margin) else { return };
    let mut found = Points::default();
    let normal = match axis {
        Axis::Face(face) => face::cut(&boxes, face, margin, &mut found),
        Axis::Edges(edges) => edge::cross(&boxes, edges, margin, &mut found),
    };
    let Some(normal) = normal else { return };
    keep_good(&boxes, margin, normal, &mut found, out);
}

/// Points and their distances.
struct Points {
    list: [(Vec3, f64); MAX_TOUCHES],
    count: usize,
}

impl Default for Points {
    fn default() -> Self {
        Self { list: [([0.0; 3], 0.0); MAX_TOUCHES], count: 0 }
    }
}

impl Points {
    fn push(&mut self, point: Vec3, dist: f64) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (point, dist);
            self.count += 1;
        }
    }

    fn as_mut_slice(&mut self) -> &mut [(Vec3, f64)] {
        &mut self.list[..self.count]
    }
}

/// The frame in which a face looks along z: which coordinate becomes which, and its sign. Faces 0
/// to 2 look along the positive axes, 3 to 5 along the negative ones.
const TURNS: [([usize; 3], Vec3); 6] = [
    ([2, 1, 0], [-1.0, 1.0, 1.0]),
    ([0, 2, 1], [1.0, -1.0, 1.0]),
    ([0, 1, 2], [1.0, 1.0, 1.0]),
    ([2, 1, 0], [1.0, 1.0, -1.0]),
    ([0, 2, 1], [1.0, 1.0, -1.0]),
    ([0, 1, 2], [-1.0, 1.0, -1.0]),
];

/// A vector in the frame of a face.
fn turned(face: usize, v: Vec3) -> Vec3 {
    let (from, sign) = TURNS[face];
    std::array::from_fn(|k| v[from[k]] * sign[k])
}

/// The rows of a matrix in the frame of a face.
fn turned_rows(face: usize, a: &Mat3) -> Mat3 {
    let (from, sign) = TURNS[face];
    std::array::from_fn(|k| a[3 * from[k / 3] + k % 3] * sign[k / 3])
}

/// The columns of a matrix in the frame of a face.
fn turned_columns(face: usize, a: &Mat3) -> Mat3 {
    let (from, sign) = TURNS[face];
    std::array::from_fn(|k| a[k - k % 3 + from[k % 3]] * sign[k % 3])
}

/// Passes on the points that are near both boxes, each place once.
fn keep_good(boxes: &Boxes, margin: f64, normal: Vec3, found: &mut Points, out: &mut Touches) {
    let (one, two) = (boxes.one, boxes.two);
    let mut good = [true; MAX_TOUCHES];
    let points = found.as_mut_slice();
    for (keep, (pos, _)) in good.iter_mut().zip(points.iter()) {
        let (side1, side2) = (side_of(*pos, one, margin), side_of(*pos, two, margin));
        let lost = side1 == Side::Outside && side2 != Side::Inside
            || side2 == Side::Outside && side1 != Side::Inside;
        *keep = !lost;
    }
    for (i, (pos, dist)) in points.iter().enumerate() {
        // the last of equal places stays
        let repeated = || (i + 1..points.len()).any(|j| good[j] && points[j].0 == *pos);
        if good[i] && !repeated() {
            out.push(Touch { dist: *dist, pos: *pos, normal, tangent: [0.0; 3] });
        }
    }
}

/// Where a point is with respect to a box.
#[derive(PartialEq, Eq)]
enum Side {
    Inside,
    Near,
    Outside,
}

fn side_of(point: Vec3, cuboid: &Shape, margin: f64) -> Side {
    let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(point, cuboid.pos));
    let size = cuboid.size.map(|s| s + margin);
    if (0..3).any(|k| local[k].abs() > size[k] * SLACK) {
        Side::Outside
    } else if (0..3).all(|k| local[k].abs() < size[k] / SLACK) {
        Side::Inside
    } else {
        Side::Near
    }
}
