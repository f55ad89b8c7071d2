//! Meshes and height fields as indexed triangles with quantised vertices.

use crate::blob::Blob;
use crate::single;
use serde_json::{Value, json};
use sim_core::Model;
use std::collections::HashMap;

/// Cosine of the angle between a vertex normal and its face below which the face has its own, flat normal.
const SMOOTH_COSINE: f32 = 0.8;
/// Largest value of a quantised coordinate.
const LEVELS: f32 = 65535.0;

/// Indexed triangles.
#[derive(Default)]
struct Triangles {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    indices: Vec<u32>,
    /// Vertex of each combination of position, normal and texture coordinate.
    known: HashMap<[u32; 3], u32>,
}

impl Triangles {
    /// Adds a corner. `key` identifies its position, normal and texture coordinate.
    fn corner(
        &mut self,
        key: [u32; 3],
        position: [f32; 3],
        normal: [f32; 3],
        texcoord: Option<[f32; 2]>,
    ) {
        let next = self.positions.len() as u32;
        let index = *self.known.entry(key).or_insert(next);
        self.indices.push(index);
        if index == next {
            self.positions.push(position);
            self.normals.push(normal);
            self.texcoords.extend(texcoord);
        }
    }

    fn write(&self, blob: &mut Blob) -> Value {
        // normals with a resolution of 1/127 in each coordinate
        let byte = |x: f32| ((127.0 * x).round() as i8).cast_unsigned();
        let normals: Vec<u8> = self.normals.as_flattened().iter().map(|&x| byte(x)).collect();
        json!({
            "positions": quantized(blob, self.positions.as_flattened(), 3),
            "normals": blob.u8(&normals, 3),
            "texcoords": match self.texcoords.is_empty() {
                true => Value::Null,
                false => blob.f32(self.texcoords.as_flattened(), 2),
            },
            "indices": blob.u32(&self.indices, 3),
        })
    }
}

/// Writes rows of coordinates x, y, z with 16 bits each. The largest error of a coordinate is half of `scale`.
pub(crate) fn quantized(blob: &mut Blob, values: &[f32], width: usize) -> Value {
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for p in values.as_chunks::<3>().0 {
        for k in 0..3 {
            (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
        }
    }
    let scale = [0, 1, 2].map(|k| ((high[k] - low[k]) / LEVELS).max(f32::MIN_POSITIVE));
    let level = |(i, x): (usize, &f32)| ((x - low[i % 3]) / scale[i % 3]).round() as u16;
    let levels: Vec<u16> = values.iter().enumerate().map(level).collect();
    let mut array = blob.u16(&levels, width);
    array["offset"] = if values.is_empty() { json!([0, 0, 0]) } else { json!(low) };
    array["scale"] = json!(scale);
    array
}

/// Writes the triangles of mesh `id`. Without texture coordinates, vertex normals that deviate from the normal
/// of their face are replaced by it, as in the images of `sim-render`.
pub(crate) fn mesh(blob: &mut Blob, m: &Model, id: usize) -> Value {
    let address = |a: &[i32]| a[id] as usize;
    let (vert, normal) = (address(&m.mesh_vertadr), address(&m.mesh_normaladr));
    let texcoord = usize::try_from(m.mesh_texcoordadr[id]).ok();
    let (first, count) = (address(&m.mesh_faceadr), address(&m.mesh_facenum));
    let mut triangles = Triangles::default();
    for face in first..first + count {
        let corner = |array: &[i32], k: usize| array[3 * face + k] as usize;
        let position = [0, 1, 2].map(|k| point(&m.mesh_vert, vert + corner(&m.mesh_face, k)));
        let flat = triangle_normal(position);
        for k in 0..3 {
            let n = corner(&m.mesh_facenormal, k);
            let smooth = point(&m.mesh_normal, normal + n);
            let uv = texcoord.map(|adr| (adr, corner(&m.mesh_facetexcoord, k)));
            let own = uv.is_none() && dot(smooth, flat) < SMOOTH_COSINE;
            // flat normals are numbered after the smooth ones
            let n = if own { m.mesh_normalnum[id] as usize + face - first } else { n };
            let key = [corner(&m.mesh_face, k), n, uv.map_or(0, |(_, t)| t)].map(|i| i as u32);
            let uv = uv.map(|(adr, t)| [0, 1].map(|k| m.mesh_texcoord[2 * (adr + t) + k]));
            triangles.corner(key, position[k], if own { flat } else { smooth }, uv);
        }
    }
    triangles.write(blob)
}

/// Writes the surface, the sides and the bottom of height field `id`, with flat normals for the sides and the
/// bottom and smooth normals for the surface.
pub(crate) fn hfield(blob: &mut Blob, m: &Model, id: usize) -> Value {
    let (rows, cols) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let adr = m.hfield_adr[id] as usize;
    let data = &m.hfield_data[adr..adr + rows * cols];
    let size = [0, 1, 2, 3].map(|k| single(m.hfield_size[4 * id + k]));
    let scale = |i: usize, n: usize, half: f32| half * (2.0 * i as f32 / n as f32 - 1.0);
    let at = |r: usize, c: usize| {
        let z = data[r * cols + c] * size[2];
        [scale(c, cols - 1, size[0]), scale(r, rows - 1, size[1]), z]
    };
    let mut triangles = Triangles::default();
    let slope = |r: usize, c: usize| {
        let (left, right) = (at(r, c.saturating_sub(1)), at(r, (c + 1).min(cols - 1)));
        let (below, above) = (at(r.saturating_sub(1), c), at((r + 1).min(rows - 1), c));
        normalize(cross(sub(right, left), sub(above, below)))
    };
    for r in 0..rows - 1 {
        for c in 0..cols - 1 {
            for (r, c) in [(r, c), (r, c + 1), (r + 1, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)] {
                triangles.corner([(r * cols + c) as u32, 0, 0], at(r, c), slope(r, c), None);
            }
        }
    }
    // every wall vertex has its own key
    let mut serial = 0;
    let mut wall = |corners: [[f32; 3]; 4]| {
        let normal = triangle_normal([corners[0], corners[1], corners[2]]);
        for k in [0, 1, 2, 0, 2, 3] {
            serial += 1;
            triangles.corner([serial, 1, 0], corners[k], normal, None);
        }
    };
    let low = |p: [f32; 3]| [p[0], p[1], -size[3]];
    for c in 0..cols - 1 {
        let (a, b) = (at(0, c), at(0, c + 1));
        wall([low(a), low(b), b, a]);
        let (a, b) = (at(rows - 1, c + 1), at(rows - 1, c));
        wall([low(a), low(b), b, a]);
    }
    for r in 0..rows - 1 {
        let (a, b) = (at(r + 1, 0), at(r, 0));
        wall([low(a), low(b), b, a]);
        let (a, b) = (at(r, cols - 1), at(r + 1, cols - 1));
        wall([low(a), low(b), b, a]);
    }
    let corners = [at(0, 0), at(rows - 1, 0), at(rows - 1, cols - 1), at(0, cols - 1)];
    wall(corners.map(low));
    triangles.write(blob)
}

fn point(array: &[f32], index: usize) -> [f32; 3] {
    [array[3 * index], array[3 * index + 1], array[3 * index + 2]]
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The unit vector in the direction of `v`; the z axis for a vector shorter than 1e-10.
fn normalize(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    if length < 1e-10 { [0.0, 0.0, 1.0] } else { v.map(|x| x / length) }
}

fn triangle_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    normalize(cross(sub(b, a), sub(c, a)))
}
