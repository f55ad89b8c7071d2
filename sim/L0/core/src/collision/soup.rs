//! The triangles of a mesh, with the tree of boxes around them.

use crate::Model;
use crate::math::rows;
use crate::math::vec3::Vec3;

/// Nodes that wait to be visited. Trees are balanced, so that their depth is a logarithm.
const STACK: usize = 128;

/// The triangles of one mesh, in its frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Soup<'a> {
    /// Vertices.
    pub vertices: &'a [[f32; 3]],
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub faces: &'a [[i32; 3]],
    /// Centre and half sizes of the box of each node.
    aabb: &'a [[f64; 6]],
    /// Two nodes below each node, or -1.
    child: &'a [[i32; 2]],
    /// The triangle of a leaf; -1 for other nodes.
    leaf: &'a [i32],
}

impl<'a> Soup<'a> {
    /// The triangles of a mesh; nothing if it has no tree.
    pub(crate) fn of(m: &'a Model, mesh: usize) -> Option<Self> {
        let number = |ids: &[i32]| usize::try_from(*ids.get(mesh)?).ok();
        let (vert, verts) = (number(&m.mesh_vertadr)?, number(&m.mesh_vertnum)?);
        let (face, faces) = (number(&m.mesh_faceadr)?, number(&m.mesh_facenum)?);
        let (node, nodes) = (number(&m.mesh_bvhadr)?, number(&m.mesh_bvhnum)?);
        Some(Self {
            vertices: m.mesh_vert.as_chunks().0.get(vert..)?.get(..verts)?,
            faces: m.mesh_face.as_chunks().0.get(face..)?.get(..faces)?,
            aabb: rows(&m.bvh_aabb).get(node..)?.get(..nodes)?,
            child: m.bvh_child.as_chunks().0.get(node..)?.get(..nodes)?,
            leaf: m.bvh_nodeid.get(node..)?.get(..nodes)?,
        })
    }

    /// The box around all triangles: centre and half sizes.
    pub(crate) fn bounds(&self) -> Option<[f64; 6]> {
        self.aabb.first().copied()
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, face: usize) -> [Vec3; 3] {
        let face = self.faces.get(face).copied().unwrap_or_default();
        face.map(|vertex| {
            let vertex = self.vertices.get(vertex as usize).copied().unwrap_or_default();
            vertex.map(f64::from)
        })
    }

    /// Visits the triangles whose boxes, and those above them, are let through.
    pub(crate) fn walk(
        &self,
        mut lets_through: impl FnMut(&[f64; 6]) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        let mut stack = [0_usize; STACK];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let node = stack[waiting];
            let (Some(aabb), Some(&leaf)) = (self.aabb.get(node), self.leaf.get(node)) else {
                continue;
            };
            if !lets_through(aabb) {
                continue;
            }
            if let Ok(face) = usize::try_from(leaf) {
                visit(face);
                continue;
            }
            for child in self.child[node] {
                // children come after their parent, so that a walk ends
                if let Ok(child) = usize::try_from(child)
                    && child > node
                    && waiting < STACK
                {
                    stack[waiting] = child;
                    waiting += 1;
                }
            }
        }
    }
}
