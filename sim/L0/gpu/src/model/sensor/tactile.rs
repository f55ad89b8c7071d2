//! Tables of tactile sensors.

use super::super::signed_distance::SignedDistances;
use super::super::{FAR, array};
use super::check_history;
use crate::GpuBatchError;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::math::quat;
use sim_types::GeomType;

/// Adds the tables of the tactile sensors `all`, if there are any. `geoms` are those of collision detection. Returns whether
/// sensors may be in contact with signed distance fields.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a sensor with a delay, or if kernels cannot evaluate the field of a geom.
pub(super) fn sensors(
    m: &Model,
    all: &[usize],
    geoms: &[usize],
    fields: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<bool, GpuBatchError> {
    if all.is_empty() {
        return Ok(false);
    }
    for &i in all {
        check_history(m, i)?;
    }
    let geom = |i: usize| m.sensor_refid[i].max(0) as usize;
    let mesh = |i: usize| m.sensor_objid[i].max(0) as usize;
    let body = |i: usize| m.geom_bodyid[geom(i)] as usize;
    t.size("NTACTILE", all.len());
    t.indices("TACTILE_ADR", all.iter().map(|&i| m.sensor_adr[i] as usize));
    t.indices("TACTILE_BODY", all.iter().map(|&i| body(i)));
    t.vec4s("TACTILE_POS", all.iter().map(|&i| m.geom_frame(geom(i)).pos));
    t.vec4s("TACTILE_QUAT", all.iter().map(|&i| m.geom_frame(geom(i)).quat));
    let cutoff = |&i: &usize| if m.sensor_cutoff[i] > 0.0 { m.sensor_cutoff[i] } else { FAR };
    t.scalars("TACTILE_CUTOFF", all.iter().map(cutoff));
    let weld = |body: usize| m.body_weldid[body];
    let own = |i: usize, g: usize| weld(m.geom_bodyid[g] as usize) == weld(body(i));
    let table = all.iter().flat_map(|&i| geoms.iter().map(move |&g| (i, g)));
    t.indices("TACTILE_GROUP", table.map(|(i, g)| usize::from(own(i, g))));
    // height fields and meshes without a distance field exert no pressure
    let kind = |&g: &usize| match m.geom_type[g] {
        _ if SignedDistances::is_field(m, g) => GeomType::Sdf as usize,
        GeomType::HField | GeomType::Mesh => usize::MAX,
        primitive => primitive as usize,
    };
    t.size("TACTILE_SDF", GeomType::Sdf as usize);
    t.indices("TACTILE_TYPE", geoms.iter().map(kind));
    add_fields(m, geoms, fields, t)?;
    let count = |i: usize| m.mesh_vertnum[mesh(i)].max(0) as usize;
    t.indices("TACTILE_VERTNUM", all.iter().map(|&i| count(i)));
    let mut first = 0;
    let starts = all.iter().map(|&i| {
        first += 3 * count(i);
        first - 3 * count(i)
    });
    t.indices("TACTILE_VERTADR", starts.collect::<Vec<_>>());
    let vertices = all.iter().flat_map(|&i| (0..count(i)).map(move |k| (mesh(i), k)));
    t.vec4s("TACTILE_VERTEX", vertices.flat_map(|(mesh, k)| vertex(m, mesh, k)));
    Ok(geoms.iter().any(|&g| SignedDistances::is_field(m, g)))
}

/// Adds the fields of geoms, and their frames in those of the geoms: the field of a plugin is in the frame of the mesh
/// before it was centred.
fn add_fields(
    m: &Model,
    geoms: &[usize],
    fields: &mut SignedDistances,
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    let (mut records, mut frames) = (Vec::new(), Vec::new());
    for &g in geoms {
        let is_field = SignedDistances::is_field(m, g);
        records.push(if is_field { fields.add(m, g, t)? } else { usize::MAX });
        let mesh = usize::try_from(m.geom_dataid[g]);
        frames.push(match mesh {
            Ok(mesh) if is_field && m.geom_signed_distance(g).is_some() => {
                (array(&m.mesh_pos, mesh), array(&m.mesh_quat, mesh))
            }
            _ => ([0.0; 3], quat::IDENTITY),
        });
    }
    t.indices("TACTILE_FIELD", records);
    t.vec4s("TACTILE_FIELD_POS", frames.iter().map(|frame| frame.0));
    t.vec4s("TACTILE_FIELD_QUAT", frames.iter().map(|frame| frame.1));
    Ok(())
}

/// Position and squared length of the normal of a vertex, and its tangents; zeros without normals.
fn vertex(m: &Model, mesh: usize, k: usize) -> [[f64; 4]; 3] {
    let (vertices, normals) = (m.mesh_vert.as_chunks::<3>().0, m.mesh_normal.as_chunks::<3>().0);
    let pos = vertices[m.mesh_vertadr[mesh] as usize + k].map(f64::from);
    let first = m.mesh_normaladr[mesh].max(0) as usize;
    let framed = m.mesh_normalnum[mesh] == 3 * m.mesh_vertnum[mesh];
    let axis = |j: usize| -> [f64; 3] {
        let index = if framed { 3 * k + j } else { k };
        match normals.get(first + index) {
            Some(normal) if framed || j == 0 => {
                quat::rotate(array(&m.mesh_quat, mesh), normal.map(f64::from))
            }
            _ => [0.0; 3],
        }
    };
    let with = |[x, y, z]: [f64; 3], w: f64| [x, y, z, w];
    let square = axis(0).iter().map(|x| x * x).sum();
    [with(pos, square), with(axis(1), 0.0), with(axis(2), 0.0)]
}
