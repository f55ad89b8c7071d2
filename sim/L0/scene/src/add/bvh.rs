//! Bounding volume hierarchies of bodies and meshes, and octrees of meshes.

use super::{View, decor};
use crate::option::visible;
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

/// Boxes of the elements of flexes, and lines between the nodes of interpolated flexes.
pub(super) fn flexes(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::MeshBvh) {
        return Some(());
    }
    for f in 0..m.nflex {
        if let Ok(first) = usize::try_from(m.flex_bvhadr[f])
            && visible(&v.option.flexgroup, m.flex_group[f])
        {
            let count = usize::try_from(m.flex_bvhnum[f]).unwrap_or(0);
            for node in (first..first + count).filter(|&node| is_shown(v, node)) {
                let aabb = rows::<6>(&d.bvh_aabb_dyn)[node - m.nbvhstatic];
                let rgba = if is_active(v, node) { m.vis.rgba.bvactive } else { m.vis.rgba.bv };
                add_box(scene, node, aabb, ([0.0; 3], &mat3::IDENTITY), rgba)?;
            }
        }
        if m.flex_interp[f] != 0 {
            node_lines(v, scene, f)?;
        }
    }
    Some(())
}

/// Lines between neighbouring nodes of a flex that are not pinned.
fn node_lines(v: &View<'_>, scene: &mut Scene, f: usize) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let size = |i: i32| usize::try_from(i).unwrap_or(0);
    let (first, order) = (size(m.flex_nodeadr[f]), size(m.flex_interp[f]));
    let counts: [usize; 3] = std::array::from_fn(|k| size(m.flex_cellnum[3 * f + k]) * order + 1);
    let body = |n: usize| size(m.flex_nodebodyid[first + n]);
    let position = |n: usize| {
        let (pos, mat) = v.body_pose(body(n));
        vec3::add(mat3::mul_vec(mat, rows::<3>(&m.flex_node)[first + n]), pos)
    };
    let free = |n: usize| m.body_jntnum[body(n)] > 0;
    let strides = [counts[1] * counts[2], counts[2], 1];
    debug_assert!(d.xpos.len() >= 3, "the world has a pose");
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in 0..counts[2] {
                let (at, node) = ([i, j, k], i * strides[0] + j * strides[1] + k);
                for axis in 0..3 {
                    if !free(node) || at[axis] + 1 >= counts[axis] || !free(node + strides[axis]) {
                        continue;
                    }
                    let mut geom = decor(scene, ObjType::Unknown, i)?;
                    let ends = (position(node), position(node + strides[axis]));
                    geom.set_connector(SceneGeomType::Line, 3.0, ends.0, ends.1);
                    scene.push(geom);
                }
            }
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
