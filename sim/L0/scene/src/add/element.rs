//! Skins, geoms and sites, and the frames of geoms and sites.

use super::View;
use super::plane;
use crate::geom::rgba_row;
use crate::option::visible;
use crate::{
    Category, FrameMode, LabelMode, Scene, SceneGeom, SceneGeomType, VisFlag, color, label,
};
use sim_core::math::rows;
use sim_core::mj_sleep_cycle;
use sim_core::types::{EnableBit, GeomType, ObjType};

pub(super) fn flexes(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let parts = [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin];
    if !v.catmask.intersects(Category::DYNAMIC) || !parts.iter().any(|&part| v.flag(part)) {
        return Some(());
    }
    for i in (0..m.nflex).filter(|&i| visible(&v.option.flexgroup, m.flex_group[i])) {
        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Flex)?;
        // the position is that of the first vertex
        let first = usize::try_from(m.flex_vertadr[i]).unwrap_or(0);
        let pos = rows::<3>(&d.flexvert_xpos).get(first).copied();
        geom.init(SceneGeomType::Flex, None, pos, None, None);
        geom.size[0] = crate::single(m.flex_radius[i]);
        geom.set_material(m, m.flex_matid[i], rgba_row(&m.flex_rgba, i), v.option);
        if m.flex_texcoordadr[i] >= 0 {
            geom.texcoord = true;
        } else {
            geom.matid = -1;
        }
        if usize::try_from(v.perturb.flexselect).is_ok_and(|flex| flex == i) {
            geom.mark_selected(m);
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if v.option.label == LabelMode::Flex {
            geom.label = label::object(m, ObjType::Flex, i);
        }
        scene.push(geom);
    }
    Some(())
}

pub(super) fn skins(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.catmask.intersects(Category::DYNAMIC) || !v.flag(VisFlag::Skin) {
        return Some(());
    }
    for i in (0..m.nskin).filter(|&i| visible(&v.option.skingroup, m.skin_group[i])) {
        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Skin)?;
        // the position is that of the first bone
        let bone = usize::try_from(m.skin_boneadr[i]).unwrap_or(0);
        let body = m.skin_bonebodyid.get(bone).and_then(|&body| usize::try_from(body).ok());
        let pos = body.map(|body| rows::<3>(&d.xpos)[body]);
        geom.init(SceneGeomType::Skin, None, pos, None, None);
        geom.set_material(m, m.skin_matid[i], rgba_row(&m.skin_rgba, i), v.option);
        if usize::try_from(v.perturb.skinselect).is_ok_and(|skin| skin == i) {
            geom.mark_selected(m);
        }
        geom.texcoord = m.skin_texcoordadr[i] >= 0;
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if v.option.label == LabelMode::Skin {
            geom.label = label::object(m, ObjType::Skin, i);
        }
        scene.push(geom);
    }
    Some(())
}

