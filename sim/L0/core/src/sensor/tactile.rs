//! The tactile sensor: how deep every vertex of a skin is inside the geoms that its body touches, and
//! how fast they slide along it.

use crate::collision::signed_distance;
use crate::math::vec3::Vec3;
use crate::math::{at, mat3, quat, rows, spatial, vec3};
use crate::{Data, Model};

/// Depth at which half of the greatest pressure is felt.
const HALF_DEPTH: f64 = 0.05;

/// Reads sensor `i`: pressures of all vertices, then speeds along both tangents.
pub(super) fn read(m: &Model, d: &mut Data, i: usize, out: &mut [f64]) {
    out.fill(0.0);
    let Ok(geom) = usize::try_from(m.sensor_refid[i]) else { return };
    let mut touched = std::mem::take(&mut d.scratch.touched);
    find_touched(m, d, m.body_weldid[at(&m.geom_bodyid, geom)], &mut touched);
    if !touched.is_empty() {
        feel(m, d, at(&m.sensor_objid, i), geom, &touched, out);
    }
    d.scratch.touched = touched;
}

/// The geoms in contact with what is welded to a body, each once.
fn find_touched(m: &Model, d: &Data, weld: i32, touched: &mut Vec<usize>) {
    touched.clear();
    for contact in &d.contact {
        let [Ok(one), Ok(two)] = contact.geom.map(usize::try_from) else { continue };
        for (own, other) in [(one, two), (two, one)] {
            let part = m.body_weldid[at(&m.geom_bodyid, own)] == weld;
            if part && !touched.contains(&other) {
                touched.push(other);
            }
        }
    }
}

/// Adds up what every vertex of a mesh feels.
fn feel(m: &Model, d: &Data, mesh: usize, geom: usize, touched: &[usize], out: &mut [f64]) {
    let (first, count) = (at(&m.mesh_vertadr, mesh), at(&m.mesh_vertnum, mesh));
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[geom], &rows::<9>(&d.geom_xmat)[geom]);
    let weld = at(&m.body_weldid, at(&m.geom_bodyid, geom));
    let vertices = m.mesh_vert.as_chunks::<3>().0.iter().skip(first).take(count);
    for (j, vertex) in vertices.enumerate() {
        let point = vec3::add(mat3::mul_vec(mat, vertex.map(f64::from)), pos);
        let Some(axes) = axes(m, mesh, j) else { continue };
        for &other in touched {
            let depth = signed_distance(m, d, other, point).filter(|&depth| depth < 0.0);
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

/// Directions at a vertex.
struct Axes {
    normal: Vec3,
    tangents: Option<[Vec3; 2]>,
}

/// The normal at a vertex of a mesh, and tangents where the mesh has them: three vectors in place of
/// one normal.
fn axes(m: &Model, mesh: usize, vertex: usize) -> Option<Axes> {
    let (first, count) = (at(&m.mesh_normaladr, mesh), at(&m.mesh_normalnum, mesh));
    let normals = m.mesh_normal.as_chunks::<3>().0.get(first..)?;
    let turn = rows::<4>(&m.mesh_quat)[mesh];
    let stored =
        |k: usize| -> Option<Vec3> { Some(quat::rotate(turn, normals.get(k)?.map(f64::from))) };
    if count == 3 * at(&m.mesh_vertnum, mesh) {
        let tangents = [stored(3 * vertex + 1)?, stored(3 * vertex + 2)?];
        Some(Axes { normal: stored(3 * vertex)?, tangents: Some(tangents) })
    } else {
        Some(Axes { normal: stored(vertex)?, tangents: None })
    }
}

/// Velocity of the point of a body that is at a world position.
fn velocity(m: &Model, d: &Data, body: usize, point: Vec3) -> Vec3 {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    spatial::translation(&spatial::shift_motion(&rows::<6>(&d.cvel)[body], com, point))
}
