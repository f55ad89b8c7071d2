//! Vertices and triangle indices of many shapes in two shared arrays.

use crate::tessellation::Vertex;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most vertices and indices: what buffers of 2 GiB hold.
const MAX_VERTICES: usize = (2 << 30) / size_of::<Vertex>();
const MAX_INDICES: usize = (2 << 30) / size_of::<u32>();

/// Triangles of a shape in the shared arrays, and a sphere that encloses them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    pub first_index: u32,
    pub index_count: u32,
    /// Vertex that index 0 refers to.
    pub base_vertex: i32,
    /// Bounding sphere in the frame of the object.
    pub center: [f32; 3],
    pub radius: f32,
    /// Whether the shape is part of the arrays that are written for each image.
    pub dynamic: bool,
}

/// Vertices and indices of all shapes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshBuffer {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
}

impl MeshBuffer {
    /// Adds triangles with three vertices each. Equal vertices are stored once; the order of triangles and of
    /// the vertices of a triangle is kept. Returns an empty shape if the arrays are full.
    pub(crate) fn add_triangles(&mut self, corners: &[Vertex]) -> Shape {
        if self.vertices.len() + corners.len() > MAX_VERTICES
            || self.indices.len() + corners.len() > MAX_INDICES
        {
            return Shape::default();
        }
        let (base, first) = (self.vertices.len(), self.indices.len());
        let mut known: HashMap<[u32; 8], u32, BuildHasherDefault<BitHasher>> =
            HashMap::with_capacity_and_hasher(corners.len() / 4, BuildHasherDefault::default());
        for vertex in corners {
            let next = (self.vertices.len() - base) as u32;
            let index = *known.entry(bytemuck::cast(*vertex)).or_insert(next);
            if index == next {
                self.vertices.push(*vertex);
            }
            self.indices.push(index);
        }
        self.shape(base, first)
    }

    /// Adds vertices and triangles, and marks the shape as dynamic. Triangles with vertices that do not exist
    /// are left out.
    pub(crate) fn add_indexed(
        &mut self,
        vertices: impl Iterator<Item = Vertex>,
        triangles: impl Iterator<Item = [u32; 3]>,
    ) -> Shape {
        let (base, first) = (self.vertices.len(), self.indices.len());
        self.vertices.extend(vertices);
        let count = (self.vertices.len() - base) as u32;
        let valid = triangles.filter(|triangle| triangle.iter().all(|&index| index < count));
        self.indices.extend(valid.flatten());
        Shape { dynamic: true, ..self.shape(base, first) }
    }

    /// The shape of everything after the vertex `base` and the index `first`.
    fn shape(&self, base: usize, first: usize) -> Shape {
        let (center, radius) = bounding_sphere(&self.vertices[base..]);
        Shape {
            first_index: first as u32,
            index_count: (self.indices.len() - first) as u32,
            base_vertex: base as i32,
            center,
            radius,
            dynamic: false,
        }
    }
}

/// Sphere around the centre of the bounding box.
fn bounding_sphere(vertices: &[Vertex]) -> ([f32; 3], f32) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for vertex in vertices {
        for k in 0..3 {
            low[k] = low[k].min(vertex.position[k]);
            high[k] = high[k].max(vertex.position[k]);
        }
    }
    let center = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
    let squared = vertices.iter().map(|vertex| {
        let d = crate::tessellation::sub(vertex.position, center);
        crate::tessellation::dot(d, d)
    });
    (center, squared.fold(0.0, f32::max).sqrt())
}

/// Hash of the bits of a vertex: xor and multiplication, word by word.
#[derive(Default)]
struct BitHasher(u64);

impl Hasher for BitHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..word.len()].copy_from_slice(word);
            self.write_u64(u64::from_ne_bytes(padded));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::{MeshBuffer, Vertex};
    use crate::tessellation::Builtin;

    #[test]
    fn equal_vertices_are_stored_once_and_triangles_are_kept() {
        let corners = Builtin::Sphere.vertices(28, 16, 4);
        let mut meshes = MeshBuffer::default();
        meshes.add_triangles(&Builtin::Box.vertices(4, 4, 4));
        let shape = meshes.add_triangles(&corners);
        assert_eq!(shape.index_count as usize, corners.len());
        let stored = meshes.vertices.len() - shape.base_vertex as usize;
        assert!(stored * 4 < corners.len(), "{stored} of {}", corners.len());
        let first = shape.first_index as usize;
        for (index, corner) in meshes.indices[first..].iter().zip(&corners) {
            assert_eq!(meshes.vertices[(shape.base_vertex as u32 + index) as usize], *corner);
        }
        assert!((shape.radius - 1.0).abs() < 1e-5);
    }

    #[test]
    fn triangles_with_missing_vertices_are_left_out() {
        let mut meshes = MeshBuffer::default();
        let vertices = [Vertex::default(); 3];
        let shape = meshes.add_indexed(vertices.into_iter(), [[0, 1, 2], [0, 1, 3]].into_iter());
        assert_eq!((shape.index_count, shape.dynamic), (3, true));
    }
}
