//! Tables of tactile sensors.

use super::super::{FAR, array};
use super::check_history;
use crate::GpuBatchError;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::math::quat;
use sim_types::GeomType;

/// Adds the tables of the tactile sensors `all`, if there are any. `geoms` are those of collision detection.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a sensor with a delay, or if a geom with a distance field may collide.
pub(super) fn sensors(
    m: &Model,
    all: &[usize],
    geoms: &[usize],
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    if all.is_empty() {
        return Ok(());
    }
    for &i in all {
        check_history(m, i)?;
    }
    let field = |&&g: &&usize| {
        let octree = usize::try_from(m.geom_dataid[g]).is_ok_and(|mesh| m.mesh_octadr[mesh] >= 0);
        m.geom_type[g] == GeomType::Sdf || m.geom_type[g] == GeomType::Mesh && octree
    };
    if let Some(g) = geoms.iter().find(field) {
        let what = format!("tactile sensors may be in contact with geom {g}, a distance field");
        return Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" });
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
        GeomType::HField | GeomType::Mesh => usize::MAX,
        primitive => primitive as usize,
    };
    t.indices("TACTILE_TYPE", geoms.iter().map(kind));
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
