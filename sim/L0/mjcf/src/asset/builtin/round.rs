//! Builtin spheres and tori.

use super::source;
use crate::asset::mesh::MeshSource;
use std::collections::HashMap;
use std::f64::consts::PI;

/// An icosahedron on the unit sphere, each triangle cut into four some times.
pub(super) fn sphere(subdivisions: usize) -> MeshSource {
    let phi = ((1.0 + 5.0_f64.sqrt()) / 2.0) as f32;
    let mut vert: Vec<f32> = Vec::with_capacity(36);
    // Three golden rectangles, each in a coordinate plane.
    for (axis, sign) in [(1, [1.0, -1.0]), (2, [1.0, -1.0])] {
        for far in sign {
            for near in [-1.0, 1.0] {
                let mut v = [0.0; 3];
                v[axis] = far * phi;
                v[axis - 1] = near;
                vert.extend(v);
            }
        }
    }
    for far in [1.0, -1.0] {
        for near in [-1.0, 1.0] {
            vert.extend([far * phi, 0.0, near]);
        }
    }
    let norm = f64::from(1.0 + phi * phi).sqrt();
    for x in &mut vert {
        *x = (f64::from(*x) / norm) as f32;
    }
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let mut middles = HashMap::new();
        let mut finer = Vec::with_capacity(4 * face.len());
        for [a, b, c] in face {
            let ab = middle(&mut vert, &mut middles, a, b);
            let bc = middle(&mut vert, &mut middles, b, c);
            let ca = middle(&mut vert, &mut middles, c, a);
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        face = finer;
    }
    source(vert, face)
}

/// The vertex between two others, moved to the sphere.
fn middle(vert: &mut Vec<f32>, middles: &mut HashMap<(i32, i32), i32>, a: i32, b: i32) -> i32 {
    *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
        let [x, y, z] =
            std::array::from_fn(|k| (vert[3 * a as usize + k] + vert[3 * b as usize + k]) / 2.0);
        let norm = (x * x + y * y + z * z).sqrt();
        vert.extend([x / norm, y / norm, z / norm]);
        (vert.len() / 3 - 1) as i32
    })
}

/// Half an octahedron on the unit sphere, with `resolution` more rows, and a disc below.
pub(super) fn hemisphere(resolution: usize) -> MeshSource {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let mut vert: Vec<f32> = vec![0.0, 0.0, 1.0];
    for row in 0..=resolution {
        let share = (row + 1) as f64 / (resolution + 1) as f64;
        for side in 0..4 {
            let toward = |corner: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|k| POLE[k] + share * (corner[k] - POLE[k]))
            };
            let (start, end) = (toward(EQUATOR[side]), toward(EQUATOR[(side + 1) % 4]));
            for i in 0..=row {
                let p: [f64; 3] = std::array::from_fn(|k| {
                    start[k] + i as f64 * ((end[k] - start[k]) / (row + 1) as f64)
                });
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.extend(p.map(|x| (x / norm) as f32));
            }
        }
    }
    vert.extend([0.0; 3]);
    let bottom = (vert.len() / 3 - 1) as i32;

    let mut face = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..resolution as i32 {
        // Rings of 4, 8, 12, … vertices.
        let start = 2 * row * (row + 1) + 1;
        let count = 4 * (row + 1);
        let (next_start, next_count) = (start + count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let at = i + (row + 1) * side;
                let next = i + (row + 2) * side;
                let here = start + at % count;
                let after = next_start + (next + 1) % next_count;
                face.push([here, next_start + next % next_count, after]);
                if i < row + 1 {
                    face.push([here, after, start + (at + 1) % count]);
                }
            }
        }
    }
    let res = resolution as i32;
    let (start, count) = (2 * res * (res + 1) + 1, 4 * (res + 1));
    face.extend((0..count).map(|i| [start + i, bottom, start + (i + 1) % count]));
    source(vert, face)
}

/// sign(x) |x|ⁿ.
fn signed_power(x: f64, n: f64) -> f64 {
    x.abs().powf(n).copysign(x)
}

/// Rings between two poles, with exponents `e` around and `n` along.
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

/// A ring of rings, with exponents `s` of the tube and `t` of the ring.
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
            let reach = 1.0 + radius * signed_power(v.cos(), s);
            vert.extend([
                (reach * signed_power(u.cos(), t)) as f32,
                (reach * signed_power(u.sin(), t)) as f32,
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
