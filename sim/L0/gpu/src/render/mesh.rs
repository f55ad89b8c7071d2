//! Triangles of meshes and height fields in bounding volume hierarchies.

use bytemuck::{Pod, Zeroable};
use sim_core::Model;

/// A node of a hierarchy; the struct `Node` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    low: [f32; 3],
    /// Second child of an inner node, first triangle of a leaf.
    second: u32,
    high: [f32; 3],
    /// Triangles of a leaf; zero for an inner node.
    count: u32,
}

/// A triangle with normals and texture coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Triangle {
    pub position: [[f32; 3]; 3],
    pub normal: [[f32; 3]; 3],
    pub uv: [[f32; 2]; 3],
}

/// Hierarchies of all shapes, one after another.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    pub nodes: Vec<Node>,
    /// Six vectors of each triangle: a corner and two edges, then the normals, whose fourth components are texture
    /// coordinates as two 16-bit floats.
    pub triangles: Vec<[f32; 4]>,
    /// Depth of the deepest hierarchy.
    pub depth: usize,
}

/// A shape in [`Meshes`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshShape {
    pub root: u32,
    /// Center of the bounds, to which the triangles are relative.
    pub center: [f32; 3],
    /// Bounds relative to the center.
    pub low: [f32; 3],
    pub high: [f32; 3],
    /// Texture coordinates per metre: square root of the ratio of areas.
    pub uv_density: f32,
}

/// Most triangles of a leaf.
const LEAF: usize = 4;

impl Meshes {
    /// Adds a shape; `None` without triangles.
    pub(crate) fn add(&mut self, mut triangles: Vec<Triangle>) -> Option<MeshShape> {
        if triangles.is_empty() {
            return None;
        }
        let root = self.nodes.len() as u32;
        let (low, high) = bounds(&triangles);
        let center = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
        for point in triangles.iter_mut().flat_map(|triangle| &mut triangle.position) {
            *point = [0, 1, 2].map(|k| point[k] - center[k]);
        }
        let [low, high] = [low, high].map(|p| [0, 1, 2].map(|k| p[k] - center[k]));
        let uv_density = uv_density(&triangles);
        self.split(&mut triangles, 1);
        Some(MeshShape { root, center, low, high, uv_density })
    }

    /// Appends the hierarchy of triangles, which are reordered.
    fn split(&mut self, triangles: &mut [Triangle], depth: usize) {
        self.depth = self.depth.max(depth);
        let (low, high) = bounds(triangles);
        let node = self.nodes.len();
        let first = (self.triangles.len() / 6) as u32;
        self.nodes.push(Node { low, second: first, high, count: triangles.len() as u32 });
        if triangles.len() <= LEAF {
            triangles.iter().for_each(|triangle| self.push(triangle));
            return;
        }
        let middle = partition(triangles);
        let (left, right) = triangles.split_at_mut(middle);
        self.split(left, depth + 1);
        let second = self.nodes.len() as u32;
        self.split(right, depth + 1);
        (self.nodes[node].second, self.nodes[node].count) = (second, 0);
    }

    fn push(&mut self, triangle: &Triangle) {
        let [a, b, c] = triangle.position;
        let sub = |p: [f32; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
        for v in [a, sub(b), sub(c)] {
            self.triangles.push([v[0], v[1], v[2], 0.0]);
        }
        for (n, uv) in triangle.normal.iter().zip(&triangle.uv) {
            let [u, v] = uv.map(|x| u32::from(half(x)));
            self.triangles.push([n[0], n[1], n[2], f32::from_bits(u | v << 16)]);
        }
    }
}

fn center(triangle: &Triangle, axis: usize) -> f32 {
    triangle.position.iter().map(|p| p[axis]).sum::<f32>() / 3.0
}

/// Lowest and highest coordinates.
type Bounds = ([f32; 3], [f32; 3]);

fn bounds(triangles: &[Triangle]) -> Bounds {
    let points = triangles.iter().flat_map(|t| t.position);
    points.fold(([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]), |(low, high), p| {
        ([0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k])))
    })
}

/// Half the surface of bounds.
fn area((low, high): Bounds) -> f32 {
    let [x, y, z] = [0, 1, 2].map(|k| (high[k] - low[k]).max(0.0));
    x * y + y * z + z * x
}

