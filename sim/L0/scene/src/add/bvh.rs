//! Bounding volume hierarchies of bodies and meshes, and octrees of meshes.

use super::{View, decor};
use crate::{Rgba, Scene, SceneGeomType, VisFlag};
use sim_core::math::mat3::{self, Mat3};
use sim_core::math::rows;
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::{GeomType, ObjType};

/// Whether a node is a leaf.
fn is_leaf(v: &View<'_>, node: usize) -> bool {
    v.m.bvh_child[2 * node..2 * node + 2] == [-1, -1]
}

/// Whether a node is drawn: it is at the requested depth, or a leaf above it.
fn is_shown(v: &View<'_>, node: usize) -> bool {
    let depth = v.m.bvh_depth[node];
    depth == v.option.bvh_depth || depth < v.option.bvh_depth && is_leaf(v, node)
}

/// Whether active nodes are marked and collision detection visited this one.
fn is_active(v: &View<'_>, node: usize) -> bool {
    v.m.vis.global.bvactive != 0 && v.d.bvh_active[node]
}

/// Adds the box of a node, given by centre and half-sizes in a frame.
fn add_box(
    scene: &mut Scene,
    node: usize,
    aabb: [f64; 6],
    (pos, mat): (Vec3, &Mat3),
    rgba: Rgba,
) -> Option<()> {
    let mut geom = decor(scene, ObjType::Unknown, node)?;
    let [x, y, z, sx, sy, sz] = aabb;
    let center = vec3::add(mat3::mul_vec(mat, [x, y, z]), pos);
    let kind = SceneGeomType::LineBox;
    geom.init(kind, Some([sx, sy, sz]), Some(center), Some(mat), Some(rgba));
    scene.push(geom);
    Some(())
}

pub(super) fn bodies(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.flag(VisFlag::BodyBvh) {
        return Some(());
    }
    for body in 0..m.nbody {
        let Ok(first) = usize::try_from(m.body_bvhadr[body]) else { continue };
        let count = usize::try_from(m.body_bvhnum[body]).unwrap_or(0);
        for node in (first..first + count).filter(|&node| is_shown(v, node)) {
            // leaves are in the frame of their geom
            let geom = usize::try_from(m.bvh_nodeid[node]).ok().filter(|_| is_leaf(v, node));
            let (aabb, pose) = match geom {
                Some(geom) => (rows::<6>(&m.geom_aabb)[geom], v.geom_pose(geom)),
                None => (rows::<6>(&m.bvh_aabb)[node], v.inertial_pose(body)),
            };
            let rgba = if is_active(v, node) { m.vis.rgba.bvactive } else { m.vis.rgba.bv };
            add_box(scene, node, aabb, pose, rgba)?;
        }
    }
    Some(())
}

/// The mesh of a geom; MuJoCo also looks up the index of a height field among the meshes.
fn mesh_of(v: &View<'_>, geom: usize) -> Option<usize> {
    usize::try_from(v.m.geom_dataid[geom]).ok().filter(|&mesh| mesh < v.m.nmesh)
}

pub(super) fn meshes(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.flag(VisFlag::MeshBvh) {
        return Some(());
    }
    for geom in 0..m.ngeom {
        let Some(mesh) = mesh_of(v, geom) else { continue };
        if m.geom_type[geom] == GeomType::Sdf || m.mesh_octadr[mesh] >= 0 {
            continue;
        }
        let first = usize::try_from(m.mesh_bvhadr[mesh]).unwrap_or(0);
        let count = usize::try_from(m.mesh_bvhnum[mesh]).unwrap_or(0);
        for node in (first..first + count).filter(|&node| is_shown(v, node)) {
            // if active volumes are marked, the others are omitted
            let active = is_active(v, node);
            if m.vis.global.bvactive != 0 && !active {
                continue;
            }
            let rgba = if active { m.vis.rgba.bvactive } else { m.vis.rgba.bv };
            add_box(scene, node, rows::<6>(&m.bvh_aabb)[node], v.geom_pose(geom), rgba)?;
        }
    }
    Some(())
}

pub(super) fn octrees(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.flag(VisFlag::MeshBvh) {
        return Some(());
    }
    for geom in (0..m.ngeom).filter(|&geom| m.geom_type[geom] != GeomType::HField) {
        let Some(mesh) = mesh_of(v, geom) else { continue };
        let Ok(first) = usize::try_from(m.mesh_octadr[mesh]) else { continue };
        let count = usize::try_from(m.mesh_octnum[mesh]).unwrap_or(0);
        for cell in first..first + count {
            if m.oct_depth[cell] == v.option.bvh_depth {
                let aabb = rows::<6>(&m.oct_aabb)[cell];
                add_box(scene, cell, aabb, v.geom_pose(geom), m.vis.rgba.bv)?;
            }
        }
    }
    Some(())
}
