//! Builtin sphere and hemisphere.

use super::source;
use crate::asset::mesh::MeshSource;
use std::collections::HashMap;

/// Icosphere: an icosahedron whose triangles are split in four `subdivisions` times.
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
        let mut midpoints = HashMap::new();
        let mut finer = Vec::with_capacity(4 * face.len());
        for [a, b, c] in face {
            let ab = midpoint(&mut vert, &mut midpoints, a, b);
            let bc = midpoint(&mut vert, &mut midpoints, b, c);
            let ca = midpoint(&mut vert, &mut midpoints, c, a);
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        face = finer;
    }
    source(vert, face)
}

/// The midpoint of an edge, projected to the unit sphere.
fn midpoint(vert: &mut Vec<f32>, midpoints: &mut HashMap<(i32, i32), i32>, a: i32, b: i32) -> i32 {
    *midpoints.entry((a.min(b), a.max(b))).or_insert_with(|| {
        let [x, y, z] =
            std::array::from_fn(|k| (vert[3 * a as usize + k] + vert[3 * b as usize + k]) / 2.0);
        let norm = (x * x + y * y + z * z).sqrt();
        vert.extend([x / norm, y / norm, z / norm]);
        (vert.len() / 3 - 1) as i32
    })
}

/// Upper half of a subdivided octahedron on the unit sphere, closed by a disc.
pub(super) fn hemisphere(resolution: usize) -> MeshSource {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let mut vert: Vec<f32> = vec![0.0, 0.0, 1.0];
    for row in 0..=resolution {
        let fraction = (row + 1) as f64 / (resolution + 1) as f64;
        for side in 0..4 {
            let toward = |corner: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|k| POLE[k] + fraction * (corner[k] - POLE[k]))
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
