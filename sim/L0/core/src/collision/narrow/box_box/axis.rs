//! The direction along which two boxes overlap least, among 6 faces and 9 pairs of edges.

use super::Boxes;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// What separates the boxes best.
pub(super) enum Axis {
    Face(Face),
    Edges(Edges),
}

/// A face of one of the boxes.
#[derive(Clone, Copy)]
pub(super) struct Face {
    /// Whether it is a face of the second box.
    pub of_second: bool,
    /// Which face; see `TURNS`.
    pub side: usize,
}

/// An edge of each box.
#[derive(Clone, Copy)]
pub(super) struct Edges {
    /// Direction of the edge of the first box.
    pub axis1: usize,
    /// Direction of the edge of the second box.
    pub axis2: usize,
    /// Bits of the coordinates in which the edge of the first box is on the positive side.
    pub corner1: usize,
    /// The same for the second box.
    pub corner2: usize,
    /// Unit vector across both edges, in the frame of the first box.
    pub normal: Vec3,
    /// Whether that vector points from the second box to the first.
    pub reversed: bool,
}

/// The direction of least overlap, and the overlap; none when some direction separates the boxes by
/// the margin.
pub(super) fn least_overlap(boxes: &Boxes, margin: f64) -> Option<(Axis, f64)> {
    let (size1, size2) = (boxes.one.size, boxes.two.size);
    let rotabs = boxes.rot.map(f64::abs);
    let reach2 = mat3::mul_vec(&rotabs, size2);
    let reach1 = mat3::mul_transpose_vec(&rotabs, size1);

    let mut least = margin + 3.0 * (0..3).map(|k| size1[k] + size2[k]).sum::<f64>();
    let mut best = None;
    for k in 0..3 {
        let overlap1 = -boxes.pos21[k].abs() + size1[k] + reach2[k];
        let overlap2 = -boxes.pos12[k].abs() + size2[k] + reach1[k];
        if overlap1 < -margin || overlap2 < -margin {
            return None;
        }
        if overlap1 < least {
            least = overlap1;
            let side = k + 3 * usize::from(boxes.pos21[k] < 0.0);
            best = Some(Axis::Face(Face { of_second: false, side }));
        }
        if overlap2 < least {
            least = overlap2;
            let side = k + 3 * usize::from(boxes.pos12[k] < 0.0);
            best = Some(Axis::Face(Face { of_second: true, side }));
        }
    }
    let mut edge = None;
    across::<0>(boxes, &rotabs, margin, &mut least, &mut edge)?;
    across::<1>(boxes, &rotabs, margin, &mut least, &mut edge)?;
    across::<2>(boxes, &rotabs, margin, &mut least, &mut edge)?;
    if let Some((axis1, axis2)) = edge {
        let normal = normal_across(boxes, axis1, axis2);
        let reversed = vec3::dot(boxes.pos21, normal) < 0.0;
        best = Some(Axis::Edges(edges(boxes, (axis1, axis2), normal, reversed)));
    }
    best.map(|axis| (axis, least))
}

/// Compares an edge of the first box with all edges of the second; none when the direction across
/// them separates the boxes. The direction has nothing along the first edge, so that coordinate is
/// left out.
#[inline(always)]
fn across<const AXIS: usize>(
    boxes: &Boxes,
    rotabs: &Mat3,
    margin: f64,
    least: &mut f64,
    best: &mut Option<(usize, usize)>,
) -> Option<()> {
    // the other two coordinates, in order
    const OTHER: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];
    let [i, j] = OTHER[AXIS];
    let (size1, size2, rot) = (boxes.one.size, boxes.two.size, &boxes.rot);
    for axis2 in 0..3 {
        // coordinates i and j of the cross product, but for the sign they share
        let (mut x, mut y) = (-rot[3 * j + axis2], rot[3 * i + axis2]);
        let length = (x * x + y * y).sqrt();
        if length < MINVAL {
            continue;
        }
        let inverse = 1.0 / length;
        (x, y) = (inverse * x, inverse * y);
        let apart = (boxes.pos21[i] * x + boxes.pos21[j] * y).abs();
        let [k, l] = OTHER[axis2];
        // half widths of both boxes along the direction, added up
        let reach = size1[i] * x.abs()
            + size1[j] * y.abs()
            + size2[k] * rotabs[3 * AXIS + l] / length
            + size2[l] * rotabs[3 * AXIS + k] / length;
        let overlap = reach - apart;
        if overlap < -margin {
            return None;
        }
        // an edge must be clearly better than what was found before
        if overlap < *least * (1.0 - 1e-12) {
            *least = overlap;
            *best = Some((AXIS, axis2));
        }
    }
    Some(())
}

/// The unit vector across an axis of each box.
fn normal_across(boxes: &Boxes, axis1: usize, axis2: usize) -> Vec3 {
    let mut unit = [0.0; 3];
    unit[axis1] = 1.0;
    vec3::normalize(vec3::cross(unit, mat3::column(&boxes.rot, axis2))).0
}

/// Which edge of each box faces the other.
fn edges(boxes: &Boxes, (axis1, axis2): (usize, usize), normal: Vec3, reversed: bool) -> Edges {
    let mut corner1 = 0;
    for k in (0..3).filter(|&k| k != axis1) {
        if (normal[k] > 0.0) ^ reversed {
            corner1 |= 1 << k;
        }
    }
    let mut corner2 = 0;
    for k in (0..3).filter(|&k| k != axis2) {
        let next = (k + 3 - axis2) % 3 == 1;
        if (boxes.rot[3 * axis1 + 3 - k - axis2] > 0.0) ^ reversed ^ next {
            corner2 |= 1 << k;
        }
    }
    Edges { axis1, axis2, corner1, corner2, normal, reversed }
}
