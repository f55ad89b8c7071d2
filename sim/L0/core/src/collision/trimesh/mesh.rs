//! The triangles of a mesh with their bounding volume hierarchy.

use crate::math::vec3::Vec3;

/// Capacity of the traversal stack. Hierarchies are balanced, so their depth is logarithmic.
const STACK: usize = 128;

/// The triangles of one mesh, in the mesh frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriMesh<'a> {
    /// Vertices.
    pub vertices: &'a [[f32; 3]],
    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    pub faces: &'a [[i32; 3]],
    /// Centre and half-extents of each node's box.
    pub(in crate::collision) aabb: &'a [[f64; 6]],
    /// Children of each node, or -1.
    pub(in crate::collision) child: &'a [[i32; 2]],
    /// Triangle of a leaf; -1 for inner nodes.
    pub(in crate::collision) leaf: &'a [i32],
}

impl TriMesh<'_> {
    /// Bounding box of all triangles: centre and half-extents.
    pub(crate) fn aabb(&self) -> Option<[f64; 6]> {
        self.aabb.first().copied()
    }

    /// Vertices of a triangle.
    pub(crate) fn corners(&self, face: usize) -> [Vec3; 3] {
        let face = self.faces.get(face).copied().unwrap_or_default();
        face.map(|vertex| {
            let vertex = self.vertices.get(vertex as usize).copied().unwrap_or_default();
            vertex.map(f64::from)
        })
    }

    /// Visits the triangles whose boxes, and those of all their ancestors, pass a test.
    pub(crate) fn traverse(
        &self,
        mut overlaps: impl FnMut(&[f64; 6]) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        let mut stack = [0_usize; STACK];
        let mut len = 1;
        while len > 0 {
            len -= 1;
            let node = stack[len];
            let (Some(aabb), Some(&leaf)) = (self.aabb.get(node), self.leaf.get(node)) else {
                continue;
            };
            if !overlaps(aabb) {
                continue;
            }
            if let Ok(face) = usize::try_from(leaf) {
                visit(face);
                continue;
            }
            for child in self.child[node] {
                // children have higher indices than their parent, so that malformed trees terminate
                if let Ok(child) = usize::try_from(child)
                    && child > node
                    && len < STACK
                {
                    stack[len] = child;
                    len += 1;
                }
            }
        }
    }
}
