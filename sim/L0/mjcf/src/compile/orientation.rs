//! Orientations, resolved to unit quaternions.

use super::math::{Quat, Vec3, cross, dot, from_axes, mul_quat, normalize, z_to};
use crate::spec::{Angle, Compiler, Orientation};

/// Below this length a direction is no direction.
const SMALL: f64 = super::math::EPS;

/// An angle in radians.
pub(super) fn radians(compiler: &Compiler, angle: f64) -> f64 {
    match compiler.angle {
        Angle::Degree => angle / 180.0 * std::f64::consts::PI,
        Angle::Radian => angle,
    }
}

/// The unit quaternion of an orientation, or what is wrong with it: attribute and message.
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
            let axis =
                direction([x, y, z]).ok_or(("axisangle", "the axis has no length".to_owned()))?;
            let (s, c) = (radians(compiler, angle) / 2.0).sin_cos();
            Ok([c, s * axis[0], s * axis[1], s * axis[2]])
        }
        Orientation::XyAxes([a, b, c, d, e, f]) => {
            let fail = |message: &str| ("xyaxes", message.to_owned());
            let x = direction([a, b, c]).ok_or_else(|| fail("the x axis has no length"))?;
            let y = [d, e, f];
            let along = dot(x, y);
            let y = direction([y[0] - x[0] * along, y[1] - x[1] * along, y[2] - x[2] * along])
                .ok_or_else(|| fail("the y axis has no length, or is parallel to the x axis"))?;
            let z = direction(cross(x, y)).ok_or_else(|| fail("the axes are parallel"))?;
            Ok(from_axes(x, y, z))
        }
        Orientation::ZAxis(axis) => {
            direction(axis).map(z_to).ok_or(("zaxis", "the axis has no length".to_owned()))
        }
        Orientation::Euler(angles) => euler(compiler, angles),
    }
}

fn direction(mut v: Vec3) -> Option<Vec3> {
    (normalize(&mut v) >= SMALL).then_some(v)
}

/// Lower-case letters rotate about the moving axes, upper-case ones about the fixed axes.
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
                    format!("`{letter}` in the compiler's eulerseq is not an axis"),
                ));
            }
        };
        let (s, c) = (radians(compiler, angle) / 2.0).sin_cos();
        let mut turn = [c, 0.0, 0.0, 0.0];
        turn[axis] = s;
        quat =
            if letter.is_ascii_lowercase() { mul_quat(quat, turn) } else { mul_quat(turn, quat) };
    }
    normalize(&mut quat);
    Ok(quat)
}
