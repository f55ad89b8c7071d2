//! Tables of rangefinders (mj_ray): visible geoms, and the quantities that a sensor reports.

use super::super::array;
use super::super::signed_distance::SignedDistances;
use crate::GpuBatchError;
use crate::layout::{ModelTables, index};
use sim_core::{Model, RayFields};
use sim_types::{GeomType, ObjType};

/// Geom types that rays can hit, with the names of their codes.
const TYPES: [(GeomType, &str); 6] = [
    (GeomType::Plane, "RAY_PLANE"),
    (GeomType::Sphere, "RAY_SPHERE"),
    (GeomType::Capsule, "RAY_CAPSULE"),
    (GeomType::Ellipsoid, "RAY_ELLIPSOID"),
    (GeomType::Cylinder, "RAY_CYLINDER"),
    (GeomType::Box, "RAY_BOX"),
];

/// A part of a rangefinder's reading: the distance, a vector, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Whether the distance comes first, and the vector, in the code that kernels read.
    pub code: usize,
    /// Offset in the sensor's data.
    pub offset: usize,
    /// Number of values.
    pub dim: usize,
}

/// The reading of a rangefinder at a site as parts that fit a `vec4`, one for each vector; `None` for a camera or its
/// depth.
pub(super) fn parts(m: &Model, sensor: usize) -> Option<Vec<Part>> {
    let fields = RayFields::from_bits(m.sensor_intprm[3 * sensor]);
    if m.sensor_objtype[sensor] != ObjType::Site || fields.depth.is_some() {
        return None;
    }
    let vectors = [fields.dir, fields.origin, fields.point, fields.normal];
    let mut parts: Vec<Part> = Vec::new();
    for (k, offset) in vectors.iter().enumerate().filter_map(|(k, o)| o.map(|offset| (k, offset))) {
        parts.push(Part { code: (k + 1) << 1, offset, dim: 3 });
    }
    if fields.dist.is_some() {
        // the distance precedes the first vector
        match parts.first_mut() {
            Some(first) => *first = Part { code: first.code | 1, offset: 0, dim: 4 },
            None => parts.push(Part { code: 1, offset: 0, dim: 1 }),
        }
    }
    Some(parts)
}

/// Code of a mesh and of a height field.
const MESH: usize = TYPES.len();
const HFIELD: usize = MESH + 1;
/// Code of a signed distance field.
const FIELD: usize = HFIELD + 1;

/// Adds the tables of the geoms that rays can hit, if there are `rangefinders`. Returns whether some are meshes or height
/// fields.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a visible signed distance field that kernels cannot evaluate.
pub(super) fn geoms(
    m: &Model,
    rangefinders: bool,
    fields: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<RaySurfaces, GpuBatchError> {
    for (code, (_, name)) in TYPES.iter().enumerate() {
        t.size(name, code);
    }
    for (code, name) in ["RAY_DIR", "RAY_ORIGIN", "RAY_POINT", "RAY_NORMAL"].iter().enumerate() {
        t.size(name, code + 1);
    }
    let code = |g: usize| match m.geom_type[g] {
        GeomType::Mesh => Some(MESH),
        GeomType::HField => Some(HFIELD),
        GeomType::Sdf => Some(FIELD),
        primitive => TYPES.iter().position(|(kind, _)| *kind == primitive),
    };
    let visible = |g: &usize| {
        let alpha = match usize::try_from(m.geom_matid[*g]) {
            Ok(material) => m.mat_rgba[4 * material + 3],
            Err(_) => m.geom_rgba[4 * g + 3],
        };
        rangefinders && alpha != 0.0
    };
    let all: Vec<usize> = (0..m.ngeom).filter(visible).collect();
    if let Some(&g) = all.iter().find(|&&g| code(g).is_none()) {
        let what = format!("rangefinders may hit geom {g}, a {:?}", m.geom_type[g]);
        let instead = "write <flag sensor=\"disable\"/> to step it without sensors";
        return Err(GpuBatchError::Unsupported { what, instead });
    }
    t.size("NRAYGEOM", all.len());
    t.indices("RAY_BODY", all.iter().map(|&g| m.geom_bodyid[g] as usize));
    t.indices("RAY_TYPE", all.iter().map(|&g| code(g).unwrap_or(usize::MAX)));
    t.vec4s("RAY_POS", all.iter().map(|&g| m.geom_frame(g).pos));
    t.vec4s("RAY_QUAT", all.iter().map(|&g| m.geom_frame(g).quat));
    t.vec4s("RAY_SIZE", all.iter().map(|&g| array::<3>(&m.geom_size, g)));
    let surfaces = all.iter().any(|&g| code(g) >= Some(MESH));
    if surfaces {
        t.size("RAY_HFIELD", HFIELD);
        t.size("RAY_FIELD", FIELD);
        add_surface_tables(m, &all, fields, t)?;
    }
    let fields = all.iter().any(|&g| m.geom_type[g] == GeomType::Sdf);
    Ok(RaySurfaces { any: surfaces, fields })
}

/// Surfaces other than primitives that rays can hit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RaySurfaces {
    /// Meshes, height fields or signed distance fields.
    pub any: bool,
    /// Signed distance fields.
    pub fields: bool,
}