/// Reorders triangles into two groups with a small sum of area times number, and returns the size of the first: binned
/// surface area heuristic.
fn partition(triangles: &mut [Triangle]) -> usize {
    const BINS: usize = 16;
    let mut best: Option<(f32, usize, f32)> = None;
    for axis in 0..3 {
        let centers = triangles.iter().map(|t| center(t, axis));
        let (low, high) = centers
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), c| (low.min(c), high.max(c)));
        if high <= low {
            continue;
        }
        let mut bins: [Vec<Triangle>; BINS] = Default::default();
        for triangle in triangles.iter() {
            let k = (BINS as f32 * (center(triangle, axis) - low) / (high - low)) as usize;
            bins[k.min(BINS - 1)].push(*triangle);
        }
        let boxes: Vec<_> = bins.iter().map(|bin| (bounds(bin), bin.len())).collect();
        let merged = |part: &[(Bounds, usize)]| {
            let empty = (([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]), 0);
            part.iter().fold(empty, |((low, high), n), ((l, h), count)| {
                let low = [0, 1, 2].map(|k| low[k].min(l[k]));
                ((low, [0, 1, 2].map(|k| high[k].max(h[k]))), n + count)
            })
        };
        for k in 1..BINS {
            let (left, right) = (merged(&boxes[..k]), merged(&boxes[k..]));
            if left.1 == 0 || right.1 == 0 {
                continue;
            }
            let cost = area(left.0) * left.1 as f32 + area(right.0) * right.1 as f32;
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, low + (high - low) * k as f32 / BINS as f32));
            }
        }
    }
    let middle = triangles.len() / 2;
    let Some((_, axis, at)) = best else { return middle };
    triangles.sort_by(|a, b| center(a, axis).total_cmp(&center(b, axis)));
    let split = triangles.partition_point(|t| center(t, axis) < at);
    if split == 0 || split == triangles.len() { middle } else { split }
}

fn uv_density(triangles: &[Triangle]) -> f32 {
    let (mut texture, mut surface) = (0.0, 0.0);
    for Triangle { position: [a, b, c], uv: [s, t, u], .. } in triangles {
        texture += ((t[0] - s[0]) * (u[1] - s[1]) - (t[1] - s[1]) * (u[0] - s[0])).abs();
        let [e, f] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
        let n = cross(e, f);
        surface += n.iter().map(|x| x * x).sum::<f32>().sqrt();
    }
    if surface > 0.0 { (texture / surface).sqrt() } else { 0.0 }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn flat_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let [e, f] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    let n = cross(e, f);
    let length = n.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] }
}

/// Cosine of the angle between a vertex normal and its face above which the face has its own, flat normal.
const SMOOTH_COSINE: f32 = 0.8;

/// Triangles of a mesh.
pub(crate) fn mesh_triangles(m: &Model, id: usize) -> Vec<Triangle> {
    let address = |a: &[i32]| a[id] as usize;
    let (vert, normal) = (address(&m.mesh_vertadr), address(&m.mesh_normaladr));
    let texcoord = usize::try_from(m.mesh_texcoordadr[id]).ok();
    let (first, count) = (address(&m.mesh_faceadr), address(&m.mesh_facenum));
    let point = |array: &[f32], i: usize| [array[3 * i], array[3 * i + 1], array[3 * i + 2]];
    let triangle = |face: usize| {
        let corner = |array: &[i32], k: usize| array[3 * face + k] as usize;
        let position = [0, 1, 2].map(|k| point(&m.mesh_vert, vert + corner(&m.mesh_face, k)));
        let flat = flat_normal(position);
        let smooth =
            [0, 1, 2].map(|k| point(&m.mesh_normal, normal + corner(&m.mesh_facenormal, k)));
        match texcoord {
            Some(adr) => {
                let uv = [0, 1, 2].map(|k| {
                    let t = 2 * (adr + corner(&m.mesh_facetexcoord, k));
                    [m.mesh_texcoord[t], m.mesh_texcoord[t + 1]]
                });
                Triangle { position, normal: smooth, uv }
            }
            None => {
                let choose = |n: [f32; 3]| {
                    let cosine: f32 = n.iter().zip(flat).map(|(a, b)| a * b).sum();
                    if cosine < SMOOTH_COSINE { flat } else { n }
                };
                Triangle { position, normal: smooth.map(choose), uv: [[0.0; 2]; 3] }
            }
        }
    };
    (first..first + count).map(triangle).collect()
}

