//! Triangle and tetrahedral meshes from which bodies are built.

mod primitives;
mod topology;
mod validate;

pub(crate) use topology::{Edge, edges_of_tetrahedra, edges_of_triangles};

use crate::error::DeformableError;
use nalgebra::Vector3;

/// Maximum number of vertices or elements of a generated mesh.
pub(crate) const MAX_ELEMENTS: usize = 1 << 28;

/// A triangle mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertices, m.
    pub vertices: Vec<Vector3<f64>>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A tetrahedral mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TetMesh {
    /// Vertices, m.
    pub vertices: Vec<Vector3<f64>>,
    /// Vertices of each tetrahedron: the first three counter-clockwise seen from the fourth.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl SurfaceMesh {
    /// Checks that a body can be built: finite and distinct vertices, all used; triangles of
    /// positive area; at most two triangles per edge; one connected component.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self) -> Result<(), DeformableError> {
        validate::vertices(&self.vertices)?;
        validate::elements("triangle", &self.triangles, self.vertices.len())?;
        validate::areas(self)?;
        validate::manifold(self)?;
        validate::connected("triangle", &self.triangles, self.vertices.len())
    }

    /// Area of a triangle, m².
    pub(crate) fn area(&self, t: usize) -> f64 {
        let [a, b, c] = self.triangles[t].map(|i| self.vertices[i as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    }
}

impl TetMesh {
    /// Checks that a body can be built: finite and distinct vertices, all used; tetrahedra of
    /// positive volume; one connected component.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self) -> Result<(), DeformableError> {
        validate::vertices(&self.vertices)?;
        validate::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        validate::volumes(self)?;
        validate::connected("tetrahedron", &self.tetrahedra, self.vertices.len())
    }

    /// Reorients every inverted tetrahedron and returns their number. Invalid indices are ignored
    /// here; [`check`](Self::check) reports them.
    pub fn orient(&mut self) -> usize {
        let mut turned = 0;
        for t in &mut self.tetrahedra {
            if t.iter().all(|&i| (i as usize) < self.vertices.len())
                && validate::volume(&self.vertices, *t) < 0.0
            {
                t.swap(2, 3);
                turned += 1;
            }
        }
        turned
    }

    /// Boundary surface: the triangles of only one tetrahedron with their vertices, and the index
    /// of each of these vertices in the solid.
    ///
    /// # Errors
    /// Vertex indices out of range.
    pub fn surface(&self) -> Result<(SurfaceMesh, Vec<u32>), DeformableError> {
        validate::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        Ok(topology::boundary(self))
    }

    /// Total volume, m³; inverted tetrahedra count negative.
    ///
    /// # Errors
    /// Vertex indices out of range.
    pub fn volume(&self) -> Result<f64, DeformableError> {
        validate::elements("tetrahedron", &self.tetrahedra, self.vertices.len())?;
        Ok(self.tetrahedra.iter().map(|&t| validate::volume(&self.vertices, t)).sum())
    }
}
