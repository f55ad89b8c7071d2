//! Decorations of bodies: equivalent inertias, perturbation, frames, labels, centres of mass, connections,
//! applied forces.

use super::{View, decor};
use crate::scene::Owner;
use crate::{
    FrameMode, LabelMode, PERT_ROTATE, PERT_TRANSLATE, Scene, SceneGeomType, VisFlag, color, label,
    single,
};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat, rows};
use sim_core::types::{MINVAL, ObjType};
use std::f64::consts::PI;

/// Boxes or ellipsoids with the inertia of the bodies.
pub(super) fn inertias(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.flag(VisFlag::Inertia) {
        return Some(());
    }
    let ellipsoid = m.vis.global.ellipsoidinertia == 1;
    let kind = if ellipsoid { SceneGeomType::Ellipsoid } else { SceneGeomType::Box };
    for i in 1..m.nbody {
        if m.body_mass[i] <= MINVAL || !v.category(i).intersects(v.catmask) {
            continue;
        }
        let mut geom = decor(scene, ObjType::Body, i)?;
        let size = equivalent_size(v, i, ellipsoid);
        let (pos, mat) = v.inertial_pose(i);
        geom.init(kind, Some(size), Some(pos), Some(mat), Some(m.vis.rgba.inertia));
        let selected = v.perturb.body(m.nbody) == Some(i);
        if selected {
            geom.mark_selected(m);
        }
        let labelled = match v.option.label {
            LabelMode::Body => true,
            LabelMode::Selection => selected,
            _ => false,
        };
        if labelled {
            geom.label = label::object(m, ObjType::Body, i);
        }
        scene.push(geom);
    }
    Some(())
}

/// Half-sizes of a homogeneous box or ellipsoid with the inertia of a body; scaled to its mass at the density
/// of water if requested.
fn equivalent_size(v: &View<'_>, body: usize, ellipsoid: bool) -> Vec3 {
    let m = v.m;
    let [ixx, iyy, izz] = rows::<3>(&m.body_inertia)[body];
    let mass = m.body_mass[body];
    let factor = if ellipsoid { 5.0_f64.sqrt() } else { 3.0_f64.sqrt() };
    let half = |twice: f64| (twice / (2.0 * mass)).sqrt() * factor;
    let size = [half(iyy + izz - ixx), half(ixx + izz - iyy), half(ixx + iyy - izz)];
    if !v.flag(VisFlag::SclInertia) {
        return size;
    }
    let unit = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 };
    let density = mass / (unit * size[0] * size[1] * size[2]).max(MINVAL);
    vec3::scale(size, (density * 0.001).powf(1.0 / 3.0))
}

/// Displacement of the selection point and reference orientation of an active perturbation.
pub(super) fn perturbation(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d, perturb) = (v.m, v.d, v.perturb);
    let Some(body) = perturb.body(m.nbody).filter(|_| v.flag(VisFlag::PertObj)) else {
        return Some(());
    };
    let mat = quat::to_mat(perturb.refquat);
    let active = |bit: i32| [perturb.active & bit != 0, perturb.active2 & bit != 0];
    if perturb.all_active() & PERT_TRANSLATE != 0 {
        let [first, second] = active(PERT_TRANSLATE);
        let rgba = color::mix(m.vis.rgba.constraint, first, second);
        let width = v.scaled(m.vis.scale.constraint);
        let mut geom = decor(scene, ObjType::Unknown, body)?;
        geom.set_connector(SceneGeomType::Capsule, width, v.selection(body), perturb.refselpos);
        geom.rgba = rgba;
        scene.push(geom);
        let mut geom = decor(scene, ObjType::Unknown, body)?;
        let size = Some([2.0 * width; 3]);
        geom.init(SceneGeomType::Sphere, size, Some(perturb.refselpos), Some(&mat), Some(rgba));
        scene.push(geom);
    }
    if perturb.all_active() & PERT_ROTATE != 0 {
        let [first, second] = active(PERT_ROTATE);
        let rgba = color::mix(m.vis.rgba.inertia, first, second);
        let mut geom = decor(scene, ObjType::Unknown, body)?;
        // the bounding box of the body, or a cube of mean body size
        let root = usize::try_from(m.body_bvhadr[body]).ok().filter(|_| m.body_bvhnum[body] != 0);
        let (offset, size) = match root {
            Some(root) => {
                let [x, y, z, sx, sy, sz] = rows::<6>(&m.bvh_aabb)[root];
                let offset = mat3::mul_vec(&rows::<9>(&d.ximat)[body], [x, y, z]);
                (offset, [sx, sy, sz])
            }
            None => ([0.0; 3], [f64::from(v.size); 3]),
        };
        let pos = vec3::add(offset, rows::<3>(&d.xipos)[body]);
        geom.init(SceneGeomType::Box, Some(size), Some(pos), Some(&mat), Some(rgba));
        scene.push(geom);
    }
    Some(())
}

/// Frames of the bodies, or of the world at twice the size. Inertial frames if inertias are shown.
pub(super) fn frames(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let bodies = match v.option.frame {
        FrameMode::World => 0..1,
        FrameMode::Body => 1..v.m.nbody,
        _ => 0..0,
    };
    for i in bodies {
        if i > 0 && !v.category(i).intersects(v.catmask) {
            continue;
        }
        let (mut length, mut width) = v.frame_size();
        if i == 0 {
            (length, width) = (2.0 * length, 2.0 * width);
        }
        let (pos, mat) = if v.flag(VisFlag::Inertia) { v.inertial_pose(i) } else { v.body_pose(i) };
        scene.frame(i, pos, mat, length, width);
    }
    Some(())
}

