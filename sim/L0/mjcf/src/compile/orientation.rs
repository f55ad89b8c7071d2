//! Conversion of orientation specifiers to unit quaternions (mjs_resolveOrientation).

use super::math::{Quat, Vec3, cross, dot, from_axes, mul_quat, normalize, z_to};
use crate::spec::{Angle, Compiler, Orientation};

/// Minimum length of an axis.
const MIN_LENGTH: f64 = super::math::EPS;

/// Converts an angle from compiler units to radians.
pub(super) fn radians(compiler: &Compiler, angle: f64) -> f64 {
    match compiler.angle {
        Angle::Degree => angle / 180.0 * std::f64::consts::PI,
        Angle::Radian => angle,
    }
}

/// Unit quaternion of an orientation; the error is the attribute and a message.
pub(crate) fn resolve(
    compiler: &Compiler,
    orientation: &Orientation,
) -> Result<Quat, (&'static str, String)> {
    match *orientation {
        Orientation::Quat(mut quat) => {
            normalize(&mut quat);
            Ok(quat)
        }
        Orientation::AxisAngle([x, y, z, angle]) => {
            let axis = direction([x, y, z])
                .ok_or(("axisangle", "the axis must not be the zero vector".to_owned()))?;
            let (s, c) = (radians(compiler, angle) / 2.0).sin_cos();
            Ok([c, s * axis[0], s * axis[1], s * axis[2]])
        }
        Orientation::XyAxes([a, b, c, d, e, f]) => {
            let fail = |message: &str| ("xyaxes", message.to_owned());
            let x = direction([a, b, c])
                .ok_or_else(|| fail("the x axis must not be the zero vector"))?;
            let y = [d, e, f];
            let projection = dot(x, y);
            let y = direction([
                y[0] - x[0] * projection,
                y[1] - x[1] * projection,
                y[2] - x[2] * projection,
            ])
            .ok_or_else(|| fail("the y axis must be nonzero and not parallel to the x axis"))?;
            let z = direction(cross(x, y)).ok_or_else(|| fail("the axes are parallel"))?;
            Ok(from_axes(x, y, z))
        }
        Orientation::ZAxis(axis) => direction(axis)
            .map(z_to)
            .ok_or(("zaxis", "the axis must not be the zero vector".to_owned())),
        Orientation::Euler(angles) => euler(compiler, angles),
    }
}

fn direction(mut v: Vec3) -> Option<Vec3> {
    (normalize(&mut v) >= MIN_LENGTH).then_some(v)
}

/// Euler angles: lower-case letters of `eulerseq` are intrinsic rotations, upper-case ones
/// extrinsic.
fn euler(compiler: &Compiler, angles: [f64; 3]) -> Result<Quat, (&'static str, String)> {
    let mut quat = super::math::IDENTITY;
    for (letter, angle) in compiler.eulerseq.chars().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => 1,
            'y' => 2,
            'z' => 3,
            _ => {
                return Err((
                    "euler",
                    format!("`{letter}` in eulerseq of <compiler> is not an axis"),
                ));
            }
        };
        let (s, c) = (radians(compiler, angle) / 2.0).sin_cos();
        let mut rotation = [c, 0.0, 0.0, 0.0];
        rotation[axis] = s;
        quat = if letter.is_ascii_lowercase() {
            mul_quat(quat, rotation)
        } else {
            mul_quat(rotation, quat)
        };
    }
    normalize(&mut quat);
    Ok(quat)
}