pub(super) fn geoms(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let mut planes = 0;
    for i in 0..m.ngeom {
        let is_plane = m.geom_type[i] == GeomType::Plane;
        planes += i32::from(is_plane);
        let body = usize::try_from(m.geom_bodyid[i]).unwrap_or(0);
        let category = v.category(body);
        if !category.intersects(v.catmask) || !visible(&v.option.geomgroup, m.geom_group[i]) {
            continue;
        }
        let mut geom = scene.acquire(i, category, ObjType::Geom)?;
        let (pos, mat) = v.geom_pose(i);
        let size = rows::<3>(&m.geom_size)[i];
        geom.init(m.geom_type[i].into(), Some(size), Some(pos), Some(mat), None);
        geom.dataid = m.geom_dataid[i];
        geom.modelrbound = crate::single(m.geom_rbound[i]);
        geom.set_material(m, m.geom_matid[i], v.geom_rgba(i), v.option);
        if v.flag(VisFlag::Island) {
            color_by_island(v, body, &mut geom);
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if v.perturb.body(m.nbody) == Some(body) {
            geom.mark_selected(m);
        }
        if v.option.label == LabelMode::Geom {
            geom.label = label::object(m, ObjType::Geom, i);
        }
        if matches!(m.geom_type[i], GeomType::Mesh | GeomType::Sdf) {
            mesh_data(v, i, &mut geom);
        } else if is_plane {
            geom.dataid = planes - 1;
            geom.pos = plane::center(v, i, &scene.camera).map(crate::single);
        }
        scene.push(geom);
    }
    Some(())
}

/// Data id and texture coordinates of a mesh: its surface, or its convex hull if geoms collide with it.
fn mesh_data(v: &View<'_>, i: usize, geom: &mut SceneGeom) {
    let m = v.m;
    let mesh = usize::try_from(m.geom_dataid[i]).ok().filter(|&mesh| mesh < m.nmesh);
    geom.texcoord = mesh.is_some_and(|mesh| m.mesh_texcoordadr[mesh] >= 0);
    let hull = v.flag(VisFlag::ConvexHull)
        && mesh.is_some_and(|mesh| m.mesh_graphadr[mesh] >= 0)
        && (m.geom_contype[i] != 0 || m.geom_conaffinity[i] != 0);
    geom.dataid = 2 * geom.dataid + i32::from(hull);
}

/// Replaces material and colour of a moving geom by the colour of its island, or of its tree if trees may
/// sleep.
fn color_by_island(v: &View<'_>, body: usize, geom: &mut SceneGeom) {
    let (m, d) = (v.m, v.d);
    let weld = usize::try_from(m.body_weldid[body]).unwrap_or(0);
    if m.body_dofnum[weld] == 0 {
        return;
    }
    geom.matid = -1;
    let index = |ids: &[i32], i: usize| ids.get(i).and_then(|&id| usize::try_from(id).ok());
    let Some(dof) = index(&m.body_dofadr, weld) else { return };
    let island = if d.nisland > 0 { index(&d.dof_island, dof) } else { None };
    let mut label = island.and_then(|island| index(&d.island_dofadr, island));
    let awake = d.body_awake[body] != 0;
    if label.is_none() && m.opt.enabled(EnableBit::Sleep) {
        let tree = index(&m.dof_treeid, dof);
        let tree =
            if awake { tree } else { tree.and_then(|tree| mj_sleep_cycle(&d.tree_asleep, tree)) };
        label = tree.and_then(|tree| index(&m.tree_dofadr, tree));
    }
    geom.rgba = color::island(label, awake);
}

pub(super) fn sites(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    for i in 0..m.nsite {
        let body = usize::try_from(m.site_bodyid[i]).unwrap_or(0);
        let category = v.category(body);
        if !category.intersects(v.catmask) || !visible(&v.option.sitegroup, m.site_group[i]) {
            continue;
        }
        let mut geom = scene.acquire(i, category, ObjType::Site)?;
        let (pos, mat) = v.site_pose(i);
        let size = rows::<3>(&m.site_size)[i];
        geom.init(m.site_type[i].into(), Some(size), Some(pos), Some(mat), None);
        geom.set_material(m, m.site_matid[i], rgba_row(&m.site_rgba, i), v.option);
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if v.perturb.body(m.nbody) == Some(body) {
            geom.mark_selected(m);
        }
        if v.option.label == LabelMode::Site {
            geom.label = label::object(m, ObjType::Site, i);
        }
        scene.push(geom);
    }
    Some(())
}

/// Opacity of an element: that of its material, if it has one.
fn opacity(v: &View<'_>, matid: i32, rgba: &[f32], i: usize) -> f32 {
    match usize::try_from(matid) {
        Ok(material) => rgba_row(&v.m.mat_rgba, material)[3],
        Err(_) => rgba_row(rgba, i)[3],
    }
}

pub(super) fn geom_frames(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if v.option.frame != FrameMode::Geom {
        return Some(());
    }
    let (length, width) = v.frame_size();
    for i in 0..m.ngeom {
        let body = usize::try_from(m.geom_bodyid[i]).unwrap_or(0);
        if v.category(body).intersects(v.catmask)
            && visible(&v.option.geomgroup, m.geom_group[i])
            && opacity(v, m.geom_matid[i], &m.geom_rgba, i) != 0.0
        {
            let (pos, mat) = v.geom_pose(i);
            scene.frame(i, pos, mat, length, width);
        }
    }
    Some(())
}

pub(super) fn site_frames(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if v.option.frame != FrameMode::Site {
        return Some(());
    }
    let (length, width) = v.frame_size();
    for i in 0..m.nsite {
        let body = usize::try_from(m.site_bodyid[i]).unwrap_or(0);
        if v.category(body).intersects(v.catmask)
            && visible(&v.option.sitegroup, m.site_group[i])
            && opacity(v, m.site_matid[i], &m.site_rgba, i) != 0.0
        {
            let (pos, mat) = v.site_pose(i);
            scene.frame(i, pos, mat, length, width);
        }
    }
    Some(())
}