pub(super) fn selection_point(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let Some(body) = v.perturb.body(m.nbody).filter(|_| v.flag(VisFlag::Select)) else {
        return Some(());
    };
    let pos = v.selection(body);
    let mut geom = decor(scene, ObjType::Unknown, body)?;
    geom.kind = SceneGeomType::Sphere;
    geom.size = [v.size * m.vis.scale.selectpoint; 3];
    geom.pos = pos.map(single);
    geom.rgba = m.vis.rgba.selectpoint;
    if v.option.label == LabelMode::SelPoint {
        let [x, y, z] = pos;
        let [a, b, c] = v.perturb.localpos;
        let text = format!("{x:.3} {y:.3} {z:.3} (local {a:.3} {b:.3} {c:.3})");
        geom.label = label::truncated(text, 99);
    }
    scene.push(geom);
    Some(())
}

/// Labels of the bodies or of the selected body, unless their inertias carry the labels.
pub(super) fn labels(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let selection = v.option.label == LabelMode::Selection;
    if v.flag(VisFlag::Inertia) || !(selection || v.option.label == LabelMode::Body) {
        return Some(());
    }
    for i in 1..m.nbody {
        if selection && v.perturb.body(m.nbody) != Some(i) || !v.category(i).intersects(v.catmask) {
            continue;
        }
        let mut geom = decor(scene, ObjType::Unknown, i)?;
        let (pos, mat) = v.body_pose(i);
        geom.kind = SceneGeomType::Label;
        geom.pos = pos.map(single);
        geom.mat = mat.map(single);
        geom.label = label::object(m, ObjType::Body, i);
        scene.push(geom);
    }
    Some(())
}

/// Islands of the bodies.
pub(super) fn island_labels(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if v.option.label != LabelMode::Island || d.nisland == 0 {
        return Some(());
    }
    for i in 1..m.nbody {
        let weld = usize::try_from(m.body_weldid[i]).unwrap_or(0);
        let dof = usize::try_from(m.body_dofadr[weld]).ok().filter(|_| m.body_dofnum[weld] > 0);
        let island = dof.and_then(|dof| d.dof_island.get(dof)).filter(|&&island| island >= 0);
        let Some(island) = island else { continue };
        let mut geom = decor(scene, ObjType::Unknown, i)?;
        let (pos, mat) = v.inertial_pose(i);
        geom.kind = SceneGeomType::Label;
        geom.pos = pos.map(single);
        geom.mat = mat.map(single);
        geom.label = island.to_string();
        scene.push(geom);
    }
    Some(())
}

/// Centres of mass of the kinematic trees.
pub(super) fn centers_of_mass(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Com) {
        return Some(());
    }
    let is_root = |i: &usize| usize::try_from(m.body_rootid[*i]).is_ok_and(|root| root == *i);
    for i in (1..m.nbody).filter(is_root) {
        let mut geom = decor(scene, ObjType::Unknown, i)?;
        geom.kind = SceneGeomType::Sphere;
        geom.size = [v.size * m.vis.scale.com; 3];
        geom.pos = rows::<3>(&d.subtree_com)[i].map(single);
        geom.rgba = m.vis.rgba.com;
        scene.push(geom);
    }
    Some(())
}

/// Connections of the centres of mass of the bodies with those of their parents, through the joints.
pub(super) fn connections(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::AutoConnect) {
        return Some(());
    }
    let width = f64::from(v.size * m.vis.scale.connect);
    let (centers, anchors) = (rows::<3>(&d.xipos), rows::<3>(&d.xanchor));
    for i in 1..m.nbody {
        let parent = usize::try_from(m.body_parentid[i]).unwrap_or(0);
        if parent == 0 {
            continue;
        }
        let first = usize::try_from(m.body_jntadr[i]).unwrap_or(0);
        let count = usize::try_from(m.body_jntnum[i]).unwrap_or(0);
        let joints = (first..first + count).rev().map(|j| anchors[j]);
        let mut from = centers[i];
        for to in joints.chain([centers[parent]]) {
            let owner = Owner::decor(ObjType::Unknown, i);
            let rgba = m.vis.rgba.connect;
            scene.connector(owner, SceneGeomType::Capsule, width, [from, to], rgba);
            from = to;
        }
    }
    Some(())
}

/// Forces of `xfrc_applied`.
pub(super) fn applied_forces(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::PertForce) {
        return Some(());
    }
    let width = v.scaled(m.vis.scale.forcewidth);
    for i in 1..m.nbody {
        let [x, y, z, ..] = rows::<6>(&d.xfrc_applied)[i];
        if vec3::norm([x, y, z]) <= MINVAL {
            continue;
        }
        let from = rows::<3>(&d.xipos)[i];
        let arrow = vec3::scale([x, y, z], f64::from(m.vis.map.force) / m.stat.meanmass);
        let owner = Owner::decor(ObjType::Unknown, i);
        let ends = [from, vec3::add(from, arrow)];
        scene.connector(owner, SceneGeomType::Arrow, width, ends, m.vis.rgba.force);
    }
    Some(())
}
