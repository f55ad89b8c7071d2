//! Scratch buffers of flexes.

use super::contact_column::ContactColumn;
use super::rest_edge::RestEdge;
use crate::data::heap_bytes;
use crate::math::vec3::Vec3;

/// Buffers of flex stages; they grow to the largest flex.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlexScratch {
    /// Positions of the nodes of a flex.
    pub nodes: Vec<Vec3>,
    /// Vertices of a flex, padded to four values.
    pub padded: Vec<[f64; 4]>,
    /// Velocities of the nodes of a flex.
    pub velocities: Vec<Vec3>,
    /// Spring forces on the vertices or nodes of a flex.
    pub spring: Vec<Vec3>,
    /// Damper forces on the vertices or nodes of a flex.
    pub damper: Vec<Vec3>,
    /// Change of the squared length of each edge of a flex.
    pub elongation: Vec<f64>,
    /// Edges around a vertex.
    pub rest_edges: Vec<RestEdge>,
    /// Columns of a row of a constraint.
    pub columns: Vec<i32>,
    /// Columns of the Jacobian of a contact.
    pub contact_columns: Vec<ContactColumn>,
}

impl FlexScratch {
    /// Allocated bytes.
    pub(crate) fn bytes(&self) -> usize {
        let vectors = [&self.nodes, &self.velocities, &self.spring, &self.damper];
        vectors.into_iter().map(heap_bytes).sum::<usize>()
            + heap_bytes(&self.elongation)
            + heap_bytes(&self.padded)
            + heap_bytes(&self.rest_edges)
            + heap_bytes(&self.columns)
    }
}
