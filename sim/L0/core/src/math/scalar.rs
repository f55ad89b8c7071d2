//! Scalar functions (`mju_sigmoid`, `mju_round`, `mju_sign`, `mju_springDamper`).

use sim_types::MINVAL;

/// Quintic smooth step from 0 at `x = 0` to 1 at `x = 1`, with zero first and second derivatives at both
/// ends.
#[doc(alias = "mju_sigmoid")]
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// Nearest integer, with halves rounded up; saturates at the range of `i32`, and is zero for NaN.
#[doc(alias = "mju_round")]
#[must_use]
pub fn round(x: f64) -> i32 {
    let (lower, upper) = (x.floor(), x.ceil());
    (if x - lower < upper - x { lower } else { upper }) as i32
}

/// Sign of `x`: `-1`, `0` or `1`.
#[doc(alias = "mju_sign")]
#[must_use]
pub fn sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0)) - f64::from(i8::from(x < 0.0))
}

/// Position at time `t` of the spring-damper `ẍ = −k x − b ẋ` with the initial position `pos` and velocity
/// `vel`.
#[doc(alias = "mju_springDamper")]
#[must_use]
pub fn spring_damper(pos: f64, vel: f64, k: f64, b: f64, t: f64) -> f64 {
    let determinant = b * b - 4.0 * k;
    let w = determinant.abs().sqrt() / 2.0;
    if determinant > MINVAL {
        let (fast, slow) = (-b / 2.0 - w, -b / 2.0 + w);
        let c1 = (pos * fast - vel) / (fast - slow);
        let c2 = (pos * slow - vel) / (slow - fast);
        c1 * (slow * t).exp() + c2 * (fast * t).exp()
    } else {
        let drift = vel + b * pos / 2.0;
        let shape = if determinant >= -MINVAL {
            pos + drift * t
        } else {
            pos * (w * t).cos() + drift / w * (w * t).sin()
        };
        (-b * t / 2.0).exp() * shape
    }
}