/// Triangles of the convex hull of a mesh; none if it has no hull.
pub(crate) fn hull_triangles(m: &Model, id: usize) -> Vec<Triangle> {
    let Ok(graph) = usize::try_from(m.mesh_graphadr[id]) else { return Vec::new() };
    let vert = m.mesh_vertadr[id] as usize;
    let count = |k: usize| m.mesh_graph[graph + k] as usize;
    // vertex addresses, vertex ids, edges, faces
    let start = graph + 2 + 3 * count(0) + 3 * count(1);
    let faces = m.mesh_graph[start..start + 3 * count(1)].as_chunks::<3>().0;
    let corner = |v: i32| {
        let i = 3 * (vert + v as usize);
        [m.mesh_vert[i], m.mesh_vert[i + 1], m.mesh_vert[i + 2]]
    };
    let triangle = |face: &[i32; 3]| {
        let position = face.map(corner);
        Triangle { position, normal: [flat_normal(position); 3], uv: [[0.0; 2]; 3] }
    };
    faces.iter().map(triangle).collect()
}

/// Triangles of a height field: its surface, sides and bottom.
pub(crate) fn hfield_triangles(m: &Model, id: usize) -> Vec<Triangle> {
    let (rows, cols) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let adr = m.hfield_adr[id] as usize;
    if rows < 2 || cols < 2 {
        return Vec::new();
    }
    let size = [0, 1, 2, 3].map(|k| m.hfield_size[4 * id + k] as f32);
    let at = |r: usize, c: usize| {
        let along = |i: usize, n: usize, half: f32| half * (2.0 * i as f32 / (n - 1) as f32 - 1.0);
        let z = m.hfield_data[adr + r * cols + c] * size[2];
        [along(c, cols, size[0]), along(r, rows, size[1]), z]
    };
    let low = |[x, y, _]: [f32; 3]| [x, y, -size[3]];
    let mut out = Vec::new();
    let mut add = |position: [[f32; 3]; 3]| {
        let normal = [flat_normal(position); 3];
        out.push(Triangle { position, normal, uv: [[0.0; 2]; 3] });
    };
    for r in 0..rows - 1 {
        for c in 0..cols - 1 {
            let (a, b, d, e) = (at(r + 1, c), at(r, c), at(r + 1, c + 1), at(r, c + 1));
            add([a, b, d]);
            add([b, e, d]);
        }
    }
    // sides, counterclockwise seen from outside
    let mut side = |a: [f32; 3], b: [f32; 3]| {
        add([low(a), low(b), b]);
        add([low(a), b, a]);
    };
    for r in 0..rows - 1 {
        side(at(r + 1, 0), at(r, 0));
        side(at(r, cols - 1), at(r + 1, cols - 1));
    }
    for c in 0..cols - 1 {
        side(at(0, c), at(0, c + 1));
        side(at(rows - 1, c + 1), at(rows - 1, c));
    }
    let [a, b, c, d] =
        [at(0, 0), at(0, cols - 1), at(rows - 1, cols - 1), at(rows - 1, 0)].map(low);
    add([a, c, b]);
    add([a, d, c]);
    out
}

/// The nearest 16-bit float; tiny numbers become zero.
fn half(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    match exponent {
        ..=0 => sign,
        31.. => sign | 0x7bff,
        _ => {
            let rounded = (exponent as u32) << 10 | (bits >> 13 & 0x3ff);
            sign | (rounded + (bits >> 12 & 1)).min(0x7bff) as u16
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAF, Meshes, Triangle, half};

    #[test]
    fn halves_are_rounded() {
        let cases = [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (0.5, 0x3800), (1e9, 0x7bff)];
        for (x, bits) in cases {
            assert_eq!(half(x), bits, "{x}");
        }
        assert_eq!(half(1.0 + 1.0 / 1024.0), 0x3c01);
        assert_eq!(half(f32::from_bits(0x3fff_ffff)), 0x4000, "a carry into the exponent");
    }

    #[test]
    fn leaves_hold_all_triangles() {
        let triangle = |i: usize| {
            let x = (i * 37 % 101) as f32;
            Triangle {
                position: [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, i as f32]],
                ..Triangle::default()
            }
        };
        let mut meshes = Meshes::default();
        let shape = meshes.add((0..100).map(triangle).collect()).expect("triangles");
        assert_eq!((shape.root, shape.center[0]), (0, 50.5));
        assert_eq!((shape.low[0], shape.high[0]), (-50.5, 50.5));
        let leaves: Vec<_> = meshes.nodes.iter().filter(|node| node.count > 0).collect();
        assert_eq!(leaves.iter().map(|node| node.count).sum::<u32>(), 100);
        assert!(leaves.iter().all(|node| node.count as usize <= LEAF));
        assert!(meshes.depth < 20, "{}", meshes.depth);
    }
}
