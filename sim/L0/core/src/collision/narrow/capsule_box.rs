//! A capsule and a box: up to two balls on the capsule's segment against the box.

use super::super::shape::Shape;
use super::super::touch::Touches;
use super::sphere::ball_cuboid;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// Where the segment of the capsule comes nearest to the box.
#[derive(Clone, Copy)]
struct Nearest {
    /// Squared distance.
    distance2: f64,
    /// Where on the segment, between -1 and 1.
    along: f64,
    /// What of the box is near.
    feature: Feature,
}

/// A part of the box.
#[derive(Clone, Copy)]
enum Feature {
    /// An end of the segment is above a face across this axis, or within the box.
    Face(Option<usize>),
    /// A corner, by the bits of its positive coordinates.
    Corner(usize),
    /// The middle of an edge: its axis, a corner of it, the place on it between -1 and 1.
    Edge { axis: usize, corner: usize, at: f64 },
}

/// The segment in the box's frame.
struct Segment {
    centre: Vec3,
    /// Unit direction.
    axis: Vec3,
    /// Half of the segment.
    half: Vec3,
    /// Bits of the coordinates that grow along the axis.
    direction: usize,
}

/// Capsule and box: a ball at the segment's nearest point, and a second where the segment runs
/// along a face or an edge at less than 45 degrees.
#[doc(alias = "mjc_CapsuleBox")]
pub(crate) fn capsule_box(capsule: &Shape, cuboid: &Shape, margin: f64, out: &mut Touches) {
    let [radius, length, _] = capsule.size;
    let centre = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(capsule.pos, cuboid.pos));
    let axis = mat3::mul_transpose_vec(cuboid.mat, mat3::column(capsule.mat, 2));
    let half = vec3::scale(axis, length);
    let direction = (0..3).filter(|&k| half[k] > 0.0).map(|k| 1 << k).sum();
    let segment = Segment { centre, axis, half, direction };

    let size = cuboid.size;
    let far = margin + 2.0 * (radius + length + size[0] + size[1] + size[2]);
    let Some(nearest) = nearest_feature(&segment, length, size, far) else { return };
    let mut touch = |along: f64| {
        let local = vec3::add_scaled(segment.centre, segment.half, along);
        let world = vec3::add(mat3::mul_vec(cuboid.mat, local), cuboid.pos);
        if let Some(touch) = ball_cuboid((world, radius), cuboid, margin) {
            out.push(touch);
        }
    };
    touch(nearest.along);
    if let Some(step) = second_point(&segment, size, nearest) {
        touch(nearest.along + step);
    }
}

/// The face, edge or corner nearest to the segment; none when all are further than `far`.
fn nearest_feature(segment: &Segment, length: f64, size: Vec3, far: f64) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    for along in [-1.0, 1.0] {
        let end = vec3::add_scaled(segment.centre, segment.half, along);
        let inside: Vec3 = std::array::from_fn(|k| end[k].max(-size[k]).min(size[k]));
        let mut outside = (0..3).filter(|&k| inside[k] != end[k]);
        let (face, another) = (outside.next(), outside.next());
        if another.is_some() {
            continue;
        }
        let away = vec3::sub(inside, end);
        let distance2 = vec3::dot(away, away);
        if distance2 < best.map_or(far, |b| b.distance2) {
            best = Some(Nearest { distance2, along, feature: Feature::Face(face) });
        }
    }
    for axis in 0..3 {
        for corner in (0..8).filter(|corner| corner & (1 << axis) == 0) {
            let Some(edge) = nearest_on_edge(segment, length, size, axis, corner) else { continue };
            if edge.distance2 < best.map_or(far, |b| b.distance2) - MINVAL {
                best = Some(edge);
            }
        }
    }
    best
}

