//! Tables of collisions of signed distance fields: triangles of meshes, and starting points of the search for contacts.

use crate::GpuBatchError;
use crate::layout::{ModelTables, NONE, index};
use crate::model::signed_distance::SignedDistances;
use crate::model::unsupported;
use sim_core::Model;
use sim_core::math::random::halton;

/// Most contacts of a pair (`mjMAXCONPAIR`).
pub(super) const MAX_CONTACTS: usize = 50;
/// Most starting points; each takes an entry of a table.
const MAX_INIT_POINTS: usize = 1 << 12;

/// Number of starting points of the search for contacts of a pair.
pub(super) fn init_points(m: &Model) -> usize {
    usize::try_from(m.opt.sdf_initpoints).unwrap_or(0)
}

/// Adds the tables of `geoms`, which are those of collision detection. `pairs` are the geoms of pairs of two fields, and
/// of pairs of a mesh and a field.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a geom without a field that kernels can evaluate.
pub(super) fn add_tables(
    m: &Model,
    geoms: &[usize],
    [fields, triangles]: [&[[usize; 2]]; 2],
    distances: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    let has_field = |g: usize| {
        fields.iter().any(|pair| pair.contains(&g)) || triangles.iter().any(|pair| pair[1] == g)
    };
    let mut of_geom = Vec::new();
    for &g in geoms {
        of_geom.push(if has_field(g) { distances.add(m, g, t)? } else { NONE as usize });
    }
    t.indices("GEOM_FIELD", of_geom);
    let mut meshes: Vec<(usize, usize)> = Vec::new();
    let mut records = Vec::new();
    for &g in geoms {
        if !triangles.iter().any(|pair| pair[0] == g) {
            records.push(NONE as usize);
            continue;
        }
        let mesh = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
        if let Some((_, adr)) = meshes.iter().find(|(other, _)| *other == mesh) {
            records.push(*adr);
            continue;
        }
        let Some(adr) = store_triangles(m, mesh, t) else {
            return Err(unsupported(format!("mesh {mesh} of geom {g} has no triangles")));
        };
        meshes.push((mesh, adr));
        records.push(adr);
    }
    t.indices("GEOM_TRIANGLES", records);
    let points = init_points(m);
    if points > MAX_INIT_POINTS {
        return Err(unsupported(format!("its sdf_initpoints exceeds {MAX_INIT_POINTS}")));
    }
    t.size("MAX_SDF_CONTACTS", MAX_CONTACTS);
    t.size("SDF_INIT_POINTS", points);
    t.size("SDF_ITERATIONS", usize::try_from(m.opt.sdf_iterations).unwrap_or(0));
    // triangles have at least one starting point; their first one is number 1
    let numbers = || (0..).take(points.max(1) + 1);
    t.vec4s("SDF_HALTON", numbers().map(|k| [2, 3, 5].map(|base| halton(k, base))));
    t.vec4s("SDF_TRIANGLE_HALTON", numbers().map(triangle_point));
    Ok(())
}

/// Barycentric coordinates of a Halton point, reflected into the triangle.
fn triangle_point(k: u32) -> [f64; 3] {
    let (mut u, mut v) = (halton(k, 2), halton(k, 3));
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    [1.0 - u - v, u, v]
}

/// Adds the bounding volume hierarchy of a mesh in the order of a traversal of `sim-core`: of each node its bounding box,
/// and of a leaf the corners of its triangle. Returns the address of its record: the number of nodes, and for each node
/// twice the address of its numbers, plus one for a leaf, and the node that follows its descendants.
fn store_triangles(m: &Model, mesh: usize, t: &mut ModelTables) -> Option<usize> {
    let number = |all: &[i32]| usize::try_from(*all.get(mesh)?).ok();
    let (vertex, face) = (number(&m.mesh_vertadr)?, number(&m.mesh_faceadr)?);
    let (first, count) = (number(&m.mesh_bvhadr)?, number(&m.mesh_bvhnum)?);
    let vertices = m.mesh_vert.as_chunks::<3>().0.get(vertex..)?;
    let faces = m.mesh_face.as_chunks::<3>().0.get(face..)?;
    let boxes = m.bvh_aabb.as_chunks::<6>().0.get(first..)?.get(..count)?;
    let children = m.bvh_child.as_chunks::<2>().0.get(first..)?.get(..count)?;
    let leaves = m.bvh_nodeid.get(first..)?.get(..count)?;
    // address, whether it is a leaf, and parent in this order
    let mut nodes: Vec<(usize, bool, usize)> = Vec::new();
    let mut stack = vec![(0, usize::MAX)];
    while let Some((node, parent)) = stack.pop() {
        let (adr, own) = (t.real.len(), nodes.len());
        t.real.extend(boxes.get(node)?);
        let leaf = usize::try_from(leaves[node]).ok();
        nodes.push((adr, leaf.is_some(), parent));
        if let Some(face) = leaf {
            for &corner in faces.get(face)? {
                let corner = vertices.get(usize::try_from(corner).ok()?)?;
                t.real.extend(corner.map(f64::from));
            }
            continue;
        }
        let children = children[node].iter().filter_map(|&child| usize::try_from(child).ok());
        stack.extend(children.filter(|&child| child > node).map(|child| (child, own)));
        // a malformed hierarchy may have a node twice
        if nodes.len() > count {
            return None;
        }
    }
    let mut sizes = vec![1; nodes.len()];
    for (k, &(.., parent)) in nodes.iter().enumerate().rev().filter(|(k, _)| *k > 0) {
        sizes[parent] += sizes[k];
    }
    let record = t.index.len();
    t.index.push(index(nodes.len()));
    for (k, &(adr, leaf, _)) in nodes.iter().enumerate() {
        t.index.extend([2 * adr + usize::from(leaf), k + sizes[k]].map(index));
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::add_tables;
    use crate::layout::ModelTables;
    use crate::model::signed_distance::SignedDistances;

    #[test]
    fn triangles_have_a_starting_point_with_sdf_initpoints_zero() {
        let m = sim_mjcf::load_str(r#"<mujoco><option sdf_initpoints="0"/></mujoco>"#);
        let m = m.unwrap_or_else(|error| panic!("{error}"));
        let (mut t, mut fields) = (ModelTables::default(), SignedDistances::default());
        add_tables(&m, &[], [&[], &[]], &mut fields, &mut t).expect("supported");
        // points 0 and 1 of two tables of vec4s
        assert_eq!(t.real.len(), 16);
        // point 1 is (1/2, 1/3)
        assert!((t.real[13] - 0.5).abs() < 1e-12 && (t.real[14] - 1.0 / 3.0).abs() < 1e-12);
    }
}
