//! Tactile sensor: for every vertex of a mesh, the penetration-based pressure of the geoms in contact with
//! the sensor's body and the magnitudes of the tangential slip velocity.

use crate::collision::signed_distance;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, spatial, vec3};
use crate::{Data, Model};

/// Penetration depth at which the pressure is half of its maximum (m).
const HALF_DEPTH: f64 = 0.05;

/// Reading of sensor `i`: the pressure of every vertex, then the slip speeds along the first and the second
/// tangent.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    out.fill(0.0);
    let Ok(geom) = usize::try_from(m.sensor_refid[i]) else { return };
    let mut contacting = std::mem::take(&mut d.scratch.contacting_geoms);
    find_contacting_geoms(m, d, m.body_weldid[at(&m.geom_bodyid, geom)], &mut contacting);
    if !contacting.is_empty() {
        add_vertex_readings(m, d, at(&m.sensor_objid, i), geom, &contacting, out);
    }
    d.scratch.contacting_geoms = contacting;
}

/// Collects the geoms in contact with the weld group of a body, without duplicates.
fn find_contacting_geoms(m: &Model, d: &Data, weld: i32, contacting: &mut Vec<usize>) {
    contacting.clear();
    for contact in &d.contact {
        let [Ok(one), Ok(two)] = contact.geom.map(usize::try_from) else { continue };
        for (own, other) in [(one, two), (two, one)] {
            let in_group = m.body_weldid[at(&m.geom_bodyid, own)] == weld;
            if in_group && !contacting.contains(&other) {
                contacting.push(other);
            }
        }
    }
}

/// Adds the pressure and slip speeds of every vertex of a mesh attached to `geom`, summed over the contacting
/// geoms.
fn add_vertex_readings(
    m: &Model,
    d: &Data,
    mesh: usize,
    geom: usize,
    contacting: &[usize],
    out: &mut [f64],
) {
    let (first, count) = (at(&m.mesh_vertadr, mesh), at(&m.mesh_vertnum, mesh));
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[geom], &rows::<9>(&d.geom_xmat)[geom]);
    let weld = at(&m.body_weldid, at(&m.geom_bodyid, geom));
    let vertices = m.mesh_vert.as_chunks::<3>().0.iter().skip(first).take(count);
    for (j, vertex) in vertices.enumerate() {
        let point = vec3::add(mat3::mul_vec(mat, vertex.map(f64::from)), pos);
        let Some(axes) = vertex_axes(m, mesh, j) else { continue };
        for &other in contacting {
            let depth = distance(m, d, other, point).filter(|&depth| depth < 0.0);
            let Some(depth) = depth else {
                continue;
            };
            let pressure = depth / (HALF_DEPTH - depth);
            let mut add = |channel: usize, x: f64| {
                if let Some(out) = out.get_mut(channel * count + j) {
                    *out += x;
                }
            };
            add(0, pressure * vec3::dot(axes.normal, axes.normal));
            if let Some(tangents) = axes.tangents {
                let own = velocity(m, d, weld, point);
                let body = at(&m.geom_bodyid, other);
                let slip = vec3::sub(own, velocity(m, d, body, rows::<3>(&d.geom_xpos)[other]));
                add(1, vec3::dot(slip, tangents[0]).abs());
                add(2, vec3::dot(slip, tangents[1]).abs());
            }
        }
    }
}

/// Signed distance of a world position to a geom. The field of a plugin is in the frame of the mesh before it
/// was centred.
fn distance(m: &Model, d: &Data, geom: usize, point: Vec3) -> Option<f64> {
    let (Some(field), Ok(mesh)) =
        (m.geom_signed_distance(geom), usize::try_from(m.geom_dataid[geom]))
    else {
        return signed_distance(m, d, geom, point);
    };
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[geom], &rows::<9>(&d.geom_xmat)[geom]);
    let local = mat3::mul_transpose_vec(mat, vec3::sub(point, pos));
    let mesh_mat = quat::to_mat(rows::<4>(&m.mesh_quat)[mesh]);
    let centre = rows::<3>(&m.mesh_pos)[mesh];
    Some(field.distance(vec3::add(mat3::mul_vec(&mesh_mat, local), centre)))
}

/// Normal and tangents at a vertex, rotated by `mesh_quat`.
struct VertexAxes {
    normal: Vec3,
    tangents: Option<[Vec3; 2]>,
}

/// The normal at a vertex of a mesh, and the tangents if the mesh stores three vectors per vertex in
/// `mesh_normal`.
fn vertex_axes(m: &Model, mesh: usize, vertex: usize) -> Option<VertexAxes> {
    let (first, count) = (at(&m.mesh_normaladr, mesh), at(&m.mesh_normalnum, mesh));
    let normals = m.mesh_normal.as_chunks::<3>().0.get(first..)?;
    let mesh_quat = rows::<4>(&m.mesh_quat)[mesh];
    let rotated = |k: usize| -> Option<Vec3> {
        Some(quat::rotate(mesh_quat, normals.get(k)?.map(f64::from)))
    };
    if count == 3 * at(&m.mesh_vertnum, mesh) {
        let tangents = [rotated(3 * vertex + 1)?, rotated(3 * vertex + 2)?];
        Some(VertexAxes { normal: rotated(3 * vertex)?, tangents: Some(tangents) })
    } else {
        Some(VertexAxes { normal: rotated(vertex)?, tangents: None })
    }
}

/// Linear velocity of the point of a body at a world position (m/s).
fn velocity(m: &Model, d: &Data, body: usize, point: Vec3) -> Vec3 {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    spatial::translation(&spatial::shift_motion(&rows::<6>(&d.cvel)[body], com, point))
}
