//! Separating axis test of two boxes: the axis of least penetration among 6 face normals and 9 edge
//! cross products.

use super::BoxPair;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The axis of least penetration.
pub(super) enum SeparatingAxis {
    /// Normal of a face: face contact.
    Face(ReferenceFace),
    /// Cross product of two edges: edge contact.
    Edges(EdgePair),
}

/// The reference face of a face contact.
#[derive(Clone, Copy)]
pub(super) struct ReferenceFace {
    /// Whether it is a face of the second box.
    pub of_second: bool,
    /// Index of the face; see `FACE_FRAMES`.
    pub index: usize,
}

/// An edge of each box.
#[derive(Clone, Copy)]
pub(super) struct EdgePair {
    /// Axis of the first box that its edge is parallel to.
    pub axis1: usize,
    /// Axis of the second box that its edge is parallel to.
    pub axis2: usize,
    /// Bit `k` is set if the edge of the first box is on the positive side of coordinate `k`.
    pub corner1: usize,
    /// The same for the second box.
    pub corner2: usize,
    /// Unit normal of both edges, in the frame of the first box.
    pub normal: Vec3,
    /// Whether the normal points from the second box to the first.
    pub reversed: bool,
}

/// The axis of least penetration and the penetration depth; `None` if some axis separates the boxes by
/// more than the margin.
pub(super) fn least_penetration(pair: &BoxPair, margin: f64) -> Option<(SeparatingAxis, f64)> {
    let (size1, size2) = (pair.one.size, pair.two.size);
    let rotabs = pair.rot.map(f64::abs);
    let extent2 = mat3::mul_vec(&rotabs, size2);
    let extent1 = mat3::mul_transpose_vec(&rotabs, size1);

    let mut least = margin + 3.0 * (0..3).map(|k| size1[k] + size2[k]).sum::<f64>();
    let mut best = None;
    for k in 0..3 {
        let depth1 = -pair.pos21[k].abs() + size1[k] + extent2[k];
        let depth2 = -pair.pos12[k].abs() + size2[k] + extent1[k];
        if depth1 < -margin || depth2 < -margin {
            return None;
        }
        if depth1 < least {
            least = depth1;
            let index = k + 3 * usize::from(pair.pos21[k] < 0.0);
            best = Some(SeparatingAxis::Face(ReferenceFace { of_second: false, index }));
        }
        if depth2 < least {
            least = depth2;
            let index = k + 3 * usize::from(pair.pos12[k] < 0.0);
            best = Some(SeparatingAxis::Face(ReferenceFace { of_second: true, index }));
        }
    }
    let mut edge = None;
    test_edges::<0>(pair, &rotabs, margin, &mut least, &mut edge)?;
    test_edges::<1>(pair, &rotabs, margin, &mut least, &mut edge)?;
    test_edges::<2>(pair, &rotabs, margin, &mut least, &mut edge)?;
    if let Some((axis1, axis2)) = edge {
        let normal = edge_normal(pair, axis1, axis2);
        let reversed = vec3::dot(pair.pos21, normal) < 0.0;
        best = Some(SeparatingAxis::Edges(facing_edges(pair, (axis1, axis2), normal, reversed)));
    }
    best.map(|axis| (axis, least))
}

/// Tests the cross products of one edge direction of the first box with all of the second; `None` if one
/// of them separates the boxes. Coordinate `AXIS` of the cross product is zero and is left out.
#[inline(always)]
fn test_edges<const AXIS: usize>(
    pair: &BoxPair,
    rotabs: &Mat3,
    margin: f64,
    least: &mut f64,
    best: &mut Option<(usize, usize)>,
) -> Option<()> {
    // the other two coordinates, in order
    const OTHER: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];
    let [i, j] = OTHER[AXIS];
    let (size1, size2, rot) = (pair.one.size, pair.two.size, &pair.rot);
    for axis2 in 0..3 {
        // coordinates i and j of the cross product, up to a common sign
        let (mut x, mut y) = (-rot[3 * j + axis2], rot[3 * i + axis2]);
        let length = (x * x + y * y).sqrt();
        if length < MINVAL {
            continue;
        }
        let inverse = 1.0 / length;
        (x, y) = (inverse * x, inverse * y);
        let distance = (pair.pos21[i] * x + pair.pos21[j] * y).abs();
        let [k, l] = OTHER[axis2];
        // sum of the half-extents of both boxes along the axis
        let extent = size1[i] * x.abs()
            + size1[j] * y.abs()
            + size2[k] * rotabs[3 * AXIS + l] / length
            + size2[l] * rotabs[3 * AXIS + k] / length;
        let depth = extent - distance;
        if depth < -margin {
            return None;
        }
        // edge axes need a clear improvement over face axes
        if depth < *least * (1.0 - 1e-12) {
            *least = depth;
            *best = Some((AXIS, axis2));
        }
    }
    Some(())
}

/// Unit cross product of an axis of each box, in the frame of the first.
fn edge_normal(pair: &BoxPair, axis1: usize, axis2: usize) -> Vec3 {
    let mut unit = [0.0; 3];
    unit[axis1] = 1.0;
    vec3::normalize(vec3::cross(unit, mat3::column(&pair.rot, axis2))).0
}

/// The edge of each box that faces the other box.
fn facing_edges(
    pair: &BoxPair,
    (axis1, axis2): (usize, usize),
    normal: Vec3,
    reversed: bool,
) -> EdgePair {
    let mut corner1 = 0;
    for k in (0..3).filter(|&k| k != axis1) {
        if (normal[k] > 0.0) ^ reversed {
            corner1 |= 1 << k;
        }
    }
    let mut corner2 = 0;
    for k in (0..3).filter(|&k| k != axis2) {
        let next = (k + 3 - axis2) % 3 == 1;
        if (pair.rot[3 * axis1 + 3 - k - axis2] > 0.0) ^ reversed ^ next {
            corner2 |= 1 << k;
        }
    }
    EdgePair { axis1, axis2, corner1, corner2, normal, reversed }
}
