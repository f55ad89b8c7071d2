//! Gmsh 2.2 ASCII: tetrahedral meshes.

use super::lines::{Lines, syntax};
use crate::asset::error::AssetError;
use sim_core::deformable::TetMesh;
use std::collections::HashMap;

const FORMAT: &str = "Gmsh";
/// Gmsh element type of a tetrahedron with four nodes.
const TETRAHEDRON: u32 = 4;

/// Decodes the tetrahedra of a Gmsh 2.2 ASCII file. Other elements and unused nodes are ignored. The mesh is
/// not validated: `TetMesh::check` does that.
///
/// # Errors
///
/// A syntax error with its line.
pub fn decode_gmsh(text: &str) -> Result<TetMesh, AssetError> {
    let mut lines = Lines::new(FORMAT, text);
    let mut nodes = HashMap::new();
    let mut elements = Vec::new();
    let mut known = false;
    while let Some(mut fields) = lines.next() {
        let section = fields.text().unwrap_or("");
        if !known && section != "$MeshFormat" {
            return Err(fields.error(&format!("`{section}` should be `$MeshFormat`")));
        }
        match section {
            "$MeshFormat" => {
                format(&mut lines)?;
                known = true;
            }
            "$Nodes" => read_nodes(&mut lines, &mut nodes)?,
            "$Elements" => read_elements(&mut lines, &mut elements)?,
            _ if section.starts_with('$') => skip(&mut lines, section)?,
            _ => return Err(fields.error(&format!("`{section}` should begin a section"))),
        }
    }
    assemble(&nodes, &elements)
}

fn format(lines: &mut Lines<'_>) -> Result<(), AssetError> {
    let mut fields = lines.expect("the version")?;
    let version = fields.text().unwrap_or("").to_owned();
    let kind: u32 = fields.number("the kind of file")?;
    if version != "2.2" || kind != 0 {
        let message =
            format!("version {version}, kind {kind}: save as version 2.2, ASCII (2.2 0 8)");
        return Err(fields.error(&message));
    }
    end(lines, "$EndMeshFormat")
}

fn end(lines: &mut Lines<'_>, name: &str) -> Result<(), AssetError> {
    let mut fields = lines.expect(name)?;
    match fields.text() {
        Some(word) if word == name => Ok(()),
        word => Err(fields.error(&format!("`{}` should be `{name}`", word.unwrap_or("")))),
    }
}

fn skip(lines: &mut Lines<'_>, section: &str) -> Result<(), AssetError> {
    let name = format!("$End{}", &section[1..]);
    loop {
        if lines.expect(&name)?.text() == Some(name.as_str()) {
            return Ok(());
        }
    }
}

fn read_nodes(
    lines: &mut Lines<'_>,
    nodes: &mut HashMap<u64, nalgebra::Vector3<f64>>,
) -> Result<(), AssetError> {
    let count: usize = lines.expect("the number of nodes")?.number("the number of nodes")?;
    for k in 0..count {
        let mut fields = lines.expect(&format!("node {} of {count}", k + 1))?;
        let number = fields.number("the number of the node")?;
        if nodes.insert(number, fields.point()?).is_some() {
            return Err(fields.error(&format!("there is a node {number} already")));
        }
    }
    end(lines, "$EndNodes")
}

fn read_elements(
    lines: &mut Lines<'_>,
    elements: &mut Vec<(usize, [u64; 4])>,
) -> Result<(), AssetError> {
    let count: usize = lines.expect("the number of elements")?.number("the number of elements")?;
    for k in 0..count {
        let mut fields = lines.expect(&format!("element {} of {count}", k + 1))?;
        let _: u64 = fields.number("the number of the element")?;
        let kind: u32 = fields.number("the kind of the element")?;
        if kind != TETRAHEDRON {
            continue;
        }
        let tags: usize = fields.number("the number of tags")?;
        for _ in 0..tags {
            let _: i64 = fields.number("a tag")?;
        }
        let mut at = [0; 4];
        for corner in &mut at {
            *corner = fields.number("a node of the tetrahedron")?;
        }
        elements.push((fields.line, at));
    }
    end(lines, "$EndElements")
}

/// Assigns vertex indices to the nodes of tetrahedra, in the order of their numbers in the file.
fn assemble(
    nodes: &HashMap<u64, nalgebra::Vector3<f64>>,
    elements: &[(usize, [u64; 4])],
) -> Result<TetMesh, AssetError> {
    let mut used: Vec<u64> = elements.iter().flat_map(|(_, at)| *at).collect();
    used.sort_unstable();
    used.dedup();
    let mut mesh = TetMesh::default();
    for &(line, at) in elements {
        let mut corners = [0; 4];
        for (corner, number) in corners.iter_mut().zip(at) {
            if !nodes.contains_key(&number) {
                return Err(syntax(FORMAT, line, &format!("there is no node {number}")));
            }
            let index = used.partition_point(|&u| u < number);
            *corner = u32::try_from(index)
                .map_err(|_| syntax(FORMAT, line, "there are too many nodes"))?;
        }
        mesh.tetrahedra.push(corners);
    }
    mesh.vertices = used.iter().filter_map(|number| nodes.get(number).copied()).collect();
    Ok(mesh)
}
