//! An edge of one box across an edge of the other.
//!
//! The side of the second box beyond its edge is projected along the normal onto the face of the
//! first box beyond its edge, and the two are cut with each other.

use super::axis::Edges;
use super::face::{CORNERS, Patch, cross_sides};
use super::{Boxes, Points, turned, turned_columns, turned_rows};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// The side of the second box, as it is and projected, in the frame of the face of the first.
struct Sides {
    /// Half widths of the face; z out of it, zero on its surface.
    size: Vec3,
    /// The corners of the side.
    corners: [Vec3; 4],
    /// The same, projected onto the face.
    shadows: [Vec3; 4],
    /// From height to distance along the normal.
    slope: f64,
    margin: f64,
    /// See [`cross`].
    slip: bool,
}

/// Finds the contacts of two edges and returns the normal from the first box to the second.
///
/// The reference engine (3.8.0) loses the determinant of the shadow's edges after the first corner
/// of the face that it looks at, and so misplaces the other corners: it misses some, and finds some
/// that are not there. With `slip`, this is repeated.
pub(super) fn cross(
    boxes: &Boxes,
    edges: Edges,
    margin: f64,
    slip: bool,
    found: &mut Points,
) -> Option<Vec3> {
    let (one, two) = (boxes.one, boxes.two);
    // of the two faces beyond each edge, the one that leans less
    let leaning1 = pick(edges.axis1, |k| boxes.rot[3 * k + edges.axis2].abs()).1;
    let (level2, leaning2) = pick(edges.axis2, |k| boxes.rot[3 * edges.axis1 + k].abs());
    let positive = edges.corner1 & (1 << leaning1) != 0;
    let face = if positive { leaning1 } else { leaning1 + 3 };

    let normal = turned(face, edges.normal);
    if normal[2].abs() < MINVAL {
        return None;
    }
    let size = turned(face, one.size).map(f64::abs);
    let mut centre = turned(face, boxes.pos21);
    centre[2] -= size[2];
    let axes = mat3::transpose(&turned_rows(face, &boxes.rot));
    let corners = corners_of_side(&axes, centre, two.size, edges, (level2, leaning2));
    let shadows = corners.map(|p| vec3::add_scaled(p, normal, -p[2] * (1.0 / normal[2])));
    let sign = if edges.reversed { -1.0 } else { 1.0 };
    let sides = Sides { size, corners, shadows, slope: (1.0 / normal[2]) * sign, margin, slip };

    let crossings = sides.crossings(found);
    let inside = sides.corners_of_face(crossings, found);
    sides.corners_of_shadow(crossings, crossings + inside, found);

    let mat = turned_columns(face, one.mat);
    for (point, _) in found.as_mut_slice() {
        point[2] += size[2];
        *point = vec3::add(mat3::mul_vec(&mat, *point), one.pos);
    }
    Some(vec3::scale(mat3::mul_vec(&mat, normal), sign))
}

/// The two axes other than `axis`, larger measure first.
fn pick(axis: usize, measure: impl Fn(usize) -> f64) -> (usize, usize) {
    let (first, second) = [(1, 2), (0, 2), (1, 0)][axis];
    if measure(first) < measure(second) { (second, first) } else { (first, second) }
}

/// Four corners of the second box: both ends of its edge, then both ends of the opposite edge.
fn corners_of_side(
    axes: &Mat3,
    centre: Vec3,
    size: Vec3,
    edges: Edges,
    (level, leaning): (usize, usize),
) -> [Vec3; 4] {
    let half = |k: usize| vec3::scale([axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]], size[k]);
    let sign = |k: usize| if edges.corner2 & (1 << k) != 0 { 1.0 } else { -1.0 };
    let (along, across) = (half(edges.axis2), vec3::scale(half(level), sign(level)));
    let shift = vec3::scale(half(leaning), sign(leaning));
    let edge = vec3::add(vec3::add(centre, across), shift);
    let opposite = vec3::add(vec3::sub(centre, across), shift);
    [
        vec3::add(edge, along),
        vec3::sub(edge, along),
        vec3::add(opposite, along),
        vec3::sub(opposite, along),
    ]
}

/// A corner and the two edges from it.
fn patch_of(corners: &[Vec3; 4]) -> Patch {
    let [corner, e1, e2, _] = *corners;
    Patch { corner, edges: [vec3::sub(e1, corner), vec3::sub(e2, corner)], count: 2 }
}

impl Sides {
    /// Where the outline of the shadow crosses that of the face. Returns how many there are.
    fn crossings(&self, found: &mut Points) -> usize {
        let (shadow_lines, _) = patch_of(&self.shadows).lines();
        let (lines, _) = patch_of(&self.corners).lines();
        let before = found.count;
        for (&(start, along), &(corner, edge)) in shadow_lines.iter().zip(&lines) {
            cross_sides(start, along, self.size, |t, q, [side, other]| {
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

    /// Corners of the face below the shadow. Returns how many there are.
    fn corners_of_face(&self, crossings: usize, found: &mut Points) -> usize {
        let Patch { corner, edges: [e1, e2], .. } = patch_of(&self.shadows);
        let before = found.count;
        let mut det = e1[0] * e2[1] - e2[0] * e1[1];
        for [sx, sy] in CORNERS {
            let mut point = [sx * self.size[0], sy * self.size[1], 0.0];
            let (x, y) = (point[0] - corner[0], point[1] - corner[1]);
            let u = (x * e2[1] - y * e2[0]) * (1.0 / det);
            let v = (y * e1[0] - x * e1[1]) * (1.0 / det);
            let (past_u, past_v) = (!(0.0..=1.0).contains(&u), !(0.0..=1.0).contains(&v));
            if past_u && past_v || crossings > 0 && (past_u || past_v) {
                continue;
            }
            let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
            let [c0, c1, c2, _] = self.corners;
            let above =
                vec3::add_scaled(vec3::add_scaled(vec3::scale(c0, 1.0 - u - v), c1, u), c2, v);
            let gap = vec3::sub(point, above);
            let distance2 = vec3::dot(gap, gap);
            if self.slip {
                det = distance2;
            }
            if above[2] > 0.0 && distance2 > self.margin * self.margin {
                continue;
            }
            point = vec3::scale(vec3::add(point, above), 0.5);
            found.push(point, signed(distance2, above[2]));
        }
        found.count - before
    }

    /// Corners of the shadow above the face; all of them where nothing else was found.
    fn corners_of_shadow(&self, crossings: usize, others: usize, found: &mut Points) {
        for (corner, shadow) in self.corners.iter().zip(&self.shadows) {
            let past: [bool; 2] = std::array::from_fn(|k| shadow[k].abs() > self.size[k]);
            let skip =
                if crossings > 0 { past[0] || past[1] } else { others > 0 && past[0] && past[1] };
            if skip {
                continue;
            }
            let foot: [f64; 2] =
                std::array::from_fn(|k| shadow[k].max(-self.size[k]).min(self.size[k]));
            let (dx, dy) = (shadow[0] - foot[0], shadow[1] - foot[1]);
            let height = corner[2] * self.slope;
            let distance2 = dx * dx + dy * dy + height * height;
            if corner[2] > 0.0 && distance2 > self.margin * self.margin {
                continue;
            }
            let point = vec3::scale(vec3::add([foot[0], foot[1], 0.0], *corner), 0.5);
            found.push(point, signed(distance2, corner[2]));
        }
    }
}

/// A distance that is negative below the face.
fn signed(distance2: f64, height: f64) -> f64 {
    if height < 0.0 { -distance2.sqrt() } else { distance2.sqrt() }
}
