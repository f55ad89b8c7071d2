//! Two boxes: separating axes, then a face cut by a face or an edge against an edge.

mod axis;
mod edge;
mod face;
#[cfg(test)]
mod laws;

use super::super::shape::Shape;
use super::super::touch::{Touch, Touches};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use axis::Axis;

/// Most points there can be: four lines that cross four sides each, and twice four corners.
const MAX_POINTS: usize = 24;
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
    let Some((axis, overlap)) = axis::least_overlap(&boxes, margin) else { return };
    let before = out.as_slice().len();
    let Some(normal) = contacts(&boxes, &axis, margin, true, out) else { return };
    // nothing can be deeper than the overlap: the slip of the reference engine shows
    let too_deep = |touch: &Touch| touch.dist < -overlap - 1e-6 * overlap.abs();
    if out.as_slice()[before..].iter().any(too_deep) {
        out.truncate(before);
        contacts(&boxes, &axis, margin, false, out);
    }
    // boxes that overlap deeply may have none of their corners and crossings in both
    if overlap > 0.0 && out.as_slice().len() == before {
        let pos = common_point(one, two);
        out.push(Touch { dist: -overlap, pos, normal, tangent: [0.0; 3] });
    }
}

/// Adds the contacts along an axis and returns the normal; none where the geometry degenerates.
fn contacts(
    boxes: &Boxes,
    axis: &Axis,
    margin: f64,
    slip: bool,
    out: &mut Touches,
) -> Option<Vec3> {
    let mut found = Points::default();
    let normal = match *axis {
        Axis::Face(face) => face::cut(boxes, face, margin, &mut found),
        Axis::Edges(edges) => edge::cross(boxes, edges, margin, slip, &mut found)?,
    };
    keep_good(boxes, margin, normal, &mut found, out);
    Some(normal)
}

/// A point of both boxes, by alternating projections from the middle between their centres.
fn common_point(one: &Shape, two: &Shape) -> Vec3 {
    let mut point = vec3::scale(vec3::add(one.pos, two.pos), 0.5);
    for _ in 0..64 {
        let before = point;
        for cuboid in [one, two] {
            let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(point, cuboid.pos));
            let inside = std::array::from_fn(|k| local[k].max(-cuboid.size[k]).min(cuboid.size[k]));
            if inside != local {
                point = vec3::add(cuboid.pos, mat3::mul_vec(cuboid.mat, inside));
            }
        }
        if point == before {
            break;
        }
    }
    point
}

/// Points and their distances.
struct Points {
    list: [(Vec3, f64); MAX_POINTS],
    count: usize,
}

impl Default for Points {
    fn default() -> Self {
        Self { list: [([0.0; 3], 0.0); MAX_POINTS], count: 0 }
    }
}

impl Points {
    fn push(&mut self, point: Vec3, dist: f64) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = (point, dist);
            self.count += 1;
        }
    }

    /// Keeps what is changed, in order; drops the rest.
    fn retain(&mut self, change: impl Fn((Vec3, f64)) -> Option<(Vec3, f64)>) {
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
    let (one, two) = (Zones::of(boxes.one, margin), Zones::of(boxes.two, margin));
    let mut good = [true; MAX_POINTS];
    let points = found.as_mut_slice();
    for (keep, (pos, _)) in good.iter_mut().zip(points.iter()) {
        let (side1, side2) = (one.side_of(*pos), two.side_of(*pos));
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

/// A box, and half sizes of the boxes beyond which a point is outside, and within which inside.
struct Zones<'a> {
    cuboid: &'a Shape<'a>,
    outer: Vec3,
    inner: Vec3,
}

impl<'a> Zones<'a> {
    fn of(cuboid: &'a Shape<'a>, margin: f64) -> Self {
        let size = cuboid.size.map(|s| s + margin);
        Self { cuboid, outer: size.map(|s| s * SLACK), inner: size.map(|s| s / SLACK) }
    }

    #[inline(always)]
    fn side_of(&self, point: Vec3) -> Side {
        let Self { cuboid, outer, inner } = self;
        let local = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(point, cuboid.pos));
        if (0..3).any(|k| local[k].abs() > outer[k]) {
            Side::Outside
        } else if (0..3).all(|k| local[k].abs() < inner[k]) {
            Side::Inside
        } else {
            Side::Near
        }
    }
}