/// Where the segment comes nearest to an edge; none when they are parallel.
fn nearest_on_edge(
    segment: &Segment,
    length: f64,
    size: Vec3,
    axis: usize,
    corner: usize,
) -> Option<Nearest> {
    let mut middle: Vec3 =
        std::array::from_fn(|k| if corner & (1 << k) != 0 { size[k] } else { -size[k] });
    middle[axis] = 0.0;
    let away = vec3::sub(middle, segment.centre);
    let (a, b, c) = (size[axis] * size[axis], -size[axis] * segment.half[axis], length * length);
    let (u, v) = (-size[axis] * away[axis], vec3::dot(segment.half, away));
    let det = a * c - b * b;
    if det.abs() < MINVAL {
        return None;
    }
    let inverse = 1.0 / det;
    let (mut at, mut along) = ((c * u - b * v) * inverse, (a * v - b * u) * inverse);
    // the end of the edge that the place was moved to, if it was: it counts even if left again
    let mut end = None;
    if at > 1.0 {
        (at, along, end) = (1.0, (v - b) * (1.0 / c), Some(true));
    } else if at < -1.0 {
        (at, along, end) = (-1.0, (v + b) * (1.0 / c), Some(false));
    }
    if along.abs() > 1.0 {
        along = along.signum();
        at = (u - along * b) * (1.0 / a);
        if at.abs() > 1.0 {
            (at, end) = (at.signum(), Some(at > 0.0));
        }
    }
    let mut gap = vec3::add_scaled(away, segment.half, -along);
    gap[axis] += size[axis] * at;
    let feature = match end {
        Some(high) => Feature::Corner(corner | (usize::from(high) << axis)),
        None => Feature::Edge { axis, corner, at },
    };
    Some(Nearest { distance2: vec3::dot(gap, gap), along, feature })
}

/// How far along the segment, from its nearest point, the second contact lies.
fn second_point(segment: &Segment, size: Vec3, nearest: Nearest) -> Option<f64> {
    match nearest.feature {
        Feature::Corner(corner) => second_from_corner(segment, size, nearest.along, corner),
        Feature::Edge { axis, corner, at } => {
            second_from_edge(segment, size, nearest.along, (axis, corner, at))
        }
        Feature::Face(face) => second_from_face(segment, size, nearest.along, face?),
    }
}

/// From a corner: along an edge or across a face, unless the segment points at the corner.
fn second_from_corner(segment: &Segment, size: Vec3, along: f64, corner: usize) -> Option<f64> {
    let half = segment.half;
    let (odd, sign) = match segment.direction ^ corner {
        0 | 7 => return None,
        odd @ (1 | 2 | 4) => (odd, 1.0),
        odd => (7 - odd, -1.0),
    };
    // what is left of the segment on either side
    let (ahead, behind) = (1.0 - sign * along, 1.0 + sign * along);
    let axis = odd >> 1;
    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        return Some(sign * ahead.min(2.0 * size[axis] / half[axis].abs()));
    }
    let (k1, k2) = ((axis + 1) % 3, (axis + 2) % 3);
    let reach = behind.min(2.0 * size[k1] / half[k1].abs()).min(2.0 * size[k2] / half[k2].abs());
    Some(-sign * reach)
}

/// From within an edge: across the face that the segment leans on, unless it stands on the edge.
fn second_from_edge(
    segment: &Segment,
    size: Vec3,
    along: f64,
    (axis, corner, at): (usize, usize, f64),
) -> Option<f64> {
    let half = segment.half;
    let odd = (segment.direction ^ corner) & (7 - (1 << axis));
    if !matches!(odd, 1 | 2 | 4) {
        return None;
    }
    let (k1, k2) = ((axis + 1) % 3, (axis + 2) % 3);
    let across = if segment.axis[k1].abs() > segment.axis[k2].abs() { k1 } else { k2 };
    let ahead = odd & (1 << across) != 0;
    let sign = if ahead { 1.0 } else { -1.0 };
    let same = (segment.direction & (1 << axis) != 0) == ahead;
    let left = if same { 1.0 - at } else { 1.0 + at };
    let reach = (1.0 - sign * along)
        .min(2.0 * size[across] / half[across].abs())
        .min(size[axis] * left / half[axis].abs());
    Some(sign * reach)
}

/// From an end above a face: to where the segment leaves the face.
fn second_from_face(segment: &Segment, size: Vec3, along: f64, face: usize) -> Option<f64> {
    let end = vec3::add_scaled(segment.centre, segment.half, along);
    let mut reach = 2.0;
    for k in (0..3).filter(|&k| k != face) {
        for side in [size[k], -size[k]] {
            let step = (side - end[k]) / segment.half[k] * -along;
            if step > 0.0 && step < reach {
                reach = step;
            }
        }
    }
    Some(-along * reach)
}
