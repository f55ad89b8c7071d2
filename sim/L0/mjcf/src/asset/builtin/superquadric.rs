//! Builtin superquadrics: supersphere and supertorus.

use super::source;
use crate::asset::mesh::MeshSource;
use std::f64::consts::PI;

/// sign(x) |x|ⁿ.
fn signed_power(x: f64, n: f64) -> f64 {
    x.abs().powf(n).copysign(x)
}

/// Superellipsoid with exponents `e` in longitude and `n` in latitude.
pub(super) fn supersphere(resolution: usize, e: f64, n: f64) -> MeshSource {
    let steps = resolution as f64;
    let mut vert: Vec<f32> = vec![0.0, 0.0, -1.0];
    for i in 1..resolution {
        let v = -PI / 2.0 + i as f64 * PI / steps;
        let (along, height) = (signed_power(v.cos(), n), signed_power(v.sin(), n));
        for j in 0..resolution {
            let u = -PI + (2 * j) as f64 * PI / steps;
            let x = along * signed_power(u.cos(), e);
            let y = along * signed_power(u.sin(), e);
            vert.extend([x as f32, y as f32, height as f32]);
        }
    }
    vert.extend([0.0, 0.0, 1.0]);
    let res = resolution as i32;
    let north = (vert.len() / 3 - 1) as i32;
    let mut face = Vec::new();
    face.extend((0..res).map(|j| [0, 1 + (j + 1) % res, 1 + j]));
    for i in 0..res - 2 {
        for j in 0..res {
            let [a, b] = [1 + i * res + j, 1 + i * res + (j + 1) % res];
            let [d, c] = [a + res, b + res];
            face.extend([[a, b, d], [b, c, d]]);
        }
    }
    let last = 1 + (res - 2) * res;
    face.extend((0..res).map(|j| [last + j, last + (j + 1) % res, north]));
    source(vert, face)
}

/// Supertoroid with exponents `s` of the tube and `t` of the ring.
pub(super) fn supertorus(resolution: usize, radius: f64, s: f64, t: f64) -> MeshSource {
    let steps = resolution as f64;
    let angle = |i: usize| 2.0 * PI * i as f64 / steps;
    let mut vert = Vec::with_capacity(3 * resolution * resolution);
    let mut face = Vec::with_capacity(2 * resolution * resolution);
    let res = resolution as i32;
    for i in 0..resolution {
        let u = angle(i);
        for j in 0..resolution {
            let v = angle(j);
            let distance = 1.0 + radius * signed_power(v.cos(), s);
            vert.extend([
                (distance * signed_power(u.cos(), t)) as f32,
                (distance * signed_power(u.sin(), t)) as f32,
                (radius * signed_power(v.sin(), s)) as f32,
            ]);
            let (i, j) = (i as i32, j as i32);
            let at = |i: i32, j: i32| (i % res) * res + j % res;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            face.extend([[a, b, d], [b, c, d]]);
        }
    }
    source(vert, face)
}
