//! Points of a cable, and the frames of its bodies.

use crate::asset::normalize::normalize;
use sim_core::math::quat::{self, Quat};
use sim_core::math::vec3::{Vec3, cross, dot};

/// The function of the curve parameter along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Zero,
    Line,
    Cosine,
    Sine,
}

/// Parses the attribute `curve`: up to three functions.
pub(super) fn axes(text: &str) -> Result<[Axis; 3], String> {
    let mut axes = [Axis::Zero; 3];
    for (k, word) in text.split_ascii_whitespace().enumerate() {
        let axis = axes.get_mut(k).ok_or("has at most 3 functions, one for each axis")?;
        *axis = match word {
            "0" => Axis::Zero,
            "s" => Axis::Line,
            "cos(s)" => Axis::Cosine,
            "sin(s)" => Axis::Sine,
            _ => {
                let message = "is not a curve: use `s`, `cos(s)`, `sin(s)` or `0` for each axis";
                return Err(format!("`{word}` {message}"));
            }
        };
    }
    Ok(axes)
}

/// The points of a curve in single precision, rotated by `quat`, which MuJoCo does not normalize.
///
/// The sizes are the length along `s`, the radius and the number of half turns of `cos(s)` and `sin(s)`.
#[allow(clippy::cast_possible_truncation, reason = "the points are stored in single precision")]
pub(super) fn points(count: usize, axes: [Axis; 3], size: Vec3, quat: Quat) -> Vec<[f32; 3]> {
    let last = (count - 1) as f64;
    let point = |i: usize| {
        let angle = std::f64::consts::PI * i as f64 * size[2] / last;
        let local = axes.map(|axis| match axis {
            Axis::Zero => 0.0,
            Axis::Line => i as f64 * size[0] / last,
            Axis::Cosine => size[1] * angle.cos(),
            Axis::Sine => size[1] * angle.sin(),
        });
        quat::rotate(quat, local).map(|x| x as f32)
    };
    (0..count).map(point).collect()
}

/// A body between two points: its length along x, and its orientation relative to the previous body.
pub(super) struct Link {
    pub(super) length: f64,
    pub(super) quat: Quat,
}

/// The bodies between consecutive points. The frames have x along the curve and twist as little as possible.
pub(super) fn links(points: &[[f32; 3]]) -> Vec<Link> {
    // MuJoCo subtracts in single precision
    let edge =
        |i: usize| -> Vec3 { std::array::from_fn(|k| f64::from(points[i + 1][k] - points[i][k])) };
    let tangent = |i: usize| {
        let mut tangent = edge(i);
        normalize(&mut tangent);
        tangent
    };
    let count = points.len() - 1;
    let (mut normal, mut previous) = ([0.0; 3], quat::IDENTITY);
    let mut links = Vec::with_capacity(count);
    for i in 0..count {
        let t = tangent(i);
        let mut binormal = [0.0; 3];
        if i == 0 {
            if count > 1 {
                binormal = cross(t, tangent(1));
            }
            normalize(&mut binormal);
            normal = cross(binormal, t);
        } else {
            // rotate the normal about the axis that takes the previous tangent to this one
            let before = tangent(i - 1);
            let mut axis = cross(before, t);
            let sine = normalize(&mut axis);
            let angle = sine.atan2(dot(before, t));
            normal = quat::rotate(quat::from_axis_angle(axis, angle), normal);
        }
        normalize(&mut normal);
        if i > 0 {
            binormal = cross(t, normal);
            normalize(&mut binormal);
        }
        let n = normal;
        let rotation = quat::from_mat(&[
            t[0],
            n[0],
            binormal[0],
            t[1],
            n[1],
            binormal[1],
            t[2],
            n[2],
            binormal[2],
        ]);
        links.push(Link {
            length: dot(edge(i), edge(i)).sqrt(),
            quat: quat::mul(quat::conjugate(previous), rotation),
        });
        previous = rotation;
    }
    links
}
