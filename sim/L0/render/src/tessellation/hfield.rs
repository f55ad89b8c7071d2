//! Height fields: triangles with flat normals, four sides and a bottom.

use super::{Vertex, quad, triangle_normal};
use sim_core::Model;

/// Triangles of height field `id`, with `quads` by `quads` squares at the bottom.
pub(crate) fn hfield(m: &Model, id: usize, quads: usize) -> Vec<Vertex> {
    let (rows, cols) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let adr = m.hfield_adr[id] as usize;
    if rows < 2 || cols < 2 {
        return Vec::new();
    }
    let data = &m.hfield_data[adr..adr + rows * cols];
    let size = [0, 1, 2, 3].map(|k| m.hfield_size[4 * id + k] as f32);
    let scale = |i: usize, n: usize, half: f32| half * (i as f32 / (0.5 * n as f32) - 1.0);
    let x = |c: usize| scale(c, cols - 1, size[0]);
    let y = |r: usize| scale(r, rows - 1, size[1]);
    let z = |r: usize, c: usize| data[r * cols + c] * size[2];
    let bottom = -size[3];
    let mut out = Vec::new();

    for r in 0..rows - 1 {
        let point = |k: usize| {
            let (r, c) = (r + 1 - k % 2, k / 2);
            [x(c), y(r), z(r, c)]
        };
        for k in 0..2 * cols - 2 {
            let odd = k % 2;
            let [a, b, c] = [point(k), point(k + 1 + odd), point(k + 2 - odd)];
            let normal = triangle_normal(a, b, c);
            out.extend([a, b, c].map(|p| Vertex::new(p, normal)));
        }
    }

    let mut face = |normal: [f32; 3], corners: [[f32; 3]; 4]| {
        quad(&mut out, corners.map(|p| Vertex::new(p, normal)));
    };
    for r in 0..rows - 1 {
        let last = cols - 1;
        for (side, from, to, c) in [(-1.0, r + 1, r, 0), (1.0, r, r + 1, last)] {
            let at = |r: usize, z: f32| [side * size[0], y(r), z];
            let corners =
                [at(from, bottom), at(to, bottom), at(to, z(to, c)), at(from, z(from, c))];
            face([side, 0.0, 0.0], corners);
        }
    }
    for c in 0..cols - 1 {
        let last = rows - 1;
        for (side, from, to, r) in [(-1.0, c, c + 1, 0), (1.0, c + 1, c, last)] {
            let at = |c: usize, z: f32| [x(c), side * size[1], z];
            let corners =
                [at(from, bottom), at(to, bottom), at(to, z(r, to)), at(from, z(r, from))];
            face([0.0, side, 0.0], corners);
        }
    }
    for r in 0..quads {
        for c in 0..quads {
            let at =
                |c: usize, r: usize| [scale(c, quads, size[0]), scale(r, quads, size[1]), bottom];
            face([0.0, 0.0, -1.0], [at(c, r), at(c, r + 1), at(c + 1, r + 1), at(c + 1, r)]);
        }
    }
    out
}