/// Adds the surfaces of meshes and height fields, each once.
fn add_surface_tables(
    m: &Model,
    all: &[usize],
    fields: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    let mut known: Vec<((GeomType, i32), usize)> = Vec::new();
    let mut records = Vec::new();
    let mut depth = 1;
    for &g in all {
        let surface = (m.geom_type[g], m.geom_dataid[g]);
        if surface.0 == GeomType::Sdf {
            records.push(fields.add(m, g, t)?);
            continue;
        }
        if !matches!(surface.0, GeomType::Mesh | GeomType::HField) {
            records.push(usize::MAX);
            continue;
        }
        if let Some((_, record)) = known.iter().find(|(other, _)| *other == surface) {
            records.push(*record);
            continue;
        }
        let stored = usize::try_from(surface.1).ok().and_then(|id| match surface.0 {
            GeomType::Mesh => store_mesh(m, id, &mut depth, t),
            _ => store_hfield(m, id, t),
        });
        let Some(record) = stored else {
            let what = format!("geom {g} has no surface that rangefinders could hit");
            return Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" });
        };
        known.push((surface, record));
        records.push(record);
    }
    t.indices("RAY_DATA", records);
    // a node is replaced by its two children
    t.size("RAY_STACK", depth + 1);
    Ok(())
}

/// Adds a mesh with its bounding volume hierarchy, and raises `depth` to that of the hierarchy. Returns the address of
/// its record: boxes, nodes (both children and the face), vertices, faces.
fn store_mesh(m: &Model, mesh: usize, depth: &mut usize, t: &mut ModelTables) -> Option<usize> {
    let range = |adr: &[i32], num: &[i32]| {
        let start = usize::try_from(adr[mesh]).ok()?;
        Some(start..start + usize::try_from(num[mesh]).ok()?)
    };
    let nodes = range(&m.mesh_bvhadr, &m.mesh_bvhnum)?;
    let faces = range(&m.mesh_faceadr, &m.mesh_facenum)?;
    let vertices = range(&m.mesh_vertadr, &m.mesh_vertnum)?;
    *depth =
        (*depth).max(m.bvh_depth.get(nodes.clone())?.iter().copied().max()?.max(0) as usize + 1);
    let boxes = t.real.len();
    t.real.extend(m.bvh_aabb.get(6 * nodes.start..6 * nodes.end)?);
    let points = t.real.len();
    let all = m.mesh_vert.get(3 * vertices.start..3 * vertices.end)?;
    t.real.extend(all.iter().copied().map(f64::from));
    let code = |v: &i32| index(usize::try_from(*v).unwrap_or(usize::MAX));
    let tree = t.index.len();
    for node in nodes {
        t.index.extend(m.bvh_child.get(2 * node..2 * node + 2)?.iter().map(code));
        t.index.push(code(m.bvh_nodeid.get(node)?));
    }
    let triangles = t.index.len();
    t.index.extend(m.mesh_face.get(3 * faces.start..3 * faces.end)?.iter().map(code));
    Some(record([boxes, tree, points, triangles], t))
}

/// Adds a height field. Returns the address of its record: samples, rows, columns, size.
fn store_hfield(m: &Model, field: usize, t: &mut ModelTables) -> Option<usize> {
    let count = |all: &[i32]| usize::try_from(*all.get(field)?).ok();
    let (rows, columns) = (count(&m.hfield_nrow)?, count(&m.hfield_ncol)?);
    let start = count(&m.hfield_adr)?;
    let samples = m.hfield_data.get(start..start + rows * columns)?;
    if rows < 2 || columns < 2 {
        return None;
    }
    let first = t.real.len();
    t.real.extend(samples.iter().copied().map(f64::from));
    let size = t.real.len();
    t.real.extend(m.hfield_size.get(4 * field..4 * field + 4)?);
    Some(record([first, rows, columns, size], t))
}

/// Adds a record and returns its address.
fn record(entries: [usize; 4], t: &mut ModelTables) -> usize {
    let record_adr = t.index.len();
    t.index.extend(entries.map(index));
    record_adr
}
