//! A capsule and a box (`mjc_CapsuleBox`): up to two spheres on the capsule's segment against the box.

use super::super::manifold::Manifold;
use super::super::shape::Shape;
use super::sphere::sphere_box_contact;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::MINVAL;

/// Closest feature of the box to the capsule's segment.
#[derive(Clone, Copy)]
struct Nearest {
    /// Squared distance.
    distance2: f64,
    /// Parameter of the closest point on the segment, between -1 and 1.
    along: f64,
    /// The feature.
    feature: Feature,
}

/// A feature of the box.
#[derive(Clone, Copy)]
enum Feature {
    /// An end of the segment projects onto the face with this normal axis; `None` inside the box.
    Face(Option<usize>),
    /// A vertex: bit `k` is set if coordinate `k` is positive.
    Corner(usize),
    /// The interior of an edge: its axis, its vertex on the negative side, its parameter between -1 and 1.
    Edge { axis: usize, corner: usize, at: f64 },
}

/// The capsule's segment in the box frame.
struct Segment {
    centre: Vec3,
    /// Unit direction.
    axis: Vec3,
    /// Half-segment: direction times half-length.
    half: Vec3,
    /// Bit `k` is set if coordinate `k` increases along the axis.
    direction: usize,
}

/// Capsule and box: a sphere at the segment's closest point, and a second one where the segment runs
/// along a face or an edge at less than 45 degrees.
#[doc(alias = "mjc_CapsuleBox")]
pub(crate) fn capsule_box(capsule: &Shape, cuboid: &Shape, margin: f64, out: &mut Manifold) {
    let [radius, length, _] = capsule.size;
    let centre = mat3::mul_transpose_vec(cuboid.mat, vec3::sub(capsule.pos, cuboid.pos));
    let axis = mat3::mul_transpose_vec(cuboid.mat, mat3::column(capsule.mat, 2));
    let half = vec3::scale(axis, length);
    let direction = (0..3).filter(|&k| half[k] > 0.0).map(|k| 1 << k).sum();
    let segment = Segment { centre, axis, half, direction };

    let size = cuboid.size;
    let max_distance = margin + 2.0 * (radius + length + size[0] + size[1] + size[2]);
    let Some(nearest) = nearest_feature(&segment, length, size, max_distance) else { return };
    let mut add_contact = |along: f64| {
        let local = vec3::add_scaled(segment.centre, segment.half, along);
        let world = vec3::add(mat3::mul_vec(cuboid.mat, local), cuboid.pos);
        if let Some(point) = sphere_box_contact((world, radius), cuboid, margin) {
            out.push(point);
        }
    };
    add_contact(nearest.along);
    if let Some(step) = second_point(&segment, size, nearest) {
        add_contact(nearest.along + step);
    }
}

/// The closest face, edge or vertex of the box; `None` if all squared distances are at least `max`.
fn nearest_feature(segment: &Segment, length: f64, size: Vec3, max: f64) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    for along in [-1.0, 1.0] {
        let end = vec3::add_scaled(segment.centre, segment.half, along);
        let clamped: Vec3 = std::array::from_fn(|k| end[k].max(-size[k]).min(size[k]));
        let mut outside = (0..3).filter(|&k| clamped[k] != end[k]);
        let (face, second) = (outside.next(), outside.next());
        if second.is_some() {
            continue;
        }
        let offset = vec3::sub(clamped, end);
        let distance2 = vec3::dot(offset, offset);
        if distance2 < best.map_or(max, |b| b.distance2) {
            best = Some(Nearest { distance2, along, feature: Feature::Face(face) });
        }
    }
    for axis in 0..3 {
        for corner in (0..8).filter(|corner| corner & (1 << axis) == 0) {
            let Some(edge) = nearest_on_edge(segment, length, size, axis, corner) else { continue };
            if edge.distance2 < best.map_or(max, |b| b.distance2) - MINVAL {
                best = Some(edge);
            }
        }
    }
    best
}

/// Closest point of the segment to an edge; `None` if they are parallel.
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
    let offset = vec3::sub(middle, segment.centre);
    let (a, b, c) = (size[axis] * size[axis], -size[axis] * segment.half[axis], length * length);
    let (u, v) = (-size[axis] * offset[axis], vec3::dot(segment.half, offset));
    let det = a * c - b * b;
    if det.abs() < MINVAL {
        return None;
    }
    let inverse = 1.0 / det;
    let (mut at, mut along) = ((c * u - b * v) * inverse, (a * v - b * u) * inverse);
    // the end that the edge parameter was clamped to; kept even if a later clamp moves it back
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
    let mut offset = vec3::add_scaled(offset, segment.half, -along);
    offset[axis] += size[axis] * at;
    let feature = match end {
        Some(high) => Feature::Corner(corner | (usize::from(high) << axis)),
        None => Feature::Edge { axis, corner, at },
    };
    Some(Nearest { distance2: vec3::dot(offset, offset), along, feature })
}

/// Parameter difference along the segment from the first contact to the second.
fn second_point(segment: &Segment, size: Vec3, nearest: Nearest) -> Option<f64> {
    match nearest.feature {
        Feature::Corner(corner) => second_from_corner(segment, size, nearest.along, corner),
        Feature::Edge { axis, corner, at } => {
            second_from_edge(segment, size, nearest.along, (axis, corner, at))
        }
        Feature::Face(face) => second_from_face(segment, size, nearest.along, face?),
    }
}

/// Second contact when the closest box feature is a vertex: moves along the capsule beside an edge that is
/// inclined to it by less than 45 degrees, otherwise over a face; `None` if the capsule axis points
/// into the box at the vertex.
fn second_from_corner(segment: &Segment, size: Vec3, along: f64, corner: usize) -> Option<f64> {
    let half = segment.half;
    let (odd, sign) = match segment.direction ^ corner {
        0 | 7 => return None,
        odd @ (1 | 2 | 4) => (odd, 1.0),
        odd => (7 - odd, -1.0),
    };
    // remaining parameter range on either side
    let (ahead, behind) = (1.0 - sign * along, 1.0 + sign * along);
    let axis = odd >> 1;
    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        return Some(sign * ahead.min(2.0 * size[axis] / half[axis].abs()));
    }
    let (k1, k2) = ((axis + 1) % 3, (axis + 2) % 3);
    let step = behind.min(2.0 * size[k1] / half[k1].abs()).min(2.0 * size[k2] / half[k2].abs());
    Some(-sign * step)
}

/// Second contact when the closest box feature is the interior of an edge: moves along the capsule over the
/// adjacent face to which the capsule is more nearly parallel; `None` if the capsule axis does not run
/// over one of the two faces.
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
    let remaining = if same { 1.0 - at } else { 1.0 + at };
    let step = (1.0 - sign * along)
        .min(2.0 * size[across] / half[across].abs())
        .min(size[axis] * remaining / half[axis].abs());
    Some(sign * step)
}

/// Second contact from an end above a face: where the segment leaves the face.
fn second_from_face(segment: &Segment, size: Vec3, along: f64, face: usize) -> Option<f64> {
    let end = vec3::add_scaled(segment.centre, segment.half, along);
    let mut least = 2.0;
    for k in (0..3).filter(|&k| k != face) {
        for side in [size[k], -size[k]] {
            let step = (side - end[k]) / segment.half[k] * -along;
            if step > 0.0 && step < least {
                least = step;
            }
        }
    }
    Some(-along * least)
}
