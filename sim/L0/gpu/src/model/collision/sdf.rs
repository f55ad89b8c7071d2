//! Tables of signed distance fields: closed forms, octrees of meshes, triangles that collide with fields, and starting
//! points of the search for contacts.

use crate::GpuBatchError;
use crate::layout::{ModelTables, NONE, index};
use sim_core::math::random::halton;
use sim_core::{Model, SignedDistanceFormula};
use sim_types::GeomType;

/// Most contacts of a pair (`mjMAXCONPAIR`).
pub(super) const MAX_CONTACTS: usize = 50;
/// Most starting points; each takes an entry of a table.
const MAX_INIT_POINTS: usize = 1 << 12;

/// Codes of fields that are not primitives; those of primitives are the codes of `GeomType`.
const OCTREE: usize = 7;
const TORUS: usize = 9;
const BOWL: usize = 10;
const GEAR: usize = 11;
const BOLT: usize = 12;
const NUT: usize = 13;

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
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    let has_field = |g: usize| {
        fields.iter().any(|pair| pair.contains(&g)) || triangles.iter().any(|pair| pair[1] == g)
    };
    let mut octrees: Vec<(usize, usize)> = Vec::new();
    let (mut codes, mut addresses) = (Vec::new(), Vec::new());
    for &g in geoms {
        let (code, adr) = match has_field(g) {
            true => store_field(m, g, &mut octrees, t)?,
            false => (NONE as usize, NONE as usize),
        };
        codes.push(code);
        addresses.push(adr);
    }
    let primitive = GeomType::Sphere as usize..=GeomType::Box as usize;
    t.flag("HAS_FIELD_PRIMITIVE", codes.iter().any(|code| primitive.contains(code)));
    for (name, code) in [
        ("HAS_FIELD_OCTREE", OCTREE),
        ("HAS_FIELD_TORUS", TORUS),
        ("HAS_FIELD_BOWL", BOWL),
        ("HAS_FIELD_GEAR", GEAR),
        ("HAS_FIELD_BOLT", BOLT),
        ("HAS_FIELD_NUT", NUT),
    ] {
        t.flag(name, codes.contains(&code));
    }
    t.indices("GEOM_FIELD", codes);
    t.indices("GEOM_FIELD_ADR", addresses);
    let mut meshes: Vec<(usize, usize)> = Vec::new();
    let mut records = Vec::new();
    for &g in geoms {
        if !triangles.iter().any(|pair| pair[0] == g) {
            records.push(NONE as usize);
            continue;
        }
        let mesh = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
        let known = meshes.iter().find(|(other, _)| *other == mesh).map(|(_, adr)| *adr);
        let adr = match known {
            Some(adr) => adr,
            None => store_triangles(m, mesh, t)
                .ok_or_else(|| super::unsupported(format!("mesh {mesh} has no triangles")))?,
        };
        meshes.push((mesh, adr));
        records.push(adr);
    }
    t.indices("GEOM_TRIANGLES", records);
    let points = init_points(m);
    if points > MAX_INIT_POINTS {
        return Err(super::unsupported(format!("sdf_initpoints exceeds {MAX_INIT_POINTS}")));
    }
    t.size("MAX_SDF_CONTACTS", MAX_CONTACTS);
    t.size("SDF_INIT_POINTS", points);
    t.size("SDF_ITERATIONS", usize::try_from(m.opt.sdf_iterations).unwrap_or(0));
    let numbers = || (0..=points as u32).take(points + 1);
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

/// Code of the field of a geom, and the address of its parameters in the real table or of its octree in the index table.
fn store_field(
    m: &Model,
    g: usize,
    octrees: &mut Vec<(usize, usize)>,
    t: &mut ModelTables,
) -> Result<(usize, usize), GpuBatchError> {
    let kind = m.geom_type[g];
    if !matches!(kind, GeomType::Mesh | GeomType::Sdf) {
        return Ok((kind as usize, NONE as usize));
    }
    let plugin = m.geom_signed_distance(g).filter(|_| kind == GeomType::Sdf);
    if let Some(field) = plugin {
        let Some((code, parameters)) = field.formula().and_then(parameters) else {
            return Err(super::unsupported(format!("the field of geom {g} has no formula")));
        };
        t.real.extend(&parameters);
        return Ok((code, t.real.len() - parameters.len()));
    }
    let mesh = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
    let known = octrees.iter().find(|(other, _)| *other == mesh).map(|(_, adr)| *adr);
    let adr = match known {
        Some(adr) => adr,
        None => store_octree(m, mesh, t)
            .ok_or_else(|| super::unsupported(format!("geom {g} has no distance field")))?,
    };
    octrees.push((mesh, adr));
    Ok((OCTREE, adr))
}

/// Code and parameters of a formula, in the order in which kernels read them; `None` if they do not have it.
fn parameters(formula: SignedDistanceFormula) -> Option<(usize, Vec<f64>)> {
    use SignedDistanceFormula::{Bolt, Bowl, Gear, Nut, Torus};
    Some(match formula {
        Bolt { radius } => (BOLT, vec![radius]),
        Nut { radius } => (NUT, vec![radius]),
        Bowl { height, radius, thickness, width } => (BOWL, vec![height, radius, thickness, width]),
        Torus { major, minor } => (TORUS, vec![major, minor]),
        Gear { alpha, diameter, thickness, inner, base, outer, depth, stride, shift } => {
            (GEAR, vec![alpha, diameter, thickness, inner, base, outer, depth, stride, shift])
        }
        _ => return None,
    })
}

/// Adds an octree: of each cell its bounding box and the distances at its corners to the real table, and the indices of
/// its children to the index table. Returns the address of its record: address of the cells, their number, children.
fn store_octree(m: &Model, mesh: usize, t: &mut ModelTables) -> Option<usize> {
    let number = |all: &[i32]| usize::try_from(*all.get(mesh)?).ok();
    let (first, count) = (number(&m.mesh_octadr)?, number(&m.mesh_octnum)?);
    let children = m.oct_child.as_chunks::<8>().0.get(first..)?.get(..count)?;
    let boxes = m.oct_aabb.as_chunks::<6>().0.get(first..)?.get(..count)?;
    let distances = m.oct_coeff.as_chunks::<8>().0.get(first..)?.get(..count)?;
    let cells = t.real.len();
    for (bounds, distances) in boxes.iter().zip(distances) {
        t.real.extend(bounds);
        t.real.extend(distances);
    }
    let record = t.index.len();
    t.index.extend([cells, count].map(index));
    let child = |&k: &i32| u32::try_from(k).unwrap_or(NONE);
    t.index.extend(children.iter().flatten().map(child));
    (count > 0).then_some(record)
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
