//! Meshes that bodies are made of: surfaces of triangles, solids of tetrahedra.

mod check;
mod gmsh;
mod obj;
mod scan;
mod shape;
mod tetgen;
mod topology;

pub(crate) use topology::{Edge, edges_of_tetrahedra, edges_of_triangles};

use crate::error::DeformableError;
use nalgebra::Vector3;

/// Most vertices or elements of a mesh that a builder makes.
pub(crate) const MOST_ELEMENTS: usize = 1 << 28;

/// A surface of triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Corners, in m.
    pub vertices: Vec<Vector3<f64>>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A solid of tetrahedra.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TetMesh {
    /// Corners, in m.
    pub vertices: Vec<Vector3<f64>>,
    /// Vertices of each tetrahedron: the first three counter-clockwise seen from the fourth.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl SurfaceMesh {
    /// `Ok` if a body can be made of it: finite and different vertices, all used; triangles with an
    /// area; at most two at an edge; one part.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), DeformableError> {
        check::vertices(&self.vertices)?;
        check::elements("triangle", &self.triangles, self.vertices.len())?;
        check::areas(self)?;
        check::manifold(self)?;
        check::connected("triangle", &self.triangles, self.vertices.len())
    }

    /// Area of a triangle.
    pub(crate) fn area(&self, t: usize) -> f64 {
        let [a, b, c] = self.triangles[t].map(|i| self.vertices[i as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    }
}

impl TetMesh {
    /// `Ok` if a body can be made of it: finite and different vertices, all used; tetrahedra with a
    /// positive volume; one part.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), DeformableError> {
        check::vertices(&self.vertices)?;
        check::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        check::volumes(self)?;
        check::connected("tetrahedron", &self.tetrahedra, self.vertices.len())
    }

    /// Turns every inverted tetrahedron round; returns how many there were. Indices past the last
    /// vertex are left to [`check`](Self::check).
    pub fn orient(&mut self) -> usize {
        let mut turned = 0;
        for t in &mut self.tetrahedra {
            if t.iter().all(|&i| (i as usize) < self.vertices.len())
                && check::volume(&self.vertices, *t) < 0.0
            {
                t.swap(2, 3);
                turned += 1;
            }
        }
        turned
    }

    /// The triangles that only one tetrahedron has, with the vertices they use, and the number of
    /// each of these vertices in the solid.
    ///
    /// # Errors
    /// Indices past the last vertex.
    pub fn surface(&self) -> Result<(SurfaceMesh, Vec<u32>), DeformableError> {
        check::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        Ok(topology::boundary(self))
    }

    /// Volume of all tetrahedra, inverted ones counted negative.
    ///
    /// # Errors
    /// Indices past the last vertex.
    pub fn volume(&self) -> Result<f64, DeformableError> {
        check::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        Ok(self.tetrahedra.iter().map(|&t| check::volume(&self.vertices, t)).sum())
    }
}
