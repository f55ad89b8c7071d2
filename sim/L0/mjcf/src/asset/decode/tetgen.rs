//! TetGen `.node` and `.ele` files: tetrahedral meshes.

use super::lines::Lines;
use crate::asset::error::AssetError;
use sim_core::deformable::TetMesh;

/// Decodes a `.node` file and its `.ele` file. Vertices are numbered from 0 or 1, as the first one is.
/// Attributes and markers are ignored; of tetrahedra with 10 nodes only the vertices are read, which may leave
/// nodes unused. The mesh is not validated: `TetMesh::check` does that.
///
/// # Errors
///
/// A syntax error with its line.
pub fn decode_tetgen(node: &str, ele: &str) -> Result<TetMesh, AssetError> {
    let mut mesh = TetMesh::default();
    let mut lines = Lines::new("TetGen .node", node);
    let mut head = lines.expect("the number of vertices")?;
    let count: usize = head.number("the number of vertices")?;
    let dimension: usize = head.number("the dimension")?;
    if dimension != 3 {
        return Err(head.error(&format!("the dimension is {dimension}, but must be 3")));
    }
    let mut first = 0usize;
    for k in 0..count {
        let mut fields = lines.expect(&format!("vertex {} of {count}", k + 1))?;
        let number: usize = fields.number("the number of the vertex")?;
        if k == 0 {
            first = number;
        }
        if first > 1 || Some(number) != first.checked_add(k) {
            let expected = if k == 0 { "0 or 1".into() } else { (first + k).to_string() };
            return Err(fields.error(&format!("vertex {number} should be number {expected}")));
        }
        mesh.vertices.push(fields.point()?);
    }

    let mut lines = Lines::new("TetGen .ele", ele);
    let mut head = lines.expect("the number of tetrahedra")?;
    let elements: usize = head.number("the number of tetrahedra")?;
    let nodes: usize = head.number("the number of nodes of a tetrahedron")?;
    if nodes != 4 && nodes != 10 {
        let message = format!("a tetrahedron has {nodes} nodes, but must have 4 or 10");
        return Err(head.error(&message));
    }
    for k in 0..elements {
        let mut fields = lines.expect(&format!("tetrahedron {} of {elements}", k + 1))?;
        let _: usize = fields.number("the number of the tetrahedron")?;
        let mut at = [0; 4];
        for corner in &mut at {
            let number: usize = fields.number("a vertex of the tetrahedron")?;
            let index = number.checked_sub(first).filter(|&i| i < count);
            let Some(index) = index.and_then(|i| u32::try_from(i).ok()) else {
                return Err(fields.error(&format!("vertex {number} is not in the .node file")));
            };
            *corner = index;
        }
        mesh.tetrahedra.push(at);
    }
    Ok(mesh)
}
