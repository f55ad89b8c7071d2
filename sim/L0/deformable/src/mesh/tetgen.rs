//! Solids from TetGen's `.node` and `.ele` text.

use super::TetMesh;
use super::scan::Lines;
use crate::error::DeformableError;

impl TetMesh {
    /// Reads the text of a `.node` file and of its `.ele` file. Vertices are numbered from 0 or
    /// from 1, as the first one says. Attributes and markers are passed over, and of tetrahedra
    /// with 10 nodes the corners are read, which may leave vertices unused. The mesh is not checked
    /// yet: making a body does that.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn from_tetgen(node: &str, ele: &str) -> Result<Self, DeformableError> {
        let mut mesh = Self::default();
        let mut lines = Lines::new("TetGen .node", node);
        let mut head = lines.expect("the number of vertices")?;
        let count: usize = head.number("the number of vertices")?;
        let dimension: usize = head.number("the dimension")?;
        if dimension != 3 {
            return Err(head.wrong(format!("the dimension is {dimension}, but must be 3")));
        }
        let mut first = 0usize;
        for k in 0..count {
            let mut words = lines.expect(&format!("vertex {} of {count}", k + 1))?;
            let number: usize = words.number("the number of the vertex")?;
            if k == 0 {
                first = number;
            }
            if first > 1 || Some(number) != first.checked_add(k) {
                let expected = if k == 0 { "0 or 1".into() } else { (first + k).to_string() };
                return Err(words.wrong(format!("vertex {number} should be number {expected}")));
            }
            mesh.vertices.push(words.point()?);
        }

        let mut lines = Lines::new("TetGen .ele", ele);
        let mut head = lines.expect("the number of tetrahedra")?;
        let elements: usize = head.number("the number of tetrahedra")?;
        let nodes: usize = head.number("the number of nodes of a tetrahedron")?;
        if nodes != 4 && nodes != 10 {
            let message = format!("a tetrahedron has {nodes} nodes, but must have 4 or 10");
            return Err(head.wrong(message));
        }
        for k in 0..elements {
            let mut words = lines.expect(&format!("tetrahedron {} of {elements}", k + 1))?;
            let _: usize = words.number("the number of the tetrahedron")?;
            let mut at = [0; 4];
            for corner in &mut at {
                let number: usize = words.number("a vertex of the tetrahedron")?;
                let index = number.checked_sub(first).filter(|&i| i < count);
                let Some(index) = index.and_then(|i| u32::try_from(i).ok()) else {
                    return Err(words.wrong(format!("vertex {number} is not in the .node file")));
                };
                *corner = index;
            }
            mesh.tetrahedra.push(at);
        }
        Ok(mesh)
    }
}
